//! Bytes to document.
//!
//! | file | what it does |
//! |---|---|
//! | `usual.rs` | the lines that make up nearly all of a file, in their usual layout, at full speed |
//! | `aside.rs` | the same on another core, of a later part of the piece |
//! | `line.rs` | all other lines, with everything that can be wrong |
//! | `corners.rs` | corners in any layout, and references to what comes later |
//! | `libraries.rs` | `mtllib` |
//! | `tallies.rs` | what is said once for many lines |
//!
//! A file passes by in pieces of whole lines, so that a large one is never in memory together with what is read from it.
//! Places in messages are those in the file.

mod aside;
mod corners;
mod libraries;
mod line;
mod tallies;
mod usual;

pub(super) use line::number_or;
pub(super) use tallies::Tallies;

use super::codes;
use super::document::{Model, Run};
use crate::cores::{beside, threads};
use crate::formats::ReadOptions;
use crate::formats::obj_text::Chained;
use crate::io::{Content, Folder, Source};
use crate::report::{Code, Failure, Place, Report, Severity};
use crate::text::{Lines, Pieces, RawText, Window};
use aside::{Aside, LEAST_SHARED_BYTES, SHARE_BYTES, shares};
use corners::Forward;
use memchr::{memchr_iter, memrchr};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use usual::usual_line;

struct Reader<'r> {
    options: &'r ReadOptions,
    report: &'r mut Report,
    /// Where libraries and textures are looked for; without it nobody looks.
    folder: Option<&'r dyn Folder>,
    /// What messages call the model.
    file: &'r str,
    model: Model,
    vertices: Chained,
    /// What the next element belongs to.
    state: Run,
    /// Whether the next element begins a run.
    changed: bool,
    materials: HashMap<RawText, u32>,
    /// Where each material is first used.
    material_places: Vec<Place>,
    groups: HashMap<RawText, u32>,
    libraries: HashSet<String>,
    forward: Forward,
    tallies: Tallies,
    errors: usize,
    /// More indices than the file can have things for; no allocation trusts an index alone.
    most: usize,
}

/// A stretch of whole lines of the file.
struct Piece<'t> {
    text: &'t [u8],
    lines: Lines<'t>,
    bytes_before: usize,
    lines_before: u32,
}

impl<'t> Piece<'t> {
    fn new(text: &'t [u8], bytes_before: usize, lines_before: u32) -> Self {
        Self { text, lines: Lines::new(text), bytes_before, lines_before }
    }

    fn place(&self, span: Range<usize>) -> Place {
        let (line, column) = self.lines.line_column(span.start);
        let span = span.start + self.bytes_before..span.end + self.bytes_before;
        Place::text(span, line.saturating_add(self.lines_before), column)
    }
}

/// Reads a source, and looks for libraries and textures in its folder if there is one.
pub(super) fn read(
    source: &Source<'_>,
    folder: Option<&dyn Folder>,
    pieces: Pieces,
    options: &ReadOptions,
    report: &mut Report,
) -> Result<Model, Failure> {
    let head = source.range(0, source.content.len().min(2), report)?;
    let wide = is_wide(&head).then(|| source.bytes(report)).transpose()?.map(|bytes| narrow(&bytes));
    let decoded = match wide {
        Some(Some(text)) => {
            report.note(&codes::WIDE, Place::WHOLE, "the file is in UTF-16");
            Some(Content::Memory(Cow::Owned(text.into_bytes())))
        }
        Some(None) => {
            return Err(report.invalid(&codes::NOT_TEXT, Place::WHOLE, "the UTF-16 text is broken"));
        }
        None => None,
    };
    let content = decoded.as_ref().unwrap_or(&source.content);
    let model = Model { name: crate::formats::stem(&source.name), ..Model::default() };
    let mut reader = Reader {
        options,
        report,
        folder,
        file: &source.name,
        model,
        vertices: Chained::default(),
        state: Run::default(),
        changed: true,
        materials: HashMap::new(),
        material_places: Vec::new(),
        groups: HashMap::new(),
        libraries: HashSet::new(),
        forward: Forward::default(),
        tallies: Tallies::default(),
        errors: 0,
        most: usize::try_from(content.len() / 4).unwrap_or(usize::MAX).min(i32::MAX as usize) + 1,
    };
    let read = reader.pieces(content, pieces);
    let finished = read.and_then(|()| reader.finish());
    reader.tallies.flush(reader.report);
    finished?;
    reader.report.check().map(|()| reader.model)
}

/// Whether a file begins with the byte order mark of UTF-16.
pub(super) fn is_wide(head: &[u8]) -> bool {
    matches!(head, [0xff, 0xfe, ..] | [0xfe, 0xff, ..])
}

/// UTF-16 text with its byte order mark as UTF-8.
pub(super) fn narrow(bytes: &[u8]) -> Option<String> {
    let (text, _, broken) = encoding_rs::UTF_16LE.decode(bytes);
    (!broken).then(|| text.into_owned())
}

/// The offset after the last line end that a line does not continue behind.
fn last_line_end(text: &[u8]) -> Option<usize> {
    let mut end = text.len();
    loop {
        let at = memrchr(b'\n', &text[..end])?;
        if !line::continues(&text[..at]) {
            return Some(at + 1);
        }
        end = at;
    }
}

impl Reader<'_> {
    fn pieces(&mut self, content: &Content<'_>, pieces: Pieces) -> Result<(), Failure> {
        let whole = usize::try_from(content.len()).unwrap_or(usize::MAX);
        let threads = if whole >= LEAST_SHARED_BYTES { threads() } else { 1 };
        let piece_bytes = match threads {
            1 => pieces.bytes(content).unwrap_or(whole),
            _ => SHARE_BYTES * threads,
        };
        let Some(mut window) = Window::new(content, piece_bytes) else { return Err(self.too_many()) };
        let (mut bytes_before, mut lines_before, mut least) = (0, 0_u32, 1);
        loop {
            if let Err(error) = window.fill(least) {
                let message = format!("cannot read: {error}");
                self.report.error(&crate::io::codes::CANNOT_READ, Place::WHOLE, message);
                return Err(Failure::Io);
            }
            let (text, ends) = (window.text(), window.holds_end());
            let end = match if ends { Some(text.len()) } else { last_line_end(text) } {
                Some(0) => return Ok(()),
                Some(end) => end,
                // A line that is longer than the piece.
                None => {
                    least = text.len() + 1;
                    continue;
                }
            };
            let shares = shares(&text[..end], threads);
            let asides = self.first_share(&shares, (bytes_before, lines_before))?;
            for (i, text) in shares.iter().enumerate() {
                let aside = i.checked_sub(1).and_then(|i| asides.get(i)?.as_ref());
                if i > 0 && !aside.is_some_and(|aside| self.add(aside)) {
                    self.piece(&Piece::new(text, bytes_before, lines_before), 0)?;
                }
                bytes_before += text.len();
                let lines = memchr_iter(b'\n', text).count();
                lines_before = lines_before.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
            }
            self.check_counts()?;
            window.advance(end);
            least = 1;
        }
    }

    /// Reads the first share of a piece, and returns what was read of the others meanwhile.
    fn first_share(
        &mut self,
        shares: &[&[u8]],
        (bytes_before, lines_before): (usize, u32),
    ) -> Result<Vec<Option<Aside>>, Failure> {
        let Some((text, others)) = shares.split_first() else { return Ok(Vec::new()) };
        let piece = Piece::new(text, bytes_before, lines_before);
        let mark = if bytes_before == 0 && text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        let mut asides: Vec<_> = others.iter().map(|_| None).collect();
        let work = others.iter().zip(&mut asides).map(|(text, aside)| move || *aside = Aside::read(text));
        beside(work, || self.piece(&piece, mark))?;
        Ok(asides)
    }

    fn piece(&mut self, piece: &Piece<'_>, mut at: usize) -> Result<(), Failure> {
        while at < piece.text.len() {
            at = match usual_line(self, piece.text, at) {
                Some(next) => next,
                None => self.line(piece, at)?,
            };
        }
        Ok(())
    }

    fn check_counts(&mut self) -> Result<(), Failure> {
        let lists = [self.model.positions.len(), self.model.uvs.len(), self.model.normals.len()];
        let model = &self.model;
        let elements =
            [self.vertices.len(), model.faces.corners.len(), model.lines.len(), model.points.len()];
        if lists.iter().any(|&length| length > i32::MAX as usize)
            || elements.iter().any(|&length| length >= u32::MAX as usize)
        {
            return Err(self.too_many());
        }
        Ok(())
    }

    fn too_many(&mut self) -> Failure {
        let message = "the file lists more than 32-bit indices can count";
        self.report.invalid(&codes::TOO_MANY, Place::WHOLE, message)
    }

    fn error(
        &mut self,
        code: &'static Code,
        place: Place,
        message: impl Into<String>,
    ) -> Result<(), Failure> {
        self.errors += 1;
        self.report.error(code, place, message);
        // A report full of errors: whatever this is, it is no model.
        if self.errors > self.options.limits.max_diagnostics { Err(Failure::Invalid) } else { Ok(()) }
    }

    /// Notes what the next element belongs to, where that has changed.
    #[inline(always)]
    fn begin_element(&mut self) {
        if self.changed {
            self.begin_run();
        }
    }

    #[cold]
    fn begin_run(&mut self) {
        self.changed = false;
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let run = Run {
            first_face: count(self.model.faces.len()),
            first_line: count(self.model.lines.len() / 2),
            first_point: count(self.model.points.len()),
            ..self.state
        };
        self.model.runs.push(run);
    }

    /// What can be done only when all lines are read.
    fn finish(&mut self) -> Result<(), Failure> {
        self.check_forward()?;
        let model = &mut self.model;
        if model.positions.is_empty() && self.errors == 0 {
            let message = "the file has no position (`v`), so that there is nothing to show";
            return Err(self.report.invalid(&codes::NOTHING, Place::WHOLE, message));
        }
        if self.vertices.len() == 0 {
            let message =
                "the file has positions and nothing that uses them; they are taken for a cloud of points";
            self.report.note(&codes::POINT_CLOUD, Place::WHOLE, message);
        } else {
            model.left_out.unused =
                model.positions.len() - self.vertices.used_positions(model.positions.len());
        }
        if model.left_out.unused > 0 {
            let unused = crate::report::counted(model.left_out.unused, "position is", "positions are");
            let message = format!("{unused} used by nothing");
            self.report.note(&codes::UNUSED, Place::WHOLE, message);
        }
        model.vertices = std::mem::take(&mut self.vertices).into_corners();
        self.check_materials();
        Ok(())
    }

    /// Materials that are used but nowhere defined, and those that are defined twice.
    fn check_materials(&mut self) {
        let mut defined = HashSet::new();
        for material in self.model.libraries.iter().flat_map(|library| &library.materials) {
            if !defined.insert(&material.name) {
                let message =
                    format!("the libraries define {} more than once; the first counts", material.name);
                self.tallies.add(Severity::Warning, &codes::MATERIAL_TWICE, "", || (Place::WHOLE, message));
            }
        }
        let read = self.model.libraries.iter().any(|library| library.path.is_some());
        for (name, place) in self.model.materials.iter().zip(&self.material_places) {
            if !defined.contains(name) {
                let severity = if read { Severity::Warning } else { Severity::Note };
                let message = format!("no library has a material {name}");
                self.tallies.add(severity, &codes::MATERIAL_UNDEFINED, "", || (place.clone(), message));
            }
        }
    }
}
