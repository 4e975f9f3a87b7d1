//! Where a thing stands. Nothing is remembered while reading, because nearly no file has anything to say; the lines are
//! counted again when there is.

use super::Reader;
use crate::formats::amo::document::{Dialect, Section};
use crate::text::{Fields, next_line};
use std::ops::Range;

impl Reader<'_, '_> {
    /// The line of the `index`-th thing of a list; an empty range at the model's beginning if there is none.
    pub(super) fn line_of(&self, section: Section, index: usize) -> Range<usize> {
        let nowhere = self.model_at..self.model_at;
        let keyword: &[u8] = match section {
            Section::Positions => b"v",
            Section::Uvs => b"vt",
            Section::Normals => b"vn",
            Section::JointSets => b"vj",
            Section::WeightSets => b"vw",
            Section::Faces => b"f",
            Section::Joints => b"j",
            Section::Start | Section::Object | Section::Clips | Section::Shapes => return nowhere,
        };
        let counted = self.dialect == Dialect::Counted;
        let mut at = match (counted, self.begins.get(&section)) {
            (true, Some(&begin)) => begin,
            (true, None) => return nowhere,
            (false, _) => self.model_at,
        };
        let mut left = index;
        while let Some(line) = next_line(self.bytes, at) {
            at = line.next;
            let mut fields = Fields::new(self.bytes, line.start, line.end);
            let word = fields.next().map(|word| &self.bytes[word]).unwrap_or_default();
            let counts = if counted {
                !word.starts_with(b"#")
            } else {
                // A face line of fewer corners was left out.
                word == keyword && (section != Section::Faces || fields.take(3).count() == 3)
                    || section == Section::Joints && word == b"jp"
            };
            if counts {
                if left == 0 {
                    return line.start..line.end;
                }
                left -= 1;
            }
        }
        nowhere
    }

    /// The field of a line: the `index`-th after the keyword.
    pub(super) fn field_of(&self, section: Section, line: usize, index: usize) -> Range<usize> {
        let line = self.line_of(section, line);
        let keyword = usize::from(self.dialect != Dialect::Counted);
        Fields::new(self.bytes, line.start, line.end).nth(index + keyword).unwrap_or(line)
    }

    /// The first corner of a face that is a given vertex.
    pub(super) fn corner_of(&self, vertex: usize) -> Range<usize> {
        let faces = &self.model.faces;
        let Some(corner) = faces.corners.iter().position(|&v| v as usize == vertex) else {
            return self.model_at..self.model_at;
        };
        let (face, within) = if faces.starts.is_empty() {
            (corner / 3, corner % 3)
        } else {
            let face = faces.starts.partition_point(|&start| start as usize <= corner).saturating_sub(1);
            (face, corner - faces.starts.get(face).map_or(0, |&start| start as usize))
        };
        if self.dialect == Dialect::Counted {
            let line = self.line_of(Section::Faces, face);
            let parts = Fields::new(self.bytes, line.start, line.end).count() / 3;
            return self.field_of(Section::Faces, face, within * parts.max(1));
        }
        self.field_of(Section::Faces, face, within)
    }

    /// The line of the `index`-th key of a clip, in the dialects with a line for each.
    pub(super) fn key_line(&self, clip: usize, index: usize) -> Range<usize> {
        let (mut at, mut clips, mut keys) = (self.model_at, 0, 0);
        while let Some(line) = next_line(self.bytes, at) {
            at = line.next;
            let word = Fields::new(self.bytes, line.start, line.end).next();
            match word.map(|word| &self.bytes[word]) {
                Some(b"a") => (clips, keys) = (clips + 1, 0),
                Some(b"ap" | b"ar") => {
                    // Keys before the first `a` make a clip of their own.
                    clips = clips.max(1);
                    if (clips, keys) == (clip + 1, index) {
                        return line.start..line.end;
                    }
                    keys += 1;
                }
                _ => {}
            }
        }
        self.model_at..self.model_at
    }

    /// The joint of that key.
    pub(super) fn key_joint(&self, clip: usize, index: usize) -> Range<usize> {
        let line = self.key_line(clip, index);
        Fields::new(self.bytes, line.start, line.end).nth(2).unwrap_or(line)
    }
}
