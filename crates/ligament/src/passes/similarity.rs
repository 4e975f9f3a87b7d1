//! Transforms that can be multiplied in front of an animated local without changing its kind.

use crate::scene::{Trs, Values};
use glam::{DMat3, DMat4, DQuat, DVec3, Quat, Vec3};

/// Translation, rotation and uniform scale (negative if it mirrors). Multiplied in front of `T · R · S`, it gives such
/// a product again, exactly, for every value and between keys.
pub(super) struct Similarity {
    translation: DVec3,
    rotation: DQuat,
    scale: f64,
}

impl Similarity {
    /// The matrix as a similarity, if it is one within f32 rounding.
    pub(super) fn of(matrix: &DMat4) -> Option<Self> {
        let block = DMat3::from_mat4(*matrix);
        let size = block.determinant().abs().cbrt();
        if size <= 0.0 || !matrix.is_finite() {
            return None;
        }
        let scale = if block.determinant() < 0.0 { -size } else { size };
        let rotation = block * (1.0 / scale);
        let error = (rotation * rotation.transpose() - DMat3::IDENTITY).to_cols_array();
        let error = error.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        (error <= 1e-6).then(|| Self {
            translation: matrix.w_axis.truncate(),
            rotation: DQuat::from_mat3(&rotation).normalize(),
            scale,
        })
    }

    fn point(&self, point: Vec3) -> Vec3 {
        (self.direction(point) + self.translation).as_vec3()
    }

    fn direction(&self, direction: Vec3) -> DVec3 {
        self.rotation * (direction.as_dvec3() * self.scale)
    }

    fn turn(&self, rotation: Quat) -> Quat {
        (self.rotation * rotation.as_dquat()).as_quat()
    }

    fn size(&self, scale: Vec3) -> Vec3 {
        (scale.as_dvec3() * self.scale).as_vec3()
    }

    /// `self · trs`.
    pub(super) fn before(&self, trs: &Trs) -> Trs {
        Trs {
            translation: self.point(trs.translation),
            rotation: self.turn(trs.rotation),
            scale: self.size(trs.scale),
        }
    }

    /// The same for the values of a track; tangents of cubic keys are directions.
    pub(super) fn before_track(&self, values: &mut Values, is_cubic: bool) {
        match values {
            Values::Translation(values) => {
                for (i, value) in values.iter_mut().enumerate() {
                    let is_tangent = is_cubic && i % 3 != 1;
                    *value = if is_tangent { self.direction(*value).as_vec3() } else { self.point(*value) };
                }
            }
            Values::Rotation(values) => values.iter_mut().for_each(|q| *q = self.turn(*q)),
            Values::Scale(values) => values.iter_mut().for_each(|s| *s = self.size(*s)),
            Values::MorphWeights { .. } => {}
        }
    }
}
