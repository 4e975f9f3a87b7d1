//! Tangents that the original converter left in the source's axes, or whose sign means the opposite of ours.

use super::super::codes;
use crate::report::{Place, Report};
use crate::scene::{Faces, Part};
use glam::{Vec3, Vec4};

/// Tangents whose mean cosine with the normals is below this stand at right angles, as far as rounding goes.
const RIGHT_ANGLE: f32 = 0.05;

/// Turns tangents from Z up to Y up if that, and only that, brings them to a right angle with the normals. Leaves them
/// out, to be computed anew, if nothing does.
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
        let message = "tangents do not stand at right angles to normals; they are computed anew";
        report.warning(&codes::TANGENT_AXES, Place::WHOLE, message);
    }
}

/// Turns signs around where they mean the opposite of ours. Ours is that `sign · normal × tangent` points up in the
/// picture; converters that were built with an old Assimp wrote the opposite.
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
        // V points down in a scene, so that up is against it; the area's sign says whether the picture is mirrored.
        let up = (e * h.x - f * g.x) * (g.x * h.y - g.y * h.x).signum();
        let along = normals[a].cross(tangents[a].truncate()).dot(up) * tangents[a].w;
        if along > 0.0 {
            same += 1;
        } else if along < 0.0 {
            opposite += 1;
        }
    }
    if opposite > 9 * same {
        tangents.iter_mut().for_each(|t| t.w = -t.w);
        let message = "the signs of tangents mean the opposite; they are turned around";
        report.note(&codes::TANGENT_SIGN, Place::WHOLE, message);
    }
}

fn mean_cosine(tangents: &[Vec4], normals: &[Vec3], turn: impl Fn(Vec3) -> Vec3) -> f32 {
    let pairs = tangents.iter().zip(normals);
    let sum: f64 = pairs.map(|(t, n)| f64::from(turn(t.truncate()).dot(*n).abs())).sum();
    (sum / tangents.len().max(1) as f64) as f32
}
