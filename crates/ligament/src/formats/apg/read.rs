//! Bytes to document.
//!
//! Nearly all of a text file is numbers separated by one space: the usual lines of `rows.rs`, `vertices.rs` and
//! `skeleton.rs`. Other lines are read by the tolerant code beside them, which accepts any spacing and reports problems
//! with their position.

mod binary;
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
use crate::limits::FARTHEST;
use crate::report::{Failure, Report};

/// The start of every binary file.
pub(super) const BINARY: &[u8] = b"BINAPGv";

/// Reads a whole file.
pub(super) fn read(
    source: &Source<'_>,
    options: &ReadOptions,
    report: &mut Report,
) -> Result<Document, Failure> {
    let head = source.range(0, source.content.len().min(BINARY.len() as u64), report)?;
    let read = if *head == *BINARY { binary::read } else { text::read };
    let document = read(source, options, report)?;
    Ok(Document { name: crate::formats::stem(&source.name), ..document })
}
