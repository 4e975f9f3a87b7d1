//! Clips for rigs with other joints, by a map.

use super::*;
use ligament::rig::{Why, compare, propose};
use serde_json::json;
use std::f32::consts::FRAC_PI_2;
use std::path::Path;

/// A chain of joints with these names, one metre each, along these directions from the joint above.
fn chain(joints: &[(&str, Option<u32>, Vec3)]) -> Scene {
    let mut scene = rig();
    let mut drawn = scene.nodes.pop().expect("the mesh");
    scene.nodes.clear();
    let mut at: Vec<Vec3> = Vec::new();
    for (name, parent, way) in joints {
        let local = Trs { translation: *way, ..Trs::IDENTITY }.into();
        let parent = parent.map(NodeId);
        at.push(parent.map_or(Vec3::ZERO, |parent| at[parent.index()]) + *way);
        scene.add_node(Node { name: (*name).into(), parent, local, ..Node::default() });
    }
    drawn.skin = Some(SkinId(0));
    scene.nodes.push(drawn);
    let bind = |at: &Vec3| ligament::math::Mat4::from_translation(-*at).to_cols_array();
    scene.skins[0] = Skin {
        joints: (0..joints.len()).map(NodeId::new).collect(),
        inverse_binds: at.iter().map(bind).collect(),
        ..Skin::default()
    };
    scene
}

fn mixamo() -> Scene {
    chain(&[
        ("mixamorig:Hips", None, Vec3::Y),
        ("mixamorig:Spine", Some(0), Vec3::Y),
        ("mixamorig:LeftArm", Some(1), Vec3::X),
        ("mixamorig:Cape", Some(1), -Vec3::Z),
    ])
}

fn other() -> Scene {
    chain(&[
        ("root", None, Vec3::ZERO),
        ("pelvis", Some(0), Vec3::Y * 2.0),
        ("spine_01", Some(1), Vec3::Y * 2.0),
        ("upperarm_l", Some(2), Vec3::X * 2.0),
        ("tail", Some(2), -Vec3::Z * 2.0),
    ])
}

fn save(scene: &Scene, path: &Path) -> String {
    ligament::write(scene.clone(), path, &ConvertOptions::default()).expect("written");
    path.display().to_string()
}

#[test]
fn a_map_is_proposed_by_names_parts_and_place() {
    let (pairs, lone) = propose(&mixamo(), &other());
    let found: Vec<_> = pairs.iter().map(|p| (p.from.as_str(), p.to.as_str(), p.why)).collect();
    assert_eq!(
        found,
        [
            ("mixamorig:Hips", "pelvis", Why::Part),
            ("mixamorig:Spine", "spine_01", Why::Part),
            ("mixamorig:LeftArm", "upperarm_l", Why::Part),
            ("mixamorig:Cape", "tail", Why::Only),
        ]
    );
    assert_eq!(lone, [vec![], vec!["root".to_owned()]]);
    assert!(pairs.iter().all(|p| p.degrees < 1e-4));
    let (same, _) = propose(&other(), &other());
    assert!(same.iter().all(|p| p.why == Why::Name && p.from == p.to) && same.len() == 5);
}

#[test]
fn skeletons_are_compared_as_they_were_bound() {
    assert!(compare(&other(), &other()).is_none());
    let mut turned = other();
    // The arm points up instead of to the side, and is half as long.
    let bind = ligament::math::Mat4::from_translation(Vec3::new(0.0, -5.0, 0.0));
    turned.skins[0].inverse_binds[3] = bind.to_cols_array();
    turned.nodes[4].name = "tail 2".into();
    let found = compare(&other(), &turned);
    assert_eq!((found.only_first, found.only_second), (vec!["tail".to_owned()], vec!["tail 2".to_owned()]));
    let [arm] = &found.joints[..] else { panic!("{:?}", found.joints) };
    assert_eq!(arm.first, "upperarm_l");
    assert!((arm.direction - 90.0).abs() < 1e-3 && arm.axes < 1e-3, "{arm:?}");
    assert!((found.size - 1.0).abs() < 1e-6 && (arm.length - 0.5).abs() < 1e-6, "{arm:?}");
}

/// The arm bends by a quarter turn about z, the hips go two metres: on a rig twice as large, four.
#[test]
fn a_clip_moves_the_joints_that_the_map_names() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut source = mixamo();
    let go = vec![Vec3::Y, Vec3::new(2.0, 1.0, 0.0)];
    let bend = vec![Quat::IDENTITY, Quat::from_rotation_z(FRAC_PI_2)];
    source.clips.push(clip(
        "wave",
        1.0,
        vec![
            track(0, Interpolation::Linear, &[0.0, 1.0], Values::Translation(go)),
            track(2, Interpolation::Linear, &[0.0, 1.0], Values::Rotation(bend)),
        ],
    ));
    let from = save(&source, &folder.path().join("wave.glb"));
    let map = folder.path().join("map.toml");
    std::fs::write(&map, "[joints]\nHips = 'pelvis'\nSpine = 'spine_01'\nLeftArm = 'upperarm_l'\n")
        .expect("written");
    let settings = [("clips_from", json!([from])), ("retarget", json!(map.display().to_string()))];
    let (result, report) = proven(&other(), &settings);
    let end = Pose::at(&result, &result.clips[0], 1.0);
    near(end.globals[1].w_axis.truncate().as_vec3(), [4.0, 2.0, 0.0]);
    let tip = end.globals[3].transform_point3(ligament::math::DVec3::X);
    near(tip.as_vec3(), [6.0, 5.0, 0.0]);
    let said = report.losses().iter().find(|loss| loss.code.id == "RG066").expect("told");
    assert!(said.message.contains("measured, not proven: 2 joints point within 0.001°"), "{}", said.message);
    assert!(said.message.contains("the ends (\"upperarm_l\")"), "{}", said.message);
    assert!(report.losses().iter().all(|loss| loss.code.id != "RG009"));
}

#[test]
fn bad_maps_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut source = mixamo();
    source.clips.push(clip("wave", 1.0, vec![slide(Interpolation::Linear, &[0.0, 1.0], &[0.0, 1.0])]));
    let from = save(&source, &folder.path().join("wave.glb"));
    let map = folder.path().join("map.toml");
    let settings = [("clips_from", json!([from])), ("retarget", json!(map.display().to_string()))];
    for (text, wanted) in [
        ("Hips = 'pelvs'", "the model has no joint \"pelvs\" did you mean \"pelvis\"?"),
        ("Hips = 'pelvis'\nSpine = 'pelvis'", "\"Hips\" and \"Spine\" would both move \"pelvis\""),
        ("Hips = 'pelvis'\n'mixamorig:Hips' = 'root'", "\"mixamorig:Hips\" is in the map twice"),
    ] {
        std::fs::write(&map, text).expect("written");
        assert_eq!(refused(&other(), &settings), wanted);
    }
    std::fs::write(&map, "Hisp = 'pelvis'").expect("written");
    let told = refused(&other(), &settings);
    assert!(told.ends_with("wave.glb has no joint \"Hisp\"; did you mean \"Hips\"?"), "{told}");
    assert_eq!(
        refused(&other(), &settings[1..]),
        "a map of joints is given, but no file whose clips it is for"
    );
}
