//! Posed vertices compared with those that the script computed from the field table's formula, and with Blender's.

use crate::{files, fixtures, import, scene, valid};
use ligament::math::Vec3;
use ligament::pose::{Pose, deform};
use ligament::scene::Scene;
use serde_json::Value;
use std::path::Path;

/// Posed vertices in the order of the file; they are identified by their positions at rest.
fn posed(scene: &Scene, clip: &str, time: f32, rest_places: &[Vec3]) -> Vec<Vec3> {
    let clip = scene.clips.iter().find(|c| c.name == clip).expect("a clip");
    let (rest, pose) = (Pose::rest(scene), Pose::at(scene, clip, time));
    let mut found = vec![None; rest_places.len()];
    for node in scene.node_ids() {
        for (at_rest, moved) in deform(scene, &rest, node).iter().zip(deform(scene, &pose, node)) {
            for (place, moved) in at_rest.positions.iter().zip(&moved.positions) {
                let vertex =
                    rest_places.iter().position(|p| p.distance(*place) < 1e-5).expect("at its place");
                found[vertex] = Some(*moved);
            }
        }
    }
    found.into_iter().map(|f| f.expect("every vertex is drawn")).collect()
}

fn read_json(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).expect("readable")).expect("JSON")
}

fn places(value: &Value, map: impl Fn([f32; 3]) -> Vec3) -> Vec<Vec3> {
    let number = |v: &Value| v.as_f64().expect("a number") as f32;
    let all = value.as_array().expect("places").iter();
    all.map(|p| map([number(&p[0]), number(&p[1]), number(&p[2])])).collect()
}

fn from_engine([x, y, z]: [f32; 3]) -> Vec3 {
    Vec3::new(x, y, -z)
}

fn compare(name: &str, scene: &Scene, tolerance: f32) -> usize {
    let document = valid(name);
    let rest: Vec<Vec3> = document.vertices.iter().map(|v| from_engine(v.position)).collect();
    let oracle = read_json(&fixtures().join(format!("{name}.posed.json")));
    let mut count = 0;
    for (clip, moments) in oracle.as_object().expect("clips") {
        for moment in moments.as_array().expect("moments") {
            let time = moment["time"].as_f64().expect("seconds") as f32;
            let expected = places(&moment["places"], from_engine);
            for (v, (found, expected)) in posed(scene, clip, time, &rest).iter().zip(expected).enumerate() {
                let off = found.distance(expected);
                assert!(off < tolerance, "{name}: vertex {v} of {clip} at {time}: {found}, not {expected}");
                count += 1;
            }
        }
    }
    count
}

#[test]
fn every_posed_vertex_is_where_the_formula_puts_it() {
    let mut compared = 0;
    for file in files() {
        let name = file.file_stem().and_then(|n| n.to_str()).expect("a name").to_owned();
        if fixtures().join(format!("{name}.posed.json")).is_file() {
            compared += compare(&name, &scene(&name), 1e-5);
        }
    }
    // 13 files, two animations, five times, twelve vertices.
    assert_eq!(compared, 13 * 2 * 5 * 12);
}

#[test]
fn an_arm_from_blender_moves_as_in_blender() {
    let document = valid("skinned_arm");
    let rest: Vec<Vec3> = document.vertices.iter().map(|v| from_engine(v.position)).collect();
    let scene = import(document).0;
    let oracle = read_json(&fixtures().join("skinned_arm.blender.json"));
    let moments = oracle.as_array().expect("moments");
    assert_eq!(moments.len(), 4);
    for moment in moments {
        let time = moment["time"].as_f64().expect("seconds") as f32;
        // Blender's Z points up and its Y into the image.
        let expected = places(&moment["places"], |[x, y, z]| Vec3::new(x, z, -y));
        for (found, expected) in posed(&scene, "Bend", time, &rest).iter().zip(expected) {
            assert!(found.distance(expected) < 1e-5, "at {time}: {found}, not {expected}");
        }
    }
    assert_eq!(scene.clips[0].duration, 1.0);
}

#[test]
fn a_rest_pose_with_shear_gets_a_node_of_its_own() {
    let scene = scene("tf_sheared");
    let tip = scene.nodes.iter().find(|n| n.name == "Tip").expect("the bone");
    let above = tip.parent.expect("its rest pose");
    assert_eq!(scene.nodes[above.index()].name, "Tip.rest");
    let plain = crate::scene("tf_skinned");
    assert!(plain.nodes.iter().all(|n| !n.name.ends_with(".rest")));
}

#[test]
fn a_vertex_that_is_held_in_part_follows_the_armature() {
    let scene = scene("tf_skinned");
    let skin = &scene.skins[0];
    assert_eq!(skin.joints.len(), 4);
    assert_eq!(scene.nodes[skin.joints[3].index()].name, "armature");
    let influences: Vec<_> = scene.meshes[0].parts.iter().flat_map(|p| p.influences.pairs()).collect();
    assert!(influences.iter().any(|i| i.joint == 3 && i.weight == 0.25));
    // A bone listed twice is one influence.
    assert!(influences.iter().any(|i| i.joint == 1 && i.weight == 1.0));
}
