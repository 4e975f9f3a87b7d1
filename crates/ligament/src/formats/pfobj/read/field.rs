//! Values within a line. A bad value is reported at its position and read as zero, so that the rest of the file is
//! checked too.

use super::super::codes;
use super::super::document::{Dialect, Rotation, Transform};
use super::Reader;
use crate::text::{Field, FieldsOf, NumberCodes};
use glam::Vec3;

static NUMBERS: NumberCodes = NumberCodes {
    malformed: &codes::BAD_NUMBER,
    not_finite: &codes::NOT_FINITE,
    too_large: &codes::TOO_LARGE,
};

impl Reader<'_, '_> {
    /// Reads exactly `N` numbers.
    pub(super) fn numbers<const N: usize>(&mut self, mut fields: FieldsOf<'_>, what: &str) -> [f32; N] {
        let mut values = [0.0; N];
        for (i, value) in values.iter_mut().enumerate() {
            let Some(field) = fields.next() else {
                let message = format!("{what} needs {N} numbers, found {i}");
                self.text.error(&codes::MISSING_FIELD, fields.end().spot(), message);
                return values;
            };
            *value = self.number(field);
        }
        self.nothing_more(fields, what);
        values
    }

    pub(super) fn number(&mut self, field: Field<'_>) -> f32 {
        self.text.checked(field.number(&NUMBERS)).unwrap_or(0.0)
    }

    fn angle(&mut self, field: Field<'_>) -> f64 {
        self.text.checked(field.number_f64(&NUMBERS)).unwrap_or(0.0)
    }

    pub(super) fn integer(&mut self, field: Field<'_>, what: &str) -> Option<u32> {
        self.text.checked(field.integer(&codes::BAD_WHOLE, what))
    }

    pub(super) fn nothing_more(&mut self, fields: FieldsOf<'_>, what: &str) {
        let rest = fields.rest();
        if !rest.is_empty() {
            let message = format!("unexpected {} after {what}", rest.raw());
            self.text.error(&codes::EXTRA_FIELD, rest.spot(), message);
        }
    }

    /// Splits a field at its slashes. Reports a wrong number of parts.
    fn parts<'l>(&mut self, field: Field<'l>, allowed: &[usize], what: &str) -> Option<Vec<Field<'l>>> {
        // One more than allowed is enough to see that there are too many.
        let parts: Vec<_> = field.split(b'/').take(5).collect();
        if allowed.contains(&parts.len()) {
            return Some(parts);
        }
        let wanted: Vec<_> = allowed.iter().map(usize::to_string).collect();
        let (wanted, text) = (wanted.join(" or "), field.raw());
        let message = format!("{what} needs {wanted} numbers separated by slashes, found {text}");
        self.text.error(&codes::PARTS, field.spot(), message);
        None
    }

    pub(super) fn vector(&mut self, field: Field<'_>, what: &str) -> Vec3 {
        match self.parts(field, &[3], what).as_deref() {
            Some(&[x, y, z]) => Vec3::new(self.number(x), self.number(y), self.number(z)),
            _ => Vec3::ZERO,
        }
    }

    /// Reads scale, rotation and translation.
    pub(super) fn transform(&mut self, [scale, rotation, translation]: [Field<'_>; 3]) -> Transform {
        let scale = self.vector(scale, "a scale");
        let rotation = self.rotation(rotation);
        Transform { scale, rotation, translation: self.vector(translation, "a translation") }
    }

    fn rotation(&mut self, field: Field<'_>) -> Rotation {
        let (rotation, dialect) = match self.parts(field, &[3, 4], "a rotation").as_deref() {
            Some(&[x, y, z, w]) => {
                let quaternion = [x, y, z, w].map(|part| self.number(part));
                self.check_length(quaternion, field);
                (Rotation::Quaternion(quaternion), Dialect::Engine)
            }
            Some(&[x, y, z]) => (Rotation::Angles([x, y, z].map(|part| self.angle(part))), Dialect::Document),
            _ => return Rotation::Angles([0.0; 3]),
        };
        let first = *self.rotations.get_or_insert(dialect);
        if dialect != first {
            let (here, before) = (dialect.rotation_parts(), first.rotation_parts());
            let message = format!("this rotation has {here} numbers, those before it have {before}");
            self.text.error(&codes::MIXED_ROTATIONS, field.spot(), message);
        }
        rotation
    }

    fn check_length(&mut self, quaternion: [f32; 4], field: Field<'_>) {
        if is_unit(quaternion) {
            return;
        }
        let length = quaternion.iter().map(|&v| f64::from(v).powi(2)).sum::<f64>().sqrt();
        if length < 1e-6 {
            self.text.error(&codes::ZERO_ROTATION, field.spot(), "the quaternion has length zero");
        } else {
            let message = format!("the quaternion's length is {length:.6}");
            self.text.warning(&codes::NOT_UNIT, field.spot(), message);
        }
    }
}

/// Whether a quaternion has length one, as far as six decimals can express it.
#[inline(always)]
pub(in super::super) fn is_unit([x, y, z, w]: [f32; 4]) -> bool {
    (x * x + y * y + z * z + w * w - 1.0).abs() <= 1e-5
}
