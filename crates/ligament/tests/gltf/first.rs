//! glTF 1.0: Assimp's models, a skinned file made by hand whose poses were worked out by hand, and bad input.

use super::support::{floats, options, read, try_read, uri};
use ligament::Scene;
use ligament::convert::{ConvertOptions, convert};
use ligament::formats::{Format, Match};
use ligament::gltf::Gltf;
use ligament::io::Source;
use ligament::math::{Vec2, Vec3};
use ligament::pose::{Pose, deform};
use ligament::report::{Diagnostic, Failure, LossKind, Report, Severity};
use ligament::scene::{AlphaMode, Faces, ImageData, LightKind, Local};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The models of Debian's package. Without them the test is skipped by name, except on CI, where they must be there.
fn models(test: &str) -> Option<PathBuf> {
    let path = Path::new("/usr/share/assimp/models");
    if path.join("glTF").is_dir() {
        return Some(path.to_owned());
    }
    assert!(std::env::var_os("CI").is_none(), "{test}: assimp-testmodels is missing");
    eprintln!("skipped {test}: assimp-testmodels is not installed");
    None
}

const BOX: &str = "glTF/BoxTextured-glTF/BoxTextured.gltf";
const BINARY: &str = "glTF/BoxTextured-glTF-Binary/BoxTextured.glb";
const EMBEDDED: &str = "glTF/BoxTextured-glTF-Embedded/BoxTextured.gltf";
const COMMON: &str = "glTF/BoxTextured-glTF-MaterialsCommon/BoxTextured.gltf";
const TRUCK: &str = "glTF/CesiumMilkTruck/CesiumMilkTruck.gltf";
const ARRAYS: &str = "glTF/IncorrectVertexArrays/Cube_v1.gltf";
const TWO: &str = "glTF/TwoBoxes/TwoBoxes.gltf";
const TECHNIQUE: &str = "glTF2/BoxTextured-glTF-techniqueWebGL/BoxTextured.gltf";
/// The same box as its own exporter wrote it for 2.0.
const BOX_2: &str = "glTF2/BoxTextured-glTF/BoxTextured.gltf";

fn faces(scene: &Scene) -> usize {
    let parts = scene.meshes.iter().flat_map(|m| &m.parts);
    parts
        .map(|part| match &part.faces {
            Faces::Triangles(c) => c.len() / 3,
            Faces::Lines(c) => c.len() / 2,
            other => panic!("{other:?}"),
        })
        .sum()
}

/// Assimp finds the same numbers, but for the arrays, where it joins meshes that are equal (58).
#[test]
fn every_file_of_assimps_models_is_read() {
    let Some(models) = models("every_file_of_assimps_models_is_read") else { return };
    let expected = [
        (BOX, 12),
        (EMBEDDED, 12),
        (COMMON, 12),
        (TRUCK, 2856),
        (ARRAYS, 2 * 58),
        (TWO, 12),
        (TECHNIQUE, 12),
    ];
    for (file, count) in expected {
        let (scene, report) = read(&models.join(file));
        assert_eq!(faces(&scene), count, "{file}");
        let noted = report.diagnostics().iter().any(|d| d.code.id == "GL007" && d.severity == Severity::Note);
        assert_eq!(noted, file != TECHNIQUE, "{file}");
        let warnings = report.count(Severity::Warning);
        // The arrays are there to not make whole faces.
        assert_eq!(warnings, if file == ARRAYS { 4 } else { 0 }, "{file}: {:?}", report.diagnostics());
        let mut promise = Report::default();
        ligament::validate::validate(&scene, &mut promise);
        assert!(!promise.has_errors(), "{file}: {:?}", promise.diagnostics());
    }
}

/// Debian's copy of the binary file was packed as text: every CR LF of its shaders and picture became LF, and 33 bytes are
/// gone. Assimp refuses it too. With its length restored, the box is there.
#[test]
fn a_binary_file_that_lost_bytes_is_refused() {
    let Some(models) = models("a_binary_file_that_lost_bytes_is_refused") else { return };
    let mut bytes = std::fs::read(models.join(BINARY)).expect("the file");
    let error = first_error(&bytes);
    assert_eq!((error.code.id, error.place.field.as_deref()), ("GL001", Some("header.length")));
    bytes.resize(bytes.len() + 33, 0);
    let (scene, report) = try_read(Source::from_bytes("box.glb", bytes));
    let scene = scene.unwrap_or_else(|f| panic!("{f:?} {:?}", report.diagnostics()));
    let (second, _) = read(&models.join(BOX_2));
    assert_eq!(corners(&scene), corners(&second));
    assert_same(&triangles(&scene), &triangles(&second), BINARY);
    assert!(matches!(&scene.images[0].data, ImageData::Embedded { mime, .. } if mime == "image/jpeg"));
}

/// Posed triangles, each beginning with its least corner.
fn triangles(scene: &Scene) -> Vec<[Vec3; 3]> {
    let pose = Pose::rest(scene);
    let mut found = Vec::new();
    for node in scene.node_ids() {
        let Some(mesh) = scene.nodes[node.index()].mesh else { continue };
        for (part, posed) in scene.meshes[mesh.index()].parts.iter().zip(deform(scene, &pose, node)) {
            let Faces::Triangles(corners) = &part.faces else { continue };
            let (faces, _) = corners.as_chunks::<3>();
            found.extend(faces.iter().map(|f| f.map(|c| posed.positions[c as usize])));
        }
    }
    found
}

/// Whether two lists hold the same triangles, in whatever order and from whichever corner on.
fn assert_same(ours: &[[Vec3; 3]], theirs: &[[Vec3; 3]], file: &str) {
    assert_eq!(ours.len(), theirs.len(), "{file}");
    let mut left = theirs.to_vec();
    for one in ours {
        let is_same = |other: &[Vec3; 3]| {
            (0..3).any(|turn| (0..3).all(|i| one[i].distance(other[(i + turn) % 3]) < 1e-5))
        };
        let at = left.iter().position(is_same).unwrap_or_else(|| panic!("{file}: {one:?} is not there"));
        left.swap_remove(at);
    }
}

/// Assimp reads each file and writes it as 2.0; every triangle is where Assimp has it.
#[test]
fn triangles_are_where_assimp_has_them() {
    let Some(models) = models("triangles_are_where_assimp_has_them") else { return };
    if Command::new("assimp").arg("version").output().is_err() {
        assert!(std::env::var_os("CI").is_none(), "assimp-utils is missing");
        eprintln!("skipped triangles_are_where_assimp_has_them: assimp is not installed");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.glb");
    for (file, count) in [(BOX, 12), (EMBEDDED, 12), (COMMON, 12), (TRUCK, 3624), (TWO, 24), (TECHNIQUE, 12)]
    {
        let path = models.join(file);
        let run = Command::new("assimp").arg("export").arg(&path).arg(&out).arg("-fglb2").output();
        assert!(run.expect("assimp runs").status.success(), "{file}");
        let (mut ours, mut theirs) = (read(&path).0, read(&out).0);
        if file == TRUCK {
            // Assimp turns the places of the wheels by their rotation, which puts one axle below the road. The file
            // has both at the same height.
            for (name, x) in [("Wheels", 1.43267), ("Wheels__2_", -1.35233)] {
                let place = Pose::rest(&ours).globals[named(&ours, name).index()].w_axis.truncate().as_vec3();
                assert!(place.distance(Vec3::new(x, 0.427722, 0.0)) < 1e-6, "{place}");
            }
            for node in ours.nodes.iter_mut().chain(&mut theirs.nodes) {
                node.local = Local::default();
            }
        }
        let (ours, theirs) = (triangles(&ours), triangles(&theirs));
        assert_eq!(ours.len(), count, "{file}");
        assert_same(&ours, &theirs, file);
    }
}

/// Positions with their texture coordinates, sorted.
fn corners(scene: &Scene) -> Vec<[u32; 5]> {
    let part = &scene.meshes[0].parts[0];
    let bits = |(p, uv): (&Vec3, &Vec2)| [p.x, p.y, p.z, uv.x, uv.y].map(f32::to_bits);
    let mut corners: Vec<_> = part.positions.iter().zip(&part.uvs[0]).map(bits).collect();
    corners.sort_unstable();
    corners
}

/// 1.0 and 2.0 count V from the same side: the same exporter wrote the same numbers for both.
#[test]
fn texture_coordinates_are_those_of_2_0() {
    let Some(models) = models("texture_coordinates_are_those_of_2_0") else { return };
    let second = corners(&read(&models.join(BOX_2)).0);
    for file in [BOX, EMBEDDED, COMMON, TECHNIQUE] {
        assert_eq!(corners(&read(&models.join(file)).0), second, "{file}");
    }
}

#[test]
fn values_of_techniques_become_phong() {
    let Some(models) = models("values_of_techniques_become_phong") else { return };
    for file in [BOX, EMBEDDED, COMMON, TECHNIQUE] {
        let (scene, report) = read(&models.join(file));
        let material = &scene.materials[0];
        let phong = material.phong.as_ref().expect("a Phong block");
        assert_eq!((phong.specular, phong.shininess, phong.opacity), ([0.2; 3], Some(256.0), 1.0), "{file}");
        assert_eq!((phong.diffuse, phong.diffuse_texture.is_some()), ([1.0; 3], true), "{file}");
        assert!(material.pbr.is_none() && !material.double_sided && !material.unlit, "{file}");
        assert_eq!(material.alpha, AlphaMode::Opaque, "{file}");
        match &scene.images[0].data {
            ImageData::File(name) => assert_eq!(name, "CesiumLogoFlat.png", "{file}"),
            ImageData::Embedded { mime, .. } => assert_eq!(mime, "image/png", "{file}"),
        }
        let lost = report.losses().iter().find(|l| l.code.id == "GL318");
        assert_eq!(lost.is_some(), file != COMMON, "{file}");
        assert_eq!(report.losses().len(), usize::from(lost.is_some()), "{file}: {:?}", report.losses());
    }
    let (truck, report) = read(&models.join(TRUCK));
    let glass = truck.materials.iter().find(|m| m.name == "glass").and_then(|m| m.phong.as_ref());
    assert_eq!(glass.expect("the glass").diffuse, [0.0, 0.0405063, 0.0212407]);
    // Two animations of COLLADA2GLTF, one for each axle, are the one clip of 31 keys.
    assert_eq!((truck.clips.len(), truck.clips[0].tracks.len()), (1, 2));
    assert!(truck.clips[0].tracks.iter().all(|t| t.times.len() == 31));
    let joined = report.losses().iter().find(|l| l.code.id == "GL319").expect("a note of it");
    assert_eq!((joined.count, &joined.kind), (2, &LossKind::Kept));
}

/// What is written from a file of 1.0 is one of 2.0, through a scene, in the container that was asked for.
#[test]
fn a_file_that_stays_gltf_becomes_2_0() {
    let Some(models) = models("a_file_that_stays_gltf_becomes_2_0") else { return };
    let folder = tempfile::tempdir().expect("a folder");
    for (file, name) in [(BOX, "a.gltf"), (BOX, "a.glb"), (EMBEDDED, "b.glb"), (TRUCK, "c.gltf")] {
        let out = folder.path().join(name);
        let done = convert(models.join(file), &out, &ConvertOptions::default()).expect("a conversion");
        assert!(!done.rewritten, "{file}");
        assert_eq!(done.dialect, name.rsplit('.').next().expect("an extension"));
        assert!(done.report.diagnostics().iter().any(|d| d.code.id == "GL007"), "{file}");
        let (again, report) = read(&out);
        assert!(report.diagnostics().is_empty(), "{file}: {:?}", report.diagnostics());
        assert_same(&triangles(&again), &triangles(&read(&models.join(file)).0), file);
    }
}

/// Three vertices, interleaved: position, joints as floats, weights.
const VERTICES: [[f32; 11]; 3] = [
    [1.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0],
    [0.0, 2.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0],
    [1.0, 3.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0],
];

/// A skin of two joints with a bind shape matrix, below a node that must not count, and a clip that turns the upper one.
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
        "images": { "image": { "uri": uri(include_bytes!("white.png")) } },
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

fn named(scene: &Scene, name: &str) -> ligament::scene::NodeId {
    scene.node_ids().find(|n| scene.nodes[n.index()].name == name).expect(name)
}

/// The bind shape matrix takes the vertices to (2 1 3), (0 4 3) and (2 6 3), where they stay at rest. The upper joint
/// stands at (0 3 0); turned by 90 degrees about Z it takes (2 6 3) to (-3 5 3) and (0 4 3) to (-1 3 3), of which the
/// second vertex goes half of the way.
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
    // Nothing culls back faces, and blending is on.
    assert!(scene.materials[0].double_sided && scene.materials[0].alpha == AlphaMode::Blend);
    let lost = report.losses().iter().filter(|l| l.code.id == "GL318");
    assert_eq!(lost.map(|l| (l.object.as_str(), l.count)).collect::<Vec<_>>(), [("", 1), ("", 1)]);
}

/// The extension as it was published: uniforms' names, and textures as everywhere in 2.0.
#[test]
fn techniques_of_2_0_become_phong_too() {
    let technique = |values: Value| {
        json!({ "asset": { "version": "2.0" }, "extensionsUsed": ["KHR_techniques_webgl"],
            "extensionsRequired": ["KHR_techniques_webgl"],
            "extensions": { "KHR_techniques_webgl": { "techniques": [{ "program": 0, "uniforms": {} }] } },
            "images": [{ "uri": uri(include_bytes!("white.png")) }], "textures": [{ "source": 0 }],
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

/// One skin on two skeletons whose joints have the same names, as copies of a character have.
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
        assert_eq!(Gltf.sniff(text.as_bytes()), Match::Yes);
        let source = Source::from_bytes("first.gltf", text.as_bytes());
        let document = Gltf.read(source, &options(), &mut Report::default()).expect("a document");
        assert_eq!(document.dialect(), "1.0", "{asset}");
        assert!(document.can_write("1.0") && !document.can_write("gltf"));
    }
    // Without a dictionary, and without a version, it is no glTF of any kind.
    let (_, report) = try_read(Source::from_bytes("no.gltf", b"{}"));
    assert_eq!(report.diagnostics()[0].code.id, "GL003");
    let (scene, _) = try_read(Source::from_bytes("old.gltf", br#"{"asset": {"version": "1.0"}}"#));
    assert!(scene.is_ok());
}

/// The first error of a file that must not be readable.
fn first_error(bytes: &[u8]) -> Diagnostic {
    let (scene, report) = try_read(Source::from_bytes("first", bytes));
    assert_eq!(scene.err(), Some(Failure::Invalid), "{}", String::from_utf8_lossy(bytes));
    let error = report.diagnostics().iter().find(|d| d.severity == Severity::Error);
    error.expect("an error").clone()
}

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
        // What is missing is looked for in the object that lacks it.
        assert!(named || line.trim_end().ends_with('{'), "{code} {field}: {line}");
    }
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

/// A skin of many joints on many nodes, each with other skeletons, would be as many skins of as many joints.
#[test]
fn skins_that_multiply_are_refused() {
    let mut value = creature();
    value["skins"]["skin"]["jointNames"] = Value::Array(vec![json!("Upper"); 3000]);
    for at in 0..3000 {
        value["nodes"][format!("n{at}")] = json!({ "skin": "skin", "skeletons": [format!("n{at}")] });
    }
    assert_eq!(first_error(value.to_string().as_bytes()).code.id, "GL006");
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
    let body = [&positions, &include_bytes!("white.png")[..]].concat();
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

#[test]
fn the_body_of_a_binary_file_is_a_buffer() {
    for (buffer, is_listed) in [("binary_glTF", true), ("KHR_binary_glTF", true), ("binary_glTF", false)] {
        let file = binary(buffer, is_listed);
        assert_eq!(Gltf.sniff(&file), Match::Yes);
        let (scene, report) = try_read(Source::from_bytes("first.glb", file));
        let scene = scene.unwrap_or_else(|f| panic!("{f:?} {:?}", report.diagnostics()));
        assert_eq!(scene.meshes[0].parts[0].positions, [Vec3::ZERO, Vec3::X, Vec3::Y]);
        let ImageData::Embedded { mime, bytes } = &scene.images[0].data else { panic!("a file") };
        assert_eq!((mime.as_str(), &bytes[..]), ("image/png", &include_bytes!("white.png")[..]));
    }
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
    // Cut anywhere, it is an error and no panic.
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

/// The files that this module makes are also what fuzzing starts from.
#[test]
fn the_fixtures_are_these_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/gltf");
    assert!(std::fs::read(folder.join("first.gltf")).expect("there") == creature().to_string().as_bytes());
    assert!(std::fs::read(folder.join("first.glb")).expect("there") == binary("binary_glTF", true));
}

/// Every byte of the files replaced by others: whatever reads is a scene that keeps its promises, and what does not has an
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
