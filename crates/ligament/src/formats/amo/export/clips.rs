//! Keys, with added ones where the file interpolates differently from the scene.
//!
//! The keys of all joints at all times take more memory than the scene's tracks. Only their times are kept, and the
//! keys are sampled again when they are written.

use super::names::Names;
use super::rig::{JointKey, Rig};
use crate::formats::amo::codes;
use crate::formats::amo::document::{Clip, JointPose, Key, KeyPose, KeyValue, Keys};
use crate::motion::{Fit, Fitted, KeyBudget, Motion, Tolerance, frame_times};
use crate::report::{Failure, Loss, Place, Report};
use crate::scene::{self, Scene};
use glam::DMat4;

/// Maximum number of keys of a clip, all joints together.
const MAX_KEYS: usize = 16 << 20;
/// Deviations below this fraction of the model's size are rounding.
const ROUNDING: f64 = 1e-5;

/// A number of keys small enough to be in memory all at once.
const FEW_KEYS: usize = 1 << 15;
/// The number of blocks of joints in which more keys than that are made.
const BLOCKS: usize = 4;
/// The contribution of 32-bit floats to a measured deviation, as a fraction of the model's size.
const FLOATS: f64 = 1e-6;

/// All joints at one moment.
pub(super) struct Frame {
    keys: Vec<JointKey>,
    /// The matrices of the joints, given the keys.
    made: Vec<DMat4>,
    /// The matrices of the joints in the scene; empty between keys of the file.
    wanted: Vec<DMat4>,
}

/// The key times of a clip.
pub(super) struct Moments {
    times: Vec<f32>,
    /// The joints that are not always at rest.
    moving: Vec<usize>,
    /// Milliseconds.
    duration: f64,
}

/// A clip of the scene, played by the rig's joints.
#[derive(Clone, Copy)]
pub(super) struct Sampler<'s> {
    pub(super) scene: &'s Scene,
    pub(super) rig: &'s Rig,
    pub(super) clip: &'s scene::Clip,
}

/// Finds the times at which a clip needs keys.
struct Sampling<'s> {
    sampler: Sampler<'s>,
    times: Vec<f32>,
    /// Whether each joint ever leaves its rest pose.
    moves: Vec<bool>,
    /// Added keys, and the remaining error of any vertex between keys.
    fitted: Fitted,
    /// The largest error of any vertex at keys, and the number of times with an error.
    off: f64,
    times_off: usize,
}

/// Makes the file's clips without their keys, and the times of those.
pub(super) fn clips(
    scene: &Scene,
    rig: &Rig,
    names: &mut Names,
    report: &mut Report,
) -> Result<(Vec<Clip>, Vec<Moments>), Failure> {
    let (mut clips, mut all) = (Vec::with_capacity(scene.clips.len()), Vec::with_capacity(scene.clips.len()));
    let mut budget = KeyBudget::default();
    for (i, clip) in scene.clips.iter().enumerate() {
        let name = names.line(&clip.name, "clip", i, report);
        let times = key_times(clip);
        if times.len().saturating_mul(rig.joints.len().max(1)) > MAX_KEYS {
            let message =
                format!("clip {name} has keys at {} times for {} joints", times.len(), rig.joints.len());
            report.error(&codes::TOO_MANY_KEYS, Place::WHOLE, message);
            return Err(Failure::Usage);
        }
        let sampling = Sampling::of(Sampler { scene, rig, clip }, &times, &mut budget);
        sampling.report(clip.label(i), report);
        let mut moments = sampling.moments();
        let (duration, keys) = if rig.is_counted() {
            moments.duration = milliseconds(clip, clip.label(i), report);
            (Some(moments.duration as f32), Keys::Poses(Vec::new()))
        } else {
            (None, Keys::Single(Vec::new()))
        };
        clips.push(Clip { name, duration, keys });
        all.push(moments);
    }
    Ok((clips, all))
}

/// The start, the end, and all times at which a joint has a key.
fn key_times(clip: &scene::Clip) -> Vec<f32> {
    let moving = clip.tracks.iter().filter(|track| track.times.len() > 1);
    frame_times(moving, &[0.0, clip.duration])
}

impl Sampler<'_> {
    /// The keys at a time.
    fn keys(&self, time: f32) -> Vec<JointKey> {
        self.rig.keys(&self.rig.wanted(self.scene, self.clip, time)).0
    }
}

impl Motion for Sampler<'_> {
    type Key = Frame;

    fn at(&self, time: f64) -> Frame {
        let wanted = self.rig.wanted(self.scene, self.clip, time as f32);
        let (keys, made) = self.rig.keys(&wanted);
        Frame { keys, made, wanted }
    }

    fn between(&self, from: &Frame, to: &Frame, fraction: f64) -> Frame {
        let pairs = from.keys.iter().zip(&to.keys);
        let keys: Vec<JointKey> = pairs.map(|(a, b)| JointKey::between(a, b, fraction)).collect();
        Frame { made: self.rig.made(&keys), keys, wanted: Vec::new() }
    }

    /// How far any vertex is from where keys at that moment would put it.
    fn distance(&self, made: &Frame, wanted: &Frame) -> f64 {
        self.rig.apart(&made.made, &wanted.made) / self.rig.size
    }
}

impl<'s> Sampling<'s> {
    fn of(sampler: Sampler<'s>, own: &[f32], budget: &mut KeyBudget) -> Self {
        let joints = sampler.rig.joints.len();
        let (times, moves) = (Vec::with_capacity(own.len()), vec![false; joints]);
        let mut found = Self { sampler, times, moves, fitted: Fitted::default(), off: 0.0, times_off: 0 };
        let room = (MAX_KEYS / joints.max(1)).saturating_sub(own.len());
        let mut fit = Fit::new(Tolerance::COARSE, budget).in_thirds().within(room);
        let own = own.iter().copied().map(f64::from);
        fit.follow(&sampler, own, &mut |time, frame| found.note(time as f32, &frame));
        found.fitted = fit.done;
        found
    }

    fn note(&mut self, time: f32, frame: &Frame) {
        self.times.push(time);
        for (moves, key) in self.moves.iter_mut().zip(&frame.keys) {
            *moves |= *key != JointKey::REST;
        }
        let off = self.sampler.rig.apart(&frame.wanted, &frame.made);
        self.off = self.off.max(off);
        self.times_off += usize::from(off > ROUNDING * self.sampler.rig.size);
    }

    fn moments(self) -> Moments {
        let moving = self.moves.iter().enumerate().filter(|(_, moves)| **moves).map(|(joint, _)| joint);
        Moments { moving: moving.collect(), times: self.times, duration: 0.0 }
    }

    fn report(&self, object: String, report: &mut Report) {
        let size = self.sampler.rig.size;
        let relative = |units: f64| if size > 0.0 { units / size + FLOATS } else { 0.0 };
        let message = "keys were added, because the file interpolates differently between keys";
        let fitted = Fitted { left: self.fitted.left + FLOATS, ..self.fitted };
        fitted.report(&codes::SAMPLED, &object, fitted.added, message, report);
        if self.off > ROUNDING * size {
            let (count, off) = (self.times_off, relative(self.off));
            let message = "keys cannot hold scale or shear; the nearest rotation and translation was written";
            let unit = "of the model's size";
            report.loss(Loss::approximated(&codes::JOINT_SCALE, object, count, off, unit, message));
        }
    }
}

/// A clip's duration in whole milliseconds.
fn milliseconds(clip: &scene::Clip, object: String, report: &mut Report) -> f64 {
    let exact = f64::from(clip.duration) * 1000.0;
    // The product for a rounded duration should be an integer, too.
    let near = exact.round();
    let duration = if (exact - near).abs() <= 1e-6 * near.max(1.0) { near } else { exact.ceil() };
    let duration = f64::from(duration.clamp(0.0, f64::from(f32::MAX)) as f32);
    let later = (duration - exact) / 1000.0;
    if later > 1e-6 {
        let message =
            "durations are whole milliseconds, so the clip ends slightly later; its keys keep their times";
        report.loss(Loss::approximated(&codes::DURATION, object, 1, later, "seconds", message));
    }
    duration
}

impl Moments {
    /// The number of times.
    pub(super) fn count(&self) -> usize {
        self.times.len()
    }

    /// Generates positions and rotations, joint by joint. A property that never changes has a single key; a joint that
    /// is always at rest has none, except the first joint, whose keys define the length of the clip.
    pub(super) fn single_keys(&self, sampler: Sampler<'_>, each: &mut dyn FnMut(&Key)) {
        let (joints, times) = (sampler.rig.joints.len(), self.times.len());
        // A few joints at a time, so that not all keys are in memory.
        let few = if joints * times > FEW_KEYS { joints.div_ceil(BLOCKS) } else { joints };
        for first in (0..joints).step_by(few.max(1)) {
            let block = first..joints.min(first + few);
            // The keys of these joints at the first time, then at the second, and so on.
            let mut keys: Vec<JointKey> = Vec::with_capacity(times * block.len());
            self.times.iter().for_each(|&time| keys.extend_from_slice(&sampler.keys(time)[block.clone()]));
            for joint in block.clone() {
                let own = keys.iter().skip(joint - first).step_by(block.len());
                self.keys_of(joint, own, each);
            }
        }
    }

    fn keys_of<'k>(
        &self,
        joint: usize,
        keys: impl Iterator<Item = &'k JointKey> + Clone,
        each: &mut dyn FnMut(&Key),
    ) {
        let Some((start, end)) = keys.clone().next().zip(keys.clone().last()) else { return };
        let (Some(&first), Some(&last)) = (self.times.first(), self.times.last()) else { return };
        let mut push = |time: f32, key: &JointKey, rotates: bool| {
            let value = match rotates {
                true => KeyValue::Rotation(key.rotation.to_array()),
                false => KeyValue::Position(key.position.to_array()),
            };
            each(&Key { time, joint: joint as i32, value });
        };
        if keys.clone().any(|key| key.position != start.position) {
            self.times.iter().zip(keys.clone()).for_each(|(&time, key)| push(time, key, false));
        } else if start.position != JointKey::REST.position || joint == 0 {
            push(first, start, false);
        }
        if keys.clone().any(|key| key.rotation != start.rotation) {
            self.times.iter().zip(keys).for_each(|(&time, key)| push(time, key, true));
        } else if start.rotation != JointKey::REST.rotation || joint == 0 {
            push(first, start, true);
            if joint == 0 && last > first {
                push(last, end, true);
            }
        }
    }

    /// Generates poses of the joints that are not always at rest.
    pub(super) fn poses(&self, sampler: Sampler<'_>, each: &mut dyn FnMut(&KeyPose)) {
        let mut before = -1.0_f32;
        for &time in &self.times {
            let keys = sampler.keys(time);
            let progress = if self.duration > 0.0 { f64::from(time) * 1000.0 / self.duration } else { 0.0 };
            // Two adjacent times must not become equal.
            let progress = (progress as f32).max(before.next_up());
            before = progress;
            let pose = |&joint: &usize| {
                let (position, rotation) = (keys[joint].position.to_array(), keys[joint].rotation.to_array());
                JointPose { joint: joint as i32, position, rotation }
            };
            each(&KeyPose { progress, joints: self.moving.iter().map(pose).collect() });
        }
    }
}
