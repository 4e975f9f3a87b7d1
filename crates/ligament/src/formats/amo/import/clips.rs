//! Clips.

use super::joints::unit;
use super::{Import, RigJoint};
use crate::formats::amo::codes;
use crate::formats::amo::document::{Clip, Key, KeyPose, KeyValue, Keys};
use crate::motion::{one_side, straight_turns};
use crate::report::Place;
use crate::scene::{self, Interpolation, NodeId, Track, Trs, Values};
use glam::{DQuat, Quat, Vec3};
use std::sync::Arc;

/// A joint's keys of one kind.
type Timed<T> = Vec<(f32, T)>;

impl Import<'_> {
    pub(super) fn clip(&mut self, clip: Clip, rig: &[RigJoint]) {
        let mut imported = scene::Clip { name: clip.name.to_text(), ..scene::Clip::default() };
        match clip.keys {
            Keys::Single(keys) => self.single_keys(&keys, rig, &mut imported),
            Keys::Poses(poses) => {
                let seconds = f64::from(clip.duration.unwrap_or(0.0)) / 1000.0;
                imported.duration = seconds as f32;
                self.poses(poses, seconds, rig, &mut imported);
            }
        }
        imported.duration = imported.duration.max(imported.last_key());
        self.scene.clips.push(imported);
    }

    /// Converts positions and rotations of single joints.
    fn single_keys(&mut self, keys: &[Key], rig: &[RigJoint], clip: &mut scene::Clip) {
        let mut positions: Vec<Timed<Vec3>> = vec![Vec::new(); rig.len()];
        let mut rotations: Vec<Timed<Quat>> = vec![Vec::new(); rig.len()];
        for key in keys {
            let Some(joint) = usize::try_from(key.joint).ok().filter(|&j| j < rig.len()) else {
                continue;
            };
            match key.value {
                KeyValue::Position(position) => positions[joint].push((key.time, Vec3::from_array(position))),
                KeyValue::Rotation(rotation) => rotations[joint].push((key.time, unit(rotation))),
            }
            clip.duration = clip.duration.max(key.time);
        }
        for ((joint, positions), rotations) in rig.iter().zip(positions).zip(rotations) {
            if !positions.is_empty() {
                let (times, values) = self.sorted(positions, &clip.name);
                clip.tracks.push(track(joint.node, times, Values::Translation(values)));
            }
            if !rotations.is_empty() {
                let (times, values) = self.sorted(rotations, &clip.name);
                clip.tracks.push(track(joint.node, times, Values::Rotation(values)));
            }
        }
    }

    /// Sorts keys by time; if several share a time, keeps the last one in the file.
    fn sorted<T: Copy>(&mut self, mut keys: Timed<T>, clip: &str) -> (Vec<f32>, Vec<T>) {
        keys.sort_by(|a, b| a.0.total_cmp(&b.0));
        let before = keys.len();
        keys.reverse();
        // -0 and 0 are the same time.
        keys.dedup_by(|a, b| a.0 == b.0);
        keys.reverse();
        if keys.len() < before {
            let message =
                format!("clip {clip:?} has several keys of a joint at the same time; the last is used");
            self.report.warning(&codes::SAME_TIME, Place::field("clips"), message);
        }
        keys.into_iter().unzip()
    }

    /// Converts changes to rest transforms. A joint that a pose omits is at rest there.
    fn poses(&mut self, mut poses: Vec<KeyPose>, seconds: f64, rig: &[RigJoint], clip: &mut scene::Clip) {
        let time =
            |pose: &KeyPose| (f64::from(pose.progress) * seconds).clamp(0.0, f64::from(f32::MAX)) as f32;
        poses.sort_by(|a, b| a.progress.total_cmp(&b.progress));
        let before = poses.len();
        poses.reverse();
        poses.dedup_by(|a, b| time(a) == time(b));
        poses.reverse();
        if poses.len() < before {
            let message = format!("clip {:?} has several `k` at the same time; the last is used", clip.name);
            self.report.warning(&codes::SAME_TIME, Place::field("clips"), message);
        }
        let times: Vec<f32> = poses.iter().map(time).collect();
        clip.duration = clip.duration.max(times.last().copied().unwrap_or(0.0));
        let mut keys: Vec<Timed<(Vec3, Quat)>> = vec![Vec::new(); rig.len()];
        // The pose of each joint's last key.
        let mut last: Vec<Option<usize>> = vec![None; rig.len()];
        let at_rest = (Vec3::ZERO, Quat::IDENTITY);
        for (number, pose) in poses.iter().enumerate() {
            for entry in &pose.joints {
                let Some(joint) = usize::try_from(entry.joint).ok().filter(|&j| j < keys.len()) else {
                    continue;
                };
                let value = (Vec3::from_array(entry.position), unit(entry.rotation));
                let own = &mut keys[joint];
                if last[joint] == Some(number) {
                    own.pop();
                } else {
                    // Before the first key it is held; a rest in between needs a key at either end.
                    let first = last[joint].map_or(number.saturating_sub(1), |last| last + 1);
                    if first < number {
                        own.push((times[first], at_rest));
                    }
                    if first + 1 < number {
                        own.push((times[number - 1], at_rest));
                    }
                }
                last[joint] = Some(number);
                own.push((times[number], value));
            }
        }
        for ((joint, mut keys), last) in rig.iter().zip(keys).zip(last) {
            let Some(last) = last else { continue };
            if let Some(&after) = times.get(last + 1) {
                keys.push((after, at_rest));
            }
            push_tracks(joint.node, &joint.rest, &keys, clip);
        }
    }
}

fn push_tracks(node: NodeId, rest: &Trs, keys: &[(f32, (Vec3, Quat))], clip: &mut scene::Clip) {
    let turn = rest.rotation.as_dquat().normalize();
    let scale = f64::from(rest.scale.x);
    let translation = |(_, (position, _)): &(f32, (Vec3, Quat))| {
        (rest.translation.as_dvec3() + turn * (position.as_dvec3() * scale)).as_vec3()
    };
    let rotation = |(_, (_, rotation)): &(f32, (Vec3, Quat))| (turn * rotation.as_dquat()).normalize();
    let times = || keys.iter().map(|key| key.0).collect();
    let translations: Vec<Vec3> = keys.iter().map(translation).collect();
    if translations.iter().all(|v| v.is_finite()) {
        clip.tracks.push(track(node, times(), Values::Translation(translations)));
    }
    let mut turns: Vec<DQuat> = keys.iter().map(rotation).collect();
    one_side(&mut turns);
    let times: Vec<f32> = times();
    clip.tracks.push(match straight_turns(&times, &turns) {
        (Interpolation::Linear, values) => track(node, times, Values::Rotation(values)),
        (interpolation, values) => {
            Track { node, interpolation, times: times.into(), values: Values::Rotation(values) }
        }
    });
}

/// Makes a linear track, with a single key if nothing changes.
fn track(node: NodeId, mut times: Vec<f32>, mut values: Values) -> Track {
    values.keep_one_if_constant();
    times.truncate(values.len());
    Track { node, interpolation: Interpolation::Linear, times: Arc::from(times), values }
}
