//! Clips and keys of the dialects with a keyword on every line.

use super::Reader;
use super::field::Line;
use crate::formats::amo::codes;
use crate::formats::amo::document::{Clip, JointPose, Key, KeyPose, KeyValue, Keys, Section};
use crate::report::Severity;
use std::ops::Range;

impl Reader<'_, '_> {
    pub(super) fn clip(&mut self, line: &Line) {
        let (name, duration) = self.name_and_number(line.rest.clone());
        let duration = duration.map(|field| self.number(field));
        let name = self.name(name, "clip");
        let keys = if self.is_keyed() { Keys::Poses(Vec::new()) } else { Keys::default() };
        self.model.clips.push(Clip { name, duration, keys });
        self.clip_line();
    }

    fn clip_line(&mut self) {
        self.clip_lines += 1;
        self.last = Section::Clips;
    }

    /// Makes sure that there is a clip to put a key into.
    fn need_clip(&mut self, span: Range<usize>) {
        if self.model.clips.is_empty() {
            let message = "a key before the first `a` line; it belongs to a clip without a name";
            self.tally(Severity::Warning, &codes::NO_CLIP, "", span, message);
            let keys = if self.is_keyed() { Keys::Poses(Vec::new()) } else { Keys::default() };
            self.model.clips.push(Clip { keys, ..Clip::default() });
        }
        self.clip_line();
    }

    pub(super) fn position_key(&mut self, line: &Line) {
        let mut fields = self.fields(&line.rest);
        let Some((time, joint)) = self.time_and_joint(&mut fields) else { return };
        let value = KeyValue::Position(self.numbers(&mut fields, "the position of an `ap` line"));
        self.push_key(Key { time, joint, value }, line);
    }

    pub(super) fn rotation_key(&mut self, line: &Line) {
        let mut fields = self.fields(&line.rest);
        let Some((time, joint)) = self.time_and_joint(&mut fields) else { return };
        let rotation = self.numbers(&mut fields, "the quaternion of an `ar` line");
        self.check_rotation(rotation, line.rest.clone());
        self.push_key(Key { time, joint, value: KeyValue::Rotation(rotation) }, line);
    }

    fn push_key(&mut self, key: Key, line: &Line) {
        self.need_clip(line.keyword.clone());
        if let Some(Clip { keys: Keys::Single(keys), .. }) = self.model.clips.last_mut() {
            keys.push(key);
        }
    }

    fn time_and_joint(&mut self, fields: &mut crate::text::Fields<'_>) -> Option<(f32, i32)> {
        let mut own = fields.clone();
        let (time, joint) = (own.next(), own.next());
        let (Some(time_field), Some(joint)) = (time, joint) else {
            let end = fields.end();
            self.error(&codes::MISSING, end..end, "a key needs a time, a joint and its value");
            return None;
        };
        for _ in 0..2 {
            fields.next();
        }
        let time = self.number(time_field.clone());
        if time < 0.0 {
            let message = format!("the key is at {time} s, before the clip begins");
            self.error(&codes::KEY_TIME, time_field, message);
        }
        Some((time, self.whole(joint, "the joint of a key")))
    }

    pub(super) fn check_rotation(&mut self, rotation: [f32; 4], span: Range<usize>) {
        let length = length(&rotation);
        if length < 1e-6 {
            self.error(&codes::ZERO_ROTATION, span, "the quaternion has length zero");
        } else if !is_unit(&rotation) {
            let message = format!("the quaternion's length is {length:.4}, not one");
            self.tally(Severity::Warning, &codes::NOT_UNIT, "", span, message);
        }
    }

    pub(super) fn key_pose(&mut self, line: &Line) {
        let mut fields = self.fields(&line.rest);
        let time = self.required(&mut fields, "the time of a `k` line");
        let progress = time.map_or(0.0, |field| self.key_time(field));
        if let Some(count) = fields.next() {
            self.whole(count, "the number of joints of a `k` line");
        }
        self.nothing_more(&fields, "a `k` line");
        self.need_clip(line.keyword.clone());
        if let Some(Clip { keys: Keys::Poses(poses), .. }) = self.model.clips.last_mut() {
            poses.push(KeyPose { progress, joints: Vec::new() });
        }
    }

    pub(super) fn key_time(&mut self, field: Range<usize>) -> f32 {
        let time = self.number(field.clone());
        if time < 0.0 {
            self.error(&codes::KEY_TIME, field, format!("the key is at {time}, before the clip begins"));
        }
        time.max(0.0)
    }

    pub(super) fn keyed_position(&mut self, line: &Line) {
        let mut fields = self.fields(&line.rest);
        let Some(joint) = self.required(&mut fields, "the joint of an `ap` line") else { return };
        let joint = self.whole(joint, "the joint of an `ap` line");
        let position = self.numbers(&mut fields, "the position of an `ap` line");
        if let Some(pose) = self.joint_pose(joint, line) {
            pose.position = position;
        }
    }

    pub(super) fn keyed_rotation(&mut self, line: &Line) {
        let mut fields = self.fields(&line.rest);
        let Some(joint) = self.required(&mut fields, "the joint of an `ar` line") else { return };
        let joint = self.whole(joint, "the joint of an `ar` line");
        let [w, x, y, z] = self.numbers(&mut fields, "the quaternion of an `ar` line");
        self.check_rotation([x, y, z, w], line.rest.clone());
        if let Some(pose) = self.joint_pose(joint, line) {
            pose.rotation = [x, y, z, w];
        }
    }

    /// The joint's entry in the last `k`, which may begin with a position or with a rotation.
    fn joint_pose(&mut self, joint: i32, line: &Line) -> Option<&mut JointPose> {
        self.need_clip(line.keyword.clone());
        let Some(Clip { keys: Keys::Poses(poses), .. }) = self.model.clips.last_mut() else { return None };
        if poses.is_empty() {
            poses.push(KeyPose::default());
        }
        let joints = &mut poses.last_mut()?.joints;
        // Files list the joints twice in the same order, once with positions and once with rotations: the entry is most
        // often the one after the last that was found, but any order must take linear time.
        let index = self.pose_index.entry(joint).or_insert(usize::MAX);
        if joints.get(*index).is_none_or(|pose| pose.joint != joint) {
            *index = joints.len();
            joints.push(JointPose { joint, position: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0] });
        }
        let index = *index;
        joints.get_mut(index)
    }
}

fn length(rotation: &[f32; 4]) -> f64 {
    rotation.iter().map(|&v| f64::from(v).powi(2)).sum::<f64>().sqrt()
}

/// Whether there is nothing to say about a quaternion's length.
#[inline(always)]
pub(super) fn is_unit(rotation: &[f32; 4]) -> bool {
    (length(rotation) - 1.0).abs() <= 1e-4
}
