//! Document to scene.
//!
//! | file | converts |
//! |---|---|
//! | `skeleton.rs` | the armature and its bones to nodes and a skin |
//! | `meshes.rs` | mesh objects to nodes, and meshes with one part per material |
//! | `influences.rs` | vertex groups and envelopes to influences |
//! | `materials.rs` | materials |
//! | `placed.rs` | empties and cameras |
//! | `clips.rs` | actions to clips |
//! | `played.rs` | the exact motion of a bone, which clips follow |
//!
//! A free mesh is a node with the object's transform. A mesh attached to a bone is a node below the joint. A mesh
//! deformed by the armature has its vertices in the scene's space, where the skin expects them.

mod clips;
mod influences;
mod materials;
mod meshes;
mod placed;
mod played;
mod skeleton;

use super::codes;
use super::document::{Document, Object, ParamKind};
use crate::formats::ReadOptions;
use crate::pose::OwnMotion;
use crate::report::{Failure, Place, Report};
use crate::scene::{Extras, MaterialId, Scene, TextureId};
use crate::settings::{POSING, Posing};
use crate::text::RawText;
use serde_json::{Value, json};
use skeleton::Skeleton;
use std::collections::HashMap;

/// The key in extras for this format's values.
pub(super) const EXTRAS: &str = "qmsh-tmp";
/// Default frames per second.
pub(super) const USUAL_FPS: i32 = 25;

/// A scene under construction.
struct Import<'a> {
    /// Everything but the objects.
    document: &'a Document,
    posing: Posing,
    skeleton: Skeleton,
    scene: Scene,
    /// The exact motion of the scene's clips, if it is wanted: it keeps the curves in memory.
    own: Option<OwnMotion>,
    report: &'a mut Report,
    /// The scene's materials by their names in the file, which are unique in the modelling program.
    materials: HashMap<RawText, MaterialId>,
    /// The textures made so far, by path.
    textures: HashMap<String, TextureId>,
}

impl Document {
    /// Turns the document into a scene and, if wanted, its exact motion.
    pub(super) fn into_scene(
        mut self,
        options: &ReadOptions,
        wants_motion: bool,
        report: &mut Report,
    ) -> Result<(Scene, Option<OwnMotion>), Failure> {
        let mut scene = Scene { name: std::mem::take(&mut self.name), ..Scene::default() };
        let fps = self.param(ParamKind::Fps).unwrap_or(USUAL_FPS);
        scene.extras = extras(json!({ "fps": fps }));
        let skeleton = Skeleton::import(&self, &mut scene, report)?;
        let objects = std::mem::take(&mut self.objects);
        let (document, posing) = (&self, options.own.get(&POSING));
        let (materials, textures) = (HashMap::new(), HashMap::new());
        let own = wants_motion.then(OwnMotion::default);
        let mut import = Import { document, posing, skeleton, scene, own, report, materials, textures };
        for object in objects {
            match object {
                Object::Mesh(mesh) => import.mesh(mesh),
                Object::Empty(empty) => import.empty(&empty),
                Object::Camera(camera) => import.camera(&camera),
                Object::Armature(_) => {}
            }
        }
        import.clips(f64::from(fps));
        import.report.check().map(|()| (import.scene, import.own))
    }
}

/// Wraps values of this format for an object of the scene.
fn extras(values: Value) -> Extras {
    Extras::from_iter([(EXTRAS.to_owned(), values)])
}

/// Reports numbers that are finite in the file but overflow when they are multiplied.
fn out_of_range(what: &str, report: &mut Report) {
    let message = format!("{what} is out of range");
    report.error(&codes::OUT_OF_RANGE, Place::field(what), message);
}
