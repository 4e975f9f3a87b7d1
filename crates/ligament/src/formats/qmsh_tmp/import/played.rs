//! The motion of a bone by the file's own rules, in seconds of the clip.

use super::super::curves::{self, Knot};
use crate::motion::Side;
use crate::scene::{Local, Trs};
use glam::{DMat4, DQuat, DVec3};

/// The values without curves: location, rotation (w, x, y, z), scale.
const USUAL: [f64; 10] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0];

/// A bone that moves.
pub(super) struct Played {
    /// The knots of location, rotation and scale; none for a component without a curve.
    components: [Vec<Knot>; 10],
    /// The joint's rest transform.
    rest: DMat4,
    /// Maps the joint's space to the bone's at rest. The two differ where a joint cannot hold the bone's shear.
    to_bone: DMat4,
    to_joint: DMat4,
}

impl Played {
    /// The knots are given in frames.
    pub(super) fn new(
        components: &[Vec<Knot>; 10],
        rest: &Trs,
        to_bone: &DMat4,
        seconds: impl Fn(f64) -> f64,
    ) -> Self {
        let timed = |knot: &Knot| Knot { frame: seconds(knot.frame), ..*knot };
        Self {
            components: std::array::from_fn(|i| components[i].iter().map(timed).collect()),
            rest: rest.to_matrix(),
            to_bone: *to_bone,
            to_joint: to_bone.inverse(),
        }
    }

    /// The times of all knots, ascending.
    pub(super) fn keys(&self) -> Vec<f64> {
        let mut keys: Vec<f64> = self.components.iter().flatten().map(|knot| knot.frame).collect();
        keys.sort_by(f64::total_cmp);
        keys.dedup();
        keys
    }

    fn values(&self, time: f64, side: Side) -> [f64; 10] {
        let mut values = USUAL;
        for (value, knots) in values.iter_mut().zip(&self.components).filter(|(_, knots)| !knots.is_empty()) {
            let (before, after) = curves::at(knots, time);
            *value = if side == Side::Before { before } else { after };
        }
        values
    }

    /// The rotation of the pose.
    pub(super) fn turn(&self, time: f64, side: Side) -> DQuat {
        let [_, _, _, w, x, y, z, ..] = self.values(time, side);
        unit(DQuat::from_xyzw(x, y, z, w))
    }

    /// The joint's transform to its parent.
    pub(super) fn matrix(&self, time: f64, side: Side) -> DMat4 {
        let [x, y, z, _, _, _, _, scale @ ..] = self.values(time, side);
        let (turn, scale) = (self.turn(time, side), DVec3::from_array(scale));
        let pose = DMat4::from_scale_rotation_translation(scale, turn, DVec3::new(x, y, z));
        self.rest * self.to_joint * pose * self.to_bone
    }

    pub(super) fn local(&self, time: f64) -> Local {
        Local::from_matrix(&self.matrix(time, Side::After))
    }
}

/// Normalises a quaternion; length zero gives the identity.
pub(super) fn unit(q: DQuat) -> DQuat {
    let length = q.length();
    if length.is_finite() && length > 1e-12 { q / length } else { DQuat::IDENTITY }
}
