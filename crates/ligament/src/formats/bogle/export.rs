//! Scene to document.
//!
//! | file | what it makes |
//! |---|---|
//! | `components.rs` | cameras, lights |
//! | `materials.rs` | materials and the names of their textures |
//! | `geometries.rs` | a geometry for each combination of mesh part and skeleton in use |
//! | `skeletons.rs` | collections: the bones of each skin, and of each mesh that moves without one |
//! | `clips.rs` | animations: the keys of a skeleton |
//! | `roots.rs` | the choice of the bone that moves |
//! | `probes.rs` | measurement of what bones cannot express |
//!
//! Vertices and indices stay the scene's arrays until they are written; see [`Exported`].
//!
//! Nodes become objects, except bones and nodes that have only bones below them. Y up becomes Z up by rotating the
//! roots, as the importer rotated them.

mod clips;
mod components;
mod geometries;
mod materials;
mod probes;
mod roots;
mod skeletons;

use super::codes;
use super::document::{Dialect, Document, Object, Vertex};
use super::import::KEY;
use super::tree;
use super::write::Lists;
use crate::formats::{Encoded, WriteOptions};
use crate::known::Known;
use crate::limits::FARTHEST;
use crate::motion::KeyBudget;
use crate::pose::{Pose, bounds};
use crate::report::{Failure, Loss, Report};
use crate::scene::{Extras, Mesh, NodeId, Scene, Track, Y_UP};
use crate::settings::{POSING, Posing};
use geometries::{Geometries, Source};
use glam::DMat4;
use serde_json::Value;
use skeletons::{Rig, Shape};
use std::ops::Range;

/// Deepest level of an object, which leaves room in the tree for the objects it is split into.
const DEEPEST: usize = tree::MAX_DEPTH - 2;

struct Export<'r> {
    scene: Scene,
    posing: Posing,
    document: Document,
    report: &'r mut Report,
    /// Global matrices at rest, Y up.
    rest: Vec<DMat4>,
    /// Whether a clip moves the node itself away from its rest.
    moves: Vec<bool>,
    /// Whether a clip moves the node or one of its ancestors.
    moved: Vec<bool>,
    /// The model's size: the diagonal of its bounding box at rest.
    size: f64,
    /// Keys that may still be added to animations.
    budget: KeyBudget,
    /// For each node, its tracks that move it: a clip, and a track of it.
    tracks: Vec<Vec<(usize, usize)>>,
    /// Shapes seen so far, and the node each was first seen on.
    shapes: Vec<(Shape, NodeId)>,
    clip_names: Vec<String>,
    known_shapes: Known,
    known_collections: Known,
}

/// Makes a file from a scene within the format's [capabilities](super::FORMAT).
pub(super) fn export(
    scene: Scene,
    dialect: Option<&str>,
    options: &WriteOptions,
    report: &mut Report,
) -> Result<Encoded, Failure> {
    let dialect = dialect.and_then(Dialect::by_id).unwrap_or_default();
    let made = Exported::from_scene(scene, dialect, options.own.get(&POSING), report);
    Ok(Encoded::new(dialect.id(), move |output, report| {
        made.document.write_with(&made, dialect, output, report)
    }))
}

/// A document whose geometries are still the scene's arrays. They are converted while they are written, so that a
/// model is not in memory twice.
struct Exported {
    /// Everything but the vertices and indices.
    document: Document,
    meshes: Vec<Mesh>,
    /// The source of each geometry.
    sources: Vec<Source>,
}

impl Exported {
    fn from_scene(scene: Scene, dialect: Dialect, posing: Posing, report: &mut Report) -> Self {
        let document = Document {
            name: scene.name.clone(),
            dialect,
            bone_indices: dialect.bone_indices(),
            ambient: scene.ambient.unwrap_or([0.0, 0.0, 0.0, 1.0]),
            ..Document::default()
        };
        let rest = Pose::rest(&scene);
        let size = bounds(&scene, &rest).map_or(0.0, |b| b.diagonal());
        let rest = rest.globals;
        let moves = skeletons::moving_nodes(&scene);
        let mut moved = moves.clone();
        for (i, node) in scene.nodes.iter().enumerate() {
            moved[i] |= node.parent.is_some_and(|parent| moved[parent.index()]);
        }
        let mut tracks = vec![Vec::new(); scene.nodes.len()];
        for (number, clip) in scene.clips.iter().enumerate() {
            for (index, track) in clip.tracks.iter().enumerate().filter(|(_, track)| track.moves_node()) {
                tracks[track.node.index()].push((number, index));
            }
        }
        let mut export = Export {
            clip_names: clips::names(&scene.clips, report),
            scene,
            posing,
            document,
            report,
            rest,
            moves,
            moved,
            size,
            budget: KeyBudget::default(),
            tracks,
            shapes: Vec::new(),
            known_shapes: Known::default(),
            known_collections: Known::default(),
        };
        export.components();
        export.materials();
        let rigs = export.rigs();
        let geometries = export.objects(&rigs);
        Self { document: export.document, meshes: export.scene.meshes, sources: geometries.sources }
    }
}

impl Lists for Exported {
    fn vertex_count(&self, geometry: usize) -> usize {
        self.sources[geometry].part(&self.meshes).positions.len()
    }

    fn vertices<'l>(
        &'l self,
        geometry: usize,
        range: Range<usize>,
        made: &'l mut Vec<Vertex>,
    ) -> &'l [Vertex] {
        let source = &self.sources[geometry];
        let (part, bones) = (source.part(&self.meshes), self.document.bone_indices);
        made.clear();
        made.extend(range.map(|i| source.vertex(part, i, bones)));
        made
    }

    fn indices(&self, geometry: usize) -> &[u32] {
        self.sources[geometry].indices(&self.meshes)
    }
}

impl Export<'_> {
    /// Makes a collection for each skeleton, and returns the rig of each node that draws something.
    fn rigs(&mut self) -> Vec<Option<Rig>> {
        let rigs: Vec<_> = self.scene.node_ids().map(|node| self.rig(node)).collect();
        self.report_motion(&rigs);
        rigs
    }

    /// Reports motion that no skeleton plays.
    fn report_motion(&mut self, rigs: &[Option<Rig>]) {
        let mut played = vec![false; self.scene.nodes.len()];
        for bone in rigs.iter().flatten().flat_map(|rig| &rig.bones) {
            played[bone.node.index()] = true;
        }
        for (index, clip) in self.scene.clips.iter().enumerate() {
            let is_played = |track: &&Track| played[track.node.index()];
            let is_lost = |t: &&Track| t.moves_node() && self.moves[t.node.index()] && !is_played(t);
            let left_out = clip.tracks.iter().filter(is_lost).count();
            let (count, message) = match left_out {
                0 if clip.tracks.iter().any(|t| is_played(&t)) => continue,
                0 => (1, "the clip moves no bone; BOGLE animates bones only"),
                _ => (left_out, "BOGLE animates bones only; these tracks move nodes that carry no mesh"),
            };
            self.report.loss(Loss::dropped(&codes::NODE_MOTION, clip.label(index), count, message));
        }
    }

    /// Adds the objects, and returns the sources of their geometries.
    fn objects(&mut self, rigs: &[Option<Rig>]) -> Geometries {
        let keep = self.kept_nodes(rigs);
        let mut parents: Vec<Option<u32>> = Vec::new();
        let mut worlds: Vec<DMat4> = Vec::new();
        let mut objects = vec![None; self.scene.nodes.len()];
        let mut geometries = Geometries::default();
        let mut depths: Vec<usize> = Vec::new();
        let mut lifted = 0;
        for node in self.scene.node_ids() {
            if !keep[node.index()] {
                continue;
            }
            let mut parent = self.scene.ancestors(node).find_map(|above| objects[above.index()]);
            // Nothing above an object moves, so it can be placed below the root just as well.
            if parent.is_some_and(|p| depths[p as usize] >= DEEPEST) {
                parent = None;
                lifted += 1;
            }
            let depth = parent.map_or(0, |p| depths[p as usize] + 1);
            let world = rigs[node.index()].as_ref().map_or(self.rest[node.index()], |rig| rig.world);
            let matrix = self.local(node, parent, world, &worlds);
            let number = self.document.objects.len() as u32;
            objects[node.index()] = Some(number);
            let source = &self.scene.nodes[node.index()];
            let mut object = Object {
                name: source.name.as_str().into(),
                camera: source.camera.map_or(0, |c| c.0 + 1),
                light: source.light.map_or(0, |l| l.0 + 1),
                matrix: floats(&matrix),
                ..Object::default()
            };
            let drawn = self.drawn(node, rigs[node.index()].as_ref(), &mut geometries);
            let split = drawn.len() > 1;
            if let [only] = &drawn[..] {
                only.place(&mut object);
            }
            self.document.objects.push(object);
            parents.push(parent);
            worlds.push(world);
            depths.push(depth);
            if split {
                self.split(number, &drawn, &mut parents);
                worlds.resize(parents.len(), world);
                depths.resize(parents.len(), depth + 1);
            }
        }
        let message =
            "the tree is at most 256 deep; deeper objects were moved below the root, at the same position";
        self.report.loss(Loss::kept(&codes::TREE_DEPTH, "", lifted, message));
        self.document.tree = tree::print(&parents).into();
        geometries
    }

    /// Makes one object per material below the node's own.
    fn split(&mut self, parent: u32, drawn: &[geometries::Drawn], parents: &mut Vec<Option<u32>>) {
        let name = self.document.objects[parent as usize].name.to_text();
        let label = if name.is_empty() { format!("object{parent}") } else { name };
        for part in drawn {
            let material = self.document.materials.get(part.material as usize - 1);
            let suffix = material.map(|m| m.name.to_text()).filter(|m| !m.is_empty());
            let suffix = suffix.unwrap_or_else(|| format!("material{}", part.material - 1));
            let matrix = floats(&DMat4::IDENTITY);
            let mut object = Object { name: format!("{label}.{suffix}").into(), matrix, ..Object::default() };
            part.place(&mut object);
            self.document.objects.push(object);
            parents.push(Some(parent));
        }
        let message = "an object has one material, so it was split into one object per material";
        self.report.loss(Loss::kept(&codes::SPLIT, format!("object {label:?}"), drawn.len(), message));
    }

    /// Marks the nodes that become objects: not bones, nor nodes that have only bones below them, nor empty nodes
    /// below bones.
    fn kept_nodes(&mut self, rigs: &[Option<Rig>]) -> Vec<bool> {
        let nodes = &self.scene.nodes;
        let carries =
            |i: usize| nodes[i].mesh.is_some() || nodes[i].camera.is_some() || nodes[i].light.is_some();
        let mut bone = vec![false; nodes.len()];
        for b in rigs.iter().flatten().flat_map(|rig| &rig.bones) {
            bone[b.node.index()] = true;
        }
        let mut below_bone = bone.clone();
        for (i, node) in nodes.iter().enumerate() {
            below_bone[i] |= node.parent.is_some_and(|p| below_bone[p.index()]);
        }
        // Children come after their parents, so going backwards visits them first.
        let (mut children, mut kept_children) = (vec![0_usize; nodes.len()], vec![0_usize; nodes.len()]);
        let mut leads_to_kept = vec![false; nodes.len()];
        let mut keep = vec![false; nodes.len()];
        let mut emptied = 0;
        for i in (0..nodes.len()).rev() {
            let only_bones = children[i] > 0 && kept_children[i] == 0;
            keep[i] = carries(i) || !(below_bone[i] || only_bones);
            emptied += usize::from(below_bone[i] && !bone[i] && !keep[i] && !leads_to_kept[i]);
            if let Some(parent) = nodes[i].parent {
                children[parent.index()] += 1;
                kept_children[parent.index()] += usize::from(keep[i]);
                leads_to_kept[parent.index()] |= keep[i] || leads_to_kept[i];
            }
        }
        let message = "empty nodes below bones cannot be stored in a skeleton";
        self.report.loss(Loss::dropped(&codes::EMPTY_NODES, "", emptied, message));
        keep
    }

    /// Maps the object's space to its parent's. An equivalent local transform of the node is used unchanged.
    fn local(&self, node: NodeId, parent: Option<u32>, world: DMat4, worlds: &[DMat4]) -> DMat4 {
        let source = &self.scene.nodes[node.index()];
        let own = source.local.to_matrix();
        let above = parent.map_or(DMat4::IDENTITY, |p| worlds[p as usize]);
        let above_node = source.parent.map_or(DMat4::IDENTITY, |p| self.rest[p.index()]);
        let direct = source.parent.is_some() == parent.is_some() && above == above_node;
        let matrix = if direct && world == self.rest[node.index()] {
            own
        } else {
            let inverse = above.inverse();
            if inverse.is_finite() { inverse * world } else { own }
        };
        if parent.is_none() { clean(Y_UP.transpose() * matrix) } else { matrix }
    }
}

/// Limits a number to what the reader accepts: finite, and small enough to be multiplied.
fn bounded(value: f64) -> f32 {
    if value.is_nan() { 0.0 } else { value.clamp(-f64::from(FARTHEST), f64::from(FARTHEST)) as f32 }
}

/// Replaces a number that is not finite: products of finite numbers may overflow.
fn finite(value: f32) -> f32 {
    if value.is_finite() { value } else { 0.0 }
}

fn floats(matrix: &DMat4) -> [f32; 16] {
    let mut numbers = matrix.to_cols_array().map(bounded);
    (numbers[3], numbers[7], numbers[11], numbers[15]) = (0.0, 0.0, 0.0, 1.0);
    numbers
}

/// Removes the signs of zeros, the only inexactness of rotating by a right angle.
fn clean(matrix: DMat4) -> DMat4 {
    DMat4::from_cols_array(&matrix.to_cols_array().map(|v| v + 0.0))
}

/// Returns a value that the importer left in extras.
fn own<'a>(extras: &'a Extras, key: &str) -> Option<&'a Value> {
    extras.get(KEY)?.get(key)
}

fn own_number(extras: &Extras, key: &str) -> Option<f32> {
    own(extras, key)?.as_f64().map(|v| v as f32).filter(|v| v.is_finite())
}
