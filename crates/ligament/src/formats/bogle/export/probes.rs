//! Bounds how far any vertex is from where it should be, without posing vertices: the corners of a box move at least as
//! far as anything in it, and a blend of several bones is never farther off than the worst of them.

use super::Export;
use super::skeletons::{Joints, Rig, RigBone, bones_by_node};
use crate::formats::bogle::codes;
use crate::pose::{Bounds, joint_bounds};
use crate::report::Loss;
use crate::scene::{MeshId, NodeId};
use glam::{DMat4, DVec3};

/// The bounding box of a joint's vertices.
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
        let parts = &self.scene.meshes[mesh.index()].parts;
        let whole = Bounds::of(parts.iter().flat_map(|part| &part.positions).copied());
        let boxes = match joints.rigid {
            true => vec![whole],
            false => joint_bounds(parts, joints.nodes.len()),
        };
        let bone_of = bones_by_node(bones);
        let probe = |(joint, own): (usize, &Option<Bounds>)| {
            let bone = *bone_of.get(&joints.nodes[joint])?;
            own.filter(|_| Some(joint) != stands_for_object).map(|own| Probe {
                bone,
                node: joints.nodes[joint],
                inverse_bind: joints.inverse_binds[joint],
                corners: own.corners(),
            })
        };
        let probes = boxes.iter().enumerate().filter_map(probe).collect();
        let size = whole.map_or(0.0, |whole| {
            let [low, .., high] = whole.corners().map(|corner| world.transform_point3(corner));
            low.distance(high)
        });
        (probes, size)
    }

    /// Reports how far the bind pose, which is shown without a clip, is from the rest pose.
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
            let message = "without a clip BOGLE shows the bind pose, and the source's rest pose differs";
            self.report.loss(Loss::approximated(&codes::REST_POSE, object, count, worst, "units", message));
        }
    }
}

/// The largest distance between the images of any corner under two matrices.
pub(super) fn farthest(a: &DMat4, b: &DMat4, corners: &[DVec3; 8]) -> f64 {
    let distance = |&c: &DVec3| a.transform_point3(c).distance(b.transform_point3(c));
    corners.iter().map(distance).fold(0.0, f64::max)
}
