//! Scale one on every root.

use super::*;
use ligament::math::Mat4;
use ligament::report::LossKind;
use serde_json::json;

const APPLY: [(&str, serde_json::Value); 1] = [("apply_scale", serde_json::Value::Bool(true))];

/// The rig in centimetres below an armature with a scale, a sword without a skin at the tip, and clips.
fn source(scale: Vec3) -> Scene {
    let mut scene = Scene::default();
    let turned = Quat::from_rotation_x(0.4);
    let root = Trs { translation: Vec3::new(3.0, 0.0, 1.0), rotation: turned, scale };
    scene.add_node(Node { name: "Armature".into(), local: root.into(), ..Node::default() });
    let at = |y: f32| Trs { translation: Vec3::Y * y, ..Trs::IDENTITY };
    scene.add_node(Node {
        name: "hip".into(),
        parent: Some(NodeId(0)),
        local: at(100.0).into(),
        ..Node::default()
    });
    // Squashed on purpose, which is none of our business.
    let squashed = Trs { scale: Vec3::new(1.0, 0.5, 1.0), ..at(100.0) };
    let tip = Node { name: "tip".into(), parent: Some(NodeId(1)), local: squashed.into(), ..Node::default() };
    scene.add_node(tip);
    let plain = rig();
    scene.meshes = plain.meshes;
    let bind = |y: f32| {
        (Mat4::from_translation(Vec3::Y * -y) * Mat4::from_scale(Vec3::splat(100.0))).to_cols_array()
    };
    scene.skins.push(Skin {
        joints: vec![NodeId(1), NodeId(2)],
        inverse_binds: vec![bind(100.0), bind(200.0)],
        ..Skin::default()
    });
    let (mesh, skin) = (Some(MeshId(0)), Some(SkinId(0)));
    scene.add_node(Node { name: "body".into(), parent: Some(NodeId(0)), mesh, skin, ..Node::default() });
    let blade = Part {
        positions: vec![Vec3::ZERO, Vec3::Y * 80.0, Vec3::X * 5.0],
        normals: vec![Vec3::Z; 3],
        faces: Faces::Triangles(vec![0, 2, 1]),
        ..Part::default()
    };
    scene.meshes.push(Mesh { name: "sword".into(), parts: vec![blade], ..Mesh::default() });
    let held = Trs { translation: Vec3::X * 10.0, ..Trs::IDENTITY };
    scene.add_node(Node {
        name: "sword".into(),
        parent: Some(NodeId(2)),
        local: held.into(),
        mesh: Some(MeshId(1)),
        ..Node::default()
    });
    let hip = vec![Vec3::Y * 100.0, Vec3::new(250.0, 100.0, 0.0), Vec3::new(250.0, 90.0, 40.0)];
    let cubic =
        |values: [Vec3; 6]| track(2, Interpolation::Cubic, &[0.0, 1.0], Values::Translation(values.into()));
    scene.clips.push(clip(
        "walk",
        1.0,
        vec![
            track(1, Interpolation::Linear, &[0.0, 0.5, 1.0], Values::Translation(hip)),
            track(2, Interpolation::Linear, &[0.0, 1.0], Values::Rotation(vec![Quat::IDENTITY, turned])),
        ],
    ));
    let up = Vec3::Y * 100.0;
    scene.clips.push(clip(
        "spring",
        1.0,
        vec![cubic([Vec3::ZERO, up, Vec3::Y * 30.0, Vec3::ZERO, up * 1.5, Vec3::X])],
    ));
    scene
}

fn scale_of(scene: &Scene, node: usize) -> Vec3 {
    scene.nodes[node].local.trs().expect("no shear").scale
}

fn applied(source: &Scene) -> Scene {
    let (result, report) = proven(source, &APPLY);
    let said = report.losses().iter().find(|loss| loss.code.id == "RG062").expect("told");
    assert_eq!(said.kind, LossKind::Kept, "{}", said.message);
    result
}

#[test]
fn everything_below_a_root_has_its_size_and_vertices_stay() {
    let source = source(Vec3::splat(0.01));
    let mut result = applied(&source);
    assert_eq!(scale_of(&result, 0), Vec3::ONE);
    assert_eq!(scale_of(&result, 2), Vec3::new(1.0, 0.5, 1.0));
    near(result.nodes[1].local.trs().expect("a joint").translation, [0.0, 1.0, 0.0]);
    near(result.nodes[0].local.trs().expect("a root").translation, [3.0, 0.0, 1.0]);
    near(result.meshes[1].parts[0].positions[1], [0.0, 0.8, 0.0]);
    // The bind matrices only move now.
    let bind = result.skins[0].inverse_binds[1];
    assert!((bind[0] - 1.0).abs() < 1e-6 && (bind[13] + 2.0).abs() < 1e-6, "{bind:?}");
    let Values::Translation(keys) = &result.clips[0].tracks[0].values else { panic!("translations") };
    near(keys[2], [2.5, 0.9, 0.4]);
    let Values::Translation(cubic) = &result.clips[1].tracks[0].values else { panic!("translations") };
    near(cubic[2], [0.0, 0.3, 0.0]);
    // The oracle knows no cubic tracks; the proof of the conversion has compared that clip.
    let mut plain = source.clone();
    plain.clips.truncate(1);
    result.clips.truncate(1);
    let off = oracle::apart(&plain, &result, true);
    assert!(off < 1e-6, "{off:e}");
}

#[test]
fn a_mirrored_root_turns_no_face_inside_out() {
    let source = source(Vec3::splat(-2.0));
    let result = applied(&source);
    assert_eq!(scale_of(&result, 0), Vec3::ONE);
    let part = &result.meshes[1].parts[0];
    let [a, b, c] = [0, 1, 2].map(|i| part.positions[part.faces.corners()[i] as usize]);
    assert!((b - a).cross(c - a).dot(part.normals[0]) > 0.0);
}

#[test]
fn a_scale_that_changes_in_a_clip_changes_as_much_as_before() {
    let mut source = source(Vec3::splat(0.01));
    let values = Values::Scale(vec![Vec3::splat(0.01), Vec3::new(0.02, 0.03, 0.01)]);
    source.clips[0].tracks.push(track(0, Interpolation::Linear, &[0.0, 1.0], values));
    source.clips.truncate(1);
    let result = applied(&source);
    let last = result.clips[0].tracks.iter().find(|track| track.node == NodeId(0)).expect("the scale");
    let Values::Scale(keys) = &last.values else { panic!("scales") };
    near(keys[1], [2.0, 3.0, 1.0]);
    let off = oracle::apart(&source, &result, true);
    assert!(off < 1e-6, "{off:e}");
}

#[test]
fn an_uneven_scale_stays_and_is_named() {
    let source = source(Vec3::new(0.01, 0.02, 0.01));
    let (result, report) = proven(&source, &APPLY);
    assert_eq!(scale_of(&result, 0), Vec3::new(0.01, 0.02, 0.01));
    let stays = report.losses().iter().find(|loss| loss.code.id == "RG063").expect("told");
    assert!(stays.message.starts_with("\"Armature\": a scale that is not the same"), "{}", stays.message);
}

#[test]
fn a_mesh_that_is_drawn_elsewhere_keeps_its_size_there() {
    let mut source = source(Vec3::splat(0.01));
    let stand = Trs { translation: Vec3::Z * 2.0, ..Trs::IDENTITY };
    source.add_node(Node {
        name: "stand".into(),
        local: stand.into(),
        mesh: Some(MeshId(1)),
        ..Node::default()
    });
    source.clips.truncate(1);
    let result = applied(&source);
    // The sword in the hand takes the scale itself: nothing is below it.
    assert_eq!((scale_of(&result, 0), scale_of(&result, 4)), (Vec3::ONE, Vec3::splat(0.01)));
    assert_eq!(result.meshes.len(), 2);
    assert!(oracle::apart(&source, &result, true) < 1e-6);
    // Two roots that draw one mesh in two sizes cannot both have a scale of 1.
    let mut roots = Scene { meshes: vec![source.meshes[1].clone()], ..Scene::default() };
    for scale in [2.0, 3.0] {
        let local = Trs { scale: Vec3::splat(scale), ..Trs::IDENTITY }.into();
        roots.add_node(Node { local, mesh: Some(MeshId(0)), ..Node::default() });
    }
    let (same, report) = proven(&roots, &APPLY);
    assert_eq!((scale_of(&same, 0), scale_of(&same, 1)), (Vec3::splat(2.0), Vec3::splat(3.0)));
    assert_eq!(report.losses().iter().find(|loss| loss.code.id == "RG063").expect("told").count, 2);
}

#[test]
fn a_model_without_scale_is_left_alone() {
    let (same, report) = proven(&rig(), &[("apply_scale", json!(true))]);
    assert_eq!(same.nodes.len(), 3);
    assert!(report.diagnostics().iter().any(|found| found.code.id == "RG064"));
}
