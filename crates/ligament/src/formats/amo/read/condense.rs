//! Lists of the dialect with counts, read while the file passes by in pieces: lines in the usual layout are left out of the
//! text that stays, and what they say goes straight into the model's own arrays.

use super::counted::usual_joint_set;
use super::poses::usual_pose;
use crate::formats::amo::document::{JointPose, Model, Section};
use crate::formats::obj_text::{Distinct, numbers_to_end, wholes_to_end};
use crate::io::Content;
use crate::text::{Condenser, Fields, parse_u32};
use std::io;

/// What was read of a list.
pub(super) enum Run {
    Positions(Vec<[f32; 3]>),
    Uvs(Vec<[f32; 2]>),
    Normals(Vec<[f32; 3]>),
    JointSets(Vec<[i32; 4]>),
    WeightSets(Vec<[f32; 4]>),
    Faces(Box<Distinct<5>>, Vec<u32>),
    Poses(Vec<JointPose>),
}

impl Run {
    /// Adds what was read to the list of a model, if it is of that list and not more than is wanted; returns how much it
    /// is.
    pub(super) fn join(self, section: Section, wanted: usize, model: &mut Model) -> Option<usize> {
        match (section, self) {
            (Section::Positions, Run::Positions(more)) => join(&mut model.positions, more, wanted),
            (Section::Uvs, Run::Uvs(more)) => join(&mut model.uvs, more, wanted),
            (Section::Normals, Run::Normals(more)) => join(&mut model.normals, more, wanted),
            (Section::JointSets, Run::JointSets(more)) => join(&mut model.joint_sets, more, wanted),
            (Section::WeightSets, Run::WeightSets(more)) => join(&mut model.weight_sets, more, wanted),
            _ => None,
        }
    }
}

/// Adds to a list; the first of it is moved.
pub(super) fn join<T>(list: &mut Vec<T>, mut more: Vec<T>, wanted: usize) -> Option<usize> {
    let count = Some(more.len()).filter(|&count| count <= wanted)?;
    if list.is_empty() {
        *list = more;
    } else {
        list.append(&mut more);
    }
    Some(count)
}

/// Reads a file in pieces of so many bytes; `None` if it cannot be read, which whoever reads all of it finds out too.
pub(super) fn condense<'a>(content: &'a Content<'a>, piece: usize) -> Option<Condenser<'a, Run>> {
    let mut pass = Condenser::new(content, piece)?;
    // The list at hand, and how many of its lines are still to come.
    let mut list = (Section::Start, 0);
    // Corners are numbered by their first use, so that faces are read here only while there are none yet.
    let mut has_faces = false;
    while let Some(line) = pass.keep_line().ok()? {
        match head(line) {
            Line::List(Section::Faces, _) if has_faces => list.1 = 0,
            Line::List(section, count) => list = (section, count),
            Line::End => (list.1, has_faces) = (0, false),
            Line::Aside => {}
            Line::Item => list.1 = list.1.saturating_sub(1),
        }
        let (section, count) = list;
        if count > 0 {
            list.1 -= read(&mut pass, section, count).ok()?;
        }
        if section == Section::Faces {
            has_faces = true;
            list.1 = 0;
        }
    }
    Some(pass)
}

/// What a line that stays may be.
enum Line {
    /// Before so many lines of a list.
    List(Section, usize),
    End,
    /// A comment, or blank.
    Aside,
    /// Of a list, or anything else.
    Item,
}

fn head(line: &[u8]) -> Line {
    let mut fields =
        Fields::new(line, 0, line.strip_suffix(b"\n").unwrap_or(line).len()).map(|field| &line[field]);
    let section = match fields.next() {
        None | Some([b'#', ..]) => return Line::Aside,
        Some(b"v") => Section::Positions,
        Some(b"vt") => Section::Uvs,
        Some(b"vn") => Section::Normals,
        Some(b"vj") => Section::JointSets,
        Some(b"vw") => Section::WeightSets,
        Some(b"f") => Section::Faces,
        Some(b"k") => {
            fields.next();
            Section::Clips
        }
        Some(b"end") => return Line::End,
        Some(_) => return Line::Item,
    };
    match (fields.next().and_then(parse_u32), fields.next()) {
        (Some(count), None) => Line::List(section, count as usize),
        _ => Line::Item,
    }
}

/// Leaves out lines of a list, at most so many, and returns how many they are.
fn read(pass: &mut Condenser<'_, Run>, section: Section, count: usize) -> io::Result<usize> {
    let (run, count) = match section {
        Section::Positions => rows(pass, count, "0 0 0\n", numbers_to_end, Run::Positions)?,
        Section::Uvs => rows(pass, count, "0 0\n", numbers_to_end, Run::Uvs)?,
        Section::Normals => rows(pass, count, "0 0 0\n", numbers_to_end, Run::Normals)?,
        Section::JointSets => rows(pass, count, "0 0 0 0\n", usual_joint_set, Run::JointSets)?,
        Section::WeightSets => rows(pass, count, "0 0 0 0\n", numbers_to_end, Run::WeightSets)?,
        Section::Clips => rows(pass, count, "0 0 0 0 1 0 0 0\n", usual_pose, Run::Poses)?,
        Section::Faces => faces(pass, count)?,
        _ => return Ok(0),
    };
    if count > 0 {
        pass.push(run);
    }
    Ok(count)
}

/// `shortest` is the shortest line that there can be.
#[inline(always)]
fn rows<T>(
    pass: &mut Condenser<'_, Run>,
    count: usize,
    shortest: &str,
    parse: impl Fn(&[u8], usize) -> Option<(T, usize)>,
    run: impl Fn(Vec<T>) -> Run,
) -> io::Result<(Run, usize)> {
    let mut rows = Vec::with_capacity(pass.room(count, shortest.len()));
    pass.leave_out(|bytes, at| {
        if rows.len() == count {
            return None;
        }
        let (row, next) = parse(bytes, at).filter(|&(_, next)| ends_with_line(bytes, next))?;
        rows.push(row);
        Some(next)
    })?;
    let count = rows.len();
    Ok((run(rows), count))
}

fn faces(pass: &mut Condenser<'_, Run>, count: usize) -> io::Result<(Run, usize)> {
    let mut corners = Distinct::<5>::new();
    let room = pass.room(count, "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n".len());
    // A closed surface has half as many vertices as triangles.
    corners.expect(room / 2);
    let mut indices = Vec::with_capacity(3 * room);
    let count = pass.leave_out(|bytes, at| {
        if indices.len() == 3 * count {
            return None;
        }
        let (values, next) =
            wholes_to_end::<15>(bytes, at).filter(|&(_, next)| ends_with_line(bytes, next))?;
        let mut face = [0; 3];
        for (index, corner) in face.iter_mut().zip(values.as_chunks::<5>().0) {
            *index = corners.number(&corner.map(|index| index.max(-1)))?;
        }
        indices.extend_from_slice(&face);
        Some(next)
    })?;
    Ok((Run::Faces(Box::new(corners), indices), count))
}

/// Whether what was read ends with a line, and not with the piece, which may go on.
#[inline(always)]
fn ends_with_line(bytes: &[u8], next: usize) -> bool {
    next.checked_sub(1).and_then(|at| bytes.get(at)) == Some(&b'\n')
}
