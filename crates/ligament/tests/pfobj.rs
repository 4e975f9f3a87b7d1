//! PFOBJ against files that this library did not write: rewriting, posing, bad input.

use ligament::Scene;
use ligament::formats::{self, Format, ReadOptions, WriteOptions};
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
fn poses_fill_the_boxes_that_real_files_state() {
    let Some(real) = corpus("real/pfobj") else { return };
    let mut frames = 0;
    for file in ["mage.pfobj", "arrow-green.pfobj"] {
        let scene = scene(&real.join(file));
        let document = parse(&std::fs::read(real.join(file)).expect("readable")).0.expect("valid");
        let mut worst: f32 = 0.0;
        for (clip, stated) in scene.clips.iter().zip(&document.clips) {
            for (frame, stated) in stated.bounds.iter().enumerate() {
                let pose = Pose::at(&scene, clip, clip.frames.expect("sampled").time(frame as u32));
                let tight = pose::bounds(&scene, &pose).expect("has vertices");
                for (axis, [least, greatest]) in stated.iter().enumerate() {
                    worst =
                        worst.max((tight.min[axis] - least).abs()).max((tight.max[axis] - greatest).abs());
                }
                frames += 1;
            }
        }
        println!("{file}: worst {worst:.1e}");
        assert!(worst < 1e-4, "{file}: {worst}");
    }
    assert!(frames >= 97, "{frames} frames");
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
    let options = WriteOptions { dialect: Some(dialect.id().to_owned()) };
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
