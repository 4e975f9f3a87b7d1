//! Repairs tangents that the original converter left in the source's axes, or whose sign has the opposite meaning.

use super::super::codes;
use crate::report::{Place, Report};
use crate::scene::{Faces, Part, y_up};
use glam::{Vec3, Vec4};

/// Tangents whose mean cosine with the normals is below this are perpendicular, up to rounding.
const RIGHT_ANGLE: f32 = 0.05;

/// Rotates tangents from Z up to Y up if only that makes them perpendicular to the normals. If nothing does, leaves
/// them out to be recomputed.
pub(super) fn fix(tangents: &mut Vec<Vec4>, normals: &[Vec3], report: &mut Report) {
    if normals.len() != tangents.len() || mean_cosine(tangents, normals, |t| t) <= RIGHT_ANGLE {
        return;
    }
    if mean_cosine(tangents, normals, y_up) <= RIGHT_ANGLE {
        tangents.iter_mut().for_each(|t| *t = y_up(t.truncate()).extend(t.w));
        let message = "tangents have other axes than normals; they were rotated";
        report.note(&codes::TANGENT_AXES, Place::WHOLE, message);
    } else {
        tangents.clear();
        let message = "tangents are not perpendicular to normals; they are recomputed";
        report.warning(&codes::TANGENT_AXES, Place::WHOLE, message);
    }
}

/// Inverts signs that have the opposite meaning. In ligament, `sign · normal × tangent` points up in the image;
/// converters built with an old Assimp wrote the opposite.
pub(super) fn fix_signs(part: &mut Part, report: &mut Report) {
    let Part { positions, normals, tangents, uvs, faces: Faces::Triangles(corners), .. } = part else {
        return;
    };
    let Some(uvs) = uvs.first().filter(|_| !normals.is_empty() && !tangents.is_empty()) else { return };
    let (mut same, mut opposite) = (0_usize, 0_usize);
    for triangle in corners.chunks_exact(3) {
        let [a, b, c] = [triangle[0] as usize, triangle[1] as usize, triangle[2] as usize];
        let (e, f) = (positions[b] - positions[a], positions[c] - positions[a]);
        let (g, h) = (uvs[b] - uvs[a], uvs[c] - uvs[a]);
        // V points down in a scene, so up is against it; the sign of the area shows whether the image is mirrored.
        let up = (e * h.x - f * g.x) * (g.x * h.y - g.y * h.x).signum();
        let along = normals[a].cross(tangents[a].truncate()).dot(up) * tangents[a].w;
        same += usize::from(along > 0.0);
        opposite += usize::from(along < 0.0);
    }
    if opposite > 9 * same {
        tangents.iter_mut().for_each(|t| t.w = -t.w);
        let message = "the signs of tangents have the opposite meaning; they were inverted";
        report.note(&codes::TANGENT_SIGN, Place::WHOLE, message);
    }
}

fn mean_cosine(tangents: &[Vec4], normals: &[Vec3], turn: impl Fn(Vec3) -> Vec3) -> f32 {
    let pairs = tangents.iter().zip(normals);
    let sum: f64 = pairs.map(|(t, n)| f64::from(turn(t.truncate()).dot(*n).abs())).sum();
    (sum / tangents.len().max(1) as f64) as f32
}
