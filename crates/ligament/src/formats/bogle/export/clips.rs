//! Animations: the keys of a skeleton in every clip that moves it.
//!
//! A key holds all bones, and between keys the file goes its own way. So the keys of all tracks are taken together, and
//! more are added until every bone turns as it should; steps get a key just before them.

use super::probes::farthest;
use super::skeletons::{Rig, rotation_of, sound};
use super::{Export, bounded, is_motion, own};
use crate::formats::Posing;
use crate::formats::bogle::codes;
use crate::formats::bogle::document::Animation;
use crate::pose::locals_at;
use crate::report::Loss;
use crate::scene::{Clip, Interpolation, Values};
use glam::{DMat4, DQuat, DVec3};

/// Keys are added until a bone's rotation is this close to the scene's, in radians.
const TOLERANCE: f64 = 2e-5;

/// One interval between keys is halved at most so often.
const MAX_HALVINGS: u32 = 7;

/// Keys in one animation; past them no more are added.
const MAX_KEYS: usize = 1 << 14;

/// The bones of a rig at one time.
#[derive(Clone)]
struct Frame {
    time: f32,
    offset: DVec3,
    /// Relative to the bone's bind rotation.
    keys: Vec<DQuat>,
    /// How far any vertex is from its place, because of what a bone cannot do.
    off: f64,
}

/// What is left of the source's motion between keys.
#[derive(Default)]
struct Left {
    added: usize,
    /// The largest angle, added up along the chain of bones.
    radians: f64,
    units: f64,
    /// The most that any frame is off.
    off: f64,
}

impl Export<'_> {
    /// The animations of a rig.
    pub(super) fn animations(&mut self, rig: &Rig) -> Vec<Animation> {
        let mut animations = Vec::new();
        for i in 0..self.scene.clips.len() {
            let moves = self.tracks_of(rig, i).next().is_some();
            if moves {
                let animation = self.animation(rig, i);
                animations.push(animation);
            }
        }
        animations
    }

    fn tracks_of(&self, rig: &Rig, clip: usize) -> impl Iterator<Item = &crate::scene::Track> {
        let mut is_bone = vec![false; self.scene.nodes.len()];
        rig.bones.iter().for_each(|b| is_bone[b.node.index()] = true);
        let tracks = self.scene.clips[clip].tracks.iter();
        tracks.filter(move |t| is_motion(&t.values) && is_bone[t.node.index()])
    }

    fn animation(&mut self, rig: &Rig, index: usize) -> Animation {
        let clip = &self.scene.clips[index];
        let start = own(&clip.extras, "start").and_then(|v| v.as_f64()).unwrap_or(0.0);
        let mut animation = Animation { name: clip.name.as_str().into(), ..Animation::default() };
        let mut left = Left::default();
        // A frame takes more room than its numbers in the file, so that only the last is kept.
        let mut last: Option<Frame> = None;
        for time in self.key_times(rig, index) {
            let frame = self.frame(rig, clip, time);
            let mut frames = Vec::new();
            if let Some(last) = &last {
                self.halve(rig, clip, [last, &frame], MAX_HALVINGS, &mut left, &mut frames);
            }
            frames.push(frame);
            for mut frame in frames {
                frame.align(last.as_ref());
                left.off = left.off.max(frame.off);
                self.write_frame(&frame, start, &mut animation.frames);
                last = Some(frame);
            }
        }
        animation.frames.shrink_to_fit();
        self.report_animation(rig, index, &left);
        animation
    }

    /// When something begins, ends or has a key.
    fn key_times(&self, rig: &Rig, index: usize) -> Vec<f32> {
        let clip = &self.scene.clips[index];
        let mut times: Vec<f32> = Vec::new();
        for track in self.tracks_of(rig, index) {
            times.extend(track.times.iter());
            if track.interpolation == Interpolation::Step {
                times.extend(track.times.iter().skip(1).map(|t| t.next_down()).filter(|&t| t > 0.0));
            }
        }
        // The clip may last longer than its last key; only a key can say so.
        times.push(clip.duration);
        times.retain(|t| t.is_finite());
        times.sort_by(f32::total_cmp);
        times.dedup();
        // Keys that the importer added need not become the file's; where they are needed they are added again.
        let own_times = self.own_times(clip, &times);
        own_times.unwrap_or(times)
    }

    /// The times of the keys that the file had, if they are still among those of the clip.
    fn own_times(&self, clip: &Clip, times: &[f32]) -> Option<Vec<f32>> {
        let listed = own(&clip.extras, "times")?.as_array()?;
        let own: Vec<f32> = listed.iter().map(|v| Some(v.as_f64()? as f32)).collect::<Option<_>>()?;
        let known = |t: &f32| times.binary_search_by(|other| other.total_cmp(t)).is_ok();
        (own.is_sorted_by(|a, b| a < b) && own.iter().all(known) && own.last() == times.last()).then_some(own)
    }

    fn frame(&self, rig: &Rig, clip: &Clip, time: f32) -> Frame {
        let locals = locals_at(&self.scene, clip, time);
        let mut globals: Vec<DMat4> = Vec::with_capacity(rig.bones.len());
        let mut turns: Vec<DQuat> = Vec::with_capacity(rig.bones.len());
        let mut keys = Vec::with_capacity(rig.bones.len());
        // What the file's bones make of it.
        let mut made: Vec<(DVec3, DQuat)> = Vec::with_capacity(rig.bones.len());
        let mut offset = DVec3::ZERO;
        for (i, bone) in rig.bones.iter().enumerate() {
            let local = locals[bone.node.index()].to_matrix();
            let global = match bone.parent {
                Some(parent) => globals[parent] * local,
                None => local,
            };
            // Scale that does not change cancels out here.
            let turn = (rotation_of(&(global * bone.bind.inverse())) * bone.rotation).normalize();
            let (above, above_bind) =
                bone.parent.map_or((DQuat::IDENTITY, DQuat::IDENTITY), |p| (turns[p], rig.bones[p].rotation));
            let bound = (above_bind.inverse() * bone.rotation).normalize();
            keys.push((bound.inverse() * above.inverse() * turn).normalize());
            let place = match bone.parent {
                Some(p) => made[p].0 + made[p].1 * (above_bind.inverse() * (bone.place - rig.bones[p].place)),
                None if i == 0 => {
                    offset = bone.rotation.inverse() * (global.w_axis.truncate() - bone.place);
                    global.w_axis.truncate()
                }
                None => bone.place,
            };
            globals.push(global);
            turns.push(turn);
            made.push((place, turn));
        }
        if self.posing == Posing::Engine {
            // There the bone that moves does not turn.
            offset = rig.bones.first().map_or(DVec3::ZERO, |b| b.rotation * offset);
        }
        let off = self.deviation(rig, &globals, &made);
        Frame { time, offset, keys, off }
    }

    fn deviation(&self, rig: &Rig, globals: &[DMat4], made: &[(DVec3, DQuat)]) -> f64 {
        let anchored = rig.anchor.map_or(DMat4::IDENTITY, |a| self.rest[a.index()]);
        let unmatrix = rig.matrix.inverse();
        let mut worst = 0.0_f64;
        for probe in &rig.probes {
            let bone = &rig.bones[probe.bone];
            let wanted = anchored * globals[probe.bone] * probe.inverse_bind;
            let (place, turn) = made[probe.bone];
            let posed = DMat4::from_rotation_translation(turn, place);
            let bound = DMat4::from_rotation_translation(bone.rotation, bone.place);
            let found = rig.world * rig.matrix * posed * bound.inverse() * unmatrix;
            worst = worst.max(farthest(&wanted, &found, &probe.corners));
        }
        worst
    }

    /// Adds frames between two until the file's way between them is the scene's.
    fn halve(
        &self,
        rig: &Rig,
        clip: &Clip,
        [a, b]: [&Frame; 2],
        halvings: u32,
        left: &mut Left,
        between: &mut Vec<Frame>,
    ) {
        let at = |fraction: f32| a.time + (b.time - a.time) * fraction;
        let inside = |t: &f32| a.time < *t && *t < b.time;
        let (mut worst, mut chain) = ((0.0_f64, 0.0_f64), 0.0_f64);
        for time in [0.25, 0.5, 0.75].into_iter().map(at).filter(inside) {
            let fraction = (f64::from(time) - f64::from(a.time)) / (f64::from(b.time) - f64::from(a.time));
            let wanted = self.frame(rig, clip, time);
            // A bone carries what is wrong with those above it.
            let mut carried: Vec<f64> = Vec::with_capacity(rig.bones.len());
            for (i, ((&from, &to), &key)) in a.keys.iter().zip(&b.keys).zip(&wanted.keys).enumerate() {
                let own = angle_between(self.between(from, to, fraction), key);
                worst.0 = worst.0.max(own);
                carried.push(own + rig.bones[i].parent.map_or(0.0, |p| carried[p]));
            }
            chain = carried.into_iter().fold(chain, f64::max);
            worst.1 = worst.1.max(a.offset.lerp(b.offset, fraction).distance(wanted.offset));
        }
        let middle = at(0.5);
        let near = worst.0 <= TOLERANCE && worst.1 <= TOLERANCE * rig.size.max(f64::MIN_POSITIVE);
        if near || halvings == 0 || !inside(&middle) || left.added >= MAX_KEYS {
            left.radians = left.radians.max(chain);
            left.units = left.units.max(worst.1);
            return;
        }
        left.added += 1;
        let frame = self.frame(rig, clip, middle);
        self.halve(rig, clip, [a, &frame], halvings - 1, left, between);
        between.push(frame.clone());
        self.halve(rig, clip, [&frame, b], halvings - 1, left, between);
    }

    /// The file's way from key to key.
    fn between(&self, a: DQuat, b: DQuat, t: f64) -> DQuat {
        let b = if a.dot(b) < 0.0 { -b } else { b };
        match self.posing {
            Posing::Author => (a * (1.0 - t) + b * t).normalize(),
            Posing::Engine => a.slerp(b, t),
        }
    }

    fn report_animation(&mut self, rig: &Rig, clip: usize, left: &Left) {
        let object = format!("clip {:?}", self.scene.clips[clip].name);
        if left.added > 0 || left.radians > 1e-5 {
            let message = match left.added {
                0 => "the file goes a slightly other way between keys",
                _ => "keys were added where the file would go another way between those of the source",
            };
            // What turns by an angle moves by that part of its distance, which is at most the model's size.
            let size = left.radians;
            self.report.loss(Loss::approximated(
                &codes::SAMPLED,
                object.clone(),
                left.added,
                size,
                "of the model's size",
                message,
            ));
        }
        if left.units > 1e-5 * rig.size {
            let message = "the root goes another way between keys";
            let size = left.units;
            self.report.loss(Loss::approximated(
                &codes::SAMPLED,
                object.clone(),
                left.added,
                size,
                "units",
                message,
            ));
        }
        let worst = left.off;
        if worst > 1e-5 * rig.size {
            let moving = self.tracks_of(rig, clip).filter(|t| {
                let root = rig.bones.first().is_some_and(|b| b.node == t.node);
                matches!(t.values, Values::Scale(_)) || (matches!(t.values, Values::Translation(_)) && !root)
            });
            let (count, code) = match moving.count() {
                0 => (rig.bones.len(), &codes::MATRICES),
                count => (count, &codes::JOINT_MOTION),
            };
            let message = if code.id == codes::JOINT_MOTION.id {
                "bones turn about fixed places; of the rest, only the first root's movement is kept"
            } else {
                "the joints' matrices hold scale or shear that bones cannot"
            };
            self.report.loss(Loss::approximated(code, object, count, worst, "units", message));
        }
    }

    fn write_frame(&self, frame: &Frame, start: f64, floats: &mut Vec<f32>) {
        floats.push(bounded(f64::from(frame.time) + start));
        floats.extend(frame.offset.to_array().map(bounded));
        for key in &frame.keys {
            if self.posing == Posing::Engine {
                floats.extend([0.0, 0.0, 0.0, 1.0]);
            }
            floats.extend(sound(*key).as_quat().to_array());
        }
    }
}

impl Frame {
    /// Of the two quaternions of a rotation, takes the one nearer to the key before: between keys the file goes straight.
    fn align(&mut self, before: Option<&Frame>) {
        for (b, key) in self.keys.iter_mut().enumerate() {
            let flipped = match before {
                Some(before) => key.dot(before.keys[b]) < 0.0,
                None => key.w < 0.0,
            };
            if flipped {
                *key = -*key;
            }
        }
    }
}

fn angle_between(a: DQuat, b: DQuat) -> f64 {
    let chord = (a - b).length().min((a + b).length());
    4.0 * (chord / 2.0).min(1.0).asin()
}
