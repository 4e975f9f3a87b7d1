//! Reads the counted dialect: `v 8`, then eight lines of bare numbers, and so on, up to `end`.
//!
//! Counts are not trusted: lists grow with the lines that are actually there.

use super::Reader;
use super::field::{Parts, before};
use super::places::Places;
use super::usual::Built;
use crate::formats::amo::codes;
use crate::formats::amo::document::{Bases, Dialect, Document, Joint, Model, Section};
use crate::report::{Failure, Severity};
use crate::text::{Field, RawText, TextLine};

/// The keywords of the dialect; all other lines are data.
const WORDS: [&[u8]; 17] = [
    b"ao", b"v", b"vt", b"vn", b"vj", b"vw", b"f", b"j", b"a", b"an", b"k", b"hk", b"cv", b"ci", b"rb",
    b"end", b"o",
];

impl<'a> Reader<'a, '_> {
    pub(super) fn counted(&mut self, document: &mut Document) -> Result<(), Failure> {
        document.dialect = Dialect::Counted;
        document.bases = Bases::of(Dialect::Counted);
        let mut ended = false;
        while let Some(line) = self.text.line()? {
            self.text.give_up_after_too_many()?;
            let parts = Parts::of(&line);
            if parts.is_comment() {
                self.built.aside(parts.whole.text());
                continue;
            }
            ended = parts.keyword.text() == b"end";
            let word = WORDS.into_iter().find(|&word| word == parts.keyword.text());
            if word.is_some() {
                self.comment_aside(&parts);
            }
            match parts.keyword.text() {
                b"end" => self.end_model(document),
                b"ao" => self.object(&parts, false),
                b"o" => self.object(&parts, true),
                b"bb" => self.built.model.shapes.bounds = Some(self.shape_numbers(&parts, "a `bb` line")),
                b"ne" => self.built.model.shapes.ellipsoid = Some(self.shape_numbers(&parts, "an `ne` line")),
                _ => match word.filter(|word| !matches!(*word, b"an" | b"k")) {
                    Some(word) => {
                        let count = self.count(&parts);
                        // Allows the line's buffer to be reused.
                        drop(line);
                        self.list_of(word, count)?;
                    }
                    None => self.stray(&parts)?,
                },
            }
        }
        if !ended {
            // Only a warning: the model may be complete.
            let message = || "the file stops without the `end` of its model".to_owned();
            self.text.tally(Severity::Warning, &codes::NO_END, "", self.text.here(), message);
            self.end_model(document);
        } else if let Some(last) = document.models.last_mut() {
            // Comments after the last `end` are written before it.
            last.asides.append(std::mem::take(&mut self.built.model.asides));
        }
        if document.models.is_empty() {
            document.models.push(Model::default());
        }
        Ok(())
    }

    /// Reads the list after a keyword.
    fn list_of(&mut self, word: &'static [u8], count: usize) -> Result<(), Failure> {
        let (text, model) = (&self.text, &mut self.built.model);
        let room = |bytes: usize| text.room_for(count as u64, bytes);
        match word {
            b"v" => {
                model.positions.reserve(room(6));
                self.list(word, count, Built::usual_position, |r, item| {
                    let values = r.numbers(item.rest.fields(), "a position");
                    r.built.add_position(values, item);
                })
            }
            b"vt" => {
                model.uvs.reserve(room(4));
                self.list(word, count, Built::usual_uv, |r, item| {
                    let values = r.numbers(item.rest.fields(), "a texture coordinate");
                    r.built.add_uv(values, item);
                })
            }
            b"vn" => {
                model.normals.reserve(room(6));
                self.list(word, count, Built::usual_normal, |r, item| {
                    let values = r.numbers(item.rest.fields(), "a normal");
                    r.built.add_normal(values, item);
                })
            }
            b"vj" => {
                model.joint_sets.reserve(room(8));
                let usual = |built: &mut Built, text: &[u8], at| built.usual_joint_set(text, at, -1);
                self.list(word, count, usual, |r, item| {
                    let joints = r.integers(item, "four joints").map(|joint: i32| joint.max(-1));
                    r.built.add_joint_set(joints, item);
                })
            }
            b"vw" => {
                model.weight_sets.reserve(room(8));
                self.list(word, count, Built::usual_weight_set, |r, item| {
                    let values = r.numbers(item.rest.fields(), "four weights");
                    r.built.add_weight_set(values, item);
                })
            }
            b"f" => {
                model.faces.corners.reserve(3 * room(18));
                self.list(word, count, Built::usual_counted_face, |r, item| r.counted_face(item))
            }
            b"a" => self.counted_clips(count),
            _ => self.list(
                word,
                count,
                |_, _, _| None,
                |r, item| match word {
                    b"j" => r.counted_joint(item),
                    b"hk" => r.hook(item),
                    b"ci" => r.collision_triangle(item, 0),
                    b"rb" => r.joint_box(item, 0),
                    _ => {
                        let values = r.shape_numbers(item, "a collision vertex");
                        r.built.model.shapes.collision_positions.push(values);
                    }
                },
            ),
        }
    }

    /// Reads `count` lines: those of the usual layout with `usual`, all others with `item`.
    #[inline(always)]
    fn list(
        &mut self,
        word: &'static [u8],
        count: usize,
        mut usual: impl FnMut(&mut Built, &[u8], usize) -> Option<usize>,
        mut item: impl FnMut(&mut Self, &Parts<'_>),
    ) -> Result<(), Failure> {
        let mut number = 0;
        while number < count {
            number += self.run(count - number, &mut usual)?;
            if number == count {
                break;
            }
            let Some(line) = self.data_line(word, number, count)? else { break };
            let line = Parts::without_keyword(&line);
            item(self, &line);
            self.comment_aside(&line);
            number += 1;
            self.text.give_up_after_too_many()?;
        }
        Ok(())
    }

    /// Reads the number after a list's keyword.
    pub(super) fn count(&mut self, line: &Parts<'_>) -> usize {
        let mut fields = line.rest.fields();
        let Some(field) = self.required(&mut fields, "the count after the keyword") else { return 0 };
        let count = self.integer(field, "the count after the keyword");
        if count < 0 {
            self.text.error(&codes::BAD_WHOLE, field.spot(), format!("a count cannot be {count}"));
        }
        usize::try_from(count).unwrap_or(0)
    }

    /// Returns the next line of a list. Reports an error if a keyword or the end of the file comes first.
    pub(super) fn data_line(
        &mut self,
        list: &'static [u8],
        number: usize,
        count: usize,
    ) -> Result<Option<TextLine<'a>>, Failure> {
        loop {
            let Some(line) = self.text.peek()? else {
                let list = RawText::from(list);
                let message = format!("the file ends after {number} of the {count} lines of {list}");
                return Err(self.text.fatal(&codes::UNEXPECTED_END, self.text.here(), message));
            };
            let word = line.fields().next().unwrap_or(line.trimmed());
            // A joint's name may be any word.
            if list != b"j" && WORDS.contains(&word.text()) {
                let (list, word_text) = (RawText::from(list), word.raw());
                let message =
                    format!("{list} announces {count} lines, but {word_text} follows after {number}");
                self.text.error(&codes::FEWER, word.spot(), message);
                return Ok(None);
            }
            self.text.pass(&line);
            if !word.text().starts_with(b"#") {
                return Ok(Some(line));
            }
            self.built.aside(line.trimmed().text());
        }
    }

    /// Reports a line that neither begins a list nor belongs to one.
    fn stray(&mut self, line: &Parts<'_>) -> Result<(), Failure> {
        let is_data = |line: Field<'_>| matches!(line.text(), [b'0'..=b'9' | b'-', ..]);
        if is_data(line.whole) {
            let message = "more lines than the count before them announces";
            self.text.error(&codes::MORE, line.whole.spot(), message);
            // One message for the rest of the list.
            while let Some(next) = self.text.peek()?.filter(|next| is_data(next.trimmed())) {
                self.text.pass(&next);
            }
            return Ok(());
        }
        let word = line.keyword;
        let message = || format!("no line of the dialect begins with {}; it is kept aside", word.raw());
        self.text.tally(Severity::Warning, &codes::UNKNOWN_LINE, "", word.spot(), message);
        // Kept for the place before `end`: anywhere else it might be written into a list.
        self.built.last = Section::Shapes;
        self.built.shape_lines = usize::MAX / 2;
        self.built.aside(line.whole.text());
        Ok(())
    }

    fn integers<const N: usize>(&mut self, line: &Parts<'_>, what: &'static str) -> [i32; N] {
        let mut fields = line.rest.fields();
        let mut values = [0; N];
        for value in &mut values {
            let Some(field) = fields.next() else {
                let message = format!("{what} need {N} whole numbers");
                self.text.error(&codes::MISSING, fields.end().spot(), message);
                return values;
            };
            *value = self.integer(field, what);
        }
        self.nothing_more(fields, what);
        values
    }

    /// Reads a face: fifteen numbers, or nine without joints and weights.
    fn counted_face(&mut self, line: &Parts<'_>) {
        let fields: Vec<_> = line.rest.fields().take(15).collect();
        let parts = if fields.len() == 9 { 3 } else { 5 };
        let corners: [[i32; 5]; 3] = if parts == 3 {
            let bare: [i32; 9] = self.integers(line, "the corners of a face");
            std::array::from_fn(|corner| {
                std::array::from_fn(|part| if part < 3 { bare[3 * corner + part] } else { -1 })
            })
        } else {
            let all: [i32; 15] = self.integers(line, "the corners of a face");
            std::array::from_fn(|corner| std::array::from_fn(|part| all[5 * corner + part]))
        };
        let starts = [0, parts, 2 * parts].map(|at| fields.get(at).copied().unwrap_or(line.rest));
        self.take_face(&corners.map(|corner| corner.map(|index| index.max(-1))), &starts, line);
    }

    /// Reads a joint: `NAME PARENT` and sixteen numbers.
    fn counted_joint(&mut self, line: &Parts<'_>) {
        let fields: Vec<_> = line.rest.fields().collect();
        let Some(parent_at) = fields.len().checked_sub(17).filter(|&at| at >= 1) else {
            let message = "a joint needs a name, its parent's number and a matrix of 16 numbers";
            self.text.error(&codes::MISSING, line.rest.spot(), message);
            return self.built.add_joint(Joint { name: "".into(), parent: -1, rest: None }, line);
        };
        let parent = self.integer(fields[parent_at], "the parent of a joint").max(-1);
        let matrix = self.numbers(fields[parent_at + 1].up_to(line.rest).fields(), "a matrix");
        let name = self.name(before(line.rest, fields[parent_at]), "joint");
        self.built.add_joint(Joint { name, parent, rest: Some(matrix) }, line);
    }

    /// Checks the model that `end` completes, and starts the next one.
    fn end_model(&mut self, document: &mut Document) {
        self.built.take_corners();
        self.check_model();
        if !self.text.report.has_errors() {
            self.look_for_oddities(false);
        }
        self.built.model.asides.sort();
        let next = Built::new(Places::new(self.text.here(), self.marked.is_some()));
        document.models.push(std::mem::replace(&mut self.built, next).model);
    }
}
