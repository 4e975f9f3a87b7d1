//! Normals and tangents of vertices, as short lines.

use crate::Shot;
use crate::lines::{Lines, Segment};
use crate::model::Model;
use crate::passes::shown;
use ligament::math::Vec3;

/// Lines beyond this are thinned evenly: they would be indistinguishable.
const MOST: usize = 60_000;
/// Their length as part of the model's size.
const LENGTH: f32 = 0.018;
const NORMAL: [u8; 4] = [48, 84, 214, 255];
const TANGENT: [u8; 4] = [214, 60, 48, 255];
const BITANGENT: [u8; 4] = [52, 150, 60, 255];

pub(crate) fn draw(model: &Model, shot: &Shot, thickness: f32, lines: &mut Lines) {
    let (normals, tangents) = (shot.look.normals, shot.look.tangents);
    let step = model.vertices.len().div_ceil(MOST).max(1);
    let width = 1.2 * thickness;
    for part in shown(model, shot) {
        for vertex in model.vertices[part.first..part.first + part.count].iter().step_by(step) {
            let at = Vec3::from_array(vertex.position);
            let normal = Vec3::from_array(vertex.normal);
            let [x, y, z, sign] = vertex.tangent;
            let tangent = Vec3::new(x, y, z);
            if normals {
                lines.within.push(Segment::new(at, at + normal * LENGTH, NORMAL, width));
            }
            if tangents && tangent != Vec3::ZERO {
                lines.within.push(Segment::new(at, at + tangent * LENGTH, TANGENT, width));
                let across = normal.cross(tangent) * sign;
                lines.within.push(Segment::new(at, at + across * LENGTH * 0.6, BITANGENT, width));
            }
        }
    }
}
