//! Clips to actions.
//!
//! Curves are relative to the bone's rest, one for each component. Steps are CONST, lines LINEAR; cubic tracks are sampled
//! (unless they are the straight ones that this format's importer makes). A line between two rotations is an even turn in
//! a scene, and four straight components here: keys are put between so that the two agree.

use super::super::codes;
use super::super::document::{Action, Channel, Curve, Extend, Interpolation as Word};
use super::super::import::{EXTRAS, USUAL_FPS};
use super::names::Names;
use super::rig::{Rig, RigBone};
use crate::passes::codes::CLIPS;
use crate::passes::resample::{ResampleOptions, resample};
use crate::report::{Failure, Loss, Report};
use crate::scene::{Clip, Interpolation, Scene, Track, Trs, Values};
use glam::{DQuat, DVec3, Quat, Vec3};
use std::sync::Arc;

/// Quaternions closer than this (in radians between them) turn evenly enough on a straight line: the difference is at
/// most a thirtieth of its cube.
const EVEN: f64 = 0.038;

/// Cubic tracks are sampled several times a frame, because keys need not be on frames.
const SAMPLES_PER_FRAME: f64 = 4.0;

/// Frames a second: what the file had that the scene came from, else the usual rate that most keys are on.
pub(super) fn fps(scene: &Scene) -> i32 {
    let stated = scene.extras.get(EXTRAS).and_then(|e| e.get("fps")).and_then(|f| f.as_i64());
    if let Some(fps) = stated.and_then(|f| i32::try_from(f).ok()).filter(|f| *f > 0) {
        return fps;
    }
    let grid = scene.clips.iter().find_map(|c| c.frames).map(|f| f.rate);
    if let Some(rate) = grid.filter(|r| r.fract() == 0.0 && (1.0..1e6).contains(r)) {
        return rate as i32;
    }
    let times = || scene.clips.iter().flat_map(|c| &c.tracks).flat_map(|t| t.times.iter());
    let fits = |fps: &i32| {
        times().all(|&t| {
            let frame = f64::from(t) * f64::from(*fps);
            (frame - frame.round()).abs() < 1e-3
        })
    };
    [USUAL_FPS, 24, 30, 60, 50].into_iter().find(fits).unwrap_or(USUAL_FPS)
}

pub(super) fn export(
    scene: &mut Scene,
    rig: &Rig,
    fps: f64,
    names: &mut Names,
    report: &mut Report,
) -> Result<Vec<Action>, Failure> {
    if rig.bones.is_empty() {
        for clip in &scene.clips {
            let message = "actions move bones, and there are none";
            report.loss(Loss::dropped(&CLIPS, format!("clip {:?}", clip.name), 1, message));
        }
        return Ok(Vec::new());
    }
    // Straight tracks are set aside, so that they are not sampled.
    let mut straight: Vec<Vec<Track>> = Vec::with_capacity(scene.clips.len());
    for clip in &mut scene.clips {
        let (aside, rest) = std::mem::take(&mut clip.tracks).into_iter().partition(is_straight);
        straight.push(aside);
        clip.tracks = rest;
    }
    let interpolations = &[Interpolation::Linear, Interpolation::Step];
    let rate = Some((fps * SAMPLES_PER_FRAME) as f32);
    resample(scene, &ResampleOptions { fps: rate, grid: false, interpolations }, report)?;
    let mut actions = Vec::with_capacity(scene.clips.len());
    for (clip, straight) in scene.clips.iter().zip(&straight) {
        let mut maker = Maker { rig, fps, channels: vec![Vec::new(); rig.bones.len()], added: 0, shear: 0.0 };
        straight.iter().for_each(|track| maker.track(track, true));
        clip.tracks.iter().for_each(|track| maker.track(track, false));
        actions.push(maker.finish(clip, names, report));
    }
    Ok(actions)
}

/// Whether a cubic rotation track goes straight from key to key: its tangents are the slopes.
fn is_straight(track: &Track) -> bool {
    let Values::Rotation(values) = &track.values else { return false };
    if track.interpolation != Interpolation::Cubic || values.len() != track.times.len() * 3 {
        return false;
    }
    (1..track.times.len()).all(|i| {
        let (a, b) = (values[3 * i - 2].as_dquat(), values[3 * i + 1].as_dquat());
        let span = f64::from(track.times[i]) - f64::from(track.times[i - 1]);
        let near = |tangent: Quat| {
            let difference = (tangent.as_dquat() * span - (b - a)).length();
            difference <= 1e-6 * (b - a).length().max(0.5)
        };
        near(values[3 * i - 1]) && near(values[3 * i])
    })
}

struct Maker<'r> {
    rig: &'r Rig,
    fps: f64,
    /// The curves of each bone.
    channels: Vec<Vec<Curve>>,
    /// Keys put between others.
    added: usize,
    shear: f64,
}

impl Maker<'_> {
    fn track(&mut self, track: &Track, straight: bool) {
        let Some(number) = self.rig.bone_of(track.node.index()).filter(|_| !track.values.is_empty()) else {
            return;
        };
        let bone = &self.rig.bones[number];
        let word = if track.interpolation == Interpolation::Step { Word::Const } else { Word::Linear };
        let rest = Rest::of(bone);
        let curves = match &track.values {
            Values::Translation(values) => {
                let keys = values.iter().map(|&v| rest.location(v)).collect();
                self.curves(["LocX", "LocY", "LocZ"], &track.times, keys, word)
            }
            Values::Scale(values) => {
                let keys = values.iter().map(|&v| rest.scale(v)).collect();
                self.curves(["ScaleX", "ScaleY", "ScaleZ"], &track.times, keys, word)
            }
            Values::Rotation(values) => {
                let values: Vec<Quat> = match straight {
                    true => values.iter().skip(1).step_by(3).copied().collect(),
                    false => values.clone(),
                };
                let mut keys: Vec<DQuat> = values.iter().map(|&q| rest.rotation(q)).collect();
                self.shear = self.shear.max(rest.shear(&keys));
                let mut times = Arc::clone(&track.times);
                if !straight && word == Word::Linear {
                    (times, keys) = self.even(&times, &keys);
                }
                let keys = keys.into_iter().map(|q| [q.w, q.x, q.y, q.z]).collect();
                self.curves(["QuatW", "QuatX", "QuatY", "QuatZ"], &times, keys, word)
            }
            Values::MorphWeights { .. } => return,
        };
        self.channels[number].extend(curves);
    }

    /// Keys between those that are far apart, along the even turn.
    fn even(&mut self, times: &[f32], keys: &[DQuat]) -> (Arc<[f32]>, Vec<DQuat>) {
        let (mut all_times, mut all) = (Vec::with_capacity(times.len()), Vec::with_capacity(keys.len()));
        for (&time, &key) in times.iter().zip(keys) {
            let Some((&before, &from)) = all_times.last().zip(all.last()) else {
                all_times.push(time);
                all.push(key);
                continue;
            };
            // The shorter way round.
            let key = if DQuat::dot(from, key) < 0.0 { -key } else { key };
            let angle = from.angle_between(key) / 2.0;
            let pieces = (angle / EVEN).ceil().clamp(1.0, 256.0) as usize;
            let (start, end) = (f64::from(before), f64::from(time));
            for piece in 1..pieces {
                let t = piece as f64 / pieces as f64;
                let between = (start + (end - start) * t) as f32;
                if between > before && between < time && all_times.last() != Some(&between) {
                    all_times.push(between);
                    all.push(from.slerp(key, t));
                    self.added += 1;
                }
            }
            all_times.push(time);
            all.push(key);
        }
        (all_times.into(), all)
    }

    /// A curve for each component. A clip starts at its first key, and so there is one at the start.
    fn curves<const N: usize>(
        &self,
        names: [&str; N],
        times: &[f32],
        values: Vec<[f64; N]>,
        interpolation: Word,
    ) -> Vec<Curve> {
        let mut frames: Vec<f32> = Vec::with_capacity(times.len() + 1);
        let starts_late = times.first().is_some_and(|&t| t > 0.0);
        if starts_late {
            frames.push(0.0);
        }
        // A value that never changes is one key.
        let times = if values.len() == 1 && starts_late { &[] } else { times };
        for &time in times {
            let frame = (f64::from(time) * self.fps) as f32;
            // Two moments stay two, however close.
            let least = frames.last().map_or(f32::NEG_INFINITY, |last| last.next_up());
            frames.push(frame.max(least));
        }
        let value = |i: usize| &values[i.saturating_sub(usize::from(starts_late)).min(values.len() - 1)];
        let curve = |(component, name): (usize, &str)| Curve {
            name: name.into(),
            interpolation,
            extend: Extend::Const,
            keys: frames.iter().enumerate().map(|(i, &f)| [f, value(i)[component] as f32]).collect(),
        };
        names.into_iter().enumerate().map(curve).collect()
    }

    fn finish(mut self, clip: &Clip, names: &mut Names, report: &mut Report) -> Action {
        let object = format!("clip {:?}", clip.name);
        if self.added > 0 {
            let message = "rotation keys were added, because the format turns unevenly between keys";
            report.loss(Loss::kept(&codes::ROTATION_KEYS, &*object, self.added, message));
        }
        if self.shear > 1e-6 {
            let message = "poses of joints whose scale at rest differs between axes hold shear";
            let unit = "of the matrix";
            report.loss(Loss::approximated(&codes::BONE_SHAPE, object, 1, self.shear, unit, message));
        }
        self.last_until(clip.duration);
        let channels =
            self.channels.into_iter().zip(&self.rig.bones).filter(|(curves, _)| !curves.is_empty());
        Action {
            name: names.any(&clip.name),
            channels: channels.map(|(curves, bone)| Channel { name: bone.name.clone(), curves }).collect(),
        }
    }

    /// A clip ends at its last key, and so there is one at the end.
    fn last_until(&mut self, duration: f32) {
        let end = (f64::from(duration) * self.fps) as f32;
        let keys = self.channels.iter().flatten().flat_map(|c| &c.keys);
        let last = keys.map(|k| k[0]).reduce(f32::max);
        if last.is_some_and(|last| last >= end) {
            return;
        }
        if let Some(curve) = self.channels.iter_mut().flatten().next() {
            let value = curve.keys.last().map_or(0.0, |k| k[1]);
            curve.keys.push([end, value]);
        } else if let Some(channel) = self.channels.first_mut() {
            let keys = if end > 0.0 { vec![[0.0, 0.0], [end, 0.0]] } else { vec![[0.0, 0.0]] };
            channel.push(Curve {
                name: "LocX".into(),
                interpolation: Word::Linear,
                extend: Extend::Const,
                keys,
            });
        }
    }
}

/// What a bone's poses are relative to.
struct Rest {
    translation: DVec3,
    /// Back to the unturned bone.
    back: DQuat,
    scale: DVec3,
    /// The signs that a scale at rest that mirrors gives to turns.
    mirror: DVec3,
    /// The scale that the joint has in the scene and the bone has not.
    size: f64,
}

impl Rest {
    fn of(bone: &RigBone) -> Self {
        let Trs { translation, rotation, scale } = bone.rest;
        let scale = scale.as_dvec3();
        let signs = scale.signum();
        Self {
            translation: translation.as_dvec3(),
            back: rotation.as_dquat().normalize().inverse(),
            scale: DVec3::from(scale.to_array().map(|s| if s == 0.0 { 1.0 } else { s })),
            mirror: DVec3::new(signs.y * signs.z, signs.x * signs.z, signs.x * signs.y),
            size: bone.scale,
        }
    }

    fn location(&self, value: Vec3) -> [f64; 3] {
        (self.back * (value.as_dvec3() - self.translation) / self.scale * self.size).to_array()
    }

    fn scale(&self, value: Vec3) -> [f64; 3] {
        (value.as_dvec3() / self.scale).to_array()
    }

    fn rotation(&self, value: Quat) -> DQuat {
        let DQuat { x, y, z, w } = self.back * value.as_dquat().normalize();
        DQuat::from_xyzw(x * self.mirror.x, y * self.mirror.y, z * self.mirror.z, w)
    }

    /// How much shear the poses would hold.
    fn shear(&self, keys: &[DQuat]) -> f64 {
        let sizes = self.scale.abs();
        if sizes.max_element() - sizes.min_element() <= 1e-5 * sizes.max_element() {
            return 0.0;
        }
        let pose = |q: &DQuat| glam::DMat4::from_scale(self.scale) * glam::DMat4::from_quat(*q);
        let error = |q: &DQuat| crate::scene::decompose(&pose(q)).map_or(1.0, |(_, error)| error);
        keys.iter().map(error).fold(0.0, f64::max)
    }
}
