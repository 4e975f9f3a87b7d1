//! Pictures, drawn with the available driver; the references were drawn by lavapipe.

mod bad;
mod compare;
mod materials;
mod overlays;
mod references;
mod scenes;

use ligament::io::{DirFolder, Folder, NoFolder};
use ligament::pose::Pose;
use ligament::scene::Clip;
use ligament::{Report, Scene};
use ligament_render::{
    Gpu, Look, Model, Notes, PICTURE_FORMAT, Picture, RenderError, Renderer, Shot, Side, Stage, poses_of,
};
use std::path::{Path, PathBuf};

/// A renderer; without a graphics driver the test is skipped by name, or fails where nothing may be skipped.
fn renderer(test: &str) -> Option<Renderer> {
    match Gpu::new() {
        Ok(gpu) => Some(Renderer::new(gpu, PICTURE_FORMAT).expect("a device that was opened can be used")),
        Err(RenderError::NoAdapter(why)) => {
            assert!(std::env::var("CI").as_deref() != Ok("true"), "no graphics driver under CI=true: {why}");
            println!("skipped: {test}: no graphics driver ({why})");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// An example of the workspace, with its folder.
fn example(name: &str) -> (Scene, DirFolder) {
    let path = workspace().join("examples").join(name);
    let (scene, report): (Scene, Report) =
        ligament::read(&path, &Default::default()).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(!report.has_errors());
    (scene, DirFolder::new(workspace().join("examples")))
}

/// The setup of a test picture.
struct Subject<'a> {
    scene: Scene,
    folder: &'a dyn Folder,
    clip: Option<&'a str>,
    seconds: f32,
    side: Side,
    look: Look,
    size: [u32; 2],
}

impl Subject<'_> {
    fn new(scene: Scene) -> Self {
        Subject {
            scene,
            folder: &NoFolder,
            clip: None,
            seconds: 0.0,
            side: Side::ThreeQuarter,
            look: Look::default(),
            size: [192, 192],
        }
    }

    fn draw(self, renderer: &mut Renderer) -> (Picture, Notes) {
        let aspect = f64::from(self.size[0]) / f64::from(self.size[1]);
        let mut model: Model = renderer.load(self.scene, self.folder).expect("loaded");
        let mut notes = model.notes().clone();
        let scene = model.scene();
        let clip: Option<&Clip> =
            self.clip.map(|name| scene.clips.iter().find(|c| c.name == name).expect("the clip"));
        let stage = Stage::new(scene, poses_of(scene, clip), self.side, aspect, (&self.look).into());
        let pose = clip.map_or_else(|| Pose::rest(scene), |clip| Pose::at(scene, clip, self.seconds));
        let shot = Shot::new(&pose, &stage, &self.look);
        let (picture, more) = renderer.picture(&mut model, &shot, self.size).expect("drawn");
        notes.extend(more);
        (picture, notes)
    }
}
