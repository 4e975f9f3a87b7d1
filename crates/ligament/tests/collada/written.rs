//! What we write, read back by us.

use super::support;
use ligament::math::{Quat, Vec2, Vec3, Vec4};
use ligament::scene::*;
use ligament::{ConvertOptions, Report, convert};
use std::path::PathBuf;

/// Converts a scene to text.
pub fn write(scene: &Scene) -> (Vec<u8>, Report) {
    let (mut output, mut report) = (ligament::io::MemoryOutput::new("model"), Report::default());
    let encoded =
        super::FORMAT.export(scene.clone(), None, &Default::default(), &mut report).expect("exported");
    encoded.write(&mut output, &mut report).expect("written");
    (output.main, report)
}

fn again(scene: &Scene) -> Scene {
    let (bytes, _) = write(scene);
    let (read, report) = super::import(ligament::io::Source::from_bytes("model.dae", bytes));
    let read = read.unwrap_or_else(|| panic!("{:?}", report.diagnostics()));
    support::check_promise(&read);
    read
}

/// A square with everything that a part can have.
fn part() -> Part {
    let positions = vec![Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y];
    Part {
        normals: vec![Vec3::Z; 4],
        tangents: vec![Vec4::new(1.0, 0.0, 0.0, -1.0); 4],
        uvs: vec![positions.iter().map(|p| Vec2::new(p.x, p.y)).collect(), vec![Vec2::new(0.25, 0.75); 4]],
        colors: vec![vec![Vec4::new(0.5, 0.25, 1.0, 0.5); 4]],
        positions,
        faces: Faces::Polygons { starts: vec![0, 4], corners: vec![0, 1, 2, 3] },
        ..Part::default()
    }
}

fn drawing(mesh: Mesh) -> Scene {
    let node = Node { name: "square".into(), mesh: Some(MeshId(0)), ..Node::default() };
    Scene { nodes: vec![node], meshes: vec![mesh], ..Scene::default() }
}

fn models() -> Vec<PathBuf> {
    let mut files = support::files_below(&support::corpus(""));
    files.retain(|path| {
        let known = ligament::formats::by_extension(path).is_some();
        known && path.metadata().is_ok_and(|about| about.len() < 1 << 20)
    });
    files
}

/// The proof poses source and result side by side, by the source's own motion.
#[test]
fn the_corpus_is_written_and_read_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut written, mut worst) = (0, 0.0_f64);
    for path in models() {
        let target = folder.path().join(format!("{written}.dae"));
        let again = ConvertOptions { reencode: true, ..ConvertOptions::default() };
        if ligament::read(&path, &Default::default()).is_err() {
            continue;
        }
        let (done, report) =
            convert(&path, &target, &again).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let announced = report
            .losses()
            .iter()
            .any(|l| matches!(l.kind, ligament::report::LossKind::Approximated { size: Some(_), .. }));
        let off = done.comparison.and_then(|c| c.worst).map_or(0.0, |w| w.relative);
        assert!(off <= 1e-5 || announced && off < 0.05, "{}: {off}", path.display());
        worst = worst.max(if announced { 0.0 } else { off });
        written += 1;
    }
    println!("{written} models, at most {worst} off");
    assert!(written >= 70, "{written}");
}

#[test]
fn the_same_scene_gives_the_same_bytes() {
    let path = support::workspace().join("examples/creature.glb");
    let (scene, _) = ligament::read(path, &Default::default()).expect("a model");
    assert!(write(&scene).0 == write(&scene).0);
}

#[test]
fn attributes_come_back_as_they_were() {
    let (mut first, mut second) = (part(), part());
    second.positions.iter_mut().for_each(|p| p.z = 3.0);
    first.normals.clear();
    first.tangents.clear();
    second.faces = Faces::Triangles(vec![0, 1, 2, 0, 2, 3]);
    second.uvs.clear();
    let lines = Part {
        positions: second.positions.clone(),
        faces: Faces::Lines(vec![0, 1, 1, 2, 2, 3]),
        ..Part::default()
    };
    let parts = vec![first, second, lines];
    let scene = drawing(Mesh { name: "square".into(), parts, ..Mesh::default() });
    assert_eq!(again(&scene).meshes, scene.meshes);
}

#[test]
fn what_has_no_place_is_reported() {
    let points = Part { faces: Faces::Points(vec![0, 1, 2]), ..part() };
    let mut unsided = part();
    unsided.normals.clear();
    let mut scene = drawing(Mesh { parts: vec![points, unsided], ..Mesh::default() });
    scene.nodes[0].tip = Some([0.0, 1.0, 0.0]);
    scene.clips.push(Clip { name: "nothing".into(), ..Clip::default() });
    let (_, report) = write(&scene);
    let found: Vec<_> = report.losses().iter().map(|l| (l.code.id, l.count)).collect();
    assert_eq!(found, [("DA403", 3), ("DA405", 1), ("DA406", 4), ("DA404", 1)]);
    assert_eq!(again(&scene).meshes[0].parts.len(), 1);
}

#[test]
fn morph_targets_and_their_weights_come_back() {
    let mut part = part();
    part.tangents.clear();
    let deltas = |x: f32| MorphDeltas {
        positions: vec![Vec3::new(x, 0.0, 0.5); 4],
        normals: vec![],
        tangents: vec![],
    };
    part.morphs = vec![deltas(1.0), deltas(-2.0)];
    let morph = |name: &str, weight| Morph { name: name.into(), weight };
    let mesh = Mesh {
        morphs: vec![morph("smile", 0.25), morph("blink", 0.0)],
        parts: vec![part],
        ..Mesh::default()
    };
    let mut scene = drawing(mesh);
    // The second node has weights of its own, at rest and in the clip.
    let second = Node {
        name: "other".into(),
        mesh: Some(MeshId(0)),
        morph_weights: vec![0.0, 1.0],
        ..Node::default()
    };
    let second = scene.add_node(second);
    scene.clips.push(Clip {
        name: "talk".into(),
        duration: 2.0,
        tracks: vec![Track {
            node: second,
            interpolation: Interpolation::Linear,
            times: [0.0, 1.0, 2.0].into(),
            values: Values::MorphWeights { count: 2, weights: vec![0.0, 1.0, 1.0, 0.5, 0.5, 0.0] },
        }],
        ..Clip::default()
    });
    let read = again(&scene);
    let first = &read.meshes[read.nodes[0].mesh.expect("drawn").index()];
    assert_eq!(first.morphs, scene.meshes[0].morphs);
    assert_eq!(first.parts[0].morphs[1].positions, scene.meshes[0].parts[0].morphs[1].positions);
    let other = &read.meshes[read.nodes[1].mesh.expect("drawn").index()];
    assert_eq!(other.morphs.iter().map(|m| m.weight).collect::<Vec<_>>(), [0.0, 1.0]);
    assert_eq!(read.clips[0].tracks[0].values, scene.clips[0].tracks[0].values);
    assert_eq!((&*read.clips[0].name, read.clips[0].duration), ("talk", 2.0));
}

/// A node with a clip in which it moves as given.
fn moving(local: Trs, tracks: Vec<Track>) -> Scene {
    let mut scene = drawing(Mesh { parts: vec![part()], ..Mesh::default() });
    scene.nodes[0].local = local.into();
    let duration = tracks.iter().filter_map(|t| t.times.last()).fold(0.0_f32, |m, t| m.max(*t));
    scene.clips.push(Clip { name: "clip".into(), duration, tracks, ..Clip::default() });
    scene
}

fn track(interpolation: Interpolation, times: &[f32], values: Values) -> Track {
    Track { node: NodeId(0), interpolation, times: times.into(), values }
}

/// How far apart two scenes pose their vertices, over a thousand times of their clip.
fn apart(a: &Scene, b: &Scene) -> f32 {
    let mut worst = 0.0_f32;
    for step in 0..=1000 {
        let time = a.clips[0].duration * step as f32 / 1000.0;
        let places = |scene: &Scene| {
            let pose = ligament::pose::Pose::at(scene, &scene.clips[0], time);
            ligament::pose::deform(scene, &pose, NodeId(0))[0].positions.clone()
        };
        let pairs = places(a).into_iter().zip(places(b));
        worst = pairs.map(|(a, b)| a.distance(b)).fold(worst, f32::max);
    }
    worst
}

#[test]
fn steps_lines_and_turns_come_back() {
    let turn = |angle: f32| Quat::from_rotation_z(angle);
    let step =
        track(Interpolation::Step, &[0.0, 0.5, 1.0], Values::Translation(vec![Vec3::ZERO, Vec3::X, Vec3::Y]));
    let line =
        track(Interpolation::Linear, &[0.0, 1.0], Values::Scale(vec![Vec3::ONE, Vec3::new(2.0, 1.0, 0.5)]));
    let half = track(Interpolation::Linear, &[0.0, 2.0], Values::Rotation(vec![turn(0.0), turn(3.125)]));
    let scene = moving(Trs::IDENTITY, vec![step.clone()]);
    assert_eq!(again(&scene).clips[0].tracks, scene.clips[0].tracks, "steps keep their keys");
    for tracks in
        [vec![line.clone()], vec![step.clone(), line.clone()], vec![half.clone()], vec![step, line, half]]
    {
        let scene = moving(Trs::IDENTITY, tracks);
        let off = apart(&scene, &again(&scene));
        assert!(off < 2e-5, "{off}");
    }
}

/// A matrix does not tell the rotation of a thing without extent, nor which axis is mirrored.
#[test]
fn scales_of_zero_and_below_come_back() {
    let turned = Trs { rotation: Quat::from_rotation_y(1.0), ..Trs::IDENTITY };
    let turns = track(
        Interpolation::Linear,
        &[0.0, 1.0, 2.0],
        Values::Rotation([0.0, 1.5, 2.5].map(Quat::from_rotation_x).to_vec()),
    );
    for scales in [
        [Vec3::ONE, Vec3::ZERO, Vec3::ONE],
        [Vec3::ZERO, Vec3::ONE, Vec3::ZERO],
        [Vec3::ONE, Vec3::new(1.0, -1.0, 1.0), Vec3::ONE],
        [Vec3::new(1.0, 1.0, -2.0), Vec3::splat(-1.0), Vec3::ONE],
        [Vec3::ONE, Vec3::new(1.0, 0.0, 1.0), Vec3::new(1.0, -1.0, 1.0)],
    ] {
        let scale = track(Interpolation::Linear, &[0.0, 1.0, 2.0], Values::Scale(scales.to_vec()));
        for tracks in [vec![scale.clone()], vec![scale.clone(), turns.clone()]] {
            let scene = moving(turned, tracks);
            let off = apart(&scene, &again(&scene));
            assert!(off < 1e-3, "{scales:?}: {off}");
        }
    }
}

#[test]
fn cameras_and_lights_come_back() {
    let mut scene = Scene::default();
    let projection = Projection::Perspective { fov_y: 0.75, aspect: Some(1.5) };
    scene.cameras.push(Camera {
        name: "a".into(),
        projection,
        near: 0.25,
        far: Some(64.0),
        extras: Extras::new(),
    });
    let projection = Projection::Orthographic { half_width: 2.0, half_height: 1.0 };
    scene.cameras.push(Camera {
        name: "b".into(),
        projection,
        near: 0.5,
        far: Some(8.0),
        extras: Extras::new(),
    });
    for (name, kind) in [
        ("sun", LightKind::Directional),
        ("bulb", LightKind::Point),
        ("cone", LightKind::Spot { inner_angle: 0.5, outer_angle: 0.5 }),
        ("soft", LightKind::Spot { inner_angle: 0.0, outer_angle: 1.0 }),
    ] {
        let color = [0.5, 0.25, 1.0];
        scene.lights.push(Light {
            name: name.into(),
            kind,
            color,
            intensity: 1.0,
            range: None,
            extras: Extras::new(),
        });
    }
    scene.ambient = Some([0.1, 0.2, 0.3, 1.0]);
    for index in 0..4 {
        let camera = (index < 2).then_some(CameraId(index));
        let name = format!("node {index}");
        scene.add_node(Node { name, camera, light: Some(LightId(index)), ..Node::default() });
    }
    let (_, report) = write(&scene);
    assert!(report.losses().is_empty(), "{:?}", report.losses());
    let read = again(&scene);
    let close = |a: f32, b: f32| (a - b).abs() < 1e-6;
    for (a, b) in read.cameras.iter().zip(&scene.cameras) {
        assert_eq!((&a.name, a.near, a.far), (&b.name, b.near, b.far));
        match (a.projection, b.projection) {
            (Projection::Perspective { fov_y: a, .. }, Projection::Perspective { fov_y: b, .. }) => {
                assert!(close(a, b))
            }
            (a, b) => assert_eq!(a, b),
        }
    }
    for (a, b) in read.lights.iter().zip(&scene.lights) {
        assert_eq!((&a.name, a.color), (&b.name, b.color));
        match (a.kind, b.kind) {
            (
                LightKind::Spot { inner_angle: a, outer_angle: b },
                LightKind::Spot { inner_angle: c, outer_angle: d },
            ) => {
                assert!(close(a, c) && close(b, d));
            }
            (a, b) => assert_eq!(a, b),
        }
    }
    assert_eq!((read.ambient, read.nodes), (scene.ambient, scene.nodes));
}

#[test]
fn hard_names_are_kept() {
    let names = ["a b", "kość <&\">'", "mixamorig:Hips", "1st", "tab\tand\nline", "same", "same", "a/b.c(1)"];
    let mut scene = drawing(Mesh { name: "m & n".into(), parts: vec![part()], ..Mesh::default() });
    scene.nodes.clear();
    let mut joints = Vec::new();
    for name in names {
        let parent = joints.last().copied();
        joints.push(scene.add_node(Node { name: name.into(), parent, ..Node::default() }));
    }
    let inverse_binds = vec![ligament::math::Mat4::IDENTITY.to_cols_array(); joints.len()];
    scene.meshes[0].parts[0].influences.push([]);
    (0..3).for_each(|joint| scene.meshes[0].parts[0].influences.push([Influence { joint, weight: 1.0 }]));
    scene.skins.push(Skin { joints: joints.clone(), inverse_binds, ..Skin::default() });
    let (mesh, skin) = (Some(MeshId(0)), Some(SkinId(0)));
    scene.add_node(Node { name: "drawn".into(), mesh, skin, ..Node::default() });
    let tracks = joints.iter().map(|&node| Track {
        node,
        interpolation: Interpolation::Linear,
        times: [0.0, 1.0].into(),
        values: Values::Translation(vec![Vec3::ZERO, Vec3::X]),
    });
    scene.clips.push(Clip {
        name: "läuft & <so>".into(),
        duration: 1.0,
        tracks: tracks.collect(),
        ..Clip::default()
    });
    let read = again(&scene);
    let found: Vec<&str> = read.nodes.iter().map(|n| &*n.name).take(names.len()).collect();
    assert_eq!(found, names);
    assert_eq!((&*read.clips[0].name, read.clips[0].tracks.len()), ("läuft & <so>", names.len()));
    assert_eq!((&*read.meshes[0].name, &read.skins[0].joints[..8]), ("m & n", &joints[..]));
}

/// A material as it is written, and read back.
#[test]
fn materials_come_back() {
    let mut scene =
        drawing(Mesh { parts: vec![Part { material: Some(MaterialId(0)), ..part() }], ..Mesh::default() });
    let image =
        |path: &str| Image { name: path.into(), data: ImageData::File(path.into()), extras: Extras::new() };
    scene.images = vec![image("skin & bone.png"), image("bump.png")];
    let sampler = Sampler {
        wrap_u: Wrap::Mirror,
        wrap_v: Wrap::Clamp,
        magnify: Some(Filter::Nearest),
        ..Sampler::default()
    };
    scene.textures = vec![Texture { sampler, ..Texture::new(ImageId(0)) }, Texture::new(ImageId(1))];
    let transform = Some(UvTransform { offset: [0.25, 0.5], rotation: 0.5, scale: [2.0, 3.0] });
    let second = TextureRef { uv_set: 1, transform, ..TextureRef::new(TextureId(0)) };
    scene.materials.push(Material {
        name: "hide".into(),
        phong: Some(Phong {
            ambient: [0.25; 3],
            specular: [0.5, 0.25, 0.125],
            shininess: Some(20.0),
            opacity: 0.5,
            diffuse_texture: Some(second),
            ..Phong::default()
        }),
        normal_texture: Some(TextureRef::new(TextureId(1))),
        emissive: [0.0, 0.5, 0.0],
        alpha: AlphaMode::Blend,
        ..Material::default()
    });
    let read = again(&scene);
    let (found, wanted) = (read.materials[0].clone(), scene.materials[0].clone());
    let (texture, phong) = (
        found.phong.clone().and_then(|p| p.diffuse_texture).expect("a texture"),
        found.phong.expect("Phong"),
    );
    let moved = texture.transform.expect("moved");
    let near = |a: f32, b: f32| (a - b).abs() < 1e-5;
    assert!(
        near(moved.offset[0], 0.25) && near(moved.offset[1], 0.5) && near(moved.rotation, 0.5),
        "{moved:?}"
    );
    assert_eq!((texture.uv_set, moved.scale), (1, [2.0, 3.0]));
    let wanted_phong = wanted.phong.expect("Phong");
    assert_eq!(Phong { diffuse_texture: None, ..phong }, Phong { diffuse_texture: None, ..wanted_phong });
    assert_eq!((found.emissive, found.alpha, &*found.name), (wanted.emissive, wanted.alpha, "hide"));
    assert!(found.normal_texture.is_some());
    let of = |scene: &Scene, reference: &TextureRef| {
        let texture = &scene.textures[reference.texture.index()];
        (texture.sampler, scene.images[texture.image.index()].data.clone())
    };
    assert_eq!(of(&read, &texture), (sampler, ImageData::File("skin & bone.png".into())));
}

/// A vertex that no joint moves stays where it is, wherever the skeleton stands.
#[test]
fn vertices_without_joints_stay() {
    let mut scene = drawing(Mesh { parts: vec![part()], ..Mesh::default() });
    let away = Trs { translation: Vec3::new(5.0, 0.0, 0.0), ..Trs::IDENTITY };
    let joint = scene.add_node(Node { name: "joint".into(), local: away.into(), ..Node::default() });
    let inverse_binds = vec![ligament::math::Mat4::IDENTITY.to_cols_array()];
    scene.skins.push(Skin { joints: vec![joint], inverse_binds, ..Skin::default() });
    scene.nodes[0].skin = Some(SkinId(0));
    let influences = &mut scene.meshes[0].parts[0].influences;
    influences.push([]);
    influences.push([Influence { joint: 0, weight: 0.0 }]);
    (0..2).for_each(|_| influences.push([Influence { joint: 0, weight: 1.0 }]));
    let read = again(&scene);
    let places = |scene: &Scene| {
        let node = scene.node_ids().find(|n| scene.nodes[n.index()].mesh.is_some()).expect("drawn");
        ligament::pose::deform(scene, &ligament::pose::Pose::rest(scene), node)[0].positions.clone()
    };
    let moved = Vec3::new(6.0, 1.0, 0.0);
    assert_eq!(places(&scene)[..3], [Vec3::ZERO, Vec3::X, moved]);
    assert_eq!(places(&read), places(&scene));
}
