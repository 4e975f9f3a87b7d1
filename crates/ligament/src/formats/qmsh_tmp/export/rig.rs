//! The joints of the skin as an armature at rest.
//!
//! A bone's frame is its joint's, without the joint's rest scale: the rows of a bone's matrix are unit vectors if the
//! joint's scale is uniform. Its Y axis is the joint's; the tail is placed on it, at the joint's tip if that is on it,
//! otherwise as far away as the next joint.

use super::super::codes;
use super::super::document::{Armature, Bone, BoneEnd, Placement};
use super::super::space;
use super::names::{Kind, Names};
use crate::motion::Reach;
use crate::pose;
use crate::report::{Loss, Report};
use crate::scene::{NodeId, Scene, Trs, Y_UP, is_similarity};
use crate::text::RawText;
use glam::{DMat3, DMat4, DVec3};

/// The bones to be written.
#[derive(Default)]
pub(super) struct Rig {
    /// The armature's name; `None` without joints.
    pub name: Option<RawText>,
    /// The static node above all joints, which becomes the armature.
    pub armature_node: Option<usize>,
    pub bones: Vec<RigBone>,
    skeleton: pose::Rig,
}

pub(super) struct RigBone {
    pub node: NodeId,
    pub name: RawText,
    pub parent: Option<usize>,
    /// The joint's transform to its parent at rest.
    pub rest: Trs,
    /// The scale that the joint has in the scene but the bone does not.
    pub scale: f64,
    /// Maps to the armature's space, in the file's axes, for column vectors.
    matrix: DMat4,
    length: f64,
}

impl Rig {
    pub(super) fn of(scene: &Scene, names: &mut Names, report: &mut Report) -> Self {
        let mut rig = Self { skeleton: pose::Rig::of_skin(scene), ..Self::default() };
        let Some(skin) = scene.skins.first().filter(|s| !s.joints.is_empty()) else { return rig };
        let roots = rig.skeleton.bones.iter().filter(|bone| bone.parent.is_none());
        let mut roots = roots.map(|bone| scene.nodes[bone.node.index()].parent);
        let first = roots.next().flatten();
        rig.armature_node = first.filter(|_| roots.all(|p| p == first)).map(NodeId::index);
        // Without a node for the armature, its name does not matter.
        let node = rig.armature_node.map(|n| &scene.nodes[n].name);
        let draws = |name: &String| scene.nodes.iter().any(|n| n.mesh.is_some() && n.name == *name);
        let name = node.or(Some(&skin.name).filter(|name| !draws(name))).filter(|name| !name.is_empty());
        rig.name = Some(names.unique(Kind::Object, name.map_or("Armature", |n| n), "Armature"));
        let mut flat = Vec::new();
        for (i, bone) in rig.skeleton.bones.iter().enumerate() {
            let node = &scene.nodes[bone.node.index()];
            let (mut rest, _) = node.local.nearest_trs();
            let global = bone.rest;
            let even = is_similarity(&global);
            let scale = if even { global.determinant().abs().cbrt() } else { 1.0 };
            let mut matrix = Y_UP.transpose() * global * DMat4::from_scale(DVec3::splat(1.0 / scale));
            if space::invert(&matrix).is_none() {
                flat.push(bone.node);
                matrix = DMat4::from_translation(matrix.w_axis.truncate());
                rest.scale = glam::Vec3::ONE;
            }
            let name = names.unique(Kind::Bone, &node.name, &format!("bone{i}"));
            let (node, parent) = (bone.node, bone.parent);
            rig.bones.push(RigBone { node, name, parent, rest, scale, matrix, length: 0.0 });
        }
        if !flat.is_empty() {
            let reach = Reach::of(scene);
            let farthest = flat.iter().map(|&node| reach.rotation(node)).fold(0.0, f64::max);
            let message = "joints with a rest scale of zero cannot be bones; they were written without scale and rotation";
            let (count, unit) = (flat.len(), "of the model's size");
            report.loss(Loss::approximated(&codes::BONE_SHAPE, "", count, farthest, unit, message));
        }
        rig.measure(scene);
        rig
    }

    /// The index of a node's bone.
    pub(super) fn bone_of(&self, node: usize) -> Option<usize> {
        self.skeleton.bone_of(NodeId::new(node))
    }

    /// Sets the lengths: to the tip that a joint has on its Y axis, to the first child, or half as long as the parent.
    fn measure(&mut self, scene: &Scene) {
        let origin = |bone: &RigBone| bone.matrix.w_axis.truncate();
        let mut lengths: Vec<Option<f64>> = vec![None; self.bones.len()];
        for (i, bone) in self.bones.iter().enumerate() {
            let tip = scene.nodes[bone.node.index()].tip.map(|t| DVec3::from(t.map(f64::from)));
            let along = tip.filter(|t| t.y > 1e-6 && t.x.abs().max(t.z.abs()) < 1e-3 * t.y);
            lengths[i] = along.map(|tip| tip.y * bone.scale);
        }
        for child in &self.bones {
            let Some(parent) = child.parent else { continue };
            let distance = origin(child).distance(origin(&self.bones[parent]));
            if lengths[parent].is_none() && distance > 1e-6 {
                lengths[parent] = Some(distance);
            }
        }
        let of_parent = |i: usize| self.bones[i].parent.and_then(|p| lengths[p]).map(|l| l * 0.5);
        let found: Vec<f64> =
            (0..self.bones.len()).map(|i| lengths[i].or_else(|| of_parent(i)).unwrap_or(1.0)).collect();
        self.bones.iter_mut().zip(found).for_each(|(bone, length)| bone.length = length);
    }

    /// The armature object. Its vertices are in world space, so it is at the origin.
    pub(super) fn armature(&self) -> Option<Armature> {
        Some(Armature {
            name: self.name.clone()?,
            placement: Placement::IDENTITY,
            use_groups: 1,
            use_envelopes: 0,
            groups: Vec::new(),
            bones: self.bones.iter().map(|bone| self.bone(bone)).collect(),
        })
    }

    fn bone(&self, bone: &RigBone) -> Bone {
        let parent = bone.parent.map(|p| &self.bones[p]);
        let to_parent = match parent.and_then(|p| space::invert(&p.matrix)) {
            Some(above) => above * bone.matrix,
            None => bone.matrix,
        };
        let end = |matrix: &DMat4, along: f64| matrix.transform_point3(DVec3::Y * along);
        // Ends relative to the parent count from the parent's tail.
        let from = DVec3::Y * parent.map_or(0.0, |p| p.length);
        let at = |along: f64| BoneEnd {
            in_parent: (end(&to_parent, along) - from).as_vec3(),
            in_armature: end(&bone.matrix, along).as_vec3(),
            radius: (bone.length * 0.1) as f32,
        };
        let rows = |m: &DMat4| [m.x_axis, m.y_axis, m.z_axis, m.w_axis].map(|row| row.as_vec4());
        let [x, y, z, _] = rows(&to_parent).map(|row| row.truncate().to_array());
        Bone {
            name: bone.name.clone(),
            parent: parent.map(|p| p.name.clone()).unwrap_or_default(),
            group: RawText::default(),
            head: at(0.0),
            tail: at(bone.length),
            rolls: [roll(&to_parent), roll(&bone.matrix)],
            length: bone.length as f32,
            weight: 1.0,
            connected: 0,
            to_parent: [x, y, z],
            to_armature: rows(&bone.matrix).map(|row| row.to_array()),
        }
    }
}

/// The roll of a bone in degrees: the rotation about its own axis, relative to the shortest rotation of the Y axis
/// onto the bone.
fn roll(matrix: &DMat4) -> f64 {
    let axes = DMat3::from_mat4(*matrix);
    let Some(DVec3 { x, y, z }) = axes.y_axis.try_normalize() else { return 0.0 };
    let unrolled = if 1.0 + y > 1e-9 {
        let theta = 1.0 + y;
        let mixed = -x * z / theta;
        DMat3::from_cols(
            DVec3::new(1.0 - x * x / theta, -x, mixed),
            DVec3::new(x, y, z),
            DVec3::new(mixed, -z, 1.0 - z * z / theta),
        )
    } else {
        DMat3::from_diagonal(DVec3::new(-1.0, -1.0, 1.0))
    };
    let turned = unrolled.transpose() * axes;
    let degrees = turned.z_axis.x.atan2(turned.z_axis.z).to_degrees();
    // Six decimals, as the exporter writes it: more would be rounding errors of the matrix.
    (degrees * 1e6).round() / 1e6 + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec4;

    #[test]
    fn rolls_are_those_of_blender() {
        // From files with Blender's bone data.
        let cases = [
            (
                [
                    [0.957921, 0.248479, -0.143688],
                    [0.148340, 0.0, 0.988936],
                    [0.245730, -0.968637, -0.036860],
                ],
                22.918312,
            ),
            (
                [
                    [0.957921, -0.143688, -0.248479],
                    [0.148340, 0.988936, 0.0],
                    [0.245730, -0.036860, 0.968637],
                ],
                14.387544,
            ),
            ([[0.0, -0.980067, -0.198669], [1.0, 0.0, 0.0], [0.0, -0.198669, 0.980067]], 11.459154),
            ([[0.0, -0.198669, 0.980067], [1.0, 0.0, 0.0], [0.0, 0.980067, 0.198669]], -78.540837),
        ];
        for (rows, degrees) in cases {
            let [x, y, z] = rows.map(|r| DVec3::from_array(r).extend(0.0));
            let found = roll(&DMat4::from_cols(x, y, z, DVec4::W));
            assert!((found - degrees).abs() < 1e-3, "{found}, Blender has {degrees}");
        }
    }
}
