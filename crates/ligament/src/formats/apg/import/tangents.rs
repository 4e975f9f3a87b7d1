//! Tangents that the original converter left in the source's axes.

use super::super::codes;
use crate::report::{Place, Report};
use glam::{Vec3, Vec4};

/// Tangents whose mean cosine with the normals is below this stand at right angles, as far as rounding goes.
const RIGHT_ANGLE: f32 = 0.05;

/// Turns tangents from Z up to Y up if that, and only that, brings them to a right angle with the normals. Leaves them
/// out if nothing does.
pub(super) fn fix(tangents: &mut Vec<Vec4>, normals: &[Vec3], report: &mut Report) {
    if normals.len() != tangents.len() || mean_cosine(tangents, normals, |t| t) <= RIGHT_ANGLE {
        return;
    }
    let turned = |t: Vec3| Vec3::new(t.x, t.z, -t.y);
    if mean_cosine(tangents, normals, turned) <= RIGHT_ANGLE {
        tangents.iter_mut().for_each(|t| *t = turned(t.truncate()).extend(t.w));
        let message = "tangents have other axes than normals; they are turned";
        report.note(&codes::TANGENT_AXES, Place::WHOLE, message);
    } else {
        tangents.clear();
        let message = "tangents do not stand at right angles to normals; they are left out";
        report.warning(&codes::TANGENT_AXES, Place::WHOLE, message);
    }
}

fn mean_cosine(tangents: &[Vec4], normals: &[Vec3], turn: impl Fn(Vec3) -> Vec3) -> f32 {
    let pairs = tangents.iter().zip(normals);
    let sum: f64 = pairs.map(|(t, n)| f64::from(turn(t.truncate()).dot(*n).abs())).sum();
    (sum / tangents.len().max(1) as f64) as f32
}
