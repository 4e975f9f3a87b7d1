//! The keys of a node's matrix.
//!
//! All programs read the keys of whole matrices: they take translation, rotation and scale apart at each key and
//! interpolate those, as a scene does. So a key at the time of every track's key is exact, except where a matrix does not
//! tell how it came about: where a scale becomes zero or negative, and between opposite rotations. Keys are added there
//! until what is played follows the motion.
//!
//! Between steps there is a key just before each: programs that do not know steps then jump all the same.

use crate::motion::{Fit, Fitted, KeyBudget, Motion, Reach, Tolerance, Value, frame_times};
use crate::pose::{Sampled, local_at, sample};
use crate::scene::{Interpolation, Local, Node, NodeId, Track, Trs, Values, decompose};
use glam::{DMat4, DQuat, DVec3, Vec3};

/// Keys of a matrix, or of the weights of all morph targets.
pub(in super::super) struct Keys<T> {
    pub times: Vec<f32>,
    pub values: Vec<T>,
    pub is_step: bool,
}

/// A scale of zero is written as this part of 1, so that the matrix still tells the rotation.
const LEAST_SCALE: f32 = 1e-6;

/// Rotations further apart than this (as the cosine of half the angle) may be taken for the other way round.
const OPPOSITE: f32 = 0.5;

/// The keys of a node's matrix; `tracks` are all that move it.
pub(in super::super) fn matrix_keys(
    node: &Node,
    id: NodeId,
    tracks: &[&Track],
    reach: &Reach,
    budget: &mut KeyBudget,
) -> (Keys<DMat4>, Fitted) {
    let times = frame_times(tracks.iter().copied(), &[]);
    let is_step = tracks.iter().all(|track| track.interpolation == Interpolation::Step);
    let moves = Moves { node, tracks, reach: reach.rotation(id), unit: reach.translation(id) };
    let mut keys = Keys { times: Vec::new(), values: Vec::new(), is_step };
    let mut push = |time: f64, key: Key| {
        keys.times.push(time as f32);
        keys.values.push(key.matrix);
    };
    let times = times.into_iter().map(f64::from);
    if is_step || !tracks.iter().any(|track| is_ambiguous(track)) && !is_mirrored(&node.local) {
        times.for_each(|time| push(time, moves.at(time)));
        return (keys, Fitted::default());
    }
    let mut fit = Fit::new(Tolerance::FINE, budget);
    fit.follow(&moves, times, &mut push);
    let done = fit.done;
    (keys, done)
}

/// Whether a matrix does not tell a track's values at all times.
fn is_ambiguous(track: &Track) -> bool {
    match &track.values {
        Values::Rotation(values) => values.windows(2).any(|pair| pair[0].dot(pair[1]).abs() < OPPOSITE),
        Values::Scale(values) => values.iter().any(|scale| scale.min_element() <= 0.0),
        _ => false,
    }
}

fn is_mirrored(local: &Local) -> bool {
    local.trs().is_some_and(|trs| trs.scale.min_element() <= 0.0)
}

/// The weights of a node's morph targets.
pub(in super::super) fn weight_keys(track: &Track) -> Keys<Vec<f32>> {
    let mut keys = Keys {
        times: frame_times([track], &[]),
        values: Vec::new(),
        is_step: track.interpolation == Interpolation::Step,
    };
    keys.values.extend(keys.times.iter().map(|&time| match sample(track, time) {
        Some(Sampled::MorphWeights(weights)) => weights,
        _ => Vec::new(),
    }));
    keys
}

/// The motion of a node.
struct Moves<'a> {
    node: &'a Node,
    tracks: &'a [&'a Track],
    /// How far a rotation and a translation move vertices, as parts of the model's size.
    reach: f64,
    unit: f64,
}

/// A key of a matrix, and how it is taken apart.
struct Key {
    matrix: DMat4,
    translation: DVec3,
    rotation: DQuat,
    scale: DVec3,
}

impl Key {
    fn of(matrix: DMat4) -> Self {
        let trs = decompose(&matrix).map_or(Trs::IDENTITY, |(trs, _)| trs);
        Self {
            matrix,
            translation: matrix.w_axis.truncate(),
            rotation: trs.rotation.as_dquat(),
            scale: trs.scale.as_dvec3(),
        }
    }
}

impl Motion for Moves<'_> {
    type Key = Key;

    fn at(&self, time: f64) -> Key {
        let mut local = local_at(self.node, self.tracks.iter().copied(), time as f32);
        if let Local::Trs(trs) = &mut local {
            let none = trs.scale.abs().cmplt(Vec3::splat(LEAST_SCALE));
            if none.bitmask().count_ones() > 1 {
                trs.scale = Vec3::select(none, Vec3::splat(LEAST_SCALE).copysign(trs.scale), trs.scale);
            }
        }
        Key::of(local.to_matrix())
    }

    fn between(&self, from: &Key, to: &Key, fraction: f64) -> Key {
        let (translation, scale) =
            (from.translation.lerp(to.translation, fraction), from.scale.lerp(to.scale, fraction));
        let rotation = from.rotation.between(&to.rotation, fraction);
        let matrix = DMat4::from_scale_rotation_translation(scale, rotation.normalize(), translation);
        Key { matrix, translation, rotation, scale }
    }

    fn distance(&self, made: &Key, wanted: &Key) -> f64 {
        let off = made.matrix - wanted.matrix;
        let columns = [off.x_axis, off.y_axis, off.z_axis].map(|axis| axis.truncate().length());
        let turned = columns.into_iter().fold(0.0, f64::max) * self.reach;
        turned + off.w_axis.truncate().length() * self.unit
    }

    fn is_ambiguous(&self, from: &Key, to: &Key) -> bool {
        from.rotation.is_ambiguous(&to.rotation) && from.scale.max_element() > 1e-4
    }
}
