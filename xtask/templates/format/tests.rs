//! Tests of {TITLE}. They fail until the format is read, imported and written.
//!
//! Put a file that another program made into `tests/fixtures/{MODULE}/` as `first.{ID}`, and that program's results for it
//! (counts, positions, posed vertices) into the assertions: an oracle that this code did not produce.

#[path = "../support/mod.rs"]
mod support;

use ligament::formats::{WriteOptions, by_id};
use ligament::io::{MemoryOutput, Source};
use ligament::report::Report;

fn fixture() -> Vec<u8> {
    let path = support::workspace().join("crates/ligament/tests/fixtures/{MODULE}/first.{ID}");
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn a_file_is_found_by_its_content() {
    let found = ligament::formats::detect(&fixture(), None).map(|format| format.id);
    assert_eq!(found, Some("{ID}"));
}

#[test]
fn a_file_is_read_and_keeps_the_promise() {
    let format = by_id("{ID}").expect("a row in FORMATS");
    let mut report = Report::default();
    let scene = support::import(format, &fixture(), &support::workspace(), &mut report);
    let scene = scene.unwrap_or_else(|| panic!("{:?}", report.diagnostics()));
    support::check_promise(&scene);
    assert!(scene.vertex_count() > 0, "assert the oracle's numbers here, not only that there are vertices");
}

#[test]
fn a_rewrite_gives_the_same_bytes() {
    let format = by_id("{ID}").expect("a row in FORMATS");
    let (bytes, mut report) = (fixture(), Report::default());
    let document = format.read(Source::from_bytes("first", &bytes[..]), &Default::default(), &mut report);
    let document = document.unwrap_or_else(|_| panic!("{:?}", report.diagnostics()));
    let mut output = MemoryOutput::new("first");
    let written = document.write(document.dialect(), &WriteOptions::default(), &mut output, &mut report);
    assert!(written.is_ok(), "{:?}", report.diagnostics());
    assert!(output.main == bytes, "the rewritten file differs");
}
