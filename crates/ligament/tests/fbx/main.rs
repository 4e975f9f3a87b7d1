//! FBX: files of Debian's `assimp-testmodels`, hand-made and random files, and bad input, compared with `ufbx`'s own
//! evaluation, with Blender, and with OBJ files that Maya exported.
#![cfg(feature = "fbx")]

mod bad;
mod blender;
mod contents;
mod corpus;
mod evaluated;
mod made;
mod references;
mod sdk;
mod shapes;
#[path = "../support/mod.rs"]
mod support;
mod sweep;
mod written;

use ligament::Scene;
use ligament::formats::fbx::Document;
use ligament::formats::{Document as _, ReadOptions};
use ligament::io::{DirFolder, Source};
use ligament::report::Report;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The FBX files among Assimp's models.
fn test_models(test: &str) -> Option<Vec<PathBuf>> {
    let mut files = support::files_below(&support::assimp_models(test)?.join("FBX"));
    files.retain(|path| path.extension().is_some_and(|e| e.eq_ignore_ascii_case("fbx")));
    assert_eq!(files.len(), 19, "{test}");
    Some(files)
}

fn source(bytes: &[u8], folder: &Path) -> Source<'static> {
    let mut source = Source::from_bytes("input.fbx", bytes.to_vec());
    source.folder = Arc::new(DirFolder::new(folder));
    source
}

fn document(bytes: &[u8], options: &ReadOptions) -> (Option<Document<'static>>, Report) {
    let mut report = Report::default();
    let document = Document::read(source(bytes, Path::new(".")), options, &mut report).ok();
    (document, report)
}

/// The scene of a file's bytes, and the report.
fn scene(bytes: &[u8], options: &ReadOptions) -> (Option<Scene>, Report) {
    let (document, mut report) = document(bytes, options);
    let scene = document.and_then(|document| Box::new(document).import(options, &mut report).ok());
    (scene, report)
}
