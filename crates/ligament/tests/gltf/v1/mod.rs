//! glTF 1.0: Assimp's models, hand-made files, and bad input.

mod bad_input;
mod hand_made;
mod models;

use crate::shared::assimp_models;
use crate::support::{floats, options, read, try_read, uri};
use ligament::Scene;
use ligament::convert::{ConvertOptions, convert};
use ligament::formats::Match;
use ligament::formats::gltf::FORMAT;
use ligament::io::Source;
use ligament::math::{Vec2, Vec3};
use ligament::pose::{Pose, deform};
use ligament::report::{Diagnostic, Failure, LossKind, Report, Severity};
use ligament::scene::{AlphaMode, Faces, ImageData, LightKind, Local};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

/// Three vertices, interleaved: position, joints as floats, weights.
const VERTICES: [[f32; 11]; 3] = [
    [1.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0],
    [0.0, 2.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0],
    [1.0, 3.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0],
];

/// A skin of two joints with a bind shape matrix, below a node that must not count, and a clip that rotates the upper
/// one.
fn creature() -> Value {
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let mut bytes = floats(VERTICES.as_flattened());
    bytes.extend(floats(&[1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., -1., 0., 1.]));
    bytes.extend(floats(&[1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., -3., 0., 1.]));
    bytes.extend(floats(&[0.0, 1.0]));
    bytes.extend(floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, half, half]));
    bytes.extend([0, 0, 1, 0, 2, 0]);
    let at = |offset: usize, kind: &str, count: usize| {
        json!({ "bufferView": "all", "byteOffset": offset, "byteStride": if offset < 132 { 44 } else { 0 },
            "componentType": 5126, "type": kind, "count": count })
    };
    json!({
        "asset": { "version": "1.0", "copyright": "nobody" },
        "extensionsUsed": ["KHR_materials_common"],
        "scene": "main",
        "scenes": { "main": { "nodes": ["other", "arm", "body", "lamp"] } },
        "nodes": {
            "other": { "children": ["decoy"] },
            "decoy": { "jointName": "Upper", "translation": [9, 9, 9] },
            "arm": { "children": ["low"], "extras": { "kept": 1 } },
            "low": { "jointName": "Lower", "translation": [0, 1, 0], "children": ["up"] },
            "up": { "name": "hand", "jointName": "Upper", "translation": [0, 2, 0], "rotation": [0, 0, 0, 1] },
            "body": { "meshes": ["skinned"], "skin": "skin", "skeletons": ["low"], "translation": [5, 0, 0] },
            "lamp": { "extensions": { "KHR_materials_common": { "light": "bulb" } }, "camera": "eye" }
        },
        "cameras": { "eye": { "type": "perspective", "perspective": { "yfov": 0.5, "znear": 0.1, "zfar": 10 } } },
        "meshes": { "skinned": { "primitives": [{
            "attributes": { "POSITION": "positions", "JOINT": "joints", "WEIGHT": "weights" },
            "indices": "indices", "material": "paint" }] } },
        "skins": { "skin": {
            "jointNames": ["Lower", "Upper"], "inverseBindMatrices": "binds",
            "bindShapeMatrix": [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 3, 1] } },
        "animations": { "wave": {
            "parameters": { "TIME": "times", "turn": "turns" },
            "samplers": { "s": { "input": "TIME", "output": "turn", "interpolation": "LINEAR" } },
            "channels": [{ "sampler": "s", "target": { "id": "up", "path": "rotation" } }] } },
        "materials": { "paint": { "extensions": { "KHR_materials_common": {
            "technique": "BLINN", "doubleSided": true, "transparent": true,
            "values": { "ambient": [0.1, 0.2, 0.3, 1], "diffuse": [0.5, 0.25, 0.125, 1], "emission": [0, 0, 1, 1],
                "specular": "picture", "shininess": 30, "transparency": 0.5 } } } } },
        "textures": { "picture": { "source": "image", "sampler": "plain" } },
        "samplers": { "plain": {} },
        "images": { "image": { "uri": uri(include_bytes!("../white.png")) } },
        "extensions": { "KHR_materials_common": { "lights": {
            "sky": { "type": "ambient", "ambient": { "color": [0.25, 0.5, 0.75] } },
            "bulb": { "type": "spot", "spot": { "color": [1, 0.5, 0], "falloffAngle": 0.5, "linearAttenuation": 1 } } } } },
        "accessors": {
            "positions": at(0, "VEC3", 3), "joints": at(12, "VEC4", 3), "weights": at(28, "VEC4", 3),
            "binds": at(132, "MAT4", 2), "times": at(260, "SCALAR", 2), "turns": at(268, "VEC4", 2),
            "indices": { "bufferView": "all", "byteOffset": 300, "componentType": 5123, "type": "SCALAR", "count": 3 }
        },
        "bufferViews": { "all": { "buffer": "file", "byteOffset": 0, "byteLength": bytes.len() } },
        "buffers": { "file": { "byteLength": bytes.len(), "uri": uri(&bytes), "type": "arraybuffer" } }
    })
}

fn read_value(value: &Value) -> (Scene, Report) {
    let (scene, report) = try_read(Source::from_bytes("first.gltf", value.to_string().into_bytes()));
    (scene.unwrap_or_else(|f| panic!("{f:?} {:?}", report.diagnostics())), report)
}

/// The first error of a file that must be refused.
fn first_error(bytes: &[u8]) -> Diagnostic {
    let (scene, report) = try_read(Source::from_bytes("first", bytes));
    let error = report.diagnostics().iter().find(|d| d.severity == Severity::Error).expect("an error");
    let expected = if error.code.id == "GL005" { Failure::Unsupported } else { Failure::Invalid };
    assert_eq!(scene.err(), Some(expected), "{}", String::from_utf8_lossy(bytes));
    error.clone()
}

/// A binary file of version 1.
fn glb(json: &str, body: &[u8]) -> Vec<u8> {
    let mut file = b"glTF\x01\0\0\0".to_vec();
    file.extend((20 + json.len() as u32 + body.len() as u32).to_le_bytes());
    file.extend((json.len() as u32).to_le_bytes());
    file.extend([0; 4]);
    file.extend(json.bytes());
    file.extend(body);
    file
}

fn binary(buffer: &str, is_listed: bool) -> Vec<u8> {
    let positions = floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let body = [&positions, &include_bytes!("../white.png")[..]].concat();
    let mut value = json!({
        "asset": { "version": "1.0" },
        "nodes": { "n": { "meshes": ["m"] } },
        "meshes": { "m": { "primitives": [{ "attributes": { "POSITION": "p" } }] } },
        "accessors": { "p": { "bufferView": "v", "componentType": 5126, "type": "VEC3", "count": 3 } },
        "bufferViews": { "v": { "buffer": buffer, "byteOffset": 0, "byteLength": 36 },
            "w": { "buffer": buffer, "byteOffset": 36, "byteLength": body.len() - 36 } },
        "images": { "i": { "uri": "data:,", "extensions": { "KHR_binary_glTF": {
            "bufferView": "w", "mimeType": "image/png", "width": 1, "height": 1 } } } }
    });
    if is_listed {
        value["buffers"] = json!({ buffer: { "byteLength": body.len(), "uri": "data:," } });
    }
    glb(&value.to_string(), &body)
}

/// Fuzzing also starts from the files made by this module.
#[test]
fn the_fixtures_are_these_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/gltf");
    assert!(std::fs::read(folder.join("first.gltf")).expect("there") == creature().to_string().as_bytes());
    assert!(std::fs::read(folder.join("first.glb")).expect("there") == binary("binary_glTF", true));
}

fn named(scene: &Scene, name: &str) -> ligament::scene::NodeId {
    scene.node_ids().find(|n| scene.nodes[n.index()].name == name).expect(name)
}
