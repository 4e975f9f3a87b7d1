//! Files that break the specification in ways that every other program reads, and limits that genuine files meet.

use super::support::{Builder, options, try_read};
use ligament::formats::ReadOptions;
use ligament::formats::gltf::FORMAT;
use ligament::io::Source;
use ligament::report::{Report, Severity};
use ligament::scene::{Projection, Scene};
use serde_json::{Value, json};

/// A triangle with a camera, as JSON.
fn triangle() -> Value {
    let mut builder = Builder::default();
    let positions = builder.floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0], "VEC3");
    let text = builder.finish(json!({
        "scene": 0, "scenes": [{ "nodes": [0] }], "nodes": [{ "mesh": 0, "camera": 0 }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": positions } }] }],
        "cameras": [{ "type": "perspective", "perspective": { "yfov": 0.5, "znear": 0.1 } }],
        "extras": { "nothing": null },
    }));
    serde_json::from_str(&text).expect("JSON")
}

fn read(text: &str) -> (Scene, Report) {
    let (scene, report) = try_read(Source::from_bytes("test.gltf", text.as_bytes()));
    (scene.unwrap_or_else(|f| panic!("{f:?} {:?}", report.diagnostics())), report)
}

/// The codes and fields of all warnings; there is nothing worse.
fn warnings(report: &Report) -> Vec<(&str, &str)> {
    assert_eq!(report.count(Severity::Error), 0);
    let place = |d: &ligament::report::Diagnostic| d.place.field.clone().map_or("", |field| field.leak());
    report.diagnostics().iter().map(|d| (d.code.id, place(d))).collect()
}

#[test]
fn null_is_read_as_absent() {
    let (plain, report) = read(&triangle().to_string());
    assert_eq!(warnings(&report), [], "null in extras is allowed");
    let mut odd = triangle();
    odd["accessors"][0]["min"] = json!([null, null, null]);
    odd["accessors"][0]["max"] = json!(null);
    odd["nodes"][0]["weights"] = json!(null);
    odd["nodes"][0]["name"] = json!(null);
    let (scene, report) = read(&odd.to_string());
    assert_eq!(scene, plain);
    let mut found = warnings(&report);
    found.sort_unstable();
    let fields = ["accessors[0].max", "accessors[0].min", "nodes[0].name", "nodes[0].weights"];
    assert_eq!(found, fields.map(|field| ("GL009", field)));
    // Only null for a required number is given a value.
    odd["cameras"][0]["perspective"]["yfov"] = json!(null);
    let (scene, _) = read(&odd.to_string());
    let Projection::Perspective { fov_y, .. } = scene.cameras[0].projection else { panic!("perspective") };
    assert_eq!(fov_y, std::f32::consts::FRAC_PI_4);
    odd["meshes"][0]["primitives"] = json!([null]);
    let (scene, report) = try_read(Source::from_bytes("test.gltf", odd.to_string().as_bytes()));
    assert!(scene.is_err() && report.diagnostics()[0].code.id == "GL002", "{:?}", report.diagnostics());
}

#[test]
fn an_integer_may_have_a_decimal_point() {
    let plain = read(&triangle().to_string()).0;
    let text =
        triangle().to_string().replace("\"count\":3", "\"count\":3.0").replace("\"mesh\":0", "\"mesh\":0.0");
    let (scene, report) = read(&text);
    assert_eq!(scene, plain);
    let found = warnings(&report);
    assert!(found.len() == 1 && found[0].0 == "GL009" && !found[0].1.is_empty(), "{found:?}");
    let (scene, report) = try_read(Source::from_bytes("test.gltf", text.replace("3.0", "3.5").as_bytes()));
    assert!(scene.is_err() && report.diagnostics()[0].code.id == "GL002", "{:?}", report.diagnostics());
}

#[test]
fn zeros_after_the_text_are_ignored() {
    let plain = read(&triangle().to_string()).0;
    let (scene, report) = read(&(triangle().to_string() + "\n\0\0"));
    assert_eq!(scene, plain);
    assert_eq!(warnings(&report), [("GL004", "")]);
}

#[test]
fn a_buffer_without_data_is_a_fault_only_if_it_is_read() {
    let mut odd = triangle();
    odd["buffers"].as_array_mut().expect("a list").push(json!({ "byteLength": 100 }));
    odd["bufferViews"].as_array_mut().expect("a list").push(json!({ "buffer": 1, "byteLength": 12 }));
    let accessor = json!({ "bufferView": 1, "componentType": 5126, "type": "VEC3", "count": 1 });
    odd["accessors"].as_array_mut().expect("a list").push(accessor);
    let (scene, report) = read(&odd.to_string());
    assert_eq!((scene, warnings(&report)), (read(&triangle().to_string()).0, vec![]));
    odd["meshes"][0]["primitives"][0]["attributes"]["NORMAL"] = json!(1);
    let (scene, report) = try_read(Source::from_bytes("test.gltf", odd.to_string().as_bytes()));
    assert!(scene.is_err() && report.diagnostics()[0].code.id == "GL101", "{:?}", report.diagnostics());
}

#[test]
fn lights_of_unknown_types_are_left_out() {
    let mut odd = triangle();
    odd["extensionsUsed"] = json!(["KHR_lights_punctual"]);
    odd["extensions"] =
        json!({ "KHR_lights_punctual": { "lights": [{ "type": "area" }, { "type": "point" }] } });
    let node = |light: usize| json!({ "extensions": { "KHR_lights_punctual": { "light": light } } });
    odd["nodes"].as_array_mut().expect("a list").extend([node(0), node(1)]);
    odd["scenes"][0]["nodes"] = json!([0, 1, 2]);
    let (scene, report) = read(&odd.to_string());
    assert_eq!(warnings(&report), [("GL206", "extensions.KHR_lights_punctual.lights[0].type")]);
    assert_eq!(scene.lights.len(), 1);
    assert_eq!(scene.nodes.iter().map(|n| n.light.map(|l| l.0)).collect::<Vec<_>>(), [None, None, Some(0)]);
}

#[test]
fn a_second_scene_is_announced_even_if_it_is_empty() {
    let mut odd = triangle();
    odd["scenes"].as_array_mut().expect("a list").push(json!({ "name": "other" }));
    let (_, report) = read(&odd.to_string());
    let [loss] = report.losses() else { panic!("{:?}", report.losses()) };
    assert_eq!((loss.code.id, loss.count), ("GL302", 1));
}

/// Like Khronos' MetalRoughSpheresNoTextures: 100 meshes that share their arrays, and a material each.
#[test]
fn many_meshes_may_share_arrays() {
    let vertices = 5000;
    let mut builder = Builder::default();
    let positions = builder.floats(&vec![0.5; 3 * vertices], "VEC3");
    let normals = builder.floats(&[0.0, 0.0, 1.0].repeat(vertices), "VEC3");
    let corners: Vec<u8> = (0..6 * vertices).flat_map(|i| ((i % vertices) as u16).to_le_bytes()).collect();
    let indices = builder.add(&corners, 5123, "SCALAR", 6 * vertices);
    let part = json!({ "attributes": { "POSITION": positions, "NORMAL": normals }, "indices": indices });
    let text = builder.finish(json!({
        "meshes": (0..100).map(|_| json!({ "primitives": [part] })).collect::<Vec<_>>(),
        "nodes": (0..100).map(|mesh| json!({ "mesh": mesh })).collect::<Vec<_>>(),
    }));
    assert!(text.len() < 300_000);
    assert_eq!(read(&text).0.vertex_count(), 100 * vertices);
    // The limit can be stated.
    let mut limited = ReadOptions { ..options() };
    limited.limits.max_memory = ligament::Memory::parse("4MiB");
    let mut report = Report::default();
    let document = FORMAT.read(Source::from_bytes("test.gltf", text.as_bytes()), &limited, &mut report);
    assert!(document.expect("a document").import(&limited, &mut report).is_err());
    let error = &report.diagnostics()[0];
    assert!(error.message.contains("limit for this file, 4 MiB"), "{error}");
    assert_eq!(error.help.as_deref(), Some("raise the limit, for example with `--max-memory 8MiB`"));
}
