//! Files that break rules: each is refused with its code, or read with a warning, and no memory is allocated for false
//! claims.

use super::{scene, support};
use ligament::Limits;
use ligament::formats::ReadOptions;
use ligament::report::Severity;

fn text() -> String {
    let path = support::workspace().join("crates/ligament/tests/fixtures/fbx/everything.fbx");
    std::fs::read_to_string(path).unwrap()
}

fn binary() -> Vec<u8> {
    std::fs::read(support::workspace().join("crates/ligament/tests/fixtures/fbx/column.fbx")).unwrap()
}

/// The codes of the report, and whether there is a scene, which must keep the promise.
fn codes(bytes: &[u8]) -> (bool, Vec<&'static str>) {
    let (scene, report) = scene(bytes, &ReadOptions::default());
    if let Some(scene) = &scene {
        support::check_promise(scene);
    }
    (scene.is_some(), report.diagnostics().iter().map(|d| d.code.id).collect())
}

#[test]
fn what_is_no_fbx_is_refused_with_a_reason() {
    assert_eq!(codes(b""), (false, vec!["FB101"]));
    assert_eq!(codes(b"\x89PNG\r\n\x1a\n"), (false, vec!["FB101"]));
    // `ufbx` could read it, but it is not FBX.
    assert_eq!(codes(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"), (false, vec!["FB101"]));
    let spaces: Vec<u8> = binary().iter().map(|&b| if b == 0 { b' ' } else { b }).collect();
    assert_eq!(codes(&spaces), (false, vec!["FB102"]));
}

#[test]
fn a_cut_file_names_the_record_that_it_was_cut_in() {
    let whole = binary();
    let bytes = &whole[..whole.len() / 2];
    let (none, report) = scene(bytes, &ReadOptions::default());
    assert!(none.is_none());
    let first = &report.diagnostics()[0];
    assert!(["FB104", "FB105"].contains(&first.code.id), "{first}");
    let start = first.place.span.as_ref().expect("a place").start;
    assert!(start > 27 && start < bytes.len() as u64, "{first}");
}

#[test]
fn an_array_that_claims_too_much_is_refused_before_it_is_unpacked() {
    let mut bytes = binary();
    // The first array of doubles: a type, a count, the encoding 1.
    let at = (27..bytes.len() - 13)
        .find(|&i| bytes[i] == b'd' && bytes[i + 5..i + 9] == [1, 0, 0, 0] && bytes[i + 3..i + 5] == [0, 0])
        .expect("a packed array");
    bytes[at + 1..at + 5].copy_from_slice(&u32::MAX.to_le_bytes());
    let (none, report) = scene(&bytes, &ReadOptions::default());
    assert!(none.is_none());
    let first = &report.diagnostics()[0];
    assert_eq!((first.code.id, first.place.span.as_ref().unwrap().start), ("FB106", at as u64));
    assert_eq!(first.place.field.as_deref(), Some("array.count"));
}

#[test]
fn deep_trees_are_refused_at_the_limit() {
    let mut file =
        String::from("; FBX 7.4.0 project file\nFBXHeaderExtension:  {\nFBXVersion: 7400\n}\nObjects:  {\n");
    for id in 1..=100 {
        file += &format!("Model: {id}, \"Model::n{id}\", \"Null\" {{\nVersion: 232\n}}\n");
    }
    file += "}\nConnections:  {\n";
    for id in 1..=100 {
        file += &format!("C: \"OO\",{id},{}\n", id - 1);
    }
    file += "}\n";
    let limits = Limits { max_depth: 50, ..Limits::default() };
    let (none, report) = scene(file.as_bytes(), &ReadOptions { limits, ..ReadOptions::default() });
    assert!(none.is_none());
    assert_eq!(report.diagnostics()[0].code.id, "FB108", "{}", report.diagnostics()[0]);
    assert_eq!(scene(file.as_bytes(), &ReadOptions::default()).0.map(|s| s.nodes.len()), Some(100));
    // A node that is its own ancestor.
    let circle = file.replace("C: \"OO\",1,0\n", "C: \"OO\",1,100\n");
    let (read, codes) = codes(circle.as_bytes());
    assert!(read || !codes.is_empty(), "{codes:?}");
}

#[test]
fn numbers_that_are_none_are_replaced_and_said() {
    for (from, to) in [
        ("a: -10,0,0,", "a: 1e300,0,0,"),
        (
            "\"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",5,2,0",
            "\"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",1e300,2,0",
        ),
        ("\"A\",250", "\"A\",1e99"),
    ] {
        let broken = text().replacen(from, to, 1);
        assert_ne!(broken, text(), "{from}");
        let (read, codes) = codes(broken.as_bytes());
        assert!(read && codes.contains(&"FB201"), "{to}: {codes:?}");
    }
}

#[test]
fn indices_past_the_end_are_put_right_and_said() {
    // A corner without a point makes the mesh invalid; a missing texture coordinate is repaired.
    let broken = text().replacen("a: 0,1,3,-3,", "a: 0,1,99,-3,", 1);
    assert_ne!(broken, text());
    assert_eq!(codes(broken.as_bytes()), (false, vec!["FB105"]));
    let broken = text().replacen("a: 0,1,2,3,0,1,2,3,", "a: 0,1,99,3,0,1,2,3,", 1);
    assert_ne!(broken, text());
    let (read, codes) = codes(broken.as_bytes());
    assert!(read, "{codes:?}");
    assert!(codes.contains(&"FB203"), "{codes:?}");
}

#[test]
fn morph_targets_cannot_be_made_to_fill_the_memory() {
    // A thousand shapes that each move one vertex of a large mesh.
    let mut file =
        String::from("; FBX 7.4.0 project file\nFBXHeaderExtension:  {\nFBXVersion: 7400\n}\nObjects:  {\n");
    let points = 20_000;
    let numbers = vec!["0,0,0"; points].join(",");
    let faces: Vec<String> =
        (0..points / 3).map(|f| format!("{},{},{}", f * 3, f * 3 + 1, -(f as i64 * 3 + 3))).collect();
    file += &format!(
        "Geometry: 1, \"Geometry::g\", \"Mesh\" {{\nVertices: *{} {{\na: {numbers}\n}}\n",
        points * 3
    );
    file += &format!("PolygonVertexIndex: *{} {{\na: {}\n}}\n}}\n", points / 3 * 3, faces.join(","));
    file += "Model: 2, \"Model::m\", \"Mesh\" {\nVersion: 232\n}\nDeformer: 3, \"Deformer::\", \"BlendShape\" {\nVersion: 100\n}\n";
    let mut connections = String::from("C: \"OO\",2,0\nC: \"OO\",1,2\nC: \"OO\",3,1\n");
    for i in 0..1000 {
        let (channel, shape) = (10_000 + i, 20_000 + i);
        file += &format!(
            "Deformer: {channel}, \"SubDeformer::\", \"BlendShapeChannel\" {{\nFullWeights: *1 {{\na: 100\n}}\n}}\n"
        );
        file += &format!(
            "Geometry: {shape}, \"Geometry::\", \"Shape\" {{\nIndexes: *1 {{\na: 0\n}}\nVertices: *3 {{\na: 1,0,0\n}}\n}}\n"
        );
        connections += &format!("C: \"OO\",{channel},3\nC: \"OO\",{shape},{channel}\n");
    }
    file += &format!("}}\nConnections:  {{\n{connections}}}\n");
    assert_eq!(codes(file.as_bytes()), (false, vec!["FB107"]));
}

#[test]
fn no_text_makes_it_panic_or_lie() {
    let text = text();
    let mut cases = 0;
    // Replaces every number of the file, one at a time.
    for instead in ["-1", "4294967295", "1e999", "nan", "\"\"", ""] {
        let mut at = 0;
        while let Some(found) = text[at..].find(|c: char| c.is_ascii_digit()) {
            let start = at + found;
            let end = start + text[start..].find(|c: char| !c.is_ascii_digit()).unwrap_or(0);
            at = end + 7 * instead.len();
            let broken = [&text[..start], instead, &text[end..]].concat();
            let (scene, report) = scene(broken.as_bytes(), &ReadOptions::default());
            match scene {
                Some(scene) => support::check_promise(&scene),
                None => assert!(report.count(Severity::Error) > 0),
            }
            cases += 1;
            if at >= text.len() {
                break;
            }
        }
    }
    assert!(cases > 1000, "{cases}");
}

#[test]
fn what_is_skipped_is_said() {
    let whole = binary();
    assert!(!codes(&whole).1.contains(&"FB207"), "{:?}", codes(&whole));
    // The first record ends within itself.
    let mut short = whole.clone();
    short[27..31].copy_from_slice(&5_u32.to_le_bytes());
    let (_, found) = codes(&short);
    assert!(found.contains(&"FB207") || found.contains(&"FB105"), "{found:?}");
    // The list of objects under another name.
    let at = whole.windows(7).position(|bytes| bytes == b"Objects").expect("a list of objects");
    let mut renamed = whole.clone();
    renamed[at..at + 7].copy_from_slice(b"objects");
    let is_only = renamed.windows(7).all(|bytes| bytes != b"Objects");
    assert!(is_only && codes(&renamed).1.contains(&"FB207"), "{:?}", codes(&renamed));
}
