//! Root motion: extract, remove and bake.

use super::*;
use ligament::report::LossKind;
use serde_json::json;
use std::f32::consts::{FRAC_PI_2, PI};

/// The hip goes 4 along x, bobs by a tenth and goes 2 along z in two seconds; the tip turns.
fn walking() -> Scene {
    let mut scene = rig();
    let steps = [[0.0, 1.0, 0.0], [1.0, 1.1, 1.0], [4.0, 1.0, 2.0]].map(Vec3::from).to_vec();
    let tracks = vec![
        track(0, Interpolation::Linear, &[0.0, 1.0, 2.0], Values::Translation(steps)),
        turn(&[0.0, 2.0], &[0.0, PI * 0.9]),
    ];
    scene.clips.push(clip("walk", 2.0, tracks));
    scene
}

/// The same below an armature as Blender writes it: a hundredth of the size, and lying down.
fn armature() -> Scene {
    let mut scene = walking();
    let local = Trs {
        translation: Vec3::new(0.5, 0.0, -0.25),
        rotation: Quat::from_rotation_x(-FRAC_PI_2),
        scale: Vec3::splat(0.01),
    };
    insert(&mut scene, Node { name: "armature".into(), local: local.into(), ..Node::default() });
    scene
}

/// Puts a node above the hip.
fn insert(scene: &mut Scene, node: Node) {
    scene.nodes.insert(0, node);
    scene.nodes[1].parent = Some(NodeId(0));
    scene.nodes[2].parent = Some(NodeId(1));
    scene.skins[0].joints.iter_mut().for_each(|joint| joint.0 += 1);
    scene.clips.iter_mut().flat_map(|clip| &mut clip.tracks).for_each(|track| track.node.0 += 1);
}

fn node(scene: &Scene, name: &str) -> usize {
    scene.nodes.iter().position(|node| node.name == name).unwrap_or_else(|| panic!("no {name}"))
}

/// Where a node is at a time of the first clip.
fn place(scene: &Scene, name: &str, seconds: f32) -> Vec3 {
    Pose::at(scene, &scene.clips[0], seconds).globals[node(scene, name)].w_axis.truncate().as_vec3()
}

/// The tracks of a node in the first clip.
fn tracks<'s>(scene: &'s Scene, name: &str) -> Vec<&'s Track> {
    let id = node(scene, name);
    scene.clips[0].tracks.iter().filter(|track| track.node.index() == id).collect()
}

/// Vertices of the first clip are where they are in the source's, at many times.
fn same(source: &Scene, result: &Scene, close: f32) {
    for step in 0..=80 {
        let (time, name) = (source.clips[0].duration * step as f32 / 80.0, &source.clips[0].name);
        for (a, b) in places(source, name, time).iter().zip(places(result, name, time)) {
            assert!(a.distance(b) < close, "{time}: {b} instead of {a}");
        }
    }
}

/// The result without the tracks of one node: in place.
fn in_place(result: &Scene, holder: &str) -> Scene {
    let (mut scene, id) = (result.clone(), node(result, holder));
    scene.clips[0].tracks.retain(|track| track.node.index() != id);
    scene
}

#[test]
fn a_joint_without_a_node_above_gets_one_and_both_together_are_the_source() {
    let source = walking();
    let (done, report) = proven(&source, &[("root_motion", json!(["extract"]))]);
    same(&source, &done, 1e-5);
    assert_eq!(done.nodes[node(&done, "hip")].parent, Some(NodeId::new(node(&done, "motion"))));
    // It is a joint too, so that formats that know nothing but joints have it.
    assert_eq!(done.skins[0].joints.len(), 3);
    let still = in_place(&done, "motion");
    for (time, y) in [(0.0, 1.0), (0.5, 1.05), (1.0, 1.1), (2.0, 1.0)] {
        near(place(&still, "hip", time), [0.0, y, 0.0]);
    }
    for (time, x, z) in [(0.5, 0.5, 0.5), (1.0, 1.0, 1.0), (1.5, 2.5, 1.5), (2.0, 4.0, 2.0)] {
        near(place(&done, "motion", time), [x, 0.0, z]);
    }
    // Keys stay keys.
    assert_eq!(tracks(&done, "motion")[0].times[..], [0.0, 1.0, 2.0]);
    assert_eq!(tracks(&done, "hip")[0].times[..], [0.0, 1.0, 2.0]);
    let loss = report.losses().iter().find(|loss| loss.code.id == "RG030").expect("said");
    assert_eq!(loss.kind, LossKind::Kept);
    assert!(loss.message.contains("up to 4.47 units"), "{}", loss.message);
}

#[test]
fn the_armature_above_takes_it_whatever_its_scale_and_rotation() {
    let source = armature();
    let (done, _) = proven(&source, &[("root_motion", json!(["extract:xz"]))]);
    assert_eq!(done.nodes.len(), source.nodes.len());
    same(&source, &done, 1e-5);
    let still = in_place(&done, "armature");
    let rest = Pose::rest(&source).globals[1].w_axis.truncate().as_vec3();
    for time in [0.0, 0.7, 1.0, 2.0] {
        let at = place(&still, "hip", time);
        assert!((at.x - rest.x).abs() < 1e-6 && (at.z - rest.z).abs() < 1e-6, "{at} instead of {rest}");
    }
    // What is z in the file is height in the scene, so it is the hip's.
    near(place(&done, "armature", 2.0), [0.54, 0.0, -0.25]);
}

#[test]
fn axes_are_those_asked_for_and_cubic_keys_and_steps_stay() {
    let mut source = rig();
    let v = |x: f32, y: f32, z: f32| Vec3::new(x, y, z);
    let zero = Vec3::ZERO;
    let curve = vec![zero, Vec3::Y, v(1.0, 0.5, 0.0), v(2.0, 0.0, 1.0), v(8.0, 3.0, 1.0), zero];
    source.clips.push(clip(
        "all",
        2.0,
        vec![track(0, Interpolation::Cubic, &[0.0, 2.0], Values::Translation(curve))],
    ));
    let (done, _) = proven(&source, &[("root_motion", json!(["extract:y"]))]);
    same(&source, &done, 1e-5);
    for name in ["hip", "motion"] {
        let track = tracks(&done, name)[0];
        assert_eq!((track.interpolation, track.times.len()), (Interpolation::Cubic, 2), "{name}");
    }
    assert!((place(&in_place(&done, "motion"), "hip", 1.0).y - 1.0).abs() < 1e-6);
    let mut source = rig();
    source.clips.push(clip("all", 3.0, vec![slide(Interpolation::Step, &[0.0, 1.0, 2.0], &[0.0, 5.0, 9.0])]));
    let (done, _) = proven(&source, &[("root_motion", json!(["extract"]))]);
    same(&source, &done, 1e-5);
    assert_eq!(tracks(&done, "motion")[0].interpolation, Interpolation::Step);
}

/// The hip goes a quarter of a circle with radius 3 and turns with it, and leans.
fn circling() -> Scene {
    let mut scene = rig();
    let times: Vec<f32> = (0..=8).map(|key| key as f32 / 4.0).collect();
    let angles: Vec<f32> = times.iter().map(|time| time * 1.2).collect();
    let places = angles.iter().map(|a| Vec3::new(3.0 * a.sin(), 1.0, 3.0 * a.cos() - 3.0)).collect();
    let turns =
        angles.iter().map(|&a| Quat::from_rotation_y(a) * Quat::from_rotation_x(0.3 * a.sin())).collect();
    let tracks = vec![
        track(0, Interpolation::Linear, &times, Values::Translation(places)),
        track(0, Interpolation::Linear, &times, Values::Rotation(turns)),
    ];
    scene.clips.push(clip("all", 2.0, tracks));
    scene
}

#[test]
fn turns_about_the_vertical_axis_are_extracted_with_the_way() {
    for source in [circling(), {
        let mut scene = circling();
        let local = Trs {
            translation: Vec3::new(1.0, 0.0, 2.0),
            rotation: Quat::from_rotation_x(-1.0),
            scale: Vec3::splat(0.5),
        };
        insert(&mut scene, Node { name: "armature".into(), local: local.into(), ..Node::default() });
        scene
    }] {
        let (done, report) = proven(&source, &[("root_motion", json!(["extract:xz,turn@hip"]))]);
        same(&source, &done, 5e-5);
        let holder = if done.nodes[0].name == "hip" { "motion" } else { &done.nodes[0].name.clone() };
        let still = in_place(&done, holder);
        let rest = Pose::rest(&still);
        for step in 0..=16 {
            let pose = Pose::at(&still, &still.clips[0], step as f32 / 8.0);
            let hip = node(&still, "hip");
            let (at, from) = (pose.globals[hip], rest.globals[hip]);
            let way = (at.w_axis - from.w_axis).truncate();
            assert!(way.x.abs() < 1e-4 && way.z.abs() < 1e-4, "{way}");
            // No turn about the vertical axis is left: the twist of what is has no y.
            let left = Quat::from_mat3(&ligament::math::Mat3::from_mat4((at * from.inverse()).as_mat4()));
            assert!(left.normalize().y.abs() < 1e-3, "{left}");
        }
        let loss = report.losses().iter().find(|loss| loss.code.id == "RG030").expect("said");
        assert!(loss.message.contains("about the vertical axis"), "{}", loss.message);
    }
}

#[test]
fn motion_that_is_removed_is_gone_and_said_to_be() {
    let source = walking();
    let (done, report) = proven(&source, &[("root_motion", json!(["remove:x"]))]);
    assert_eq!(done.nodes.len(), source.nodes.len());
    near(place(&done, "hip", 2.0), [0.0, 1.0, 2.0]);
    let loss = report.losses().iter().find(|loss| loss.code.id == "RG031").expect("said");
    assert_eq!(loss.kind, LossKind::Dropped);
    assert!(loss.message.contains("up to 4 units"), "{}", loss.message);
    assert_eq!(
        loss.remedy.as_ref().map(|remedy| remedy.option()).as_deref(),
        Some("--root-motion \"extract\"")
    );
    let (done, _) = proven(&circling(), &[("root_motion", json!(["remove:xz,turn"]))]);
    near(place(&done, "hip", 1.3), [0.0, 1.0, 0.0]);
}

#[test]
fn what_a_node_does_goes_into_its_joint_and_back() {
    let source = circling();
    let (apart, _) = proven(&source, &[("root_motion", json!(["extract:xz,turn"]))]);
    let (baked, report) = proven(&apart, &[("root_motion", json!(["bake"]))]);
    same(&source, &baked, 1e-4);
    near(place(&baked, "motion", 1.7), [0.0, 0.0, 0.0]);
    assert!(report.losses().iter().any(|loss| loss.code.id == "RG032"));
    // A node with a clip of its own: keys of both.
    let mut source = walking();
    insert(&mut source, Node { name: "cart".into(), ..Node::default() });
    let cart = vec![Vec3::ZERO, Vec3::new(2.0, 3.0, 0.0)];
    source.clips[0].tracks.push(track(0, Interpolation::Linear, &[0.5, 1.5], Values::Translation(cart)));
    let (baked, _) = proven(&source, &[("root_motion", json!(["bake:xyz@hip"]))]);
    same(&source, &baked, 1e-5);
    assert!(tracks(&baked, "cart").is_empty() || place(&baked, "cart", 1.5) == Vec3::ZERO);
    assert_eq!(tracks(&baked, "hip")[0].times[..], [0.0, 0.5, 1.0, 1.5, 2.0]);
}

#[test]
fn a_clip_that_stays_in_place_is_left_as_it_is() {
    let mut source = rig();
    source.clips.push(clip("nod", 1.0, vec![turn(&[0.0, 1.0], &[0.0, 1.0])]));
    source.clips.push(clip("empty", 1.0, Vec::new()));
    for way in ["extract", "remove", "bake", "extract:xz,turn", "extract@hip"] {
        let (done, report) = proven(&source, &[("root_motion", json!([way]))]);
        assert_eq!(done.nodes.len(), source.nodes.len(), "{way}");
        let notes = report.diagnostics().iter().filter(|found| found.code.id == "RG033").count();
        assert_eq!(notes, 2, "{way}");
    }
    // Only the clip that goes somewhere is changed.
    let mut source = walking();
    source.clips.push(clip("nod", 1.0, vec![turn(&[0.0, 1.0], &[0.0, 1.0])]));
    let (_, report) = proven(&source, &[("root_motion", json!(["extract"]))]);
    let notes: Vec<_> = report.diagnostics().iter().map(|found| found.message.as_str()).collect();
    assert_eq!(
        notes,
        ["clip \"nod\" has no root motion: \"hip\" does not move along x, z; it is left as it is"]
    );
}

#[test]
fn what_makes_no_sense_is_refused() {
    let source = walking();
    for (text, message) in [
        (
            "extrude",
            "\"extrude\": expected extract, remove or bake, then :xz or other axes with ,turn, then @JOINT; \"extrude\" is none of the three",
        ),
        ("extract:w", "\"extract:w\": expected axes such as xz, or turn, not \"w\""),
        ("extract@hop", "there is no joint \"hop\"; did you mean \"hip\"?"),
    ] {
        assert_eq!(refused(&source, &[("root_motion", json!([text]))]), message);
    }
    let nothing = refused(&rig(), &[("root_motion", json!(["extract"]))]);
    assert_eq!(nothing, "\"extract\": the file has no clips, so nothing has root motion");
    // Something else rides along.
    let mut source = walking();
    insert(&mut source, Node { name: "cart".into(), ..Node::default() });
    let cart = vec![Vec3::ZERO, Vec3::X];
    source.clips[0].tracks.push(track(0, Interpolation::Linear, &[0.0, 1.0], Values::Translation(cart)));
    let camera = CameraId(0);
    let projection = Projection::Perspective { fov_y: 1.0, aspect: None };
    source.cameras.push(Camera {
        name: String::new(),
        projection,
        near: 0.1,
        far: None,
        extras: Extras::new(),
    });
    source.add_node(Node {
        name: "eye".into(),
        parent: Some(NodeId(0)),
        camera: Some(camera),
        ..Node::default()
    });
    let message = refused(&source, &[("root_motion", json!(["bake"]))]);
    assert!(message.contains("it moves \"eye\" too"), "{message}");
}

/// Models of other people, each with its own rig: whatever is extracted, both parts together are the source.
#[test]
fn models_of_the_corpus_keep_every_vertex() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus");
    let (mut files, mut read, mut extracted) = (vec![std::path::PathBuf::from(folder)], 0, 0);
    while let Some(path) = files.pop() {
        if path.is_dir() {
            files.extend(std::fs::read_dir(&path).expect("a folder").flatten().map(|entry| entry.path()));
            continue;
        }
        let Ok((scene, _)) = ligament::read(&path, &Default::default()) else { continue };
        if scene.clips.is_empty() || scene.skins.is_empty() || scene.vertex_count() > 20_000 {
            continue;
        }
        read += 1;
        let out = tempfile::tempdir().expect("a folder");
        let mut options = ConvertOptions { verify: false, ..ConvertOptions::default() };
        options.set("root_motion", json!(["extract:xyz,turn"])).expect("a list");
        let (_, report) = ligament::write(scene, out.path().join("out.glb"), &options)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for loss in report.losses().iter().filter(|loss| loss.code.id == "RG030") {
            extracted += 1;
            let off = match loss.kind {
                LossKind::Approximated { size, .. } => size.expect("a size"),
                _ => 0.0,
            };
            assert!(off < 3e-5, "{}: {off:e}, {}", path.display(), loss.message);
        }
    }
    assert_eq!((read, extracted), (40, 28));
}
