//! Pairs vertices of the first scene with those of the second: in order where that fits, otherwise by place.

use super::Pairing;
use super::attributes::uv;
use super::both::{Both, DOUBT, SAME};
use super::clips::Matched;
use super::surface::Surface;
use super::{nearest, order};

/// The pairs of vertices to measure, each once.
pub(super) struct Pairs {
    pub(super) pairing: Pairing,
    pub(super) list: Vec<(u32, u32)>,
    /// Pairs that may not belong together.
    pub(super) doubtful: usize,
    /// Vertices of the second scene that are far from every vertex of the first.
    pub(super) uncovered: usize,
}

pub(super) fn pair(first: &Surface, second: &Surface, matched: &Matched, size: f64) -> Pairs {
    let both = Both::new(first, second, matched, size);
    let ordered = order::corners(&both);
    if let Some(corners) = ordered.as_ref().filter(|corners| both.agree(corners, DOUBT)) {
        return in_order(distinct(corners.clone()));
    }
    let near = nearest::pair(&both);
    let Some(corners) = ordered else {
        let doubtful = near.doubtful.iter().filter(|doubt| **doubt).count();
        return Pairs { pairing: Pairing::Nearest, list: near.list, doubtful, uncovered: near.uncovered };
    };
    let is_right = is_explained(&both, &corners)
        || has_same_topology(&corners, first, second)
        || has_same_uvs(&corners, first, second);
    let list = distinct(corners);
    let (settled, certain) = (settled_parts(&both, &list), near.certain_parts(&both, SAME * size));
    if is_right || settled.iter().zip(&certain).all(|(settled, certain)| *settled || *certain) {
        // Meshes that changed places are found where they are now.
        let moved = |pair: &(u32, u32)| {
            let part = first.part_of(pair.0);
            certain[part] && !settled[part]
        };
        let is_moved = near.list.iter().any(moved);
        let stayed = list.into_iter().filter(|pair| !moved(pair));
        let mut list: Vec<_> = stayed.chain(near.list.iter().copied().filter(moved)).collect();
        list.sort_unstable();
        let pairing = if is_moved { Pairing::Nearest } else { Pairing::InOrder };
        return Pairs { pairing, list, doubtful: 0, uncovered: 0 };
    }
    let (pairing, list, uncovered) = if both.misfit(&near.list) < both.misfit(&list) {
        (Pairing::Nearest, near.list, near.uncovered)
    } else {
        (Pairing::InOrder, list, 0)
    };
    // Neither explains where all vertices are.
    let guesses = near.doubtful.iter().filter(|doubt| **doubt).count();
    let far = list.iter().filter(|&&(a, b)| both.least(a, b) > DOUBT * size).count();
    let doubtful = far.max(if pairing == Pairing::Nearest { guesses } else { 0 });
    Pairs { pairing, list, doubtful, uncovered }
}

fn in_order(list: Vec<(u32, u32)>) -> Pairs {
    Pairs { pairing: Pairing::InOrder, list, doubtful: 0, uncovered: 0 }
}

/// Whether all pairs of each part of the first scene are together in every probe.
fn settled_parts(both: &Both, list: &[(u32, u32)]) -> Vec<bool> {
    let mut settled = vec![true; both.first.placed.len()];
    for &(a, b) in list {
        settled[both.first.part_of(a)] &= both.most(a, b) <= DOUBT * both.size;
    }
    settled
}

/// Whether most corners are together in one of the probes. Then the order is right, and the other poses differ.
fn is_explained(both: &Both, corners: &[(u32, u32)]) -> bool {
    let limit = (DOUBT * both.size).powi(2);
    let mut explained = vec![0_usize; both.probes.len()];
    for &(a, b) in corners {
        both.squared(a, b)
            .zip(&mut explained)
            .for_each(|(squared, sum)| *sum += usize::from(squared <= limit));
    }
    explained.into_iter().any(|sum| sum * 2 >= corners.len())
}

/// Each pair once, in order. Nearly all corners of a vertex have the same partner, so few pairs need sorting.
fn distinct(corners: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    let vertices = corners.iter().map(|c| c.0 as usize + 1).max().unwrap_or(0);
    let mut partners: Vec<Option<u32>> = vec![None; vertices];
    let mut more = Vec::new();
    for (a, b) in corners {
        let partner = *partners[a as usize].get_or_insert(b);
        if partner != b {
            more.push((a, b));
        }
    }
    let mut pairs: Vec<_> = (0..).zip(partners).filter_map(|(a, b)| Some((a, b?))).collect();
    if !more.is_empty() {
        pairs.extend(more);
        pairs.sort_unstable();
        pairs.dedup();
    }
    pairs
}

/// The pairs of two equal scenes: each drawn vertex with itself.
pub(super) fn with_itself(surface: &Surface) -> Pairs {
    in_order(distinct(surface.corners.iter().map(|&vertex| (vertex, vertex)).collect()))
}

/// Whether corners that share a vertex in one scene share one in the other. If so, the order is right wherever the
/// vertices went. Faces that share no vertices prove nothing.
fn has_same_topology(corners: &[(u32, u32)], first: &Surface, second: &Surface) -> bool {
    let mut partner = vec![u32::MAX; first.vertex_count];
    let mut seen = vec![false; second.vertex_count];
    let mut used = 0;
    for &(a, b) in corners {
        let known = &mut partner[a as usize];
        if *known == u32::MAX {
            if std::mem::replace(&mut seen[b as usize], true) {
                return false;
            }
            *known = b;
            used += 1;
        } else if *known != b {
            return false;
        }
    }
    used * 2 <= corners.len()
}

/// Whether nearly all corners have the same texture coordinates in both scenes, and these tell vertices apart.
fn has_same_uvs(corners: &[(u32, u32)], first: &Surface, second: &Surface) -> bool {
    let mut same = 0;
    let (mut least, mut most) = (glam::Vec2::MAX, glam::Vec2::MIN);
    for &(a, b) in corners {
        if let (Some(a), Some(b)) = (uv(first, a, 0), uv(second, b, 0)) {
            same += usize::from(a.abs_diff_eq(b, 1e-4));
            (least, most) = (least.min(a), most.max(a));
        }
    }
    same >= corners.len() - corners.len() / 100 && (most - least).max_element() > 0.01
}
