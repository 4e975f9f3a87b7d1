//! Clips to actions.
//!
//! Curves are relative to the bone's rest pose, one for each component. Steps become CONST, lines LINEAR; so do cubic
//! tracks of rotations that are straight, which this format's importer makes. A line between two rotations has a
//! constant speed in a scene, but is four linear components here: keys are added so that the two agree.
//!
//! Curves take more memory than tracks, so they are made twice, one bone at a time: to measure what is lost, and to
//! be written.

use super::super::codes;
use super::super::document::{Action, Curve, Extend, Interpolation as Word};
use super::super::import::{EXTRAS, USUAL_FPS};
use super::names::Names;
use super::rig::{Rig, RigBone};
use crate::motion::{Reach, TrackFits};
use crate::passes::codes::CLIPS;
use crate::report::{Loss, Report};
use crate::scene::{Clip, Interpolation, NodeId, Scene, Track, Trs, Values};
use crate::text::RawText;
use glam::{DMat3, DQuat, DVec3, Quat, Vec3};
use std::sync::Arc;

/// Quaternions closer than this (in radians between them) rotate at a nearly constant speed on a straight line: the
/// difference is at most a thirtieth of its cube.
const EVEN: f64 = 0.038;

/// Frames per second: those of the scene's source file, otherwise the usual rate that most keys are on.
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

/// Makes the actions, without channels: those are [`Moves`].
pub(super) fn export(
    scene: &Scene,
    rig: &Rig,
    fps: f64,
    names: &mut Names,
    report: &mut Report,
) -> (Vec<Action>, Vec<Moves>) {
    if rig.bones.is_empty() {
        for (index, clip) in scene.clips.iter().enumerate() {
            let message = "actions animate bones only, and there are none";
            report.loss(Loss::dropped(&CLIPS, clip.label(index), 1, message));
        }
        return Default::default();
    }
    let is_uneven = |bone: &RigBone| Rest::of(bone).is_uneven();
    let reach = rig.bones.iter().any(is_uneven).then(|| Reach::of(scene));
    let action = |(index, clip): (usize, &Clip)| {
        let mut maker = Maker { fps, ..Maker::default() };
        let (action, moves) = Moves::of(clip, rig, &mut maker, names);
        maker.report(clip.label(index), scene, reach.as_ref(), report);
        (action, moves)
    };
    scene.clips.iter().enumerate().map(action).unzip()
}

/// The content of an action, as tracks of its clip.
#[derive(Default)]
pub(super) struct Moves {
    fps: f64,
    /// Bones and their tracks, in the order in which they are written.
    tracks: Vec<(u32, u32)>,
    /// The frame of an extra key at the end, if the last key is earlier.
    end: Option<f32>,
}

impl Moves {
    fn of(clip: &Clip, rig: &Rig, maker: &mut Maker, names: &mut Names) -> (Action, Self) {
        let mut tracks: Vec<(u32, u32)> = Vec::with_capacity(clip.tracks.len());
        for (i, track) in clip.tracks.iter().enumerate() {
            let moves = track.moves_node() && !track.values.is_empty();
            let bone = rig.bone_of(track.node.index()).filter(|_| moves);
            tracks.extend(bone.map(|bone| (bone as u32, i as u32)));
        }
        tracks.sort_by_key(|&(bone, _)| bone);
        let (fps, mut last) = (maker.fps, None);
        for &(bone, track) in &tracks {
            let curves = maker.track(&clip.tracks[track as usize], &rig.bones[bone as usize]);
            let ends = curves.iter().filter_map(|c| c.keys.last()).map(|k| k[0]);
            last = ends.chain(last).reduce(f32::max);
        }
        // A clip ends at its last key, so there must be one at the end.
        let end = (f64::from(clip.duration) * fps) as f32;
        let end = last.is_none_or(|last| last < end).then_some(end);
        (Action { name: names.any(&clip.name), channels: Vec::new() }, Self { fps, tracks, end })
    }

    /// Generates the curves of each bone.
    pub(super) fn channels(&self, clip: &Clip, rig: &Rig, each: &mut dyn FnMut(&RawText, &[Curve])) {
        let mut maker = Maker { fps: self.fps, ..Maker::default() };
        let mut end = self.end;
        for tracks in self.tracks.chunk_by(|a, b| a.0 == b.0) {
            let bone = &rig.bones[tracks[0].0 as usize];
            let of_bone = tracks.iter().flat_map(|&(_, i)| maker.track(&clip.tracks[i as usize], bone));
            let mut curves: Vec<Curve> = of_bone.collect();
            if let Some((end, curve)) = curves.first_mut().and_then(|curve| Some((end.take()?, curve))) {
                curve.keys.push([end, curve.keys.last().map_or(0.0, |k| k[1])]);
            }
            each(&bone.name, &curves);
        }
        if let Some((end, bone)) = end.zip(rig.bones.first()) {
            let keys = if end > 0.0 { vec![[0.0, 0.0], [end, 0.0]] } else { vec![[0.0, 0.0]] };
            let (interpolation, extend) = (Word::Linear, Extend::Const);
            each(&bone.name, &[Curve { name: "LocX".into(), interpolation, extend, keys }]);
        }
    }
}

/// Makes curves from tracks, and records the losses.
#[derive(Default)]
struct Maker {
    fps: f64,
    /// Keys inserted between others.
    added: usize,
    /// Joints whose rotation comes before an uneven scale in the scene and after it in the file, and how much that
    /// changes their matrices.
    uneven: Vec<(NodeId, f64, DVec3)>,
}

impl Maker {
    fn track(&mut self, track: &Track, bone: &RigBone) -> Vec<Curve> {
        // No other cubic tracks are left.
        let straight = track.interpolation == Interpolation::Cubic;
        let word = if track.interpolation == Interpolation::Step { Word::Const } else { Word::Linear };
        let rest = Rest::of(bone);
        match &track.values {
            Values::Translation(values) => {
                let keys = values.iter().map(|&v| rest.location(v)).collect();
                self.curves(["LocX", "LocY", "LocZ"], &track.times, keys, word)
            }
            Values::Scale(values) => {
                let keys = values.iter().map(|&v| rest.scale(v)).collect();
                self.curves(["ScaleX", "ScaleY", "ScaleZ"], &track.times, keys, word)
            }
            Values::Rotation(values) => {
                let (first, step) = if straight { (1, 3) } else { (0, 1) };
                let values = values.iter().skip(first).step_by(step);
                let mut keys: Vec<DQuat> = values.map(|&q| rest.rotation(q)).collect();
                self.uneven.extend(rest.is_uneven().then(|| (bone.node, rest.error(&keys), rest.scale)));
                let mut times = Arc::clone(&track.times);
                if !straight && word == Word::Linear {
                    (times, keys) = self.even(&times, &keys);
                }
                let keys = keys.into_iter().map(|q| [q.w, q.x, q.y, q.z]).collect();
                self.curves(["QuatW", "QuatX", "QuatY", "QuatZ"], &times, keys, word)
            }
            Values::MorphWeights { .. } => Vec::new(),
        }
    }

    /// Inserts keys between those that are far apart, along the constant-speed rotation.
    fn even(&mut self, times: &[f32], keys: &[DQuat]) -> (Arc<[f32]>, Vec<DQuat>) {
        let (mut all_times, mut all) = (Vec::with_capacity(times.len()), Vec::with_capacity(keys.len()));
        for (&time, &key) in times.iter().zip(keys) {
            let Some((&before, &from)) = all_times.last().zip(all.last()) else {
                all_times.push(time);
                all.push(key);
                continue;
            };
            // The shorter arc.
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

    /// Makes a curve for each component. A clip starts at its first key, so there must be one at the start.
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
        // A constant value needs one key.
        let times = if values.len() == 1 && starts_late { &[] } else { times };
        for &time in times {
            let frame = (f64::from(time) * self.fps) as f32;
            // Two moments stay distinct, however close.
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

    fn report(&self, object: String, scene: &Scene, reach: Option<&Reach>, report: &mut Report) {
        let message =
            "rotation keys were added, because the format does not rotate at a constant speed between keys";
        report.loss(Loss::kept(&codes::ROTATION_KEYS, &*object, self.added, message));
        let Some(reach) = reach else { return };
        let mut left = TrackFits::default();
        for &(node, error, scale) in &self.uneven {
            left.add_error(node, reach.shear(node, error, scale));
        }
        let message = "joints with an uneven scale at rest cannot rotate as in the source";
        left.report(scene, &codes::BONE_SHAPE, &object, message, report);
    }
}

/// The transform that a bone's poses are relative to.
struct Rest {
    translation: DVec3,
    /// The inverse of the rest rotation.
    back: DQuat,
    scale: DVec3,
    /// The signs that a mirroring rest scale gives to rotations.
    mirror: DVec3,
    /// The scale that the joint has in the scene but the bone does not.
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

    /// Whether the scale differs between axes in more than the sign.
    fn is_uneven(&self) -> bool {
        let sizes = self.scale.abs();
        sizes.max_element() - sizes.min_element() > 1e-5 * sizes.max_element()
    }

    /// How far a rotation after the rest scale is from the same rotation before it, relative to the largest element.
    fn error(&self, keys: &[DQuat]) -> f64 {
        let scale = DMat3::from_diagonal(self.scale);
        let error = |&DQuat { x, y, z, w }: &DQuat| {
            let before = DQuat::from_xyzw(x * self.mirror.x, y * self.mirror.y, z * self.mirror.z, w);
            let after = DMat3::from_quat(DQuat::from_xyzw(x, y, z, w));
            let off = scale * after - DMat3::from_quat(before) * scale;
            off.to_cols_array().iter().fold(0.0_f64, |most, v| most.max(v.abs()))
        };
        keys.iter().map(error).fold(0.0, f64::max) / self.scale.abs().max_element()
    }
}
