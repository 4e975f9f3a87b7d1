//! Vertex blocks to a part of a mesh.

use super::super::codes;
use super::super::document::Vertices;
use super::stored_tangents;
use crate::report::{Place, Report, counted};
use crate::scene::{Faces, Influence, Influences, Part, y_up};
use glam::{Vec3, Vec4};

/// Makes the part; `None` without vertices.
pub(super) fn import(
    vertices: Vertices,
    has_skeleton: bool,
    z_up: bool,
    report: &mut Report,
) -> Option<Part> {
    if vertices.positions.is_empty() {
        return None;
    }
    let influences = if has_skeleton { influences(&vertices, report) } else { Influences::new() };
    let corners = corners(&vertices, report);
    let Vertices { mut positions, mut normals, mut uvs, mut tangents, colors, .. } = vertices;
    let turned = |v: Vec3| if z_up { y_up(v) } else { v };
    positions.iter_mut().for_each(|p| *p = turned(number(*p)));
    normals.iter_mut().for_each(|n| *n = unit(turned(number(*n))));
    uvs.iter_mut().for_each(|uv| {
        let zeroed = number(uv.extend(0.0));
        (uv.x, uv.y) = (zeroed.x, 1.0 - zeroed.y);
    });
    for t in &mut tangents {
        let w = if t.w < 0.0 { -1.0 } else { 1.0 };
        *t = unit(turned(number(t.truncate()))).extend(w);
    }
    stored_tangents::fix(&mut tangents, &normals, report);
    let colors: Vec<Vec4> = colors.into_iter().map(|c| number(c).extend(1.0)).collect();
    let mut part = Part {
        positions,
        normals,
        tangents,
        uvs: if uvs.is_empty() { Vec::new() } else { vec![uvs] },
        colors: if colors.is_empty() { Vec::new() } else { vec![colors] },
        influences,
        faces: Faces::Triangles(corners),
        ..Part::default()
    };
    stored_tangents::fix_signs(&mut part, report);
    Some(part)
}

/// The vertex indices of the triangles: every three vertices form one.
fn corners(vertices: &Vertices, report: &mut Report) -> Vec<u32> {
    let count = vertices.count();
    let whole = count - count % 3;
    if whole < count {
        let left = counted(count - whole, "vertex is", "vertices are");
        let message = format!("{left} left over after the last triangle and not drawn");
        report.warning(&codes::REMAINDER, Place::field("vert_count"), message);
    }
    // The count has at most 31 bits.
    vertices.listed().take(whole).map(|i| i as u32).collect()
}

fn influences(vertices: &Vertices, report: &mut Report) -> Influences {
    let comps = vertices.bones_per_vertex;
    if vertices.bones.is_empty() || comps == 0 {
        return Influences::new();
    }
    if comps > 1 && vertices.weights.is_empty() {
        let message = format!("{comps} bones per vertex without weights; only the first is used");
        report.warning(&codes::ONE_BONE, Place::WHOLE, message);
    }
    let count = vertices.positions.len();
    let mut influences = Influences::with_capacity(count, vertices.bones.len());
    for (i, bones) in vertices.bones.chunks_exact(comps).enumerate() {
        let pairs = bones.iter().enumerate().filter_map(|(slot, &bone)| {
            // The only bone of a vertex has the full weight, whatever the file says: old converters wrote zeros.
            let weight = match vertices.weights.get(i * comps + slot) {
                Some(&weight) if comps > 1 => weight,
                _ if slot == 0 => 1.0,
                _ => 0.0,
            };
            let joint = u32::try_from(bone).ok().filter(|_| weight != 0.0)?;
            Some(Influence { joint, weight })
        });
        influences.push(pairs);
    }
    influences
}

/// Replaces NaN by zero.
fn number(v: Vec3) -> Vec3 {
    if v.is_nan() { v.to_array().map(|v| if v.is_nan() { 0.0 } else { v }).into() } else { v }
}

/// Normalises a direction, which files round. A vector without length has no direction and is kept.
fn unit(v: Vec3) -> Vec3 {
    let exact = v.as_dvec3();
    let length = exact.length();
    if length == 0.0 || (length - 1.0).abs() < 1e-6 { v } else { (exact / length).as_vec3() }
}
