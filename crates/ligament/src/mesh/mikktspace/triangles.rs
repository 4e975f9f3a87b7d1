//! Triangles of faces, and how the texture lies on each.

use super::{Surface, is_some, unit};
use glam::{Vec2, Vec3};
use std::ops::Range;

/// A triangle of a face. Its edge `i` goes from vertex `i` to the next one.
pub(super) struct Triangle {
    /// The first of equal vertices.
    pub(super) vertices: [u32; 3],
    pub(super) corners: [u32; 3],
    /// The face that it is cut from.
    pub(super) face: u32,
    /// Unit vectors along which U and V grow.
    pub(super) along: [Vec3; 2],
    /// How far the surface extends along them per unit of U and V.
    pub(super) lengths: [f32; 2],
    /// Whether the texture gives no directions, so that those of any neighbours are taken.
    pub(super) is_vague: bool,
    /// Whether the texture is seen from its front.
    pub(super) is_front: bool,
    /// Whether the corners belong to a group.
    pub(super) in_group: [bool; 3],
}

/// Cuts faces into triangles. `same` has the first equal vertex of each vertex.
pub(super) fn of(surface: Surface<'_>, faces: &[Range<usize>], same: &[u32]) -> Vec<Triangle> {
    let quads = faces.iter().filter(|face| face.len() == 4).count();
    let mut triangles = Vec::with_capacity(faces.len() + quads);
    for (number, face) in faces.iter().enumerate() {
        let triangle = |corners: [usize; 3]| {
            let corners = corners.map(|i| (face.start + i) as u32);
            let vertices = corners.map(|c| surface.corners[c as usize]);
            let mut triangle = Triangle {
                vertices: vertices.map(|v| same[v as usize]),
                corners,
                face: number as u32,
                along: [Vec3::ZERO; 2],
                lengths: [0.0; 2],
                is_vague: true,
                is_front: false,
                in_group: [false; 3],
            };
            triangle.lay(surface);
            triangle
        };
        if face.len() == 3 {
            triangles.push(triangle([0, 1, 2]));
            continue;
        }
        let vertices = [0, 1, 2, 3].map(|i| surface.corners[face.start + i]);
        let halves = if is_cut_from_first(surface, vertices) {
            [[0, 1, 2], [0, 2, 3]]
        } else {
            [[0, 1, 3], [1, 2, 3]]
        };
        let [mut a, mut b] = halves.map(triangle);
        // Halves that show different sides of the texture are a mistake: the larger one decides.
        if a.is_front != b.is_front {
            let area = |half: &Triangle| signed_area(half.vertices.map(|v| surface.uv(v))).abs();
            let (of_a, of_b) = (area(&a), area(&b));
            if b.is_vague || of_a >= of_b {
                b.is_front = a.is_front;
            } else {
                a.is_front = b.is_front;
            }
        }
        triangles.extend([a, b]);
    }
    triangles
}

/// Whether a quad is cut from its first to its third corner: along the shorter diagonal of the texture or, if both are
/// as long, of the surface.
fn is_cut_from_first(surface: Surface<'_>, vertices: [u32; 4]) -> bool {
    let uvs = vertices.map(|v| surface.uv(v));
    let squared = |d: Vec2| d.x * d.x + d.y * d.y;
    let [first, second] = [squared(uvs[2] - uvs[0]), squared(uvs[3] - uvs[1])];
    if first < second {
        return true;
    }
    if first > second {
        return false;
    }
    let at = vertices.map(|v| surface.position(v));
    (at[3] - at[1]).length_squared() >= (at[2] - at[0]).length_squared()
}

/// Twice the area in the texture; negative if it is seen from the back.
fn signed_area(uvs: [Vec2; 3]) -> f32 {
    let [to_second, to_third] = [uvs[1] - uvs[0], uvs[2] - uvs[0]];
    to_second.x * to_third.y - to_second.y * to_third.x
}

impl Triangle {
    /// Finds the directions of U and V: equations 18 and 19 of Mikkelsen's thesis.
    fn lay(&mut self, surface: Surface<'_>) {
        let at = self.vertices.map(|v| surface.position(v));
        let uvs = self.vertices.map(|v| surface.uv(v));
        let (second, third) = (at[1] - at[0], at[2] - at[0]);
        let (uv_second, uv_third) = (uvs[1] - uvs[0], uvs[2] - uvs[0]);
        let signed_area = signed_area(uvs);
        let area = signed_area.abs();
        self.is_front = signed_area > 0.0;
        if !is_some(area) {
            return;
        }
        let u = second * uv_third.y - third * uv_second.y;
        let v = second * -uv_third.x + third * uv_second.x;
        let sign = if self.is_front { 1.0 } else { -1.0 };
        self.along = [u, v].map(|direction| unit(direction) * sign);
        self.lengths = [u, v].map(|direction| direction.length() / area);
        self.is_vague = !self.lengths.iter().all(|&length| is_some(length));
    }

    /// The index of a vertex.
    #[inline(always)]
    pub(super) fn corner_of(&self, vertex: u32) -> usize {
        let [first, second, _] = self.vertices;
        if first == vertex {
            0
        } else if second == vertex {
            1
        } else {
            2
        }
    }
}
