//! Tokens, versions and the meaning of a file's content.

use crate::{codes, fixture, parse, rewritten, scene_of, scene_with};
use ligament::formats::qmsh_tmp::{Extend, Interpolation as Word, Mesh, Object};
use ligament::formats::{self, Match};
use ligament::math::Vec3;
use ligament::pose::Pose;
use ligament::report::Severity;
use ligament::scene::{Faces, Interpolation, Values};
use ligament::settings::Posing;

/// A version 10 file with the given parts.
pub fn file(objects: &str, actions: &str, params: &str) -> String {
    format!("QMSH TMP 10 objects {{ {objects} }} actions {{ {actions} }} params {{ {params} }}")
}

/// A triangle attached to a parent.
pub fn triangle(parent: &str, groups: &str) -> String {
    format!(
        "mesh \"T\" {{ 0,0,0 0,0,0 1,1,1 {parent} 30 materials 0 {{ }} vertices 3 {{ 0,0,0 1,0,0 0,1,0 }} \
         faces 1 {{ 3 0 0 0 0,0 1 1,0 2 0,1 }} vertex_groups {{ {groups} }} }}"
    )
}

/// An armature of bones with the given names and parents, one above the other.
pub fn armature(place: &str, bones: &[(&str, &str)]) -> String {
    let mut text = format!("armature \"A\" {{ {place} 1 0 ");
    for (i, (name, parent)) in bones.iter().enumerate() {
        text += &format!(
            "bone \"{name}\" {{ \"{parent}\" head 0,0,0 0,{i},0 0.1 tail 0,1,0 0,{},0 0.1 0 0 1 1 \
             1,0,0; 0,1,0; 0,0,1; 1,0,0,0; 0,1,0,0; 0,0,1,0; 0,{i},0,1; }} ",
            i + 1
        );
    }
    text + "}"
}

pub const STILL: &str = "0,0,0 0,0,0 1,1,1";

fn mesh(objects: &[Object]) -> &Mesh {
    objects.iter().find_map(|o| if let Object::Mesh(m) = o { Some(m) } else { None }).expect("a mesh")
}

#[test]
fn the_torture_file_says_what_its_author_meant() {
    let bytes = fixture("grammar_torture.qmsh.tmp");
    let (document, report) = parse(&bytes);
    let document = document.expect("legal");
    let mesh = mesh(&document.objects);
    assert_eq!(mesh.name.as_bytes(), b"Tri.A\t'q'");
    assert_eq!(mesh.smooth_angle, Some(180.0));
    assert_eq!(mesh.vertices, [Vec3::ZERO, Vec3::X, Vec3::Y]);
    assert_eq!(mesh.faces.heads[0].material, 15);
    assert_eq!(mesh.groups[0].weights, [(0, 1.0), (2, 0.5)]);
    assert_eq!(document.armature().map(|a| a.bones.len()), Some(0));
    let action = &document.actions[0];
    assert_eq!(action.name.as_bytes(), b"Action");
    let [size, loc] = &action.channels[0].curves[..] else { panic!("two curves") };
    assert_eq!(
        (size.name.as_bytes(), size.interpolation, size.extend),
        (&b"SizeX"[..], Word::Const, Extend::CyclicExtrap)
    );
    assert_eq!((loc.interpolation, loc.extend), (Word::Bezier, Extend::Extrap));
    assert_eq!((size.keys.len(), &loc.keys[..]), (0, &[[-5.0, 1.0], [0.0, 0.25]][..]));
    assert_eq!(document.params[0].value, 25);
    assert!(codes(&report, Severity::Error).is_empty() && codes(&report, Severity::Warning).is_empty());
    assert_eq!(codes(&report, Severity::Note), ["QT026", "QT028"]);
}

#[test]
fn numbers_are_read_in_every_notation() {
    let text = file(
        &triangle("\"\" \"\"", "").replace("0,0,0 1,0,0 0,1,0", "-.5,1d1,010 0x10,+1,1. 1e-2,010.5,-0"),
        "",
        "fps=031",
    );
    let (document, _) = parse(text.as_bytes());
    let document = document.expect("legal");
    let vertices = &mesh(&document.objects).vertices;
    assert_eq!(vertices[0], Vec3::new(-0.5, 10.0, 8.0));
    assert_eq!(vertices[1], Vec3::new(16.0, 1.0, 1.0));
    assert_eq!(vertices[2], Vec3::new(0.01, 10.5, 0.0));
    assert_eq!(document.params[0].value, 25);
    assert_eq!(parse(&rewritten(&document)).0, Some(document));
}

#[test]
fn every_byte_of_a_name_survives() {
    let mut text = b"QMSH TMP 10 objects { } actions { \"".to_vec();
    for byte in 0..=255_u8 {
        text.extend(format!("\\x{byte:02X}").bytes());
    }
    text.extend(b"\\n\\t\\v\\b\\r\\f\\a\\0\\\\\\?\\\"\\'\x80\" { } } params { }");
    let (document, _) = parse(&text);
    let document = document.expect("legal");
    let expected: Vec<u8> = (0..=255).chain(*b"\n\t\x0b\x08\r\x0c\x07\0\\?\"'\x80").collect();
    assert_eq!(document.actions[0].name.as_bytes(), expected);
    assert_eq!(parse(&rewritten(&document)).0, Some(document));
}

#[test]
fn a_byte_order_mark_makes_names_utf_8() {
    let text = format!("\u{feff}{}", file(&triangle("\"\" \"\"", ""), "", "").replace("\"T\"", "\"Kość\""));
    let (document, report) = parse(text.as_bytes());
    assert_eq!(codes(&report, Severity::Note), ["QT029"]);
    let document = document.expect("legal");
    assert_eq!(parse(&rewritten(&document)).0, Some(document));
    assert_eq!(scene_of(text.as_bytes()).0.nodes[0].name, "Kość");
}

#[test]
fn files_are_recognised_by_their_first_words() {
    let format = formats::by_id("qmsh-tmp").expect("a row");
    for yes in ["QMSH TMP 10", "// x\n/* y */ QMSH\\\n\tTMP", "\u{feff}QMSH TMP"] {
        assert_eq!(format.sniff(yes.as_bytes()), Match::Yes, "{yes:?}");
    }
    for no in ["QMSH\x16", "TFQMSH10", "", "version 1.0", "/* QMSH TMP"] {
        assert_eq!(format.sniff(no.as_bytes()), Match::No, "{no:?}");
    }
    let path = std::path::Path::new("Model.QMSH.TMP");
    assert_eq!(formats::by_extension(path).map(|f| f.id), Some("qmsh-tmp"));
}

#[test]
fn quads_are_cut_between_the_second_and_the_fourth_corner() {
    let quad = triangle("\"\" \"\"", "")
        .replace("vertices 3 { 0,0,0 1,0,0 0,1,0 }", "vertices 4 { 0,0,0 1,0,0 1,1,0 0,1,0 }")
        .replace("3 0 0 0 0,0 1 1,0 2 0,1", "4 0 0 0 0,0 1 1,0 2 1,1 3 0,1");
    let (mut scene, _) = scene_of(file(&quad, "", "").as_bytes());
    let place = |scene: &ligament::Scene, corner: usize| {
        let part = &scene.meshes[0].parts[0];
        let v = part.positions[part.faces.corners()[corner] as usize];
        (v.x, -v.z)
    };
    assert!(matches!(scene.meshes[0].parts[0].faces, Faces::Polygons { .. }));
    ligament::passes::triangulate::triangulate(&mut scene, &Default::default(), &mut Default::default());
    let cut: Vec<_> = (0..6).map(|i| place(&scene, i)).collect();
    assert_eq!(cut, [(1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (1.0, 0.0), (0.0, 1.0), (0.0, 0.0)]);
}

#[test]
fn normals_come_from_the_angle() {
    // Cube faces meet at 90 degrees, so an angle of 30 keeps them separate.
    let bytes = fixture("static_cube.qmsh.tmp");
    let (scene, _) = scene_of(&bytes);
    for part in &scene.meshes[0].parts {
        for normal in &part.normals {
            assert!((normal.abs().max_element() - 1.0).abs() < 1e-6, "{normal}");
        }
    }
    let smooth = String::from_utf8(bytes).expect("ASCII").replace("30.000000", "180.000000");
    let smooth = smooth.replace("0.500000,1.000000,2.000000", "1,1,1");
    let (scene, _) = scene_of(smooth.as_bytes());
    let normals = scene.meshes[0].parts.iter().flat_map(|p| p.normals.iter().zip(&p.positions));
    let mut count = 0;
    for (normal, position) in normals {
        // Weighted by the area of the triangles around a corner; each face has one or two of them there.
        assert!(normal.dot(position.normalize()) > 0.8, "{normal} at {position}");
        count += 1;
    }
    assert!(count >= 8);
}

#[test]
fn groups_win_over_envelopes_and_odd_weights_do_not_count() {
    let groups = "\"B1\" { 0 0.25 0 0.75 1 0 2 -1 9 1 } \"B1\" { 1 1 } \"other\" { 2 1 } \"B0\" { 0 3 }";
    let objects = triangle("\"A\" \"\"", groups)
        + &armature(STILL, &[("B0", ""), ("B1", "B0")]).replace(" 1 0 bone", " 1 1 bone");
    let (scene, report) = scene_of(file(&objects, "", "").as_bytes());
    assert_eq!(codes(&report, Severity::Warning), ["QT021"]);
    let influences = &scene.meshes[0].parts[0].influences;
    let pairs = |v: usize| influences.of(v).iter().map(|i| (i.joint, i.weight)).collect::<Vec<_>>();
    assert_eq!(
        pairs(0),
        [(1, 0.25), (0, 3.0)],
        "the first entry of a group counts, weights need not sum to 1"
    );
    assert!(pairs(1).is_empty(), "a weight of nothing does not count, and the bones are too far away");
    assert_eq!(pairs(2), [(0, 1.0), (1, 1.0)], "left to the envelopes");
}

#[test]
fn bones_may_stand_before_their_parents() {
    let objects = triangle("\"A\" \"\"", "\"Tip\" { 2 1 }")
        + &armature(STILL, &[("Root", ""), ("Tip", "Mid"), ("Mid", "Root")]);
    let (scene, _) = scene_of(file(&objects, "", "").as_bytes());
    let parent = |name: &str| {
        let node = scene.nodes.iter().find(|n| n.name == name).expect("the bone");
        node.parent.map(|p| scene.nodes[p.index()].name.clone())
    };
    assert_eq!(parent("Tip").as_deref(), Some("Mid"));
    assert_eq!(parent("Mid").as_deref(), Some("Root"));
    assert_eq!(parent("Root").as_deref(), Some("A"));
}

#[test]
fn a_moved_armature_moves_meshes_only_as_the_original_converter_does() {
    let objects =
        triangle("\"A\" \"\"", "\"B\" { 0 1 1 1 2 1 }") + &armature("0,0,5 0,0,0 1,1,1", &[("B", "")]);
    let text = file(&objects, "", "");
    let height = |posing| {
        let (scene, report) = scene_with(text.as_bytes(), posing);
        assert_eq!(codes(&report, Severity::Warning), ["QT024"]);
        ligament::pose::bounds(&scene, &Pose::rest(&scene)).expect("drawn").min.y
    };
    assert!(height(Posing::Author).abs() < 1e-6, "as it stands in the world");
    assert!((height(Posing::Engine) - 5.0).abs() < 1e-6, "moved once more");
}

/// The tracks of the only clip of an action with these curves of one bone.
fn tracks(curves: &str) -> Vec<ligament::scene::Track> {
    let objects = triangle("\"A\" \"\"", "") + &armature(STILL, &[("B", "")]);
    let (scene, _) =
        scene_of(file(&objects, &format!("\"act\" {{ \"B\" {{ {curves} }} }}"), "fps = 10").as_bytes());
    scene.clips.into_iter().next().expect("a clip").tracks
}

#[test]
fn held_curves_are_steps_and_mixed_ones_jump() {
    let steps = tracks("\"LocX\" CONST CONST { 10,1 20,2 } \"LocY\" CONST CONST { 15,3 }");
    assert_eq!((steps[0].interpolation, &*steps[0].times), (Interpolation::Step, &[0.0, 0.5, 1.0][..]));
    let mixed = tracks("\"LocX\" CONST CONST { 10,1 20,2 } \"LocY\" LINEAR CONST { 10,0 30,4 }");
    let Values::Translation(values) = &mixed[0].values else { panic!("a translation") };
    assert_eq!(mixed[0].interpolation, Interpolation::Linear);
    let keys: Vec<_> = mixed[0].times.iter().zip(values).map(|(t, v)| (*t, v.x, -v.z)).collect();
    assert_eq!(keys.len(), 4);
    assert!(keys[1].0 < 1.0 && keys[1].0 > 0.999_999 && keys[2].0 == 1.0);
    // A bone's Y is the scene's −Z here.
    assert_eq!([keys[0].1, keys[1].1, keys[2].1, keys[3].1], [1.0, 1.0, 2.0, 2.0]);
    assert_eq!([keys[0].2, keys[2].2, keys[3].2], [0.0, 2.0, 4.0]);
}

#[test]
fn sizes_are_scales_and_cycles_repeat() {
    let sizes = tracks("\"SizeX\" LINEAR CYCLIC { 0,1 10,2 } \"ScaleY\" LINEAR CONST { 0,1 30,1 }");
    let Values::Scale(values) = &sizes[0].values else { panic!("a scale") };
    let peaks = values.iter().filter(|v| v.x == 2.0).count();
    assert_eq!((peaks, sizes[0].times.last()), (3, Some(&3.0)));
}
