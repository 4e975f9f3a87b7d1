//! The lines of a text file: tags, and what stands below them.

use super::super::codes;
use super::super::document::Document;
use super::bulk::{self, Run};
use super::check::{Origins, check};
use super::tags::Tag;
use crate::formats::ReadOptions;
use crate::io::Content;
use crate::report::{Code, Failure, Report};
use crate::text::{Condenser, Line, Lines, RawText, Runs, next_line};
use std::ops::Range;

/// One pass over a file.
pub(super) struct Reader<'a, 'r> {
    pub bytes: &'a [u8],
    /// Where the next line begins.
    pub at: usize,
    pub lines: Lines<'a>,
    pub report: &'r mut Report,
    pub errors: usize,
    pub document: Document,
    /// As `@vert_count` says.
    pub vertex_count: Option<u32>,
    /// As `@skeleton` says: bones and animations.
    pub skeleton: Option<(u32, u32)>,
    pub origins: TextOrigins,
    /// Blocks that were read already.
    seen: Vec<&'static str>,
    pub max_errors: usize,
    /// What was read of lines that are not in `bytes`.
    pub runs: Runs<Run>,
}

/// Where things that are checked later stand in the file.
#[derive(Default)]
pub(super) struct TextOrigins {
    /// The first line below `@vb`.
    pub bones: usize,
    /// The first line below `@hierarchy`.
    pub hierarchy: usize,
    /// The tag of each channel, animation after animation.
    pub channels: Vec<Range<usize>>,
    /// The `@skeleton` line.
    pub skeleton: Range<usize>,
}

/// Reads all of a file.
pub(super) fn read(
    bytes: &[u8],
    name: String,
    options: &ReadOptions,
    report: &mut Report,
) -> Result<Document, Failure> {
    Reader::new(bytes, Lines::new(bytes), name, options, report).document(options)
}

/// Reads a file in pieces of so many bytes; `None` if that was not enough, and nothing is said then.
pub(super) fn read_in_pieces(
    content: &Content<'_>,
    piece: usize,
    name: String,
    options: &ReadOptions,
    report: &mut Report,
) -> Option<Document> {
    let Condenser { text, gaps, runs, .. } = bulk::condense(content, piece)?;
    let before = report.clone();
    let mut reader = Reader::new(&text, Lines::with_gaps(&text, &gaps), name, options, report);
    reader.runs = runs;
    let document = reader.document(options).ok();
    if document.is_none() {
        *report = before;
    }
    document
}

impl<'a, 'r> Reader<'a, 'r> {
    fn new(
        bytes: &'a [u8],
        lines: Lines<'a>,
        name: String,
        options: &ReadOptions,
        report: &'r mut Report,
    ) -> Self {
        Self {
            bytes,
            at: if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 },
            lines,
            errors: 0,
            max_errors: options.limits.max_diagnostics,
            report,
            document: Document { name, header: RawText::default(), ..Document::default() },
            vertex_count: None,
            skeleton: None,
            origins: TextOrigins::default(),
            seen: Vec::new(),
            runs: Runs::default(),
        }
    }
}

impl<'a> Reader<'a, '_> {
    fn document(mut self, options: &ReadOptions) -> Result<Document, Failure> {
        self.header()?;
        self.blocks()?;
        // A block that was left out and not asked for: whoever reads all of the text knows why.
        if !self.runs.all_taken() {
            return Err(Failure::Invalid);
        }
        self.finish(options)
    }

    /// The first line, which must look like that of a file of this format.
    fn header(&mut self) -> Result<(), Failure> {
        let first = next_line(self.bytes, self.at);
        let Some(line) = first.filter(|line| self.bytes[line.start] == b'@') else {
            let message = "expected a line that begins with `@`: this is no APG file";
            let end = first.map_or(self.bytes.len(), |line| line.end.min(line.start + 60));
            let start = first.map_or(self.bytes.len(), |line| line.start);
            return Err(self.fatal(&codes::NOT_APG, start..end, message));
        };
        let text = &self.bytes[line.start + 1..line.end];
        if text.starts_with(b"Anton's") {
            self.document.header = RawText::from(text);
            self.at = line.next;
        } else if let Tag::Unknown = Tag::of(self.word(line)) {
            let message = "expected `@Anton's custom mesh format`, or a tag of the format";
            return Err(self.fatal(&codes::NOT_APG, line.start..line.end, message));
        } else {
            let message = "expected `@Anton's custom mesh format` on the first line";
            self.warning(&codes::NO_HEADER, line.start..line.end, message);
        }
        Ok(())
    }

    fn blocks(&mut self) -> Result<(), Failure> {
        while let Some(line) = next_line(self.bytes, self.at) {
            if self.errors > self.max_errors {
                return Err(Failure::Invalid);
            }
            self.at = line.next;
            if self.bytes[line.start] == b'@' {
                self.tag(line)?;
            } else {
                self.surplus(line);
            }
        }
        Ok(())
    }

    fn finish(self, options: &ReadOptions) -> Result<Document, Failure> {
        let Self { mut document, report, origins, lines, bytes, skeleton, vertex_count, .. } = self;
        if let Some((_, announced)) = skeleton.filter(|&(_, a)| a as usize != document.animations.len()) {
            let message =
                format!("{announced} animations are announced, and there are {}", document.animations.len());
            report.warning(&codes::ANIMATIONS, lines.place(origins.skeleton.clone()), message);
        }
        let listed = document.vertices.positions.len();
        if listed == 0 && vertex_count.is_some_and(|n| n > 0) {
            let place = lines.place(bytes.len()..bytes.len());
            report.error(&codes::NO_POINTS, place, "vertices are announced, and there is no block `@vp`");
        }
        document.bones = skeleton.map_or(0, |(bones, _)| bones);
        check(&document, &Origins::Text { lines: &lines, bytes, origins: &origins }, options, report);
        report.check().map(|()| document)
    }

    /// Lines below a block that has all it should have, up to the next tag.
    fn surplus(&mut self, first: Line) {
        let mut count = 1;
        while let Some(line) = next_line(self.bytes, self.at).filter(|l| self.bytes[l.start] != b'@') {
            self.at = line.next;
            count += 1;
        }
        let lines =
            crate::report::counted(count, "line more than announced is", "lines more than announced are");
        self.warning(&codes::MORE_LINES, first.start..first.end, format!("{lines} ignored"));
    }

    /// An unknown tag with its lines, kept as they are.
    pub(super) fn unknown(&mut self, tag: Line) {
        let text = RawText::from(&self.bytes[tag.start..tag.end]);
        self.warning(&codes::UNKNOWN_TAG, tag.start..tag.end, format!("{text} is no tag of the format"));
        self.document.unknown.push(text);
        while let Some(line) = next_line(self.bytes, self.at).filter(|l| self.bytes[l.start] != b'@') {
            self.at = line.next;
            self.document.unknown.push(RawText::from(&self.bytes[line.start..line.end]));
        }
    }

    /// Whether a block is there for the first time; a second one is an error.
    pub(super) fn once(&mut self, tag: &'static str, line: Line) -> bool {
        if self.seen.contains(&tag) {
            self.error(&codes::TWICE, line.start..line.end, format!("there is a block `{tag}` already"));
            return false;
        }
        self.seen.push(tag);
        true
    }

    /// The next line, unless it is a tag.
    pub(super) fn data_line(&self) -> Option<Line> {
        next_line(self.bytes, self.at).filter(|line| self.bytes[line.start] != b'@')
    }

    /// Skips what stands below a tag that was not understood: messages about it would say nothing new.
    pub(super) fn skip_data(&mut self) {
        while let Some(line) = self.data_line() {
            self.at = line.next;
        }
    }

    /// Reports a block with fewer lines than announced; where the next line is, the missing one should be.
    pub(super) fn ends_early(&mut self, tag: &str, found: usize, announced: u64) {
        let span = match next_line(self.bytes, self.at) {
            Some(line) => line.start..line.end,
            None => self.bytes.len()..self.bytes.len(),
        };
        let message = format!("the block `{tag}` ends after {found} of {announced} lines");
        self.error(&codes::ENDS_EARLY, span, message);
    }

    /// How many rows of at least `bytes` bytes the rest of the file can hold, at most `announced`: no allocation trusts
    /// a count alone.
    pub(super) fn room_for(&self, announced: u64, bytes: usize) -> usize {
        let possible = (self.bytes.len() - self.at.min(self.bytes.len())) / bytes + 1;
        usize::try_from(announced).map_or(possible, |n| n.min(possible))
    }

    pub(super) fn error(&mut self, code: &'static Code, span: Range<usize>, message: impl Into<String>) {
        self.errors += 1;
        self.report.error(code, self.lines.place(span), message);
    }

    pub(super) fn warning(&mut self, code: &'static Code, span: Range<usize>, message: impl Into<String>) {
        self.report.warning(code, self.lines.place(span), message);
    }

    pub(super) fn fatal(
        &mut self,
        code: &'static Code,
        span: Range<usize>,
        message: impl Into<String>,
    ) -> Failure {
        self.error(code, span, message);
        Failure::Invalid
    }
}
