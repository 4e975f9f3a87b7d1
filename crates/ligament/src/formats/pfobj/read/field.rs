//! Values within a line, each checked and reported where it stands. A bad value is reported and read as zero, so that
//! the rest of the file is checked too.

use super::super::codes;
use super::super::document::Transform;
use super::Reader;
use crate::text::{Fields, NumberError, RawText, parse_f32, parse_u32};
use glam::Vec3;
use std::ops::Range;

impl<'a> Reader<'a, '_> {
    /// Exactly `N` numbers, and nothing after them.
    pub(super) fn numbers<const N: usize>(&mut self, fields: &mut Fields<'a>, what: &str) -> [f32; N] {
        let mut values = [0.0; N];
        for (i, value) in values.iter_mut().enumerate() {
            let Some(field) = fields.next() else {
                let message = format!("{what} needs {N} numbers, found {i}");
                self.error(&codes::MISSING_FIELD, fields.end()..fields.end(), message);
                return values;
            };
            *value = self.number(field);
        }
        self.nothing_more(fields, what);
        values
    }

    pub(super) fn number(&mut self, field: Range<usize>) -> f32 {
        let error = match parse_f32(&self.bytes[field.clone()]) {
            Ok(value) => return value,
            Err(error) => error,
        };
        let text = RawText::from(&self.bytes[field.clone()]);
        let (code, message) = match error {
            NumberError::Malformed => (&codes::BAD_NUMBER, format!("expected a number, found {text}")),
            NumberError::NotFinite => (&codes::NOT_FINITE, format!("expected a finite number, found {text}")),
            NumberError::TooLarge => (&codes::TOO_LARGE, format!("the number {text} is too large")),
        };
        self.error(code, field, message);
        0.0
    }

    pub(super) fn whole(&mut self, field: Range<usize>, what: &str) -> Option<u32> {
        let value = parse_u32(&self.bytes[field.clone()]);
        if value.is_none() {
            let text = RawText::from(&self.bytes[field.clone()]);
            self.error(&codes::BAD_WHOLE, field, format!("{what} must be a whole number, found {text}"));
        }
        value
    }

    pub(super) fn nothing_more(&mut self, fields: &Fields<'a>, what: &str) {
        let rest = fields.rest();
        if !rest.is_empty() {
            let text = RawText::from(&self.bytes[rest.clone()]);
            self.error(&codes::EXTRA_FIELD, rest, format!("{what} ends before {text}"));
        }
    }

    /// Numbers with slashes between them; `None` after a wrong number of them.
    fn group<const MAX: usize>(&mut self, field: Range<usize>, allowed: &[usize], what: &str) -> Option<([f32; MAX], usize)> {
        let text = &self.bytes[field.clone()];
        let count = memchr::memchr_iter(b'/', text).count() + 1;
        if !allowed.contains(&count) {
            let wanted: Vec<_> = allowed.iter().map(usize::to_string).collect();
            let message =
                format!("{what} has {} numbers with slashes between them, found {count}", wanted.join(" or "));
            self.error(&codes::ROTATION_PARTS, field, message);
            return None;
        }
        let mut values = [0.0; MAX];
        let mut start = field.start;
        for (value, part) in values.iter_mut().zip(text.split(|&b| b == b'/')) {
            *value = self.number(start..start + part.len());
            start += part.len() + 1;
        }
        Some((values, count))
    }

    pub(super) fn vector(&mut self, field: Range<usize>, what: &str) -> Vec3 {
        self.group::<3>(field, &[3], what).map_or(Vec3::ZERO, |(v, _)| Vec3::from_array(v))
    }

    /// Scale, rotation and translation.
    pub(super) fn transform(&mut self, fields: [Range<usize>; 3]) -> Transform {
        let [scale, rotation, translation] = fields;
        let scale = self.vector(scale, "a scale");
        let span = rotation.clone();
        let rotation = match self.group::<4>(rotation, &[3, 4], "a rotation") {
            Some((values, parts)) => {
                self.check_rotation(values, parts, span);
                values
            }
            None => [0.0; 4],
        };
        Transform { scale, rotation, translation: self.vector(translation, "a translation") }
    }

    fn check_rotation(&mut self, values: [f32; 4], parts: usize, span: Range<usize>) {
        let first = *self.rotation_parts.get_or_insert(parts);
        if parts != first {
            let message = format!("this rotation has {parts} numbers, those before it have {first}");
            self.error(&codes::MIXED_ROTATIONS, span, message);
        } else if parts == 4 && !is_unit(values) {
            let length = values.iter().map(|&v| f64::from(v).powi(2)).sum::<f64>().sqrt();
            if length < 1e-6 {
                self.error(&codes::ZERO_ROTATION, span, "the quaternion has length zero");
            } else {
                self.warning(&codes::NOT_UNIT, span, format!("the quaternion's length is {length:.6}"));
            }
        }
    }
}

/// Whether a quaternion is of length one to within what six decimals can express.
#[inline(always)]
pub(in super::super) fn is_unit([x, y, z, w]: [f32; 4]) -> bool {
    (x * x + y * y + z * z + w * w - 1.0).abs() <= 1e-5
}
