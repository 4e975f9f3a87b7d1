//! Normals from the smoothing angle, for reading files and for choosing the angle when writing them.

use super::document::Faces;
use super::space;
use crate::passes::smoothing::{SmoothNormals, smooth_normals};
use glam::{DMat4, Vec3};

/// All faces as triangles. A quad is cut between its second and its fourth corner.
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

/// The normals of all corners in the mesh's own space. `shape` is the matrix that the mesh is seen through: angles and
/// areas are those in the world.
pub(super) fn by_angle(
    vertices: &[Vec3],
    triangles: &[[u32; 3]],
    shape: &DMat4,
    degrees: f64,
) -> SmoothNormals {
    if space::is_similarity(shape) || space::invert(shape).is_none() {
        return smooth_normals(vertices, triangles, degrees as f32);
    }
    let seen: Vec<Vec3> = vertices.iter().map(|v| shape.transform_point3(v.as_dvec3()).as_vec3()).collect();
    let mut smooth = smooth_normals(&seen, triangles, degrees as f32);
    let back = shape.transpose();
    let sign = shape.determinant().signum();
    for normal in &mut smooth.normals {
        let own = back.transform_vector3(normal.as_dvec3()) * sign;
        *normal = own.try_normalize().map_or(Vec3::Z, |n| n.as_vec3());
    }
    smooth
}
