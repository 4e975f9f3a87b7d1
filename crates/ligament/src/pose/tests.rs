//! Positions computed by hand.

use super::*;
use crate::scene::{
    Clip, Influence, Influences, Interpolation, Local, Mesh, MeshId, Morph, MorphDeltas, Node, NodeId, Part,
    Scene, Skin, SkinId, Track, Trs, Values,
};
use glam::{Mat4, Quat, Vec3, Vec4};
use std::f32::consts::{FRAC_1_SQRT_2, FRAC_PI_2};

fn close(found: Vec3, expected: Vec3) -> bool {
    found.abs_diff_eq(expected, 2e-6)
}

fn pull(joint: u32, weight: f32) -> Influence {
    Influence { joint, weight }
}

/// A skinned part with one vertex per set of influences, all at `position` with this normal and tangent, on two joints:
/// the first fixed at the origin, the second its child at (0, 1, 0).
fn skinned(position: Vec3, normal: Vec3, tangent: Vec4, vertices: &[&[Influence]]) -> Scene {
    let mut scene = Scene::default();
    let mut influences = Influences::new();
    vertices.iter().for_each(|v| influences.push(v.iter().copied()));
    let count = vertices.len();
    let part = Part {
        positions: vec![position; count],
        normals: vec![normal; count],
        tangents: vec![tangent; count],
        influences,
        ..Part::default()
    };
    scene.meshes.push(Mesh { parts: vec![part], ..Mesh::default() });
    scene.add_node(Node::default());
    let local = Local::Trs(Trs { translation: Vec3::Y, ..Trs::IDENTITY });
    scene.add_node(Node { parent: Some(NodeId(0)), local, ..Node::default() });
    // The node's own transform must not matter.
    let local = Local::Trs(Trs { translation: Vec3::splat(100.0), ..Trs::IDENTITY });
    scene.add_node(Node { local, mesh: Some(MeshId(0)), skin: Some(SkinId(0)), ..Node::default() });
    let bind = Mat4::from_translation(-Vec3::Y).to_cols_array();
    scene.skins.push(Skin {
        joints: vec![NodeId(0), NodeId(1)],
        inverse_binds: vec![Mat4::IDENTITY.to_cols_array(), bind],
        ..Skin::default()
    });
    scene
}

fn set_joint(scene: &mut Scene, rotation: Quat, scale: Vec3) {
    scene.nodes[1].local = Local::Trs(Trs { translation: Vec3::Y, rotation, scale });
}

fn posed(scene: &Scene) -> PosedPart {
    deform(scene, &Pose::rest(scene), NodeId(2)).remove(0)
}

#[test]
fn a_vertex_is_the_weighted_mean_of_where_its_joints_take_it() {
    let all: [&[Influence]; 6] = [
        &[pull(0, 1.0)],
        &[pull(1, 1.0)],
        &[pull(0, 0.25), pull(1, 0.75)],
        &[pull(0, 1.0), pull(1, 3.0)],
        &[],
        &[pull(1, 0.0)],
    ];
    let mut scene = skinned(Vec3::new(0.0, 2.0, 0.0), Vec3::Y, Vec4::new(0.0, 0.0, 1.0, -1.0), &all);
    assert_eq!(posed(&scene).positions, [Vec3::new(0.0, 2.0, 0.0); 6], "at bind nothing moves");
    set_joint(&mut scene, Quat::from_rotation_z(FRAC_PI_2), Vec3::ONE);
    let posed = posed(&scene);
    // One above the joint at (0,1,0), rotated by 90° about Z: (−1,1,0).
    let (still, turned) = (Vec3::new(0.0, 2.0, 0.0), Vec3::new(-1.0, 1.0, 0.0));
    let mean = Vec3::new(-0.75, 1.25, 0.0);
    for (i, expected) in [still, turned, mean, mean, still, still].into_iter().enumerate() {
        assert!(close(posed.positions[i], expected), "vertex {i}: {}", posed.positions[i]);
    }
    assert!(close(posed.normals[1], Vec3::NEG_X));
    assert!(close(posed.normals[2], Vec3::new(-3.0, 1.0, 0.0).normalize()));
    assert_eq!(posed.normals[4], Vec3::Y);
    assert_eq!(posed.tangents[1].w, -1.0);
    assert!(close(posed.tangents[1].truncate(), Vec3::Z));
}

#[test]
fn normals_of_stretched_joints_turn_by_the_inverse_transpose() {
    let diagonal = Vec3::new(FRAC_1_SQRT_2, FRAC_1_SQRT_2, 0.0);
    let tangent = Vec4::new(FRAC_1_SQRT_2, -FRAC_1_SQRT_2, 0.0, 1.0);
    let both: [&[Influence]; 2] = [&[pull(1, 0.5)], &[pull(0, 0.5), pull(1, 0.5)]];
    let mut scene = skinned(Vec3::new(1.0, 1.0, 0.0), diagonal, tangent, &both);
    set_joint(&mut scene, Quat::IDENTITY, Vec3::new(1.0, 2.0, 1.0));
    let posed = posed(&scene);
    assert!(close(posed.normals[0], Vec3::new(2.0, 1.0, 0.0).normalize()), "{}", posed.normals[0]);
    // Mean of (1,1,0) and (1,½,0).
    assert!(close(posed.normals[1], Vec3::new(4.0, 3.0, 0.0) / 5.0), "{}", posed.normals[1]);
    assert!(close(posed.tangents[0].truncate(), Vec3::new(1.0, -2.0, 0.0).normalize()));
    // Still perpendicular if there is one joint.
    assert!(posed.normals[0].dot(posed.tangents[0].truncate()).abs() < 1e-6);
}

#[test]
fn mirrored_joints_flip_the_tangents_sign() {
    let one: [&[Influence]; 1] = [&[pull(1, 1.0)]];
    let mut scene = skinned(Vec3::X, Vec3::X, Vec4::new(0.0, 0.0, 1.0, 1.0), &one);
    set_joint(&mut scene, Quat::IDENTITY, Vec3::new(-1.0, 1.0, 1.0));
    let posed = posed(&scene);
    assert_eq!(posed.positions, [Vec3::NEG_X]);
    assert!(close(posed.normals[0], Vec3::NEG_X));
    assert_eq!(posed.tangents, [Vec4::new(0.0, 0.0, 1.0, -1.0)]);
}

#[test]
fn flattened_joints_still_have_a_normal() {
    let one: [&[Influence]; 1] = [&[pull(1, 1.0)]];
    let mut scene = skinned(Vec3::X, Vec3::Y, Vec4::new(1.0, 0.0, 0.0, 1.0), &one);
    set_joint(&mut scene, Quat::IDENTITY, Vec3::new(1.0, 0.0, 1.0));
    assert!(close(posed(&scene).normals[0], Vec3::Y));
}

#[test]
fn unskinned_meshes_go_with_their_node() {
    let part = Part {
        positions: vec![Vec3::new(1.0, 1.0, 0.0)],
        normals: vec![Vec3::new(1.0, 1.0, 0.0).normalize()],
        tangents: vec![Vec3::new(1.0, -1.0, 0.0).normalize().extend(1.0)],
        ..Part::default()
    };
    let mut scene = Scene::default();
    scene.meshes.push(Mesh { parts: vec![part], ..Mesh::default() });
    let rotation = Quat::from_rotation_z(FRAC_PI_2);
    let trs = Trs { translation: Vec3::Z, rotation, scale: Vec3::new(1.0, -2.0, 1.0) };
    scene.add_node(Node { mesh: Some(MeshId(0)), local: Local::Trs(trs), ..Node::default() });
    let pose = Pose::rest(&scene);
    let posed = &deform(&scene, &pose, NodeId(0))[0];
    // Scaled to (1,−2,0), rotated to (2,1,0), moved.
    assert!(close(posed.positions[0], Vec3::new(2.0, 1.0, 1.0)));
    // Inverse scale gives (1,−½,0), rotated (½,1,0).
    assert!(close(posed.normals[0], Vec3::new(1.0, 2.0, 0.0).normalize()));
    // (1,2,0) rotated to (−2,1,0); the scale mirrors.
    assert!(close(posed.tangents[0].truncate(), Vec3::new(-2.0, 1.0, 0.0).normalize()));
    assert_eq!(posed.tangents[0].w, -1.0);
    let around = bounds(&scene, &pose).unwrap();
    assert!(close(around.min, Vec3::new(2.0, 1.0, 1.0)) && around.min == around.max);
}

#[test]
fn morphs_move_vertices_before_the_skin_does() {
    let one: [&[Influence]; 1] = [&[pull(1, 1.0)]];
    let mut scene = skinned(Vec3::new(0.0, 2.0, 0.0), Vec3::Y, Vec4::new(0.0, 0.0, 1.0, 1.0), &one);
    set_joint(&mut scene, Quat::from_rotation_z(FRAC_PI_2), Vec3::ONE);
    let deltas = |y: f32, normal: Vec3| MorphDeltas {
        positions: vec![Vec3::new(0.0, y, 0.0)],
        normals: vec![normal],
        tangents: vec![Vec3::ZERO],
    };
    scene.meshes[0].morphs = vec![Morph::default(), Morph { weight: 0.5, ..Morph::default() }];
    scene.meshes[0].parts[0].morphs = vec![deltas(50.0, Vec3::X), deltas(2.0, Vec3::new(0.0, -2.0, 2.0))];
    let posed = posed(&scene);
    // Two above the joint after morphing, so two to the left after the rotation; the normal was rotated to +Z.
    assert!(close(posed.positions[0], Vec3::new(-2.0, 1.0, 0.0)), "{}", posed.positions[0]);
    assert!(close(posed.normals[0], Vec3::Z), "{}", posed.normals[0]);
}

/// The clip of Khronos' SimpleSkin at one second: the second joint is rotated by 90° about Z.
#[test]
fn a_clip_turns_a_joint() {
    let one: [&[Influence]; 1] = [&[pull(0, 0.5), pull(1, 0.5)]];
    let mut scene = skinned(Vec3::new(-0.5, 1.0, 0.0), Vec3::Y, Vec4::new(0.0, 0.0, 1.0, 1.0), &one);
    let quarter = Quat::from_xyzw(0.0, 0.0, FRAC_1_SQRT_2, FRAC_1_SQRT_2);
    let values = Values::Rotation(vec![Quat::IDENTITY, quarter]);
    let track =
        Track { node: NodeId(1), interpolation: Interpolation::Linear, times: [0.0, 1.0].into(), values };
    scene.clips.push(Clip { duration: 1.0, tracks: vec![track], ..Clip::default() });
    let at = |seconds| {
        let pose = Pose::at(&scene, &scene.clips[0], seconds);
        deform(&scene, &pose, NodeId(2))[0].positions[0]
    };
    // Half a unit left of the joint, rotated to half a unit below; the mean of that and no rotation.
    assert!(close(at(1.0), Vec3::new(-0.25, 0.75, 0.0)), "{}", at(1.0));
    let (sin, cos) = (std::f32::consts::FRAC_PI_4).sin_cos();
    assert!(close(at(0.5), Vec3::new(-0.5 - 0.5 * cos, 2.0 - 0.5 * sin, 0.0) / 2.0), "{}", at(0.5));
}

#[test]
fn buffers_are_used_again() {
    let one: [&[Influence]; 1] = [&[pull(1, 1.0)]];
    let scene = skinned(Vec3::X, Vec3::Y, Vec4::X, &one);
    let pose = Pose::rest(&scene);
    let mut parts = vec![PosedPart { positions: Vec::with_capacity(64), ..PosedPart::default() }; 3];
    parts[0].positions.reserve(64);
    let memory = parts[0].positions.as_ptr();
    Deformer::new().deform(&scene, &pose, NodeId(2), &mut parts);
    assert_eq!(parts, deform(&scene, &pose, NodeId(2)));
    assert_eq!(parts[0].positions.as_ptr(), memory);
    Deformer::positions_only().deform(&scene, &pose, NodeId(2), &mut parts);
    assert_eq!((parts[0].positions.len(), parts[0].normals.len(), parts[0].tangents.len()), (1, 0, 0));
    Deformer::new().deform(&scene, &pose, NodeId(0), &mut parts);
    assert!(parts.is_empty(), "the node draws nothing");
}

#[test]
fn broken_skins_are_posed_without_panic() {
    let one: [&[Influence]; 2] = [&[pull(9, 1.0)], &[pull(9, 1.0), pull(1, 1.0)]];
    let mut scene = skinned(Vec3::X, Vec3::Y, Vec4::X, &one);
    assert_eq!(posed(&scene).positions, [Vec3::X; 2], "joints that the skin lacks pull nothing");
    scene.meshes[0].parts[0].positions.push(Vec3::Z);
    scene.meshes[0].parts[0].normals.truncate(1);
    assert_eq!(posed(&scene).positions[2], Vec3::Z);
    scene.skins[0].inverse_binds.truncate(1);
    scene.skins[0].joints[0] = NodeId(77);
    assert_eq!(posed(&scene).positions.len(), 3);
    scene.nodes[2].skin = Some(SkinId(4));
    assert_eq!(posed(&scene).positions[2], Vec3::new(100.0, 100.0, 101.0));
}
