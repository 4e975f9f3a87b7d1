//! One skin for all meshes.

use super::prune::with_controls;
use super::*;
use ligament::math::Mat4;
use ligament::report::LossKind;
use serde_json::json;

const MERGE: [(&str, serde_json::Value); 1] = [("merge_skins", serde_json::Value::Bool(true))];

/// The rig with a second body whose skin is this one.
fn with_second(skin: Skin, positions: Vec<Vec3>) -> Scene {
    let mut scene = with_controls();
    let mut influences = Influences::new();
    for joint in [0, 1, 1] {
        influences.push([Influence { joint, weight: 1.0 }]);
    }
    let part = Part {
        positions,
        normals: vec![Vec3::Z; 3],
        influences,
        faces: Faces::Triangles(vec![0, 1, 2]),
        ..Part::default()
    };
    scene.meshes.push(Mesh { name: "coat".into(), parts: vec![part], ..Mesh::default() });
    scene.skins.push(skin);
    let (mesh, skin) = (Some(MeshId(1)), Some(SkinId(1)));
    scene.add_node(Node { name: "coat".into(), mesh, skin, ..Node::default() });
    scene
}

fn places3() -> Vec<Vec3> {
    vec![Vec3::new(0.5, 1.0, 0.0), Vec3::new(0.0, 2.5, 0.5), Vec3::new(1.0, 2.0, 1.0)]
}

/// A skin of hip and tip, bound in a space that is this one away from the scene's.
fn skin(of: &Scene, moved: Mat4) -> Skin {
    let joints = vec![NodeId(1), NodeId(3)];
    let own = &of.skins[0];
    let bind = |id: &NodeId| {
        let place = own.joints.iter().position(|joint| joint == id).expect("a joint");
        (Mat4::from_cols_array(&own.inverse_binds[place]) * moved).to_cols_array()
    };
    Skin { inverse_binds: joints.iter().map(bind).collect(), joints, ..Skin::default() }
}

#[test]
fn skins_that_bind_the_same_way_are_one() {
    let source = with_second(skin(&with_controls(), Mat4::IDENTITY), places3());
    let (merged, report) = proven(&source, &MERGE);
    assert_eq!(merged.skins.len(), 1);
    assert_eq!(merged.skins[0].joints, source.skins[0].joints);
    assert_eq!(merged.meshes[1].parts[0].positions, source.meshes[1].parts[0].positions);
    assert!(oracle::apart(&source, &merged, true) < 1e-6);
    let said = report.losses().iter().find(|loss| loss.code.id == "RG058").expect("told");
    assert_eq!((&said.kind, said.count), (&LossKind::Kept, 1));
    assert!(said.message.starts_with("2 skins are 1 skin; compared in "), "{}", said.message);
}

/// The coat was modelled in centimetres, on its side, somewhere else.
#[test]
fn a_mesh_that_was_bound_elsewhere_is_moved() {
    let moved = Mat4::from_scale_rotation_translation(
        Vec3::splat(0.01),
        Quat::from_rotation_x(1.2),
        Vec3::new(5.0, -3.0, 2.0),
    );
    let back = moved.inverse();
    let positions: Vec<Vec3> = places3().into_iter().map(|v| back.transform_point3(v)).collect();
    let source = with_second(skin(&with_controls(), moved), positions);
    // As worn, it is where the first test has it.
    let worn = oracle::posed(&source, None, 0.0);
    near(worn[3].as_vec3(), [0.5, 1.0, 0.0]);
    let (merged, _) = proven(&source, &MERGE);
    assert_eq!(merged.skins.len(), 1);
    near(merged.meshes[1].parts[0].positions[2], [1.0, 2.0, 1.0]);
    let normal = merged.meshes[1].parts[0].normals[0];
    assert!(normal.distance(Quat::from_rotation_x(1.2) * Vec3::Z) < 1e-5, "{normal}");
    let off = oracle::apart(&source, &merged, true);
    assert!(off < 5e-6, "{off:e}");
}

#[test]
fn joints_of_both_are_joined() {
    let mut source = with_second(skin(&with_controls(), Mat4::IDENTITY), places3());
    // The first has no tip, and the second has, besides the hip.
    let keep = [0, 1, 2, 4];
    let first = &mut source.skins[0];
    first.joints = keep.iter().map(|&i| first.joints[i]).collect();
    first.inverse_binds = keep.iter().map(|&i| first.inverse_binds[i]).collect();
    for pair in source.meshes[0].parts[0].influences.pairs_mut() {
        pair.joint = pair.joint.min(2);
    }
    let (merged, _) = proven(&source, &MERGE);
    assert_eq!(merged.skins[0].joints, [0, 1, 2, 4, 3].map(NodeId));
    assert!(oracle::apart(&source, &merged, true) < 1e-6);
}

#[test]
fn skins_that_were_bound_in_other_poses_stay() {
    let mut other = skin(&with_controls(), Mat4::IDENTITY);
    other.inverse_binds[1] =
        (Mat4::from_rotation_z(0.5) * Mat4::from_cols_array(&other.inverse_binds[1])).to_cols_array();
    let mut source = with_second(other, places3());
    let (same, report) = proven(&source, &MERGE);
    assert_eq!(same.skins.len(), 2);
    assert!(report.diagnostics().iter().any(|found| found.code.id == "RG060"));
    // A third that agrees with the first is merged with it.
    source.skins.push(skin(&with_controls(), Mat4::IDENTITY));
    let (mesh, skin) = (Some(MeshId(1)), Some(SkinId(2)));
    source.add_node(Node { name: "coat again".into(), mesh, skin, ..Node::default() });
    let (merged, report) = proven(&source, &MERGE);
    assert_eq!(merged.skins.len(), 2);
    let off = oracle::apart(&source, &merged, true);
    assert!(off < 1e-6, "{off:e}");
    let stays = report.losses().iter().find(|loss| loss.code.id == "RG059").expect("told");
    assert!(
        stays.message.starts_with("skin 1: joints are bound differently than in skin 0"),
        "{}",
        stays.message
    );
}

#[test]
fn one_skin_is_left_alone() {
    let (same, report) = proven(&rig(), &[("merge_skins", json!(true))]);
    assert_eq!(same.skins.len(), 1);
    assert!(report.diagnostics().iter().any(|found| found.code.id == "RG060"));
}
