//! One picture.

use super::choose::Wish;
use super::output::Target;
use super::{Done, Job, Studio, refused};
use crate::args::RenderArgs;
use crate::console::Console;
use ligament::{Failure, Report};
use ligament_render::{Legend, Model, Picture, Shot, Stage, Surface, stated_bounds};

/// Default size of a picture in pixels.
const SIZE: [u32; 2] = [640, 640];

pub fn size(args: &RenderArgs) -> [u32; 2] {
    args.size.unwrap_or(SIZE)
}

pub fn run(
    job: Job<'_>,
    size: [u32; 2],
    report: &mut Report,
    console: &mut Console,
) -> Result<Done, Failure> {
    let Job { studio, mut model, wish, path, .. } = job;
    let target = Target::open(path, report, console)?;
    let stage = wish.stage(&model, false, size);
    let picture = draw(studio, &mut model, &wish, &stage, wish.at, size, report)?;
    let file = target.write_picture(&picture, report, console)?;
    let clip = wish.clip_of(model.scene()).map(|clip| clip.name.clone());
    Ok(Done { files: file.into_iter().collect(), pictures: 1, size, clip, more: None })
}

/// Draws one pose.
pub fn draw(
    studio: &mut Studio,
    model: &mut Model,
    wish: &Wish,
    stage: &Stage,
    seconds: f32,
    size: [u32; 2],
    report: &mut Report,
) -> Result<Picture, Failure> {
    let pose = wish.pose(model.scene(), seconds);
    let camera = wish.view(model, stage, &pose);
    let stated = stated_bounds(model.scene(), wish.clip_of(model.scene()).map(|clip| (clip, seconds)));
    let legend = match wish.look.surface {
        Surface::Weights(joint) => Some(Legend::new(&model.scene().node_label(joint), "0", "1", size)),
        _ => None,
    };
    let mut shot = Shot { camera: &camera, stated, ..Shot::new(&pose, stage, &wish.look) };
    if let Some(legend) = &legend {
        shot.blocks = &legend.blocks;
        shot.labels = &legend.labels;
    }
    let (picture, notes) =
        studio.renderer.picture(model, &shot, size).map_err(|error| refused(&error, report))?;
    notes.tell(report);
    Ok(picture)
}
