//! Reads the values of a line. A bad value is reported with its place and read as zero, so that the rest of the file is
//! checked too.

use super::{NUMBERS, Reader};
use crate::formats::amo::codes;
use crate::report::Severity;
use crate::text::{Field, FieldsOf, RawText, TextLine};

/// A line split into its parts.
pub(super) struct Parts<'l> {
    pub whole: Field<'l>,
    pub keyword: Field<'l>,
    /// Everything after the keyword, without a comment at the end.
    pub rest: Field<'l>,
    /// A comment at the end.
    pub comment: Option<Field<'l>>,
}

impl<'l> Parts<'l> {
    pub fn of(line: &'l TextLine<'_>) -> Self {
        let whole = line.trimmed();
        let text = whole.text();
        let blank = |b: &u8| matches!(b, b' ' | b'\t');
        let keyword_end = text.iter().position(blank).unwrap_or(text.len());
        // A `#` within a word is part of it: names may contain one.
        let comment = text.windows(2).position(|pair| blank(&pair[0]) && pair[1] == b'#');
        let end = comment.map_or(text.len(), |at| at.max(keyword_end));
        Self {
            whole,
            keyword: whole.part(0..keyword_end),
            rest: whole.part(keyword_end..end).fields().rest(),
            comment: comment.map(|at| whole.part(at + 1..text.len())),
        }
    }

    /// Splits a line without a keyword.
    pub fn without_keyword(line: &'l TextLine<'_>) -> Self {
        let parts = Self::of(line);
        Self { rest: parts.whole.up_to(parts.rest), ..parts }
    }

    pub fn is_comment(&self) -> bool {
        self.whole.text().starts_with(b"#")
    }
}

/// The part of a text before a field, without the blanks around it.
pub(super) fn before<'l>(text: Field<'l>, field: Field<'l>) -> Field<'l> {
    let length = text.up_to(field).text().len() - field.text().len();
    text.part(0..length).fields().rest()
}

/// An integer of either sign.
pub(super) fn parse_integer(field: Field<'_>) -> Option<i32> {
    let text = std::str::from_utf8(field.text()).ok()?;
    // The smallest value is reserved for absent indices.
    text.parse().ok().filter(|&value| value != i32::MIN)
}

impl Reader<'_, '_> {
    pub(super) fn number(&mut self, field: Field<'_>) -> f32 {
        self.text.checked(field.number(&NUMBERS)).unwrap_or(0.0)
    }

    pub(super) fn integer(&mut self, field: Field<'_>, what: &str) -> i32 {
        parse_integer(field).unwrap_or_else(|| {
            let message = format!("{what} must be a whole number, found {}", field.raw());
            self.text.error(&codes::BAD_WHOLE, field.spot(), message);
            0
        })
    }

    /// Reads `N` numbers. Further values are left out with a warning; too few are an error.
    pub(super) fn numbers<const N: usize>(
        &mut self,
        mut fields: FieldsOf<'_>,
        what: &'static str,
    ) -> [f32; N] {
        let mut values = [0.0; N];
        for (i, value) in values.iter_mut().enumerate() {
            let Some(field) = fields.next() else {
                let message = format!("{what} needs {N} numbers, found {i}");
                self.text.error(&codes::MISSING, fields.end().spot(), message);
                return values;
            };
            *value = self.number(field);
        }
        self.nothing_more(fields, what);
        values
    }

    pub(super) fn nothing_more(&mut self, fields: FieldsOf<'_>, what: &'static str) {
        let rest = fields.rest();
        if !rest.is_empty() {
            let message = || format!("unexpected {} at the end of {what}; it is left out", rest.raw());
            self.text.tally(Severity::Warning, &codes::EXTRA, what, rest.spot(), message);
        }
    }

    /// Returns the next field. Reports an error if there is none.
    pub(super) fn required<'l>(&mut self, fields: &mut FieldsOf<'l>, what: &str) -> Option<Field<'l>> {
        let field = fields.next();
        if field.is_none() {
            self.text.error(&codes::MISSING, fields.end().spot(), format!("{what} is missing"));
        }
        field
    }

    /// Returns the next field as an integer. Reports an error if there is none.
    pub(super) fn required_integer(&mut self, fields: &mut FieldsOf<'_>, what: &str) -> Option<i32> {
        self.required(fields, what).map(|field| self.integer(field, what))
    }

    pub(super) fn name(&mut self, field: Field<'_>, what: &'static str) -> RawText {
        let name = field.raw();
        if !name.is_utf8() {
            let message = || format!("the name of {what} {name} is not UTF-8");
            self.text.tally(Severity::Warning, &codes::NOT_UTF8, what, field.spot(), message);
        }
        name
    }

    /// Splits a name from the integer that follows it in the keyed and counted dialects.
    pub(super) fn name_and_number<'l>(&self, rest: Field<'l>) -> (Field<'l>, Option<Field<'l>>) {
        let Some(last) = rest.fields().last() else { return (rest, None) };
        let name = before(rest, last);
        let is_number = last.text().iter().all(u8::is_ascii_digit);
        if !self.dialect.has_rest() || !is_number || name.is_empty() {
            return (rest, None);
        }
        (name, Some(last))
    }

    /// Keeps a comment at the end of a line. It is written after the line.
    pub(super) fn comment_aside(&mut self, line: &Parts<'_>) {
        if let Some(comment) = line.comment {
            self.built.aside(comment.text());
        }
    }
}
