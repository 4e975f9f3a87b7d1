//! Binormals, of which a scene keeps only the sign.

use crate::report::{Code, Loss, Report};
use glam::{Vec3, Vec4};

/// Binormals farther than this from the cross product are reported.
const TOLERANCE: f32 = 1e-3;

/// Measures how far binormals are from the cross product of normal and tangent.
#[derive(Default)]
pub(super) struct Binormals {
    worst: f32,
    /// The number of binormals beyond the tolerance.
    odd: usize,
}

impl Binormals {
    /// Adds the sign of its binormal to a tangent.
    pub(super) fn tangent(&mut self, normal: Vec3, tangent: Vec3, binormal: Vec3) -> Vec4 {
        let cross = normal.cross(tangent);
        let sign = if cross.dot(binormal) < 0.0 { -1.0 } else { 1.0 };
        let off = (binormal - cross * sign).length();
        self.odd += usize::from(off > TOLERANCE);
        self.worst = self.worst.max(off);
        tangent.extend(sign)
    }

    pub(super) fn report(&self, code: &'static Code, object: &str, report: &mut Report) {
        if self.odd > 0 {
            let (message, worst) = ("a scene keeps only the sign of binormals", f64::from(self.worst));
            report.loss(Loss::approximated(code, object, self.odd, worst, "", message));
        }
    }
}
