//! Keys, with more of them where the file would go another way than the scene.
//!
//! Keys of all joints at all times take more room than the scene's tracks. Only their times are kept, and the keys are
//! sampled again when they are written.

use super::names::Names;
use super::rig::{JointKey, Rig};
use crate::formats::amo::codes;
use crate::formats::amo::document::{Clip, JointPose, Key, KeyPose, KeyValue, Keys};
use crate::report::{Failure, Loss, Place, Report};
use crate::scene::{self, Scene};
use glam::DMat4;

/// How far a vertex may be off between keys, as a fraction of the model's size.
const TOLERANCE: f64 = 1e-4;
/// How often a step between keys is halved at most.
const MAX_HALVINGS: u32 = 8;
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
    time: f32,
    keys: Vec<JointKey>,
    /// How far they put the joints from where those should be.
    off: f64,
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
    added: usize,
    room: usize,
    /// How far any vertex is off between keys, in the model's units.
    between: f64,
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
        sampling.find(&times);
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
    let mut times = Vec::new();
    let mut last: &[f32] = &[];
    // Most tracks have the same times.
    for track in clip.tracks.iter().filter(|track| track.times.len() > 1) {
        if track.times[..] != *last {
            last = &track.times;
            times.extend_from_slice(last);
        }
    }
    times.extend([0.0, clip.duration]);
    times.retain(|time| time.is_finite() && *time >= 0.0);
    times.sort_by(f32::total_cmp);
    times.dedup();
    times.shrink_to_fit();
    times
}

impl Sampler<'_> {
    /// The keys at a time.
    fn keys(&self, time: f32) -> Vec<JointKey> {
        self.rig.keys(&self.rig.wanted(self.scene, self.clip, time)).0
    }

    /// The keys at a time, and where they put the joints.
    fn frame(&self, time: f32) -> (Frame, Vec<DMat4>) {
        let wanted = self.rig.wanted(self.scene, self.clip, time);
        let (keys, made) = self.rig.keys(&wanted);
        let off = self.rig.apart(&wanted, &made);
        (Frame { time, keys, off }, made)
    }
}

impl<'s> Sampling<'s> {
    fn new(sampler: Sampler<'s>) -> Self {
        let joints = sampler.rig.joints.len();
        Self {
            sampler,
            times: Vec::new(),
            moves: vec![false; joints],
            added: 0,
            room: MAX_KEYS / joints.max(1),
            between: 0.0,
            off: 0.0,
            times_off: 0,
        }
    }

    fn find(&mut self, times: &[f32]) {
        self.times.reserve(times.len());
        let mut last: Option<Frame> = None;
        for &time in times {
            let (frame, _) = self.sampler.frame(time);
            let mut between = Vec::new();
            if let Some(last) = &last {
                self.halve([last, &frame], MAX_HALVINGS, &mut between);
            }
            between.iter().for_each(|frame| self.note(frame));
            self.note(&frame);
            last = Some(frame);
        }
    }

    fn note(&mut self, frame: &Frame) {
        self.times.push(frame.time);
        for (moves, key) in self.moves.iter_mut().zip(&frame.keys) {
            *moves |= *key != JointKey::REST;
        }
        self.off = self.off.max(frame.off);
        self.times_off += usize::from(frame.off > ROUNDING * self.sampler.rig.size);
    }

    fn moments(self) -> Moments {
        let moving = self.moves.iter().enumerate().filter(|(_, moves)| **moves).map(|(joint, _)| joint);
        Moments { moving: moving.collect(), times: self.times, duration: 0.0 }
    }

    /// Adds frames between two until the file's way between them is the scene's.
    fn halve(&mut self, [a, b]: [&Frame; 2], halvings: u32, between: &mut Vec<Frame>) {
        let at = |fraction: f32| a.time + (b.time - a.time) * fraction;
        let inside = |t: f32| a.time < t && t < b.time;
        let mut worst = 0.0_f64;
        let mut middle = None;
        for fraction in [0.25, 0.5, 0.75] {
            let time = at(fraction);
            if !inside(time) {
                continue;
            }
            let along = (f64::from(time) - f64::from(a.time)) / (f64::from(b.time) - f64::from(a.time));
            let (frame, made) = self.sampler.frame(time);
            let keys: Vec<JointKey> =
                a.keys.iter().zip(&b.keys).map(|(a, b)| JointKey::between(a, b, along)).collect();
            let rig = self.sampler.rig;
            worst = worst.max(rig.apart(&made, &rig.made(&keys)));
            if fraction == 0.5 {
                middle = Some(frame);
            }
        }
        let enough = worst <= TOLERANCE * self.sampler.rig.size || halvings == 0 || self.added >= self.room;
        match middle {
            Some(middle) if !enough => {
                self.added += 1;
                self.halve([a, &middle], halvings - 1, between);
                let after = between.len();
                between.push(middle);
                let mut rest = Vec::new();
                self.halve([&between[after], b], halvings - 1, &mut rest);
                between.append(&mut rest);
            }
            _ => self.between = self.between.max(worst),
        }
    }

    fn report(&self, object: String, report: &mut Report) {
        let size = self.sampler.rig.size;
        let relative = |units: f64| if size > 0.0 { units / size + FLOATS } else { 0.0 };
        if self.between > ROUNDING * size {
            let message = "between keys the file goes another way; keys were added until that is small";
            let size = relative(self.between);
            let unit = "of the model's size";
            report.loss(Loss::approximated(&codes::SAMPLED, object.clone(), self.added, size, unit, message));
        }
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
