//! Compressed geometry: KHR_draco_mesh_compression, EXT_meshopt_compression and KHR_meshopt_compression.
//!
//! `fixtures/gltf/RiggedSimple-meshopt*` were made from the corpus' RiggedSimple with gltfpack 1.3: `gltfpack -cf` (with
//! uncompressed data for programs without the extension), and `gltfpack -cc -ce khr -vp 16`.

use super::shared;
use super::support::{document, read, try_read, write};
use ligament::Scene;
use ligament::compare::{CompareOptions, compare};
use ligament::formats::WriteOptions;
use ligament::io::{DirFolder, MemoryOutput, Source};
use ligament::report::{LossKind, Report, Severity};
use ligament::scene::{Faces, Part};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn fixture(name: &str) -> PathBuf {
    shared::workspace().join("crates/ligament/tests/fixtures/gltf").join(name)
}

fn fnv(bytes: impl IntoIterator<Item = u8>) -> String {
    let hash = bytes
        .into_iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, b| (hash ^ u64::from(b)).wrapping_mul(0x100_0000_01b3));
    format!("{hash:016x}")
}

fn floats<'f>(values: impl IntoIterator<Item = &'f f32>) -> String {
    fnv(values.into_iter().flat_map(|v| v.to_le_bytes()))
}

/// What `fixtures/gltf/draco.mjs` prints about a primitive, without the attributes that a scene holds in another form.
fn described(part: &Part) -> String {
    let Faces::Triangles(corners) = &part.faces else { panic!("triangles") };
    let indices = fnv(corners.iter().flat_map(|c| c.to_le_bytes()));
    let positions = part.positions.iter().flat_map(|p| p.as_ref());
    let mut line =
        format!("{} {} {indices} POSITION={}", part.positions.len(), corners.len() / 3, floats(positions));
    if let Some(uvs) = part.uvs.first() {
        line += &format!(" TEXCOORD_0={}", floats(uvs.iter().flat_map(|uv| uv.as_ref())));
    }
    line
}

#[test]
fn draco_decodes_to_the_bits_of_googles_decoder() {
    let mut compared = 0;
    for line in include_str!("../fixtures/gltf/draco.txt").lines() {
        let words: Vec<_> = line.split(' ').collect();
        let folder = if words[0].starts_with("three/") { "real" } else { "real/gltf_compressed" };
        let Some(path) = shared::find(&format!("{folder}/{}", words[0])) else { continue };
        let (mesh, part) = words[1].split_once('.').expect("mesh and primitive");
        let (mesh, part): (usize, usize) = (mesh.parse().unwrap(), part.parse().unwrap());
        let kept = |word: &&&str| !["JOINTS_0=", "WEIGHTS_0=", "NORMAL="].iter().any(|n| word.starts_with(n));
        let expected: Vec<&str> = words[2..].iter().filter(kept).copied().collect();
        let (scene, report) = read(&path);
        assert!(report.diagnostics().is_empty(), "{:?}", report.diagnostics());
        assert_eq!(described(&scene.meshes[mesh].parts[part]), expected.join(" "), "{line}");
        compared += 1;
    }
    let all = shared::extra("real/three/gears.glb").is_some();
    assert_eq!(compared, if all { 10 } else { 1 });
}

/// How far two files are apart in any pose, as a part of their size, and the features that differ.
fn distance(first: &Path, second: &Path) -> f64 {
    let found = compare(&read(first).0, &read(second).0, &CompareOptions::default());
    found.worst.map_or(0.0, |worst| worst.relative)
}

/// Quantised to 11 bits along the longest side, as gltf-pipeline does, a vertex is off by half a step along each axis.
#[test]
fn draco_is_as_exact_as_its_quantisation_in_every_pose() {
    let step = 1.0 / 2047.0;
    let most = step / 2.0 * 3_f64.sqrt();
    let mut compared = 0;
    for (name, plain) in [
        ("RiggedSimple-draco/RiggedSimple.gltf", "real/gltf/RiggedSimple.glb"),
        ("CesiumMan-draco/CesiumMan.gltf", "real/gltf/CesiumMan.glb"),
        (
            "MorphPrimitivesTest-draco/MorphPrimitivesTest.gltf",
            "real/gltf_compressed/MorphPrimitivesTest/MorphPrimitivesTest.gltf",
        ),
    ] {
        let compressed = shared::find(&format!("real/gltf_compressed/{name}"));
        let (Some(compressed), Some(plain)) = (compressed, shared::find(plain)) else { continue };
        let distance = distance(&compressed, &plain);
        assert!(distance <= most, "{name}: {distance}");
        compared += 1;
    }
    let all = shared::extra("real/gltf_compressed/CesiumMan-draco/CesiumMan.gltf").is_some();
    assert_eq!(compared, if all { 3 } else { 1 });
}

/// The scene of a file without the losses that tell how it is stored.
fn scene(path: &Path) -> Scene {
    let (scene, report) = read(path);
    assert!(report.diagnostics().is_empty(), "{:?}", report.diagnostics());
    scene
}

/// Bytes in the place of a file.
fn in_place_of<'b>(path: &Path, bytes: &'b [u8]) -> Source<'b> {
    let folder = Arc::new(DirFolder::new(path.parent().unwrap()));
    Source { folder, ..Source::from_bytes("changed", bytes) }
}

/// A file's JSON, changed, with the files beside it.
fn changed(path: &Path, change: impl FnOnce(&mut Value)) -> (Option<Scene>, Report) {
    let mut json: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    change(&mut json);
    let text = json.to_string();
    let (scene, report) = try_read(in_place_of(path, text.as_bytes()));
    (scene.ok(), report)
}

fn codes(report: &Report) -> Vec<(&'static str, Severity)> {
    report.diagnostics().iter().map(|d| (d.code.id, d.severity)).collect()
}

/// A scene whose triangles start with their smallest index: the encoder may start with another corner.
fn turned(mut scene: Scene) -> Scene {
    for part in scene.meshes.iter_mut().flat_map(|m| &mut m.parts) {
        let Faces::Triangles(corners) = &mut part.faces else { panic!("triangles") };
        for triangle in corners.chunks_exact_mut(3) {
            let smallest = (0..3).min_by_key(|&i| triangle[i]).expect("three corners");
            triangle.rotate_left(smallest);
        }
    }
    scene
}

#[test]
fn meshopt_decodes_to_the_uncompressed_data_beside_it() {
    let path = fixture("RiggedSimple-meshopt.gltf");
    let changed = |path: &Path, change: &dyn Fn(&mut Value)| {
        let (scene, report) = changed(path, change);
        (scene.map(turned), report)
    };
    // Optional: the uncompressed data is read.
    let plain = turned(scene(&path));
    let (decoded, report) = changed(&path, &|json| {
        json["extensionsRequired"] = json!(["KHR_mesh_quantization", "EXT_meshopt_compression"]);
        json["buffers"][1].as_object_mut().unwrap().remove("uri");
    });
    assert_eq!((codes(&report), decoded.as_ref()), (Vec::new(), Some(&plain)));
    // Optional, without the uncompressed data.
    let (decoded, _) = changed(&path, &|json| {
        json["buffers"][1].as_object_mut().unwrap().remove("uri");
    });
    assert_eq!(decoded.as_ref(), Some(&plain));
    // Required, with uncompressed data that nobody may rely on.
    let (decoded, _) = changed(&path, &|json| {
        json["extensionsRequired"] = json!(["EXT_meshopt_compression"]);
        json["buffers"][1]["uri"] = json!("RiggedSimple-meshopt.bin");
        json["buffers"][1]["byteLength"] = json!(2000);
    });
    assert_eq!(decoded.as_ref(), Some(&plain));
}

/// gltfpack quantises to 14 or 16 bits along the longest side, normals to 8 bits, and keys to 30 per second.
#[test]
fn meshopt_is_as_exact_as_its_quantisation() {
    let original = shared::corpus("real/gltf/RiggedSimple.glb");
    for (name, bits) in [("RiggedSimple-meshopt.gltf", 14), ("RiggedSimple-meshopt-khr.glb", 16)] {
        let found = compare(&scene(&original), &scene(&fixture(name)), &CompareOptions::default());
        let at_rest = found.worst.as_ref().filter(|d| d.clip.is_none()).map_or(0.0, |d| d.relative);
        assert!(at_rest <= 1.0 / f64::from((1 << bits) - 1), "{name}: {at_rest}");
        assert!(found.worst.is_some_and(|d| d.relative < 2e-3), "{name}");
    }
}

/// Every file of the corpus with compressed views, and the number of them.
#[test]
fn meshopt_models_of_others_are_read() {
    let mut read = Vec::new();
    for (name, views, vertices) in [
        ("real/gltf_compressed/BrainStem-meshopt-ext/BrainStem.gltf", 8, 34_084),
        ("real/gltf_compressed/MeshoptCubeTest/MeshoptCubeTest.gltf", 60, 640),
        ("real/three/facecap.glb", 9, 4368),
    ] {
        let Some(path) = shared::extra(name) else { continue };
        let (scene, report) = super::support::read(&path);
        assert!(report.diagnostics().is_empty(), "{:?}", report.diagnostics());
        let loss = report.losses().iter().find(|l| l.code.id == "GL325").expect("it is announced");
        assert_eq!(
            (loss.count, &loss.kind, scene.vertex_count()),
            (views, &LossKind::Kept, vertices),
            "{name}"
        );
        read.push(name);
    }
    assert_eq!(read.len(), if shared::extra("real/three/facecap.glb").is_some() { 3 } else { 0 });
}

/// A rewrite keeps the streams, also where buffers are joined; a scene is written without them.
#[test]
fn streams_travel_unchanged_between_the_containers() {
    for path in [
        fixture("RiggedSimple-meshopt.gltf"),
        fixture("RiggedSimple-meshopt-khr.glb"),
        shared::corpus("real/gltf_compressed/RiggedSimple-draco/RiggedSimple.gltf"),
    ] {
        let plain = scene(&path);
        let bytes = std::fs::read(&path).unwrap();
        let rewrite = |source: Source<'_>, dialect: &str| {
            let (mut output, mut report) = (MemoryOutput::new("out"), Report::default());
            let written = document(source).write(dialect, &WriteOptions::default(), &mut output, &mut report);
            written.expect("a rewrite");
            let (again, report) = try_read(output.source("again"));
            assert_eq!(
                (codes(&report), again.ok().as_ref()),
                (Vec::new(), Some(&plain)),
                "{}",
                path.display()
            );
            assert!(report.losses().iter().any(|l| l.code.id == "GL325"), "the streams are there");
            output
        };
        for (first, second) in [("glb", "gltf"), ("gltf", "glb")] {
            let output = rewrite(in_place_of(&path, &bytes), first);
            rewrite(output.source("out"), second);
        }
        let (output, _) = write(plain.clone(), "gltf");
        let text = String::from_utf8(output.main).unwrap();
        assert!(!text.contains("_compression"), "{text}");
    }
}

fn draco() -> PathBuf {
    shared::corpus("real/gltf_compressed/RiggedSimple-draco/RiggedSimple.gltf")
}

/// The accessor of an attribute of the only primitive.
fn accessor<'j>(json: &'j mut Value, name: &str) -> &'j mut Value {
    let primitive = &json["meshes"][0]["primitives"][0];
    let index = if name == "indices" { &primitive["indices"] } else { &primitive["attributes"][name] };
    let index = index.as_u64().expect("an index") as usize;
    &mut json["accessors"][index]
}

#[test]
fn counts_and_types_that_disagree_with_a_stream_are_reported_and_do_not_matter() {
    let plain = scene(&draco());
    let warning = || vec![("GL108", Severity::Warning)];
    for (name, field, value) in [
        ("POSITION", "count", json!(159)),
        ("NORMAL", "count", json!(4_000_000_000_u64)),
        ("WEIGHTS_0", "type", json!("VEC3")),
        ("WEIGHTS_0", "componentType", json!(5121)),
        ("indices", "count", json!(3)),
    ] {
        let (scene, report) = changed(&draco(), |json| accessor(json, name)[field] = value);
        assert_eq!((codes(&report), scene.as_ref()), (warning(), Some(&plain)), "{name} {field}");
        let place = report.diagnostics()[0].place.field.clone().expect("a place");
        assert!(place.contains("KHR_draco_mesh_compression"), "{place}");
    }
    // Joints are integers in the stream, and fit into any type.
    let (scene, report) = changed(&draco(), |json| accessor(json, "JOINTS_0")["componentType"] = json!(5121));
    assert_eq!((codes(&report), scene.as_ref()), (Vec::new(), Some(&plain)));
    // Without indices, and as a strip, the stream's triangles are the same.
    for (field, value) in [("indices", Value::Null), ("mode", json!(5))] {
        let (scene, report) = changed(&draco(), |json| {
            let primitive = json["meshes"][0]["primitives"][0].as_object_mut().unwrap();
            primitive.remove(field);
            if !value.is_null() {
                primitive.insert(field.to_owned(), value);
            }
        });
        assert_eq!((codes(&report), scene.as_ref()), (Vec::new(), Some(&plain)), "{field}");
    }
}

/// A code, a change that causes it, and a part of its message.
type Case<'c> = (&'c str, &'c dyn Fn(&mut Value), &'c str);

#[test]
fn streams_that_cannot_be_decoded_are_refused_with_a_place() {
    let extension = |json: &mut Value, change: &dyn Fn(&mut Value)| {
        change(&mut json["meshes"][0]["primitives"][0]["extensions"]["KHR_draco_mesh_compression"]);
    };
    let view = |json: &mut Value, change: &dyn Fn(&mut Value)| {
        json["extensionsRequired"] = json!(["EXT_meshopt_compression"]);
        change(&mut json["bufferViews"][0]["extensions"]["EXT_meshopt_compression"]);
    };
    let draco_cases: [Case; 5] = [
        ("GL107", &|e| e["attributes"]["POSITION"] = json!(77), "no attribute with the id 77"),
        ("GL107", &|e| e["bufferView"] = Value::Null, "bufferView is missing"),
        ("GL201", &|e| e["bufferView"] = json!(99), "no buffer view 99"),
        ("GL107", &|e| e["bufferView"] = json!(0), "cannot be decoded"),
        ("GL002", &|e| e["attributes"] = json!(7), "expected"),
    ];
    for (code, change, text) in draco_cases {
        let (scene, report) = changed(&draco(), |json| extension(json, change));
        let first = &report.diagnostics()[0];
        assert!(scene.is_none() && first.code.id == code, "{first:?}");
        assert!(first.message.contains(text), "{first:?}");
        assert!(first.place.field.as_ref().is_some_and(|f| f.contains("KHR_draco")), "{first:?}");
    }
    let meshopt_cases: [Case; 8] = [
        ("GL107", &|e| e["mode"] = json!("TRIANGLE"), "ATTRIBUTES"),
        ("GL107", &|e| e["filter"] = json!("CUBIC"), "OCTAHEDRAL"),
        ("GL107", &|e| e["filter"] = json!("QUATERNION"), "byteStride is 4"),
        ("GL107", &|e| e["mode"] = json!("INDICES"), "starts with 0xa0"),
        ("GL107", &|e| e["count"] = json!(0), "at least 1"),
        ("GL201", &|e| e["buffer"] = json!(9), "no such buffer"),
        ("GL102", &|e| e["byteLength"] = json!(999_999), "reach past"),
        ("GL107", &|e| e["byteLength"] = json!(20), "cannot hold"),
    ];
    for (code, change, text) in meshopt_cases {
        let (scene, report) = changed(&fixture("RiggedSimple-meshopt.gltf"), |json| view(json, change));
        let found = report.diagnostics().iter().find(|d| d.code.id == code);
        let found = found.unwrap_or_else(|| panic!("{code} {:?}", report.diagnostics()));
        assert!(scene.is_none() && found.message.contains(text), "{found:?}");
        assert!(found.place.field.as_ref().is_some_and(|f| f.contains("EXT_meshopt")), "{found:?}");
    }
}

/// A primitive with two ways to its data, whose vertices stand in another order: never a mixture of both.
#[test]
fn the_uncompressed_data_of_an_optional_draco_primitive_is_preferred() {
    let path = draco();
    let plain = read(&shared::corpus("real/gltf/RiggedSimple.glb")).0;
    let (output, _) = write(plain.clone(), "gltf");
    let mut json: Value = serde_json::from_slice(&output.main).unwrap();
    let compressed: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    let source = &compressed["meshes"][0]["primitives"][0]["extensions"]["KHR_draco_mesh_compression"];
    let (buffers, views) =
        (json["buffers"].as_array().unwrap().len(), json["bufferViews"].as_array().unwrap().len());
    let mut view = compressed["bufferViews"][source["bufferView"].as_u64().unwrap() as usize].clone();
    let mut extension = source.clone();
    (extension["bufferView"], view["buffer"]) = (json!(views), json!(buffers));
    json["bufferViews"].as_array_mut().unwrap().push(view);
    let mut buffer = compressed["buffers"][0].clone();
    buffer["uri"] =
        json!(super::support::uri(&std::fs::read(path.with_file_name("RiggedSimple0.bin")).unwrap()));
    json["buffers"].as_array_mut().unwrap().push(buffer);
    json["meshes"][0]["primitives"][0]["extensions"] = json!({ "KHR_draco_mesh_compression": extension });
    json["extensionsUsed"] = json!(["KHR_draco_mesh_compression"]);
    let read = |json: &Value| {
        let mut changed = output.clone();
        changed.main = json.to_string().into_bytes();
        let (scene, report) = try_read(changed.source("both.gltf"));
        scene.unwrap_or_else(|_| panic!("{:?}", report.diagnostics()))
    };
    let with = |scene: &Scene| scene.meshes[0].parts[0].positions.clone();
    assert_eq!(with(&read(&json)), with(&plain));
    // Where one accessor has no data of its own, all come from the stream.
    let index = json["meshes"][0]["primitives"][0]["attributes"]["NORMAL"].as_u64().unwrap() as usize;
    json["accessors"][index].as_object_mut().unwrap().remove("bufferView");
    json["accessors"][index].as_object_mut().unwrap().remove("byteOffset");
    assert_eq!(with(&read(&json)), with(&scene(&path)));
    json["extensionsRequired"] = json!(["KHR_draco_mesh_compression"]);
    assert_eq!(with(&read(&json)), with(&scene(&path)));
}
