//! Polygons: their normals, and the triangles that they are cut into.

use glam::{DVec2, DVec3, Vec3};

/// The diagonal that cuts a convex quad.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Diagonal {
    /// The one from the first corner, as in most formats.
    #[default]
    First,
    /// The shorter one.
    Shorter,
}

/// A concave polygon with more corners is cut as a fan, because finding its ears takes too long.
pub(crate) const MOST_CORNERS: usize = 1000;

/// The triangles of one polygon of at least three corners, as [`triangulate`](crate::passes::triangulate) cuts it.
pub(crate) fn cut_face(positions: &[Vec3], face: &[u32]) -> Vec<u32> {
    Cutter::default().cut_all(positions, &[0, face.len() as u32], face)
}

/// Cuts polygons into triangles, and counts those that it cannot cut properly.
#[derive(Default)]
pub(crate) struct Cutter {
    diagonal: Diagonal,
    /// Faces of fewer than three corners.
    pub(crate) dropped: usize,
    /// Concave faces of more than [`MOST_CORNERS`] corners.
    pub(crate) fanned: usize,
    flat: Vec<DVec2>,
    left: Vec<usize>,
}

impl Cutter {
    pub(crate) fn new(diagonal: Diagonal) -> Self {
        Self { diagonal, ..Self::default() }
    }

    pub(crate) fn cut_all(&mut self, positions: &[Vec3], starts: &[u32], corners: &[u32]) -> Vec<u32> {
        let faces = starts.len().saturating_sub(1);
        let mut triangles = Vec::with_capacity(corners.len().saturating_sub(2 * faces) * 3);
        for face in starts.windows(2) {
            let face = &corners[face[0] as usize..face[1] as usize];
            match face.len() {
                0..=2 => self.dropped += 1,
                3 => triangles.extend_from_slice(face),
                _ => self.cut(positions, face, &mut triangles),
            }
        }
        triangles
    }

    fn cut(&mut self, positions: &[Vec3], face: &[u32], triangles: &mut Vec<u32>) {
        let place = |&corner: &u32| positions[corner as usize].as_dvec3();
        flatten(face.iter().map(place), &mut self.flat);
        if self.is_convex() {
            let shorter = self.diagonal == Diagonal::Shorter && face.len() == 4 && {
                let length = |a: usize, b: usize| place(&face[a]).distance_squared(place(&face[b]));
                length(1, 3) < length(0, 2)
            };
            fan(face, usize::from(shorter), triangles);
        } else if face.len() > MOST_CORNERS {
            self.fanned += 1;
            fan(face, 0, triangles);
        } else {
            self.clip_ears(face, triangles);
        }
    }

    /// Whether no corner turns right (seen from the side where the polygon runs counter-clockwise) and the outline goes
    /// round only once.
    fn is_convex(&self) -> bool {
        if let Ok(quad) = self.flat[..].try_into() {
            return is_convex_quad(quad);
        }
        let n = self.flat.len();
        let edge = |i: usize| self.flat[(i + 1) % n] - self.flat[i % n];
        let turns = (0..n).map(|i| edge(i).angle_to(edge(i + 1)));
        let (least, sum) = turns.fold((0.0_f64, 0.0), |(least, sum), turn| (least.min(turn), sum + turn));
        // A polygon without area has no inside, and any cut is as good as another.
        least > -1e-9 && sum < 1.5 * std::f64::consts::TAU || self.flat.iter().all(|p| *p == DVec2::ZERO)
    }

    fn clip_ears(&mut self, face: &[u32], triangles: &mut Vec<u32>) {
        self.left.clear();
        self.left.extend(0..face.len());
        while self.left.len() > 3 {
            let n = self.left.len();
            // An outline that crosses itself may have no ear; then any corner will do.
            let ear = (0..n).find(|&i| self.is_ear(i)).unwrap_or(1);
            let around = [(ear + n - 1) % n, ear, (ear + 1) % n];
            triangles.extend(around.map(|i| face[self.left[i]]));
            self.left.remove(ear);
        }
        triangles.extend(self.left.iter().map(|&i| face[i]));
    }

    fn is_ear(&self, i: usize) -> bool {
        let n = self.left.len();
        let (before, after) = ((i + n - 1) % n, (i + 1) % n);
        let at = |i: usize| self.flat[self.left[i]];
        let (a, b, c) = (at(before), at(i), at(after));
        let left_of = |a: DVec2, b: DVec2, p: DVec2| (b - a).perp_dot(p - a);
        if left_of(a, b, c) <= 0.0 {
            return false;
        }
        let is_inside =
            |p: DVec2| left_of(a, b, p) >= 0.0 && left_of(b, c, p) >= 0.0 && left_of(c, a, p) >= 0.0;
        // Corners at the same place as the ear's own (a seam that leads to a hole) do not block it.
        !(0..n)
            .filter(|&j| j != before && j != i && j != after)
            .map(at)
            .any(|p| p != a && p != b && p != c && is_inside(p))
    }
}

/// The same test without angles: a quad whose corners never turn right goes round once.
fn is_convex_quad(quad: &[DVec2; 4]) -> bool {
    let edge = |i: usize| quad[(i + 1) % 4] - quad[i % 4];
    let turns_left = |i: usize| {
        let (edge, next) = (edge(i), edge(i + 1));
        let lengths = edge.length_squared() * next.length_squared();
        let sine = edge.perp_dot(next);
        lengths > 0.0 && (sine >= 0.0 || edge.dot(next) > 0.0 && sine > -1e-9 * lengths.sqrt())
    };
    (0..4).all(turns_left) || *quad == [DVec2::ZERO; 4]
}

fn fan(face: &[u32], first: usize, triangles: &mut Vec<u32>) {
    let n = face.len();
    for i in 1..n - 1 {
        triangles.extend([first, first + i, first + i + 1].map(|c| face[c % n]));
    }
}

/// Projects a polygon along its Newell normal, so that it runs counter-clockwise. All points are zero if it has no
/// area.
fn flatten(points: impl ExactSizeIterator<Item = DVec3> + Clone, flat: &mut Vec<DVec2>) {
    flat.clear();
    let normal = newell(points.clone());
    let Some(normal) = normal.try_normalize() else { return flat.resize(points.len(), DVec2::ZERO) };
    let (x, y) = normal.any_orthonormal_pair();
    flat.extend(points.map(|p| DVec2::new(p.dot(x), p.dot(y))));
}

/// The normal of a polygon, which need not be planar. Its length is twice the area.
pub(crate) fn newell(points: impl Iterator<Item = DVec3> + Clone) -> DVec3 {
    let Some(first) = points.clone().next() else { return DVec3::ZERO };
    let next = points.clone().skip(1).chain([first]);
    points.zip(next).map(|(a, b)| (a - first).cross(b - first)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        /// Corners on a coarse grid, so that edges of zero length and collinear corners occur.
        #[test]
        fn quads_are_judged_like_all_polygons(corners in proptest::array::uniform8(-2_i8..3)) {
            let points = [0, 1, 2, 3].map(|i| Vec3::new(corners[2 * i].into(), corners[2 * i + 1].into(), 0.0));
            let mut flat = Vec::new();
            flatten(points.iter().map(|p| p.as_dvec3()), &mut flat);
            let quad: [DVec2; 4] = flat[..].try_into().expect("four corners");
            let edge = |i: usize| quad[(i + 1) % 4] - quad[i % 4];
            let turns = [0, 1, 2, 3].map(|i| edge(i).angle_to(edge(i + 1)));
            let once = turns.iter().sum::<f64>() < 1.5 * std::f64::consts::TAU;
            let convex = turns.iter().all(|&turn| turn > -1e-9) && once || quad == [DVec2::ZERO; 4];
            proptest::prop_assert_eq!(is_convex_quad(&quad), convex, "{:?}", turns);
        }
    }
}
