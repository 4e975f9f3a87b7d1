//! Controllers: which skins and morph targets are written, and for which nodes.
//!
//! A controller belongs to a mesh and can be drawn by several nodes. The weights of morph targets are its own, so nodes
//! with weights of their own, at rest or in clips, get a controller each.

use super::Exported;
use crate::pose::Pose;
use crate::scene::{Influence, Local, NodeId, Part, Scene, Values};
use glam::DMat4;
use std::collections::{BTreeSet, HashMap};

/// A morph controller.
pub(in super::super) struct Morphed {
    pub id: String,
    pub mesh: usize,
    /// The weight of each target at rest.
    pub weights: Vec<f32>,
}

/// A skin controller.
pub(in super::super) struct Skinned {
    pub id: String,
    pub mesh: usize,
    pub skin: usize,
    /// The morph controller that it is applied to, rather than to the mesh.
    pub morph: Option<usize>,
    /// The topmost joints of the skeleton.
    pub roots: Vec<NodeId>,
    /// The matrix from the mesh's space to where the joints are bound.
    pub shape: DMat4,
}

/// What a node draws.
#[derive(Clone, Copy)]
pub(in super::super) enum Draws {
    Mesh(usize),
    Morphed(usize),
    Skinned(usize),
}

/// For each node, whether it is written as a joint: the joints of skins, the nodes between them and, where that takes
/// nothing from view, those above a skeleton that do not stay at the origin.
///
/// Blender places bones as if nothing were above the skeleton, and shows nothing that hangs on a joint.
pub(super) fn joints(scene: &Scene) -> Vec<bool> {
    let mut is_joint = connected(scene);
    let is_animated = scene.are_animated();
    let (mut carried, mut shows) = (is_joint.clone(), vec![false; scene.nodes.len()]);
    for (index, node) in scene.nodes.iter().enumerate() {
        carried[index] |= node.parent.is_some_and(|parent| carried[parent.index()]);
        let is_shown = node.mesh.is_some() && node.skin.is_none();
        shows[index] = !carried[index] && (is_shown || node.camera.is_some() || node.light.is_some());
    }
    for index in (0..scene.nodes.len()).rev() {
        if let Some(parent) = scene.nodes[index].parent {
            shows[parent.index()] |= shows[index];
        }
    }
    // Whether a node, or one above it, does not stay at the origin.
    let mut moved: Vec<bool> = Vec::with_capacity(scene.nodes.len());
    for (index, node) in scene.nodes.iter().enumerate() {
        let above = node.parent.is_some_and(|parent| moved[parent.index()]);
        moved.push(above || is_animated[index] || node.local != Local::default());
    }
    for index in (0..scene.nodes.len()).rev() {
        let Some(parent) = scene.nodes[index].parent.filter(|_| is_joint[index]) else { continue };
        let top = scene.ancestors(NodeId::new(index)).last().unwrap_or(parent);
        if moved[parent.index()] && !shows[top.index()] {
            is_joint[parent.index()] = true;
        }
    }
    is_joint
}

/// For each node, whether it is a joint, or on the way from a joint to a joint below.
fn connected(scene: &Scene) -> Vec<bool> {
    let mut is_joint = scene.are_joints();
    // Whether there is a joint above, and below.
    let mut above = vec![false; scene.nodes.len()];
    for (index, node) in scene.nodes.iter().enumerate() {
        above[index] = node.parent.is_some_and(|p| above[p.index()] || is_joint[p.index()]);
    }
    for index in (0..scene.nodes.len()).rev() {
        let parent = scene.nodes[index].parent.filter(|_| is_joint[index]);
        if let Some(parent) = parent.filter(|p| above[p.index()]) {
            is_joint[parent.index()] = true;
        }
    }
    is_joint
}

impl Exported {
    /// Decides what each node draws.
    pub(super) fn controllers(&mut self) {
        let moves_weights: BTreeSet<usize> = self
            .scene
            .clips
            .iter()
            .flat_map(|clip| &clip.tracks)
            .filter(|track| matches!(track.values, Values::MorphWeights { .. }))
            .map(|track| track.node.index())
            .collect();
        let mut shared_morphs = HashMap::new();
        let rest = Pose::rest(&self.scene);
        let mut shared_skins = HashMap::new();
        for index in 0..self.scene.nodes.len() {
            let node = &self.scene.nodes[index];
            let mesh = node.mesh.map(|mesh| mesh.index()).filter(|m| !self.scene.meshes[*m].parts.is_empty());
            let Some(mesh) = mesh else {
                self.draws.push(None);
                continue;
            };
            let skin = node.skin.map(|skin| skin.index());
            let skin = skin.filter(|skin| !self.scene.skins[*skin].joints.is_empty());
            let targets = &self.scene.meshes[mesh].morphs;
            let own = !node.morph_weights.is_empty() || moves_weights.contains(&index);
            let weights = match &node.morph_weights[..] {
                [] => targets.iter().map(|target| target.weight).collect(),
                own => own.to_vec(),
            };
            let id = &self.ids.nodes[index].id;
            let morphed = &mut self.morphed;
            let make = || {
                morphed.push(Morphed { id: format!("{id}-morph"), mesh, weights });
                morphed.len() - 1
            };
            let morph = match (targets.is_empty(), own) {
                (true, _) => None,
                (false, true) => Some(make()),
                (false, false) => Some(*shared_morphs.entry(mesh).or_insert_with(make)),
            };
            self.draws.push(Some(match (skin, morph) {
                (None, None) => Draws::Mesh(mesh),
                (None, Some(morph)) => Draws::Morphed(morph),
                (Some(skin), morph) => {
                    Draws::Skinned(*shared_skins.entry((mesh, skin, morph)).or_insert_with(|| {
                        let roots = roots(&self.scene, skin, &self.is_joint);
                        let (id, shape) = (format!("{id}-skin"), bind_shape(&self.scene, mesh, skin, &rest));
                        self.skinned.push(Skinned { id, mesh, skin, morph, roots, shape });
                        self.skinned.len() - 1
                    }))
                }
            }));
        }
    }
}

/// Where the mesh is when its first joint is at rest. Programs that build a skeleton of the inverse bind matrices then
/// find the joints where they are in the scene, and not where they are for the mesh.
///
/// The identity if there are vertices that no joint moves: they stay in the bind shape.
fn bind_shape(scene: &Scene, mesh: usize, skin: usize, rest: &Pose) -> DMat4 {
    let is_moved = |of_vertex: &[Influence]| of_vertex.iter().map(|pair| pair.weight).sum::<f32>() > 0.0;
    let is_bound =
        |part: &Part| part.influences.len() == part.positions.len() && part.influences.iter().all(is_moved);
    if !scene.meshes[mesh].parts.iter().all(is_bound) {
        return DMat4::IDENTITY;
    }
    let first = scene.skins[skin].binds().next();
    let shape = first.map_or(DMat4::IDENTITY, |(joint, bind)| rest.globals[joint.index()] * bind);
    let is_usable = shape.is_finite() && shape.determinant().abs() > 1e-12 && shape.inverse().is_finite();
    match is_usable && !shape.abs_diff_eq(DMat4::IDENTITY, 1e-6) {
        true => shape,
        false => DMat4::IDENTITY,
    }
}

/// The topmost joints above a skin's joints, each once.
fn roots(scene: &Scene, skin: usize, is_joint: &[bool]) -> Vec<NodeId> {
    let mut seen = BTreeSet::new();
    let mut roots = Vec::new();
    for &joint in &scene.skins[skin].joints {
        // Joints above a joint are joined without gaps.
        let mut at = joint;
        let is_root = loop {
            if !seen.insert(at) {
                break false;
            }
            match scene.nodes[at.index()].parent.filter(|parent| is_joint[parent.index()]) {
                Some(parent) => at = parent,
                None => break true,
            }
        };
        if is_root {
            roots.push(at);
        }
    }
    roots
}
