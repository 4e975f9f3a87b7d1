//! Small hand-made files, one feature each, with the values that the specification gives them.

use super::support::{Builder, read_text, try_read};
use ligament::io::Source;
use ligament::math::{Vec2, Vec3, Vec4};
use ligament::report::LossKind;
use ligament::scene::{AlphaMode, Faces, Influence, Interpolation, LightKind, Projection, Values};
use serde_json::{Value, json};

const TRIANGLE: [f32; 9] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];

/// One node that draws one mesh with these primitives.
fn mesh(primitives: Value) -> Value {
    json!({ "nodes": [{ "mesh": 0 }], "scenes": [{ "nodes": [0] }], "meshes": [{ "primitives": primitives }] })
}

#[test]
fn sparse_accessors_change_their_base_or_zeros() {
    let mut b = Builder::default();
    let base = b.view(&super::support::floats(&TRIANGLE), None);
    let places = b.view(&[2, 0], None);
    let values = b.view(&super::support::floats(&[5.0, 6.0, 7.0]), None);
    let sparse = json!({ "count": 1, "indices": { "bufferView": places, "componentType": 5121 },
        "values": { "bufferView": values } });
    let changed = b.raw(
        json!({ "bufferView": base, "componentType": 5126, "type": "VEC3", "count": 3, "sparse": sparse }),
    );
    let zeros = b.raw(json!({ "componentType": 5126, "type": "VEC3", "count": 3, "sparse": sparse }));
    let scene = read_text(&b.finish(mesh(json!([
        { "attributes": { "POSITION": changed } }, { "attributes": { "POSITION": zeros } }
    ]))));
    let new = Vec3::new(5.0, 6.0, 7.0);
    assert_eq!(scene.meshes[0].parts[0].positions, [Vec3::ZERO, Vec3::X, new]);
    assert_eq!(scene.meshes[0].parts[1].positions, [Vec3::ZERO, Vec3::ZERO, new]);
}

#[test]
fn quantised_attributes_are_decoded_also_where_they_are_required() {
    let mut b = Builder::default();
    let shorts: Vec<u8> = [[32767_i16, -32767, 0, 99], [-32768, 16384, 0, 99], [0, 0, 0, 99]]
        .iter()
        .flatten()
        .flat_map(|v| v.to_le_bytes())
        .collect();
    let view = b.view(&shorts, Some(8));
    let quantised = |normalized: bool| {
        json!({ "bufferView": view, "componentType": 5122, "type": "VEC3",
        "count": 3, "normalized": normalized })
    };
    let normalised = b.raw(quantised(true));
    let plain = b.raw(quantised(false));
    let view = b.view(&[127, 0, 0, 9, 0, 129, 0, 9, 0, 0, 127, 9], Some(4));
    let normals = b.raw(
        json!({ "bufferView": view, "componentType": 5120, "type": "VEC3", "count": 3, "normalized": true }),
    );
    let view = b.view(&[255, 255, 0, 0, 0, 51, 0, 0, 255, 0, 0, 0], Some(4));
    let uvs = b.raw(
        json!({ "bufferView": view, "componentType": 5121, "type": "VEC2", "count": 3, "normalized": true }),
    );
    let mut root = mesh(json!([
        { "attributes": { "POSITION": normalised, "NORMAL": normals, "TEXCOORD_0": uvs } },
        { "attributes": { "POSITION": plain } }
    ]));
    root["extensionsUsed"] = json!(["KHR_mesh_quantization"]);
    root["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
    let scene = read_text(&b.finish(root));
    let [first, second] = &scene.meshes[0].parts[..] else { panic!("two parts") };
    assert_eq!(first.positions[0], Vec3::new(1.0, -1.0, 0.0));
    assert_eq!(first.positions[1], Vec3::new(-1.0, 16384.0 / 32767.0, 0.0));
    assert_eq!(second.positions[1], Vec3::new(-32768.0, 16384.0, 0.0));
    assert_eq!(first.normals, [Vec3::X, -Vec3::Y, Vec3::Z]);
    assert_eq!(first.uvs, [[Vec2::ONE, Vec2::new(0.0, 0.2), Vec2::new(1.0, 0.0)]]);
}

#[test]
fn any_number_of_influences_is_read_and_zero_weights_are_left_out() {
    let mut b = Builder::default();
    let positions = b.floats(&TRIANGLE, "VEC3");
    let joints_0 = b.add(&[0, 1, 2, 3, 1, 0, 0, 0, 0, 0, 0, 0], 5121, "VEC4", 3);
    let weights_0 = b.floats(&[0.1, 0.2, 0.3, 0.1, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], "VEC4");
    let shorts: Vec<u8> =
        [4_u16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0].iter().flat_map(|v| v.to_le_bytes()).collect();
    let joints_1 = b.add(&shorts, 5123, "VEC4", 3);
    let weights_1 = b.floats(&[0.3, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], "VEC4");
    let scene = read_text(&b.finish(json!({
        "nodes": [{}, { "children": [2, 3, 4, 5] }, {}, {}, {}, {}, { "mesh": 0, "skin": 0 }],
        "skins": [{ "joints": [1, 2, 3, 4, 5] }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": positions, "JOINTS_0": joints_0,
            "WEIGHTS_0": weights_0, "JOINTS_1": joints_1, "WEIGHTS_1": weights_1 } }] }]
    })));
    let influences = &scene.meshes[0].parts[0].influences;
    let pair = |joint, weight| Influence { joint, weight };
    assert_eq!(influences.of(0), [pair(0, 0.1), pair(1, 0.2), pair(2, 0.3), pair(3, 0.1), pair(4, 0.3)]);
    assert_eq!(influences.of(1), [pair(1, 1.0)]);
    assert_eq!(influences.of(2), []);
    assert_eq!(scene.skins[0].inverse_binds.len(), 5);
}

#[test]
fn strips_fans_and_loops_become_lists() {
    let mut b = Builder::default();
    let positions = b.floats(&[0.0; 15], "VEC3");
    let indices = b.add(&[0, 1, 2, 3, 3, 4], 5121, "SCALAR", 6);
    let modes: Vec<Value> = (0..7)
        .map(|mode| json!({ "attributes": { "POSITION": positions }, "indices": indices, "mode": mode }))
        .collect();
    let scene = read_text(&b.finish(mesh(json!(modes))));
    let faces: Vec<Faces> = scene.meshes[0].parts.iter().map(|p| p.faces.clone()).collect();
    assert_eq!(
        faces,
        [
            Faces::Points(vec![0, 1, 2, 3, 3, 4]),
            Faces::Lines(vec![0, 1, 2, 3, 3, 4]),
            Faces::Lines(vec![0, 1, 1, 2, 2, 3, 3, 3, 3, 4, 4, 0]),
            Faces::Lines(vec![0, 1, 1, 2, 2, 3, 3, 3, 3, 4]),
            Faces::Triangles(vec![0, 1, 2, 3, 3, 4]),
            // The strip's third and fourth triangles have no area.
            Faces::Triangles(vec![0, 1, 2, 2, 1, 3]),
            Faces::Triangles(vec![0, 1, 2, 0, 2, 3, 0, 3, 4]),
        ]
    );
}

#[test]
fn morph_targets_have_names_weights_and_tracks() {
    let mut b = Builder::default();
    let positions = b.floats(&TRIANGLE, "VEC3");
    let up = b.floats(&[0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0], "VEC3");
    let times = b.floats(&[0.0, 2.0], "SCALAR");
    // In-tangents, values and out-tangents of two targets for two keys.
    let values = b.floats(&[0.0, 0.0, 0.25, 0.5, 0.0, 0.0, 0.0, 0.0, 0.75, 1.0, 0.0, 0.0], "SCALAR");
    let scene = read_text(&b.finish(json!({
        "nodes": [{ "mesh": 0, "weights": [0.5, 0.25] }],
        "meshes": [{ "weights": [1.0, 0.0], "extras": { "targetNames": ["smile", "frown"], "by": "hand" },
            "primitives": [{ "attributes": { "POSITION": positions },
                "targets": [{ "POSITION": up }, { "POSITION": positions }] }] }],
        "animations": [{ "channels": [{ "sampler": 0, "target": { "node": 0, "path": "weights" } }],
            "samplers": [{ "input": times, "output": values, "interpolation": "CUBICSPLINE" }] }]
    })));
    let mesh = &scene.meshes[0];
    assert_eq!(
        mesh.morphs.iter().map(|m| (m.name.as_str(), m.weight)).collect::<Vec<_>>(),
        [("smile", 1.0), ("frown", 0.0)]
    );
    assert_eq!(mesh.extras, *json!({ "by": "hand" }).as_object().expect("an object"));
    assert_eq!(mesh.parts[0].morphs[0].positions, [Vec3::Y; 3]);
    assert_eq!(scene.nodes[0].morph_weights, [0.5, 0.25]);
    let track = &scene.clips[0].tracks[0];
    assert_eq!(track.interpolation, Interpolation::Cubic);
    let Values::MorphWeights { count: 2, weights } = &track.values else { panic!("{:?}", track.values) };
    assert_eq!((weights.len(), weights[2], weights[9]), (12, 0.25, 1.0));
    assert_eq!(scene.clips[0].duration, 2.0);
}

#[test]
fn lights_and_cameras_are_placed() {
    let scene = read_text(&Builder::default().finish(json!({
        "extensionsUsed": ["KHR_lights_punctual"],
        "extensions": { "KHR_lights_punctual": { "lights": [
            { "type": "spot", "color": [1, 0.5, 0], "intensity": 3, "range": 10, "name": "lamp",
              "spot": { "innerConeAngle": 0.25, "outerConeAngle": 0.5 }, "extras": { "watt": 40 } },
            { "type": "directional" } ] } },
        "cameras": [ { "type": "perspective", "perspective": { "yfov": 0.75, "znear": 0.125 } },
            { "type": "orthographic", "orthographic": { "xmag": 2, "ymag": 1, "znear": 0, "zfar": 100 } } ],
        "nodes": [ { "extensions": { "KHR_lights_punctual": { "light": 1 } }, "camera": 1 },
            { "extensions": { "KHR_lights_punctual": { "light": 0 } } } ]
    })));
    assert_eq!(scene.nodes[0].light.map(|l| l.index()), Some(1));
    let lamp = &scene.lights[0];
    assert_eq!(lamp.kind, LightKind::Spot { inner_angle: 0.25, outer_angle: 0.5 });
    assert_eq!((lamp.color, lamp.intensity, lamp.range), ([1.0, 0.5, 0.0], 3.0, Some(10.0)));
    assert_eq!(lamp.extras["watt"], 40);
    assert_eq!((scene.lights[1].kind, scene.lights[1].intensity), (LightKind::Directional, 1.0));
    assert_eq!(scene.cameras[0].projection, Projection::Perspective { fov_y: 0.75, aspect: None });
    assert_eq!((scene.cameras[0].near, scene.cameras[0].far), (0.125, None));
    assert_eq!(scene.cameras[1].far, Some(100.0));
}

#[test]
fn material_extensions_are_read() {
    let scene = read_text(&Builder::default().finish(json!({
        "images": [{ "uri": "data:image/png;base64,AAEC", "name": "three bytes" }],
        "samplers": [{ "wrapS": 33071, "magFilter": 9728, "minFilter": 9985 }],
        "textures": [{ "source": 0, "sampler": 0 }],
        "materials": [{ "alphaMode": "MASK", "doubleSided": true, "emissiveFactor": [0, 1, 0],
            "normalTexture": { "index": 0, "scale": 0.5, "texCoord": 1 },
            "pbrMetallicRoughness": { "metallicFactor": 0, "baseColorTexture": { "index": 0, "extensions": {
                "KHR_texture_transform": { "offset": [0.25, 0], "rotation": 1.5, "texCoord": 2 } } } },
            "extensions": { "KHR_materials_unlit": {}, "KHR_materials_emissive_strength": { "emissiveStrength": 4 },
                "KHR_materials_specular": { "specularFactor": 0.25, "specularColorTexture": { "index": 0 } } } }]
    })));
    let material = &scene.materials[0];
    assert_eq!(material.alpha, AlphaMode::Mask(0.5));
    assert!(material.double_sided && material.unlit);
    assert_eq!((material.emissive, material.emissive_strength), ([0.0, 1.0, 0.0], 4.0));
    let normal = material.normal_texture.as_ref().expect("a normal map");
    assert_eq!((normal.strength, normal.uv_set), (0.5, 1));
    let pbr = material.pbr.as_ref().expect("a block");
    let base = pbr.base_color_texture.as_ref().expect("a texture");
    let transform = base.transform.expect("a transform");
    assert_eq!(
        (base.uv_set, transform.offset, transform.rotation, transform.scale),
        (2, [0.25, 0.0], 1.5, [1.0; 2])
    );
    let specular = pbr.specular.as_ref().expect("the extension");
    assert_eq!((specular.factor, specular.color_texture.is_some()), (0.25, true));
    let ligament::scene::ImageData::Embedded { mime, bytes } = &scene.images[0].data else {
        panic!("embedded")
    };
    assert_eq!((mime.as_str(), &bytes[..]), ("image/png", &[0, 1, 2][..]));
}

#[test]
fn colours_of_three_components_are_opaque() {
    let mut b = Builder::default();
    let positions = b.floats(&TRIANGLE, "VEC3");
    let colors = b.floats(&[1.0, 0.5, 0.25, 1.0, 0.5, 0.25, 1.0, 0.5, 0.25], "VEC3");
    let scene =
        read_text(&b.finish(mesh(json!([{ "attributes": { "POSITION": positions, "COLOR_0": colors } }]))));
    assert_eq!(scene.meshes[0].parts[0].colors, [[Vec4::new(1.0, 0.5, 0.25, 1.0); 3]]);
}

#[test]
fn parents_come_first_and_nodes_outside_the_scene_are_a_loss() {
    let text = Builder::default().finish(json!({
        "scene": 1, "scenes": [{ "nodes": [3] }, { "nodes": [2], "name": "main", "extras": { "a": 1 } }],
        "nodes": [{ "name": "grandchild" }, { "name": "child", "children": [0] },
            { "name": "root", "children": [1] }, { "name": "other" }]
    }));
    let (scene, report) = try_read(Source::from_bytes("test.gltf", text.as_bytes()));
    let scene = scene.expect("a scene");
    let names: Vec<_> = scene.nodes.iter().map(|n| (n.name.as_str(), n.parent.map(|p| p.index()))).collect();
    assert_eq!(names, [("root", None), ("child", Some(0)), ("grandchild", Some(1))]);
    assert_eq!((scene.name.as_str(), &scene.extras["a"]), ("main", &json!(1)));
    let loss = &report.losses()[0];
    assert_eq!((loss.code.id, loss.count, &loss.kind), ("GL302", 1, &LossKind::Dropped));
}

#[test]
fn an_unknown_extension_is_a_loss_with_its_name_and_number_of_uses() {
    let text = Builder::default().finish(json!({
        "extensionsUsed": ["EXT_glow"],
        "nodes": [{ "extensions": { "EXT_glow": { "name": "EXT_glow", "lamp": 1 } } }, { "extensions": { "EXT_glow": { "lamp": 2 } } }]
    }));
    let (scene, report) = try_read(Source::from_bytes("test.gltf", text.as_bytes()));
    assert_eq!(scene.expect("a scene").nodes.len(), 2);
    let loss = &report.losses()[0];
    assert_eq!((loss.code.id, loss.count), ("GL301", 2));
    assert!(loss.message.contains("EXT_glow"));
}

#[test]
fn a_byte_order_mark_is_tolerated_with_a_warning() {
    let text = format!("\u{FEFF}{}", Builder::default().finish(json!({ "nodes": [{}] })));
    let (scene, report) = try_read(Source::from_bytes("test.gltf", text.as_bytes()));
    assert_eq!(scene.expect("a scene").nodes.len(), 1);
    assert_eq!(report.diagnostics()[0].code.id, "GL004");
}

#[test]
fn primitives_that_share_vertices_keep_those_they_use() {
    let mut b = Builder::default();
    let positions = b.floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0, 3.0, 0.0, 0.0], "VEC3");
    let first = b.add(&[0, 1, 3], 5121, "SCALAR", 3);
    let second = b.add(&[3, 2, 1], 5121, "SCALAR", 3);
    let scene = read_text(&b.finish(mesh(json!([
        { "attributes": { "POSITION": positions }, "indices": first },
        { "attributes": { "POSITION": positions }, "indices": second }
    ]))));
    let xs = |part: usize| scene.meshes[0].parts[part].positions.iter().map(|p| p.x).collect::<Vec<_>>();
    assert_eq!((xs(0), xs(1)), (vec![0.0, 1.0, 3.0], vec![1.0, 2.0, 3.0]));
    assert_eq!(scene.meshes[0].parts[0].faces, Faces::Triangles(vec![0, 1, 2]));
    assert_eq!(scene.meshes[0].parts[1].faces, Faces::Triangles(vec![2, 1, 0]));
}
