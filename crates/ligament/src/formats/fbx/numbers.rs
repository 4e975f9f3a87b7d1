//! Converts `ufbx` numbers to those of a scene: f32, and always finite.

use crate::scene::Trs;
use glam::{DMat4, DQuat, DVec3, Mat4, Quat, Vec2, Vec3, Vec4};

/// Converts numbers to finite ones, and counts those that were not.
#[derive(Debug, Default)]
pub(super) struct Finite {
    /// The number of values that were replaced.
    pub(super) replaced: usize,
}

impl Finite {
    fn or<T>(&mut self, value: T, is_finite: bool, instead: T) -> T {
        if is_finite {
            return value;
        }
        self.replaced += 1;
        instead
    }

    pub(super) fn real(&mut self, value: f64) -> f32 {
        let value = value as f32;
        self.or(value, value.is_finite(), 0.0)
    }

    pub(super) fn vec2(&mut self, v: ufbx::Vec2) -> Vec2 {
        let v = Vec2::new(v.x as f32, v.y as f32);
        self.or(v, v.is_finite(), Vec2::ZERO)
    }

    pub(super) fn vec3(&mut self, v: ufbx::Vec3) -> Vec3 {
        let v = Vec3::new(v.x as f32, v.y as f32, v.z as f32);
        self.or(v, v.is_finite(), Vec3::ZERO)
    }

    pub(super) fn vec4(&mut self, v: ufbx::Vec4) -> Vec4 {
        let v = Vec4::new(v.x as f32, v.y as f32, v.z as f32, v.w as f32);
        self.or(v, v.is_finite(), Vec4::ZERO)
    }

    /// A normalised direction; a zero vector is left unchanged.
    pub(super) fn direction(&mut self, v: ufbx::Vec3) -> Vec3 {
        let v = self.vec3(v);
        let length = v.length_squared();
        if (length - 1.0).abs() < 1e-6 { v } else { v.as_dvec3().normalize_or_zero().as_vec3() }
    }

    pub(super) fn scale(&mut self, v: ufbx::Vec3) -> Vec3 {
        let v = Vec3::new(v.x as f32, v.y as f32, v.z as f32);
        self.or(v, v.is_finite(), Vec3::ONE)
    }

    /// A unit quaternion.
    pub(super) fn quat(&mut self, q: ufbx::Quat) -> Quat {
        self.dquat(dquat(q))
    }

    pub(super) fn dvec3(&mut self, v: DVec3) -> Vec3 {
        let v = v.as_vec3();
        self.or(v, v.is_finite(), Vec3::ZERO)
    }

    pub(super) fn dquat(&mut self, q: DQuat) -> Quat {
        let unit = q.as_quat();
        self.or(unit, unit.is_finite() && unit.is_normalized(), Quat::IDENTITY)
    }

    /// How fast a quaternion changes.
    pub(super) fn slope(&mut self, q: DQuat) -> Quat {
        let slope = q.as_quat();
        self.or(slope, slope.is_finite(), Quat::from_xyzw(0.0, 0.0, 0.0, 0.0))
    }

    pub(super) fn trs(&mut self, transform: &ufbx::Transform) -> Trs {
        Trs {
            translation: self.vec3(transform.translation),
            rotation: self.quat(transform.rotation),
            scale: self.scale(transform.scale),
        }
    }

    /// An affine matrix, column by column.
    pub(super) fn matrix(&mut self, matrix: &ufbx::Matrix) -> [f32; 16] {
        let matrix = dmat4(matrix).as_mat4();
        self.or(matrix, matrix.is_finite(), Mat4::IDENTITY).to_cols_array()
    }
}

pub(super) fn dvec3(v: ufbx::Vec3) -> DVec3 {
    DVec3::new(v.x, v.y, v.z)
}

/// A normalised quaternion, if its length allows it.
pub(super) fn dquat(q: ufbx::Quat) -> DQuat {
    DQuat::from_xyzw(q.x, q.y, q.z, q.w).normalize()
}

pub(super) fn dmat4(m: &ufbx::Matrix) -> DMat4 {
    DMat4::from_cols_array_2d(&[
        [m.m00, m.m10, m.m20, 0.0],
        [m.m01, m.m11, m.m21, 0.0],
        [m.m02, m.m12, m.m22, 0.0],
        [m.m03, m.m13, m.m23, 1.0],
    ])
}

/// Colours: the first three of four numbers.
pub(super) fn rgb(v: Vec4) -> [f32; 3] {
    [v.x, v.y, v.z]
}
