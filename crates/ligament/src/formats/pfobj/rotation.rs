//! Conversion of rotations between the two dialects and a scene.

use super::EulerOrder;
use super::document::{Dialect, Rotation};
use super::read::is_unit;
use crate::angles::about;
use glam::{DMat3, DQuat, DVec3, Quat};

/// Converts a file's rotation to a scene's.
///
/// A quaternion of length one (to six decimals) is only conjugated, so that it can be restored bit for bit; others are
/// normalised.
pub(super) fn to_scene(rotation: Rotation, order: EulerOrder) -> Quat {
    match rotation {
        Rotation::Quaternion([x, y, z, w]) => {
            let conjugate = Quat::from_xyzw(-x, -y, -z, w);
            if is_unit([x, y, z, w]) {
                return conjugate;
            }
            let length = conjugate.as_dquat().length();
            if length > 0.0 { (conjugate.as_dquat() / length).as_quat() } else { Quat::IDENTITY }
        }
        Rotation::Angles(degrees) => {
            let [x, y, z] = degrees.map(f64::to_radians);
            let (x, y, z) = (about(DVec3::X, x), about(DVec3::Y, y), about(DVec3::Z, z));
            let turned = match order {
                EulerOrder::Zyx => z * y * x,
                EulerOrder::Xyz => x * y * z,
            };
            turned.normalize().as_quat()
        }
    }
}

/// Converts a scene's rotation to the dialect's.
pub(super) fn from_scene(dialect: Dialect, order: EulerOrder, rotation: Quat) -> Rotation {
    match dialect {
        Dialect::Engine => Rotation::Quaternion([-rotation.x, -rotation.y, -rotation.z, rotation.w]),
        Dialect::Document => {
            let rotation = rotation.as_dquat().normalize();
            Rotation::Angles(match order {
                EulerOrder::Zyx => euler_degrees(rotation),
                // The inverse of Rx(a) · Ry(b) · Rz(c) is Rz(−c) · Ry(−b) · Rx(−a).
                EulerOrder::Xyz => euler_degrees(rotation.inverse()).map(|angle| -angle),
            })
        }
    }
}

/// Angles about X, Y and Z with `R = Rz · Ry · Rx`.
fn euler_degrees(rotation: DQuat) -> [f64; 3] {
    let m = DMat3::from_quat(rotation);
    let across = m.x_axis.x.hypot(m.x_axis.y);
    let y = (-m.x_axis.z).atan2(across);
    let (x, z) = if across > 1e-8 {
        (m.y_axis.z.atan2(m.z_axis.z), m.x_axis.y.atan2(m.x_axis.x))
    } else {
        // X and Z rotate about the same axis; X gets the whole angle.
        ((-m.z_axis.y).atan2(m.y_axis.y), 0.0)
    };
    [x.to_degrees(), y.to_degrees(), z.to_degrees()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn angle(a: Quat, b: Quat) -> f64 {
        let between = a.as_dquat().normalize().inverse() * b.as_dquat().normalize();
        2.0 * between.xyz().length().atan2(between.w.abs())
    }

    #[test]
    fn quaternions_come_back_bit_for_bit() {
        let stored = [-0.0, 0.6, -0.8, 0.0_f32];
        let order = EulerOrder::Zyx;
        let scene = to_scene(Rotation::Quaternion(stored), order);
        let Rotation::Quaternion(again) = from_scene(Dialect::Engine, order, scene) else {
            panic!("the engine's rotations are quaternions");
        };
        assert_eq!(again.map(f32::to_bits), stored.map(f32::to_bits));
    }

    #[test]
    fn angles_turn_about_x_first_unless_told_otherwise() {
        // 90° about X takes Y to Z, and then 90° about Z leaves it there; the other order takes it to −X.
        let turned = |order| to_scene(Rotation::Angles([90.0, 0.0, 90.0]), order) * glam::Vec3::Y;
        assert!((turned(EulerOrder::Zyx) - glam::Vec3::Z).length() < 1e-6);
        assert!((turned(EulerOrder::Xyz) + glam::Vec3::X).length() < 1e-6);
    }

    #[test]
    fn angles_are_found_where_two_axes_coincide() {
        for y in [90.0, -90.0, 89.99999, -89.9999] {
            for x in [0.0, 30.0, -170.0] {
                for z in [0.0, 45.0, 179.0] {
                    for order in [EulerOrder::Zyx, EulerOrder::Xyz] {
                        let rotation = to_scene(Rotation::Angles([x, y, z]), order);
                        let again = to_scene(from_scene(Dialect::Document, order, rotation), order);
                        assert!(angle(rotation, again) < 1e-6, "{x} {y} {z}: {}", angle(rotation, again));
                    }
                }
            }
        }
    }

    proptest! {
        #[test]
        fn any_rotation_survives_the_angles(parts in proptest::array::uniform4(-1.0_f32..1.0)) {
            let rotation = Quat::from_array(parts);
            prop_assume!(rotation.length() > 0.1);
            let rotation = rotation.normalize();
            for order in [EulerOrder::Zyx, EulerOrder::Xyz] {
                let again = to_scene(from_scene(Dialect::Document, order, rotation), order);
                prop_assert!(angle(rotation, again) < 1e-6);
            }
        }
    }
}
