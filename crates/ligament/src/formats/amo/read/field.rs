//! Values within a line, each checked and reported where it stands. A bad value is reported and read as zero, so that
//! the rest of the file is checked too.

use super::Reader;
use crate::formats::amo::codes;
use crate::report::Severity;
use crate::text::{Fields, NumberError, parse_f32};
use std::ops::Range;

/// A number of values that a line has.
pub(super) struct Line {
    /// The keyword, or all of the line where there is none.
    pub(super) keyword: Range<usize>,
    /// What stands after the keyword, without a comment at the end.
    pub(super) rest: Range<usize>,
    /// A comment at the end.
    pub(super) comment: Option<Range<usize>>,
    /// Where the next line begins.
    pub(super) next: usize,
}

impl<'a> Reader<'a, '_> {
    /// The fields of a range.
    pub(super) fn fields(&self, range: &Range<usize>) -> Fields<'a> {
        Fields::new(self.bytes, range.start, range.end)
    }

    pub(super) fn number(&mut self, field: Range<usize>) -> f32 {
        match parse_f32(&self.bytes[field.clone()]) {
            Ok(value) => value,
            Err(error) => {
                let text = self.text(field.clone());
                let (code, message) = match error {
                    NumberError::Malformed => {
                        (&codes::BAD_NUMBER, format!("expected a number, found {text}"))
                    }
                    NumberError::NotFinite => {
                        (&codes::NOT_FINITE, format!("expected a finite number, found {text}"))
                    }
                    NumberError::TooLarge => (&codes::TOO_LARGE, format!("the number {text} is too large")),
                };
                self.error(code, field, message);
                0.0
            }
        }
    }

    /// A whole number of either sign.
    pub(super) fn whole(&mut self, field: Range<usize>, what: &str) -> i32 {
        self.parse_whole(&field).unwrap_or_else(|| {
            let text = self.text(field.clone());
            self.error(&codes::BAD_WHOLE, field, format!("{what} must be a whole number, found {text}"));
            0
        })
    }

    pub(super) fn parse_whole(&self, field: &Range<usize>) -> Option<i32> {
        let text = std::str::from_utf8(self.bytes.get(field.clone())?).ok()?;
        // The least is what stands for an index that is not there.
        text.parse().ok().filter(|&value| value != i32::MIN)
    }

    /// `N` numbers; more are told and left out, fewer are an error.
    pub(super) fn numbers<const N: usize>(
        &mut self,
        fields: &mut Fields<'a>,
        what: &'static str,
    ) -> [f32; N] {
        let mut values = [0.0; N];
        for (i, value) in values.iter_mut().enumerate() {
            let Some(field) = fields.next() else {
                let end = fields.end();
                let message = format!("{what} needs {N} numbers, found {i}");
                self.error(&codes::MISSING, end..end, message);
                return values;
            };
            *value = self.number(field);
        }
        self.nothing_more(fields, what);
        values
    }

    pub(super) fn nothing_more(&mut self, fields: &Fields<'a>, what: &'static str) {
        let rest = fields.rest();
        if !rest.is_empty() {
            let message = format!("{what} ends before {}, which is left out", self.text(rest.clone()));
            self.tally(Severity::Warning, &codes::EXTRA, what, rest, message);
        }
    }

    /// The next field, or an error.
    pub(super) fn required(&mut self, fields: &mut Fields<'a>, what: &str) -> Option<Range<usize>> {
        let field = fields.next();
        if field.is_none() {
            let end = fields.end();
            self.error(&codes::MISSING, end..end, format!("{what} is missing"));
        }
        field
    }

    /// A name, which is the text of a range.
    pub(super) fn name(&mut self, range: Range<usize>, what: &'static str) -> crate::text::RawText {
        let name = self.text(range.clone());
        if !name.is_utf8() {
            let message = format!("the name of {what} {name} is not UTF-8");
            self.tally(Severity::Warning, &codes::NOT_UTF8, what, range, message);
        }
        name
    }

    /// A line taken apart: the keyword, and the rest without a comment at its end.
    pub(super) fn take_apart(&self, line: crate::text::Line) -> Line {
        let text = &self.bytes[line.start..line.end];
        let blank = |b: &u8| matches!(b, b' ' | b'\t');
        let keyword_end = text.iter().position(blank).unwrap_or(text.len());
        // A `#` within a word belongs to it: names may hold one.
        let comment = text.windows(2).position(|pair| blank(&pair[0]) && pair[1] == b'#');
        let end = comment.map_or(text.len(), |at| at.max(keyword_end));
        let keyword = line.start..line.start + keyword_end;
        let rest = Fields::new(self.bytes, keyword.end, line.start + end).rest();
        let comment = comment.map(|at| line.start + at + 1..line.end);
        Line { keyword, rest, comment, next: line.next }
    }

    /// Keeps a comment that stood at the end of a line: it follows the line when the file is written.
    pub(super) fn comment_aside(&mut self, comment: Option<Range<usize>>) {
        if let Some(comment) = comment {
            self.aside(comment);
        }
    }
}
