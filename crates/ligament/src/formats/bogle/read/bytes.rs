//! The fields of a file, from front to back.

use super::Reader;
use crate::formats::bogle::codes;
use crate::io::WINDOW;
use crate::report::{Code, Diagnostic, Failure, Place, Severity};
use crate::text::RawText;
use bytemuck::Pod;
use std::borrow::Cow;

/// What else than damage makes a file unreadable.
const OLD_LAYOUTS: &str = "the file is cut off or damaged, or in one of BOGLE's earlier layouts, which also say version 0 and are \
    not read; export the scene again";

/// Places and matrices beyond this would be infinite once they are multiplied.
const FARTHEST: f32 = 1e15;

/// Whether a finite number is too large for a place or a matrix.
pub(super) fn is_far(value: f32) -> bool {
    value.is_finite() && value.abs() > FARTHEST
}

impl Reader<'_, '_> {
    /// The next bytes, or an error that names the field they belong to.
    pub(super) fn take(&mut self, field: &str, length: u64) -> Result<Cow<'_, [u8]>, Failure> {
        let left = self.bytes.left();
        if left < length {
            let message = format!("the file ends here: {left} of {length} bytes are left");
            return Err(self.fatal(&codes::UNEXPECTED_END, field, message));
        }
        let Self { bytes, report, .. } = self;
        bytes.take(length).map_err(|error| {
            report.error(&crate::io::codes::CANNOT_READ, Place::WHOLE, format!("cannot read: {error}"));
            Failure::Io
        })
    }

    pub(super) fn byte(&mut self, field: &str) -> Result<u8, Failure> {
        Ok(self.take(field, 1)?[0])
    }

    pub(super) fn word(&mut self, field: &str) -> Result<u32, Failure> {
        let bytes = self.take(field, 4)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// A record's type, at most `largest`.
    pub(super) fn kind(&mut self, largest: u8) -> Result<u8, Failure> {
        let at = self.bytes.at();
        let kind = self.byte("type")?;
        if kind > largest {
            let known =
                if largest == 0 { "only 0 is known".into() } else { format!("known are 0 to {largest}") };
            let message = format!("the type is {kind}, and {known}");
            return Err(self.fatal_at(at, &codes::KIND, "type", message));
        }
        Ok(kind)
    }

    /// A length and so many bytes.
    pub(super) fn string(&mut self, field: &str) -> Result<RawText, Failure> {
        let at = self.bytes.at();
        let length = self.word(field)?;
        if u64::from(length) > self.bytes.left() {
            let message = format!("a string of {length} bytes, and {} are left", self.bytes.left());
            return Err(self.fatal_at(at, &codes::STRING_LENGTH, field, message));
        }
        let text = RawText::from(&*self.take(field, u64::from(length))?);
        if !text.is_utf8() {
            let place = Place::binary(at, self.field(field));
            let message = format!("{text} is not UTF-8");
            self.report.push(Diagnostic::new(Severity::Note, &codes::NOT_UTF8, place, message));
        }
        Ok(text)
    }

    /// Finite numbers.
    pub(super) fn floats<const N: usize>(&mut self, field: &str) -> Result<[f32; N], Failure> {
        let at = self.bytes.at();
        let bytes = self.take(field, 4 * N as u64)?;
        let mut values = [0.0; N];
        for (value, bytes) in values.iter_mut().zip(bytes.chunks_exact(4)) {
            *value = f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        }
        if let Some(i) = values.iter().position(|v| !v.is_finite()) {
            self.not_finite(at + 4 * i as u64, field, values[i]);
        }
        Ok(values)
    }

    /// A transformation.
    pub(super) fn matrix(&mut self, field: &str) -> Result<[f32; 16], Failure> {
        let at = self.bytes.at();
        let matrix: [f32; 16] = self.floats(field)?;
        if let Some(i) = matrix.iter().position(|&v| is_far(v)) {
            self.too_far(at + 4 * i as u64, field, matrix[i]);
        }
        for (i, expected) in [(3, 0.0), (7, 0.0), (11, 0.0), (15, 1.0)] {
            if (matrix[i] - expected).abs() > 1e-5 {
                let message =
                    format!("element {i} is {}, and in a transformation it is {expected}", matrix[i]);
                self.error(at + 4 * i as u64, &codes::NOT_AFFINE, field, message);
                break;
            }
        }
        Ok(matrix)
    }

    /// An array of 32-bit words or of structures made of them; the caller knows that they are there.
    pub(super) fn array<T: Pod>(&mut self, field: &str, count: usize) -> Result<Vec<T>, Failure> {
        let mut values = Vec::with_capacity(count);
        self.fill(field, &mut values, count)?;
        Ok(values)
    }

    /// Appends so many elements.
    pub(super) fn fill<T: Pod>(
        &mut self,
        field: &str,
        values: &mut Vec<T>,
        count: usize,
    ) -> Result<(), Failure> {
        let size = size_of::<T>();
        let start = values.len();
        let mut left = count;
        while left > 0 {
            let now = left.min((WINDOW as usize / size).max(1));
            let bytes = self.take(field, (now * size) as u64)?;
            values.extend(bytes.chunks_exact(size).map(bytemuck::pod_read_unaligned::<T>));
            left -= now;
        }
        if cfg!(target_endian = "big") {
            let words: &mut [u32] = bytemuck::cast_slice_mut(&mut values[start..]);
            words.iter_mut().for_each(|word| *word = u32::from_le(*word));
        }
        Ok(())
    }

    /// A count as a length, if the rest of the file has room for so many records of at least `least` bytes.
    pub(super) fn room(
        &mut self,
        count: u32,
        least: u64,
        what: impl FnOnce() -> String,
    ) -> Result<usize, Failure> {
        let left = self.bytes.left();
        if u64::from(count) > left / least.max(1) {
            let message =
                format!("{} {count} records of at least {least} bytes, and {left} bytes are left", what());
            return Err(self.fatal(&codes::COUNT, "", message));
        }
        Ok(count as usize)
    }

    /// A field of the record that is being read.
    pub(super) fn field(&self, field: &str) -> String {
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

    pub(super) fn not_finite(&mut self, at: u64, field: &str, value: f32) {
        self.error(at, &codes::NOT_FINITE, field, format!("{value} is not a finite number"));
    }

    pub(super) fn too_far(&mut self, at: u64, field: &str, value: f32) {
        let message = format!("{value} is too far away to be posed; the limit is {FARTHEST:e}");
        self.error(at, &codes::NOT_FINITE, field, message);
    }

    /// Something is wrong, and what follows cannot be read.
    pub(super) fn fatal_at(
        &mut self,
        at: u64,
        code: &'static Code,
        field: &str,
        message: impl Into<String>,
    ) -> Failure {
        let place = Place::binary(at, self.field(field));
        let diagnostic = Diagnostic::new(Severity::Error, code, place, message);
        let structural = [&codes::UNEXPECTED_END, &codes::COUNT, &codes::STRING_LENGTH, &codes::KIND];
        self.report.push(if structural.contains(&code) { diagnostic.help(OLD_LAYOUTS) } else { diagnostic });
        Failure::Invalid
    }

    /// Like [`fatal_at`](Self::fatal_at), at the position.
    pub(super) fn fatal(&mut self, code: &'static Code, field: &str, message: impl Into<String>) -> Failure {
        let at = self.bytes.at();
        self.fatal_at(at, code, field, message)
    }
}
