//! Words, numbers, strings and symbols. Each is read by whoever expects it, so that nothing is looked at twice.

use super::super::codes;
use super::Reader;
use crate::report::Failure;
use crate::text::{NumberError, RawText, parse_decimal, parse_f64};
use std::ops::Range;

impl Reader<'_, '_> {
    /// Goes past blanks and comments, and returns the byte that stands there; `None` at the end.
    #[inline(always)]
    pub(super) fn peek(&mut self) -> Result<Option<u8>, Failure> {
        loop {
            match self.text.get(self.at) {
                Some(b' ' | b'\t' | b'\n' | b'\r' | 0x0b) => self.at += 1,
                Some(b'/') if matches!(self.text.get(self.at + 1), Some(b'/' | b'*')) => self.comment()?,
                byte => return Ok(byte.copied()),
            }
        }
    }

    #[cold]
    fn comment(&mut self) -> Result<(), Failure> {
        let (start, rest) = (self.at, &self.text[self.at..]);
        let length = if rest[1] == b'/' {
            memchr::memchr(b'\n', rest).unwrap_or(rest.len())
        } else {
            match memchr::memmem::find(&rest[2..], b"*/") {
                Some(length) => length + 4,
                None => {
                    let message = "the comment that begins here has no end";
                    return Err(self.fatal(&codes::OPEN_COMMENT, start..start + 2, message));
                }
            }
        };
        self.at = start + length;
        Ok(())
    }

    /// Goes past a symbol if it is the next.
    #[inline(always)]
    pub(super) fn take(&mut self, symbol: u8) -> Result<bool, Failure> {
        let found = self.peek()? == Some(symbol);
        self.at += usize::from(found);
        Ok(found)
    }

    /// A symbol that must be there.
    #[inline(always)]
    pub(super) fn symbol(&mut self, symbol: u8) -> Result<(), Failure> {
        if self.text.get(self.at) == Some(&symbol) {
            self.at += 1;
            return Ok(());
        }
        if self.take(symbol)? { Ok(()) } else { Err(self.expected(&format!("{:?}", char::from(symbol)))) }
    }

    /// A word, if one is next; the place does not move.
    pub(super) fn next_word(&mut self) -> Result<&[u8], Failure> {
        let is_first = self.peek()?.is_some_and(|b| b.is_ascii_alphabetic() || b == b'_');
        let rest = &self.text[self.at..];
        let is_part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
        let length = if is_first { rest.iter().take_while(|b| is_part(b)).count() } else { 0 };
        Ok(&rest[..length])
    }

    /// Goes past a word if it is the next.
    pub(super) fn take_word(&mut self, word: &str) -> Result<bool, Failure> {
        let found = self.next_word()? == word.as_bytes();
        self.at += if found { word.len() } else { 0 };
        Ok(found)
    }

    /// A word that must be there.
    pub(super) fn word(&mut self, word: &str) -> Result<(), Failure> {
        if self.take_word(word)? { Ok(()) } else { Err(self.expected(&format!("`{word}`"))) }
    }

    /// One of several words, each standing for a value.
    pub(super) fn one_of<T: Copy>(&mut self, words: &[(T, &'static str)]) -> Result<T, Failure> {
        let next = self.next_word()?;
        let found = words.iter().find(|(_, word)| word.as_bytes() == next).map(|&(v, word)| (v, word.len()));
        let Some((value, length)) = found else {
            let known: Vec<_> = words.iter().map(|(_, word)| *word).collect();
            return Err(self.expected(&known.join(", ")));
        };
        self.at += length;
        Ok(value)
    }

    /// A string that must be there: its bytes, with escapes resolved, and where it stands.
    pub(super) fn string(&mut self) -> Result<(RawText, Range<usize>), Failure> {
        if self.peek()? != Some(b'"') {
            return Err(self.expected("a string in double quotes"));
        }
        let start = self.at;
        let mut bytes = Vec::new();
        let mut at = start + 1;
        loop {
            let plain = self.text[at..].iter().take_while(|b| !matches!(b, b'"' | b'\\' | b'\r' | b'\n'));
            let plain = plain.count();
            bytes.extend_from_slice(&self.text[at..at + plain]);
            at += plain;
            match self.text.get(at) {
                Some(b'"') => break,
                Some(b'\\') => at = self.escape(at, &mut bytes)?,
                _ => {
                    let message = "the string that begins here has no end on its line";
                    return Err(self.fatal(&codes::OPEN_STRING, start..at, message));
                }
            }
        }
        self.at = at + 1;
        Ok((RawText::from(&bytes[..]), start..self.at))
    }

    /// One escape, which stands for one byte; returns the offset after it.
    fn escape(&mut self, at: usize, bytes: &mut Vec<u8>) -> Result<usize, Failure> {
        let byte = match self.text.get(at + 1) {
            Some(b'n') => b'\n',
            Some(b't') => b'\t',
            Some(b'v') => 0x0b,
            Some(b'b') => 0x08,
            Some(b'r') => b'\r',
            Some(b'f') => 0x0c,
            Some(b'a') => 0x07,
            Some(b'0') => 0,
            Some(&same @ (b'\\' | b'?' | b'"' | b'\'')) => same,
            Some(b'x') => {
                let digit = |i: usize| self.text.get(at + i).and_then(|&b| char::from(b).to_digit(16));
                if let (Some(high), Some(low)) = (digit(2), digit(3)) {
                    bytes.push((high * 16 + low) as u8);
                    return Ok(at + 4);
                }
                let message = "\\x needs two hexadecimal digits";
                return Err(self.fatal(&codes::BAD_ESCAPE, at..at + 2, message));
            }
            _ => {
                let end = (at + 2).min(self.text.len());
                let message = format!("{} is no escape", RawText::from(&self.text[at..end]));
                return Err(self.fatal(&codes::BAD_ESCAPE, at..end, message));
            }
        };
        bytes.push(byte);
        Ok(at + 2)
    }

    /// A number, with a point or without.
    #[inline(always)]
    pub(super) fn float(&mut self) -> Result<f32, Failure> {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.text.get(self.at) {
            self.at += 1;
        }
        match parse_decimal(self.text, self.at) {
            Some((value, end)) if self.is_plain(self.at, end) => {
                self.at = end;
                Ok(value)
            }
            _ => self.any_float(),
        }
    }

    /// Whether the number from `at` to `end` is all of it, and means what its decimal digits say: a leading zero may be
    /// octal, and a leading point is no number.
    #[inline(always)]
    fn is_plain(&self, at: usize, end: usize) -> bool {
        let negative = usize::from(self.text[at] == b'-');
        let digits = &self.text[at + negative..end];
        let odd = matches!(digits, [b'.', ..] | [b'0', b'0'..=b'9', ..]);
        !odd && !self.text.get(end).is_some_and(|&b| is_number_part(b))
    }

    #[cold]
    fn any_float(&mut self) -> Result<f32, Failure> {
        self.degrees().map(|value| value as f32)
    }

    /// A number of more digits than a f32 has.
    pub(super) fn degrees(&mut self) -> Result<f64, Failure> {
        let span = self.number_span("a number")?;
        let field = &self.text[span.clone()];
        let value = match is_float(field) {
            true => {
                let with_e: Vec<u8> =
                    field.iter().map(|&b| if matches!(b, b'd' | b'D') { b'e' } else { b }).collect();
                parse_f64(&with_e)
            }
            // Decimal digits need not fit a whole number here.
            false if !has_base(field) => parse_f64(field),
            false => integer(field).map(|v| v as f64).ok_or(NumberError::Malformed),
        };
        match value {
            Ok(value) => Ok(value),
            Err(error) => {
                let found = RawText::from(field);
                let (code, message) = match error {
                    NumberError::TooLarge => {
                        (&codes::TOO_LARGE, format!("{found} is larger than a number can be"))
                    }
                    _ => (&codes::BAD_NUMBER, format!("expected a number, found {found}")),
                };
                self.error(code, span, message)?;
                Ok(0.0)
            }
        }
    }

    /// A whole number from 0 on.
    #[inline(always)]
    pub(super) fn uint(&mut self) -> Result<u32, Failure> {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.text.get(self.at) {
            self.at += 1;
        }
        let mut value = 0;
        for (i, &byte) in self.text[self.at..].iter().enumerate().take(10) {
            let digit = u32::from(byte.wrapping_sub(b'0'));
            if digit > 9 {
                if i > 0 && !is_number_part(byte) {
                    self.at += i;
                    return Ok(value);
                }
                break;
            }
            // A leading zero means octal, and ten digits may be too many.
            if (i == 1 && value == 0) || i == 9 {
                break;
            }
            value = value * 10 + digit;
        }
        self.any_integer("a whole number from 0 on", 0, u32::MAX.into()).map(|v| v as u32)
    }

    /// A whole number.
    pub(super) fn int(&mut self) -> Result<i32, Failure> {
        self.any_integer("a whole number", i32::MIN.into(), i32::MAX.into()).map(|v| v as i32)
    }

    #[cold]
    fn any_integer(&mut self, expected: &str, least: i64, most: i64) -> Result<i64, Failure> {
        let span = self.number_span(expected)?;
        let field = &self.text[span.clone()];
        let value = if is_float(field) { None } else { integer(field) };
        match value.filter(|v| (least..=most).contains(v)) {
            Some(value) => Ok(value),
            None => {
                let message = format!("expected {expected}, found {}", RawText::from(field));
                self.error(&codes::BAD_NUMBER, span, message)?;
                Ok(0)
            }
        }
    }

    /// Goes past everything that is part of a number.
    fn number_span(&mut self, expected: &str) -> Result<Range<usize>, Failure> {
        if !self.peek()?.is_some_and(|b| b.is_ascii_digit() || matches!(b, b'+' | b'-')) {
            return Err(self.expected(expected));
        }
        let start = self.at;
        self.at += self.text[start..].iter().take_while(|&&b| is_number_part(b)).count();
        Ok(start..self.at)
    }

    /// The span of the number that was just read, for messages.
    pub(super) fn last_number(&self) -> Range<usize> {
        let digits = self.text[..self.at].iter().rev().take_while(|&&b| is_number_part(b)).count();
        self.at - digits..self.at
    }

    /// The span of whatever comes next, for messages.
    pub(super) fn next_span(&self) -> Range<usize> {
        let rest = &self.text[self.at.min(self.text.len())..];
        let length = match rest.first() {
            None => 0,
            Some(b'"') => {
                let end = rest[1..].iter().position(|b| matches!(b, b'"' | b'\n' | b'\r'));
                end.map_or(rest.len(), |end| end + 2)
            }
            Some(b) if is_number_part(*b) || *b == b'_' => {
                rest.iter().take_while(|&&b| is_number_part(b) || b == b'_').count()
            }
            Some(_) => 1,
        };
        self.at..self.at + length.min(rest.len())
    }
}

/// A number goes on over all of these, so that a word after it needs a blank.
#[inline(always)]
fn is_number_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'+' | b'-')
}

fn is_hex(field: &[u8]) -> bool {
    matches!(field, [b'0', b'x' | b'X', ..])
}

fn is_float(field: &[u8]) -> bool {
    let later = field.get(1..).unwrap_or_default();
    !is_hex(field) && later.iter().any(|b| matches!(b, b'.' | b'd' | b'D' | b'e' | b'E'))
}

fn unsigned(field: &[u8]) -> &[u8] {
    field.strip_prefix(b"-").or(field.strip_prefix(b"+")).unwrap_or(field)
}

/// Hexadecimal or octal.
fn has_base(field: &[u8]) -> bool {
    is_hex(field) || matches!(unsigned(field), [b'0', _, ..])
}

/// A whole number: `0x` is hexadecimal, a leading 0 octal, everything else decimal.
fn integer(field: &[u8]) -> Option<i64> {
    let digits = unsigned(field);
    let (digits, base) = match digits {
        _ if is_hex(field) => (&field[2..], 16),
        [b'0', rest @ ..] if !rest.is_empty() => (rest, 8),
        _ => (digits, 10),
    };
    let mut value = 0_i64;
    for &digit in digits {
        let digit = char::from(digit).to_digit(base)?;
        value = value.checked_mul(i64::from(base))?.checked_add(i64::from(digit))?;
    }
    let negative = field.starts_with(b"-");
    (!digits.is_empty()).then_some(if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_have_three_bases() {
        for (text, value) in [
            ("0", Some(0)),
            ("25", Some(25)),
            ("-7", Some(-7)),
            ("+7", Some(7)),
            ("0x19", Some(25)),
            ("0XdE", Some(0xde)),
            ("010", Some(8)),
            ("-010", Some(-8)),
            ("08", None),
            ("0x", None),
            ("-0x1", None),
            ("1-2", None),
            ("10objects", None),
            ("-", None),
            ("99999999999999999999", None),
        ] {
            assert_eq!(integer(text.as_bytes()), value, "{text}");
        }
    }

    #[test]
    fn a_point_or_an_exponent_makes_a_float() {
        for text in ["1.", "-.5", "1e5", "1D5", "+0.0"] {
            assert!(is_float(text.as_bytes()), "{text}");
        }
        for text in ["1", "0x1e", "0xd", "-1", "010"] {
            assert!(!is_float(text.as_bytes()), "{text}");
        }
    }
}
