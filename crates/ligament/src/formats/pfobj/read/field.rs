//! Values within a line, each checked and reported where it stands. A bad value is reported and read as zero, so that
//! the rest of the file is checked too.

use super::super::codes;
use super::super::document::{Dialect, Rotation, Transform};
use super::Reader;
use crate::text::{Fields, NumberError, RawText, parse_f32, parse_f64, parse_u32};
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
        parse_f32(&self.bytes[field.clone()]).unwrap_or_else(|error| {
            self.bad_number(field, error);
            0.0
        })
    }

    fn angle(&mut self, field: Range<usize>) -> f64 {
        parse_f64(&self.bytes[field.clone()]).unwrap_or_else(|error| {
            self.bad_number(field, error);
            0.0
        })
    }

    fn bad_number(&mut self, field: Range<usize>, error: NumberError) {
        let text = RawText::from(&self.bytes[field.clone()]);
        let (code, message) = match error {
            NumberError::Malformed => (&codes::BAD_NUMBER, format!("expected a number, found {text}")),
            NumberError::NotFinite => (&codes::NOT_FINITE, format!("expected a finite number, found {text}")),
            NumberError::TooLarge => (&codes::TOO_LARGE, format!("the number {text} is too large")),
        };
        self.error(code, field, message);
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

    /// The parts between slashes. Reports a wrong number of them.
    fn parts(&mut self, field: Range<usize>, allowed: &[usize], what: &str) -> Option<Vec<Range<usize>>> {
        let bytes = self.bytes;
        let mut start = field.start;
        let part = |text: &[u8]| {
            let part = start..start + text.len();
            start = part.end + 1;
            part
        };
        // One more than is allowed is enough to know that there are too many.
        let parts: Vec<_> = bytes[field.clone()].split(|&b| b == b'/').take(5).map(part).collect();
        if allowed.contains(&parts.len()) {
            return Some(parts);
        }
        let wanted: Vec<_> = allowed.iter().map(usize::to_string).collect();
        let text = RawText::from(&bytes[field.clone()]);
        let message =
            format!("{what} has {} numbers with slashes between them, found {text}", wanted.join(" or "));
        self.error(&codes::PARTS, field, message);
        None
    }

    pub(super) fn vector(&mut self, field: Range<usize>, what: &str) -> Vec3 {
        match self.parts(field, &[3], what).as_deref() {
            Some([x, y, z]) => {
                Vec3::new(self.number(x.clone()), self.number(y.clone()), self.number(z.clone()))
            }
            _ => Vec3::ZERO,
        }
    }

    /// Scale, rotation and translation.
    pub(super) fn transform(&mut self, fields: [Range<usize>; 3]) -> Transform {
        let [scale, rotation, translation] = fields;
        let scale = self.vector(scale, "a scale");
        let rotation = self.rotation(rotation);
        Transform { scale, rotation, translation: self.vector(translation, "a translation") }
    }

    fn rotation(&mut self, field: Range<usize>) -> Rotation {
        let parts = self.parts(field.clone(), &[3, 4], "a rotation");
        let rotation = match parts.as_deref() {
            Some([x, y, z, w]) => {
                let quaternion = [x, y, z, w].map(|part| self.number(part.clone()));
                self.check_length(quaternion, field.clone());
                Rotation::Quaternion(quaternion)
            }
            Some([x, y, z]) => Rotation::Angles([x, y, z].map(|part| self.angle(part.clone()))),
            _ => return Rotation::Angles([0.0; 3]),
        };
        let dialect = match rotation {
            Rotation::Angles(_) => Dialect::Document,
            Rotation::Quaternion(_) => Dialect::Engine,
        };
        let first = *self.rotations.get_or_insert(dialect);
        if dialect != first {
            let (here, before) = (dialect.rotation_parts(), first.rotation_parts());
            let message = format!("this rotation has {here} numbers, those before it have {before}");
            self.error(&codes::MIXED_ROTATIONS, field, message);
        }
        rotation
    }

    fn check_length(&mut self, quaternion: [f32; 4], span: Range<usize>) {
        if is_unit(quaternion) {
            return;
        }
        let length = quaternion.iter().map(|&v| f64::from(v).powi(2)).sum::<f64>().sqrt();
        if length < 1e-6 {
            self.error(&codes::ZERO_ROTATION, span, "the quaternion has length zero");
        } else {
            self.warning(&codes::NOT_UNIT, span, format!("the quaternion's length is {length:.6}"));
        }
    }
}

/// Whether a quaternion is of length one to within what six decimals can express.
#[inline(always)]
pub(in super::super) fn is_unit([x, y, z, w]: [f32; 4]) -> bool {
    (x * x + y * y + z * z + w * w - 1.0).abs() <= 1e-5
}
