//! Corners in any layout, and references to what comes later.

use super::Reader;
use super::line::Line;
use crate::formats::obj::codes;
use crate::formats::obj_text::{ABSENT, CornerError, parse_corner, resolve};
use crate::report::{Failure, Place, Severity};
use crate::text::{Fields, RawText};
use std::ops::Range;

/// What a corner refers to.
const WORDS: [&str; 3] = ["position", "texture coordinate", "normal"];
/// So many references to what comes later are remembered with their places; of the rest only the largest.
const MOST_PENDING: usize = 1000;

/// References to things that have not been listed yet: most files have none.
#[derive(Default)]
pub(super) struct Forward {
    pending: Vec<(usize, i32, Place)>,
    largest: [Option<(i32, Place)>; 3],
}

impl Reader<'_> {
    fn counts(&self) -> [usize; 3] {
        [self.model.positions.len(), self.model.uvs.len(), self.model.normals.len()]
    }

    /// Reads a corner of at most `parts` parts into a vertex; `None` if it is wrong, which was said.
    fn corner(&mut self, line: &Line<'_>, field: Range<usize>, parts: usize) -> Result<Option<u32>, Failure> {
        let text = &line.text[field.clone()];
        let corner = match parse_corner::<3>(text) {
            Ok(corner) if corner[parts..].iter().all(|&part| part == ABSENT) => corner,
            Ok(_) | Err(CornerError::TooMany) => {
                let message =
                    format!("a corner here has at most {parts} indices, found {}", RawText::from(text));
                return self.error(&codes::CORNER, line.place(field), message).map(|()| None);
            }
            Err(CornerError::NoPosition) => {
                let message = format!("the corner {} has no position", RawText::from(text));
                return self.error(&codes::CORNER, line.place(field), message).map(|()| None);
            }
            Err(CornerError::NotWhole) => {
                let message = format!("expected a corner such as 1/2/3, found {}", RawText::from(text));
                return self.error(&codes::CORNER, line.place(field), message).map(|()| None);
            }
        };
        let counts = self.counts();
        let mut found = [-1; 3];
        for (part, &index) in corner.iter().enumerate().filter(|(_, index)| **index != ABSENT) {
            match resolve(index, counts[part]) {
                Some(index) if (index as usize) < counts[part] => found[part] = index,
                Some(index) if (index as usize) < self.most => {
                    found[part] = index;
                    self.forward.add(part, index, || line.place(field.clone()));
                }
                _ if index == 0 => {
                    let message = format!("there is no {} 0: indices count from 1", WORDS[part]);
                    return self.error(&codes::ZERO_INDEX, line.place(field), message).map(|()| None);
                }
                _ => {
                    let message = out_of_range(part, index, counts[part]);
                    return self.error(&codes::INDEX, line.place(field), message).map(|()| None);
                }
            }
        }
        Ok(self.vertices.number(found))
    }

    /// The vertices of a line's corners; `None` if one is wrong.
    fn corners(
        &mut self,
        line: &Line<'_>,
        fields: Fields<'_>,
        parts: usize,
    ) -> Result<Option<Vec<u32>>, Failure> {
        let mut vertices = Some(Vec::new());
        for field in fields {
            if line.text[field.start] == b'#' {
                break;
            }
            let vertex = self.corner(line, field, parts)?;
            vertices = vertices.zip(vertex).map(|(mut all, vertex)| {
                all.push(vertex);
                all
            });
        }
        if vertices.as_ref().is_some_and(Vec::is_empty) {
            let end = line.text.len();
            self.error(&codes::NO_CORNERS, line.place(0..end), "the line names no corner")?;
            return Ok(None);
        }
        Ok(vertices)
    }

    pub(super) fn face(&mut self, line: &Line<'_>, fields: Fields<'_>) -> Result<(), Failure> {
        let is_corner = |field: &Range<usize>| line.text[field.start] != b'#';
        if (1..3).contains(&fields.clone().take_while(is_corner).count()) {
            self.model.left_out.thin_faces += 1;
            self.tallies.add(Severity::Warning, &codes::THIN_FACE, "", || {
                let message = "a face needs three corners at least; the line is left out";
                (line.place(0..line.text.len()), message.to_owned())
            });
            return Ok(());
        }
        let Some(vertices) = self.corners(line, fields, 3)? else { return Ok(()) };
        self.begin_element();
        let first = self.model.faces.corners.len();
        self.model.faces.corners.extend(vertices);
        self.model.faces.end_face(first);
        Ok(())
    }

    pub(super) fn polyline(&mut self, line: &Line<'_>, fields: Fields<'_>) -> Result<(), Failure> {
        let Some(vertices) = self.corners(line, fields, 2)? else { return Ok(()) };
        if vertices.len() < 2 {
            let message = "a line needs two corners at least";
            return self.error(&codes::MISSING, line.place(0..line.text.len()), message);
        }
        self.begin_element();
        self.model.lines.extend(vertices.windows(2).flatten());
        Ok(())
    }

    pub(super) fn points(&mut self, line: &Line<'_>, fields: Fields<'_>) -> Result<(), Failure> {
        let Some(vertices) = self.corners(line, fields, 1)? else { return Ok(()) };
        self.begin_element();
        self.model.points.extend(vertices);
        Ok(())
    }

    /// Whether everything that was referred to has come.
    pub(super) fn check_forward(&mut self) -> Result<(), Failure> {
        let counts = self.counts();
        let Forward { pending, largest } = std::mem::take(&mut self.forward);
        let largest = largest.into_iter().enumerate();
        let largest = largest.filter_map(|(part, found)| found.map(|(index, place)| (part, index, place)));
        for (part, index, place) in pending.into_iter().chain(largest) {
            if index as usize >= counts[part] {
                self.error(&codes::INDEX, place, out_of_range(part, index + 1, counts[part]))?;
            }
        }
        Ok(())
    }
}

impl Forward {
    fn add(&mut self, part: usize, index: i32, place: impl FnOnce() -> Place) {
        if self.pending.len() < MOST_PENDING {
            self.pending.push((part, index, place()));
        } else if self.largest[part].as_ref().is_none_or(|(largest, _)| index > *largest) {
            self.largest[part] = Some((index, place()));
        }
    }
}

fn out_of_range(part: usize, index: i32, count: usize) -> String {
    let word = WORDS[part];
    if index < 0 {
        return format!("{word} {index} counts back to before the first of {count}");
    }
    format!("there is no {word} {index}; the file has {count}")
}
