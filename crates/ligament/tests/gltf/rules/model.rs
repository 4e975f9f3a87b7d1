//! A valid file with one of nearly everything, which the tests damage.

use base64::Engine;
use serde_json::{Value, json};

const WHITE: &[u8] = include_bytes!("../white.png");

/// A file: its JSON without buffers, and the bytes of its only buffer.
#[derive(Clone)]
pub struct Model {
    pub json: Value,
    pub bytes: Vec<u8>,
}

/// The accessors of [`sane`].
pub const POSITIONS: usize = 0;
pub const NORMALS: usize = 1;
pub const TANGENTS: usize = 2;
pub const UVS: usize = 3;
pub const COLORS: usize = 4;
pub const JOINTS: usize = 5;
pub const WEIGHTS: usize = 6;
pub const INDICES: usize = 7;
pub const DELTAS: usize = 8;
pub const BINDS: usize = 9;
pub const TIMES: usize = 10;
pub const TURNS: usize = 12;
pub const SPARSE: usize = 15;

impl Model {
    pub fn view(&mut self, bytes: &[u8], target: u32) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let mut view = json!({ "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len() });
        if target != 0 {
            view["target"] = json!(target);
        }
        self.bytes.extend_from_slice(bytes);
        let views = self.json["bufferViews"].as_array_mut().expect("views");
        views.push(view);
        views.len() - 1
    }

    pub fn accessor(&mut self, accessor: Value) -> usize {
        let accessors = self.json["accessors"].as_array_mut().expect("accessors");
        accessors.push(accessor);
        accessors.len() - 1
    }

    fn array(&mut self, bytes: &[u8], component: u32, kind: &str, count: usize, target: u32) -> usize {
        let view = self.view(bytes, target);
        self.accessor(json!({ "bufferView": view, "componentType": component, "type": kind, "count": count }))
    }

    pub fn floats(&mut self, values: &[f32], kind: &str, count: usize, target: u32) -> usize {
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.array(&bytes, 5126, kind, count, target)
    }

    /// Overwrites the bytes of an accessor.
    pub fn patch(&mut self, accessor: usize, at: usize, bytes: &[u8]) {
        let view = self.json["accessors"][accessor]["bufferView"].as_u64().expect("a view");
        let start =
            self.json["bufferViews"][view as usize]["byteOffset"].as_u64().expect("an offset") as usize + at;
        self.bytes[start..start + bytes.len()].copy_from_slice(bytes);
    }

    /// Overwrites a float of an accessor.
    pub fn put(&mut self, accessor: usize, index: usize, value: f32) {
        self.patch(accessor, index * 4, &value.to_le_bytes());
    }

    /// The JSON with its buffer as a data URI.
    pub fn whole(&self) -> Value {
        let mut json = self.json.clone();
        let text = base64::engine::general_purpose::STANDARD.encode(&self.bytes);
        let uri = format!("data:application/octet-stream;base64,{text}");
        if json.get("buffers").is_none() {
            json["buffers"] = json!([{ "byteLength": self.bytes.len(), "uri": uri }]);
        }
        json
    }

    pub fn text(&self) -> Vec<u8> {
        self.whole().to_string().into_bytes()
    }

    /// The chunks of a GLB file: types and contents.
    pub fn chunks(&self) -> Vec<(&'static [u8; 4], Vec<u8>)> {
        let mut json = self.json.clone();
        json["buffers"] = json!([{ "byteLength": self.bytes.len() }]);
        let mut text = json.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let mut bytes = self.bytes.clone();
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        vec![(b"JSON", text), (b"BIN\0", bytes)]
    }

    pub fn glb(&self) -> Vec<u8> {
        glb(&self.chunks())
    }
}

pub fn glb(chunks: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
    let length = 12 + chunks.iter().map(|(_, bytes)| 8 + bytes.len()).sum::<usize>();
    let mut file = Vec::from(*b"glTF");
    file.extend(2_u32.to_le_bytes());
    file.extend((length as u32).to_le_bytes());
    for (kind, bytes) in chunks {
        file.extend((bytes.len() as u32).to_le_bytes());
        file.extend(*kind);
        file.extend(bytes);
    }
    file
}

const VERTICES: u32 = 34962;

#[rustfmt::skip]
const IDENTITY: [f32; 16] = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];

/// A triangle with a skin of two joints, a morph target, a clip, textures, cameras, lights and extensions.
pub fn sane() -> Model {
    let mut m = Model { json: objects(), bytes: Vec::new() };
    let corners = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let positions = m.floats(&corners, "VEC3", 3, VERTICES);
    m.json["accessors"][positions]["min"] = json!([0, 0, 0]);
    m.json["accessors"][positions]["max"] = json!([1, 1, 0]);
    m.floats(&[0.0, 0.0, 1.0].repeat(3), "VEC3", 3, VERTICES);
    m.floats(&[1.0, 0.0, 0.0, 1.0].repeat(3), "VEC4", 3, VERTICES);
    m.floats(&[0.0, 0.0, 1.0, 0.0, 0.0, 1.0], "VEC2", 3, VERTICES);
    m.floats(&[0.5, 0.5, 1.0, 1.0].repeat(3), "VEC4", 3, VERTICES);
    m.array(&[0, 1, 0, 0].repeat(3), 5121, "VEC4", 3, VERTICES);
    m.floats(&[0.5, 0.5, 0.0, 0.0].repeat(3), "VEC4", 3, VERTICES);
    m.array(&[0, 0, 1, 0, 2, 0], 5123, "SCALAR", 3, 34963);
    let deltas = m.floats(&[0.0, 0.0, 1.0].repeat(3), "VEC3", 3, VERTICES);
    m.json["accessors"][deltas]["min"] = json!([0, 0, 1]);
    m.json["accessors"][deltas]["max"] = json!([0, 0, 1]);
    m.floats(&IDENTITY.repeat(2), "MAT4", 2, 0);
    let times = m.floats(&[0.0, 1.0, 2.0], "SCALAR", 3, 0);
    m.json["accessors"][times]["min"] = json!([0]);
    m.json["accessors"][times]["max"] = json!([2]);
    m.floats(&[0.0; 9], "VEC3", 3, 0);
    m.floats(&[0.0, 0.0, 0.0, 1.0].repeat(3), "VEC4", 3, 0);
    m.floats(&[1.0; 27], "VEC3", 9, 0);
    m.floats(&[0.0, 1.0, 0.0], "SCALAR", 3, 0);
    let sparse = m.floats(&corners, "VEC3", 3, VERTICES);
    let (indices, values) = (m.view(&[1, 0], 0), m.view(&[5.0_f32; 3].map(f32::to_le_bytes).concat(), 0));
    m.json["accessors"][sparse]["min"] = json!([0, 0, 0]);
    m.json["accessors"][sparse]["max"] = json!([5, 5, 5]);
    m.json["accessors"][sparse]["sparse"] = json!({
        "count": 1,
        "indices": { "bufferView": indices, "componentType": 5123 },
        "values": { "bufferView": values },
    });
    let image = m.view(WHITE, 0);
    m.json["images"][0]["bufferView"] = json!(image);
    m
}

fn objects() -> Value {
    let text = base64::engine::general_purpose::STANDARD.encode(WHITE);
    let map = |set: u32| json!({ "index": 0, "texCoord": set });
    json!({
        "asset": { "version": "2.0" },
        "extensionsUsed": [
            "KHR_lights_punctual", "KHR_materials_clearcoat", "KHR_materials_ior", "KHR_materials_unlit",
            "KHR_materials_variants", "KHR_texture_transform",
        ],
        "extensions": {
            "KHR_lights_punctual": { "lights": [
                { "type": "spot", "color": [1, 1, 1], "intensity": 2, "range": 10,
                  "spot": { "innerConeAngle": 0.1, "outerConeAngle": 0.5 } },
                { "type": "directional" },
            ] },
            "KHR_materials_variants": { "variants": [{ "name": "v" }] },
        },
        "scene": 0,
        "scenes": [{ "nodes": [0, 3, 4, 6] }],
        "nodes": [
            { "name": "root", "children": [1] },
            { "children": [2], "translation": [0, 0, 0], "rotation": [0, 0, 0, 1], "scale": [1, 1, 1] },
            { "matrix": [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1] },
            { "mesh": 0, "skin": 0, "weights": [0.5] },
            { "camera": 0, "children": [5], "extensions": { "KHR_lights_punctual": { "light": 0 } } },
            { "camera": 1, "extensions": { "KHR_lights_punctual": { "light": 1 } } },
            { "mesh": 1 },
        ],
        "meshes": [
            { "weights": [0.25], "primitives": [{
                "attributes": {
                    "POSITION": POSITIONS, "NORMAL": NORMALS, "TANGENT": TANGENTS, "TEXCOORD_0": UVS,
                    "COLOR_0": COLORS, "JOINTS_0": JOINTS, "WEIGHTS_0": WEIGHTS,
                },
                "indices": INDICES, "material": 0, "mode": 4, "targets": [{ "POSITION": DELTAS }],
                "extensions": { "KHR_materials_variants": { "mappings": [{ "variants": [0], "material": 1 }] } },
            }] },
            { "primitives": [{ "attributes": { "POSITION": SPARSE, "_OWN": NORMALS }, "material": 2 }] },
        ],
        "materials": [
            {
                "pbrMetallicRoughness": {
                    "baseColorFactor": [1, 1, 1, 1], "baseColorTexture": {
                        "index": 0, "extensions": { "KHR_texture_transform": { "offset": [0, 0], "texCoord": 0 } },
                    },
                    "metallicFactor": 0.5, "roughnessFactor": 0.5, "metallicRoughnessTexture": map(0),
                },
                "normalTexture": { "index": 0, "scale": 2 },
                "occlusionTexture": { "index": 0, "strength": 0.5 },
                "emissiveTexture": map(0),
                "emissiveFactor": [1, 0, 0], "alphaMode": "MASK", "alphaCutoff": 0.5, "doubleSided": true,
                "extensions": {
                    "KHR_materials_clearcoat": { "clearcoatFactor": 0.5, "clearcoatNormalTexture": { "index": 0 } },
                    "KHR_materials_ior": { "ior": 1.3 },
                },
            },
            { "name": "plain" },
            { "extensions": { "KHR_materials_unlit": {} } },
        ],
        "textures": [{ "sampler": 0, "source": 0 }, { "source": 1 }],
        "images": [{ "mimeType": "image/png" }, { "uri": format!("data:image/png;base64,{text}") }],
        "samplers": [{ "magFilter": 9729, "minFilter": 9987, "wrapS": 10497, "wrapT": 33071 }],
        "cameras": [
            { "type": "perspective", "perspective": { "yfov": 1, "znear": 0.1, "zfar": 100, "aspectRatio": 1.5 } },
            { "type": "orthographic", "orthographic": { "xmag": 1, "ymag": 1, "zfar": 10, "znear": 0 } },
        ],
        "skins": [{ "joints": [0, 1], "inverseBindMatrices": BINDS, "skeleton": 0 }],
        "animations": [{
            "samplers": [
                { "input": TIMES, "output": 11, "interpolation": "LINEAR" },
                { "input": TIMES, "output": TURNS, "interpolation": "STEP" },
                { "input": TIMES, "output": 13, "interpolation": "CUBICSPLINE" },
                { "input": TIMES, "output": 14 },
            ],
            "channels": [
                { "sampler": 0, "target": { "node": 1, "path": "translation" } },
                { "sampler": 1, "target": { "node": 1, "path": "rotation" } },
                { "sampler": 2, "target": { "node": 1, "path": "scale" } },
                { "sampler": 3, "target": { "node": 3, "path": "weights" } },
            ],
        }],
        "accessors": [],
        "bufferViews": [],
    })
}
