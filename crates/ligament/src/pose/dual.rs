//! Dual-quaternion skinning, which some files ask for. Scenes are skinned linearly; this tells how far that is off.

use super::deform::{PosedPart, morphed_positions};
use super::hierarchy::Pose;
use super::skin::exact_joint_matrices;
use crate::scene::{Influence, NodeId, Scene, decompose};
use glam::{DMat4, DQuat, DVec3};

/// A mesh placement that a file deforms by dual quaternions.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct DualSkin {
    pub(crate) node: NodeId,
    /// For each part of the mesh and each of its vertices, how much dual quaternions count; linear skinning has the rest.
    pub(crate) shares: Vec<Vec<f32>>,
}

/// A joint's matrix, taken apart.
struct Joint {
    rotation: DQuat,
    /// The dual part: half the translation times the rotation.
    dual: DQuat,
    scale: DVec3,
}

impl Joint {
    fn new(matrix: DMat4) -> Self {
        let (rotation, scale) = decompose(&matrix).map_or((DQuat::IDENTITY, DVec3::ONE), |(trs, _)| {
            (trs.rotation.as_dquat().normalize(), trs.scale.as_dvec3())
        });
        let place = matrix.w_axis.truncate();
        let dual = DQuat::from_xyzw(place.x, place.y, place.z, 0.0) * rotation * 0.5;
        Self { rotation, dual, scale }
    }
}

impl DualSkin {
    /// Replaces the linearly skinned positions of the placement's parts.
    pub(crate) fn deform(&self, scene: &Scene, pose: &Pose, parts: &mut [PosedPart]) {
        let Some(node) = scene.nodes.get(self.node.index()) else { return };
        let mesh = node.mesh.and_then(|mesh| scene.meshes.get(mesh.index()));
        let skin = node.skin.and_then(|skin| scene.skins.get(skin.index()));
        let Some((mesh, skin)) = mesh.zip(skin) else { return };
        let joints: Vec<Joint> = exact_joint_matrices(skin, pose).map(Joint::new).collect();
        let weights = pose.morph_weights.get(self.node.index()).map_or(&[][..], Vec::as_slice);
        for ((part, posed), shares) in mesh.parts.iter().zip(parts).zip(&self.shares) {
            let points = morphed_positions(part, weights);
            let vertices = points.iter().zip(&mut posed.positions).zip(shares).enumerate();
            for (vertex, ((point, posed), &share)) in vertices.filter(|(_, (_, share))| **share > 0.0) {
                if vertex < part.influences.len()
                    && let Some(placed) = place(point.as_dvec3(), part.influences.of(vertex), &joints)
                {
                    *posed = posed.lerp(placed.as_vec3(), share);
                }
            }
        }
    }
}

/// The position of a vertex: rotations and translations are blended as dual quaternions, scales for themselves. `None`
/// for a vertex that no joint moves.
fn place(point: DVec3, pulls: &[Influence], joints: &[Joint]) -> Option<DVec3> {
    let zero = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    let (mut real, mut dual, mut scale, mut total) = (zero, zero, DVec3::ZERO, 0.0);
    for pull in pulls {
        let joint = joints.get(pull.joint as usize)?;
        let weight = f64::from(pull.weight);
        // A quaternion and its opposite are the same rotation; the nearer one is blended.
        let signed = if real.dot(joint.rotation) < 0.0 { -weight } else { weight };
        real += joint.rotation * signed;
        dual += joint.dual * signed;
        scale += joint.scale * weight;
        total += weight;
    }
    let length = real.length();
    if !(length > 1e-12 && total > 0.0) {
        return None;
    }
    let moved = (dual * real.conjugate()).xyz() * (2.0 / (length * length));
    Some((real / length) * (point * (scale / total)) + moved)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(angle: f64) -> DMat4 {
        DMat4::from_rotation_translation(DQuat::from_rotation_x(angle), DVec3::new(0.0, 1.0, 2.0))
    }

    fn pulls(weights: [f32; 2]) -> [Influence; 2] {
        [0, 1].map(|joint| Influence { joint: joint as u32, weight: weights[joint] })
    }

    #[test]
    fn half_way_between_two_turns_is_the_turn_between_and_keeps_lengths() {
        let matrices = [turn(0.0), turn(2.0)];
        let joints = matrices.map(Joint::new);
        let found = place(DVec3::Y, &pulls([0.5, 0.5]), &joints).unwrap();
        let wanted = DVec3::new(0.0, 1.0, 2.0) + DQuat::from_rotation_x(1.0) * DVec3::Y;
        assert!(found.abs_diff_eq(wanted, 1e-6), "{found}");
        // Linear skinning would shrink it.
        let linear = matrices.iter().map(|m| m.transform_point3(DVec3::Y)).sum::<DVec3>() / 2.0;
        assert!(linear.distance(wanted) > 0.4);
    }

    #[test]
    fn one_joint_moves_a_vertex_as_its_matrix_does_scale_included() {
        let scale = DVec3::new(1.0, 2.0, 3.0);
        let matrix = DMat4::from_scale_rotation_translation(scale, DQuat::from_rotation_z(1.0), DVec3::ONE);
        let joints = [Joint::new(matrix), Joint::new(turn(1.0))];
        let point = DVec3::new(0.3, -0.2, 0.9);
        let found = place(point, &pulls([2.0, 0.0]), &joints).unwrap();
        assert!(found.abs_diff_eq(matrix.transform_point3(point), 1e-6), "{found}");
        assert_eq!(place(point, &pulls([0.0, 0.0]), &joints), None);
        assert_eq!(place(point, &pulls([1.0, 0.0]), &[]), None);
    }
}
