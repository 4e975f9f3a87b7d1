//! Reads clips of the counted dialect, in which a key poses several joints.

use super::Reader;
use super::field::{Parts, before};
use super::keys::is_unit;
use super::usual::Built;
use crate::formats::amo::codes;
use crate::formats::amo::document::{Clip, JointPose, KeyPose, Keys, Section};
use crate::formats::obj_text::{numbers_to_end, whole_then_blank};
use crate::report::Failure;
use crate::text::TextLine;

impl<'a> Reader<'a, '_> {
    pub(super) fn counted_clips(&mut self, clips: usize) -> Result<(), Failure> {
        self.built.last = Section::Clips;
        self.built.clip_lines += 1;
        for number in 0..clips {
            let Some(line) = self.expect("an", number, clips)? else { return Ok(()) };
            let header = Parts::of(&line);
            let fields: Vec<_> = header.rest.fields().collect();
            let [_, .., duration, keys] = fields[..] else {
                let message = "`an` needs a name, a duration and a number of keys";
                self.text.error(&codes::MISSING, header.keyword.spot(), message);
                return Ok(());
            };
            let name = before(header.rest, duration);
            let duration = self.key_time(duration);
            let keys = self.integer(keys, "the number of keys").max(0) as usize;
            let name = self.name(name, "clip");
            drop(line);
            let mut poses = Vec::new();
            for key in 0..keys {
                let Some(pose) = self.counted_pose(key, keys)? else { break };
                poses.push(pose);
            }
            let clip = Clip { name, duration: Some(duration), keys: Keys::Poses(poses) };
            self.built.model.clips.push(clip);
            self.text.give_up_after_too_many()?;
        }
        Ok(())
    }

    fn counted_pose(&mut self, number: usize, count: usize) -> Result<Option<KeyPose>, Failure> {
        let Some(line) = self.expect("k", number, count)? else { return Ok(None) };
        let header = Parts::of(&line);
        let mut fields = header.rest.fields();
        let progress = self.required(&mut fields, "the progress of a `k` line");
        let progress = progress.map_or(0.0, |field| self.key_time(field));
        let count = self.required_integer(&mut fields, "the number of joints of a `k` line");
        let count = count.unwrap_or(0).max(0) as usize;
        self.nothing_more(fields, "a `k` line");
        // Allows the line's buffer to be reused.
        drop(line);
        // The buffer is reused, because the count is not trusted and most keys have as many joints as the one before.
        let mut joints = std::mem::take(&mut self.pose);
        joints.clear();
        // Lines without a joint are counted, but add nothing.
        let mut number = 0;
        while number < count {
            number += self.run(count - number, |built, text, at| built.usual_pose(text, at, &mut joints))?;
            if number == count {
                break;
            }
            let Some(line) = self.data_line(b"k", number, count)? else { break };
            let line = Parts::without_keyword(&line);
            number += 1;
            self.built.clip_lines += 1;
            self.comment_aside(&line);
            self.text.give_up_after_too_many()?;
            let mut fields = line.rest.fields();
            let Some(joint) = self.required(&mut fields, "the joint of a key") else { continue };
            let joint = self.key_joint(joint, "the joint of a key");
            let [px, py, pz, w, x, y, z] = self.numbers(fields, "a key (position and quaternion)");
            self.check_rotation([x, y, z, w], line.rest);
            joints.push(JointPose { joint, position: [px, py, pz], rotation: [x, y, z, w] });
        }
        let pose = KeyPose { progress, joints: joints.as_slice().into() };
        self.pose = joints;
        Ok(Some(pose))
    }

    /// Returns the next line, which must have this keyword. Reports an error if it has another one.
    fn expect(&mut self, word: &str, number: usize, count: usize) -> Result<Option<TextLine<'a>>, Failure> {
        loop {
            let Some(line) = self.text.peek()? else {
                let message = format!("the file ends before `{word}` {} of {count}", number + 1);
                return Err(self.text.fatal(&codes::UNEXPECTED_END, self.text.here(), message));
            };
            let found = Parts::of(&line);
            if found.is_comment() {
                self.built.aside(found.whole.text());
                self.text.pass(&line);
                continue;
            }
            let keyword = found.keyword;
            if keyword.text() != word.as_bytes() {
                let message = format!("expected `{word}` {} of {count}, found {}", number + 1, keyword.raw());
                self.text.error(&codes::FEWER, keyword.spot(), message);
                return Ok(None);
            }
            self.built.clip_lines += 1;
            self.comment_aside(&found);
            self.text.pass(&line);
            return Ok(Some(line));
        }
    }
}

impl Built {
    /// Reads a joint of a key in the usual layout, if it needs no message.
    #[inline(always)]
    fn usual_pose(&mut self, text: &[u8], at: usize, joints: &mut Vec<JointPose>) -> Option<usize> {
        let (joint, at) = whole_then_blank(text, at)?;
        let ([px, py, pz, w, x, y, z], next) = numbers_to_end(text, at + 1)?;
        let rotation = [x, y, z, w];
        if !is_unit(&rotation) || !self.places.keys.is_plain(joint, self.model.joints.len()) {
            return None;
        }
        joints.push(JointPose { joint, position: [px, py, pz], rotation });
        self.clip_lines += 1;
        Some(next)
    }
}
