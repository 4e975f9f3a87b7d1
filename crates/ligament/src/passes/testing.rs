//! Scenes built by hand that are hard to pose, and the check that a pass left every posed vertex in place.

use crate::formats::{Capabilities, ImageTypes};
use crate::pose::{Pose, bounds, deform};
use crate::report::{Loss, LossKind, Report};
use crate::scene::*;
use glam::{DMat4, EulerRot, Mat4, Quat, Vec3, Vec4};
use std::sync::Arc;

/// A format that holds everything.
pub(super) fn everything() -> Capabilities {
    Capabilities {
        polygons: true,
        points_and_lines: true,
        uv_sets: usize::MAX,
        color_sets: usize::MAX,
        pbr: true,
        image_types: ImageTypes::Any,
        extras: true,
        ..Capabilities::of_whole_scenes()
    }
}

/// All scenes, by name.
pub(super) fn scenes() -> Vec<(String, Scene)> {
    type Make = fn() -> Scene;
    let named: [(&str, Make); 11] = [
        ("objects in a tree", tree),
        ("bend", bend),
        ("rest differs from bind", rest_differs),
        ("rest differs, no clips", || Scene { clips: Vec::new(), ..rest_differs() }),
        ("moving ancestors above joints", moving_ancestors),
        ("rigid boxes", rigid),
        ("two skins on the same joints", two_skins),
        ("morph targets", morphs),
        ("cubic tracks", cubic),
        ("vertices without influences", unweighted),
        ("hidden at rest", hidden),
    ];
    named.into_iter().map(|(name, make)| (name.to_owned(), make())).collect()
}

/// The positions of all vertices of all placements in a row; at rest if there is no clip.
pub(super) fn places(scene: &Scene, clip: Option<usize>, seconds: f32) -> (Vec<Vec3>, Vec<Vec3>) {
    let pose = clip.map_or_else(|| Pose::rest(scene), |c| Pose::at(scene, &scene.clips[c], seconds));
    let parts: Vec<_> = scene.node_ids().flat_map(|node| deform(scene, &pose, node)).collect();
    (
        parts.iter().flat_map(|p| p.positions.clone()).collect(),
        parts.iter().flat_map(|p| p.normals.clone()).collect(),
    )
}

/// How far the vertices of two scenes are apart in a clip, or at rest if there is none: the farthest at any of the
/// times, as a fraction of the first scene's size.
pub(super) fn apart(a: &Scene, b: &Scene, clip: Option<usize>, times: &[f32]) -> f64 {
    let size = bounds(a, &Pose::rest(a)).expect("vertices").diagonal();
    let at = |&time: &f32| {
        let (a, b) = (places(a, clip, time).0, places(b, clip, time).0);
        a.iter().zip(&b).map(|(a, b)| f64::from(a.distance(*b))).fold(0.0, f64::max)
    };
    times.iter().map(at).fold(0.0, f64::max) / size
}

/// What a report says about a clip.
pub(super) fn loss_of<'r>(report: &'r Report, clip: &Clip) -> Option<&'r Loss> {
    let object = format!("clip {:?}", clip.name);
    report.losses().iter().find(|loss| loss.object == object)
}

/// The size of an approximation, if it was measured.
pub(super) fn size_of(loss: &Loss) -> Option<f64> {
    if let LossKind::Approximated { size, .. } = loss.kind { size } else { None }
}

/// Asserts that a scene breaks no rule.
pub(super) fn assert_valid(name: &str, scene: &Scene) {
    let mut report = Report::default();
    crate::validate::validate(scene, &mut report);
    assert_eq!(report.diagnostics(), [], "{name}");
}

/// Times within and after a clip.
pub(super) fn times(clip: &Clip) -> Vec<f32> {
    (0..=17).map(|i| clip.duration * i as f32 / 16.0).collect()
}

/// Asserts that every vertex of `after` is where `turn` puts that of `before`, at rest and in every clip, within
/// `tolerance` of the model's size.
pub(super) fn same_places(
    name: &str,
    before: &Scene,
    after: &Scene,
    turn: impl Fn(Vec3) -> Vec3,
    tolerance: f32,
) {
    same_place(name, before, after, None, 0.0, &turn, tolerance);
    same_clips(name, before, after, turn, tolerance);
}

/// The same without the rest pose.
pub(super) fn same_clips(
    name: &str,
    before: &Scene,
    after: &Scene,
    turn: impl Fn(Vec3) -> Vec3,
    tolerance: f32,
) {
    assert_eq!(before.clips.len(), after.clips.len(), "{name}");
    for (index, clip) in before.clips.iter().enumerate() {
        for time in times(clip) {
            same_place(name, before, after, Some(index), time, &turn, tolerance);
        }
    }
}

fn same_place(
    name: &str,
    before: &Scene,
    after: &Scene,
    clip: Option<usize>,
    time: f32,
    turn: &impl Fn(Vec3) -> Vec3,
    tolerance: f32,
) {
    let ((a, an), (b, bn)) = (places(before, clip, time), places(after, clip, time));
    assert_eq!((a.len(), an.len()), (b.len(), bn.len()), "{name}: number of vertices");
    let a: Vec<_> = a.into_iter().map(turn).collect();
    let (min, max) = a.iter().fold((Vec3::MAX, Vec3::MIN), |(l, h), &v| (l.min(v), h.max(v)));
    let size = (max - min).length().max(1.0);
    let zero = turn(Vec3::ZERO);
    for (i, (x, y)) in a.iter().zip(&b).enumerate() {
        let distance = x.distance(*y) / size;
        assert!(
            distance <= tolerance,
            "{name}: clip {clip:?} at {time}: vertex {i}: {x} became {y} ({distance:e})"
        );
    }
    for (i, (x, y)) in an.iter().zip(&bn).enumerate() {
        let x = (turn(*x) - zero).normalize();
        // Normals of vertices that a joint squashes flat have no direction to compare.
        let distance = if x.is_finite() { x.distance(*y) } else { 0.0 };
        assert!(
            distance <= (tolerance * 100.0),
            "{name}: clip {clip:?} at {time}: normal {i}: {x} became {y}"
        );
    }
}

/// A strip of triangles along +Y from 0 to 4, with an outline that has no symmetry.
pub(super) fn strip() -> Part {
    let positions: Vec<_> = (0..18)
        .map(|i| {
            let (row, column) = ((i / 2) as f32, (i % 2) as f32);
            Vec3::new(column - 0.4 + 0.05 * row, row * 0.5, 0.3 * (row * 1.3).sin() + 0.2 * column)
        })
        .collect();
    let faces = (0..8).flat_map(|r| [0, 1, 2, 2, 1, 3].map(|c| r * 2 + c)).collect();
    let normals = (0..18).map(|i| Vec3::new(0.1 * i as f32, 0.3, 1.0).normalize()).collect();
    let tangents = (0..18).map(|i| Vec3::new(1.0, 0.02 * i as f32, -0.1).normalize().extend(1.0)).collect();
    Part { positions, normals, tangents, faces: Faces::Triangles(faces), ..Part::default() }
}

pub(super) fn camera() -> Camera {
    let projection = Projection::Perspective { fov_y: 1.0, aspect: None };
    Camera { name: "eye".into(), projection, near: 0.1, far: None, extras: Extras::new() }
}

/// A mesh of one part that no node draws.
pub(super) fn of_part(part: Part) -> Scene {
    Scene { meshes: vec![mesh("", part)], ..Scene::default() }
}

pub(super) fn mesh(name: &str, part: Part) -> Mesh {
    Mesh { name: name.into(), parts: vec![part], ..Mesh::default() }
}

pub(super) fn trs(translation: [f32; 3], euler: [f32; 3], scale: [f32; 3]) -> Local {
    let [x, y, z] = euler;
    let rotation = Quat::from_euler(EulerRot::XYZ, x, y, z);
    Local::Trs(Trs { translation: translation.into(), rotation, scale: scale.into() })
}

pub(super) fn node(name: &str, parent: Option<u32>, local: Local) -> Node {
    Node { name: name.into(), parent: parent.map(NodeId), local, ..Node::default() }
}

pub(super) fn track(node: u32, interpolation: Interpolation, times: &[f32], values: Values) -> Track {
    Track { node: NodeId(node), interpolation, times: Arc::from(times), values }
}

fn swing(node: u32, interpolation: Interpolation) -> Track {
    let values = [[0.0, 0.1, 0.2], [0.9, -0.3, 0.4], [-0.7, 0.5, 1.1]];
    let values = values.map(|[x, y, z]| Quat::from_euler(EulerRot::XYZ, x, y, z));
    track(node, interpolation, &[0.0, 0.5, 1.0], Values::Rotation(values.into()))
}

fn slide(node: u32) -> Track {
    let values = vec![Vec3::new(0.0, 1.0, 0.0), Vec3::new(1.0, 2.5, -0.5)];
    track(node, Interpolation::Linear, &[0.25, 0.75], Values::Translation(values))
}

fn stretch(node: u32) -> Track {
    let values = vec![Vec3::ONE, Vec3::new(1.5, 0.5, 2.0)];
    track(node, Interpolation::Linear, &[0.0, 1.0], Values::Scale(values))
}

fn clip(name: &str, tracks: Vec<Track>) -> Clip {
    Clip { name: name.into(), duration: 1.0, tracks, ..Clip::default() }
}

/// Weights that are blended from joint to joint along the strip.
fn weights(joints: u32) -> Influences {
    let mut influences = Influences::new();
    for i in 0..18 {
        let along = (i / 2) as f32 / 8.0 * (joints - 1) as f32;
        let joint = (along as u32).min(joints - 2);
        let second = along - joint as f32;
        // Files often have sums other than one.
        let pairs = [(joint, 2.0 * (1.0 - second)), (joint + 1, 2.0 * second)];
        influences.push(pairs.map(|(joint, weight)| Influence { joint, weight }));
    }
    influences
}

/// Inverse binds of the joints at rest, in the space that `shape` brings the mesh to.
pub(super) fn bind(scene: &Scene, joints: &[u32], shape: Mat4) -> Skin {
    let rest = Pose::rest(scene);
    let bind = |&joint: &u32| {
        let matrix = rest.globals[joint as usize].inverse()
            * DMat4::from_cols_array(&shape.to_cols_array().map(f64::from));
        matrix.to_cols_array().map(|v| v as f32)
    };
    Skin {
        name: "Rig".into(),
        joints: joints.iter().map(|&j| NodeId(j)).collect(),
        inverse_binds: joints.iter().map(bind).collect(),
        extras: Extras::new(),
    }
}

pub(super) fn place(scene: &mut Scene, node: usize, mesh: u32, skin: Option<u32>) {
    scene.nodes[node].mesh = Some(MeshId(mesh));
    scene.nodes[node].skin = skin.map(SkinId);
}

pub(super) fn tree() -> Scene {
    let mut scene = Scene {
        nodes: vec![
            node("table", None, trs([1.0, 0.0, 2.0], [0.3, 0.5, -0.2], [2.0, 1.0, 0.5])),
            node("chair", Some(0), trs([0.0, 1.0, 0.0], [0.0, 1.0, 0.3], [-1.0, 1.0, 1.0])),
            node("empty", None, trs([0.0, 3.0, 0.0], [0.0; 3], [1.0; 3])),
            node("cup", Some(2), trs([0.5, 0.0, 0.0], [0.4, 0.0, 0.0], [0.5; 3])),
        ],
        meshes: vec![mesh("wood", strip()), mesh("china", strip())],
        ..Scene::default()
    };
    place(&mut scene, 0, 0, None);
    place(&mut scene, 1, 0, None);
    place(&mut scene, 3, 1, None);
    scene
}

fn rig() -> Scene {
    let part = Part { influences: weights(3), ..strip() };
    let mut scene = Scene {
        nodes: vec![
            node("Armature", None, trs([0.5, 0.0, -1.0], [0.0, 0.7, 0.2], [1.5; 3])),
            node("Body", Some(0), Local::default()),
            node("Hip", Some(0), trs([0.0, 0.2, 0.0], [0.1, 0.0, 0.0], [1.0; 3])),
            node("Knee", Some(2), trs([0.0, 1.5, 0.0], [0.0, 0.3, 0.1], [1.0; 3])),
            node("Foot", Some(3), trs([0.0, 1.8, 0.1], [0.2, 0.0, 0.0], [1.0; 3])),
        ],
        meshes: vec![mesh("Body", part)],
        ..Scene::default()
    };
    place(&mut scene, 1, 0, Some(0));
    scene
}

pub(super) fn bend() -> Scene {
    let mut scene = rig();
    // The joints are in another order than the nodes.
    scene.skins = vec![bind(&scene, &[4, 2, 3], Mat4::from_scale(Vec3::new(1.5, 1.5, 1.5)))];
    scene.clips = vec![
        clip("Bend", vec![swing(3, Interpolation::Linear), slide(4)]),
        clip("Twist", vec![swing(2, Interpolation::Step), stretch(3)]),
    ];
    scene
}

pub(super) fn rest_differs() -> Scene {
    let mut scene = bend();
    scene.nodes[2].local = trs([0.3, 0.4, 0.0], [0.8, 0.1, 0.0], [1.0; 3]);
    scene.nodes[3].local = trs([0.0, 1.5, 0.2], [0.0, -0.6, 0.1], [1.2, 1.0, 1.0]);
    scene
}

fn moving_ancestors() -> Scene {
    let mut scene = rig();
    // Squash (static, not uniform) > Armature (moves) > joints.
    for n in &mut scene.nodes {
        n.parent = Some(n.parent.map_or(NodeId(0), |p| NodeId(p.0 + 1)));
    }
    scene.nodes.insert(0, node("Squash", None, trs([0.0, 0.0, 1.0], [0.2, 0.0, 0.6], [1.0, 2.0, 1.0])));
    scene.skins = vec![bind(&scene, &[3, 4, 5], Mat4::IDENTITY)];
    let tracks = vec![swing(1, Interpolation::Linear), slide(1), swing(4, Interpolation::Linear)];
    scene.clips = vec![clip("Walk", tracks), clip("Stand", vec![swing(3, Interpolation::Linear)])];
    scene
}

pub(super) fn rigid() -> Scene {
    let mut scene = Scene {
        nodes: vec![
            node("floor", None, trs([0.0, -1.0, 0.0], [0.0; 3], [3.0, 1.0, 3.0])),
            node("pivot", None, trs([1.0, 0.0, 0.0], [0.0, 0.5, 0.0], [1.0; 3])),
            node("lid", Some(1), trs([0.0, 1.0, 0.0], [0.3, 0.0, 0.0], [1.0, 1.0, -2.0])),
            node("handle", Some(2), trs([0.0, 0.5, 0.5], [0.0, 0.0, 0.4], [0.5, 0.25, 0.5])),
        ],
        meshes: vec![mesh("box", strip())],
        ..Scene::default()
    };
    for n in [0, 1, 2, 3] {
        place(&mut scene, n, 0, None);
    }
    scene.clips = vec![
        clip("Open", vec![swing(2, Interpolation::Linear), slide(1)]),
        clip("Shake", vec![swing(1, Interpolation::Linear)]),
    ];
    scene
}

pub(super) fn two_skins() -> Scene {
    let mut scene = bend();
    scene.nodes.push(node("Coat", None, Local::default()));
    let shape =
        Mat4::from_scale_rotation_translation(Vec3::new(0.5, 1.0, 2.0), Quat::from_rotation_x(1.0), Vec3::X);
    scene.skins.push(bind(&scene, &[2, 3, 4], shape));
    // The third skin binds one joint away from its rest pose.
    let mut skin = bind(&scene, &[3, 4], Mat4::IDENTITY);
    scene.nodes[4].local = trs([0.0, 1.2, 0.4], [0.9, 0.0, 0.3], [1.0; 3]);
    skin.inverse_binds[1] = bind(&scene, &[4], Mat4::IDENTITY).inverse_binds[0];
    scene.skins.push(skin);
    scene.nodes.push(node("Hat", None, Local::default()));
    scene.meshes.push(mesh("Coat", Part { influences: weights(3), ..strip() }));
    scene.meshes.push(mesh("Hat", Part { influences: weights(2), ..strip() }));
    place(&mut scene, 5, 1, Some(1));
    place(&mut scene, 6, 2, Some(2));
    scene
}

pub(super) fn morphs() -> Scene {
    let mut part = strip();
    let deltas = |f: fn(f32) -> Vec3| MorphDeltas {
        positions: (0..18).map(|i| f(i as f32)).collect(),
        normals: (0..18).map(|i| 0.2 * f(i as f32)).collect(),
        tangents: Vec::new(),
    };
    part.morphs = vec![deltas(|i| Vec3::new(0.1, 0.0, 0.02 * i)), deltas(|i| Vec3::new(0.0, 0.05 * i, 0.3))];
    let targets = [("smile", 0.5), ("frown", 0.0)].map(|(name, weight)| Morph { name: name.into(), weight });
    let mut scene = Scene {
        nodes: vec![
            node("face", None, trs([0.0, 1.0, 0.0], [0.3, 0.2, 0.1], [1.0, 2.0, 1.0])),
            node("twin", None, trs([3.0, 1.0, 0.0], [0.0, 0.2, 0.1], [-1.0, 1.0, 1.0])),
        ],
        meshes: vec![Mesh {
            name: "face".into(),
            parts: vec![part],
            morphs: targets.into(),
            ..Mesh::default()
        }],
        ..Scene::default()
    };
    place(&mut scene, 0, 0, None);
    place(&mut scene, 1, 0, None);
    scene.nodes[1].morph_weights = vec![0.0, 1.0];
    let weights = Values::MorphWeights { count: 2, weights: vec![0.0, 0.0, 1.0, 0.5] };
    scene.clips = vec![clip("Smile", vec![track(0, Interpolation::Linear, &[0.0, 1.0], weights)])];
    scene
}

pub(super) fn cubic() -> Scene {
    let mut scene = bend();
    let vectors = |base: Vec3, sway: f32| -> Vec<Vec3> {
        (0..9)
            .map(|i| {
                if i % 3 == 1 {
                    base + sway * Vec3::splat((i as f32).sin())
                } else {
                    Vec3::new(0.5, -0.8, 0.3)
                }
            })
            .collect()
    };
    let rotations = (0..9)
        .map(|i| {
            let turn = Quat::from_euler(EulerRot::XYZ, 0.2 * i as f32, -0.1 * i as f32, 0.3);
            if i % 3 == 1 { turn } else { Quat::from_vec4(Vec4::from(turn) * 0.4) }
        })
        .collect();
    let times = [0.0, 0.4, 1.0];
    let cubic = |node, values| track(node, Interpolation::Cubic, &times, values);
    scene.clips = vec![clip(
        "Sway",
        vec![
            cubic(2, Values::Translation(vectors(Vec3::new(0.0, 0.2, 0.0), 0.3))),
            cubic(3, Values::Rotation(rotations)),
            cubic(3, Values::Scale(vectors(Vec3::ONE, 0.2))),
        ],
    )];
    scene
}

fn unweighted() -> Scene {
    let mut scene = bend();
    let (starts, pairs) = std::mem::take(&mut scene.meshes[0].parts[0].influences).into_raw();
    let mut influences = Influences::new();
    for (i, range) in starts.windows(2).enumerate() {
        let pairs = &pairs[range[0] as usize..range[1] as usize];
        match i % 4 {
            0 => influences.push([]),
            1 => influences.push(pairs.iter().map(|p| Influence { weight: 0.0, ..*p })),
            _ => influences.push(pairs.iter().copied()),
        }
    }
    scene.meshes[0].parts[0].influences = influences;
    scene.meshes[0].parts.push(strip());
    // The same mesh drawn without the skin.
    scene.nodes.push(node("Statue", Some(3), trs([2.0, 0.0, 0.0], [0.0, 0.4, 0.0], [1.0; 3])));
    scene.nodes[5].mesh = Some(MeshId(0));
    scene
}

fn hidden() -> Scene {
    let mut scene = rigid();
    scene.nodes[2].local = trs([0.0, 1.0, 0.0], [0.3, 0.0, 0.0], [0.0; 3]);
    scene.clips =
        vec![clip("Appear", vec![stretch(2), swing(2, Interpolation::Linear)]), clip("Stay", vec![slide(1)])];
    scene
}
