//! Tangents by MikkTSpace, the method with which normal maps are baked and which glTF prescribes.
//!
//! | file | what it does |
//! |---|---|
//! | `triangles.rs` | cuts quads, and finds the directions of U and V on each triangle |
//! | `neighbours.rs` | finds the triangles on both sides of each edge |
//! | `groups.rs` | walks around each vertex, and collects the triangles that share a tangent |
//! | `mean.rs` | averages their directions |
//!
//! Baked normal maps only fit the tangents that they were baked with, so these are those of Morten Mikkelsen's program
//! (without its two ordering bugs) to the last bit: every number is computed by the same operations in the same order.
//! `tests.rs` compares them with the crate `bevy_mikktspace`. Equal vertices are found by hashing, and neighbours
//! by sorting the few edges at each vertex, so that the time is linear.
//!
//! The faces must be triangles and quads whose corners are at distinct positions: the rules for others are left out.

mod groups;
mod mean;
mod neighbours;
mod triangles;

use super::equal::{Hash, first_equal};
use glam::{Vec2, Vec3, Vec4};
use groups::Groups;
use std::ops::Range;

/// The vertices of a mesh, and its corners as indices of them.
#[derive(Clone, Copy)]
pub(crate) struct Surface<'a> {
    pub(crate) positions: &'a [Vec3],
    pub(crate) normals: &'a [Vec3],
    pub(crate) uvs: &'a [Vec2],
    pub(crate) corners: &'a [u32],
    /// For each vertex, the first one at its position.
    pub(crate) places: &'a [u32],
}

/// Computes tangents, with the bitangent's sign, of the corners of faces. Those of other corners, and those that have no
/// direction, are zero.
pub(crate) fn tangents(surface: Surface<'_>, faces: &[Range<usize>]) -> Vec<Vec4> {
    let has_quads = faces.iter().any(|face| face.len() == 4);
    let triangles = triangles::of(surface, faces, &same_vertices(surface));
    let neighbours = neighbours::of(&triangles, surface.positions.len());
    Groups::new(surface, triangles, neighbours).tangents(has_quads)
}

/// For each vertex, the first one with the same position, normal and texture coordinate.
fn same_vertices(surface: Surface<'_>) -> Vec<u32> {
    let Surface { positions, places, .. } = surface;
    let mut is_shared = vec![false; positions.len()];
    for (vertex, &place) in places.iter().enumerate().filter(|&(vertex, &place)| vertex != place as usize) {
        (is_shared[vertex], is_shared[place as usize]) = (true, true);
    }
    // Most vertices are alone at their position.
    let shared: Vec<u32> = (0..positions.len() as u32).filter(|&v| is_shared[v as usize]).collect();
    drop(is_shared);
    let key = |i: usize| {
        let vertex = shared[i];
        let [nx, ny, nz] = surface.normal(vertex).to_array().map(f32::to_bits);
        let [u, v] = surface.uv(vertex).to_array().map(f32::to_bits);
        [places[vertex as usize], nx, ny, nz, u, v]
    };
    let hash = |i: usize, hash: Hash| {
        let [a, b, c, d, e, f] = key(i);
        hash.add(a, b).add(c, d).add(e, f)
    };
    let firsts = first_equal(shared.len(), hash, |a, b| key(a) == key(b));
    let mut same: Vec<u32> = (0..positions.len() as u32).collect();
    shared.iter().zip(firsts).for_each(|(&vertex, first)| same[vertex as usize] = shared[first as usize]);
    same
}

impl Surface<'_> {
    fn position(&self, vertex: u32) -> Vec3 {
        positive(self.positions[vertex as usize])
    }

    fn normal(&self, vertex: u32) -> Vec3 {
        positive(self.normals[vertex as usize])
    }

    /// V runs up, as in the pixels of normal maps.
    fn uv(&self, vertex: u32) -> Vec2 {
        let uv = self.uvs[vertex as usize];
        Vec2::new(uv.x + 0.0, 0.0 - uv.y)
    }
}

/// The same vector with 0 for −0, since both are the same position.
pub(crate) fn positive(v: Vec3) -> Vec3 {
    v + Vec3::ZERO
}

/// Whether a number is not so small that MikkTSpace treats it as zero.
fn is_some(number: f32) -> bool {
    number.abs() > f32::MIN_POSITIVE
}

/// The unit vector; a vector that counts as zero is returned as it is.
#[inline(always)]
fn unit(v: Vec3) -> Vec3 {
    if is_some(v.x) || is_some(v.y) || is_some(v.z) { v * v.length().recip() } else { v }
}

#[cfg(test)]
mod tests;
