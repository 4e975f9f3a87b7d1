//! The scene that the lines of a file become.

use crate::*;
use ligament::math::{Vec2, Vec3};
use ligament::scene::Faces;

const SQUARE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

#[test]
fn corners_have_every_layout() {
    let lists = format!("{SQUARE}vt 0 0\nvt 1 0\nvt 1 1\nvn 0 0 1\n");
    for (face, expected) in [
        ("f 1 2 3", [[0, -1, -1], [1, -1, -1], [2, -1, -1]]),
        ("f 1/1 2/2 3/3", [[0, 0, -1], [1, 1, -1], [2, 2, -1]]),
        ("f 1//1 2//1 3//1", [[0, -1, 0], [1, -1, 0], [2, -1, 0]]),
        ("f 1/1/1 2/2/1 3/3/1", [[0, 0, 0], [1, 1, 0], [2, 2, 0]]),
        ("f -4/-3/-1 -3/-2/-1 -2/-1/-1", [[0, 0, 0], [1, 1, 0], [2, 2, 0]]),
        ("f 1/ 2/ 3/", [[0, -1, -1], [1, -1, -1], [2, -1, -1]]),
        ("f\t1\t2\t3 # a comment", [[0, -1, -1], [1, -1, -1], [2, -1, -1]]),
        ("f 1 \\\n 2 \\\r\n 3", [[0, -1, -1], [1, -1, -1], [2, -1, -1]]),
        ("fo 1 2 3", [[0, -1, -1], [1, -1, -1], [2, -1, -1]]),
    ] {
        for end in ["", "\n", "\r\n", "\n\n# end"] {
            let model = valid(&format!("{lists}{face}{end}"));
            assert_eq!(model.vertices, expected, "{face:?}");
            assert_eq!((&model.faces.corners[..], model.faces.len()), (&[0, 1, 2][..], 1), "{face:?}");
        }
    }
}

#[test]
fn positions_may_come_after_the_faces_that_use_them() {
    let model = valid("f 1 2 3\nv 0 0 0\nv 1 0 0\nv 1 1 0\n");
    assert_eq!(model.vertices.len(), 3);
    assert_eq!(errors("f 1 2 3\nv 0 0 0\nv 1 0 0\n"), ["error OB201 1:7"]);
}

#[test]
fn numbers_have_every_spelling() {
    let spellings = ["1e2", "+1e2", "100", "100.", "1.E+2", "0.1e3", "1000e-1", "+100.0", "0100", "1e02"];
    for spelling in spellings {
        let model = valid(&format!("v {spelling} -{} .5\n", spelling.trim_start_matches('+')));
        assert_eq!(model.positions, [[100.0, -100.0, 0.5]], "{spelling}");
    }
    let (model, report) = parse("v 0 0 3.1+e2\n");
    assert_eq!(model.map(|m| m.positions), Some(vec![[0.0, 0.0, 3.1]]));
    assert!(places(&report).contains(&"warning OB109 1:7".to_owned()));
}

#[test]
fn positions_may_have_weights_and_colours() {
    let model = valid("v 1 2 3\nv 1 2 3 0.5\nv 1 2 3 1 0 0.5\nv 1 2 3 1 0 0.5 0.25\nv 4 5 6\nf 1 2 3\n");
    assert_eq!(model.positions.len(), 5);
    assert_eq!(model.colors[..3], [[1.0; 4], [1.0; 4], [1.0, 0.0, 0.5, 1.0]]);
    assert_eq!(model.colors[3..], [[1.0, 0.0, 0.5, 0.25], [1.0; 4]]);
    assert_eq!(model.left_out.weights, 1);
    let scene = import("v 0 0 0 0.5 0.5 0.5\nv 1 0 0 1 1 1\nv 0 1 0 0 0 0\nf 1 2 3\n");
    // The linear value of half grey by IEC 61966-2-1.
    let grey = scene.meshes[0].parts[0].colors[0][0].x;
    assert!((grey - 0.214_041_14).abs() < 1e-6, "{grey}");
}

#[test]
fn equal_corners_are_one_vertex_and_v_points_down() {
    let text = format!("{SQUARE}vt 0.25 1\nvn 0 0 2\nf 1/1/1 2/1/1 3/1/1 4/1/1\nf 1/1/1 3/1/1 4/1/1\n");
    let scene = import(&text);
    let part = &scene.meshes[0].parts[0];
    assert_eq!(part.positions.len(), 4);
    assert_eq!(part.uvs, [vec![Vec2::new(0.25, 0.0); 4]]);
    assert_eq!(part.normals, [Vec3::Z; 4]);
    let Faces::Polygons { starts, corners } = &part.faces else { panic!("{:?}", part.faces) };
    assert_eq!((&starts[..], &corners[..]), (&[0, 4, 7][..], &[0, 1, 2, 3, 0, 2, 3][..]));
}

#[test]
fn objects_are_meshes_and_materials_are_parts() {
    let mut report = Report::default();
    let scene = ligament::read(fixture("house.obj"), &Default::default()).map(|(scene, read)| {
        report = read;
        scene
    });
    let scene = scene.expect("is read");
    support::check_promise(&scene);
    let nodes: Vec<_> = scene.nodes.iter().map(|n| n.name.as_str()).collect();
    assert_eq!(nodes, ["House", "Frame"]);
    let material =
        |m: Option<ligament::scene::MaterialId>| m.map(|m| scene.materials[m.index()].name.as_str());
    let parts = |mesh: usize| -> Vec<_> {
        let groups =
            |p: &ligament::scene::Part| p.extras["obj"]["groups"].as_str().unwrap_or_default().to_owned();
        scene.meshes[mesh].parts.iter().map(|p| (material(p.material), groups(p), p.faces.count())).collect()
    };
    assert_eq!(
        parts(0),
        [
            (Some("Red Wall"), "front wall".to_owned(), 1),
            (Some("Red Wall"), "side wall".to_owned(), 1),
            (Some("Glass"), "side wall".to_owned(), 1)
        ]
    );
    let frame: Vec<_> = scene.meshes[1].parts.iter().map(|p| std::mem::discriminant(&p.faces)).collect();
    let kinds = [Faces::Lines(vec![]), Faces::Points(vec![]), Faces::Triangles(vec![])];
    let mut kinds: Vec<_> = kinds.iter().map(std::mem::discriminant).collect();
    // Faces first, then lines and points, of the same run.
    kinds.rotate_right(1);
    assert_eq!(frame, kinds);
    assert_eq!(scene.meshes[1].parts[1].faces.count(), 2, "three corners make two lines");
}

#[test]
fn groups_are_objects_where_there_is_no_object() {
    let text = format!("{SQUARE}f 1 2 3\ng a b\nf 2 3 4\ng c\nf 1 2 4\ng b  a\nf 1 3 4\ng a  b\nf 1 2 3\n");
    let scene = import(&text);
    let meshes: Vec<_> = scene.meshes.iter().map(|m| (m.name.as_str(), m.parts[0].faces.count())).collect();
    assert_eq!(meshes, [("", 1), ("a b", 2), ("c", 1), ("b a", 1)]);
}

#[test]
fn smoothing_groups_give_normals_where_there_are_none() {
    // A roof of two squares at a right angle.
    let roof = "v -1 0 -1\nv -1 1 -1\nv 0 0 0\nv 0 1 0\nv 1 0 -1\nv 1 1 -1\n";
    let faces = "f 1 3 4 2\nf 3 5 6 4\n";
    assert!(import(&format!("{roof}{faces}")).meshes[0].parts[0].normals.is_empty(), "nobody knows");
    let (smooth, report) = import_with_report(&format!("{roof}s 1\n{faces}"));
    let part = &smooth.meshes[0].parts[0];
    assert_eq!(part.positions.len(), 6);
    let ridge = part.positions.iter().position(|p| *p == Vec3::Y).expect("is there");
    assert!(part.normals[ridge].distance(Vec3::Z) < 1e-6);
    assert_eq!(report.losses()[0].code.id, "OB502");
    let apart = import(&format!("{roof}s 1\nf 1 3 4 2\ns 2\nf 3 5 6 4\n"));
    assert_eq!(apart.meshes[0].parts[0].positions.len(), 8, "groups split the ridge");
    let flat = import(&format!("{roof}s 1\nf 1 3 4 2\ns off\nf 3 5 6 4\n"));
    assert_eq!(flat.meshes[0].parts[0].positions.len(), 8);
    // Materials do not end a group.
    let painted = import(&format!("{roof}s 1\nusemtl a\nf 1 3 4 2\nusemtl b\nf 3 5 6 4\n"));
    let [a, b] = &painted.meshes[0].parts[..] else { panic!("two parts") };
    let on_ridge = |part: &ligament::scene::Part| {
        let at = part.positions.iter().position(|p| *p == Vec3::Y).expect("is there");
        part.normals[at]
    };
    assert!(on_ridge(a).distance(Vec3::Z) < 1e-6 && on_ridge(a) == on_ridge(b));
}

#[test]
fn missing_and_zero_normals_become_those_of_the_faces() {
    let scene = import(&format!("{SQUARE}vn 1 0 0\nvn 0 0 0\nf 1//1 2//2 3\n"));
    let normals = &scene.meshes[0].parts[0].normals;
    assert_eq!(normals[..], [Vec3::X, Vec3::Z, Vec3::Z]);
}

#[test]
fn a_cloud_of_points_is_points() {
    let (scene, report) = import_with_report("vn 0 0 1\nv 1 2 3\nvn 1 0 0\nv 4 5 6\n");
    let part = &scene.meshes[0].parts[0];
    assert_eq!(
        (part.faces.clone(), part.normals.clone()),
        (Faces::Points(vec![0, 1]), vec![Vec3::Z, Vec3::X])
    );
    assert!(places(&report).contains(&"note OB409".to_owned()));
}

#[test]
fn curves_and_surfaces_are_counted_losses() {
    let text = format!(
        "{SQUARE}vp 0 1\nvp 1 1\ncstype bezier\ndeg 3\ncurv 0 1 1 2 3 4\nsurf 0 1 0 1 1 2 3 4\nend\nf 1 2 3\n"
    );
    let (_, report) = import_with_report(&text);
    let losses: Vec<_> = report.losses().iter().map(|l| (l.code.id, l.count)).collect();
    assert_eq!(losses, [("OB402", 2), ("OB402", 2), ("OB408", 1)]);
    let warnings = places(&report).iter().filter(|p| p.starts_with("warning OB402")).count();
    assert_eq!(warnings, 6, "one a keyword");
}

#[test]
fn what_nothing_uses_is_told() {
    let (_, report) = import_with_report(&format!("{SQUARE}v 9 9 9\nf 1 2 3\n"));
    assert_eq!(report.losses()[0].count, 2);
}

#[test]
fn byte_order_marks_and_utf_16_are_read() {
    let text = "o Ähre\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    let marked = format!("\u{feff}{text}");
    assert_eq!(valid(&marked).positions, valid(text).positions);
    let wide: Vec<u16> = marked.encode_utf16().collect();
    let little: Vec<u8> = wide.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    let big: Vec<u8> = wide.iter().flat_map(|unit| unit.to_be_bytes()).collect();
    for bytes in [little, big] {
        let mut report = Report::default();
        let document = Document::parse(&bytes, &ReadOptions::default(), &mut report).expect("is read");
        assert_eq!(document.model.objects[0].to_text(), "Ähre");
        let mut output = ligament::io::MemoryOutput::new("again");
        formats::Document::write(&document, "", &Default::default(), &mut output, &mut report)
            .expect("is written");
        assert_eq!(output.main, bytes, "and stays what it is");
    }
}

#[test]
fn what_looks_like_obj_may_be_obj() {
    let format = |text: &[u8]| formats::detect(text, None).map(|f| f.id);
    assert_eq!(format(b"# made by hand\nv 0 0 0\n"), Some("obj"));
    assert_eq!(format(b"mtllib a.mtl\no x\nv 0 0 0\nf 1 1 1\n"), Some("obj"));
    assert_eq!(format(b"ao leaf\nv 0 0 0\n"), Some("amo"));
    assert_eq!(format(b"hello\n"), None);
    let named = formats::detect(b"ply\n", Some(Path::new("x.obj"))).map(|f| f.id);
    assert_eq!(named, Some("obj"), "its reader says what is wrong");
}
