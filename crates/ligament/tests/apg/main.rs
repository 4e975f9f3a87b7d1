//! APG against files that this library did not write: contents, rewriting, posing, bad input.

mod bad;
mod conversions;
mod oddities;
mod posing;
mod rewriting;
#[path = "../support/mod.rs"]
mod support;
mod viewer;

use ligament::formats::apg::{Dialect, Document};
use ligament::formats::{Document as _, ReadOptions};
use ligament::io::MemoryOutput;
use ligament::report::Report;
use ligament::scene::Scene;
use ligament::settings::Precision;
use std::path::{Path, PathBuf};

/// All files of the corpus.
fn corpus() -> Vec<PathBuf> {
    let mut files = support::files_below(&support::corpus("own/apg"));
    files.extend(support::files_below(&support::corpus("real/apg")));
    files.retain(|path| path.extension().is_some_and(|e| e == "apg"));
    assert_eq!(files.len(), 12);
    files
}

fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(support::corpus("own/apg").join(name)).expect("readable")
}

fn parse(bytes: &[u8]) -> (Option<Document>, Report) {
    let mut report = Report::default();
    let document = Document::parse(bytes, &ReadOptions::default(), &mut report).ok();
    (document, report)
}

fn valid(bytes: &[u8]) -> Document {
    let (document, report) = parse(bytes);
    document.unwrap_or_else(|| panic!("{:?}", report.diagnostics()))
}

fn valid_file(path: &Path) -> Document {
    valid(&std::fs::read(path).expect("readable"))
}

fn write(document: &Document, dialect: Dialect) -> Vec<u8> {
    write_with(document, dialect, Precision::Full).0
}

fn write_with(document: &Document, dialect: Dialect, precision: Precision) -> (Vec<u8>, Report) {
    let (mut output, mut report) = (MemoryOutput::new("output"), Report::default());
    document.write_to(dialect, precision, &mut output, &mut report).expect("memory takes everything");
    (output.main, report)
}

/// The scene of a file, and its report.
fn scene(bytes: &[u8]) -> (Scene, Report) {
    let mut report = Report::default();
    let options = ReadOptions::default();
    let document = Document::parse(bytes, &options, &mut report).expect("valid");
    let scene = Box::new(document).import(&options, &mut report).expect("imports");
    support::check_promise(&scene);
    (scene, report)
}

fn codes(report: &Report) -> Vec<&'static str> {
    report.diagnostics().iter().map(|d| d.code.id).collect()
}

#[test]
fn every_file_holds_what_it_says() {
    let files = corpus();
    // Vertices, bones, nodes, channels, keys.
    let expected = [
        ("bend_blenderexp", [144, 2, 2, 6, 150]),
        ("bend_conv", [144, 2, 5, 3, 75]),
        ("bend_conv_bin", [144, 2, 5, 3, 75]),
        ("bend_flat_conv", [144, 2, 5, 9, 225]),
        ("cube_blenderexp", [36, 0, 0, 0, 0]),
        ("cube_conv", [36, 0, 0, 0, 0]),
        ("cube_quads_conv", [24, 0, 0, 0, 0]),
        ("amphora", [480, 0, 0, 0, 0]),
        ("coins", [1836, 0, 0, 0, 0]),
        ("coins_26DEC2014", [1836, 0, 0, 0, 0]),
        ("coins_7NOV2014", [1836, 0, 0, 0, 0]),
        ("untitled", [36, 2, 2, 1, 3]),
    ];
    assert_eq!(files.len(), expected.len());
    for (path, (name, counts)) in files.iter().zip(expected) {
        assert_eq!(path.file_stem().and_then(|s| s.to_str()), Some(name));
        let document = valid_file(path);
        let vertices = &document.vertices;
        let channels: Vec<_> = document.animations.iter().flat_map(|a| &a.channels).collect();
        let keys = channels.iter().map(|c| c.times.len()).sum();
        let found = [vertices.count(), document.bones as usize, document.nodes.len(), channels.len(), keys];
        assert_eq!(found, counts, "{name}");
        for length in [vertices.normals.len(), vertices.uvs.len(), vertices.tangents.len()] {
            assert_eq!(length, counts[0], "{name}");
        }
        let (scene, _) = scene(&std::fs::read(path).expect("readable"));
        let triangles: usize = scene.meshes[0].parts.iter().map(|p| p.faces.count()).sum();
        assert_eq!(triangles, counts[0] / 3, "{name}");
    }
}

#[test]
fn the_documents_own_numbers_are_read() {
    // Values from the published document.
    let text = b"@vert_count 2\n@vp comps 3\n-0.30 0.01 0.45\n-0.24 0.01 0.44\n@vn comps 3\n0 1 -0\n0 1 -0\n\
        @vt comps 2\n0.752 0.912\n0.5 0.994\n@vtan comps 4\n-0.875 0 0.484 -1\n-0.875 0 0.484 -1\n\
        @skeleton bones 2 animations 1\n@hierarchy nodes 5\nparent -1 bone_id -1\nparent 0 bone_id -1\n\
        parent 1 bone_id 0\nparent 2 bone_id 1\nparent 0 bone_id -1\n@animation name TODO duration 1.000000\n\
        @tra_keys node 2 count 2 comps 3\nt 0.040000 TRA -0.727390 0.475569 -0.236947\n\
        t 1.000000 TRA -0.727390 0.475569 -0.236947\n@bounding_radius 3.01\n";
    let document = valid(text);
    assert_eq!(document.vertices.positions[1].to_array(), [-0.24, 0.01, 0.44]);
    assert_eq!(document.vertices.normals[0].to_array().map(f32::to_bits), [0.0, 1.0, -0.0].map(f32::to_bits));
    assert_eq!(document.vertices.tangents[0].to_array(), [-0.875, 0.0, 0.484, -1.0]);
    let parents: Vec<_> = document.nodes.iter().map(|n| (n.parent, n.bone)).collect();
    assert_eq!(parents, [(-1, -1), (0, -1), (1, 0), (2, 1), (0, -1)]);
    let animation = &document.animations[0];
    assert_eq!((animation.name.to_text().as_str(), animation.duration), ("TODO", 1.0));
    assert_eq!(animation.channels[0].times[..], [0.04, 1.0]);
    assert_eq!(document.bounding_radius, Some(3.01));
}
