//! Rotations by angles, with the same bits on every platform: sines and cosines of the system's C library differ in the last
//! one, and where a quarter turn should give zero, that is all that is left of a coordinate.

use glam::{DQuat, DVec3};

/// The rotation about a unit axis by an angle in radians.
pub(crate) fn about(axis: DVec3, angle: f64) -> DQuat {
    let (sin, cos) = libm::sincos(angle * 0.5);
    let DVec3 { x, y, z } = axis * sin;
    DQuat::from_xyzw(x, y, z, cos)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_usual_rotation() {
        for angle in [0.0, 0.3, -1.7, 2.0, 40.0] {
            for axis in [DVec3::X, DVec3::NEG_Z, DVec3::new(0.6, 0.0, 0.8)] {
                let (ours, theirs) = (about(axis, angle), DQuat::from_axis_angle(axis, angle));
                assert!((ours - theirs).length() < 1e-15, "{axis} {angle}");
            }
        }
    }

    /// Rounded correctly: sin and cos of half of the f32 nearest to a quarter turn.
    #[test]
    fn a_quarter_turn_has_these_bits() {
        let quarter = about(DVec3::X, f64::from(std::f32::consts::FRAC_PI_2));
        assert_eq!([quarter.x, quarter.w].map(f64::to_bits), [0x3FE6_A09E_6ECB_41FE, 0x3FE6_A09E_5E33_3598]);
    }
}
