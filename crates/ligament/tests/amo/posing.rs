//! Posed vertices against Blender's.

use crate::*;
use ligament::formats::amo::{BIND, BindPose};
use ligament::math::Vec3;
use ligament::pose::{Pose, deform};
use ligament::settings::Own;
use serde_json::Value;
use std::fs;

/// The posed position of every vertex.
fn posed(scene: &Scene, time: f32) -> Vec<Vec3> {
    let pose = Pose::at(scene, &scene.clips[0], time);
    let nodes = scene.node_ids();
    nodes.flat_map(|node| deform(scene, &pose, node)).flat_map(|part| part.positions.clone()).collect()
}

/// The largest distance from Blender's posed vertices over all its frames, and the number compared.
fn worst_against_blender(name: &str) -> (f64, usize) {
    let own = own();
    let json = fs::read(own.join("bend_ref_blender_zup.json")).expect("readable");
    let reference: Value = serde_json::from_slice(&json).expect("JSON");
    let document = valid(&fs::read(own.join(name)).expect("readable"));
    // For each vertex of the scene, the index of its position in the file, which is also the index of Blender's vertex.
    let origins: Vec<usize> = document.models[0].vertices.iter().map(|c| c.position as usize).collect();
    let scene = import(document);
    let (mut worst, mut count) = (0.0_f64, 0);
    let frames = reference.as_object().expect("frames");
    // Blender also has frame 6, between keys, where its own curves differ from any player of the file.
    assert_eq!(frames.keys().map(String::as_str).collect::<Vec<_>>(), ["0", "6", "12", "24"]);
    for (frame, places) in frames.iter().filter(|(frame, _)| *frame != "6") {
        let time = frame.parse::<f32>().expect("a number") / 24.0;
        let posed = posed(&scene, time);
        assert_eq!(posed.len(), origins.len());
        for (found, &origin) in posed.iter().zip(&origins) {
            let place = &places[origin];
            let [x, y, z] = [0, 1, 2].map(|i| place[i].as_f64().expect("a number") as f32);
            // Blender has Z up.
            worst = worst.max(f64::from(found.distance(Vec3::new(x, z, -y))));
            count += 1;
        }
    }
    (worst, count)
}

#[test]
fn the_counted_bend_poses_as_in_blender() {
    let (worst, count) = worst_against_blender("bend_addonHEAD.amo");
    println!("counted: {worst:e} over {count}");
    assert_eq!(count, 3 * 60);
    assert!(worst < 1e-5, "{worst}");
}

#[test]
fn the_keyed_bend_poses_as_in_blender_to_its_four_decimals() {
    let (worst, count) = worst_against_blender("bend_addon_kdialect_88115c9.amo");
    println!("keyed: {worst:e} over {count}");
    assert_eq!(count, 3 * 60);
    // Positions and weights have four decimals, so each coordinate is off by up to 5e-5.
    assert!(worst < 1e-4, "{worst}");
}

#[test]
fn joints_without_rest_are_bound_at_the_origin_or_where_the_first_keys_put_them() {
    let text = SMALL.replace("ap 0 1 0 0 0", "ap 0 1 0 1 0");
    let scene = |bind| {
        let options = ReadOptions { own: Own::with(&BIND, bind), ..ReadOptions::default() };
        let document: Box<dyn formats::Document> = Box::new(valid(text.as_bytes()));
        document.import(&options, &mut Report::default()).expect("imports")
    };
    // The second vertex follows both joints equally, and the tip moves from y = 1 to y = 2.
    let identity = scene(BindPose::Identity);
    assert_eq!(posed(&identity, 0.0)[1], Vec3::new(1.0, 0.5, 0.0));
    assert_eq!(posed(&identity, 1.0)[1], Vec3::new(1.0, 1.0, 0.0));
    let first_key = scene(BindPose::FirstKey);
    assert_eq!(posed(&first_key, 0.0)[1], Vec3::new(1.0, 0.0, 0.0));
    assert_eq!(posed(&first_key, 1.0)[1], Vec3::new(1.0, 0.5, 0.0));
}

#[test]
fn a_joint_that_a_key_leaves_out_is_at_rest() {
    let text = "ao c 7\nv 3\n0 0 0\n1 0 0\n0 1 0\nvj 1\n0 -1 -1 -1\nvw 1\n1 0 0 0\n\
        f 1\n0 -1 -1 0 0 1 -1 -1 0 0 2 -1 -1 0 0\nj 1\nroot -1 1 0 0 0 0 1 0 0 0 0 1 0 5 0 0 1\n\
        a 1\nan hop 1000 4\nk 0.75 0\nk 0 1\n0 0 0 8 1 0 0 0\nk 0.25 0\nk 1 1\n0 0 0 4 1 0 0 0\nend\n";
    let scene = import(valid(text.as_bytes()));
    let height = |time: f32| posed(&scene, time)[0].y;
    for (time, expected) in
        [(0.0, 8.0), (0.125, 4.0), (0.25, 0.0), (0.5, 0.0), (0.75, 0.0), (0.875, 2.0), (1.0, 4.0)]
    {
        assert!((height(time) - expected).abs() < 1e-5, "{time}: {}", height(time));
    }
}

#[test]
fn rest_matrices_with_shear_pose_exactly() {
    // The joint's rest matrix shears and stretches, and its key rotates it by 90 degrees about Z.
    let text = "ao c 7\nv 3\n1 0 0\n0 1 0\n0 0 1\nvj 1\n0 -1 -1 -1\nvw 1\n1 0 0 0\n\
        f 1\n0 -1 -1 0 0 1 -1 -1 0 0 2 -1 -1 0 0\nj 1\nroot -1 2 0 0 0 0.5 1 0 0 0 0 3 0 0 0 0 1\n\
        a 1\nan turn 1000 2\nk 0 1\n0 0 0 0 1 0 0 0\nk 1 1\n0 0 0 0 0.70710678 0 0 0.70710678\nend\n";
    let scene = import(valid(text.as_bytes()));
    // rest · R · rest⁻¹ by hand, for v = (1, 0, 0): rest⁻¹ v = (0.5, 0, 0), rotated (0, 0.5, 0), rest again (0.25, 0.5,
    // 0).
    let found = posed(&scene, 1.0)[0];
    assert!(found.distance(Vec3::new(0.25, 0.0, -0.5)) < 1e-6, "{found}");
    support::check_promise(&scene);
}
