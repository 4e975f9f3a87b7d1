//! Actions to clips.
//!
//! A bone's pose is its rest transform followed by the curves: `rest · T(loc) · R(quat) · S(scale)`. Curves are linear
//! between keys, so translation and scale become linear tracks over the merged keys of their components. The components
//! of a rotation are also linear, and normalised afterwards. That is not the constant-speed rotation (slerp) of a
//! linear track, but exactly a cubic one whose tangents are the slopes, which is used where the difference matters.
//! Where a component jumps, the track gets a key immediately before the jump.
//!
//! Two kinds of motion are no track and get as many keys as they need to be followed: rotations through quaternions of
//! different lengths, and bones whose rest matrix has shear or a scale that differs between axes, because a rotation
//! after such a scale is no rotation. What is left is reported, and [`Played`] has the exact motion for the proof.

use super::super::codes;
use super::super::curves::{self, Budget, Knot, Target};
use super::super::document::{Action, Channel, Interpolation as Word};
use super::played::{Played, unit};
use super::skeleton::Skeleton;
use super::{Import, out_of_range};
use crate::motion::{Baked, Fit, KeyBudget, Reach, Side, Task, Tolerance, TrackFits, Value, straight_turns};
use crate::pose::{Moved, OwnClip};
use crate::report::Loss;
use crate::scene::{Clip, Interpolation, NodeId, Track, Trs, Values, decompose};
use glam::{DMat4, DQuat, DVec3, DVec4, Vec3};
use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Differences up to this have no visible effect: six decimals of a unit matrix are slightly inexact.
const EVEN: f64 = 1e-5;

impl Import<'_> {
    pub(super) fn clips(&mut self, fps: f64) {
        let (actions, skeleton) = (&self.document.actions, &self.skeleton);
        let curves = actions.iter().flat_map(|a| &a.channels).flat_map(|c| &c.curves);
        let mut budget = Budget::new(curves.map(|c| c.keys.len()).sum());
        let (reach, mut keys) = (Reach::of(&self.scene), KeyBudget::default());
        for action in actions {
            let channels = bones(action, skeleton);
            let Some((start, end)) = span(&channels) else { continue };
            let (name, duration) = (self.document.text(&action.name), ((end - start) / fps) as f32);
            let mut maker = Maker {
                start,
                end,
                fps,
                budget: &mut budget,
                keys: &mut keys,
                reach: &reach,
                clip: Clip { name, duration, ..Clip::default() },
                own: self.own.as_ref().map(|_| OwnClip::default()),
                own_keys: Vec::new(),
                fits: TrackFits::default(),
                shear: TrackFits::default(),
            };
            for (&bone, channel) in &channels {
                maker.bone(skeleton, bone, channel);
            }
            let Maker { mut clip, own, own_keys, fits, shear, .. } = maker;
            if let (Some(all), Some(mut own)) = (&mut self.own, own) {
                own.add_keys(own_keys);
                all.push(own);
            }
            let object = format!("clip {:?}", clip.name);
            let message = "poses of bones with shear or an uneven scale at rest were given the nearest scale and rotation";
            shear.report(&self.scene, &codes::BONE_SHAPE, &object, message, self.report);
            let message = "keys were added where bones do not rotate evenly between the file's keys";
            fits.report(&self.scene, &codes::BETWEEN_KEYS, &object, message, self.report);
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
fn bones<'d>(action: &'d Action, skeleton: &Skeleton) -> BTreeMap<usize, Curves<'d>> {
    let mut bones = BTreeMap::new();
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
fn span(bones: &BTreeMap<usize, Curves>) -> Option<(f64, f64)> {
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
    keys: &'c mut KeyBudget,
    reach: &'c Reach,
    clip: Clip,
    /// The exact motion, if it is wanted, and the times of its keys.
    own: Option<OwnClip>,
    own_keys: Vec<f64>,
    /// What added keys leave, and what no keys can express.
    fits: TrackFits,
    shear: TrackFits,
}

/// A key of a track.
type Key<T> = (f32, T);

impl Maker<'_> {
    fn bone(&mut self, skeleton: &Skeleton, bone: usize, curves: &Curves) {
        let (node, rest, to_bone) = (skeleton.nodes[bone], &skeleton.rest[bone], &skeleton.to_bone[bone]);
        let components = self.components(curves);
        let played = Arc::new(Played::new(&components, rest, to_bone, |frame| self.seconds(frame)));
        if let Some(own) = &mut self.own {
            self.own_keys.extend(played.keys());
            let exact = Arc::clone(&played);
            own.add(node, move |time| Moved::Local(exact.local(time)));
        }
        if !self.is_even(node, rest, to_bone) {
            return self.uneven(node, rest, &played);
        }
        let [loc, turn, size] = [&components[..3], &components[3..7], &components[7..]];
        let rotation = rest.rotation.as_dquat().normalize();
        let (translation, scale) = (rest.translation.as_dvec3(), rest.scale.as_dvec3());
        // A rest scale that differs between axes only by sign mirrors the rotations of the pose.
        let signs = scale.signum();
        let mirror = DVec3::new(signs.y * signs.z, signs.x * signs.z, signs.x * signs.y);
        if let Some(moments) = moments(loc, [0.0; 3]) {
            let place = |v: [f64; 3]| (translation + rotation * (scale * DVec3::from_array(v))).as_vec3();
            self.vectors(node, &moments, place, Values::Translation);
        }
        if let Some(moments) = moments(turn, [1.0, 0.0, 0.0, 0.0]) {
            let turn =
                |q: DQuat| rotation * DQuat::from_xyzw(q.x * mirror.x, q.y * mirror.y, q.z * mirror.z, q.w);
            if has_even_lengths(&moments) {
                self.rotations(node, &moments, |[w, x, y, z]| turn(DQuat::from_xyzw(x, y, z, w)));
            } else {
                let keys: Vec<f64> = moments.iter().map(|moment| self.seconds(moment.frame)).collect();
                let at = |time, side| turn(played.turn(time, side));
                let baked = self.bake(node, &keys, self.reach.rotation(node), at);
                self.clip.tracks.extend(baked.leaving(&rotation).map(|b| b.track(node, rotations)));
            }
        }
        if let Some(moments) = moments(size, [1.0; 3]) {
            let size = |v: [f64; 3]| (scale * DVec3::from_array(v)).as_vec3();
            self.vectors(node, &moments, size, Values::Scale);
        }
    }

    fn seconds(&self, frame: f64) -> f64 {
        (frame - self.start) / self.fps + 0.0
    }

    /// The knots of location, rotation and scale.
    fn components(&mut self, curves: &Curves) -> [Vec<Knot>; 10] {
        std::array::from_fn(|i| {
            let target = match i {
                0..3 => Target::Loc(i),
                3..7 => Target::Quat(i - 3),
                _ => Target::Scale(i - 7),
            };
            let curve = curves.get(&target);
            curve.map(|curve| curves::knots(curve, self.start, self.end, self.budget)).unwrap_or_default()
        })
    }

    /// Whether the rest transform only moves, rotates, mirrors and scales uniformly, so that the poses of the joint are
    /// those of the bone.
    fn is_even(&self, node: NodeId, rest: &Trs, to_bone: &DMat4) -> bool {
        let sizes = rest.scale.as_dvec3().abs();
        let off = *to_bone - DMat4::IDENTITY;
        let place = off.w_axis.truncate().length() * sizes.max_element() * self.reach.translation(node);
        let axes = [off.x_axis, off.y_axis, off.z_axis];
        sizes.max_element() - sizes.min_element() <= EVEN * sizes.max_element()
            && axes.iter().all(|axis| axis.abs().max_element() <= EVEN)
            && place <= EVEN
    }

    /// Tracks of a bone whose poses are no translation, rotation and scale: the nearest ones.
    fn uneven(&mut self, node: NodeId, rest: &Trs, played: &Played) {
        let (keys, reach, worst) = (played.keys(), self.reach, Cell::new(0.0_f64));
        let pose = |time, side| {
            let matrix = played.matrix(time, side);
            let flat = Trs { translation: matrix.w_axis.truncate().as_vec3(), scale: Vec3::ZERO, ..*rest };
            let (trs, error) = decompose(&matrix).unwrap_or((flat, 1.0));
            worst.set(worst.get().max(error));
            trs
        };
        let place = |time, side| pose(time, side).translation.as_dvec3();
        let translation = self.bake(node, &keys, reach.translation(node), place);
        let turn = |time, side| pose(time, side).rotation.as_dquat().normalize();
        let rotation = self.bake(node, &keys, reach.rotation(node), turn);
        let size = |time, side| pose(time, side).scale.as_dvec3();
        let scale = self.bake(node, &keys, reach.scale(node), size);
        self.shear.add_error(node, reach.shear(node, worst.get(), rest.scale.as_dvec3()));
        let vectors = |values: &[DVec3]| values.iter().map(|v| v.as_vec3()).collect();
        let tracks = [
            translation
                .leaving(&rest.translation.as_dvec3())
                .map(|b| b.track(node, |v| Values::Translation(vectors(v)))),
            rotation.leaving(&rest.rotation.as_dquat()).map(|b| b.track(node, rotations)),
            scale.leaving(&rest.scale.as_dvec3()).map(|b| b.track(node, |v| Values::Scale(vectors(v)))),
        ];
        self.clip.tracks.extend(tracks.into_iter().flatten());
    }

    /// Makes keys that follow a function of time, within the budget.
    fn bake<V: Value>(
        &mut self,
        node: NodeId,
        keys: &[f64],
        weight: f64,
        at: impl Fn(f64, Side) -> V,
    ) -> Baked<V> {
        let mut fit = Fit::new(Tolerance::FINE, self.keys).within(self.budget.left);
        let baked = Task { keys, shift: 0.0, weight }.bake(&mut fit, at);
        self.budget.take(fit.done.added);
        self.fits.add(node, fit.done);
        baked
    }

    fn vectors(
        &mut self,
        node: NodeId,
        moments: &[Moment<3>],
        value: impl Fn([f64; 3]) -> Vec3,
        values: fn(Vec<Vec3>) -> Values,
    ) {
        let (keys, steps) = self.track_keys(moments, value, |v| v.to_array().map(f32::to_bits));
        let interpolation = if steps { Interpolation::Step } else { Interpolation::Linear };
        let times = keys.iter().map(|k| k.0).collect();
        let values = values(keys.into_iter().map(|k| k.1).collect());
        self.clip.tracks.push(Track { node, interpolation, times, values });
    }

    fn rotations(&mut self, node: NodeId, moments: &[Moment<4>], turn: impl Fn([f64; 4]) -> DQuat) {
        let value = |v: [f64; 4]| unit(turn(v));
        let (keys, steps) = self.track_keys(moments, value, |q| q.as_quat().to_array().map(f32::to_bits));
        let (times, turns): (Vec<f32>, Vec<DQuat>) = keys.into_iter().unzip();
        let (interpolation, values) = if steps {
            (Interpolation::Step, turns.iter().map(|turn| turn.as_quat()).collect())
        } else {
            straight_turns(&times, &turns)
        };
        let values = Values::Rotation(values);
        self.clip.tracks.push(Track { node, interpolation, times: times.into(), values });
    }

    /// The keys of a track, and whether they are steps. A constant value needs one key.
    fn track_keys<const N: usize, T: Copy, Bits: PartialEq>(
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
            let time = self.seconds(moment.frame) as f32;
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

/// The moments at which any component bends or jumps; `None` without curves.
fn moments<const N: usize>(components: &[Vec<Knot>], defaults: [f64; N]) -> Option<Vec<Moment<N>>> {
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

/// Whether quaternions keep their length from key to key. Otherwise they rotate unevenly, and a track of unit ones does
/// not follow them.
fn has_even_lengths(moments: &[Moment<4>]) -> bool {
    let length = |v: [f64; 4]| DVec4::from_array(v).length();
    moments.windows(2).all(|pair| {
        let (from, to) = (length(pair[0].right), length(pair[1].left));
        (from - to).abs() <= EVEN * from.max(to)
    })
}

fn rotations(values: &[DQuat]) -> Values {
    Values::Rotation(values.iter().map(|q| q.as_quat().normalize()).collect())
}
