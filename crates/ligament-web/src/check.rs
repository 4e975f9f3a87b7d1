//! Checks of files, and what there is to know about formats and codes.

use crate::files::Files;
use crate::model::Model;
use crate::options::options;
use crate::outcome::{extend, new_report, outcome};
use js_sys::Function;
use ligament::Failure;
use ligament::compare::{CompareOptions, Deviation, SideBySide};
use ligament::convert::validate_from;
use ligament::formats::{FORMATS, describe};
use ligament::report::{Severity, find_code};
use serde_json::{Value, json};
use std::path::Path;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

/// All problems of a file, as `ligament validate --json` prints them.
#[wasm_bindgen]
pub fn validate(
    files: &Files,
    path: &str,
    settings: &str,
    watcher: Option<Function>,
) -> Result<String, JsError> {
    let options = options(settings, watcher)?;
    let mut report = new_report(&options);
    let checked = files.source(path, &mut report).and_then(|source| {
        validate_from(source, Some(Path::new(path)), &options.read, &options.progress, &mut report)
    });
    let failure = match &checked {
        Err(failure) => Some(*failure),
        Ok(_) if report.has_errors() => Some(Failure::Invalid),
        Ok(_) => None,
    };
    let mut object = json!({ "file": path });
    extend(&mut object, outcome(failure));
    if let Ok(imported) = &checked {
        let reading = imported.model().reading_cost(&CompareOptions::default());
        let found = json!({
            "format": imported.format.id,
            "dialect": imported.dialect,
            "counts": imported.scene.counts().to_json(),
            "reading": reading.as_ref().map(Deviation::to_json),
        });
        extend(&mut object, found);
    }
    let counts = json!({
        "errors": report.count(Severity::Error),
        "warnings": report.count(Severity::Warning),
        "notes": report.count(Severity::Note),
    });
    extend(&mut object, counts);
    extend(&mut object, report.to_json());
    Ok(object.to_string())
}

/// Two models posed side by side: the member `comparison` of what `ligament compare --json` prints.
#[wasm_bindgen]
pub fn compare(first: &Model, second: &Model) -> String {
    ligament::compare::compare(first.model(), second.model(), &CompareOptions::default())
        .to_json()
        .to_string()
}

/// The vertices of two models that belong together: pairs of a vertex of the first and one of the second. Vertices are
/// numbered through all parts that are drawn.
#[wasm_bindgen]
pub fn pairs(first: &Model, second: &Model) -> Vec<u32> {
    let both = SideBySide::of_models(first.model(), second.model());
    both.pairs().iter().flat_map(|&(first, second)| [first, second]).collect()
}

/// The table of formats, as `ligament formats --json` prints it.
#[wasm_bindgen]
pub fn formats() -> String {
    Value::Array(FORMATS.iter().map(|format| describe(format)).collect()).to_string()
}

/// A code's title, explanation, example and fix as JSON; `null` if there is no such code.
#[wasm_bindgen]
pub fn explain(code: &str) -> String {
    let explained = find_code(code).map(|code| {
        json!({
            "code": code.id,
            "title": code.title,
            "explanation": code.explanation,
            "example": code.example,
            "fix": code.fix,
        })
    });
    json!(explained).to_string()
}

/// The version of ligament.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
