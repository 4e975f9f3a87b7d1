//! Document to bytes: the inverse of reading.

use super::codes;
use super::document::Document;
use crate::formats::WriteOptions;
use crate::io::Output;
use crate::report::{Failure, Place, Report};

/// Writes a document exactly as it was read.
pub(super) fn write(
    _document: &Document,
    _options: &WriteOptions,
    _output: &mut dyn Output,
    report: &mut Report,
) -> Result<(), Failure> {
    Err(report.invalid(&codes::UNFINISHED, Place::WHOLE, "{TITLE} files cannot be written yet"))
}
