//! Poses a skeleton, as the author or as the engine does.
//!
//! [`Skeleton::bind`] and [`Skeleton::pose`] return for each bone a matrix that maps the bone's space to the object's.
//! The skinning matrix is the posed one times the inverse of the bound one. See the [parent module](super).

use super::document::{Animation, Bone, Collection, Keyframe};
use crate::formats::hierarchy::Hierarchy;
use crate::settings::Posing;
use glam::{DMat3, DMat4, DQuat, DVec3};
use std::borrow::Cow;

/// A collection's bones, ready to be posed.
pub struct Skeleton<'a> {
    collection: Cow<'a, Collection>,
    posing: Posing,
    matrix: DMat4,
    order: Vec<usize>,
    moving_root: Option<usize>,
}

/// One bone at a moment of an animation: the root's offset and the bone's raw quaternion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moment {
    /// Offset of the first root.
    pub offset: DVec3,
    /// Not normalised.
    pub rotation: DQuat,
}

impl Moment {
    /// The part of a key that concerns a bone.
    pub fn of_key(key: &Keyframe<'_>, bone: usize) -> Self {
        let offset = DVec3::from_array(key.offset.map(f64::from));
        let rotation = key.rotations.get(bone).copied().unwrap_or([0.0, 0.0, 0.0, 1.0]);
        Self { offset, rotation: DQuat::from_array(rotation.map(f64::from)) }
    }
}

impl<'a> Skeleton<'a> {
    /// The skeleton of a collection. Its bones' parents must exist and form no loop, as in every document that was
    /// read.
    pub fn new(collection: &'a Collection, posing: Posing) -> Self {
        Self::of(Cow::Borrowed(collection), posing)
    }

    /// A skeleton that owns its collection.
    pub(super) fn owned(collection: Collection, posing: Posing) -> Self {
        Self::of(Cow::Owned(collection), posing)
    }

    fn of(collection: Cow<'a, Collection>, posing: Posing) -> Self {
        Self {
            posing,
            matrix: DMat4::from_cols_array(&collection.matrix.map(f64::from)),
            order: hierarchy(&collection.bones).order,
            moving_root: collection.bones.iter().position(|bone| bone.parent == 0),
            collection,
        }
    }

    /// The bones, parents before their children.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// The bone that the root's offset moves: the first one without a parent.
    pub fn moving_root(&self) -> Option<usize> {
        self.moving_root
    }

    /// Maps each bone's space to the object's, in bind pose.
    pub fn bind(&self) -> Vec<DMat4> {
        self.matrices(|_| None)
    }

    /// Maps each bone's space to the object's, at a time of an animation.
    pub fn pose(&self, animation: &Animation, seconds: f64) -> Vec<DMat4> {
        self.matrices(|bone| self.moment(animation, bone, seconds))
    }

    /// The skinning matrix of each bone at a time of an animation, which moves vertices in the object's space.
    pub fn skin(&self, animation: &Animation, seconds: f64) -> Vec<DMat4> {
        let posed = self.pose(animation, seconds);
        posed.iter().zip(self.bind()).map(|(posed, bind)| *posed * bind.inverse()).collect()
    }

    fn matrices(&self, moment: impl Fn(usize) -> Option<Moment>) -> Vec<DMat4> {
        let bones = &self.collection.bones;
        let mut matrices = vec![self.matrix; bones.len()];
        for &bone in &self.order {
            let above = parent(bones, bone).map_or(self.matrix, |parent| matrices[parent]);
            matrices[bone] = above * self.local(bone, moment(bone));
        }
        matrices
    }

    /// Maps a bone's space to its parent's, in bind pose or at a moment.
    pub fn local(&self, bone: usize, moment: Option<Moment>) -> DMat4 {
        let Bone { position, rotation, parent } = self.collection.bones[bone];
        let position = DVec3::from_array(position.map(f64::from));
        let bound = DQuat::from_array(rotation.map(f64::from));
        let key = moment.map_or(DQuat::IDENTITY, |m| m.rotation);
        let moves = self.moving_root == Some(bone);
        let offset = moment.filter(|_| moves).map_or(DVec3::ZERO, |m| m.offset);
        match self.posing {
            Posing::Author => {
                let bound = unit(bound);
                let place = if parent == 0 { position + bound * offset } else { bound * position };
                DMat4::from_rotation_translation(unit(bound * unit(key)), place)
            }
            Posing::Engine => {
                let turn = engine_matrix(bound * key);
                DMat4::from_mat3_translation(turn, turn * (position + offset))
            }
        }
    }

    /// The raw quaternion from which the engine makes a bone's matrix.
    pub(super) fn engine_turn(&self, bone: usize, moment: Option<Moment>) -> DQuat {
        let bound = DQuat::from_array(self.collection.bones[bone].rotation.map(f64::from));
        bound * moment.map_or(DQuat::IDENTITY, |m| m.rotation)
    }

    /// A bone at a time of an animation; `None` where the engine shows the bind pose, or if there are no keys.
    pub fn moment(&self, animation: &Animation, bone: usize, seconds: f64) -> Option<Moment> {
        let bones = self.collection.bones.len();
        let count = animation.key_count(bones);
        let time = |key: usize| animation.key(bones, key).map(|k| f64::from(k.time));
        let (first, last) = (time(0)?, time(count.checked_sub(1)?)?);
        if self.posing == Posing::Engine && !(first <= seconds && seconds < last) {
            return None;
        }
        // Finds the number of keys at or before the time.
        let (mut low, mut high) = (0, count);
        while low < high {
            let middle = low + (high - low) / 2;
            if time(middle)? <= seconds { low = middle + 1 } else { high = middle }
        }
        let before = animation.key(bones, low.saturating_sub(1))?;
        let after = animation.key(bones, low).filter(|_| low > 0).unwrap_or(before);
        let span = f64::from(after.time) - f64::from(before.time);
        let t = if span > 0.0 { (seconds - f64::from(before.time)) / span } else { 0.0 };
        let (a, b) = (Moment::of_key(&before, bone), Moment::of_key(&after, bone));
        let rotation = match self.posing {
            Posing::Author => a.rotation * (1.0 - t) + b.rotation * t,
            Posing::Engine => engine_slerp(a.rotation, b.rotation, t),
        };
        Some(Moment { offset: a.offset.lerp(b.offset, t), rotation })
    }
}

/// A bone's parent.
pub(super) fn parent(bones: &[Bone], bone: usize) -> Option<usize> {
    (bones[bone].parent as usize).checked_sub(1).filter(|&parent| parent < bones.len())
}

/// The tree of the bones, whose parents count from 1.
pub(super) fn hierarchy(bones: &[Bone]) -> Hierarchy {
    Hierarchy::of((0..bones.len()).map(|bone| parent(bones, bone)))
}

/// Normalises a quaternion of any length but zero.
pub(super) fn unit(q: DQuat) -> DQuat {
    let length = q.length();
    if length > 0.0 { q / length } else { DQuat::IDENTITY }
}

/// The engine's matrix of a quaternion. It divides by the length instead of its square, so quaternions that are not
/// of unit length also scale.
fn engine_matrix(q: DQuat) -> DMat3 {
    let s = 2.0 / q.length();
    let (x, y, z, w) = (q.x, q.y, q.z, q.w);
    DMat3::from_cols(
        DVec3::new(1.0 - s * (y * y + z * z), s * (x * y + z * w), s * (x * z - y * w)),
        DVec3::new(s * (x * y - z * w), 1.0 - s * (x * x + z * z), s * (y * z + x * w)),
        DVec3::new(s * (x * z + y * w), s * (y * z - x * w), 1.0 - s * (x * x + y * y)),
    )
}

/// The engine's matrix of a quaternion, decomposed: `turn · scale(across, across, 1) · turn_back`.
///
/// With `n` the quaternion's length and `R` its rotation, the engine's matrix is `I + n·(R − I)`: nothing changes along
/// the axis, and the plane across it is rotated by the angle of `1 − n + n·e^iθ` and scaled by its length.
pub(super) struct Stretch {
    pub(super) turn: DQuat,
    pub(super) across: f64,
    pub(super) turn_back: DQuat,
}

impl Stretch {
    /// Decomposes the matrix of `q`, with the axis or its opposite, whichever is nearer to `reference`.
    pub(super) fn of(q: DQuat, reference: DVec3) -> Self {
        let length = q.length();
        let axis = q.xyz().try_normalize().unwrap_or(reference);
        let sign = if axis.dot(reference) < 0.0 { -1.0 } else { 1.0 };
        let angle = 2.0 * q.xyz().length().atan2(q.w);
        let (x, y) = (1.0 - length + length * angle.cos(), length * angle.sin());
        let axis = axis * sign;
        let upright = DQuat::from_rotation_arc(DVec3::Z, axis);
        let turned = DQuat::from_axis_angle(axis, sign * y.atan2(x));
        Self { turn: turned * upright, across: x.hypot(y), turn_back: upright.inverse() }
    }
}

/// The engine's slerp, including its shortcuts for nearly equal keys, on keys of any length.
fn engine_slerp(a: DQuat, b: DQuat, t: f64) -> DQuat {
    let dot = a.dot(b);
    let (b, dot) = if dot < 0.0 { (-b, -dot) } else { (b, dot) };
    if dot >= 1.0 {
        return a;
    }
    let sine = (1.0 - dot * dot).sqrt();
    if sine < 1e-3 {
        return a * (1.0 - t) + b * t;
    }
    let angle = dot.acos();
    (a * ((1.0 - t) * angle).sin() + b * (t * angle).sin()) / sine
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_engines_matrix_comes_apart() {
        for q in [
            DQuat::from_xyzw(0.3, -0.2, 0.5, 0.6),
            DQuat::from_xyzw(0.0, 0.0, 0.0, 1.0),
            DQuat::from_xyzw(0.0, 0.9, 0.0, 0.0),
            DQuat::from_xyzw(0.1, 0.7, -0.4, -1.1),
        ] {
            for reference in [DVec3::Z, -DVec3::Z, DVec3::new(0.3, 0.5, -0.6)] {
                let Stretch { turn, across, turn_back } = Stretch::of(q, reference);
                let scale = DMat3::from_diagonal(DVec3::new(across, across, 1.0));
                let found = DMat3::from_quat(turn) * scale * DMat3::from_quat(turn_back);
                assert!(found.abs_diff_eq(engine_matrix(q), 1e-12), "{q}: {found} {}", engine_matrix(q));
            }
        }
    }
}
