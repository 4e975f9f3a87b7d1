//! A skinned, animated model of any size, identical on every machine, written by the library in the format of the file's
//! extension.

use glam::{Mat4, Quat, Vec2, Vec3};
use ligament::Scene;
use ligament::scene::{
    Clip, Faces, Influence, Influences, Interpolation, Mesh, MeshId, Node, NodeId, Part, Skin, SkinId, Track,
    Trs, Values,
};
use ligament::{ConvertOptions, write};
use std::path::Path;
use std::sync::Arc;

const JOINTS: usize = 40;
/// Vertices around the tube.
const AROUND: usize = 64;
const STEP: f32 = 0.05;

/// Writes the model with about `vertices` vertices and `keys` keys per joint. `dialect` is the format's, or `-`.
pub fn make(path: &Path, dialect: &str, vertices: usize, keys: usize) {
    let mut options = ConvertOptions { verify: false, ..ConvertOptions::default() };
    options.dialect = (dialect != "-").then(|| dialect.to_owned());
    write(scene(vertices, keys), path, &options).unwrap_or_else(|error| panic!("{error}"));
}

fn scene(vertices: usize, keys: usize) -> Scene {
    let mut scene = Scene::default();
    let mut joints: Vec<NodeId> = Vec::new();
    for joint in 0..JOINTS {
        let translation = Vec3::new(0.0, if joint == 0 { 0.0 } else { STEP }, 0.0);
        let local = Trs { translation, ..Trs::default() }.into();
        let parent = joints.last().copied();
        joints.push(scene.add_node(Node { name: format!("joint{joint}"), parent, local, ..Node::default() }));
    }
    scene.clips = (0..2).map(|clip| self::clip(clip, &joints, keys / 2)).collect();
    let bind = |joint: usize| Mat4::from_translation(Vec3::new(0.0, -STEP * joint as f32, 0.0));
    let inverse_binds = (0..JOINTS).map(|joint| bind(joint).to_cols_array()).collect();
    scene.skins.push(Skin { name: "Rig".into(), joints, inverse_binds, ..Skin::default() });
    scene.meshes.push(Mesh {
        name: "Tube".into(),
        parts: vec![tube((vertices / AROUND).max(2))],
        ..Mesh::default()
    });
    scene.add_node(Node {
        name: "Tube".into(),
        mesh: Some(MeshId(0)),
        skin: Some(SkinId(0)),
        ..Node::default()
    });
    scene
}

/// A bumpy tube along the joints, whose rings of vertices are shared by the faces above and below.
fn tube(rings: usize) -> Part {
    let mut part = Part { uvs: vec![Vec::new()], ..Part::default() };
    part.influences = Influences::with_capacity(rings * AROUND, rings * AROUND * 4);
    for vertex in 0..rings * AROUND {
        let (ring, spoke) = (vertex / AROUND, vertex % AROUND);
        let (along, around) = (ring as f32 / rings as f32, spoke as f32 / AROUND as f32);
        let out = Quat::from_rotation_y(around * std::f32::consts::TAU) * Vec3::X;
        let height = along * STEP * JOINTS as f32;
        part.positions.push(out * (0.3 + 0.0005 * number(vertex)) + Vec3::Y * height);
        part.normals.push((out + Vec3::Y * 0.2 * number(vertex + 1)).normalize());
        part.uvs[0].push(Vec2::new(around, along));
        part.influences.push(influences(along * (JOINTS - 1) as f32, vertex));
    }
    let quads = (0..(rings - 1) * AROUND).map(|i| {
        let next = i / AROUND * AROUND + (i + 1) % AROUND;
        [i, next, next + AROUND, i + AROUND].map(|v| v as u32)
    });
    part.faces = Faces::Triangles(quads.flat_map(|[a, b, c, d]| [a, b, c, a, c, d]).collect());
    part
}

/// The four joints around a position on the chain, weighted by proximity.
fn influences(place: f32, vertex: usize) -> [Influence; 4] {
    let first = (place as usize).saturating_sub(1).min(JOINTS - 4);
    let weight = |k: usize| 2.5 - (place - (first + k) as f32).abs() + 0.1 * number(4 * vertex + k);
    let weights = [0, 1, 2, 3].map(|k| weight(k).max(0.01));
    let sum: f32 = weights.iter().sum();
    [0, 1, 2, 3].map(|k| Influence { joint: (first + k) as u32, weight: weights[k] / sum })
}

fn clip(clip: usize, joints: &[NodeId], keys: usize) -> Clip {
    let times: Arc<[f32]> = (0..keys.max(2)).map(|key| key as f32 / 30.0).collect();
    let value = |joint: usize, key: usize| number((clip * JOINTS + joint) * 100_003 + key);
    let tracks = joints.iter().enumerate().flat_map(|(joint, &node)| {
        let turn = |key: usize| Quat::from_euler(glam::EulerRot::XYZ, 0.1 * value(joint, key), 0.05, 0.02);
        let moved = |key: usize| Vec3::new(0.01 * value(joint, key), STEP, 0.002);
        let track =
            |values| Track { node, interpolation: Interpolation::Linear, times: Arc::clone(&times), values };
        [
            track(Values::Translation((0..times.len()).map(moved).collect())),
            track(Values::Rotation((0..times.len()).map(turn).collect())),
        ]
    });
    let tracks = tracks.collect();
    let duration = times.last().copied().unwrap_or(0.0);
    Clip { name: format!("clip{clip}"), duration, tracks, ..Clip::default() }
}

/// Numbers in −1..1 that look random.
fn number(index: usize) -> f32 {
    let mut h = (index as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    h = (h ^ (h >> 31)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    ((h >> 11) as f64 / (1_u64 << 52) as f64 - 1.0) as f32
}
