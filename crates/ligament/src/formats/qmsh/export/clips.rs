//! Animations: a key holds all bones, so the keys of all tracks are taken together.
//!
//! Between keys the file goes as linear tracks do, so that those are exact. Steps get a key just before them, and cubic
//! tracks as many as they need.

use super::skeleton::{Moved, Skeleton};
use super::{FARTHEST, Names, codes, fine, written};
use crate::formats::qmsh::document::{Animation, Key, Version};
use crate::formats::qmsh::space::mirrored_rotation;
use crate::report::{Failure, Loss, Place, Report};
use crate::scene::{Clip, Interpolation, Scene, Values};
use glam::{DMat4, DVec3};
use std::collections::HashSet;

/// Keys are added until nothing is farther off than this part of the model's size.
const TOLERANCE: f64 = 1e-5;

/// One interval between keys is halved at most so often.
const MAX_HALVINGS: u32 = 10;

/// The animations of all clips, without their keys, and whether all of those are numbers that can be read again. `boxes` has
/// the corners around the vertices of each bone.
pub(super) fn animations(
    scene: &Scene,
    skeleton: &Skeleton,
    boxes: &[Vec<DVec3>],
    version: Version,
    names: &mut Names,
    report: &mut Report,
) -> Result<(Vec<Animation>, bool), Failure> {
    let all = || boxes.iter().flatten().copied();
    let (min, max) = all().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(a, b), p| (a.min(p), b.max(p)));
    let size = if min.x <= max.x { min.distance(max).max(f64::MIN_POSITIVE) } else { 1.0 };
    let mut animations = Vec::with_capacity(scene.clips.len());
    let mut sound = true;
    for (i, clip) in scene.clips.iter().enumerate() {
        let baker = Baker { scene, skeleton, boxes, clip, size, version };
        let label = if clip.name.is_empty() { format!("clip{i}") } else { clip.name.clone() };
        let object = if clip.name.is_empty() { label.clone() } else { format!("clip {label:?}") };
        let mut seen = Seen { scaled: vec![false; skeleton.bones.len()], sound: true, ..Seen::default() };
        let times = baker.times(&mut seen);
        if times.len() > usize::from(u16::MAX) {
            let message = format!("{object} needs {} keys, and an animation holds 65535", times.len());
            return Err(report.invalid(&codes::LIMIT, Place::field(format!("clips[{i}]")), message));
        }
        seen.report(object, report);
        sound &= seen.sound;
        let length = clip.duration.max(times.last().copied().unwrap_or(0.0));
        animations.push(Animation { name: names.cut(&label), length, times, keys: Vec::new() });
    }
    Ok((animations, sound))
}

/// All bones at a time.
struct Frame {
    time: f32,
    keys: Vec<Moved>,
}

/// What was seen on the way through an animation.
#[derive(Default)]
struct Seen {
    /// Frames that were added, and how far the way between them still is from the source's.
    added: usize,
    left: f64,
    /// The bones whose scale is not the same along all axes but must be, and how far that moves anything.
    scaled: Vec<bool>,
    unscaled: f64,
    /// Whether all numbers can be read again.
    sound: bool,
}

impl Seen {
    fn report(&self, object: String, report: &mut Report) {
        let unit = "of the model's size";
        if self.added > 0 {
            let message = "keys were added where the source does not move evenly between its own";
            let object = object.clone();
            report.loss(Loss::approximated(&codes::SAMPLED, object, self.added, self.left, unit, message));
        }
        let count = self.scaled.iter().filter(|scaled| **scaled).count();
        if count > 0 {
            let message = "bones that scale more along one axis scale by the mean";
            let size = self.unscaled;
            report.loss(Loss::approximated(&codes::UNIFORM_SCALE, object, count, size, unit, message));
        }
    }
}

struct Baker<'a> {
    scene: &'a Scene,
    skeleton: &'a Skeleton,
    boxes: &'a [Vec<DVec3>],
    clip: &'a Clip,
    /// The model's size.
    size: f64,
    version: Version,
}

impl Baker<'_> {
    /// When the animation has keys. Frames are made only to be looked at: all of them together would take more room than
    /// the clip.
    fn times(&self, seen: &mut Seen) -> Vec<f32> {
        // Whatever is linear or a step is exact at the keys of all tracks.
        let curved = self.clip.tracks.iter().any(|t| t.interpolation == Interpolation::Cubic);
        let mut times = Vec::new();
        let mut last: Option<Frame> = None;
        for time in self.key_times() {
            let frame = self.frame(time);
            let mut frames = Vec::new();
            if let Some(last) = last.as_ref().filter(|_| curved) {
                self.halve([last, &frame], MAX_HALVINGS, seen, &mut frames);
            }
            frames.push(frame);
            frames.iter().for_each(|frame| self.look_at(frame, seen));
            times.extend(frames.iter().map(|frame| frame.time));
            last = frames.pop();
        }
        times
    }

    fn look_at(&self, frame: &Frame, seen: &mut Seen) {
        seen.sound &= frame.keys.iter().map(|moved| key(moved, self.version)).all(|key| {
            [&key.translation[..], &key.rotation, &key.scale].iter().all(|values| fine(values, FARTHEST))
        });
        if self.version.since(22) {
            return;
        }
        let mut differs = false;
        for (key, scaled) in frame.keys.iter().zip(&mut seen.scaled) {
            let range = key.scale.max_element() - key.scale.min_element();
            if range > 1e-6 * key.scale.abs().max_element() {
                (*scaled, differs) = (true, true);
            }
        }
        if differs {
            let made: Vec<Moved> = frame.keys.iter().map(with_one_scale).collect();
            seen.unscaled = seen.unscaled.max(self.deviation(&made, &frame.keys));
        }
    }

    /// When something begins, ends or has a key. Engines want a key at 0 and at the end.
    fn key_times(&self) -> Vec<f32> {
        let mut times = vec![0.0, self.clip.duration];
        // Most tracks share their times.
        let mut seen = HashSet::new();
        for track in self.clip.tracks.iter().filter(|t| !matches!(t.values, Values::MorphWeights { .. })) {
            let is_step = track.interpolation == Interpolation::Step;
            if !seen.insert((track.times.as_ptr(), is_step)) {
                continue;
            }
            times.extend(track.times.iter());
            if is_step {
                times.extend(track.times.iter().skip(1).map(|t| t.next_down()).filter(|&t| t > 0.0));
            }
        }
        times.retain(|t| t.is_finite());
        times.sort_by(f32::total_cmp);
        times.dedup();
        times
    }

    fn frame(&self, time: f32) -> Frame {
        Frame { time, keys: self.skeleton.at(self.scene, self.clip, time) }
    }

    /// How far any vertex is from its place if the bones are at `made` instead of `wanted`, as a part of the model's size.
    fn deviation(&self, made: &[Moved], wanted: &[Moved]) -> f64 {
        let (made, wanted) = (self.matrices(made), self.matrices(wanted));
        let mut worst = 0.0_f64;
        for (bone, corners) in self.boxes.iter().enumerate() {
            let difference = made[bone] - wanted[bone];
            for corner in corners {
                worst = worst.max((difference * corner.extend(1.0)).truncate().length());
            }
        }
        worst / self.size
    }

    /// What each bone does to vertices.
    fn matrices(&self, keys: &[Moved]) -> Vec<DMat4> {
        let mut poses: Vec<DMat4> = Vec::with_capacity(keys.len());
        for (bone, key) in self.skeleton.bones.iter().zip(keys) {
            let above = bone.parent.map_or(DMat4::IDENTITY, |p| poses[p]);
            poses.push(above * bone.rest * key.matrix());
        }
        poses.iter().zip(&self.skeleton.bones).map(|(pose, bone)| *pose * bone.inverse).collect()
    }

    /// Adds frames between two until the file's way between them is the scene's.
    fn halve(&self, [a, b]: [&Frame; 2], halvings: u32, seen: &mut Seen, between: &mut Vec<Frame>) {
        let at = |fraction: f32| a.time + (b.time - a.time) * fraction;
        let inside = |t: &f32| a.time < *t && *t < b.time;
        let mut worst = 0.0_f64;
        for time in [0.25, 0.5, 0.75].into_iter().map(at).filter(inside) {
            let fraction = (f64::from(time) - f64::from(a.time)) / (f64::from(b.time) - f64::from(a.time));
            let made: Vec<Moved> =
                a.keys.iter().zip(&b.keys).map(|(a, b)| interpolated(a, b, fraction)).collect();
            worst = worst.max(self.deviation(&made, &self.frame(time).keys));
        }
        let middle = at(0.5);
        if worst <= TOLERANCE || halvings == 0 || !inside(&middle) {
            seen.left = seen.left.max(worst);
            return;
        }
        seen.added += 1;
        let frame = self.frame(middle);
        self.halve([a, &frame], halvings - 1, seen, between);
        let mut after = Vec::new();
        self.halve([&frame, b], halvings - 1, seen, &mut after);
        between.push(frame);
        between.append(&mut after);
    }
}

/// The file's way from key to key.
fn interpolated(a: &Moved, b: &Moved, t: f64) -> Moved {
    let turned = if a.rotation.dot(b.rotation) < 0.0 { -b.rotation } else { b.rotation };
    Moved {
        translation: a.translation.lerp(b.translation, t),
        rotation: a.rotation.slerp(turned, t),
        scale: a.scale.lerp(b.scale, t),
    }
}

fn with_one_scale(key: &Moved) -> Moved {
    Moved { scale: DVec3::splat(key.scale.element_sum() / 3.0), ..*key }
}

/// The key of a bone; before version 22 it has one scale.
pub(super) fn key(moved: &Moved, version: Version) -> Key {
    let moved = &if version.since(22) { *moved } else { with_one_scale(moved) };
    Key {
        translation: written(moved.translation.as_vec3()),
        rotation: mirrored_rotation(moved.rotation).as_quat().to_array(),
        scale: moved.scale.as_vec3().to_array(),
    }
}
