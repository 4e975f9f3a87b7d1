//! Tangents from texture coordinates, by MikkTSpace.

use super::mikktspace::{self, Surface, positive};
use super::smoothing::first_at_position;
use super::vertices::split_corners;
use crate::scene::{Faces, Part};
use glam::{DVec3, Vec2, Vec3, Vec4};
use std::collections::HashMap;
use std::ops::Range;

/// If more faces than this meet at a position, each gets its tangents alone: MikkTSpace compares each of them with all
/// others.
const MOST_AROUND: u32 = 512;
/// In place of a tangent that is not known.
const MISSING: Vec4 = Vec4::ZERO;

/// Adds signs to tangents. The sign says on which side of normal and tangent the file's bitangent lies.
pub(crate) fn with_signs(tangents: &[Vec3], normals: &[Vec3], bitangents: &[Vec3]) -> Vec<Vec4> {
    let sign = |i: usize, tangent: &Vec3| match (normals.get(i), bitangents.get(i)) {
        (Some(normal), Some(bitangent)) if normal.cross(*tangent).dot(*bitangent) < 0.0 => -1.0,
        _ => 1.0,
    };
    tangents.iter().enumerate().map(|(i, t)| t.extend(sign(i, t))).collect()
}

/// Adds tangents to a part that has normals and texture coordinates, but no tangents. If two faces at a vertex have
/// different tangents, the vertex is split. Returns whether tangents were added.
pub(crate) fn add_tangents(part: &mut Part, uv_set: usize) -> bool {
    if !lacks_tangents(part, uv_set) {
        return false;
    }
    let at_corners = compute(part, uv_set);
    part.tangents = split_corners::<Vec4, [u32; 4]>(part, &at_corners, Vec4::new(1.0, 0.0, 0.0, 1.0));
    true
}

fn lacks_tangents(part: &Part, uv_set: usize) -> bool {
    part.tangents.is_empty()
        && !part.normals.is_empty()
        && part.uvs.get(uv_set).is_some_and(|set| !set.is_empty())
        && matches!(part.faces, Faces::Triangles(_) | Faces::Polygons { .. })
}

/// A tangent for each corner of the part's faces.
fn compute(part: &Part, uv_set: usize) -> Vec<Vec4> {
    let (corners, uvs) = (part.faces.corners(), &part.uvs[uv_set][..]);
    let places = first_at_position(&part.positions);
    let surface =
        Surface { positions: &part.positions, normals: &part.normals, uvs, corners, places: &places };
    let mut found = mikktspace::tangents(surface, &sound_faces(part, &places));
    // Texture coordinates that are all equal, or numbers near the limits of f32, give no direction.
    let is_unit = |t: &Vec4| (t.truncate().length_squared() - 1.0).abs() < 1e-3;
    found.iter_mut().filter(|tangent| !is_unit(tangent)).for_each(|tangent| *tangent = MISSING);
    if found.contains(&MISSING) {
        complete(part, uvs, &mut found);
    }
    found
}

fn all_faces(part: &Part) -> impl Iterator<Item = Range<usize>> + '_ {
    let (starts, triangles) = match &part.faces {
        Faces::Polygons { starts, .. } => (&starts[..], 0),
        faces => (&[][..], faces.corners().len() / 3),
    };
    let polygons = starts.windows(2).map(|f| f[0] as usize..f[1] as usize);
    polygons.chain((0..triangles).map(|face| face * 3..face * 3 + 3))
}

/// Triangles and quads whose corners are at distinct positions. For every other face, MikkTSpace searches all faces for
/// a tangent to copy, which takes too long if there are many. It does not support larger polygons.
fn sound_faces(part: &Part, places: &[u32]) -> Vec<Range<usize>> {
    let place = |corner: usize| places[part.faces.corners()[corner] as usize];
    let is_sound = |face: &Range<usize>| {
        let is_apart = |a: usize| (a + 1..face.end).all(|b| place(a) != place(b));
        (3..=4).contains(&face.len()) && face.clone().all(is_apart)
    };
    let mut faces = Vec::with_capacity(part.faces.count());
    faces.extend(all_faces(part).filter(is_sound));
    let mut around = vec![0_u32; places.len()];
    faces.iter().flat_map(Clone::clone).for_each(|c| around[place(c) as usize] += 1);
    faces.retain(|face| face.clone().all(|c| around[place(c) as usize] <= MOST_AROUND));
    faces
}

/// Completes corners without a tangent: from the same vertex in another face, else from their own face, else with any
/// direction along the surface.
fn complete(part: &Part, uvs: &[Vec2], found: &mut [Vec4]) {
    let corners = part.faces.corners();
    let vertex = |corner: usize| corners[corner] as usize;
    let key = |corner: usize| {
        let vertex = vertex(corner);
        let (p, n) = (positive(part.positions[vertex]), positive(part.normals[vertex]));
        let uv = uvs[vertex] + Vec2::ZERO;
        [p.x, p.y, p.z, n.x, n.y, n.z, uv.x, uv.y].map(f32::to_bits)
    };
    let mut known: HashMap<[u32; 8], Vec4> = HashMap::new();
    for (corner, tangent) in found.iter().enumerate().filter(|(_, tangent)| **tangent != MISSING) {
        known.entry(key(corner)).or_insert(*tangent);
    }
    for face in all_faces(part) {
        for corner in face.clone() {
            if found[corner] == MISSING {
                let normal = part.normals[vertex(corner)].as_dvec3();
                let own = || along_face(part, uvs, &corners[face.clone()], normal);
                found[corner] = known.get(&key(corner)).copied().or_else(own).unwrap_or(MISSING);
            }
        }
    }
    for (corner, tangent) in found.iter_mut().enumerate().filter(|(_, tangent)| **tangent == MISSING) {
        let upright = part.normals[vertex(corner)].try_normalize();
        *tangent = upright.map_or(Vec3::X, |n| n.any_orthonormal_vector()).extend(1.0);
    }
}

/// The direction in which U grows over a face, projected into the tangent plane.
fn along_face(part: &Part, uvs: &[Vec2], face: &[u32], normal: DVec3) -> Option<Vec4> {
    let &[a, .., b, c] = face else { return None };
    let place = |v: u32| part.positions[v as usize].as_dvec3();
    let uv = |v: u32| uvs[v as usize].as_dvec2();
    let (to_b, to_c) = (place(b) - place(a), place(c) - place(a));
    let (uv_b, uv_c) = (uv(b) - uv(a), uv(c) - uv(a));
    let area = uv_b.perp_dot(uv_c);
    let along = (to_b * uv_c.y - to_c * uv_b.y) * area.signum();
    let flat = (along - normal * normal.dot(along)).try_normalize()?;
    // V runs down, the bitangent up.
    Some(flat.as_vec3().extend(if area < 0.0 { 1.0 } else { -1.0 }))
}
