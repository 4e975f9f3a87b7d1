//! Reads typed little-endian fields of a binary file, from front to back, each with its place for messages.

use super::source::WINDOW;
use super::{Content, little_endian};
use crate::limits::FARTHEST;
use crate::report::{Code, Diagnostic, Failure, Place, Report, Severity};
use crate::text::RawText;
use bytemuck::Pod;
use std::borrow::Cow;
use std::fmt::Display;

/// A format's codes and texts for the faults that any binary file can have.
pub(crate) struct FieldFaults {
    /// The file ends within a field.
    pub end: &'static Code,
    /// A count is larger than the rest of the file.
    pub count: &'static Code,
    /// The length of a string is larger than the rest of the file.
    pub string: &'static Code,
    /// Advice for a file that is damaged in one of these ways.
    pub help: Option<&'static str>,
    /// A number cannot be used.
    pub number: &'static Code,
    /// Describes a NaN or an infinite number in messages.
    pub not_finite: &'static str,
    /// Describes a number beyond [`FARTHEST`] in messages.
    pub too_large: &'static str,
}

/// A read position in a file. Files in memory are borrowed; files on disk are read through a window, and their arrays
/// directly into place.
pub(crate) struct Fields<'a, 'r> {
    content: &'a Content<'a>,
    at: u64,
    window: Cow<'a, [u8]>,
    window_at: u64,
    faults: &'static FieldFaults,
    pub report: &'r mut Report,
    /// The record that is being read, for places: `materials[2]`.
    pub record: String,
}

impl<'a, 'r> Fields<'a, 'r> {
    /// Starts at the beginning of a file.
    pub fn new(content: &'a Content<'a>, faults: &'static FieldFaults, report: &'r mut Report) -> Self {
        let window = Cow::Borrowed(&[][..]);
        Self { content, at: 0, window, window_at: 0, faults, report, record: String::new() }
    }

    /// Bytes before the position.
    pub fn at(&self) -> u64 {
        self.at
    }

    /// Bytes after the position.
    pub fn left(&self) -> u64 {
        self.content.len() - self.at
    }

    /// Up to `length` of the next bytes, without moving the position.
    pub fn peek(&self, length: u64) -> Vec<u8> {
        self.content.range(self.at, length.min(self.left())).unwrap_or_default().into_owned()
    }

    /// Reads the next bytes.
    pub fn take(&mut self, field: &str, length: u64) -> Result<Cow<'_, [u8]>, Failure> {
        self.expect(field, length)?;
        let at = self.at;
        self.at += length;
        let is_memory = matches!(self.content, Content::Memory(_));
        if !is_memory && length <= WINDOW / 4 {
            let inside = at >= self.window_at && self.at <= self.window_at + self.window.len() as u64;
            if !inside {
                let window = self.content.range(at, WINDOW.min(self.content.len() - at));
                self.window = window.map_err(|error| self.report.cannot_read(error))?;
                self.window_at = at;
            }
            let start = (at - self.window_at) as usize;
            return Ok(Cow::Borrowed(&self.window[start..start + length as usize]));
        }
        self.content.range(at, length).map_err(|error| self.report.cannot_read(error))
    }

    /// Fails with "the file ends here" if fewer than `length` bytes are left.
    fn expect(&mut self, field: &str, length: u64) -> Result<(), Failure> {
        let left = self.left();
        if length > left {
            let message = format!("the file ends here: {left} of {length} bytes are left");
            return Err(self.damaged(self.at, self.faults.end, field, message));
        }
        Ok(())
    }

    fn bytes<const N: usize>(&mut self, field: &str) -> Result<[u8; N], Failure> {
        let mut bytes = [0; N];
        bytes.copy_from_slice(&self.take(field, N as u64)?);
        Ok(bytes)
    }

    pub fn byte(&mut self, field: &str) -> Result<u8, Failure> {
        self.bytes(field).map(|[byte]| byte)
    }

    pub fn half(&mut self, field: &str) -> Result<u16, Failure> {
        self.bytes(field).map(u16::from_le_bytes)
    }

    pub fn word(&mut self, field: &str) -> Result<u32, Failure> {
        self.bytes(field).map(u32::from_le_bytes)
    }

    /// Reads a length of `N` bytes, and a string of that length.
    pub fn string<const N: usize>(&mut self, field: &str) -> Result<RawText, Failure> {
        let at = self.at;
        let digits: [u8; N] = self.bytes(field)?;
        let length = digits.iter().rev().fold(0, |length, &digit| length << 8 | u64::from(digit));
        let left = self.left();
        if length > left {
            let message = format!("a string of {length} bytes, but only {left} are left");
            return Err(self.damaged(at, self.faults.string, field, message));
        }
        Ok(RawText::from(&*self.take(field, length)?))
    }

    /// Reads numbers without checking them.
    pub fn raw_floats<const N: usize>(&mut self, field: &str) -> Result<[f32; N], Failure> {
        let bytes = self.take(field, 4 * N as u64)?;
        let mut numbers = [0.0; N];
        for (number, bytes) in numbers.iter_mut().zip(bytes.as_chunks().0) {
            *number = f32::from_le_bytes(*bytes);
        }
        Ok(numbers)
    }

    /// Reads numbers, and reports any that is not finite.
    pub fn floats<const N: usize>(&mut self, field: &str) -> Result<[f32; N], Failure> {
        self.floats_up_to(f32::MAX, field)
    }

    /// Reads numbers that are multiplied with each other, and reports any that is not finite or too large for that.
    pub fn places<const N: usize>(&mut self, field: &str) -> Result<[f32; N], Failure> {
        self.floats_up_to(FARTHEST, field)
    }

    fn floats_up_to<const N: usize>(&mut self, most: f32, field: &str) -> Result<[f32; N], Failure> {
        let at = self.at;
        let numbers = self.raw_floats(field)?;
        self.check(at, field, &numbers, most);
        Ok(numbers)
    }

    /// Reads an array of bytes, 16-bit or 32-bit words, or structures made of one kind of them.
    pub fn array<T: Pod>(&mut self, field: &str, count: usize) -> Result<Vec<T>, Failure> {
        self.expect(field, (count as u64).saturating_mul(size_of::<T>() as u64))?;
        let mut values = bytemuck::zeroed_vec(count);
        self.read_into(&mut values)?;
        Ok(values)
    }

    /// Appends `count` elements to an array.
    pub fn extend<T: Pod>(&mut self, field: &str, values: &mut Vec<T>, count: usize) -> Result<(), Failure> {
        self.expect(field, (count as u64).saturating_mul(size_of::<T>() as u64))?;
        let start = values.len();
        values.resize(start + count, T::zeroed());
        self.read_into(&mut values[start..])
    }

    fn read_into<T: Pod>(&mut self, values: &mut [T]) -> Result<(), Failure> {
        let bytes = bytemuck::cast_slice_mut(values);
        self.content.read_into(self.at, bytes).map_err(|error| self.report.cannot_read(error))?;
        self.at += bytes.len() as u64;
        little_endian::to_native(values);
        Ok(())
    }

    /// Returns a count as a length, if the rest of the file has room for that many records of at least `least` bytes.
    /// `claim` describes the records in the message.
    pub fn room(
        &mut self,
        field: &str,
        claim: impl Display,
        count: u32,
        least: u64,
    ) -> Result<usize, Failure> {
        let left = self.left();
        if u64::from(count) > left / least.max(1) {
            let message = format!("{claim} of at least {least} bytes, but only {left} bytes are left");
            return Err(self.damaged(self.at, self.faults.count, field, message));
        }
        Ok(count as usize)
    }

    /// Reports the first number that is not finite or larger than `most`; returns whether all are fine.
    pub fn check(&mut self, at: u64, field: impl Display, numbers: &[f32], most: f32) -> bool {
        let found = numbers.iter().position(|n| n.is_nan() || n.abs() > most);
        if let Some(i) = found {
            self.unusable(at + 4 * i as u64, field, numbers[i]);
        }
        found.is_none()
    }

    /// Reports a number that is not finite or too large.
    pub fn unusable(&mut self, at: u64, field: impl Display, number: f32) {
        let is = if number.is_finite() { self.faults.too_large } else { self.faults.not_finite };
        self.error(at, self.faults.number, field, format!("{number} {is}"));
    }

    /// The place of a field of the current record.
    pub fn place(&self, at: u64, field: impl Display) -> Place {
        let field = field.to_string();
        let record = &self.record;
        let dot = if record.is_empty() || field.is_empty() { "" } else { "." };
        Place::binary(at, format!("{record}{dot}{field}"))
    }

    /// Reports an error after which reading goes on.
    pub fn error(&mut self, at: u64, code: &'static Code, field: impl Display, message: impl Into<String>) {
        self.report.error(code, self.place(at, field), message);
    }

    pub fn warning(&mut self, at: u64, code: &'static Code, field: impl Display, message: impl Into<String>) {
        self.report.warning(code, self.place(at, field), message);
    }

    pub fn note(&mut self, at: u64, code: &'static Code, field: impl Display, message: impl Into<String>) {
        self.report.note(code, self.place(at, field), message);
    }

    /// Reports an error after which the rest cannot be read.
    pub fn invalid(
        &mut self,
        at: u64,
        code: &'static Code,
        field: impl Display,
        message: impl Into<String>,
    ) -> Failure {
        self.error(at, code, field, message);
        Failure::Invalid
    }

    /// Like [`invalid`](Self::invalid), for a file whose structure is broken.
    pub fn damaged(
        &mut self,
        at: u64,
        code: &'static Code,
        field: &str,
        message: impl Into<String>,
    ) -> Failure {
        let mut diagnostic = Diagnostic::new(Severity::Error, code, self.place(at, field), message);
        diagnostic.help = self.faults.help.map(Into::into);
        self.report.push(diagnostic);
        Failure::Invalid
    }
}
