//! Every rule of a scene: a sane scene breaks none, each violation is found at its place, and nothing panics.

use ligament::Report;
use ligament::compare::{CompareOptions, compare};
use ligament::math::{Quat, Vec2, Vec3, Vec4};
use ligament::pose::{Pose, bounds, deform};
use ligament::report::Severity;
use ligament::scene::*;
use ligament::validate::{codes, validate};
use proptest::prelude::*;
use std::collections::BTreeSet;

const IDENTITY: [f32; 16] = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];

/// A scene with one of everything, all of it sane.
fn sane() -> Scene {
    let mut scene = Scene { ambient: Some([0.1, 0.1, 0.1, 1.0]), ..Scene::default() };
    scene.add_node(Node { name: "root".into(), ..Node::default() });
    scene.add_node(Node { parent: Some(NodeId(0)), tip: Some([0.0, 1.0, 0.0]), ..Node::default() });
    scene.add_node(Node {
        parent: Some(NodeId(0)),
        local: Local::Matrix(IDENTITY),
        mesh: Some(MeshId(0)),
        skin: Some(SkinId(0)),
        morph_weights: vec![0.5],
        camera: Some(CameraId(0)),
        light: Some(LightId(0)),
        ..Node::default()
    });
    let polygon = Faces::Polygons { starts: vec![0, 3], corners: vec![2, 1, 0] };
    scene.meshes.push(Mesh {
        parts: vec![part(Faces::Triangles(vec![0, 1, 2])), part(polygon)],
        morphs: vec![Morph { name: "smile".into(), weight: 0.25 }],
        ..Mesh::default()
    });
    scene.skins.push(Skin {
        joints: vec![NodeId(0), NodeId(1)],
        inverse_binds: vec![IDENTITY; 2],
        ..Skin::default()
    });
    scene.clips.push(clip());
    looks(&mut scene);
    scene
}

fn part(faces: Faces) -> Part {
    let mut influences = Influences::new();
    for _ in 0..3 {
        influences.push([Influence { joint: 0, weight: 0.5 }, Influence { joint: 1, weight: 0.5 }]);
    }
    Part {
        material: Some(MaterialId(0)),
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
        normals: vec![Vec3::Z; 3],
        tangents: vec![Vec4::new(1.0, 0.0, 0.0, 1.0); 3],
        uvs: vec![vec![Vec2::ZERO; 3]],
        colors: vec![vec![Vec4::ONE; 3]],
        influences,
        faces,
        morphs: vec![MorphDeltas { positions: vec![Vec3::Z; 3], ..MorphDeltas::default() }],
        ..Part::default()
    }
}

fn clip() -> Clip {
    let track = |node: u32, interpolation, values| Track {
        node: NodeId(node),
        interpolation,
        times: [0.0, 1.0].into(),
        values,
    };
    let zero = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    Clip {
        name: "walk".into(),
        duration: 1.0,
        frames: Some(Frames { rate: 1.0, count: 2 }),
        tracks: vec![
            track(0, Interpolation::Linear, Values::Translation(vec![Vec3::ZERO, Vec3::X])),
            track(
                1,
                Interpolation::Cubic,
                Values::Rotation(vec![zero, Quat::IDENTITY, zero, zero, Quat::IDENTITY, zero]),
            ),
            track(1, Interpolation::Step, Values::Scale(vec![Vec3::ONE; 2])),
            track(2, Interpolation::Linear, Values::MorphWeights { count: 1, weights: vec![0.0, 1.0] }),
        ],
        ..Clip::default()
    }
}

fn looks(scene: &mut Scene) {
    let pbr = Pbr { base_color_texture: Some(TextureRef::new(TextureId(0))), ..Pbr::default() };
    scene.materials.push(Material { phong: Some(Phong::default()), pbr: Some(pbr), ..Material::default() });
    scene.textures.push(Texture::new(ImageId(0)));
    scene.images.push(Image {
        name: String::new(),
        data: ImageData::File("skin.png".into()),
        extras: Extras::new(),
    });
    scene.cameras.push(Camera {
        name: String::new(),
        projection: Projection::Perspective { fov_y: 0.8, aspect: None },
        near: 0.1,
        far: Some(100.0),
        extras: Extras::new(),
    });
    scene.lights.push(Light {
        name: String::new(),
        kind: LightKind::Spot { inner_angle: 0.0, outer_angle: 0.7 },
        color: [1.0; 3],
        intensity: 3.0,
        range: None,
        extras: Extras::new(),
    });
}

fn found(scene: &Scene) -> Vec<(Severity, &'static str, String)> {
    let mut report = Report::default();
    validate(scene, &mut report);
    let all = report.diagnostics().iter();
    all.map(|d| (d.severity, d.code.id, d.place.field.clone().unwrap_or_default())).collect()
}

fn first_part(scene: &mut Scene) -> &mut Part {
    &mut scene.meshes[0].parts[0]
}

fn track(scene: &mut Scene, i: usize) -> &mut Track {
    &mut scene.clips[0].tracks[i]
}

fn pbr(scene: &mut Scene) -> &mut Pbr {
    scene.materials[0].pbr.as_mut().unwrap()
}

type Breach = (&'static str, &'static str, fn(&mut Scene));

const NAN: f32 = f32::NAN;

/// The damage, the code that must be found, and its place.
const BREACHES: &[Breach] = &[
    ("SC001", "nodes[1].parent", |s| s.nodes[1].parent = Some(NodeId(9))),
    ("SC001", "nodes[2].mesh", |s| s.nodes[2].mesh = Some(MeshId(1))),
    ("SC001", "nodes[2].skin", |s| s.nodes[2].skin = Some(SkinId(1))),
    ("SC001", "nodes[2].camera", |s| s.nodes[2].camera = Some(CameraId(1))),
    ("SC001", "nodes[2].light", |s| s.nodes[2].light = Some(LightId(1))),
    ("SC001", "meshes[0].parts[0].material", |s| first_part(s).material = Some(MaterialId(4))),
    ("SC001", "meshes[0].parts[0].faces.corners[1]", |s| {
        first_part(s).faces = Faces::Triangles(vec![0, 3, 2]);
    }),
    ("SC001", "meshes[0].parts[0].faces.corners[0]", |s| first_part(s).faces = Faces::Points(vec![3])),
    ("SC001", "meshes[0].parts[0].influences.pairs[3]", |s| {
        first_part(s).influences.pairs_mut()[3].joint = 2;
    }),
    ("SC001", "skins[0].joints[1]", |s| s.skins[0].joints[1] = NodeId(3)),
    ("SC001", "clips[0].tracks[0].node", |s| track(s, 0).node = NodeId(3)),
    ("SC001", "textures[0].image", |s| s.textures[0].image = ImageId(1)),
    ("SC001", "materials[0], base colour texture", |s| {
        pbr(s).base_color_texture = Some(TextureRef::new(TextureId(1)));
    }),
    ("SC002", "ambient", |s| s.ambient = Some([0.0, NAN, 0.0, 1.0])),
    ("SC002", "nodes[0].local.translation", |s| {
        s.nodes[0].local = Local::Trs(Trs { translation: Vec3::splat(NAN), ..Trs::IDENTITY });
    }),
    ("SC002", "nodes[0].local.rotation", |s| {
        s.nodes[0].local = Local::Trs(Trs { rotation: Quat::from_xyzw(NAN, 0.0, 0.0, 1.0), ..Trs::IDENTITY });
    }),
    ("SC002", "nodes[0].local.scale", |s| {
        s.nodes[0].local = Local::Trs(Trs { scale: Vec3::splat(f32::INFINITY), ..Trs::IDENTITY });
    }),
    ("SC002", "nodes[2].local.matrix", |s| {
        s.nodes[2].local = Local::Matrix(IDENTITY.map(|v| if v == 1.0 { 1.0 } else { NAN }));
    }),
    ("SC002", "nodes[1].tip", |s| s.nodes[1].tip = Some([NAN; 3])),
    ("SC002", "nodes[2].morph_weights[0]", |s| s.nodes[2].morph_weights[0] = NAN),
    ("SC002", "meshes[0].parts[0].positions[2]", |s| first_part(s).positions[2].y = NAN),
    ("SC002", "meshes[0].parts[0].normals[0]", |s| first_part(s).normals[0].y = NAN),
    ("SC002", "meshes[0].parts[0].tangents[0]", |s| first_part(s).tangents[0].y = NAN),
    ("SC002", "meshes[0].parts[0].uvs[0][1]", |s| first_part(s).uvs[0][1].y = NAN),
    ("SC002", "meshes[0].parts[0].colors[0][1]", |s| first_part(s).colors[0][1].y = NAN),
    ("SC002", "meshes[0].parts[0].influences.pairs[1]", |s| {
        first_part(s).influences.pairs_mut()[1].weight = f32::INFINITY;
    }),
    ("SC002", "meshes[0].parts[0].morphs[0].positions[1]", |s| first_part(s).morphs[0].positions[1].x = NAN),
    ("SC002", "meshes[0].morphs[0].weight", |s| s.meshes[0].morphs[0].weight = NAN),
    ("SC002", "skins[0].inverse_binds[1]", |s| s.skins[0].inverse_binds[1][4] = NAN),
    ("SC002", "clips[0].duration", |s| s.clips[0].duration = f32::INFINITY),
    ("SC002", "clips[0].tracks[0].times[1]", |s| track(s, 0).times = [0.0, NAN].into()),
    ("SC002", "clips[0].tracks[0].values[1]", |s| {
        track(s, 0).values = Values::Translation(vec![Vec3::ZERO, Vec3::splat(NAN)]);
    }),
    ("SC002", "clips[0].tracks[3].values[1]", |s| {
        track(s, 3).values = Values::MorphWeights { count: 1, weights: vec![0.0, NAN] };
    }),
    ("SC002", "materials[0].emissive", |s| s.materials[0].emissive[1] = NAN),
    ("SC002", "materials[0].pbr.base_color", |s| pbr(s).base_color[3] = NAN),
    ("SC002", "materials[0].phong.shininess", |s| {
        s.materials[0].phong.as_mut().unwrap().shininess = Some(NAN);
    }),
    ("SC002", "materials[0].alpha", |s| s.materials[0].alpha = AlphaMode::Mask(NAN)),
    ("SC002", "cameras[0].projection", |s| {
        s.cameras[0].projection = Projection::Perspective { fov_y: NAN, aspect: None };
    }),
    ("SC002", "lights[0].intensity", |s| s.lights[0].intensity = NAN),
    ("SC003", "nodes[1].parent", |s| s.nodes[1].parent = Some(NodeId(1))),
    ("SC003", "nodes[0].parent", |s| s.nodes[0].parent = Some(NodeId(2))),
    ("SC004", "meshes[0].parts[0].normals", |s| first_part(s).normals.truncate(2)),
    ("SC004", "meshes[0].parts[0].tangents", |s| first_part(s).tangents.truncate(2)),
    ("SC004", "meshes[0].parts[0].uvs[0]", |s| first_part(s).uvs[0].push(Vec2::ZERO)),
    ("SC004", "meshes[0].parts[0].colors[0]", |s| first_part(s).colors[0].truncate(2)),
    ("SC004", "meshes[0].parts[0].influences", |s| first_part(s).influences.push([])),
    ("SC004", "meshes[0].parts[0].morphs[0].positions", |s| first_part(s).morphs[0].positions.truncate(1)),
    ("SC004", "skins[0].inverse_binds", |s| s.skins[0].inverse_binds.truncate(1)),
    ("SC005", "clips[0].tracks[0].times[1]", |s| track(s, 0).times = [1.0, 1.0].into()),
    ("SC005", "clips[0].tracks[0].times[1]", |s| track(s, 0).times = [1.0, 0.5].into()),
    ("SC006", "clips[0].tracks[0].times[0]", |s| track(s, 0).times = [-0.5, 0.5].into()),
    ("SC007", "clips[0].duration", |s| s.clips[0].duration = 0.5),
    ("SC008", "clips[0].tracks[0].values", |s| track(s, 0).interpolation = Interpolation::Cubic),
    ("SC008", "clips[0].tracks[3].values", |s| {
        track(s, 3).values = Values::MorphWeights { count: 1, weights: vec![0.0; 3] };
    }),
    ("SC009", "clips[0].tracks[4]", |s| {
        let again = s.clips[0].tracks[0].clone();
        s.clips[0].tracks.push(again);
    }),
    ("SC010", "clips[0].tracks[0].node", |s| track(s, 0).node = NodeId(2)),
    ("SC011", "meshes[0].parts[0].faces", |s| first_part(s).faces = Faces::Triangles(vec![0, 1])),
    ("SC011", "meshes[0].parts[0].faces", |s| first_part(s).faces = Faces::Lines(vec![0])),
    ("SC011", "meshes[0].parts[0].faces.starts", |s| {
        first_part(s).faces = Faces::Polygons { starts: vec![0, 3], corners: vec![0, 1, 2, 0] };
    }),
    ("SC011", "meshes[0].parts[0].faces.starts", |s| {
        first_part(s).faces = Faces::Polygons { starts: vec![], corners: vec![0] };
    }),
    ("SC011", "meshes[0].parts[0].faces.starts[1]", |s| {
        first_part(s).faces = Faces::Polygons { starts: vec![0, 4, 3], corners: vec![0, 1, 2] };
    }),
    ("SC011", "meshes[0].parts[0].faces.starts[0]", |s| {
        first_part(s).faces = Faces::Polygons { starts: vec![0, 2], corners: vec![0, 1] };
    }),
    ("SC012", "nodes[0].local.rotation", |s| {
        s.nodes[0].local = Local::Trs(Trs { rotation: Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), ..Trs::IDENTITY });
    }),
    ("SC012", "clips[0].tracks[1].values[4]", |s| {
        if let Values::Rotation(values) = &mut track(s, 1).values {
            values[4] = Quat::from_xyzw(0.0, 0.0, 0.0, 1.002);
        }
    }),
    ("SC013", "skins[0].inverse_binds[0]", |s| s.skins[0].inverse_binds[0][7] = 1.0),
    ("SC013", "nodes[2].local.matrix", |s| s.nodes[2].local = Local::Matrix([0.0; 16])),
    ("SC014", "nodes[1].skin", |s| s.nodes[1].skin = Some(SkinId(0))),
    ("SC015", "nodes[2].morph_weights", |s| s.nodes[2].morph_weights.push(1.0)),
    ("SC015", "meshes[0].parts[0].morphs", |s| first_part(s).morphs.clear()),
    ("SC015", "clips[0].tracks[3].values", |s| {
        track(s, 3).values = Values::MorphWeights { count: 2, weights: vec![0.0; 4] };
    }),
    ("SC016", "meshes[0].parts[0].uvs", |s| first_part(s).uvs.clear()),
    ("SC017", "meshes[0].parts[0].influences.pairs[2]", |s| {
        first_part(s).influences.pairs_mut()[2].weight = -0.5;
    }),
    ("SC018", "meshes[0].parts[0].normals[1]", |s| first_part(s).normals[1] = Vec3::ZERO),
    ("SC018", "meshes[0].parts[0].tangents[1]", |s| first_part(s).tangents[1] = Vec4::W),
    ("SC019", "skins[0].joints[1]", |s| s.skins[0].joints[1] = NodeId(0)),
    ("SC020", "clips[0].frames.rate", |s| s.clips[0].frames = Some(Frames { rate: 0.0, count: 1 })),
    ("SC020", "clips[0].frames.rate", |s| s.clips[0].frames = Some(Frames { rate: NAN, count: 1 })),
    ("SC021", "images[0].data", |s| s.images[0].data = ImageData::File("../skin.png".into())),
    ("SC022", "cameras[0].far", |s| s.cameras[0].far = Some(0.05)),
    ("SC022", "cameras[0].projection", |s| {
        s.cameras[0].projection = Projection::Orthographic { half_width: 0.0, half_height: 1.0 };
    }),
    ("SC023", "lights[0].kind", |s| {
        s.lights[0].kind = LightKind::Spot { inner_angle: 0.9, outer_angle: 0.5 };
    }),
    ("SC023", "lights[0].intensity", |s| s.lights[0].intensity = -1.0),
    ("SC024", "meshes[0].parts[0].tangents[0]", |s| first_part(s).tangents[0].w = 0.0),
    ("SC025", "clips[0].tracks[0].times", |s| {
        *track(s, 0) = Track { times: [].into(), values: Values::Translation(vec![]), ..track(s, 0).clone() };
    }),
];

#[test]
fn a_sane_scene_breaks_no_rule() {
    assert_eq!(found(&sane()), []);
    assert_eq!(found(&Scene::default()), []);
}

#[test]
fn each_breach_is_found_where_it_is() {
    let mut covered = BTreeSet::new();
    for (code, field, breach) in BREACHES {
        let mut scene = sane();
        breach(&mut scene);
        let found = found(&scene);
        assert!(found.iter().any(|(_, c, f)| c == code && f == field), "{code} at {field}: {found:?}");
        covered.insert(*code);
    }
    let all: BTreeSet<_> = codes::ALL.iter().map(|code| code.id).collect();
    assert_eq!(covered, all, "every code has a breach that causes it");
}

#[test]
fn only_what_can_still_be_posed_and_written_is_a_warning() {
    for (code, _, breach) in BREACHES {
        let mut scene = sane();
        breach(&mut scene);
        let warns = ["SC016", "SC017", "SC018", "SC019", "SC022", "SC023", "SC024", "SC025"].contains(code);
        let expected = if warns { Severity::Warning } else { Severity::Error };
        let found = found(&scene);
        assert!(found.iter().any(|(s, c, _)| c == code && *s == expected), "{code}: {found:?}");
    }
}

#[test]
fn a_bad_array_is_one_line() {
    let mut scene = sane();
    first_part(&mut scene).positions = vec![Vec3::splat(NAN); 3];
    let mut report = Report::default();
    validate(&scene, &mut report);
    let [only] = report.diagnostics() else { panic!("{:?}", report.diagnostics()) };
    assert_eq!(only.place.field.as_deref(), Some("meshes[0].parts[0].positions[0]"));
    assert!(only.message.ends_with("(and 2 more like it)"), "{}", only.message);
}

/// Numbers found in damaged files.
fn odd_number() -> impl Strategy<Value = f32> {
    prop_oneof![Just(0.0), Just(-1.0), Just(NAN), Just(f32::INFINITY), Just(f32::MAX), any::<f32>()]
}

fn odd_index() -> impl Strategy<Value = u32> {
    prop_oneof![0..5u32, Just(u32::MAX), any::<u32>()]
}

/// Does one piece of damage; `what` selects the place, the other arguments the new content.
fn damage(scene: &mut Scene, what: u8, index: u32, number: f32, length: usize) {
    let clip = &mut scene.clips[0];
    let part = &mut scene.meshes[0].parts[usize::from(what / 128)];
    let slot = index as usize;
    let morph = MorphDeltas { positions: vec![Vec3::splat(number); slot % 9], ..MorphDeltas::default() };
    match what % 24 {
        0 => scene.nodes[slot % 3].parent = Some(NodeId(index)),
        1 => scene.nodes[slot % 3].mesh = Some(MeshId(index)),
        2 => scene.nodes[slot % 3].skin = Some(SkinId(index)),
        3 => scene.nodes[slot % 3].local = Local::Matrix([number; 16]),
        4 => scene.nodes[2].morph_weights.resize(length, number),
        5 => part.positions.resize(length, Vec3::splat(number)),
        6 => part.normals.resize(length, Vec3::splat(number)),
        7 => part.tangents.resize(length, Vec4::splat(number)),
        8 => part.uvs.resize(length, vec![Vec2::splat(number); length]),
        9 => part.influences.push([Influence { joint: index, weight: number }]),
        10 => part.influences.pairs_mut()[slot % 6] = Influence { joint: index, weight: number },
        11 => part.faces = Faces::Triangles(vec![index; length]),
        12 => part.faces = Faces::Polygons { starts: vec![index; length], corners: vec![0; length] },
        13 => part.morphs.resize(length, morph),
        14 => part.material = Some(MaterialId(index)),
        15 => scene.skins[0].joints.resize(length, NodeId(index)),
        16 => scene.skins[0].inverse_binds.resize(length, [number; 16]),
        17 => clip.duration = number,
        18 => clip.tracks[slot % 4].times = vec![number; length].into(),
        19 => clip.tracks[slot % 4].node = NodeId(index),
        20 => {
            clip.tracks[slot % 4].values =
                Values::MorphWeights { count: slot, weights: vec![number; length] };
        }
        21 => {
            clip.tracks[slot % 4].values =
                Values::Rotation(vec![Quat::from_xyzw(0.0, number, 0.0, 0.0); length]);
        }
        22 => clip.tracks[slot % 4].interpolation = Interpolation::Cubic,
        _ => {
            let texture = TextureRef { uv_set: index, ..TextureRef::new(TextureId(index)) };
            scene.materials[0].normal_texture = Some(texture);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    /// Neither the rules nor posing nor comparing panics, however broken the scene.
    #[test]
    fn any_scene_can_be_checked_posed_and_compared(
        all in prop::collection::vec((any::<u8>(), odd_index(), odd_number(), 0..6usize), 1..5),
        seconds in odd_number(),
    ) {
        let mut scene = sane();
        for (what, index, number, length) in all {
            damage(&mut scene, what, index, number, length);
        }
        let mut report = Report::default();
        validate(&scene, &mut report);
        let _ = compare(&sane(), &scene, &CompareOptions::default());
        let _ = compare(&scene, &sane(), &CompareOptions::default());
        for pose in [Pose::rest(&scene), Pose::at(&scene, &scene.clips[0], seconds)] {
            bounds(&scene, &pose);
            for (id, node) in scene.node_ids().zip(&scene.nodes) {
                let drawn = node.mesh.is_some_and(|mesh| mesh.index() == 0);
                prop_assert_eq!(deform(&scene, &pose, id).len(), if drawn { 2 } else { 0 });
            }
        }
    }
}
