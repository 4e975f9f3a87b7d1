//! A skinned file whose poses were computed by hand, and other features of 1.0.

use super::*;

/// The bind shape matrix takes the vertices to (2 1 3), (0 4 3) and (2 6 3), where they stay at rest. The upper joint
/// is at (0 3 0); rotated by 90 degrees about Z, it takes (2 6 3) to (-3 5 3) and (0 4 3) to (-1 3 3). The second
/// vertex goes half of that way.
#[test]
fn a_skin_is_posed_by_its_bind_shape_its_skeleton_and_its_clip() {
    let (scene, report) = read_value(&creature());
    assert_eq!(report.count(Severity::Warning), 0, "{:?}", report.diagnostics());
    let body = named(&scene, "body");
    let expected = [
        (Pose::rest(&scene), [[2.0, 1.0, 3.0], [0.0, 4.0, 3.0], [2.0, 6.0, 3.0]]),
        (Pose::at(&scene, &scene.clips[0], 1.0), [[2.0, 1.0, 3.0], [-0.5, 3.5, 3.0], [-3.0, 5.0, 3.0]]),
    ];
    for (pose, expected) in expected {
        let posed = &deform(&scene, &pose, body)[0].positions;
        for (at, (found, expected)) in posed.iter().zip(expected).enumerate() {
            assert!(found.distance(Vec3::from(expected)) < 1e-5, "vertex {at}: {found} for {expected:?}");
        }
        assert_eq!(posed.len(), 3);
    }
    assert_eq!(scene.clips[0].name, "wave");
    assert_eq!(scene.skins[0].joints, [named(&scene, "low"), named(&scene, "hand")]);
    assert_eq!(scene.nodes[named(&scene, "arm").index()].extras["kept"], 1);
    assert_eq!(scene.extras["gltf"]["copyright"], "nobody");
    assert!(scene.nodes[named(&scene, "lamp").index()].camera.is_some());
}

#[test]
fn common_materials_and_lights_are_read() {
    let (scene, report) = read_value(&creature());
    let material = &scene.materials[0];
    let phong = material.phong.as_ref().expect("a Phong block");
    assert_eq!(material.name, "paint");
    assert_eq!((phong.ambient, phong.diffuse), ([0.1, 0.2, 0.3], [0.5, 0.25, 0.125]));
    assert_eq!((phong.specular, phong.specular_texture.is_some()), ([1.0; 3], true));
    assert_eq!((phong.shininess, phong.opacity), (Some(30.0), 0.5));
    assert_eq!((material.emissive, material.alpha), ([0.0, 0.0, 1.0], AlphaMode::Blend));
    assert!(material.double_sided && !material.unlit && material.pbr.is_none());
    assert_eq!(material.extras["gltf"]["technique"], "BLINN");
    assert_eq!(scene.ambient, Some([0.25, 0.5, 0.75, 1.0]));
    let [light] = scene.lights.as_slice() else { panic!("{:?}", scene.lights) };
    assert_eq!((light.name.as_str(), light.color), ("bulb", [1.0, 0.5, 0.0]));
    assert_eq!(light.kind, LightKind::Spot { inner_angle: 0.5, outer_angle: 0.5 });
    assert!(scene.nodes[named(&scene, "lamp").index()].light.is_some());
    let lost: Vec<_> = report.losses().iter().map(|l| (l.code.id, l.object.as_str())).collect();
    assert_eq!(lost, [("GL320", "")]);

    let mut value = creature();
    let common = &mut value["materials"]["paint"]["extensions"]["KHR_materials_common"];
    common["technique"] = json!("CONSTANT");
    common["transparent"] = json!(false);
    let material = &read_value(&value).0.materials[0];
    let phong = material.phong.as_ref().expect("a Phong block");
    assert!(material.unlit && material.emissive == [0.0; 3] && material.alpha == AlphaMode::Opaque);
    assert_eq!((phong.diffuse, phong.specular, phong.opacity), ([0.0, 0.0, 1.0], [0.0; 3], 1.0));
}

#[test]
fn a_technique_says_what_its_materials_do_not() {
    let mut value = creature();
    value["materials"] =
        json!({ "paint": { "technique": "t", "values": { "u_shininess": 4, "wind": [1, 2] } } });
    value["techniques"] = json!({ "t": {
        "parameters": { "diffuse": { "type": 35666, "value": [1, 0, 0, 0.5] }, "u_shininess": { "value": [9] } },
        "states": { "enable": [2929, 3042] } } });
    let (scene, report) = read_value(&value);
    let phong = scene.materials[0].phong.as_ref().expect("a Phong block");
    assert_eq!((phong.diffuse, phong.opacity, phong.shininess), ([1.0, 0.0, 0.0], 0.5, Some(4.0)));
    // Back faces are not culled, and blending is on.
    assert!(scene.materials[0].double_sided && scene.materials[0].alpha == AlphaMode::Blend);
    let lost = report.losses().iter().filter(|l| l.code.id == "GL318");
    assert_eq!(lost.map(|l| (l.object.as_str(), l.count)).collect::<Vec<_>>(), [("", 1), ("", 1)]);
}

/// The extension as it was published: names of uniforms, and textures as everywhere in 2.0.
#[test]
fn techniques_of_2_0_become_phong_too() {
    let technique = |values: Value| {
        json!({ "asset": { "version": "2.0" }, "extensionsUsed": ["KHR_techniques_webgl"],
            "extensionsRequired": ["KHR_techniques_webgl"],
            "extensions": { "KHR_techniques_webgl": { "techniques": [{ "program": 0, "uniforms": {} }] } },
            "images": [{ "uri": uri(include_bytes!("../white.png")) }], "textures": [{ "source": 0 }],
            "materials": [{ "extensions": { "KHR_techniques_webgl": { "technique": 0, "values": values } } }] })
    };
    let stated = json!({ "u_diffuse": { "index": 0, "texCoord": 1 }, "u_specular": [0.5, 0.5, 0.25, 1],
        "u_transparency": 0.25, "u_wind": 3 });
    let (scene, report) = read_value(&technique(stated));
    let phong = scene.materials[0].phong.as_ref().expect("a Phong block");
    assert_eq!(phong.diffuse_texture.as_ref().map(|t| t.uv_set), Some(1));
    assert_eq!((phong.specular, phong.opacity), ([0.5, 0.5, 0.25], 0.25));
    assert_eq!(scene.materials[0].alpha, AlphaMode::Blend);
    let lost: Vec<_> = report.losses().iter().map(|l| (l.code.id, l.object.as_str(), l.count)).collect();
    assert_eq!(lost, [("GL318", "", 1), ("GL318", "", 1)]);
    let error = first_error(technique(json!({ "u_diffuse": { "index": 7 } })).to_string().as_bytes());
    assert_eq!(error.code.id, "GL201");
}

#[test]
fn several_meshes_of_a_node_hang_below_it() {
    let mut value = creature();
    value["nodes"]["body"]["meshes"] = json!(["skinned", "skinned"]);
    value["meshes"]["skinned"]["name"] = json!("shape");
    let (scene, _) = read_value(&value);
    let body = named(&scene, "body");
    let children: Vec<_> = scene.nodes.iter().filter(|n| n.parent == Some(body)).collect();
    assert_eq!(children.len(), 2);
    for child in children {
        assert_eq!((child.name.as_str(), &child.local), ("shape", &Local::default()));
        assert!(child.mesh.is_some() && child.skin.is_some());
    }
    assert!(scene.nodes[body.index()].mesh.is_none());
}

/// One skin on two skeletons whose joints have the same names, as with copies of a character.
#[test]
fn a_skin_with_two_skeletons_is_two_skins() {
    let mut value = creature();
    value["nodes"]["low2"] = json!({ "jointName": "Lower", "children": ["up2"] });
    value["nodes"]["up2"] = json!({ "jointName": "Upper" });
    value["nodes"]["body2"] = json!({ "meshes": ["skinned"], "skin": "skin", "skeletons": ["low2"] });
    value["nodes"]["body3"] = json!({ "meshes": ["skinned"], "skin": "skin", "skeletons": ["low2"] });
    value["scenes"]["main"]["nodes"] = json!(["other", "arm", "body", "low2", "body2", "body3"]);
    let (scene, _) = read_value(&value);
    let joints: Vec<_> = scene.skins.iter().map(|s| s.joints.clone()).collect();
    let ids = |names: [&str; 2]| names.map(|n| named(&scene, n)).to_vec();
    assert_eq!(joints, [ids(["low", "hand"]), ids(["low2", "up2"])]);
    let skin = |name: &str| scene.nodes[named(&scene, name).index()].skin.expect("a skin").index();
    assert_eq!(["body", "body2", "body3"].map(skin), [0, 1, 1]);
}

#[test]
fn the_version_is_found_however_it_is_stated() {
    for asset in [
        json!({ "version": "1.0" }),
        json!({ "version": "1.1" }),
        json!({ "version": "1.0.1" }),
        json!({ "version": 1 }),
        json!({ "version": 1.0 }),
        json!({}),
        Value::Null,
    ] {
        let mut value = creature();
        value["asset"] = asset.clone();
        let text = value.to_string();
        assert_eq!(FORMAT.sniff(text.as_bytes()), Match::Yes);
        let source = Source::from_bytes("first.gltf", text.as_bytes());
        let document = FORMAT.read(source, &options(), &mut Report::default()).expect("a document");
        assert_eq!(document.dialect(), "1.0", "{asset}");
        assert!(document.can_write("1.0") && !document.can_write("gltf"));
    }
    // Without a dictionary and without a version, it is no kind of glTF.
    let (_, report) = try_read(Source::from_bytes("no.gltf", b"{}"));
    assert_eq!(report.diagnostics()[0].code.id, "GL008");
    let (scene, _) = try_read(Source::from_bytes("old.gltf", br#"{"asset": {"version": "1.0"}}"#));
    assert!(scene.is_ok());
}

#[test]
fn the_body_of_a_binary_file_is_a_buffer() {
    for (buffer, is_listed) in [("binary_glTF", true), ("KHR_binary_glTF", true), ("binary_glTF", false)] {
        let file = binary(buffer, is_listed);
        assert_eq!(FORMAT.sniff(&file), Match::Yes);
        let (scene, report) = try_read(Source::from_bytes("first.glb", file));
        let scene = scene.unwrap_or_else(|f| panic!("{f:?} {:?}", report.diagnostics()));
        assert_eq!(scene.meshes[0].parts[0].positions, [Vec3::ZERO, Vec3::X, Vec3::Y]);
        let ImageData::Embedded { mime, bytes } = &scene.images[0].data else { panic!("a file") };
        assert_eq!((mime.as_str(), &bytes[..]), ("image/png", &include_bytes!("../white.png")[..]));
    }
}
