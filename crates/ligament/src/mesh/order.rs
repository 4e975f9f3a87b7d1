//! Orders of triangles and vertices that graphics cards like.
//!
//! - Vertex cache: triangles that share vertices follow each other, so that a posed vertex is used again before it is forgotten. This is
//!   Tipsify (Sander, Nehab, Barczak 2007): fans around one vertex after the other, in linear time.
//! - Overdraw: where that order begins anew, or may do so at little cost, the list is cut, and the pieces that face outwards
//!   come first, because they hide others (same paper).
//! - Fetch: vertices are stored in the order of their first use.

use glam::{DVec3, Vec3};

/// The size of the cache that orders are made for. Cards have more, but do not say how much of it counts.
const CACHE: usize = 16;
/// By how much the number of misses may grow for less overdraw.
const WORSE: f64 = 1.05;

/// The number of vertices that are not in a first-in-first-out cache when a triangle needs them, per triangle.
pub(crate) fn misses(corners: &[u32], vertices: usize) -> f64 {
    let mut cache = Cache::new(vertices);
    let missed: usize = corners.chunks_exact(3).map(|triangle| cache.take(triangle)).sum();
    missed as f64 / (corners.len() / 3).max(1) as f64
}

/// The triangles in another order. Each keeps its corners in their order.
pub(crate) fn ordered(corners: &[u32], positions: &[Vec3]) -> Vec<u32> {
    let (order, starts) = tipsify(corners, positions.len());
    let pieces = pieces(&order, &starts, positions.len());
    by_outwardness(&order, &pieces, positions)
}

/// For each new vertex, the old one: those that faces use, in the order of their first use, and then the others.
pub(crate) fn by_use(corners: &[u32], vertices: usize) -> Vec<u32> {
    let mut is_used = vec![false; vertices];
    let mut order = Vec::with_capacity(vertices);
    for &corner in corners {
        if !std::mem::replace(&mut is_used[corner as usize], true) {
            order.push(corner);
        }
    }
    order.extend((0..vertices as u32).filter(|&vertex| !is_used[vertex as usize]));
    order
}

/// A cache that forgets what came in first.
struct Cache {
    /// For each vertex, the number of misses when it came in, plus one.
    came: Vec<usize>,
    misses: usize,
}

impl Cache {
    fn new(vertices: usize) -> Self {
        Self { came: vec![0; vertices], misses: 0 }
    }

    fn holds(&self, vertex: usize) -> bool {
        self.came[vertex] > 0 && self.misses + 1 - self.came[vertex] < CACHE + 1
    }

    /// Takes a triangle's vertices, and returns how many were not there.
    fn take(&mut self, triangle: &[u32]) -> usize {
        let before = self.misses;
        for &vertex in triangle {
            if !self.holds(vertex as usize) {
                self.misses += 1;
                self.came[vertex as usize] = self.misses;
            }
        }
        self.misses - before
    }

    /// Forgets everything.
    fn clear(&mut self) {
        self.misses += CACHE + 1;
    }
}

/// For each vertex, the triangles that have it, in two flat lists.
fn triangles_of(corners: &[u32], vertices: usize) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0_u32; vertices + 1];
    corners.iter().for_each(|&corner| starts[corner as usize + 1] += 1);
    for vertex in 0..vertices {
        starts[vertex + 1] += starts[vertex];
    }
    let mut next = starts.clone();
    let mut triangles = vec![0_u32; corners.len()];
    for (index, &corner) in corners.iter().enumerate() {
        let place = &mut next[corner as usize];
        triangles[*place as usize] = (index / 3) as u32;
        *place += 1;
    }
    (starts, triangles)
}

/// The corners in an order for the vertex cache, and the triangles at which it begins anew.
fn tipsify(corners: &[u32], vertices: usize) -> (Vec<u32>, Vec<usize>) {
    let (starts, triangles) = triangles_of(corners, vertices);
    let of = |vertex: usize| &triangles[starts[vertex] as usize..starts[vertex + 1] as usize];
    let mut left: Vec<u32> = (0..vertices).map(|vertex| starts[vertex + 1] - starts[vertex]).collect();
    let mut is_done = vec![false; corners.len() / 3];
    let mut cache = Cache::new(vertices);
    let (mut order, mut anew) = (Vec::with_capacity(corners.len()), Vec::new());
    // Vertices that were used lately, and those that were never looked at.
    let (mut lately, mut unseen) = (Vec::new(), 0..vertices);
    let mut around = Vec::new();
    let mut fan = unseen.find(|&vertex| left[vertex] > 0);
    if fan.is_some() {
        anew.push(0);
    }
    while let Some(vertex) = fan {
        around.clear();
        for &triangle in of(vertex) {
            let triangle = triangle as usize;
            if std::mem::replace(&mut is_done[triangle], true) {
                continue;
            }
            let own = &corners[triangle * 3..triangle * 3 + 3];
            cache.take(own);
            order.extend_from_slice(own);
            for &corner in own {
                left[corner as usize] -= 1;
                lately.push(corner);
                around.push(corner as usize);
            }
        }
        // Of the vertices around, the one that came into the cache first, if it stays there until its fan is done.
        let age = |&vertex: &usize| match cache.misses + 1 - cache.came[vertex] {
            age if age + 2 * left[vertex] as usize <= CACHE => age,
            _ => 0,
        };
        let near = around.iter().copied().filter(|&vertex| left[vertex] > 0);
        fan = near.max_by_key(age);
        if fan.is_none() {
            let dead_end = std::iter::from_fn(|| lately.pop()).map(|v| v as usize).find(|&v| left[v] > 0);
            fan = dead_end.or_else(|| unseen.find(|&vertex| left[vertex] > 0));
            if fan.is_some() {
                anew.push(order.len() / 3);
            }
        }
    }
    (order, anew)
}

/// Where the list may be cut: where it begins anew, and between these where the misses so far are few enough.
fn pieces(order: &[u32], anew: &[usize], vertices: usize) -> Vec<usize> {
    let count = order.len() / 3;
    let mut cuts = Vec::with_capacity(anew.len());
    let mut cache = Cache::new(vertices);
    for (index, &start) in anew.iter().enumerate() {
        let end = anew.get(index + 1).copied().unwrap_or(count);
        let triangles = || order[start * 3..end * 3].chunks_exact(3);
        cache.clear();
        let all: usize = triangles().map(|triangle| cache.take(triangle)).sum();
        let allowed = all as f64 / (end - start).max(1) as f64 * WORSE;
        cache.clear();
        cuts.push(start);
        let (mut missed, mut taken) = (0, 0);
        for (offset, triangle) in triangles().enumerate() {
            missed += cache.take(triangle);
            taken += 1;
            if missed as f64 <= allowed * taken as f64 && start + offset + 1 < end {
                cuts.push(start + offset + 1);
                cache.clear();
                (missed, taken) = (0, 0);
            }
        }
    }
    cuts
}

/// The pieces, those first that face away from the middle.
fn by_outwardness(order: &[u32], cuts: &[usize], positions: &[Vec3]) -> Vec<u32> {
    let count = order.len() / 3;
    let at = |corner: u32| positions[corner as usize].as_dvec3();
    let mut pieces: Vec<(f64, std::ops::Range<usize>)> = Vec::with_capacity(cuts.len());
    let (mut middle, mut area) = (DVec3::ZERO, 0.0);
    let mut sums = Vec::with_capacity(cuts.len());
    for (index, &start) in cuts.iter().enumerate() {
        let end = cuts.get(index + 1).copied().unwrap_or(count);
        let (mut center, mut normal, mut own) = (DVec3::ZERO, DVec3::ZERO, 0.0);
        for triangle in order[start * 3..end * 3].chunks_exact(3) {
            let [a, b, c] = [at(triangle[0]), at(triangle[1]), at(triangle[2])];
            let cross = (b - a).cross(c - a);
            let size = cross.length();
            center += (a + b + c) / 3.0 * size;
            normal += cross;
            own += size;
        }
        middle += center;
        area += own;
        sums.push((center, normal, own, start..end));
    }
    let middle = if area > 0.0 { middle / area } else { middle };
    for (center, normal, own, range) in sums {
        let outwards = if own > 0.0 { (center / own - middle).dot(normal.normalize_or_zero()) } else { 0.0 };
        pieces.push((if outwards.is_finite() { outwards } else { 0.0 }, range));
    }
    // Stable, so that equal pieces stay in the order for the cache.
    pieces.sort_by(|a, b| b.0.total_cmp(&a.0));
    pieces.into_iter().flat_map(|(_, range)| &order[range.start * 3..range.end * 3]).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square of `n` by `n` quads, its triangles in an order made at random.
    fn grid(n: u32) -> (Vec<u32>, Vec<Vec3>) {
        let positions =
            (0..(n + 1) * (n + 1)).map(|i| Vec3::new((i % (n + 1)) as f32, (i / (n + 1)) as f32, 0.0));
        let mut triangles: Vec<[u32; 3]> = Vec::new();
        for y in 0..n {
            for x in 0..n {
                let a = y * (n + 1) + x;
                triangles.extend([[a, a + 1, a + n + 2], [a, a + n + 2, a + n + 1]]);
            }
        }
        let mut seed = 1_u64;
        for index in (1..triangles.len()).rev() {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            triangles.swap(index, (seed >> 33) as usize % (index + 1));
        }
        (triangles.into_iter().flatten().collect(), positions.collect())
    }

    fn sorted(corners: &[u32]) -> Vec<[u32; 3]> {
        let mut all: Vec<[u32; 3]> = corners.chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect();
        all.sort_unstable();
        all
    }

    #[test]
    fn few_vertices_are_posed_twice_and_all_triangles_are_there() {
        let (corners, positions) = grid(60);
        let made = ordered(&corners, &positions);
        assert_eq!(sorted(&made), sorted(&corners));
        let (before, after) = (misses(&corners, positions.len()), misses(&made, positions.len()));
        // At random nearly every corner is a miss. Half a miss per triangle is the least for a large grid; the paper has 0.6 to 0.8.
        assert!(before > 2.5 && after < 0.85, "{before} {after}");
    }

    #[test]
    fn a_cache_holds_as_many_as_it_should() {
        // A strip of 17 vertices, and the first one again: it has just been forgotten.
        let strip: Vec<u32> = (0..15).flat_map(|i| [i, i + 1, i + 2]).collect();
        assert_eq!(misses(&strip, 17) * 15.0, 17.0);
        let again = [strip.clone(), vec![0, 0, 0]].concat();
        assert_eq!(misses(&again, 17) * 16.0, 18.0);
        let still = [strip, vec![1, 1, 1]].concat();
        assert_eq!(misses(&still, 17) * 16.0, 17.0);
    }

    #[test]
    fn outer_faces_come_before_inner_ones() {
        // Two boxes' sides: one that faces away from the middle, and one that faces it, both far apart.
        let positions = [(1.0, 1), (-1.0, 1), (1.0, -1), (-1.0, -1)];
        let positions: Vec<Vec3> = positions
            .iter()
            .flat_map(|&(x, side)| {
                let turn = if side > 0 { x } else { -x };
                [Vec3::new(x, 0.0, 0.0), Vec3::new(x, turn, 0.0), Vec3::new(x, 0.0, 1.0)]
            })
            .collect();
        let corners: Vec<u32> = (0..12).collect();
        let made = ordered(&corners, &positions);
        let outwards = |triangle: &[u32]| {
            let [a, b, c] = [0, 1, 2].map(|i| positions[triangle[i] as usize]);
            (b - a).cross(c - a).dot((a + b + c) / 3.0) > 0.0
        };
        let order: Vec<bool> = made.chunks_exact(3).map(outwards).collect();
        assert_eq!(order, [true, true, false, false]);
    }

    #[test]
    fn odd_lists_are_survived() {
        assert!(ordered(&[], &[]).is_empty());
        let one = [Vec3::ZERO];
        assert_eq!(ordered(&[0, 0, 0, 0, 0, 0], &one), [0; 6]);
        assert_eq!(by_use(&[2, 1, 2], 4), [2, 1, 0, 3]);
    }

    /// Twice the triangles take twice the steps: no vertex is looked at again and again.
    #[test]
    fn a_fan_of_many_triangles_around_one_vertex_is_quick() {
        let count = 200_000_u32;
        let corners: Vec<u32> = (1..=count).flat_map(|i| [0, i, i + 1]).collect();
        let positions = vec![Vec3::ONE; count as usize + 2];
        assert_eq!(ordered(&corners, &positions).len(), corners.len());
    }
}
