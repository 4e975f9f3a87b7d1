//! Solids as distance fields, and the mesh of their surface.
//!
//! A field is negative inside. Blending fields gives the soft joins that an animal has where its legs meet its body.

use ligament::math::DVec3;
use std::collections::HashMap;

/// Distance to a rod from a ball of radius `ra` at `a` to a ball of radius `rb` at `b`.
pub fn rod(p: DVec3, a: DVec3, ra: f64, b: DVec3, rb: f64) -> f64 {
    let (ap, ab) = (p - a, b - a);
    let t = (ap.dot(ab) / ab.length_squared()).clamp(0.0, 1.0);
    (ap - ab * t).length() - (ra + (rb - ra) * t)
}

/// Approximate distance to an ellipsoid.
pub fn ellipsoid(p: DVec3, center: DVec3, radii: DVec3) -> f64 {
    let q = (p - center) / radii;
    let length = q.length();
    if length < 1e-9 {
        return -radii.min_element();
    }
    length * (length - 1.0) / (q / radii).length()
}

/// The union of two solids, with the crease filled over a width of about `k`.
pub fn blend(a: f64, b: f64, k: f64) -> f64 {
    let h = (k - (a - b).abs()).max(0.0) / k;
    a.min(b) - h * h * k / 4.0
}

/// A triangle mesh with smooth normals.
#[derive(Default)]
pub struct Surface {
    pub positions: Vec<DVec3>,
    pub normals: Vec<DVec3>,
    pub triangles: Vec<[u32; 3]>,
}

/// The field's gradient at a point.
pub fn slope(field: &dyn Fn(DVec3) -> f64, p: DVec3) -> DVec3 {
    let step = 1e-4;
    let along = |axis: DVec3| field(p + axis * step) - field(p - axis * step);
    DVec3::new(along(DVec3::X), along(DVec3::Y), along(DVec3::Z)) / (2.0 * step)
}

/// Moves a point onto the surface.
pub fn onto_surface(field: &dyn Fn(DVec3) -> f64, mut p: DVec3) -> DVec3 {
    for _ in 0..4 {
        let slope = slope(field, p);
        p -= slope * (field(p) / slope.length_squared().max(1e-6));
    }
    p
}

/// A box of cells in which the surface is searched for.
pub struct Grid {
    pub min: DVec3,
    pub cell: f64,
    pub cells: [i32; 3],
}

impl Grid {
    fn corner(&self, at: [i32; 3]) -> DVec3 {
        self.min + DVec3::new(f64::from(at[0]), f64::from(at[1]), f64::from(at[2])) * self.cell
    }
}

/// The surface of a field: one vertex in each cell that it passes through, joined across cell edges ("surface nets"),
/// then spread evenly and pulled onto the surface.
pub fn mesh(field: &dyn Fn(DVec3) -> f64, grid: &Grid) -> Surface {
    let quads = net(field, grid);
    let mut positions = quads.positions;
    let neighbours = neighbours(positions.len(), &quads.corners);
    for _ in 0..6 {
        let old = positions.clone();
        for (p, near) in positions.iter_mut().zip(&neighbours) {
            let mean = near.iter().map(|&i| old[i as usize]).sum::<DVec3>() / near.len() as f64;
            // Only along the surface, so that ear tips and toes do not shrink.
            let out = slope(field, *p).normalize();
            let pull = (mean - *p) * 0.5;
            *p = onto_surface(field, *p + pull - out * pull.dot(out));
        }
    }
    let normals = positions.iter().map(|&p| slope(field, p).normalize()).collect();
    let triangles = quads.corners.iter().flat_map(|&quad| split(quad, &positions)).collect();
    Surface { positions, normals, triangles }
}

/// For each vertex, those that share an edge of a quad with it.
fn neighbours(count: usize, quads: &[[u32; 4]]) -> Vec<Vec<u32>> {
    let mut near = vec![Vec::new(); count];
    for quad in quads {
        for i in 0..4 {
            let (a, b) = (quad[i], quad[(i + 1) % 4]);
            for (a, b) in [(a, b), (b, a)] {
                if !near[a as usize].contains(&b) {
                    near[a as usize].push(b);
                }
            }
        }
    }
    near
}

/// Two triangles, along the shorter diagonal.
fn split([a, b, c, d]: [u32; 4], positions: &[DVec3]) -> [[u32; 3]; 2] {
    let length = |i: u32, j: u32| positions[i as usize].distance_squared(positions[j as usize]);
    if length(a, c) <= length(b, d) { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] }
}

struct Quads {
    positions: Vec<DVec3>,
    corners: Vec<[u32; 4]>,
}

fn net(field: &dyn Fn(DVec3) -> f64, grid: &Grid) -> Quads {
    let [nx, ny, nz] = grid.cells;
    let index = |at: [i32; 3]| ((at[2] * (ny + 1) + at[1]) * (nx + 1) + at[0]) as usize;
    let mut values = vec![0.0; index([nx, ny, nz]) + 1];
    for at in cells([nx + 1, ny + 1, nz + 1]) {
        values[index(at)] = field(grid.corner(at));
    }
    let mut vertex = HashMap::new();
    let mut positions = Vec::new();
    for cell in cells(grid.cells) {
        if let Some(p) = crossing(cell, grid, &|at| values[index(at)]) {
            vertex.insert(cell, positions.len() as u32);
            positions.push(p);
        }
    }
    let mut corners = Vec::new();
    for at in cells(grid.cells) {
        for axis in 0..3 {
            let mut next = at;
            next[axis] += 1;
            let (inside, beyond) = (values[index(at)] < 0.0, values[index(next)] < 0.0);
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            if inside == beyond || at[u] == 0 || at[v] == 0 {
                continue;
            }
            let around = [(1, 1), (0, 1), (0, 0), (1, 0)].map(|(du, dv)| {
                let mut cell = at;
                cell[u] -= du;
                cell[v] -= dv;
                vertex[&cell]
            });
            corners.push(if inside { around } else { [around[3], around[2], around[1], around[0]] });
        }
    }
    Quads { positions, corners }
}

fn cells([nx, ny, nz]: [i32; 3]) -> impl Iterator<Item = [i32; 3]> {
    (0..nz).flat_map(move |z| (0..ny).flat_map(move |y| (0..nx).map(move |x| [x, y, z])))
}

/// The mean of the points where the surface crosses the cell's edges; `None` if it does not.
fn crossing(cell: [i32; 3], grid: &Grid, value: &dyn Fn([i32; 3]) -> f64) -> Option<DVec3> {
    let corner = |bits: i32| [cell[0] + (bits & 1), cell[1] + (bits >> 1 & 1), cell[2] + (bits >> 2 & 1)];
    let (mut sum, mut count) = (DVec3::ZERO, 0);
    for from in 0..8 {
        for axis in [1, 2, 4] {
            if from & axis != 0 {
                continue;
            }
            let (a, b) = (corner(from), corner(from | axis));
            let (va, vb) = (value(a), value(b));
            if (va < 0.0) != (vb < 0.0) {
                sum += grid.corner(a).lerp(grid.corner(b), va / (va - vb));
                count += 1;
            }
        }
    }
    (count > 0).then(|| sum / f64::from(count))
}
