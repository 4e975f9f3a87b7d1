//! Which joint carries the motion, and which node above it can.

use super::super::joints::{Finder, Missing};
use super::moved::Moved;
use super::spec::{RootMotion, Way};
use crate::pose::{Pose, joint_bounds};
use crate::report::most_similar;
use crate::scene::{NodeId, Scene, Trs, Values};
use glam::DMat4;

/// A joint that moves by less than this, as a fraction of the model's size, or turns by less, in radians, is not
/// taken for the one that carries the motion.
const LEAST: f64 = 1e-4;

/// How far a node's own tracks move it over all clips: the longest way and the largest turn.
pub(super) fn own_moves(scene: &Scene, rest: &Pose, wanted: &RootMotion) -> Vec<(f64, f64)> {
    let mut moves = vec![(0.0_f64, 0.0_f64); scene.nodes.len()];
    for track in scene.clips.iter().flat_map(|clip| &clip.tracks) {
        let node = &scene.nodes[track.node.index()];
        let Some(trs) = node.local.trs() else { continue };
        let above = node.parent.map_or(DMat4::IDENTITY, |parent| rest.globals[parent.index()]);
        let at_rest = rest.globals[track.node.index()];
        let moved = Moved::from_rest(wanted, &at_rest);
        let each = track.interpolation.values_per_key();
        let of_keys = |index: &usize| each == 1 || index % 3 == 1;
        let (far, turned) = &mut moves[track.node.index()];
        match &track.values {
            Values::Translation(v) => {
                for (_, &translation) in v.iter().enumerate().filter(|(index, _)| of_keys(index)) {
                    let local = Trs { translation, ..*trs };
                    *far = far.max(moved.shift(&(above * local.to_matrix())).length());
                }
            }
            Values::Rotation(v) if wanted.turn => {
                for (_, &rotation) in v.iter().enumerate().filter(|(index, _)| of_keys(index)) {
                    let local = Trs { rotation, ..*trs };
                    let turn = moved.turn(&(above * local.to_matrix()));
                    *turned = turned.max(2.0 * turn.y.abs().atan2(turn.w.abs()));
                }
            }
            _ => {}
        }
    }
    moves
}

/// The node that carries the motion: of those that move, the one with most joints below it, and of several the one
/// above the others. `None` if nothing moves.
pub(super) fn carrier(scene: &Scene, rest: &Pose, wanted: &RootMotion, size: f64) -> Option<NodeId> {
    let moves = own_moves(scene, rest, wanted);
    let joints = joints_below(scene);
    let is_joint = scene.are_joints();
    let any_joint = is_joint.contains(&true);
    let fits = |id: &NodeId| {
        let (far, turned) = moves[id.index()];
        let below = joints[id.index()];
        let kind = match wanted.way {
            Way::Extract | Way::Remove => !any_joint || is_joint[id.index()],
            // A node above a joint.
            Way::Bake => below > u32::from(!any_joint || is_joint[id.index()]),
        };
        kind && (far > LEAST * size || turned > LEAST)
    };
    // Parents come first, and the first of several is taken.
    scene.node_ids().filter(fits).max_by(|a, b| {
        let order = joints[a.index()].cmp(&joints[b.index()]);
        order.then(b.cmp(a))
    })
}

/// For each node, the number of joints at it and below; without joints, of nodes.
fn joints_below(scene: &Scene) -> Vec<u32> {
    let is_joint = scene.are_joints();
    let any = is_joint.contains(&true);
    let mut counts: Vec<u32> = is_joint.iter().map(|&joint| u32::from(joint || !any)).collect();
    for id in (0..scene.nodes.len()).rev() {
        if let Some(parent) = scene.nodes[id].parent {
            counts[parent.index()] += counts[id];
        }
    }
    counts
}

/// The joint into which the motion of a node goes: the nearest below it that has the most joints.
pub(super) fn receiver(scene: &Scene, from: NodeId) -> Option<NodeId> {
    let (joints, is_joint) = (joints_below(scene), scene.are_joints());
    let any = is_joint.contains(&true);
    let mut at = from;
    loop {
        at = scene.children(at).max_by(|a, b| joints[a.index()].cmp(&joints[b.index()]).then(b.cmp(a)))?;
        if !any || is_joint[at.index()] {
            return Some(at);
        }
    }
}

/// The node with this name: exactly, otherwise without a namespace.
pub(super) fn named(scene: &Scene, name: &str) -> Result<NodeId, String> {
    Finder::of(scene).find(name).map_err(|missing| match missing {
        Missing::Ambiguous => format!("several joints are called {name:?}"),
        Missing::Unknown => {
            let is_joint = scene.are_joints();
            let joints = scene.node_ids().filter(|id| is_joint[id.index()]);
            let names = joints.map(|id| scene.nodes[id.index()].name.as_str());
            let meant = most_similar(name, names);
            let meant = meant.map_or_else(String::new, |meant| format!("; did you mean {meant:?}?"));
            format!("there is no joint {name:?}{meant}")
        }
    })
}

/// What would be seen to move with the nodes above a joint besides the joint.
pub(super) struct Company<'a> {
    scene: &'a Scene,
    joint: NodeId,
    /// Nodes that draw something, deform a mesh, or have a motion of their own. What moves between a node and the joint
    /// is sampled, so it does not count.
    is_seen: Vec<bool>,
}

impl<'a> Company<'a> {
    pub(super) fn of(scene: &'a Scene, joint: NodeId) -> Self {
        let mut is_seen = scene.are_animated();
        scene.ancestors(joint).for_each(|id| is_seen[id.index()] = false);
        for (index, node) in scene.nodes.iter().enumerate() {
            let draws = node.mesh.is_some() && node.skin.is_none();
            is_seen[index] |= draws || node.camera.is_some() || node.light.is_some();
            let Some((mesh, skin)) = node.mesh.zip(node.skin) else { continue };
            let skin = &scene.skins[skin.index()];
            let boxes = joint_bounds(&scene.meshes[mesh.index()].parts, skin.joints.len());
            for (joint, own) in skin.joints.iter().zip(boxes) {
                is_seen[joint.index()] |= own.is_some();
            }
        }
        Self { scene, joint, is_seen }
    }

    /// The nodes at or below `top` that are seen and not at or below the joint.
    pub(super) fn below(&self, top: NodeId) -> Vec<NodeId> {
        let mut is_below = vec![false; self.scene.nodes.len()];
        for id in self.scene.node_ids() {
            let parent = self.scene.nodes[id.index()].parent;
            let inherits = parent.is_some_and(|parent| is_below[parent.index()]);
            is_below[id.index()] = id != self.joint && (id == top || inherits);
        }
        self.scene.node_ids().filter(|id| is_below[id.index()] && self.is_seen[id.index()]).collect()
    }

    /// Whether nothing above the joint moves.
    pub(super) fn is_still_above(&self) -> bool {
        let animated = self.scene.are_animated();
        !self.scene.ancestors(self.joint).any(|id| animated[id.index()])
    }

    /// The topmost node above the joint that can carry its motion: nothing moves it or what is above it, it is not a
    /// general matrix, and nothing else is seen to move with it.
    pub(super) fn holder(&self) -> Option<NodeId> {
        let mut seen: Vec<usize> = self.is_seen.iter().map(|&is| usize::from(is)).collect();
        for id in (0..seen.len()).rev() {
            if let Some(parent) = self.scene.nodes[id].parent {
                seen[parent.index()] += seen[id];
            }
        }
        let animated = self.scene.are_animated();
        let mut above: Vec<NodeId> = self.scene.ancestors(self.joint).collect();
        above.reverse();
        let is_alone = |id: &NodeId| seen[id.index()] == seen[self.joint.index()];
        let can = |id: &NodeId| self.scene.nodes[id.index()].local.trs().is_some() && is_alone(id);
        above.into_iter().take_while(|id| !animated[id.index()]).find(can)
    }
}
