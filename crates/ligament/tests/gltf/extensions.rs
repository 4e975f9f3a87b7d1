//! Extensions that a scene has no fields for travel to a glTF target as their JSON, with their indices renumbered.

use super::support::{Builder, assert_valid, place, read_text, try_read, uri, write};
use ligament::io::Source;
use ligament::report::{Failure, Report};
use ligament::scene::Scene;
use serde_json::{Value, json};

/// A triangle with two sets of texture coordinates, in three meshes, and `rest`.
fn file(rest: Value) -> String {
    let mut builder = Builder::default();
    let positions = builder.floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0], "VEC3");
    let uvs = builder.floats(&[0.0, 0.0, 1.0, 0.0, 0.0, 1.0], "VEC2");
    let normals = builder.floats(&[0.0, 0.0, 1.0].repeat(3), "VEC3");
    let tangents = builder.floats(&[1.0, 0.0, 0.0, 1.0].repeat(3), "VEC4");
    let mut text: Value = serde_json::from_str(&builder.finish(rest)).expect("JSON");
    text["accessors"][positions]["min"] = json!([0, 0, 0]);
    text["accessors"][positions]["max"] = json!([1, 1, 0]);
    let attributes = json!({
        "POSITION": positions, "NORMAL": normals, "TANGENT": tangents, "TEXCOORD_0": uvs, "TEXCOORD_1": uvs,
    });
    for mesh in text["meshes"].as_array_mut().into_iter().flatten() {
        for primitive in mesh["primitives"].as_array_mut().into_iter().flatten() {
            primitive["attributes"] = attributes.clone();
        }
    }
    text.to_string()
}

fn png() -> Value {
    json!({ "uri": uri(include_bytes!("white.png")).replace("application/octet-stream", "image/png") })
}

/// Writes a scene as `.glb`, checks it with Khronos' validator, and returns its JSON and the report.
fn written(scene: Scene) -> (Value, Report) {
    let (output, report) = write(scene, "glb");
    let folder = tempfile::tempdir().expect("a folder");
    assert_valid(&[place(&output, folder.path(), "out.glb")]);
    let length = u32::from_le_bytes(output.main[12..16].try_into().expect("four bytes")) as usize;
    (serde_json::from_slice(&output.main[20..20 + length]).expect("JSON"), report)
}

/// The materials of Khronos' extensions. `t` is the index of the texture that they use.
fn materials(t: usize) -> Value {
    let texture = json!({ "index": t, "texCoord": 1 });
    let moved = json!({
        "index": t,
        "extensions": { "KHR_texture_transform": { "offset": [0.5, 0.25], "rotation": 0.5 } },
    });
    json!([
        { "extensions": {
            "KHR_materials_transmission": { "transmissionFactor": 0.5, "transmissionTexture": texture },
            "KHR_materials_volume": {
                "thicknessFactor": 2, "thicknessTexture": texture, "attenuationDistance": 3,
                "attenuationColor": [1, 0.5, 0.25],
            },
            "KHR_materials_ior": { "ior": 2 },
            "KHR_materials_dispersion": { "dispersion": 1 },
        } },
        { "extensions": {
            "KHR_materials_clearcoat": {
                "clearcoatFactor": 1, "clearcoatTexture": moved, "clearcoatRoughnessFactor": 0.25,
                "clearcoatRoughnessTexture": texture,
                "clearcoatNormalTexture": { "index": t, "scale": 2 },
            },
            "KHR_materials_sheen": {
                "sheenColorFactor": [0.5, 0.5, 0.5], "sheenColorTexture": texture, "sheenRoughnessFactor": 0.5,
                "sheenRoughnessTexture": texture,
            },
            "KHR_materials_anisotropy": {
                "anisotropyStrength": 0.5, "anisotropyRotation": 1, "anisotropyTexture": texture,
            },
            "KHR_materials_iridescence": {
                "iridescenceFactor": 1, "iridescenceTexture": texture, "iridescenceIor": 1.5,
                "iridescenceThicknessMinimum": 100, "iridescenceThicknessMaximum": 400,
                "iridescenceThicknessTexture": texture,
            },
        } },
        { "extensions": { "KHR_materials_unlit": {} } },
        { "emissiveFactor": [1, 1, 1], "extensions": {
            "KHR_materials_emissive_strength": { "emissiveStrength": 5 },
            "KHR_materials_specular": { "specularFactor": 0.5, "specularColorTexture": texture },
        } },
    ])
}

const MATERIALS: [&str; 12] = [
    "KHR_materials_anisotropy",
    "KHR_materials_clearcoat",
    "KHR_materials_dispersion",
    "KHR_materials_emissive_strength",
    "KHR_materials_ior",
    "KHR_materials_iridescence",
    "KHR_materials_sheen",
    "KHR_materials_specular",
    "KHR_materials_transmission",
    "KHR_materials_unlit",
    "KHR_materials_variants",
    "KHR_materials_volume",
];

/// A model whose first texture has no image, so that the scene's textures are numbered differently.
fn shiny() -> Value {
    let variant = |material: usize| json!({ "KHR_materials_variants": { "mappings": [{ "material": material, "variants": [0, 1] }] } });
    json!({
        "extensionsUsed": MATERIALS.iter().chain(&["KHR_texture_transform"]).collect::<Vec<_>>(),
        "extensionsRequired": ["KHR_materials_variants"],
        "extensions": { "KHR_materials_variants": { "variants": [{ "name": "day" }, { "name": "night" }] } },
        "scene": 0, "scenes": [{ "nodes": [0] }], "nodes": [{ "mesh": 0 }],
        "meshes": [{ "primitives": [
            { "material": 0, "extensions": variant(1) }, { "material": 1, "extensions": variant(3) },
            { "material": 2 }, { "material": 3 },
        ] }],
        "materials": materials(2),
        "textures": [{}, { "source": 0 }, { "source": 1 }],
        "images": [png(), png()],
    })
}

#[test]
fn extensions_of_materials_survive_with_their_textures() {
    let scene = read_text(&file(shiny()));
    let (json, report) = written(scene.clone());
    assert!(report.losses().is_empty(), "{:?}", report.losses());
    for (written, expected) in
        json["materials"].as_array().expect("a list").iter().zip(materials(1).as_array().expect("a list"))
    {
        assert_eq!(written["extensions"], expected["extensions"]);
    }
    assert_eq!(json["materials"].as_array().map(Vec::len), Some(4));
    let source = shiny();
    assert_eq!(json["extensions"], source["extensions"]);
    assert_eq!(json["extensionsUsed"], source["extensionsUsed"]);
    assert_eq!(json["extensionsRequired"], source["extensionsRequired"]);
    for (written, source) in json["meshes"][0]["primitives"]
        .as_array()
        .expect("a list")
        .iter()
        .zip(source["meshes"][0]["primitives"].as_array().expect("a list"))
    {
        assert_eq!(written["extensions"], source["extensions"]);
    }
    // What is written gives the same scene again.
    let (output, _) = write(scene.clone(), "glb");
    assert_eq!(try_read(output.source("out")).0, Ok(scene));
}

#[test]
fn indices_follow_objects_that_move() {
    let mut scene = read_text(&file(shiny()));
    // Another texture and another material come first, as a pass or a script may do.
    let texture = scene.textures[0].clone();
    scene.textures.insert(0, texture);
    scene.materials.insert(0, Default::default());
    for part in &mut scene.meshes[0].parts {
        part.material.as_mut().expect("a material").0 += 1;
    }
    scene.materials[4].pbr.as_mut().and_then(|p| p.specular.as_mut()).expect("specular").color_texture = None;
    let (json, report) = written(scene);
    assert!(report.losses().is_empty(), "{:?}", report.losses());
    let sheen = &json["materials"][2]["extensions"]["KHR_materials_sheen"];
    assert_eq!(sheen["sheenColorTexture"], json!({ "index": 2, "texCoord": 1 }));
    let mapping = &json["meshes"][0]["primitives"][0]["extensions"]["KHR_materials_variants"]["mappings"][0];
    assert_eq!(mapping["material"], 2);
}

#[test]
fn an_index_that_is_lost_is_never_written() {
    let mut scene = read_text(&file(shiny()));
    // Without the second texture, which all extensions use, and without the material of a variant.
    scene.textures.truncate(1);
    scene.materials.truncate(3);
    scene.meshes[0].parts.truncate(3);
    let (json, report) = written(scene);
    let clearcoat = &json["materials"][1]["extensions"]["KHR_materials_clearcoat"];
    assert_eq!(*clearcoat, json!({ "clearcoatFactor": 1, "clearcoatRoughnessFactor": 0.25 }));
    let primitives = &json["meshes"][0]["primitives"];
    assert_eq!(primitives[0]["extensions"]["KHR_materials_variants"]["mappings"][0]["material"], 1);
    assert_eq!(primitives[1].get("extensions"), None);
    let loss = report.losses().iter().find(|l| l.code.id == "GL301").expect("a loss");
    assert!(loss.count == 1 && loss.message.contains("KHR_materials_variants"), "{loss:?}");
}

#[test]
fn unknown_extensions_are_kept_only_without_integers() {
    let text = file(json!({
        "extensionsUsed": ["ACME_tag", "ACME_link", "ACME_materials_baked"],
        "materials": [{ "extensions": { "ACME_materials_baked": { "data": [{ "bufferView": 0 }] } } }],
        "extensions": { "ACME_tag": { "root": "yes" } },
        "scene": 0,
        "scenes": [{ "nodes": [0], "extensions": { "ACME_tag": { "scene": 0.5 } } }],
        "nodes": [{ "mesh": 0, "extensions": { "ACME_tag": { "node": [true] }, "ACME_link": { "other": 3 } } }],
        "meshes": [{ "primitives": [{}], "extensions": { "ACME_tag": { "mesh": null } } }],
    }));
    let (scene, report) = try_read(Source::from_bytes("test.gltf", text.as_bytes()));
    let [link, baked] = report.losses() else { panic!("{:?}", report.losses()) };
    for (loss, name) in [(link, "ACME_link"), (baked, "ACME_materials_baked")] {
        assert!(loss.code.id == "GL301" && loss.count == 1 && loss.message.contains(name), "{loss:?}");
    }
    let (json, _) = write(scene.expect("a scene"), "gltf");
    let json: Value = serde_json::from_slice(&json.main).expect("JSON");
    assert_eq!(json["extensions"], json!({ "ACME_tag": { "root": "yes" } }));
    assert_eq!(json["scenes"][0]["extensions"], json!({ "ACME_tag": { "scene": 0.5 } }));
    assert_eq!(json["nodes"][0]["extensions"], json!({ "ACME_tag": { "node": [true] } }));
    assert_eq!(json["meshes"][0]["extensions"], json!({ "ACME_tag": { "mesh": null } }));
    assert_eq!(json["extensionsUsed"], json!(["ACME_tag"]));
    assert_eq!(json["nodes"][0].get("extras"), None, "only extensions were kept in extras");
}

#[test]
fn extras_of_the_file_are_not_mistaken_for_kept_extensions() {
    let extras = json!({ "gltf": { "extensions": { "ACME_x": {} }, "index": 0, "note": "mine" } });
    let text = file(json!({
        "extensionsUsed": ["KHR_materials_ior"],
        "nodes": [{ "mesh": 0, "extras": extras }], "meshes": [{ "primitives": [{}], "extras": extras }],
    }));
    let (scene, report) = try_read(Source::from_bytes("test.gltf", text.as_bytes()));
    assert!(report.losses().is_empty(), "an extension that nothing uses is no loss: {:?}", report.losses());
    let (output, _) = write(scene.expect("a scene"), "gltf");
    let json: Value = serde_json::from_slice(&output.main).expect("JSON");
    assert_eq!(json.get("extensionsUsed"), None);
    assert_eq!(json["nodes"][0]["extras"], json!({ "gltf": { "note": "mine" } }));
    assert_eq!(json["meshes"][0]["extras"], json!({ "gltf": { "note": "mine" } }));
}

#[test]
fn a_required_extension_is_refused_only_if_it_may_move_something() {
    let requiring = |name: &str| {
        let text =
            json!({ "asset": { "version": "2.0" }, "extensionsUsed": [name], "extensionsRequired": [name] });
        try_read(Source::from_bytes("test.gltf", text.to_string().as_bytes())).0.err()
    };
    for name in MATERIALS {
        assert_eq!(requiring(name), None, "{name}");
    }
    for name in [
        "EXT_lights_ies",
        "KHR_xmp_json_ld",
        "MSFT_texture_dds",
        "ACME_material_paint",
        "KHR_node_visibility",
    ] {
        assert_eq!(requiring(name), None, "{name}");
    }
    for name in ["KHR_animation_pointer", "ACME_deformer", "KHR_materials_displacement", "materials", ""] {
        assert_eq!(requiring(name), Some(Failure::Unsupported), "{name}");
    }
}

#[test]
fn other_formats_announce_what_they_lose() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("shiny.gltf");
    std::fs::write(&source, file(shiny())).expect("writable");
    let options = ligament::ConvertOptions::default();
    let (_, report) =
        ligament::convert(&source, folder.path().join("shiny.obj"), &options).expect("converted");
    let count = |name: &str| {
        let is_it = |l: &&ligament::report::Loss| l.code.id == "LS030" && l.message.ends_with(name);
        report.losses().iter().filter(is_it).map(|l| l.count).sum::<u64>()
    };
    assert_eq!(count("KHR_materials_variants"), 3);
    assert_eq!(count("KHR_materials_clearcoat"), 1);
}
