//! Skinning 100,000 vertices with four influences each, positions only.

use glam::{Mat4, Vec3};
use ligament::Scene;
use ligament::pose::{Deformer, Pose};
use ligament::scene::{Influence, Influences, Mesh, MeshId, Node, NodeId, Part, Skin, SkinId, Trs};

const VERTICES: usize = 100_000;
const JOINTS: u32 = 64;

/// Numbers in 0..1 that are the same in every run, and in the numpy script.
fn number(index: usize) -> f32 {
    (index as u64 * 2_654_435_761 % 1_000_003) as f32 / 1_000_003.0
}

fn position(vertex: usize) -> Vec3 {
    Vec3::new(number(3 * vertex), number(3 * vertex + 1), number(3 * vertex + 2))
}

fn influences(vertex: usize) -> [Influence; 4] {
    let weights = [0, 1, 2, 3].map(|i| number(4 * vertex + i) + 0.01);
    let sum: f32 = weights.iter().sum();
    [0, 1, 2, 3].map(|i| Influence { joint: (vertex * 7 + i * 13) as u32 % JOINTS, weight: weights[i] / sum })
}

fn scene() -> Scene {
    let mut scene = Scene::default();
    for joint in 0..JOINTS {
        let translation = position(joint as usize);
        let rotation = glam::Quat::from_rotation_y(joint as f32 * 0.1);
        let local = Trs { translation, rotation, scale: Vec3::ONE }.into();
        scene.add_node(Node { local, ..Node::default() });
    }
    let mut part = Part { positions: (0..VERTICES).map(position).collect(), ..Part::default() };
    part.influences = Influences::with_capacity(VERTICES, VERTICES * 4);
    (0..VERTICES).for_each(|vertex| part.influences.push(influences(vertex)));
    scene.meshes.push(Mesh { parts: vec![part], ..Mesh::default() });
    let joints: Vec<NodeId> = scene.node_ids().collect();
    let inverse_binds = vec![Mat4::IDENTITY.to_cols_array(); joints.len()];
    scene.skins.push(Skin { joints, inverse_binds, ..Skin::default() });
    scene.add_node(Node { mesh: Some(MeshId(0)), skin: Some(SkinId(0)), ..Node::default() });
    scene
}

/// The library's skinning, including the joint matrices.
pub fn ours(times: usize) {
    let scene = scene();
    let pose = Pose::rest(&scene);
    let node = NodeId::new(scene.nodes.len() - 1);
    let (mut deformer, mut parts) = (Deformer::positions_only(), Vec::new());
    crate::fastest(times, || deformer.deform(&scene, &pose, node, &mut parts));
    let skinned = &parts[0].positions;
    let worst = plain(&scene).iter().zip(skinned).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    assert!(worst < 1e-5, "the two ways differ by {worst}");
}

/// The obvious loop: blend the matrices, divide by the sum of the weights, transform.
pub fn plain_glam(times: usize) {
    let scene = scene();
    let (matrices, positions, ..) = arrays(&scene);
    let influences = &scene.meshes[0].parts[0].influences;
    let mut out = vec![Vec3::ZERO; positions.len()];
    crate::fastest(times, || {
        for i in 0..positions.len() {
            let (mut blended, mut sum) = (Mat4::ZERO, 0.0);
            for pair in influences.of(i) {
                blended += matrices[pair.joint as usize] * pair.weight;
                sum += pair.weight;
            }
            out[i] = (blended * (1.0 / sum)).transform_point3(positions[i]);
        }
    });
    std::hint::black_box(&out);
}

/// The same, if every vertex is known to have four influences that sum to one.
pub fn plain_glam_four(times: usize) {
    let scene = scene();
    let (matrices, positions, joints, weights) = arrays(&scene);
    let mut out = vec![Vec3::ZERO; positions.len()];
    crate::fastest(times, || {
        for i in 0..positions.len() {
            let (j, w) = (joints[i], weights[i]);
            let blended = matrices[j[0] as usize] * w[0]
                + matrices[j[1] as usize] * w[1]
                + matrices[j[2] as usize] * w[2]
                + matrices[j[3] as usize] * w[3];
            out[i] = blended.transform_point3(positions[i]);
        }
    });
    std::hint::black_box(&out);
}

type Arrays = (Vec<Mat4>, Vec<Vec3>, Vec<[u32; 4]>, Vec<[f32; 4]>);

fn arrays(scene: &Scene) -> Arrays {
    let pose = Pose::rest(scene);
    let matrices = pose.globals.iter().map(|m| m.as_mat4()).collect();
    let part = &scene.meshes[0].parts[0];
    let four = |i: usize| -> [Influence; 4] { part.influences.of(i).try_into().expect("four each") };
    let joints = (0..VERTICES).map(|i| four(i).map(|p| p.joint)).collect();
    let weights = (0..VERTICES).map(|i| four(i).map(|p| p.weight)).collect();
    (matrices, part.positions.clone(), joints, weights)
}

fn plain(scene: &Scene) -> Vec<Vec3> {
    let (matrices, positions, joints, weights) = arrays(scene);
    let one = |i: usize| {
        (0..4).map(|k| matrices[joints[i][k] as usize].transform_point3(positions[i]) * weights[i][k]).sum()
    };
    (0..positions.len()).map(one).collect()
}
