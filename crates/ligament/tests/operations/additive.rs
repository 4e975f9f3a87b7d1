//! Additive clips.

use super::*;
use serde_json::json;
use std::f32::consts::FRAC_PI_2;

/// The tip bends, the hip goes; a second clip in which the tip is bent the other way.
fn source() -> Scene {
    let mut scene = rig();
    let go = slide(Interpolation::Linear, &[0.0, 1.0], &[1.0, 4.0]);
    scene.clips.push(clip("lean", 1.0, vec![go, turn(&[0.0, 1.0], &[0.25, FRAC_PI_2])]));
    scene.clips.push(clip("idle", 1.0, vec![turn(&[0.0, 1.0], &[-0.5, -0.5])]));
    scene
}

fn made(settings: &[(&str, serde_json::Value)]) -> (Scene, String) {
    let (result, report) = proven(&source(), settings);
    let said = report.losses().iter().find(|loss| loss.code.id == "RG065").expect("told");
    assert_eq!(said.kind, ligament::report::LossKind::Kept, "{}", said.message);
    (result, said.message.clone())
}

fn angle(rotation: Quat) -> f32 {
    2.0 * rotation.z.atan2(rotation.w)
}

#[test]
fn a_clip_is_what_it_does_beyond_its_first_frame() {
    let (result, told) = made(&[("additive", json!(["lean"]))]);
    let [go, bend] = &result.clips[0].tracks[..] else { panic!("two tracks") };
    let Values::Translation(go) = &go.values else { panic!("translations") };
    near(go[0], [0.0, 0.0, 0.0]);
    near(go[1], [3.0, 0.0, 0.0]);
    let Values::Rotation(bend) = &bend.values else { panic!("rotations") };
    assert!(angle(bend[0]).abs() < 1e-6 && (angle(bend[1]) - (FRAC_PI_2 - 0.25)).abs() < 1e-6);
    assert_eq!(result.clips[1], source().clips[1]);
    assert!(
        told.starts_with("relative to its own first frame; base and delta compared with the source in "),
        "{told}"
    );
    assert_eq!(result.clips[0].extras["additive"], json!({ "reference": "its own first frame" }));
}

#[test]
fn the_reference_is_a_pose_of_any_clip_or_the_rest_pose() {
    let (result, _) = made(&[("additive", json!(["lean"])), ("reference", json!("idle@0s"))]);
    let Values::Rotation(bend) = &result.clips[0].tracks[1].values else { panic!("rotations") };
    assert!((angle(bend[0]) - 0.75).abs() < 1e-6);
    // The idle clip leaves the hip at rest, at x = 0.
    let Values::Translation(go) = &result.clips[0].tracks[0].values else { panic!("translations") };
    near(go[0], [1.0, 0.0, 0.0]);
    let (result, _) = made(&[("additive", json!(["lean"])), ("reference", json!("rest"))]);
    let Values::Rotation(bend) = &result.clips[0].tracks[1].values else { panic!("rotations") };
    assert!((angle(bend[0]) - 0.25).abs() < 1e-6);
}

/// The clip does not move the hip, and the reference has it elsewhere.
#[test]
fn what_a_clip_leaves_at_rest_counts_too() {
    let (result, _) = made(&[("additive", json!(["idle"])), ("reference", json!("lean@1s"))]);
    let clip = &result.clips[1];
    let held = clip.tracks.iter().find(|track| track.node == NodeId(0)).expect("the hip");
    let Values::Translation(held) = &held.values else { panic!("a translation") };
    near(held[0], [-4.0, 0.0, 0.0]);
}

#[test]
fn scales_are_ratios_and_weights_are_differences() {
    let mut source = source();
    let values = Values::Scale(vec![Vec3::splat(2.0), Vec3::new(3.0, 2.0, 1.0)]);
    source.clips[0].tracks.push(track(1, Interpolation::Linear, &[0.0, 1.0], values));
    let deltas = MorphDeltas { positions: vec![Vec3::X; 3], ..MorphDeltas::default() };
    source.meshes[0].parts[0].morphs.push(deltas);
    source.meshes[0].morphs.push(Morph { name: "wide".into(), weight: 0.25 });
    let values = Values::MorphWeights { count: 1, weights: vec![0.5, 1.0] };
    source.clips[0].tracks.push(track(2, Interpolation::Linear, &[0.0, 1.0], values));
    let (result, report) = proven(&source, &[("additive", json!(["lean"]))]);
    let tracks = &result.clips[0].tracks;
    let found = |property: &str| tracks.iter().find(|t| t.values.property() == property).expect("a track");
    let Values::Scale(scales) = &found("scale").values else { panic!("scales") };
    near(scales[0], [1.0, 1.0, 1.0]);
    near(scales[1], [1.5, 1.0, 0.5]);
    let Values::MorphWeights { weights, .. } = &found("weights").values else { panic!("weights") };
    assert_eq!(*weights, [0.0, 0.5]);
    let said = report.losses().iter().find(|loss| loss.code.id == "RG065").expect("told");
    assert_eq!(said.kind, ligament::report::LossKind::Kept, "{}", said.message);
}

#[test]
fn what_cannot_be_done_is_refused() {
    let refuse = |settings: &[(&str, serde_json::Value)]| refused(&source(), settings);
    assert!(refuse(&[("additive", json!(["leen"]))]).ends_with("did you mean \"lean\"?"));
    assert_eq!(
        refuse(&[("reference", json!("rest"))]),
        "a reference pose is given, but no clip is to become additive"
    );
    let wrong = refuse(&[("additive", json!(["lean"])), ("reference", json!("idle@9s"))]);
    assert!(wrong.starts_with("\"idle@9s\": clip \"idle\" ends at 1 s"), "{wrong}");
    let mut flat = source();
    let values = Values::Scale(vec![Vec3::ZERO, Vec3::ONE]);
    flat.clips[0].tracks.push(track(1, Interpolation::Linear, &[0.0, 1.0], values));
    assert_eq!(
        refused(&flat, &[("additive", json!(["lean"]))]),
        "clip \"lean\" cannot be relative to its own first frame: there, \"tip\" has a scale of zero"
    );
}
