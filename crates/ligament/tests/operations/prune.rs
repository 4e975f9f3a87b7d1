//! Joints that nothing needs.

use super::*;
use ligament::report::LossKind;
use serde_json::json;
use std::f32::consts::{FRAC_PI_2, PI};

/// A rig with joints that deform nothing: `root` above all, `twist` between hip and tip, `helper` and, below it, an empty
/// node, and a `socket` at the tip. Everything above the tip moves.
pub fn with_controls() -> Scene {
    let mut scene = Scene::default();
    let mut add = |name: &str, parent: Option<NodeId>, y: f32| {
        let local = Trs { translation: Vec3::Y * y, ..Trs::IDENTITY }.into();
        scene.add_node(Node { name: name.into(), parent, local, ..Node::default() })
    };
    let root = add("root", None, 0.0);
    let hip = add("hip", Some(root), 1.0);
    let twist = add("twist", Some(hip), 0.5);
    let tip = add("tip", Some(twist), 0.5);
    let helper = add("helper", Some(hip), 0.25);
    add("helper end", Some(helper), 0.25);
    add("socket", Some(tip), 0.25);
    let plain = rig();
    scene.meshes = plain.meshes;
    for pair in scene.meshes[0].parts[0].influences.pairs_mut() {
        pair.joint = [1, 3][pair.joint as usize];
    }
    let bind = |y: f32| ligament::math::Mat4::from_translation(Vec3::Y * -y).to_cols_array();
    let joints = vec![root, hip, twist, tip, helper];
    let inverse_binds = [0.0, 1.0, 1.5, 2.0, 1.25].map(bind).into();
    scene.skins.push(Skin { joints, inverse_binds, ..Skin::default() });
    let (mesh, skin) = (Some(MeshId(0)), Some(SkinId(0)));
    scene.add_node(Node { name: "body".into(), mesh, skin, ..Node::default() });
    let turns = |node: NodeId, axis: Vec3, times: &[f32], angles: &[f32]| {
        let values = angles.iter().map(|&angle| Quat::from_axis_angle(axis, angle)).collect();
        track(node.0, Interpolation::Linear, times, Values::Rotation(values))
    };
    let places = vec![Vec3::ZERO, Vec3::X * 2.0, Vec3::new(2.0, 0.0, 3.0)];
    let walk = vec![
        track(root.0, Interpolation::Linear, &[0.0, 0.5, 1.0], Values::Translation(places)),
        turns(root, Vec3::Y, &[0.0, 1.0], &[0.0, PI * 0.9]),
        turns(hip, Vec3::X, &[0.0, 0.4, 1.0], &[0.0, 1.0, -1.0]),
        turns(twist, Vec3::Z, &[0.0, 1.0], &[0.0, FRAC_PI_2]),
        turns(helper, Vec3::Z, &[0.0, 1.0], &[0.0, 1.0]),
    ];
    let nod = vec![turns(tip, Vec3::X, &[0.0, 1.0], &[0.0, 1.0])];
    scene.clips = vec![clip("walk", 1.0, walk), clip("nod", 1.0, nod)];
    scene
}

fn names(scene: &Scene) -> Vec<&str> {
    scene.nodes.iter().map(|node| node.name.as_str()).collect()
}

fn pruned(report: &Report) -> &ligament::report::Loss {
    report.losses().iter().find(|loss| loss.code.id == "RG051").expect("told")
}

#[test]
fn joints_that_carry_nothing_go_and_others_keep_their_keys() {
    let source = with_controls();
    let (lean, report) = proven(&source, &[("prune_joints", json!("unused"))]);
    assert_eq!(names(&lean), ["root", "hip", "twist", "tip", "body"]);
    assert_eq!(lean.skins[0].joints, [0, 1, 2, 3].map(NodeId));
    assert!(oracle::apart(&source, &lean, true) < 1e-6);
    let keys = |scene: &Scene, node: &str| -> Vec<Vec<f32>> {
        let tracks = scene.clips[0].tracks.iter();
        let of = tracks.filter(|track| scene.nodes[track.node.index()].name == node);
        of.map(|track| track.times.to_vec()).collect()
    };
    assert_eq!(keys(&source, "hip"), keys(&lean, "hip"));
    let said = pruned(&report);
    assert_eq!((&said.kind, said.count), (&LossKind::Kept, 3));
    assert!(
        said.message.starts_with("\"helper\", \"helper end\", \"socket\": nothing needs them; compared in "),
        "{}",
        said.message
    );
}

#[test]
fn only_deforming_joints_are_left_and_every_vertex_moves_as_before() {
    let source = with_controls();
    let (lean, report) = proven(&source, &[("prune_joints", json!("deforming"))]);
    assert_eq!(names(&lean), ["hip", "tip", "body"]);
    assert_eq!(lean.nodes[1].parent, Some(NodeId(0)));
    assert_eq!(lean.nodes[0].local.trs().expect("a joint").translation, Vec3::Y);
    let off = oracle::apart(&source, &lean, true);
    assert!(off < 2e-5, "{off:e}");
    // Worked out by hand: at the end, the root is at (2, 0, 3) and has turned, so the hip is at (2, 1, 3).
    near(places(&lean, "walk", 1.0)[0], [2.0, 1.0, 3.0]);
    // What stands still in a clip is folded into the keys there are.
    assert_eq!(lean.clips[1].tracks.len(), 1);
    assert_eq!(lean.clips[1].tracks[0].times[..], [0.0, 1.0]);
    let said = pruned(&report);
    assert_eq!(said.count, 5);
    assert!(said.message.contains("and the motion of 2 is folded into those below"), "{}", said.message);
}

#[test]
fn named_joints_stay() {
    let settings = [("prune_joints", json!("unused")), ("keep_joints", json!(["socket"]))];
    let (lean, _) = proven(&with_controls(), &settings);
    assert_eq!(names(&lean), ["root", "hip", "twist", "tip", "socket", "body"]);
    let settings = [("prune_joints", json!("unused")), ("keep_joints", json!(["sokcet"]))];
    assert_eq!(
        refused(&with_controls(), &settings),
        "the model has no joint \"sokcet\" did you mean \"socket\"?"
    );
}

/// A control bone that is stretched along one axis shears what is below, which no joint there can do.
#[test]
fn a_joint_that_no_other_can_stand_in_for_stays_and_is_named() {
    let mut source = with_controls();
    let values = Values::Scale(vec![Vec3::ONE, Vec3::new(1.0, 3.0, 1.0)]);
    source.clips[0].tracks.push(track(2, Interpolation::Linear, &[0.0, 1.0], values));
    let (lean, report) = proven(&source, &[("prune_joints", json!("deforming"))]);
    assert_eq!(names(&lean), ["hip", "twist", "tip", "body"]);
    assert!(oracle::apart(&source, &lean, true) < 2e-5);
    let stays = report.losses().iter().find(|loss| loss.code.id == "RG052").expect("told");
    assert!(stays.message.starts_with("\"twist\" cannot be folded"), "{}", stays.message);
    // An even scale can be taken over.
    let values = Values::Scale(vec![Vec3::ONE, Vec3::splat(3.0)]);
    source.clips[0].tracks.last_mut().expect("the scale").values = values;
    let (lean, _) = proven(&source, &[("prune_joints", json!("deforming"))]);
    assert_eq!(names(&lean), ["hip", "tip", "body"]);
    assert!(oracle::apart(&source, &lean, true) < 2e-5);
}

#[test]
fn steps_stay_steps() {
    let mut source = with_controls();
    source.clips.truncate(1);
    let values = Values::Translation(vec![Vec3::ZERO, Vec3::X, Vec3::Z]);
    source.clips[0].tracks = vec![track(0, Interpolation::Step, &[0.0, 0.3, 0.7], values)];
    let (lean, _) = proven(&source, &[("prune_joints", json!("deforming"))]);
    let only = &lean.clips[0].tracks[0];
    assert_eq!((only.interpolation, &only.times[..]), (Interpolation::Step, &[0.0, 0.3, 0.7][..]));
    assert!(oracle::apart(&source, &lean, true) < 1e-6);
}

#[test]
fn a_file_that_draws_nothing_and_one_that_needs_everything_keep_all_joints() {
    let mut still = with_controls();
    still.meshes.clear();
    still.nodes.pop();
    let (same, _, report) = written(&still, &[("prune_joints", json!("unused"))]).expect("written");
    assert_eq!(same.nodes.len(), still.nodes.len());
    let said = report.diagnostics().iter().find(|found| found.code.id == "RG053").expect("told");
    assert!(said.message.starts_with("nothing is drawn"), "{}", said.message);
    let (same, report) = proven(&rig(), &[("prune_joints", json!("deforming"))]);
    assert_eq!(same.nodes.len(), 3);
    assert!(report.diagnostics().iter().any(|found| found.code.id == "RG053"));
    let (empty, ..) = written(&Scene::default(), &[("prune_joints", json!("unused"))]).expect("written");
    assert!(empty.nodes.is_empty());
}

#[test]
fn the_node_that_has_the_root_motion_stays() {
    let mut source = rig();
    let tracks = vec![slide(Interpolation::Linear, &[0.0, 1.0], &[0.0, 10.0])];
    source.clips.push(clip("walk", 1.0, tracks));
    let settings = [("root_motion", json!(["extract"])), ("prune_joints", json!("deforming"))];
    let (lean, _) = proven(&source, &settings);
    assert_eq!(lean.nodes.len(), 4);
    near(places(&lean, "walk", 1.0)[0], [10.0, 1.0, 0.0]);
}
