//! Written files come back equal, and the Khronos validator accepts them.

use super::support::{all_files, assert_valid, place, read, try_read, write};
use ligament::Scene;
use ligament::math::{Mat4, Quat, Vec2, Vec3, Vec4};
use ligament::report::LossKind;
use ligament::scene::*;
use serde_json::json;
use std::sync::Arc;

#[test]
fn every_corpus_scene_comes_back_equal_in_both_dialects() {
    let files = all_files();
    for file in &files {
        let (scene, _) = read(file);
        for dialect in ["glb", "gltf"] {
            let (output, _) = write(scene.clone(), dialect);
            let (again, report) = try_read(output.source("out"));
            let again = again.unwrap_or_else(|f| panic!("{f:?} {:?}", report.diagnostics()));
            assert!(report.diagnostics().is_empty(), "{:?}", report.diagnostics());
            assert_eq!(again, scene, "{} as {dialect}", file.display());
        }
    }
}

#[test]
fn the_khronos_validator_finds_nothing_in_what_is_written() {
    let files = all_files();
    let mut written = Vec::new();
    let folders: Vec<_> = files.iter().map(|_| tempfile::tempdir().expect("a folder")).collect();
    for (file, folder) in files.iter().zip(&folders) {
        let (scene, _) = read(file);
        written.push(place(&write(scene.clone(), "glb").0, folder.path(), "out.glb"));
        written.push(place(&write(scene, "gltf").0, folder.path(), "out.gltf"));
    }
    assert_eq!(written.len(), 2 * files.len());
    assert_valid(&written);
}

/// A scene with every feature of scenes, including those that glTF cannot store.
fn everything() -> Scene {
    let mut scene = Scene { name: "all".to_owned(), ambient: Some([0.1, 0.2, 0.3, 1.0]), ..Scene::default() };
    scene.extras = extras(json!({ "pfobj": { "bounds": [1, 2] }, "gltf": { "copyright": "us" } }));
    let node = |name: &str, parent: Option<u32>| Node {
        name: name.to_owned(),
        parent: parent.map(NodeId),
        ..Node::default()
    };
    let turned = Trs {
        translation: Vec3::new(0.5, 1.0, -2.0),
        rotation: Quat::from_xyzw(0.6, 0.0, 0.0, 0.8),
        scale: Vec3::new(1.0, 2.0, 1.0),
    };
    scene.add_node(Node {
        tip: Some([0.0, 0.25, 0.0]),
        extras: extras(json!({ "k": [1, "a"] })),
        ..node("hip", None)
    });
    scene.add_node(Node { local: turned.into(), ..node("knee", Some(0)) });
    // A joint in another tree, so that the skin has no common root.
    scene.add_node(node("prop", None));
    let drawn =
        Node { mesh: Some(MeshId(0)), skin: Some(SkinId(0)), local: turned.into(), ..node("body", Some(0)) };
    scene.add_node(Node { morph_weights: vec![0.5, 0.0], ..drawn });
    scene.add_node(Node {
        mesh: Some(MeshId(1)),
        camera: Some(CameraId(0)),
        light: Some(LightId(0)),
        ..node("box", None)
    });
    scene.add_node(Node { camera: Some(CameraId(1)), light: Some(LightId(1)), ..node("", Some(4)) });

    let mut influences = Influences::new();
    let pair = |joint, weight| Influence { joint, weight };
    // The first vertex has no influences.
    influences.push([]);
    influences.push([pair(0, 0.25), pair(1, 0.5), pair(2, 0.25)]);
    influences.push([pair(2, 1.0)]);
    let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
    let skinned = Part {
        material: Some(MaterialId(0)),
        normals: vec![Vec3::Z; 3],
        tangents: vec![Vec4::new(1.0, 0.0, 0.0, -1.0); 3],
        uvs: vec![vec![Vec2::ZERO, Vec2::X, Vec2::Y], Vec::new(), vec![Vec2::ONE; 3]],
        colors: vec![vec![Vec4::ONE; 3], vec![Vec4::new(0.0, 0.5, 1.0, 0.25); 3]],
        influences,
        faces: Faces::Triangles(vec![0, 1, 2, 2, 1, 0]),
        morphs: vec![
            MorphDeltas {
                positions: vec![Vec3::Y; 3],
                normals: vec![Vec3::X; 3],
                tangents: vec![Vec3::Y; 3],
            },
            MorphDeltas::default(),
        ],
        positions: positions.clone(),
        extras: extras(json!({ "part": true })),
    };
    let free = Part {
        influences: Influences::new(),
        material: Some(MaterialId(1)),
        uvs: Vec::new(),
        ..skinned.clone()
    };
    let morph = |name: &str, weight| Morph { name: name.to_owned(), weight };
    scene.meshes.push(Mesh {
        name: "body".to_owned(),
        parts: vec![skinned, free],
        morphs: vec![morph("smile", 0.25), morph("", 0.0)],
        extras: extras(json!({ "m": 1 })),
    });
    let plain = |faces: Faces| Part { positions: positions.clone(), faces, ..Part::default() };
    let parts = vec![
        plain(Faces::Points(vec![0, 2])),
        plain(Faces::Lines(vec![0, 1, 1, 2])),
        plain(Faces::Triangles(vec![0, 1, 2])),
    ];
    scene.meshes.push(Mesh { parts, ..Mesh::default() });
    let identity = Mat4::IDENTITY.to_cols_array();
    scene.skins.push(Skin {
        name: "rig".to_owned(),
        joints: vec![NodeId(0), NodeId(1), NodeId(2)],
        inverse_binds: vec![identity, Mat4::from_translation(Vec3::X).to_cols_array(), identity],
        extras: extras(json!({ "s": null })),
    });
    looks(&mut scene);
    clips(&mut scene);
    scene
}

fn looks(scene: &mut Scene) {
    let png = include_bytes!("white.png");
    let embedded = ImageData::Embedded { mime: "image/png".to_owned(), bytes: Arc::from(&png[..]) };
    scene.images.push(Image { name: "white".to_owned(), data: embedded, extras: extras(json!({ "i": 1 })) });
    let sampler = Sampler {
        wrap_u: Wrap::Clamp,
        minify: Some(Filter::Linear),
        mip: Some(Filter::Nearest),
        ..Sampler::default()
    };
    scene.textures.push(Texture {
        sampler,
        name: "t".to_owned(),
        extras: extras(json!({ "t": 1 })),
        ..Texture::new(ImageId(0))
    });
    scene.textures.push(Texture::new(ImageId(0)));
    let texture = |uv_set| TextureRef { uv_set, ..TextureRef::new(TextureId(0)) };
    let moved = UvTransform { offset: [0.5, 0.0], rotation: 0.25, scale: [2.0, 1.0] };
    let phong = Phong {
        shininess: Some(12.5),
        opacity: 0.5,
        diffuse: [0.1, 0.2, 0.3],
        diffuse_texture: Some(texture(0)),
        bump_texture: Some(TextureRef {
            transform: Some(moved),
            strength: 0.5,
            ..TextureRef::new(TextureId(1))
        }),
        ..Phong::default()
    };
    let pbr = Pbr {
        base_color: [0.1, 0.2, 0.3, 0.5],
        metallic: 0.25,
        roughness: 0.75,
        base_color_texture: Some(texture(0)),
        metallic_roughness_texture: Some(TextureRef { transform: Some(moved), ..texture(2) }),
        specular: Some(Specular {
            factor: 0.5,
            color: [0.5, 1.0, 0.0],
            texture: Some(texture(0)),
            color_texture: None,
        }),
    };
    scene.materials.push(Material {
        name: "skin".to_owned(),
        phong: Some(phong),
        pbr: Some(pbr),
        normal_texture: Some(TextureRef { strength: 0.5, ..texture(0) }),
        occlusion_texture: Some(TextureRef { strength: 0.25, ..texture(0) }),
        emissive: [0.5, 0.0, 1.0],
        emissive_strength: 3.0,
        emissive_texture: Some(texture(0)),
        alpha: AlphaMode::Mask(0.25),
        double_sided: true,
        extras: extras(json!({ "mat": {} })),
        ..Material::default()
    });
    // A texture on a part without coordinates, a strength without light, and Phong values alone.
    let textured = Pbr { base_color_texture: Some(texture(0)), ..Pbr::default() };
    scene.materials.push(Material {
        pbr: Some(textured),
        emissive_strength: 2.0,
        alpha: AlphaMode::Blend,
        ..Material::default()
    });
    let phong = Phong { ambient: [0.3; 3], ..Phong::default() };
    scene.materials.push(Material { phong: Some(phong), unlit: true, ..Material::default() });
    scene.meshes[1].parts[2].material = Some(MaterialId(2));
    let camera = |projection, far| Camera {
        name: "eye".to_owned(),
        projection,
        near: 0.1,
        far,
        extras: Extras::new(),
    };
    scene.cameras.push(camera(Projection::Perspective { fov_y: 0.8, aspect: Some(1.5) }, None));
    scene.cameras.push(camera(Projection::Orthographic { half_width: 2.0, half_height: 1.0 }, Some(10.0)));
    let light = |kind, range| Light {
        name: "sun".to_owned(),
        kind,
        color: [1.0, 0.5, 0.25],
        intensity: 2.0,
        range,
        extras: extras(json!({ "l": 1 })),
    };
    scene.lights.push(light(LightKind::Directional, None));
    scene.lights.push(light(LightKind::Spot { inner_angle: 0.25, outer_angle: 0.5 }, Some(4.0)));
}

fn clips(scene: &mut Scene) {
    let times: Arc<[f32]> = Arc::from([0.0, 0.5, 1.0]);
    let track = |node, interpolation, values| Track {
        node: NodeId(node),
        interpolation,
        times: times.clone(),
        values,
    };
    let frames = Some(Frames { rate: 2.0, count: 3 });
    scene.clips.push(Clip {
        name: "walk".to_owned(),
        duration: 1.5,
        frames,
        tracks: vec![
            track(0, Interpolation::Step, Values::Translation(vec![Vec3::X; 3])),
            track(0, Interpolation::Linear, Values::Rotation(vec![Quat::from_xyzw(0.0, 0.6, 0.0, 0.8); 3])),
            track(1, Interpolation::Cubic, Values::Scale(vec![Vec3::ONE; 9])),
            track(3, Interpolation::Linear, Values::MorphWeights { count: 2, weights: vec![0.5; 6] }),
        ],
        extras: extras(json!({ "pfobj": { "bounds": [0.5] } })),
    });
    scene.clips.push(Clip { name: "still".to_owned(), duration: 2.0, ..Clip::default() });
}

fn extras(value: serde_json::Value) -> Extras {
    value.as_object().expect("an object").clone()
}

#[test]
fn a_scene_of_everything_comes_back_equal_and_is_valid() {
    let scene = everything();
    let folder = tempfile::tempdir().expect("a folder");
    let mut files = Vec::new();
    for dialect in ["glb", "gltf"] {
        let (output, report) = write(scene.clone(), dialect);
        assert!(report.diagnostics().is_empty(), "{:?}", report.diagnostics());
        assert!(report.losses().iter().all(|l| l.kind == LossKind::Kept), "{:?}", report.losses());
        let (again, report) = try_read(output.source("out"));
        let again = again.unwrap_or_else(|f| panic!("{f:?} {:?}", report.diagnostics()));
        assert!(report.diagnostics().is_empty(), "{:?}", report.diagnostics());
        assert_eq!(again, scene);
        files.push(place(&output, folder.path(), &format!("out.{dialect}")));
    }
    assert_valid(&files);
}

#[test]
fn the_same_scene_gives_the_same_bytes() {
    assert!(write(everything(), "glb").0 == write(everything(), "glb").0);
}

#[test]
fn an_edited_material_keeps_its_new_look() {
    let (mut output, _) = write(everything(), "gltf");
    let mut root: serde_json::Value = serde_json::from_slice(&output.main).expect("JSON");
    root["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"] = json!([1, 0, 0, 1]);
    output.main = root.to_string().into_bytes();
    let (scene, report) = try_read(output.source("out"));
    let material = &scene.expect("a scene").materials[0];
    assert_eq!(material.pbr.as_ref().map(|p| p.base_color), Some([1.0, 0.0, 0.0, 1.0]));
    assert_eq!(material.phong, None);
    assert_eq!(report.diagnostics()[0].code.id, "GL208");
}

#[test]
fn what_gltf_does_not_allow_is_made_valid_and_reported() {
    let mut scene = everything();
    let part = &mut scene.meshes[0].parts[0];
    part.normals[0] = Vec3::ZERO;
    part.normals[1] = Vec3::new(0.0, 0.0, 3.0);
    part.colors[0][0] = Vec4::splat(2.0);
    let doubled = [
        Influence { joint: 1, weight: 2.0 },
        Influence { joint: 1, weight: 2.0 },
        Influence { joint: 0, weight: 4.0 },
    ];
    let mut influences = Influences::new();
    (0..3).for_each(|_| influences.push(doubled));
    part.influences = influences;
    scene.lights[1].kind = LightKind::Spot { inner_angle: 3.0, outer_angle: 2.0 };
    scene.meshes[1].parts.push(Part::default());
    let (output, report) = write(scene, "glb");
    let mut codes: Vec<_> =
        report.losses().iter().filter(|l| l.kind != LossKind::Kept).map(|l| l.code.id).collect();
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes, ["GL308", "GL309", "GL310", "GL313"]);
    let weights = report.losses().iter().find(|l| l.code.id == "GL307").expect("weights");
    assert_eq!((weights.count, weights.kind.name()), (3, "kept"));
    let (again, _) = try_read(output.source("out"));
    let again = again.expect("a scene");
    let expected = [Influence { joint: 1, weight: 0.5 }, Influence { joint: 0, weight: 0.5 }];
    assert_eq!(again.meshes[0].parts[0].influences.of(2), expected);
    // The zero normal is replaced by that of the face. Its two triangles face each other, so the sum vanishes and it
    // points up.
    assert_eq!(again.meshes[0].parts[0].normals[..2], [Vec3::Y, Vec3::Z]);
    let folder = tempfile::tempdir().expect("a folder");
    assert_valid(&[place(&output, folder.path(), "out.glb")]);
}

#[test]
fn cameras_at_the_edges_of_numbers_are_written_as_gltf_allows() {
    let edges = [f32::MIN_POSITIVE, 1e-6, 0.1, 1.0, 1e6, 2e6, 1e30, f32::MAX];
    let mut scene = everything();
    scene.cameras.clear();
    let lenses = [
        Projection::Perspective { fov_y: 0.8, aspect: Some(1.5) },
        Projection::Orthographic { half_width: 2.0, half_height: f32::MAX },
    ];
    for projection in lenses {
        for near in edges {
            let fars = edges.into_iter().map(Some).chain([None]);
            let camera = |far| Camera { name: String::new(), projection, near, far, extras: Extras::new() };
            scene.cameras.extend(fars.map(camera));
        }
    }
    assert_eq!(scene.cameras.len(), 2 * 8 * 9);
    let (output, _) = write(scene, "glb");
    let (again, report) = try_read(output.source("out"));
    let again = again.unwrap_or_else(|f| panic!("{f:?} {:?}", report.diagnostics()));
    for camera in &again.cameras {
        assert!(camera.far.is_none_or(|far| far > camera.near && far.is_finite()), "{camera:?}");
    }
    // What is far away stays there.
    let distant = |c: &&Camera| matches!(c.projection, Projection::Orthographic { .. }) && c.near == 1e6;
    let fars: Vec<_> = again.cameras.iter().filter(distant).map(|c| c.far.unwrap_or(0.0)).collect();
    assert_eq!(&fars[5..8], [2e6, 1e30, f32::MAX]);
    assert!((2e6..2.1e6).contains(&fars[8]), "{}", fars[8]);
}
