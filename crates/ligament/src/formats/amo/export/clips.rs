//! Keys, with more of them where the file would go another way than the scene.
//!
//! Keys of all joints at all times take more room than the scene's tracks. Only their times are kept, and the keys are
//! sampled again when they are written.

use super::names::Names;
use super::rig::{JointKey, Rig};
use crate::formats::amo::codes;
use crate::formats::amo::document::{Clip, JointPose, Key, KeyPose, KeyValue, Keys};
use crate::motion::{Fit, Fitted, KeyBudget, Motion, Tolerance, frame_times};
use crate::report::{Failure, Loss, Place, Report};
use crate::scene::{self, Scene};
use glam::DMat4;

/// The most keys that a clip of all joints together gets.
const MAX_KEYS: usize = 16 << 20;
/// Deviations below this fraction of the model's size are rounding.
const ROUNDING: f64 = 1e-5;

/// Keys that are few enough to be in memory all at once.
const FEW_KEYS: usize = 1 << 15;
/// In how many blocks of joints keys are made that are more.
const BLOCKS: usize = 4;
/// What 32-bit floats may add to a measured deviation, as a fraction of the model's size.
const FLOATS: f64 = 1e-6;

/// All joints at one moment.
struct Frame {
    keys: Vec<JointKey>,
    /// Where the keys put the joints.
    made: Vec<DMat4>,
    /// Where the joints should be; empty between keys of the file.
    wanted: Vec<DMat4>,
}

/// When a clip has keys.
pub(super) struct Moments {
    times: Vec<f32>,
    /// The joints that are not at rest throughout.
    moving: Vec<usize>,
    /// Milliseconds.
    duration: f64,
}

/// A clip of the scene as the rig's joints go through it.
#[derive(Clone, Copy)]
struct Sampler<'s> {
    scene: &'s Scene,
    rig: &'s Rig,
    clip: &'s scene::Clip,
}

/// Finds when a clip needs keys.
struct Sampling<'s> {
    sampler: Sampler<'s>,
    times: Vec<f32>,
    /// Whether each joint is ever not at rest.
    moves: Vec<bool>,
    /// Keys that were added, and how far any vertex still is off between keys.
    fitted: Fitted,
    /// How far any vertex is off at keys, and at how many times it is.
    off: f64,
    times_off: usize,
}

/// The file's clips without their keys, and when those are.
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
        let mut sampling = Sampling::new(Sampler { scene, rig, clip });
        sampling.find(&times, &mut budget);
        sampling.report(format!("clip {name}"), report);
        let mut moments = sampling.moments();
        let (duration, keys) = if rig.is_counted() {
            moments.duration = milliseconds(clip, format!("clip {name}"), report);
            (Some(moments.duration as f32), Keys::Poses(Vec::new()))
        } else {
            (None, Keys::Single(Vec::new()))
        };
        clips.push(Clip { name, duration, keys });
        all.push(moments);
    }
    Ok((clips, all))
}

/// The beginning, the end, and whenever a joint has a key.
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
    fn new(sampler: Sampler<'s>) -> Self {
        let joints = sampler.rig.joints.len();
        Self {
            sampler,
            times: Vec::new(),
            moves: vec![false; joints],
            fitted: Fitted::default(),
            off: 0.0,
            times_off: 0,
        }
    }

    fn find(&mut self, times: &[f32], budget: &mut KeyBudget) {
        let (sampler, joints) = (self.sampler, self.moves.len());
        self.times.reserve(times.len());
        let room = (MAX_KEYS / joints.max(1)).saturating_sub(times.len());
        let mut fit = Fit::new(Tolerance::COARSE, budget).in_thirds().within(room);
        let own = times.iter().copied().map(f64::from);
        fit.follow(&sampler, own, &mut |time, frame| self.note(time as f32, &frame));
        self.fitted = fit.done;
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
        let message = "between keys the file goes another way; keys were added until that is small";
        let fitted = Fitted { left: self.fitted.left + FLOATS, ..self.fitted };
        fitted.report(&codes::SAMPLED, &object, fitted.added, message, report);
        if self.off > ROUNDING * size {
            let (count, off) = (self.times_off, relative(self.off));
            let message = "keys hold no scale and no shear; the nearest turn and movement was written";
            let unit = "of the model's size";
            report.loss(Loss::approximated(&codes::JOINT_SCALE, object, count, off, unit, message));
        }
    }
}

/// A clip's duration in whole milliseconds.
fn milliseconds(clip: &scene::Clip, object: String, report: &mut Report) -> f64 {
    let exact = f64::from(clip.duration) * 1000.0;
    // The product of a rounded duration is a whole number too.
    let near = exact.round();
    let duration = if (exact - near).abs() <= 1e-6 * near.max(1.0) { near } else { exact.ceil() };
    let duration = f64::from(duration.clamp(0.0, f64::from(f32::MAX)) as f32);
    let later = (duration - exact) / 1000.0;
    if later > 1e-6 {
        let message =
            "durations are whole milliseconds, so that the clip ends later; its keys keep their times";
        report.loss(Loss::approximated(&codes::DURATION, object, 1, later, "seconds", message));
    }
    duration
}

impl Moments {
    /// How many times there are.
    pub(super) fn count(&self) -> usize {
        self.times.len()
    }

    /// Places and rotations, joint by joint. One that never changes has a single key; a joint that stays at rest has none,
    /// but for the first, which says how long the clip is.
    pub(super) fn single_keys(
        &self,
        scene: &Scene,
        rig: &Rig,
        clip: &scene::Clip,
        each: &mut dyn FnMut(&Key),
    ) {
        let sampler = Sampler { scene, rig, clip };
        let (joints, times) = (rig.joints.len(), self.times.len());
        // Some joints at a time, so that not all keys are in memory.
        let few = if joints * times > FEW_KEYS { joints.div_ceil(BLOCKS) } else { joints };
        for first in (0..joints).step_by(few.max(1)) {
            let block = first..joints.min(first + few);
            // The keys of these joints at the first time, at the second...
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

    /// Poses of the joints that are not at rest throughout.
    pub(super) fn poses(&self, scene: &Scene, rig: &Rig, clip: &scene::Clip, each: &mut dyn FnMut(&KeyPose)) {
        let sampler = Sampler { scene, rig, clip };
        let mut before = -1.0_f32;
        for &time in &self.times {
            let keys = sampler.keys(time);
            let progress = if self.duration > 0.0 { f64::from(time) * 1000.0 / self.duration } else { 0.0 };
            // Two times that are next to each other must not become one.
            let progress = (progress as f32).max(before.next_up());
            before = progress;
            let pose = |&joint: &usize| {
                let JointKey { position, rotation } = keys[joint];
                JointPose {
                    joint: joint as i32,
                    position: position.to_array(),
                    rotation: rotation.to_array(),
                }
            };
            each(&KeyPose { progress, joints: self.moving.iter().map(pose).collect() });
        }
    }
}
