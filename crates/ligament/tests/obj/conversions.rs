//! Conversions to and from other formats.

use crate::*;
use ligament::math::{Quat, Vec3, Vec4};
use ligament::report::LossKind;
use ligament::scene::{Faces, Local, Mesh, MeshId, Node, NodeId, Part, Trs};
use ligament::{Conversion, ConvertOptions};

fn convert(input: &Path, output: &Path) -> (Conversion, Report) {
    ligament::convert(input, output, &ConvertOptions::default())
        .unwrap_or_else(|e| panic!("{}: {e}", input.display()))
}

fn deviation(done: &Conversion) -> f64 {
    done.comparison.as_ref().and_then(|c| c.worst.as_ref()).map_or(0.0, |w| w.relative)
}

fn triangle() -> Part {
    Part {
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
        normals: vec![Vec3::Z; 3],
        faces: Faces::Triangles(vec![0, 1, 2]),
        ..Part::default()
    }
}

fn written(scene: Scene) -> (String, Option<String>, Report) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("out.obj");
    let (_, report) = ligament::write(scene, &path, &Default::default()).unwrap_or_else(|e| panic!("{e}"));
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).ok();
    (read("out.obj").expect("is there"), read("out.mtl"), report)
}

#[test]
fn a_rigged_model_stands_at_rest_and_what_goes_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("creature.obj");
    let (done, report) = convert(&support::workspace().join("examples/creature.glb"), &path);
    let dropped: Vec<_> =
        report.losses().iter().filter(|l| l.kind == LossKind::Dropped).map(|l| l.code.id).collect();
    assert!(dropped.contains(&"LS024") && dropped.contains(&"LS016"), "{dropped:?}");
    let rest = done.comparison.as_ref().expect("verified").by_clip.iter().find(|w| w.clip.is_none());
    assert!(rest.is_none_or(|w| w.relative < 1e-6), "{rest:?}");
    assert!(folder.path().join("creature.mtl").is_file());
    let (back, _) = convert(&path, &folder.path().join("back.glb"));
    assert!(deviation(&back) < 1e-6);
    let again = folder.path().join("again");
    std::fs::create_dir(&again).expect("a folder");
    convert(&support::workspace().join("examples/creature.glb"), &again.join("creature.obj"));
    for name in ["creature.obj", "creature.mtl"] {
        let read = |folder: &Path| std::fs::read(folder.join(name)).expect("written");
        assert_eq!(read(folder.path()), read(&again), "{name} is the same every time");
    }
}

#[test]
fn assimps_models_go_to_glb_and_come_back() {
    let Some(folder) = support::assimp_models("assimps_models_go_to_glb_and_come_back") else { return };
    let out = tempfile::tempdir().expect("a folder");
    let mut ran = 0;
    for path in support::files_below(&folder.join("OBJ")) {
        if path.extension().is_none_or(|e| e != "obj") {
            continue;
        }
        let (glb, obj) = (out.path().join("there.glb"), out.path().join("back.obj"));
        let (there, _) = convert(&path, &glb);
        let (back, _) = convert(&glb, &obj);
        assert!(deviation(&there) < 1e-6 && deviation(&back) < 1e-6, "{}", path.display());
        ran += 1;
    }
    assert_eq!(ran, 22);
}

#[test]
fn instances_are_written_where_they_stand() {
    let mesh = Mesh { name: "Leaf".into(), parts: vec![triangle()], ..Mesh::default() };
    let mut scene = Scene { meshes: vec![mesh], ..Scene::default() };
    let turned = Trs {
        translation: Vec3::new(0.0, 0.0, 2.0),
        rotation: Quat::from_rotation_z(std::f32::consts::FRAC_PI_2),
        scale: Vec3::ONE,
    };
    scene.add_node(Node { name: "Twig".into(), local: turned.into(), ..Node::default() });
    let mesh = Some(MeshId(0));
    scene.add_node(Node { name: "First".into(), mesh, ..Node::default() });
    scene.add_node(Node { name: "Second".into(), mesh, parent: Some(NodeId(0)), ..Node::default() });
    let mirror = Local::Trs(Trs { scale: Vec3::new(-1.0, 1.0, 1.0), ..Trs::IDENTITY });
    scene.add_node(Node { name: "Third".into(), mesh, local: mirror, ..Node::default() });
    let (text, library, report) = written(scene);
    assert!(library.is_none());
    let again = import(&text);
    let names: Vec<_> = again.nodes.iter().map(|n| n.name.as_str()).collect();
    assert_eq!(names, ["First", "Second", "Third"]);
    let second = &again.meshes[1].parts[0];
    assert!(second.positions[1].distance(Vec3::new(0.0, 1.0, 2.0)) < 1e-6, "{:?}", second.positions);
    let third = &again.meshes[2].parts[0];
    let corners: Vec<Vec3> = third.faces.corners().iter().map(|&c| third.positions[c as usize]).collect();
    assert_eq!(corners, [Vec3::ZERO, Vec3::Y, Vec3::NEG_X], "still counter-clockwise");
    let codes: Vec<_> = report.losses().iter().map(|l| (l.code.id, l.kind.name(), l.count)).collect();
    assert_eq!(codes, [("LS019", "dropped", 1), ("LS019", "kept", 2)]);
}

#[test]
fn colours_points_lines_and_polygons_come_back() {
    let colors = vec![vec![Vec4::new(0.5, 0.25, 0.0, 0.5), Vec4::ONE, Vec4::new(0.0, 0.1, 1.0, 1.0)]];
    let quad = Part {
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y],
        faces: Faces::Polygons { starts: vec![0, 4], corners: vec![0, 1, 2, 3] },
        ..Part::default()
    };
    let bare = |faces| Part { normals: Vec::new(), faces, ..triangle() };
    let parts = vec![
        Part { colors, ..triangle() },
        quad,
        bare(Faces::Lines(vec![0, 1, 1, 2])),
        bare(Faces::Points(vec![2])),
    ];
    let mut scene = Scene { meshes: vec![Mesh { parts, ..Mesh::default() }], ..Scene::default() };
    scene.add_node(Node { name: "All".into(), mesh: Some(MeshId(0)), ..Node::default() });
    let (text, _, _) = written(scene.clone());
    let again = import(&text);
    let count = |scene: &Scene| -> Vec<usize> {
        let mut counts: Vec<_> = scene.meshes[0].parts.iter().map(|p| p.faces.count()).collect();
        counts.sort_unstable();
        counts
    };
    assert_eq!(count(&again), [1, 2, 2], "faces of one material are one part");
    let color = again.meshes[0].parts[0].colors[0][0];
    assert!((color - Vec4::new(0.5, 0.25, 0.0, 0.5)).abs().max_element() < 1e-6, "{color}");
}

#[test]
fn six_decimals_are_written_where_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    let (input, output) = (folder.path().join("a.obj"), folder.path().join("b.obj"));
    std::fs::write(&input, "v 0.123456789 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").expect("writable");
    let mut options = ConvertOptions { reencode: true, ..ConvertOptions::default() };
    ligament::convert(&input, &output, &options).expect("converts");
    assert!(std::fs::read_to_string(&output).expect("there").contains("v 0.12345679 0 0\n"));
    options.set("precision", "document").expect("a word of it");
    ligament::convert(&input, &output, &options).expect("converts");
    assert!(std::fs::read_to_string(&output).expect("there").contains("v 0.123457 0.000000 0.000000\n"));
}

#[test]
fn materials_come_back() {
    let (first, _) = ligament::read(fixture("house.obj"), &Default::default()).expect("is read");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("again.obj");
    ligament::write(first.clone(), &path, &Default::default()).expect("is written");
    let (second, _) = ligament::read(&path, &Default::default()).expect("is read");
    assert_eq!(first.materials, second.materials);
    assert_eq!(first.images, second.images);
    let groups = |scene: &Scene| -> Vec<_> {
        scene.meshes.iter().flat_map(|m| &m.parts).map(|p| (p.extras.clone(), p.material)).collect()
    };
    assert_eq!(groups(&first), groups(&second));
}

#[test]
fn a_model_without_vertices_is_not_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let scene = Scene { nodes: vec![Node::default()], ..Scene::default() };
    let error = ligament::write(scene, folder.path().join("bare.obj"), &Default::default())
        .expect_err("nothing to write");
    assert!(error.to_string().contains("OB112"), "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

#[test]
fn what_is_too_far_away_is_refused_and_normals_keep_a_direction() {
    let placed = |scale: f32| {
        let mesh = Mesh { name: "leaf".into(), parts: vec![triangle()], ..Mesh::default() };
        let local = Local::Trs(Trs { scale: Vec3::new(scale, 1e-30, scale), ..Trs::default() });
        let node = Node { mesh: Some(MeshId::new(0)), local, ..Node::default() };
        let below = Node { parent: Some(NodeId::new(0)), ..node.clone() };
        Scene { nodes: vec![Node { mesh: None, ..node }, below], meshes: vec![mesh], ..Scene::default() }
    };
    let (text, _, _) = written(placed(1e15));
    assert!(text.contains("\nvn ") && !text.contains("NaN") && !text.contains("inf"), "{text}");
    let folder = tempfile::tempdir().expect("a folder");
    let error = ligament::write(placed(1e30), folder.path().join("far.obj"), &Default::default())
        .expect_err("too far");
    assert!(error.to_string().contains("OB103"), "{error}");
}
