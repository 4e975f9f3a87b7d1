//! Clips from other files.

use super::*;
use serde_json::json;
use std::f32::consts::FRAC_PI_2;
use std::path::Path;

/// The tip turns by a quarter within a second, and the hip goes 10 to the side.
fn moving(names: [&str; 2]) -> Scene {
    let mut scene = rig();
    for (index, name) in names.into_iter().enumerate() {
        scene.nodes[index].name = name.into();
    }
    let tracks =
        vec![slide(Interpolation::Linear, &[0.0, 1.0], &[0.0, 10.0]), turn(&[0.0, 1.0], &[0.0, FRAC_PI_2])];
    scene.clips.push(clip("mixamo.com", 1.0, tracks));
    scene
}

fn save(scene: &Scene, path: &Path) {
    ligament::write(scene.clone(), path, &ConvertOptions::default()).expect("written");
}

fn from(path: &Path) -> [(&'static str, serde_json::Value); 1] {
    [("clips_from", json!([path.display().to_string()]))]
}

/// At the end, the first vertex is at (10, 1, 0), and the second, two metres above the hip, has turned about the tip at
/// (10, 2, 0) to (9, 2, 0).
fn has_moved(scene: &Scene, name: &str) {
    let places = places(scene, name, 1.0);
    near(places[0], [10.0, 1.0, 0.0]);
    near(places[1], [9.0, 2.0, 0.0]);
    near(places[2], [10.0, 3.0, 0.0]);
}

#[test]
fn joints_are_found_by_name_whatever_their_namespace_and_case() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("walk.glb");
    for names in [["hip", "tip"], ["mixamorig:hip", "mixamorig:tip"], ["mixamorig9Hip", "Rig|TIP"]] {
        save(&moving(names), &path);
        let (merged, report) = proven(&rig(), &from(&path));
        has_moved(&merged, "walk");
        let said = report.losses().iter().find(|loss| loss.code.id == "RG009").expect("told");
        assert_eq!(said.kind, ligament::report::LossKind::Kept);
        assert!(said.message.ends_with(
            "carried by 2 joints; posed on both, they point within 0.001° of each other and are within 0 % of the model's size"
        ), "{}", said.message);
    }
}

/// The source's tip is bound a quarter turn about x away from the target's, so its own rotations are others for the same
/// motion: Rz · Rx instead of Rz.
#[test]
fn rotations_go_through_the_difference_of_the_bind_poses() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("walk.glb");
    let mut source = moving(["hip", "tip"]);
    let about_x = Quat::from_rotation_x(FRAC_PI_2);
    source.nodes[1].local = Trs { translation: Vec3::Y, rotation: about_x, ..Trs::IDENTITY }.into();
    let bind = ligament::math::Mat4::from_rotation_translation(about_x, Vec3::Y * 2.0).inverse();
    source.skins[0].inverse_binds[1] = bind.to_cols_array();
    let Values::Rotation(values) = &mut source.clips[0].tracks[1].values else { panic!("rotations") };
    values.iter_mut().for_each(|q| *q *= about_x);
    has_moved(&source, "mixamo.com");
    save(&source, &path);
    let (merged, report) = proven(&rig(), &from(&path));
    has_moved(&merged, "walk");
    // Between the keys, too: at the middle the tip has turned by 45°.
    let half = places(&merged, "walk", 0.5);
    near(half[1], [5.0 - 0.5_f32.sqrt(), 2.0 + 0.5_f32.sqrt(), 0.0]);
    assert!(report.losses().iter().all(|loss| loss.code.id != "RG010"));
    // A target whose rest pose is another one, but not its bind pose, is no reason for any difference.
    let mut resting = rig();
    resting.nodes[1].local = Trs { translation: Vec3::Y, rotation: about_x, ..Trs::IDENTITY }.into();
    has_moved(&proven(&resting, &from(&path)).0, "walk");
}

/// A file in centimetres, with a root that makes metres of them.
#[test]
fn another_unit_is_converted() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("walk.glb");
    let mut source = moving(["hip", "tip"]);
    source
        .nodes
        .iter_mut()
        .for_each(|node| node.parent = Some(NodeId(node.parent.map_or(0, |parent| parent.0 + 1))));
    let root = Trs { scale: Vec3::splat(0.01), ..Trs::IDENTITY };
    source.nodes.insert(0, Node { name: "Armature".into(), local: root.into(), ..Node::default() });
    for node in &mut source.nodes[1..3] {
        node.local = Trs { translation: Vec3::Y * 100.0, ..Trs::IDENTITY }.into();
    }
    source.skins[0].joints = vec![NodeId(1), NodeId(2)];
    for (bind, y) in source.skins[0].inverse_binds.iter_mut().zip([100.0, 200.0]) {
        *bind = ligament::math::Mat4::from_scale(Vec3::splat(100.0)).to_cols_array();
        bind[13] = -y;
    }
    for track in &mut source.clips[0].tracks {
        track.node = NodeId(track.node.0 + 1);
        if let Values::Translation(values) = &mut track.values {
            values.iter_mut().for_each(|v| *v *= 100.0);
        }
    }
    has_moved(&source, "mixamo.com");
    save(&source, &path);
    let (merged, _) = proven(&rig(), &from(&path));
    has_moved(&merged, "walk");
}

/// A rig twice as large moves twice as far, with bones of its own length.
#[test]
fn a_rig_of_another_size_keeps_its_bones() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("walk.glb");
    save(&moving(["hip", "tip"]), &path);
    let mut giant = rig();
    for node in &mut giant.nodes[..2] {
        node.local = Trs { translation: Vec3::Y * 2.0, ..Trs::IDENTITY }.into();
    }
    giant.skins[0].inverse_binds[0][13] = -2.0;
    giant.skins[0].inverse_binds[1][13] = -4.0;
    giant.meshes[0].parts[0].positions.iter_mut().for_each(|v| *v *= 2.0);
    let (merged, report) = proven(&giant, &from(&path));
    let end = places(&merged, "walk", 1.0);
    near(end[0], [20.0, 2.0, 0.0]);
    near(end[1], [18.0, 4.0, 0.0]);
    let said = report.losses().iter().find(|loss| loss.code.id == "RG009").expect("told");
    assert!(
        matches!(said.kind, ligament::report::LossKind::Approximated { size: Some(size), .. } if size > 1.0)
    );
    assert!(said.message.contains("point within 0.001°"), "{}", said.message);
}

#[test]
fn folders_patterns_and_names() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["run", "walk"] {
        save(&moving(["hip", "tip"]), &folder.path().join(name).with_extension("glb"));
    }
    std::fs::write(folder.path().join("notes.txt"), "no model").expect("written");
    let mut still = rig();
    still.clips.clear();
    save(&still, &folder.path().join("still.glb"));
    let mut target = rig();
    target.clips.push(clip("run", 1.0, vec![turn(&[0.0, 1.0], &[0.0, 1.0])]));
    for word in [folder.path().to_owned(), folder.path().join("*.glb")] {
        let (merged, report) = proven(&target, &from(&word));
        let names: Vec<_> = merged.clips.iter().map(|clip| clip.name.as_str()).collect();
        assert_eq!(names, ["run", "run 2", "walk"]);
        let warned: Vec<_> = report.diagnostics().iter().filter(|d| d.code.id == "RG011").collect();
        assert_eq!(warned.len(), 1);
        assert_eq!(warned[0].message, "the file has no clips to take; it is left out");
    }
    // The output of an earlier run is in the folder, and is not taken for a source of clips.
    let output = folder.path().join("hero.glb");
    let mut options = ConvertOptions::default();
    options.set("clips_from", json!([folder.path().display().to_string()])).expect("a list");
    for _ in 0..2 {
        ligament::write(target.clone(), &output, &options).expect("written");
        assert_eq!(ligament::read(&output, &Default::default()).expect("read").0.clips.len(), 3);
    }
}

#[test]
fn joints_without_a_counterpart_are_listed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("walk.glb");
    save(&moving(["hip", "tail"]), &path);
    let (merged, report) = proven(&rig(), &from(&path));
    near(places(&merged, "walk", 1.0)[1], [10.0, 3.0, 0.0]);
    let lost = report.losses().iter().find(|loss| loss.code.id == "RG010").expect("told");
    assert_eq!((lost.kind.name(), lost.count), ("dropped", 1));
    assert!(lost.message.starts_with("the model has no joints called \"tail\""), "{}", lost.message);
}

#[test]
fn files_that_fit_nothing_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("walk.glb");
    save(&moving(["wheel", "door"]), &path);
    let message = refused(&rig(), &from(&path));
    assert_eq!(
        message,
        "no joint of its clips (\"wheel\", \"door\") is one of the model's; the model's joints are \"hip\", \"tip\""
    );
    save(&rig(), &path);
    assert_eq!(refused(&rig(), &from(&path)), "the file has no clips to take");
    assert!(refused(&rig(), &from(&folder.path().join("*.fbx"))).starts_with("no model matches "));
    std::fs::write(&path, "glTF that is none").expect("written");
    let error = written(&rig(), &from(&path)).expect_err("a failure");
    assert_ne!(error.failure, ligament::Failure::Internal);
    let error = written(&rig(), &from(&folder.path().join("none.glb"))).expect_err("a failure");
    assert_eq!(error.failure, ligament::Failure::Io);
}
