//! Document to scene.
//!
//! | file | what it makes |
//! |---|---|
//! | `meshes.rs` | a mesh for each model, with one part per object |
//! | `joints.rs` | nodes for joints, and the skin |
//! | `clips.rs` | clips |
//! | `shapes.rs` | hooks, boxes and collision meshes as key-value data |
//!
//! The keyed and counted dialects have Z up: their vertices and the roots of their skeletons are rotated to Y up.

mod clips;
mod joints;
mod meshes;
mod shapes;

pub(super) use joints::hierarchy;
pub(super) use shapes::from_json as shapes_from_json;

use super::document::{Dialect, Document, Model};
use super::{BIND, BindPose};
use crate::formats::ReadOptions;
use crate::formats::bind::pulling_joints;
use crate::report::{Failure, Report};
use crate::scene::{Mesh, MeshId, Node, NodeId, Scene, SkinId, TextureId};
use std::collections::HashMap;

/// The key in extras for AMO's own values.
pub(super) const KEY: &str = "amo";

struct Import<'r> {
    scene: Scene,
    report: &'r mut Report,
    dialect: Dialect,
    bind: BindPose,
    /// Whether V points down in the file as it does in a scene.
    v_down: bool,
    textures: HashMap<String, TextureId>,
}

impl Document {
    pub(super) fn into_scene(self, options: &ReadOptions, report: &mut Report) -> Result<Scene, Failure> {
        let Document { name, dialect, editamo, models, .. } = self;
        let mut import = Import {
            scene: Scene { name: name.clone(), ..Scene::default() },
            report,
            dialect,
            bind: options.own.get(&BIND),
            v_down: editamo,
            textures: HashMap::new(),
        };
        import.shapes(&models);
        for model in models {
            import.model(model, &name);
        }
        import.report.check().map(|()| import.scene)
    }
}

impl Import<'_> {
    fn model(&mut self, mut model: Model, file: &str) {
        let named = model.objects.first().map(|o| o.name.to_text()).filter(|name| !name.is_empty());
        let name = named.unwrap_or_else(|| file.to_owned());
        let parts = self.parts(&mut model);
        let weighted = parts.iter().any(|part| !part.influences.is_empty());
        let pairs = parts.iter().flat_map(|part| part.influences.pairs());
        let pulls = pulling_joints(pairs, model.joints.len());
        if !parts.is_empty() {
            let mesh = Some(MeshId::new(self.scene.meshes.len()));
            let skin = weighted.then(|| SkinId::new(self.scene.skins.len()));
            self.scene.meshes.push(Mesh { name: name.clone(), parts, ..Mesh::default() });
            self.scene.add_node(Node { name: name.clone(), mesh, skin, ..Node::default() });
        }
        if model.joints.is_empty() {
            for clip in model.clips {
                let clip = crate::scene::Clip { name: clip.name.to_text(), ..Default::default() };
                self.scene.clips.push(clip);
            }
            return;
        }
        let rig = self.joints(&model);
        self.skin(&model, &rig, &pulls, name);
        for clip in model.clips {
            self.clip(clip, &rig);
        }
    }
}

/// A joint's node, and the transform that its keys are relative to.
struct RigJoint {
    node: NodeId,
    /// The translation, rotation and uniform scale applied before each key.
    rest: crate::scene::Trs,
}
