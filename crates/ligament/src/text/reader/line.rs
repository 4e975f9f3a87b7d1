use super::Joined;
use super::messages::Fault;
use crate::report::{Code, Place};
use crate::text::{NumberError, RawText, Slice, parse_f32, parse_f64, parse_u32};
use memchr::memchr_iter;
use std::ops::Range;

/// A line that is not blank, with its continuation lines. It remains valid while the file is read further.
#[derive(Debug, Clone)]
pub(crate) struct Line<'a> {
    /// Without its final line end, except with [`Joined::All`].
    raw: Slice<'a>,
    joints: Option<Joints>,
    /// Its offset in the file.
    at: usize,
    /// The number of its first line, and the columns before it.
    number: u32,
    column: usize,
    /// The range without the blanks around it.
    start: usize,
    end: usize,
    /// The number of its bytes, including the line end, and of its line ends.
    pub(super) next: usize,
    pub(super) ends: u32,
}

/// A place in the file. Takes less memory than a [`Place`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Spot {
    /// The range of bytes in the file.
    pub start: usize,
    pub(super) end: usize,
    pub line: u32,
    pub(super) column: u32,
}

impl Spot {
    /// `before` is the number of bytes before it on its line.
    pub fn new(span: Range<usize>, line: u32, before: usize) -> Self {
        let column = u32::try_from(before).map_or(u32::MAX, |n| n.saturating_add(1));
        Self { start: span.start, end: span.end, line, column }
    }

    /// The empty range at its start.
    pub fn first(self) -> Self {
        Self { end: self.start, ..self }
    }

    /// From the start of this one to the end of another.
    pub fn up_to(self, last: Spot) -> Self {
        Self { end: last.end, ..self }
    }
}

impl From<Spot> for Place {
    fn from(spot: Spot) -> Self {
        Place::text(spot.start..spot.end, spot.line, spot.column)
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

/// The range of a text without the blanks around it; `None` if it is blank.
fn trimmed(text: &[u8]) -> Option<Range<usize>> {
    let start = text.iter().position(|&b| !is_blank(b))?;
    let end = text.iter().rposition(|&b| !is_blank(b)).map_or(start, |last| last + 1);
    Some(start..end)
}

/// Whether a line ends with a backslash, and thus continues on the next one if lines can.
pub(super) fn continues(text: &[u8]) -> bool {
    text.strip_suffix(b"\r").unwrap_or(text).ends_with(b"\\")
}

impl Joined {
    /// Whether a line may continue on the next one.
    pub(super) fn may_join(self, line: &[u8]) -> bool {
        match self {
            Joined::None => false,
            Joined::All => true,
            Joined::AllBut(first) => !line.trim_ascii_start().starts_with(&[first]),
        }
    }
}

/// A line that was joined from several.
#[derive(Debug, Clone)]
struct Joints {
    text: Vec<u8>,
    /// The start of each line but the first, as offsets in the joined text and in the original bytes.
    starts: Vec<(usize, usize)>,
}

impl Joints {
    /// `None` if there is nothing to join.
    fn of(raw: &[u8], joined: Joined) -> Option<Self> {
        let (mut text, mut starts, mut from) = (Vec::new(), Vec::new(), 0);
        let deletes = matches!(joined, Joined::All);
        // A backslash at the end of the file joins nothing, but becomes a blank as well.
        let ends = memchr_iter(b'\n', raw).chain((!deletes).then_some(raw.len()));
        for end in ends.filter(|&end| continues(&raw[..end])) {
            let joint = end - if raw[..end].ends_with(b"\r") { 2 } else { 1 };
            text.extend_from_slice(&raw[from..joint]);
            from = raw.len().min(end + 1);
            if !deletes {
                text.resize(from, b' ');
            }
            if end < raw.len() {
                starts.push((text.len(), from));
            }
        }
        text.extend_from_slice(if from > 0 { &raw[from..] } else { &[] });
        (from > 0).then_some(Self { text, starts })
    }
}

impl<'a> Line<'a> {
    /// A line at offset `at` of the file; `None` if it is blank. `next` and `ends` are its bytes and line ends up to the
    /// next line, `column` is the number of columns before it.
    pub(super) fn new(
        raw: Slice<'a>,
        at: usize,
        next: usize,
        (number, ends): (u32, u32),
        column: usize,
        joined: Joined,
    ) -> Option<Self> {
        let joints = if joined.may_join(&raw) { Joints::of(&raw, joined) } else { None };
        let Range { start, end } = match (&joints, joined) {
            (Some(joints), Joined::All) => trimmed(&joints.text)?,
            _ => trimmed(&raw)?,
        };
        Some(Self { raw, joints, at, number, column, start, end, next, ends })
    }

    /// Its bytes.
    #[inline]
    pub fn text(&self) -> &[u8] {
        self.joints.as_ref().map_or(&self.raw, |joints| &joints.text)
    }

    /// The line without the blanks around it.
    pub fn trimmed(&self) -> Field<'_> {
        Field { line: self, start: self.start, end: self.end }
    }

    /// The line with the blanks around it.
    pub fn whole(&self) -> Field<'_> {
        Field { line: self, start: 0, end: self.text().len() }
    }

    /// The fields between blanks.
    pub fn fields(&self) -> FieldsOf<'_> {
        self.trimmed().fields()
    }

    fn spot(&self, span: Range<usize>) -> Spot {
        let starts = self.joints.as_ref().map_or(&[][..], |joints| &joints.starts);
        // The number of joined lines before an offset. In the original bytes: the start of its line, and the offset itself.
        let locate = |at: usize| {
            let lines = starts.partition_point(|&(start, _)| start <= at);
            let (start, line_start) = if lines > 0 { starts[lines - 1] } else { (0, 0) };
            (lines, line_start, line_start + at - start)
        };
        let (lines, line_start, first) = locate(span.start);
        // The end is derived from the byte before it, because bytes deleted after that one are not part of the span.
        let end = if span.is_empty() { first } else { locate(span.end - 1).2 + 1 };
        let column = first - line_start + if lines == 0 { self.column } else { 0 };
        Spot::new(self.at + first..self.at + end, self.number.saturating_add(lines as u32), column)
    }
}

/// A part of a line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Field<'l> {
    line: &'l Line<'l>,
    start: usize,
    end: usize,
}

/// The codes with which a format reports fields that are not numbers.
pub(crate) struct NumberCodes {
    pub malformed: &'static Code,
    pub not_finite: &'static Code,
    pub too_large: &'static Code,
}

impl<'l> Field<'l> {
    /// Its bytes.
    pub fn text(self) -> &'l [u8] {
        &self.line.text()[self.start..self.end]
    }

    /// Its bytes, to keep or to show.
    pub fn raw(self) -> RawText {
        RawText::from(self.text())
    }

    /// Its place.
    pub fn spot(self) -> Spot {
        self.line.spot(self.start..self.end)
    }

    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The empty field at its end.
    pub fn end(self) -> Self {
        Self { start: self.end, ..self }
    }

    /// A part of it, counted from its start.
    pub fn part(self, range: Range<usize>) -> Self {
        Self { start: self.start + range.start, end: self.start + range.end, ..self }
    }

    /// From the start of this field to the end of another one on the same line.
    pub fn up_to(self, last: Field<'l>) -> Self {
        Self { end: last.end, ..self }
    }

    /// The fields between blanks.
    pub fn fields(self) -> FieldsOf<'l> {
        FieldsOf { rest: self }
    }

    /// The parts between occurrences of a byte.
    pub fn split(self, by: u8) -> impl Iterator<Item = Field<'l>> {
        let mut start = 0;
        self.text().split(move |&b| b == by).map(move |text| {
            let part = self.part(start..start + text.len());
            start += text.len() + 1;
            part
        })
    }

    /// Parses a number.
    pub fn number(self, codes: &NumberCodes) -> Result<f32, Fault> {
        parse_f32(self.text()).map_err(|error| self.no_number(error, codes))
    }

    /// Parses a number with the precision of an f64.
    pub fn number_f64(self, codes: &NumberCodes) -> Result<f64, Fault> {
        parse_f64(self.text()).map_err(|error| self.no_number(error, codes))
    }

    /// The error for a field that is not a usable number.
    pub fn no_number(self, error: NumberError, codes: &NumberCodes) -> Fault {
        let text = self.raw();
        let (code, message) = match error {
            NumberError::Malformed => (codes.malformed, format!("expected a number, found {text}")),
            NumberError::NotFinite => (codes.not_finite, format!("expected a finite number, found {text}")),
            NumberError::TooLarge => (codes.too_large, format!("the number {text} is too large")),
        };
        self.fault(code, message)
    }

    /// Parses an integer that is not negative.
    pub fn integer(self, code: &'static Code, what: &str) -> Result<u32, Fault> {
        let no_integer = || self.fault(code, format!("{what} must be a whole number, found {}", self.raw()));
        parse_u32(self.text()).ok_or_else(no_integer)
    }

    /// An error at this field.
    pub fn fault(self, code: &'static Code, message: impl Into<String>) -> Fault {
        Fault { code, spot: self.spot(), message: message.into() }
    }
}

/// Iterates over the fields of a line, which are separated by blanks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FieldsOf<'l> {
    rest: Field<'l>,
}

impl<'l> FieldsOf<'l> {
    /// The remaining text, without the blanks around it.
    pub fn rest(self) -> Field<'l> {
        let range = trimmed(self.rest.text()).unwrap_or_else(|| {
            let length = self.rest.end - self.rest.start;
            length..length
        });
        self.rest.part(range)
    }

    /// The empty field at the end of the text.
    pub fn end(self) -> Field<'l> {
        self.rest.end()
    }
}

impl<'l> Iterator for FieldsOf<'l> {
    type Item = Field<'l>;

    fn next(&mut self) -> Option<Field<'l>> {
        let text = self.rest.text();
        let first = text.iter().position(|&b| !is_blank(b))?;
        let length = text[first..].iter().position(|&b| is_blank(b)).unwrap_or(text.len() - first);
        let field = self.rest.part(first..first + length);
        self.rest.start = field.end;
        Some(field)
    }
}
