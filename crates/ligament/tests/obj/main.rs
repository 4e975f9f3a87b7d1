//! OBJ and MTL, compared with files and readers that are not ours: layouts, objects, materials, rewriting, bad input.

mod bad;
mod blender;
mod conversions;
mod corpus;
mod libraries;
mod reading;
#[path = "../support/mod.rs"]
mod support;

use ligament::Scene;
use ligament::formats::obj::{Document, Model};
use ligament::formats::{self, ReadOptions};
use ligament::report::Report;
use std::path::{Path, PathBuf};

fn fixture(name: &str) -> PathBuf {
    support::workspace().join("crates/ligament/tests/fixtures/obj").join(name)
}

fn parse(text: &str) -> (Option<Model>, Report) {
    let mut report = Report::default();
    let model = Document::parse(text.as_bytes(), &ReadOptions::default(), &mut report).map(|d| d.model).ok();
    (model, report)
}

fn valid(text: &str) -> Model {
    let (model, report) = parse(text);
    model.unwrap_or_else(|| panic!("{:?}", report.diagnostics()))
}

fn import_with_report(text: &str) -> (Scene, Report) {
    let mut report = Report::default();
    let document = Document::parse(text.as_bytes(), &ReadOptions::default(), &mut report).expect("is read");
    let document: Box<dyn formats::Document> = Box::new(document);
    let scene = document.import(&ReadOptions::default(), &mut report).expect("imports");
    support::check_promise(&scene);
    (scene, report)
}

fn import(text: &str) -> Scene {
    import_with_report(text).0
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
    let (model, report) = parse(text);
    let errors: Vec<_> = places(&report).into_iter().filter(|p| p.starts_with("error")).collect();
    assert_eq!(model.is_none(), !errors.is_empty(), "{:?}", report.diagnostics());
    errors
}
