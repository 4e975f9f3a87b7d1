//! Every fault is an error with its code, at its place.

use super::support::{Builder, try_read, uri};
use ligament::io::Source;
use ligament::report::{Diagnostic, Failure, Severity};
use serde_json::{Value, json};

/// The first error of a file that must be refused.
fn first_error(name: &str, bytes: &[u8]) -> Diagnostic {
    let (scene, report) = try_read(Source::from_bytes(name, bytes));
    let error = report.diagnostics().iter().find(|d| d.severity == Severity::Error).expect("an error");
    // Versions and required extensions are not supported; everything else is a fault of the file.
    let is_unsupported = matches!(error.code.id, "GL003" | "GL005");
    let expected = if is_unsupported { Failure::Unsupported } else { Failure::Invalid };
    assert_eq!(scene.err(), Some(expected), "{name}: {}", String::from_utf8_lossy(bytes));
    error.clone()
}

/// One triangle, to be broken by tests.
fn triangle() -> Value {
    let mut b = Builder::default();
    b.floats(&[0.0; 9], "VEC3");
    b.add(&[0, 1, 2], 5121, "SCALAR", 3);
    b.floats(&[0.0, 1.0, 0.5], "SCALAR");
    b.floats(&[0.0; 9], "VEC3");
    let text = b.finish(json!({
        "nodes": [{ "mesh": 0, "skin": 0 }, {}],
        "scenes": [{ "nodes": [0, 1] }],
        "skins": [{ "joints": [1] }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "indices": 1 }] }]
    }));
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn faults_in_the_json_are_found_at_their_place() {
    type Change = fn(&mut Value);
    let cases: &[(&str, &str, Change)] = &[
        ("GL003", "asset.version", |v| v["asset"]["version"] = json!("0.8")),
        ("GL003", "asset.version", |v| v["asset"]["version"] = json!("3.0")),
        ("GL005", "extensionsRequired[0]", |v| v["extensionsRequired"] = json!(["ACME_deformer"])),
        ("GL006", "meshes[0].primitives[0]", |v| {
            v["accessors"][0] = json!({ "componentType": 5126, "type": "VEC3", "count": 2_000_000_000_u32 });
            v["meshes"][0]["primitives"][0] = json!({ "attributes": { "POSITION": 0 } });
        }),
        ("GL101", "buffers[0].uri", |v| v["buffers"][0]["uri"] = json!("missing.bin")),
        ("GL101", "buffers[0].uri", |v| v["buffers"][0]["uri"] = json!("../secret.bin")),
        ("GL101", "buffers[0].uri", |v| v["buffers"][0]["uri"] = json!("..%2fsecret.bin")),
        ("GL101", "buffers[0].uri", |v| v["buffers"][0]["uri"] = json!("/etc/passwd")),
        ("GL101", "buffers[0].uri", |v| v["buffers"][0]["uri"] = json!("file:///etc/passwd")),
        ("GL101", "buffers[0].uri", |v| v["buffers"][0]["uri"] = json!("data:;base64,A*==")),
        ("GL101", "buffers[0].byteLength", |v| v["buffers"][0]["byteLength"] = json!(1_000_000)),
        ("GL101", "buffers[0]", |v| {
            v["buffers"][0].as_object_mut().map(|b| b.remove("uri"));
        }),
        ("GL102", "bufferViews[0]", |v| v["bufferViews"][0]["byteLength"] = json!(u64::MAX)),
        ("GL102", "bufferViews[0]", |v| v["bufferViews"][0]["byteOffset"] = json!(u64::MAX)),
        ("GL102", "bufferViews[0].byteStride", |v| v["bufferViews"][0]["byteStride"] = json!(4)),
        ("GL102", "bufferViews[0].byteStride", |v| v["bufferViews"][0]["byteStride"] = json!(u64::MAX)),
        ("GL102", "accessors[0]", |v| v["accessors"][0]["count"] = json!(4_000_000_000_u32)),
        ("GL102", "accessors[0].count", |v| v["accessors"][0]["count"] = json!(0)),
        ("GL102", "accessors[0].count", |v| v["accessors"][0]["count"] = json!(u64::MAX)),
        ("GL102", "accessors[0]", |v| v["accessors"][0]["byteOffset"] = json!(u64::MAX)),
        ("GL102", "accessors[0].componentType", |v| v["accessors"][0]["componentType"] = json!(5124)),
        ("GL102", "accessors[0].type", |v| v["accessors"][0]["type"] = json!("VEC5")),
        ("GL103", "meshes[0].primitives[0].attributes.POSITION", |v| {
            v["accessors"][0]["type"] = json!("VEC2")
        }),
        ("GL103", "meshes[0].primitives[0].indices", |v| {
            v["meshes"][0]["primitives"][0]["indices"] = json!(2)
        }),
        ("GL105", "images[0].uri", |v| v["images"] = json!([{ "uri": "http://host/a.png" }])),
        ("GL105", "images[0]", |v| v["images"] = json!([{}])),
        ("GL201", "nodes[0].mesh", |v| v["nodes"][0]["mesh"] = json!(7)),
        ("GL201", "nodes[0].skin", |v| v["nodes"][0]["skin"] = json!(7)),
        ("GL201", "nodes[1].children[0]", |v| v["nodes"][1]["children"] = json!([9])),
        ("GL201", "scene", |v| v["scene"] = json!(3)),
        ("GL201", "scenes[0].nodes[1]", |v| v["scenes"][0]["nodes"] = json!([0, 5])),
        ("GL201", "meshes[0].primitives[0].material", |v| {
            v["meshes"][0]["primitives"][0]["material"] = json!(0)
        }),
        ("GL201", "meshes[0].primitives[0].indices", |v| {
            v["meshes"][0]["primitives"][0]["indices"] = json!(70)
        }),
        ("GL201", "skins[0].joints[0]", |v| v["skins"][0]["joints"] = json!([70])),
        ("GL202", "nodes[1]", |v| v["nodes"][1]["children"] = json!([1])),
        ("GL202", "nodes[1].children[0]", |v| {
            v["nodes"] = json!([{ "children": [2] }, { "children": [2] }, {}]);
        }),
        ("GL203", "meshes[0]", |v| v["meshes"][0]["primitives"] = json!([])),
        ("GL002", "asset", |v| v["asset"] = json!(["2.0"])),
        ("GL002", "nodes[0].mesh", |v| v["nodes"][0]["mesh"] = json!(1.5)),
        ("GL002", "nodes[0].translation", |v| v["nodes"][0]["translation"] = json!([1, 2])),
        ("GL002", "meshes[0].primitives", |v| v["meshes"][0]["primitives"] = json!({})),
        ("GL002", "nodes[1].name", |v| v["nodes"][1]["name"] = json!(42)),
        ("GL103", "meshes[0].primitives[0].attributes.WEIGHTS_0", |v| {
            v["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = json!(0);
            v["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"] = json!(4);
            let joints = json!({ "componentType": 5121, "type": "VEC4", "count": 3 });
            v["accessors"].as_array_mut().expect("a list").push(joints);
        }),
        ("GL203", "meshes[0].primitives[0].mode", |v| v["meshes"][0]["primitives"][0]["mode"] = json!(7)),
        ("GL203", "meshes[0].primitives[0].attributes.TEXCOORD_99999999", |v| {
            v["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_99999999"] = json!(0);
        }),
        ("GL203", "meshes[0].primitives[0].indices", |v| v["accessors"][0]["count"] = json!(2)),
        ("GL204", "skins[0]", |v| v["skins"][0]["joints"] = json!([])),
        ("GL205", "animations[0].samplers[0].input", |v| {
            v["animations"] = json!([{ "samplers": [{ "input": 2, "output": 3 }],
                "channels": [{ "sampler": 0, "target": { "node": 1, "path": "scale" } }] }]);
        }),
        ("GL205", "animations[0].samplers[0].output", |v| {
            v["animations"] = json!([{ "samplers": [{ "input": 2, "output": 3, "interpolation": "CUBICSPLINE" }],
                "channels": [{ "sampler": 0, "target": { "node": 1, "path": "scale" } }] }]);
        }),
        ("GL201", "animations[0].channels[0].sampler", |v| {
            v["animations"] =
                json!([{ "channels": [{ "sampler": 0, "target": { "node": 1, "path": "scale" } }] }]);
        }),
        ("GL206", "cameras[0].perspective", |v| {
            v["cameras"] = json!([{ "type": "perspective", "perspective": { "yfov": 1 } }]);
        }),
    ];
    assert!(try_read(Source::from_bytes("whole.gltf", triangle().to_string().into_bytes())).0.is_ok());
    for (code, field, change) in cases {
        let mut value = triangle();
        change(&mut value);
        let text = format!("{value:#}");
        let error = first_error("test.gltf", text.as_bytes());
        assert_eq!((error.code.id, error.place.field.as_deref()), (*code, Some(*field)), "{error}");
        let (line, _) = error.place.line_column.expect("a line");
        if *code != "GL003" {
            // The line contains the last part of the field's path, or opens the object that lacks it.
            let line = text.lines().nth(line as usize - 1).expect("a line of the file");
            let word = field.rsplit('.').next().expect("a word");
            let named = line.contains(&format!("\"{word}\""));
            assert!(named || word.ends_with(']'), "{code} {field}: {line}");
        }
    }
}

#[test]
fn broken_json_is_found_at_its_line_and_column() {
    for (text, line, column) in [
        ("{\n  \"asset\": {\"version\": \"2.0\"},\n  \"nodes\": [{\"mesh\": -1}]\n}", 3, 22),
        ("{\n\"nodes\": [\n", 3, 1),
        ("{\"asset\": \"x\"}", 1, 11),
    ] {
        let error = first_error("test.gltf", text.as_bytes());
        assert_eq!((error.code.id, error.place.line_column), ("GL002", Some((line, column))), "{error}");
    }
    let deep = format!("{{\"extras\":{}", "[".repeat(100_000));
    assert_eq!(first_error("test.gltf", deep.as_bytes()).code.id, "GL002");
    let large = "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"translation\":[1e39,0,0]}]}";
    assert_eq!(first_error("test.gltf", large.as_bytes()).code.id, "GL002");
    let error = first_error("test.gltf", b"{\"asset\":{\"version\":\"2.0\xFF\"}}");
    assert_eq!((error.code.id, error.place.line_column), ("GL002", Some((1, 25))));
    let many = format!("{{\"asset\":{{\"version\":\"2.0\"}},\"nodes\":[{}{{}}]}}", "{},".repeat(400_000));
    assert_eq!(first_error("test.gltf", many.as_bytes()).code.id, "GL006");
}

/// A GLB with this JSON and binary chunk.
fn glb(json: &str, bin: &[u8]) -> Vec<u8> {
    let width = json.len().next_multiple_of(4);
    let json = format!("{json:<width$}");
    let mut file = b"glTF\x02\0\0\0".to_vec();
    file.extend((12 + 8 + json.len() as u32 + 8 + bin.len() as u32).to_le_bytes());
    file.extend((json.len() as u32).to_le_bytes());
    file.extend(b"JSON");
    file.extend(json.bytes());
    file.extend((bin.len() as u32).to_le_bytes());
    file.extend(b"BIN\0");
    file.extend(bin);
    file
}

#[test]
fn broken_containers_are_found_at_their_offset() {
    let json = "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":4}]}";
    let whole = glb(json, &[0; 8]);
    let bin = whole.len() as u64 - 16;
    let changed = |at: usize, bytes: &[u8]| {
        let mut file = whole.clone();
        file[at..at + bytes.len()].copy_from_slice(bytes);
        file
    };
    let cases = [
        (whole[..7].to_vec(), "GL001", 7, "header"),
        (changed(4, &[3]), "GL003", 4, "header.version"),
        (changed(8, &[0xFF; 4]), "GL001", 8, "header.length"),
        (changed(8, &[0; 4]), "GL001", 8, "header.length"),
        (changed(12, &[0xFF; 4]), "GL001", 12, "chunks[0].length"),
        (changed(16, b"BIN\0"), "GL001", 16, "chunks[0].type"),
        (changed(bin as usize, &[0xFF; 4]), "GL001", bin, "chunks[1].length"),
        (whole.clone(), "GL201", 20 + json.find('4').expect("the index") as u64, "nodes[0].mesh"),
    ];
    for (file, code, offset, field) in cases {
        let error = first_error("test.glb", &file);
        assert_eq!((error.code.id, error.place.field.as_deref()), (code, Some(field)), "{error}");
        assert_eq!(error.place.span.expect("an offset").start, offset, "{field}");
        assert_eq!(error.place.line_column, None);
    }
}

#[test]
fn numbers_that_are_not_finite_name_their_element() {
    let mut value = triangle();
    let mut bytes = vec![0; 36];
    bytes[16..20].copy_from_slice(&f32::NAN.to_le_bytes());
    value["buffers"] = json!([{ "byteLength": 36, "uri": uri(&bytes) }]);
    value["bufferViews"] = json!([{ "buffer": 0, "byteLength": 36 }]);
    value["meshes"][0]["primitives"][0] = json!({ "attributes": { "POSITION": 0 } });
    let error = first_error("test.gltf", value.to_string().as_bytes());
    assert_eq!((error.code.id, error.place.field.as_deref()), ("GL104", Some("accessors[0]")));
    assert!(error.message.contains("element 1 "), "{error}");
}

#[test]
fn all_faults_of_a_file_are_reported() {
    let mut value = triangle();
    value["nodes"] = json!([{ "mesh": 7 }, { "camera": 3 }]);
    value["images"] = json!([{}, { "uri": "../x.png" }]);
    let text = value.to_string();
    let (_, report) = try_read(Source::from_bytes("test.gltf", text.as_bytes()));
    let codes: Vec<_> = report.diagnostics().iter().map(|d| d.code.id).collect();
    assert_eq!(codes, ["GL201", "GL201", "GL105", "GL105"]);
}

#[test]
fn a_missing_image_file_is_only_a_warning() {
    let mut value = triangle();
    value["images"] = json!([{ "uri": "skin%20a.png" }]);
    let text = value.to_string();
    let (scene, report) = try_read(Source::from_bytes("test.gltf", text.as_bytes()));
    let expected = ligament::scene::ImageData::File("skin a.png".to_owned());
    assert_eq!(scene.expect("a scene").images[0].data, expected);
    assert_eq!((report.diagnostics().len(), report.diagnostics()[0].code.id), (1, "GL106"));
}

#[test]
fn the_same_data_used_very_often_is_refused_before_it_fills_the_memory() {
    let mut b = Builder::default();
    b.floats(&[0.5; 30_000], "VEC3");
    let primitives = vec![json!({ "attributes": { "POSITION": 0 } }); 5000];
    let text = b.finish(json!({ "meshes": [{ "primitives": primitives }] }));
    assert_eq!(first_error("test.gltf", text.as_bytes()).code.id, "GL006");
}
