//! Controllers: which skins and morph targets are written, and for which nodes.
//!
//! A controller belongs to a mesh and can be drawn by several nodes. The weights of morph targets are its own, so nodes
//! with weights of their own, at rest or in clips, get a controller each.

use super::Exported;
use crate::scene::{NodeId, Scene, Values};
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
}

/// What a node draws.
#[derive(Clone, Copy)]
pub(in super::super) enum Draws {
    Mesh(usize),
    Morphed(usize),
    Skinned(usize),
}

/// For each node, whether it is a joint, or on the way from a joint to a joint below.
pub(super) fn joints(scene: &Scene) -> Vec<bool> {
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
                        self.skinned.push(Skinned { id: format!("{id}-skin"), mesh, skin, morph, roots });
                        self.skinned.len() - 1
                    }))
                }
            }));
        }
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
