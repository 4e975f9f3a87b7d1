//! Skins whose bind pose is the rest pose of their joints.

use crate::pose::Pose;
use crate::scene::{Influence, NodeId, Scene, Skin};
use glam::{DMat4, Mat4};

/// The inverse of a joint's matrix, if there is one in f32.
pub(super) fn inverse_bind(global: &DMat4) -> Option<[f32; 16]> {
    let inverse = global.inverse().to_cols_array().map(|v| v as f32);
    inverse.iter().all(|v| v.is_finite()).then_some(inverse)
}

/// Whether each joint influences any vertex.
pub(super) fn pulling_joints<'i>(pairs: impl IntoIterator<Item = &'i Influence>, joints: usize) -> Vec<bool> {
    let mut pulls = vec![false; joints];
    for pair in pairs.into_iter().filter(|pair| pair.weight != 0.0) {
        if let Some(pulls) = pulls.get_mut(pair.joint as usize) {
            *pulls = true;
        }
    }
    pulls
}

/// Makes the skin of joints that are bound where they rest, and calls `broken` with each joint that has no inverse
/// although it influences vertices. For other joints the inverse does not matter.
pub(super) fn skin_at_rest(
    scene: &Scene,
    name: String,
    joints: Vec<NodeId>,
    pulls: &[bool],
    mut broken: impl FnMut(usize),
) -> Skin {
    let pose = Pose::rest(scene);
    let inverse_bind = |(i, joint): (usize, &NodeId)| {
        let inverse = inverse_bind(&pose.globals[joint.index()]);
        if inverse.is_none() && pulls.get(i) == Some(&true) {
            broken(i);
        }
        inverse.unwrap_or(Mat4::IDENTITY.to_cols_array())
    };
    let inverse_binds = joints.iter().enumerate().map(inverse_bind).collect();
    Skin { name, joints, inverse_binds, ..Skin::default() }
}
