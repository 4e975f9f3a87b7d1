//! Helpers of the PFOBJ tests.

use ligament::Scene;
use ligament::formats::pfobj::{Dialect, Document};
use ligament::formats::{self, ReadOptions, WriteOptions};
use ligament::io::MemoryOutput;
use ligament::report::Report;
use std::path::{Path, PathBuf};

pub use crate::shared::corpus;

pub fn pfobj_files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|e| e == "pfobj"))
        .collect();
    files.sort();
    files
}

pub fn parse(bytes: &[u8]) -> (Option<Document>, Report) {
    let mut report = Report::default();
    let document = Document::parse(bytes, &ReadOptions::default(), &mut report).ok();
    (document, report)
}

pub fn text(document: &Document) -> Vec<u8> {
    let mut bytes = Vec::new();
    document.write_text(&mut bytes).expect("memory takes everything");
    bytes
}

pub fn scene(path: &Path) -> Scene {
    let options = ReadOptions { format: Some("pfobj".to_owned()), ..ReadOptions::default() };
    let (scene, report) = ligament::read(path, &options).unwrap_or_else(|e| panic!("{e}"));
    assert!(!report.has_errors());
    scene
}

pub fn import(document: Document) -> Scene {
    let document: Box<dyn formats::Document> = Box::new(document);
    document.import(&ReadOptions::default(), &mut Report::default()).expect("imports")
}

/// Reads and writes through the scene.
pub fn reencode(bytes: &[u8], dialect: Dialect) -> (Vec<u8>, MemoryOutput, Report) {
    let mut report = Report::default();
    let document = Document::parse(bytes, &ReadOptions::default(), &mut report).expect("valid");
    let document: Box<dyn formats::Document> = Box::new(document);
    let scene = document.import(&ReadOptions::default(), &mut report).expect("imports");
    let options = WriteOptions::default();
    let file = ligament::formats::pfobj::FORMAT.export(scene, Some(dialect.id()), &options, &mut report);
    let mut output = MemoryOutput::new("again");
    file.expect("exports").write(&mut output, &mut report).expect("writes");
    (output.main.clone(), output, report)
}

/// A small file with every feature: a triangle, two materials, two joints, a clip of two frames, boxes.
pub const SMALL: &str = "\
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

/// The small file with the first occurrence of `from` replaced.
pub fn edited(from: &str, to: &str) -> String {
    assert!(SMALL.contains(from), "{from:?} is in the file");
    SMALL.replacen(from, to, 1)
}

pub fn found(text: &[u8]) -> Vec<String> {
    places(&parse(text).1)
}

pub fn places(report: &Report) -> Vec<String> {
    let place = |d: &ligament::report::Diagnostic| match d.place.line_column {
        Some((line, column)) => format!("{} {} {line}:{column}", d.severity.name(), d.code.id),
        None => format!("{} {}", d.severity.name(), d.code.id),
    };
    report.diagnostics().iter().map(place).collect()
}
