//! VRM avatars are glTF: their humanoid bones, expressions and springs keep pointing at the right objects.

use super::shared;
use super::support::{Builder, khronos, place, read_text, try_read, write};
use ligament::io::Source;
use ligament::report::Report;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;

const BONES: [&str; 15] = [
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

fn json_of(glb: &[u8]) -> Value {
    let length = u32::from_le_bytes(glb[12..16].try_into().expect("four bytes")) as usize;
    serde_json::from_slice(&glb[20..20 + length]).expect("JSON")
}

/// Each bone's node, by the node's name.
fn bones(file: &Value) -> BTreeMap<String, String> {
    let bones = file["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"].as_object().expect("bones");
    let name =
        |bone: &Value| file["nodes"][bone["node"].as_u64().expect("a node") as usize]["name"].to_string();
    bones.iter().map(|(bone, value)| (bone.clone(), name(value))).collect()
}

#[test]
fn avatars_of_the_specification_keep_their_bones() {
    let mut files: Vec<PathBuf> = shared::corpus_files("real/vrm");
    files.retain(|file| file.extension().is_some_and(|e| e == "vrm"));
    assert!(!files.is_empty());
    for file in files {
        let (scene, report) = ligament::read(&file, &Default::default()).unwrap_or_else(|e| panic!("{e}"));
        assert!(report.losses().is_empty(), "{:?}", report.losses());
        assert!(report.diagnostics().is_empty(), "{:?}", report.diagnostics());
        let (output, report) = write(scene, "glb");
        assert!(report.losses().is_empty(), "{:?}", report.losses());
        let (before, after) = (json_of(&std::fs::read(&file).expect("readable")), json_of(&output.main));
        assert_eq!(bones(&before), bones(&after));
        assert!(bones(&after).len() > 15);
        assert_eq!(
            before["extensionsUsed"].as_array().map(Vec::len),
            after["extensionsUsed"].as_array().map(Vec::len)
        );
        // Materials keep their numbers in these files; nodes do not, because children come before their parents.
        let avatar = |file: &Value| file["extensions"]["VRMC_vrm"].clone();
        assert_eq!(avatar(&before)["expressions"], avatar(&after)["expressions"]);
        assert_eq!(avatar(&before)["meta"], avatar(&after)["meta"]);
        for (before, after) in before["materials"]
            .as_array()
            .into_iter()
            .flatten()
            .zip(after["materials"].as_array().into_iter().flatten())
        {
            assert_eq!(before.get("extensions"), after.get("extensions"));
        }
    }
}

/// An avatar whose nodes stand in reverse: node `15 - i` is bone `i`. Node 0 draws a mesh with a morph target.
fn avatar(extension: impl FnOnce(&dyn Fn(usize) -> usize) -> Value) -> String {
    let mut builder = Builder::default();
    let positions = builder.floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0], "VEC3");
    let node = |i: usize| 15 - i;
    let mut nodes = vec![json!({ "name": "body", "mesh": 0 })];
    for index in (0..BONES.len()).rev() {
        let mut bone = json!({ "name": BONES[index] });
        if index == 0 {
            bone["children"] = json!((1..BONES.len()).map(node).collect::<Vec<_>>());
        }
        nodes.push(bone);
    }
    let mut file: Value = serde_json::from_str(&builder.finish(json!({
        "scene": 0, "scenes": [{ "nodes": [0, 15] }], "nodes": nodes,
        "meshes": [{ "primitives": [{
            "attributes": { "POSITION": positions }, "material": 0, "targets": [{ "POSITION": positions }],
        }] }],
        "materials": [{ "name": "skin" }],
        "extensions": extension(&node),
    })))
    .expect("JSON");
    file["accessors"][positions]["min"] = json!([0, 0, 0]);
    file["accessors"][positions]["max"] = json!([1, 1, 0]);
    let names: Vec<String> = file["extensions"].as_object().expect("extensions").keys().cloned().collect();
    file["extensionsUsed"] = json!(names);
    file.to_string()
}

fn rewritten(text: &str) -> Value {
    let (output, report) = write(read_text(text), "gltf");
    assert!(report.losses().is_empty(), "{:?}", report.losses());
    let folder = tempfile::tempdir().expect("a folder");
    // The validator does not know VRM, and warns about the name of the first version's extension.
    for (errors, _, messages) in khronos(&[place(&output, folder.path(), "out.gltf")]).into_iter().flatten() {
        assert_eq!(errors, 0, "{messages}");
    }
    serde_json::from_slice(&output.main).expect("JSON")
}

#[test]
fn springs_constraints_and_expressions_follow_their_nodes() {
    let text = avatar(|node| {
        let bones: serde_json::Map<String, Value> = BONES
            .iter()
            .enumerate()
            .map(|(i, bone)| ((*bone).to_owned(), json!({ "node": node(i) })))
            .collect();
        json!({
            "VRMC_vrm": {
                "specVersion": "1.0",
                "humanoid": { "humanBones": bones },
                "expressions": { "preset": { "happy": {
                    "morphTargetBinds": [{ "node": 0, "index": 0, "weight": 1 }],
                    "materialColorBinds": [{ "material": 0, "type": "color", "targetValue": [1, 0, 0, 1] }],
                } } },
            },
            "VRMC_springBone": {
                "specVersion": "1.0",
                "colliders": [{ "node": node(2), "shape": { "sphere": { "radius": 1 } } }],
                "colliderGroups": [{ "colliders": [0] }],
                "springs": [{ "joints": [{ "node": node(1) }, { "node": node(2) }], "colliderGroups": [0], "center": node(0) }],
            },
        })
    });
    let json = rewritten(&text);
    let named = |node: &Value| json["nodes"][node.as_u64().expect("a node") as usize]["name"].clone();
    assert!(bones(&json).iter().all(|(bone, node)| *node == format!("{bone:?}")), "{:?}", bones(&json));
    let springs = &json["extensions"]["VRMC_springBone"];
    assert_eq!(named(&springs["colliders"][0]["node"]), "head");
    assert_eq!(named(&springs["springs"][0]["joints"][0]["node"]), "spine");
    assert_eq!(named(&springs["springs"][0]["joints"][1]["node"]), "head");
    assert_eq!(named(&springs["springs"][0]["center"]), "hips");
    assert_eq!(springs["colliderGroups"][0]["colliders"], json!([0]));
    let bind = &json["extensions"]["VRMC_vrm"]["expressions"]["preset"]["happy"]["morphTargetBinds"][0];
    assert_eq!(named(&bind["node"]), "body");
}

fn old_avatar(bones: &[&str]) -> String {
    avatar(|node| {
        let bone = |name: &&str| json!({ "bone": name, "node": node(BONES.iter().position(|b| b == name).unwrap_or(1)) });
        json!({ "VRM": {
            "specVersion": "0.0",
            "meta": { "title": "old", "texture": -1 },
            "humanoid": { "humanBones": bones.iter().map(bone).collect::<Vec<_>>() },
            "firstPerson": { "firstPersonBone": node(2), "meshAnnotations": [{ "mesh": 0, "firstPersonFlag": "Auto" }] },
            "blendShapeMaster": { "blendShapeGroups": [{ "name": "A", "binds": [{ "mesh": 0, "index": 0, "weight": 100 }] }] },
            "secondaryAnimation": {
                "boneGroups": [{ "bones": [node(1)], "center": -1, "colliderGroups": [0] }],
                "colliderGroups": [{ "node": node(2), "colliders": [] }],
            },
            "materialProperties": [{ "name": "skin", "shader": "VRM_USE_GLTFSHADER", "textureProperties": {} }],
        } })
    })
}

#[test]
fn avatars_of_the_first_version_keep_their_bones_too() {
    let json = rewritten(&old_avatar(&BONES));
    let avatar = &json["extensions"]["VRM"];
    let named = |node: &Value| json["nodes"][node.as_u64().expect("a node") as usize]["name"].clone();
    for bone in avatar["humanoid"]["humanBones"].as_array().expect("bones") {
        assert_eq!(named(&bone["node"]), bone["bone"]);
    }
    assert_eq!(named(&avatar["firstPerson"]["firstPersonBone"]), "head");
    assert_eq!(named(&avatar["secondaryAnimation"]["boneGroups"][0]["bones"][0]), "spine");
    assert_eq!(named(&avatar["secondaryAnimation"]["colliderGroups"][0]["node"]), "head");
    assert_eq!(avatar["secondaryAnimation"]["boneGroups"][0]["center"], -1);
    assert_eq!(avatar["materialProperties"][0]["name"], "skin");
    // Properties that stand in the order of materials are not written beside other materials.
    let mut scene = read_text(&old_avatar(&BONES));
    scene.materials.insert(0, Default::default());
    scene.meshes[0].parts[0].material = Some(ligament::scene::MaterialId(1));
    let (output, report) = write(scene, "glb");
    assert_eq!(json_of(&output.main)["extensions"]["VRM"]["materialProperties"], json!([]));
    assert!(report.losses().iter().any(|l| l.code.id == "GL301" && l.count == 1), "{:?}", report.losses());
}

#[test]
fn missing_bones_are_named() {
    let found = |text: &str| {
        let (scene, report): (_, Report) = try_read(Source::from_bytes("test.vrm", text.as_bytes()));
        assert!(scene.is_ok(), "{:?}", report.diagnostics());
        let is_it = |d: &&ligament::report::Diagnostic| d.code.id == "GL209";
        report.diagnostics().iter().filter(is_it).map(|d| d.message.clone()).collect::<Vec<_>>()
    };
    // The first version needs a chest and a neck.
    let messages = found(&old_avatar(&BONES[..14]));
    assert_eq!(messages, ["the avatar lacks bones that VRM requires: rightHand, chest, neck"]);
    let all: Vec<&str> = BONES.iter().copied().chain(["chest", "neck"]).collect();
    let messages = found(&old_avatar(&all));
    assert_eq!(messages.len(), 2, "chest and neck are the node of the spine: {messages:?}");
    assert!(messages[0].contains("spine") && messages[0].contains("chest"), "{messages:?}");
}
