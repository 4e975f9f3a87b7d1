//! Bytes to document. A text format is read with `text::TextReader`, a binary one with `io::Fields`: both bound their
//! allocations by the remaining bytes, and know the location of every diagnostic.

use super::codes;
use super::document::Document;
use crate::formats::ReadOptions;
use crate::io::Source;
use crate::report::{Failure, Place, Report};

/// Reads a file. Continues after recoverable faults and reports all of them.
pub(super) fn read(
    _source: &Source<'_>,
    _options: &ReadOptions,
    report: &mut Report,
) -> Result<Document, Failure> {
    Err(report.invalid(&codes::UNFINISHED, Place::WHOLE, "{TITLE} files cannot be read yet"))
}
