//! The reader of all text formats. A file is read once, from front to back. A large file is never in memory as a whole.
//!
//! | file | what it does |
//! |---|---|
//! | `line.rs` | a line and its fields, with their places in the file |
//! | `shares.rs` | reads records of the usual layout on several cores |
//! | `messages.rs` | reports diagnostics, and stops after too many errors |
//!
//! A format alternates between two ways of reading. Nearly all of a file consists of records in the layout that exporters
//! write: rows of numbers. [`TextReader::run`] and [`TextReader::run_shared`] read such records at full speed, until the
//! first one that is different. [`TextReader::line`] then returns that line with its place, to be read tolerantly. A run
//! never reads a record that needs a message, so it does not track places.

mod line;
mod messages;
mod shares;
#[cfg(test)]
mod tests;

pub(crate) use line::{Field, FieldsOf, Line, NumberCodes, Spot};
pub(crate) use shares::Shared;

use super::{Tallies, Window, length_without_zeros};
use crate::Limits;
use crate::io::Content;
use crate::report::{Failure, Report};
use memchr::{memchr, memrchr};
use shares::Share;
use std::collections::VecDeque;

/// A reader of records of the usual layout.
pub(crate) trait Usual {
    /// Reads the record at an offset of a text, and returns the offset of the next one. Returns `None` and keeps nothing
    /// if the record has another layout, is incomplete, or needs a message. The text consists of whole lines.
    fn usual(&mut self, text: &[u8], at: usize) -> Option<usize>;

    /// The number of line ends in a record.
    fn lines(&self) -> u32 {
        1
    }

    /// The length in bytes up to which a record must be recognised.
    fn longest(&self) -> usize {
        1 << 12
    }
}

/// Records of one line each.
impl<F: FnMut(&[u8], usize) -> Option<usize>> Usual for F {
    #[inline(always)]
    fn usual(&mut self, text: &[u8], at: usize) -> Option<usize> {
        self(text, at)
    }
}

/// The lines that continue on the next one if they end with a backslash.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Joined {
    None,
    /// All except those that begin with this byte. The backslash and the line end become blanks.
    AllBut(u8),
    /// All. The backslash and the line end are deleted, so that words and numbers continue too. The text of a line
    /// includes its final line end.
    All,
}

/// Sizes in bytes that control how a file is read.
#[derive(Debug, Clone, Copy)]
struct Sizes {
    /// The amount fetched at a time; it should fit into a core's own cache.
    piece: usize,
    /// The part of a piece that each core reads, if there are several.
    share: usize,
    /// Smaller files are read on one core.
    least_shared: usize,
    /// Longer records are not recognised.
    longest: usize,
}

const SIZES: Sizes = Sizes { piece: 1 << 18, share: 1 << 20, least_shared: 4 << 20, longest: usize::MAX };

/// Reads a text file and reports diagnostics about it. `A` collects the records that other cores read.
pub(crate) struct TextReader<'a, 'r, A = ()> {
    window: Window<'a>,
    sizes: Sizes,
    /// The offset in the file after the last complete line in the window.
    lines_end: usize,
    /// The current line, counted from 1.
    line: u32,
    /// The offset in the file at which that line starts.
    line_start: usize,
    joined: Joined,
    /// The number of cores; 1 if no other core helps.
    cores: usize,
    /// The results of other cores for the text that comes next.
    shares: VecDeque<Share<A>>,
    /// The offset in the file up to which text was divided into shares.
    shared_up_to: usize,
    pub report: &'r mut Report,
    pub tallies: Tallies,
    /// Errors so far.
    pub errors: usize,
    max_errors: usize,
}

impl<'a, 'r, A> TextReader<'a, 'r, A> {
    /// A reader at the start of a file. Zero bytes at the end of the file are left out, with a warning.
    pub fn new(content: &'a Content<'a>, limits: &Limits, report: &'r mut Report) -> Result<Self, Failure> {
        let sizes = SIZES;
        #[cfg(test)]
        let sizes = tests::sizes().unwrap_or(sizes);
        let length = length_without_zeros(content, report).map_err(|error| report.cannot_read(error))?;
        let Some(window) = Window::new(content, length, sizes.piece) else {
            return Err(report.cannot_read(std::io::Error::other("the file is too long")));
        };
        Ok(Self {
            window,
            sizes,
            lines_end: 0,
            line: 1,
            line_start: 0,
            joined: Joined::None,
            cores: 1,
            shares: VecDeque::new(),
            shared_up_to: 0,
            report,
            tallies: Tallies::default(),
            errors: 0,
            max_errors: limits.max_diagnostics,
        })
    }

    /// Sets which lines continue on the next one.
    pub fn with_joined_lines(mut self, joined: Joined) -> Self {
        self.joined = joined;
        self
    }

    /// Skips a UTF-8 byte order mark at the start of the file, and returns its place.
    pub fn skip_mark(&mut self) -> Result<Option<Spot>, Failure> {
        const MARK: &[u8] = b"\xef\xbb\xbf";
        self.fill(MARK.len())?;
        let found = self.window.text().starts_with(MARK);
        self.window.advance(if found { MARK.len() } else { 0 });
        Ok(found.then_some(Spot { start: 0, end: MARK.len(), line: 1, column: 1 }))
    }

    /// Reads the next line that is not blank; `None` at the end of the file.
    pub fn line(&mut self) -> Result<Option<Line<'a>>, Failure> {
        let line = self.peek()?;
        if let Some(line) = &line {
            self.pass(line);
        }
        Ok(line)
    }

    /// Like [`line`](Self::line), without going past the line. Skips blank lines before it.
    pub fn peek(&mut self) -> Result<Option<Line<'a>>, Failure> {
        while let Some((length, ends)) = self.measure_line()? {
            let next = self.window.text().len().min(length + 1);
            let slice = self.window.slice(if let Joined::All = self.joined { next } else { length });
            let column = self.window.offset() - self.line_start;
            let line = Line::new(slice, self.window.offset(), next, (self.line, ends), column, self.joined);
            if let Some(line) = line {
                return Ok(Some(line));
            }
            self.advance(next, ends);
        }
        Ok(None)
    }

    /// Skips the line that [`peek`](Self::peek) has returned.
    pub fn pass(&mut self, line: &Line<'_>) {
        self.advance(line.next, line.ends);
    }

    /// The length of the next line with its continuation lines, but without the final line end, and the number of its
    /// line ends, including the final one. `None` at the end of the file.
    fn measure_line(&mut self) -> Result<Option<(usize, u32)>, Failure> {
        self.fill(1)?;
        let (mut from, mut ends, mut joins) = (0, 0, None);
        loop {
            let text = self.window.text();
            if text.is_empty() {
                return Ok(None);
            }
            let Some(end) = memchr(b'\n', &text[from..]).map(|n| from + n) else {
                if self.window.holds_end() {
                    return Ok(Some((text.len(), ends)));
                }
                // The line is longer than the piece.
                from = text.len();
                self.fill(from + 1)?;
                continue;
            };
            ends += 1;
            let joins = *joins.get_or_insert_with(|| self.joined.may_join(&text[..end]));
            if !(joins && line::continues(&text[..end])) {
                return Ok(Some((end, ends)));
            }
            from = end + 1;
        }
    }

    /// Reads records of the usual layout on this core, up to the first that is different. Returns their number.
    #[inline(always)]
    pub fn run(&mut self, records: &mut impl Usual) -> Result<usize, Failure> {
        let (mut count, longest) = (0, records.longest().min(self.sizes.longest));
        loop {
            self.fill(longest)?;
            let text = self.whole_lines();
            let (bytes, here) = usual_records(records, text, 0, text.len());
            self.advance_records(bytes, here, records.lines());
            count += here;
            if self.is_different(longest) {
                return Ok(count);
            }
        }
    }

    /// Whether a record that was not read is different, rather than cut off by the end of the window.
    fn is_different(&self, longest: usize) -> bool {
        self.window.holds_end() || self.window.text().len() >= longest
    }

    /// The number of records of at least `bytes` bytes that the rest of the file can hold, at most `announced`.
    /// Allocations must not trust a count alone.
    pub fn room_for(&self, announced: u64, bytes: usize) -> usize {
        let possible = self.window.rest() / bytes + 1;
        usize::try_from(announced).map_or(possible, |n| n.min(possible))
    }

    /// The place up to which the file was read: where the next line begins, or the end of the file.
    pub fn here(&self) -> Spot {
        let at = self.window.offset();
        Spot::new(at..at, self.line, at - self.line_start)
    }

    /// The complete lines in the window.
    fn whole_lines(&self) -> &[u8] {
        let text = self.window.text();
        &text[..self.lines_end.saturating_sub(self.window.offset()).min(text.len())]
    }

    /// Makes sure that the window holds at least `least` bytes, or the rest of the file.
    #[inline(always)]
    fn fill(&mut self, least: usize) -> Result<(), Failure> {
        if self.window.text().len() >= least || self.window.holds_end() && self.lines_end > 0 {
            return Ok(());
        }
        self.fetch(least)
    }

    #[cold]
    fn fetch(&mut self, least: usize) -> Result<(), Failure> {
        if let Err(error) = self.window.fill(least) {
            return Err(self.report.cannot_read(error));
        }
        let text = self.window.text();
        let whole = match self.window.holds_end() {
            true => text.len(),
            false => memrchr(b'\n', text).map_or(0, |at| at + 1),
        };
        self.lines_end = self.window.offset() + whole;
        Ok(())
    }

    fn advance(&mut self, bytes: usize, line_ends: u32) {
        if line_ends > 0 {
            // Before the end of the bytes if the file ends with a continuation line that has no line end.
            let text = self.window.text();
            let line_start = memrchr(b'\n', &text[..bytes.min(text.len())]).map_or(0, |end| end + 1);
            self.line = self.line.saturating_add(line_ends);
            self.line_start = self.window.offset() + line_start;
        }
        self.window.advance(bytes);
    }

    fn advance_records(&mut self, bytes: usize, records: usize, lines: u32) {
        let ends = u32::try_from(records).unwrap_or(u32::MAX).saturating_mul(lines);
        // The last line of a file may have no line end.
        let text = self.window.text();
        let is_open = bytes > 0 && !text[..bytes.min(text.len())].ends_with(b"\n");
        self.advance(bytes, ends.saturating_sub(u32::from(is_open)));
    }
}

/// Reads records of the usual layout that begin between two offsets of a text. Returns the offset after the last one that
/// was read, and their number.
#[inline(always)]
fn usual_records(records: &mut impl Usual, text: &[u8], from: usize, end: usize) -> (usize, usize) {
    let (mut at, mut count) = (from, 0);
    while at < end
        && let Some(next) = records.usual(text, at)
    {
        at = next;
        count += 1;
    }
    (at, count)
}
