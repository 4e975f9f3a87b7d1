//! Bytes to document.
//!
//! Nearly all of a text file is numbers with one space between them. `rows.rs` reads those with one pass over the bytes and
//! gives up at the first thing that is different; the line is then read again by the tolerant code, which accepts any
//! spacing and says what is wrong and where. Of large files, `bulk.rs` reads such numbers while the file passes by in
//! pieces, so that its text is never in memory as a whole.

mod binary;
mod bulk;
mod check;
mod rows;
mod skeleton;
mod tags;
mod text;
mod vertices;

pub(super) use check::tree;

use super::document::Document;
use crate::formats::ReadOptions;
use crate::io::Source;
use crate::report::{Failure, Report};
use crate::text::Pieces;

/// How every binary file begins.
pub(super) const BINARY: &[u8] = b"BINAPGv";

/// Numbers beyond this would be infinite once they are multiplied.
pub(super) const FARTHEST: f32 = 1e15;

/// Reads a whole file.
pub(super) fn read(
    source: &Source<'_>,
    name: String,
    pieces: Pieces,
    options: &ReadOptions,
    report: &mut Report,
) -> Result<Document, Failure> {
    let head = source.range(0, source.content.len().min(BINARY.len() as u64), report)?;
    if *head == *BINARY {
        return binary::read(source, name, options, report);
    }
    if let Some(piece) = pieces.bytes(&source.content)
        && let Some(document) = text::read_in_pieces(&source.content, piece, name.clone(), options, report)
    {
        return Ok(document);
    }
    let bytes = source.bytes(report)?;
    text::read(&bytes, name, options, report)
}
