//! Clips of the dialect with counts, which have keys of several joints at a time.

use super::Reader;
use super::condense::{self, Run};
use super::field::Line;
use super::keys::is_unit;
use crate::formats::amo::codes;
use crate::formats::amo::document::{Clip, JointPose, KeyPose, Keys, Section};
use crate::formats::obj_text::{numbers_to_end, whole_then_blank};
use crate::report::{Code, Failure};
use crate::text::{Fields, next_line};

impl Reader<'_, '_> {
    pub(super) fn counted_clips(&mut self, line: &Line) -> Result<(), Failure> {
        let clips = self.count(line);
        self.begins.insert(Section::Clips, self.after_head(line));
        self.last = Section::Clips;
        self.clip_lines += 1;
        for number in 0..clips {
            let Some(header) = self.expect(b"an", number, clips)? else { return Ok(()) };
            let fields: Vec<_> = self.fields(&header.rest).collect();
            let Some(at) = fields.len().checked_sub(2).filter(|&at| at >= 1) else {
                let message = "`an` needs a name, a duration and a number of keys";
                self.error(&codes::MISSING, header.keyword.clone(), message);
                return Ok(());
            };
            let duration = self.key_time(fields[at].clone());
            let keys = self.whole(fields[at + 1].clone(), "the number of keys");
            let name = Fields::new(self.bytes, header.rest.start, fields[at].start).rest();
            let name = self.name(name, "clip");
            let mut poses = Vec::new();
            for key in 0..keys.max(0) as usize {
                let Some(pose) = self.counted_pose(key, keys as usize)? else { break };
                poses.push(pose);
            }
            self.model.clips.push(Clip { name, duration: Some(duration), keys: Keys::Poses(poses) });
            self.give_up_after_too_many()?;
        }
        Ok(())
    }

    fn counted_pose(&mut self, number: usize, count: usize) -> Result<Option<KeyPose>, Failure> {
        let Some(header) = self.expect(b"k", number, count)? else { return Ok(None) };
        let mut fields = self.fields(&header.rest);
        let progress = self.required(&mut fields, "the progress of a `k` line");
        let progress = progress.map_or(0.0, |field| self.key_time(field));
        let joints = self.required(&mut fields, "the number of joints of a `k` line");
        let joints = joints.map_or(0, |field| self.whole(field, "the number of joints of a `k` line")).max(0);
        self.nothing_more(&fields, "a `k` line");
        let joints = joints as usize;
        let mut pose = KeyPose { progress, joints: Vec::new() };
        // Lines that name no joint are none.
        let mut number = 0;
        loop {
            number += self.left_out_poses(&mut pose.joints, joints - number);
            if number == joints {
                break;
            }
            if let Some((joint_pose, next)) = usual_pose(self.bytes, self.at) {
                pose.joints.push(joint_pose);
                number += 1;
                self.clip_lines += 1;
                self.at = next;
                continue;
            }
            let Some(line) = self.data_line(&header, number, joints)? else { break };
            self.at = line.next;
            number += 1;
            self.clip_lines += 1;
            self.comment_aside(line.comment.clone());
            self.give_up_after_too_many()?;
            let mut fields = self.fields(&line.rest);
            let Some(joint) = self.required(&mut fields, "the joint of a key") else { continue };
            let joint = self.whole(joint, "the joint of a key");
            let [px, py, pz, w, x, y, z] = self.numbers(&mut fields, "a key (position and quaternion)");
            self.check_rotation([x, y, z, w], line.rest.clone());
            pose.joints.push(JointPose { joint, position: [px, py, pz], rotation: [x, y, z, w] });
        }
        Ok(Some(pose))
    }

    /// Takes joints of a key that were left out here, at most so many, and returns how many they are.
    fn left_out_poses(&mut self, joints: &mut Vec<JointPose>, wanted: usize) -> usize {
        let taken = self.runs.take(self.at, |run| match run {
            Run::Poses(more) => condense::join(joints, more, wanted),
            _ => None,
        });
        let taken = taken.unwrap_or(0);
        self.clip_lines += taken;
        taken
    }

    /// The line with this keyword; `None` with an error if it is another one.
    fn expect(
        &mut self,
        keyword: &'static [u8],
        number: usize,
        count: usize,
    ) -> Result<Option<Line>, Failure> {
        let word = String::from_utf8_lossy(keyword);
        loop {
            let Some(line) = next_line(self.bytes, self.at) else {
                let end = self.bytes.len();
                let message = format!("the file ends before `{word}` {} of {count}", number + 1);
                self.error(&codes::UNEXPECTED_END, end..end, message);
                return Err(Failure::Invalid);
            };
            if self.bytes[line.start] == b'#' {
                self.aside(line.start..line.end);
                self.at = line.next;
                continue;
            }
            let found = self.take_apart(line);
            if self.bytes[found.keyword.clone()] != *keyword {
                let text = self.text(found.keyword.clone());
                let message = format!("expected `{word}` {} of {count}, found {text}", number + 1);
                let code: &'static Code = &codes::FEWER;
                self.error(code, found.keyword, message);
                return Ok(None);
            }
            self.at = found.next;
            self.clip_lines += 1;
            self.comment_aside(found.comment.clone());
            return Ok(Some(found));
        }
    }
}

/// A joint of a key in the usual layout, if there is nothing to say about it.
#[inline(always)]
pub(super) fn usual_pose(bytes: &[u8], at: usize) -> Option<(JointPose, usize)> {
    let (joint, at) = whole_then_blank(bytes, at)?;
    let ([px, py, pz, w, x, y, z], next) = numbers_to_end(bytes, at + 1)?;
    let pose = JointPose { joint, position: [px, py, pz], rotation: [x, y, z, w] };
    is_unit(&pose.rotation).then_some((pose, next))
}
