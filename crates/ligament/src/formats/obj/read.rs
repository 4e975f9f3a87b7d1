//! Bytes to document.
//!
//! | file | what it does |
//! |---|---|
//! | `usual.rs` | the most common lines in their usual layout, at full speed |
//! | `aside.rs` | the same lines of a later part of the file, on another core |
//! | `line.rs` | all other lines, with all error checks |
//! | `corners.rs` | corners in any layout, and forward references |
//! | `libraries.rs` | `mtllib` |

mod aside;
mod corners;
mod libraries;
mod line;
mod usual;

use super::codes;
use super::document::{Model, Run};
use crate::formats::ReadOptions;
use crate::formats::obj_text::Chained;
use crate::io::{Content, Folder, Source};
use crate::report::{Code, Failure, Place, Report, Severity};
use crate::text::{Joined, NumberCodes, RawText, Spot, TextReader};
use aside::Aside;
use corners::Forward;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// Codes for invalid numbers, here and in libraries.
pub(super) static NUMBERS: NumberCodes = NumberCodes {
    malformed: &codes::BAD_NUMBER,
    not_finite: &codes::NOT_FINITE,
    too_large: &codes::TOO_LARGE,
};

struct Reader<'a, 'r> {
    text: TextReader<'a, 'r, Aside>,
    options: &'r ReadOptions,
    /// Where libraries and textures are looked up; without it they are not looked up.
    folder: Option<&'r dyn Folder>,
    /// The model's name in messages.
    file: &'r str,
    built: Built,
    materials: HashMap<RawText, u32>,
    /// The place of each material's first use.
    material_spots: Vec<Spot>,
    groups: HashMap<RawText, u32>,
    libraries: HashSet<String>,
    forward: Forward,
    /// More than any valid index in a file of this length, so that no allocation trusts an index alone.
    most: usize,
}

/// The model as read so far.
struct Built {
    model: Model,
    vertices: Chained,
    /// The state for the next element: object, group, material and smoothing group.
    state: Run,
    /// Whether the next element begins a run.
    changed: bool,
}

/// Reads a source, and looks up libraries and textures in its folder if there is one.
pub(super) fn read(
    source: &Source<'_>,
    folder: Option<&dyn Folder>,
    options: &ReadOptions,
    report: &mut Report,
) -> Result<Model, Failure> {
    let head = source.range(0, source.content.len().min(2), report)?;
    let wide = is_wide(&head).then(|| source.bytes(report)).transpose()?.map(|bytes| narrow(&bytes));
    let decoded = match wide {
        Some(Some(text)) => {
            report.note(&codes::WIDE, Place::WHOLE, "the file is UTF-16");
            Some(Content::Memory(Cow::Owned(text.into_bytes())))
        }
        Some(None) => {
            return Err(report.invalid(&codes::NOT_TEXT, Place::WHOLE, "the UTF-16 text is broken"));
        }
        None => None,
    };
    let content = decoded.as_ref().unwrap_or(&source.content);
    let text = TextReader::new(content, &options.limits, report)?;
    let model = Model { name: crate::formats::stem(&source.name), ..Model::default() };
    let mut reader = Reader {
        text: text.with_joined_lines(Joined::AllBut(b'#')).with_other_cores(),
        options,
        folder,
        file: &source.name,
        built: Built { model, vertices: Chained::default(), state: Run::default(), changed: true },
        materials: HashMap::new(),
        material_spots: Vec::new(),
        groups: HashMap::new(),
        libraries: HashSet::new(),
        forward: Forward::default(),
        most: usize::try_from(content.len() / 4).unwrap_or(usize::MAX).min(i32::MAX as usize) + 1,
    };
    let read = reader.lines();
    let finished = read.and_then(|()| reader.finish());
    reader.text.flush_tallies();
    finished?;
    reader.text.report.check().map(|()| reader.built.model)
}

/// Whether a file begins with a UTF-16 byte order mark.
pub(super) fn is_wide(head: &[u8]) -> bool {
    matches!(head, [0xff, 0xfe, ..] | [0xfe, 0xff, ..])
}

/// Converts UTF-16 text with a byte order mark to UTF-8.
pub(super) fn narrow(bytes: &[u8]) -> Option<String> {
    let (text, _, broken) = encoding_rs::UTF_16LE.decode(bytes);
    (!broken).then(|| text.into_owned())
}

impl Reader<'_, '_> {
    fn lines(&mut self) -> Result<(), Failure> {
        self.text.skip_mark()?;
        loop {
            self.text.run_shared(&mut self.built)?;
            let Some(line) = self.text.line()? else { return Ok(()) };
            self.line(&line)?;
        }
    }

    fn check_counts(&mut self) -> Result<(), Failure> {
        let Built { model, vertices, .. } = &self.built;
        let lists = [model.positions.len(), model.uvs.len(), model.normals.len()];
        let elements = [vertices.len(), model.faces.corners.len(), model.lines.len(), model.points.len()];
        if lists.iter().any(|&length| length > i32::MAX as usize)
            || elements.iter().any(|&length| length >= u32::MAX as usize)
        {
            let message = "the file has more elements than 32-bit indices can count";
            return Err(self.text.fatal(&codes::TOO_MANY, Place::WHOLE, message));
        }
        Ok(())
    }

    fn error(
        &mut self,
        code: &'static Code,
        place: impl Into<Place>,
        message: impl Into<String>,
    ) -> Result<(), Failure> {
        self.text.error(code, place, message);
        self.text.give_up_after_too_many()
    }

    /// The steps that need all lines to have been read.
    fn finish(&mut self) -> Result<(), Failure> {
        self.check_counts()?;
        self.check_forward()?;
        let Built { model, vertices, .. } = &mut self.built;
        if model.positions.is_empty() && self.text.errors == 0 {
            let message = "the file has no positions (`v` lines), so there is nothing to show";
            return Err(self.text.fatal(&codes::NOTHING, Place::WHOLE, message));
        }
        if vertices.len() == 0 {
            let message =
                "the file has positions, but nothing that uses them; they are read as a point cloud";
            self.text.note(&codes::POINT_CLOUD, Place::WHOLE, message);
        } else {
            model.left_out.unused = model.positions.len() - vertices.used_positions(model.positions.len());
        }
        if model.left_out.unused > 0 {
            let unused = crate::report::counted(model.left_out.unused, "position is", "positions are");
            self.text.note(&codes::UNUSED, Place::WHOLE, format!("{unused} unused"));
        }
        model.vertices = std::mem::take(vertices).into_corners();
        self.check_materials();
        Ok(())
    }

    /// Reports materials that are used but not defined, and those that are defined twice.
    fn check_materials(&mut self) {
        let Self { text, built: Built { model, .. }, .. } = self;
        let mut defined = HashSet::new();
        for material in model.libraries.iter().flat_map(|library| &library.materials) {
            if !defined.insert(&material.name) {
                let message =
                    || format!("the libraries define {} more than once; the first counts", material.name);
                text.tally(Severity::Warning, &codes::MATERIAL_TWICE, "", Place::WHOLE, message);
            }
        }
        let read = model.libraries.iter().any(|library| library.path.is_some());
        for (name, spot) in model.materials.iter().zip(&self.material_spots) {
            if !defined.contains(name) {
                let severity = if read { Severity::Warning } else { Severity::Note };
                let message = || format!("no library defines the material {name}");
                text.tally(severity, &codes::MATERIAL_UNDEFINED, "", *spot, message);
            }
        }
    }
}

impl Built {
    /// Starts a new run if the state has changed.
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
}
