//! Bad input: each fault is refused with its code and its place.

use crate::{codes, fixture, parse, support, valid, write};
use ligament::formats::apg::Dialect;
use ligament::report::{Report, Severity};

const GOOD: &str = "@Anton's custom mesh format v.27DEC2014 http://antongerdelan.net/
@vert_count 3
@vp comps 3
0 0 0
1 0 0
0 1 0
@vn comps 3
0 0 1
0 0 1
0 0 1
@vb comps 1
0
1
1
@skeleton bones 2 animations 1
@root_transform comps 16
1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1
@offset_mat comps 16
1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1
1 0 0 0 0 1 0 0 0 0 1 0 0 -1 0 1
@hierarchy nodes 2
parent -1 bone_id 0
parent 0 bone_id 1
@animation name Wave duration 1
@tra_keys node 1 count 2 comps 3
t 0 TRA 0 1 0
t 1 TRA 0 1 0
@rot_keys node 1 count 1 comps 4
t 0 ROT 1 0 0 0
@bounding_radius 1
";

/// The code, line and column of the first error.
fn first(report: &Report) -> (&'static str, Option<(u32, u32)>) {
    let error = report.diagnostics().iter().find(|d| d.severity == Severity::Error).expect("an error");
    (error.code.id, error.place.line_column)
}

fn refused(what: &str, text: &[u8]) -> Report {
    let mut report = Report::default();
    let options = ligament::formats::ReadOptions::default();
    let document = ligament::formats::apg::Document::parse(text, &options, &mut report);
    let imported =
        document.and_then(|d| ligament::formats::Document::import(Box::new(d), &options, &mut report));
    assert!(imported.is_err(), "{what} is accepted");
    report
}

#[test]
fn the_model_of_the_faults_is_good() {
    let (document, report) = parse(GOOD.as_bytes());
    assert!(report.diagnostics().is_empty(), "{:?}", report.diagnostics());
    assert_eq!(write(&document.expect("valid"), Dialect::Text), GOOD.as_bytes());
}

#[test]
fn each_fault_is_refused_at_its_place() {
    // The text to replace, its replacement, the code, line and column.
    let faults = [
        ("@vert_count 3", "@vert_count many", "AP104", 2, 13),
        ("@vert_count 3", "@vert_count -3", "AP104", 2, 13),
        ("@vert_count 3", "@vert_count 3 4", "AP106", 2, 1),
        ("@vert_count 3", "@vert_count 4", "AP201", 7, 1),
        ("@vert_count 3", "@vert_count 2147483647", "AP201", 7, 1),
        ("@vert_count 3", "@vert_count 99999999999", "AP104", 2, 13),
        ("@vert_count 3\n", "", "AP204", 2, 1),
        ("@vp comps 3", "@vp comps 2", "AP107", 3, 1),
        ("@vp comps 3", "@vp 3", "AP106", 3, 1),
        ("@vp comps 3\n0 0 0\n1 0 0\n0 1 0\n", "", "AP207", 27, 1),
        ("1 0 0\n0 1 0\n", "1 0\n0 1 0\n", "AP105", 5, 1),
        ("1 0 0\n0 1 0\n", "1 0 0 0\n0 1 0\n", "AP105", 5, 7),
        ("1 0 0\n0 1 0\n", "1 0,5 0\n0 1 0\n", "AP102", 5, 3),
        ("1 0 0\n0 1 0\n", "1 inf 0\n0 1 0\n", "AP103", 5, 3),
        ("1 0 0\n0 1 0\n", "1 1e30 0\n0 1 0\n", "AP103", 5, 3),
        ("1 0 0\n0 1 0\n", "1 1e99 0\n0 1 0\n", "AP103", 5, 3),
        ("0 0 1\n0 0 1\n@vb", "0 0 1\n@vb", "AP201", 10, 1),
        ("@vn comps 3", "@vp comps 3", "AP205", 7, 1),
        ("@vb comps 1", "@vb comps 5", "AP107", 11, 1),
        ("@vb comps 1\n0\n1\n1", "@vb comps 1\n0\n2\n1", "AP301", 13, 1),
        ("@vb comps 1\n0\n1\n1", "@vb comps 1\n0\n-2\n1", "AP104", 13, 1),
        ("@vb comps 1\n0\n1\n1", "@vb comps 1\n0\n1.5\n1", "AP104", 13, 1),
        ("@vb comps 1\n0\n1\n1", "@vb comps 2\n0 1\n1\n1 0", "AP105", 13, 1),
        ("@skeleton bones 2", "@vw comps 2\n1 0\n1 0\n1 0\n@skeleton bones 2", "AP209", 15, 1),
        ("@skeleton bones 2", "@vw comps 1\n1\nnan\n1\n@skeleton bones 2", "AP103", 17, 1),
        ("@skeleton bones 2 animations 1", "@skeleton 2 1", "AP106", 15, 1),
        ("@skeleton bones 2", "@skeleton bones 3", "AP201", 21, 1),
        ("@skeleton bones 2", "@skeleton bones 2000000000", "AP201", 21, 1),
        ("@root_transform comps 16\n1 0 0 0", "@root_transform comps 16\n1 0 0", "AP105", 17, 1),
        ("@root_transform comps 16\n1 0 0 0", "@root_transform comps 16\n1 0 0 nan", "AP103", 17, 7),
        ("parent 0 bone_id 1", "parent 1 bone_id 1", "AP303", 23, 1),
        ("parent -1 bone_id 0", "parent 1 bone_id 0", "AP303", 22, 1),
        ("parent 0 bone_id 1", "parent 7 bone_id 1", "AP302", 23, 1),
        ("parent 0 bone_id 1", "parent 0 bone_id 2", "AP301", 23, 1),
        ("parent 0 bone_id 1", "parent 0 bone 1", "AP105", 23, 1),
        ("@hierarchy nodes 2", "@hierarchy nodes 3", "AP201", 24, 1),
        ("name Wave duration 1", "called Wave", "AP106", 24, 1),
        ("name Wave duration 1", "name Wave duration long", "AP102", 24, 31),
        ("@tra_keys node 1", "@tra_keys node 2", "AP302", 25, 1),
        ("@tra_keys node 1 count 2", "@tra_keys node 1 count 3", "AP201", 28, 1),
        ("@tra_keys node 1 count 2", "@tra_keys node 1 count 2147483647", "AP201", 28, 1),
        ("t 1 TRA", "t 1 SCA", "AP105", 27, 1),
        ("t 1 TRA 0 1 0", "t 1 TRA 0 1", "AP105", 27, 9),
        ("t 1 TRA", "t nan TRA", "AP103", 27, 3),
        (
            "@rot_keys node 1 count 1 comps 4\nt 0 ROT 1 0 0 0",
            "@tra_keys node 1 count 1 comps 3\nt 0 TRA 0 0 0",
            "AP205",
            28,
            1,
        ),
        ("@animation name Wave duration 1\n", "", "AP204", 24, 1),
        ("@bounding_radius 1", "@bounding_radius", "AP106", 30, 1),
        ("@bounding_radius 1", "@bounding box 1", "AP106", 30, 1),
    ];
    for (from, to, code, line, column) in faults {
        let what = format!("{from:?} → {to:?}");
        assert!(GOOD.contains(from), "{what}");
        let report = refused(&what, GOOD.replacen(from, to, 1).as_bytes());
        assert_eq!(first(&report), (code, Some((line, column))), "{what}: {:?}", report.diagnostics());
    }
    // Faults that only show when matrices are multiplied have no line.
    let bent = GOOD.replacen("0 0 -1 0 1\n", "0 0 -1 0 2\n", 1);
    assert_eq!(first(&refused("no affine matrix", bent.as_bytes())).0, "AP305");
}

#[test]
fn all_faults_are_reported_not_only_the_first() {
    let text =
        GOOD.replace("1 0 0\n0 1 0\n", "x 0 0\n0 y 0\n").replace("parent 0 bone_id 1", "parent 9 bone_id 1");
    let report = refused("three faults", text.as_bytes());
    assert_eq!(codes(&report), ["AP102", "AP102", "AP302"]);
}

#[test]
fn a_block_never_swallows_the_next_tag() {
    let text = GOOD.replace("@vert_count 3", "@vert_count 5");
    let report = refused("two vertices too few", text.as_bytes());
    let places: Vec<_> = report.diagnostics().iter().map(|d| (d.code.id, d.place.line_column)).collect();
    assert_eq!(places, [("AP201", Some((7, 1))), ("AP201", Some((11, 1))), ("AP201", Some((15, 1)))]);
    assert!(report.diagnostics()[0].message.contains("3 of 5"), "{:?}", report.diagnostics()[0]);
}

#[test]
fn more_lines_than_announced_are_noticed() {
    let (document, report) = parse(GOOD.replace("@vert_count 3", "@vert_count 2").as_bytes());
    assert_eq!(codes(&report), ["AP202"; 3]);
    assert_eq!(report.diagnostics()[0].place.line_column, Some((6, 1)));
    assert_eq!(document.expect("readable").vertices.count(), 2);
    let (document, report) = parse(GOOD.replace("count 2 comps 3", "count 1 comps 3").as_bytes());
    assert_eq!(codes(&report), ["AP202"]);
    assert_eq!(document.expect("readable").animations[0].channels[0].times.len(), 2);
    let (_, report) = parse(GOOD.replace("animations 1", "animations 4").as_bytes());
    assert_eq!(codes(&report), ["AP206"]);
    assert_eq!(report.diagnostics()[0].place.line_column, Some((15, 1)));
}

#[test]
fn other_files_are_no_apg() {
    for text in [&b""[..], b"\n\n", b"hello\n", b"@hello\n", b"\x89PNG\r\n", b"BINAPG"] {
        let report = refused("another file", text);
        assert_eq!(first(&report).0, "AP101", "{text:?}");
    }
}

#[test]
fn a_chain_of_nodes_has_an_end() {
    let mut text = String::from(
        "@vert_count 0\n@skeleton bones 0 animations 0\n@hierarchy nodes 5000\nparent -1 bone_id -1\n",
    );
    for parent in 0..4999 {
        text.push_str(&format!("parent {parent} bone_id -1\n"));
    }
    let report = refused("a chain of 5000 nodes", text.as_bytes());
    assert_eq!(first(&report), ("AP304", Some((1028, 1))));
}

#[test]
fn bones_that_nothing_bears_out_take_no_memory() {
    let text = "@vert_count 1\n@vp comps 3\n0 0 0\n@vb comps 1\n7\n@skeleton bones 2000000000 animations 0\n";
    assert_eq!(first(&refused("bones out of nothing", text.as_bytes())), ("AP208", Some((6, 1))));
}

#[test]
fn faults_of_binary_files_have_offsets_and_fields() {
    let good = write(&valid(GOOD.as_bytes()), Dialect::Binary);
    let points = 260;
    let tangents = points + 3 * (12 + 12 + 8);
    let bones = tangents + 4;
    let skeleton = bones + 3 * 8;
    let root = skeleton + 8;
    let hierarchy = root + 4 + 64 + 4 + 128;
    let animation = hierarchy + 4 + 16;
    let channel = animation + 4 + 4 + 4 + 4;
    // Offset, new word, the code, where it is reported, the field.
    let faults = [
        (25, 2_u32, "AP111", 25, "version"),
        (256, 0xffff_ffff, "AP104", 256, "vert_count"),
        (256, 0x7fff_ffff, "AP108", 260, "vp"),
        (points + 4, 0x7f80_0000, "AP103", points + 4, "vp"),
        (tangents, 5, "AP107", tangents, "vtan comps"),
        (bones, 2, "AP301", bones, "bones[0]"),
        (bones, 0xffff_fff0, "AP104", bones, "vb"),
        (bones + 12, 0x7fc0_0000, "AP103", bones + 12, "vw"),
        (skeleton, 0x0fff_ffff, "AP108", 0, "offset_mat"),
        (root, 15, "AP107", root, "root_transform"),
        (hierarchy, 0x7fff_ffff, "AP108", hierarchy + 4, "hierarchy"),
        (hierarchy + 4, 1, "AP303", hierarchy + 4, "nodes[0]"),
        (animation, 0x7fc0_0000, "AP103", animation, "duration"),
        (animation + 4, 0x7fff_ffff, "AP110", 0, "keys"),
        (animation + 8, 0x7fff_ffff, "AP108", animation + 12, "name"),
        (animation + 12, u32::from_le_bytes(*b"a\nbc"), "AP106", animation + 12, "name"),
        (channel + 1, 9, "AP302", channel, "channels[0]"),
        (channel + 5, 0x7fff_ffff, "AP108", channel + 9, "keys"),
    ];
    for (at, word, code, offset, field) in faults {
        let mut bytes = good.clone();
        if at == 25 {
            bytes[25] = word as u8;
        } else {
            bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
        }
        let what = format!("{word:#x} at {at}");
        let report = refused(&what, &bytes);
        let error = &report.diagnostics()[0];
        assert_eq!((error.code.id, error.place.field.as_deref()), (code, Some(field)), "{what}: {error:?}");
        let found = error.place.span.as_ref().map(|s| s.start as usize);
        assert!(offset == 0 || found == Some(offset), "{what}: {error:?}");
    }
    let mut longer = good.clone();
    longer.push(0);
    assert_eq!(refused("a byte more", &longer).diagnostics()[0].code.id, "AP109");
    for end in 7..good.len() {
        refused(&format!("cut at {end}"), &good[..end]);
    }
}

#[test]
fn the_historical_binary_is_refused_wherever_it_is_cut() {
    let bytes = fixture("bend_conv_bin.apg");
    let mut accepted = Vec::new();
    for end in (7..bytes.len()).step_by(3) {
        if support::exercise(&ligament::formats::apg::FORMAT, &bytes[..end], std::path::Path::new(".")) {
            accepted.push(end);
        }
    }
    // The format has no count of channels, so a file may end between them.
    assert!(accepted.len() <= 3, "{accepted:?}");
}
