//! Skins, and the influences of the meshes that they deform.

use super::{Rules, codes};
use crate::report::Severity;
use crate::scene::{Scene, Skin};
use std::collections::HashSet;

pub(super) fn check(scene: &Scene, rules: &mut Rules) {
    for (i, skin) in scene.skins.iter().enumerate() {
        joints(scene, i, skin, rules);
        let (binds, joints) = (skin.inverse_binds.len(), skin.joints.len());
        if binds != joints {
            let message = format!("{binds} matrices for {joints} joints");
            rules.error(&codes::LENGTH, format!("skins[{i}].inverse_binds"), message);
        }
        for (j, matrix) in skin.inverse_binds.iter().enumerate() {
            rules.affine(matrix, || format!("skins[{i}].inverse_binds[{j}]"));
        }
    }
    // A mesh on several nodes is checked once per skin that it is used with.
    let mut seen = HashSet::new();
    for node in &scene.nodes {
        if let (Some(mesh), Some(skin)) = (node.mesh, node.skin)
            && seen.insert((mesh, skin))
        {
            influences(scene, mesh.index(), skin.index(), rules);
        }
    }
}

fn joints(scene: &Scene, i: usize, skin: &Skin, rules: &mut Rules) {
    let nodes = scene.nodes.len();
    rules.array(
        (Severity::Error, &codes::INDEX),
        &format!("skins[{i}].joints"),
        &skin.joints,
        |joint| joint.index() >= nodes,
        |joint| format!("there is no node {}; the scene has {nodes}", joint.index()),
    );
    let mut seen = HashSet::new();
    let mut again = skin.joints.iter().enumerate().filter(|(_, joint)| !seen.insert(**joint));
    if let Some((j, joint)) = again.next() {
        let message = format!("node {} is already a joint of this skin", joint.index());
        let field = format!("skins[{i}].joints[{j}]");
        rules.offender((Severity::Warning, &codes::JOINT_TWICE), field, message, again.count());
    }
}

fn influences(scene: &Scene, mesh: usize, skin: usize, rules: &mut Rules) {
    let (Some(drawn), Some(deforms)) = (scene.meshes.get(mesh), scene.skins.get(skin)) else { return };
    let joints = deforms.joints.len();
    for (p, part) in drawn.parts.iter().enumerate() {
        rules.array(
            (Severity::Error, &codes::INDEX),
            &format!("meshes[{mesh}].parts[{p}].influences.pairs"),
            part.influences.pairs(),
            |pair| pair.joint as usize >= joints,
            |pair| format!("there is no joint {}; skin {skin} has {joints}", pair.joint),
        );
    }
}
