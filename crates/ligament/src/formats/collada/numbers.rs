//! Lists of numbers, which make up most of every file.

use super::codes;
use super::import::Import;
use super::xml::{Xml, label, text_by, whole};
use crate::text::{NumberError, parse_decimal, parse_f32};
use std::borrow::Cow;

/// Whether a byte separates numbers.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r')
}

/// A rough estimate of how many numbers a text contains, for one allocation. Each takes at least two bytes.
fn room(bytes: &[u8], stated: Option<usize>) -> usize {
    stated.unwrap_or(bytes.len() / 8).min(bytes.len() / 2 + 1)
}

/// Where the first unusual number of each kind is, and how many there are.
#[derive(Default)]
struct Faults {
    malformed: Option<(usize, usize)>,
    not_finite: Option<(usize, usize)>,
    commas: Option<(usize, usize)>,
}

impl Faults {
    /// The value of a field in an unusual notation; 0 if it is not a number.
    fn unusual(&mut self, field: &[u8], at: usize) -> f32 {
        let count = |fault: &mut Option<(usize, usize)>| {
            *fault = Some(fault.map_or((at, 1), |(first, count)| (first, count + 1)));
        };
        match parse_f32(field) {
            Ok(value) => value,
            Err(NumberError::Malformed) => match with_point(field).and_then(|field| parse_f32(&field).ok()) {
                Some(value) => {
                    count(&mut self.commas);
                    value
                }
                None => {
                    count(&mut self.malformed);
                    0.0
                }
            },
            Err(_) => {
                count(&mut self.not_finite);
                0.0
            }
        }
    }
}

/// Replaces a decimal comma: some exporters write numbers according to the locale.
pub(super) fn with_point(field: &[u8]) -> Option<Vec<u8>> {
    let comma = field.iter().position(|&b| b == b',')?;
    let mut field = field.to_vec();
    field[comma] = b'.';
    Some(field)
}

impl<'d> Import<'d, '_> {
    /// The text of a list, which may have been removed from the tree.
    fn list_text(&self, node: Xml<'d>) -> Cow<'d, str> {
        text_by(node, |part| self.outline.list(part.range().start).or(part.text()))
    }

    /// Reads the floats in an element's text. Non-finite numbers become 0 and are reported; words that are not numbers are errors.
    pub(super) fn floats(&mut self, node: Xml<'d>) -> Vec<f32> {
        let text = self.list_text(node);
        let bytes = text.as_bytes();
        let mut values = Vec::with_capacity(room(bytes, whole(node, "count")));
        let mut faults = Faults::default();
        let mut at = 0;
        loop {
            while bytes.get(at).copied().is_some_and(is_blank) {
                at += 1;
            }
            if at >= bytes.len() {
                break;
            }
            if let Some((value, end)) = parse_decimal(bytes, at)
                && bytes.get(end).copied().is_none_or(is_blank)
                && value.is_finite()
            {
                values.push(value);
                at = end;
                continue;
            }
            let length = bytes[at..].iter().position(|&b| is_blank(b)).unwrap_or(bytes.len() - at);
            values.push(faults.unusual(&bytes[at..at + length], at));
            at += length;
        }
        self.report_faults(node, &faults, bytes, values.len());
        values
    }

    /// Reports what was unusual about a list, once per kind.
    fn report_faults(&mut self, node: Xml<'d>, faults: &Faults, bytes: &[u8], total: usize) {
        if let Some((at, count)) = faults.malformed {
            let length = bytes[at..].iter().position(|&b| is_blank(b)).unwrap_or(bytes.len() - at);
            let word = String::from_utf8_lossy(&bytes[at..at + length.min(32)]).into_owned();
            let message = match count {
                1 => format!("{word:?} is not a number"),
                _ => format!("{word:?} is not a number, and neither are {} more of {total}", count - 1),
            };
            self.report.error(&codes::NUMBER, self.place_in(node, at), message);
        }
        if let Some((at, count)) = faults.not_finite {
            let message = format!("{count} of {total} numbers are not finite; they are read as 0");
            self.report.warning(&codes::NOT_FINITE, self.place_in(node, at), message);
        }
        if let Some((at, _)) = faults.commas.filter(|_| !self.has_commas) {
            // Reported once: such a file has them everywhere.
            self.has_commas = true;
            let message = "decimal commas are read as points";
            self.report.warning(&codes::COMMA, self.place_in(node, at), message);
        }
    }

    /// Reads the integers in an element's text, which may be negative. Anything else is an error.
    pub(super) fn wholes(&mut self, node: Xml<'d>) -> Vec<i32> {
        let text = self.list_text(node);
        let bytes = text.as_bytes();
        let mut values = Vec::with_capacity(room(bytes, Some(bytes.len() / 3)));
        let mut at = 0;
        loop {
            while bytes.get(at).copied().is_some_and(is_blank) {
                at += 1;
            }
            // Nearly all numbers have this form.
            while let Some((value, next)) = crate::text::parse_u32_then(bytes, at, b' ') {
                values.push(value as i32);
                at = next;
            }
            let Some(&first) = bytes.get(at) else { return values };
            if is_blank(first) {
                continue;
            }
            let negative = first == b'-';
            let digits = at + usize::from(negative);
            let read = crate::text::parse_u32_prefix(bytes, digits);
            let read = read.filter(|(_, end)| bytes.get(*end).copied().is_some_and(is_blank));
            // The last number of the text, or not a number.
            let (value, end) = read.unwrap_or_else(|| {
                let length = bytes[at..].iter().position(|&b| is_blank(b)).unwrap_or(bytes.len() - at);
                let field = bytes.get(digits..at + length).unwrap_or(&[]);
                (crate::text::parse_u32(field).unwrap_or(u32::MAX), at + length)
            });
            let Ok(value) = i32::try_from(value) else {
                let word = String::from_utf8_lossy(&bytes[at..end.min(at + 32)]).into_owned();
                let message = format!("{word:?} in {} is not an index", label(node));
                self.report.error(&codes::NUMBER, self.place_in(node, at), message);
                return values;
            };
            values.push(if negative { -value } else { value });
            at = end;
        }
    }
}
