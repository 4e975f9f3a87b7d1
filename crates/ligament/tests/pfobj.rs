//! PFOBJ against files that this library did not write: rewriting, posing, bad input.

use ligament::Scene;
use ligament::formats::{self, EulerOrder, Format, ReadOptions, WriteOptions};
use ligament::io::MemoryOutput;
use ligament::math::Vec3;
use ligament::pfobj::{Dialect, Document};
use ligament::pose::{self, Pose};
use ligament::report::{Report, Severity};
use ligament::scene::Clip;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The shared test files; without them a test says so and passes, except where nobody would read that.
fn corpus(part: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus").join(part);
    if path.is_dir() {
        return Some(path);
    }
    assert!(std::env::var("CI").as_deref() != Ok("true"), "{} is missing", path.display());
    println!("skipped: {} is missing", path.display());
    None
}

fn pfobj_files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|e| e == "pfobj"))
        .collect();
    files.sort();
    files
}

fn parse(bytes: &[u8]) -> (Option<Document>, Report) {
    let mut report = Report::default();
    let document = Document::parse(bytes, &ReadOptions::default(), &mut report).ok();
    (document, report)
}

fn text(document: &Document) -> Vec<u8> {
    let mut bytes = Vec::new();
    document.write_text(&mut bytes).expect("memory takes everything");
    bytes
}

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

fn scene(path: &Path) -> Scene {
    let options = ReadOptions { format: Some("pfobj".to_owned()), ..ReadOptions::default() };
    let (scene, report) = ligament::read_with(path, &options).unwrap_or_else(|e| panic!("{e}"));
    assert!(!report.has_errors());
    scene
}

/// The posed positions of a scene in the order of the file's vertices.
fn posed(scene: &Scene, document: &Document, clip: &Clip, frame: u32) -> Vec<Vec3> {
    let pose = Pose::at(scene, clip, clip.frames.expect("sampled").time(frame));
    let node = scene.node_ids().find(|n| scene.nodes[n.index()].mesh.is_some()).expect("a mesh");
    let parts = pose::deform(scene, &pose, node);
    let part_of: HashMap<u32, usize> =
        scene.meshes[0].parts.iter().enumerate().map(|(i, p)| (p.material.expect("has one").0, i)).collect();
    let mut next = vec![0; parts.len()];
    (0..document.vertex_count())
        .map(|corner| {
            let part = part_of[&document.vertices.materials.get(corner / 3 * 3).copied().unwrap_or(0)];
            next[part] += 1;
            parts[part].positions[next[part] - 1]
        })
        .collect()
}

#[test]
fn poses_agree_with_blender() {
    let Some(own) = corpus("own/pfobj") else { return };
    let mut vertices = 0;
    for (file, oracle) in [
        ("bend_tube.pfobj", "bend_tube.oracle.json"),
        ("bend_tube_spec_euler.pfobj", "bend_tube.oracle.json"),
        ("worm.pfobj", "worm.oracle.json"),
    ] {
        let scene = scene(&own.join(file));
        let document = parse(&std::fs::read(own.join(file)).expect("readable")).0.expect("valid");
        let oracle: HashMap<String, Vec<Vec<[f32; 3]>>> =
            serde_json::from_slice(&std::fs::read(own.join(oracle)).expect("readable"))
                .expect("clips of frames");
        assert_eq!(scene.clips.len(), oracle.len());
        let mut worst: f32 = 0.0;
        for clip in &scene.clips {
            let frames = &oracle[&clip.name];
            assert_eq!(clip.frames.map(|f| f.count as usize), Some(frames.len()), "{file} {}", clip.name);
            for (frame, expected) in frames.iter().enumerate() {
                let posed = posed(&scene, &document, clip, frame as u32);
                assert_eq!(posed.len(), expected.len());
                for (&posed, &expected) in posed.iter().zip(expected) {
                    worst = worst.max((posed - Vec3::from_array(expected)).abs().max_element());
                    vertices += 1;
                }
            }
        }
        println!("{file}: worst {worst:.1e}");
        assert!(worst < 3e-5, "{file}: {worst}");
    }
    assert_eq!(vertices, 2 * 324 * 16 + 348 * 14);
}

#[test]
fn the_order_of_euler_angles_can_be_chosen() {
    let Some(own) = corpus("own/pfobj") else { return };
    let file = own.join("bend_tube_spec_euler.pfobj");
    let oracle: HashMap<String, Vec<Vec<[f32; 3]>>> =
        serde_json::from_slice(&std::fs::read(own.join("bend_tube.oracle.json")).expect("readable"))
            .expect("clips of frames");
    let bytes = std::fs::read(&file).expect("readable");
    let document = parse(&bytes).0.expect("valid");
    let worst = |document: &Document, order: EulerOrder| {
        let options = ReadOptions { euler_order: order, ..ReadOptions::default() };
        let boxed: Box<dyn formats::Document> = Box::new(document.clone());
        let scene = boxed.import(&options, &mut Report::default()).expect("imports");
        let mut worst: f32 = 0.0;
        for clip in &scene.clips {
            for (frame, expected) in oracle[&clip.name].iter().enumerate() {
                let posed = posed(&scene, document, clip, frame as u32);
                let off = |(&a, &b): (&Vec3, &[f32; 3])| (a - Vec3::from_array(b)).abs().max_element();
                worst = posed.iter().zip(expected).map(off).fold(worst, f32::max);
            }
        }
        (worst, scene)
    };
    let (right, scene) = worst(&document, EulerOrder::default());
    let (wrong, _) = worst(&document, EulerOrder::Xyz);
    println!("worst {right:.1e} as Rz·Ry·Rx, {wrong:.3} as Rx·Ry·Rz");
    assert!(right < 3e-5, "{right}");
    assert!((wrong - 0.58).abs() < 0.005, "{wrong}");
    // Written in the other order, the angles mean the same when they are read in it.
    let options = WriteOptions { euler_order: EulerOrder::Xyz, ..WriteOptions::default() };
    let mut report = Report::default();
    let other = ligament::pfobj::Pfobj.export(scene, &options, &mut report).expect("exports");
    let mut output = MemoryOutput::new("other");
    other.write(&options, &mut output, &mut report).expect("writes");
    let other = parse(&output.main).0.expect("valid");
    let (right, _) = worst(&other, EulerOrder::Xyz);
    let (wrong, _) = worst(&other, EulerOrder::Zyx);
    assert!(right < 3e-5 && wrong > 0.1, "{right} {wrong}");
}

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
    // Frames that are not there are missing all the same, and a count that nothing backs is not believed.
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
fn poses_fill_the_boxes_that_real_files_state() {
    let Some(real) = corpus("real/pfobj") else { return };
    // The arrow's exporter put boxes around the corners of boxes, so that its boxes are loose: they must only hold it.
    for (file, tight, count) in [("mage.pfobj", true, 96), ("arrow-green.pfobj", false, 24)] {
        let scene = scene(&real.join(file));
        let document = parse(&std::fs::read(real.join(file)).expect("readable")).0.expect("valid");
        let (mut worst, mut frames): (f32, usize) = (0.0, 0);
        for (clip, stated) in scene.clips.iter().zip(&document.clips) {
            for (frame, stated) in stated.bounds.iter().enumerate() {
                let pose = Pose::at(&scene, clip, clip.frames.expect("sampled").time(frame as u32));
                let posed = pose::bounds(&scene, &pose).expect("has vertices");
                for (axis, [least, greatest]) in stated.iter().enumerate() {
                    let outside = (least - posed.min[axis]).max(posed.max[axis] - greatest);
                    let inside = (posed.min[axis] - least).max(greatest - posed.max[axis]);
                    worst = worst.max(outside).max(if tight { inside } else { 0.0 });
                }
                frames += 1;
            }
        }
        println!("{file}: worst {worst:.1e} over {frames} frames");
        assert_eq!(frames, count);
        assert!(worst < 1e-4, "{file}: {worst}");
    }
}

fn import(document: Document) -> Scene {
    let document: Box<dyn formats::Document> = Box::new(document);
    document.import(&ReadOptions::default(), &mut Report::default()).expect("imports")
}

/// Reads and writes through the scene.
fn reencode(bytes: &[u8], dialect: Dialect) -> (Vec<u8>, MemoryOutput, Report) {
    let mut report = Report::default();
    let document = Document::parse(bytes, &ReadOptions::default(), &mut report).expect("valid");
    let document: Box<dyn formats::Document> = Box::new(document);
    let scene = document.import(&ReadOptions::default(), &mut report).expect("imports");
    let options = WriteOptions { dialect: Some(dialect.id().to_owned()), ..WriteOptions::default() };
    let document = ligament::pfobj::Pfobj.export(scene, &options, &mut report).expect("exports");
    let mut output = MemoryOutput::new("again");
    document.write(&options, &mut output, &mut report).expect("writes");
    (output.main.clone(), output, report)
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
fn both_dialects_pose_as_blender_does() {
    let Some(own) = corpus("own/pfobj") else { return };
    let oracle: HashMap<String, Vec<Vec<[f32; 3]>>> =
        serde_json::from_slice(&std::fs::read(own.join("bend_tube.oracle.json")).expect("readable"))
            .expect("clips of frames");
    for (file, dialect) in
        [("bend_tube.pfobj", Dialect::Document), ("bend_tube_spec_euler.pfobj", Dialect::Engine)]
    {
        let (text, _, _) = reencode(&std::fs::read(own.join(file)).expect("readable"), dialect);
        let document = parse(&text).0.expect("what was written is valid");
        assert_eq!(document.dialect, dialect);
        let header = String::from_utf8_lossy(&text[..200]).into_owned();
        assert_eq!(header.contains("num_materials  1"), dialect == Dialect::Engine, "{header}");
        assert_eq!(header.contains("num_material   1"), dialect == Dialect::Document, "{header}");
        let scene = import(document.clone());
        let mut worst: f32 = 0.0;
        for clip in &scene.clips {
            for (frame, expected) in oracle[&clip.name].iter().enumerate() {
                let posed = posed(&scene, &document, clip, frame as u32);
                for (&posed, &expected) in posed.iter().zip(expected) {
                    worst = worst.max((posed - Vec3::from_array(expected)).abs().max_element());
                }
            }
        }
        println!("{file} as {}: worst {worst:.1e}", dialect.id());
        assert!(worst < 3e-5, "{file}: {worst}");
    }
}

/// A small file with everything: a triangle, two materials, two joints, a clip of two frames, boxes.
const SMALL: &str = "\
version        1.0
num_verts      3
num_joints     2
num_materials  2
num_as         1
frame_counts   2
has_collision  1
v 0.000000 0.000000 0.000000
vt 0.000000 0.000000
vn 0.000000 0.000000 1.000000
vw  0/1.000000
vm 0
v 1.000000 0.000000 0.000000
vt 1.000000 0.000000
vn 0.000000 0.000000 1.000000
vw  0/0.500000 1/0.500000
vm 0
v 0.000000 1.000000 0.000000
vt 0.000000 1.000000
vn 0.000000 0.000000 1.000000
vw 
vm 0
material Skin
    ambient 1.000000
    diffuse 0.500000 0.500000 0.500000
    specular 0.100000 0.100000 0.100000
    texture skin.png
material Cloth
    ambient 1.000000
    diffuse 0.500000 0.500000 0.500000
    specular 0.100000 0.100000 0.100000
    texture cloth.png
j 0 Root 1.000000/1.000000/1.000000 0.000000/0.000000/0.000000/1.000000 0.000000/0.000000/0.000000 0.000000/1.000000/0.000000
j 1 Tip 1.000000/1.000000/1.000000 0.000000/0.000000/0.000000/1.000000 0.000000/1.000000/0.000000 0.000000/1.000000/0.000000
as Walk 2
        1 1.000000/1.000000/1.000000 0.000000/0.000000/0.000000/1.000000 0.000000/0.000000/0.000000
        2 1.000000/1.000000/1.000000 0.000000/0.000000/0.000000/1.000000 0.000000/1.000000/0.000000
\tx_bounds 0.000000 1.000000
\ty_bounds 0.000000 1.000000
\tz_bounds 0.000000 0.000000
        1 1.000000/1.000000/1.000000 0.000000/0.000000/0.000000/1.000000 0.000000/0.000000/0.000000
        2 1.000000/1.000000/1.000000 0.000000/0.000000/0.000000/1.000000 0.000000/2.000000/0.000000
\tx_bounds 0.000000 1.000000
\ty_bounds 0.000000 1.500000
\tz_bounds 0.000000 0.000000
x_bounds 0.000000 1.000000
y_bounds 0.000000 1.000000
z_bounds 0.000000 0.000000
";

/// The small file with its first `from` replaced.
fn edited(from: &str, to: &str) -> String {
    assert!(SMALL.contains(from), "{from:?} is in the file");
    SMALL.replacen(from, to, 1)
}

fn found(text: &[u8]) -> Vec<String> {
    places(&parse(text).1)
}

fn places(report: &Report) -> Vec<String> {
    let place = |d: &ligament::report::Diagnostic| match d.place.line_column {
        Some((line, column)) => format!("{} {} {line}:{column}", d.severity.name(), d.code.id),
        None => format!("{} {}", d.severity.name(), d.code.id),
    };
    report.diagnostics().iter().map(place).collect()
}

#[test]
fn the_small_file_is_valid() {
    let (document, report) = parse(SMALL.as_bytes());
    assert!(report.diagnostics().is_empty(), "{:?}", report.diagnostics());
    assert!(text(&document.expect("valid")) == SMALL.as_bytes());
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
fn hostile_frame_counts_without_content_are_refused() {
    let text = SMALL
        .replacen("num_joints     2", "num_joints     0", 1)
        .replacen("has_collision  1", "has_collision  0", 1)
        .replacen("frame_counts   2", "frame_counts   4000000000", 1);
    assert_eq!(found(text.as_bytes()), ["error PF209 6:16"]);
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
    let many = large
        .replace("vw  26/1.000000", "vw  1/0.1 2/0.1 3/0.1 4/0.1 5/0.1 6/0.1 26/1.000000")
        .replace("/0.1 ", "/0.100000 ");
    let one = read(&many, usize::MAX);
    assert_eq!(one.1.first().map(|d| d.code.id), Some("PF405"));
    assert!(one == read(&many, 0));
}

#[test]
fn materials_without_texture_get_a_white_one() {
    let mut scene = import(parse(SMALL.as_bytes()).0.expect("valid"));
    for material in &mut scene.materials {
        let phong = material.phong.as_mut().expect("has one");
        phong.diffuse_texture = None;
        phong.ambient = [1.0, 0.5, 0.0];
    }
    scene.materials[1].name = " \n".to_owned();
    let mut report = Report::default();
    let document =
        ligament::pfobj::Pfobj.export(scene, &WriteOptions::default(), &mut report).expect("exports");
    assert_eq!(document.dialect(), "document");
    let mut output = MemoryOutput::new("white");
    document.write(&WriteOptions::default(), &mut output, &mut report).expect("writes");
    assert!(output.side_files["ligament-white.png"].starts_with(b"\x89PNG"));
    let codes: Vec<_> = report.diagnostics().iter().map(|d| (d.severity.name(), d.code.id)).collect();
    assert_eq!(codes, [("note", "PF501"), ("note", "PF507")]);
    let losses: Vec<_> = report.losses().iter().map(|l| (l.code.id, l.kind.name())).collect();
    assert_eq!(losses, [("PF509", "approximated"), ("PF509", "approximated")]);
    let written = parse(&output.main).0.expect("valid");
    assert_eq!(written.materials[0].ambient, 0.5);
    assert_eq!(written.materials[1].name.to_text(), "material1");
    let again = import(written);
    assert!(again.textures.is_empty(), "the white texture stands for none");
}

#[test]
fn boxes_are_computed_anew_when_the_model_changes() {
    let mut scene = import(parse(SMALL.as_bytes()).0.expect("valid"));
    for position in &mut scene.meshes[0].parts[0].positions {
        position.x *= 3.0;
    }
    let mut report = Report::default();
    let document =
        ligament::pfobj::Pfobj.export(scene, &WriteOptions::default(), &mut report).expect("exports");
    let mut output = MemoryOutput::new("wide");
    document.write(&WriteOptions::default(), &mut output, &mut report).expect("writes");
    let written = parse(&output.main).0.expect("valid");
    assert_eq!(written.bounds.map(|b| b[0]), Some([0.0, 3.0]));
    // Half of the second vertex moves up by one in the second frame: from y = 0 to 0.5, which is below the third's 1.
    assert_eq!(written.clips[0].bounds[1], [[0.0, 3.0], [0.0, 1.0], [0.0, 0.0]]);
    assert!(report.diagnostics().iter().any(|d| d.code.id == "PF508"));
}

#[test]
fn indexed_meshes_are_repeated_only_in_the_file() {
    let mut scene = import(parse(SMALL.as_bytes()).0.expect("valid"));
    scene.meshes[0].parts[0].faces = ligament::scene::Faces::Triangles(vec![0, 1, 2, 2, 1, 0]);
    // Children before their parents in the skin: the file has them the other way round.
    let skin = &mut scene.skins[0];
    skin.joints.swap(0, 1);
    skin.inverse_binds.swap(0, 1);
    let mut report = Report::default();
    let document =
        ligament::pfobj::Pfobj.export(scene, &WriteOptions::default(), &mut report).expect("exports");
    let mut output = MemoryOutput::new("indexed");
    document.write(&WriteOptions::default(), &mut output, &mut report).expect("writes");
    let written = parse(&output.main).0.expect("valid");
    assert_eq!(written.vertex_count(), 6);
    assert_eq!(written.vertices.positions[3], Vec3::Y);
    assert_eq!(written.joints[0].name.to_text(), "Root");
    // The first vertex follows the skin's joint 0, which is now the tip: number 1 in the file.
    assert_eq!(written.vertices.influences.of(0)[0].joint, 1);
}

#[test]
fn the_engines_limits_are_told_when_writing() {
    let mut document = parse(SMALL.as_bytes()).0.expect("valid");
    document.joints[0].name = "x".repeat(64).into();
    document.materials[0].texture = "my skin.png".into();
    document.materials = vec![document.materials[0].clone(); 17];
    let mut report = Report::default();
    let document: Box<dyn formats::Document> = Box::new(document);
    document.write(&WriteOptions::default(), &mut MemoryOutput::new("x"), &mut report).expect("writes");
    let mut codes: Vec<_> = report.diagnostics().iter().map(|d| d.code.id).collect();
    codes.dedup();
    assert_eq!(codes, ["PF504", "PF502", "PF514"]);
}
