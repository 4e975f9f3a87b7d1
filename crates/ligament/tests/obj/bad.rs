//! Faults are reported at their places.

use crate::*;

const SMALL: &str = "o Leaf\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\nf 1/1/1 2/1/1 3/1/1\n";

fn edited(from: &str, to: &str) -> String {
    assert!(SMALL.contains(from), "{from:?} is in the file");
    SMALL.replacen(from, to, 1)
}

#[test]
fn bad_values_are_told_and_reading_goes_on() {
    for (from, to, expected) in [
        ("v 1 0 0", "v 1 0,5 0", "error OB101 3:5"),
        ("v 1 0 0", "v nan 0 0", "error OB102 3:3"),
        ("v 1 0 0", "v 0 -inf 0", "error OB102 3:5"),
        ("v 1 0 0", "v 1e99 0 0", "error OB103 3:3"),
        ("v 1 0 0", "v 0x10 0 0", "error OB101 3:3"),
        ("v 1 0 0", "v 1 0", "error OB104 3:6"),
        ("v 1 0 0", "v", "error OB104 3:2"),
        ("vn 0 0 1", "vn 0 0", "error OB104 6:7"),
        ("vt 0 0", "vt", "error OB104 5:3"),
        ("2/1/1", "2/1/1/1", "error OB106 7:9"),
        ("2/1/1", "/1/1", "error OB106 7:9"),
        ("2/1/1", "2/x", "error OB106 7:9"),
        ("2/1/1", "2.0", "error OB106 7:9"),
        ("2/1/1", "0/1/1", "error OB202 7:9"),
        ("2/1/1", "2/0/1", "error OB202 7:9"),
        ("2/1/1", "7/1/1", "error OB201 7:9"),
        ("2/1/1", "-4/1/1", "error OB201 7:9"),
        ("2/1/1", "2/2/1", "error OB201 7:9"),
        ("2/1/1", "2/1/2", "error OB201 7:9"),
        ("2/1/1", "2147483647/1/1", "error OB201 7:9"),
        ("2/1/1", "99999999999/1/1", "error OB106 7:9"),
        ("f 1/1/1 2/1/1 3/1/1", "f", "error OB107 7:1"),
        ("f 1/1/1 2/1/1 3/1/1", "l 1//1 2//1", "error OB106 7:3"),
        ("f 1/1/1 2/1/1 3/1/1", "l 1", "error OB104 7:1"),
        ("f 1/1/1 2/1/1 3/1/1", "p 1/1", "error OB106 7:3"),
        ("o Leaf", "mtllib ../secret.mtl", "error OB301 1:8"),
        ("o Leaf", "mtllib /etc/passwd", "error OB301 1:8"),
    ] {
        let found = errors(&edited(from, to));
        assert_eq!(found.first().map(String::as_str), Some(expected), "{to}: {found:?}");
    }
    let all = errors("v a b c\nv 1 2\nf 1 2 9\nf 0 0 0\n");
    assert_eq!(all[..4], ["error OB101 1:3", "error OB101 1:5", "error OB101 1:7", "error OB104 2:6"]);
    assert_eq!(all.len(), 8, "{all:?}");
}

#[test]
fn what_holds_no_geometry_is_refused() {
    assert_eq!(errors(""), ["error OB112"]);
    assert_eq!(errors("# nothing\n\n"), ["error OB112"]);
    assert_eq!(errors("\0\0\0\0x\n"), ["error OB111 1:1"]);
}

#[test]
fn odd_lines_are_told_once_a_kind() {
    let text = "weird 1\nweird 2\nlod 3\nshadow_obj a.obj\ncall b.obj\nmtllib\nusemtl\ns maybe\n";
    let (model, report) = parse(&format!("{text}{SMALL}f 1 2\nvn 0 0 1 5\nv 1 2 3 4 5\n"));
    assert!(model.is_some_and(|m| m.left_out.thin_faces == 1));
    let found = places(&report);
    for expected in [
        "warning OB108 1:1",
        "note OB403 3:1",
        "note OB403 4:1",
        "warning OB404 5:1",
        "warning OB405 6:1",
        "warning OB405 7:1",
        "warning OB410 8:3",
        "warning OB401 16:1",
        "warning OB105 17:10",
        "warning OB105 18:1",
    ] {
        assert!(found.iter().any(|p| p == expected), "{expected} in {found:?}");
    }
    let weird = report.diagnostics().iter().find(|d| d.code.id == "OB108").expect("is told");
    assert!(weird.message.ends_with("(1 more like this)"), "{weird:?}");
}

/// A file of many names or many faces at one position must not take forever, and a huge index must not take much
/// memory.
#[test]
fn hostile_files_take_no_longer_than_others() {
    let started = std::time::Instant::now();
    let mut text = String::from("v 0 0 0\n");
    (0..100_000).for_each(|i| text.push_str(&format!("vt {i} 0\n")));
    (1..100_000).for_each(|i| text.push_str(&format!("f 1/{i} 1/{} 1/1\n", i + 1)));
    assert_eq!(valid(&text).vertices.len(), 100_000);
    assert!(started.elapsed().as_secs() < 20);
    let many: String = (0..3000).map(|i| format!("f {} 1 2\n", 2_000_000_000 - i)).collect();
    let (model, report) = parse(&many);
    assert!(model.is_none() && report.has_errors());
}
