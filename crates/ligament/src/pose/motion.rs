//! The matrices that move a mesh placement, to check whether two move the same way.

use super::hierarchy::Pose;
use super::skin::exact_joint_matrices;
use crate::scene::{NodeId, Scene};
use glam::{DMat4, Mat4};

/// Everything that [`deform`](super::deform()) takes from a pose: equal motions move equal vertices to equal positions.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Motion {
    /// The joints' matrices, if there is a skin.
    joints: Option<Vec<Mat4>>,
    /// The node's matrix, if there is no skin.
    node: Option<DMat4>,
    morph_weights: Vec<f32>,
}

impl Motion {
    /// Takes what moves the mesh on a node; buffers are reused.
    pub(crate) fn fill(&mut self, scene: &Scene, pose: &Pose, node: NodeId) {
        let skin = scene.nodes.get(node.index()).and_then(|n| scene.skins.get(n.skin?.index()));
        match skin {
            Some(skin) => {
                let joints = self.joints.get_or_insert_default();
                joints.clear();
                joints.extend(exact_joint_matrices(skin, pose).map(|m| m.as_mat4()));
                self.node = None;
            }
            None => {
                self.joints = None;
                self.node = pose.globals.get(node.index()).copied();
            }
        }
        self.morph_weights.clear();
        self.morph_weights.extend(pose.morph_weights.get(node.index()).into_iter().flatten());
    }

    /// The matrices of the joints, if a skin moves the mesh.
    pub(crate) fn joints(&self) -> Option<&[Mat4]> {
        self.joints.as_deref()
    }
}
