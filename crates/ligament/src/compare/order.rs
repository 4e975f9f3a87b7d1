//! Pairs the corners of faces that both scenes list in the same order.
//!
//! Welding, splitting, cutting and joining change vertices, but leave the faces in order and each face its corners. Some
//! formats start a face at another corner, or want polygons cut: one face of a scene then stands for several of the
//! other.

use super::both::{Both, DOUBT, SAME};
use super::surface::{Face, Surface};
use crate::mesh::polygons::{Cutter, Diagonal};

/// Polygons with more corners are not turned to find where they start in the other scene.
const MOST_TURNS: usize = 64;

/// The corners of both scenes in order; `None` if the faces do not match one by one. Returns the order that fits best:
/// material by material, or as listed.
pub(super) fn corners(both: &Both) -> Option<Vec<(u32, u32)>> {
    for with_degenerate in [true, false] {
        let mut best: Option<(f64, Vec<(u32, u32)>)> = None;
        for by_material in [true, false] {
            for turns in [false, true] {
                let Some(found) = (Aligner { both, turns, by_material }).pair(with_degenerate) else { break };
                if both.agree(&found, SAME) {
                    return Some(found);
                }
                let misfit = both.misfit(&found);
                if best.as_ref().is_none_or(|(least, _)| misfit < *least) {
                    best = Some((misfit, found));
                }
            }
            if best.as_ref().is_some_and(|(_, found)| both.agree(found, DOUBT)) {
                break;
            }
        }
        if let Some((_, found)) = best {
            return Some(found);
        }
    }
    None
}

struct Aligner<'a, 'b> {
    both: &'b Both<'a>,
    /// Looks for the corner at which each face starts in the other scene.
    turns: bool,
    by_material: bool,
}

impl Aligner<'_, '_> {
    fn pair(&self, with_degenerate: bool) -> Option<Vec<(u32, u32)>> {
        let Both { first, second, .. } = self.both;
        let materials = self.both.materials();
        let own = self.faces(first, materials.0, with_degenerate);
        let other = self.faces(second, materials.1, with_degenerate);
        let mut pairs = Vec::with_capacity(first.corners.len());
        let mut cutter = Cutter::new(Diagonal::First);
        let (mut i, mut j) = (0, 0);
        while let (Some(&a), Some(&b)) = (own.get(i), other.get(j)) {
            let (a, b) = (&first.faces[a as usize], &second.faces[b as usize]);
            if self.by_material && materials.0[a.placed as usize] != materials.1[b.placed as usize] {
                return None;
            }
            let start = pairs.len();
            if a.triangles() == b.triangles() {
                pairs.extend(first.corners_of(a).iter().copied().zip(second.corners_of(b).iter().copied()));
                if self.turns {
                    self.turn(&mut pairs[start..]);
                }
                (i, j) = (i + 1, j + 1);
            } else if a.triangles() > b.triangles() {
                let pieces = pieces(second, &other[j..], a.triangles())?;
                self.cut(&mut cutter, (first, a), (second, pieces), false, &mut pairs)?;
                (i, j) = (i + 1, j + pieces.len());
            } else {
                let pieces = pieces(first, &own[i..], b.triangles())?;
                self.cut(&mut cutter, (second, b), (first, pieces), true, &mut pairs)?;
                (i, j) = (i + pieces.len(), j + 1);
            }
        }
        (i == own.len() && j == other.len()).then_some(pairs)
    }

    /// The faces of a scene, in order.
    fn faces(&self, surface: &Surface, materials: &[u32], with_degenerate: bool) -> Vec<u32> {
        let mut faces: Vec<u32> = (0..surface.faces.len() as u32)
            .filter(|&face| with_degenerate || !is_degenerate(surface, &surface.faces[face as usize]))
            .collect();
        if self.by_material {
            faces.sort_by_key(|&face| materials[surface.faces[face as usize].placed as usize]);
        }
        faces
    }

    /// Lets a face start at another corner if that brings its corners together, and its texture coordinates and joints
    /// do not speak against it.
    fn turn(&self, pairs: &mut [(u32, u32)]) {
        let count = pairs.len();
        let mut best = self.fit(pairs);
        if count > MOST_TURNS || best.0 <= SAME * self.both.size {
            return;
        }
        best.0 /= 10.0;
        let partners: Vec<u32> = pairs.iter().map(|pair| pair.1).collect();
        let turned = |by: usize| pairs.iter().enumerate().map(move |(i, pair)| (pair.0, (i + by) % count));
        let mut found = 0;
        for by in 1..count {
            let turned: Vec<_> = turned(by).map(|(a, i)| (a, partners[i])).collect();
            let fit = self.fit(&turned);
            if fit.0 < best.0 && fit.1 <= best.1 + 1e-3 {
                (best, found) = (fit, by);
            }
        }
        pairs.iter_mut().enumerate().for_each(|(i, pair)| pair.1 = partners[(i + found) % count]);
    }

    /// How far apart pairs are in the pose where they fit best, and how unlike they are.
    fn fit(&self, pairs: &[(u32, u32)]) -> (f64, f64) {
        let unlike = pairs.iter().map(|&(a, b)| self.both.unlike(a, b)).fold(0.0, f64::max);
        let worst = |probe: usize| {
            pairs.iter().map(|&(a, b)| self.both.squared(a, b).nth(probe).unwrap_or(0.0)).fold(0.0, f64::max)
        };
        ((0..self.both.probes.len()).map(worst).fold(f64::INFINITY, f64::min).sqrt(), unlike)
    }

    /// Pairs the corners of a polygon with those of the faces that it was cut into. `swapped` tells that the polygon is
    /// in the second scene. `None` if they cannot be told.
    fn cut(
        &self,
        cutter: &mut Cutter,
        (whole_in, polygon): (&Surface, &Face),
        (pieces_in, pieces): (&Surface, &[u32]),
        swapped: bool,
        pairs: &mut Vec<(u32, u32)>,
    ) -> Option<()> {
        let oriented = |whole: u32, piece: u32| if swapped { (piece, whole) } else { (whole, piece) };
        let corners = whole_in.corners_of(polygon);
        let cut: Vec<u32> = pieces
            .iter()
            .flat_map(|&piece| pieces_in.corners_of(&pieces_in.faces[piece as usize]))
            .copied()
            .collect();
        let placed = &whole_in.placed[polygon.placed as usize];
        let local: Vec<u32> = corners.iter().map(|&vertex| vertex - placed.start as u32).collect();
        let usual = cutter.cut_all(&placed.part.positions, &[0, local.len() as u32], &local);
        // Pieces that are no triangles were cut in another way.
        let pair = |(&whole, &piece): (&u32, &u32)| oriented(whole + placed.start as u32, piece);
        let usual: Option<Vec<_>> =
            (usual.len() == cut.len()).then(|| usual.iter().zip(&cut).map(pair).collect());
        let fit = usual.as_ref().map_or((f64::INFINITY, f64::INFINITY), |usual| self.fit(usual));
        if fit.0 <= SAME * self.both.size || corners.len() > MOST_TURNS || usual.is_some() && !self.turns {
            pairs.extend(usual?);
            return Some(());
        }
        // Cut another way: each corner of the pieces is the nearest of the polygon's, in the pose where that fits best.
        let nearest = |probe: usize| -> Vec<(u32, u32)> {
            let squared = |whole: u32, piece: u32| {
                let (a, b) = oriented(whole, piece);
                let tie = self.both.unlike(a, b).min(1.0) * SAME * self.both.size;
                self.both.squared(a, b).nth(probe).unwrap_or(0.0) + tie * tie
            };
            let best = |&piece: &u32| {
                let all = corners.iter().map(|&whole| (squared(whole, piece), whole));
                all.reduce(|x, y| if y.0 < x.0 { y } else { x }).map(|found| oriented(found.1, piece))
            };
            cut.iter().filter_map(best).collect()
        };
        let other = (0..self.both.probes.len()).map(|probe| {
            let found = nearest(probe);
            (self.fit(&found), found)
        });
        let other = other.reduce(|x, y| if y.0.0 < x.0.0 { y } else { x });
        let better = other.filter(|(better, _)| better.0 < fit.0 / 10.0 && better.1 <= fit.1 + 1e-3);
        pairs.extend(better.map(|(_, found)| found).or(usual)?);
        Some(())
    }
}

/// The next faces, as many as make up `triangles`; `None` if no number of them does.
fn pieces<'a>(surface: &Surface, faces: &'a [u32], triangles: u32) -> Option<&'a [u32]> {
    let mut sum = 0;
    for (count, &face) in faces.iter().enumerate() {
        sum += surface.faces[face as usize].triangles();
        if sum >= triangles {
            return (sum == triangles).then(|| &faces[..=count]);
        }
    }
    None
}

/// Whether a face has fewer than three different corners.
fn is_degenerate(surface: &Surface, face: &Face) -> bool {
    let placed = &surface.placed[face.placed as usize];
    let place = |&vertex: &u32| placed.part.positions[vertex as usize - placed.start];
    let [first, rest @ ..] = surface.corners_of(face) else { return true };
    let mut others = rest.iter().map(place).filter(|p| *p != place(first));
    others.next().is_none_or(|second| others.all(|p| p == second))
}
