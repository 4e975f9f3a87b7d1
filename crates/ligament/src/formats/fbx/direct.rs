//! A fast path for node transforms over time: from the curves of one property and the constant values of the others.
//!
//! `ufbx` looks up all properties of a node whenever it evaluates one, which is most of the cost of a sampled take. The
//! values computed here are compared with those of `ufbx` at a few times per track, and used only if they agree.

use super::moments::Moment;
use super::numbers::{dquat, dvec3};
use glam::{DQuat, DVec3};

/// The curves that animate one part of a node's transform.
#[derive(Default, Clone, Copy)]
pub(super) enum Moved<'f> {
    /// None.
    #[default]
    Never,
    /// Those of its own property.
    Own(&'f ufbx::AnimValue),
    /// Those of several layers, or of other properties too.
    Entangled,
}

impl<'f> Moved<'f> {
    /// Adds one more property that animates it: `own` are the curves of its own property.
    pub(super) fn and(self, own: Option<&'f ufbx::AnimValue>) -> Self {
        match (self, own) {
            (Self::Never, Some(value)) => Self::Own(value),
            _ => Self::Entangled,
        }
    }

    fn own(self) -> Option<&'f ufbx::AnimValue> {
        if let Self::Own(value) = self { Some(value) } else { None }
    }
}

/// A rotation: `before * angles * after`, where only the angles are animated.
pub(super) struct Turn<'f> {
    angles: &'f ufbx::AnimValue,
    order: ufbx::RotationOrder,
    before: DQuat,
    after: DQuat,
}

impl<'f> Turn<'f> {
    pub(super) fn of(node: &ufbx::Node, moved: Moved<'f>) -> Option<Self> {
        let angles = moved.own()?;
        if node.adjust_mirror_axis != ufbx::MirrorAxis::None {
            return None;
        }
        let fixed = |name| {
            let prop = node.element.props.find_prop(name);
            prop.map_or(DQuat::IDENTITY, |prop| {
                let v = prop.value_vec4;
                let angles = ufbx::Vec3 { x: v.x, y: v.y, z: v.z };
                dquat(ufbx::euler_to_quat(angles, ufbx::RotationOrder::Xyz))
            })
        };
        let mut turn =
            Self { angles, order: ufbx::RotationOrder::Xyz, before: DQuat::IDENTITY, after: DQuat::IDENTITY };
        if node.use_rotation_space {
            turn.order = node.rotation_order;
            turn.before = fixed("PreRotation");
            turn.after = fixed("PostRotation").conjugate();
        }
        if node.has_adjust_transform {
            turn.before = dquat(node.adjust_pre_rotation) * turn.before;
            turn.after *= dquat(node.adjust_post_rotation);
        }
        Some(turn)
    }

    pub(super) fn at(&self, time: f64) -> DQuat {
        let angles = ufbx::evaluate_anim_value_vec3(self.angles, time);
        self.before * dquat(ufbx::euler_to_quat(angles, self.order)) * self.after
    }

    /// Whether `ufbx` returns the same values.
    pub(super) fn agrees(&self, times: &[Moment], theirs: impl Fn(f64) -> DQuat) -> bool {
        looked_at(times).all(|time| (self.at(time) - theirs(time)).length() <= 1e-12)
    }
}

/// A translation or scale: the property's value with constant rotation, scale and offset applied.
pub(super) struct Move<'f> {
    value: &'f ufbx::AnimValue,
    turn: DQuat,
    factor: f64,
    offset: DVec3,
}

impl<'f> Move<'f> {
    pub(super) fn translation(node: &ufbx::Node, moved: Moved<'f>) -> Option<Self> {
        let value = moved.own()?;
        let mut translation = Self { value, turn: DQuat::IDENTITY, factor: 1.0, offset: DVec3::ZERO };
        if node.has_adjust_transform {
            translation.turn = dquat(node.adjust_pre_rotation);
            translation.factor = node.adjust_pre_scale * node.adjust_translation_scale;
            let moved = translation.turn * dvec3(node.adjust_pre_translation);
            translation.offset = moved * translation.factor;
        }
        Some(translation)
    }

    pub(super) fn scale(node: &ufbx::Node, moved: Moved<'f>) -> Option<Self> {
        let value = moved.own()?;
        let adjusted = node.has_adjust_transform;
        let factor = if adjusted { node.adjust_pre_scale * node.adjust_post_scale } else { 1.0 };
        Some(Self { value, turn: DQuat::IDENTITY, factor, offset: DVec3::ZERO })
    }

    pub(super) fn at(&self, time: f64) -> DVec3 {
        let value = dvec3(ufbx::evaluate_anim_value_vec3(self.value, time));
        self.turn * value * self.factor + self.offset
    }

    /// Whether `ufbx` returns the same values.
    pub(super) fn agrees(&self, times: &[Moment], theirs: impl Fn(f64) -> DVec3) -> bool {
        looked_at(times).all(|time| {
            let (ours, theirs) = (self.at(time), theirs(time));
            ours.distance(theirs) <= 1e-12 * (1.0 + theirs.length())
        })
    }
}

/// The first, the middle and the last of a list of moments.
fn looked_at(moments: &[Moment]) -> impl Iterator<Item = f64> {
    let some = [moments.first(), moments.get(moments.len() / 2), moments.last()];
    some.into_iter().flatten().map(Moment::time)
}
