//! Every field of every file, compared with another program's decoding of the same bytes.

use crate::{files, own, read_json, valid};
use ligament::formats::bogle::tree::{self, Place};
use ligament::formats::bogle::{BoneIndices, Document};
use serde_json::{Value, json};

#[test]
fn every_field_is_as_decoded() {
    let own = own();
    let (mut documents, mut numbers) = (0, 0);
    for file in files(&own) {
        let decoded = file.with_extension("decoded.json");
        if !decoded.exists() {
            continue;
        }
        let mut expected = read_json(&decoded);
        for geometry in expected["geometries"].as_array_mut().expect("a list") {
            // The decoder's interpretation of the same bytes as above.
            geometry.as_object_mut().expect("an object").remove("bone_index_encoding");
        }
        let found = fields(&valid(&file), expected["size"].as_u64());
        for key in expected.as_object().expect("an object").keys() {
            // Facts about the decoding itself, not about the file's content.
            if !["eof_ok", "sections", "trailing", "edges"].contains(&key.as_str()) {
                numbers += same(&format!("{}: {key}", decoded.display()), &found[key], &expected[key]);
            }
        }
        documents += 1;
        let edges = edges(&valid(&file));
        // If an object is placed several times, the last place counts.
        for (object, parent) in edges.iter().enumerate() {
            let listed = expected["edges"].as_array().expect("a list");
            let last = listed.iter().rev().find(|edge| edge[1].as_u64() == Some(object as u64));
            assert_eq!(last.map(|edge| edge[0].as_i64().expect("a number")), *parent, "{}", file.display());
        }
    }
    assert_eq!(documents, 13);
    assert!(numbers > 12_000, "{numbers} numbers compared");
}

/// Compares bit by bit, and counts the numbers.
fn same(path: &str, found: &Value, expected: &Value) -> usize {
    match (found, expected) {
        (Value::Array(a), Value::Array(b)) => {
            assert_eq!(a.len(), b.len(), "{path}");
            a.iter().zip(b).enumerate().map(|(i, (a, b))| same(&format!("{path}[{i}]"), a, b)).sum()
        }
        (Value::Object(a), Value::Object(b)) => {
            let keys = |o: &serde_json::Map<String, Value>| {
                let mut keys: Vec<_> = o.keys().cloned().collect();
                keys.sort();
                keys
            };
            assert_eq!(keys(a), keys(b), "{path}");
            a.iter().map(|(key, value)| same(&format!("{path}.{key}"), value, &b[key])).sum()
        }
        (Value::Number(a), Value::Number(b)) => {
            // All numbers of the format are floats or integers of 32 bits.
            let bits = |n: &serde_json::Number| match n.as_u64() {
                Some(whole) => (whole as f32).to_bits(),
                None => (n.as_f64().expect("a number") as f32).to_bits(),
            };
            assert_eq!(bits(a), bits(b), "{path}: {a} is not {b}");
            1
        }
        _ => {
            assert_eq!(found, expected, "{path}");
            0
        }
    }
}

/// For each object its parent, -1 for the root, or nothing.
fn edges(document: &Document) -> Vec<Option<i64>> {
    let tree = tree::parse(document.tree.as_bytes(), document.objects.len()).expect("a valid tree");
    let parent = |place: &Place| match place {
        Place::Unlinked => None,
        Place::Root => Some(-1),
        Place::Below(parent) => Some(i64::from(*parent)),
    };
    tree.places.iter().map(parent).collect()
}

/// The document with the names of the decoded files.
fn fields(d: &Document, size: Option<u64>) -> Value {
    let bone = |word: u32| match d.bone_indices {
        BoneIndices::Whole => json!(word),
        BoneIndices::Float => json!(f32::from_bits(word)),
    };
    let list = |values: Vec<Value>| Value::Array(values);
    let tree = tree::parse(d.tree.as_bytes(), d.objects.len()).expect("a valid tree");
    json!({
        "counts": {
            "cameras": d.cameras.len(), "geometries": d.geometries.len(), "materials": d.materials.len(),
            "lights": d.lights.len(), "animation_collections": d.collections.len(), "objects": d.objects.len(),
        },
        "ambient": d.ambient,
        "cameras": list(d.cameras.iter().map(|c| json!({
            "type": c.kind, "name": c.name.to_text(), "w": c.width, "h": c.height,
            "near": c.near, "far": c.far, "fov": c.fov, "main": c.main,
        })).collect()),
        "geometries": list(d.geometries.iter().map(|g| json!({
            "type": 0, "name": g.name.to_text(), "indices": g.indices,
            "verts": list(g.vertices.iter().map(|v| json!({
                "p": v.position, "uv": v.uv, "n": v.normal, "t": v.tangent, "b": v.binormal,
                "bi": v.bones.map(bone), "bw": v.weights,
            })).collect()),
        })).collect()),
        "materials": list(d.materials.iter().map(|m| json!({
            "type": 0, "shader": m.shader, "name": m.name.to_text(), "ambient": m.ambient, "emissive": m.emissive,
            "diffuse": m.diffuse, "specular": m.specular, "opacity": m.numbers.opacity,
            "specular_power": m.numbers.specular_power, "reflectance": m.numbers.reflectance,
            "refraction": m.numbers.refraction, "ior": m.numbers.refractive_index,
            "bump_intensity": m.numbers.bump_intensity, "specular_scale": m.numbers.specular_scale,
            "alpha_threshold": m.numbers.alpha_threshold, "alpha_blend": m.blend,
            "textures": m.textures.iter().zip(ligament::formats::bogle::TEXTURES)
                .map(|(texture, slot)| (slot.replace(' ', "_"), json!(texture.to_text())))
                .collect::<serde_json::Map<_, _>>(),
        })).collect()),
        "lights": list(d.lights.iter().map(|l| json!({
            "type": l.kind as u8, "name": l.name.to_text(), "color": l.color, "att": l.attenuation,
            "intensity": l.intensity, "angle": l.angle,
        })).collect()),
        "animation_collections": list(d.collections.iter().map(|c| json!({
            "type": 0, "name": c.name.to_text(), "model": c.matrix,
            "bones": list(c.bones.iter().map(|b| json!({
                "pos": b.position, "rot": b.rotation, "parent": b.parent,
            })).collect()),
            "animations": list(c.animations.iter().map(|a| json!({
                "name": a.name.to_text(),
                "keyframes": list(a.keys(c.bones.len()).map(|k| json!({
                    "t": k.time, "root": k.offset, "rot": k.rotations,
                })).collect()),
            })).collect()),
        })).collect()),
        "objects": list(d.objects.iter().map(|o| json!({
            "name": o.name.to_text(), "camera": o.camera, "geometry": o.geometry, "material": o.material,
            "light": o.light, "animation": o.collection, "matrix": o.matrix,
        })).collect()),
        "tree": d.tree.to_text(),
        "unclosed": tree.open,
        "size": size,
    })
}
