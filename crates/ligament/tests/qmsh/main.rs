//! QMSH, compared with files that a script assembled field by field without using this library: fields, rewriting,
//! posing, conversions, bad input.

mod bad;
mod conversions;
mod fields;
mod posing;
#[path = "../support/mod.rs"]
mod support;

use ligament::formats::qmsh::Document;
use ligament::formats::{Document as _, ReadOptions};
use ligament::io::MemoryOutput;
use ligament::report::Report;
use ligament::scene::Scene;
use std::path::PathBuf;

fn fixtures() -> PathBuf {
    support::workspace().join("crates/ligament/tests/fixtures/qmsh")
}

fn files() -> Vec<PathBuf> {
    let all = support::files_below(&fixtures());
    all.into_iter().filter(|path| path.extension().is_some_and(|e| e == "qmsh")).collect()
}

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(fixtures().join(format!("{name}.qmsh"))).expect("a fixture")
}

fn read(bytes: &[u8]) -> (Option<Document>, Report) {
    let mut report = Report::default();
    let document = Document::parse(bytes, &ReadOptions::default(), &mut report).ok();
    (document, report)
}

fn valid(name: &str) -> Document {
    let (document, report) = read(&bytes(name));
    assert!(report.diagnostics().is_empty(), "{name}: {:?}", report.diagnostics());
    document.expect("no errors")
}

fn written(document: &Document) -> Vec<u8> {
    let mut output = MemoryOutput::new("written");
    document.write_to(&mut output, &mut Report::default()).expect("short enough");
    output.main
}

fn import(document: Document) -> (Scene, Report) {
    let mut report = Report::default();
    let scene = Box::new(document).import(&ReadOptions::default(), &mut report);
    let scene = scene.unwrap_or_else(|_| panic!("{:?}", report.diagnostics()));
    support::check_promise(&scene);
    (scene, report)
}

fn scene(name: &str) -> Scene {
    import(valid(name)).0
}

#[test]
fn every_file_is_read_without_a_word_and_rewritten_byte_for_byte() {
    let files = files();
    assert_eq!(files.len(), 19);
    for file in files {
        let bytes = std::fs::read(&file).expect("readable");
        let (document, report) = read(&bytes);
        assert!(report.diagnostics().is_empty(), "{}: {:?}", file.display(), report.diagnostics());
        assert!(written(&document.expect("no errors")) == bytes, "{} changed", file.display());
        let trailing = [&bytes[..], b"more"].concat();
        let (document, report) = read(&trailing);
        assert_eq!(report.diagnostics()[0].code.id, "QM402");
        assert!(written(&document.expect("only a warning")) == trailing);
    }
}
