//! Actions to clips.
//!
//! A bone's pose is its rest transform followed by the curves: `rest · T(loc) · R(quat) · S(scale)`. Curves are linear
//! between keys, so translation and scale become linear tracks over the merged keys of their components. The components
//! of a rotation are also linear, and normalised afterwards. That is not the constant-speed rotation (slerp) of a
//! linear track, but exactly a cubic one whose tangents are the slopes, which is used where the difference matters.
//! Where a component jumps, the track gets a key immediately before the jump.

use super::super::codes;
use super::super::curves::{self, Budget, Knot, Target};
use super::super::document::{Action, Channel, Interpolation as Word};
use super::skeleton::Skeleton;
use super::{Import, out_of_range};
use crate::motion::straight_turns;
use crate::report::Loss;
use crate::scene::{Clip, Interpolation, NodeId, Track, Trs, Values, decompose};
use glam::{DMat4, DQuat, DVec3, DVec4, Vec3};
use std::collections::HashMap;

impl Import<'_> {
    pub(super) fn clips(&mut self, fps: f64) {
        let (actions, skeleton) = (&self.document.actions, &self.skeleton);
        let curves = actions.iter().flat_map(|a| &a.channels).flat_map(|c| &c.curves);
        let mut budget = Budget::new(curves.map(|c| c.keys.len()).sum());
        for action in actions {
            let channels = bones(action, skeleton);
            let Some((start, end)) = span(&channels) else { continue };
            let (name, duration) = (self.document.text(&action.name), ((end - start) / fps) as f32);
            let mut clip = Clip { name, duration, ..Clip::default() };
            let mut maker = Maker { start, end, fps, budget: &mut budget, shear: 0.0, clip: &mut clip };
            for (&bone, channel) in &channels {
                maker.bone(skeleton.nodes[bone], &skeleton.rest[bone], channel);
            }
            let shear = maker.shear;
            let object = format!("clip {:?}", clip.name);
            if shear > 1e-6 {
                let message = "poses of bones with a non-uniform rest scale contain shear";
                let (object, unit) = (&*object, "of the matrix");
                self.report.loss(Loss::approximated(&codes::BONE_SHAPE, object, 1, shear, unit, message));
            }
            let curves = channels.values().flat_map(|c| c.values());
            let bezier = curves.filter(|c| c.interpolation == Word::Bezier && c.keys.len() > 1).count();
            let message = "the handles of Bezier curves are not in the file; they are played linearly";
            self.report.loss(Loss::approximated(&codes::BEZIER, object, bezier, None, "units", message));
            clip.duration = clip.duration.max(clip.last_key());
            if !clip.duration.is_finite() || !clip.tracks.iter().all(|t| t.values.are_finite()) {
                out_of_range("an action", self.report);
            }
            self.scene.clips.push(clip);
        }
        if budget.exceeded {
            let message = "a curve repeats too often; it was cut after the largest possible number of cycles and then holds";
            self.report.loss(Loss::approximated(&codes::CYCLES, "", 1, None, "units", message));
        }
    }
}

type Curves<'d> = HashMap<Target, &'d super::super::document::Curve>;

/// The curves of each bone that an action moves, in the order of the bones; the first of several with one target.
fn bones<'d>(action: &'d Action, skeleton: &Skeleton) -> std::collections::BTreeMap<usize, Curves<'d>> {
    let mut bones = std::collections::BTreeMap::new();
    for Channel { name, curves } in &action.channels {
        let Some(&bone) = skeleton.bones.get(name) else { continue };
        for curve in curves.iter().filter(|c| !c.keys.is_empty()) {
            if let Some(target) = Target::of(curve.name.as_bytes()) {
                bones.entry(bone).or_insert_with(Curves::new).entry(target).or_insert(curve);
            }
        }
    }
    bones
}

/// The first and last frame of all keys.
fn span(bones: &std::collections::BTreeMap<usize, Curves>) -> Option<(f64, f64)> {
    let spans = || bones.values().flat_map(|c| c.values()).filter_map(|c| curves::span(c));
    Some((spans().map(|s| s.0).reduce(f32::min)?.into(), spans().map(|s| s.1).reduce(f32::max)?.into()))
}

/// The values of components before and after a frame.
struct Moment<const N: usize> {
    frame: f64,
    left: [f64; N],
    right: [f64; N],
}

struct Maker<'c> {
    start: f64,
    end: f64,
    fps: f64,
    budget: &'c mut Budget,
    shear: f64,
    clip: &'c mut Clip,
}

/// A key of a track.
type Key<T> = (f32, T);

impl Maker<'_> {
    fn bone(&mut self, node: NodeId, rest: &Trs, curves: &Curves) {
        let rotation = rest.rotation.as_dquat().normalize();
        let (translation, scale) = (rest.translation.as_dvec3(), rest.scale.as_dvec3());
        // A rest scale that differs between axes only by sign mirrors the rotations of the pose.
        let signs = scale.signum();
        let mirror = DVec3::new(signs.y * signs.z, signs.x * signs.z, signs.x * signs.y);
        if let Some(moments) = self.moments(curves, Target::Loc, [0.0; 3]) {
            let place = |v: [f64; 3]| (translation + rotation * (scale * DVec3::from_array(v))).as_vec3();
            self.vectors(node, &moments, place, Values::Translation);
        }
        let turns = self.moments(curves, Target::Quat, [1.0, 0.0, 0.0, 0.0]);
        if let Some(moments) = &turns {
            let turn = |[w, x, y, z]: [f64; 4]| {
                rotation * DQuat::from_xyzw(x * mirror.x, y * mirror.y, z * mirror.z, w)
            };
            self.rotations(node, moments, turn);
        }
        if let Some(moments) = self.moments(curves, Target::Scale, [1.0; 3]) {
            let size = |v: [f64; 3]| (scale * DVec3::from_array(v)).as_vec3();
            self.vectors(node, &moments, size, Values::Scale);
        }
        let sizes = scale.abs();
        if sizes.max_element() - sizes.min_element() > 1e-5 * sizes.max_element() {
            for moment in turns.iter().flatten() {
                let [w, x, y, z] = moment.right;
                let turn = unit(DQuat::from_xyzw(x, y, z, w));
                let pose = DMat4::from_scale(scale) * DMat4::from_quat(turn);
                self.shear = self.shear.max(decompose(&pose).map_or(1.0, |(_, error)| error));
            }
        }
    }

    /// The moments at which any component bends or jumps; `None` without curves.
    fn moments<const N: usize>(
        &mut self,
        curves: &Curves,
        target: fn(usize) -> Target,
        defaults: [f64; N],
    ) -> Option<Vec<Moment<N>>> {
        let mut components: [Vec<Knot>; N] = std::array::from_fn(|_| Vec::new());
        for (i, component) in components.iter_mut().enumerate() {
            if let Some(curve) = curves.get(&target(i)) {
                *component = curves::knots(curve, self.start, self.end, self.budget);
            }
        }
        let mut frames: Vec<f64> = components.iter().flatten().map(|k| k.frame).collect();
        frames.sort_by(f64::total_cmp);
        frames.dedup();
        let moment = |frame: f64| {
            let (mut left, mut right) = (defaults, defaults);
            for (i, knots) in components.iter().enumerate().filter(|(_, k)| !k.is_empty()) {
                (left[i], right[i]) = curves::at(knots, frame);
            }
            Moment { frame, left, right }
        };
        (!frames.is_empty()).then(|| frames.into_iter().map(moment).collect())
    }

    fn vectors(
        &mut self,
        node: NodeId,
        moments: &[Moment<3>],
        value: impl Fn([f64; 3]) -> Vec3,
        values: fn(Vec<Vec3>) -> Values,
    ) {
        let (keys, steps) = self.keys(moments, value, |v| v.to_array().map(f32::to_bits));
        let interpolation = if steps { Interpolation::Step } else { Interpolation::Linear };
        let times = keys.iter().map(|k| k.0).collect();
        let values = values(keys.into_iter().map(|k| k.1).collect());
        self.clip.tracks.push(Track { node, interpolation, times, values });
    }

    fn rotations(&mut self, node: NodeId, moments: &[Moment<4>], turn: impl Fn([f64; 4]) -> DQuat) {
        let dense = self.dense(moments);
        let moments = dense.as_deref().unwrap_or(moments);
        let value = |v: [f64; 4]| unit(turn(v));
        let (keys, steps) = self.keys(moments, value, |q| q.as_quat().to_array().map(f32::to_bits));
        let (times, turns): (Vec<f32>, Vec<DQuat>) = keys.into_iter().unzip();
        let (interpolation, values) = if steps {
            (Interpolation::Step, turns.iter().map(|turn| turn.as_quat()).collect())
        } else {
            straight_turns(&times, &turns)
        };
        let values = Values::Rotation(values);
        self.clip.tracks.push(Track { node, interpolation, times: times.into(), values });
    }

    /// Adds keys for quaternions that are not of unit length and thus rotate unevenly, so that a track of unit ones
    /// follows them. `None` if no keys are needed.
    fn dense(&mut self, moments: &[Moment<4>]) -> Option<Vec<Moment<4>>> {
        let length = |v: [f64; 4]| DVec4::from_array(v).length();
        let uneven = |pair: &[Moment<4>]| (length(pair[0].right) - length(pair[1].left)).abs() > 1e-5;
        if !moments.windows(2).any(uneven) {
            return None;
        }
        let mut dense = Vec::new();
        for pair in moments.windows(2) {
            let (a, b) = (&pair[0], &pair[1]);
            dense.push(Moment { frame: a.frame, left: a.left, right: a.right });
            if !uneven(pair) {
                continue;
            }
            let pieces = 1 + self.budget.take(63);
            for i in 1..pieces {
                let t = i as f64 / pieces as f64;
                let mixed = std::array::from_fn(|k| a.right[k] + (b.left[k] - a.right[k]) * t);
                dense.push(Moment { frame: a.frame + (b.frame - a.frame) * t, left: mixed, right: mixed });
            }
        }
        let last = moments.last()?;
        dense.push(Moment { frame: last.frame, left: last.left, right: last.right });
        Some(dense)
    }

    /// The keys of a track, and whether they are steps. A constant value needs one key.
    fn keys<const N: usize, T: Copy, Bits: PartialEq>(
        &self,
        moments: &[Moment<N>],
        value: impl Fn([f64; N]) -> T,
        bits: impl Fn(T) -> Bits,
    ) -> (Vec<Key<T>>, bool) {
        let same = |a: T, b: T| bits(a) == bits(b);
        let holds = |pair: &[Moment<N>]| pair[0].right == pair[1].left;
        let jumps = moments.iter().skip(1).any(|m| m.left != m.right);
        let steps = jumps && moments.windows(2).all(holds);
        let mut keys: Vec<Key<T>> = Vec::with_capacity(moments.len());
        for (i, moment) in moments.iter().enumerate() {
            let time = ((moment.frame - self.start) / self.fps) as f32 + 0.0;
            let (left, right) = (value(moment.left), value(moment.right));
            let after = |keys: &[Key<T>], time: f32| keys.last().is_none_or(|k| k.0 < time);
            if i > 0 && !steps && !same(left, right) && after(&keys, time.next_down()) {
                keys.push((time.next_down(), left));
            }
            if after(&keys, time) {
                keys.push((time, right));
            } else if let Some(last) = keys.last_mut() {
                // For frames that coincide in seconds, the later one is used.
                last.1 = right;
            }
        }
        if keys.windows(2).all(|pair| same(pair[0].1, pair[1].1)) {
            keys.truncate(1);
        }
        (keys, steps)
    }
}

/// Normalises a quaternion; length zero gives the identity.
fn unit(q: DQuat) -> DQuat {
    let length = q.length();
    if length.is_finite() && length > 1e-12 { q / length } else { DQuat::IDENTITY }
}
