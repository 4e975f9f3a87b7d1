//! VRM avatars: the bones that a humanoid must have.

use super::super::extensions::VRM;
use super::super::{codes, json};
use super::Import;
use serde_json::Value;
use std::collections::BTreeMap;

/// The bones that VRM 1.0 requires.
const REQUIRED: [&str; 15] = [
    "hips",
    "spine",
    "head",
    "leftUpperLeg",
    "leftLowerLeg",
    "leftFoot",
    "rightUpperLeg",
    "rightLowerLeg",
    "rightFoot",
    "leftUpperArm",
    "leftLowerArm",
    "leftHand",
    "rightUpperArm",
    "rightLowerArm",
    "rightHand",
];

/// The bones that VRM 0.x requires, too.
const REQUIRED_BEFORE: [&str; 2] = ["chest", "neck"];

impl Import<'_, '_, '_> {
    /// Warns about humanoids that lack bones, or whose bones are no nodes of their own.
    pub(super) fn check_humanoid(&mut self) {
        for name in VRM {
            let Some(avatar) = json::extension(&self.root.extensions, name) else { continue };
            let path = format!("extensions.{name}.humanoid.humanBones");
            let bones = avatar.get("humanoid").and_then(|h| h.get("humanBones"));
            let found: Vec<(&str, Option<&Value>)> = match bones {
                Some(Value::Object(bones)) => {
                    bones.iter().map(|(bone, value)| (bone.as_str(), value.get("node"))).collect()
                }
                Some(Value::Array(bones)) => {
                    let bone = |value| Some((Value::get(value, "bone")?.as_str()?, value.get("node")));
                    bones.iter().filter_map(bone).collect()
                }
                _ => Vec::new(),
            };
            let before = if bones.is_some_and(Value::is_array) { &REQUIRED_BEFORE[..] } else { &[] };
            let is_missing = |bone: &&&str| found.iter().all(|(found, _)| found != *bone);
            let missing: Vec<&str> = REQUIRED.iter().chain(before).filter(is_missing).copied().collect();
            if !missing.is_empty() {
                let message = format!("the avatar lacks bones that VRM requires: {}", missing.join(", "));
                self.warning(&codes::HUMANOID, &path, message);
            }
            self.check_bones(&found, &path);
        }
    }

    fn check_bones(&mut self, found: &[(&str, Option<&Value>)], path: &str) {
        let count = self.root.nodes.len();
        let mut taken: BTreeMap<u64, &str> = BTreeMap::new();
        for (bone, node) in found {
            match node.and_then(|n| n.as_u64()).filter(|n| *n < count as u64) {
                None => {
                    let message = format!("the bone {bone} needs a node; the file has {count}");
                    self.warning(&codes::HUMANOID, path, message);
                }
                Some(node) => {
                    if let Some(other) = taken.insert(node, bone) {
                        let message = format!("the bones {other} and {bone} are the same node {node}");
                        self.warning(&codes::HUMANOID, path, message);
                    }
                }
            }
        }
    }
}
