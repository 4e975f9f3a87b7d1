//! Other files that an operation reads.

use super::clips_from::Around;
use crate::convert::{Imported, read_from};
use crate::formats::ReadOptions;
use crate::io::Source;
use crate::report::{Failure, Report};
use std::path::Path;

/// Reads a file. What is wrong with it is reported only if it cannot be read: what else is lost in it concerns no result.
pub(super) fn read_other(path: &Path, around: &Around<'_>, report: &mut Report) -> Result<Imported, Failure> {
    let limits = &around.read.limits;
    let mut aside = Report::new("", limits.max_diagnostics);
    // The format that was given is that of the model.
    let options = ReadOptions { format: None, ..around.read.clone() };
    let read = Source::open(path, limits, &mut aside)
        .and_then(|source| read_from(source, Some(path), &options, around.progress, &mut aside));
    if read.is_err() || aside.has_errors() {
        report.append_diagnostics(aside);
    }
    read
}
