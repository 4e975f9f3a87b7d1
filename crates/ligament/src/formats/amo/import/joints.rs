//! Nodes for joints, and the skin.

use super::{Import, RigJoint};
use crate::formats::amo::document::{Clip, Joint, Key, KeyValue, Keys, Model};
use crate::formats::amo::{BindPose, codes};
use crate::formats::bind::skin_at_rest;
use crate::formats::hierarchy::Hierarchy;
use crate::report::Place;
use crate::scene::{Local, Node, NodeId, Trs, Y_UP, affine, decompose};
use glam::{DMat4, Quat, Vec3};

/// Tolerated deviation of a rest matrix from a translation, a rotation and a uniform scale.
const TOLERANCE: f64 = 1e-6;

impl Import<'_> {
    /// Adds the joints' nodes, parents first. Several roots get a common parent, because glTF requires one.
    pub(super) fn joints(&mut self, model: &Model) -> Vec<RigJoint> {
        let tree = hierarchy(&model.joints);
        let roots = tree.parents.iter().filter(|parent| parent.is_none()).count();
        let armature =
            (roots > 1).then(|| self.scene.add_node(Node { name: "armature".to_owned(), ..Node::default() }));
        let moved = moved_joints(model);
        let first_keys = self.first_keys(model);
        let mut joints: Vec<Option<RigJoint>> = model.joints.iter().map(|_| None).collect();
        for index in tree.order {
            let joint = &model.joints[index];
            let parent = tree.parents[index];
            let above = parent.and_then(|p| joints[p].as_ref()).map(|p| p.node).or(armature);
            let name = joint.name.to_text();
            let made = if self.dialect.has_rest() {
                let rest = joint.rest.as_ref().map_or(DMat4::IDENTITY, affine);
                let rest = if parent.is_none() { Y_UP * rest } else { rest };
                self.resting(name, above, &rest, moved[index])
            } else {
                let local = first_keys.as_ref().map_or(Trs::IDENTITY, |keys| keys[index]);
                let node = Node { name, parent: above, local: local.into(), ..Node::default() };
                RigJoint { node: self.scene.add_node(node), rest: Trs::IDENTITY }
            };
            joints[index] = Some(made);
        }
        joints.into_iter().flatten().collect()
    }

    /// Adds a joint with a rest matrix. Keys are relative to it, and move the node itself only if the matrix is a
    /// translation, a rotation and a uniform scale; otherwise the matrix gets its own node above.
    fn resting(&mut self, name: String, parent: Option<NodeId>, rest: &DMat4, moves: bool) -> RigJoint {
        let plain = decompose(rest).filter(|(trs, error)| *error <= TOLERANCE && is_uniform(trs.scale));
        let mut add = |name: String, parent, local| {
            self.scene.add_node(Node { name, parent, local, ..Node::default() })
        };
        match plain {
            Some((trs, _)) => RigJoint { node: add(name, parent, trs.into()), rest: trs },
            None if moves => {
                let above = add(format!("{name}.rest"), parent, local(rest));
                RigJoint { node: add(name, Some(above), Local::default()), rest: Trs::IDENTITY }
            }
            None => RigJoint { node: add(name, parent, local(rest)), rest: Trs::IDENTITY },
        }
    }

    /// The transforms of the joints at the first keys of the first clip, if that is the bind pose.
    fn first_keys(&self, model: &Model) -> Option<Vec<Trs>> {
        if self.bind != BindPose::FirstKey {
            return None;
        }
        let mut first: Vec<([Option<f32>; 2], Trs)> = vec![([None; 2], Trs::IDENTITY); model.joints.len()];
        let keys: &[Key] = match model.clips.first() {
            Some(Clip { keys: Keys::Single(keys), .. }) => keys,
            _ => &[],
        };
        for key in keys {
            let Some((times, trs)) = usize::try_from(key.joint).ok().and_then(|j| first.get_mut(j)) else {
                continue;
            };
            let time = &mut times[usize::from(matches!(key.value, KeyValue::Rotation(_)))];
            if time.is_some_and(|earlier| earlier < key.time) {
                continue;
            }
            *time = Some(key.time);
            match key.value {
                KeyValue::Position(position) => trs.translation = Vec3::from_array(position),
                KeyValue::Rotation(rotation) => trs.rotation = unit(rotation),
            }
        }
        Some(first.into_iter().map(|(_, trs)| trs).collect())
    }

    pub(super) fn skin(&mut self, model: &Model, rig: &[RigJoint], pulls: &[bool], name: String) {
        let joints = rig.iter().map(|joint| joint.node).collect();
        let mut skin = skin_at_rest(&self.scene, name, joints, pulls, |i| {
            let message = format!("the rest matrix of joint {} cannot be inverted", model.joints[i].name);
            self.report.error(&codes::NOT_INVERTIBLE, Place::field(format!("joints[{i}]")), message);
        });
        for inverse in &mut skin.inverse_binds {
            (inverse[3], inverse[7], inverse[11], inverse[15]) = (0.0, 0.0, 0.0, 1.0);
        }
        self.scene.skins.push(skin);
    }
}

/// The tree of the joints.
pub(in super::super) fn hierarchy(joints: &[Joint]) -> Hierarchy {
    Hierarchy::of(joints.iter().map(|joint| usize::try_from(joint.parent).ok()))
}

/// Marks the joints that a key moves.
fn moved_joints(model: &Model) -> Vec<bool> {
    let mut moved = vec![false; model.joints.len()];
    for clip in &model.clips {
        if let Keys::Poses(poses) = &clip.keys {
            for pose in poses.iter().flat_map(|pose| &pose.joints) {
                if let Some(moved) = usize::try_from(pose.joint).ok().and_then(|j| moved.get_mut(j)) {
                    *moved = true;
                }
            }
        }
    }
    moved
}

/// Converts a matrix to a local transform; if its scale exceeds a float, it stays a matrix.
fn local(matrix: &DMat4) -> Local {
    match Local::from_matrix(matrix) {
        Local::Trs(trs) if !trs.scale.is_finite() => Local::Matrix(matrix.to_cols_array().map(|v| v as f32)),
        local => local,
    }
}

fn is_uniform(scale: Vec3) -> bool {
    let most = scale.abs().max_element();
    scale.x > 0.0 && (scale - Vec3::splat(scale.x)).abs().max_element() <= 1e-6 * most
}

/// Normalises a stored quaternion; the reader has refused those of length zero.
pub(super) fn unit(rotation: [f32; 4]) -> Quat {
    let rotation = glam::DQuat::from_array(rotation.map(f64::from));
    let length = rotation.length();
    if length > 0.0 && length.is_finite() { (rotation / length).as_quat() } else { Quat::IDENTITY }
}
