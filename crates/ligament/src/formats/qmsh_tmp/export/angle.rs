//! The smoothing angle whose normals are nearest to the scene's.

use super::super::normals::Seen;
use super::surface::Surface;
use crate::mesh::smoothing::Smoother;
use glam::{DMat4, Vec3};

/// Angles to try if the scene specifies none, the usual ones first.
const TRIED: [f64; 10] = [180.0, 30.0, 0.0, 60.0, 80.0, 45.0, 20.0, 100.0, 10.0, 140.0];
/// Differences up to this many degrees are rounding.
const SAME: f64 = 0.1;

/// The chosen angle, and the difference between its normals and the scene's.
pub(super) struct Chosen {
    pub degrees: f64,
    /// The largest difference, in degrees.
    pub worst: f64,
    /// The number of corners whose normals differ.
    pub corners: usize,
}

/// Tries `stated` and the usual angles. Normals of length zero are not compared.
pub(super) fn choose(surface: &Surface<'_>, shape: &DMat4, stated: Option<f64>) -> Chosen {
    let seen = Seen::through(shape, &surface.positions);
    let smoother = Smoother::new(&seen.positions, &surface.corners);
    let tried: Vec<f64> = stated.into_iter().chain(TRIED).collect();
    // The first is usually exact. If it is not, all others are tried at once: most places look the same by many angles.
    let (first, others) = tried.split_at(1);
    let first = measure(surface, &seen, &smoother, first);
    let is_exact = first.iter().all(Tried::is_exact);
    let others = if is_exact { Vec::new() } else { measure(surface, &seen, &smoother, others) };
    let mut best: Option<Tried> = None;
    for tried in first.into_iter().chain(others) {
        let is_exact = tried.is_exact();
        if best.as_ref().is_none_or(|best| tried.sum < best.sum) {
            best = Some(tried);
        }
        if is_exact {
            break;
        }
    }
    best.map_or(Chosen { degrees: 30.0, worst: 0.0, corners: 0 }, |best| best.chosen)
}

/// An angle, and how far its normals are from the scene's.
struct Tried {
    chosen: Chosen,
    /// The sum of all differences.
    sum: f64,
}

impl Tried {
    fn is_exact(&self) -> bool {
        self.chosen.corners == 0
    }
}

/// Compares the normals of each angle with the scene's.
fn measure(surface: &Surface<'_>, seen: &Seen<'_>, smoother: &Smoother<'_>, angles: &[f64]) -> Vec<Tried> {
    let tried = |&degrees: &f64| Tried { chosen: Chosen { degrees, worst: 0.0, corners: 0 }, sum: 0.0 };
    let mut all: Vec<Tried> = angles.iter().map(tried).collect();
    // Similar angles after each other, so that most normals are those of the angle before.
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by(|&a, &b| angles[a].total_cmp(&angles[b]));
    let sorted: Vec<f32> = order.iter().map(|&i| angles[i] as f32).collect();
    let mut differences: Vec<f64> = Vec::new();
    smoother.smooth(&sorted, |angle, place, is_same| {
        if !is_same {
            differences.clear();
            for (&corner, &number) in place.corners.iter().zip(place.of_corner) {
                let own = surface.normal(corner as usize);
                if own != Vec3::ZERO {
                    let rebuilt = seen.own(place.normals[number as usize]);
                    differences.push(f64::from(own.angle_between(rebuilt)).to_degrees());
                }
            }
        }
        let Tried { chosen, sum } = &mut all[order[angle]];
        for &difference in &differences {
            *sum += difference;
            chosen.worst = chosen.worst.max(difference);
            chosen.corners += usize::from(difference > SAME);
        }
    });
    all
}
