//! Joints, and how far any vertex is from where it should be.
//!
//! All dialects are written in the same way. A joint's matrix in the file is `parent · rest · T · R`, with the key's
//! `T` and `R`. In the counted dialect `rest` is the bind pose; in the others it is the identity, so the joint's matrix
//! is the one that moves its vertices.

use super::names::Names;
use crate::formats::amo::codes;
use crate::formats::amo::document::{Dialect, Joint};
use crate::pose::{self, Bone, Pose, bounds, joint_bounds};
use crate::report::{Loss, Remedy, Report};
use crate::scene::{Clip, NodeId, Scene, Y_UP, decompose};
use glam::{DMat4, DQuat, DVec3, Quat, Vec3};

/// The scene's skeleton as stored in the file.
pub(super) struct Rig {
    dialect: Dialect,
    pub(super) joints: Vec<RigJoint>,
    /// For each joint of the skin, its number in the file.
    numbers: Vec<u32>,
    /// Maps the scene's axes to the file's.
    axes: DMat4,
    /// The model's size: the diagonal of its bounding box at rest.
    pub(super) size: f64,
}

pub(super) struct RigJoint {
    node: NodeId,
    pub(super) parent: Option<usize>,
    inverse_bind: DMat4,
    /// The rest matrix as written, and its product with its ancestors'.
    rest: DMat4,
    bind: DMat4,
    /// The corners of the bounding box of the joint's vertices, in the file's axes; `None` if it has none.
    corners: Option<[DVec3; 8]>,
}

/// A joint's key.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct JointKey {
    pub(super) position: Vec3,
    pub(super) rotation: Quat,
}

impl JointKey {
    pub(super) const REST: Self = Self { position: Vec3::ZERO, rotation: Quat::IDENTITY };

    fn matrix(&self) -> DMat4 {
        let rotation = self.rotation.as_dquat().normalize();
        DMat4::from_rotation_translation(rotation, self.position.as_dvec3())
    }

    /// Interpolates two keys as the file is read: linearly, and along the arc.
    pub(super) fn between(a: &Self, b: &Self, t: f64) -> Self {
        let position = a.position.as_dvec3().lerp(b.position.as_dvec3(), t).as_vec3();
        let (from, mut to) = (a.rotation.as_dquat().normalize(), b.rotation.as_dquat().normalize());
        if from.dot(to) < 0.0 {
            to = -to;
        }
        Self { position, rotation: from.slerp(to, t).normalize().as_quat() }
    }
}

impl Rig {
    pub(super) fn new(scene: &Scene, dialect: Dialect) -> Self {
        let axes = if dialect.has_rest() { Y_UP.inverse() } else { DMat4::IDENTITY };
        let size = bounds(scene, &Pose::rest(scene)).map_or(0.0, |b| b.diagonal());
        let mut rig = Self { dialect, joints: Vec::new(), numbers: Vec::new(), axes, size };
        let Some(skin) = scene.skins.first() else { return rig };
        let skeleton = pose::Rig::of_skin(scene);
        let boxes = joint_bounds(scene.meshes.iter().flat_map(|mesh| &mesh.parts), skin.joints.len());
        for &Bone { node, joint, parent, rest: at_rest, .. } in &skeleton.bones {
            let inverse_bind = DMat4::from_cols_array(&skin.inverse_binds[joint].map(f64::from));
            let inverse = inverse_bind.inverse();
            let bound = if inverse.is_finite() { inverse } else { at_rest };
            let above = parent.map_or(DMat4::IDENTITY, |p| rig.joints[p].bind);
            let rest = rig.rest(&above, &bound);
            let corners = boxes[joint].map(|own| own.corners().map(|c| axes.transform_point3(c)));
            rig.joints.push(RigJoint { node, parent, inverse_bind, rest, bind: above * rest, corners });
        }
        rig.numbers = skeleton.of_joint;
        rig
    }

    /// A joint's rest matrix, rounded as it is written, so that everything based on it compensates for the rounding.
    fn rest(&self, above: &DMat4, bound: &DMat4) -> DMat4 {
        if !self.dialect.has_rest() {
            return DMat4::IDENTITY;
        }
        let mut rest = (above.inverse() * self.axes * *bound).to_cols_array().map(|v| f64::from(v as f32));
        (rest[3], rest[7], rest[11], rest[15]) = (0.0, 0.0, 0.0, 1.0);
        let rest = DMat4::from_cols_array(&rest);
        if rest.is_finite() { rest } else { DMat4::IDENTITY }
    }

    /// The file's number for a joint of the skin.
    pub(super) fn number(&self, joint: usize) -> i32 {
        self.numbers.get(joint).map_or(-1, |&number| number as i32)
    }

    /// Converts a vector to the file's axes.
    pub(super) fn to_file(&self, v: Vec3) -> [f32; 3] {
        if self.dialect.has_rest() { [v.x, -v.z, v.y] } else { v.to_array() }
    }

    pub(super) fn is_counted(&self) -> bool {
        self.dialect == Dialect::Counted
    }

    pub(super) fn joints(&self, scene: &Scene, names: &mut Names, report: &mut Report) -> Vec<Joint> {
        let mut joints = Vec::with_capacity(self.joints.len());
        for (i, joint) in self.joints.iter().enumerate() {
            joints.push(Joint {
                name: names.word(&scene.nodes[joint.node.index()].name, "joint", i, report),
                parent: joint.parent.map_or(-1, |parent| parent as i32),
                rest: self.is_counted().then(|| joint.rest.to_cols_array().map(|v| v as f32)),
            });
        }
        joints
    }

    /// Reports the rest positions of joints, which dialects without rest matrices lose.
    pub(super) fn report_rest(&self, report: &mut Report) {
        let placed = |joint: &&RigJoint| !joint.inverse_bind.abs_diff_eq(DMat4::IDENTITY, 1e-6);
        let count = self.joints.iter().filter(placed).count();
        if !self.is_counted() && count > 0 {
            let message = "this dialect does not store the rest positions of joints";
            let loss = Loss::dropped(&codes::REST_PLACES, "", count, message);
            report.loss(loss.remedy(Remedy::new("dialect", "counted", "does")));
        }
    }

    /// The wanted matrix of each joint at a time, in the file's axes: the skinning matrix times the bind matrix.
    pub(super) fn wanted(&self, scene: &Scene, clip: &Clip, time: f32) -> Vec<DMat4> {
        let pose = Pose::at(scene, clip, time);
        let back = self.axes.inverse();
        let wanted = |joint: &RigJoint| {
            self.axes * pose.globals[joint.node.index()] * joint.inverse_bind * back * joint.bind
        };
        self.joints.iter().map(wanted).collect()
    }

    /// The keys that best approximate the wanted matrices, and the matrices that they produce.
    pub(super) fn keys(&self, wanted: &[DMat4]) -> (Vec<JointKey>, Vec<DMat4>) {
        let mut made: Vec<DMat4> = Vec::with_capacity(wanted.len());
        let mut keys = Vec::with_capacity(wanted.len());
        for (joint, wanted) in self.joints.iter().zip(wanted) {
            let above = joint.parent.map_or(DMat4::IDENTITY, |parent| made[parent]) * joint.rest;
            let change = above.inverse() * *wanted;
            let key = self.nearest_key(joint, &change);
            made.push(above * key.matrix());
            keys.push(key);
        }
        (keys, made)
    }

    /// The rotation and translation nearest to a matrix, exact at the centre of the vertices that the joint influences.
    fn nearest_key(&self, joint: &RigJoint, change: &DMat4) -> JointKey {
        let Some((trs, error)) = decompose(change) else { return JointKey::REST };
        let rotation = trs.rotation;
        if !rotation.is_finite() {
            return JointKey::REST;
        }
        let rigid = error <= 1e-7 && trs.scale.abs_diff_eq(Vec3::ONE, 1e-6);
        let middle = joint.corners.map(|corners| (corners[0] + corners[7]) / 2.0).filter(|_| !rigid);
        let middle = middle.map(|m| joint.bind.inverse().transform_point3(m)).filter(|m| m.is_finite());
        let middle = middle.unwrap_or(DVec3::ZERO);
        let turn: DQuat = rotation.as_dquat().normalize();
        let position = (change.transform_point3(middle) - turn * middle).as_vec3();
        JointKey { position: if position.is_finite() { position } else { Vec3::ZERO }, rotation }
    }

    /// The matrices that keys produce.
    pub(super) fn made(&self, keys: &[JointKey]) -> Vec<DMat4> {
        let mut made: Vec<DMat4> = Vec::with_capacity(keys.len());
        for (joint, key) in self.joints.iter().zip(keys) {
            let above = joint.parent.map_or(DMat4::IDENTITY, |parent| made[parent]);
            made.push(above * joint.rest * key.matrix());
        }
        made
    }

    /// How far apart two sets of matrices put any vertex: no vertex in a box is farther off than one of its corners,
    /// and a blend of joints is never farther off than the worst of them.
    pub(super) fn apart(&self, a: &[DMat4], b: &[DMat4]) -> f64 {
        let mut worst = 0.0_f64;
        for ((joint, a), b) in self.joints.iter().zip(a).zip(b) {
            let Some(corners) = &joint.corners else { continue };
            let difference = (*a - *b) * joint.bind.inverse();
            for corner in corners {
                worst = worst.max((difference * corner.extend(1.0)).truncate().length());
            }
        }
        worst
    }
}
