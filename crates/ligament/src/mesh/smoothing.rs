//! Normals from a smoothing angle: faces that meet at a larger angle have a hard edge between them.
//!
//! Around each position, faces that share an edge are joined if the angle between them is small enough. All faces
//! joined directly or through others share a normal: the mean of their own, weighted by area. Faces meet at positions
//! rather than vertices, so that seams in texture coordinates do not show.
//!
//! [`normals`](crate::passes::normals::normals) applies it to the parts of a scene. A format whose files store such an
//! angle applies it to a mesh before that is cut into parts by material.

use super::equal::{Hash, first_equal};
use super::polygons::newell;
use crate::scene::Faces;
use glam::{DVec3, Vec3};
use std::ops::Range;

/// Normals of the corners of faces, each stored once.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SmoothNormals {
    /// The index of each corner's normal.
    pub of_corner: Vec<u32>,
    /// Unit normals.
    pub normals: Vec<Vec3>,
}

/// At an edge of more faces, only neighbours in the list are joined, so that a hostile mesh does not take forever.
const MOST_AT_EDGE: usize = 16;
/// The number of blocks in which a [`Smoother`] goes through all corners.
const BLOCKS: usize = 8;
/// The least number of corners per block.
const LEAST_BLOCK: usize = 1 << 16;
/// Slack for faces that differ by rounding.
const SLACK: f64 = 1e-6;

/// Computes the normals of all corners of triangles. Every index must be below the number of positions.
pub fn smooth_normals(positions: &[Vec3], triangles: &[[u32; 3]], degrees: f32) -> SmoothNormals {
    smooth_faces(positions, FaceList { corners: triangles.as_flattened(), starts: None }, degrees)
}

/// Computes the normals of all corners. Every index must be below the number of positions.
pub(crate) fn smooth_faces(positions: &[Vec3], faces: FaceList<'_>, degrees: f32) -> SmoothNormals {
    let at = Places::of(positions, faces.corners);
    let areas: Vec<DVec3> = faces.iter().map(|face| area(positions, face)).collect();
    let mut result = SmoothNormals { of_corner: vec![0; faces.corners.len()], normals: Vec::new() };
    at.smooth(
        faces,
        |face| areas[face],
        degrees,
        |place| {
            let first = result.normals.len() as u32;
            for (&corner, &number) in place.corners.iter().zip(place.of_corner) {
                result.of_corner[corner as usize] = first + number;
            }
            result.normals.extend_from_slice(place.normals);
        },
    );
    result
}

/// The normals around one position.
pub(crate) struct SmoothPlace<'a> {
    /// The corners there.
    pub(crate) corners: &'a [u32],
    /// The index of each corner's normal.
    pub(crate) of_corner: &'a [u32],
    /// Unit normals.
    pub(crate) normals: &'a [Vec3],
}

/// The normal of a face; its length is twice the area.
pub(crate) fn area(positions: &[Vec3], face: &[u32]) -> DVec3 {
    newell(face.iter().map(|&v| positions[v as usize].as_dvec3()))
}

/// Triangles or polygons, as stored.
#[derive(Clone, Copy)]
pub(crate) struct FaceList<'a> {
    pub(crate) corners: &'a [u32],
    /// The start of each polygon, and the end of the last one.
    starts: Option<&'a [u32]>,
}

impl<'a> FaceList<'a> {
    pub(crate) fn of(faces: &'a Faces) -> Self {
        match faces {
            Faces::Polygons { starts, corners } => Self { corners, starts: Some(starts) },
            triangles => Self { corners: triangles.corners(), starts: None },
        }
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = &'a [u32]> {
        let count = self.starts.map_or(self.corners.len() / 3, |starts| starts.len().saturating_sub(1));
        (0..count).map(move |face| &self.corners[self.range(face)])
    }

    fn range(&self, face: usize) -> Range<usize> {
        match self.starts {
            Some(starts) => starts[face] as usize..starts[face + 1] as usize,
            None => face * 3..face * 3 + 3,
        }
    }

    /// The face that a corner belongs to.
    fn face_of(&self, corner: u32) -> usize {
        match self.starts {
            Some(starts) => starts.partition_point(|&start| start <= corner) - 1,
            None => corner as usize / 3,
        }
    }

    /// The vertices before and after a corner in its face.
    fn beside(&self, corner: u32, face: usize) -> [u32; 2] {
        let range = self.range(face);
        let (at, n) = (corner as usize - range.start, range.len());
        [at + n - 1, at + 1].map(|i| self.corners[range.start + i % n])
    }
}

/// Groups vertices at the same position; each group is a place.
pub(crate) struct Places {
    /// The first vertex at each vertex's position.
    places: Vec<u32>,
    /// The corners of all places in a row, and the start of each place.
    around: Vec<u32>,
    starts: Vec<u32>,
}

impl Places {
    pub(crate) fn of(positions: &[Vec3], corners: &[u32]) -> Self {
        let places = first_at_position(positions);
        let mut starts = vec![0_u32; places.len() + 1];
        for &vertex in corners {
            starts[places[vertex as usize] as usize] += 1;
        }
        // First the end of each place...
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut around = vec![0; corners.len()];
        // ...and, once all corners are put before it, its start.
        for (corner, &vertex) in corners.iter().enumerate().rev() {
            let slot = &mut starts[places[vertex as usize] as usize];
            *slot -= 1;
            around[*slot as usize] = corner as u32;
        }
        Self { places, around, starts }
    }

    fn smooth(
        &self,
        faces: FaceList<'_>,
        area: impl Fn(usize) -> DVec3,
        degrees: f32,
        mut each: impl FnMut(SmoothPlace<'_>),
    ) {
        let (least, mut fan) = (least(degrees), Fan::default());
        for corners in self.corners() {
            fan.load(&faces, &area, &self.places, corners);
            fan.smooth(least);
            each(fan.place(corners));
        }
    }

    /// The corners at each place, in their order.
    pub(crate) fn corners(&self) -> impl Iterator<Item = &[u32]> {
        self.starts.windows(2).map(|range| &self.around[range[0] as usize..range[1] as usize])
    }
}

/// The smallest dot product of two unit normals that are within an angle of each other.
fn least(degrees: f32) -> f64 {
    f64::from(degrees.clamp(0.0, 180.0)).to_radians().cos() - SLACK
}

/// Triangles to be smoothed by any angle. Places are processed in blocks, so that only a small part of all corners is
/// in memory.
pub(crate) struct Smoother<'a> {
    positions: &'a [Vec3],
    corners: &'a [u32],
    places: Vec<u32>,
    /// The number of corners before each place.
    starts: Vec<u32>,
}

impl<'a> Smoother<'a> {
    /// Takes three corners per triangle; every one must be below the number of positions.
    pub(crate) fn new(positions: &'a [Vec3], corners: &'a [u32]) -> Self {
        let places = first_at_position(positions);
        let mut starts = vec![0_u32; places.len() + 1];
        for &vertex in corners {
            starts[places[vertex as usize] as usize + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        Self { positions, corners, places, starts }
    }

    /// Computes the normals of all corners for each of some angles, place after place. `each` gets the index of the angle,
    /// and whether the normals are those of the angle before it.
    pub(crate) fn smooth(&self, degrees: &[f32], mut each: impl FnMut(usize, SmoothPlace<'_>, bool)) {
        let faces = FaceList { corners: self.corners, starts: None };
        let area = |face: usize| area(self.positions, &self.corners[faces.range(face)]);
        let least: Vec<f64> = degrees.iter().map(|&degrees| least(degrees)).collect();
        let mut fan = Fan::default();
        let mut around = Vec::new();
        let mut first = 0;
        while first < self.places.len() {
            let end = self.block(first);
            self.gather(first, end, &mut around);
            let base = self.starts[first];
            for range in self.starts[first..=end].windows(2) {
                let corners = &around[(range[0] - base) as usize..(range[1] - base) as usize];
                fan.load(&faces, area, &self.places, corners);
                let mut before = None;
                for (i, &least) in least.iter().enumerate() {
                    let joined = Some(fan.joined(least));
                    if joined != before {
                        fan.smooth(least);
                    }
                    each(i, fan.place(corners), joined == before);
                    before = joined;
                }
            }
            first = end;
        }
    }

    /// The end of the block that starts at a place: that place, and more of them while their corners are few.
    fn block(&self, first: usize) -> usize {
        let room = (self.corners.len() / BLOCKS).max(LEAST_BLOCK) as u32;
        let most = self.starts[first].saturating_add(room);
        let more = self.starts[first + 2..].partition_point(|&end| end <= most);
        first + 1 + more
    }

    /// The corners of a range of places, in the order of the places.
    fn gather(&self, first: usize, end: usize, around: &mut Vec<u32>) {
        let base = self.starts[first];
        let mut next: Vec<u32> = self.starts[first..end].iter().map(|start| start - base).collect();
        around.clear();
        around.resize((self.starts[end] - base) as usize, 0);
        for (corner, &vertex) in self.corners.iter().enumerate() {
            let place = (self.places[vertex as usize] as usize).wrapping_sub(first);
            if let Some(next) = next.get_mut(place) {
                around[*next as usize] = corner as u32;
                *next += 1;
            }
        }
    }
}

/// The first vertex at each vertex's position.
pub(crate) fn first_at_position(positions: &[Vec3]) -> Vec<u32> {
    // Adding zero turns −0 into 0.
    let bits = |i: usize| (positions[i] + Vec3::ZERO).to_array().map(f32::to_bits);
    let hash = |i: usize, hash: Hash| {
        let [x, y, z] = bits(i);
        hash.add(x, y).add(z, 0)
    };
    first_equal(positions.len(), hash, |a, b| bits(a) == bits(b))
}

/// The faces around one place.
#[derive(Default)]
struct Fan {
    /// Face normals with a length of twice the area.
    areas: Vec<DVec3>,
    units: Vec<DVec3>,
    /// The far ends of the two edges at the place, with the face's index in the fan.
    edges: Vec<(u32, u32)>,
    /// Another face of the same group, or the face itself.
    group: Vec<u32>,
    /// The sum of the areas of each group, at its root.
    sums: Vec<DVec3>,
    /// The index of each group's normal.
    numbers: Vec<Option<u32>>,
    /// The index of each face's normal.
    of_corner: Vec<u32>,
    /// A unit normal for each group.
    normals: Vec<Vec3>,
}

impl Fan {
    fn load(&mut self, faces: &FaceList<'_>, area: impl Fn(usize) -> DVec3, places: &[u32], corners: &[u32]) {
        self.areas.clear();
        self.units.clear();
        self.edges.clear();
        for (i, &corner) in corners.iter().enumerate() {
            let face = faces.face_of(corner);
            let area = area(face);
            self.areas.push(area);
            self.units.push(area.normalize_or_zero());
            let ends = faces.beside(corner, face);
            self.edges.extend(ends.map(|end| (places[end as usize], i as u32)));
        }
        self.edges.sort_unstable();
    }

    /// Visits the pairs of faces that share an edge, if the cosine of the angle between them is at least this.
    #[inline(always)]
    fn pairs(&self, least: f64, mut each: impl FnMut(u32, u32)) {
        for edge in self.edges.chunk_by(|a, b| a.0 == b.0) {
            let reach = if edge.len() > MOST_AT_EDGE { 1 } else { edge.len() };
            for (i, &(_, a)) in edge.iter().enumerate() {
                for &(_, b) in edge[i + 1..].iter().take(reach) {
                    if self.units[a as usize].dot(self.units[b as usize]) >= least {
                        each(a, b);
                    }
                }
            }
        }
    }

    /// The number of pairs of faces that are joined. Angles with the same number join the same pairs, since the pairs of a
    /// smaller angle are among those of a larger one.
    fn joined(&self, least: f64) -> usize {
        let mut count = 0;
        self.pairs(least, |_, _| count += 1);
        count
    }

    /// Computes the normals of the loaded faces.
    fn smooth(&mut self, least: f64) {
        let mut group = std::mem::take(&mut self.group);
        group.clear();
        group.extend(0..self.areas.len() as u32);
        self.pairs(least, |a, b| {
            let (a, b) = (root(&mut group, a), root(&mut group, b));
            group[a.max(b) as usize] = a.min(b);
        });
        self.mean(&mut group);
        self.group = group;
    }

    /// The normals that were computed last.
    fn place<'a>(&'a self, corners: &'a [u32]) -> SmoothPlace<'a> {
        SmoothPlace { corners, of_corner: &self.of_corner, normals: &self.normals }
    }

    /// Computes the normal of each group.
    fn mean(&mut self, group: &mut [u32]) {
        self.sums.clear();
        self.sums.extend_from_slice(&self.areas);
        for i in 0..group.len() {
            let root = root(group, i as u32) as usize;
            if root != i {
                self.sums[root] += self.areas[i];
            }
        }
        self.numbers.clear();
        self.numbers.resize(group.len(), None);
        self.of_corner.clear();
        self.normals.clear();
        for i in 0..group.len() {
            let root = root(group, i as u32) as usize;
            let number = *self.numbers[root].get_or_insert_with(|| {
                let own = if self.units[root] == DVec3::ZERO { DVec3::Z } else { self.units[root] };
                self.normals.push(self.sums[root].try_normalize().unwrap_or(own).as_vec3());
                self.normals.len() as u32 - 1
            });
            self.of_corner.push(number);
        }
    }
}

/// The first member of a group.
fn root(group: &mut [u32], mut member: u32) -> u32 {
    while group[member as usize] != member {
        let above = group[group[member as usize] as usize];
        group[member as usize] = above;
        member = above;
    }
    member
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two triangles that meet at an angle along Y, without shared vertices.
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
    fn blocks_of_places_and_several_angles_change_nothing() {
        // A bent grid with more corners than one block.
        let (width, height) = (220_u32, 220_u32);
        let place = |i: u32| {
            let (x, y) = ((i % width) as f32, (i / width) as f32);
            Vec3::new(x, y, (x * 0.7).sin() + (y * 1.3).cos())
        };
        let positions: Vec<Vec3> = (0..width * height).map(place).collect();
        let quads = (0..width * (height - 1)).filter(|i| i % width < width - 1);
        let triangles: Vec<[u32; 3]> =
            quads.flat_map(|i| [[i, i + 1, i + width], [i + 1, i + width + 1, i + width]]).collect();
        assert!(triangles.len() * 3 > 3 * LEAST_BLOCK);
        let angles = [180.0, 60.0, 50.0, 30.0, 0.0];
        let all = angles.map(|degrees| smooth_normals(&positions, &triangles, degrees));
        let mut seen = angles.map(|_| vec![false; triangles.len() * 3]);
        let mut repeated = 0;
        Smoother::new(&positions, triangles.as_flattened()).smooth(&angles, |angle, place, is_same| {
            repeated += usize::from(is_same);
            for (&corner, &number) in place.corners.iter().zip(place.of_corner) {
                let (corner, all) = (corner as usize, &all[angle]);
                assert_eq!(place.normals[number as usize], all.normals[all.of_corner[corner] as usize]);
                assert!(!std::mem::replace(&mut seen[angle][corner], true));
            }
        });
        assert!(seen.iter().flatten().all(|seen| *seen));
        assert!(repeated > 1000 && repeated < 3 * positions.len(), "{repeated}");
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
