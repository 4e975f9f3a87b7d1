//! Scene to document.
//!
//! | file | what it makes |
//! |---|---|
//! | `vertices.rs` | lists without repetitions, and faces |
//! | `objects.rs` | objects with their textures, and the losses of materials |
//! | `rig.rs` | joints, and how far any vertex is from where it should be |
//! | `clips.rs` | keys, with added ones where the file interpolates differently |
//! | `names.rs` | names that the dialect can hold |

mod clips;
mod names;
mod objects;
mod rig;
mod vertices;

use super::codes;
use super::document::{Bases, Corner, Dialect, Document, Key, KeyPose, Model, Shapes};
use super::import::shapes_from_json;
use super::write::Lists;
use crate::formats::{Encoded, WriteOptions};
use crate::report::{Failure, Place, Report};
use crate::scene::Scene;
use clips::{Moments, Sampler};
use names::Names;
use rig::Rig;
use vertices::Corners;

/// Makes a file from a scene within the dialect's [capabilities](super::FORMAT).
pub(super) fn export(
    scene: Scene,
    dialect: Option<&str>,
    _: &WriteOptions,
    report: &mut Report,
) -> Result<Encoded, Failure> {
    let dialect = dialect.and_then(Dialect::by_id).unwrap_or_default();
    let made = Exported::from_scene(scene, dialect, report)?;
    Ok(Encoded::new(made.document.dialect.id(), move |output, report| {
        let written = made.document.write_with(&made, made.document.dialect, output.main());
        written.map_err(|error| report.cannot_write(error))
    }))
}

/// A document whose keys are still the scene's tracks. They are sampled while they are written, because the keys of all
/// joints at all times take more memory than the tracks.
struct Exported {
    /// Everything but the keys and the corners of faces.
    document: Document,
    corners: Corners,
    /// Nodes and clips.
    scene: Scene,
    rig: Rig,
    /// The key times of each clip.
    moments: Vec<Moments>,
}

impl Exported {
    fn from_scene(mut scene: Scene, asked: Dialect, report: &mut Report) -> Result<Self, Failure> {
        let dialect = asked.written();
        if dialect != asked {
            note_keyed(report);
        }
        let mut names = Names::new(dialect);
        let rig = Rig::new(&scene, dialect);
        let mut model = Model { joints: rig.joints(&scene, &mut names, report), ..Model::default() };
        rig.report_rest(report);
        model.objects = objects::objects(&scene, dialect, &mut names, report);
        let corners = vertices::vertices(&mut scene, &rig, &mut model, report)?;
        let moments;
        (model.clips, moments) = clips::clips(&scene, &rig, &mut names, report)?;
        if dialect == Dialect::Counted {
            model.shapes = restored(shapes_from_json(&scene.extras), model.joints.len());
        }
        names.report(report);
        let (name, bases) = (scene.name.clone(), Bases::of(dialect));
        let document = Document { name, dialect, marked: true, editamo: false, bases, models: vec![model] };
        Ok(Self { document, corners, scene, rig, moments })
    }

    fn sampler(&self, clip: usize) -> Sampler<'_> {
        Sampler { scene: &self.scene, rig: &self.rig, clip: &self.scene.clips[clip] }
    }
}

impl Lists for Exported {
    fn corner(&self, _: usize, corner: u32) -> Option<Corner> {
        self.corners.at(corner)
    }

    fn are_pulled(&self, _: usize) -> bool {
        self.corners.are_pulled()
    }

    fn single_keys(&self, _: usize, clip: usize, each: &mut dyn FnMut(&Key)) {
        self.moments[clip].single_keys(self.sampler(clip), each);
    }

    fn pose_count(&self, _: usize, clip: usize) -> usize {
        self.moments[clip].count()
    }

    fn poses(&self, _: usize, clip: usize, each: &mut dyn FnMut(&KeyPose)) {
        self.moments[clip].poses(self.sampler(clip), each);
    }
}

/// Notes that a keyed file is written as a counted one.
pub(super) fn note_keyed(report: &mut Report) {
    let message = "the keyed dialect is read-only; the counted one, which holds the same, is written";
    report.note(&codes::KEYED_WRITTEN, Place::WHOLE, message);
}

/// Shapes from a source file, as far as they still fit: hooks and boxes of joints that no longer exist are dropped.
fn restored(mut shapes: Shapes, joints: usize) -> Shapes {
    let there = |joint: i32| joint < 0 || (joint as usize) < joints;
    shapes.hooks.retain(|hook| there(hook.joint));
    shapes.boxes.retain(|joint_box| there(joint_box.joint));
    shapes
}
