//! The mean of the directions that the triangles around a vertex have there.

use super::triangles::Triangle;
use super::{Surface, unit};
use glam::Vec3;

/// If all directions around a vertex are this near to the first one, no two of them are opposite.
const CLOSE: f32 = 0.1;

/// The mean directions of U and V, and the mean lengths.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Space {
    pub(super) along: [Vec3; 2],
    lengths: [f32; 2],
}

impl Space {
    /// The mean of the spaces that the two halves of a quad have at a corner.
    pub(super) fn combine(self, other: Self) -> Self {
        // The mean of equal vectors would differ by rounding.
        if self == other {
            return self;
        }
        Self {
            along: [0, 1].map(|i| unit(self.along[i] + other.along[i])),
            lengths: [0, 1].map(|i| 0.5 * (self.lengths[i] + other.lengths[i])),
        }
    }
}

/// A triangle at a vertex.
pub(super) struct Member {
    pub(super) triangle: u32,
    /// The index of the vertex in it.
    pub(super) corner: u8,
    /// Its directions in the plane of the vertex's normal.
    along: [Vec3; 2],
}

impl Member {
    pub(super) fn new(triangle: u32, corner: u8) -> Self {
        Self { triangle, corner, along: [Vec3::ZERO; 2] }
    }
}

/// A vertex whose triangles are averaged.
pub(super) struct Around<'a> {
    surface: Surface<'a>,
    triangles: &'a [Triangle],
    position: Vec3,
    normal: Vec3,
}

impl<'a> Around<'a> {
    pub(super) fn new(surface: Surface<'a>, triangles: &'a [Triangle], vertex: u32) -> Self {
        let (position, normal) = (surface.position(vertex), surface.normal(vertex));
        Self { surface, triangles, position, normal }
    }

    fn triangle(&self, member: &Member) -> &'a Triangle {
        &self.triangles[member.triangle as usize]
    }

    /// The unit vector of a direction in the plane of the normal.
    #[inline(always)]
    fn flat(&self, direction: Vec3) -> Vec3 {
        unit(direction - self.normal * self.normal.dot(direction))
    }

    pub(super) fn flatten(&self, member: &mut Member) {
        member.along = self.triangle(member).along.map(|direction| self.flat(direction));
    }

    /// Whether all members [belong together](Self::belong_together), as can be seen from the first of them.
    pub(super) fn are_close(&self, members: &[Member]) -> bool {
        let [first, others @ ..] = members else { return true };
        others.iter().all(|other| [0, 1].iter().all(|&i| first.along[i].dot(other.along[i]) > CLOSE))
    }

    /// Whether a triangle counts for the tangent of another.
    pub(super) fn belong_together(&self, one: &Member, other: &Member) -> bool {
        let (a, b) = (self.triangle(one), self.triangle(other));
        let is_beside = |i: usize| one.along[i].dot(other.along[i]) > -1.0;
        a.is_vague || b.is_vague || a.face == b.face || is_beside(0) && is_beside(1)
    }

    /// The mean of triangles in the order of the faces, weighted by their angles at the vertex.
    pub(super) fn mean<'m>(&self, members: impl Iterator<Item = &'m Member>) -> Space {
        let mut sum = Space { along: [Vec3::ZERO; 2], lengths: [0.0; 2] };
        let mut angles = 0.0;
        for member in members {
            let triangle = self.triangle(member);
            if triangle.is_vague {
                continue;
            }
            let angle = self.angle(triangle, usize::from(member.corner));
            for i in 0..2 {
                sum.along[i] += member.along[i] * angle;
                sum.lengths[i] += triangle.lengths[i] * angle;
            }
            angles += angle;
        }
        sum.along = sum.along.map(unit);
        if angles > 0.0 {
            sum.lengths = sum.lengths.map(|length| length / angles);
        }
        sum
    }

    /// The angle of a triangle's corner, seen along the normal.
    fn angle(&self, triangle: &Triangle, corner: usize) -> f32 {
        let vertex = |i: usize| self.surface.position(triangle.vertices[(corner + i) % 3]);
        let [next, last] = [1, 2].map(|i| self.flat(vertex(i) - self.position));
        let cosine = next.dot(last).clamp(-1.0, 1.0);
        f64::from(cosine).acos() as f32
    }
}
