//! Animations: a key holds all bones, so the keys of all tracks are taken together.
//!
//! Between keys the file goes as linear tracks do, so that those are exact. Steps get a key just before them, and cubic
//! tracks as many as they need.

use super::skeleton::{Moved, Skeleton};
use super::{Names, codes, written};
use crate::formats::qmsh::document::{Animation, Key, Version};
use crate::formats::qmsh::space::mirrored_rotation;
use crate::pose::locals_at;
use crate::report::{Failure, Loss, Place, Report};
use crate::scene::{Clip, Interpolation, Scene, Values};
use glam::{DMat4, DVec3};

/// Keys are added until nothing is farther off than this part of the model's size.
const TOLERANCE: f64 = 1e-5;

/// One interval between keys is halved at most so often.
const MAX_HALVINGS: u32 = 10;

/// The animations of all clips. `boxes` has the corners around the vertices of each bone.
pub(super) fn animations(
    scene: &Scene,
    skeleton: &Skeleton,
    boxes: &[Vec<DVec3>],
    version: Version,
    names: &mut Names,
    report: &mut Report,
) -> Result<Vec<Animation>, Failure> {
    let all = || boxes.iter().flatten().copied();
    let (min, max) = all().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(a, b), p| (a.min(p), b.max(p)));
    let size = if min.x <= max.x { min.distance(max).max(f64::MIN_POSITIVE) } else { 1.0 };
    let mut animations = Vec::with_capacity(scene.clips.len());
    for (i, clip) in scene.clips.iter().enumerate() {
        let baker = Baker { scene, skeleton, boxes, clip, size };
        let object = if clip.name.is_empty() { format!("clip{i}") } else { format!("clip {:?}", clip.name) };
        let mut left = Left::default();
        let frames = baker.frames(&mut left);
        if frames.len() > usize::from(u16::MAX) {
            let message = format!("{object} needs {} keys, and an animation holds 65535", frames.len());
            return Err(report.invalid(&codes::LIMIT, Place::field(format!("clips[{i}]")), message));
        }
        if left.added > 0 {
            let message = "keys were added where the source does not move evenly between its own";
            let (count, unit) = (left.added, "of the model's size");
            report.loss(Loss::approximated(&codes::SAMPLED, object.clone(), count, left.size, unit, message));
        }
        if !version.since(22) {
            baker.report_scale(&frames, object, report);
        }
        animations.push(baker.written(&frames, version, names, i));
    }
    Ok(animations)
}

/// All bones at a time.
struct Frame {
    time: f32,
    keys: Vec<Moved>,
}

/// What is left of the source's motion between keys.
#[derive(Default)]
struct Left {
    added: usize,
    size: f64,
}

struct Baker<'a> {
    scene: &'a Scene,
    skeleton: &'a Skeleton,
    boxes: &'a [Vec<DVec3>],
    clip: &'a Clip,
    /// The model's size.
    size: f64,
}

impl Baker<'_> {
    fn frames(&self, left: &mut Left) -> Vec<Frame> {
        // Whatever is linear or a step is exact at the keys of all tracks.
        let curved = self.clip.tracks.iter().any(|t| t.interpolation == Interpolation::Cubic);
        let mut frames: Vec<Frame> = Vec::new();
        for time in self.key_times() {
            let frame = self.frame(time);
            if let Some(last) = frames.last().filter(|_| curved) {
                let mut between = Vec::new();
                self.halve([last, &frame], MAX_HALVINGS, left, &mut between);
                frames.append(&mut between);
            }
            frames.push(frame);
        }
        frames
    }

    /// When something begins, ends or has a key. Engines want a key at 0 and at the end.
    fn key_times(&self) -> Vec<f32> {
        let mut times = vec![0.0, self.clip.duration];
        for track in self.clip.tracks.iter().filter(|t| !matches!(t.values, Values::MorphWeights { .. })) {
            times.extend(track.times.iter());
            if track.interpolation == Interpolation::Step {
                times.extend(track.times.iter().skip(1).map(|t| t.next_down()).filter(|&t| t > 0.0));
            }
        }
        times.retain(|t| t.is_finite());
        times.sort_by(f32::total_cmp);
        times.dedup();
        times
    }

    fn frame(&self, time: f32) -> Frame {
        let locals = locals_at(self.scene, self.clip, time);
        let keys = self.skeleton.bones.iter().map(|b| b.key(&locals[b.node.index()])).collect();
        Frame { time, keys }
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
    fn halve(&self, [a, b]: [&Frame; 2], halvings: u32, left: &mut Left, between: &mut Vec<Frame>) {
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
            left.size = left.size.max(worst);
            return;
        }
        left.added += 1;
        let frame = self.frame(middle);
        self.halve([a, &frame], halvings - 1, left, between);
        let mut after = Vec::new();
        self.halve([&frame, b], halvings - 1, left, &mut after);
        between.push(frame);
        between.append(&mut after);
    }

    fn report_scale(&self, frames: &[Frame], object: String, report: &mut Report) {
        let differs = |key: &Moved| {
            key.scale.max_element() - key.scale.min_element() > 1e-6 * key.scale.abs().max_element()
        };
        let count =
            (0..self.skeleton.bones.len()).filter(|&b| frames.iter().any(|f| differs(&f.keys[b]))).count();
        if count == 0 {
            return;
        }
        let made = |frame: &Frame| frame.keys.iter().map(with_one_scale).collect::<Vec<_>>();
        let size = frames.iter().map(|f| self.deviation(&made(f), &f.keys)).fold(0.0, f64::max);
        let message = "bones that scale more along one axis scale by the mean";
        let unit = "of the model's size";
        report.loss(Loss::approximated(&codes::UNIFORM_SCALE, object, count, size, unit, message));
    }

    fn written(&self, frames: &[Frame], version: Version, names: &mut Names, index: usize) -> Animation {
        let name = &self.clip.name;
        let name = if name.is_empty() { format!("clip{index}") } else { name.clone() };
        let times: Vec<f32> = frames.iter().map(|f| f.time).collect();
        let length = self.clip.duration.max(times.last().copied().unwrap_or(0.0));
        let keys = frames
            .iter()
            .flat_map(|f| &f.keys)
            .map(|moved| key(&if version.since(22) { *moved } else { with_one_scale(moved) }));
        let keys = keys.collect();
        Animation { name: names.cut(&name), length, times, keys }
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

fn key(moved: &Moved) -> Key {
    Key {
        translation: written(moved.translation.as_vec3()),
        rotation: mirrored_rotation(moved.rotation).as_quat().to_array(),
        scale: moved.scale.as_vec3().to_array(),
    }
}
