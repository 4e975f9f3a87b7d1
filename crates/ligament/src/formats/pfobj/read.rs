//! Bytes to document.
//!
//! Vertices and frames make up nearly all of a file, and nearly all are laid out exactly as the exporter writes them.
//! `fast.rs` reads those with one pass over the bytes and gives up at the first thing that is different; the record is
//! then read again by the tolerant code, which accepts any spacing and says what is wrong and where. Large files are
//! read on several cores (`parallel.rs`), under the same rule: whatever is irregular is read again from the start, so
//! that results and diagnostics do not depend on the number of cores.

mod fast;
mod field;
mod header;
mod line;
#[cfg(feature = "parallel")]
mod parallel;
mod sections;
mod skeleton;
mod vertices;

pub(super) use field::is_unit;

use super::codes;
use super::document::{Dialect, Document, Layout};
use crate::formats::ReadOptions;
use crate::io::Folder;
use crate::report::{Diagnostic, Failure, Report, Severity};
use crate::text::{Lines, RawText};
use std::ops::Range;

/// Files below this size are read on one core: starting threads would cost more than it gains.
#[cfg(feature = "parallel")]
const PARALLEL_BYTES: usize = 4 << 20;

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
    #[cfg(feature = "parallel")]
    parallel_bytes: usize,
}

/// How a document is read.
pub(super) struct ReadSettings<'r> {
    pub name: String,
    pub options: &'r ReadOptions,
    /// Where textures should be; without it nobody looks.
    pub folder: Option<&'r dyn Folder>,
    /// Files of at least so many bytes are read on several cores; `None` takes the usual size.
    #[cfg_attr(not(feature = "parallel"), expect(dead_code))]
    pub parallel_bytes: Option<usize>,
}

/// Reads a whole file.
pub(super) fn read(
    bytes: &[u8],
    settings: ReadSettings<'_>,
    report: &mut Report,
) -> Result<Document, Failure> {
    let reader = Reader {
        bytes,
        at: 0,
        lines: Lines::new(bytes),
        options: settings.options,
        folder: settings.folder,
        rotations: None,
        errors: 0,
        max_errors: settings.options.limits.max_diagnostics,
        misplaced_at: usize::MAX,
        skipping: false,
        #[cfg(feature = "parallel")]
        parallel_bytes: settings.parallel_bytes.unwrap_or(PARALLEL_BYTES),
        report,
    };
    reader.document(settings.name)
}

impl Reader<'_, '_> {
    fn document(mut self, name: String) -> Result<Document, Failure> {
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
            name,
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
