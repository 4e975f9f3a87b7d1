//! The dialects with a keyword on every line. The usual lines are read here at full speed; where one is not of the usual
//! layout, [`slow`](super::slow) reads it.

use super::Reader;
use super::keys::is_unit;
use crate::formats::amo::document::{Bases, Clip, Dialect, Document, Key, KeyValue, Keys, Section};
use crate::formats::obj_text::{
    ABSENT, end_of_line, number_then_blank, numbers_to_end, parse_corner_prefix, skip_blanks,
    whole_then_blank, wholes_to_end,
};
use crate::report::Failure;

/// Corners of the faces that are read at full speed.
const MOST_CORNERS: usize = 4;

impl Reader<'_, '_> {
    pub(super) fn lines(&mut self, document: &mut Document) -> Result<(), Failure> {
        self.all_lines()?;
        self.finish_lines(document);
        Ok(())
    }

    pub(super) fn all_lines(&mut self) -> Result<(), Failure> {
        while self.at < self.bytes.len() {
            let start = skip_blanks(self.bytes, self.at);
            match self.usual_line(start)? {
                Some(next) => self.at = next,
                None => self.slow_line(start)?,
            }
            self.give_up_after_too_many()?;
        }
        Ok(())
    }

    /// What can be done only when all lines are read.
    pub(super) fn finish_lines(&mut self, document: &mut Document) {
        self.take_faces();
        self.finish_keyed_clips();
        document.dialect = self.dialect;
        document.bases = Bases::of(self.dialect);
        self.find_bases(document);
        self.check_model();
        if !self.report.has_errors() {
            self.look_for_oddities(document.editamo);
        }
        self.model.asides.sort();
        document.models = vec![std::mem::take(&mut self.model)];
    }

    /// Reads a line of vertices, faces or keys, and returns the offset of the next one. `None` without having read anything if
    /// it is another line or another layout.
    #[inline(always)]
    fn usual_line(&mut self, at: usize) -> Result<Option<usize>, Failure> {
        let bytes = self.bytes;
        let Some(&[first, second]) = bytes.get(at..at + 2) else { return Ok(None) };
        let is_blank = |b: Option<&u8>| matches!(b, Some(b' ' | b'\t'));
        Ok(match (first, second) {
            (b'\n', _) => Some(at + 1),
            (b'v', b' ' | b'\t') => numbers_to_end(bytes, at + 2).map(|(values, next)| {
                self.model.positions.push(values);
                self.last = Section::Positions;
                next
            }),
            (b'f', b' ' | b'\t') => self.usual_face(at + 2)?,
            (b'v', b't') if is_blank(bytes.get(at + 2)) => {
                numbers_to_end(bytes, at + 3).map(|(values, next)| {
                    self.model.uvs.push(values);
                    self.last = Section::Uvs;
                    next
                })
            }
            (b'v', b'n') if is_blank(bytes.get(at + 2)) => {
                numbers_to_end(bytes, at + 3).map(|(values, next)| {
                    self.model.normals.push(values);
                    self.last = Section::Normals;
                    next
                })
            }
            (b'v', b'j') if is_blank(bytes.get(at + 2)) => {
                wholes_to_end(bytes, at + 3).map(|(values, next)| {
                    self.model.joint_sets.push(values);
                    self.last = Section::JointSets;
                    next
                })
            }
            (b'v', b'w') if is_blank(bytes.get(at + 2)) => {
                numbers_to_end(bytes, at + 3).map(|(values, next)| {
                    self.model.weight_sets.push(values);
                    self.last = Section::WeightSets;
                    next
                })
            }
            (b'a', b'p' | b'r') if is_blank(bytes.get(at + 2)) => self.usual_key(second, at + 3),
            _ => None,
        })
    }

    /// Reads `seconds joint x y z`, or a quaternion in its place, if there is nothing to say about it.
    #[inline(always)]
    fn usual_key(&mut self, kind: u8, at: usize) -> Option<usize> {
        if self.is_keyed() {
            return None;
        }
        let Some(Clip { keys: Keys::Single(keys), .. }) = self.model.clips.last_mut() else { return None };
        let (time, at) = number_then_blank(self.bytes, at).filter(|&(time, _)| time >= 0.0)?;
        let (joint, blank) = whole_then_blank(self.bytes, at)?;
        let at = blank + 1;
        let (value, next) = if kind == b'p' {
            let (position, next) = numbers_to_end(self.bytes, at)?;
            (KeyValue::Position(position), next)
        } else {
            let (rotation, next) =
                numbers_to_end(self.bytes, at).filter(|(rotation, _)| is_unit(rotation))?;
            (KeyValue::Rotation(rotation), next)
        };
        keys.push(Key { time, joint, value });
        self.clip_lines += 1;
        self.last = Section::Clips;
        Some(next)
    }

    /// Reads a face whose indices are all digits. Nothing is kept of a line that is not of the usual layout.
    #[inline(always)]
    fn usual_face(&mut self, mut at: usize) -> Result<Option<usize>, Failure> {
        let mut corners = [[ABSENT; 5]; MOST_CORNERS];
        let mut count = 0;
        let next = loop {
            at = skip_blanks(self.bytes, at);
            let Some((mut corner, end)) = parse_corner_prefix::<5>(self.bytes, at) else { return Ok(None) };
            let [position, uv, normal, ..] = &mut corner;
            if count == MOST_CORNERS || *position == 0 || *uv == 0 || *normal == 0 {
                return Ok(None);
            }
            *position -= 1;
            *uv = if *uv == ABSENT { -1 } else { *uv - 1 };
            *normal = if *normal == ABSENT { -1 } else { *normal - 1 };
            corners[count] = corner;
            count += 1;
            at = end;
            if let Some(next) = end_of_line(self.bytes, at) {
                break next;
            }
        };
        if count < 3 {
            return Ok(None);
        }
        let first = self.indices.len();
        for corner in &corners[..count] {
            self.push_corner(corner)?;
        }
        self.end_face(first);
        self.last = Section::Faces;
        Ok(Some(next))
    }

    /// Whether the dialect has rest matrices and keys in groups.
    pub(super) fn is_keyed(&self) -> bool {
        self.dialect == Dialect::Keyed
    }
}
