//! Reads clips and keys of the dialects with a keyword on every line.

use super::Reader;
use super::field::Parts;
use crate::formats::amo::codes;
use crate::formats::amo::document::{Clip, JointPose, Key, KeyPose, KeyValue, Keys, Section};
use crate::report::Severity;
use crate::text::{Field, FieldsOf};

impl Reader<'_, '_> {
    pub(super) fn clip(&mut self, line: &Parts<'_>) {
        let (name, duration) = self.name_and_number(line.rest);
        let duration = duration.map(|field| self.number(field));
        let name = self.name(name, "clip");
        self.begin_clip(Clip { name, duration, ..Clip::default() });
        self.clip_line();
    }

    fn begin_clip(&mut self, clip: Clip) {
        let keys = if self.is_keyed() { Keys::Poses(Vec::new()) } else { Keys::default() };
        self.built.model.clips.push(Clip { keys, ..clip });
    }

    fn clip_line(&mut self) {
        self.built.clip_lines += 1;
        self.built.last = Section::Clips;
    }

    /// Makes sure that there is a clip for a key.
    fn need_clip(&mut self, line: &Parts<'_>) {
        if self.built.model.clips.is_empty() {
            let message =
                || "a key comes before the first `a` line; it is put into a clip without a name".to_owned();
            self.text.tally(Severity::Warning, &codes::NO_CLIP, "", line.keyword.spot(), message);
            self.begin_clip(Clip::default());
        }
        self.clip_line();
    }

    pub(super) fn position_key(&mut self, line: &Parts<'_>) {
        let mut fields = line.rest.fields();
        let Some((time, joint)) = self.time_and_joint(&mut fields) else { return };
        let value = KeyValue::Position(self.numbers(fields, "the position of an `ap` line"));
        self.push_key(Key { time, joint, value }, line);
    }

    pub(super) fn rotation_key(&mut self, line: &Parts<'_>) {
        let mut fields = line.rest.fields();
        let Some((time, joint)) = self.time_and_joint(&mut fields) else { return };
        let rotation = self.numbers(fields, "the quaternion of an `ar` line");
        self.check_rotation(rotation, line.rest);
        self.push_key(Key { time, joint, value: KeyValue::Rotation(rotation) }, line);
    }

    fn push_key(&mut self, key: Key, line: &Parts<'_>) {
        self.need_clip(line);
        let clip = self.built.model.clips.len() - 1;
        if let Some(Clip { keys: Keys::Single(keys), .. }) = self.built.model.clips.last_mut() {
            if keys.is_empty() && key.time > 0.0 {
                self.built.places.late.push((clip, line.whole.spot()));
            }
            keys.push(key);
        }
    }

    fn time_and_joint(&mut self, fields: &mut FieldsOf<'_>) -> Option<(f32, i32)> {
        let (Some(time_field), Some(joint_field)) = (fields.next(), fields.next()) else {
            let message = "a key needs a time, a joint and its value";
            self.text.error(&codes::MISSING, fields.end().spot(), message);
            return None;
        };
        let time = self.number(time_field);
        if time < 0.0 {
            let message = format!("the key is at {time} s, before the clip begins");
            self.text.error(&codes::KEY_TIME, time_field.spot(), message);
        }
        Some((time, self.key_joint(joint_field, "the joint of a key")))
    }

    /// Reads the joint of a key. Its place is noted if it may turn out not to exist.
    pub(super) fn key_joint(&mut self, field: Field<'_>, what: &str) -> i32 {
        let joint = self.integer(field, what);
        self.built.places.keys.note(joint, self.built.model.joints.len(), field);
        joint
    }

    pub(super) fn check_rotation(&mut self, rotation: [f32; 4], field: Field<'_>) {
        let length = length(&rotation);
        if length < 1e-6 {
            self.text.error(&codes::ZERO_ROTATION, field.spot(), "the quaternion has length zero");
        } else if !is_unit(&rotation) {
            let message = || format!("the quaternion's length is {length:.4}, not one");
            self.text.tally(Severity::Warning, &codes::NOT_UNIT, "", field.spot(), message);
        }
    }

    pub(super) fn key_pose(&mut self, line: &Parts<'_>) {
        let mut fields = line.rest.fields();
        let time = self.required(&mut fields, "the time of a `k` line");
        let progress = time.map_or(0.0, |field| self.key_time(field));
        if let Some(count) = fields.next() {
            self.integer(count, "the number of joints of a `k` line");
        }
        self.nothing_more(fields, "a `k` line");
        self.need_clip(line);
        if let Some(Clip { keys: Keys::Poses(poses), .. }) = self.built.model.clips.last_mut() {
            poses.push(KeyPose { progress, joints: Vec::new() });
        }
    }

    pub(super) fn key_time(&mut self, field: Field<'_>) -> f32 {
        let time = self.number(field);
        if time < 0.0 {
            let message = format!("the key is at {time}, before the clip begins");
            self.text.error(&codes::KEY_TIME, field.spot(), message);
        }
        time.max(0.0)
    }

    pub(super) fn keyed_position(&mut self, line: &Parts<'_>) {
        let mut fields = line.rest.fields();
        let Some(joint) = self.required(&mut fields, "the joint of an `ap` line") else { return };
        let joint = self.key_joint(joint, "the joint of an `ap` line");
        let position = self.numbers(fields, "the position of an `ap` line");
        if let Some(pose) = self.joint_pose(joint, line) {
            pose.position = position;
        }
    }

    pub(super) fn keyed_rotation(&mut self, line: &Parts<'_>) {
        let mut fields = line.rest.fields();
        let Some(joint) = self.required(&mut fields, "the joint of an `ar` line") else { return };
        let joint = self.key_joint(joint, "the joint of an `ar` line");
        let [w, x, y, z] = self.numbers(fields, "the quaternion of an `ar` line");
        self.check_rotation([x, y, z, w], line.rest);
        if let Some(pose) = self.joint_pose(joint, line) {
            pose.rotation = [x, y, z, w];
        }
    }

    /// The joint's entry in the last `k` group, added if this is its first line there.
    fn joint_pose(&mut self, joint: i32, line: &Parts<'_>) -> Option<&mut JointPose> {
        self.need_clip(line);
        let Some(Clip { keys: Keys::Poses(poses), .. }) = self.built.model.clips.last_mut() else {
            return None;
        };
        if poses.is_empty() {
            poses.push(KeyPose::default());
        }
        let joints = &mut poses.last_mut()?.joints;
        // Files list the joints twice in the same order, once with positions and once with rotations. Any other order
        // must take linear time too.
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

/// Whether a quaternion is of unit length, within a tolerance.
#[inline(always)]
pub(super) fn is_unit(rotation: &[f32; 4]) -> bool {
    (length(rotation) - 1.0).abs() <= 1e-4
}
