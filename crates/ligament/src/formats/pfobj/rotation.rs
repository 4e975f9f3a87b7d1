//! Rotations of the two dialects, to and from those of a scene.

use super::document::Dialect;
use super::read::is_unit;
use glam::{DMat3, DQuat, Quat};

/// A file's rotation as a scene has it.
///
/// A quaternion of length one (to six decimals) is only conjugated, so that it comes back bit for bit; others are made
/// unit length.
pub(super) fn to_scene(dialect: Dialect, [x, y, z, w]: [f32; 4]) -> Quat {
    match dialect {
        Dialect::Engine if is_unit([x, y, z, w]) => Quat::from_xyzw(-x, -y, -z, w),
        Dialect::Engine => {
            let unit = DQuat::from_xyzw(f64::from(-x), f64::from(-y), f64::from(-z), f64::from(w));
            if unit.length() > 0.0 { unit.normalize().as_quat() } else { Quat::IDENTITY }
        }
        Dialect::Document => {
            let [x, y, z] = [x, y, z].map(|degrees| f64::from(degrees).to_radians());
            (DQuat::from_rotation_z(z) * DQuat::from_rotation_y(y) * DQuat::from_rotation_x(x)).normalize().as_quat()
        }
    }
}

/// A scene's rotation as a file has it.
pub(super) fn from_scene(dialect: Dialect, rotation: Quat) -> [f32; 4] {
    match dialect {
        Dialect::Engine => [-rotation.x, -rotation.y, -rotation.z, rotation.w],
        Dialect::Document => {
            let [x, y, z] = euler_degrees(rotation.as_dquat().normalize());
            [x as f32, y as f32, z as f32, 0.0]
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
        // X and Z turn about the same axis; all of it is put into X.
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
        let stored = [-0.0, 0.707107, -0.707107, 0.0_f32];
        let again = from_scene(Dialect::Engine, to_scene(Dialect::Engine, stored));
        assert_eq!(again.map(f32::to_bits), stored.map(f32::to_bits));
    }

    #[test]
    fn angles_turn_about_x_first() {
        // 90° about X takes Y to Z, and then 90° about Z leaves it there; the other order would take it to −X.
        let rotation = to_scene(Dialect::Document, [90.0, 0.0, 90.0, 0.0]);
        assert!((rotation * glam::Vec3::Y - glam::Vec3::Z).length() < 1e-6);
    }

    #[test]
    fn angles_are_found_where_two_axes_coincide() {
        for y in [90.0, -90.0, 89.99999, -89.9999] {
            for x in [0.0, 30.0, -170.0] {
                for z in [0.0, 45.0, 179.0] {
                    let rotation = to_scene(Dialect::Document, [x, y, z, 0.0]);
                    let again = to_scene(Dialect::Document, from_scene(Dialect::Document, rotation));
                    assert!(angle(rotation, again) < 1e-6, "{x} {y} {z}: {}", angle(rotation, again));
                }
            }
        }
    }

    proptest! {
        #[test]
        fn any_rotation_survives_the_angles(x in -1.0_f32..1.0, y in -1.0_f32..1.0, z in -1.0_f32..1.0, w in -1.0_f32..1.0) {
            prop_assume!(x * x + y * y + z * z + w * w > 0.01);
            let rotation = Quat::from_xyzw(x, y, z, w).normalize();
            let again = to_scene(Dialect::Document, from_scene(Dialect::Document, rotation));
            prop_assert!(angle(rotation, again) < 1e-6);
        }
    }
}
