//! Corners in any layout, and forward references.

use super::Reader;
use super::line::is_comment;
use crate::formats::obj::codes;
use crate::formats::obj_text::{ABSENT, CornerError, parse_corner, resolve};
use crate::report::{Failure, Severity};
use crate::text::{Field, FieldsOf, Spot};

/// The kinds of elements that a corner refers to.
const WORDS: [&str; 3] = ["position", "texture coordinate", "normal"];
/// This many forward references are kept with their places; of the rest, only the largest.
const MOST_PENDING: usize = 1000;

/// References to elements that have not been listed yet. Most files have none.
#[derive(Default)]
pub(super) struct Forward {
    pending: Vec<(usize, i32, Spot)>,
    largest: [Option<(i32, Spot)>; 3],
}

impl Reader<'_, '_> {
    fn counts(&self) -> [usize; 3] {
        let model = &self.built.model;
        [model.positions.len(), model.uvs.len(), model.normals.len()]
    }

    /// Reads a corner of at most `parts` parts into a vertex; `None` if it is invalid, which has been reported.
    fn corner(&mut self, field: Field<'_>, parts: usize) -> Result<Option<u32>, Failure> {
        let corner = match parse_corner::<3>(field.text()) {
            Ok(corner) if corner[parts..].iter().all(|&part| part == ABSENT) => corner,
            wrong => {
                let text = field.raw();
                let message = match wrong {
                    Err(CornerError::NoPosition) => format!("the corner {text} has no position"),
                    Err(CornerError::NotWhole) => format!("expected a corner such as 1/2/3, found {text}"),
                    _ => format!("a corner here has at most {parts} indices, found {text}"),
                };
                return self.error(&codes::CORNER, field.spot(), message).map(|()| None);
            }
        };
        let counts = self.counts();
        let mut found = [-1; 3];
        for (part, &index) in corner.iter().enumerate().filter(|(_, index)| **index != ABSENT) {
            match resolve(index, counts[part]) {
                Some(index) if (index as usize) < counts[part] => found[part] = index,
                Some(index) if (index as usize) < self.most => {
                    found[part] = index;
                    self.forward.add(part, index, field);
                }
                _ if index == 0 => {
                    let message = format!("there is no {} 0: indices count from 1", WORDS[part]);
                    return self.error(&codes::ZERO_INDEX, field.spot(), message).map(|()| None);
                }
                _ => {
                    let message = out_of_range(part, index, counts[part]);
                    return self.error(&codes::INDEX, field.spot(), message).map(|()| None);
                }
            }
        }
        Ok(self.built.vertices.number(found))
    }

    /// The vertices of a line's corners; `None` if one is invalid.
    fn corners(
        &mut self,
        line: Field<'_>,
        fields: FieldsOf<'_>,
        parts: usize,
    ) -> Result<Option<Vec<u32>>, Failure> {
        let mut vertices = Some(Vec::new());
        for field in fields.take_while(|&field| !is_comment(field)) {
            let vertex = self.corner(field, parts)?;
            vertices = vertices.zip(vertex).map(|(mut all, vertex)| {
                all.push(vertex);
                all
            });
        }
        if vertices.as_ref().is_some_and(Vec::is_empty) {
            self.error(&codes::NO_CORNERS, line.spot(), "the line has no corners")?;
            return Ok(None);
        }
        Ok(vertices)
    }

    pub(super) fn face(&mut self, line: Field<'_>, fields: FieldsOf<'_>) -> Result<(), Failure> {
        if (1..3).contains(&fields.take_while(|&field| !is_comment(field)).count()) {
            self.built.model.left_out.thin_faces += 1;
            let message = || "a face needs at least three corners; the line is left out".to_owned();
            self.text.tally(Severity::Warning, &codes::THIN_FACE, "", line.spot(), message);
            return Ok(());
        }
        let Some(vertices) = self.corners(line, fields, 3)? else { return Ok(()) };
        self.built.begin_element();
        let faces = &mut self.built.model.faces;
        let first = faces.corners.len();
        faces.corners.extend(vertices);
        faces.end_face(first);
        Ok(())
    }

    pub(super) fn polyline(&mut self, line: Field<'_>, fields: FieldsOf<'_>) -> Result<(), Failure> {
        let Some(vertices) = self.corners(line, fields, 2)? else { return Ok(()) };
        if vertices.len() < 2 {
            return self.error(&codes::MISSING, line.spot(), "a line needs at least two corners");
        }
        self.built.begin_element();
        self.built.model.lines.extend(vertices.windows(2).flatten());
        Ok(())
    }

    pub(super) fn points(&mut self, line: Field<'_>, fields: FieldsOf<'_>) -> Result<(), Failure> {
        let Some(vertices) = self.corners(line, fields, 1)? else { return Ok(()) };
        self.built.begin_element();
        self.built.model.points.extend(vertices);
        Ok(())
    }

    /// Checks that all forward references have been resolved.
    pub(super) fn check_forward(&mut self) -> Result<(), Failure> {
        let counts = self.counts();
        let Forward { pending, largest } = std::mem::take(&mut self.forward);
        let largest = largest.into_iter().enumerate();
        let largest = largest.filter_map(|(part, found)| found.map(|(index, spot)| (part, index, spot)));
        for (part, index, spot) in pending.into_iter().chain(largest) {
            if index as usize >= counts[part] {
                self.error(&codes::INDEX, spot, out_of_range(part, index + 1, counts[part]))?;
            }
        }
        Ok(())
    }
}

impl Forward {
    fn add(&mut self, part: usize, index: i32, field: Field<'_>) {
        if self.pending.len() < MOST_PENDING {
            self.pending.push((part, index, field.spot()));
        } else if self.largest[part].is_none_or(|(largest, _)| index > largest) {
            self.largest[part] = Some((index, field.spot()));
        }
    }
}

fn out_of_range(part: usize, index: i32, count: usize) -> String {
    let word = WORDS[part];
    if index < 0 {
        return format!("{word} {index} counts back past the first; the file has {count} so far");
    }
    format!("there is no {word} {index}; the file has {count}")
}
