//! Finding the nearest of many points.

use glam::{DVec3, Vec3};

/// Points at distinct positions, each with the vertices that are there, in a k-d tree. Unlike a grid, it copes with
/// points that crowd in one place with a few far away.
pub(super) struct KdTree {
    /// In tree order: the middle element of a range divides it.
    spots: Vec<Spot>,
    /// The vertices of all spots.
    vertices: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Spot {
    place: Vec3,
    /// The axis along which the spot divides its range.
    axis: u8,
    start: u32,
    end: u32,
}

impl KdTree {
    /// Builds a tree of the given vertices; those whose positions are not finite are left out.
    pub(super) fn new(vertices: &[u32], positions: &[Vec3]) -> Self {
        // Adding zero turns −0 into 0, so that equal positions have equal bits.
        let place = |v: u32| positions[v as usize] + Vec3::ZERO;
        let mut vertices: Vec<u32> =
            vertices.iter().copied().filter(|&v| positions[v as usize].is_finite()).collect();
        vertices.sort_unstable_by_key(|&v| (place(v).to_array().map(f32::to_bits), v));
        let mut spots: Vec<Spot> = Vec::new();
        for (i, &vertex) in vertices.iter().enumerate() {
            let place = place(vertex);
            match spots.last_mut() {
                Some(last) if last.place == place => last.end += 1,
                _ => spots.push(Spot { place, axis: 0, start: i as u32, end: i as u32 + 1 }),
            }
        }
        divide(&mut spots);
        Self { spots, vertices }
    }

    /// The distance to the nearest spot; infinite if there are no spots.
    pub(super) fn distance(&self, from: Vec3) -> f64 {
        let mut best = f64::INFINITY;
        nearest(&self.spots, from.as_dvec3(), &mut best);
        best.sqrt()
    }

    /// Vertices within `reach` of `from`, in tree order, at most `limit`.
    pub(super) fn within(&self, from: Vec3, reach: f64, limit: usize, found: &mut Vec<u32>) {
        found.clear();
        self.gather(&self.spots, from.as_dvec3(), reach, limit, found);
    }

    fn gather(&self, range: &[Spot], from: DVec3, reach: f64, limit: usize, found: &mut Vec<u32>) {
        let Some((below, spot, above)) = split(range) else { return };
        if found.len() >= limit {
            return;
        }
        let offset = from - spot.place.as_dvec3();
        if offset.length() <= reach {
            let here = &self.vertices[spot.start as usize..spot.end as usize];
            found.extend(here.iter().take(limit - found.len()));
        }
        let side = offset[usize::from(spot.axis)];
        if side <= reach {
            self.gather(below, from, reach, limit, found);
        }
        if side >= -reach {
            self.gather(above, from, reach, limit, found);
        }
    }
}

fn split(range: &[Spot]) -> Option<(&[Spot], Spot, &[Spot])> {
    let (below, rest) = range.split_at(range.len() / 2);
    let (middle, above) = rest.split_first()?;
    Some((below, *middle, above))
}

/// Moves the median along the longest axis to the middle of the range, and recurses into both halves. The depth is the
/// logarithm of the number of spots.
fn divide(range: &mut [Spot]) {
    if range.len() < 2 {
        return;
    }
    let (mut min, mut max) = (range[0].place, range[0].place);
    for spot in range.iter() {
        (min, max) = (min.min(spot.place), max.max(spot.place));
    }
    let axis = (max - min).max_position();
    let middle = range.len() / 2;
    range.select_nth_unstable_by(middle, |a, b| a.place[axis].total_cmp(&b.place[axis]));
    range[middle].axis = axis as u8;
    let (below, rest) = range.split_at_mut(middle);
    divide(below);
    divide(&mut rest[1..]);
}

/// Lowers `best`, a squared distance, to that of the nearest spot if it is smaller.
fn nearest(range: &[Spot], from: DVec3, best: &mut f64) {
    let Some((below, spot, above)) = split(range) else { return };
    let offset = from - spot.place.as_dvec3();
    *best = best.min(offset.length_squared());
    let side = offset[usize::from(spot.axis)];
    let (near, far) = if side <= 0.0 { (below, above) } else { (above, below) };
    nearest(near, from, best);
    if side * side <= *best {
        nearest(far, from, best);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scattered(count: usize) -> Vec<Vec3> {
        let mut state = 7_u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / 16_777_216.0
        };
        (0..count).map(|i| Vec3::new(next(), next(), next()) * if i % 50 == 0 { 1e6 } else { 1.0 }).collect()
    }

    #[test]
    fn agrees_with_looking_at_every_point() {
        let points = scattered(700);
        let all: Vec<u32> = (0..700).collect();
        let tree = KdTree::new(&all, &points);
        let mut found = Vec::new();
        for query in scattered(900) {
            let brute = |p: &Vec3| query.as_dvec3().distance(p.as_dvec3());
            let best = points.iter().map(brute).fold(f64::INFINITY, f64::min);
            assert_eq!(tree.distance(query), best);
            tree.within(query, 0.2, 1000, &mut found);
            found.sort_unstable();
            let expected: Vec<u32> = (0..700).filter(|&i| brute(&points[i as usize]) <= 0.2).collect();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn many_vertices_at_one_place_are_one_spot() {
        let mut points = vec![Vec3::ONE; 100_000];
        points.push(Vec3::splat(f32::NAN));
        let tree = KdTree::new(&(0..100_001).collect::<Vec<_>>(), &points);
        assert_eq!(tree.spots.len(), 1);
        let mut found = Vec::new();
        tree.within(Vec3::ONE, 0.0, 64, &mut found);
        assert_eq!(found, (0..64).collect::<Vec<_>>());
        assert_eq!(KdTree::new(&[], &points).distance(Vec3::ZERO), f64::INFINITY);
    }
}
