//! Rewritten files are the same as before.

use crate::support::*;
use ligament::formats::pfobj::Dialect;
use ligament::report::Severity;

#[test]
fn real_files_are_rewritten_byte_for_byte() {
    let (real, own) = (corpus("real/pfobj"), corpus("own/pfobj"));
    let files = [pfobj_files(&real), pfobj_files(&real.join("old_header")), pfobj_files(&own)].concat();
    assert_eq!(files.len(), 15);
    for file in files {
        let bytes = std::fs::read(&file).expect("readable");
        let (document, report) = parse(&bytes);
        let document = document.unwrap_or_else(|| panic!("{}: {:?}", file.display(), report.diagnostics()));
        assert!(text(&document) == bytes, "{} changed", file.display());
        let euler = file.ends_with("bend_tube_spec_euler.pfobj");
        let expected = if euler { Dialect::Document } else { Dialect::Engine };
        assert_eq!(document.dialect, expected, "{}", file.display());
        for diagnostic in report.diagnostics() {
            // The only peculiarity is the seven weights of the worm.
            assert_eq!(diagnostic.code.id, "PF405", "{}: {diagnostic}", file.display());
            assert_eq!(diagnostic.severity, Severity::Warning);
        }
    }
}

#[test]
fn real_files_come_back_through_the_scene_byte_for_byte() {
    let real = corpus("real/pfobj");
    let files = pfobj_files(&real);
    assert_eq!(files.len(), 8);
    for file in files {
        let bytes = std::fs::read(&file).expect("readable");
        let (again, output, report) = reencode(&bytes, Dialect::Engine);
        assert!(again == bytes, "{} changed", file.display());
        assert!(output.side_files.is_empty());
        assert!(report.diagnostics().is_empty() && report.losses().is_empty(), "{}", file.display());
    }
}

#[test]
fn the_small_file_is_valid() {
    let (document, report) = parse(SMALL.as_bytes());
    assert!(report.diagnostics().is_empty(), "{:?}", report.diagnostics());
    assert!(text(&document.expect("valid")) == SMALL.as_bytes());
}

#[test]
fn other_spacing_reads_the_same() {
    let expected = parse(SMALL.as_bytes()).0.expect("valid");
    let windows = SMALL.replace('\n', "\r\n");
    let tabs = SMALL.replace(' ', "\t ").replace("\nv", "\n\n   v");
    let unended = SMALL.trim_end().to_owned();
    let bare = SMALL.replace("vw \n", "vw\n").replace("vw  ", "vw ");
    for (what, text) in
        [("windows", windows), ("tabs", tabs), ("no last line end", unended), ("bare vw", bare)]
    {
        let (document, report) = parse(text.as_bytes());
        assert!(report.diagnostics().is_empty(), "{what}: {:?}", report.diagnostics());
        assert_eq!(document.as_ref(), Some(&expected), "{what}");
    }
    let marked = [b"\xef\xbb\xbf", SMALL.as_bytes()].concat();
    assert_eq!(found(&marked), ["note PF412 1:1"]);
    assert_eq!(parse(&marked).0.as_ref(), Some(&expected));
    let exponents = SMALL.replace("0.500000", "5e-1").replace(" 1.000000", " +1");
    assert_eq!(parse(exponents.as_bytes()).0.as_ref(), Some(&expected));
}

#[test]
fn frame_lines_may_come_in_any_order() {
    let lines: Vec<&str> = SMALL.lines().collect();
    let mut swapped = lines.clone();
    swapped.swap(35, 36);
    assert_ne!(lines, swapped);
    let swapped = swapped.join("\n") + "\n";
    assert_eq!(found(swapped.as_bytes()), [""; 0]);
    assert_eq!(parse(swapped.as_bytes()).0, parse(SMALL.as_bytes()).0);
}

#[test]
fn odd_names_survive_a_rewrite() {
    let mut bytes = edited("Root", "left hand").into_bytes();
    let at = bytes.windows(4).position(|w| w == b"Walk").expect("is there");
    bytes[at..at + 4].copy_from_slice(b"W\xe4 \x1b");
    assert_eq!(found(&bytes), ["note PF413 35:4"]);
    let document = parse(&bytes).0.expect("valid");
    assert!(text(&document) == bytes);
    let (again, _, report) = reencode(&bytes, Dialect::Engine);
    let again = String::from_utf8(again).expect("scenes hold UTF-8");
    assert!(again.contains("j 0 left_hand 1") && again.contains("as W\u{fffd}__ 2"), "{again}");
    let changed = report.diagnostics().iter().filter(|d| d.code.id == "PF501").count();
    assert_eq!(changed, 2, "{:?}", report.diagnostics());
}

#[test]
fn remainders_are_kept_and_told() {
    let document = edited("num_verts      3", "num_verts      4");
    let vertex =
        "v 5.000000 5.000000 5.000000\nvt 0.000000 0.000000\nvn 0.000000 0.000000 1.000000\nvw \nvm 0\n";
    let document = document.replacen("material Skin", &format!("{vertex}material Skin"), 1);
    assert_eq!(found(document.as_bytes()), ["warning PF411 51:1", "warning PF401 2:16"]);
    let read = parse(document.as_bytes()).0.expect("valid");
    assert!(text(&read) == document.as_bytes());
    let scene = import(read);
    assert_eq!(scene.meshes[0].parts[0].faces.corners(), [0, 1, 2]);
}

#[test]
fn a_text_file_is_found_to_be_pfobj_by_its_content() {
    use ligament::formats::Match;
    let sniff = |head: &[u8]| ligament::formats::pfobj::FORMAT.sniff(head);
    assert_eq!(sniff(SMALL.as_bytes()), Match::Yes);
    assert_eq!(sniff(&[b"\xef\xbb\xbf\r\n", &SMALL.as_bytes()[..60]].concat()), Match::Yes);
    assert_eq!(sniff(b"version 1.0\nother"), Match::No);
    assert_eq!(sniff(b"version 1.0"), Match::No);
    assert_eq!(sniff(b"versions\nnum_verts"), Match::No);
    assert_eq!(sniff(b""), Match::No);
}
