//! Checks whether a scene already has the shape that flattening would give it.

use super::Objects;
use super::plan::Plan;
use super::skeleton::{Skeleton, SkinMove};
use crate::pose::Pose;
use crate::report::Report;
use crate::scene::{Local, Scene, Skin, is_similarity};
use glam::DMat4;

/// How far the rest pose may be from the bind pose and still count as equal, as a fraction of lengths.
const SAME_POSE: f64 = 3e-6;

pub(super) fn is_flat(scene: &Scene, objects: Objects) -> bool {
    let mut is_joint = vec![false; scene.nodes.len()];
    let mut joints = scene.skins.iter().flat_map(|s| &s.joints);
    let each_once = joints.all(|joint| !std::mem::replace(&mut is_joint[joint.index()], true));
    each_once
        && scene.skins.len() <= 1
        && match objects {
            Objects::Placed => is_placed(scene, &is_joint),
            Objects::Apart => is_in_model_space(scene, &is_joint),
            Objects::Joined => scene.meshes.len() <= 1 && is_in_model_space(scene, &is_joint),
        }
}

/// Whether every object has a mesh of its own and needs no node to place it.
fn is_in_model_space(scene: &Scene, is_joint: &[bool]) -> bool {
    let is_animated = scene.are_animated();
    let mut is_drawn = vec![false; scene.meshes.len()];
    let nodes_fit = scene.nodes.iter().enumerate().all(|(n, node)| {
        let is_root = node.parent.is_none();
        let is_other = node.camera.is_some() || node.light.is_some();
        match (is_joint[n], node.mesh) {
            (true, mesh) => {
                mesh.is_none()
                    && node.parent.is_none_or(|p| is_joint[p.index()])
                    && node.local.trs().is_some()
            }
            (false, None) => is_root && is_other && !is_animated[n],
            (false, Some(mesh)) => {
                let stays = is_root && node.local == Local::default() && !is_animated[n];
                let again = std::mem::replace(&mut is_drawn[mesh.index()], true);
                // Influences have no effect on a node without a skin, but would have one in the target.
                let unskinned = || scene.meshes[mesh.index()].parts.iter().all(|p| p.influences.is_empty());
                stays && !again && (node.skin.is_some() || unskinned())
            }
        }
    });
    nodes_fit && is_drawn.iter().all(|drawn| *drawn) && {
        let plan = Plan::new(scene);
        let skeleton = Skeleton::new(scene, &plan, &mut Report::default());
        skeleton.moves.iter().all(SkinMove::is_identity)
            && !skeleton.rests_elsewhere()
            && skeleton.copies == 0
    }
}

/// Whether only joints move, and these rest as they are bound.
fn is_placed(scene: &Scene, is_joint: &[bool]) -> bool {
    let only_joints_move = scene.are_animated().iter().zip(is_joint).all(|(moves, joint)| !moves || *joint);
    let rest = Pose::rest(scene).globals;
    only_joints_move && scene.skins.iter().all(|skin| rests_as_bound(scene, skin, is_joint, &rest))
}

fn rests_as_bound(scene: &Scene, skin: &Skin, is_joint: &[bool], rest: &[DMat4]) -> bool {
    let above = |node: usize| scene.nodes[node].parent.map(|p| p.index());
    skin.binds().all(|(joint, inverse_bind)| {
        let global = rest[joint.index()];
        let error = global * inverse_bind - DMat4::IDENTITY;
        let size = global.w_axis.truncate().length().max(1.0);
        let bound = error.to_cols_array().iter().all(|e| e.abs() <= SAME_POSE * size);
        // The nodes above all joints must not stretch them.
        let stands = above(joint.index()).is_none_or(|parent| {
            let is_free = || std::iter::successors(Some(parent), |&n| above(n)).all(|n| !is_joint[n]);
            is_joint[parent] || is_similarity(&rest[parent]) && is_free()
        });
        bound && stands && matches!(scene.nodes[joint.index()].local, Local::Trs(_))
    })
}
