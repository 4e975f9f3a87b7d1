//! Normals and tangents as unit vectors.

use super::super::codes;
use super::Import;
use glam::{Vec3, Vec4};
use std::fmt::Display;

impl Import<'_, '_, '_> {
    /// Normalises normals that are off by rounding or quantisation. Zero normals stay: nothing says where they should point.
    pub(super) fn unit_normals(&mut self, normals: &mut [Vec3], path: impl Display) {
        let mut far = 0;
        for normal in normals {
            let off = (normal.length_squared() - 1.0).abs();
            if off > 2e-5 && *normal != Vec3::ZERO {
                far += usize::from(off > 0.02);
                *normal = normal.as_dvec3().normalize_or_zero().as_vec3();
            }
        }
        if far > 0 {
            let message = format!("{far} normals were not unit length; normalised");
            self.warning(&codes::VALUE, path, message);
        }
    }

    pub(super) fn unit_tangents(&mut self, tangents: &mut [Vec4], path: impl Display) {
        let mut far = 0;
        for tangent in tangents {
            let direction = tangent.truncate();
            let off = (direction.length_squared() - 1.0).abs();
            let sign = if tangent.w < 0.0 { -1.0 } else { 1.0 };
            far += usize::from((off > 0.02 && direction != Vec3::ZERO) || tangent.w.abs() != 1.0);
            let direction =
                if off > 2e-5 { direction.as_dvec3().normalize_or_zero().as_vec3() } else { direction };
            *tangent = direction.extend(sign);
        }
        if far > 0 {
            let message = format!("{far} tangents were not unit vectors with a sign of 1 or -1; corrected");
            self.warning(&codes::VALUE, path, message);
        }
    }
}
