//! COLLADA: files of other programs, comparisons with Blender, hand-made files with known numbers, bad input.

mod archives;
mod bad;
mod blender;
mod corpus;
mod hand_made;
mod rarer;
#[path = "../support/mod.rs"]
mod support;
mod written;

use ligament::formats::ReadOptions;
use ligament::formats::collada::FORMAT;
use ligament::io::{DirFolder, Source};
use ligament::report::Report;
use ligament::scene::Scene;
use std::path::Path;
use std::sync::Arc;

/// Reads a file into a scene.
fn read(path: &Path) -> (Option<Scene>, Report) {
    let bytes = std::fs::read(path).expect("readable");
    let mut source = Source::from_bytes("input.dae", bytes);
    source.folder = Arc::new(DirFolder::new(path.parent().expect("in a folder")));
    import(source)
}

fn import(source: Source<'_>) -> (Option<Scene>, Report) {
    let (options, mut report) = (ReadOptions::default(), Report::default());
    let document = FORMAT.read(source, &options, &mut report);
    let scene = document.and_then(|document| document.import(&options, &mut report)).ok();
    (scene, report)
}

/// Reads a file that must be readable.
fn scene(path: &Path) -> Scene {
    let (scene, report) = read(path);
    scene.unwrap_or_else(|| panic!("{}: {:?}", path.display(), report.diagnostics()))
}
