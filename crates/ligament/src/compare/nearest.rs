//! Pairs vertices by where they are, for scenes that list their faces in different orders.

use super::both::{Both, DOUBT, Probe, SAME};
use super::kd_tree::KdTree;
use super::surface::Surface;
use glam::Vec3;

/// Vertices at one place that are looked at; the others are taken for copies of these.
const MOST_CANDIDATES: usize = 64;

/// The diagonals of polygons with more corners are not listed.
const MOST_DIAGONALS: usize = 8;

/// Positions this close to each other, as a fraction of the model's size, are the same but for rounding.
const ROUNDING: f64 = 1e-6;

/// Each used vertex of the first scene with the nearest of the second.
pub(super) struct Nearest {
    pub(super) list: Vec<(u32, u32)>,
    /// For each pair, whether another vertex fits as well and may move differently, or whether the second scene connects
    /// its vertex with other places than the first does.
    pub(super) doubtful: Vec<bool>,
    /// Vertices of the second scene that are far from every vertex of the first.
    pub(super) uncovered: usize,
    /// For each part of the first scene, whether the second connects all its vertices in the same way.
    connected: Vec<bool>,
}

/// The pairing that fits best: by the positions in all probes, in those of clips alone, because some formats do not
/// store the rest pose, or at rest alone.
pub(super) fn pair(both: &Both) -> Nearest {
    let all = &both.probes[..];
    let ways = if all.len() > 1 { vec![all, &all[1..], &all[..1]] } else { vec![all] };
    let mut best: Option<(f64, Nearest)> = None;
    for probes in ways {
        let found = nearest(both, probes);
        let apart = |&(a, b): &(u32, u32)| both.squared(a, b).map(|s| s.sqrt().min(both.size)).sum::<f64>();
        let misfit = found.list.iter().map(apart).sum::<f64>();
        let is_exact = both.agree(&found.list, SAME);
        if best.as_ref().is_none_or(|(least, _)| misfit < *least) {
            best = Some((misfit, found));
        }
        if is_exact {
            break;
        }
    }
    best.map_or_else(|| nearest(both, all), |(_, found)| found)
}

fn nearest(both: &Both, probes: &[Probe]) -> Nearest {
    let (own, other) = (used(both.first), used(both.second));
    let poses: Vec<&[Vec3]> = probes.iter().map(|probe| &*probe.second).collect();
    let tree = KdTree::new(&other, &poses);
    let (mut place, mut near) = (Vec::new(), Vec::new());
    let mut list = Vec::with_capacity(own.len());
    let mut doubtful = Vec::with_capacity(own.len());
    for &a in &own {
        place.clear();
        place.extend(probes.iter().map(|probe| probe.first[a as usize]));
        // Vertices this close to the nearest are at the same position but for rounding.
        let reach = tree.distance(&place) + ROUNDING * both.size;
        tree.within(&place, reach, MOST_CANDIDATES, &mut near);
        if let Some((best, doubt)) = choose(both, a, &near) {
            list.push((a, best));
            doubtful.push(doubt);
        }
    }
    let poses: Vec<&[Vec3]> = probes.iter().map(|probe| &*probe.first).collect();
    let known = KdTree::new(&own, &poses);
    let far = |&&b: &&u32| {
        place.clear();
        place.extend(probes.iter().map(|probe| probe.second[b as usize]));
        known.distance(&place) > DOUBT * both.size
    };
    let uncovered = other.iter().filter(far).count();
    let places = tree.numbers(both.second.vertex_count, 2.0 * ROUNDING * both.size);
    let (linked, connected) = connections(both, &list, &places);
    list.iter().zip(&mut doubtful).for_each(|(pair, doubtful)| *doubtful |= !linked[pair.0 as usize]);
    Nearest { list, doubtful, uncovered, connected }
}

/// Whether the second scene has any of each vertex's edges, and all edges of each part. `places` numbers the positions
/// of the second scene's vertices.
fn connections(both: &Both, list: &[(u32, u32)], places: &[u32]) -> (Vec<bool>, Vec<bool>) {
    let edges = Edges::of(both.second, places);
    let mut place = vec![u32::MAX; both.first.vertex_count];
    list.iter().for_each(|&(a, b)| place[a as usize] = places[b as usize]);
    let mut linked = vec![false; both.first.vertex_count];
    let mut connected = vec![true; both.first.placed.len()];
    for face in &both.first.faces {
        let corners = both.first.corners_of(face);
        for (i, edge) in steps(corners, 1, &place).enumerate() {
            let is_known = edges.know(edge, corners.len() == 3);
            connected[face.placed as usize] &= is_known;
            linked[corners[i] as usize] |= is_known;
            linked[corners[(i + 1) % corners.len()] as usize] |= is_known;
        }
    }
    (linked, connected)
}

/// The best of several vertices that fit, and whether another one fits as well and may move differently.
fn choose(both: &Both, a: u32, near: &[u32]) -> Option<(u32, bool)> {
    let [first, more @ ..] = near else { return None };
    if more.is_empty() {
        return Some((*first, false));
    }
    let differs = |b: u32| {
        let away = both.squared(a, b).map(f64::sqrt).sum::<f64>() / both.size;
        away + both.unlike(a, b) + if both.same_material(a, b) { 0.0 } else { 10.0 }
    };
    let scored: Vec<(f64, u32)> = near.iter().map(|&b| (differs(b), b)).collect();
    let &(least, best) = scored.iter().reduce(|x, y| if y.0 < x.0 { y } else { x })?;
    let fits = |score: f64| score <= least + 10.0 * ROUNDING;
    // Without clips to compare, there is only the rest pose, in which all of them are here.
    let moves = both.probes.len() > 1;
    let doubt = moves && scored.iter().any(|&(score, b)| fits(score) && !both.second.moves_alike(best, b));
    Some((best, doubt))
}

impl Nearest {
    /// Whether the pairs of each part of the first scene belong together without doubt: in every pose they are at one
    /// place, look alike, and the second scene connects them as the first does.
    pub(super) fn certain_parts(&self, both: &Both, same: f64) -> Vec<bool> {
        let mut certain = self.connected.clone();
        for (&(a, b), &doubtful) in self.list.iter().zip(&self.doubtful) {
            let is_same = both.most(a, b) <= same && both.unlike(a, b) <= 1e-3 && both.same_material(a, b);
            certain[both.first.part_of(a)] &= is_same && !doubtful;
        }
        certain
    }
}

/// The connections between places of a scene, each list ascending.
struct Edges {
    outlines: Vec<(u32, u32)>,
    /// Within polygons, which the other scene may have cut.
    diagonals: Vec<(u32, u32)>,
}

impl Edges {
    fn of(surface: &Surface, places: &[u32]) -> Self {
        let mut edges = Self { outlines: Vec::with_capacity(surface.corners.len()), diagonals: Vec::new() };
        for face in &surface.faces {
            let corners = surface.corners_of(face);
            edges.outlines.extend(steps(corners, 1, places));
            if corners.len() <= MOST_DIAGONALS {
                let across = (2..corners.len() - 1).flat_map(|step| steps(corners, step, places));
                edges.diagonals.extend(across);
            }
        }
        for list in [&mut edges.outlines, &mut edges.diagonals] {
            list.sort_unstable();
            list.dedup();
        }
        edges
    }

    fn know(&self, edge: (u32, u32), of_triangle: bool) -> bool {
        edge.1 != u32::MAX
            && (edge.0 == edge.1
                || self.outlines.binary_search(&edge).is_ok()
                || of_triangle && self.diagonals.binary_search(&edge).is_ok())
    }
}

/// The connections of each corner of a face with the `step`-th after it.
fn steps<'a>(corners: &'a [u32], step: usize, places: &'a [u32]) -> impl Iterator<Item = (u32, u32)> + 'a {
    (0..corners.len()).map(move |i| {
        let (a, b) = (places[corners[i] as usize], places[corners[(i + step) % corners.len()] as usize]);
        (a.min(b), a.max(b))
    })
}

/// The vertices that faces use, each once.
fn used(surface: &Surface) -> Vec<u32> {
    let mut vertices = surface.corners.clone();
    vertices.sort_unstable();
    vertices.dedup();
    vertices
}
