//! The creature's body as one soft solid, and the small hard pieces on it: eyes, nose, claws, spikes.

use super::math::{between, cos, mix, sin};
use super::solid::{Grid, Surface, blend, ellipsoid, mesh, onto_surface, rod};
use ligament::math::{DVec2, DVec3};

fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

/// Distance to the body. The body is symmetric, so only the left side is described.
pub fn body(p: DVec3) -> f64 {
    let p = v(p.x.abs(), p.y, p.z);
    let torso = blend(
        rod(p, v(0.0, 0.455, -0.24), 0.150, v(0.0, 0.47, 0.16), 0.160),
        ellipsoid(p, v(0.0, 0.42, 0.0), v(0.155, 0.13, 0.26)),
        0.06,
    );
    let neck = rod(p, v(0.0, 0.52, 0.22), 0.135, v(0.0, 0.76, 0.40), 0.110);
    let mut solid = blend(torso, neck, 0.10);
    solid = blend(solid, tail(p), 0.09);
    solid = blend(solid, front_leg(p), 0.05);
    solid = blend(solid, hind_leg(p), 0.06);
    solid = blend(solid, head(p), 0.06);
    // Flat soles.
    -blend(-solid, p.y - 0.004, 0.02)
}

fn head(p: DVec3) -> f64 {
    let skull = ellipsoid(p, v(0.0, 0.86, 0.46), v(0.235, 0.205, 0.215));
    let cheek = ellipsoid(p, v(0.13, 0.775, 0.53), v(0.10, 0.085, 0.11));
    let snout = rod(p, v(0.0, 0.785, 0.60), 0.115, v(0.0, 0.770, 0.70), 0.090);
    // Ears are flattened front to back: the field is stretched in Z.
    let q = v(p.x, p.y, 0.39 + (p.z - 0.39) * 1.5);
    let ear = blend(
        rod(q, v(0.13, 0.97, 0.41), 0.085, v(0.195, 1.10, 0.39), 0.086),
        rod(q, v(0.195, 1.10, 0.39), 0.086, v(0.265, 1.285, 0.375), 0.026),
        0.04,
    ) / 1.25;
    let face = blend(blend(skull, cheek, 0.08), snout, 0.08);
    blend(face, ear, 0.05)
}

fn tail(p: DVec3) -> f64 {
    const LINE: [([f64; 3], f64); 6] = [
        ([0.0, 0.46, -0.30], 0.125),
        ([0.0, 0.44, -0.52], 0.085),
        ([0.0, 0.45, -0.68], 0.066),
        ([0.0, 0.52, -0.82], 0.054),
        ([0.0, 0.65, -0.91], 0.046),
        ([0.0, 0.76, -0.93], 0.044),
    ];
    let pieces = LINE.windows(2).map(|w| rod(p, w[0].0.into(), w[0].1, w[1].0.into(), w[1].1));
    let line = pieces.reduce(|a, b| blend(a, b, 0.03)).unwrap_or(f64::INFINITY);
    let tuft = ellipsoid(p, v(0.0, 0.86, -0.93), v(0.062, 0.135, 0.095));
    blend(line, tuft, 0.05)
}

fn front_leg(p: DVec3) -> f64 {
    let upper = rod(p, v(0.115, 0.44, 0.20), 0.092, v(0.13, 0.26, 0.18), 0.066);
    let lower = rod(p, v(0.13, 0.26, 0.18), 0.066, v(0.13, 0.08, 0.22), 0.058);
    blend(blend(upper, lower, 0.03), paw(p, v(0.13, 0.045, 0.255)), 0.03)
}

fn hind_leg(p: DVec3) -> f64 {
    let thigh = rod(p, v(0.115, 0.42, -0.26), 0.118, v(0.14, 0.27, -0.20), 0.078);
    let shin = rod(p, v(0.14, 0.27, -0.20), 0.074, v(0.14, 0.09, -0.29), 0.052);
    blend(blend(thigh, shin, 0.03), paw(p, v(0.14, 0.045, -0.245)), 0.03)
}

/// The tips of a paw's toes, around its centre.
fn toes(middle: DVec3) -> [DVec3; 3] {
    [-0.042, 0.0, 0.042].map(|x| middle + v(x, -0.012, 0.055 - 120.0 * x * x * 0.06))
}

fn paw(p: DVec3, middle: DVec3) -> f64 {
    let pad = ellipsoid(p, middle, v(0.070, 0.052, 0.080));
    let toe = |at: DVec3| rod(p, middle, 0.03, at, 0.033);
    toes(middle).into_iter().map(toe).fold(pad, |paw, toe| blend(paw, toe, 0.012))
}

/// The body's surface.
pub fn body_surface() -> Surface {
    let cell = 0.0415;
    // An even number of cells across, so that both sides are the same.
    let cells = [24, 36, 50];
    mesh(&body, &Grid { min: v(-12.0 * cell, -1.6 * cell, -1.10), cell, cells })
}

/// The patch of the texture that colours a piece.
#[derive(Clone, Copy, PartialEq)]
pub enum Patch {
    Eye,
    Spike,
    Claw,
    Nose,
}

/// A small hard piece that moves as a whole with the point of the body it sits on.
pub struct Piece {
    pub surface: Surface,
    /// The position of each vertex on its patch: −1..1 in both directions.
    pub on_patch: Vec<DVec2>,
    pub patch: Patch,
    pub seat: DVec3,
}

/// All pieces.
pub fn pieces() -> Vec<Piece> {
    let mut pieces = vec![nose()];
    for side in [1.0, -1.0] {
        pieces.push(eye(side));
        for paw in [v(0.13, 0.045, 0.255), v(0.14, 0.045, -0.245)] {
            for toe in toes(paw) {
                let at = toe + v(0.0, -0.006, 0.024);
                let base = v(at.x * side, at.y, at.z);
                pieces.push(spike(base, v(0.0, -0.25, 1.0), 0.013, 0.034, 5, Patch::Claw));
            }
        }
    }
    pieces.extend(crest());
    pieces
}

fn eye(side: f64) -> Piece {
    let seat = onto_surface(&body, v(0.125 * side, 0.885, 0.66));
    let center = seat + v(-0.012 * side, -0.002, -0.024);
    let out = v(0.42 * side, 0.06, 1.0);
    ball(center, v(0.060, 0.070, 0.052), out, seat, Patch::Eye)
}

fn nose() -> Piece {
    let seat = onto_surface(&body, v(0.0, 0.800, 0.80));
    ball(seat, v(0.036, 0.026, 0.024), DVec3::Z, seat, Patch::Nose)
}

/// Spikes along the back, from the head to the tail, large on the shoulders.
fn crest() -> Vec<Piece> {
    // The spikes, seen from the side: a point inside the body, the direction out of it, and a size.
    const ROW: [([f64; 3], [f64; 3], f64); 13] = [
        ([0.0, 0.92, 0.50], [0.0, 1.0, 0.15], 0.055),
        ([0.0, 0.90, 0.40], [0.0, 1.0, -0.45], 0.070),
        ([0.0, 0.82, 0.35], [0.0, 0.5, -1.0], 0.070),
        ([0.0, 0.70, 0.32], [0.0, 0.55, -1.0], 0.065),
        ([0.0, 0.56, 0.22], [0.0, 1.0, -0.55], 0.070),
        ([0.0, 0.50, 0.11], [0.0, 1.0, -0.20], 0.080),
        ([0.0, 0.48, -0.01], [0.0, 1.0, -0.15], 0.082),
        ([0.0, 0.47, -0.13], [0.0, 1.0, -0.15], 0.078),
        ([0.0, 0.46, -0.25], [0.0, 1.0, -0.25], 0.072),
        ([0.0, 0.46, -0.37], [0.0, 1.0, -0.35], 0.064),
        ([0.0, 0.45, -0.48], [0.0, 1.0, -0.25], 0.056),
        ([0.0, 0.45, -0.58], [0.0, 1.0, -0.10], 0.048),
        ([0.0, 0.46, -0.67], [0.0, 1.0, 0.10], 0.040),
    ];
    let stand = |&(inside, out, size): &([f64; 3], [f64; 3], f64)| {
        let (inside, out) = (DVec3::from(inside), DVec3::from(out).normalize());
        let mut p = inside;
        while body(p) < -0.012 {
            p += out * 0.002;
        }
        spike(p, out + v(0.0, 0.0, -0.25), size * 0.5, size, 7, Patch::Spike)
    };
    ROW.iter().map(stand).collect()
}

/// An ellipsoid whose third axis points along `out`; its patch is projected from there.
fn ball(center: DVec3, radii: DVec3, out: DVec3, seat: DVec3, patch: Patch) -> Piece {
    const RINGS: u32 = 6;
    const AROUND: u32 = 12;
    let turn = between(DVec3::Z, out);
    let mut surface = Surface::default();
    let mut on_patch = Vec::new();
    // Rings from the outer pole to slightly past the widest ring; the back is inside the body.
    for ring in 0..=RINGS {
        let polar = 0.30 * f64::from(ring) / f64::from(RINGS);
        for i in 0..if ring == 0 { 1 } else { AROUND } {
            let around = f64::from(i) / f64::from(AROUND);
            let unit = v(sin(polar) * cos(around), sin(polar) * sin(around), cos(polar));
            surface.positions.push(center + turn * (unit * radii));
            surface.normals.push((turn * (unit / radii)).normalize());
            on_patch.push(DVec2::new(unit.x, unit.y));
        }
    }
    fan_and_rings(&mut surface, RINGS, AROUND);
    Piece { surface, on_patch, patch, seat }
}

/// A cone, thin from side to side, with its base on `seat`.
fn spike(seat: DVec3, out: DVec3, radius: f64, height: f64, around: u32, patch: Patch) -> Piece {
    const RINGS: u32 = 2;
    let turn = between(DVec3::Y, out);
    let thin = if patch == Patch::Spike { 0.55 } else { 1.0 };
    let mut surface = Surface::default();
    let mut on_patch = Vec::new();
    for ring in 0..=RINGS {
        let down = f64::from(ring) / f64::from(RINGS);
        for i in 0..if ring == 0 { 1 } else { around } {
            let angle = f64::from(i) / f64::from(around);
            let side = v(cos(angle) * thin, 0.0, sin(angle));
            let wide = radius * mix(down, down * (2.0 - down), 0.5);
            surface.positions.push(seat + turn * (side * wide + DVec3::Y * height * (1.0 - down)));
            let steep = if ring == 0 { DVec3::Y } else { v(side.x / thin / thin, radius / height, side.z) };
            surface.normals.push((turn * steep).normalize());
            on_patch.push(DVec2::new(side.z * down * 0.8, down * 1.8 - 0.9));
        }
    }
    fan_and_rings(&mut surface, RINGS, around);
    Piece { surface, on_patch, patch, seat }
}

/// Triangles of a pole vertex followed by `rings` rings of `around` vertices, counter-clockwise from outside in whichever
/// direction the rings run.
fn fan_and_rings(surface: &mut Surface, rings: u32, around: u32) {
    let at = |ring: u32, i: u32| if ring == 0 { 0 } else { 1 + (ring - 1) * around + i % around };
    for ring in 0..rings {
        for i in 0..around {
            let [a, b, c, d] = [at(ring, i), at(ring + 1, i), at(ring + 1, i + 1), at(ring, i + 1)];
            surface.triangles.push([a, b, c]);
            if ring > 0 {
                surface.triangles.push([a, c, d]);
            }
        }
    }
    let p = |i: u32| surface.positions[i as usize];
    let [a, b, c] = surface.triangles[0];
    if (p(b) - p(a)).cross(p(c) - p(a)).dot(surface.normals[0]) < 0.0 {
        surface.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    }
}
