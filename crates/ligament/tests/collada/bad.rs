//! Wrong and hostile input.

use super::import;
use ligament::io::Source;
use ligament::report::Report;
use ligament::scene::Scene;

fn text(text: impl Into<Vec<u8>>) -> (Option<Scene>, Report) {
    import(Source::from_bytes("bad.dae", text.into()))
}

/// A file with these libraries.
fn file(libraries: &str) -> String {
    format!("<COLLADA version=\"1.4.1\">\n{libraries}\n</COLLADA>")
}

#[track_caller]
fn says(found: &(Option<Scene>, Report), code: &str, line: u32) {
    let matches = |d: &&ligament::report::Diagnostic| {
        d.code.id == code && d.place.line_column.is_some_and(|(l, _)| l == line)
    };
    assert!(
        found.1.diagnostics().iter().any(|d| matches(&d)),
        "no {code} in line {line}: {:?}",
        found.1.diagnostics()
    );
}

#[test]
fn entities_are_never_expanded() {
    let bomb = "<?xml version=\"1.0\"?>\n<!DOCTYPE x [\n<!ENTITY a \"aaaaaaaaaa\">\n<!ENTITY b \"&a;&a;&a;\">\n]>\n<COLLADA version=\"1.4.1\">&b;</COLLADA>";
    let external =
        "<!DOCTYPE x [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><COLLADA version=\"1.4.1\">&a;</COLLADA>";
    let found = text(bomb);
    says(&found, "DA105", 2);
    assert!(found.0.is_none());
    says(&text(external), "DA105", 1);
    // Without declarations there is nothing to expand, and an undefined entity is an error.
    assert!(text("<!DOCTYPE COLLADA>\n<COLLADA version=\"1.4.1\"/>").0.is_some());
    says(
        &text("<!DOCTYPE COLLADA SYSTEM \"http://host/x.dtd\">\n<COLLADA version=\"1.4.1\">&a;</COLLADA>"),
        "DA101",
        2,
    );
}

#[test]
fn deep_nesting_neither_overflows_nor_takes_long() {
    let depth = 100_000;
    let nested = |open: &str, close: &str| open.repeat(depth) + &close.repeat(depth);
    // Elements that are not read may be nested to any depth.
    assert!(text(file(&nested("<extra>", "</extra>"))).0.is_some());
    let nodes = nested("<node>", "</node>");
    let found = text(file(&format!(
        "<library_visual_scenes><visual_scene>{nodes}</visual_scene></library_visual_scenes>"
    )));
    says(&found, "DA107", 2);
    let animations = nested("<animation>", "</animation>");
    assert!(text(file(&format!("<library_animations>{animations}</library_animations>"))).0.is_some());
}

#[test]
fn instances_that_multiply_or_circle_are_refused() {
    let scene = |nodes: &str| {
        file(&format!(
            "<library_nodes>{nodes}</library_nodes><library_visual_scenes><visual_scene id=\"s\"><node><instance_node url=\"#n0\"/></node></visual_scene></library_visual_scenes>"
        ))
    };
    let circle = text(scene(
        "<node id=\"n0\">\n<instance_node url=\"#n1\"/></node>\n<node id=\"n1\">\n<node><instance_node url=\"#n0\"/></node></node>",
    ));
    says(&circle, "DA108", 5);
    let mut bomb = String::new();
    for level in 0..40 {
        let next = format!("<instance_node url=\"#n{}\"/>", level + 1).repeat(4);
        bomb += &format!("<node id=\"n{level}\">{next}</node>\n");
    }
    let found = text(scene(&(bomb + "<node id=\"n40\"/>")));
    assert!(found.0.is_none() && found.1.diagnostics().iter().any(|d| d.code.id == "DA106"));
}

/// A triangle with the given text in place of its arrays.
fn triangle(floats: &str, count: &str, indices: &str) -> String {
    file(&format!(
        "<library_geometries><geometry id=\"g\"><mesh><source id=\"p\">\n<float_array id=\"a\" count=\"{count}\">{floats}</float_array>\n\
         <technique_common><accessor source=\"#a\" count=\"3\" stride=\"3\"><param name=\"X\"/><param name=\"Y\"/><param name=\"Z\"/></accessor></technique_common></source>\n\
         <vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>\n\
         <triangles count=\"1\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>{indices}</p></triangles></mesh></geometry></library_geometries>\n\
         <library_visual_scenes><visual_scene><node><instance_geometry url=\"#g\"/></node></visual_scene></library_visual_scenes>"
    ))
}

#[test]
fn arrays_and_indices_that_lie_are_reported_where_they_stand() {
    const GOOD: &str = "0 0 0 1 0 0 0 1 0";
    assert!(text(triangle(GOOD, "9", "0 1 2")).0.is_some());
    // Recoverable: the rest is read.
    for (floats, count, indices, code, line) in [
        (GOOD, "99999999999", "0 1 2", "DA203", 3),
        (GOOD, "3", "0 1 2", "DA203", 3),
        ("0 0 0 1 0 -1.#QNAN 0 1 INF", "9", "0 1 2", "DA202", 3),
        ("0 0 0 1 0 0 0 1,5 0", "9", "0 1 2", "DA226", 3),
        (GOOD, "9", "0 1 2 0", "DA203", 6),
    ] {
        let found = text(triangle(floats, count, indices));
        says(&found, code, line);
        let scene =
            found.0.unwrap_or_else(|| panic!("{floats} {indices} was refused: {:?}", found.1.diagnostics()));
        assert_eq!(scene.meshes[0].parts[0].positions.len(), 3);
    }
    // Not to be guessed at.
    for (floats, indices, code, line) in [
        ("0 0 0 1 0 zero 0 1 0", "0 1 2", "DA201", 3),
        (GOOD, "0 1 3", "DA204", 6),
        (GOOD, "0 1 -1", "DA204", 6),
        (GOOD, "0 1 4294967296", "DA201", 6),
        (GOOD, "0 1 2.0", "DA201", 6),
        ("0 0 0", "0 1 2", "DA204", 6),
    ] {
        let found = text(triangle(floats, "9", indices));
        says(&found, code, line);
        assert!(found.0.is_none(), "{floats} {indices} was read");
    }
}

#[test]
fn what_is_no_collada_is_told_so() {
    for (input, code) in [
        ("", "DA101"),
        ("<COLLADA version=\"1.4.1\">", "DA101"),
        ("<COLLADA version=\"1.4.1\"></COLLADO>", "DA101"),
        ("<svg/>", "DA102"),
        ("<COLLADA version=\"1.3.0\"/>", "DA103"),
        ("PK\x03\x04 and so on", "DA109"),
    ] {
        let (scene, report) = text(input);
        assert!(
            scene.is_none() && report.diagnostics()[0].code.id == code,
            "{input}: {:?}",
            report.diagnostics()
        );
    }
    let (scene, report) = text(b"<COLLADA version=\"1.4.1\">\n\xff</COLLADA>".to_vec());
    assert!(scene.is_none() && report.diagnostics()[0].code.id == "DA104");
    assert_eq!(report.diagnostics()[0].place.line_column, Some((2, 1)));
}

#[test]
fn elements_out_of_proportion_are_refused_before_they_take_memory() {
    let found = text("<".repeat(1 << 20));
    assert!(found.0.is_none() && found.1.diagnostics()[0].code.id == "DA106");
}

#[test]
fn utf16_is_read_with_its_lines() {
    let wrong = triangle("0 0 0 1 0 zero 0 1 0", "9", "0 1 2");
    let big: Vec<u8> =
        [0xFE, 0xFF].into_iter().chain(wrong.encode_utf16().flat_map(u16::to_be_bytes)).collect();
    says(&text(big), "DA201", 3);
    let little: Vec<u8> = wrong.encode_utf16().flat_map(u16::to_le_bytes).collect();
    says(&text(little), "DA201", 3);
}

#[test]
fn places_are_right_inside_and_after_long_lists() {
    // Enough numbers for the list to be taken out of the text for the XML parser, one vertex per line.
    let long = "0 0 0\n".repeat(99);
    let wrong = format!("{long}0 zero 0\n");
    let found = text(triangle(&wrong, "300", "0 1 2"));
    // The list starts in line 3.
    says(&found, "DA201", 3 + 99);
    let column =
        found.1.diagnostics().iter().find(|d| d.code.id == "DA201").and_then(|d| d.place.line_column);
    assert_eq!(column, Some((102, 3)));
    // After the list: an index, and broken XML.
    let after = triangle(&long, "297", "0 1 99");
    says(&text(&*after), "DA204", 6 + 99);
    says(&text(after.replace("</mesh>", "</mush>")), "DA101", 6 + 99);
    // A list goes on after a comment.
    let (scene, report) = text(triangle(&format!("{long}<!-- 7 -->0 0 1\n"), "300", "0 1 2"));
    let said: Vec<_> = report.diagnostics().iter().map(|d| d.code.id).collect();
    assert!(scene.is_some() && said == ["DA209"], "{said:?}");
}
