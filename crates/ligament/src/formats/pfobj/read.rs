//! Bytes to document.
//!
//! Vertices and frames make up nearly all of a file, and nearly all are laid out exactly as the exporter writes them.
//! `fast.rs` reads those with one pass over the bytes and gives up at the first thing that is different; the record is
//! then read again by the tolerant code, which accepts any spacing and says what is wrong and where.
//!
//! Large files are not held in memory as a whole: `bulk.rs` lets them pass by in pieces, on several cores, and leaves to
//! the tolerant code the little text that is neither vertices nor frames. The results and diagnostics are the same either
//! way: if anything is wrong, or a message needs text that has passed by, all of the file is read again.

mod bulk;
mod fast;
mod field;
mod header;
mod line;
mod sections;
mod skeleton;
mod vertices;

pub(super) use field::is_unit;

use super::codes;
use super::document::{Dialect, Document, Layout};
use crate::formats::ReadOptions;
use crate::io::{Folder, Source};
use crate::report::{Diagnostic, Failure, Report, Severity};
use crate::text::{Lines, RawText};
use bulk::{Arrays, Condensed};
use std::ops::Range;

/// Files below this size are read as a whole.
const LEAST_BULK_BYTES: u64 = 1 << 16;
/// How much of a large file is in memory at a time, for each core: what the core's own cache can hold.
const PIECE_BYTES: usize = 1 << 20;

/// One pass over a file.
struct Reader<'a, 'r> {
    bytes: &'a [u8],
    /// Where the next line begins.
    at: usize,
    lines: Lines<'a>,
    report: &'r mut Report,
    options: &'r ReadOptions,
    folder: Option<&'r dyn Folder>,
    /// The dialect of all rotations, once the first was read.
    rotations: Option<Dialect>,
    errors: usize,
    max_errors: usize,
    /// The line that was last reported as misplaced, so that one line makes one message.
    misplaced_at: usize,
    /// Within a run of lines that are too many.
    skipping: bool,
    /// What was left out of the text.
    arrays: Arrays,
    /// Whether something is to be told of which the text was left out.
    needs_all_text: bool,
}

/// How a document is read.
pub(super) struct ReadSettings<'r> {
    pub name: String,
    pub options: &'r ReadOptions,
    /// Where textures should be; without it nobody looks.
    pub folder: Option<&'r dyn Folder>,
    /// How the file's bytes are fetched.
    pub pieces: Pieces,
}

/// How a file's bytes are fetched. The results are the same.
#[derive(Debug, Clone, Copy)]
pub(super) enum Pieces {
    /// Large files in pieces.
    Usual,
    /// In pieces of so many bytes for each core, however small the file is.
    Of(usize),
    /// All at once.
    Whole,
}

/// Reads a file.
pub(super) fn read(
    source: &Source,
    settings: &ReadSettings<'_>,
    report: &mut Report,
) -> Result<Document, Failure> {
    let piece = match settings.pieces {
        Pieces::Usual => (source.content.len() >= LEAST_BULK_BYTES).then_some(PIECE_BYTES),
        Pieces::Of(bytes) => Some(bytes),
        Pieces::Whole => None,
    };
    if let Some(condensed) = piece.and_then(|piece| bulk::condense(&source.content, settings, piece)) {
        let before = report.clone();
        if let Some(document) = read_condensed(condensed, settings, report) {
            return Ok(document);
        }
        *report = before;
    }
    let bytes = source.bytes(report)?;
    Reader::new(&bytes, Lines::new(&bytes), settings, report).document(&settings.name)
}

/// Reads a file of which vertices and frames have been read already; `None` if that was not enough.
fn read_condensed(condensed: Condensed, settings: &ReadSettings, report: &mut Report) -> Option<Document> {
    let Condensed { text, gaps, arrays } = condensed;
    let mut reader = Reader::new(&text, Lines::with_gaps(&text, &gaps), settings, report);
    reader.arrays = arrays;
    let document = reader.document(&settings.name).ok()?;
    (reader.arrays.is_empty() && !reader.needs_all_text).then_some(document)
}

impl<'a, 'r> Reader<'a, 'r> {
    fn new(bytes: &'a [u8], lines: Lines<'a>, settings: &ReadSettings<'r>, report: &'r mut Report) -> Self {
        Self {
            bytes,
            at: 0,
            lines,
            options: settings.options,
            folder: settings.folder,
            rotations: None,
            errors: 0,
            max_errors: settings.options.limits.max_diagnostics,
            misplaced_at: usize::MAX,
            skipping: false,
            arrays: Arrays::default(),
            needs_all_text: false,
            report,
        }
    }
}

impl Reader<'_, '_> {
    fn document(&mut self, name: &str) -> Result<Document, Failure> {
        self.byte_order_mark();
        let header = self.header()?;
        let vertices = self.vertices(&header)?;
        let materials = self.materials(&header)?;
        let joints = self.joints(&header, &vertices)?;
        let (clips, indented_frames) = self.clips(&header, joints.len())?;
        let bounds = self.model_bounds(&header, &vertices.positions)?;
        self.nothing_after()?;

        let by_header = if header.singular_materials { Dialect::Document } else { Dialect::Engine };
        let dialect = self.rotations.unwrap_or(by_header);
        if self.errors > 0 {
            return Err(Failure::Invalid);
        }
        self.check_weights(&vertices, dialect);
        self.check_triangles(&header, &vertices);
        Ok(Document {
            name: name.to_owned(),
            dialect,
            layout: Layout { singular_materials: header.singular_materials, indented_frames },
            version: header.version,
            has_collision: header.has_collision,
            vertices: vertices.into_document(),
            materials,
            joints,
            clips,
            bounds,
            needs_white_texture: false,
        })
    }

    fn byte_order_mark(&mut self) {
        if self.bytes.starts_with(b"\xef\xbb\xbf") {
            self.at = 3;
            let place = self.lines.place(0..3);
            let message = "the file begins with a byte order mark, which the engine cannot read";
            self.report.push(Diagnostic::new(Severity::Note, &codes::BYTE_ORDER_MARK, place, message));
        }
    }

    /// A name as it stands in the file; one that other formats cannot hold is noted.
    fn name(&mut self, span: Range<usize>) -> RawText {
        let name = RawText::from(&self.bytes[span.clone()]);
        if !name.is_utf8() {
            let place = self.lines.place(span);
            let message = format!("the name {name} is not UTF-8");
            self.report.push(Diagnostic::new(Severity::Note, &codes::NOT_UTF8, place, message));
        }
        name
    }

    fn nothing_after(&mut self) -> Result<(), Failure> {
        if let Some((line, _)) = self.peek() {
            let text = RawText::from(&self.bytes[line.start..line.end]);
            let message = format!("expected the end of the file, found {text}");
            let code = if self.peek().is_some_and(|(_, found)| found == line::Keyword::Other) {
                &codes::STRAY_TEXT
            } else {
                &codes::MORE
            };
            return Err(self.fatal(code, line.start..line.end, message));
        }
        Ok(())
    }

    /// How many records of at least `bytes` bytes the rest of the file can hold, at most `announced`: no allocation
    /// trusts the header alone.
    fn room_for(&self, announced: u64, bytes: usize) -> usize {
        let possible = (self.bytes.len() - self.at.min(self.bytes.len())) / bytes + 1;
        usize::try_from(announced).map_or(possible, |n| n.min(possible))
    }
}
