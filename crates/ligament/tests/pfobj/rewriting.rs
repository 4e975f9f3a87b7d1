//! Files come back as they were.

use crate::support::*;
use ligament::formats::{Format, ReadOptions};
use ligament::pfobj::{Dialect, Document};
use ligament::report::{Report, Severity};

#[test]
fn real_files_are_rewritten_byte_for_byte() {
    let (Some(real), Some(own)) = (corpus("real/pfobj"), corpus("own/pfobj")) else { return };
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
            // Seven weights in the worm are the only oddity.
            assert_eq!(diagnostic.code.id, "PF405", "{}: {diagnostic}", file.display());
            assert_eq!(diagnostic.severity, Severity::Warning);
        }
    }
}

#[test]
fn real_files_come_back_through_the_scene_byte_for_byte() {
    let Some(real) = corpus("real/pfobj") else { return };
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
    let sniff = |head: &[u8]| ligament::pfobj::Pfobj.sniff(head);
    assert_eq!(sniff(SMALL.as_bytes()), Match::Yes);
    assert_eq!(sniff(&[b"\xef\xbb\xbf\r\n", &SMALL.as_bytes()[..60]].concat()), Match::Yes);
    assert_eq!(sniff(b"version 1.0\nother"), Match::No);
    assert_eq!(sniff(b"version 1.0"), Match::No);
    assert_eq!(sniff(b"versions\nnum_verts"), Match::No);
    assert_eq!(sniff(b""), Match::No);
}

#[test]
#[cfg(feature = "parallel")]
fn several_cores_read_the_same_document() {
    let (Some(real), Some(own)) = (corpus("real/pfobj"), corpus("own/pfobj")) else { return };
    let three = rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("threads can be started");
    let mage = std::fs::read_to_string(real.join("mage.pfobj")).expect("readable");
    let start = mage.find("\nv ").expect("has vertices") + 1;
    let end = mage.find("\nmaterial").expect("has a material") + 1;
    let large = mage[..start].replacen("1098", "10980", 1) + &mage[start..end].repeat(10) + &mage[end..];
    let read = |text: &str, threshold: usize| {
        let mut report = Report::default();
        let document = three.install(|| {
            Document::parse_with(text.as_bytes(), &ReadOptions::default(), Some(threshold), &mut report)
        });
        (document.ok(), report.diagnostics().to_vec())
    };
    for file in [pfobj_files(&real), pfobj_files(&own)].concat() {
        let text = std::fs::read_to_string(&file).expect("readable");
        let one = read(&text, usize::MAX);
        assert!(one.0.is_some() && one == read(&text, 0), "{}", file.display());
    }
    let one = read(&large, usize::MAX);
    assert_eq!(one.0.as_ref().map(Document::vertex_count), Some(10_980));
    assert!(one == read(&large, 0));
    // Irregular files: an odd vertex in the middle, faults, a wrong count, many weights.
    let middle = start + (end - start) * 5 + mage[start..end].find("\nvn ").expect("has normals");
    for (what, insert) in [
        ("a blank line", "\n"),
        ("a stray line", "\nstray"),
        ("another layout", "\nvn 0 0 1\nvw \nvm 0\nv 1 2 3\nvt 0 0"),
        ("a bad number", "\nvn 0 x 1\nvw \nvm 0\nv 1 2 3\nvt 0 0"),
    ] {
        let text = format!("{}{insert}{}", &large[..middle], &large[middle..]);
        let one = read(&text, usize::MAX);
        assert!(one == read(&text, 0), "{what}");
        assert!(!one.1.is_empty() || one.0.is_some(), "{what}");
    }
    // Clips: many frames, and the same faults within them.
    let first = mage.find("\nas ").expect("has clips") + 1;
    let frames = mage[first..].find('\n').expect("a line") + first + 1;
    let end = mage[frames..].find("\nas ").map_or_else(|| mage.rfind("\nx_bounds"), |n| Some(frames + n));
    let end = end.expect("the clip ends") + 1;
    let count: usize =
        mage[first..frames].split_whitespace().last().expect("a count").parse().expect("number");
    let header = format!("frame_counts   {count}");
    let long = |insert: &str| {
        let line = mage[first..frames].replace(&format!(" {count}\n"), &format!(" {}\n", count * 9));
        let again = mage[frames..end].repeat(4);
        let head = mage[..first].replacen(&header, &format!("frame_counts   {}", count * 9), 1);
        format!("{head}{line}{again}{}{insert}{again}{}", &mage[frames..end], &mage[end..])
    };
    for (what, insert, valid) in [
        ("regular", "", true),
        ("a blank line", "\n", true),
        ("a stray line", "stray\n", false),
        ("a box too many", "\tx_bounds 0.000000 1.000000\n", false),
        ("a joint twice", "        1 1/1/1 0/0/0/1 0/0/0\n", false),
    ] {
        let text = long(insert);
        let one = read(&text, usize::MAX);
        assert_eq!(one.0.is_some(), valid, "{what}: {:?}", one.1);
        assert!(one == read(&text, 0), "{what}");
        assert!(one.0.is_none_or(|d| d.clips[0].frames as usize == count * 9), "{what}");
    }
    // Without boxes the last frame ends with the file.
    let bare = edited("has_collision  1", "has_collision  0");
    let bare: String = bare.lines().filter(|l| !l.contains("_bounds")).map(|l| format!("{l}\n")).collect();
    let one = read(&bare, usize::MAX);
    assert!(one.0.is_some() && one == read(&bare, 0), "{:?}", one.1);
    let many = large
        .replace("vw  26/1.000000", "vw  1/0.1 2/0.1 3/0.1 4/0.1 5/0.1 6/0.1 26/1.000000")
        .replace("/0.1 ", "/0.100000 ");
    let one = read(&many, usize::MAX);
    assert_eq!(one.1.first().map(|d| d.code.id), Some("PF405"));
    assert!(one == read(&many, 0));
}
