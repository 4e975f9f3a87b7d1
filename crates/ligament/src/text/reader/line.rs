use super::Joined;
use super::messages::Fault;
use crate::report::{Code, Place};
use crate::text::{NumberError, RawText, Slice, parse_f32, parse_f64, parse_u32};
use memchr::memchr_iter;
use std::ops::Range;

/// A line that is not blank, with all lines that it goes on in. It stays what it is while the file is read on.
#[derive(Debug, Clone)]
pub(crate) struct Line<'a> {
    /// Without its line end, unless [`Joined::All`] lines are.
    raw: Slice<'a>,
    joints: Option<Joints>,
    /// Its offset in the file.
    at: usize,
    /// The number of its first line, and the columns before it.
    number: u32,
    column: usize,
    /// What is not blank of it.
    start: usize,
    end: usize,
    /// How many bytes it has with its line end, and how many line ends.
    pub(super) next: usize,
    pub(super) ends: u32,
}

/// Where something stands in the file. Takes less memory than a [`Place`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Spot {
    /// Bytes of the file.
    pub start: usize,
    pub(super) end: usize,
    pub line: u32,
    pub(super) column: u32,
}

impl Spot {
    /// From bytes of the file, the line, and the bytes before it on its line.
    pub fn new(span: Range<usize>, line: u32, before: usize) -> Self {
        let column = u32::try_from(before).map_or(u32::MAX, |n| n.saturating_add(1));
        Self { start: span.start, end: span.end, line, column }
    }

    /// Where it begins.
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

/// What is not blank of a text.
fn trimmed(text: &[u8]) -> Option<Range<usize>> {
    let start = text.iter().position(|&b| !is_blank(b))?;
    let end = text.iter().rposition(|&b| !is_blank(b)).map_or(start, |last| last + 1);
    Some(start..end)
}

/// Whether a line whose text this is goes on in the next one, if lines do.
pub(super) fn continues(text: &[u8]) -> bool {
    text.strip_suffix(b"\r").unwrap_or(text).ends_with(b"\\")
}

impl Joined {
    /// Whether a line may go on in the next one.
    pub(super) fn may_join(self, line: &[u8]) -> bool {
        match self {
            Joined::None => false,
            Joined::All => true,
            Joined::AllBut(first) => !line.trim_ascii_start().starts_with(&[first]),
        }
    }
}

/// Several lines as one.
#[derive(Debug, Clone)]
struct Joints {
    text: Vec<u8>,
    /// Where each line but the first begins: offsets in the text, and in the bytes of the file that it stands for.
    starts: Vec<(usize, usize)>,
}

impl Joints {
    /// `None` if there is nothing to join.
    fn of(raw: &[u8], joined: Joined) -> Option<Self> {
        let (mut text, mut starts, mut from) = (Vec::new(), Vec::new(), 0);
        let deletes = matches!(joined, Joined::All);
        // A backslash that ends the file joins nothing, but is a blank as well.
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
    /// A line at an offset of the file: bytes and line ends up to the next, its number, and the columns before it. `None`
    /// if it is blank.
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
        // How many lines end before an offset, where the last of them does, and which byte it is.
        let locate = |at: usize| {
            let lines = starts.partition_point(|&(start, _)| start <= at);
            let (start, line_start) = if lines > 0 { starts[lines - 1] } else { (0, 0) };
            (lines, line_start, line_start + at - start)
        };
        let (lines, line_start, first) = locate(span.start);
        // The end belongs to the byte before it: what was deleted after that is not part of the span.
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

/// What a format calls the ways in which a field is no number.
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

    /// Where it stands.
    pub fn spot(self) -> Spot {
        self.line.spot(self.start..self.end)
    }

    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Where it ends.
    pub fn end(self) -> Self {
        Self { start: self.end, ..self }
    }

    /// A part of it, counted from its start.
    pub fn part(self, range: Range<usize>) -> Self {
        Self { start: self.start + range.start, end: self.start + range.end, ..self }
    }

    /// From the start of this one to the end of another one of the same line.
    pub fn up_to(self, last: Field<'l>) -> Self {
        Self { end: last.end, ..self }
    }

    /// The fields between blanks.
    pub fn fields(self) -> FieldsOf<'l> {
        FieldsOf { rest: self }
    }

    /// What stands between bytes of this kind.
    pub fn split(self, by: u8) -> impl Iterator<Item = Field<'l>> {
        let mut start = 0;
        self.text().split(move |&b| b == by).map(move |text| {
            let part = self.part(start..start + text.len());
            start += text.len() + 1;
            part
        })
    }

    /// A number.
    pub fn number(self, codes: &NumberCodes) -> Result<f32, Fault> {
        parse_f32(self.text()).map_err(|error| self.no_number(error, codes))
    }

    /// A number of more digits than an f32 has.
    pub fn number_f64(self, codes: &NumberCodes) -> Result<f64, Fault> {
        parse_f64(self.text()).map_err(|error| self.no_number(error, codes))
    }

    /// What to say about a number that is none.
    pub fn no_number(self, error: NumberError, codes: &NumberCodes) -> Fault {
        let text = self.raw();
        let (code, message) = match error {
            NumberError::Malformed => (codes.malformed, format!("expected a number, found {text}")),
            NumberError::NotFinite => (codes.not_finite, format!("expected a finite number, found {text}")),
            NumberError::TooLarge => (codes.too_large, format!("the number {text} is too large")),
        };
        self.fault(code, message)
    }

    /// An integer from 0 on.
    pub fn integer(self, code: &'static Code, what: &str) -> Result<u32, Fault> {
        let no_integer = || self.fault(code, format!("{what} must be a whole number, found {}", self.raw()));
        parse_u32(self.text()).ok_or_else(no_integer)
    }

    /// Something that is wrong here.
    pub fn fault(self, code: &'static Code, message: impl Into<String>) -> Fault {
        Fault { code, spot: self.spot(), message: message.into() }
    }
}

/// Parts of a line, with blanks between them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FieldsOf<'l> {
    rest: Field<'l>,
}

impl<'l> FieldsOf<'l> {
    /// Everything that is left, without the blanks around it.
    pub fn rest(self) -> Field<'l> {
        let range = trimmed(self.rest.text()).unwrap_or_else(|| {
            let length = self.rest.end - self.rest.start;
            length..length
        });
        self.rest.part(range)
    }

    /// Where the last field ends.
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
