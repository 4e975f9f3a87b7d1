//! The joint list of another file.

use super::prune::with_controls;
use super::*;
use serde_json::json;

fn joint_names(scene: &Scene) -> Vec<Vec<&str>> {
    let name = |id: &NodeId| scene.nodes[id.index()].name.as_str();
    scene.skins.iter().map(|skin| skin.joints.iter().map(name).collect()).collect()
}

/// A list of joints: a chain with these names and parents, and a triangle on the first.
fn list(joints: &[(&str, Option<u32>)]) -> Scene {
    let mut scene = rig();
    let drawn = scene.nodes.pop().expect("the mesh");
    scene.nodes.clear();
    for (name, parent) in joints {
        let local = Trs { translation: Vec3::new(0.0, 0.75, 0.0), ..Trs::IDENTITY }.into();
        scene.add_node(Node { name: (*name).into(), parent: parent.map(NodeId), local, ..Node::default() });
    }
    scene.nodes.push(drawn);
    let identity = ligament::math::Mat4::IDENTITY.to_cols_array();
    scene.skins[0].joints = (0..joints.len()).map(NodeId::new).collect();
    scene.skins[0].inverse_binds = vec![identity; joints.len()];
    for pair in scene.meshes[0].parts[0].influences.pairs_mut() {
        pair.joint = 0;
    }
    scene
}

fn reordered(source: &Scene, like: &Scene) -> (Scene, Report) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("list.glb");
    ligament::write(like.clone(), &path, &ConvertOptions::default()).expect("written");
    proven(source, &[("reorder_joints", json!(path.display().to_string()))])
}

fn said<'r>(report: &'r Report, code: &str) -> Option<&'r ligament::report::Loss> {
    report.losses().iter().find(|loss| loss.code.id == code)
}

#[test]
fn joints_come_in_the_order_of_the_other_file_and_vertices_stay() {
    let source = with_controls();
    // Everything in another order, as far as parents come first; twist and tip under a namespace.
    let like = list(&[
        ("root", None),
        ("hip", Some(0)),
        ("helper", Some(1)),
        ("m:twist", Some(1)),
        ("m:tip", Some(3)),
    ]);
    let (result, report) = reordered(&source, &like);
    assert_eq!(joint_names(&result), [["root", "hip", "helper", "twist", "tip"]]);
    let names: Vec<_> = result.nodes.iter().map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["root", "hip", "helper", "twist", "tip", "helper end", "socket", "body"]);
    let off = oracle::apart(&source, &result, true);
    assert!(off < 1e-6, "{off:e}");
    assert_eq!(said(&report, "RG055").expect("told").count, 5);
    assert!(said(&report, "RG056").is_none());
}

#[test]
fn a_list_with_children_first_is_the_skins_but_not_the_nodes() {
    let mut like = list(&[("hip", None), ("tip", Some(0))]);
    like.skins[0].joints.reverse();
    let source = {
        let mut source = rig();
        source.clips.push(clip("nod", 1.0, vec![turn(&[0.0, 1.0], &[0.0, 1.0])]));
        source
    };
    let (result, _) = reordered(&source, &like);
    assert_eq!(joint_names(&result), [["tip", "hip"]]);
    assert!(result.nodes[0].name == "hip" && oracle::apart(&source, &result, true) < 1e-6);
}

#[test]
fn missing_joints_are_added_where_they_are_there() {
    let mut source = rig();
    source.clips.push(clip("nod", 1.0, vec![turn(&[0.0, 1.0], &[0.0, 1.0])]));
    let like = list(&[("hip", None), ("tail", Some(0)), ("tail end", Some(1)), ("tip", Some(0))]);
    let (result, report) = reordered(&source, &like);
    assert_eq!(joint_names(&result), [["hip", "tail", "tail end", "tip"]]);
    let node = |name: &str| result.nodes.iter().find(|node| node.name == name).expect("added");
    assert_eq!(result.nodes[node("tail end").parent.expect("one").index()].name, "tail");
    assert_eq!(result.nodes[node("tail").parent.expect("one").index()].name, "hip");
    assert_eq!(node("tail").local.trs().expect("one").translation, Vec3::Y * 0.75);
    assert!(oracle::apart(&source, &result, true) < 1e-6);
    assert_eq!(said(&report, "RG056").expect("told").count, 2);
    // At rest, what is bound to an added joint would stay where it is.
    let pose = Pose::rest(&result);
    let (joint, bind) = result.skins[0].binds().nth(2).expect("four");
    let matrix = pose.globals[joint.index()] * bind;
    assert!(matrix.abs_diff_eq(ligament::math::DMat4::IDENTITY, 1e-6), "{matrix}");
}

#[test]
fn joints_that_are_not_listed_come_last_with_a_warning() {
    let source = with_controls();
    let (result, report) = reordered(&source, &list(&[("tip", None), ("hip", None)]));
    assert_eq!(joint_names(&result), [["tip", "hip", "root", "twist", "helper"]]);
    assert!(oracle::apart(&source, &result, true) < 1e-6);
    let warned = report.diagnostics().iter().find(|found| found.code.id == "RG057").expect("told");
    assert!(
        warned.message.contains("\"root\", \"twist\", \"helper\"; they come after"),
        "{}",
        warned.message
    );
}

#[test]
fn files_that_give_no_list_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("list.glb");
    let save =
        |scene: &Scene| ligament::write(scene.clone(), &path, &ConvertOptions::default()).expect("written");
    let settings = [("reorder_joints", json!(path.display().to_string()))];
    save(&list(&[("a", None), ("b", Some(0))]));
    assert!(refused(&rig(), &settings).ends_with("(\"a\", \"b\") is one of the model's"));
    let mut plain = rig();
    plain.skins.clear();
    plain.nodes = vec![Node { mesh: Some(MeshId(0)), ..Node::default() }];
    plain.meshes[0].parts[0].influences = Influences::new();
    save(&plain);
    assert!(refused(&rig(), &settings).ends_with("has no joints to order by"));
    save(&rig());
    assert_eq!(refused(&plain, &settings), "the model has no joints to order by");
    let settings = [("reorder_joints", json!("nowhere.glb"))];
    assert_eq!(written(&rig(), &settings).expect_err("a failure").failure, ligament::Failure::Io);
}
