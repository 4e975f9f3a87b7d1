//! Conversions to and from other formats: what must survive, and what must be reported.

use crate::{bytes, files, fixtures, import, read, scene, support, valid};
use ligament::compare::{CompareOptions, compare};
use ligament::formats::{WriteOptions, by_id};
use ligament::io::MemoryOutput;
use ligament::math::{Quat, Vec3};
use ligament::passes::{PrepareOptions, prepare};
use ligament::report::{Loss, LossKind, Report};
use ligament::scene::{
    Clip, Faces, Influence, Influences, Interpolation, Local, Mesh, MeshId, Node, NodeId, Part, Scene, Skin,
    SkinId, Track, Trs, Values,
};
use ligament::{Conversion, ConvertOptions, convert};
use std::path::PathBuf;

fn deviation(done: &Conversion) -> f64 {
    let comparison = done.comparison.as_ref().expect("verified by default");
    comparison.worst.as_ref().map_or(0.0, |w| w.relative)
}

fn in_dialect(dialect: &str) -> ConvertOptions {
    ConvertOptions { dialect: Some(dialect.into()), ..ConvertOptions::default() }
}

/// Losses that move vertices.
fn moving(report: &Report) -> Vec<&Loss> {
    let codes = ["LS010", "LS015", "LS017", "LS020", "QM503", "QM504"];
    report.losses().iter().filter(|l| codes.contains(&l.code.id) && l.kind != LossKind::Kept).collect()
}

/// Writes a scene, reads it back and compares the two.
fn there_and_back(mut scene: Scene, dialect: &str) -> (Scene, Report, f64) {
    let format = by_id("qmsh").expect("in the table");
    let (before, mut report) = (scene.clone(), Report::default());
    let capabilities = format.capabilities(Some(dialect));
    prepare(&mut scene, &capabilities, &PrepareOptions::default(), &mut report).expect("prepared");
    let document = format.export(scene, Some(dialect), &WriteOptions::default(), &mut report);
    let document = document.unwrap_or_else(|_| panic!("{:?}", report.diagnostics()));
    let mut output = MemoryOutput::new("output");
    document.write(&mut output, &mut report).expect("written");
    let (again, found) = read(&output.main);
    assert!(found.diagnostics().is_empty(), "{:?}", found.diagnostics());
    let again = import(again.expect("readable")).0;
    let comparison = compare(&before, &again, &CompareOptions::default());
    (again, report, comparison.worst.map_or(0.0, |w| w.relative))
}

#[test]
fn own_files_survive_a_way_through_glb() {
    let mut count = 0;
    for path in files() {
        let folder = tempfile::tempdir().expect("a folder");
        let (glb, back) = (folder.path().join("scene.glb"), folder.path().join("scene.qmsh"));
        let name = path.display();
        let (there, _) =
            convert(&path, &glb, &ConvertOptions::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(deviation(&there) < 1e-6, "{name}: {}", deviation(&there));
        for dialect in ["tfqmsh10", "qmsh22"] {
            let (again, report) =
                convert(&glb, &back, &in_dialect(dialect)).unwrap_or_else(|e| panic!("{name}: {e}"));
            let announced = moving(&report);
            // Only version 22 has scales along three axes, and only the original dialect loses them.
            let scales = path.ends_with("v22.qmsh") && dialect == "tfqmsh10";
            assert_eq!(announced.iter().any(|l| l.code.id == "QM503"), scales, "{name}: {announced:?}");
            if !scales {
                assert!(announced.is_empty(), "{name}: {announced:?}");
                assert!(deviation(&again) < 1e-5, "{name} in {dialect}: {}", deviation(&again));
            }
            count += 1;
        }
    }
    assert_eq!(count, 38);
}

#[test]
fn bones_keys_and_names_come_back_the_same() {
    let (folder, first) = (tempfile::tempdir().expect("a folder"), valid("tf_skinned"));
    let (glb, back) = (folder.path().join("scene.glb"), folder.path().join("scene.qmsh"));
    convert(fixtures().join("tf_skinned.qmsh"), &glb, &ConvertOptions::default()).expect("converted");
    convert(&glb, &back, &ConvertOptions::default()).expect("converted");
    let second = read(&std::fs::read(&back).expect("written")).0.expect("readable");
    // Engines take tangents from the file, so they are computed if there are texture coordinates.
    assert_eq!(second.flags, first.flags | ligament::formats::qmsh::flags::TANGENTS);
    let bones = |d: &ligament::formats::qmsh::Document| {
        d.bones.iter().map(|b| (b.name.to_text(), b.parent)).collect::<Vec<_>>()
    };
    assert_eq!(bones(&second), bones(&first));
    for (a, b) in first.bones.iter().zip(&second.bones) {
        assert!(a.matrix.iter().zip(b.matrix).all(|(a, b)| (a - b).abs() < 1e-6), "{a:?} became {b:?}");
    }
    for (a, b) in first.animations.iter().zip(&second.animations) {
        assert_eq!((a.name.to_text(), a.length), (b.name.to_text(), b.length));
    }
    assert_eq!(second.animations[0].times, first.animations[0].times);
    for (a, b) in first.animations[0].keys.iter().zip(&second.animations[0].keys) {
        assert!(Vec3::from(a.translation).distance(b.translation.into()) < 1e-6);
        assert!(Quat::from_array(a.rotation).dot(Quat::from_array(b.rotation)).abs() > 1.0 - 1e-6);
        assert!(Vec3::from(a.scale).distance(b.scale.into()) < 1e-6);
    }
    let submeshes = |d: &ligament::formats::qmsh::Document| {
        let all = d.submeshes.iter();
        all.map(|s| (s.name.to_text(), s.material.to_text(), s.triangles)).collect::<Vec<_>>()
    };
    assert_eq!(submeshes(&second), submeshes(&first));
    // Every triangle has the same three positions in the same order.
    let places = |d: &ligament::formats::qmsh::Document| {
        let all = d.triangles.iter();
        all.map(|t| t.map(|v| d.vertices[v as usize].position)).collect::<Vec<_>>()
    };
    assert_eq!(places(&second), places(&first));
    assert_eq!((second.radius, second.bounds), (first.radius, first.bounds));
}

/// Models posed by other programs. How far our own formats are from those is tested with their readers.
fn models() -> Vec<PathBuf> {
    let names = [
        "own/pfobj/bend_tube.pfobj",
        "own/pfobj/worm.pfobj",
        "own/pfobj/multi_mat_cube.pfobj",
        "own/amo/bend.gltf",
        "own/bogle/skin2.bgl",
        "own/bogle/multi.bgl",
        "real/gltf/CesiumMan.glb",
        "real/gltf/Fox.glb",
        "real/gltf/BoxAnimated.glb",
        "real/gltf/InterpolationTest.glb",
        "real/gltf/RiggedSimple.glb",
    ];
    let found: Vec<_> = names.iter().filter_map(|name| support::find(name)).collect();
    assert_eq!(found.len(), 10 + usize::from(support::extra("real/gltf/CesiumMan.glb").is_some()));
    found
}

#[test]
fn models_of_other_formats_pose_the_same_or_say_why_not() {
    let mut exact = 0;
    for path in models() {
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().join("model.qmsh");
        let (done, report) =
            convert(&path, &out, &in_dialect("qmsh22")).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let announced = moving(&report);
        let found = deviation(&done);
        println!(
            "{}: {found:.2e} {:?}",
            path.display(),
            announced.iter().map(|l| l.code.id).collect::<Vec<_>>()
        );
        if found > 1e-5 {
            assert!(!announced.is_empty(), "{}: {found} unannounced: {:?}", path.display(), report.losses());
        } else {
            exact += 1;
        }
    }
    assert!(exact >= 8, "{exact}");
}

#[test]
fn older_versions_stay_what_they_are() {
    for (name, dialect) in
        [("v12", "qmsh12-21"), ("v21", "qmsh12-21"), ("v22", "qmsh22"), ("tf_both", "tfqmsh10")]
    {
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().join("model.qmsh");
        let (done, _) = convert(fixtures().join(format!("{name}.qmsh")), &out, &ConvertOptions::default())
            .expect("rewritten");
        assert!(done.rewritten, "{name}");
        assert_eq!(done.dialect, dialect);
        assert!(std::fs::read(&out).expect("written") == bytes(name), "{name}");
    }
    // They are not made from scenes.
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("model.qmsh");
    let error = convert(fixtures().join("tf_both.qmsh"), &out, &in_dialect("qmsh12-21"));
    assert!(error.is_err());
}

/// Two joints with weights, the first with the given scale at rest.
fn hinge(scale: Vec3) -> Scene {
    let local = |translation: Vec3, scale: Vec3| {
        Local::Trs(Trs { translation, rotation: Quat::from_rotation_x(0.7), scale })
    };
    let nodes = vec![
        Node { name: "Mesh".into(), mesh: Some(MeshId(0)), skin: Some(SkinId(0)), ..Node::default() },
        Node { name: "A".into(), local: local(Vec3::new(0.2, 0.1, 0.0), scale), ..Node::default() },
        Node {
            name: "B".into(),
            parent: Some(NodeId(1)),
            local: local(Vec3::Y, Vec3::ONE),
            ..Node::default()
        },
    ];
    let positions = vec![Vec3::ZERO, Vec3::new(1.0, 0.3, 0.2), Vec3::new(0.1, 2.0, -0.4)];
    let mut influences = Influences::new();
    for (a, b) in [(1.0, 0.0), (0.5, 0.25), (0.0, 1.0)] {
        influences.push([Influence { joint: 0, weight: a }, Influence { joint: 1, weight: b }]);
    }
    let part = Part {
        normals: vec![Vec3::Y; 3],
        positions,
        influences,
        faces: Faces::Triangles(vec![0, 1, 2]),
        ..Part::default()
    };
    let mut scene = Scene {
        nodes,
        meshes: vec![Mesh { name: "Mesh".into(), parts: vec![part], ..Mesh::default() }],
        ..Scene::default()
    };
    let rest = ligament::pose::Pose::rest(&scene);
    let joints = vec![NodeId(1), NodeId(2)];
    let inverse_binds =
        joints.iter().map(|j| rest.globals[j.index()].inverse().to_cols_array().map(|v| v as f32)).collect();
    scene.skins.push(Skin { joints, inverse_binds, ..Skin::default() });
    scene
}

fn track(node: u32, interpolation: Interpolation, times: &[f32], values: Values) -> Track {
    Track { node: NodeId(node), interpolation, times: times.into(), values }
}

fn clip(tracks: Vec<Track>) -> Vec<Clip> {
    vec![Clip { name: "Move".into(), duration: 2.0, tracks, ..Clip::default() }]
}

#[test]
fn any_scale_at_rest_is_exact() {
    for scale in [Vec3::ONE, Vec3::splat(0.01), Vec3::new(1.0, 3.0, 0.5), Vec3::new(-1.0, 1.0, 2.0)] {
        let mut scene = hinge(scale);
        let turns = vec![Quat::from_rotation_z(0.2), Quat::from_rotation_y(2.0), Quat::from_rotation_x(-1.0)];
        let places = vec![Vec3::ZERO, Vec3::new(0.5, 1.0, -1.0)];
        scene.clips = clip(vec![
            track(1, Interpolation::Linear, &[0.0, 0.5, 2.0], Values::Rotation(turns.clone())),
            track(2, Interpolation::Linear, &[0.25, 1.0, 1.5], Values::Rotation(turns)),
            track(1, Interpolation::Linear, &[0.1, 1.9], Values::Translation(places)),
        ]);
        for dialect in ["tfqmsh10", "qmsh22"] {
            let (again, report, off) = there_and_back(scene.clone(), dialect);
            assert!(moving(&report).is_empty(), "{scale}: {:?}", report.losses());
            assert!(off < 1e-5, "{scale} in {dialect}: {off}");
            assert_eq!(again.clips[0].duration, 2.0);
        }
    }
}

#[test]
fn scale_along_one_axis_is_kept_in_22_and_measured_in_the_original() {
    let mut scene = hinge(Vec3::ONE);
    let scales = vec![Vec3::ONE, Vec3::new(1.0, 2.0, 0.5)];
    scene.clips = clip(vec![track(1, Interpolation::Linear, &[0.0, 2.0], Values::Scale(scales))]);
    let (_, report, off) = there_and_back(scene.clone(), "qmsh22");
    assert!(moving(&report).is_empty() && off < 1e-5, "{off}: {:?}", report.losses());
    let (_, report, off) = there_and_back(scene, "tfqmsh10");
    let [loss] = moving(&report)[..] else { panic!("{:?}", report.losses()) };
    let LossKind::Approximated { size: Some(size), .. } = loss.kind else { panic!("measured") };
    assert!(loss.code.id == "QM503" && off > 1e-3 && off <= size, "{off} of {size} announced");
}

#[test]
fn steps_are_exact_and_curves_are_sampled_as_finely_as_announced() {
    let mut scene = hinge(Vec3::ONE);
    let turns = vec![Quat::IDENTITY, Quat::from_rotation_y(1.0), Quat::from_rotation_x(-1.0)];
    scene.clips = clip(vec![track(2, Interpolation::Step, &[0.0, 0.7, 1.5], Values::Rotation(turns))]);
    let (again, report, off) = there_and_back(scene.clone(), "tfqmsh10");
    assert!(moving(&report).is_empty() && off < 1e-5, "{off}: {:?}", report.losses());
    assert_eq!(again.clips[0].tracks[0].times.len(), 6);

    // In-tangent, value, out-tangent.
    let values = vec![Vec3::ZERO, Vec3::Y, Vec3::X * 3.0, Vec3::Z, Vec3::new(0.3, 2.0, 0.0), Vec3::ZERO];
    scene.clips = clip(vec![track(2, Interpolation::Cubic, &[0.0, 2.0], Values::Translation(values))]);
    let (_, report, off) = there_and_back(scene, "tfqmsh10");
    let [loss] = moving(&report)[..] else { panic!("{:?}", report.losses()) };
    let LossKind::Approximated { size: Some(size), .. } = loss.kind else { panic!("measured") };
    assert!(loss.code.id == "QM504" && size <= 1e-5 && off <= 1e-5, "{off} of {size} announced");
}

#[test]
fn more_than_the_format_holds_is_an_error_that_names_the_limit() {
    let refused = |scene: &Scene, dialect: &str| {
        let format = by_id("qmsh").expect("in the table");
        let (mut scene, mut report) = (scene.clone(), Report::default());
        prepare(&mut scene, &format.capabilities(Some(dialect)), &PrepareOptions::default(), &mut report)
            .expect("prepared");
        match format.export(scene, Some(dialect), &WriteOptions::default(), &mut report) {
            Ok(_) => None,
            Err(_) => {
                let error = report.diagnostics().iter().find(|d| d.code.id == "QM500").expect("the limit");
                Some(error.message.clone())
            }
        }
    };
    // A chain of bones after the first two, all of them joints of the skin.
    let with_bones = |count: u32| {
        let mut scene = hinge(Vec3::ONE);
        for i in 3..=count {
            let parent = Some(NodeId(i - 1));
            scene.nodes.push(Node { name: format!("N{i}"), parent, ..Node::default() });
            scene.skins[0].joints.push(NodeId(i));
            let bind = scene.skins[0].inverse_binds[1];
            scene.skins[0].inverse_binds.push(bind);
        }
        scene
    };
    assert_eq!(refused(&with_bones(31), "tfqmsh10"), None);
    assert_eq!(refused(&with_bones(32), "tfqmsh10").as_deref(), Some("32 bones; TFQMSH10 can hold 31"));
    assert_eq!(refused(&with_bones(63), "qmsh22"), None);
    assert_eq!(refused(&with_bones(64), "qmsh22").as_deref(), Some("64 bones; QMSH 22 can hold 63"));
    // Vertices of all parts count together.
    let with_vertices = |count: usize| {
        let part = |count: usize| Part {
            positions: (0..count).map(|i| Vec3::new(i as f32, 0.0, 0.0)).collect(),
            normals: vec![Vec3::Y; count],
            faces: Faces::Triangles(vec![0, 1, 2]),
            ..Part::default()
        };
        Scene {
            nodes: vec![Node { mesh: Some(MeshId(0)), ..Node::default() }],
            meshes: vec![Mesh { parts: vec![part(40_000), part(count - 40_000)], ..Mesh::default() }],
            ..Scene::default()
        }
    };
    assert_eq!(refused(&with_vertices(65_535), "tfqmsh10"), None);
    let message = refused(&with_vertices(65_536), "tfqmsh10");
    assert_eq!(message.as_deref(), Some("65536 vertices; TFQMSH10 can hold 65535"));
}

#[test]
fn clips_need_bones_and_materials_their_place() {
    let mut scene = scene("tf_plain");
    scene.clips = clip(Vec::new());
    scene.materials[0].phong.as_mut().expect("a look").diffuse = [1.0, 0.0, 0.0];
    for (dialect, looks) in [("tfqmsh10", "QM501"), ("qmsh22", "QM502")] {
        let (_, report, _) = there_and_back(scene.clone(), dialect);
        for code in ["QM505", looks] {
            assert!(report.losses().iter().any(|l| l.code.id == code), "{code}: {:?}", report.losses());
        }
    }
}

#[test]
fn the_camera_and_the_groups_survive_in_22() {
    let scene = scene("v22");
    let mut before = valid("v22");
    let (mut prepared, mut report) = (scene, Report::default());
    let format = by_id("qmsh").expect("in the table");
    prepare(&mut prepared, &format.capabilities(Some("qmsh22")), &PrepareOptions::default(), &mut report)
        .expect("prepared");
    let options = WriteOptions::default();
    let document = format.export(prepared, Some("qmsh22"), &options, &mut report).expect("exported");
    let mut output = MemoryOutput::new("output");
    document.write(&mut output, &mut report).expect("written");
    let after = read(&output.main).0.expect("readable");
    for (a, b) in
        [(before.camera.position, after.camera.position), (before.camera.target, after.camera.target)]
    {
        assert!(Vec3::from(a).distance(b.into()) < 1e-5, "{a:?} became {b:?}");
    }
    assert_eq!(before.groups, after.groups);
    // Material values are kept up to how the strength is separated from the colour.
    let (a, b) = (before.submeshes.remove(0), &after.submeshes[0]);
    assert_eq!((&a.material, &a.normal_map, &a.specular_map), (&b.material, &b.normal_map, &b.specular_map));
    assert_eq!(
        (a.normal_factor, a.specular_factors, a.specular_hardness),
        (b.normal_factor, b.specular_factors, b.specular_hardness)
    );
    let (reimported, _) = import(after);
    support::check_promise(&reimported);
}

#[test]
fn skins_are_joined_and_that_is_said() {
    let (mut scene, other) = (hinge(Vec3::ONE), hinge(Vec3::splat(2.0)));
    for mut node in other.nodes {
        node.name = format!("Other {}", node.name);
        node.parent = node.parent.map(|p| NodeId(p.0 + 3));
        (node.mesh, node.skin) = (node.mesh.map(|_| MeshId(1)), node.skin.map(|_| SkinId(1)));
        scene.nodes.push(node);
    }
    scene.meshes.extend(other.meshes);
    scene.skins.extend(
        other
            .skins
            .into_iter()
            .map(|skin| Skin { joints: skin.joints.iter().map(|j| NodeId(j.0 + 3)).collect(), ..skin }),
    );
    let turned = Values::Rotation(vec![Quat::IDENTITY, Quat::from_rotation_z(1.0)]);
    scene.clips = clip(vec![
        track(2, Interpolation::Linear, &[0.0, 1.0], turned.clone()),
        track(5, Interpolation::Linear, &[0.0, 1.0], turned),
    ]);
    let (again, report, off) = there_and_back(scene, "qmsh22");
    let joined = report.losses().iter().find(|l| l.code.id == "LS029").expect("announced");
    assert_eq!((&joined.kind, joined.count), (&LossKind::Kept, 2));
    assert_eq!((again.skins.len(), again.joint_count(), again.meshes.len()), (1, 4, 2));
    assert!(off < 1e-5, "{off}");
}

#[test]
fn objects_keep_their_names_and_their_places() {
    let mut scene = hinge(Vec3::ONE);
    let hat = Mesh { name: "Hat".into(), parts: vec![scene.meshes[0].parts[0].clone()], ..Mesh::default() };
    scene.meshes.push(hat);
    scene.meshes[1].parts[0].influences = Influences::new();
    for (name, x) in [("Hat", 3.0), ("Spare", -2.0), ("Hat", 5.0)] {
        let local = Local::Trs(Trs { translation: Vec3::X * x, ..Trs::IDENTITY });
        scene.nodes.push(Node { name: name.into(), mesh: Some(MeshId(1)), local, ..Node::default() });
    }
    for dialect in ["tfqmsh10", "qmsh22"] {
        let (again, report, off) = there_and_back(scene.clone(), dialect);
        let drawn: Vec<_> =
            again.nodes.iter().filter(|n| n.mesh.is_some()).map(|n| n.name.as_str()).collect();
        assert_eq!(drawn, ["Mesh", "Hat", "Spare", "Hat.2"], "{dialect}");
        assert!(off < 1e-6 && report.losses().iter().all(|l| l.code.id != "LS020"), "{:?}", report.losses());
        // Two objects of the same name cannot be told apart.
        assert!(report.losses().iter().any(|l| l.code.id == "QM514"));
    }
}

#[test]
fn older_versions_become_22_without_a_scene() {
    for number in [12, 13, 14, 15, 16, 18, 19, 20, 21] {
        let name = format!("v{number}");
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().join("model.qmsh");
        let path = fixtures().join(format!("{name}.qmsh"));
        let (done, report) = convert(&path, &out, &in_dialect("qmsh22")).expect("upgraded");
        assert!(done.rewritten && done.dialect == "qmsh22", "{name}");
        assert!(report.losses().is_empty(), "{name}: {:?}", report.losses());
        let (first, (second, report)) = (valid(&name), read(&std::fs::read(&out).expect("written")));
        assert!(report.diagnostics().is_empty(), "{name}: {:?}", report.diagnostics());
        let second = second.expect("readable");
        assert_eq!(second.version, ligament::formats::qmsh::Version::Carpg(22));
        assert_eq!((&first.vertices, &first.triangles), (&second.vertices, &second.triangles));
        assert_eq!((&first.animations, &first.groups), (&second.animations, &second.groups));
        assert_eq!(first.splits, second.splits);
        // Every point is where it was, with the same properties.
        let nodes = |document| {
            let scene = import(document).0;
            let rest = ligament::pose::Pose::rest(&scene);
            let points =
                scene.nodes.iter().zip(rest.globals).filter(|(n, _)| n.name == "hand" || n.name == "hit");
            points.map(|(n, g)| (n.name.clone(), n.parent, n.extras.clone(), g)).collect::<Vec<_>>()
        };
        assert_eq!(nodes(first), nodes(second), "{name}");
    }
}
