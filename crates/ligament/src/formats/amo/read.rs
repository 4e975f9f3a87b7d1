//! Bytes to document.
//!
//! | file | what it does |
//! |---|---|
//! | `sniff.rs` | which dialect a file is in |
//! | `lines.rs` | the dialects with a keyword on every line, the usual lines at full speed |
//! | `bulk.rs` | large files, while they pass by in pieces |
//! | `condense.rs` | the lists of the dialect with counts, on the way |
//! | `slow.rs` | all other lines of theirs, with everything that can be wrong |
//! | `keys.rs`, `shapes.rs` | of these, clips with their keys; hooks, boxes and collision shapes |
//! | `counted.rs`, `poses.rs` | the dialect with counts, and its clips |
//! | `field.rs` | values within a line |
//! | `bases.rs` | whether indices count from 0 or from 1 |
//! | `check.rs`, `odd.rs` | references that lead nowhere; what is readable but odd |
//! | `locate.rs` | where a thing stands, worked out only when there is something to say about it |

mod bases;
mod bulk;
mod check;
mod condense;
mod counted;
mod field;
mod keys;
mod lines;
mod locate;
mod odd;
mod poses;
mod shapes;
mod slow;
mod sniff;

use super::document::{Corner, Dialect, Document, Faces, Model, Section};
use super::{BIND, BindPose, codes, container};
use crate::formats::ReadOptions;
use crate::formats::obj_text::Distinct;
use crate::io::{Content, Folder, Source};
use crate::report::{Code, Diagnostic, Failure, Place, Report, Severity};
use crate::text::{Lines, Pieces, RawText, Runs};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use condense::Run;
use sniff::Sniffed;
pub(super) use sniff::{MARK, is_amo};

struct Reader<'a, 'r> {
    /// All of the file, or a part of it.
    bytes: &'a [u8],
    at: usize,
    lines: Lines<'a>,
    /// The file, if `bytes` is only a part of it.
    content: Option<&'r Content<'r>>,
    /// The offset of that part in the file.
    part_at: usize,
    report: &'r mut Report,
    options: &'r ReadOptions,
    folder: Option<&'r dyn Folder>,
    /// Which lines the file has; `Document` stands for `OneBased` too until the indices are known.
    dialect: Dialect,
    /// The dialect that the file's first line names.
    marked: Option<Dialect>,
    errors: usize,
    /// Whether indices of joints and weights contradict each other, so that there is nothing more to say about them.
    contradicting: bool,
    model: Model,
    corners: Distinct<5>,
    indices: Vec<u32>,
    starts: Vec<u32>,
    /// What the last line was, for asides.
    last: Section,
    /// Lines of clips and shapes so far, for asides.
    clip_lines: usize,
    shape_lines: usize,
    /// Where in the file the lines of each list of the counted dialect begin.
    begins: BTreeMap<Section, usize>,
    /// Where in the file the model begins.
    model_at: usize,
    /// What was read of lines that are not in `bytes`.
    runs: Runs<Run>,
    /// Where each joint was last found in a group of keys.
    pose_index: HashMap<i32, usize>,
    tallies: BTreeMap<(&'static str, &'static str), Tally>,
}

/// Something that is said once for all lines that it is true of.
struct Tally {
    severity: Severity,
    code: &'static Code,
    /// The first place, in the file.
    span: Range<usize>,
    message: String,
    count: usize,
}

/// Reads a source, and looks for textures in its folder if there is one.
pub(super) fn read_source(
    source: &Source<'_>,
    folder: Option<&dyn Folder>,
    pieces: Pieces,
    options: &ReadOptions,
    report: &mut Report,
) -> Result<Document, Failure> {
    let name = crate::formats::stem(&source.name);
    if let Some(piece) = pieces.bytes(&source.content) {
        let read = bulk::read(&source.content, piece, name.clone(), options, folder, report);
        if let Some(document) = read {
            return Ok(document);
        }
    }
    let bytes = source.bytes(report)?;
    container::refuse(&bytes, report)?;
    read(&bytes, name, options, folder, report)
}

/// Reads all of a file. `folder` is where textures are looked for.
fn read(
    bytes: &[u8],
    name: String,
    options: &ReadOptions,
    folder: Option<&dyn Folder>,
    report: &mut Report,
) -> Result<Document, Failure> {
    let found = sniff::sniff(bytes);
    let mut reader = Reader::new(bytes, &found, options, folder, report);
    if bytes.starts_with(sniff::BYTE_ORDER_MARK) {
        reader.tally(
            Severity::Note,
            &codes::BYTE_ORDER_MARK,
            "",
            0..3,
            "the file begins with a byte order mark",
        );
    }
    let mut document = Document {
        name,
        marked: found.marked.is_some(),
        editamo: sniff::is_editamo(bytes),
        ..Document::default()
    };
    if let Some((span, word)) = found.unknown_mark {
        let message = format!("there is no dialect {word}; it is found out from the content");
        reader.tally(Severity::Warning, &codes::UNKNOWN_DIALECT, "", span, message);
    }
    let ended = match found.dialect {
        Dialect::Counted => reader.counted(&mut document),
        _ => reader.lines(&mut document),
    };
    reader.flush_tallies();
    ended?;
    if reader.marked.is_none() {
        reader.say_dialect(&document, &found.reason);
    }
    reader.report.check().map(|()| document)
}

impl<'a, 'r> Reader<'a, 'r> {
    fn new(
        bytes: &'a [u8],
        found: &Sniffed,
        options: &'r ReadOptions,
        folder: Option<&'r dyn Folder>,
        report: &'r mut Report,
    ) -> Self {
        Self {
            bytes,
            at: found.start,
            lines: Lines::new(bytes),
            content: None,
            part_at: 0,
            report,
            options,
            folder,
            dialect: found.dialect,
            marked: found.marked,
            errors: 0,
            contradicting: false,
            model: Model::default(),
            corners: Distinct::new(),
            indices: Vec::new(),
            starts: Vec::new(),
            last: Section::Start,
            clip_lines: 0,
            shape_lines: 0,
            begins: BTreeMap::new(),
            model_at: found.start,
            runs: Runs::default(),
            pose_index: HashMap::new(),
            tallies: BTreeMap::new(),
        }
    }

    /// The reader with all it has read, on other text, which is at `part_at` of the file.
    fn on<'b>(self, bytes: &'b [u8], at: usize, part_at: usize) -> Reader<'b, 'r> {
        Reader {
            bytes,
            at,
            lines: Lines::new(bytes),
            content: self.content,
            part_at,
            report: self.report,
            options: self.options,
            folder: self.folder,
            dialect: self.dialect,
            marked: self.marked,
            errors: self.errors,
            contradicting: self.contradicting,
            model: self.model,
            corners: self.corners,
            indices: self.indices,
            starts: self.starts,
            last: self.last,
            clip_lines: self.clip_lines,
            shape_lines: self.shape_lines,
            begins: self.begins,
            model_at: self.model_at,
            runs: self.runs,
            pose_index: self.pose_index,
            tallies: self.tallies,
        }
    }
}

impl Reader<'_, '_> {
    fn error(&mut self, code: &'static Code, span: Range<usize>, message: impl Into<String>) {
        self.errors += 1;
        self.report.error(code, self.lines.place(span), message);
    }

    /// Says something once, with the number of places.
    fn tally(
        &mut self,
        severity: Severity,
        code: &'static Code,
        what: &'static str,
        span: Range<usize>,
        message: impl Into<String>,
    ) {
        self.tally_at(severity, code, what, self.in_file(span), message);
    }

    /// The same for a span of the file.
    fn tally_at(
        &mut self,
        severity: Severity,
        code: &'static Code,
        what: &'static str,
        span: Range<usize>,
        message: impl Into<String>,
    ) {
        let new = || Tally { severity, code, span, message: message.into(), count: 0 };
        self.tallies.entry((code.id, what)).or_insert_with(new).count += 1;
    }

    fn flush_tallies(&mut self) {
        let mut tallies: Vec<_> = std::mem::take(&mut self.tallies).into_values().collect();
        tallies.sort_by_key(|t| t.span.start);
        for Tally { severity, code, span, mut message, count } in tallies {
            if count > 1 {
                message = format!("{message} ({} more like this)", count - 1);
            }
            self.report.push(Diagnostic::new(severity, code, self.place_at(span), message));
        }
    }

    /// The bytes of the file that a span of the text at hand stands for.
    fn in_file(&self, span: Range<usize>) -> Range<usize> {
        let span = self.lines.in_file(span);
        span.start + self.part_at..span.end + self.part_at
    }

    /// The place of a span of the file. Without all of the text at hand, its line is counted in the end.
    fn place_at(&self, span: Range<usize>) -> Place {
        if self.content.is_some() { Place::text(span, 0, 0) } else { self.lines.place(span) }
    }

    /// Stops when the report is full of errors: whatever this is, it is no model.
    fn give_up_after_too_many(&mut self) -> Result<(), Failure> {
        if self.errors > self.options.limits.max_diagnostics { Err(Failure::Invalid) } else { Ok(()) }
    }

    fn text(&self, span: Range<usize>) -> RawText {
        RawText::from(self.bytes.get(span).unwrap_or_default())
    }

    /// Adds a face of vertices that are already in the list.
    #[inline(always)]
    fn end_face(&mut self, first: usize) {
        let count = self.indices.len() - first;
        if count != 3 && self.starts.is_empty() {
            self.starts.extend((0..=first as u32).step_by(3));
        }
        if !self.starts.is_empty() {
            self.starts.push(self.indices.len() as u32);
        }
    }

    #[inline(always)]
    fn push_corner(&mut self, corner: &[i32; 5]) -> Result<(), Failure> {
        if self.indices.is_empty() {
            // Few corners share all they are made of, so that there are about as many as the longest list has entries.
            let lists = [self.model.positions.len(), self.model.uvs.len(), self.model.normals.len()];
            self.corners.expect(lists.into_iter().max().unwrap_or_default());
        }
        match self.corners.number(corner) {
            Some(number) if self.indices.len() < u32::MAX as usize => {
                self.indices.push(number);
                Ok(())
            }
            _ => {
                let message = "the faces have more corners than 32-bit indices can count";
                self.error(&codes::TOO_MANY, self.at..self.at, message);
                Err(Failure::Invalid)
            }
        }
    }

    /// The faces that were collected, with indices as they are.
    fn take_faces(&mut self) {
        let vertices = std::mem::replace(&mut self.corners, Distinct::new()).into_records();
        let corner = |[position, uv, normal, joints, weights]: [i32; 5]| Corner {
            position,
            uv,
            normal,
            joints,
            weights,
        };
        self.model.faces = Faces {
            vertices: vertices.into_iter().map(corner).collect(),
            starts: std::mem::take(&mut self.starts),
            corners: std::mem::take(&mut self.indices),
        };
    }

    /// Keeps a line that means nothing here.
    fn aside(&mut self, span: Range<usize>) {
        let model = &self.model;
        let after = match self.last {
            Section::Start => 0,
            Section::Object => model.objects.len(),
            Section::Positions => model.positions.len(),
            Section::Uvs => model.uvs.len(),
            Section::Normals => model.normals.len(),
            Section::JointSets => model.joint_sets.len(),
            Section::WeightSets => model.weight_sets.len(),
            Section::Faces if self.starts.is_empty() => self.indices.len() / 3,
            Section::Faces => self.starts.len() - 1,
            Section::Joints => model.joints.len(),
            Section::Clips => self.clip_lines,
            Section::Shapes => self.shape_lines,
        };
        let line = self.bytes.get(span).unwrap_or_default();
        self.model.asides.push(self.last, after, line);
    }

    /// What was found out or assumed, for files that do not say it.
    fn say_dialect(&mut self, document: &Document, reason: &str) {
        let place = || Place::WHOLE;
        if document.dialect.has_rest() {
            let message = format!("read as the {:?} dialect: {reason}", document.dialect.id());
            self.report.note(&codes::DIALECT, place(), message);
        } else if document.models.iter().any(|model| !model.joints.is_empty()) {
            let message = match self.options.own.get(&BIND) {
                BindPose::Identity => {
                    "the file does not say how joints are bound; they are taken to be at the origin"
                }
                BindPose::FirstKey => {
                    "the file does not say how joints are bound; they are taken to be where the first keys put them"
                }
            };
            self.report.note(&codes::BIND, place(), message);
        }
    }
}
