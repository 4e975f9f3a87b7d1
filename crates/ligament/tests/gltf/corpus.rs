//! Files of the corpus, with counts taken straight from their JSON.

use super::shared;
use super::support::read;
use std::path::Path;

/// Nodes, vertices, triangles, influences, joints, Σ |x| + 2|y| + 3|z| of all vertices, and clips (name, channels,
/// keys, last key), counted by a separate script straight from the JSON and the buffers.
type Facts = (usize, usize, usize, usize, usize, f64, &'static [(&'static str, usize, usize, f32)]);

const FACTS: &[(&str, Facts)] = &[
    ("BoxAnimated.glb", (4, 320, 254, 0, 0, 825.78, &[("", 2, 6, 3.70833)])),
    ("CesiumMan.glb", (22, 3273, 4672, 7645, 19, 11557.455, &[("", 57, 2736, 2.0)])),
    (
        "Fox.glb",
        (
            26,
            1728,
            576,
            2729,
            24,
            294833.305,
            &[("Survey", 21, 1743, 3.416667), ("Walk", 21, 378, 0.708333), ("Run", 21, 525, 1.158333)],
        ),
    ),
    (
        "InterpolationTest.glb",
        (
            10,
            220,
            110,
            0,
            0,
            1312.0,
            &[
                ("Step Scale", 1, 5, 2.0),
                ("Linear Scale", 1, 5, 2.0),
                ("CubicSpline Scale", 1, 5, 2.0),
                ("Step Rotation", 1, 5, 2.0),
                ("CubicSpline Rotation", 1, 5, 2.0),
                ("Linear Rotation", 1, 5, 2.0),
                ("Step Translation", 1, 5, 2.0),
                ("CubicSpline Translation", 1, 5, 2.0),
                ("Linear Translation", 1, 5, 2.0),
            ],
        ),
    ),
    ("RiggedSimple.glb", (5, 160, 188, 192, 2, 1963.317, &[("", 3, 150, 2.083333)])),
    ("SimpleSkin.gltf", (3, 10, 8, 16, 2, 25.0, &[("", 1, 12, 5.5)])),
    ("bend.gltf", (4, 88, 48, 112, 2, 218.324, &[("bend", 6, 150, 1.0)])),
];

fn facts_hold(path: &Path, facts: &Facts) {
    let (scene, report) = read(path);
    assert!(report.diagnostics().is_empty(), "{:?}", report.diagnostics());
    let name = path.display();
    let parts = || scene.nodes.iter().filter_map(|n| n.mesh).flat_map(|m| &scene.meshes[m.index()].parts);
    assert_eq!(scene.nodes.len(), facts.0, "{name}: nodes");
    assert_eq!(scene.vertex_count(), facts.1, "{name}: vertices");
    assert_eq!(parts().map(|p| p.faces.count()).sum::<usize>(), facts.2, "{name}: triangles");
    assert_eq!(parts().map(|p| p.influences.pairs().len()).sum::<usize>(), facts.3, "{name}: influences");
    assert_eq!(scene.joint_count(), facts.4, "{name}: joints");
    let weigh = |p: &ligament::math::Vec3| {
        f64::from(p.x.abs()) + 2.0 * f64::from(p.y.abs()) + 3.0 * f64::from(p.z.abs())
    };
    let sum: f64 = parts().flat_map(|p| &p.positions).map(weigh).sum();
    assert!((sum - facts.5).abs() <= 1e-3 + facts.5 * 1e-7, "{name}: positions {sum}");
    let clips: Vec<_> = scene
        .clips
        .iter()
        .map(|c| {
            let keys = c.tracks.iter().map(|t| t.times.len()).sum::<usize>();
            (c.name.as_str(), c.tracks.len(), keys, (c.duration * 1e6).round() / 1e6)
        })
        .collect();
    assert_eq!(clips, facts.6, "{name}: clips");
}

#[test]
fn the_corpus_reads_with_the_counts_of_its_json() {
    let mut read = 0;
    for (file, facts) in FACTS {
        let folder = if *file == "bend.gltf" { "own/amo" } else { "real/gltf" };
        let Some(path) = shared::find(&format!("{folder}/{file}")) else { continue };
        facts_hold(&path, facts);
        read += 1;
    }
    assert_eq!(read, 6 + usize::from(shared::extra("real/gltf/CesiumMan.glb").is_some()));
    let own = shared::files_below(&shared::corpus("real/gltf"));
    assert_eq!(own.len(), 5, "a file without facts");
}

/// Blender's own posed vertices of the bending cylinder, in its Z-up axes. The file splits them at UV seams, so each is
/// found by its position at rest.
#[test]
fn posed_vertices_are_where_blender_has_them() {
    use ligament::math::Vec3;
    use ligament::pose::{Pose, deform};
    let folder = shared::corpus("own/amo");
    let oracle = std::fs::read_to_string(folder.join("bend_ref_blender_zup.json")).expect("the oracle");
    let oracle: serde_json::Value = serde_json::from_str(&oracle).expect("JSON");
    let vertices = |frame: &str| -> Vec<Vec3> {
        let list = oracle[frame].as_array().expect("a frame");
        let number = |v: &serde_json::Value, i: usize| v[i].as_f64().expect("a number") as f32;
        list.iter().map(|v| Vec3::new(number(v, 0), number(v, 2), -number(v, 1))).collect()
    };
    let (scene, _) = read(&folder.join("bend.gltf"));
    let node = scene.node_ids().find(|&n| scene.nodes[n.index()].mesh.is_some()).expect("a mesh");
    let rest = deform(&scene, &Pose::rest(&scene), node);
    let at_rest = vertices("0");
    let matching: Vec<usize> = rest[0]
        .positions
        .iter()
        .map(|p| at_rest.iter().position(|q| p.distance(*q) < 1e-5).expect("the same mesh"))
        .collect();
    let mut compared = 0;
    for frame in [0_u16, 6, 12, 24] {
        let expected = vertices(&frame.to_string());
        let pose = Pose::at(&scene, &scene.clips[0], f32::from(frame) / 24.0);
        for (found, &vertex) in deform(&scene, &pose, node)[0].positions.iter().zip(&matching) {
            let distance = found.distance(expected[vertex]);
            assert!(distance < 1e-5, "frame {frame}, vertex {vertex}: off by {distance}");
            compared += 1;
        }
    }
    assert_eq!(compared, 4 * 88);
}
