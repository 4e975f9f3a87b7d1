//! glTF files posed by us and by three.js (`tools/oracle/pose.mjs`), vertex by vertex.

mod support;

use ligament::pose::{Pose, PosedPart, deform};
use ligament::scene::Scene;
use serde_json::Value;

/// The largest distance between the oracle's vertices and ours, relative to the model's size, and the number compared.
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
        let meshes = pose["meshes"].as_array().unwrap();
        let placements = scene.node_ids().filter(|n| scene.nodes[n.index()].mesh.is_some());
        let parts = placements.flat_map(|node| {
            let name = scene.nodes[node.index()].name.clone();
            deform(scene, &ours, node).into_iter().map(move |part| (name.clone(), part))
        });
        let parts: Vec<_> = parts.collect();
        assert_eq!(parts.len(), meshes.len());
        for mesh in meshes {
            let points = mesh["points"].as_array().unwrap();
            let fits = |(name, part): &&(String, PosedPart)| {
                name == mesh["node"].as_str().unwrap() && part.positions.len().div_ceil(step) == points.len()
            };
            let (_, part) =
                parts.iter().find(fits).unwrap_or_else(|| panic!("no {} in our scene", mesh["node"]));
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
    let oracles = support::files_below(&support::workspace().join("crates/ligament/tests/oracles"));
    let mut files = 0;
    for path in &oracles {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let oracle: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        let Some(model) = support::find(&format!("real/gltf/{name}")) else { continue };
        let (scene, _) = ligament::read(model, &Default::default()).unwrap();
        let (worst, compared) = worst_difference(&scene, &oracle);
        println!("{name}: {compared} vertices, worst {worst:.1e} of the size");
        // SimpleSkin stores its quaternions with three digits (0.707). We normalise them; three.js does not, which
        // scales the mesh by up to 3e-4.
        let allowed = if name == "SimpleSkin.gltf" { 3e-4 } else { 1e-6 };
        assert!(worst < allowed, "{name}: {worst:e}");
        files += 1;
    }
    assert_eq!(files, 5 + usize::from(support::extra("real/gltf/CesiumMan.glb").is_some()));
}
