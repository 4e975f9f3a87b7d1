//! BOGLE against files that this library did not write: fields, rewriting, posing, bad input.

mod bad;
mod conversions;
mod early;
mod fields;
mod posing;
#[path = "../support/mod.rs"]
mod support;

use ligament::formats::ReadOptions;
use ligament::formats::bogle::{Dialect, Document};
use ligament::io::{DirFolder, MemoryOutput, Source};
use ligament::report::Report;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn own() -> PathBuf {
    support::corpus("own/bogle")
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let all = support::files_below(folder);
    all.into_iter().filter(|path| path.extension().is_some_and(|e| e == "bgl")).collect()
}

fn parse(path: &Path) -> (Option<Document>, Report) {
    let bytes = std::fs::read(path).expect("readable");
    let mut source = Source::from_bytes("input.bgl", bytes);
    source.folder = Arc::new(DirFolder::new(path.parent().expect("in a folder")));
    let mut report = Report::default();
    let document = Document::parse_source(&source, &ReadOptions::default(), &mut report).ok();
    (document, report)
}

fn valid(path: &Path) -> Document {
    let (document, report) = parse(path);
    document.unwrap_or_else(|| panic!("{}: {:?}", path.display(), report.diagnostics()))
}

fn write(document: &Document, dialect: Dialect) -> MemoryOutput {
    let mut output = MemoryOutput::new("output");
    document.write_to(dialect, &mut output, &mut Report::default()).expect("memory takes everything");
    output
}

fn read_json(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).expect("readable")).expect("JSON")
}

#[test]
fn every_file_is_rewritten_byte_for_byte() {
    let own = own();
    let files = files(&own).into_iter().filter(|f| !f.to_string_lossy().contains("/bad/"));
    let mut count = 0;
    for file in files {
        let document = valid(&file);
        let expected = match file.parent().and_then(|p| p.file_name()).and_then(|n| n.to_str()) {
            Some("u32_dialect") => Dialect::Document,
            Some("external_dialect") => Dialect::External,
            _ => Dialect::Engine,
        };
        assert_eq!(document.dialect, expected, "{}", file.display());
        let written = write(&document, expected);
        assert!(written.main == std::fs::read(&file).expect("readable"), "{} changed", file.display());
        for (side, bytes) in &written.side_files {
            let original = file.parent().expect("in a folder").join(side);
            assert!(*bytes == std::fs::read(&original).expect("readable"), "{side} changed");
        }
        assert_eq!(
            written.side_files.len(),
            if expected == Dialect::External { document.geometries.len() } else { 0 }
        );
        count += 1;
    }
    assert_eq!(count, 19);
}

#[test]
fn dialects_differ_only_where_they_should() {
    let own = own();
    let read = |path: &str| std::fs::read(own.join(path)).expect("readable");
    for name in ["skin2.bgl", "skin3.bgl", "skin4.bgl"] {
        let whole = write(&valid(&own.join(name)), Dialect::Document).main;
        let mut expected = read(&format!("u32_dialect/{name}"));
        // The derived files keep the camera's type, which should be 1 in the document dialect.
        assert_eq!(expected[46], 0);
        expected[46] = 1;
        assert!(whole == expected, "{name} as document");
        let float = write(&valid(&own.join("u32_dialect").join(name)), Dialect::Engine).main;
        assert!(float == read(name), "{name} as engine");
    }
    for name in ["skin3.bgl", "multi.bgl"] {
        let external = write(&valid(&own.join(name)), Dialect::External);
        assert!(external.main == read(&format!("external_dialect/{name}")), "{name} as external");
        assert!(!external.side_files.is_empty());
        for (side, bytes) in external.side_files {
            assert!(bytes == read(&format!("external_dialect/{side}")), "{name}: {side}");
        }
        let engine = write(&valid(&own.join("external_dialect").join(name)), Dialect::Engine).main;
        assert!(engine == read(name), "{name} back inline");
    }
}
