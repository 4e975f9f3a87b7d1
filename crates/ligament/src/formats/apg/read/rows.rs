//! Lines of numbers.

use super::super::codes;
use super::FARTHEST;
use super::text::Reader;
use crate::text::{Fields, Line, NumberError, RawText, parse_decimal, parse_f32};
use std::ops::Range;

/// A line of `N` plain numbers with one space between them, and where the next line begins. `None` if it is laid out in
/// any other way, or if a number is larger than most blocks allow.
#[inline(always)]
pub(super) fn plain_row<const N: usize>(bytes: &[u8], mut at: usize) -> Option<([f32; N], usize)> {
    let mut row = [0.0; N];
    for (i, value) in row.iter_mut().enumerate() {
        let (number, end) = parse_decimal(bytes, at)?;
        let separator = if i + 1 < N { b' ' } else { b'\n' };
        if *bytes.get(end)? != separator || number.abs() > FARTHEST {
            return None;
        }
        *value = number;
        at = end + 1;
    }
    Some((row, at))
}

/// Which numbers a line may have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Numbers {
    /// Those that can be multiplied with each other.
    Bounded,
    /// The same, and NaN, which counts as 0.
    Places,
    /// Any that is finite, and NaN, which counts as 0: directions, colours and texture coordinates.
    Any,
}

impl Reader<'_, '_> {
    /// Up to `announced` lines of `N` numbers, up to the next tag. Returns how many there were, with those that were
    /// `read` before.
    pub(super) fn rows<const N: usize>(
        &mut self,
        read: usize,
        announced: u64,
        numbers: Numbers,
        mut push: impl FnMut([f32; N]),
    ) -> usize {
        let mut found = read as u64;
        let mut nans = (0_u64, 0);
        while found < announced {
            if let Some((row, next)) = plain_row(self.bytes, self.at) {
                push(row);
                self.at = next;
            } else {
                // Whatever has that many faults is no model.
                let Some(line) = self.data_line().filter(|_| self.errors <= self.max_errors) else { break };
                self.at = line.next;
                let row: [f32; N] = self.row(line, numbers);
                let here = row.iter().filter(|v| v.is_nan()).count() as u64;
                if here > 0 && nans.0 == 0 {
                    nans.1 = line.start;
                }
                nans.0 += here;
                push(row);
            }
            found += 1;
        }
        if nans.0 > 0 {
            let counted =
                crate::report::counted(nans.0, "number is NaN and counts", "numbers are NaN and count");
            self.warning(&codes::NAN, nans.1..nans.1, format!("{counted} as 0"));
        }
        found as usize
    }

    /// One line of numbers in any layout; what is wrong with it is reported, and its number is 0.
    pub(super) fn row<const N: usize>(&mut self, line: Line, numbers: Numbers) -> [f32; N] {
        let mut row = [0.0; N];
        let mut fields = Fields::new(self.bytes, line.start, line.end);
        for (i, value) in row.iter_mut().enumerate() {
            let Some(field) = fields.next() else {
                let message = format!("expected {N} numbers, found {i}");
                self.error(&codes::FIELDS, line.start..line.end, message);
                return row;
            };
            *value = match numbers {
                Numbers::Places | Numbers::Any if is_nan(&self.bytes[field.clone()]) => f32::NAN,
                Numbers::Any => self.number_up_to(f32::MAX, field).unwrap_or(0.0),
                _ => self.number(field).unwrap_or(0.0),
            };
        }
        if let Some(extra) = fields.next() {
            self.error(&codes::FIELDS, extra, format!("expected {N} numbers, found more"));
        }
        row
    }

    /// One number; `None` with an error if it is none, or one that cannot be used.
    pub(super) fn number(&mut self, field: Range<usize>) -> Option<f32> {
        self.number_up_to(FARTHEST, field)
    }

    fn number_up_to(&mut self, most: f32, field: Range<usize>) -> Option<f32> {
        let text = &self.bytes[field.clone()];
        let error = match parse_f32(text) {
            Ok(value) if value.abs() <= most => return Some(value),
            Ok(_) => NumberError::TooLarge,
            Err(error) => error,
        };
        let shown = RawText::from(text);
        match error {
            NumberError::Malformed => {
                self.error(&codes::BAD_NUMBER, field, format!("expected a number, found {shown}"));
            }
            NumberError::NotFinite => self.error(&codes::NOT_FINITE, field, format!("{shown} is not finite")),
            NumberError::TooLarge => self.error(&codes::NOT_FINITE, field, format!("{shown} is too large")),
        }
        None
    }

    /// A whole number, or -1 for none.
    pub(super) fn index(&mut self, field: Range<usize>) -> Option<i32> {
        let text = std::str::from_utf8(&self.bytes[field.clone()]).unwrap_or("");
        let number = text.parse::<i32>().ok().filter(|&n| n >= -1);
        if number.is_none() {
            let shown = RawText::from(&self.bytes[field.clone()]);
            let message = format!("expected a whole number or -1, found {shown}");
            self.error(&codes::BAD_WHOLE, field, message);
        }
        number
    }
}

/// What C libraries print for a number that is none: `nan`, `-nan`, `-nan(ind)`, `1.#QNAN`, `-1.#IND`.
fn is_nan(field: &[u8]) -> bool {
    let word = field.strip_prefix(b"-").unwrap_or(field).to_ascii_lowercase();
    word.starts_with(b"nan") || word.starts_with(b"1.#") && !word.starts_with(b"1.#inf")
}
