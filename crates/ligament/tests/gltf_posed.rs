//! glTF files posed by us and by three.js (`tools/oracle/pose.mjs`), vertex by vertex.

mod support;

use ligament::pose::{Pose, deform};
use ligament::scene::{NodeId, Scene};
use serde_json::Value;

/// Placements in the order that a depth-first walk of the scene meets them, as three.js lists its meshes.
fn placements(scene: &Scene) -> Vec<NodeId> {
    fn walk(scene: &Scene, node: NodeId, found: &mut Vec<NodeId>) {
        if scene.nodes[node.index()].mesh.is_some() {
            found.push(node);
        }
        for child in scene.children(node) {
            walk(scene, child, found);
        }
    }
    let mut found = Vec::new();
    for root in scene.roots() {
        walk(scene, root, &mut found);
    }
    found
}

/// The largest distance between the oracle's vertices and ours, relative to the model's size, and how many were compared.
fn worst_difference(scene: &Scene, oracle: &Value) -> (f64, usize) {
    let step = oracle["step"].as_u64().unwrap() as usize;
    let (mut worst, mut size, mut compared) = (0.0_f64, 0.0_f64, 0);
    for pose in oracle["poses"].as_array().unwrap() {
        let ours = match pose["clip"].as_str() {
            None => Pose::rest(scene),
            Some(name) => {
                let clip = scene.clips.iter().find(|c| c.name == name).unwrap_or(&scene.clips[0]);
                Pose::at(scene, clip, pose["time"].as_f64().unwrap() as f32)
            }
        };
        let parts: Vec<_> =
            placements(scene).into_iter().flat_map(|node| deform(scene, &ours, node)).collect();
        let meshes = pose["meshes"].as_array().unwrap();
        assert_eq!(parts.len(), meshes.len());
        for (part, mesh) in parts.iter().zip(meshes) {
            let points = mesh["points"].as_array().unwrap();
            assert_eq!(points.len(), part.positions.len().div_ceil(step));
            for (vertex, point) in part.positions.iter().step_by(step).zip(points) {
                let point: Vec<f64> = point.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect();
                let distance = (vertex.as_dvec3() - ligament::math::DVec3::from_slice(&point)).length();
                size = size.max(point.iter().map(|v| v * v).sum::<f64>().sqrt());
                worst = worst.max(distance);
                compared += 1;
            }
        }
    }
    (worst / size, compared)
}

#[test]
fn posed_vertices_agree_with_three_js() {
    let Some(corpus) = support::corpus("posed_vertices_agree_with_three_js") else { return };
    let oracles = support::files_below(&support::workspace().join("crates/ligament/tests/oracles"));
    let mut files = 0;
    for path in &oracles {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let oracle: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        let (scene, _) = ligament::read(corpus.join("real/gltf").join(name)).unwrap();
        let (worst, compared) = worst_difference(&scene, &oracle);
        println!("{name}: {compared} vertices, worst {worst:.1e} of the size");
        // three.js multiplies joint chains in f64 but skins from f32 matrices, as we do.
        assert!(worst < 2e-6, "{name}: {worst:e}");
        files += 1;
    }
    assert_eq!(files, 6);
}
