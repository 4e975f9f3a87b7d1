//! Finding the nearest of many points.

use glam::Vec3;
use std::cell::Cell;

/// How many points a search looks at before it settles for the best one so far. Only crafted models need more.
const PATIENCE: usize = 4096;
/// The same for searches that come when all searches together have looked at too many points.
const LEAST_PATIENCE: usize = 64;
/// How many points a search looks at on average, if all searches are taken together. Those of models need about forty.
const AVERAGE: usize = 256;
/// The points that searches may look at beyond the average.
const RESERVE: usize = 64 * PATIENCE;

/// Vertices by their positions in one or several poses, in a k-d tree. Vertices that share all positions are one spot.
/// Unlike a grid, a tree copes with points that crowd in one place with a few far away.
pub(super) struct KdTree {
    /// In tree order: the middle element of a range divides it.
    spots: Vec<Spot>,
    /// The coordinates of all spots, in tree order: three per pose.
    places: Vec<f32>,
    /// Coordinates per spot.
    width: usize,
    /// The vertices of all spots.
    vertices: Vec<u32>,
    /// Points that searches may still look at before they lose patience.
    patience: Cell<usize>,
    /// Points that searches looked at.
    #[cfg(test)]
    steps: Cell<usize>,
}

#[derive(Clone, Copy)]
struct Spot {
    /// The axis along which the spot divides its range.
    axis: u16,
    start: u32,
    end: u32,
}

impl KdTree {
    /// Builds a tree of the given vertices; those whose positions are not finite are left out.
    pub(super) fn new(vertices: &[u32], poses: &[&[Vec3]]) -> Self {
        // Adding zero turns −0 into 0, so that equal positions have equal bits.
        let place = |v: u32| poses.iter().map(move |pose| pose[v as usize] + Vec3::ZERO);
        let bits = |v: u32| place(v).map(|p| p.to_array().map(f32::to_bits));
        let mut vertices: Vec<u32> =
            vertices.iter().copied().filter(|&v| place(v).all(|p| p.is_finite())).collect();
        vertices.sort_unstable_by(|&a, &b| bits(a).cmp(bits(b)).then(a.cmp(&b)));
        let mut spots: Vec<Spot> = Vec::new();
        for (i, &vertex) in vertices.iter().enumerate() {
            match spots.last_mut() {
                Some(last) if place(vertices[last.start as usize]).eq(place(vertex)) => last.end += 1,
                _ => spots.push(Spot { axis: 0, start: i as u32, end: i as u32 + 1 }),
            }
        }
        let coordinate =
            |spot: &Spot, axis: usize| poses[axis / 3][vertices[spot.start as usize] as usize][axis % 3];
        divide(&mut spots, 3 * poses.len(), &coordinate);
        let places =
            spots.iter().flat_map(|s| place(vertices[s.start as usize])).flat_map(|p| p.to_array()).collect();
        let patience = Cell::new(RESERVE);
        Self {
            spots,
            places,
            width: 3 * poses.len(),
            vertices,
            patience,
            #[cfg(test)]
            steps: Cell::default(),
        }
    }

    /// Searches with the patience that is left. Points that lie so that nothing can be ruled out, as around a vertex far
    /// away, must not take quadratic time.
    fn with_patience(&self, search: impl FnOnce(&mut usize)) {
        let left = self.patience.get();
        let whole = if left > PATIENCE { PATIENCE } else { LEAST_PATIENCE };
        let mut patience = whole;
        search(&mut patience);
        let looked_at = whole - patience;
        self.patience.set((left + AVERAGE).saturating_sub(looked_at).min(RESERVE));
        #[cfg(test)]
        self.steps.set(self.steps.get() + looked_at);
    }

    /// The distance to the nearest spot; infinite if there are no spots. Over several poses, distances add up as if the
    /// poses were further axes.
    pub(super) fn distance(&self, from: &[Vec3]) -> f64 {
        let mut best = f64::INFINITY;
        self.with_patience(|patience| self.nearest(0, self.spots.len(), from, &mut best, patience));
        best.sqrt()
    }

    /// Vertices within `reach` of `from`, in tree order, at most `limit`.
    pub(super) fn within(&self, from: &[Vec3], reach: f64, limit: usize, found: &mut Vec<u32>) {
        found.clear();
        self.with_patience(|patience| self.gather(0, self.spots.len(), from, reach, limit, patience, found));
    }

    /// A number for the place of each vertex below `count`. Vertices within `reach` of each other mostly share one;
    /// those that are not in the tree have `u32::MAX`.
    pub(super) fn numbers(&self, count: usize, reach: f64) -> Vec<u32> {
        let mut numbers = vec![u32::MAX; count];
        let (mut near, mut place) = (Vec::new(), Vec::new());
        for (index, spot) in self.spots.iter().enumerate() {
            let own = &self.vertices[spot.start as usize..spot.end as usize];
            if numbers[own[0] as usize] != u32::MAX {
                continue;
            }
            place.clear();
            place.extend(self.place(index).as_chunks::<3>().0.iter().map(|&p| Vec3::from(p)));
            self.within(&place, reach, 1024, &mut near);
            for &vertex in near.iter().chain(own) {
                let number = &mut numbers[vertex as usize];
                *number = (*number).min(index as u32);
            }
        }
        numbers
    }

    fn place(&self, spot: usize) -> &[f32] {
        &self.places[spot * self.width..(spot + 1) * self.width]
    }

    fn squared(&self, spot: usize, from: &[Vec3]) -> f64 {
        let places = self.place(spot).as_chunks::<3>().0;
        places
            .iter()
            .zip(from)
            .map(|(&p, from)| Vec3::from(p).as_dvec3().distance_squared(from.as_dvec3()))
            .sum()
    }

    /// How far `from` is beyond the plane that divides a range at this spot.
    fn side(&self, spot: usize, from: &[Vec3]) -> f64 {
        let axis = usize::from(self.spots[spot].axis);
        f64::from(from[axis / 3][axis % 3]) - f64::from(self.place(spot)[axis])
    }

    #[expect(clippy::too_many_arguments, reason = "the state of one search")]
    fn gather(
        &self,
        start: usize,
        end: usize,
        from: &[Vec3],
        reach: f64,
        limit: usize,
        patience: &mut usize,
        found: &mut Vec<u32>,
    ) {
        if start >= end || found.len() >= limit || *patience == 0 {
            return;
        }
        *patience -= 1;
        let middle = start + (end - start) / 2;
        if self.squared(middle, from).sqrt() <= reach {
            let spot = self.spots[middle];
            let here = &self.vertices[spot.start as usize..spot.end as usize];
            found.extend(here.iter().take(limit - found.len()));
        }
        let side = self.side(middle, from);
        if side <= reach {
            self.gather(start, middle, from, reach, limit, patience, found);
        }
        if side >= -reach {
            self.gather(middle + 1, end, from, reach, limit, patience, found);
        }
    }

    /// Lowers `best`, a squared distance, to that of the nearest spot if it is smaller.
    fn nearest(&self, start: usize, end: usize, from: &[Vec3], best: &mut f64, patience: &mut usize) {
        if start >= end || *patience == 0 {
            return;
        }
        *patience -= 1;
        let middle = start + (end - start) / 2;
        *best = best.min(self.squared(middle, from));
        let side = self.side(middle, from);
        let (near, far) = if side <= 0.0 {
            ((start, middle), (middle + 1, end))
        } else {
            ((middle + 1, end), (start, middle))
        };
        self.nearest(near.0, near.1, from, best, patience);
        if side * side <= *best {
            self.nearest(far.0, far.1, from, best, patience);
        }
    }
}

/// Moves the median along the longest axis to the middle of the range, and recurses into both halves. The depth is the
/// logarithm of the number of spots.
fn divide(range: &mut [Spot], width: usize, coordinate: &impl Fn(&Spot, usize) -> f32) {
    if range.len() < 2 {
        return;
    }
    let extent = |axis: usize| {
        let values = range.iter().map(|spot| coordinate(spot, axis));
        let (least, most) = values.fold((f32::MAX, f32::MIN), |(least, most), v| (least.min(v), most.max(v)));
        most - least
    };
    let axis =
        (0..width).map(|axis| (extent(axis), axis)).max_by(|a, b| a.0.total_cmp(&b.0)).map_or(0, |a| a.1);
    let middle = range.len() / 2;
    range.select_nth_unstable_by(middle, |a, b| coordinate(a, axis).total_cmp(&coordinate(b, axis)));
    range[middle].axis = axis as u16;
    let (below, rest) = range.split_at_mut(middle);
    divide(below, width, coordinate);
    divide(&mut rest[1..], width, coordinate);
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
        let tree = KdTree::new(&all, &[&points]);
        let mut found = Vec::new();
        for query in scattered(900) {
            let brute = |p: &Vec3| query.as_dvec3().distance(p.as_dvec3());
            let best = points.iter().map(brute).fold(f64::INFINITY, f64::min);
            assert_eq!(tree.distance(&[query]), best);
            tree.within(&[query], 0.2, 1000, &mut found);
            found.sort_unstable();
            let expected: Vec<u32> = (0..700).filter(|&i| brute(&points[i as usize]) <= 0.2).collect();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn many_vertices_at_one_place_are_one_spot() {
        let mut points = vec![Vec3::ONE; 100_000];
        points.push(Vec3::splat(f32::NAN));
        let tree = KdTree::new(&(0..100_001).collect::<Vec<_>>(), &[&points]);
        assert_eq!(tree.spots.len(), 1);
        let mut found = Vec::new();
        tree.within(&[Vec3::ONE], 0.0, 64, &mut found);
        assert_eq!(found, (0..64).collect::<Vec<_>>());
        assert_eq!(KdTree::new(&[], &[&points]).distance(&[Vec3::ZERO]), f64::INFINITY);
    }

    /// Points in one place seen from far away, where no half of the tree can be ruled out, and a reach that covers them all.
    #[test]
    fn ten_times_the_points_cost_ten_times_the_steps() {
        let steps = |count: u32| {
            let points: Vec<Vec3> = scattered(count as usize).iter().map(|p| *p * 1e-20).collect();
            let tree = KdTree::new(&(0..count).collect::<Vec<_>>(), &[&points]);
            let mut found = Vec::new();
            for i in 0..count {
                let far = Vec3::new(1.0, 1.0, 1.0 + i as f32 * 1e-3);
                assert!(tree.distance(&[far]) < f64::INFINITY);
                tree.within(&[far], 1e24, 64, &mut found);
                assert!(!found.is_empty());
            }
            assert!(tree.numbers(count as usize, 1e24).iter().all(|number| *number != u32::MAX));
            tree.steps.get()
        };
        let (few, many) = (steps(2000), steps(20_000));
        assert!(many <= 12 * few && many <= 3 * 20_000 * AVERAGE + 2 * RESERVE, "{few} steps, then {many}");
    }

    /// Two poses: vertices with the same position in the first pose differ in the second.
    #[test]
    fn several_poses_are_further_axes() {
        let rest = vec![Vec3::ZERO; 300];
        let later: Vec<Vec3> = (0..300).map(|i| Vec3::X * i as f32).collect();
        let tree = KdTree::new(&(0..300).collect::<Vec<_>>(), &[&rest, &later]);
        let mut found = Vec::new();
        for i in 0..300 {
            let from = [Vec3::Y * 3.0, Vec3::X * i as f32 + Vec3::Z * 4.0];
            assert_eq!(tree.distance(&from), 5.0);
            tree.within(&from, 5.0, 64, &mut found);
            assert_eq!(found, [i]);
        }
    }

    #[test]
    fn places_are_numbered_but_for_rounding() {
        let points = [Vec3::ZERO, Vec3::X, Vec3::X * 1.000_000_1, Vec3::ZERO, Vec3::splat(f32::NAN)];
        let numbers = KdTree::new(&[0, 1, 2, 3, 4], &[&points]).numbers(5, 1e-6);
        assert!(numbers[0] == numbers[3] && numbers[1] == numbers[2] && numbers[0] != numbers[1]);
        assert_eq!(numbers[4], u32::MAX);
    }
}
