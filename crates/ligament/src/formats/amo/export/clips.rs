//! Keys, with more of them where the file would go another way than the scene.

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

/// What 32-bit floats may add to a measured deviation, as a fraction of the model's size.
const FLOATS: f64 = 1e-6;

/// All joints at one moment.
struct Frame {
    time: f32,
    keys: Vec<JointKey>,
    /// How far they put the joints from where those should be.
    off: f64,
}

struct Sampling<'s> {
    scene: &'s Scene,
    rig: &'s Rig,
    clip: &'s scene::Clip,
    added: usize,
    room: usize,
    /// How far any vertex is off between keys, in the model's units.
    between: f64,
}

/// Makes the file's clips of the scene's, which are gone then.
pub(super) fn clips(
    scene: &mut Scene,
    rig: &Rig,
    names: &mut Names,
    report: &mut Report,
) -> Result<Vec<Clip>, Failure> {
    let from = std::mem::take(&mut scene.clips);
    let mut clips = Vec::with_capacity(from.len());
    for (i, clip) in from.into_iter().enumerate() {
        let clip = &clip;
        let name = names.line(&clip.name, "clip", i, report);
        let times = key_times(clip);
        if times.len().saturating_mul(rig.joints.len().max(1)) > MAX_KEYS {
            let message =
                format!("clip {name} has keys at {} times for {} joints", times.len(), rig.joints.len());
            report.error(&codes::TOO_MANY_KEYS, Place::WHOLE, message);
            return Err(Failure::Usage);
        }
        let room = MAX_KEYS / rig.joints.len().max(1);
        let mut sampling = Sampling { scene, rig, clip, added: 0, room, between: 0.0 };
        let frames = sampling.frames(&times);
        sampling.report(&frames, format!("clip {name}"), report);
        let (duration, keys) = if rig.is_counted() {
            let (duration, poses) = poses(clip, frames, format!("clip {name}"), report);
            (Some(duration), Keys::Poses(poses))
        } else {
            (None, Keys::Single(single_keys(&frames)))
        };
        clips.push(Clip { name, duration, keys });
    }
    Ok(clips)
}

/// The beginning, the end, and whenever a joint has a key.
fn key_times(clip: &scene::Clip) -> Vec<f32> {
    let tracks = clip.tracks.iter().filter(|track| track.times.len() > 1);
    let mut times: Vec<f32> = tracks.flat_map(|track| track.times.iter().copied()).collect();
    times.extend([0.0, clip.duration]);
    times.retain(|time| time.is_finite() && *time >= 0.0);
    times.sort_by(f32::total_cmp);
    times.dedup();
    times
}

impl Sampling<'_> {
    fn frames(&mut self, times: &[f32]) -> Vec<Frame> {
        let mut frames: Vec<Frame> = Vec::with_capacity(times.len());
        for &time in times {
            let (frame, _) = self.frame(time);
            let mut between = Vec::new();
            if let Some(last) = frames.last() {
                self.halve([last, &frame], MAX_HALVINGS, &mut between);
            }
            frames.append(&mut between);
            frames.push(frame);
        }
        frames
    }

    /// The keys at a time, and where they put the joints.
    fn frame(&self, time: f32) -> (Frame, Vec<DMat4>) {
        let wanted = self.rig.wanted(self.scene, self.clip, time);
        let (keys, made) = self.rig.keys(&wanted);
        let off = self.rig.apart(&wanted, &made);
        (Frame { time, keys, off }, made)
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
            let (frame, made) = self.frame(time);
            let keys: Vec<JointKey> =
                a.keys.iter().zip(&b.keys).map(|(a, b)| JointKey::between(a, b, along)).collect();
            worst = worst.max(self.rig.apart(&made, &self.rig.made(&keys)));
            if fraction == 0.5 {
                middle = Some(frame);
            }
        }
        let enough = worst <= TOLERANCE * self.rig.size || halvings == 0 || self.added >= self.room;
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

    fn report(&self, frames: &[Frame], object: String, report: &mut Report) {
        let size = self.rig.size;
        let relative = |units: f64| if size > 0.0 { units / size + FLOATS } else { 0.0 };
        if self.between > ROUNDING * size {
            let message = "between keys the file goes another way; keys were added until that is small";
            let size = relative(self.between);
            let unit = "of the model's size";
            report.loss(Loss::approximated(&codes::SAMPLED, object.clone(), self.added, size, unit, message));
        }
        let off = frames.iter().fold(0.0_f64, |worst, frame| worst.max(frame.off));
        if off > ROUNDING * size {
            let count = frames.iter().filter(|frame| frame.off > ROUNDING * size).count();
            let message = "keys hold no scale and no shear; the nearest turn and movement was written";
            let unit = "of the model's size";
            report.loss(Loss::approximated(&codes::JOINT_SCALE, object, count, relative(off), unit, message));
        }
    }
}

/// Places and rotations, joint by joint. One that never changes has a single key; a joint that stays at rest has none,
/// but for the first, which says how long the clip is.
fn single_keys(frames: &[Frame]) -> Vec<Key> {
    let (Some(first), Some(last)) = (frames.first(), frames.last()) else { return Vec::new() };
    let mut keys = Vec::new();
    for joint in 0..first.keys.len() {
        let number = joint as i32;
        let mut push = |frame: &Frame, rotates: bool| {
            let JointKey { position, rotation } = frame.keys[joint];
            let value = match rotates {
                true => KeyValue::Rotation(rotation.to_array()),
                false => KeyValue::Position(position.to_array()),
            };
            keys.push(Key { time: frame.time, joint: number, value });
        };
        let moves = frames.iter().any(|f| f.keys[joint].position != first.keys[joint].position);
        let turns = frames.iter().any(|f| f.keys[joint].rotation != first.keys[joint].rotation);
        if moves {
            frames.iter().for_each(|frame| push(frame, false));
        } else if first.keys[joint].position != JointKey::REST.position || joint == 0 {
            push(first, false);
        }
        if turns {
            frames.iter().for_each(|frame| push(frame, true));
        } else if first.keys[joint].rotation != JointKey::REST.rotation || joint == 0 {
            push(first, true);
            if joint == 0 && last.time > first.time {
                push(last, true);
            }
        }
    }
    keys
}

/// Poses of the joints that are not at rest throughout, and the duration in whole milliseconds.
fn poses(clip: &scene::Clip, frames: Vec<Frame>, object: String, report: &mut Report) -> (f32, Vec<KeyPose>) {
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
    let count = frames.first().map_or(0, |frame| frame.keys.len());
    let moves = |joint: &usize| frames.iter().any(|frame| frame.keys[*joint] != JointKey::REST);
    let moving: Vec<usize> = (0..count).filter(moves).collect();
    let mut poses = Vec::with_capacity(frames.len());
    let mut before = -1.0_f32;
    for frame in frames {
        let progress = if duration > 0.0 { f64::from(frame.time) * 1000.0 / duration } else { 0.0 };
        // Two times that are next to each other must not become one.
        let progress = (progress as f32).max(before.next_up());
        before = progress;
        let pose = |&joint: &usize| {
            let JointKey { position, rotation } = frame.keys[joint];
            JointPose { joint: joint as i32, position: position.to_array(), rotation: rotation.to_array() }
        };
        poses.push(KeyPose { progress, joints: moving.iter().map(pose).collect() });
    }
    (duration as f32, poses)
}
