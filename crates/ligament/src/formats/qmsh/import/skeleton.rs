//! Bones: their nodes, and the skin.

use super::{Import, own_extras};
use crate::formats::bind::{pulling_joints, skin_at_rest};
use crate::formats::qmsh::codes;
use crate::formats::qmsh::document::{Bone, Document, Group, text};
use crate::formats::qmsh::space::from_rows;
use crate::pose::Pose;
use crate::report::Loss;
use crate::scene::{Extras, Local, Node, NodeId, SkinId, Trs, decompose, y_up};
use serde_json::json;

/// Scales that differ by less than this are uniform.
const UNIFORM: f32 = 1e-6;

/// The nodes of the bones.
#[derive(Default)]
pub(super) struct Rig {
    /// The node of each bone.
    pub(super) joints: Vec<NodeId>,
    /// For each bone, the rest transform to multiply keys with; `None` if a node above has it.
    pub(super) rests: Vec<Option<Trs>>,
    pub(super) skin: Option<SkinId>,
}

impl Import<'_> {
    pub(super) fn skeleton(&mut self, document: &Document, needs_zero: bool) -> Rig {
        let mut rig = Rig::default();
        if document.bones.is_empty() {
            return rig;
        }
        let roots = document.bones.iter().filter(|b| b.parent == 0).count();
        let armature = (roots > 1 || needs_zero).then(|| {
            let extras = if needs_zero { own_extras(json!({ "zero": true })) } else { Extras::new() };
            self.scene.add_node(Node { name: "armature".into(), extras, ..Node::default() })
        });
        for bone in &document.bones {
            let parent = match usize::from(bone.parent).checked_sub(1) {
                Some(parent) => rig.joints.get(parent).copied(),
                None => armature,
            };
            let (joint, rest) = self.bone(bone, parent, document.animations.is_empty());
            rig.joints.push(joint);
            rig.rests.push(rest);
        }
        self.tips(document, &rig);
        rig.skin = Some(self.skin(document, &rig, armature.filter(|_| needs_zero)));
        rig
    }

    fn bone(&mut self, bone: &Bone, parent: Option<NodeId>, still: bool) -> (NodeId, Option<Trs>) {
        let name = text(&bone.name);
        let rest = from_rows(&bone.matrix);
        let trs =
            decompose(&rest).filter(|(trs, error)| *error <= 1e-6 && is_uniform(trs)).map(|(trs, _)| trs);
        let mut add = |name: String, parent, local| {
            self.scene.add_node(Node { name, parent, local, ..Node::default() })
        };
        match trs {
            Some(trs) => (add(name, parent, Local::Trs(trs)), Some(trs)),
            None if still => (add(name, parent, Local::from_matrix(&rest)), None),
            None => {
                let above = add(format!("{name}.rest"), parent, Local::from_matrix(&rest));
                (add(name, Some(above), Local::default()), None)
            }
        }
    }

    /// Sets the ends of bones, if the file has them.
    fn tips(&mut self, document: &Document, rig: &Rig) {
        if !document.version.since(21) {
            return;
        }
        let pose = Pose::rest(&self.scene);
        for (bone, joint) in document.bones.iter().zip(&rig.joints) {
            let [x, y, z, _] = bone.modelled.tail;
            let tail = y_up([x, y, z]).as_dvec3();
            let tip = pose.globals[joint.index()].inverse().transform_point3(tail).as_vec3();
            let known = bone.modelled.tail != bone.modelled.head && tip.is_finite();
            self.scene.nodes[joint.index()].tip = known.then_some(tip.to_array());
        }
    }

    /// Makes the skin. `zero` is the joint of bone 0.
    fn skin(&mut self, document: &Document, rig: &Rig, zero: Option<NodeId>) -> SkinId {
        let pairs = self.scene.meshes.iter().flat_map(|m| &m.parts).flat_map(|p| p.influences.pairs());
        let pulls = pulling_joints(pairs, document.bones.len());
        let joints = rig.joints.iter().copied().chain(zero).collect();
        let mut broken = Vec::new();
        let name = document.name.clone();
        let mut skin = skin_at_rest(&self.scene, name, joints, &pulls, |i| broken.push(i));
        for i in broken {
            let message = format!("the rest pose of bone {} cannot be inverted", document.bones[i].name);
            self.error(&codes::NOT_INVERTIBLE, format!("bones[{i}]"), message);
        }
        if !document.groups.is_empty() {
            let group = |g: &Group| {
                let named = |&bone: &u8| document.bones.get(usize::from(bone).checked_sub(1)?);
                let bones: Vec<_> = g.bones.iter().filter_map(named).map(|b| text(&b.name)).collect();
                json!({ "name": text(&g.name), "parent": g.parent, "bones": bones })
            };
            let groups: Vec<_> = document.groups.iter().map(group).collect();
            let message = "groups of bones were kept in the extras of the skin";
            self.report.loss(Loss::kept(&codes::GROUPS, "", groups.len(), message));
            skin.extras = own_extras(json!({ "groups": groups }));
        }
        SkinId::push(&mut self.scene.skins, skin)
    }
}

fn is_uniform(trs: &Trs) -> bool {
    let largest = trs.scale.abs().max_element();
    (trs.scale.max_element() - trs.scale.min_element()) <= UNIFORM * largest
}
