//! The model's own units.

use ligament::math::{DVec3, Vec3};
use ligament::pose::Bounds;

/// Converts a scene's coordinates to the model's own units, in which its centre is the origin and its size one. Everything
/// is drawn in these, so that a model of a million metres and one of a micron look the same, and numbers stay within the
/// precision of f32 and depth buffers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Space {
    center: DVec3,
    size: f64,
}

impl Space {
    /// The space of a box; without a box, or if it is a point, lengths are not scaled.
    pub fn of(bounds: Option<Bounds>) -> Self {
        let Some(bounds) = bounds else { return Self { center: DVec3::ZERO, size: 1.0 } };
        let (min, max) = (bounds.min.as_dvec3(), bounds.max.as_dvec3());
        let size = (max - min).length();
        let size = if size > 1e-30 && size.is_finite() { size } else { 1.0 };
        Self { center: (min + max) * 0.5, size }
    }

    /// The length that becomes one.
    pub fn size(&self) -> f64 {
        self.size
    }

    /// The point that becomes the origin.
    pub fn center(&self) -> DVec3 {
        self.center
    }

    /// Converts a point; the origin if it is not finite.
    pub fn place(&self, scene: DVec3) -> Vec3 {
        let own = ((scene - self.center) / self.size).as_vec3();
        if own.is_finite() { own.clamp(Vec3::splat(-1e9), Vec3::splat(1e9)) } else { Vec3::ZERO }
    }

    /// Converts a length.
    pub fn length(&self, scene: f64) -> f64 {
        scene / self.size
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_and_small_models_are_of_size_one() {
        for size in [1e-6_f32, 1.0, 1e6, 1e30] {
            let bounds = Bounds { min: Vec3::splat(-size), max: Vec3::splat(size) };
            let space = Space::of(Some(bounds));
            let corner = space.place(bounds.max.as_dvec3());
            assert!((corner.length() - 0.5).abs() < 1e-6, "{size}: {corner}");
        }
    }

    #[test]
    fn what_is_not_finite_is_the_origin() {
        let point = Bounds { min: Vec3::ONE, max: Vec3::ONE };
        for space in [Space::of(None), Space::of(Some(point))] {
            assert_eq!(space.place(DVec3::splat(f64::NAN)), Vec3::ZERO);
            assert_eq!(space.place(DVec3::splat(f64::INFINITY)), Vec3::ZERO);
            assert!(space.place(DVec3::splat(1e300)).is_finite());
        }
        assert_eq!(Space::of(Some(point)).place(DVec3::splat(2.0)), Vec3::ONE);
    }
}
