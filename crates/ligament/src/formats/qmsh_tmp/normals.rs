//! Normals from the smoothing angle, for reading files and for choosing the angle when writing them.

use super::document::Faces;
use super::space;
use crate::mesh::smoothing::{SmoothNormals, smooth_normals};
use crate::scene::is_similarity;
use glam::{DMat4, Vec3};
use std::borrow::Cow;

/// Converts all faces to triangles. A quad is split between its second and its fourth corner.
pub(super) fn triangles(faces: &Faces) -> Vec<[u32; 3]> {
    let mut triangles = Vec::with_capacity(faces.corners.len() - 2 * faces.heads.len());
    for (_, corners) in faces.iter() {
        match *corners {
            [a, b, c] => triangles.push([a, b, c].map(|c| c.vertex)),
            [a, b, c, d] => triangles.extend([[b, c, d], [a, b, d]].map(|t| t.map(|c| c.vertex))),
            _ => {}
        }
    }
    triangles
}

/// A mesh in world space, where angles and areas are measured.
pub(super) struct Seen<'a> {
    pub(super) positions: Cow<'a, [Vec3]>,
    /// Maps normals back to the mesh's own space.
    back: Option<DMat4>,
}

impl<'a> Seen<'a> {
    /// Transforms a mesh by a matrix.
    pub(super) fn through(shape: &DMat4, positions: &'a [Vec3]) -> Self {
        if is_similarity(shape) || space::invert(shape).is_none() {
            return Self { positions: Cow::Borrowed(positions), back: None };
        }
        let seen = positions.iter().map(|v| shape.transform_point3(v.as_dvec3()).as_vec3()).collect();
        Self { positions: seen, back: Some(shape.transpose() * shape.determinant().signum()) }
    }

    /// Converts a normal to the mesh's own space.
    pub(super) fn own(&self, normal: Vec3) -> Vec3 {
        let Some(back) = self.back else { return normal };
        let own = back.transform_vector3(normal.as_dvec3());
        own.try_normalize().map_or(Vec3::Z, |n| n.as_vec3())
    }
}

/// The normals of all corners in the mesh's own space. `shape` is the mesh's transform.
pub(super) fn by_angle(
    vertices: &[Vec3],
    triangles: &[[u32; 3]],
    shape: &DMat4,
    degrees: f64,
) -> SmoothNormals {
    let seen = Seen::through(shape, vertices);
    let mut smooth = smooth_normals(&seen.positions, triangles, degrees as f32);
    smooth.normals.iter_mut().for_each(|normal| *normal = seen.own(*normal));
    smooth
}
