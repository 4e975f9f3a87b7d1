//! Another pose at rest.

use super::*;
use serde_json::json;
use std::f32::consts::FRAC_PI_2;

/// A clip in which the tip turns, and one in which only the hip goes.
fn source() -> Scene {
    let mut scene = rig();
    scene.clips.push(clip("bend", 1.0, vec![turn(&[0.0, 1.0], &[0.0, FRAC_PI_2])]));
    scene.clips.push(clip("go", 1.0, vec![slide(Interpolation::Step, &[0.0, 0.5], &[0.0, 3.0])]));
    scene
}

fn rested(scene: &Scene, pose: &str) -> Scene {
    let (result, report) = proven(scene, &[("rest_pose", json!(pose))]);
    let said = report.losses().iter().find(|loss| loss.code.id == "RG061").expect("told");
    assert_eq!(said.kind, ligament::report::LossKind::Kept, "{}", said.message);
    let off = oracle::apart(scene, &result, false);
    assert!(off < 1e-6, "{pose}: {off:e}");
    result
}

#[test]
fn the_pose_of_a_clip_is_the_rest_pose_and_clips_stay() {
    let source = source();
    let result = rested(&source, "bend@1s");
    // The tip is two metres up, and has turned to the left.
    let rest: Vec<Vec3> = oracle::posed(&result, None, 0.0).iter().map(|v| v.as_vec3()).collect();
    near(rest[0], [0.0, 1.0, 0.0]);
    near(rest[1], [-1.0, 2.0, 0.0]);
    near(rest[2], [0.0, 3.0, 0.0]);
    assert_eq!(result.skins, source.skins);
    // In the other clip, the tip stands as it stood.
    let held: Vec<_> =
        result.clips[1].tracks.iter().map(|track| (track.node.0, track.values.property())).collect();
    assert_eq!(held, [(0, "translation"), (1, "rotation")]);
    assert_eq!(result.clips[0].tracks.len(), 1);
}

#[test]
fn frames_count_and_the_only_clip_needs_no_name() {
    let mut source = source();
    source.clips.truncate(1);
    // At 24 per second, all keys are on frames.
    let result = rested(&source, "12");
    let half = oracle::posed(&result, None, 0.0)[1].as_vec3();
    near(half, [-0.5_f32.sqrt(), 2.0 + 0.5_f32.sqrt(), 0.0]);
    assert_eq!(rested(&source, "bend@12").nodes, result.nodes);
}

#[test]
fn the_bind_pose_is_found() {
    let mut source = source();
    let Local::Trs(trs) = &mut source.nodes[1].local else { panic!("a joint") };
    trs.rotation = Quat::from_rotation_x(1.0);
    let result = rested(&source, "bind");
    for (position, rest) in source.meshes[0].parts[0].positions.iter().zip(oracle::posed(&result, None, 0.0))
    {
        near(*position, rest.as_vec3().into());
    }
    // The second clip does not turn the tip, which rested askew.
    assert_eq!(result.clips[1].tracks.len(), 2);
}

#[test]
fn weights_of_morph_targets_rest_too() {
    let mut source = source();
    let deltas = MorphDeltas { positions: vec![Vec3::X; 3], ..MorphDeltas::default() };
    source.meshes[0].parts[0].morphs.push(deltas);
    source.meshes[0].morphs.push(Morph { name: "wide".into(), weight: 0.25 });
    let values = Values::MorphWeights { count: 1, weights: vec![0.0, 1.0] };
    source.clips[0].tracks.push(track(2, Interpolation::Linear, &[0.0, 1.0], values));
    let (result, _) = proven(&source, &[("rest_pose", json!("bend@1s"))]);
    let pose = Pose::rest(&result);
    assert_eq!(pose.morph_weights[2], [1.0]);
    let other = Pose::at(&result, &result.clips[1], 0.5);
    assert_eq!(other.morph_weights[2], [0.25]);
}

#[test]
fn what_is_no_pose_is_refused() {
    let source = source();
    let refuse = |pose: &str| refused(&source, &[("rest_pose", json!(pose))]);
    assert_eq!(refuse("bend@25"), "\"bend@25\": clip \"bend\" ends at 1 s, which is frame 24");
    assert_eq!(refuse("0"), "the file has 2 clips; name one, as in walk@0-30");
    assert!(refuse("bnd@0").starts_with("there is no clip \"bnd\""));
    assert!(refuse("bend@x").ends_with("the rest pose is that of walk@10, walk@0.5s or bind"));
}
