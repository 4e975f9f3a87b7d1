//! Tangents from texture coordinates, by MikkTSpace.

use super::vertices::split_corners;
use crate::scene::{Faces, Part};
use bevy_mikktspace::{Geometry, TangentSpace, generate_tangents};
use glam::{DVec3, Vec2, Vec3, Vec4};
use std::collections::HashMap;
use std::ops::Range;

/// If more faces than this meet at a position, each gets its tangents alone: MikkTSpace compares each of them with all
/// others, and walks around the position by recursion.
const MOST_AROUND: u32 = 512;

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
    let mut input = Input { part, uvs: &part.uvs[uv_set], faces: Vec::new(), found: Vec::new() };
    input.found = vec![None; part.faces.corners().len()];
    input.faces = input.sound_faces();
    if !input.faces.is_empty() && generate_tangents(&mut input).is_err() {
        input.found.fill(None);
    }
    input.complete()
}

/// Input and output of MikkTSpace.
struct Input<'a> {
    part: &'a Part,
    uvs: &'a [Vec2],
    /// Triangles and quads passed to MikkTSpace, as ranges of corners.
    faces: Vec<Range<usize>>,
    /// One tangent per corner.
    found: Vec<Option<Vec4>>,
}

impl Input<'_> {
    fn vertex(&self, corner: usize) -> usize {
        self.part.faces.corners()[corner] as usize
    }

    fn all_faces(&self) -> Vec<Range<usize>> {
        match &self.part.faces {
            Faces::Polygons { starts, .. } => {
                starts.windows(2).map(|f| f[0] as usize..f[1] as usize).collect()
            }
            faces => (0..faces.corners().len() / 3).map(|f| f * 3..f * 3 + 3).collect(),
        }
    }

    /// Triangles and quads whose corners are at distinct positions. For every other face, MikkTSpace searches all faces
    /// for a tangent to copy, which takes too long if there are many. It does not support larger polygons.
    fn sound_faces(&self) -> Vec<Range<usize>> {
        let place = |corner: usize| -> [u32; 3] {
            bytemuck::cast(positive(self.part.positions[self.vertex(corner)]))
        };
        let is_sound = |face: &Range<usize>| {
            let apart = |a: usize| face.clone().all(|b| a == b || place(a) != place(b));
            (3..=4).contains(&face.len()) && face.clone().all(apart)
        };
        let mut faces = self.all_faces();
        faces.retain(is_sound);
        let mut around: HashMap<[u32; 3], u32> = HashMap::new();
        faces.iter().flat_map(Clone::clone).for_each(|c| *around.entry(place(c)).or_insert(0) += 1);
        faces.retain(|face| face.clone().all(|c| around[&place(c)] <= MOST_AROUND));
        faces
    }

    /// The values by which MikkTSpace distinguishes vertices.
    fn key(&self, corner: usize) -> [u32; 8] {
        let vertex = self.vertex(corner);
        let (p, n) = (positive(self.part.positions[vertex]), positive(self.part.normals[vertex]));
        let uv = self.uvs[vertex] + Vec2::ZERO;
        [p.x, p.y, p.z, n.x, n.y, n.z, uv.x, uv.y].map(f32::to_bits)
    }

    /// Completes corners without a tangent: from the same vertex in another face, else from their own face, else with
    /// any direction along the surface.
    fn complete(self) -> Vec<Vec4> {
        if self.found.iter().all(Option::is_some) {
            return self.found.into_iter().flatten().collect();
        }
        let mut known: HashMap<[u32; 8], Vec4> = HashMap::new();
        for (corner, tangent) in self.found.iter().enumerate() {
            if let Some(tangent) = tangent {
                known.entry(self.key(corner)).or_insert(*tangent);
            }
        }
        let mut all: Vec<Option<Vec4>> = self.found.clone();
        for face in self.all_faces() {
            for corner in face.clone().filter(|&c| self.found[c].is_none()) {
                let normal = self.part.normals[self.vertex(corner)].as_dvec3();
                let own =
                    || along_face(self.part, self.uvs, &self.part.faces.corners()[face.clone()], normal);
                all[corner] = known.get(&self.key(corner)).copied().or_else(own);
            }
        }
        let anywhere = |(corner, tangent): (usize, Option<Vec4>)| {
            let normal = self.part.normals[self.vertex(corner)];
            let upright = || normal.try_normalize().map_or(Vec3::X, |n| n.any_orthonormal_vector());
            tangent.unwrap_or_else(|| upright().extend(1.0))
        };
        all.into_iter().enumerate().map(anywhere).collect()
    }
}

/// The same vector with 0 for −0, since both are the same position.
fn positive(v: Vec3) -> Vec3 {
    v + Vec3::ZERO
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

impl Geometry for Input<'_> {
    fn num_faces(&self) -> usize {
        self.faces.len()
    }

    fn num_vertices_of_face(&self, face: usize) -> usize {
        self.faces[face].len()
    }

    fn position(&self, face: usize, vert: usize) -> [f32; 3] {
        positive(self.part.positions[self.vertex(self.faces[face].start + vert)]).to_array()
    }

    fn normal(&self, face: usize, vert: usize) -> [f32; 3] {
        positive(self.part.normals[self.vertex(self.faces[face].start + vert)]).to_array()
    }

    /// V runs up, as in MikkTSpace and in the pixels of normal maps.
    fn tex_coord(&self, face: usize, vert: usize) -> [f32; 2] {
        let uv = self.uvs[self.vertex(self.faces[face].start + vert)];
        [uv.x + 0.0, 0.0 - uv.y]
    }

    fn set_tangent(&mut self, space: Option<TangentSpace>, face: usize, vert: usize) {
        let tangent = space.map(|space| Vec4::from_array(space.tangent_encoded()));
        // Texture coordinates that are all equal, or numbers near the limits of f32, give no direction.
        let is_unit = |t: &Vec4| (t.truncate().length_squared() - 1.0).abs() < 1e-3;
        self.found[self.faces[face].start + vert] = tangent.filter(is_unit);
    }
}
