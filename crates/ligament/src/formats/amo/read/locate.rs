//! Where in the file a thing stands. Nothing is remembered while reading, because nearly no file has anything to say; the
//! lines are counted again when there is, and of a file that passed by in pieces they are fetched once more.

use super::Reader;
use crate::formats::amo::document::{Dialect, Section};
use crate::text::{Fields, Window, next_line};
use memchr::memrchr;
use std::collections::HashSet;
use std::ops::Range;

/// Bytes that are fetched at a time.
const PIECE: usize = 1 << 16;

/// A line that was looked for.
struct Found {
    /// Its offset in the file.
    start: usize,
    text: Vec<u8>,
}

impl Found {
    fn span(&self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }

    /// One of its fields, or all of it where there are fewer.
    fn field(&self, index: usize) -> Range<usize> {
        let field = Fields::new(&self.text, 0, self.text.len()).nth(index);
        field.map_or(self.span(), |field| self.start + field.start..self.start + field.end)
    }
}

impl Reader<'_, '_> {
    /// The first line that is wanted, from an offset in the file on. Blank lines are not looked at.
    fn seek(&self, from: usize, mut is_wanted: impl FnMut(&[u8]) -> bool) -> Option<Found> {
        let Some(content) = self.content else { return first_wanted(self.bytes, from, &mut is_wanted) };
        let mut window = Window::new(content, PIECE)?.starting_at(from);
        let mut least = PIECE;
        loop {
            window.fill(least).ok()?;
            let text = window.text();
            let end =
                if window.holds_end() { Some(text.len()) } else { memrchr(b'\n', text).map(|at| at + 1) };
            // A line that does not end within the piece.
            let Some(end) = end else {
                least = least.saturating_mul(2);
                continue;
            };
            if let Some(Found { start, text }) = first_wanted(&text[..end], 0, &mut is_wanted) {
                return Some(Found { start: start + window.offset(), text });
            }
            if window.holds_end() {
                return None;
            }
            window.advance(end);
        }
    }

    fn nowhere(&self) -> Range<usize> {
        self.model_at..self.model_at
    }

    /// The line of the `index`-th thing of a list; an empty range at the model's beginning if there is none.
    pub(super) fn line_of(&self, section: Section, index: usize) -> Range<usize> {
        self.find(section, index).map_or(self.nowhere(), |line| line.span())
    }

    fn find(&self, section: Section, index: usize) -> Option<Found> {
        let keyword: &[u8] = match section {
            Section::Positions => b"v",
            Section::Uvs => b"vt",
            Section::Normals => b"vn",
            Section::JointSets => b"vj",
            Section::WeightSets => b"vw",
            Section::Faces => b"f",
            Section::Joints => b"j",
            Section::Start | Section::Object | Section::Clips | Section::Shapes => return None,
        };
        let counted = self.dialect == Dialect::Counted;
        let from = if counted { *self.begins.get(&section)? } else { self.model_at };
        let mut left = index;
        self.seek(from, |line| {
            let mut fields = Fields::new(line, 0, line.len());
            let word = fields.next().map(|word| &line[word]).unwrap_or_default();
            let counts = if counted {
                !word.starts_with(b"#")
            } else {
                // A face line of fewer corners was left out.
                word == keyword && (section != Section::Faces || fields.take(3).count() == 3)
                    || section == Section::Joints && word == b"jp"
            };
            let found = counts && left == 0;
            left = left.saturating_sub(usize::from(counts));
            found
        })
    }

    /// The field of a line: the `index`-th after the keyword.
    pub(super) fn field_of(&self, section: Section, line: usize, index: usize) -> Range<usize> {
        let keyword = usize::from(self.dialect != Dialect::Counted);
        self.find(section, line).map_or(self.nowhere(), |line| line.field(index + keyword))
    }

    /// The first corner of a face that is a given vertex.
    pub(super) fn corner_of(&self, vertex: usize) -> Range<usize> {
        let faces = &self.model.faces;
        let Some(corner) = faces.corners.iter().position(|&v| v as usize == vertex) else {
            return self.nowhere();
        };
        let (face, within) = if faces.starts.is_empty() {
            (corner / 3, corner % 3)
        } else {
            let face = faces.starts.partition_point(|&start| start as usize <= corner).saturating_sub(1);
            (face, corner - faces.starts.get(face).map_or(0, |&start| start as usize))
        };
        let Some(line) = self.find(Section::Faces, face) else { return self.nowhere() };
        if self.dialect == Dialect::Counted {
            let parts = Fields::new(&line.text, 0, line.text.len()).count() / 3;
            return line.field(within * parts.max(1));
        }
        line.field(within + 1)
    }

    /// The line of the `index`-th key of a clip, in the dialects with a line for each.
    fn find_key(&self, clip: usize, index: usize) -> Option<Found> {
        let (mut clips, mut keys) = (0, 0);
        self.seek(self.model_at, |line| match first_word(line) {
            b"a" => {
                (clips, keys) = (clips + 1, 0);
                false
            }
            b"ap" | b"ar" => {
                // Keys before the first `a` make a clip of their own.
                clips = clips.max(1);
                keys += 1;
                (clips, keys) == (clip + 1, index + 1)
            }
            _ => false,
        })
    }

    pub(super) fn key_line(&self, clip: usize, index: usize) -> Range<usize> {
        self.find_key(clip, index).map_or(self.nowhere(), |line| line.span())
    }

    /// The joint of that key.
    pub(super) fn key_joint(&self, clip: usize, index: usize) -> Range<usize> {
        self.find_key(clip, index).map_or(self.nowhere(), |line| line.field(2))
    }

    /// The joint of a key of a pose, in the dialects with several at a time.
    pub(super) fn pose_joint(&self, clip: usize, pose: usize, joint: usize) -> Range<usize> {
        let found = if self.dialect == Dialect::Counted {
            self.find_counted_key(clip, pose, joint).map(|line| line.field(0))
        } else {
            self.find_keyed_key(clip, pose, joint).map(|line| line.field(1))
        };
        found.unwrap_or(self.nowhere())
    }

    fn find_counted_key(&self, clip: usize, pose: usize, joint: usize) -> Option<Found> {
        let (mut clips, mut poses, mut joints) = (0, 0, 0);
        self.seek(*self.begins.get(&Section::Clips)?, |line| match first_word(line) {
            b"an" => {
                (clips, poses) = (clips + 1, 0);
                false
            }
            b"k" => {
                (poses, joints) = (poses + 1, 0);
                false
            }
            [b'#', ..] => false,
            _ => {
                joints += 1;
                (clips, poses, joints) == (clip + 1, pose + 1, joint + 1)
            }
        })
    }

    /// A joint may have a line for its position and one for its rotation: the first of them.
    fn find_keyed_key(&self, clip: usize, pose: usize, joint: usize) -> Option<Found> {
        let (mut clips, mut poses, mut joints) = (0, 0, HashSet::new());
        self.seek(self.model_at, |line| match first_word(line) {
            b"a" => {
                (clips, poses) = (clips + 1, 0);
                joints.clear();
                false
            }
            b"k" => {
                (clips, poses) = (clips.max(1), poses + 1);
                joints.clear();
                false
            }
            b"ap" | b"ar" => {
                (clips, poses) = (clips.max(1), poses.max(1));
                let number = Fields::new(line, 0, line.len()).nth(1).map(|field| line[field].to_vec());
                joints.insert(number) && (clips, poses, joints.len()) == (clip + 1, pose + 1, joint + 1)
            }
            _ => false,
        })
    }
}

fn first_word(line: &[u8]) -> &[u8] {
    Fields::new(line, 0, line.len()).next().map(|word| &line[word]).unwrap_or_default()
}

fn first_wanted(text: &[u8], from: usize, is_wanted: &mut impl FnMut(&[u8]) -> bool) -> Option<Found> {
    let mut at = from;
    while let Some(line) = next_line(text, at) {
        at = line.next;
        let line_text = &text[line.start..line.end];
        if is_wanted(line_text) {
            return Some(Found { start: line.start, text: line_text.to_vec() });
        }
    }
    None
}
