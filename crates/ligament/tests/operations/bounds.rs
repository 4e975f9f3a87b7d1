//! Boxes around clips and joints.

use super::prune::with_controls;
use super::*;
use ligament::math::DVec3;
use ligament::pose::{clip_bounds, joint_boxes};
use serde_json::json;
use std::f32::consts::PI;

/// The model's size at rest, to which boxes are related.
fn size(scene: &Scene) -> f64 {
    let rest = oracle::posed(scene, None, 0.0);
    let min = rest.iter().copied().reduce(DVec3::min).expect("vertices");
    rest.iter().copied().reduce(DVec3::max).expect("vertices").distance(min)
}

/// Checks a box against the exact one.
fn exact(scene: &Scene, [least, most]: [[f64; 3]; 2]) {
    let found = clip_bounds(scene, 0).expect("a box");
    let size = size(scene);
    assert!(found.slack <= 1e-5 * size, "{:e}", found.slack);
    let low = DVec3::from(least) - found.bounds.min.as_dvec3();
    let high = found.bounds.max.as_dvec3() - DVec3::from(most);
    for off in [low.to_array(), high.to_array()].concat() {
        assert!((-1e-7..=1e-5 * size).contains(&off), "{off:e}; {found:?}");
    }
}

/// Worked out by hand: the tip's vertices are on a circle of radius one about (0, 2, 0) and go around it by 162°, from 90° and
/// from 0°. What they reach is between the two keys.
#[test]
fn a_turn_between_two_keys_reaches_as_far_as_it_does() {
    let mut scene = rig();
    scene.clips.push(clip("swing", 1.0, vec![turn(&[0.0, 1.0], &[0.0, PI * 0.9])]));
    exact(&scene, [[-1.0, 1.0, 0.0], [1.0, 3.0, 0.0]]);
    // The first of the two alone goes from the top to the lower left.
    scene.meshes[0].parts[0].positions[2] = Vec3::new(0.0, 3.0, 0.0);
    exact(&scene, [[-1.0, 1.0, 0.0], [0.0, 3.0, 0.0]]);
}

#[test]
fn steps_count_until_their_last_moment() {
    let mut scene = rig();
    let steps = slide(Interpolation::Step, &[0.0, 0.5, 1.0], &[0.0, 7.0, 1.0]);
    scene.clips.push(clip("hop", 1.0, vec![steps, turn(&[0.0, 1.0], &[0.0, 1.0])]));
    // At x = 7 the tip has turned by one half to one radian: the vertex that began at 0° is farthest to the right at first.
    let far = 7.0 + 0.5_f64.cos();
    let low = -(0.5_f64.sin());
    exact(&scene, [[low, 1.0, 0.0], [far, 3.0, 0.0]]);
}

#[test]
fn morph_targets_count() {
    let mut scene = rig();
    let deltas =
        MorphDeltas { positions: vec![Vec3::ZERO, Vec3::Z * 2.0, Vec3::ZERO], ..MorphDeltas::default() };
    scene.meshes[0].parts[0].morphs.push(deltas);
    scene.meshes[0].morphs.push(Morph::default());
    // A cubic that rises above its keys: 0 and 0 with slopes 4 and −4 has its top, 1, in the middle.
    let weights = vec![0.0, 0.0, 4.0, -4.0, 0.0, 0.0];
    let values = Values::MorphWeights { count: 1, weights };
    scene.clips.push(clip("puff", 1.0, vec![track(2, Interpolation::Cubic, &[0.0, 1.0], values)]));
    exact(&scene, [[0.0, 1.0, 0.0], [1.0, 3.0, 2.0]]);
    let boxes = joint_boxes(&scene).remove(0);
    let tip = boxes[1].expect("a box");
    assert!((tip.max.z - 2.0).abs() < 1e-5 && tip.min.z == 0.0, "{tip:?}");
}

/// Against a sweep in small steps by the tests' own poser: nothing is outside, and no side is farther out than needed.
#[test]
fn nothing_is_outside_at_any_time() {
    let scene = with_controls();
    let size = size(&scene);
    for index in 0..scene.clips.len() {
        let found = clip_bounds(&scene, index).expect("a box").bounds;
        let (mut min, mut max) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for step in 0..=20_000 {
            for place in oracle::posed(&scene, Some(&scene.clips[index]), f64::from(step) / 20_000.0) {
                (min, max) = (min.min(place), max.max(place));
            }
        }
        let (low, high) = (min - found.min.as_dvec3(), found.max.as_dvec3() - max);
        assert!(low.min_element() >= 0.0 && high.min_element() >= 0.0, "{low} {high}");
        assert!(low.max_element() <= 1e-5 * size && high.max_element() <= 1e-5 * size, "{low} {high}");
    }
}

#[test]
fn real_models_stay_in_their_boxes() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/real/gltf");
    let mut clips = 0;
    for entry in std::fs::read_dir(folder).expect("the corpus") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "glb") {
            continue;
        }
        let (scene, _) = ligament::read(&path, &Default::default()).expect("read");
        for (index, clip) in scene.clips.iter().enumerate() {
            let found = clip_bounds(&scene, index).expect("a box").bounds;
            for step in 0..60 {
                let pose = Pose::at(&scene, clip, clip.duration * step as f32 / 59.0);
                for part in scene.node_ids().flat_map(|node| deform(&scene, &pose, node)) {
                    for place in part.positions {
                        let inside = place.cmpge(found.min).all() && place.cmple(found.max).all();
                        assert!(inside, "{}: {place} is outside of {found:?}", path.display());
                    }
                }
            }
            clips += 1;
        }
    }
    assert!(clips >= 5, "only {clips} clips");
}

#[test]
fn boxes_of_joints_are_in_their_own_space() {
    let boxes = joint_boxes(&rig()).remove(0);
    let [hip, tip] = [boxes[0].expect("a box"), boxes[1].expect("a box")];
    assert_eq!((hip.min, hip.max), (Vec3::ZERO, Vec3::ZERO));
    assert_eq!((tip.min, tip.max), (Vec3::ZERO, Vec3::new(1.0, 1.0, 0.0)));
    assert!(joint_boxes(&with_controls())[0][4].is_none(), "the helper moves nothing");
}

#[test]
fn boxes_are_stored_as_extras() {
    let mut source = rig();
    source.clips.push(clip("swing", 1.0, vec![turn(&[0.0, 1.0], &[0.0, PI * 0.9])]));
    let (result, report) = proven(&source, &[("store_bounds", json!(true))]);
    assert_eq!(result.extras["bounds"], json!({ "min": [0.0, 1.0, 0.0], "max": [1.0, 3.0, 0.0] }));
    let low = result.clips[0].extras["bounds"]["min"][0].as_f64().expect("a number");
    assert!((-1.00003..=-1.0).contains(&low), "{low}");
    assert_eq!(result.skins[0].extras["bounds"][1]["max"], json!([1.0, 1.0, 0.0]));
    let said = report.losses().iter().find(|loss| loss.code.id == "PS011").expect("told");
    assert_eq!(said.count, 3);
    let nothing = Scene::default();
    assert!(clip_bounds(&nothing, 0).is_none());
    assert!(written(&nothing, &[("store_bounds", json!(true))]).is_ok());
}
