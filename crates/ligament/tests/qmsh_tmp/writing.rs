//! Scenes of other formats written as QMSH TMP and read back, and the other way round.

use crate::{fixture, models, parse, scene_of, support};
use ligament::convert::{ConvertOptions, convert};
use ligament::formats::qmsh_tmp::{Document, Interpolation as Word, Object};
use ligament::math::{Quat, Vec3};
use ligament::report::LossKind;
use ligament::scene::{
    Clip, Faces, Influence, Influences, Interpolation, Material, MaterialId, Mesh, MeshId, Node, NodeId,
    Part, Scene, Skin, SkinId, Track, Trs, Values,
};
use ligament::{Conversion, Report};
use std::path::Path;

fn converted(input: &Path, output: &Path) -> (Conversion, Report) {
    convert(input, output, &ConvertOptions::default()).unwrap_or_else(|e| panic!("{}: {e}", input.display()))
}

fn deviation(done: &Conversion) -> f64 {
    let comparison = done.comparison.as_ref().expect("verified");
    assert!(comparison.points > 0, "nothing was compared");
    comparison.worst.as_ref().map_or(0.0, |w| w.relative)
}

/// Writes a scene and reads it back.
fn through(scene: &Scene) -> (Document, Scene, Report) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("out.qmsh.tmp");
    let (_, report) =
        ligament::write(scene.clone(), &path, &Default::default()).unwrap_or_else(|e| panic!("{e}"));
    let bytes = std::fs::read(&path).expect("written");
    let (document, _) = parse(&bytes);
    (document.expect("readable"), scene_of(&bytes).0, report)
}

fn has_loss(report: &Report, code: &str) -> bool {
    report.losses().iter().any(|l| l.code.id == code)
}

#[test]
fn the_creature_keeps_its_poses() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = support::workspace().join("examples/creature.glb");
    let output = folder.path().join("creature.qmsh.tmp");
    let (done, report) = converted(&source, &output);
    let sampled = report.losses().iter().filter(|l| l.code.id == "LS015");
    let announced = sampled.filter_map(|l| match l.kind {
        LossKind::Approximated { size, .. } => size,
        _ => None,
    });
    let allowed = announced.fold(1e-5, f64::max);
    assert!(deviation(&done) <= allowed, "{} above {allowed}", deviation(&done));
    assert!(allowed < 1e-3, "cubic tracks are sampled finely: {allowed}");
    // Written again from what was read, it does not change.
    let again = folder.path().join("again.qmsh.tmp");
    assert!(converted(&output, &again).0.rewritten);
    assert!(std::fs::read(&output).expect("written") == std::fs::read(&again).expect("written"));
}

#[test]
fn scenes_of_the_corpus_keep_their_poses() {
    let folder = tempfile::tempdir().expect("a folder");
    let names = ["SimpleSkin.gltf", "RiggedSimple.glb", "CesiumMan.glb", "Fox.glb", "BoxAnimated.glb"];
    let mut count = 0;
    for name in names {
        let Some(path) = support::find(&format!("real/gltf/{name}")) else { continue };
        let (done, report) = converted(&path, &folder.path().join("out.qmsh.tmp"));
        let sampled = has_loss(&report, "LS015") || has_loss(&report, "LS017");
        assert!(deviation(&done) < 1e-5 || sampled, "{name}: {}", deviation(&done));
        count += 1;
    }
    assert_eq!(count, 4 + usize::from(support::extra("real/gltf/CesiumMan.glb").is_some()));
}

#[test]
fn files_go_to_gltf_and_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut count = 0;
    for path in models() {
        let (glb, back) = (folder.path().join("a.glb"), folder.path().join("a.qmsh.tmp"));
        assert!(deviation(&converted(&path, &glb).0) < 1e-6, "{}", path.display());
        let (done, _) = converted(&glb, &back);
        assert!(deviation(&done) < 1e-6, "{}: {}", path.display(), deviation(&done));
        let (first, second) = (
            ligament::read(&path, &Default::default()).expect("reads").0,
            ligament::read(&back, &Default::default()).expect("reads").0,
        );
        assert!(support::worst(&first, &second) < 1e-6, "{}", path.display());
        count += 1;
    }
    assert_eq!(count, 7);
}

#[test]
fn curves_come_back_from_gltf_key_by_key() {
    let folder = tempfile::tempdir().expect("a folder");
    let (source, glb, back) =
        (folder.path().join("s.qmsh.tmp"), folder.path().join("s.glb"), folder.path().join("b.qmsh.tmp"));
    std::fs::write(&source, fixture("skinned_arm.qmsh.tmp")).expect("written");
    converted(&source, &glb);
    converted(&glb, &back);
    let document = |path: &Path| parse(&std::fs::read(path).expect("there")).0.expect("readable");
    let (a, b) = (document(&source), document(&back));
    assert_eq!(a.params, b.params);
    let bones = |d: &Document| d.armature().expect("an armature").bones.clone();
    for (a, b) in bones(&a).iter().zip(&bones(&b)) {
        assert_eq!((&a.name, &a.parent), (&b.name, &b.parent));
        assert!((a.length - b.length).abs() < 1e-5);
        for (a, b) in [(a.head, b.head), (a.tail, b.tail)] {
            assert!(a.in_parent.distance(b.in_parent) < 2e-6 && a.in_armature.distance(b.in_armature) < 2e-6);
        }
        assert!((0..2).all(|i| (a.rolls[i] - b.rolls[i]).abs() < 1e-3), "{:?} {:?}", a.rolls, b.rolls);
        let flat = |b: &ligament::formats::qmsh_tmp::Bone| {
            [b.to_parent.as_flattened(), b.to_armature.as_flattened()].concat()
        };
        assert!(flat(a).iter().zip(&flat(b)).all(|(a, b)| (a - b).abs() < 2e-6));
    }
    let mut keys = 0;
    for (a, b) in a.actions[0].channels.iter().zip(&b.actions[0].channels) {
        assert_eq!(a.name, b.name);
        for curve in &a.curves {
            let same = b.curves.iter().find(|c| c.name == curve.name).expect("the curve");
            assert_eq!(same.interpolation, Word::Linear);
            for key in &same.keys {
                // The clip starts at its first key, frame 11.
                let frame = key[0] + 11.0;
                let before = curve.keys.iter().rev().find(|k| k[0] <= frame + 1e-3).expect("a key");
                let after = curve.keys.iter().find(|k| k[0] >= frame - 1e-3).unwrap_or(before);
                let span = (after[0] - before[0]).max(1e-3);
                let value = before[1] + (after[1] - before[1]) * ((frame - before[0]) / span).clamp(0.0, 1.0);
                assert!((key[1] - value).abs() < 1e-5, "{} at {frame}: {} for {value}", curve.name, key[1]);
                keys += 1;
            }
        }
    }
    assert!(keys >= 30, "{keys} keys");
}

#[test]
fn numbers_that_overflow_while_they_are_written_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("out.qmsh.tmp");
    let mut scene = plate();
    // Both joints are within the range of f32, but their distance is not.
    for (inverse, x) in scene.skins[0].inverse_binds.iter_mut().zip([3e38, -3e38]) {
        *inverse = ligament::math::Mat4::from_translation(Vec3::X * x).to_cols_array();
    }
    let error = ligament::write(scene, &path, &Default::default()).expect_err("beyond a float").to_string();
    assert!(error.contains("QT009"), "{error}");
    assert!(!path.exists());
}

/// A plate bent by a bone, with stepped, linear and cubic tracks.
fn plate() -> Scene {
    let mut scene = Scene::default();
    let root = scene.add_node(Node { name: "root".into(), ..Node::default() });
    let moved = |x: f32, y: f32| Trs { translation: Vec3::new(x, y, 0.0), ..Trs::IDENTITY };
    let joint = scene.add_node(Node {
        name: "joint".into(),
        parent: Some(root),
        local: Trs { rotation: Quat::from_rotation_x(0.4), ..moved(0.5, 1.0) }.into(),
        ..Node::default()
    });
    let globals = ligament::pose::Pose::rest(&scene).globals;
    let inverse = |n: NodeId| globals[n.index()].inverse().to_cols_array().map(|v| v as f32);
    scene.skins.push(Skin {
        joints: vec![root, joint],
        inverse_binds: vec![inverse(root), inverse(joint)],
        ..Skin::default()
    });
    let mut influences = Influences::new();
    for i in 0..4 {
        let weight = i as f32 / 3.0;
        influences.push([Influence { joint: 0, weight: 1.0 - weight }, Influence { joint: 1, weight }]);
    }
    let positions = vec![Vec3::ZERO, Vec3::X, Vec3::new(1.0, 2.0, 0.0), Vec3::new(0.0, 2.0, 0.0)];
    let faces = Faces::Polygons { starts: vec![0, 4], corners: vec![0, 1, 2, 3] };
    let part = Part { positions, normals: vec![Vec3::Z; 4], influences, faces, ..Part::default() };
    scene.meshes.push(Mesh { parts: vec![part], ..Mesh::default() });
    scene.add_node(Node {
        name: "plate".into(),
        mesh: Some(MeshId(0)),
        skin: Some(SkinId(0)),
        ..Node::default()
    });
    let track = |node, interpolation, times: &[f32], values| Track {
        node,
        interpolation,
        times: times.into(),
        values,
    };
    let turn = |a: f32| Quat::from_rotation_x(0.4) * Quat::from_rotation_z(a);
    scene.clips.push(Clip {
        name: "move".into(),
        duration: 3.0,
        tracks: vec![
            track(
                joint,
                Interpolation::Linear,
                &[0.5, 1.0, 2.0],
                Values::Rotation(vec![turn(0.0), turn(1.5), turn(-1.0)]),
            ),
            track(joint, Interpolation::Step, &[0.5, 1.5], Values::Scale(vec![Vec3::ONE, Vec3::splat(2.0)])),
            track(root, Interpolation::Linear, &[1.0, 2.0], Values::Translation(vec![Vec3::ZERO, Vec3::X])),
        ],
        ..Clip::default()
    });
    scene
}

#[test]
fn steps_and_even_turns_are_played_as_they_were() {
    let scene = plate();
    let (document, again, report) = through(&scene);
    assert!(support::worst(&scene, &again) < 5e-6, "{}", support::worst(&scene, &again));
    assert!(has_loss(&report, "QT046"), "added keys are announced");
    assert!(report.losses().iter().all(|l| l.kind == LossKind::Kept), "{:?}", report.losses());
    let curves = || document.actions[0].channels.iter().flat_map(|c| &c.curves);
    assert!(curves().all(|c| c.keys[0][0] == 0.0), "every curve starts at frame 0");
    assert!(curves().filter(|c| c.interpolation == Word::Const).count() == 3);
    assert_eq!(again.clips[0].duration, 3.0, "the clip lasts as long as it did");
}

/// In the file the rotation comes after the rest scale, in the scene before it.
#[test]
fn rotations_of_unevenly_scaled_joints_are_announced_as_a_length() {
    let mut scene = plate();
    let rest = Trs { scale: Vec3::new(1.0, 2.0, 1.0), ..*scene.nodes[1].local.trs().expect("a transform") };
    scene.nodes[1].local = rest.into();
    let global = ligament::pose::Pose::rest(&scene).globals[1];
    scene.skins[0].inverse_binds[1] = global.inverse().to_cols_array().map(|v| v as f32);
    scene.clips[0].tracks.remove(1);
    let (_, again, report) = through(&scene);
    let sizes = report.losses().iter().filter_map(|loss| match loss.kind {
        LossKind::Approximated { size, unit: "of the model's size" } => size,
        _ => None,
    });
    let (found, said) = (support::worst(&scene, &again), sizes.sum::<f64>());
    assert!(has_loss(&report, "QT033"), "{:?}", report.losses());
    assert!(found > 0.01 && found <= said && said < 30.0 * found, "{found}, announced {said}");
}

#[test]
fn free_objects_keep_their_places_and_shear_is_baked() {
    let part = |material| Part {
        material,
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z],
        faces: Faces::Triangles(vec![0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]),
        ..Part::default()
    };
    let mut scene = Scene::default();
    scene.materials.push(Material { name: "Iron".into(), ..Material::default() });
    scene.meshes.push(Mesh {
        name: "shape".into(),
        parts: vec![part(None), part(Some(MaterialId(0)))],
        ..Mesh::default()
    });
    let stretched = Trs { scale: Vec3::new(1.0, 3.0, -0.5), ..Trs::IDENTITY };
    let turned =
        Trs { rotation: Quat::from_rotation_z(0.6), translation: Vec3::new(1.0, 2.0, 3.0), ..Trs::IDENTITY };
    let parent = scene.add_node(Node { local: stretched.into(), mesh: Some(MeshId(0)), ..Node::default() });
    scene.add_node(Node {
        parent: Some(parent),
        local: turned.into(),
        mesh: Some(MeshId(0)),
        ..Node::default()
    });
    let (document, again, report) = through(&scene);
    assert!(support::worst(&scene, &again) < 1e-6);
    assert!(has_loss(&report, "QT044") && has_loss(&report, "QT042") && has_loss(&report, "LS019"));
    let names: Vec<_> = document
        .objects
        .iter()
        .filter_map(|o| match o {
            Object::Mesh(mesh) => Some(mesh.name.to_text()),
            _ => None,
        })
        .collect();
    assert_eq!(names, ["shape", "shape.001"]);
    let facing = |scene: &Scene| {
        let pose = ligament::pose::Pose::rest(scene);
        let node = scene.node_ids().last().expect("a node");
        let matrix = pose.globals[node.index()];
        let part = &scene.meshes[scene.nodes[node.index()].mesh.expect("a mesh").index()].parts[0];
        let face = &part.faces.corners()[..3];
        let [a, b, c] =
            [0, 1, 2].map(|i| matrix.transform_point3(part.positions[face[i] as usize].as_dvec3()));
        (b - a).cross(c - a) * matrix.determinant().signum()
    };
    assert!(facing(&scene).dot(facing(&again)) > 0.0, "faces look the same way");
}

#[test]
fn names_outside_of_the_code_page_are_announced() {
    let mut scene = plate();
    scene.nodes[0].name = "Kość".into();
    scene.nodes[1].name = "頭".into();
    scene.nodes[2].name = "Kość".into();
    let (document, again, report) = through(&scene);
    let bones = &document.armature().expect("an armature").bones;
    assert_eq!(bones[0].name.as_bytes(), b"Ko\x9c\xe6");
    assert_eq!(bones[1].name.as_bytes(), b"u982D");
    assert!(has_loss(&report, "QT042"));
    assert_eq!(again.nodes[1].name, "Kość");
}

#[test]
fn many_materials_become_several_objects() {
    let mut scene = Scene::default();
    let mut mesh = Mesh { name: "box".into(), ..Mesh::default() };
    for i in 0..20 {
        scene.materials.push(Material { name: format!("m{i}"), ..Material::default() });
        mesh.parts.push(Part {
            material: Some(MaterialId(i)),
            positions: vec![Vec3::ZERO, Vec3::X * (i + 1) as f32, Vec3::Y],
            faces: Faces::Triangles(vec![0, 1, 2]),
            ..Part::default()
        });
    }
    scene.meshes.push(mesh);
    scene.add_node(Node { name: "box".into(), mesh: Some(MeshId(0)), ..Node::default() });
    let (document, again, report) = through(&scene);
    assert!(has_loss(&report, "QT043"));
    for object in &document.objects {
        let Object::Mesh(mesh) = object else { panic!("only meshes") };
        assert!(mesh.materials.len() <= 16 && mesh.faces.heads.iter().all(|h| h.material < 16));
    }
    assert_eq!((document.objects.len(), again.materials.len()), (2, 20));
    assert!(support::worst(&scene, &again) < 1e-6);
}

#[test]
fn normals_that_no_angle_gives_are_announced_with_their_size() {
    let mut scene = plate();
    scene.meshes[0].parts[0].normals = vec![Vec3::new(0.6, 0.0, 0.8); 4];
    let (_, _, report) = through(&scene);
    let loss = report.losses().iter().find(|l| l.code.id == "QT041").expect("announced");
    let LossKind::Approximated { size: Some(degrees), unit: "degrees" } = loss.kind else {
        panic!("{loss:?}")
    };
    assert!((degrees - 36.87).abs() < 0.1 && loss.count == 4, "{loss:?}");
}

#[test]
fn later_versions_are_rewritten_as_they_are_and_reencoded_as_10() {
    let folder = tempfile::tempdir().expect("a folder");
    for version in [15, 19, 21] {
        let bytes = fixture(&format!("carpg_exporter_v{version}.qmsh.tmp"));
        let (source, output) = (folder.path().join("a.qmsh.tmp"), folder.path().join("b.qmsh.tmp"));
        std::fs::write(&source, &bytes).expect("written");
        let (done, _) = converted(&source, &output);
        assert_eq!((done.rewritten, done.dialect), (true, &*format!("v{version}")));
        assert_eq!(parse(&std::fs::read(&output).expect("there")).0, parse(&bytes).0);
        let options = ConvertOptions { reencode: true, ..ConvertOptions::default() };
        let (done, report) = convert(&source, &output, &options).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(done.dialect, "v10");
        assert!(report.diagnostics().iter().any(|d| d.code.id == "QT040"));
        assert!(deviation(&done) < 1e-6);
    }
    let options = ConvertOptions { dialect: Some("v21".into()), ..ConvertOptions::default() };
    let glb = support::workspace().join("examples/scene.glb");
    let error = convert(&glb, folder.path().join("c.qmsh.tmp"), &options).expect_err("not written");
    assert!(error.to_string().contains("CV003"), "{error}");
}
