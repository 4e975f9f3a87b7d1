//! How far a node is from where it is at rest, along the axes that count and about the vertical one.

use super::super::joints::rotation;
use super::spec::RootMotion;
use glam::{DMat4, DQuat, DVec3};

/// The part of a node's motion that is its root motion.
pub(super) struct Moved<'a> {
    wanted: &'a RootMotion,
    /// Where the node is at rest.
    place: DVec3,
    turned: DQuat,
}

impl<'a> Moved<'a> {
    pub(super) fn from_rest(wanted: &'a RootMotion, rest: &DMat4) -> Self {
        Self { wanted, place: rest.w_axis.truncate(), turned: rotation(rest) }
    }

    /// A vector without the axes that do not count.
    pub(super) fn masked(&self, v: DVec3) -> DVec3 {
        self.wanted.masked(v)
    }

    /// The distance, by axis.
    pub(super) fn shift(&self, global: &DMat4) -> DVec3 {
        self.wanted.masked(global.w_axis.truncate() - self.place)
    }

    /// The turn about the vertical axis.
    pub(super) fn turn(&self, global: &DMat4) -> DQuat {
        if !self.wanted.turn {
            return DQuat::IDENTITY;
        }
        let whole = rotation(global) * self.turned.inverse();
        let twist = DQuat::from_xyzw(0.0, whole.y, 0.0, whole.w);
        // Upside down, there is no telling.
        if twist.length() < 1e-9 { DQuat::IDENTITY } else { twist.normalize() }
    }

    /// The motion as a matrix in the scene: it turns about the place at rest, and moves that.
    pub(super) fn matrix(&self, global: &DMat4) -> DMat4 {
        let (shift, turn) = (self.shift(global), self.turn(global));
        DMat4::from_rotation_translation(turn, self.place + shift - turn * self.place)
    }
}

impl RootMotion {
    /// A vector without the axes that do not count.
    fn masked(&self, v: DVec3) -> DVec3 {
        DVec3::from(std::array::from_fn(|axis| if self.axes[axis] { v[axis] } else { 0.0 }))
    }
}
