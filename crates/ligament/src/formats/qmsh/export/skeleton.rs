//! Bones and their groups.
//!
//! A key is relative to the bone's rest pose. `rest · key` must be the joint's transform `T · R · S` with the rest
//! scale removed again, `S₀⁻¹`; then every key is a translation, rotation and scale, whatever the rest pose is. So a
//! bone is the joint without its own scale at rest, and its matrix contains the scale of its parent:
//! `rest = S₀(parent) · T₀ · R₀` and `key = R₀⁻¹ · (T − T₀), R₀⁻¹ · R, S ÷ S₀`.

use super::{Names, own};
use crate::formats::qmsh::document::{Bone, Group, Modelled, Version};
use crate::formats::qmsh::space::{to_blender, to_rows};
use crate::pose::{self, Pose, Rig, locals_at};
use crate::scene::{Clip, Local, NodeId, Scene};
use crate::text::{RawText, name_in_cp1250};
use glam::{DMat4, DQuat, DVec3, DVec4, Vec3};
use serde_json::Value;

/// The joints as bones, parents first.
pub(super) struct Skeleton {
    pub(super) bones: Vec<Joint>,
    /// For each joint of the skin, its bone; `None` for the static one.
    pub(super) of_skin: Vec<Option<usize>>,
}

/// A joint that becomes a bone.
pub(super) struct Joint {
    pub(super) node: NodeId,
    pub(super) parent: Option<usize>,
    first_child: Option<usize>,
    /// The transform at rest.
    translation: DVec3,
    rotation: DQuat,
    scale: DVec3,
    /// Maps the bone's space to its parent's at rest.
    pub(super) rest: DMat4,
    /// Maps the model's space to the bone's at rest.
    pub(super) inverse: DMat4,
}

/// A bone at one time, relative to its rest pose, in the scene's space.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moved {
    pub(super) translation: DVec3,
    pub(super) rotation: DQuat,
    pub(super) scale: DVec3,
}

impl Joint {
    /// Makes the key for a transform of the joint.
    pub(super) fn key(&self, local: &Local) -> Moved {
        let (trs, _) = local.nearest_trs();
        let back = self.rotation.inverse();
        Moved {
            translation: back * (trs.translation.as_dvec3() - self.translation),
            rotation: (back * trs.rotation.as_dquat().normalize()).normalize(),
            scale: trs.scale.as_dvec3() / self.scale,
        }
    }
}

impl Moved {
    pub(super) fn matrix(&self) -> DMat4 {
        DMat4::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }
}

impl Skeleton {
    pub(super) fn of(scene: &Scene) -> Self {
        let mut skeleton = Self { bones: Vec::new(), of_skin: Vec::new() };
        let Some(skin) = scene.skins.first() else { return skeleton };
        let moving: Vec<NodeId> = skin.joints.iter().copied().filter(|j| !is_zero(scene, *j)).collect();
        let rig = Rig::of(scene, &moving);
        for bone in &rig.bones {
            skeleton.bones.push(skeleton.joint(scene, bone));
        }
        skeleton.of_skin = skin.joints.iter().map(|&joint| rig.bone_of(joint)).collect();
        skeleton
    }

    fn joint(&self, scene: &Scene, bone: &pose::Bone) -> Joint {
        let pose::Bone { node, parent, first_child, .. } = *bone;
        let (trs, _) = scene.nodes[node.index()].local.nearest_trs();
        let (translation, rotation) = (trs.translation.as_dvec3(), trs.rotation.as_dquat().normalize());
        let visible = |s: f32| if s == 0.0 { 1.0 } else { f64::from(s) };
        let scale = DVec3::new(visible(trs.scale.x), visible(trs.scale.y), visible(trs.scale.z));
        let placed = DMat4::from_rotation_translation(rotation, translation);
        let (rest, inverse) = match parent.map(|p| &self.bones[p]) {
            Some(parent) => {
                let rest = DMat4::from_scale(parent.scale) * placed;
                (rest, rest.inverse() * parent.inverse)
            }
            None => (placed, placed.inverse()),
        };
        Joint { node, parent, first_child, translation, rotation, scale, rest, inverse }
    }

    /// All bones at one time of a clip.
    pub(super) fn at(&self, scene: &Scene, clip: &Clip, time: f32) -> Vec<Moved> {
        let locals = locals_at(scene, clip, time);
        self.bones.iter().map(|bone| bone.key(&locals[bone.node.index()])).collect()
    }

    pub(super) fn written(&self, scene: &Scene, version: Version, names: &mut Names) -> Vec<Bone> {
        let globals = Pose::rest(scene).globals;
        let global = |joint: &Joint| &globals[joint.node.index()];
        let mut bones = Vec::with_capacity(self.bones.len());
        for joint in &self.bones {
            let tip = match (scene.nodes[joint.node.index()].tip, joint.first_child) {
                (Some(tip), _) => global(joint).transform_point3(Vec3::from_array(tip).as_dvec3()),
                (None, Some(child)) => global(&self.bones[child]).w_axis.truncate(),
                (None, None) => global(joint).w_axis.truncate(),
            };
            let modelled = version.since(21).then(|| modelled(&joint.inverse.inverse(), tip));
            bones.push(Bone {
                name: names.cut(&scene.node_label(joint.node)),
                parent: joint.parent.map_or(0, |p| p as u16 + 1),
                matrix: to_rows(&joint.rest),
                modelled: modelled.unwrap_or_default(),
            });
        }
        bones
    }

    /// The source's groups, if their bones still exist; else one group of all bones, which the game requires.
    pub(super) fn groups(&self, scene: &Scene, version: Version) -> Vec<Group> {
        if version == Version::Original {
            return Vec::new();
        }
        let kept = scene.skins.first().and_then(|skin| own(&skin.extras, "groups")).and_then(Value::as_array);
        let kept = kept.and_then(|groups| {
            let groups: Vec<Group> = groups.iter().map(|g| self.group(scene, g)).collect::<Option<_>>()?;
            groups.iter().all(|g| usize::from(g.parent) < groups.len()).then_some(groups)
        });
        kept.filter(|groups| !groups.is_empty()).unwrap_or_else(|| {
            let bones = (1..=self.bones.len()).map(|b| b as u8).collect();
            vec![Group { name: "default".into(), parent: 0, bones }]
        })
    }

    fn group(&self, scene: &Scene, group: &Value) -> Option<Group> {
        let number = |name: &Value| {
            let name = name.as_str()?;
            let bone = self.bones.iter().position(|b| scene.nodes[b.node.index()].name == name)?;
            u8::try_from(bone + 1).ok()
        };
        let (name, _) = name_in_cp1250(group.get("name")?.as_str()?);
        let parent = u16::try_from(group.get("parent")?.as_u64()?).ok()?;
        let bones: Vec<u8> = group.get("bones")?.as_array()?.iter().map(number).collect::<Option<_>>()?;
        let fits = name.len() <= 255 && bones.len() <= 255;
        fits.then(|| Group { name: RawText::from(&name[..]), parent, bones })
    }
}

/// The bone in Blender's space, which only affects how it is drawn while modelling.
pub(in super::super) fn modelled(global: &DMat4, tip: DVec3) -> Modelled {
    let columns = [global.x_axis, global.y_axis, global.z_axis, global.w_axis];
    // The bone's own axes change like the model's: the second is the negative third.
    let [x, y, z, w] = columns.map(|c| to_blender(c.truncate()));
    let rows = [x.extend(0.0), (-z).extend(0.0), y.extend(0.0), w.extend(1.0)];
    let ball = |place: DVec3| -> [f32; 4] { place.extend(0.1).to_array().map(|v| v as f32) };
    let mut matrix = [0.0; 16];
    for (out, value) in matrix.iter_mut().zip(rows.iter().flat_map(DVec4::to_array)) {
        *out = value as f32;
    }
    Modelled { matrix, head: ball(w), tail: ball(to_blender(tip)), connected: 0 }
}

/// Whether a joint is the one for vertices on bone 0 that the importer made, still in its original position.
fn is_zero(scene: &Scene, joint: NodeId) -> bool {
    let node = &scene.nodes[joint.index()];
    own(&node.extras, "zero").is_some_and(|zero| zero == true)
        && node.parent.is_none()
        && node.local == Local::default()
        && scene.clips.iter().flat_map(|c| &c.tracks).all(|t| t.node != joint)
}
