//! Bytes to document. A text format is read with `text::TextReader`, a binary one with `io::Fields`: both bound their
//! allocations by the remaining bytes, and know the location of every diagnostic.

use super::codes;
use super::document::Document;
use crate::formats::ReadOptions;
use crate::io::Source;
use crate::report::{Failure, Place, Report};

/// Reads a file. Continues after recoverable faults and reports all of them.
{RW}pub(super) fn read(
{RW}    _source: &Source<'_>,
{RW}    _options: &ReadOptions,
{RW}    report: &mut Report,
{RW}) -> Result<Document, Failure> {
{RW}    Err(report.invalid(&codes::UNFINISHED, Place::WHOLE, "{TITLE} files cannot be read yet"))
{RO}pub(super) fn read<'a>(
{RO}    source: Source<'a>,
{RO}    _options: &ReadOptions,
{RO}    report: &mut Report,
{RO}) -> Result<Document<'a>, Failure> {
{RO}    // Put the file's content into the document instead, and end with `report.check()`.
{RO}    report.error(&codes::UNFINISHED, Place::WHOLE, "{TITLE} files cannot be read yet");
{RO}    report.check().map(|()| Document { source })
}
