//! Tests of {TITLE}. They fail until the format is read, imported and written.
//!
//! `tests/fixtures/{MODULE}/first.{ID}` is a file that another program made. That program's results for it (counts, positions,
//! posed vertices) belong into the assertions: an oracle that this code did not produce.

#[path = "../support/mod.rs"]
mod support;

use ligament::formats::{WriteOptions, by_id};
use ligament::io::{MemoryOutput, Source};
use ligament::report::Report;

/// The other program's numbers of vertices, joints and clips. Replace the zeros with them.
const ORACLE: [usize; 3] = [0, 0, 0];

fn fixture() -> Vec<u8> {
    let path = support::workspace().join("crates/ligament/tests/fixtures/{MODULE}/first.{ID}");
    let help = "CONTRIBUTING.md, step 1: put a file there that another program made";
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}\n{help}", path.display()))
}

#[test]
fn a_file_is_found_by_its_content() {
    let found = ligament::formats::detect(&fixture(), None).map(|format| format.id);
    assert_eq!(found, Some("{ID}"), "CONTRIBUTING.md, step 2: `sniff` does not recognise the file");
}

#[test]
fn a_file_is_read_and_keeps_the_promise() {
    let format = by_id("{ID}").expect("a row in FORMATS");
    let mut report = Report::default();
    let scene = support::import(format, &fixture(), &support::workspace(), &mut report);
    let scene = scene.unwrap_or_else(|| panic!("{:?}", report.diagnostics()));
    support::check_promise(&scene);
    assert_ne!(ORACLE, [0, 0, 0], "CONTRIBUTING.md, step 6: the other program's counts are missing");
    let counts = scene.counts();
    assert_eq!([counts.vertices, counts.joints, counts.clips], ORACLE);
    // Then compare positions, normals and posed vertices with the other program's: `pose::deform`.
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
