//! AMO against files and poses that this library did not make: dialects, counting, posing, rewriting, bad input.

mod bad;
mod conversions;
mod posing;
mod reading;
mod rewriting;
#[path = "../support/mod.rs"]
mod support;

use ligament::Scene;
use ligament::formats::amo::{Dialect, Document};
use ligament::formats::{self, ReadOptions};
use ligament::report::Report;
use std::path::PathBuf;

fn own() -> PathBuf {
    support::corpus("own/amo")
}

fn parse_with(bytes: &[u8], options: &ReadOptions) -> (Option<Document>, Report) {
    let mut report = Report::default();
    let document = Document::parse(bytes, options, &mut report).ok();
    (document, report)
}

fn parse(bytes: &[u8]) -> (Option<Document>, Report) {
    parse_with(bytes, &ReadOptions::default())
}

fn valid(bytes: &[u8]) -> Document {
    let (document, report) = parse(bytes);
    document.unwrap_or_else(|| panic!("{:?}", report.diagnostics()))
}

fn import(document: Document) -> Scene {
    let document: Box<dyn formats::Document> = Box::new(document);
    document.import(&ReadOptions::default(), &mut Report::default()).expect("imports")
}

fn text(document: &Document, dialect: Dialect) -> String {
    let mut bytes = Vec::new();
    document.write_text(dialect, &mut bytes).expect("memory takes everything");
    String::from_utf8(bytes).expect("text")
}

/// Severity, code and place of each diagnostic.
fn places(report: &Report) -> Vec<String> {
    let place = |d: &ligament::report::Diagnostic| match d.place.line_column {
        Some((line, column)) => format!("{} {} {line}:{column}", d.severity.name(), d.code.id),
        None => format!("{} {}", d.severity.name(), d.code.id),
    };
    report.diagnostics().iter().map(place).collect()
}

/// The errors only.
fn errors(text: &str) -> Vec<String> {
    let (document, report) = parse(text.as_bytes());
    let errors: Vec<_> = places(&report).into_iter().filter(|p| p.starts_with("error")).collect();
    assert_eq!(document.is_none(), !errors.is_empty(), "{:?}", report.diagnostics());
    errors
}

/// Two joints, three vertices and a clip, as in the specification.
const SMALL: &str = "\
ao leaf
v 0 0 0
v 1 0 0
v 0 1 0
vt 0 0
vn 0 0 1
vj 0 -1 -1 -1
vj 0 1 -1 -1
vw 1 0 0 0
vw 0.5 0.5 0 0
f 1/1/1/0/0 2/1/1/1/1 3/1/1/0/0
j root -1
j tip 0
a wave
ap 0 1 0 0 0
ap 1 1 0 2 0
ar 0 0 0 0 0 1
";
