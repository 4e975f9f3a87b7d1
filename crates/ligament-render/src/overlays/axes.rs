//! The axes of joints: X red, Y green, Z blue.

use super::skeleton::shown;
use crate::Shot;
use crate::lines::{Lines, Segment};
use ligament::Scene;
use ligament::math::Vec3;

/// Their length as part of the model's size.
const LENGTH: f32 = 0.035;
const COLORS: [[u8; 4]; 3] = [[226, 58, 48, 255], [72, 168, 60, 255], [48, 108, 226, 255]];

pub(crate) fn draw(scene: &Scene, shot: &Shot, thickness: f32, lines: &mut Lines) {
    let (pose, space) = (shot.pose, &shot.stage.space);
    for joint in shown(scene, shot) {
        let Some(global) = pose.globals.get(joint.index()) else { continue };
        let at = space.place(global.w_axis.truncate());
        let columns = [global.x_axis, global.y_axis, global.z_axis];
        for (column, color) in columns.iter().zip(COLORS) {
            let direction = column.truncate().normalize_or_zero().as_vec3();
            if direction != Vec3::ZERO && direction.is_finite() {
                lines.on_top.push(Segment::new(at, at + direction * LENGTH, color, 2.0 * thickness));
            }
        }
    }
}
