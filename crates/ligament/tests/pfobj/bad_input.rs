//! Faults are reported at their places.

use crate::support::*;
use ligament::formats::ReadOptions;
use ligament::formats::pfobj::Document;
use ligament::report::Report;

#[test]
fn a_lenient_reader_trusts_the_frame_count_of_the_clip() {
    let text = edited("frame_counts   2", "frame_counts   3");
    assert_eq!(found(text.as_bytes()), ["error PF206 35:9"]);
    assert!(parse(text.as_bytes()).0.is_none());
    let read = |text: &str| {
        let options = ReadOptions { lenient: true, ..ReadOptions::default() };
        let mut report = Report::default();
        let document = Document::parse(text.as_bytes(), &options, &mut report).ok();
        (document, places(&report))
    };
    let (document, told) = read(&text);
    assert_eq!(told, ["warning PF206 35:9"]);
    assert!(self::text(&document.expect("read")) == SMALL.as_bytes(), "a rewrite corrects the header");
    // Missing frames are reported in any case, and a count without data is not trusted.
    assert_eq!(read(&edited("as Walk 2", "as Walk 3")).1, ["warning PF206 35:9", "error PF108 46:1"]);
    let unbacked = SMALL.replacen("num_joints     2", "num_joints     0", 1).replacen(
        "has_collision  1",
        "has_collision  0",
        1,
    );
    let end = unbacked.find("j 0 Root").expect("is there");
    let unbacked = unbacked[..end].replace("0/1.000000", "").replace("0/0.500000 1/0.500000", "");
    assert_eq!(
        read(&format!("{unbacked}as Walk 4000000000\n")).1,
        ["warning PF206 33:9", "error PF209 33:9"]
    );
}

#[test]
fn a_triangle_of_several_materials_is_told_at_its_line() {
    let lines: Vec<&str> = SMALL.lines().collect();
    let mut mixed = lines.clone();
    mixed[21] = "  vm 1";
    assert_eq!(found((mixed.join("\n") + "\n").as_bytes()), ["warning PF402 22:3"]);
    mixed[16] = "vm 1";
    assert_eq!(found((mixed.join("\n") + "\n").as_bytes()), ["warning PF402 17:1"]);
}

#[test]
fn everything_that_is_said_about_a_files_text_has_a_place() {
    let tiny = edited("j 0 Root 1.000000/", "j 0 Root 1e-42/");
    assert_eq!(found(tiny.as_bytes()), ["error PF310 33:3", "error PF310 34:3"]);
    let many = "vw  0/0.1 1/0.1 0/0.1 1/0.1 0/0.1 1/0.1 0/0.1";
    let codes = found(edited("vw  0/1.000000", many).as_bytes());
    assert_eq!(codes.last().map(String::as_str), Some("warning PF405 8:1"), "{codes:?}");
}

#[test]
fn bad_input_is_reported_where_it_stands() {
    let root = "j 0 Root 1.000000/1.000000/1.000000";
    let vertex = "v 1.000000 0.000000 0.000000\nvt 1.000000 0.000000\nvn 0.000000 0.000000 1.000000\nvw  0/0.500000 1/0.500000\nvm 0\n";
    let cases: &[(&str, &str, &str, &[&str])] = &[
        ("a word for a number", "v 1.000000 0", "v 1.000000 x", &["error PF101 13:12"]),
        ("a comma", "vt 1.000000", "vt 1,000000", &["error PF101 14:4"]),
        ("hexadecimal", "vt 1.000000", "vt 0x10", &["error PF101 14:4"]),
        ("text after a number", "vt 1.000000", "vt 1.000000f", &["error PF101 14:4"]),
        ("NaN", "vn 0.000000", "vn nan", &["error PF102 10:4"]),
        ("infinity", "vn 0.000000", "vn -inf", &["error PF102 10:4"]),
        ("too large", "vn 0.000000", "vn 1e99", &["error PF103 10:4"]),
        (
            "two faults are both told",
            "vt 1.000000 0.000000\nvn 0.000000",
            "vt a 0.000000\nvn b",
            &["error PF101 14:4", "error PF101 15:4"],
        ),
        ("too few numbers", "vn 0.000000 0.000000 1.000000", "vn 0.000000 0.000000", &["error PF105 10:21"]),
        ("too many numbers", "vt 1.000000 0.000000", "vt 1.000000 0.000000 0.5", &["error PF106 14:22"]),
        ("negative count", "num_verts      3", "num_verts      -3", &["error PF104 2:16"]),
        ("count beyond 32 bits", "num_verts      3", "num_verts      99999999999", &["error PF104 2:16"]),
        ("gigantic count", "num_verts      3", "num_verts      4294967295", &["error PF203 23:1"]),
        ("one vertex too few", "num_verts      3", "num_verts      4", &["error PF203 23:1"]),
        ("one vertex too many", "num_verts      3", "num_verts      2", &["error PF204 18:1"]),
        ("gigantic joints", "num_joints     2", "num_joints     4294967295", &["error PF203 35:1"]),
        (
            "one joint too many",
            "num_joints     2",
            "num_joints     1",
            &["error PF302 16:16", "error PF204 34:1", "error PF204 37:9", "error PF204 42:9"],
        ),
        ("no materials", "num_materials  2", "num_materials  0", &["error PF205 4:1"]),
        ("a material too few", "num_materials  2", "num_materials  3", &["error PF203 33:1"]),
        ("a material too many", "num_materials  2", "num_materials  1", &["error PF204 28:1"]),
        (
            "a clip too few",
            "num_as         1\nframe_counts   2",
            "num_as         2\nframe_counts   2 2",
            &["error PF203 46:1"],
        ),
        ("frame counts missing", "frame_counts   2", "frame_counts   ", &["error PF202 6:1"]),
        ("frame counts too many", "frame_counts   2", "frame_counts   2 3", &["error PF202 6:1"]),
        ("as and header differ", "as Walk 2", "as Walk 3", &["error PF206 35:9", "error PF108 46:1"]),
        ("as without count", "as Walk 2", "as Walk", &["error PF105 35:8"]),
        ("has_collision", "has_collision  1", "has_collision  yes", &["error PF208 7:16"]),
        ("unknown version", "version        1.0", "version        2.0", &["warning PF207 1:16"]),
        (
            "header out of order",
            "num_verts      3\nnum_joints     2",
            "num_joints     2\nnum_verts      3",
            &["error PF201 2:1"],
        ),
        ("header line missing", "num_as         1\n", "", &["error PF201 5:1"]),
        ("vt missing", "vt 1.000000 0.000000\n", "", &["error PF108 14:1"]),
        (
            "vm missing",
            "vw  0/0.500000 1/0.500000\nvm 0\n",
            "vw  0/0.500000 1/0.500000\n",
            &["error PF108 17:1"],
        ),
        (
            "vt twice",
            "vt 1.000000 0.000000\n",
            "vt 1.000000 0.000000\nvt 1.000000 0.000000\n",
            &["error PF108 15:1"],
        ),
        ("a comment", "material Skin", "# mine\nmaterial Skin", &["error PF109 23:1"]),
        (
            "sections swapped",
            vertex,
            "material Skin\n",
            &["error PF203 13:1", "error PF108 14:1", "error PF108 19:1", "error PF204 24:1"],
        ),
        (
            "text in a clip",
            "\ty_bounds 0.000000 1.500000",
            "end\n\ty_bounds 0.000000 1.500000",
            &["error PF109 44:1"],
        ),
        (
            "text after the end",
            "\nx_bounds 0.000000 1.000000\ny_bounds 0.000000 1.000000\nz_bounds 0.000000 0.000000\n",
            "\nx_bounds 0.000000 1.000000\ny_bounds 0.000000 1.000000\nz_bounds 0.000000 0.000000\nend",
            &["error PF109 49:1"],
        ),
        ("material index", "vm 0", "vm 2", &["error PF301 12:4"]),
        ("joint index", "vw  0/1.000000", "vw  2/1.000000", &["error PF302 11:5"]),
        ("weight without joint", "vw  0/1.000000", "vw  1.000000", &["error PF105 11:5"]),
        ("joint twice", "0/0.500000 1/", "0/0.500000 0/", &["warning PF403 16:16"]),
        ("negative weight", "0/0.500000 1/", "0/-0.500000 1/", &["warning PF404 16:7"]),
        ("parent out of range", "j 1 Tip", "j 3 Tip", &["error PF303 34:3"]),
        ("own parent", "j 1 Tip", "j 2 Tip", &["error PF304 34:3"]),
        ("parent loop", "j 0 Root", "j 2 Root", &["error PF304 33:3"]),
        ("joint without name", "j 1 Tip 1", "j 1 1", &["warning PF408 34:3"]),
        ("short joint", root, "j 0", &["error PF105 33:94"]),
        (
            "zero scale",
            root,
            "j 0 Root 1.000000/0.000000/1.000000",
            &["error PF310 33:3", "error PF310 34:3"],
        ),
        ("scale of two", root, "j 0 Root 1.000000/1.000000", &["error PF307 33:10"]),
        ("same name twice", "j 1 Tip", "j 1 Root", &["warning PF407 34:3"]),
        ("frame joint 0", "        1 1.0", "        0 1.0", &["error PF305 36:9"]),
        ("frame joint twice", "        2 1.0", "        1 1.0", &["error PF306 37:9"]),
        (
            "frame line missing",
            "        1 1.000000/1.000000/1.000000 0.000000/0.000000/0.000000/1.000000 0.000000/0.000000/0.000000\n",
            "",
            &["error PF108 37:2"],
        ),
        (
            "mixed rotations",
            "as Walk 2\n        1 1.000000/1.000000/1.000000 0.000000/0.000000/0.000000/1.000000",
            "as Walk 2\n        1 1.000000/1.000000/1.000000 0.000000/0.000000/0.000000",
            &["error PF308 36:38"],
        ),
        (
            "zero quaternion",
            "0.000000/0.000000/0.000000/1.000000",
            "0.000000/0.000000/0.000000/0.000000",
            &["error PF309 33:37"],
        ),
        (
            "long quaternion",
            "0.000000/0.000000/0.000000/1.000000",
            "0.000000/0.000000/0.000000/2.000000",
            &["warning PF406 33:37"],
        ),
        ("texture outside", "texture skin.png", "texture ../skin.png", &["error PF312 27:13"]),
        ("texture missing", "texture skin.png", "texture", &["error PF105 27:12"]),
        (
            "box inside out",
            "\tx_bounds 0.000000 1.000000",
            "\tx_bounds 1.000000 0.000000",
            &["warning PF410 38:11"],
        ),
        (
            "box too small",
            "\nx_bounds 0.000000 1.000000",
            "\nx_bounds 0.000000 0.500000",
            &["warning PF411 46:1"],
        ),
        (
            "no boxes",
            "\tx_bounds 0.000000 1.000000\n\ty_bounds 0.000000 1.000000\n\tz_bounds 0.000000 0.000000\n",
            "",
            &["error PF204 38:9", "error PF108 43:1"],
        ),
    ];
    let mut wrong = Vec::new();
    for (what, from, to, expected) in cases {
        let found = found(edited(from, to).as_bytes());
        if found != *expected {
            wrong.push(format!("{what}: expected {expected:?}, found {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_file_that_ends_early_is_an_error_at_its_end() {
    for (cut, place) in [
        ("num_as", "5:1"),
        ("vt 1.000000", "14:1"),
        ("    specular", "26:1"),
        ("j 1 Tip", "34:1"),
        ("as Walk", "35:1"),
        ("\ty_bounds", "39:1"),
        ("        2 1.000000", "37:1"),
    ] {
        let text = &SMALL[..SMALL.find(cut).expect("is there")];
        assert_eq!(found(text.as_bytes()), [format!("error PF107 {place}")], "{cut:?}");
    }
    assert_eq!(found(b""), ["error PF107 1:1"]);
    assert_eq!(found(b"version 1.0\n"), ["error PF107 2:1"]);
}

#[test]
fn hostile_frame_counts_without_content_are_refused() {
    let text = SMALL
        .replacen("num_joints     2", "num_joints     0", 1)
        .replacen("has_collision  1", "has_collision  0", 1)
        .replacen("frame_counts   2", "frame_counts   4000000000", 1);
    assert_eq!(found(text.as_bytes()), ["error PF209 6:16"]);
}
