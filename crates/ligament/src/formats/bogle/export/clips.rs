//! Animations: the keys of a skeleton in each clip that moves it.
//!
//! A key holds all bones, and between keys the file interpolates in its own way. So the keys of all tracks are merged,
//! and keys are added until every bone rotates as it should. Steps get a key just before them.

use super::probes::farthest;
use super::skeletons::{Rig, rotation_of, sound};
use super::{Export, bounded, own};
use crate::formats::bogle::codes;
use crate::formats::bogle::document::Animation;
use crate::motion::{Fit, Fitted, LEAST_REACH, Motion, Tolerance, Value, frame_times};
use crate::pose::local_at;
use crate::report::{Loss, Report};
use crate::scene::{Clip, Scene, Track, Values};
use crate::settings::Posing;
use crate::text::UniqueNames;
use glam::{DMat4, DQuat, DVec3};
use std::collections::BTreeMap;

/// The bones of a rig at one time.
struct Frame {
    offset: DVec3,
    /// Relative to the bone's bind rotation.
    keys: Vec<DQuat>,
    /// Positions and rotations of the bones, given the offset and the keys.
    made: Vec<(DVec3, DQuat)>,
    /// Matrices of the bones in the scene; empty between keys of the file.
    wanted: Vec<DMat4>,
}

/// A name of its own for each clip: two of one name would become one.
pub(super) fn names(clips: &[Clip], report: &mut Report) -> Vec<String> {
    let mut taken = UniqueNames::default();
    let name = |(index, clip): (usize, &Clip)| {
        let numbered = |number: u64| match number {
            0 => clip.name.clone(),
            _ => format!("{}.{number:03}", clip.shown_name(index)),
        };
        let name = numbered(taken.take(numbered));
        if name != clip.name {
            let message = format!("another clip has that name; this one is called {name:?}");
            report.loss(Loss::kept(&codes::CLIP_NAMES, clip.label(index), 1, message));
        }
        name
    };
    clips.iter().enumerate().map(name).collect()
}

impl Export<'_> {
    /// Makes the animations of a rig.
    pub(super) fn animations(&mut self, rig: &Rig) -> Vec<Animation> {
        // Each clip that moves a bone, with the tracks that do, and their bones.
        let mut playing: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
        for (bone, own) in rig.bones.iter().enumerate() {
            for &(clip, track) in &self.tracks[own.node.index()] {
                playing.entry(clip).or_default().push((track, bone));
            }
        }
        playing.into_iter().map(|(clip, tracks)| self.animation(rig, clip, &tracks)).collect()
    }

    fn tracks_of(&self, clip: usize, tracks: &[(usize, usize)]) -> impl Iterator<Item = &Track> + Clone {
        tracks.iter().map(move |&(track, _)| &self.scene.clips[clip].tracks[track])
    }

    fn animation(&mut self, rig: &Rig, index: usize, tracks: &[(usize, usize)]) -> Animation {
        let mut budget = std::mem::take(&mut self.budget);
        let clip = &self.scene.clips[index];
        let start = own(&clip.extras, "start").and_then(|v| v.as_f64()).unwrap_or(0.0);
        let mut animation =
            Animation { name: self.clip_names[index].as_str().into(), ..Animation::default() };
        let playing = Playing::new(self, rig, clip, tracks);
        let (mut off, mut before): (f64, Option<Vec<DQuat>>) = (0.0, None);
        let mut fit = Fit::new(Tolerance::FINE, &mut budget).in_thirds();
        let times = self.key_times(index, tracks).into_iter().map(f64::from);
        fit.follow(&playing, times, &mut |time, mut frame| {
            off = off.max(self.deviation(rig, &frame.wanted, &frame.made));
            align(&mut frame.keys, before.as_deref());
            self.write_frame(time + start, &frame, &mut animation.frames);
            before = Some(frame.keys);
        });
        let fitted = fit.done;
        self.budget = budget;
        animation.frames.shrink_to_fit();
        self.report_animation(rig, (index, tracks), fitted, off);
        animation
    }

    /// The times at which something begins, ends or has a key.
    fn key_times(&self, index: usize, tracks: &[(usize, usize)]) -> Vec<f32> {
        let clip = &self.scene.clips[index];
        // The clip may last longer than its last key, and only a key can express that.
        let times = frame_times(self.tracks_of(index, tracks), &[clip.duration]);
        // Keys that the importer added need not be written: they are added again where they are needed.
        let own_times = self.own_times(clip, &times);
        own_times.unwrap_or(times)
    }

    /// The times of the file's original keys, if the clip still has all of them.
    fn own_times(&self, clip: &Clip, times: &[f32]) -> Option<Vec<f32>> {
        let listed = own(&clip.extras, "times")?.as_array()?;
        let own: Vec<f32> = listed.iter().map(|v| Some(v.as_f64()? as f32)).collect::<Option<_>>()?;
        let known = |t: &f32| times.binary_search_by(|other| other.total_cmp(t)).is_ok();
        (own.is_sorted_by(|a, b| a < b) && own.iter().all(known) && own.last() == times.last()).then_some(own)
    }

    /// Returns how far any vertex is from where it should be, because of what bones cannot express.
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

    fn report_animation(
        &mut self,
        rig: &Rig,
        (clip, tracks): (usize, &[(usize, usize)]),
        fitted: Fitted,
        worst: f64,
    ) {
        let object = self.scene.clips[clip].label(clip);
        let message = match fitted.added {
            0 => "the file interpolates slightly differently between keys",
            _ => "keys were added to follow the source between its keys",
        };
        fitted.report(&codes::SAMPLED, &object, fitted.added, message, self.report);
        if worst > 1e-5 * rig.size {
            let moving = self.tracks_of(clip, tracks).filter(|t| {
                let root = rig.bones.first().is_some_and(|b| b.node == t.node);
                matches!(t.values, Values::Scale(_)) || (matches!(t.values, Values::Translation(_)) && !root)
            });
            let scaled = "the joints' matrices contain scale or shear, which bones cannot express";
            let moved = "bones rotate about fixed positions; other movement is lost, except the first root's";
            let (count, code, message) = match moving.count() {
                0 => (rig.bones.len(), &codes::MATRICES, scaled),
                count => (count, &codes::JOINT_MOTION, moved),
            };
            self.report.loss(Loss::approximated(code, object, count, worst, "units", message));
        }
    }

    fn write_frame(&self, time: f64, frame: &Frame, floats: &mut Vec<f32>) {
        floats.push(bounded(time));
        floats.extend(frame.offset.to_array().map(bounded));
        for key in &frame.keys {
            if self.posing == Posing::Engine {
                floats.extend([0.0, 0.0, 0.0, 1.0]);
            }
            floats.extend(sound(*key).as_quat().to_array());
        }
    }
}

/// A clip, played by a rig's bones.
struct Playing<'a> {
    scene: &'a Scene,
    posing: Posing,
    rig: &'a Rig,
    /// The bones, each after the bone of its parent node.
    parents_first: Vec<usize>,
    /// The tracks of each bone, so that no other node of the scene is sampled.
    tracks: Vec<Vec<&'a Track>>,
    /// Bounding boxes of the bones' vertices, in the bones' space.
    boxes: Vec<(usize, [DVec3; 8])>,
    /// Maps the skeleton's space to the scene's, in fractions of the model's size.
    to_parts: DMat4,
}

impl<'a> Playing<'a> {
    fn new(export: &'a Export<'_>, rig: &'a Rig, clip: &'a Clip, playing: &[(usize, usize)]) -> Self {
        let unmatrix = rig.matrix.inverse();
        let boxes = rig.probes.iter().map(|probe| {
            let bone = &rig.bones[probe.bone];
            let bound = DMat4::from_rotation_translation(bone.rotation, bone.place);
            (probe.bone, probe.corners.map(|corner| (bound.inverse() * unmatrix).transform_point3(corner)))
        });
        let (scene, posing) = (&export.scene, export.posing);
        let to_parts = DMat4::from_scale(DVec3::splat(1.0 / export.size)) * rig.world * rig.matrix;
        let mut tracks = vec![Vec::new(); rig.bones.len()];
        playing.iter().for_each(|&(track, bone)| tracks[bone].push(&clip.tracks[track]));
        let mut parents_first: Vec<usize> = (0..rig.bones.len()).collect();
        parents_first.sort_by_key(|&bone| rig.bones[bone].node);
        Self { scene, posing, rig, parents_first, tracks, boxes: boxes.collect(), to_parts }
    }

    /// Matrices of the bones in the space of their common ancestor, as the clip places their nodes.
    fn wanted(&self, time: f32) -> Vec<DMat4> {
        let mut wanted = vec![DMat4::IDENTITY; self.rig.bones.len()];
        for &i in &self.parents_first {
            let bone = &self.rig.bones[i];
            let node = &self.scene.nodes[bone.node.index()];
            let local = local_at(node, self.tracks[i].iter().copied(), time).to_matrix();
            wanted[i] = bone.above.map_or(local, |above| wanted[above] * local);
        }
        wanted
    }

    /// Returns the positions and rotations of the bones, given an offset and keys.
    fn made(&self, offset: DVec3, keys: &[DQuat]) -> Vec<(DVec3, DQuat)> {
        let mut made: Vec<(DVec3, DQuat)> = Vec::with_capacity(keys.len());
        for (i, (bone, key)) in self.rig.bones.iter().zip(keys).enumerate() {
            made.push(match bone.parent.map(|p| (&self.rig.bones[p], made[p])) {
                Some((parent, (place, turn))) => {
                    let back = parent.rotation.inverse();
                    let turned = turn * (back * bone.rotation).normalize() * *key;
                    (place + turn * (back * (bone.place - parent.place)), turned.normalize())
                }
                None => {
                    let offset = if i == 0 { self.rotated(offset, bone.rotation) } else { DVec3::ZERO };
                    (bone.place + offset, (bone.rotation * *key).normalize())
                }
            });
        }
        made
    }

    /// The first root's offset in the skeleton's space. With the engine's posing, the bone that moves does not rotate.
    fn rotated(&self, offset: DVec3, rotation: DQuat) -> DVec3 {
        if self.posing == Posing::Engine { offset } else { rotation * offset }
    }
}

impl Motion for Playing<'_> {
    type Key = Frame;

    fn at(&self, time: f64) -> Frame {
        let bones = &self.rig.bones;
        let wanted = self.wanted(time as f32);
        let mut turns: Vec<DQuat> = Vec::with_capacity(bones.len());
        let mut keys = Vec::with_capacity(bones.len());
        for (bone, global) in bones.iter().zip(&wanted) {
            // Constant scale cancels out here.
            let turn = (rotation_of(&(*global * bone.unbind)) * bone.rotation).normalize();
            let (above, above_bind) =
                bone.parent.map_or((DQuat::IDENTITY, DQuat::IDENTITY), |p| (turns[p], bones[p].rotation));
            let bound = (above_bind.inverse() * bone.rotation).normalize();
            keys.push((bound.inverse() * above.inverse() * turn).normalize());
            turns.push(turn);
        }
        let offset = bones.first().zip(wanted.first()).map_or(DVec3::ZERO, |(root, global)| {
            let moved = global.w_axis.truncate() - root.place;
            if self.posing == Posing::Engine { moved } else { root.rotation.inverse() * moved }
        });
        Frame { made: self.made(offset, &keys), offset, keys, wanted }
    }

    fn between(&self, from: &Frame, to: &Frame, fraction: f64) -> Frame {
        let mix = |(&a, &b): (&DQuat, &DQuat)| {
            let b = if a.dot(b) < 0.0 { -b } else { b };
            match self.posing {
                Posing::Author => (a * (1.0 - fraction) + b * fraction).normalize(),
                Posing::Engine => a.slerp(b, fraction),
            }
        };
        let keys: Vec<DQuat> = from.keys.iter().zip(&to.keys).map(mix).collect();
        let offset = from.offset.lerp(to.offset, fraction);
        Frame { made: self.made(offset, &keys), offset, keys, wanted: Vec::new() }
    }

    /// The larger of how far any vertex is off and how far a bone without vertices is rotated wrongly.
    fn distance(&self, made: &Frame, wanted: &Frame) -> f64 {
        let turned = made.keys.iter().zip(&wanted.keys).map(|(a, b)| Value::distance(a, b) * LEAST_REACH);
        let placed = |(place, turn): (DVec3, DQuat)| DMat4::from_rotation_translation(turn, place);
        let moved = self.boxes.iter().flat_map(|(bone, corners)| {
            let difference = self.to_parts * (placed(made.made[*bone]) - placed(wanted.made[*bone]));
            corners.map(|corner| (difference * corner.extend(1.0)).truncate().length())
        });
        turned.chain(moved).filter(|distance| distance.is_finite()).fold(0.0, f64::max)
    }
}

/// Picks, of the two quaternions for each rotation, the one nearer to the previous key: the file interpolates linearly.
fn align(keys: &mut [DQuat], before: Option<&[DQuat]>) {
    for (b, key) in keys.iter_mut().enumerate() {
        let flipped = match before {
            Some(before) => key.dot(before[b]) < 0.0,
            None => key.w < 0.0,
        };
        if flipped {
            *key = -*key;
        }
    }
}
