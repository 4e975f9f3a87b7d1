//! PFOBJ against files that this library did not write: rewriting, posing, bad input.

use ligament::formats::ReadOptions;
use ligament::pfobj::{Dialect, Document};
use ligament::report::{Report, Severity};
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
