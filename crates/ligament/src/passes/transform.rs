//! Geometry helpers of several passes: moves a part by a matrix, and removes stored bounds.

use crate::formats::owns_extras;
use crate::scene::{Extras, Faces, Part, Scene};
use glam::{DMat3, DMat4, DVec3, Vec3, Vec4};

/// A matrix prepared for positions, normals and tangents.
pub(super) struct Mover {
    matrix: DMat4,
    block: DMat3,
    normals: DMat3,
    mirrors: bool,
}

impl Mover {
    pub(super) fn new(matrix: &DMat4) -> Self {
        let block = DMat3::from_mat4(*matrix);
        let determinant = block.determinant();
        let inverse = block.inverse();
        // A singular matrix has no inverse; its cofactors still transform normals correctly (and need no division).
        let normals =
            if determinant != 0.0 && inverse.is_finite() { inverse.transpose() } else { cofactors(&block) };
        Self { matrix: *matrix, block, normals, mirrors: determinant < 0.0 }
    }

    /// The same with a separate matrix for normals, for blended transforms.
    pub(super) fn with_normals(matrix: &DMat4, normals: &DMat3) -> Self {
        let block = DMat3::from_mat4(*matrix);
        Self { matrix: *matrix, block, normals: *normals, mirrors: block.determinant() < 0.0 }
    }

    /// The matrix for normals.
    pub(super) fn normal_matrix(&self) -> &DMat3 {
        &self.normals
    }

    pub(super) fn position(&self, position: &mut Vec3) {
        *position = self.matrix.transform_point3(position.as_dvec3()).as_vec3();
    }

    /// Transforms a difference of positions.
    pub(super) fn direction(&self, direction: &mut Vec3) {
        *direction = (self.block * direction.as_dvec3()).as_vec3();
    }

    pub(super) fn normal(&self, normal: &mut Vec3) {
        *normal = unit(self.normals * normal.as_dvec3(), *normal);
    }

    pub(super) fn tangent(&self, tangent: &mut Vec4) {
        let direction = unit(self.block * tangent.truncate().as_dvec3(), tangent.truncate());
        // The bitangent is the cross product of normal and tangent, which a mirror reverses.
        *tangent = direction.extend(if self.mirrors { -tangent.w } else { tangent.w });
    }

    /// Moves the morph deltas of one vertex. Deltas of normals are differences of unit vectors, so they scale as the
    /// normal itself does.
    pub(super) fn morphs(&self, part: &mut Part, vertex: usize, normal_before: Option<Vec3>) {
        let scale = normal_before.map_or(1.0, |n| {
            let length = (self.normals * n.as_dvec3()).length();
            if length > 0.0 { length.recip() } else { 1.0 }
        });
        for deltas in &mut part.morphs {
            if let Some(delta) = deltas.positions.get_mut(vertex) {
                self.direction(delta);
            }
            if let Some(delta) = deltas.normals.get_mut(vertex) {
                *delta = (self.normals * delta.as_dvec3() * scale).as_vec3();
            }
            if let Some(delta) = deltas.tangents.get_mut(vertex) {
                self.direction(delta);
            }
        }
    }

    /// Moves one vertex with all its attributes.
    pub(super) fn vertex(&self, part: &mut Part, vertex: usize) {
        let normal_before = part.normals.get(vertex).copied();
        self.position(&mut part.positions[vertex]);
        if let Some(normal) = part.normals.get_mut(vertex) {
            self.normal(normal);
        }
        if let Some(tangent) = part.tangents.get_mut(vertex) {
            self.tangent(tangent);
        }
        if !part.morphs.is_empty() {
            self.morphs(part, vertex, normal_before);
        }
    }

    /// Whether the matrix turns shapes inside out.
    pub(super) fn mirrors(&self) -> bool {
        self.mirrors
    }
}

fn cofactors(m: &DMat3) -> DMat3 {
    DMat3::from_cols(m.y_axis.cross(m.z_axis), m.z_axis.cross(m.x_axis), m.x_axis.cross(m.y_axis))
}

fn unit(vector: DVec3, otherwise: Vec3) -> Vec3 {
    vector.try_normalize().map_or(otherwise, |v| v.as_vec3())
}

/// Moves a whole part; its faces are not changed.
pub(super) fn transform_part(part: &mut Part, matrix: &DMat4) {
    let mover = Mover::new(matrix);
    for vertex in 0..part.positions.len() {
        mover.vertex(part, vertex);
    }
}

/// Flips every face.
pub(super) fn flip_faces(faces: &mut Faces) {
    match faces {
        Faces::Triangles(corners) => corners.chunks_exact_mut(3).for_each(|c| c.swap(1, 2)),
        Faces::Polygons { starts, corners } => {
            for face in starts.windows(2) {
                // The first corner stays first, so that fans from it stay the same.
                corners[face[0] as usize..face[1] as usize].get_mut(1..).unwrap_or(&mut []).reverse();
            }
        }
        Faces::Points(_) | Faces::Lines(_) => {}
    }
}

/// Removes bounds that a format stored with the scene and its clips. They no longer hold once vertices have moved, and
/// the exporter computes them again.
pub(super) fn forget_bounds(scene: &mut Scene) {
    let forget = |extras: &mut Extras| {
        let own = extras.iter_mut().filter(|(key, _)| owns_extras(key));
        for values in own.filter_map(|(_, value)| value.as_object_mut()) {
            values.retain(|key, _| !key.contains("bounds"));
        }
    };
    forget(&mut scene.extras);
    scene.clips.iter_mut().for_each(|clip| forget(&mut clip.extras));
}
