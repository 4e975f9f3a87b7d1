//! Positions compared with oracles that this code did not produce: Blender's posed vertices, and separately computed
//! envelope weights.

use crate::{fixture, oracle, scene_of};
use glam::Vec3;
use ligament::internal::from_cp1250;
use ligament::math as glam;
use ligament::pose::{Pose, deform};
use ligament::scene::{Mesh, NodeId, Scene};
use serde_json::Value;

/// The oracles' axes: Z up.
fn z_up(v: Vec3) -> Vec3 {
    Vec3::new(v.x, -v.z, v.y)
}

fn places(list: &Value) -> Vec<Vec3> {
    let number = |v: &Value| v.as_f64().expect("a number") as f32;
    let place = |v: &Value| Vec3::new(number(&v[0]), number(&v[1]), number(&v[2]));
    list.as_array().expect("a list").iter().map(place).collect()
}

fn node(scene: &Scene, name: &str) -> NodeId {
    scene
        .node_ids()
        .find(|&id| scene.nodes[id.index()].name == name && scene.nodes[id.index()].mesh.is_some())
        .expect("the object")
}

fn mesh<'s>(scene: &'s Scene, name: &str) -> &'s Mesh {
    &scene.meshes[scene.nodes[node(scene, name).index()].mesh.expect("a mesh").index()]
}

/// The file's vertices, by their positions in the mesh's own space: a scene may repeat a vertex.
fn file_vertices(name: &str, object: &str) -> Vec<Vec3> {
    let (document, _) = crate::parse(&fixture(name));
    let objects = document.expect("readable").objects;
    let mesh = objects.into_iter().find_map(|o| match o {
        ligament::formats::qmsh_tmp::Object::Mesh(mesh) if from_cp1250(mesh.name.as_bytes()) == object => {
            Some(mesh)
        }
        _ => None,
    });
    mesh.expect("the mesh").vertices
}

/// The largest distance of any vertex of an object from the oracle's position, and the number compared.
fn worst(scene: &Scene, pose: &Pose, object: &str, rest: &[Vec3], expected: &[Vec3]) -> (f32, usize) {
    assert_eq!(rest.len(), expected.len());
    let (mut worst, mut count) = (0.0_f32, 0);
    for (posed, part) in deform(scene, pose, node(scene, object)).iter().zip(&mesh(scene, object).parts) {
        for (posed, own) in posed.positions.iter().zip(&part.positions) {
            let vertex =
                rest.iter().position(|r| r.distance(z_up(*own)) < 1e-6).expect("a vertex of the file");
            worst = worst.max(z_up(*posed).distance(expected[vertex]));
            count += 1;
        }
    }
    (worst, count)
}

#[test]
fn a_static_object_stands_where_blender_has_it() {
    let (scene, _) = scene_of(&fixture("static_cube.qmsh.tmp"));
    let expected = places(&oracle("static_cube.expected.json")["world_blender"]["Cube"]);
    let rest = file_vertices("static_cube.qmsh.tmp", "Cube");
    let (worst, count) = worst(&scene, &Pose::rest(&scene), "Cube", &rest, &expected);
    assert!(worst < 1e-5 && count >= 24, "{worst}, {count} vertices");
}

#[test]
fn a_skinned_arm_bends_as_in_blender_at_and_between_its_keys() {
    let (scene, _) = scene_of(&fixture("skinned_arm.qmsh.tmp"));
    let oracle = oracle("skinned_arm.expected.json");
    let rest = file_vertices("skinned_arm.qmsh.tmp", "Arm");
    let frames = oracle["frames"].as_object().expect("frames");
    assert_eq!(frames.len(), 7);
    let first = oracle["first_frame"].as_f64().expect("a frame");
    let clip = &scene.clips[0];
    assert_eq!((scene.clips.len(), &*clip.name, clip.duration), (1, "Bend", 1.0));
    for (frame, expected) in frames {
        let seconds = (frame.parse::<f64>().expect("a frame") - first) / 25.0;
        let pose = Pose::at(&scene, clip, seconds as f32);
        let (worst, count) = worst(&scene, &pose, "Arm", &rest, &places(expected));
        assert!(worst < 1e-5, "frame {frame}: {worst}");
        assert!(count >= 20);
    }
}

#[test]
fn an_object_on_a_bone_goes_with_it_as_in_blender() {
    let (scene, _) = scene_of(&fixture("rigid_envelope.qmsh.tmp"));
    let oracle = oracle("rigid_envelope.expected.json");
    let rest = file_vertices("rigid_envelope.qmsh.tmp", "Miecz");
    let frames = oracle["rigid_frames"].as_object().expect("frames");
    assert_eq!(frames.len(), 3);
    for (frame, expected) in frames {
        let seconds = (frame.parse::<f64>().expect("a frame") - 1.0) / 25.0;
        let pose = Pose::at(&scene, &scene.clips[0], seconds as f32);
        let (worst, count) = worst(&scene, &pose, "Miecz", &rest, &places(expected));
        assert!(worst < 1e-5 && count >= 8, "frame {frame}: {worst}, {count} vertices");
    }
}

#[test]
fn envelopes_pull_as_the_reference_says() {
    let (scene, _) = scene_of(&fixture("rigid_envelope.qmsh.tmp"));
    let oracle = oracle("rigid_envelope.envelope_expected.json");
    let expected = oracle["raw_top2_envelope_weights"].as_array().expect("a list");
    let rest = file_vertices("rigid_envelope.qmsh.tmp", "Ciało");
    assert_eq!((expected.len(), rest.len()), (14, 14));
    let (mut seen, mut pairs) = (vec![false; 14], 0);
    for part in &mesh(&scene, "Ciało").parts {
        for (vertex, own) in part.positions.iter().enumerate() {
            let index =
                rest.iter().position(|r| r.distance(z_up(*own)) < 1e-6).expect("a vertex of the file");
            seen[index] = true;
            let found = part.influences.of(vertex);
            let wanted = expected[index].as_array().expect("pairs");
            assert_eq!(found.len(), wanted.len(), "vertex {index}");
            for pair in wanted {
                let bone = pair[1].as_str().expect("a name");
                let joint = scene.skins[0].joints.iter().position(|j| scene.nodes[j.index()].name == bone);
                let joint = joint.expect("the bone") as u32;
                let influence = found.iter().find(|i| i.joint == joint).expect("pulls");
                let weight = pair[0].as_f64().expect("a weight");
                assert!((f64::from(influence.weight) - weight).abs() < 1e-6, "vertex {index}: {influence:?}");
                pairs += 1;
            }
        }
    }
    assert!(seen.iter().all(|s| *s) && pairs >= 11, "{pairs} pairs");
}

#[test]
fn the_three_later_exporters_agree() {
    let scenes = [15, 19, 21].map(|v| scene_of(&fixture(&format!("carpg_exporter_v{v}.qmsh.tmp"))).0);
    for other in &scenes[1..] {
        let deviation = crate::support::worst(&scenes[0], other);
        assert!(deviation < 1e-6, "{deviation}");
        let hit = |scene: &Scene| {
            let id = scene.node_ids().find(|id| scene.nodes[id.index()].name == "hit").expect("the empty");
            Pose::at(scene, &scene.clips[0], 0.6).globals[id.index()]
        };
        let difference = hit(&scenes[0]) - hit(other);
        assert!(difference.to_cols_array().iter().all(|v| v.abs() < 1e-5), "{difference}");
    }
    for scene in &scenes {
        assert_eq!((scene.cameras.len(), scene.clips.len(), scene.joint_count()), (1, 1, 2));
        assert_eq!(scene.meshes[0].parts.len(), 2);
    }
}
