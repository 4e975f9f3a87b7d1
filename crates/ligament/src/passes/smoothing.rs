//! Normals from one angle a mesh: faces that meet at more than it have a hard edge between them.
//!
//! Around each position, triangles that share an edge are joined if the angle between them is small enough; all that are
//! joined, directly or over others, share a normal: the mean of their own, weighted by area. Positions count and not
//! vertices, so that seams in texture coordinates do not show.
//!
//! [`normals`](super::normals::normals) does the same to the parts of a scene; this works on triangles before a mesh is
//! cut into parts by material, and says which corners share a normal.

use glam::{DVec3, Vec3};

/// Normals of the corners of triangles, each stored once.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SmoothNormals {
    /// For each corner of each triangle, the number of its normal.
    pub of_corner: Vec<u32>,
    /// Unit normals.
    pub normals: Vec<Vec3>,
}

/// An edge of more triangles joins only neighbours in the list, so that a hostile mesh does not take forever.
const MOST_AT_EDGE: usize = 16;
/// Slack for faces that differ by rounding.
const SLACK: f64 = 1e-6;

/// Computes the normals of all corners. Every index must be below the number of positions.
pub fn smooth_normals(positions: &[Vec3], triangles: &[[u32; 3]], degrees: f32) -> SmoothNormals {
    let places = places(positions);
    let (starts, around) = corners_around(&places, triangles);
    let least = f64::from(degrees.clamp(0.0, 180.0)).to_radians().cos() - SLACK;
    let mut result = SmoothNormals { of_corner: vec![0; triangles.len() * 3], normals: Vec::new() };
    let mut fan = Fan::default();
    for range in starts.windows(2) {
        let corners = &around[range[0] as usize..range[1] as usize];
        fan.load(positions, &places, triangles, corners);
        fan.join(least);
        fan.normals(corners, &mut result);
    }
    result
}

/// The first vertex at each vertex's position.
fn places(positions: &[Vec3]) -> Vec<u32> {
    // Adding zero makes one of the two zeros.
    let bits = |i: u32| (positions[i as usize] + Vec3::ZERO).to_array().map(f32::to_bits);
    let mut order: Vec<u32> = (0..positions.len() as u32).collect();
    order.sort_unstable_by_key(|&i| (bits(i), i));
    let mut places = vec![0; positions.len()];
    let mut first = 0;
    for (i, &vertex) in order.iter().enumerate() {
        if i == 0 || bits(vertex) != bits(order[i - 1]) {
            first = vertex;
        }
        places[vertex as usize] = first;
    }
    places
}

/// The corners at each place, one after the other, and where those of each place start.
fn corners_around(places: &[u32], triangles: &[[u32; 3]]) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0_u32; places.len() + 1];
    for &vertex in triangles.as_flattened() {
        starts[places[vertex as usize] as usize + 1] += 1;
    }
    for i in 1..starts.len() {
        starts[i] += starts[i - 1];
    }
    let mut next = starts.clone();
    let mut around = vec![0; triangles.len() * 3];
    for (corner, &vertex) in triangles.as_flattened().iter().enumerate() {
        let slot = &mut next[places[vertex as usize] as usize];
        around[*slot as usize] = corner as u32;
        *slot += 1;
    }
    (starts, around)
}

/// The triangles around one place.
#[derive(Default)]
struct Fan {
    /// Normals of twice the triangle's area.
    areas: Vec<DVec3>,
    units: Vec<DVec3>,
    /// The other ends of the two edges at the place, with the triangle's number in the fan.
    edges: Vec<(u32, u32)>,
    /// A member of the same group, or itself.
    group: Vec<u32>,
    /// The number of each group's normal.
    numbers: Vec<Option<u32>>,
}

impl Fan {
    fn load(&mut self, positions: &[Vec3], places: &[u32], triangles: &[[u32; 3]], corners: &[u32]) {
        self.areas.clear();
        self.units.clear();
        self.edges.clear();
        self.group.clear();
        for (i, &corner) in corners.iter().enumerate() {
            let triangle = triangles[corner as usize / 3];
            let [a, b, c] = triangle.map(|v| positions[v as usize].as_dvec3());
            let area = (b - a).cross(c - a);
            self.areas.push(area);
            self.units.push(area.normalize_or_zero());
            for step in [1, 2] {
                let other = triangle[(corner as usize + step) % 3];
                self.edges.push((places[other as usize], i as u32));
            }
            self.group.push(i as u32);
        }
        self.edges.sort_unstable();
    }

    fn join(&mut self, least: f64) {
        let edges = std::mem::take(&mut self.edges);
        for edge in edges.chunk_by(|a, b| a.0 == b.0) {
            let reach = if edge.len() > MOST_AT_EDGE { 1 } else { edge.len() };
            for (i, a) in edge.iter().enumerate() {
                for b in edge[i + 1..].iter().take(reach) {
                    if self.units[a.1 as usize].dot(self.units[b.1 as usize]) >= least {
                        let (a, b) = (self.root(a.1), self.root(b.1));
                        self.group[a.max(b) as usize] = a.min(b);
                    }
                }
            }
        }
        self.edges = edges;
    }

    fn root(&mut self, mut member: u32) -> u32 {
        while self.group[member as usize] != member {
            let above = self.group[self.group[member as usize] as usize];
            self.group[member as usize] = above;
            member = above;
        }
        member
    }

    fn normals(&mut self, corners: &[u32], result: &mut SmoothNormals) {
        for i in 0..corners.len() {
            let root = self.root(i as u32) as usize;
            if root != i {
                let area = self.areas[i];
                self.areas[root] += area;
            }
        }
        self.numbers.clear();
        self.numbers.resize(corners.len(), None);
        for (i, &corner) in corners.iter().enumerate() {
            let root = self.root(i as u32) as usize;
            let number = *self.numbers[root].get_or_insert_with(|| {
                let normal = self.areas[root].try_normalize().unwrap_or(DVec3::Z);
                result.normals.push(normal.as_vec3());
                result.normals.len() as u32 - 1
            });
            result.of_corner[corner as usize] = number;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two triangles that meet at their common edge along Y at an angle, with vertices of their own.
    fn roof(angle: f32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let (sin, cos) = angle.to_radians().sin_cos();
        let down = Vec3::new(cos, 0.0, -sin);
        let positions = vec![Vec3::ZERO, Vec3::Y, Vec3::NEG_X, Vec3::ZERO, down, Vec3::Y];
        (positions, vec![[0, 1, 2], [3, 4, 5]])
    }

    #[test]
    fn an_edge_is_soft_up_to_the_angle() {
        let (positions, triangles) = roof(40.0);
        for (degrees, different) in [(39.0, 2), (41.0, 1)] {
            let smooth = smooth_normals(&positions, &triangles, degrees);
            let at_origin = [smooth.of_corner[0], smooth.of_corner[3]];
            assert_eq!(usize::from(at_origin[0] != at_origin[1]) + 1, different, "{degrees}");
        }
    }

    #[test]
    fn a_shared_normal_is_weighted_by_area() {
        let (mut positions, triangles) = roof(90.0);
        positions[2] *= 3.0;
        let smooth = smooth_normals(&positions, &triangles, 180.0);
        let normal = smooth.normals[smooth.of_corner[0] as usize];
        let expected = Vec3::new(1.0, 0.0, 3.0).normalize();
        assert!(normal.distance(expected) < 1e-6, "{normal}");
    }

    #[test]
    fn triangles_that_touch_in_a_point_stay_apart() {
        let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::NEG_X, Vec3::NEG_Y];
        let smooth = smooth_normals(&positions, &[[0, 1, 2], [0, 3, 4]], 180.0);
        assert_ne!(smooth.of_corner[0], smooth.of_corner[3]);
    }

    #[test]
    fn faces_without_area_get_unit_normals() {
        let smooth = smooth_normals(&[Vec3::ONE; 3], &[[0, 1, 2]], 30.0);
        assert!(smooth.normals.iter().all(|n| n.is_normalized()));
        assert_eq!(smooth.of_corner.len(), 3);
    }
}
