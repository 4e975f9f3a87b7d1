//! The armature and its bones. Joints keep the axes of the bones (Y along the bone); only roots are rotated to Y up.

use super::super::codes;
use super::super::document::{Armature, BoneEnd, Document};
use super::super::space;
use super::extras;
use crate::formats::hierarchy::Hierarchy;
use crate::mesh::envelopes::Envelope;
use crate::pose::Pose;
use crate::report::{Failure, Loss, Place, Report};
use crate::scene::{Node, NodeId, Scene, Skin, SkinId, Trs, Y_UP, decompose};
use crate::text::RawText;
use glam::DMat4;
use serde_json::json;
use std::collections::HashMap;

/// The armature in the scene.
#[derive(Default)]
pub(super) struct Skeleton {
    /// The armature's name in the file; `None` without an armature.
    pub name: Option<RawText>,
    /// The armature's matrix in the file's axes.
    pub matrix: DMat4,
    /// The node of each bone.
    pub nodes: Vec<NodeId>,
    /// The rest transform of each bone to its parent.
    pub rest: Vec<Trs>,
    /// Maps each joint's space to its bone's, at rest: the identity but for shear and rounding.
    pub to_bone: Vec<DMat4>,
    /// Maps each joint's space to the scene's, at rest.
    pub globals: Vec<DMat4>,
    /// Lengths of the bones.
    pub lengths: Vec<f32>,
    /// The index of each bone.
    pub bones: HashMap<RawText, usize>,
    /// The skin, if there are bones.
    pub skin: Option<SkinId>,
    /// Whether vertex groups are used.
    pub use_groups: bool,
    /// The envelope of each bone in the file's world space, if envelopes are used.
    pub envelopes: Vec<Envelope>,
}

impl Skeleton {
    pub(super) fn import(
        document: &Document,
        scene: &mut Scene,
        report: &mut Report,
    ) -> Result<Self, Failure> {
        let Some(armature) = document.armature() else {
            return Ok(Self { matrix: DMat4::IDENTITY, ..Self::default() });
        };
        let mut skeleton = Self {
            name: Some(armature.name.clone()),
            matrix: space::matrix(&armature.placement),
            lengths: armature.bones.iter().map(|b| b.length).collect(),
            bones: armature.bones.iter().enumerate().map(|(i, b)| (b.name.clone(), i)).collect(),
            use_groups: armature.use_groups > 0,
            ..Self::default()
        };
        let root = scene.add_node(Node {
            name: document.text(&armature.name),
            local: space::trs(&armature.placement).into(),
            extras: group_extras(document, armature),
            ..Node::default()
        });
        skeleton.add_bones(document, armature, root, scene, report);
        report.check()?;
        skeleton.add_skin(document, armature, scene, report);
        if armature.use_envelopes > 0 {
            skeleton.envelopes = envelopes(armature, &skeleton.matrix);
        }
        Ok(skeleton)
    }

    fn add_bones(
        &mut self,
        document: &Document,
        armature: &Armature,
        root: NodeId,
        scene: &mut Scene,
        report: &mut Report,
    ) {
        let parents: Vec<Option<usize>> =
            armature.bones.iter().map(|b| self.bones.get(&b.parent).copied()).collect();
        let to_armature: Vec<DMat4> =
            armature.bones.iter().map(|b| space::from_rows(&b.to_armature)).collect();
        self.nodes = vec![root; armature.bones.len()];
        self.rest = vec![Trs::IDENTITY; armature.bones.len()];
        self.to_bone = vec![DMat4::IDENTITY; armature.bones.len()];
        let mut made = vec![DMat4::IDENTITY; armature.bones.len()];
        let mut sheared = 0;
        for index in Hierarchy::of(parents.iter().copied()).order {
            let bone = &armature.bones[index];
            let parent = parents[index];
            let above = match parent {
                Some(parent) => space::invert(&to_armature[parent]),
                None => Some(Y_UP),
            };
            let back = space::invert(&to_armature[index]);
            let parts = above.and_then(|above| decompose(&(above * to_armature[index])));
            let Some(((rest, error), back)) = parts.zip(back).filter(|((rest, _), _)| is_finite(rest)) else {
                let name = RawText::from(document.text(&bone.name));
                let message = format!("the matrix of bone {name} cannot be inverted");
                let place = Place::field(format!("armature.bones[{index}]"));
                report.error(&codes::NOT_INVERTIBLE, place, message);
                continue;
            };
            // Six decimals of a unit matrix are slightly inexact.
            sheared += usize::from(error > 1e-4);
            self.rest[index] = Trs { scale: rest.scale.map(snap), ..rest };
            let local = self.rest[index].to_matrix();
            made[index] = parent.map_or(local, |parent| made[parent] * local);
            self.to_bone[index] = back * Y_UP.transpose() * made[index];
            self.nodes[index] = scene.add_node(Node {
                name: document.text(&bone.name),
                parent: Some(parent.map_or(root, |p| self.nodes[p])),
                local: self.rest[index].into(),
                tip: Some([0.0, bone.length, 0.0]),
                extras: match bone.group.is_empty() {
                    true => Default::default(),
                    false => extras(json!({ "group": document.text(&bone.group) })),
                },
                ..Node::default()
            });
        }
        let message =
            "rest matrices of bones contain shear; the joints do not, and the vertices are where they were";
        report.loss(Loss::kept(&codes::BONE_SHAPE, "", sheared, message));
    }

    fn add_skin(&mut self, document: &Document, armature: &Armature, scene: &mut Scene, report: &mut Report) {
        if self.nodes.is_empty() {
            return;
        }
        let pose = Pose::rest(scene);
        self.globals = self.nodes.iter().map(|n| pose.globals[n.index()]).collect();
        let mut skin =
            Skin { name: document.text(&armature.name), joints: self.nodes.clone(), ..Skin::default() };
        for (i, global) in self.globals.iter().enumerate() {
            let inverse = space::invert(global).map(|m| m.to_cols_array().map(|v| v as f32));
            match inverse.filter(|m| m.iter().all(|v| v.is_finite())) {
                Some(inverse) => skin.inverse_binds.push(inverse),
                None => {
                    let name = RawText::from(document.text(&armature.bones[i].name));
                    let message = format!("the global rest matrix of bone {name} cannot be inverted");
                    let place = Place::field(format!("armature.bones[{i}]"));
                    report.error(&codes::NOT_INVERTIBLE, place, message);
                    return;
                }
            }
        }
        self.skin = Some(SkinId::push(&mut scene.skins, skin));
    }
}

fn group_extras(document: &Document, armature: &Armature) -> crate::scene::Extras {
    if armature.groups.is_empty() {
        return Default::default();
    }
    let pair = |(name, parent): &(RawText, RawText)| json!([document.text(name), document.text(parent)]);
    extras(json!({ "groups": armature.groups.iter().map(pair).collect::<Vec<_>>() }))
}

fn is_finite(trs: &Trs) -> bool {
    trs.translation.is_finite() && trs.rotation.is_finite() && trs.scale.is_finite()
}

/// Replaces a scale by 1 if it differs only by the rounding to six decimals.
fn snap(scale: f32) -> f32 {
    if (scale - 1.0).abs() <= 2e-6 { 1.0 } else { scale }
}

/// The envelopes of all bones, in the file's world space.
fn envelopes(armature: &Armature, matrix: &DMat4) -> Vec<Envelope> {
    let end = |end: &BoneEnd| (end.in_armature.as_dvec3(), f64::from(end.radius));
    let bones = armature.bones.iter().enumerate();
    bones.map(|(i, b)| Envelope::of_bone(i as u32, matrix, end(&b.head), end(&b.tail))).collect()
}
