//! Advice about clips and weights: each case in a walk made by hand, and none in the same walk without a fault.

use ligament::math::{Quat, Vec3};
use ligament::report::{Report, Severity};
use ligament::scene::*;
use ligament::validate::{advise, validate};
use std::f32::consts::TAU;
use std::sync::Arc;

const FRAMES: usize = 31;
const RATE: f32 = 30.0;
/// The joints: a root, its hips, ten segments below them, the last of which is a foot.
const JOINTS: usize = 12;
const FOOT: usize = JOINTS - 1;

/// A chain of joints a metre high, with a mesh, and two clips that swing every joint once round.
fn walker() -> Scene {
    let mut scene = Scene::default();
    for joint in 0..JOINTS {
        let name = if joint == FOOT { "LeftFoot".to_owned() } else { format!("bone{joint}") };
        let height = if joint == 0 { 1.1 } else { -0.1 };
        let local = Local::Trs(Trs { translation: Vec3::new(0.0, height, 0.0), ..Trs::default() });
        let parent = joint.checked_sub(1).map(NodeId::new);
        scene.add_node(Node { name, parent, local, ..Node::default() });
    }
    let mut influences = Influences::new();
    for _ in 0..3 {
        influences.push([Influence { joint: 0, weight: 0.25 }, Influence { joint: 1, weight: 0.75 }]);
    }
    scene.meshes.push(Mesh {
        parts: vec![Part {
            positions: vec![Vec3::ZERO, Vec3::new(0.0, 1.0, 0.0), Vec3::new(0.1, 0.0, 0.0)],
            influences,
            faces: Faces::Triangles(vec![0, 1, 2]),
            ..Part::default()
        }],
        ..Mesh::default()
    });
    let identity = ligament::math::Mat4::IDENTITY.to_cols_array();
    scene.skins.push(Skin {
        joints: (0..JOINTS).map(NodeId::new).collect(),
        inverse_binds: vec![identity; JOINTS],
        ..Skin::default()
    });
    scene.add_node(Node { mesh: Some(MeshId(0)), skin: Some(SkinId(0)), ..Node::default() });
    scene.clips = vec![swing("Walk"), swing("Run")];
    scene
}

fn times() -> Arc<[f32]> {
    (0..FRAMES).map(|frame| frame as f32 / RATE).collect()
}

fn swing(name: &str) -> Clip {
    let tracks = (0..JOINTS).map(|joint| Track {
        node: NodeId::new(joint),
        interpolation: Interpolation::Linear,
        times: times(),
        values: Values::Rotation((0..FRAMES).map(|frame| turn(frame, 0.05)).collect()),
    });
    Clip { name: name.to_owned(), duration: 1.0, tracks: tracks.collect(), ..Clip::default() }
}

/// A swing to both sides and back. The last frame is the first again.
fn turn(frame: usize, angle: f32) -> Quat {
    Quat::from_rotation_x(angle * (TAU * frame as f32 / (FRAMES - 1) as f32).sin())
}

fn found(scene: &Scene) -> Vec<(Severity, &'static str, String)> {
    let mut report = Report::default();
    validate(scene, &mut report);
    assert!(report.diagnostics().is_empty(), "the scene is sound: {:?}", report.diagnostics());
    advise(scene, &mut report);
    report.diagnostics().iter().map(|d| (d.severity, d.code.id, d.message.clone())).collect()
}

fn only(scene: &Scene, severity: Severity, code: &str, message: &str) {
    assert_eq!(found(scene), [(severity, code, message.to_owned())]);
}

fn rotations(scene: &mut Scene, clip: usize, joint: usize) -> &mut Vec<Quat> {
    match &mut scene.clips[clip].tracks[joint].values {
        Values::Rotation(values) => values,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_sound_loop_needs_no_advice() {
    assert_eq!(found(&walker()), []);
    // A loop that does not repeat its first frame at its end is sound, too.
    let mut scene = walker();
    for track in &mut scene.clips[0].tracks {
        track.times = track.times[..FRAMES - 1].into();
        if let Values::Rotation(values) = &mut track.values {
            values.pop();
        }
    }
    assert_eq!(found(&scene), []);
}

#[test]
fn a_loop_that_jumps_is_found() {
    let mut scene = walker();
    let last = rotations(&mut scene, 0, 4).last_mut().expect("keys");
    *last = Quat::from_rotation_x(3.0_f32.to_radians());
    // The frame before it moves there, too, so that only the seam jumps.
    rotations(&mut scene, 0, 4)[FRAMES - 2] = Quat::from_rotation_x(2.9_f32.to_radians());
    let message = "clip \"Walk\" looks like a loop, but joint \"bone4\" jumps by 3.0 degrees from its last key at 1 s to its first";
    only(&scene, Severity::Note, "SC101", message);
    // A clip that ends elsewhere with many joints is not a loop.
    for joint in 0..JOINTS {
        for (frame, key) in rotations(&mut scene, 0, joint).iter_mut().enumerate() {
            *key = Quat::from_rotation_x(0.01 * frame as f32);
        }
    }
    assert_eq!(found(&scene), []);
}

#[test]
fn quaternions_that_flip_are_found() {
    let mut scene = walker();
    for key in &mut rotations(&mut scene, 1, 2)[15..] {
        *key = -*key;
    }
    let start = "clip \"Run\": the quaternion of joint \"bone2\" changes its sign at 0.5 s, so that ";
    let linear = format!("{start}programs which interpolate its numbers turn it the long way round");
    only(&scene, Severity::Note, "SC102", &linear);
    let track = &mut scene.clips[1].tracks[2];
    track.interpolation = Interpolation::Cubic;
    if let Values::Rotation(values) = &mut track.values {
        let zero = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
        *values = values.iter().flat_map(|key| [zero, *key, zero]).collect();
    }
    only(&scene, Severity::Warning, "SC102", &format!("{start}it turns the long way round"));
}

#[test]
fn a_joint_without_keys_is_found() {
    let mut scene = walker();
    scene.clips[0].tracks.remove(7);
    only(&scene, Severity::Note, "SC104", "clip \"Walk\" animates 11 of 12 joints, but not joint \"bone7\"");
    // A joint that no clip animates is no part of the motion.
    scene.clips[1].tracks.remove(7);
    assert_eq!(found(&scene), []);
    // A clip of a few joints is meant to have only these.
    scene.clips[0].tracks.truncate(3);
    assert_eq!(found(&scene), []);
}

#[test]
fn a_foot_that_slides_is_found() {
    // The root moves a metre forward while the foot hangs below it, on the ground.
    let mut scene = walker();
    let forward = |frame: usize| Vec3::new(0.0, 1.1, frame as f32 / (FRAMES - 1) as f32);
    let root = Track {
        node: NodeId(0),
        interpolation: Interpolation::Linear,
        times: times(),
        values: Values::Translation((0..FRAMES).map(forward).collect()),
    };
    scene.clips[0] = Clip { tracks: vec![root.clone()], ..scene.clips[0].clone() };
    let message = "clip \"Walk\": joint \"LeftFoot\" slides over the ground by 99.5 % of the model's size from 0 s to 1 s";
    only(&scene, Severity::Note, "SC103", message);
    // If the foot stays behind by as much as the root moves, it does not slide.
    let back = |frame: usize| Vec3::new(0.0, -0.1, -(frame as f32) / (FRAMES - 1) as f32);
    let foot = Track {
        node: NodeId::new(FOOT),
        values: Values::Translation((0..FRAMES).map(back).collect()),
        ..root.clone()
    };
    scene.clips[0].tracks.push(foot);
    assert_eq!(found(&scene), []);
    // A walk on the spot moves its feet backwards, as it should.
    scene.clips[0].tracks.remove(0);
    assert_eq!(found(&scene), []);
}

#[test]
fn weights_that_do_not_sum_to_one_are_found() {
    let mut scene = walker();
    scene.meshes[0].parts[0].influences.pairs_mut()[2].weight = 1.005;
    let message = "mesh 0: the weights of vertex 1 sum to 1.755, not 1";
    only(&scene, Severity::Note, "SC105", message);
}
