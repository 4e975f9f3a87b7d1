//! Bytes to document.
//!
//! | file | what it does |
//! |---|---|
//! | `usual.rs` | records in exactly the exporter's layout, at full speed |
//! | `vertices.rs`, `frames.rs` | runs of such records, on several cores; other vertices |
//! | `header.rs`, `sections.rs`, `skeleton.rs` | the other parts of a file, in the order of the file |
//! | `line.rs` | the expected line, and recovery from an unexpected one |
//! | `field.rs` | values within a line |

mod field;
mod frames;
mod header;
mod line;
mod sections;
mod skeleton;
mod usual;
mod vertices;

pub(super) use field::is_unit;

use super::codes;
use super::document::{Dialect, Document, Layout};
use crate::formats::ReadOptions;
use crate::io::{Folder, Source};
use crate::report::{Failure, Report};
use crate::text::{Field, RawText, TextReader, Usual};
use frames::Frames;
use vertices::VertexArrays;

/// One pass over a file.
struct Reader<'a, 'r> {
    text: TextReader<'a, 'r, Aside>,
    options: &'r ReadOptions,
    /// The folder of the textures; without it they are not looked up.
    folder: Option<&'r dyn Folder>,
    /// The dialect of all rotations, once the first was read.
    rotations: Option<Dialect>,
    /// The position of the last line reported as misplaced, so that each line is reported once.
    misplaced_at: Option<usize>,
    /// Whether the reader is within a run of surplus lines.
    skipping: bool,
}

/// Data that another core reads.
enum Aside {
    Vertices(VertexArrays),
    Frames(Frames),
}

impl Usual for Aside {
    #[inline(always)]
    fn usual(&mut self, text: &[u8], at: usize) -> Option<usize> {
        match self {
            Aside::Vertices(vertices) => vertices.usual(text, at),
            Aside::Frames(frames) => frames.usual(text, at),
        }
    }
}

/// Reads a file. `folder` is where textures should be; without it they are not looked up.
pub(super) fn read(
    source: &Source<'_>,
    folder: Option<&dyn Folder>,
    options: &ReadOptions,
    report: &mut Report,
) -> Result<Document, Failure> {
    let text = TextReader::new(&source.content, &options.limits, report)?.with_other_cores();
    let mut reader = Reader { text, options, folder, rotations: None, misplaced_at: None, skipping: false };
    reader.document(crate::formats::stem(&source.name))
}

impl Reader<'_, '_> {
    fn document(&mut self, name: String) -> Result<Document, Failure> {
        if let Some(spot) = self.text.skip_mark()? {
            let message = "the file begins with a byte order mark, which the engine cannot read";
            self.text.note(&codes::BYTE_ORDER_MARK, spot, message);
        }
        let header = self.header()?;
        let vertices = self.vertices(&header)?;
        let materials = self.materials(&header)?;
        let joints = self.joints(&header, &vertices)?;
        let (clips, indented_frames) = self.clips(&header, joints.len())?;
        let bounds = self.model_bounds(&header, &vertices.positions)?;
        self.nothing_after()?;

        let by_header = if header.singular_materials { Dialect::Document } else { Dialect::Engine };
        let dialect = self.rotations.unwrap_or(by_header);
        if self.text.errors > 0 {
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

    /// Reads a name; a name that other formats cannot hold is reported.
    fn name(&mut self, field: Field<'_>) -> RawText {
        let name = field.raw();
        if !name.is_utf8() {
            self.text.note(&codes::NOT_UTF8, field.spot(), format!("the name {name} is not UTF-8"));
        }
        name
    }

    fn nothing_after(&mut self) -> Result<(), Failure> {
        let Some(line) = self.text.peek()? else { return Ok(()) };
        let is_other = line::Keyword::of(&line) == line::Keyword::Other;
        let code = if is_other { &codes::STRAY_TEXT } else { &codes::MORE };
        let message = format!("expected the end of the file, found {}", line.trimmed().raw());
        Err(self.text.fatal(code, line.trimmed().spot(), message))
    }
}
