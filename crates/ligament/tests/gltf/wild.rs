//! Files from other programs: unusual features that the specification allows, and faults that can still be read.

use super::support::{
    Builder, assert_only_warnings, assert_valid, floats, place, read_text, try_read, uri, write,
};
use ligament::Scene;
use ligament::io::Source;
use ligament::math::{Vec3, Vec4};
use ligament::report::{LossKind, Report, Severity};
use ligament::scene::{ImageData, Values};
use serde_json::{Value, json};

const TRIANGLE: [f32; 9] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
const PNG: &[u8] = include_bytes!("white.png");
/// How AVIF files start. Nothing reads more of them.
const AVIF: &[u8] = b"\0\0\0\x20ftypavif\0\0\0\0avifmif1miafMA1B";
/// A lossless WebP image of one pixel.
const WEBP: &[u8] = b"RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0/\0\0\0\x10\x07\x10\x11\x11\x88\x88\xfe\x07\0";

fn read(text: &str) -> (Scene, Report) {
    let (scene, report) = try_read(Source::from_bytes("test.gltf", text.as_bytes()));
    (scene.unwrap_or_else(|f| panic!("{f:?} {:?}", report.diagnostics())), report)
}

/// Codes and fields of all warnings.
fn warnings(report: &Report) -> Vec<(&str, &str)> {
    let warnings = report.diagnostics().iter().filter(|d| d.severity == Severity::Warning);
    warnings.map(|d| (d.code.id, d.place.field.as_deref().unwrap_or(""))).collect()
}

/// Writes a scene in both dialects: both must be valid, and come back equal.
fn comes_back(scene: &Scene) -> Report {
    comes_back_but(scene, &[])
}

/// Like [`comes_back`], for files about which the validator has just these warnings, because it does not know an
/// extension.
fn comes_back_but(scene: &Scene, expected: &[&str]) -> Report {
    let folder = tempfile::tempdir().expect("a folder");
    let mut reports = Vec::new();
    let mut files = Vec::new();
    for dialect in ["glb", "gltf"] {
        let (output, report) = write(scene.clone(), dialect);
        let (again, found) = try_read(output.source("out"));
        assert_eq!(&again.unwrap_or_else(|f| panic!("{f:?} {:?}", found.diagnostics())), scene, "{dialect}");
        files.push(place(&output, folder.path(), &format!("out.{dialect}")));
        reports.push(report);
    }
    assert_only_warnings(&files, expected);
    reports.remove(0)
}

#[test]
fn a_dictionary_in_a_file_of_2_0_is_a_wrong_type() {
    let (_, report) =
        try_read(Source::from_bytes("new.gltf", br#"{"asset": {"version": "2.0"}, "nodes": {}}"#));
    let error = &report.diagnostics()[0];
    assert_eq!((error.code.id, error.place.field.as_deref()), ("GL002", Some("nodes")));
    assert_eq!(error.message, "found an object, expected an array");
}

#[test]
fn primitives_without_positions_are_left_out() {
    let mut b = Builder::default();
    let positions = b.floats(&TRIANGLE, "VEC3");
    let (scene, report) = read(&b.finish(json!({ "nodes": [{ "mesh": 0 }], "meshes": [{ "primitives": [
        { "attributes": { "NORMAL": positions } }, { "attributes": { "POSITION": positions } }] }] })));
    assert_eq!(scene.meshes[0].parts.len(), 1);
    assert_eq!(warnings(&report), [("GL203", "meshes[0].primitives[0].attributes")]);
}

#[test]
fn sets_with_gaps_are_read_with_a_warning() {
    let mut b = Builder::default();
    let positions = b.floats(&TRIANGLE, "VEC3");
    let uvs = b.floats(&[0.5; 6], "VEC2");
    let (scene, report) = read(&b.finish(json!({ "nodes": [{ "mesh": 0 }], "meshes": [{ "primitives": [
        { "attributes": { "POSITION": positions, "TEXCOORD_1": uvs } }] }] })));
    let sets: Vec<usize> = scene.meshes[0].parts[0].uvs.iter().map(Vec::len).collect();
    assert_eq!(sets, [0, 3]);
    assert_eq!(warnings(&report), [("GL203", "meshes[0].primitives[0].attributes.TEXCOORD_1")]);
    comes_back(&scene);
}

#[test]
fn colours_without_bytes_are_black() {
    let mut b = Builder::default();
    let positions = b.floats(&TRIANGLE, "VEC3");
    let zeros = b.raw(json!({ "componentType": 5121, "normalized": true, "type": "VEC4", "count": 3 }));
    let scene = read_text(&b.finish(json!({ "nodes": [{ "mesh": 0 }], "meshes": [{ "primitives": [
        { "attributes": { "POSITION": positions, "COLOR_0": zeros } }] }] })));
    assert_eq!(scene.meshes[0].parts[0].colors, [vec![Vec4::ZERO; 3]]);
    comes_back(&scene);
}

#[test]
fn extras_of_any_kind_are_kept() {
    for kind in [json!(5), json!("text"), json!([1, [2]]), json!(null), json!(false), json!({ "a": null })] {
        let mut b = Builder::default();
        let positions = b.floats(&TRIANGLE, "VEC3");
        let text = b.finish(json!({
            "scenes": [{ "nodes": [0], "extras": kind }],
            "nodes": [{ "mesh": 0, "camera": 0, "extras": kind }],
            "meshes": [{ "extras": kind,
                "primitives": [{ "attributes": { "POSITION": positions }, "material": 0, "extras": kind }] }],
            "materials": [{ "extras": kind }],
            "cameras": [{ "type": "perspective", "perspective": { "yfov": 1, "znear": 0.5 }, "extras": kind }],
            "extras": kind
        }));
        let mut scene = read_text(&text);
        // The material and the node also get our own marks.
        scene.materials[0].phong = Some(Default::default());
        scene.nodes[0].tip = Some([0.0, 1.0, 0.0]);
        comes_back(&scene);
        scene.materials[0].phong = None;
        scene.nodes[0].tip = None;
        let (output, _) = write(scene, "gltf");
        let json: Value = serde_json::from_slice(&output.main).expect("JSON");
        for place in
            ["/scenes/0", "/nodes/0", "/meshes/0", "/meshes/0/primitives/0", "/materials/0", "/cameras/0", ""]
        {
            assert_eq!(json.pointer(&format!("{place}/extras")), Some(&kind), "{place}");
        }
    }
}

#[test]
fn a_channel_without_a_node_is_a_loss_and_samplers_may_be_shared() {
    let mut b = Builder::default();
    let positions = b.floats(&TRIANGLE, "VEC3");
    let times = b.floats(&[0.0, 1.0], "SCALAR");
    let values = b.floats(&[0.0, 0.0, 0.0, 1.0, 1.0, 1.0], "VEC3");
    let channel = |node: Option<u32>, path: &str| match node {
        Some(node) => json!({ "sampler": 0, "target": { "node": node, "path": path } }),
        None => json!({ "sampler": 0, "target": { "path": path } }),
    };
    let (scene, report) = read(&b.finish(json!({
        "nodes": [{ "mesh": 0, "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 3, 0, 0, 1] }, { "mesh": 0 }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": positions }, "mode": 2 }] }],
        "animations": [{ "samplers": [{ "input": times, "output": values }],
            "channels": [channel(Some(0), "translation"), channel(Some(1), "scale"), channel(None, "scale")] }]
    })));
    assert_eq!(scene.clips[0].tracks.len(), 2);
    let [loss] = report.losses() else { panic!("{:?}", report.losses()) };
    assert_eq!((loss.code.id, &loss.kind, loss.count), ("GL304", &LossKind::Dropped, 1));
    // The specification forbids a matrix on an animated node.
    assert_eq!(warnings(&report), [("GL205", "animations[0].channels[0].target.node")]);
    let ligament::scene::Local::Trs(trs) = &scene.nodes[0].local else { panic!("a matrix") };
    assert_eq!(trs.translation, Vec3::new(3.0, 0.0, 0.0));
    comes_back(&scene);
}

#[test]
fn sparse_morph_targets_with_cubic_weights_come_back() {
    let mut b = Builder::default();
    let positions = b.floats(&TRIANGLE, "VEC3");
    let places = b.view(&[1], None);
    let values = b.view(&floats(&[0.0, 0.0, 2.0]), None);
    let target = b.raw(json!({ "componentType": 5126, "type": "VEC3", "count": 3, "sparse": { "count": 1,
        "indices": { "bufferView": places, "componentType": 5121 }, "values": { "bufferView": values } } }));
    let times = b.floats(&[0.0, 1.0], "SCALAR");
    let weights = b.floats(&[0.0, 0.25, 1.0, 0.0, 0.75, 0.0], "SCALAR");
    let scene = read_text(&b.finish(json!({ "nodes": [{ "mesh": 0 }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": positions }, "targets": [{ "POSITION": target }] }] }],
        "animations": [{ "samplers": [{ "input": times, "output": weights, "interpolation": "CUBICSPLINE" }],
            "channels": [{ "sampler": 0, "target": { "node": 0, "path": "weights" } }] }] })));
    assert_eq!(scene.meshes[0].parts[0].morphs[0].positions, [Vec3::ZERO, Vec3::Z * 2.0, Vec3::ZERO]);
    let Values::MorphWeights { count: 1, weights } = &scene.clips[0].tracks[0].values else {
        panic!("weights")
    };
    assert_eq!(weights.len(), 6);
    comes_back(&scene);
}

/// A triangle with the given texture, a WebP and a PNG image.
fn textured(texture: Value, more: Value) -> String {
    textured_with((WEBP, "image/webp"), texture, more)
}

/// A triangle with the given texture, an image of the given type, and a PNG image.
fn textured_with((bytes, mime): (&[u8], &str), texture: Value, more: Value) -> String {
    let mut b = Builder::default();
    let positions = b.floats(&TRIANGLE, "VEC3");
    let uvs = b.floats(&[0.5; 6], "VEC2");
    let (first, png) = (b.view(bytes, None), b.view(PNG, None));
    let mut root = json!({ "nodes": [{ "mesh": 0 }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": positions, "TEXCOORD_0": uvs }, "material": 0 }] }],
        "materials": [{ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } }],
        "textures": [texture],
        "images": [{ "bufferView": first, "mimeType": mime }, { "bufferView": png, "mimeType": "image/png" }] });
    root.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    b.finish(root)
}

#[test]
fn webp_images_are_declared_and_read_back() {
    let used = json!({ "extensionsUsed": ["EXT_texture_webp"], "extensionsRequired": ["EXT_texture_webp"] });
    let (scene, report) =
        read(&textured(json!({ "extensions": { "EXT_texture_webp": { "source": 0 } } }), used));
    assert!(report.losses().is_empty(), "{:?}", report.losses());
    assert_eq!(scene.textures[0].image.0, 0);
    comes_back(&scene);
}

#[test]
fn of_two_images_the_one_that_every_program_shows_is_used() {
    let used = json!({ "extensionsUsed": ["EXT_texture_webp"] });
    let texture = json!({ "source": 1, "extensions": { "EXT_texture_webp": { "source": 0 } } });
    let (scene, report) = read(&textured(texture, used));
    assert_eq!(scene.textures[0].image.0, 1);
    let [loss] = report.losses() else { panic!("{:?}", report.losses()) };
    assert_eq!((loss.code.id, &loss.kind), ("GL305", &LossKind::Dropped));
    comes_back(&scene);
}

#[test]
fn avif_images_travel_whether_or_not_they_are_required() {
    let avif = json!({ "extensions": { "EXT_texture_avif": { "source": 0 } } });
    for used in [
        json!({ "extensionsUsed": ["EXT_texture_avif"] }),
        json!({ "extensionsUsed": ["EXT_texture_avif"], "extensionsRequired": ["EXT_texture_avif"] }),
    ] {
        let (scene, report) = read(&textured_with((AVIF, "image/avif"), avif.clone(), used));
        assert!(report.losses().is_empty(), "{:?}", report.losses());
        assert_eq!(scene.meshes[0].parts[0].positions.len(), 3);
        let ImageData::Embedded { mime, bytes } = &scene.images[scene.textures[0].image.index()].data else {
            panic!("a file")
        };
        assert_eq!((mime.as_str(), &bytes[..]), ("image/avif", AVIF));
        assert_eq!(scene.images[0].file_name(), "image.avif");
        comes_back_but(&scene, &["VALUE_NOT_IN_LIST", "IMAGE_UNRECOGNIZED_FORMAT"]);
    }
}

#[test]
fn of_avif_and_another_type_the_other_is_used_and_the_loss_says_avif() {
    let used = json!({ "extensionsUsed": ["EXT_texture_avif", "EXT_texture_webp"] });
    let both = json!({ "source": 1, "extensions": { "EXT_texture_avif": { "source": 0 } } });
    let webp = json!({ "extensions":
        { "EXT_texture_avif": { "source": 0 }, "EXT_texture_webp": { "source": 1 } } });
    for (texture, kept) in [(both, "PNG or JPEG"), (webp, "WebP")] {
        let (scene, report) = read(&textured_with((AVIF, "image/avif"), texture, used.clone()));
        assert_eq!(scene.textures[0].image.0, 1);
        let [loss] = report.losses() else { panic!("{:?}", report.losses()) };
        assert_eq!((loss.code.id, &loss.kind, loss.count), ("GL305", &LossKind::Dropped, 1));
        let said = format!("keep the {kept}, not the AVIF");
        assert!(loss.message.contains(&said), "{}", loss.message);
    }
}

#[test]
fn images_are_what_their_bytes_are() {
    let mut b = Builder::default();
    let png = b.view(PNG, None);
    let data = uri(PNG).replace("application/octet-stream", "image/jpeg");
    let (scene, report) = read(&b.finish(json!({ "images": [
        { "bufferView": png, "mimeType": "image/jpeg" }, { "uri": data }, { "uri": uri(PNG) }] })));
    for image in &scene.images {
        assert!(matches!(&image.data, ImageData::Embedded { mime, .. } if mime == "image/png"));
    }
    assert_eq!(warnings(&report), [("GL105", "images[0]"), ("GL105", "images[1].uri")]);
}

#[test]
fn an_image_that_gltf_cannot_hold_is_a_loss() {
    let mut scene = read_text(&textured(json!({ "source": 1 }), json!({})));
    scene.images[1].data = ImageData::Embedded { mime: "image/bmp".to_owned(), bytes: b"BM"[..].into() };
    let (output, report) = write(scene, "glb");
    assert!(report.losses().iter().any(|l| l.code.id == "GL305" && l.kind == LossKind::Dropped));
    let folder = tempfile::tempdir().expect("a folder");
    assert_valid(&[place(&output, folder.path(), "out.glb")]);
}

/// A skinned triangle with a clip, on the given nodes; `joints` are those of the skin.
fn skinned(nodes: Value, joints: &[u32], moved: u32) -> String {
    let mut b = Builder::default();
    let positions = b.floats(&TRIANGLE, "VEC3");
    let numbers = b.add(&[0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0], 5121, "VEC4", 3);
    let weights = b.floats(&[0.5, 0.5, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.25, 0.75, 0.0, 0.0], "VEC4");
    let mut matrices = [0.0; 32];
    (0..32).step_by(16).for_each(|m| [0, 5, 10, 15].iter().for_each(|d| matrices[m + d] = 1.0));
    matrices[28] = 0.5;
    let matrices = b.floats(&matrices, "MAT4");
    let target = b.floats(&[0.5; 9], "VEC3");
    let times = b.floats(&[0.0, 1.0], "SCALAR");
    let places = b.floats(&[0.0, 0.0, 0.0, 1.0, 1.0, 1.0], "VEC3");
    let morphs = b.floats(&[0.0, 1.0], "SCALAR");
    let drawing =
        nodes.as_array().expect("a list").iter().position(|n| n["skin"] == 0).expect("a skinned node");
    b.finish(json!({
        "nodes": nodes,
        "meshes": [{ "primitives": [{ "targets": [{ "POSITION": target }],
            "attributes": { "POSITION": positions, "JOINTS_0": numbers, "WEIGHTS_0": weights } }] }],
        "skins": [{ "joints": joints, "inverseBindMatrices": matrices }],
        "animations": [{
            "samplers": [{ "input": times, "output": places }, { "input": times, "output": morphs }],
            "channels": [{ "sampler": 0, "target": { "node": moved, "path": "translation" } },
                { "sampler": 1, "target": { "node": drawing, "path": "weights" } }] }]
    }))
}

#[test]
fn a_skinned_mesh_with_children_below_its_node_gets_its_own_and_comes_back() {
    let below = json!([{ "name": "root", "children": [1], "translation": [0, 0, 1] },
        { "name": "body", "mesh": 0, "skin": 0, "weights": [0.5], "translation": [1, 0, 0], "children": [2] },
        { "name": "hip", "children": [3] }, { "name": "knee", "translation": [0, 1, 0] }]);
    let is_joint = json!([{ "name": "body", "mesh": 0, "skin": 0, "children": [1] }, { "name": "knee" }]);
    for (nodes, joints) in [(below, [2, 3]), (is_joint, [0, 1])] {
        for moved in [0, 1] {
            let scene = read_text(&skinned(nodes.clone(), &joints, moved));
            comes_back(&scene);
        }
    }
}

#[test]
fn a_joint_that_a_skin_names_twice_comes_back() {
    let nodes = json!([{ "name": "hip", "translation": [1, 0, 0] }, { "mesh": 0, "skin": 0 }]);
    let scene = read_text(&skinned(nodes, &[0, 0], 0));
    assert_eq!(scene.skins[0].joints[0], scene.skins[0].joints[1]);
    assert_ne!(scene.skins[0].inverse_binds[0], scene.skins[0].inverse_binds[1]);
    let report = comes_back(&scene);
    assert!(report.losses().iter().any(|l| l.code.id == "GL312" && l.kind == LossKind::Kept));
}

#[test]
fn a_double_that_was_edited_is_a_node_of_its_own() {
    let nodes = json!([{ "name": "hip" }, { "mesh": 0, "skin": 0 }]);
    let (output, _) = write(read_text(&skinned(nodes, &[0, 0], 0)), "gltf");
    let mut json: Value = serde_json::from_slice(&output.main).expect("JSON");
    let double = json["nodes"].as_array().expect("a list").len() - 1;
    assert_eq!(json["nodes"][double]["extras"]["ligament"]["double"]["index"], 0);
    json["nodes"][double]["translation"] = json!([0, 0, 4]);
    let mut edited = output.clone();
    edited.main = json.to_string().into_bytes();
    let scene = try_read(edited.source("out")).0.expect("a scene");
    assert_eq!(scene.nodes.len(), 3);
    // Hostile marks: a copy of itself, of nothing, and a cycle.
    for index in [json!(double), json!(99), json!(-1), json!("x")] {
        let mut hostile = json.clone();
        hostile["nodes"][double].as_object_mut().expect("an object").remove("translation");
        hostile["nodes"][double]["extras"]["ligament"]["double"]["index"] = index;
        edited.main = hostile.to_string().into_bytes();
        assert_eq!(try_read(edited.source("out")).0.expect("a scene").nodes.len(), 3);
    }
}

#[test]
fn a_mesh_drawn_with_a_skin_and_without_comes_back_as_one() {
    let nodes = json!([{ "mesh": 0, "skin": 0 }, { "name": "hip", "children": [2] }, {},
        { "mesh": 0, "translation": [3, 0, 0] }, { "mesh": 0, "translation": [6, 0, 0] }]);
    let scene = read_text(&skinned(nodes, &[1, 2], 1));
    assert_eq!(scene.meshes.len(), 1);
    comes_back(&scene);
    // A copy that was edited since is a mesh of its own, and a mark cannot point anywhere.
    let (output, _) = write(scene, "gltf");
    let json: Value = serde_json::from_slice(&output.main).expect("JSON");
    assert_eq!(json["meshes"][1]["extras"]["ligament"]["copy_of"], 0);
    let mut edited = output.clone();
    for mark in [json!(1), json!(7), json!(-1), json!("x")] {
        let mut json = json.clone();
        json["meshes"][1]["extras"]["ligament"]["copy_of"] = mark;
        edited.main = json.to_string().into_bytes();
        assert_eq!(try_read(edited.source("out")).0.expect("a scene").meshes.len(), 2);
    }
}
