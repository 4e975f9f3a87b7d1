//! Small pictures of recent files.

use crate::open::open;
use ligament::formats::ReadOptions;
use ligament_render::{Loader, Look, Picture, Renderer, Seen, Shot, Side, Stage, poses_of};
use std::path::Path;

/// Width and height in pixels.
pub const SIZE: [u32; 2] = [320, 240];
/// Larger files are listed without a picture: nobody waits for it.
const MOST_BYTES: u64 = 64 << 20;

/// Draws a file. The renderer is kept for the next one; `None` makes one.
pub fn thumbnail(
    path: &Path,
    options: &ReadOptions,
    loader: &Loader,
    renderer: Option<Box<Renderer>>,
) -> (Option<Picture>, Option<Box<Renderer>>) {
    let Some(mut renderer) = renderer.or_else(|| loader.renderer().ok().map(Box::new)) else {
        return (None, None);
    };
    let picture = draw(path, options, loader, &mut renderer);
    (picture, Some(renderer))
}

fn draw(path: &Path, options: &ReadOptions, loader: &Loader, renderer: &mut Renderer) -> Option<Picture> {
    let file = path.metadata().ok()?;
    if !file.is_file() || file.len() > MOST_BYTES {
        return None;
    }
    let mut opened = open(path, options, loader).ok()?;
    let scene = opened.model.shared_scene();
    let pose = poses_of(&scene, None).next()?;
    let aspect = f64::from(SIZE[0]) / f64::from(SIZE[1]);
    let stage = Stage::new(&scene, poses_of(&scene, None), Side::ThreeQuarter, aspect, Seen::default());
    let look = Look::default();
    let (picture, _) = renderer.picture(&mut opened.model, &Shot::new(&pose, &stage, &look), SIZE).ok()?;
    Some(picture)
}
