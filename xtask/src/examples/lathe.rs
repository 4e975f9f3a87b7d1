//! Simple parts: solids of revolution and flat squares.

use super::math::{cos, sin};
use ligament::math::{DVec2, DVec3, Vec2, Vec3};
use ligament::scene::{Faces, MaterialId, Part};

/// A solid of revolution about Y. `profile` goes from the lower end to the upper; a point is the distance from the axis
/// and the height. Corners sharper than a quarter turn need their point twice.
pub fn lathe(profile: &[[f64; 2]], around: u32, material: MaterialId) -> Part {
    let mut part = Part { material: Some(material), ..Part::default() };
    let normals = profile_normals(profile);
    for (i, &[radius, height]) in profile.iter().enumerate() {
        for j in 0..=around {
            let turn = f64::from(j) / f64::from(around);
            // The two sides of the seam must be bit-identical.
            let (s, c) = if j == around { (0.0, 1.0) } else { (sin(turn), cos(turn)) };
            let at = |r: f64, y: f64| DVec3::new(r * c, y, -r * s);
            part.positions.push(at(radius, height).as_vec3());
            part.normals.push(at(normals[i].x, normals[i].y).normalize().as_vec3());
        }
    }
    part.faces = Faces::Triangles(rings(profile, around));
    part
}

/// Outward directions at the points of a profile: the mean over the lines that meet there.
fn profile_normals(profile: &[[f64; 2]]) -> Vec<DVec2> {
    let line = |i: usize| {
        let (a, b) = (DVec2::from(profile[i]), DVec2::from(profile[i + 1]));
        let way = (b - a).try_normalize()?;
        Some(DVec2::new(way.y, -way.x))
    };
    let at = |i: usize| {
        let before = if i > 0 { line(i - 1) } else { None };
        let after = if i + 1 < profile.len() { line(i) } else { None };
        (before.unwrap_or(DVec2::ZERO) + after.unwrap_or(DVec2::ZERO)).normalize()
    };
    (0..profile.len()).map(at).collect()
}

/// Triangles between the rings, without degenerate ones at the poles and at doubled points.
fn rings(profile: &[[f64; 2]], around: u32) -> Vec<u32> {
    let mut corners = Vec::new();
    for (i, pair) in profile.windows(2).enumerate().filter(|(_, pair)| pair[0] != pair[1]) {
        let low = i as u32 * (around + 1);
        let high = low + around + 1;
        for j in 0..around {
            if pair[0][0] > 0.0 {
                corners.extend([low + j, low + j + 1, high + j]);
            }
            if pair[1][0] > 0.0 {
                corners.extend([low + j + 1, high + j + 1, high + j]);
            }
        }
    }
    corners
}

/// Half a circle's profile: a ball.
pub fn ball(radius: f64, steps: u32) -> Vec<[f64; 2]> {
    let point = |i: u32| {
        let turn = 0.5 * f64::from(i) / f64::from(steps);
        let out = if i == 0 || i == steps { 0.0 } else { radius * sin(turn) };
        [out, -radius * cos(turn)]
    };
    (0..=steps).map(point).collect()
}

/// A flat square that faces up, its texture repeated `repeat` times each way.
pub fn square(half: f32, repeat: f32, material: MaterialId) -> Part {
    let corners = [[-1.0, -1.0], [-1.0, 1.0], [1.0, 1.0], [1.0, -1.0]];
    Part {
        material: Some(material),
        positions: corners.map(|[x, z]| Vec3::new(x, 0.0, z) * half).to_vec(),
        normals: vec![Vec3::Y; 4],
        uvs: vec![corners.map(|[x, z]| Vec2::new(x + 1.0, z + 1.0) * 0.5 * repeat).to_vec()],
        faces: Faces::Triangles(vec![0, 1, 2, 0, 2, 3]),
        ..Part::default()
    }
}
