//! Lines of numbers.

use super::super::codes;
use super::FARTHEST;
use super::text::Reader;
use crate::report::{Failure, counted};
use crate::text::{Field, NumberCodes, NumberError, parse_decimal};

static NUMBERS: NumberCodes = NumberCodes {
    malformed: &codes::BAD_NUMBER,
    not_finite: &codes::NOT_FINITE,
    too_large: &codes::NOT_FINITE,
};

/// Reads a line of `N` plain numbers separated by one space; returns them and the start of the next line. `None` for
/// any other layout, or if a number is larger than most blocks allow.
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

/// The numbers that a line may contain.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Numbers {
    /// Numbers that can be multiplied with each other.
    Bounded,
    /// Like `Bounded`, and NaN, which counts as 0.
    Places,
    /// Any finite number, and NaN, which counts as 0: directions, colours and texture coordinates.
    Any,
}

impl Reader<'_, '_> {
    /// Reads up to `announced` lines of `N` numbers, up to the next tag.
    pub(super) fn rows<const N: usize, T>(
        &mut self,
        announced: u32,
        numbers: Numbers,
        of: impl Fn([f32; N]) -> T,
    ) -> Result<Vec<T>, Failure> {
        let mut rows = Vec::with_capacity(self.text.room_for(announced.into(), 2 * N));
        let announced = announced as usize;
        let (mut nans, mut first_nan) = (0_usize, None);
        while rows.len() < announced {
            self.text.run(&mut |text: &[u8], at: usize| {
                if rows.len() == announced {
                    return None;
                }
                let (row, next) = plain_row(text, at)?;
                rows.push(of(row));
                Some(next)
            })?;
            // A file with too many errors is not a model.
            if rows.len() == announced || self.text.give_up_after_too_many().is_err() {
                break;
            }
            let Some(line) = self.data_line()? else { break };
            self.text.pass(&line);
            let row: [f32; N] = self.row(line.trimmed(), numbers);
            let here = row.iter().filter(|v| v.is_nan()).count();
            if here > 0 {
                first_nan.get_or_insert(line.trimmed().spot().first());
            }
            nans += here;
            rows.push(of(row));
        }
        if let Some(spot) = first_nan {
            let counted = counted(nans, "number is NaN and counts", "numbers are NaN and count");
            self.text.warning(&codes::NAN, spot, format!("{counted} as 0"));
        }
        Ok(rows)
    }

    /// Reads one line of numbers in any layout; errors are reported, and the number is read as 0.
    pub(super) fn row<const N: usize>(&mut self, line: Field<'_>, numbers: Numbers) -> [f32; N] {
        let mut row = [0.0; N];
        let mut fields = line.fields();
        for (i, value) in row.iter_mut().enumerate() {
            let Some(field) = fields.next() else {
                let message = format!("expected {N} numbers, found {i}");
                self.text.error(&codes::FIELDS, line.spot(), message);
                return row;
            };
            *value = match numbers {
                Numbers::Places | Numbers::Any if is_nan(field.text()) => f32::NAN,
                Numbers::Any => self.number_up_to(f32::MAX, field).unwrap_or(0.0),
                _ => self.number(field).unwrap_or(0.0),
            };
        }
        if let Some(extra) = fields.next() {
            self.text.error(&codes::FIELDS, extra.spot(), format!("expected {N} numbers, found more"));
        }
        row
    }

    /// Reads one number; `None` with an error if it is invalid or cannot be used.
    pub(super) fn number(&mut self, field: Field<'_>) -> Option<f32> {
        self.number_up_to(FARTHEST, field)
    }

    fn number_up_to(&mut self, most: f32, field: Field<'_>) -> Option<f32> {
        let number = match field.number(&NUMBERS) {
            Ok(value) if value.abs() > most => Err(field.no_number(NumberError::TooLarge, &NUMBERS)),
            number => number,
        };
        self.text.checked(number)
    }

    /// Reads an integer, or -1 for none.
    pub(super) fn index(&mut self, field: Field<'_>) -> Option<i32> {
        let text = std::str::from_utf8(field.text()).unwrap_or("");
        let number = text.parse::<i32>().ok().filter(|&n| n >= -1);
        if number.is_none() {
            let message = format!("expected an integer or -1, found {}", field.raw());
            self.text.error(&codes::BAD_WHOLE, field.spot(), message);
        }
        number
    }
}

/// Whether a field is what C libraries print for NaN: `nan`, `-nan`, `-nan(ind)`, `1.#QNAN`, `-1.#IND`.
fn is_nan(field: &[u8]) -> bool {
    let word = field.strip_prefix(b"-").unwrap_or(field).to_ascii_lowercase();
    word.starts_with(b"nan") || word.starts_with(b"1.#") && !word.starts_with(b"1.#inf")
}
