//! Scene to document.
//!
//! | file | what it makes |
//! |---|---|
//! | `vertices.rs` | lists without repetitions, and faces |
//! | `objects.rs` | objects with their textures, and what of materials has no place |
//! | `rig.rs` | joints, and how far any vertex is from where it should be |
//! | `clips.rs` | keys, with more of them where the file would go another way than the scene |
//! | `names.rs` | names that the dialect can hold |

mod clips;
mod names;
mod objects;
mod rig;
mod vertices;

use super::codes;
use super::document::{Bases, Dialect, Document, Model, Shapes};
use super::import::shapes_from_json;
use crate::passes::normals::{NormalsOptions, normals};
use crate::report::{Failure, Place, Report};
use crate::scene::Scene;
use names::Names;
use rig::Rig;

impl Document {
    /// Makes a document from a scene within the dialect's [capabilities](super::Amo).
    pub(super) fn from_scene(mut scene: Scene, asked: Dialect, report: &mut Report) -> Result<Self, Failure> {
        let dialect = asked.written();
        if dialect != asked {
            note_keyed(report);
        }
        // Every corner of the specification has a normal.
        normals(&mut scene, &NormalsOptions::default(), report);
        let mut names = Names::new(dialect);
        let rig = Rig::new(&scene, dialect);
        let mut model = Model { joints: rig.joints(&scene, &mut names, report), ..Model::default() };
        rig.report_rest(report);
        model.objects = objects::objects(&scene, dialect, &mut names, report);
        vertices::vertices(&mut scene, &rig, &mut model, report)?;
        model.clips = clips::clips(&mut scene, &rig, &mut names, report)?;
        if dialect == Dialect::Counted {
            model.shapes = restored(shapes_from_json(&scene.extras), model.joints.len());
        }
        names.report(report);
        let bases = Bases::of(dialect);
        Ok(Document { name: scene.name, dialect, marked: true, editamo: false, bases, models: vec![model] })
    }
}

/// Tells that a keyed file is written as a counted one.
pub(super) fn note_keyed(report: &mut Report) {
    let message = "the keyed dialect is read only; the counted one is written, which holds the same";
    report.note(&codes::KEYED_WRITTEN, Place::WHOLE, message);
}

/// Shapes that came from a file, if they still fit: hooks and boxes of joints that are gone are not worth keeping.
fn restored(mut shapes: Shapes, joints: usize) -> Shapes {
    let there = |joint: i32| joint < 0 || (joint as usize) < joints;
    shapes.hooks.retain(|hook| there(hook.joint));
    shapes.boxes.retain(|joint_box| there(joint_box.joint));
    shapes
}
