//! Document to scene.
//!
//! | file | what it makes |
//! |---|---|
//! | `components.rs` | cameras, lights |
//! | `materials.rs` | materials, textures, images |
//! | `meshes.rs` | a mesh for each combination of geometry, material and skeleton in use |
//! | `skeletons.rs` | joints and skins, for each object with a skeleton |
//! | `clips.rs` | clips, with keys added where a scene interpolates differently |
//! | `own.rs` | the motion that those keys follow, for the proof |
//!
//! Z up becomes Y up by rotating the roots of the tree, so everything below them keeps its numbers.

mod clips;
mod components;
mod materials;
mod meshes;
mod own;
mod skeletons;

pub(super) use components::{inner_of, spot};
pub(super) use materials::opacity;
pub(super) use meshes::LEAST_WEIGHT;

use super::codes;
use super::document::{Document, Object};
use super::tree::{self, Place as InTree};
use crate::formats::ReadOptions;
use crate::limits::Budget;
use crate::pose::OwnMotion;
use crate::report::{Failure, Loss, Place, Report};
use crate::scene::{CameraId, Extras, LightId, Local, Node, NodeId, Scene, TextureId, Y_UP, affine};
use crate::settings::{POSING, Posing};
use serde_json::Value;
use std::collections::BTreeMap;

/// The key in extras for BOGLE's own values.
pub(super) const KEY: &str = "bogle";

/// Copies of geometries and skeletons may make the scene `EXPANSION` times as large as the document, plus the floor.
const EXPANSION: u64 = 16;
const EXPANSION_FLOOR: u64 = 32 << 20;

struct Import<'r> {
    document: Document,
    posing: Posing,
    scene: Scene,
    /// The motion that the scene's clips follow, if it is wanted: it keeps the keys in memory.
    own: Option<OwnMotion>,
    report: &'r mut Report,
    /// The node of each object.
    nodes: Vec<Option<NodeId>>,
    /// Remaining bytes for copies.
    budget: Budget,
    /// The textures made so far, by path.
    textures: BTreeMap<String, TextureId>,
}

impl Document {
    /// Turns the document into a scene and, if wanted, its exact motion.
    pub(super) fn into_scene(
        self,
        options: &ReadOptions,
        wants_motion: bool,
        report: &mut Report,
    ) -> Result<(Scene, Option<OwnMotion>), Failure> {
        let own = wants_motion.then(OwnMotion::default);
        let nodes = vec![None; self.objects.len()];
        let budget = Budget::within(&options.limits, self.size() as u64, EXPANSION, EXPANSION_FLOOR);
        let scene = Scene { name: self.name.clone(), ambient: Some(self.ambient), ..Scene::default() };
        let (posing, textures) = (options.own.get(&POSING), BTreeMap::new());
        Import { document: self, posing, scene, own, report, nodes, budget, textures }.scene()
    }
}

impl Import<'_> {
    fn scene(mut self) -> Result<(Scene, Option<OwnMotion>), Failure> {
        self.components();
        self.materials();
        self.objects()?;
        let skins = self.skeletons()?;
        self.clips(&skins)?;
        self.meshes(&skins)?;
        Ok((self.scene, self.own))
    }

    fn objects(&mut self) -> Result<(), Failure> {
        let objects = &self.document.objects;
        let Ok(tree) = tree::parse(self.document.tree.as_bytes(), objects.len()) else {
            return Err(self.report.invalid(&codes::TREE_NUMBER, Place::field("tree"), "the tree is broken"));
        };
        for &object in &tree.order {
            let Object { name, camera, light, matrix, .. } = &objects[object as usize];
            let parent = match tree.places[object as usize] {
                InTree::Below(parent) => self.nodes[parent as usize],
                _ => None,
            };
            let matrix = affine(matrix);
            let node = Node {
                name: name.to_text(),
                parent,
                local: Local::from_matrix(&if parent.is_none() { Y_UP * matrix } else { matrix }),
                camera: reference(*camera, self.scene.cameras.len()).map(CameraId::new),
                light: reference(*light, self.scene.lights.len()).map(LightId::new),
                ..Node::default()
            };
            self.nodes[object as usize] = Some(self.scene.add_node(node));
        }
        for (object, node) in objects.iter().zip(&self.nodes) {
            if node.is_none() {
                let message = "the object is not in the scene tree, so it is never drawn";
                let object = format!("object {}", object.name);
                self.report.loss(Loss::dropped(&codes::UNLINKED, object, 1, message));
            }
        }
        Ok(())
    }

    /// Takes from the budget for copies.
    fn spend(&mut self, bytes: usize, object: usize) -> Result<(), Failure> {
        self.budget.spend(bytes as u64).map_err(|exceeded| {
            let (place, what) =
                (Place::field(format!("objects[{object}]")), "copies of geometries and skeletons");
            self.report.push(exceeded.error(&codes::EXPANDED, place, what));
            self.report.refusal()
        })
    }
}

/// Converts a reference that counts from 1 to an index.
fn reference(number: u32, count: usize) -> Option<usize> {
    (number as usize).checked_sub(1).filter(|&index| index < count)
}

/// Puts values under the format's key; no values give empty extras.
fn extras(values: Vec<(&str, Value)>) -> Extras {
    let mut extras = Extras::new();
    if !values.is_empty() {
        let values = values.into_iter().map(|(key, value)| (key.to_owned(), value));
        extras.insert(KEY.to_owned(), Value::Object(values.collect()));
    }
    extras
}
