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
    let mut best: Option<(f64, Chosen)> = None;
    for degrees in stated.into_iter().chain(TRIED) {
        let (mut sum, mut chosen) = (0.0, Chosen { degrees, worst: 0.0, corners: 0 });
        smoother.smooth(degrees as f32, |place| {
            for (&corner, &number) in place.corners.iter().zip(place.of_corner) {
                let own = surface.normal(corner as usize);
                if own != Vec3::ZERO {
                    let rebuilt = seen.own(place.normals[number as usize]);
                    let difference = f64::from(own.angle_between(rebuilt)).to_degrees();
                    sum += difference;
                    chosen.worst = chosen.worst.max(difference);
                    chosen.corners += usize::from(difference > SAME);
                }
            }
        });
        let exact = chosen.corners == 0;
        if best.as_ref().is_none_or(|(least, _)| sum < *least) {
            best = Some((sum, chosen));
        }
        if exact {
            break;
        }
    }
    best.map_or(Chosen { degrees: 30.0, worst: 0.0, corners: 0 }, |(_, chosen)| chosen)
}
