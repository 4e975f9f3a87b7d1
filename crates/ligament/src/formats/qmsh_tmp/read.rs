//! Bytes to document.
//!
//! | file | what it reads |
//! |---|---|
//! | `splice.rs` | lines that end with a backslash, joined |
//! | `tokens.rs` | words, numbers, strings, symbols |
//! | `objects.rs` | meshes, empties, cameras |
//! | `materials.rs` | materials of all versions |
//! | `armature.rs` | the armature and its bones |
//! | `actions.rs` | curves and parameters |
//! | `bulk.rs` | long lists of large files, while they pass by in pieces |
//! | `check.rs` | names that refer to something |
//!
//! What breaks the grammar ends the reading, with the place and what was expected there. A value that is wrong is reported
//! and read as zero, so that the rest of the file is checked too.

mod actions;
mod armature;
mod bulk;
mod check;
mod materials;
mod objects;
mod splice;
mod tokens;

use super::codes;
use super::document::Document;
use super::version::Version;
use crate::Limits;
use crate::formats::Match;
use crate::io::{Content, Source};
use crate::report::{Code, Diagnostic, Failure, Report, Severity};
use crate::text::{Condenser, Lines, Pieces, RawText, Runs, from_cp1250};
use bulk::Run;
use check::Spans;
use splice::Spliced;
use std::ops::Range;

/// One pass over a file.
struct Reader<'a, 'r> {
    /// The text with its lines joined.
    text: &'a [u8],
    /// Where the next token is looked for.
    at: usize,
    spliced: &'a Spliced<'a>,
    lines: Lines<'a>,
    report: &'r mut Report,
    version: Version,
    byte_order_mark: bool,
    errors: usize,
    max_errors: usize,
    spans: Spans,
    /// What was read of lines that are not in `text`.
    runs: Runs<Run>,
}

/// Whether a file begins like one of this format: blanks and comments, then `QMSH TMP`.
pub(super) fn sniff(head: &[u8]) -> Match {
    let mut aside = Report::default();
    let spliced = Spliced::new(head);
    let mut reader = Reader::new(Lines::new(head), &spliced, &Limits::default(), &mut aside);
    reader.skip_mark();
    let mut begins = || Ok::<bool, Failure>(reader.take_word("QMSH")? && reader.take_word("TMP")?);
    if begins().unwrap_or(false) { Match::Yes } else { Match::No }
}

/// A list while it is read.
struct List {
    name: &'static str,
    /// Where its length stands.
    span: Range<usize>,
    count: u32,
    found: u32,
    /// Entries to make room for.
    room: usize,
}

/// Reads a file.
pub(super) fn read(
    source: &Source<'_>,
    name: String,
    pieces: Pieces,
    limits: &Limits,
    report: &mut Report,
) -> Result<Document, Failure> {
    if let Some(piece) = pieces.bytes(&source.content)
        && let Some(document) = read_in_pieces(&source.content, piece, name.clone(), limits, report)
    {
        return Ok(document);
    }
    let bytes = source.bytes(report)?;
    let spliced = Spliced::new(&bytes);
    Reader::new(Lines::new(&bytes), &spliced, limits, report).document(name)
}

/// Reads a file in pieces of so many bytes; `None` if that was not enough, and nothing is said then.
fn read_in_pieces(
    content: &Content<'_>,
    piece: usize,
    name: String,
    limits: &Limits,
    report: &mut Report,
) -> Option<Document> {
    let Condenser { text, gaps, runs, .. } = bulk::condense(content, piece)?;
    let before = report.clone();
    let spliced = Spliced::new(&text);
    let mut reader = Reader::new(Lines::with_gaps(&text, &gaps), &spliced, limits, report);
    reader.runs = runs;
    let document = reader.document(name).ok();
    if document.is_none() {
        *report = before;
    }
    document
}

impl<'a, 'r> Reader<'a, 'r> {
    fn new(lines: Lines<'a>, spliced: &'a Spliced<'a>, limits: &Limits, report: &'r mut Report) -> Self {
        Self {
            text: &spliced.text,
            at: 0,
            spliced,
            lines,
            report,
            version: Version::DOCUMENT,
            byte_order_mark: false,
            errors: 0,
            max_errors: limits.max_diagnostics,
            spans: Spans::default(),
            runs: Runs::default(),
        }
    }
}

impl Reader<'_, '_> {
    fn document(mut self, name: String) -> Result<Document, Failure> {
        self.header()?;
        let mut document = Document {
            name,
            version: self.version,
            byte_order_mark: self.byte_order_mark,
            objects: self.objects()?,
            actions: self.actions()?,
            params: self.params()?,
        };
        if self.peek()?.is_some() {
            let message = format!("expected the end of the file, found {}", self.shown_next());
            return Err(self.fatal(&codes::TRAILING, self.next_span(), message));
        }
        // A list that was left out and not asked for: whoever reads all of the text knows why.
        if !self.runs.all_taken() {
            return Err(Failure::Invalid);
        }
        self.check(&document)?;
        if self.errors > 0 {
            return Err(Failure::Invalid);
        }
        document.objects.shrink_to_fit();
        Ok(document)
    }

    fn header(&mut self) -> Result<(), Failure> {
        self.skip_mark();
        if self.byte_order_mark {
            let message = "the file begins with a byte order mark, which the original tools cannot read; \
                           names are taken as UTF-8";
            let place = self.lines.place(0..3);
            self.report.push(Diagnostic::new(Severity::Note, &codes::BYTE_ORDER_MARK, place, message));
        }
        for word in ["QMSH", "TMP"] {
            if !self.take_word(word)? {
                let message = format!("expected `QMSH TMP`, found {}", self.shown_next());
                return Err(self.fatal(&codes::NOT_QMSH_TMP, self.next_span(), message));
            }
        }
        self.peek()?;
        let span = self.next_span();
        let number = self.uint()?;
        self.version = Version::from_number(number).ok_or_else(|| {
            let message = format!("version {number} of QMSH TMP is not supported (supported: 10, 12 to 21)");
            self.fatal(&codes::VERSION, span, message)
        })?;
        Ok(())
    }

    fn skip_mark(&mut self) {
        if self.text.starts_with(b"\xef\xbb\xbf") {
            (self.at, self.byte_order_mark) = (3, true);
        }
    }

    /// Begins a list in braces whose length is announced before it. `least` is the fewest bytes that an entry takes, so
    /// that no more is allocated than the file can hold.
    fn list(&mut self, name: &'static str, least: usize) -> Result<List, Failure> {
        self.word(name)?;
        if self.version.list_colons() {
            self.symbol(b':')?;
        }
        self.peek()?;
        let span = self.next_span();
        let count = self.uint()?;
        self.symbol(b'{')?;
        let possible = (self.text.len() - self.at) / least + 1;
        Ok(List { name, span, count, found: 0, room: possible.min(count as usize) })
    }

    /// What was left out of the list that begins here.
    fn left_out<T>(&mut self, pick: impl FnOnce(Run) -> Option<T>) -> Option<T> {
        // After the line end that follows the brace.
        self.runs.take(self.at + 1, pick)
    }

    /// Whether a list has another entry. Where it has not, goes past its end, and says so if the length was a lie.
    #[inline(always)]
    fn more(&mut self, list: &mut List) -> Result<bool, Failure> {
        let at_end = self.peek()? == Some(b'}');
        if list.found < list.count && !at_end {
            list.found += 1;
            return Ok(true);
        }
        self.end_list(list, at_end)
    }

    fn end_list(&mut self, list: &List, at_end: bool) -> Result<bool, Failure> {
        let List { name, count, found, .. } = list;
        if found < count {
            let message = format!("{count} {name} are announced, found {found}");
            self.error(&codes::COUNT, list.span.clone(), message)?;
        } else if !at_end && self.at < self.text.len() {
            let message = format!("{count} {name} are announced, found more");
            self.error(&codes::COUNT, list.span.clone(), message)?;
            self.skip_block()?;
        }
        self.symbol(b'}')?;
        Ok(false)
    }

    /// Goes to the brace that closes the block.
    fn skip_block(&mut self) -> Result<(), Failure> {
        let mut depth = 0_usize;
        while let Some(byte) = self.peek()? {
            match byte {
                b'}' if depth == 0 => return Ok(()),
                b'}' => depth -= 1,
                b'{' => depth += 1,
                b'"' => {
                    self.string()?;
                    continue;
                }
                _ => {}
            }
            self.at += 1;
        }
        Ok(())
    }

    /// A name of a field, with the colon that some versions put after it.
    fn label(&mut self, name: &str) -> Result<(), Failure> {
        self.word(name)?;
        if self.version.colons() { self.symbol(b':') } else { Ok(()) }
    }

    #[inline(always)]
    fn floats<const N: usize>(&mut self) -> Result<[f32; N], Failure> {
        let mut values = [0.0; N];
        for (i, value) in values.iter_mut().enumerate() {
            if i > 0 {
                self.symbol(b',')?;
            }
            *value = self.float()?;
        }
        Ok(values)
    }

    #[inline(always)]
    fn vector(&mut self) -> Result<glam::Vec3, Failure> {
        self.floats().map(glam::Vec3::from_array)
    }

    fn matrix<const R: usize, const C: usize>(&mut self) -> Result<[[f32; C]; R], Failure> {
        let mut rows = [[0.0; C]; R];
        for row in &mut rows {
            *row = self.floats()?;
            if self.version.semicolons() {
                self.symbol(b';')?;
            }
        }
        Ok(rows)
    }

    /// What comes next, for messages.
    fn shown_next(&self) -> String {
        let span = self.next_span();
        if span.is_empty() { "the end of the file".to_owned() } else { self.shown(&self.text[span]) }
    }

    fn shown(&self, bytes: &[u8]) -> String {
        let text =
            if self.byte_order_mark { RawText::from(bytes) } else { RawText::from(from_cp1250(bytes)) };
        text.to_string()
    }

    /// The grammar wants something else here.
    #[cold]
    fn expected(&mut self, expected: &str) -> Failure {
        let span = self.next_span();
        let word = &self.text[span.clone()];
        let unsigned = word.strip_prefix(b"-").unwrap_or(word);
        let is = |name: &[u8]| unsigned.get(..3).is_some_and(|w| w.eq_ignore_ascii_case(name));
        let is_symbol = |b: &u8| b.is_ascii_graphic();
        let code = match word.first() {
            Some(b) if !is_symbol(b) => &codes::STRAY_BYTE,
            _ if is(b"nan") || is(b"inf") => &codes::TOO_LARGE,
            _ => &codes::SYNTAX,
        };
        let message = format!("expected {expected}, found {}", self.shown_next());
        self.fatal(code, span, message)
    }

    /// Reports an error that ends the reading.
    #[cold]
    fn fatal(&mut self, code: &'static Code, span: Range<usize>, message: impl Into<String>) -> Failure {
        self.push(Severity::Error, code, span, message.into());
        self.errors += 1;
        Failure::Invalid
    }

    /// Reports an error; reading goes on unless there were too many.
    #[cold]
    fn error(
        &mut self,
        code: &'static Code,
        span: Range<usize>,
        message: impl Into<String>,
    ) -> Result<(), Failure> {
        let failure = self.fatal(code, span, message);
        if self.errors > self.max_errors { Err(failure) } else { Ok(()) }
    }

    #[cold]
    fn push(&mut self, severity: Severity, code: &'static Code, span: Range<usize>, message: String) {
        let place = self.lines.place(self.spliced.span(span));
        self.report.push(Diagnostic::new(severity, code, place, message));
    }
}
