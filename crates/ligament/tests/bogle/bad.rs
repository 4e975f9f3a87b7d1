//! Bad input.

use crate::{own, parse};

#[test]
fn a_file_that_a_crash_cut_off_is_refused_with_its_place() {
    let Some(own) = own("a_file_that_a_crash_cut_off_is_refused_with_its_place") else { return };
    let (document, report) = parse(&own.join("bad/truncated_in_material.bgl"));
    assert!(document.is_none());
    println!("{:?}", report.diagnostics());
}
