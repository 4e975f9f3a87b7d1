//! Helpers of the tests.

use crate::shared;
use base64::Engine;
use ligament::Scene;
use ligament::formats::gltf::FORMAT;
use ligament::formats::{Document, ReadOptions, WriteOptions};
use ligament::io::{MemoryOutput, Source};
use ligament::report::{Failure, Report};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

pub fn options() -> ReadOptions {
    ReadOptions { format: Some("gltf".to_owned()), ..ReadOptions::default() }
}

pub fn read(path: &Path) -> (Scene, Report) {
    ligament::read(path, &options()).unwrap_or_else(|e| panic!("{e}"))
}

/// Every uncompressed file of the corpus: six, and those beside the clone.
pub fn all_files() -> Vec<PathBuf> {
    let mut files = shared::corpus_files("real/gltf");
    files.push(shared::corpus("own/amo/bend.gltf"));
    assert!(files.len() >= 6);
    files
}

/// Reads from memory; the report is returned in any case.
pub fn try_read(source: Source<'_>) -> (Result<Scene, Failure>, Report) {
    let mut report = Report::default();
    let scene = FORMAT
        .read(source, &options(), &mut report)
        .and_then(|document| document.import(&options(), &mut report));
    (scene, report)
}

pub fn read_text(text: &str) -> Scene {
    let (scene, report) = try_read(Source::from_bytes("test.gltf", text.as_bytes()));
    scene.unwrap_or_else(|f| panic!("{f:?} {:?}", report.diagnostics()))
}

pub fn write(scene: Scene, dialect: &str) -> (MemoryOutput, Report) {
    let mut report = Report::default();
    let file = FORMAT.export(scene, Some(dialect), &WriteOptions::default(), &mut report);
    let mut output = MemoryOutput::new("out");
    file.expect("an export").write(&mut output, &mut report).expect("a file");
    (output, report)
}

pub fn document<'a>(source: Source<'a>) -> Box<dyn Document + 'a> {
    FORMAT.read(source, &options(), &mut Report::default()).expect("a document")
}

/// Writes an output's files into a folder.
pub fn place(output: &MemoryOutput, folder: &Path, name: &str) -> PathBuf {
    std::fs::write(folder.join(name), &output.main).expect("writable");
    for (path, bytes) in &output.side_files {
        std::fs::write(folder.join(path), bytes).expect("writable");
    }
    folder.join(name)
}

/// The findings of the Khronos validator for each file: errors, warnings, and all messages. `None` if it is not
/// installed.
pub fn khronos(files: &[PathBuf]) -> Option<Vec<(u64, u64, String)>> {
    let found = khronos_where_it_works(files)?;
    Some(found.into_iter().map(|found| found.unwrap_or_else(|failed| panic!("{failed}"))).collect())
}

type Findings = Result<(u64, u64, String), String>;

/// Like [`khronos`], but with an error for each file on which the validator itself fails.
pub fn khronos_where_it_works(files: &[PathBuf]) -> Option<Vec<Findings>> {
    let tool = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools/validator");
    if !tool.join("node_modules/gltf-validator").is_dir() {
        assert!(std::env::var_os("CI").is_none(), "run `npm ci` in tools/validator first");
        println!("skipped: the Khronos validator is not installed in tools/validator");
        return None;
    }
    let run = Command::new("node").arg(tool.join("validate.js")).args(files).output().expect("node");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let lines = String::from_utf8(run.stdout).expect("UTF-8");
    let found: Vec<_> = lines
        .lines()
        .map(|line| {
            let report: serde_json::Value = serde_json::from_str(line).expect("JSON");
            if let Some(failed) = report["failed"].as_str() {
                return Err(failed.to_owned());
            }
            let count = |key: &str| report[key].as_u64().expect("a count");
            Ok((count("errors"), count("warnings"), report["messages"].to_string()))
        })
        .collect();
    assert_eq!(found.len(), files.len());
    Some(found)
}

pub fn assert_valid(files: &[PathBuf]) {
    assert_only_warnings(files, &[]);
}

/// Asserts that the validator finds no error in any file, and in each just the warnings of these codes.
pub fn assert_only_warnings(files: &[PathBuf], expected: &[&str]) {
    const WARNING: u64 = 1;
    let Some(found) = khronos(files) else { return };
    for (file, (errors, warnings, messages)) in files.iter().zip(found) {
        let counts = (0, expected.len() as u64);
        assert_eq!((errors, warnings), counts, "{}: {messages}", file.display());
        let all: Vec<Value> = serde_json::from_str(&messages).expect("a list");
        let codes =
            all.iter().filter(|m| m["severity"] == WARNING).map(|m| m["code"].as_str().expect("a code"));
        assert_eq!(codes.collect::<Vec<_>>(), expected, "{}: {messages}", file.display());
    }
}

/// A data URI of these bytes.
pub fn uri(bytes: &[u8]) -> String {
    let text = base64::engine::general_purpose::STANDARD.encode(bytes);
    format!("data:application/octet-stream;base64,{text}")
}

/// Little-endian bytes of floats.
pub fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

/// A small file with one buffer, built accessor by accessor.
#[derive(Default)]
pub struct Builder {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Builder {
    pub fn view(&mut self, bytes: &[u8], stride: Option<u32>) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let mut view = json!({ "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len() });
        if let Some(stride) = stride {
            view["byteStride"] = json!(stride);
        }
        self.bytes.extend_from_slice(bytes);
        self.views.push(view);
        self.views.len() - 1
    }

    pub fn raw(&mut self, accessor: Value) -> usize {
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    pub fn add(&mut self, bytes: &[u8], component: u32, kind: &str, count: usize) -> usize {
        let view = self.view(bytes, None);
        self.raw(json!({ "bufferView": view, "componentType": component, "type": kind, "count": count }))
    }

    pub fn floats(&mut self, values: &[f32], kind: &str) -> usize {
        let width = match kind {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        self.add(&floats(values), 5126, kind, values.len() / width)
    }

    /// The file: `rest` with the asset, buffer, views and accessors added.
    pub fn finish(self, mut rest: Value) -> String {
        rest["asset"] = json!({ "version": "2.0" });
        if !self.bytes.is_empty() {
            rest["buffers"] = json!([{ "byteLength": self.bytes.len(), "uri": uri(&self.bytes) }]);
            rest["bufferViews"] = Value::Array(self.views);
        }
        if !self.accessors.is_empty() {
            rest["accessors"] = Value::Array(self.accessors);
        }
        rest.to_string()
    }
}
