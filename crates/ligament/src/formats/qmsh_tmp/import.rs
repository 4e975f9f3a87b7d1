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
//!
//! A free mesh is a node with the object's transform. A mesh attached to a bone is a node below the joint. A mesh
//! deformed by the armature has its vertices in the scene's space, where the skin expects them.

mod clips;
mod influences;
mod materials;
mod meshes;
mod placed;
mod skeleton;

use super::codes;
use super::document::{Document, Object, ParamKind};
use crate::formats::ReadOptions;
use crate::report::{Failure, Place, Report};
use crate::scene::{Extras, Scene};
use crate::settings::POSING;
use materials::Materials;
use serde_json::{Value, json};
use skeleton::Skeleton;

/// The key in extras for this format's values.
pub(super) const EXTRAS: &str = "qmsh-tmp";
/// Default frames per second.
pub(super) const USUAL_FPS: i32 = 25;

impl Document {
    /// Turns the document into a scene.
    pub(super) fn into_scene(mut self, options: &ReadOptions, report: &mut Report) -> Result<Scene, Failure> {
        let mut scene = Scene { name: std::mem::take(&mut self.name), ..Scene::default() };
        let fps = self.param(ParamKind::Fps).unwrap_or(USUAL_FPS);
        scene.extras = extras(json!({ "fps": fps }));
        let skeleton = Skeleton::import(&self, &mut scene, report)?;
        let mut materials = Materials::default();
        for object in std::mem::take(&mut self.objects) {
            match object {
                Object::Mesh(mesh) => {
                    meshes::import(
                        &self,
                        mesh,
                        &skeleton,
                        options.own.get(&POSING),
                        &mut materials,
                        &mut scene,
                        report,
                    );
                }
                Object::Empty(empty) => placed::empty(&self, &empty, &skeleton, &mut scene, report),
                Object::Camera(camera) => placed::camera(&camera, &mut scene, report),
                Object::Armature(_) => {}
            }
        }
        clips::import(&self, &skeleton, f64::from(fps), &mut scene, report);
        report.check()?;
        Ok(scene)
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
