//! Normals from faces.

use super::smoothing::{FaceList, Places, area};
use crate::scene::Faces;
use glam::{DVec3, Vec3};

/// If more corners than this are at one position, all their faces are averaged without looking for hard edges.
const MOST_CORNERS: usize = 1024;

/// A face's contribution to one of its corners.
struct Corner {
    /// Unit normal of the face; zero if it has no area.
    face: DVec3,
    angle: f64,
}

impl Corner {
    /// One entry per corner of the faces, in order.
    fn all(positions: &[Vec3], faces: FaceList<'_>) -> Vec<Corner> {
        let at = |corner: u32| positions[corner as usize].as_dvec3();
        let mut all = Vec::with_capacity(faces.corners.len());
        for face in faces.iter() {
            let normal = area(positions, face).normalize_or_zero();
            let n = face.len();
            for i in 0..n {
                let here = at(face[i]);
                let angle = (at(face[(i + n - 1) % n]) - here).angle_between(at(face[(i + 1) % n]) - here);
                all.push(Corner { face: normal, angle: if angle.is_finite() { angle } else { 0.0 } });
            }
        }
        all
    }

    fn share(&self) -> DVec3 {
        self.face * self.angle
    }
}

/// Normals of face corners. Each is the mean of the faces around the corner that are within the crease angle (in
/// degrees) of its own face, weighted by their angles there.
pub(crate) fn facing(positions: &[Vec3], faces: FaceList<'_>, crease: f32) -> Vec<Vec3> {
    let corners = Corner::all(positions, faces);
    // A little slack, so that coplanar faces that differ by rounding share a normal.
    let least = f64::from(crease).to_radians().cos().min(1.0 - 1e-9);
    let mut normals = vec![Vec3::ZERO; corners.len()];
    for indices in Places::of(positions, faces.corners).corners() {
        let around = || indices.iter().map(|&i| &corners[i as usize]);
        let all = (around().len() > MOST_CORNERS || crease >= 180.0)
            .then(|| around().map(Corner::share).sum::<DVec3>());
        for (&index, corner) in indices.iter().zip(around()) {
            let near = || around().filter(|c| c.face.dot(corner.face) >= least).map(Corner::share).sum();
            let own = if corner.face == DVec3::ZERO { DVec3::Y } else { corner.face };
            normals[index as usize] = all.unwrap_or_else(near).try_normalize().unwrap_or(own).as_vec3();
        }
    }
    normals
}

/// Normals of the corners of faces in smoothing groups, in the order of the corners. Each is the mean of the faces of
/// the same group around the corner's position, weighted by their angles at it. A face in group 0 is in no group and
/// flat. There is one group per face, and every index is below the number of positions.
pub(crate) fn group_normals(positions: &[Vec3], faces: &Faces, groups: &[u32]) -> Vec<Vec3> {
    let list = FaceList::of(faces);
    let corners = Corner::all(positions, list);
    let sizes = list.iter().zip(groups).map(|(face, group)| std::iter::repeat_n(*group, face.len()));
    let groups: Vec<u32> = sizes.flatten().collect();
    let mut normals = vec![Vec3::Y; corners.len()];
    let mut around: Vec<u32> = Vec::new();
    for indices in Places::of(positions, list.corners).corners() {
        around.clear();
        around.extend_from_slice(indices);
        around.sort_by_key(|&i| groups[i as usize]);
        for same in around.chunk_by(|&a, &b| groups[a as usize] == groups[b as usize]) {
            let is_group = groups[same[0] as usize] != 0;
            let mean: DVec3 = same.iter().map(|&i| corners[i as usize].share()).sum();
            for &index in same {
                let own = corners[index as usize].face;
                let own = if own == DVec3::ZERO { DVec3::Y } else { own };
                let normal = if is_group { mean.try_normalize().unwrap_or(own) } else { own };
                normals[index as usize] = normal.as_vec3();
            }
        }
    }
    normals
}
