//! Broken files are refused with the place and what was expected; unusual ones are read with a warning.

use crate::grammar::{STILL, armature, file, triangle};
use crate::{codes, parse, scene_of};
use ligament::formats::{self, ReadOptions};
use ligament::io::Source;
use ligament::report::{Report, Severity};

/// The code and place of the first error.
fn refused(text: &[u8]) -> (&'static str, Option<(u32, u32)>) {
    let (document, report) = parse(text);
    assert!(document.is_none(), "accepted: {}", String::from_utf8_lossy(text));
    let first = report.diagnostics().iter().find(|d| d.severity == Severity::Error).expect("a reason");
    (first.code.id, first.place.line_column)
}

#[test]
fn faults_are_named_with_their_places() {
    for (text, code, place) in [
        ("", "QT001", (1, 1)),
        ("QMSH", "QT001", (1, 5)),
        ("qmsh tmp 10", "QT001", (1, 1)),
        ("QMSH TMP 11 objects", "QT002", (1, 10)),
        ("QMSH TMP 22", "QT002", (1, 10)),
        ("QMSH TMP 10objects {", "QT008", (1, 10)),
        ("QMSH TMP 10\nobject {", "QT003", (2, 1)),
        ("QMSH TMP 10\nobjects {\n  light \"x\" { }", "QT003", (3, 3)),
        ("QMSH TMP 10 /* open", "QT005", (1, 13)),
        ("QMSH TMP 10 objects { mesh \"open\n\" {", "QT006", (1, 28)),
        ("QMSH TMP 10 objects { mesh \"open", "QT006", (1, 28)),
        ("QMSH TMP 10 objects { mesh \"a\\q\" {", "QT007", (1, 30)),
        ("QMSH TMP 10 objects { mesh \"a\\xZ1\" {", "QT007", (1, 30)),
        ("QMSH TMP 10 objects { m\u{e9}sh", "QT003", (1, 23)),
        ("QMSH TMP 10 objects { \u{e9}", "QT004", (1, 23)),
        ("QMSH TMP 10 objects { \x0c }", "QT004", (1, 23)),
        ("QMSH TMP 10 objects { mesh 'x' {", "QT003", (1, 28)),
        ("QMSH TMP 10 objects { mesh \"a\" { .5,0,0", "QT003", (1, 34)),
        ("QMSH TMP 10 objects { mesh \"a\" { 0 0 0", "QT003", (1, 36)),
        ("QMSH TMP 10 objects { mesh \"a\" { nan,0,0", "QT009", (1, 34)),
        ("QMSH TMP 10 objects { } actions { } params { } x", "QT014", (1, 48)),
        ("QMSH TMP 10 objects { } actions { } params { fps = 2.5 }", "QT008", (1, 52)),
        ("QMSH TMP 10 objects { } actions { } params { static = 1 }", "QT003", (1, 46)),
        (
            "QMSH TMP 10 objects { } actions { \"a\" { \"b\" { \"LocX\" SMOOTH CONST { } } } } params { }",
            "QT003",
            (1, 54),
        ),
    ] {
        assert_eq!(refused(text.as_bytes()), (code, Some(place)), "{text:?}");
    }
}

#[test]
fn a_place_after_a_joined_line_is_that_of_the_file() {
    assert_eq!(refused(b"QMSH\\\n TMP 10\nobjects \\\r\n{ bad }"), ("QT003", Some((4, 3))));
}

#[test]
fn values_that_are_wrong_are_all_reported() {
    let bad = triangle("\"\" \"\"", "")
        .replace("vertices 3", "vertices 4")
        .replace("1,0,0 0,1,0", "1e39,0,0 0,1-2,0")
        .replace("1 1,0 2 0,1", "3 1,0 4294967295 0,1");
    let (document, report) = parse(file(&bad, "", "fps = 0").as_bytes());
    assert!(document.is_none());
    assert_eq!(codes(&report, Severity::Error), ["QT009", "QT008", "QT010", "QT011", "QT011", "QT017"]);
}

#[test]
fn counts_that_lie_are_told_and_cost_nothing() {
    let good = triangle("\"\" \"\"", "");
    for (from, to) in [
        ("vertices 3", "vertices 4294967295"),
        ("faces 1", "faces 4000000000"),
        ("faces 1", "faces 0"),
        ("materials 0", "materials 99999999"),
        ("vertices 3", "vertices 2"),
    ] {
        let (document, report) = parse(file(&good.replace(from, to), "", "").as_bytes());
        assert!(document.is_none());
        assert_eq!(codes(&report, Severity::Error)[0], "QT010", "{to}");
        let first = &report.diagnostics()[0];
        assert!(first.message.contains("are announced, found"), "{}", first.message);
    }
}

#[test]
fn faces_have_three_or_four_corners() {
    for corners in [0, 2, 5, 255, 256, 300] {
        let bad = triangle("\"\" \"\"", "").replace("3 0 0 0 0,0", &format!("{corners} 0 0 0 0,0"));
        assert_eq!(refused(file(&bad, "", "").as_bytes()).0, "QT012");
    }
}

#[test]
fn skeletons_that_cannot_be_are_refused() {
    let skeleton = |bones: &[(&str, &str)]| file(&armature(STILL, bones), "", "");
    assert_eq!(refused(skeleton(&[("A", "B"), ("B", "A")]).as_bytes()).0, "QT016");
    assert_eq!(refused(skeleton(&[("A", "A")]).as_bytes()).0, "QT016");
    assert_eq!(refused(skeleton(&[("A", ""), ("A", "")]).as_bytes()).0, "QT015");
    let two = armature(STILL, &[]) + &armature(STILL, &[]);
    assert_eq!(refused(file(&two, "", "").as_bytes()).0, "QT013");
}

#[test]
fn matrices_that_cannot_be_inverted_are_refused() {
    let text = file(&armature(STILL, &[("A", "")]).replace("1,0,0,0;", "0,0,0,0;"), "", "");
    let options = ReadOptions::default();
    let mut report = Report::default();
    let format = formats::by_id("qmsh-tmp").expect("a row");
    let document =
        format.read(Source::from_bytes("x", text.as_bytes()), &options, &mut report).expect("grammatical");
    assert!(document.import(&options, &mut report).is_err());
    assert_eq!(codes(&report, Severity::Error), ["QT034"]);
}

#[test]
fn keys_need_a_frame_rate() {
    let action = "\"a\" { \"b\" { \"LocX\" LINEAR CONST { 0,0 } } }";
    for (params, accepted) in
        [("", false), ("fps = 0", false), ("fps = -5", false), ("fps = 25", true), ("fps = 0 fps = 25", true)]
    {
        let (document, report) = parse(file("", action, params).as_bytes());
        assert_eq!(document.is_some(), accepted, "{params}");
        assert_eq!(codes(&report, Severity::Error), if accepted { vec![] } else { vec!["QT017"] });
    }
    assert!(parse(file("", "", "").as_bytes()).0.is_some(), "without keys nobody needs it");
}

#[test]
fn odd_references_are_warnings() {
    let with = |mesh: &str, action: &str| {
        let objects = mesh.to_owned() + &armature(STILL, &[("B", "Nobody")]);
        let (scene, report) = scene_of(file(&objects, action, "fps = 25").as_bytes());
        (scene, codes(&report, Severity::Warning))
    };
    assert_eq!(with("", "").1, ["QT020"]);
    assert_eq!(with(&triangle("\"Lamp\" \"\"", ""), "").1, ["QT020", "QT022"]);
    let (scene, found) = with(&triangle("\"A\" \"Nothing\"", ""), "");
    assert_eq!(found, ["QT020", "QT023"]);
    assert!(scene.nodes.iter().any(|n| n.mesh.is_some() && n.skin.is_none() && n.parent.is_none()));
    let curves = "\"a\" { \"B\" { \"RotX\" LINEAR CONST { 0,0 } \"LocX\" LINEAR CONST { 5,0 1,1 } \"LocX\" LINEAR CONST { 0,9 } } }";
    let (scene, found) = with("", curves);
    assert_eq!(found, ["QT020", "QT027", "QT030", "QT027"]);
    assert_eq!(scene.clips[0].tracks[0].times.len(), 2);
    let many = triangle("\"\" \"\"", "").replace("3 0 0 0 0,0", "3 77 0 0 0,0");
    assert_eq!(with(&many, "").1, ["QT025", "QT020"]);
}

#[test]
fn numbers_that_leave_the_range_are_refused() {
    let objects = triangle("\"A\" \"\"", "\"B\" { 0 1 }")
        .replace("1,1,1", "3e38,3e38,3e38")
        .replace("1,0,0", "3e38,0,0")
        + &armature(STILL, &[("B", "")]);
    let options = ReadOptions::default();
    let format = formats::by_id("qmsh-tmp").expect("a row");
    let keys =
        "\"a\" { \"B\" { \"LocX\" LINEAR EXTRAP { 0,0 1e-30,3e38 } \"LocY\" LINEAR CONST { 0,0 3e38,1 } } }";
    for text in [file(&objects, "", ""), file(&armature(STILL, &[("B", "")]), keys, "fps = 1")] {
        let mut report = Report::default();
        let document = format
            .read(Source::from_bytes("x", text.as_bytes()), &options, &mut report)
            .expect("grammatical");
        assert!(document.import(&options, &mut report).is_err());
        assert_eq!(codes(&report, Severity::Error), ["QT036"]);
    }
}
