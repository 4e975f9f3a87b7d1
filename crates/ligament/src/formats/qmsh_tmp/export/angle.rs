//! The smoothing angle whose normals come nearest to those of the scene.

use super::super::document::Faces;
use super::super::normals::{by_angle, triangles};
use super::objects::Normals;
use glam::{DMat4, Vec3};

/// Angles that are tried where the scene names none, the usual ones first.
const TRIED: [f64; 10] = [180.0, 30.0, 0.0, 60.0, 80.0, 45.0, 20.0, 100.0, 10.0, 140.0];
/// A difference of so many degrees is rounding.
const SAME: f64 = 0.1;

/// The chosen angle, and how far its normals are from those of the scene.
pub(super) struct Chosen {
    pub degrees: f64,
    /// The largest difference, in degrees.
    pub worst: f64,
    /// Corners whose normals differ.
    pub corners: usize,
}

/// Tries `stated` and the usual angles. Normals of length zero are not compared.
pub(super) fn choose(
    vertices: &[Vec3],
    faces: &Faces,
    normals: &Normals,
    shape: &DMat4,
    stated: Option<f64>,
) -> Chosen {
    let triangles = triangles(faces);
    let mut best: Option<(f64, Chosen)> = None;
    for degrees in stated.into_iter().chain(TRIED) {
        let smooth = by_angle(vertices, &triangles, shape, degrees);
        let rebuilt = |corner: usize| smooth.normals[smooth.of_corner[corner] as usize];
        let (mut sum, mut chosen) = (0.0, Chosen { degrees, worst: 0.0, corners: 0 });
        let (mut corner, mut triangle) = (0, 0);
        for head in &faces.heads {
            // Where a quad's corners are in its triangles (1, 2, 3) and (0, 1, 3).
            let places: &[usize] = if head.corners == 3 { &[0, 1, 2] } else { &[3, 0, 1, 2] };
            for place in places {
                let own = normals.at(corner);
                if own != Vec3::ZERO {
                    let difference = f64::from(own.angle_between(rebuilt(triangle * 3 + place))).to_degrees();
                    sum += difference;
                    chosen.worst = chosen.worst.max(difference);
                    chosen.corners += usize::from(difference > SAME);
                }
                corner += 1;
            }
            triangle += usize::from(head.corners) - 2;
        }
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
