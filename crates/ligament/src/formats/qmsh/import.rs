//! Document to scene.
//!
//! - Every object is a node with a mesh; submeshes that share their vertices are parts of one object.
//! - Bones are nodes in the file's hierarchy. Several roots get a common parent, `armature`; it is also the joint of
//!   vertices that are partly bound to the static bone 0.
//! - A key is relative to the bone's rest pose: a joint's transform is `rest · key`. If the rest pose has a non-uniform
//!   scale or shear, that product is not a translation, rotation and scale, and the rest pose gets its own node above
//!   the joint.
//! - Points are nodes on their bone. Values that a scene cannot hold travel in `extras` under `qmsh`.

mod clips;
mod materials;
mod meshes;
mod places;
mod skeleton;

use super::codes;
use super::document::{Document, Point, Version, flags};
use super::write::VertexLayout;
use crate::formats::ReadOptions;
use crate::report::{Failure, Loss, Place, Report};
use crate::scene::{Extras, MaterialId, Scene, TextureId};
use serde_json::Value;
use std::collections::HashMap;

impl Document {
    pub(super) fn into_scene(mut self, _: &ReadOptions, report: &mut Report) -> Result<Scene, Failure> {
        let scene = Scene { name: self.name.clone(), ..Scene::default() };
        let mut import =
            Import { scene, report, failed: false, materials: HashMap::new(), textures: HashMap::new() };
        let objects = import.meshes(&self);
        let rig = import.skeleton(&self, objects.needs_zero);
        for node in objects.skinned {
            import.scene.nodes[node.index()].skin = rig.skin;
        }
        import.clips(std::mem::take(&mut self.animations), &rig);
        import.points(&self, &rig);
        import.camera(&self);
        import.announce(&self);
        if import.failed { Err(Failure::Invalid) } else { Ok(import.scene) }
    }

    /// The index of the bone that a point follows.
    pub(super) fn bone_of(&self, point: &Point) -> Option<usize> {
        match self.version {
            // Version 12 counts from 0, and expresses "none" only by a number that is too large.
            Version::Carpg(12) => Some(usize::from(point.bone)).filter(|&b| b < usize::from(u16::MAX)),
            _ => usize::from(point.bone).checked_sub(1),
        }
    }

    /// Whether vertices follow bones, of this file or of another.
    fn is_skinned(&self) -> bool {
        VertexLayout::of(self).skinned
    }
}

/// A scene under construction.
struct Import<'r> {
    scene: Scene,
    report: &'r mut Report,
    /// Whether an error was reported, so no scene is returned.
    failed: bool,
    /// The materials made so far.
    materials: HashMap<materials::Look, MaterialId>,
    /// The textures made so far, by path.
    textures: HashMap<String, TextureId>,
}

impl Import<'_> {
    fn error(&mut self, code: &'static crate::report::Code, field: String, message: String) {
        self.failed = true;
        self.report.error(code, Place::field(field), message);
    }

    fn announce(&mut self, document: &Document) {
        if document.is_skinned() && document.has(flags::SHARED_BONES) && document.version != Version::Original
        {
            let moved =
                document.vertices.iter().filter(|v| v.bones().iter().any(|&(b, w)| b != 0 && w != 0.0));
            let message = "the bones are in another file; the model is not animated";
            self.report.loss(Loss::dropped(&codes::SHARED_BONES, "", moved.count().max(1), message));
        }
        let message = "bounds of submeshes follow from their vertices";
        self.report.loss(Loss::kept(&codes::SPLITS, "", document.splits.len(), message));
    }
}

/// Wraps values of this format so that they travel with an object.
fn own_extras(values: Value) -> Extras {
    Extras::from_iter([("qmsh".to_owned(), values)])
}
