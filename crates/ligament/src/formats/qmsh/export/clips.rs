//! Animations: a key holds all bones, so the keys of all tracks are merged.
//!
//! Between keys the file interpolates like linear tracks, so those are exact. Steps get a key just before them, and
//! cubic tracks as many keys as they need.

use super::skeleton::{Moved, Skeleton};
use super::{Export, FARTHEST, codes, fine, written};
use crate::formats::qmsh::document::{Animation, Key, Version};
use crate::formats::qmsh::space::mirrored_rotation;
use crate::motion::{Fit, Fitted, KeyBudget, Motion, Tolerance, frame_times};
use crate::report::{Failure, Loss, Place, Remedy, Report};
use crate::scene::{Clip, Interpolation, Scene};
use glam::{DMat4, DVec3};

/// Maximum number of keys per animation.
const MAX_KEYS: usize = u16::MAX as usize;

impl Export<'_> {
    /// Adds the animations of all clips, without their keys; returns whether all numbers in the keys can be read back.
    /// `boxes` has the corners of the bounding box of each bone's vertices.
    pub(super) fn animations(&mut self, boxes: &[Vec<DVec3>]) -> Result<bool, Failure> {
        let Self { document, scene, skeleton, names, report } = self;
        let (all, version) = (boxes.iter().flatten().copied(), document.version);
        let (min, max) = all.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(a, b), p| (a.min(p), b.max(p)));
        let size = if min.x <= max.x { min.distance(max).max(f64::MIN_POSITIVE) } else { 1.0 };
        let (mut sound, mut budget) = (true, KeyBudget::default());
        for (i, clip) in scene.clips.iter().enumerate() {
            let baker = Baker { scene, skeleton, boxes, clip, size, version };
            let (label, object) = (clip.shown_name(i), clip.label(i));
            let mut seen = Seen { scaled: vec![false; skeleton.bones.len()], sound: true, ..Seen::default() };
            let own = baker.key_times();
            if own.len() > MAX_KEYS {
                let message = format!("{object} needs {} keys; an animation can hold {MAX_KEYS}", own.len());
                return Err(report.invalid(&codes::LIMIT, Place::field(format!("clips[{i}]")), message));
            }
            let times = baker.times(&own, &mut budget, &mut seen);
            seen.report(object, report);
            sound &= seen.sound;
            let length = clip.duration.max(times.last().copied().unwrap_or(0.0));
            document.animations.push(Animation { name: names.cut(&label), length, times, keys: Vec::new() });
        }
        Ok(sound)
    }
}

/// Observations made while an animation is converted.
#[derive(Default)]
struct Seen {
    /// Added keys, and the remaining error between keys.
    fitted: Fitted,
    /// The bones with a non-uniform scale that must become uniform, and how far that moves any vertex.
    scaled: Vec<bool>,
    unscaled: f64,
    /// Whether all numbers can be read back.
    sound: bool,
}

impl Seen {
    fn report(&self, object: String, report: &mut Report) {
        let unit = "of the model's size";
        let message = "keys were added where the source does not move linearly between its own";
        self.fitted.report(&codes::SAMPLED, &object, self.fitted.added, message, report);
        let count = self.scaled.iter().filter(|scaled| **scaled).count();
        let message = "the non-uniform scale of bones was replaced by its mean";
        let size = self.unscaled;
        let loss = Loss::approximated(&codes::UNIFORM_SCALE, object, count, size, unit, message);
        report.loss(loss.remedy(Remedy::new("dialect", "qmsh22", "scales along three axes")));
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
    /// The times of the animation's keys. The keys themselves are only made to measure them: all of them together would
    /// take more memory than the clip.
    fn times(&self, own: &[f32], budget: &mut KeyBudget, seen: &mut Seen) -> Vec<f32> {
        let mut times = Vec::with_capacity(own.len());
        let mut each = |time: f64, frame: Vec<Moved>| {
            self.look_at(&frame, seen);
            times.push(time as f32);
        };
        let own_times = own.iter().copied().map(f64::from);
        // Linear and step tracks are exact at the keys of all tracks.
        if self.clip.tracks.iter().any(|t| t.interpolation == Interpolation::Cubic) {
            let mut fit = Fit::new(Tolerance::FINE, budget).in_thirds().within(MAX_KEYS - own.len());
            fit.follow(self, own_times, &mut each);
            seen.fitted = fit.done;
        } else {
            own_times.for_each(|time| each(time, self.at(time)));
        }
        times
    }

    fn look_at(&self, frame: &Vec<Moved>, seen: &mut Seen) {
        seen.sound &= frame.iter().map(|moved| key(moved, self.version)).all(|key| {
            [&key.translation[..], &key.rotation, &key.scale].iter().all(|values| fine(values, FARTHEST))
        });
        if self.version.since(22) {
            return;
        }
        let mut differs = false;
        for (key, scaled) in frame.iter().zip(&mut seen.scaled) {
            let range = key.scale.max_element() - key.scale.min_element();
            if range > 1e-6 * key.scale.abs().max_element() {
                (*scaled, differs) = (true, true);
            }
        }
        if differs {
            let made: Vec<Moved> = frame.iter().map(with_one_scale).collect();
            seen.unscaled = seen.unscaled.max(self.distance(&made, frame));
        }
    }

    /// The times at which something begins, ends or has a key. Engines expect a key at 0 and at the end.
    fn key_times(&self) -> Vec<f32> {
        frame_times(self.clip.tracks.iter().filter(|t| t.moves_node()), &[0.0, self.clip.duration])
    }

    /// The skinning matrix of each bone.
    fn matrices(&self, keys: &[Moved]) -> Vec<DMat4> {
        let mut poses: Vec<DMat4> = Vec::with_capacity(keys.len());
        for (bone, key) in self.skeleton.bones.iter().zip(keys) {
            let above = bone.parent.map_or(DMat4::IDENTITY, |p| poses[p]);
            poses.push(above * bone.rest * key.matrix());
        }
        poses.iter().zip(&self.skeleton.bones).map(|(pose, bone)| *pose * bone.inverse).collect()
    }
}

impl Motion for Baker<'_> {
    /// All bones.
    type Key = Vec<Moved>;

    fn at(&self, time: f64) -> Vec<Moved> {
        self.skeleton.at(self.scene, self.clip, time as f32)
    }

    fn between(&self, from: &Vec<Moved>, to: &Vec<Moved>, fraction: f64) -> Vec<Moved> {
        from.iter().zip(to).map(|(a, b)| interpolated(a, b, fraction)).collect()
    }

    /// How far any vertex is from where it should be.
    fn distance(&self, made: &Vec<Moved>, wanted: &Vec<Moved>) -> f64 {
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
}

/// Interpolates between keys as the file does.
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

/// Makes the key of a bone; before version 22 it has a uniform scale.
pub(super) fn key(moved: &Moved, version: Version) -> Key {
    let moved = &if version.since(22) { *moved } else { with_one_scale(moved) };
    Key {
        translation: written(moved.translation.as_vec3()),
        rotation: mirrored_rotation(moved.rotation).as_quat().to_array(),
        scale: moved.scale.as_vec3().to_array(),
    }
}
