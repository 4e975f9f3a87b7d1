//! Deviations computed by hand, and conversions that change how a model is stored but not how it looks.

mod converted;
mod pairing;
#[path = "../support/mod.rs"]
mod support;
mod twins;

use ligament::compare::{CompareOptions, Comparison, Pairing, compare};
use ligament::math::{Mat4, Quat, Vec2, Vec3};
use ligament::scene::*;
use std::f32::consts::FRAC_PI_2;

/// A strip one wide and four high in the XY plane, one quad per unit of height. The lower two quads follow the joint
/// `hip` at the origin, the upper two `knee` at (0, 2, 0), which the clip `bend` rotates by 90° about Z in one second.
fn strip() -> Scene {
    let mut scene = Scene::default();
    scene.add_node(Node { name: "hip".into(), ..Node::default() });
    let local = Local::Trs(Trs { translation: Vec3::new(0.0, 2.0, 0.0), ..Trs::IDENTITY });
    scene.add_node(Node { name: "knee".into(), parent: Some(NodeId(0)), local, ..Node::default() });
    scene.add_node(Node { mesh: Some(MeshId(0)), skin: Some(SkinId(0)), ..Node::default() });
    let parts = vec![half(0, 0), half(1, 2)];
    scene.meshes.push(Mesh { name: "strip".into(), parts, ..Mesh::default() });
    let bind = Mat4::from_translation(Vec3::new(0.0, -2.0, 0.0));
    scene.skins.push(Skin {
        joints: vec![NodeId(0), NodeId(1)],
        inverse_binds: vec![Mat4::IDENTITY.to_cols_array(), bind.to_cols_array()],
        ..Skin::default()
    });
    for name in ["lower", "upper"] {
        scene.materials.push(Material { name: name.into(), ..Material::default() });
    }
    scene.clips.push(bend(Interpolation::Linear, Quat::from_rotation_z(FRAC_PI_2)));
    scene
}

/// Six vertices, (0, y) and (1, y) for three heights from `base` on, and four triangles.
fn half(joint: u32, base: u32) -> Part {
    let mut part = Part { material: Some(MaterialId(joint)), uvs: vec![vec![]], ..Part::default() };
    for y in base..base + 3 {
        for x in 0..2 {
            let place = Vec3::new(x as f32, y as f32, 0.0);
            part.positions.push(place);
            part.normals.push(Vec3::Z);
            part.uvs[0].push(Vec2::new(place.x, place.y / 4.0));
            part.influences.push([Influence { joint, weight: 0.7 }]);
        }
    }
    part.faces = Faces::Triangles(vec![0, 1, 3, 0, 3, 2, 2, 3, 5, 2, 5, 4]);
    part
}

fn bend(interpolation: Interpolation, end: Quat) -> Clip {
    let values = Values::Rotation(vec![Quat::IDENTITY, end]);
    let track = Track { node: NodeId(1), interpolation, times: [0.0, 1.0].into(), values };
    Clip { name: "bend".into(), duration: 1.0, tracks: vec![track], ..Clip::default() }
}

fn against(first: &Scene, second: &Scene) -> Comparison {
    compare(first, second, &CompareOptions::default())
}

fn worst(comparison: &Comparison) -> f64 {
    comparison.worst.as_ref().expect("something was compared").distance
}

fn features(comparison: &Comparison) -> Vec<&str> {
    comparison.differences.iter().map(|d| d.feature.as_str()).collect()
}

/// Gives each corner of the strip's parts its own vertex.
fn soup(scene: &mut Scene) {
    for part in &mut scene.meshes[0].parts {
        let corners: Vec<usize> = part.faces.corners().iter().map(|&c| c as usize).collect();
        let mut influences = Influences::new();
        corners.iter().for_each(|&c| influences.push(part.influences.of(c).iter().copied()));
        part.influences = influences;
        part.positions = corners.iter().map(|&c| part.positions[c]).collect();
        part.normals = corners.iter().map(|&c| part.normals[c]).collect();
        part.uvs[0] = corners.iter().map(|&c| part.uvs[0][c]).collect();
        part.faces = Faces::Triangles((0..corners.len() as u32).collect());
    }
}

/// Reverses the order of a part's triangles.
fn turn_round(part: &mut Part) {
    let Faces::Triangles(corners) = &part.faces else { panic!("triangles") };
    part.faces = Faces::Triangles(corners.chunks(3).rev().flatten().copied().collect());
}

#[test]
fn identical_scenes_do_not_deviate_at_all() {
    let comparison = against(&strip(), &strip());
    assert_eq!(worst(&comparison), 0.0);
    assert_eq!((comparison.mean, comparison.points, comparison.poses), (0.0, 12, 4));
    assert_eq!(comparison.differences, []);
    assert_eq!((comparison.pairing, comparison.skipped), (Some(Pairing::InOrder), 0));
    assert!((comparison.size - 17_f64.sqrt()).abs() < 1e-6);
}

#[test]
fn a_joint_that_does_not_turn_is_found() {
    let mut second = strip();
    second.clips[0] = bend(Interpolation::Linear, Quat::IDENTITY);
    let comparison = against(&strip(), &second);
    // A vertex at distance r from the knee is off by the chord r·2·sin(angle / 2); the farthest is (1, 4), at √5.
    let chord = |degrees: f64| 2.0 * (degrees.to_radians() / 2.0).sin();
    let found = comparison.worst.as_ref().unwrap();
    assert!((found.distance - 5_f64.sqrt() * chord(90.0)).abs() < 1e-6, "{found:?}");
    assert!((found.relative - found.distance / 17_f64.sqrt()).abs() < 1e-6);
    assert_eq!((found.clip.as_deref(), found.time), (Some("bend"), 1.0));
    assert_eq!((found.mesh.as_str(), found.vertex), ("strip", 11));
    assert_eq!(found.joint.as_deref(), Some("knee"));
    assert_eq!(comparison.worst_at_keys, comparison.worst);
    // Six of twelve vertices follow the knee, at these distances; the other two of the four poses agree.
    let reach: f64 = [0.0, 1.0, 1.0, 2_f64.sqrt(), 2.0, 5_f64.sqrt()].iter().sum();
    let mean = reach * (chord(45.0) + chord(90.0)) / (12.0 * 4.0);
    assert!((comparison.mean - mean).abs() < 1e-6, "{} instead of {mean}", comparison.mean);
}

/// The knee has turned by 90° when the step that should follow it still holds it.
#[test]
fn step_against_linear_is_farthest_just_before_the_step() {
    let mut second = strip();
    second.clips[0].tracks[0].interpolation = Interpolation::Step;
    let none_between = CompareOptions { between_keys: 0, ..CompareOptions::default() };
    for (first, second) in [(&strip(), &second), (&second, &strip())] {
        for options in [&CompareOptions::default(), &none_between] {
            let comparison = compare(first, second, options);
            let found = comparison.worst.as_ref().unwrap();
            assert!((found.distance - 5_f64.sqrt() * 2.0 * 45_f64.to_radians().sin()).abs() < 1e-6);
            assert_eq!(found.time, f64::from(1_f32.next_down()));
            assert_eq!(comparison.worst_at_keys.as_ref().unwrap().distance, 0.0);
            assert_eq!(features(&comparison), [r#"clip "bend": interpolation"#]);
        }
    }
}

/// Two seconds of motion against steps that end after the first second: the last step is held to the end. By then the
/// knee has turned by twice 90°, and the step holds the start.
#[test]
fn a_stepped_clip_that_ends_early_holds_its_last_step() {
    let quarters = [0.0, FRAC_PI_2, 2.0 * FRAC_PI_2].map(Quat::from_rotation_z);
    let mut first = strip();
    first.clips[0].tracks[0].times = [0.0, 1.0, 2.0].into();
    first.clips[0].tracks[0].values = Values::Rotation(quarters.to_vec());
    first.clips[0].duration = 2.0;
    let mut second = first.clone();
    second.clips[0].duration = 1.0;
    let track = &mut second.clips[0].tracks[0];
    (track.times, track.interpolation) = ([0.0, 0.5].into(), Interpolation::Step);
    track.values = Values::Rotation(vec![Quat::IDENTITY; 2]);
    let comparison = against(&first, &second);
    assert!((worst(&comparison) - 5_f64.sqrt() * 2.0).abs() < 1e-6, "{:?}", comparison.worst);
    assert!((comparison.worst.unwrap().time - 2.0).abs() < 1e-6);
}

#[test]
fn clips_that_are_not_matched_by_name_say_how() {
    let (mut first, mut second) = (strip(), strip());
    first.clips[0].name = "Armature|bend".into();
    second.clips.push(Clip { name: "still".into(), duration: 3.0, ..Clip::default() });
    second.clips.reverse();
    let json = against(&first, &second).to_json();
    assert_eq!(
        json["clips"],
        serde_json::json!([{ "first": "Armature|bend", "second": "bend", "by": "part after |" }])
    );
}

#[test]
fn stepped_keys_that_differ_by_rounding_are_met() {
    let mut first = strip();
    first.clips[0].tracks[0].interpolation = Interpolation::Step;
    let mut second = first.clone();
    second.clips[0].tracks[0].times = [0.0, 1.000_001].into();
    let comparison = against(&first, &second);
    assert_eq!(worst(&comparison), 0.0);
}

#[test]
fn welded_and_unwelded_vertices_are_paired_by_corner() {
    let mut second = strip();
    soup(&mut second);
    for (first, second, points) in [(&strip(), &second, 24), (&second, &strip(), 24)] {
        let comparison = against(first, second);
        assert_eq!(worst(&comparison), 0.0);
        assert_eq!((comparison.pairing, comparison.points), (Some(Pairing::InOrder), points));
        assert_eq!(features(&comparison), ["vertices"]);
    }
}

#[test]
fn parts_may_change_places_and_polygons_become_triangles() {
    let mut second = strip();
    second.meshes[0].parts.swap(0, 1);
    for part in &mut second.meshes[0].parts {
        part.faces = Faces::Polygons { starts: vec![0, 4, 8], corners: vec![0, 1, 3, 2, 2, 3, 5, 4] };
    }
    let comparison = against(&strip(), &second);
    assert_eq!((worst(&comparison), comparison.pairing), (0.0, Some(Pairing::InOrder)));
    assert_eq!(comparison.differences, []);
}

#[test]
fn one_mesh_may_become_two() {
    let mut second = strip();
    let upper = second.meshes[0].parts.pop().unwrap();
    second.meshes.push(Mesh { name: "top".into(), parts: vec![upper], ..Mesh::default() });
    second.nodes.push(Node { mesh: Some(MeshId(1)), skin: Some(SkinId(0)), ..Node::default() });
    let comparison = against(&strip(), &second);
    assert_eq!(worst(&comparison), 0.0);
    assert_eq!(features(&comparison), ["meshes"]);
}

#[test]
fn triangles_in_another_order_are_paired_by_place() {
    for unweld in [false, true] {
        let mut second = strip();
        second.meshes[0].parts.iter_mut().for_each(turn_round);
        if unweld {
            soup(&mut second);
        }
        let comparison = against(&strip(), &second);
        assert_eq!((worst(&comparison), comparison.pairing), (0.0, Some(Pairing::Nearest)));
        assert!(!features(&comparison).contains(&"geometry"));
    }
}

/// At the seam between the parts, two vertices share a position at rest and separate when the knee bends.
#[test]
fn vertices_at_one_place_are_told_apart_by_their_joints() {
    let mut first = strip();
    first.meshes[0].parts.iter_mut().for_each(|part| part.material = None);
    let mut second = first.clone();
    second.meshes[0].parts.iter_mut().for_each(turn_round);
    let comparison = against(&first, &second);
    assert_eq!((worst(&comparison), comparison.pairing), (0.0, Some(Pairing::Nearest)));
}

#[test]
fn a_swollen_model_is_not_explained_away() {
    let mut second = strip();
    for part in &mut second.meshes[0].parts {
        part.positions.iter_mut().for_each(|p| *p *= 1.5);
    }
    second.skins[0].inverse_binds[1] = Mat4::IDENTITY.to_cols_array();
    second.nodes[1].local = Local::default();
    second.clips.clear();
    let mut first = strip();
    first.clips.clear();
    let comparison = against(&first, &second);
    assert_eq!(comparison.pairing, Some(Pairing::InOrder));
    assert!(
        (worst(&comparison) - 17_f64.sqrt() / 2.0).abs() < 1e-6,
        "the corner (1, 4) is half its distance off"
    );
}

#[test]
fn a_mirrored_model_is_not_explained_away() {
    let mut second = strip();
    for part in &mut second.meshes[0].parts {
        part.positions.iter_mut().for_each(|p| p.x = 1.0 - p.x);
    }
    let comparison = against(&strip(), &second);
    assert_eq!((comparison.pairing, comparison.poses), (Some(Pairing::InOrder), 4));
    assert!((worst(&comparison) - 1.0).abs() < 1e-6);
}

#[test]
fn equal_meshes_may_change_places() {
    let place = |order: [f32; 2]| {
        let mut scene = strip();
        (scene.clips, scene.skins) = (vec![], vec![]);
        scene.nodes.clear();
        for x in order {
            let local = Local::Trs(Trs { translation: Vec3::new(x, 0.0, 0.0), ..Trs::IDENTITY });
            scene.add_node(Node { local, mesh: Some(MeshId(0)), ..Node::default() });
        }
        scene
    };
    let comparison = against(&place([0.0, 9.0]), &place([9.0, 0.0]));
    assert_eq!((worst(&comparison), comparison.pairing), (0.0, Some(Pairing::Nearest)));
}

#[test]
fn geometry_that_only_the_second_has_is_reported() {
    let mut second = strip();
    let mut more = second.meshes[0].parts[0].clone();
    more.positions.iter_mut().for_each(|p| p.x += 50.0);
    second.meshes[0].parts.push(more);
    let comparison = against(&strip(), &second);
    assert_eq!((worst(&comparison), comparison.pairing), (0.0, Some(Pairing::Nearest)));
    let geometry = comparison.differences.iter().find(|d| d.feature == "geometry").expect("reported");
    assert_eq!(geometry.second, "6 vertices far from every vertex of the first");
    // The other way round, the first has vertices that are far from any vertex of the second.
    let comparison = against(&second, &strip());
    assert!(worst(&comparison) > 49.0);
}

#[test]
fn a_dropped_clip_is_a_difference_and_not_posed() {
    let mut second = strip();
    second.clips.clear();
    let comparison = against(&strip(), &second);
    assert_eq!((worst(&comparison), comparison.poses), (0.0, 1));
    let [only] = &comparison.differences[..] else { panic!("{:?}", comparison.differences) };
    assert_eq!((only.feature.as_str(), only.second.as_str()), (r#"clip "bend""#, "absent"));
    assert_eq!(only.first, "1 s, 1 tracks, 2 key times");
}

#[test]
fn scenes_without_faces_are_compared_by_their_joints() {
    let bare = |end: Quat| {
        let mut scene = strip();
        scene.meshes.clear();
        (scene.nodes[2].mesh, scene.nodes[2].skin) = (None, None);
        let local = Local::Trs(Trs { translation: Vec3::X, ..Trs::IDENTITY });
        let foot = Node { name: "foot".into(), parent: Some(NodeId(1)), local, ..Node::default() };
        let foot = scene.add_node(foot);
        scene.skins[0].joints.push(foot);
        scene.skins[0].inverse_binds.push(Mat4::IDENTITY.to_cols_array());
        scene.clips[0] = bend(Interpolation::Linear, end);
        scene
    };
    let comparison = against(&bare(Quat::from_rotation_z(FRAC_PI_2)), &bare(Quat::IDENTITY));
    assert_eq!((comparison.pairing, comparison.points), (Some(Pairing::Joints), 3));
    let found = comparison.worst.unwrap();
    assert!((found.distance - 2_f64.sqrt()).abs() < 1e-6);
    assert_eq!((found.joint.as_deref(), found.time), (Some("foot"), 1.0));
    let nothing = against(&Scene::default(), &Scene::default());
    assert_eq!((nothing.worst, nothing.size, nothing.points), (None, 1.0, 0));
}

#[test]
fn attributes_that_changed_are_reported() {
    let mut second = strip();
    let part = &mut second.meshes[0].parts[1];
    part.uvs[0][3].x += 0.25;
    part.normals[2] = Vec3::new(0.0, 1.0, 1.0).normalize();
    part.colors.push(vec![ligament::math::Vec4::ONE; 6]);
    let comparison = against(&strip(), &second);
    let found: Vec<_> = comparison.differences.iter().map(|d| (&*d.feature, &*d.second)).collect();
    assert_eq!(
        found,
        [
            ("texture coordinates 0", "1 vertices off by up to 0.25"),
            ("vertex colour sets", "1"),
            ("normals at rest", "1 turned by up to 45.000 degrees"),
        ]
    );
    assert_eq!(worst(&comparison), 0.0);
}

#[test]
fn materials_differ_by_value_and_derived_blocks_once() {
    let mut first = strip();
    let mut second = strip();
    for material in &mut first.materials {
        material.phong = Some(Phong::default());
    }
    for material in &mut second.materials {
        material.phong = Some(Phong::default());
        material.pbr = Some(Pbr { metallic: 0.0, ..Pbr::default() });
    }
    second.materials[1].phong = Some(Phong { diffuse: [1.0, 0.5, 0.25], ..Phong::default() });
    second.materials[0].phong = Some(Phong { opacity: 0.999_999, ..Phong::default() });
    let comparison = against(&first, &second);
    let found: Vec<_> = comparison.differences.iter().map(|d| (&*d.feature, &*d.first, &*d.second)).collect();
    assert_eq!(
        found,
        [
            (r#"materials "lower", "upper": blocks"#, "phong", "phong and metallic-roughness"),
            (r#"material "upper": diffuse"#, "1 1 1", "1 0.5 0.25"),
        ]
    );
}

#[test]
fn what_only_one_scene_has_is_named() {
    let mut first = strip();
    first.ambient = Some([0.25, 0.25, 0.25, 1.0]);
    first.extras.insert("author".into(), "me".into());
    first.cameras.push(Camera {
        name: "front".into(),
        projection: Projection::Perspective { fov_y: 1.0, aspect: None },
        near: 0.1,
        far: None,
        extras: Extras::new(),
    });
    first.clips[0].frames = Some(Frames { rate: 24.0, count: 25 });
    first.meshes[0].morphs.push(Morph { name: "smile".into(), weight: 0.0 });
    first.meshes[0].parts.iter_mut().for_each(|part| part.morphs.push(MorphDeltas::default()));
    let mut second = strip();
    second.nodes[1].name = "Knee".into();
    let comparison = against(&first, &second);
    let found: Vec<_> = comparison.differences.iter().map(|d| (&*d.feature, &*d.first, &*d.second)).collect();
    assert_eq!(
        found,
        [
            ("joints", r#"2, with "knee""#, r#"2, with "Knee""#),
            ("morph targets", r#"1, with "smile""#, "0"),
            ("cameras", r#"1, with "front""#, "0"),
            ("ambient light", "0.25 0.25 0.25 1", "none"),
            ("extras", r#"with "scene author""#, "0 keys"),
            (r#"clip "bend": frames per second"#, "24", "none"),
            (r#"clip "bend": frames"#, "25", "none"),
        ]
    );
}

#[test]
fn json_has_everything() {
    let mut second = strip();
    second.clips[0] = bend(Interpolation::Step, Quat::IDENTITY);
    let json = against(&strip(), &second).to_json();
    assert_eq!(json["pairing"], "in order");
    assert_eq!((json["poses"].as_u64(), json["points"].as_u64()), (Some(5), Some(12)));
    assert_eq!(
        (json["worst"]["clip"].as_str(), json["worst"]["joint"].as_str()),
        (Some("bend"), Some("knee"))
    );
    assert_eq!(json["worst_at_keys"]["vertex"], 11);
    assert_eq!(json["differences"][0]["feature"], r#"clip "bend": interpolation"#);
    for key in ["size", "mean", "mean_relative", "mean_points", "skipped_poses"] {
        assert!(json[key].is_number(), "{key}");
    }
}
