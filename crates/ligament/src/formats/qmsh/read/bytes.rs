//! The fields of a file, from front to back.

use super::{Reader, codes};
use crate::report::{Code, Failure, Place};
use crate::text::RawText;
use std::borrow::Cow;

/// Places and matrices beyond this would be infinite once they are multiplied.
pub(in super::super) const FARTHEST: f32 = 1e15;

impl Reader<'_, '_> {
    /// Bytes before the position.
    pub(super) fn at(&self) -> u64 {
        self.bytes.at()
    }

    /// The next bytes, or an error that names the field they belong to.
    pub(super) fn take(&mut self, field: &str, length: u64) -> Result<Cow<'_, [u8]>, Failure> {
        let left = self.bytes.left();
        if left < length {
            let message = format!("the file ends here: {left} of {length} bytes are left");
            return Err(self.fatal_at(self.at(), &codes::UNEXPECTED_END, field, message));
        }
        let Self { bytes, report, .. } = self;
        bytes.take(length).map_err(|error| {
            report.error(&crate::io::codes::CANNOT_READ, Place::WHOLE, format!("cannot read: {error}"));
            Failure::Io
        })
    }

    fn array<const N: usize>(&mut self, field: &str) -> Result<[u8; N], Failure> {
        let mut array = [0; N];
        array.copy_from_slice(&self.take(field, N as u64)?);
        Ok(array)
    }

    pub(super) fn byte(&mut self, field: &str) -> Result<u8, Failure> {
        Ok(self.array::<1>(field)?[0])
    }

    pub(super) fn half(&mut self, field: &str) -> Result<u16, Failure> {
        Ok(u16::from_le_bytes(self.array(field)?))
    }

    pub(super) fn word(&mut self, field: &str) -> Result<u32, Failure> {
        Ok(u32::from_le_bytes(self.array(field)?))
    }

    /// A length byte and so many bytes.
    pub(super) fn string(&mut self, field: &str) -> Result<RawText, Failure> {
        let at = self.at();
        let length = u64::from(self.byte(field)?);
        let left = self.bytes.left();
        if length > left {
            let message = format!("a string of {length} bytes, and {left} are left");
            return Err(self.fatal_at(at, &codes::STRING_LENGTH, field, message));
        }
        Ok(RawText::from(&*self.take(field, length)?))
    }

    /// Numbers that nothing depends on, as they are.
    pub(super) fn raw_floats<const N: usize>(&mut self, field: &str) -> Result<[f32; N], Failure> {
        let bytes = self.take(field, 4 * N as u64)?;
        let mut values = [0.0; N];
        for (value, bytes) in values.iter_mut().zip(bytes.chunks_exact(4)) {
            *value = f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        }
        Ok(values)
    }

    /// Numbers of a record that is there as a whole and is checked as a whole.
    pub(super) fn quick_floats<const N: usize>(&mut self) -> Result<[f32; N], Failure> {
        self.raw_floats("")
    }

    /// Finite numbers.
    pub(super) fn floats<const N: usize>(&mut self, field: &str) -> Result<[f32; N], Failure> {
        let at = self.at();
        let values = self.raw_floats(field)?;
        self.check_floats(at, field, &values, f32::INFINITY);
        Ok(values)
    }

    /// Numbers that are multiplied with each other, and so may not be too large.
    pub(super) fn places<const N: usize>(&mut self, field: &str) -> Result<[f32; N], Failure> {
        let at = self.at();
        let values = self.raw_floats(field)?;
        self.check_floats(at, field, &values, FARTHEST);
        Ok(values)
    }

    /// Reports the first number that is not finite or larger than `most`.
    pub(super) fn check_floats(&mut self, at: u64, field: &str, values: &[f32], most: f32) {
        if let Some(i) = values.iter().position(|v| !v.is_finite() || v.abs() > most) {
            let message = if values[i].is_finite() {
                format!("{} is too large to be posed; the limit is {FARTHEST:e}", values[i])
            } else {
                format!("{} is not a finite number", values[i])
            };
            self.error(at + 4 * i as u64, &codes::NOT_FINITE, field, message);
        }
    }

    /// Whether the rest of the file has room for so many records of at least `least` bytes.
    pub(super) fn room(&mut self, list: &str, count: usize, least: usize) -> Result<(), Failure> {
        let left = self.bytes.left();
        if (count as u64).saturating_mul(least as u64) > left {
            let message =
                format!("the count is {count}, each of at least {least} bytes, and {left} bytes are left");
            return Err(self.fatal_at(self.at(), &codes::COUNT, list, message));
        }
        Ok(())
    }

    /// A field of the record that is being read.
    fn field(&self, field: &str) -> String {
        match (self.record.is_empty(), field.is_empty()) {
            (true, _) => field.to_owned(),
            (false, true) => self.record.clone(),
            (false, false) => format!("{}.{field}", self.record),
        }
    }

    /// Something is wrong; reading goes on.
    pub(super) fn error(&mut self, at: u64, code: &'static Code, field: &str, message: impl Into<String>) {
        let place = Place::binary(at, self.field(field));
        self.report.error(code, place, message);
    }

    pub(super) fn warning(&mut self, at: u64, code: &'static Code, field: &str, message: impl Into<String>) {
        let place = Place::binary(at, self.field(field));
        self.report.warning(code, place, message);
    }

    /// Something is wrong, and what follows cannot be read.
    pub(super) fn fatal_at(
        &mut self,
        at: u64,
        code: &'static Code,
        field: &str,
        message: impl Into<String>,
    ) -> Failure {
        self.error(at, code, field, message);
        Failure::Invalid
    }
}
