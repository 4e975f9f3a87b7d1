//! A take as `ufbx` plays it: the transform of any node and the weight of any channel, at any time. All keys of clips
//! come from these functions.

use super::direct::{Move, Moved, Turn};
use super::moments::Moment;
use super::morphs::Target;
use super::numbers::{dquat, dvec3};
use glam::{DQuat, DVec3};

/// The parts of a transform for `ufbx` to compute: the values of its `ufbx_transform_flags`.
const ONLY_TRANSLATION: u32 = 0x14;
const ONLY_ROTATION: u32 = 0x24;
const ONLY_SCALE: u32 = 0x44;

/// A take.
#[derive(Clone, Copy)]
pub(super) struct Played<'f> {
    anim: &'f ufbx::Anim,
}

impl<'f> Played<'f> {
    pub(super) fn new(anim: &'f ufbx::Anim) -> Self {
        Self { anim }
    }

    /// A node's transform, relative to its parent.
    pub(super) fn transform(&self, node: &ufbx::Node, time: f64) -> ufbx::Transform {
        ufbx::evaluate_transform(self.anim, node, time)
    }

    /// Only the translation of a [`transform`](Self::transform).
    pub(super) fn translation(&self, node: &ufbx::Node, time: f64) -> DVec3 {
        dvec3(ufbx::evaluate_transform_flags(self.anim, node, time, ONLY_TRANSLATION).translation)
    }

    pub(super) fn rotation(&self, node: &ufbx::Node, time: f64) -> DQuat {
        dquat(ufbx::evaluate_transform_flags(self.anim, node, time, ONLY_ROTATION).rotation)
    }

    pub(super) fn scale(&self, node: &ufbx::Node, time: f64) -> DVec3 {
        dvec3(ufbx::evaluate_transform_flags(self.anim, node, time, ONLY_SCALE).scale)
    }

    /// The weights of morph targets.
    pub(super) fn weights(&self, targets: &[Target<'_>], time: f64) -> Vec<f64> {
        let weight =
            |target: &Target<'_>| target.weight(ufbx::evaluate_blend_weight(self.anim, target.channel, time));
        targets.iter().map(weight).collect()
    }

    /// [`translation`](Self::translation) as a function of time, which is faster if its curves allow it.
    pub(super) fn translations(
        self,
        node: &'f ufbx::Node,
        moved: Moved<'f>,
        keys: &[Moment],
    ) -> impl Fn(f64) -> DVec3 + 'f {
        let direct = Move::translation(node, moved);
        let direct = direct.filter(|direct| direct.agrees(keys, |time| self.translation(node, time)));
        move |time| direct.as_ref().map_or_else(|| self.translation(node, time), |direct| direct.at(time))
    }

    pub(super) fn rotations(
        self,
        node: &'f ufbx::Node,
        moved: Moved<'f>,
        keys: &[Moment],
    ) -> impl Fn(f64) -> DQuat + 'f {
        let direct = Turn::of(node, moved);
        let direct = direct.filter(|direct| direct.agrees(keys, |time| self.rotation(node, time)));
        move |time| direct.as_ref().map_or_else(|| self.rotation(node, time), |direct| direct.at(time))
    }

    pub(super) fn scales(
        self,
        node: &'f ufbx::Node,
        moved: Moved<'f>,
        keys: &[Moment],
    ) -> impl Fn(f64) -> DVec3 + 'f {
        let direct = Move::scale(node, moved);
        let direct = direct.filter(|direct| direct.agrees(keys, |time| self.scale(node, time)));
        move |time| direct.as_ref().map_or_else(|| self.scale(node, time), |direct| direct.at(time))
    }
}
