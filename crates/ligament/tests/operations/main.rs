//! Operations on clips and rigs, through the whole conversion: rigs made by hand, with numbers worked out in the tests.

mod additive;
mod apply_scale;
mod bounds;
mod clips;
mod clips_from;
mod merge_skins;
mod optimise;
mod oracle;
mod plan;
mod prune;
mod rename_joints;
mod reorder;
mod rest_pose;
mod retarget;
mod root_motion;

use ligament::convert::{Conversion, ConvertOptions};
use ligament::math::{Quat, Vec3};
use ligament::pose::{Pose, deform};
use ligament::scene::*;
use ligament::{Error, Report};

/// A moving thing: two joints, `hip` at (0, 1, 0) and `tip` one metre above it, and three vertices: one at the hip and two
/// that follow the tip.
fn rig() -> Scene {
    let mut scene = Scene::default();
    let at = |y: f32| Trs { translation: Vec3::Y * y, ..Trs::IDENTITY }.into();
    let hip = scene.add_node(Node { name: "hip".into(), local: at(1.0), ..Node::default() });
    let tip =
        scene.add_node(Node { name: "tip".into(), parent: Some(hip), local: at(1.0), ..Node::default() });
    let mut influences = Influences::new();
    for joint in [0, 1, 1] {
        influences.push([Influence { joint, weight: 1.0 }]);
    }
    let part = Part {
        positions: vec![Vec3::Y, Vec3::new(0.0, 3.0, 0.0), Vec3::new(1.0, 2.0, 0.0)],
        influences,
        faces: Faces::Triangles(vec![0, 1, 2]),
        ..Part::default()
    };
    scene.meshes.push(Mesh { name: "body".into(), parts: vec![part], ..Mesh::default() });
    let bind = |y: f32| {
        let mut bind = ligament::math::Mat4::IDENTITY.to_cols_array();
        bind[13] = -y;
        bind
    };
    let (joints, inverse_binds) = (vec![hip, tip], vec![bind(1.0), bind(2.0)]);
    scene.skins.push(Skin { joints, inverse_binds, ..Skin::default() });
    let (mesh, skin) = (Some(MeshId(0)), Some(SkinId(0)));
    scene.add_node(Node { name: "body".into(), mesh, skin, ..Node::default() });
    scene
}

fn track(node: u32, interpolation: Interpolation, times: &[f32], values: Values) -> Track {
    Track { node: NodeId(node), interpolation, times: times.into(), values }
}

/// Translations of the hip along x.
fn slide(interpolation: Interpolation, times: &[f32], xs: &[f32]) -> Track {
    let values = xs.iter().map(|&x| Vec3::new(x, 1.0, 0.0)).collect();
    track(0, interpolation, times, Values::Translation(values))
}

/// Rotations of the tip about z, in radians.
fn turn(times: &[f32], angles: &[f32]) -> Track {
    let values = angles.iter().map(|&angle| Quat::from_rotation_z(angle)).collect();
    track(1, Interpolation::Linear, times, Values::Rotation(values))
}

fn clip(name: &str, duration: f32, tracks: Vec<Track>) -> Clip {
    Clip { name: name.into(), duration, tracks, ..Clip::default() }
}

/// The vertices of a clip at a time.
fn places(scene: &Scene, name: &str, seconds: f32) -> Vec<Vec3> {
    let clip = scene.clips.iter().find(|clip| clip.name == name).expect("the clip");
    let pose = Pose::at(scene, clip, seconds);
    scene.node_ids().flat_map(|node| deform(scene, &pose, node)).flat_map(|part| part.positions).collect()
}

/// Writes a scene with settings, and reads the result.
fn written(
    scene: &Scene,
    settings: &[(&str, serde_json::Value)],
) -> Result<(Scene, Conversion, Report), Error> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("out.glb");
    let mut options = ConvertOptions::default();
    for (name, value) in settings {
        options.set(name, value.clone()).expect("a value of its kind");
    }
    let done = ligament::write(scene.clone(), &path, &options);
    assert_eq!(path.exists(), done.is_ok(), "nothing is written on failure");
    let (done, report) = done?;
    let (scene, _) = ligament::read(&path, &Default::default()).expect("what was written");
    Ok((scene, done, report))
}

/// The same for what must work: every posed vertex is where the proof wants it.
fn proven(scene: &Scene, settings: &[(&str, serde_json::Value)]) -> (Scene, Report) {
    let (scene, done, report) = written(scene, settings).unwrap_or_else(|error| panic!("{error}"));
    let worst = done.comparison.and_then(|proof| proof.worst).map_or(0.0, |worst| worst.relative);
    assert!(worst < 1e-5, "{worst:e}");
    (scene, report)
}

/// The message of a failure.
fn refused(scene: &Scene, settings: &[(&str, serde_json::Value)]) -> String {
    let error = written(scene, settings).expect_err("a failure");
    assert_eq!(error.failure, ligament::Failure::Usage, "{error}");
    let first = &error.report.diagnostics()[0];
    first.message.clone() + first.help.as_deref().map_or("", |_| " ") + first.help.as_deref().unwrap_or("")
}

fn near(found: Vec3, wanted: [f32; 3]) {
    assert!(found.distance(Vec3::from(wanted)) < 1e-5, "{found} instead of {wanted:?}");
}
