//! One faulty file per error of the Khronos validator, named by its code. A part after a dot tells cases apart.

use super::model::*;
use base64::Engine;
use serde_json::{Value, json};

type Case = (&'static str, fn(&mut Model));

/// Every case: its name and its file.
pub fn all() -> Vec<(String, Vec<u8>)> {
    let text = JSON.iter().map(|(name, damage)| {
        let mut model = sane();
        damage(&mut model);
        ((*name).to_owned(), model.text())
    });
    let plain = PLAIN.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec()));
    text.chain(plain).chain(containers()).collect()
}

fn primitive(m: &mut Model) -> &mut Value {
    &mut m.json["meshes"][0]["primitives"][0]
}

fn remove(value: &mut Value, name: &str) {
    value.as_object_mut().expect("an object").remove(name);
}

fn accessor(m: &mut Model, index: usize) -> &mut Value {
    &mut m.json["accessors"][index]
}

fn view(m: &mut Model, of: usize) -> &mut Value {
    let view = m.json["accessors"][of]["bufferView"].as_u64().expect("a view");
    &mut m.json["bufferViews"][view as usize]
}

fn use_extension(m: &mut Model, name: &str) {
    m.json["extensionsUsed"].as_array_mut().expect("a list").push(json!(name));
}

fn image(m: &mut Model, mime: &str, bytes: &[u8]) {
    let view = m.view(bytes, 0);
    m.json["images"][0] = json!({ "bufferView": view, "mimeType": mime });
}

/// Faults in the JSON or in the numbers behind it.
const JSON: &[Case] = &[
    ("IO_ERROR", |m| m.json["images"][1] = json!({ "uri": "missing.png" })),
    ("ARRAY_LENGTH_NOT_IN_LIST", |m| m.json["nodes"][1]["translation"] = json!([1, 2])),
    ("ARRAY_LENGTH_NOT_IN_LIST.bounds", |m| accessor(m, POSITIONS)["min"] = json!([0, 0])),
    ("ARRAY_TYPE_MISMATCH", |m| m.json["nodes"][1]["scale"] = json!([1, "2", 1])),
    ("ARRAY_TYPE_MISMATCH.weights", |m| m.json["meshes"][0]["weights"] = json!([null])),
    ("DUPLICATE_ELEMENTS", |m| m.json["scenes"][0]["nodes"] = json!([0, 3, 4, 6, 0])),
    ("DUPLICATE_ELEMENTS.texts", |m| use_extension(m, "KHR_texture_transform")),
    ("EMPTY_ENTITY", |m| m.json["scenes"] = json!([])),
    ("EMPTY_ENTITY.children", |m| m.json["nodes"][2]["children"] = json!([])),
    ("EMPTY_ENTITY.attributes", |m| m.json["meshes"][1]["primitives"][0]["attributes"] = json!({})),
    ("EMPTY_ENTITY.targets", |m| primitive(m)["targets"] = json!([])),
    ("INVALID_INDEX", |m| m.json["nodes"][6]["mesh"] = json!(-1)),
    ("INVALID_INDEX.attribute", |m| primitive(m)["attributes"]["_A"] = json!("0")),
    ("INVALID_URI", |m| m.json["images"][1]["uri"] = json!(":/x.png")),
    ("INVALID_URI.type", |m| {
        m.json["images"][1]["uri"] = json!("data:image/png;base64,AAAAAAAAAAAAAAAAAAAA")
    }),
    ("ONE_OF_MISMATCH", |m| m.json["images"][0]["uri"] = m.json["images"][1]["uri"].clone()),
    ("ONE_OF_MISMATCH.camera", |m| {
        m.json["cameras"][0]["orthographic"] = m.json["cameras"][1]["orthographic"].clone();
    }),
    ("PATTERN_MISMATCH", |m| m.json["asset"]["minVersion"] = json!("two")),
    ("TYPE_MISMATCH", |m| m.json["nodes"][0]["name"] = json!(7)),
    ("TYPE_MISMATCH.null", |m| accessor(m, POSITIONS)["normalized"] = json!(null)),
    ("TYPE_MISMATCH.extension", |m| m.json["materials"][0]["extensions"]["KHR_materials_ior"] = json!(1)),
    ("UNDEFINED_PROPERTY", |m| remove(&mut m.json["animations"][0]["samplers"][1], "output")),
    ("UNDEFINED_PROPERTY.light", |m| {
        remove(&mut m.json["nodes"][4]["extensions"]["KHR_lights_punctual"], "light")
    }),
    ("UNSATISFIED_DEPENDENCY", |m| {
        m.json["nodes"][0]["weights"] = json!([1]);
    }),
    ("UNSATISFIED_DEPENDENCY.offset", |m| {
        accessor(m, NORMALS)["byteOffset"] = json!(0);
        remove(accessor(m, NORMALS), "bufferView");
    }),
    ("UNSATISFIED_DEPENDENCY.lights", |m| remove(&mut m.json["extensions"], "KHR_lights_punctual")),
    ("VALUE_MULTIPLE_OF", |m| view(m, TANGENTS)["byteStride"] = json!(18)),
    ("VALUE_NOT_IN_RANGE", |m| m.json["materials"][0]["pbrMetallicRoughness"]["roughnessFactor"] = json!(2)),
    ("VALUE_NOT_IN_RANGE.ior", |m| {
        m.json["materials"][0]["extensions"]["KHR_materials_ior"]["ior"] = json!(0.5);
    }),
    ("ACCESSOR_MATRIX_ALIGNMENT", |m| accessor(m, BINDS)["byteOffset"] = json!(2)),
    ("ACCESSOR_NORMALIZED_INVALID", |m| accessor(m, NORMALS)["normalized"] = json!(true)),
    ("ACCESSOR_OFFSET_ALIGNMENT", |m| accessor(m, INDICES)["byteOffset"] = json!(1)),
    ("ACCESSOR_SPARSE_COUNT_OUT_OF_RANGE", |m| accessor(m, SPARSE)["sparse"]["count"] = json!(4)),
    ("ASSET_MIN_VERSION_GREATER_THAN_VERSION", |m| m.json["asset"]["minVersion"] = json!("2.1")),
    ("BUFFER_DATA_URI_MIME_TYPE_INVALID", |m| {
        m.json = m.whole();
        let uri = m.json["buffers"][0]["uri"]
            .as_str()
            .expect("a text")
            .replace("application/octet-stream", "text/plain");
        m.json["buffers"][0]["uri"] = json!(uri);
    }),
    ("BUFFER_VIEW_INVALID_BYTE_STRIDE", |m| view(m, INDICES)["byteStride"] = json!(4)),
    ("BUFFER_VIEW_TOO_BIG_BYTE_STRIDE", |m| view(m, UVS)["byteStride"] = json!(28)),
    ("CAMERA_XMAG_YMAG_ZERO", |m| m.json["cameras"][1]["orthographic"]["xmag"] = json!(0)),
    ("CAMERA_ZFAR_LEQUAL_ZNEAR", |m| m.json["cameras"][0]["perspective"]["zfar"] = json!(0.1)),
    ("INVALID_GL_VALUE", |m| accessor(m, JOINTS)["max"] = json!([0, 256, 0, 0])),
    ("KHR_ANIMATION_POINTER_ANIMATION_CHANNEL_TARGET_NODE", |m| {
        use_extension(m, "KHR_animation_pointer");
        let extension = json!({ "KHR_animation_pointer": { "pointer": "/nodes/1/translation" } });
        m.json["animations"][0]["channels"][0]["target"] =
            json!({ "node": 1, "path": "pointer", "extensions": extension });
    }),
    ("KHR_ANIMATION_POINTER_ANIMATION_CHANNEL_TARGET_PATH", |m| {
        use_extension(m, "KHR_animation_pointer");
        let extension = json!({ "KHR_animation_pointer": { "pointer": "/nodes/1/translation" } });
        m.json["animations"][0]["channels"][0]["target"] =
            json!({ "path": "translation", "extensions": extension });
    }),
    ("PATTERN_MISMATCH.pointer", |m| {
        use_extension(m, "KHR_animation_pointer");
        let extension = json!({ "KHR_animation_pointer": { "pointer": "nodes" } });
        m.json["animations"][0]["channels"][0]["target"] =
            json!({ "path": "pointer", "extensions": extension });
    }),
    ("KHR_LIGHTS_PUNCTUAL_LIGHT_SPOT_ANGLES", |m| {
        m.json["extensions"]["KHR_lights_punctual"]["lights"][0]["spot"]["innerConeAngle"] = json!(0.5);
    }),
    ("MESH_INVALID_WEIGHTS_COUNT", |m| m.json["meshes"][0]["weights"] = json!([1, 1])),
    ("MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT", |m| {
        let other = m.json["meshes"][1]["primitives"][0].clone();
        m.json["meshes"][0]["primitives"].as_array_mut().expect("a list").push(other);
    }),
    ("MESH_PRIMITIVE_INDEXED_SEMANTIC_CONTINUITY", |m| primitive(m)["attributes"]["TEXCOORD_2"] = json!(UVS)),
    ("MESH_PRIMITIVE_INVALID_ATTRIBUTE", |m| primitive(m)["attributes"]["OWN"] = json!(NORMALS)),
    ("MESH_PRIMITIVE_INVALID_ATTRIBUTE.zero", |m| primitive(m)["attributes"]["COLOR_01"] = json!(COLORS)),
    ("MESH_PRIMITIVE_INVALID_ATTRIBUTE.target", |m| primitive(m)["targets"][0]["JOINTS_0"] = json!(JOINTS)),
    ("MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH", |m| remove(&mut primitive(m)["attributes"], "WEIGHTS_0")),
    ("NODE_MATRIX_NON_TRS", |m| m.json["nodes"][2]["matrix"][4] = json!(1)),
    ("NODE_MATRIX_NON_TRS.flat", |m| m.json["nodes"][2]["matrix"][0] = json!(0)),
    ("NODE_MATRIX_TRS", |m| m.json["nodes"][2]["scale"] = json!([1, 1, 1])),
    ("NODE_SKIN_NO_SCENE", |m| m.json["scenes"][0]["nodes"] = json!([3, 4, 6])),
    ("NON_REQUIRED_EXTENSION", |m| use_extension(m, "KHR_mesh_quantization")),
    ("ROTATION_NON_UNIT", |m| m.json["nodes"][1]["rotation"] = json!([0, 0, 0, 0.98])),
    ("SKIN_NO_COMMON_ROOT", |m| m.json["skins"][0] = json!({ "joints": [1, 4] })),
    ("SKIN_SKELETON_INVALID", |m| m.json["skins"][0]["skeleton"] = json!(2)),
    ("UNKNOWN_ASSET_MAJOR_VERSION", |m| m.json["asset"]["version"] = json!("3.0")),
    ("UNUSED_EXTENSION_REQUIRED", |m| m.json["extensionsRequired"] = json!(["KHR_materials_sheen"])),
    ("ACCESSOR_SMALL_BYTESTRIDE", |m| view(m, TANGENTS)["byteStride"] = json!(12)),
    ("ACCESSOR_TOO_LONG", |m| accessor(m, COLORS)["count"] = json!(4)),
    ("ACCESSOR_TOTAL_OFFSET_ALIGNMENT", |m| {
        let offset = view(m, INDICES)["byteOffset"].as_u64().expect("an offset");
        view(m, INDICES)["byteOffset"] = json!(offset + 1);
    }),
    ("ACCESSOR_USAGE_OVERRIDE", |m| m.json["animations"][0]["samplers"][3]["output"] = json!(TIMES)),
    ("ANIMATION_CHANNEL_TARGET_NODE_MATRIX", |m| {
        m.json["animations"][0]["channels"][0]["target"]["node"] = json!(2)
    }),
    ("ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS", |m| {
        m.json["animations"][0]["channels"][3]["target"]["node"] = json!(6);
    }),
    ("ANIMATION_DUPLICATE_TARGETS", |m| {
        let channel = m.json["animations"][0]["channels"][0].clone();
        m.json["animations"][0]["channels"].as_array_mut().expect("a list").push(channel);
    }),
    ("ANIMATION_SAMPLER_ACCESSOR_WITH_BYTESTRIDE", |m| view(m, TURNS)["byteStride"] = json!(16)),
    ("ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT", |m| {
        accessor(m, TIMES)["componentType"] = json!(5125);
        remove(accessor(m, TIMES), "min");
        remove(accessor(m, TIMES), "max");
    }),
    ("ANIMATION_SAMPLER_INPUT_ACCESSOR_TOO_FEW_ELEMENTS", |m| {
        accessor(m, TIMES)["count"] = json!(1);
        accessor(m, TIMES)["max"] = json!([0]);
    }),
    ("ANIMATION_SAMPLER_INPUT_ACCESSOR_WITHOUT_BOUNDS", |m| remove(accessor(m, TIMES), "min")),
    ("ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT", |m| accessor(m, TURNS)["count"] = json!(2)),
    ("ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT", |m| {
        m.json["animations"][0]["channels"][0]["sampler"] = json!(1);
    }),
    ("BUFFER_VIEW_TARGET_OVERRIDE", |m| view(m, INDICES)["target"] = json!(34962)),
    ("BUFFER_VIEW_TOO_LONG", |m| view(m, POSITIONS)["byteLength"] = json!(1_000_000)),
    ("IMAGE_BUFFER_VIEW_WITH_BYTESTRIDE", |m| {
        let view = m.json["images"][0]["bufferView"].as_u64().expect("a view") as usize;
        m.json["bufferViews"][view]["byteStride"] = json!(4);
    }),
    ("INVALID_IBM_ACCESSOR_COUNT", |m| accessor(m, BINDS)["count"] = json!(1)),
    ("KHR_MATERIALS_VARIANTS_NON_UNIQUE_VARIANT", |m| {
        let mappings = &mut primitive(m)["extensions"]["KHR_materials_variants"]["mappings"];
        let first = mappings[0].clone();
        mappings.as_array_mut().expect("a list").push(first);
    }),
    ("MESH_PRIMITIVE_ACCESSOR_UNALIGNED", |m| {
        let view = m.view(&[0; 9], 34962);
        let odd =
            m.accessor(json!({ "bufferView": view, "componentType": 5121, "type": "VEC3", "count": 3 }));
        primitive(m)["attributes"]["_A"] = json!(odd);
    }),
    ("MESH_PRIMITIVE_ACCESSOR_WITHOUT_BYTESTRIDE", |m| {
        let view = accessor(m, NORMALS)["bufferView"].clone();
        let same =
            m.accessor(json!({ "bufferView": view, "componentType": 5126, "type": "VEC3", "count": 3 }));
        primitive(m)["attributes"]["_A"] = json!(same);
    }),
    ("MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT", |m| {
        primitive(m)["attributes"]["NORMAL"] = json!(TANGENTS)
    }),
    ("MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_UNSIGNED_INT", |m| {
        let view = m.view(&[0; 12], 34962);
        let long =
            m.accessor(json!({ "bufferView": view, "componentType": 5125, "type": "SCALAR", "count": 3 }));
        primitive(m)["attributes"]["_A"] = json!(long);
    }),
    ("MESH_PRIMITIVE_INDICES_ACCESSOR_INVALID_FORMAT", |m| {
        accessor(m, INDICES)["componentType"] = json!(5122)
    }),
    ("MESH_PRIMITIVE_INDICES_ACCESSOR_WITH_BYTESTRIDE", |m| {
        remove(view(m, INDICES), "target");
        view(m, INDICES)["byteStride"] = json!(4);
    }),
    ("MESH_PRIMITIVE_MORPH_TARGET_INVALID_ATTRIBUTE_COUNT", |m| accessor(m, DELTAS)["count"] = json!(2)),
    ("MESH_PRIMITIVE_MORPH_TARGET_NO_BASE_ACCESSOR", |m| {
        primitive(m)["targets"][0]["COLOR_1"] = json!(COLORS)
    }),
    ("MESH_PRIMITIVE_NO_TANGENT_SPACE", |m| {
        remove(&mut m.json["materials"][0], "normalTexture");
        remove(&mut primitive(m)["attributes"], "TANGENT");
    }),
    ("MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS", |m| remove(accessor(m, POSITIONS), "max")),
    ("MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS.target", |m| remove(accessor(m, DELTAS), "max")),
    ("MESH_PRIMITIVE_TOO_FEW_TEXCOORDS", |m| {
        m.json["materials"][0]["emissiveTexture"]["texCoord"] = json!(1)
    }),
    ("MESH_PRIMITIVE_TOO_FEW_TEXCOORDS.transform", |m| {
        let texture = &mut m.json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"];
        texture["extensions"]["KHR_texture_transform"]["texCoord"] = json!(1);
    }),
    ("MESH_PRIMITIVE_TOO_FEW_TEXCOORDS.extension", |m| {
        let extensions = &mut m.json["materials"][0]["extensions"];
        extensions["KHR_materials_clearcoat"]["clearcoatTexture"] = json!({ "index": 0, "texCoord": 1 });
    }),
    ("MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT", |m| accessor(m, UVS)["count"] = json!(2)),
    ("NODE_LOOP", |m| m.json["nodes"][2]["children"] = json!([1])),
    ("NODE_PARENT_OVERRIDE", |m| m.json["nodes"][4]["children"] = json!([5, 2])),
    ("NODE_SKIN_WITH_NON_SKINNED_MESH", |m| m.json["nodes"][6]["skin"] = json!(0)),
    ("NODE_WEIGHTS_INVALID", |m| m.json["nodes"][3]["weights"] = json!([1, 2])),
    ("SCENE_NON_ROOT_NODE", |m| m.json["scenes"][0]["nodes"] = json!([0, 3, 4, 6, 5])),
    ("SKIN_IBM_ACCESSOR_WITH_BYTESTRIDE", |m| view(m, BINDS)["byteStride"] = json!(64)),
    ("SKIN_IBM_INVALID_FORMAT", |m| m.json["skins"][0]["inverseBindMatrices"] = json!(13)),
    ("TEXTURE_INVALID_IMAGE_MIME_TYPE", |m| {
        use_extension(m, "EXT_texture_webp");
        m.json["images"][0]["mimeType"] = json!("image/webp");
    }),
    ("UNDECLARED_EXTENSION", |m| m.json["nodes"][0]["extensions"] = json!({ "XX_own": {} })),
    ("UNEXPECTED_EXTENSION_OBJECT", |m| {
        m.json["nodes"][0]["extensions"] = json!({ "KHR_materials_ior": {} })
    }),
    ("UNEXPECTED_EXTENSION_OBJECT.inside", |m| {
        let ior = &mut m.json["materials"][0]["extensions"]["KHR_materials_ior"];
        ior["extensions"] = json!({ "KHR_materials_ior": {} });
    }),
    ("UNRESOLVED_REFERENCE", |m| m.json["materials"][0]["occlusionTexture"]["index"] = json!(9)),
    ("UNRESOLVED_REFERENCE.variant", |m| {
        primitive(m)["extensions"]["KHR_materials_variants"]["mappings"][0]["variants"] = json!([3]);
    }),
    ("UNRESOLVED_REFERENCE.sampler", |m| m.json["animations"][0]["channels"][2]["sampler"] = json!(9)),
    ("ACCESSOR_ANIMATION_INPUT_NEGATIVE", |m| {
        m.put(TIMES, 0, -1.0);
        accessor(m, TIMES)["min"] = json!([-1]);
    }),
    ("ACCESSOR_ANIMATION_INPUT_NON_INCREASING", |m| m.put(TIMES, 1, 2.0)),
    ("ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION", |m| m.put(TURNS, 7, 0.55)),
    ("ACCESSOR_ELEMENT_OUT_OF_MAX_BOUND", |m| accessor(m, POSITIONS)["max"] = json!([1, 0.5, 0])),
    ("ACCESSOR_ELEMENT_OUT_OF_MIN_BOUND", |m| accessor(m, POSITIONS)["min"] = json!([0, 0.5, 0])),
    ("ACCESSOR_INDEX_OOB", |m| m.patch(INDICES, 4, &[3, 0])),
    ("ACCESSOR_INDEX_PRIMITIVE_RESTART", |m| m.patch(INDICES, 4, &[255, 255])),
    ("ACCESSOR_INVALID_FLOAT", |m| m.put(COLORS, 3, f32::NAN)),
    ("ACCESSOR_INVALID_FLOAT.unused", |m| {
        m.floats(&[1.0, f32::INFINITY], "SCALAR", 2, 0);
    }),
    ("ACCESSOR_INVALID_IBM", |m| m.put(BINDS, 3, 1.0)),
    ("ACCESSOR_INVALID_SIGN", |m| m.put(TANGENTS, 3, 0.5)),
    ("ACCESSOR_JOINTS_INDEX_DUPLICATE", |m| m.patch(JOINTS, 0, &[1, 1])),
    ("ACCESSOR_JOINTS_INDEX_OOB", |m| m.patch(JOINTS, 0, &[2])),
    ("ACCESSOR_MAX_MISMATCH", |m| accessor(m, POSITIONS)["max"] = json!([1, 2, 0])),
    ("ACCESSOR_MIN_MISMATCH", |m| accessor(m, POSITIONS)["min"] = json!([0, -2, 0])),
    ("ACCESSOR_NON_CLAMPED", |m| m.put(COLORS, 0, 1.5)),
    ("ACCESSOR_SPARSE_INDEX_OOB", |m| {
        let view = accessor(m, SPARSE)["sparse"]["indices"]["bufferView"].as_u64().expect("a view") as usize;
        let start = m.json["bufferViews"][view]["byteOffset"].as_u64().expect("an offset") as usize;
        m.bytes[start] = 3;
    }),
    ("ACCESSOR_SPARSE_INDICES_NON_INCREASING", |m| {
        let (indices, values) = (m.view(&[1, 0, 1, 0], 0), m.view(&[0; 24], 0));
        let sparse = &mut accessor(m, SPARSE)["sparse"];
        sparse["count"] = json!(2);
        sparse["indices"]["bufferView"] = json!(indices);
        sparse["values"]["bufferView"] = json!(values);
    }),
    ("ACCESSOR_VECTOR3_NON_UNIT", |m| m.put(NORMALS, 2, 0.9)),
    ("ACCESSOR_WEIGHTS_NEGATIVE", |m| m.put(WEIGHTS, 0, -0.5)),
    ("ACCESSOR_WEIGHTS_NON_NORMALIZED", |m| m.put(WEIGHTS, 0, 1.255)),
    ("BUFFER_BYTE_LENGTH_MISMATCH", |m| {
        m.json = m.whole();
        m.json["buffers"][0]["byteLength"] = json!(m.bytes.len() + 1);
    }),
    ("IMAGE_DATA_INVALID", |m| {
        let mut png = base64::engine::general_purpose::STANDARD.decode(WHITE_START).expect("base64");
        png[11] = 12;
        image(m, "image/png", &png);
    }),
    ("IMAGE_DATA_INVALID.jpeg", |m| {
        image(m, "image/jpeg", &[255, 216, 255, 224, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0])
    }),
    ("IMAGE_MIME_TYPE_INVALID", |m| m.json["images"][0]["mimeType"] = json!("image/jpeg")),
    ("IMAGE_NON_ENABLED_MIME_TYPE", |m| {
        let mut webp = b"RIFF\x16\0\0\0WEBPVP8L\x0a\0\0\0\x2f\0\0\0\0".to_vec();
        webp.resize(30, 0);
        image(m, "image/webp", &webp);
    }),
    ("IMAGE_UNEXPECTED_EOS", |m| {
        let png = base64::engine::general_purpose::STANDARD.decode(WHITE_START).expect("base64");
        image(m, "image/png", &png);
    }),
];

/// The first bytes of a PNG, in the middle of its header.
const WHITE_START: &str = "iVBORw0KGgoAAAANSUhEUgAAAAE=";

/// Files that are not even JSON objects.
const PLAIN: &[(&str, &str)] = &[
    ("INVALID_JSON", "{\"asset\": {\"version\": \"2.0\"},}"),
    ("INVALID_JSON.end", "{\"asset\": {\"version\": \"2.0\"}"),
];

/// Faults of the GLB container.
fn containers() -> Vec<(String, Vec<u8>)> {
    let model = sane();
    let chunks = model.chunks();
    let whole = model.glb();
    let changed = |at: usize, bytes: &[u8]| {
        let mut file = whole.clone();
        file[at..at + bytes.len()].copy_from_slice(bytes);
        file
    };
    let longer = |more: u32| changed(8, &(whole.len() as u32 + more).to_le_bytes());
    let mut odd = chunks.clone();
    odd[0].1.push(b' ');
    let bin = (chunks[1].0, chunks[1].1.clone());
    vec![
        ("BUFFER_MISSING_GLB_DATA", glb(&chunks[..1])),
        ("GLB_CHUNK_LENGTH_UNALIGNED", glb(&odd)),
        ("GLB_CHUNK_TOO_BIG", changed(12, &(whole.len() as u32).to_le_bytes())),
        ("GLB_DUPLICATE_CHUNK", glb(&[chunks[0].clone(), bin.clone(), bin.clone()])),
        ("GLB_EMPTY_CHUNK", glb(&[(b"JSON", Vec::new()), bin.clone()])),
        ("GLB_INVALID_MAGIC", changed(0, b"glTf")),
        ("GLB_INVALID_VERSION", changed(4, &[3])),
        ("GLB_LENGTH_MISMATCH", longer(4)),
        ("GLB_LENGTH_TOO_SMALL", changed(8, &[8, 0, 0, 0])),
        ("GLB_UNEXPECTED_BIN_CHUNK", glb(&[chunks[0].clone(), (b"OWN_", vec![0; 4]), bin.clone()])),
        ("GLB_UNEXPECTED_END_OF_CHUNK_DATA", whole[..whole.len() - 4].to_vec()),
        ("GLB_UNEXPECTED_END_OF_CHUNK_HEADER", [&longer(4)[..], &[0; 4]].concat()),
        ("GLB_UNEXPECTED_END_OF_HEADER", whole[..8].to_vec()),
        ("GLB_UNEXPECTED_FIRST_CHUNK", glb(&[bin, chunks[0].clone()])),
    ]
    .into_iter()
    .map(|(name, bytes)| (name.to_owned(), bytes))
    .collect()
}
