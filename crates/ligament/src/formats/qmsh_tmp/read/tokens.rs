//! Reads words, numbers, strings and symbols. The caller reads the token that it expects, so nothing is scanned twice. No
//! token spans two lines.

use super::super::codes;
use super::Reader;
use crate::report::Failure;
use crate::text::{NumberCodes, NumberError, RawText, Spot, parse_decimal, parse_f64, parse_u32_prefix};
use memchr::memmem;
use std::ops::Range;

static NUMBERS: NumberCodes = NumberCodes {
    malformed: &codes::BAD_NUMBER,
    not_finite: &codes::BAD_NUMBER,
    too_large: &codes::TOO_LARGE,
};

impl Reader<'_, '_> {
    /// The current line. Empty before the first one and after the last.
    #[inline]
    pub(super) fn line(&self) -> &[u8] {
        self.line.as_ref().map_or(&[], |line| line.text())
    }

    /// The place in the file of a range of the line.
    pub(super) fn spot(&self, span: Range<usize>) -> Spot {
        self.line.as_ref().map_or_else(|| self.text.here(), |line| line.whole().part(span).spot())
    }

    /// Skips the rest of the line.
    pub(super) fn pass_line(&mut self) {
        if let Some(line) = self.line.take() {
            self.text.pass(&line);
        }
        self.at = 0;
    }

    fn next_line(&mut self) -> Result<bool, Failure> {
        self.pass_line();
        self.line = self.text.peek()?;
        Ok(self.line.is_some())
    }

    /// Skips white space and comments, and returns the next byte; `None` at the end of the file.
    pub(super) fn peek(&mut self) -> Result<Option<u8>, Failure> {
        loop {
            let (text, mut at) = (self.line(), self.at);
            while text.get(at).is_some_and(|&b| is_blank(b)) {
                at += 1;
            }
            let [byte, next] = [at, at + 1].map(|at| text.get(at).copied());
            self.at = at;
            match (byte, next) {
                (Some(b'/'), Some(b'/')) => self.at = self.line().len(),
                (Some(b'/'), Some(b'*')) => self.comment()?,
                (None, _) if self.next_line()? => {}
                _ => return Ok(byte),
            }
        }
    }

    fn comment(&mut self) -> Result<(), Failure> {
        let start = self.spot(self.at..self.at + 2);
        self.at += 2;
        loop {
            if let Some(length) = memmem::find(&self.line()[self.at..], b"*/") {
                self.at += length + 2;
                return Ok(());
            }
            if !self.next_line()? {
                let message = "the comment that begins here has no end";
                return Err(self.text.fatal(&codes::OPEN_COMMENT, start, message));
            }
        }
    }

    /// Skips a symbol if it comes next.
    pub(super) fn take(&mut self, symbol: u8) -> Result<bool, Failure> {
        let found = self.peek()? == Some(symbol);
        self.at += usize::from(found);
        Ok(found)
    }

    /// Skips a symbol, which must come next.
    pub(super) fn symbol(&mut self, symbol: u8) -> Result<(), Failure> {
        if self.take(symbol)? { Ok(()) } else { Err(self.expected(&format!("{:?}", char::from(symbol)))) }
    }

    /// Returns the next word without skipping it; empty if something else comes next.
    pub(super) fn next_word(&mut self) -> Result<&[u8], Failure> {
        let is_first = self.peek()?.is_some_and(|b| b.is_ascii_alphabetic() || b == b'_');
        let rest = &self.line()[self.at..];
        let is_part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
        let length = if is_first { rest.iter().take_while(|b| is_part(b)).count() } else { 0 };
        Ok(&rest[..length])
    }

    /// Skips a word if it comes next.
    pub(super) fn take_word(&mut self, word: &str) -> Result<bool, Failure> {
        let found = self.next_word()? == word.as_bytes();
        self.at += if found { word.len() } else { 0 };
        Ok(found)
    }

    /// Skips a word, which must come next.
    pub(super) fn word(&mut self, word: &str) -> Result<(), Failure> {
        if self.take_word(word)? { Ok(()) } else { Err(self.expected(&format!("`{word}`"))) }
    }

    /// Reads the word of one of several values, and returns that value.
    pub(super) fn one_of<T: Copy>(
        &mut self,
        values: &[T],
        word: impl Fn(T) -> &'static str,
    ) -> Result<T, Failure> {
        let next = self.next_word()?;
        let Some(&value) = values.iter().find(|&&value| word(value).as_bytes() == next) else {
            let known: Vec<_> = values.iter().map(|&value| word(value)).collect();
            return Err(self.expected(&known.join(", ")));
        };
        self.at += word(value).len();
        Ok(value)
    }

    /// Reads a string: its bytes, with escapes resolved, and its place.
    pub(super) fn string(&mut self) -> Result<(RawText, Spot), Failure> {
        if self.peek()? != Some(b'"') {
            return Err(self.expected("a string in double quotes"));
        }
        let start = self.at;
        let mut bytes = Vec::new();
        let mut at = start + 1;
        loop {
            let text = self.line();
            let plain = text[at..].iter().take_while(|b| !matches!(b, b'"' | b'\\' | b'\r' | b'\n')).count();
            bytes.extend_from_slice(&text[at..at + plain]);
            at += plain;
            match text.get(at) {
                Some(b'"') => break,
                Some(b'\\') => at = self.escape(at, &mut bytes)?,
                _ => {
                    let message = "the string that begins here has no end on its line";
                    return Err(self.text.fatal(&codes::OPEN_STRING, self.spot(start..at), message));
                }
            }
        }
        self.at = at + 1;
        Ok((RawText::from(&bytes[..]), self.spot(start..self.at)))
    }

    /// Reads an escape, which stands for one byte. Returns the offset after it.
    fn escape(&mut self, at: usize, bytes: &mut Vec<u8>) -> Result<usize, Failure> {
        let text = self.line();
        let byte = match text.get(at + 1) {
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
                let digit = |i: usize| text.get(at + i).and_then(|&b| char::from(b).to_digit(16));
                if let (Some(high), Some(low)) = (digit(2), digit(3)) {
                    bytes.push((high * 16 + low) as u8);
                    return Ok(at + 4);
                }
                let message = "\\x needs two hexadecimal digits";
                return Err(self.text.fatal(&codes::BAD_ESCAPE, self.spot(at..at + 2), message));
            }
            _ => {
                let end = (at + 2).min(text.len());
                let message = format!("{} is not a valid escape", RawText::from(&text[at..end]));
                return Err(self.text.fatal(&codes::BAD_ESCAPE, self.spot(at..end), message));
            }
        };
        bytes.push(byte);
        Ok(at + 2)
    }

    /// Reads a number.
    pub(super) fn float(&mut self) -> Result<f32, Failure> {
        match self.plain(plain_float)? {
            Some(value) => Ok(value),
            None => self.degrees().map(|value| value as f32),
        }
    }

    /// Reads a number with the precision of an f64.
    pub(super) fn degrees(&mut self) -> Result<f64, Failure> {
        let span = self.number_span("a number")?;
        let field = &self.line()[span.clone()];
        let value = match is_float(field) {
            true => {
                let with_e: Vec<u8> =
                    field.iter().map(|&b| if matches!(b, b'd' | b'D') { b'e' } else { b }).collect();
                parse_f64(&with_e)
            }
            // Decimal digits need not fit into an integer here.
            false if !has_base(field) => parse_f64(field),
            false => integer(field).map(|v| v as f64).ok_or(NumberError::Malformed),
        };
        if let (Err(error), Some(line)) = (value, &self.line) {
            let fault = line.whole().part(span).no_number(error, &NUMBERS);
            self.error(fault.code, fault.spot, fault.message)?;
        }
        Ok(value.unwrap_or(0.0))
    }

    /// Reads an integer that is not negative.
    pub(super) fn uint(&mut self) -> Result<u32, Failure> {
        match self.plain(plain_uint)? {
            Some(value) => Ok(value),
            None => self.any_integer("a whole number of at least 0", 0, u32::MAX.into()).map(|v| v as u32),
        }
    }

    /// Reads a number with `read`, unless the token goes on after it.
    fn plain<T>(&mut self, read: impl Fn(&[u8], usize) -> Option<(T, usize)>) -> Result<Option<T>, Failure> {
        self.peek()?;
        let text = self.line();
        let found =
            read(text, self.at).filter(|(_, end)| !text.get(*end).is_some_and(|&b| is_number_part(b)));
        let Some((value, end)) = found else { return Ok(None) };
        self.at = end;
        Ok(Some(value))
    }

    /// Reads an integer.
    pub(super) fn int(&mut self) -> Result<i32, Failure> {
        self.any_integer("a whole number", i32::MIN.into(), i32::MAX.into()).map(|v| v as i32)
    }

    fn any_integer(&mut self, expected: &str, least: i64, most: i64) -> Result<i64, Failure> {
        let span = self.number_span(expected)?;
        let field = &self.line()[span.clone()];
        let value = if is_float(field) { None } else { integer(field) };
        match value.filter(|v| (least..=most).contains(v)) {
            Some(value) => Ok(value),
            None => {
                let message = format!("expected {expected}, found {}", RawText::from(field));
                self.error(&codes::BAD_NUMBER, self.spot(span), message)?;
                Ok(0)
            }
        }
    }

    /// Skips everything that is part of a number, and returns its range.
    fn number_span(&mut self, expected: &str) -> Result<Range<usize>, Failure> {
        if !self.peek()?.is_some_and(|b| b.is_ascii_digit() || matches!(b, b'+' | b'-')) {
            return Err(self.expected(expected));
        }
        let start = self.at;
        self.at += self.line()[start..].iter().take_while(|&&b| is_number_part(b)).count();
        Ok(start..self.at)
    }

    /// The place of the number that was just read.
    pub(super) fn last_number(&self) -> Spot {
        let digits = self.line()[..self.at].iter().rev().take_while(|&&b| is_number_part(b)).count();
        self.spot(self.at - digits..self.at)
    }

    /// The range of the next token, for messages.
    pub(super) fn next_span(&self) -> Range<usize> {
        let rest = &self.line()[self.at..];
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
        self.at..self.at + length
    }

    pub(super) fn next_spot(&self) -> Spot {
        self.spot(self.next_span())
    }
}

#[inline(always)]
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b)
}

/// Parses a decimal number. Not one with a leading zero, which may be octal, or with a leading point, which is an error.
#[inline(always)]
pub(super) fn plain_float(text: &[u8], at: usize) -> Option<(f32, usize)> {
    let (value, end) = parse_decimal(text, at)?;
    let digits = &text[at + usize::from(text[at] == b'-')..end];
    let odd = matches!(digits, [b'.', ..] | [b'0', b'0'..=b'9', ..]);
    (!odd).then_some((value, end))
}

/// Parses an integer of up to nine digits. Not one with a leading zero, which is octal.
#[inline(always)]
pub(super) fn plain_uint(text: &[u8], at: usize) -> Option<(u32, usize)> {
    let (value, end) = parse_u32_prefix(text, at)?;
    (text[at] != b'0' || end == at + 1).then_some((value, end))
}

/// Whether a number goes on with this byte. A word after a number needs a space between them.
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

/// Parses an integer: `0x` is hexadecimal, a leading 0 octal, everything else decimal.
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
