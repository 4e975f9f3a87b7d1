//! Extensions of nodes and materials that change the scene: hidden nodes, instances, specular and glossiness.

use super::support::{Builder, assert_valid, place, read_text, try_read, write};
use ligament::compare::{CompareOptions, compare};
use ligament::io::Source;
use ligament::math::{Quat, Vec3};
use ligament::pose::{Pose, deform};
use ligament::report::{LossKind, Report};
use ligament::scene::{NodeId, Scene};
use serde_json::{Value, json};

/// A triangle in mesh 0, skinned in mesh 1 with the joint node 0, and `rest`.
fn file(mut builder: Builder, mut rest: Value) -> String {
    let positions = builder.floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0], "VEC3");
    let joints = builder.add(&[0; 12], 5121, "VEC4", 3);
    let weights = builder.floats(&[1.0, 0.0, 0.0, 0.0].repeat(3), "VEC4");
    rest["meshes"] = json!([
        { "primitives": [{ "attributes": { "POSITION": positions } }] },
        { "primitives": [{ "attributes": { "POSITION": positions, "JOINTS_0": joints, "WEIGHTS_0": weights } }] },
    ]);
    let mut text: Value = serde_json::from_str(&builder.finish(rest)).expect("JSON");
    text["accessors"][positions]["min"] = json!([0, 0, 0]);
    text["accessors"][positions]["max"] = json!([1, 1, 0]);
    text.to_string()
}

fn read_reported(text: &str) -> (Scene, Report) {
    let (scene, report) = try_read(Source::from_bytes("test.gltf", text.as_bytes()));
    (scene.unwrap_or_else(|f| panic!("{f:?} {:?}", report.diagnostics())), report)
}

fn rewritten(scene: Scene) -> (Value, Scene) {
    let (output, _) = write(scene, "gltf");
    let folder = tempfile::tempdir().expect("a folder");
    assert_valid(&[place(&output, folder.path(), "out.gltf")]);
    let json = serde_json::from_slice(&output.main).expect("JSON");
    (json, try_read(output.source("out")).0.expect("a scene"))
}

#[test]
fn hidden_nodes_are_not_drawn_and_stay_hidden() {
    let hidden = json!({ "KHR_node_visibility": { "visible": false } });
    let shown = json!({ "KHR_node_visibility": { "visible": true } });
    let lamp = json!({ "KHR_node_visibility": { "visible": false }, "KHR_lights_punctual": { "light": 0 } });
    let text = file(
        Builder::default(),
        json!({
            "extensionsUsed": ["KHR_node_visibility", "KHR_lights_punctual"],
            "extensionsRequired": ["KHR_node_visibility"],
            "extensions": { "KHR_lights_punctual": { "lights": [{ "type": "point" }] } },
            "scene": 0, "scenes": [{ "nodes": [0, 1, 3, 4, 5] }],
            "nodes": [
                { "name": "joint" },
                { "name": "hidden", "mesh": 0, "children": [2], "extensions": hidden },
                { "name": "below", "mesh": 0, "extensions": shown },
                { "name": "skinned", "mesh": 1, "skin": 0, "extensions": hidden },
                { "name": "shown", "mesh": 0, "extensions": shown },
                { "name": "lamp", "extensions": lamp },
            ],
            "skins": [{ "joints": [0] }],
        }),
    );
    let (scene, report) = read_reported(&text);
    let drawn: Vec<&str> = scene.nodes.iter().filter(|n| n.mesh.is_some()).map(|n| n.name.as_str()).collect();
    assert_eq!(drawn, ["shown"], "what is below a hidden node is hidden too");
    let loss = report.losses().iter().find(|l| l.code.id == "GL322").expect("announced");
    assert_eq!((&loss.kind, loss.count), (&LossKind::Kept, 4));
    assert!(scene.nodes.iter().all(|n| n.light.is_none()));
    let (json, again) = rewritten(scene.clone());
    assert_eq!(again, scene);
    let nodes = json["nodes"].as_array().expect("a list");
    let of = |name: &str| nodes.iter().find(|n| n["name"] == name).expect("the node");
    assert_eq!((&of("hidden")["mesh"], &of("hidden")["extensions"]), (&json!(0), &hidden));
    assert_eq!((&of("below")["mesh"], &of("below")["extensions"]), (&json!(0), &shown));
    assert_eq!((&of("skinned")["mesh"], &of("skinned")["skin"]), (&json!(1), &json!(0)));
    assert_eq!(of("lamp")["extensions"], lamp);
    assert_eq!(json["extensionsRequired"], json!(["KHR_node_visibility"]));
}

#[test]
fn instances_become_nodes() {
    let mut builder = Builder::default();
    let translations = builder.floats(&[1.0, 0.0, 0.0, 0.0, 5.0, 0.0], "VEC3");
    // A half turn about Y as signed bytes, and no turn.
    let rotations = builder.add(&[0, 127, 0, 0, 0, 0, 0, 127], 5120, "VEC4", 2);
    let scales = builder.floats(&[1.0, 1.0, 1.0, 2.0, 2.0, 2.0], "VEC3");
    let mut text: Value = serde_json::from_str(&file(
        builder,
        json!({
            "extensionsUsed": ["EXT_mesh_gpu_instancing"], "extensionsRequired": ["EXT_mesh_gpu_instancing"],
            "scene": 0, "scenes": [{ "nodes": [0] }],
            "nodes": [{ "name": "tree", "mesh": 0, "translation": [0, 0, 10], "extensions": {
                "EXT_mesh_gpu_instancing": { "attributes": {
                    "TRANSLATION": translations, "ROTATION": rotations, "SCALE": scales,
                } },
            } }],
        }),
    ))
    .expect("JSON");
    text["accessors"][rotations]["normalized"] = json!(true);
    let (scene, report) = read_reported(&text.to_string());
    let names: Vec<&str> = scene.nodes.iter().map(|n| n.name.as_str()).collect();
    assert_eq!(names, ["tree", "tree.0", "tree.1"]);
    let pose = Pose::rest(&scene);
    let corner = |node: u32| deform(&scene, &pose, NodeId(node))[0].positions[1];
    // The corner (1, 0, 0): turned about Y to (-1, 0, 0) and moved by 1; doubled and raised by 5.
    assert!(corner(1).distance(Vec3::new(0.0, 0.0, 10.0)) < 1e-6, "{}", corner(1));
    assert!(corner(2).distance(Vec3::new(2.0, 5.0, 10.0)) < 1e-6, "{}", corner(2));
    let loss = report.losses().iter().find(|l| l.code.id == "GL321").expect("announced");
    assert_eq!(loss.count, 2);
    let (json, again) = rewritten(scene.clone());
    assert_eq!(json.get("extensionsUsed"), None);
    assert!(compare(&scene, &again, &CompareOptions::default()).worst.is_none_or(|w| w.relative == 0.0));
    assert!(
        matches!(scene.nodes[1].local, ligament::scene::Local::Trs(t) if t.rotation.abs_diff_eq(Quat::from_rotation_y(std::f32::consts::PI), 1e-3))
    );
}

#[test]
fn a_few_bytes_make_no_millions_of_instances() {
    let mut builder = Builder::default();
    let blank = builder.raw(json!({ "componentType": 5126, "type": "VEC3", "count": 2_000_000_000 }));
    let text = file(
        builder,
        json!({ "extensionsUsed": ["EXT_mesh_gpu_instancing"], "nodes": [{ "mesh": 0, "extensions": {
            "EXT_mesh_gpu_instancing": { "attributes": { "TRANSLATION": blank } },
        } }] }),
    );
    let (scene, report) = try_read(Source::from_bytes("test.gltf", text.as_bytes()));
    assert!(scene.is_err() && report.diagnostics()[0].code.id == "GL006", "{:?}", report.diagnostics());
}

/// Values by Khronos' own conversion of specular-glossiness materials.
#[test]
fn specular_and_glossiness_become_metallic_and_roughness() {
    let material = |block: Value| {
        let text = json!({
            "asset": { "version": "2.0" }, "extensionsUsed": ["KHR_materials_pbrSpecularGlossiness"],
            "extensionsRequired": ["KHR_materials_pbrSpecularGlossiness"],
            "materials": [{
                "pbrMetallicRoughness": {}, "extensions": { "KHR_materials_pbrSpecularGlossiness": block },
            }],
        });
        let scene = read_text(&text.to_string());
        let (json, _) = rewritten(scene.clone());
        assert_eq!(json["materials"][0]["extensions"]["KHR_materials_pbrSpecularGlossiness"], block);
        scene.materials[0].pbr.clone().expect("values")
    };
    let near = |a: f32, b: f32| (a - b).abs() < 2e-3;
    // A perfect mirror.
    let mirror = material(json!({}));
    assert!(near(mirror.metallic, 1.0) && near(mirror.roughness, 0.0) && near(mirror.base_color[0], 1.0));
    // A dielectric reflects 4 %, and its colour is the diffuse one.
    let plastic = material(json!({
        "diffuseFactor": [0.5, 0.25, 0.125, 0.5], "specularFactor": [0.04, 0.04, 0.04], "glossinessFactor": 0.25,
    }));
    assert!(near(plastic.metallic, 0.0) && near(plastic.roughness, 0.75), "{plastic:?}");
    assert!(plastic.base_color.iter().zip([0.5, 0.25, 0.125, 0.5]).all(|(a, b)| near(*a, b)), "{plastic:?}");
    // What the file says for programs without the extension is used as it is.
    let stated = json!({ "materials": [{
        "pbrMetallicRoughness": { "metallicFactor": 0.25 },
        "extensions": { "KHR_materials_pbrSpecularGlossiness": {} },
    }] });
    let scene = read_text(&Builder::default().finish(stated));
    assert_eq!(scene.materials[0].pbr.as_ref().map(|p| p.metallic), Some(0.25));
    // A metal has no diffuse colour, and its colour is the specular one.
    let gold = material(json!({
        "diffuseFactor": [0, 0, 0, 1], "specularFactor": [1, 0.766, 0.336], "glossinessFactor": 0.8,
    }));
    assert!(near(gold.metallic, 1.0) && near(gold.roughness, 0.2), "{gold:?}");
    assert!(gold.base_color.iter().zip([1.0, 0.766, 0.336, 1.0]).all(|(a, b)| near(*a, b)), "{gold:?}");
}
