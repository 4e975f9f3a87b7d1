//! Faults, with their places in the terms of the file.

use super::*;

#[test]
fn faults_are_named_in_the_words_of_the_file() {
    type Change = fn(&mut Value);
    let cases: &[(&str, &str, Change)] = &[
        ("GL002", "nodes.up.translation", |v| v["nodes"]["up"]["translation"] = json!([1])),
        ("GL002", "nodes", |v| v["nodes"] = json!([{}])),
        ("GL002", "nodes.up", |v| v["nodes"]["up"] = json!([])),
        ("GL002", "accessors.times.count", |v| v["accessors"]["times"]["count"] = json!("2")),
        ("GL002", "meshes.skinned.primitives[0].indices", |v| {
            v["meshes"]["skinned"]["primitives"][0]["indices"] = json!(3)
        }),
        ("GL002", "materials.paint.extensions.KHR_materials_common", |v| {
            v["materials"]["paint"]["extensions"]["KHR_materials_common"]["technique"] = json!(3)
        }),
        ("GL005", "extensionsUsed[0]", |v| v["extensionsUsed"] = json!(["WEB3D_quantized_attributes"])),
        ("GL101", "buffers.file.uri", |v| v["buffers"]["file"]["uri"] = json!("../secret.bin")),
        ("GL101", "buffers.file.byteLength", |v| v["buffers"]["file"]["byteLength"] = json!(u64::MAX)),
        ("GL102", "bufferViews.all", |v| v["bufferViews"]["all"]["byteLength"] = json!(u64::MAX)),
        ("GL102", "bufferViews.all", |v| v["bufferViews"]["all"]["byteOffset"] = json!(u64::MAX)),
        ("GL102", "accessors.positions", |v| v["accessors"]["positions"]["count"] = json!(4_000_000_000_u32)),
        ("GL102", "accessors.positions.count", |v| v["accessors"]["positions"]["count"] = json!(u64::MAX)),
        ("GL102", "accessors.positions", |v| v["accessors"]["positions"]["byteOffset"] = json!(u64::MAX)),
        ("GL102", "accessors.positions.byteStride", |v| v["accessors"]["positions"]["byteStride"] = json!(4)),
        ("GL102", "accessors.positions.byteStride", |v| {
            v["accessors"]["positions"]["byteStride"] = json!(u64::MAX)
        }),
        ("GL102", "accessors.positions.bufferView", |v| {
            v["accessors"]["positions"].as_object_mut().map(|a| a.remove("bufferView"));
        }),
        ("GL103", "meshes.skinned.primitives[0].attributes.JOINT", |v| {
            v["meshes"]["skinned"]["primitives"][0]["attributes"]["JOINT"] = json!("weights")
        }),
        ("GL105", "images.image.uri", |v| v["images"]["image"]["uri"] = json!("http://host/a.png")),
        ("GL201", "scene", |v| v["scene"] = json!("no")),
        ("GL201", "scenes.main.nodes[1]", |v| v["scenes"]["main"]["nodes"] = json!(["arm", "no"])),
        ("GL201", "nodes.arm.children[0]", |v| v["nodes"]["arm"]["children"] = json!(["no"])),
        ("GL201", "nodes.body.meshes[0]", |v| v["nodes"]["body"]["meshes"] = json!(["no"])),
        ("GL201", "nodes.body.skin", |v| v["nodes"]["body"]["skin"] = json!("no")),
        ("GL201", "nodes.body.skeletons[0]", |v| v["nodes"]["body"]["skeletons"] = json!(["no"])),
        ("GL201", "nodes.lamp.camera", |v| v["nodes"]["lamp"]["camera"] = json!("no")),
        ("GL201", "nodes.lamp.extensions.KHR_materials_common.light", |v| {
            v["nodes"]["lamp"]["extensions"]["KHR_materials_common"]["light"] = json!("no")
        }),
        ("GL201", "meshes.skinned.primitives[0].attributes.JOINT", |v| {
            v["meshes"]["skinned"]["primitives"][0]["attributes"]["JOINT"] = json!("no")
        }),
        ("GL201", "meshes.skinned.primitives[0].material", |v| {
            v["meshes"]["skinned"]["primitives"][0]["material"] = json!("no")
        }),
        ("GL201", "accessors.times.bufferView", |v| v["accessors"]["times"]["bufferView"] = json!("no")),
        ("GL201", "bufferViews.all.buffer", |v| v["bufferViews"]["all"]["buffer"] = json!("no")),
        ("GL201", "skins.skin.inverseBindMatrices", |v| {
            v["skins"]["skin"]["inverseBindMatrices"] = json!("no")
        }),
        ("GL201", "textures.picture.source", |v| v["textures"]["picture"]["source"] = json!("no")),
        ("GL201", "materials.paint.extensions.KHR_materials_common.values.diffuse", |v| {
            v["materials"]["paint"]["extensions"]["KHR_materials_common"]["values"]["diffuse"] = json!("no")
        }),
        ("GL201", "materials.paint.technique", |v| v["materials"]["paint"] = json!({ "technique": "no" })),
        ("GL201", "animations.wave.samplers.s.input", |v| {
            v["animations"]["wave"]["samplers"]["s"]["input"] = json!("no")
        }),
        ("GL201", "animations.wave.parameters.turn", |v| {
            v["animations"]["wave"]["parameters"]["turn"] = json!("no")
        }),
        ("GL201", "animations.wave.channels[0].sampler", |v| {
            v["animations"]["wave"]["channels"][0]["sampler"] = json!("no")
        }),
        ("GL201", "animations.wave.channels[0].target.id", |v| {
            v["animations"]["wave"]["channels"][0]["target"]["id"] = json!("no")
        }),
        ("GL202", "nodes.low", |v| {
            v["nodes"]["arm"]["children"] = json!([]);
            v["nodes"]["up"]["children"] = json!(["low"]);
        }),
        ("GL202", "nodes.up.children[0]", |v| v["nodes"]["up"]["children"] = json!(["low"])),
        ("GL202", "nodes.low.children[1]", |v| v["nodes"]["low"]["children"] = json!(["up", "low"])),
        ("GL202", "nodes.other.children[1]", |v| v["nodes"]["other"]["children"] = json!(["decoy", "decoy"])),
        ("GL203", "meshes.skinned", |v| v["meshes"]["skinned"]["primitives"] = json!([])),
        ("GL203", "meshes.skinned.primitives[0].mode", |v| {
            v["meshes"]["skinned"]["primitives"][0]["mode"] = json!(7)
        }),
        ("GL204", "skins.skin", |v| v["skins"]["skin"]["jointNames"] = json!([])),
        ("GL204", "skins.skin.jointNames[1]", |v| v["skins"]["skin"]["jointNames"] = json!(["Lower", "no"])),
        ("GL204", "skins.skin.inverseBindMatrices", |v| {
            v["skins"]["skin"]["jointNames"] = json!(["Lower", "Upper", "Upper"])
        }),
        ("GL204", "skins.skin.bindShapeMatrix", |v| {
            // The data read as matrices now contains a 3.
            v["accessors"]["binds"]["byteOffset"] = json!(17 * 4);
            v["accessors"]["binds"]["byteStride"] = json!(0);
            v["skins"]["skin"]["bindShapeMatrix"][5] = json!(3e38);
        }),
        ("GL205", "animations.wave.samplers.s.output", |v| v["accessors"]["turns"]["count"] = json!(1)),
        ("GL206", "cameras.eye.perspective", |v| {
            v["cameras"]["eye"]["perspective"].as_object_mut().map(|c| c.remove("yfov"));
        }),
    ];
    for (code, field, change) in cases {
        let mut value = creature();
        change(&mut value);
        let text = format!("{value:#}");
        let error = first_error(text.as_bytes());
        assert_eq!((error.code.id, error.place.field.as_deref()), (*code, Some(*field)), "{error}");
        let (line, _) = error.place.line_column.expect("a line");
        let line = text.lines().nth(line as usize - 1).expect("a line of the file");
        let word = field.rsplit('.').next().expect("a word");
        let named = line.contains(&format!("\"{word}\"")) || word.ends_with(']');
        // A missing field is reported at the object that lacks it.
        assert!(named || line.trim_end().ends_with('{'), "{code} {field}: {line}");
    }
}

#[test]
fn lights_of_unknown_types_are_left_out() {
    let mut value = creature();
    let (whole, _) = read_value(&value);
    value["extensions"]["KHR_materials_common"]["lights"]["bulb"]["type"] = json!("laser");
    let (scene, report) = read_value(&value);
    assert_eq!(scene.lights.len() + 1, whole.lights.len());
    let warning = report.diagnostics().iter().find(|d| d.code.id == "GL206").expect("a warning");
    assert_eq!(warning.place.field.as_deref(), Some("extensions.KHR_materials_common.lights.bulb.type"));
}

#[test]
fn ids_may_look_like_paths() {
    let text = creature().to_string().replace("\"positions\"", "\"a.b[3]\"");
    assert!(try_read(Source::from_bytes("odd.gltf", text.as_bytes())).0.is_ok());
    let text = text.replace("\"VEC3\"", "\"VEC9\"");
    let error = first_error(text.as_bytes());
    assert_eq!((error.code.id, error.place.field.as_deref()), ("GL102", Some("accessors.a.b[3].type")));
    let span = error.place.span.expect("a span");
    assert_eq!(&text[span.start as usize..span.end as usize], "\"VEC9\"");
}

/// A skin of many joints on many nodes, each with other skeletons, would become as many skins of as many joints.
#[test]
fn skins_that_multiply_are_refused() {
    let mut value = creature();
    value["skins"]["skin"]["jointNames"] = Value::Array(vec![json!("Upper"); 3000]);
    for at in 0..3000 {
        value["nodes"][format!("n{at}")] = json!({ "skin": "skin", "skeletons": [format!("n{at}")] });
    }
    assert_eq!(first_error(value.to_string().as_bytes()).code.id, "GL006");
}

#[test]
fn broken_containers_are_found_at_their_offset() {
    let whole = binary("binary_glTF", true);
    let changed = |at: usize, bytes: &[u8]| {
        let mut file = whole.clone();
        file[at..at + bytes.len()].copy_from_slice(bytes);
        file
    };
    let cases = [
        (whole[..16].to_vec(), 8, "header.length"),
        (changed(8, &[16, 0, 0, 0]), 12, "header.contentLength"),
        (changed(8, &[0xFF; 4]), 8, "header.length"),
        (changed(12, &[0xFF; 4]), 12, "header.contentLength"),
        (changed(16, &[1]), 16, "header.contentFormat"),
    ];
    for (file, offset, field) in cases {
        let error = first_error(&file);
        assert_eq!((error.code.id, error.place.field.as_deref()), ("GL001", Some(field)), "{error}");
        assert_eq!(error.place.span.expect("an offset").start, offset, "{field}");
    }
    // Cut anywhere, it is an error and not a panic.
    for length in 0..whole.len() {
        let (scene, report) = try_read(Source::from_bytes("first.glb", &whole[..length]));
        assert!(scene.is_err() && report.has_errors(), "{length}");
    }
    let mut wrong = whole.clone();
    let at = whole.windows(6).position(|w| w == b"\"VEC3\"").expect("the type");
    wrong[at + 4] = b'9';
    let error = first_error(&wrong);
    assert_eq!(error.place.field.as_deref(), Some("accessors.p.type"));
    assert_eq!(error.place.span.expect("an offset").start, at as u64);
}

/// Replaces every byte of the files: an accepted file gives a scene that keeps its promises, and a refused one has an
/// error.
#[test]
fn changed_bytes_never_go_unnoticed() {
    let files = [creature().to_string().into_bytes(), binary("binary_glTF", false)];
    let mut read = 0;
    for file in &files {
        for at in 0..file.len() {
            for byte in [b'0', b'9', b'"', b'{', b']', 0xFF] {
                let mut changed = file.clone();
                changed[at] = byte;
                let (scene, report) = try_read(Source::from_bytes("changed", changed));
                let Ok(scene) = scene else {
                    assert!(report.has_errors(), "byte {at}: {byte}");
                    continue;
                };
                let mut promise = Report::default();
                ligament::validate::validate(&scene, &mut promise);
                assert!(!promise.has_errors(), "byte {at}: {byte}: {:?}", promise.diagnostics());
                read += 1;
            }
        }
    }
    assert!(read > 1000, "{read}");
}
