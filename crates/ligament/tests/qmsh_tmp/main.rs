//! QMSH TMP: reading, posing, rewriting, writing, bad input.

#[path = "../support/mod.rs"]
mod support;

mod bad_input;
mod corpus;
mod grammar;
mod own;
mod posing;
mod writing;

use ligament::formats::qmsh_tmp::Document;
use ligament::formats::{self, Document as _, ReadOptions, WriteOptions};
use ligament::io::{MemoryOutput, Source};
use ligament::report::{Report, Severity};
use ligament::scene::Scene;
use ligament::settings::{Own, POSING, Posing};
use std::path::PathBuf;

/// A file of the corpus.
fn fixture(name: &str) -> Vec<u8> {
    let path = support::corpus("own/qmsh").join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn oracle(name: &str) -> serde_json::Value {
    serde_json::from_slice(&fixture(name)).expect("an oracle is JSON")
}

/// The models of the corpus.
fn models() -> Vec<PathBuf> {
    let all = support::files_below(&support::corpus("own/qmsh"));
    all.into_iter().filter(|p| p.to_string_lossy().ends_with(".qmsh.tmp")).collect()
}

fn parse(bytes: &[u8]) -> (Option<Document>, Report) {
    let mut report = Report::default();
    let document = Document::parse(bytes, &ReadOptions::default(), &mut report).ok();
    (document, report)
}

fn scene_of(bytes: &[u8]) -> (Scene, Report) {
    scene_with(bytes, Posing::Author)
}

fn scene_with(bytes: &[u8], posing: Posing) -> (Scene, Report) {
    let options = ReadOptions { own: Own::with(&POSING, posing), ..ReadOptions::default() };
    let mut report = Report::default();
    let format = formats::by_id("qmsh-tmp").expect("it has a row");
    let read = format.read(Source::from_bytes("model.qmsh.tmp", bytes), &options, &mut report);
    let scene = read.and_then(|document| document.import(&options, &mut report));
    let scene = scene.unwrap_or_else(|_| panic!("{:?}", report.diagnostics()));
    support::check_promise(&scene);
    (scene, report)
}

fn rewritten(document: &Document) -> Vec<u8> {
    let mut output = MemoryOutput::new("output");
    document
        .write(document.dialect(), &WriteOptions::default(), &mut output, &mut Report::default())
        .expect("memory takes everything");
    output.main
}

/// Codes of a severity, in order.
fn codes(report: &Report, severity: Severity) -> Vec<&'static str> {
    report.diagnostics().iter().filter(|d| d.severity == severity).map(|d| d.code.id).collect()
}
