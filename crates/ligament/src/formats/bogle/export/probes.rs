//! How far any vertex is from its place, without posing vertices: the corners of a box move at least as far as anything
//! in it, and a blend of several bones is never farther off than the worst of them.

use super::Export;
use super::skeletons::{Joints, Rig, RigBone};
use crate::formats::bogle::codes;
use crate::report::Loss;
use crate::scene::{MeshId, NodeId};
use glam::{DMat4, DVec3, Vec3};

/// The box around the vertices of a joint.
pub(super) struct Probe {
    pub(super) bone: usize,
    pub(super) node: NodeId,
    pub(super) inverse_bind: DMat4,
    pub(super) corners: [DVec3; 8],
}

impl Export<'_> {
    pub(super) fn probes(
        &self,
        mesh: MeshId,
        joints: &Joints,
        bones: &[RigBone],
        world: &DMat4,
        stands_for_object: Option<usize>,
    ) -> (Vec<Probe>, f64) {
        let mut boxes = vec![(Vec3::INFINITY, Vec3::NEG_INFINITY); joints.nodes.len()];
        let mut whole = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        let add = |b: &mut (Vec3, Vec3), v: Vec3| *b = (b.0.min(v), b.1.max(v));
        for part in &self.scene.meshes[mesh.index()].parts {
            for (i, &position) in part.positions.iter().enumerate() {
                add(&mut whole, position);
                if joints.rigid {
                    add(&mut boxes[0], position);
                } else if i < part.influences.len() {
                    for slot in part.influences.of(i).iter().filter(|s| s.weight != 0.0) {
                        add(&mut boxes[slot.joint as usize], position);
                    }
                }
            }
        }
        let probe = |(joint, b): (usize, &(Vec3, Vec3))| {
            let bone = bones.iter().position(|bone| bone.node == joints.nodes[joint])?;
            let filled = b.0.is_finite() && Some(joint) != stands_for_object;
            filled.then(|| Probe {
                bone,
                node: joints.nodes[joint],
                inverse_bind: joints.inverse_binds[joint],
                corners: corners(*b),
            })
        };
        let probes = boxes.iter().enumerate().filter_map(probe).collect();
        let size = if whole.0.is_finite() {
            let [low, high] = [0, 7].map(|i| world.transform_point3(corners(whole)[i]));
            low.distance(high)
        } else {
            0.0
        };
        (probes, size)
    }

    /// What is seen without a clip is the bind pose.
    pub(super) fn report_rest(&mut self, node: NodeId, rig: &Rig) {
        let (mut worst, mut count) = (0.0_f64, 0);
        for probe in &rig.probes {
            let rest = self.rest[probe.node.index()] * probe.inverse_bind;
            let off = farthest(&rest, &rig.world, &probe.corners);
            worst = worst.max(off);
            count += usize::from(off > 1e-5 * rig.size);
        }
        if count > 0 {
            let object = format!("object {:?}", self.scene.node_label(node));
            let message = "without a clip the file shows the bind pose, and the source rests in another";
            self.report.loss(Loss::approximated(&codes::REST_POSE, object, count, worst, "units", message));
        }
    }
}

/// How far apart two matrices put any corner.
pub(super) fn farthest(a: &DMat4, b: &DMat4, corners: &[DVec3; 8]) -> f64 {
    let distance = |&c: &DVec3| a.transform_point3(c).distance(b.transform_point3(c));
    corners.iter().map(distance).fold(0.0, f64::max)
}

fn corners((min, max): (Vec3, Vec3)) -> [DVec3; 8] {
    let pick = |i: usize, axis: usize| f64::from(if i >> axis & 1 == 0 { min[axis] } else { max[axis] });
    std::array::from_fn(|i| DVec3::new(pick(i, 0), pick(i, 1), pick(i, 2)))
}
