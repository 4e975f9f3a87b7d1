//! A conversion and the files it makes.

use crate::files::Files;
use crate::options::options;
use crate::outcome::{extend, new_report, outcome};
use js_sys::Function;
use ligament::convert::{Conversion, Input, Proven, convert_to, target};
use ligament::io::MemoryOutput;
use ligament::{ConvertOptions, Failure, Report};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

/// The result of a conversion.
#[wasm_bindgen]
pub struct Converted {
    json: String,
    files: BTreeMap<String, Vec<u8>>,
}

#[wasm_bindgen]
impl Converted {
    /// The report, as `ligament convert --json` prints it.
    pub fn json(&self) -> String {
        self.json.clone()
    }

    /// The paths of the files that were made.
    pub fn paths(&self) -> Vec<String> {
        self.files.keys().cloned().collect()
    }

    /// Takes the bytes of a file out.
    pub fn take(&mut self, path: &str) -> Option<Vec<u8>> {
        self.files.remove(path)
    }
}

/// Converts a file. The output's path gives its format, its name, and the folder of files beside it.
#[wasm_bindgen]
pub fn convert(
    files: &Files,
    input: &str,
    output: &str,
    settings: &str,
    watcher: Option<Function>,
) -> Result<Converted, JsError> {
    let options = options(settings, watcher)?;
    let mut report = new_report(&options);
    let done = run(files, input, Path::new(output), &options, &mut report);
    let mut object = outcome(done.as_ref().err().copied());
    extend(&mut object, json!({ "input": input, "output": output }));
    let mut files = BTreeMap::new();
    if let Ok((conversion, made)) = done {
        extend(&mut object, conversion.to_json());
        extend(&mut object, json!({ "side_files": made.side_files.keys().collect::<Vec<_>>() }));
        let folder = output.rfind('/').map_or("", |end| &output[..=end]);
        files.extend(made.side_files.into_iter().map(|(path, bytes)| (format!("{folder}{path}"), bytes)));
        files.insert(output.to_owned(), made.main);
    }
    extend(&mut object, report.to_json());
    Ok(Converted { json: object.to_string(), files })
}

fn run(
    files: &Files,
    input: &str,
    output: &Path,
    options: &ConvertOptions,
    report: &mut Report,
) -> Result<(Conversion, MemoryOutput), Failure> {
    let source = files.source(input, report)?;
    let target = target(output, options, report)?;
    let source = Input::Source(source, Some(Path::new(input)));
    let Proven { conversion, output, .. } =
        convert_to(source, target, MemoryOutput::at(output), options, report)?;
    Ok((conversion, output))
}
