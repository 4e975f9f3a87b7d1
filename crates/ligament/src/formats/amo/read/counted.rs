//! The dialect with counts: `v 8` and then eight lines of bare numbers, and so on, up to `end`.
//!
//! No count is trusted: lists grow with the lines that are really there.

use super::Reader;
use super::condense::Run;
use super::field::Line;
use super::shapes::pick;
use crate::formats::amo::codes;
use crate::formats::amo::document::{Bases, Dialect, Document, Hook, Joint, Model, Object, Section};
use crate::formats::obj_text::{numbers_to_end, skip_blanks, wholes_to_end};
use crate::report::{Failure, Severity};
use crate::text::{Fields, next_line};
use std::ops::Range;

/// Words that a line of the dialect can begin with; all other lines are data.
const WORDS: [&[u8]; 17] = [
    b"ao", b"v", b"vt", b"vn", b"vj", b"vw", b"f", b"j", b"a", b"an", b"k", b"hk", b"cv", b"ci", b"rb",
    b"end", b"o",
];

impl<'a> Reader<'a, '_> {
    pub(super) fn counted(&mut self, document: &mut Document) -> Result<(), Failure> {
        document.dialect = Dialect::Counted;
        document.bases = Bases::of(Dialect::Counted);
        let mut ended = false;
        while let Some(line) = next_line(self.bytes, self.at) {
            self.give_up_after_too_many()?;
            let whole = line.start..line.end;
            self.at = line.next;
            if self.bytes[line.start] == b'#' {
                self.aside(whole);
                continue;
            }
            ended = false;
            let line = self.take_apart(line);
            if WORDS.contains(&&self.bytes[line.keyword.clone()]) {
                self.comment_aside(line.comment.clone());
            }
            match &self.bytes[line.keyword.clone()] {
                b"ao" | b"o" => self.counted_object(&line),
                b"v" => self.list(&line, Section::Positions, |r, line| r.counted_position(line))?,
                b"vt" => self.list(&line, Section::Uvs, |r, line| r.counted_uv(line))?,
                b"vn" => self.list(&line, Section::Normals, |r, line| r.counted_normal(line))?,
                b"vj" => self.list(&line, Section::JointSets, |r, line| r.counted_joint_set(line))?,
                b"vw" => self.list(&line, Section::WeightSets, |r, line| r.counted_weight_set(line))?,
                b"f" => self.list(&line, Section::Faces, |r, line| r.counted_face(line))?,
                b"j" => self.list(&line, Section::Joints, |r, line| r.counted_joint(line))?,
                b"a" => self.counted_clips(&line)?,
                b"hk" => self.list(&line, Section::Shapes, |r, line| r.counted_hook(line))?,
                b"bb" => self.model.shapes.bounds = Some(self.counted_shape(&line, "a `bb` line")),
                b"ne" => self.model.shapes.ellipsoid = Some(self.counted_shape(&line, "an `ne` line")),
                b"cv" => self.list(&line, Section::Shapes, |r, line| {
                    let values = r.counted_shape(&line, "a collision vertex");
                    r.model.shapes.collision_positions.push(values);
                    Ok(())
                })?,
                b"ci" => self.list(&line, Section::Shapes, |r, line| {
                    r.shape_line();
                    let triangle = r.triangle(line.rest);
                    r.model.shapes.collision_triangles.push(triangle);
                    Ok(())
                })?,
                b"rb" => self.list(&line, Section::Shapes, |r, line| {
                    r.joint_box(line.rest, 0);
                    Ok(())
                })?,
                b"end" => {
                    self.end_model(document);
                    ended = true;
                }
                _ => self.stray(&line, whole),
            }
        }
        if !ended {
            self.unfinished(document);
        } else if let Some(last) = document.models.last_mut() {
            // Comments after the last `end` stand before it when the file is written.
            last.asides.append(std::mem::take(&mut self.model.asides));
        }
        if document.models.is_empty() {
            document.models.push(Model::default());
        }
        Ok(())
    }

    /// A file that stops before `end` is taken as far as it goes, with a warning: the model may be complete.
    fn unfinished(&mut self, document: &mut Document) {
        let end = self.bytes.len();
        let message = "the file stops without the `end` of its model";
        self.tally(Severity::Warning, &codes::NO_END, "", end..end, message);
        self.end_model(document);
    }

    fn stray(&mut self, line: &Line, whole: Range<usize>) {
        if self.bytes[whole.start].is_ascii_digit() || self.bytes[whole.start] == b'-' {
            let message = "more lines than the count before them announces";
            self.error(&codes::MORE, whole, message);
            // One message for the rest of the list.
            while let Some(next) = next_line(self.bytes, self.at) {
                if !(self.bytes[next.start].is_ascii_digit() || self.bytes[next.start] == b'-') {
                    break;
                }
                self.at = next.next;
            }
            return;
        }
        let word = self.text(line.keyword.clone());
        let message = format!("no line of the dialect begins with {word}; it is kept aside");
        self.tally(Severity::Warning, &codes::UNKNOWN_LINE, "", line.keyword.clone(), message);
        // Before `end`, because anywhere else it might come to stand within a list.
        self.last = Section::Shapes;
        self.shape_lines = usize::MAX / 2;
        self.aside(whole);
    }

    fn counted_object(&mut self, line: &Line) {
        let (name, mask) = self.name_and_number(line.rest.clone());
        let mask = mask.and_then(|field| self.parse_whole(&field)).and_then(|mask| u32::try_from(mask).ok());
        let name = self.name(name, "object");
        let still = self.bytes.get(line.keyword.clone()) == Some(b"o");
        let first_face = (self.indices.len() / 3) as u32;
        if self.model.objects.is_empty() {
            self.last = Section::Object;
        }
        self.model.objects.push(Object { still, name, mask, texture: None, first_face });
    }

    /// The number after a list's keyword.
    pub(super) fn count(&mut self, line: &Line) -> usize {
        let mut fields = self.fields(&line.rest);
        let Some(field) = self.required(&mut fields, "the count after the keyword") else { return 0 };
        let count = self.whole(field.clone(), "the count after the keyword");
        if count < 0 {
            self.error(&codes::BAD_WHOLE, field, format!("a count cannot be {count}"));
        }
        usize::try_from(count).unwrap_or(0)
    }

    /// So many lines, each read by `read`.
    fn list(
        &mut self,
        line: &Line,
        section: Section,
        mut read: impl FnMut(&mut Self, Line) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let count = self.count(line);
        self.begins.insert(section, self.after_head(line));
        let mut number = self.left_out(section, count);
        self.reserve(section, count - number);
        while number < count {
            if let Some(next) = self.usual_item(section)? {
                self.at = next;
                number += 1;
                continue;
            }
            let Some(item) = self.data_line(line, number, count)? else { return Ok(()) };
            let (next, comment) = (item.next, item.comment.clone());
            read(self, item)?;
            self.last = section;
            self.comment_aside(comment);
            self.at = next;
            number += 1;
            self.give_up_after_too_many()?;
            number += self.left_out(section, count - number);
        }
        Ok(())
    }

    /// Where in the file the lines after a list's own begin. Some of them may not be in the text.
    pub(super) fn after_head(&self, line: &Line) -> usize {
        self.in_file(line.keyword.clone()).start + (self.at - line.keyword.start)
    }

    /// Takes lines that were left out here, at most so many, and returns how many they are.
    fn left_out(&mut self, section: Section, wanted: usize) -> usize {
        let Self { runs, model, corners, indices, .. } = self;
        let taken = runs.take(self.at, |run| match run {
            Run::Faces(read, more) if section == Section::Faces && indices.is_empty() => {
                let count = Some(more.len() / 3).filter(|&count| count <= wanted)?;
                (*corners, *indices) = (*read, more);
                Some(count)
            }
            run => run.join(section, wanted, model),
        });
        if taken.is_some() {
            self.last = section;
        }
        taken.unwrap_or(0)
    }

    /// Reads a line of a list in the usual layout at full speed, and returns the offset of the next one. `None` without
    /// having read anything for all others.
    #[inline(always)]
    fn usual_item(&mut self, section: Section) -> Result<Option<usize>, Failure> {
        let (bytes, at, model) = (self.bytes, self.at, &mut self.model);
        let next = match section {
            Section::Positions => push_numbers(bytes, at, &mut model.positions),
            Section::Uvs => push_numbers(bytes, at, &mut model.uvs),
            Section::Normals => push_numbers(bytes, at, &mut model.normals),
            Section::JointSets => usual_joint_set(bytes, at).map(|(joints, next)| {
                model.joint_sets.push(joints);
                next
            }),
            Section::WeightSets => push_numbers(bytes, at, &mut model.weight_sets),
            Section::Faces => match wholes_to_end::<15>(bytes, at) {
                Some((values, next)) => {
                    self.push_face(&values)?;
                    Some(next)
                }
                None => None,
            },
            _ => None,
        };
        if next.is_some() {
            self.last = section;
        }
        Ok(next)
    }

    fn push_face(&mut self, values: &[i32; 15]) -> Result<(), Failure> {
        for corner in values.as_chunks::<5>().0 {
            self.push_corner(&corner.map(|index| index.max(-1)))?;
        }
        Ok(())
    }

    /// Makes room for what the rest of the file can hold of so many lines.
    fn reserve(&mut self, section: Section, count: usize) {
        let left = self.bytes.len() - self.at.min(self.bytes.len());
        let room = |bytes: usize| count.min(left / bytes + 1);
        let model = &mut self.model;
        match section {
            Section::Positions => model.positions.reserve(room(6)),
            Section::Uvs => model.uvs.reserve(room(4)),
            Section::Normals => model.normals.reserve(room(6)),
            Section::JointSets => model.joint_sets.reserve(room(8)),
            Section::WeightSets => model.weight_sets.reserve(room(8)),
            Section::Faces => self.indices.reserve(3 * room(18)),
            _ => {}
        }
    }

    /// The next line of a list; `None` with an error if a keyword or the end of the file comes first.
    pub(super) fn data_line(
        &mut self,
        list: &Line,
        number: usize,
        count: usize,
    ) -> Result<Option<Line>, Failure> {
        loop {
            let Some(line) = next_line(self.bytes, self.at) else {
                let keyword = self.text(list.keyword.clone());
                let end = self.bytes.len();
                let message = format!("the file ends after {number} of the {count} lines of {keyword}");
                self.error(&codes::UNEXPECTED_END, end..end, message);
                return Err(Failure::Invalid);
            };
            if self.bytes[line.start] == b'#' {
                self.aside(line.start..line.end);
                self.at = line.next;
                continue;
            }
            let word = Fields::new(self.bytes, line.start, line.end).next().unwrap_or(line.start..line.end);
            let is_name = matches!(&self.bytes[list.keyword.clone()], b"j");
            if !is_name && WORDS.contains(&&self.bytes[word.clone()]) {
                let keyword = self.text(list.keyword.clone());
                let message = format!(
                    "{keyword} announces {count} lines, and {} comes after {number}",
                    self.text(word.clone())
                );
                self.error(&codes::FEWER, word, message);
                return Ok(None);
            }
            let mut item = self.take_apart(line);
            item.rest = item.keyword.start..item.rest.end.max(item.keyword.end);
            return Ok(Some(item));
        }
    }

    fn bare<const N: usize>(&mut self, line: &Line, what: &'static str) -> [f32; N] {
        match numbers_to_end(self.bytes, line.rest.start) {
            Some((values, _)) => values,
            None => self.numbers(&mut self.fields(&line.rest), what),
        }
    }

    fn counted_position(&mut self, line: Line) -> Result<(), Failure> {
        let values = self.bare(&line, "a position");
        self.model.positions.push(values);
        Ok(())
    }

    fn counted_uv(&mut self, line: Line) -> Result<(), Failure> {
        let values = self.bare(&line, "a texture coordinate");
        self.model.uvs.push(values);
        Ok(())
    }

    fn counted_normal(&mut self, line: Line) -> Result<(), Failure> {
        let values = self.bare(&line, "a normal");
        self.model.normals.push(values);
        Ok(())
    }

    fn counted_joint_set(&mut self, line: Line) -> Result<(), Failure> {
        let joints = self.whole_numbers(&line, "four joints").map(|joint| joint.max(-1));
        self.model.joint_sets.push(joints);
        Ok(())
    }

    fn counted_weight_set(&mut self, line: Line) -> Result<(), Failure> {
        let values = self.bare(&line, "four weights");
        self.model.weight_sets.push(values);
        Ok(())
    }

    fn whole_numbers<const N: usize>(&mut self, line: &Line, what: &'static str) -> [i32; N] {
        if let Some((values, _)) = wholes_to_end(self.bytes, skip_blanks(self.bytes, line.rest.start)) {
            return values;
        }
        let mut fields = self.fields(&line.rest);
        let mut values = [0; N];
        for value in &mut values {
            let Some(field) = fields.next() else {
                let end = fields.end();
                self.error(&codes::MISSING, end..end, format!("{what} need {N} whole numbers"));
                return values;
            };
            *value = self.whole(field, what);
        }
        self.nothing_more(&fields, what);
        values
    }

    /// Fifteen numbers, or nine without joints and weights.
    fn counted_face(&mut self, line: Line) -> Result<(), Failure> {
        let start = line.rest.start;
        let values: [i32; 15] = if let Some((values, _)) = wholes_to_end(self.bytes, start) {
            values
        } else if self.fields(&line.rest).take(10).count() == 9 {
            let bare: [i32; 9] = self.whole_numbers(&line, "the corners of a face");
            let part = |i: usize| if i % 5 < 3 { bare[i / 5 * 3 + i % 5] } else { -1 };
            std::array::from_fn(part)
        } else {
            self.whole_numbers(&line, "the corners of a face")
        };
        self.push_face(&values)
    }

    /// `NAME PARENT` and sixteen numbers.
    fn counted_joint(&mut self, line: Line) -> Result<(), Failure> {
        let fields: Vec<_> = self.fields(&line.rest).collect();
        let Some(parent_at) = fields.len().checked_sub(17).filter(|&at| at >= 1) else {
            let message = "a joint needs a name, its parent's number and a matrix of 16 numbers";
            self.error(&codes::MISSING, line.rest.clone(), message);
            self.model.joints.push(Joint { name: "".into(), parent: -1, rest: None });
            return Ok(());
        };
        let parent = self.whole(fields[parent_at].clone(), "the parent of a joint");
        let mut matrix = [0.0; 16];
        for (value, field) in matrix.iter_mut().zip(&fields[parent_at + 1..]) {
            *value = self.number(field.clone());
        }
        let name = Fields::new(self.bytes, line.rest.start, fields[parent_at].start).rest();
        let name = self.name(name, "joint");
        self.model.joints.push(Joint { name, parent: parent.max(-1), rest: Some(matrix) });
        Ok(())
    }

    fn counted_hook(&mut self, line: Line) -> Result<(), Failure> {
        self.shape_line();
        let mut fields = self.fields(&line.rest);
        let Some(index) = self.required(&mut fields, "the number of a hook") else { return Ok(()) };
        let index = self.whole(index, "the number of a hook");
        let Some(joint) = self.required(&mut fields, "the joint of a hook") else { return Ok(()) };
        let joint = self.whole(joint, "the joint of a hook").max(-1);
        let values: [f32; 22] = self.numbers(&mut fields, "a hook (position, direction and matrix)");
        let (position, direction, matrix) = (pick(&values, 0), pick(&values, 3), pick(&values, 6));
        self.model.shapes.hooks.push(Hook { index, joint, position, direction, matrix });
        Ok(())
    }

    fn counted_shape<const N: usize>(&mut self, line: &Line, what: &'static str) -> [f32; N] {
        self.shape_line();
        self.numbers(&mut self.fields(&line.rest), what)
    }

    /// Everything begins anew after `end`.
    fn end_model(&mut self, document: &mut Document) {
        self.take_faces();
        self.check_model();
        if !self.report.has_errors() {
            self.look_for_oddities(false);
        }
        self.model.asides.sort();
        document.models.push(std::mem::take(&mut self.model));
        self.begins.clear();
        self.last = Section::Start;
        (self.clip_lines, self.shape_lines) = (0, 0);
        self.model_at = self.in_file(self.at..self.at).start;
    }
}

#[inline(always)]
fn push_numbers<const N: usize>(bytes: &[u8], at: usize, list: &mut Vec<[f32; N]>) -> Option<usize> {
    let (values, next) = numbers_to_end(bytes, at)?;
    list.push(values);
    Some(next)
}

/// Four joints in the usual layout.
#[inline(always)]
pub(super) fn usual_joint_set(bytes: &[u8], at: usize) -> Option<([i32; 4], usize)> {
    let (joints, next) = wholes_to_end::<4>(bytes, at)?;
    Some((joints.map(|joint| joint.max(-1)), next))
}
