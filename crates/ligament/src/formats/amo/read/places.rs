//! Places of things that can only be judged at the end of the file. The lengths of lists and the base of indices are only
//! known then, when the text is no longer in memory.
//!
//! A record is *plain* if no message will ever refer to its place: nothing can be wrong with it, or the message refers to
//! an earlier record. Only plain records are read at full speed. All others are read tolerantly, and their places noted.

use super::field::Parts;
use super::odd::{Facing, facing, is_odd_normal, is_odd_sum};
use super::usual::Built;
use crate::formats::amo::document::Model;
use crate::text::{Field, Spot};
use std::ops::Range;

#[derive(Default)]
pub(super) struct Places {
    /// The place where the model begins.
    pub model: Spot,
    /// The line of each joint.
    pub joints: Vec<Spot>,
    /// `vj` lines with a joint that is larger than all before it.
    pub joint_sets: Vec<JointSetAt>,
    largest_joint: i32,
    /// Corners with an index that is larger than all before it and beyond the list's length so far, and the first corner
    /// without a position. The indices are those of the file.
    pub corners: Vec<([i32; 5], Spot)>,
    largest: [i32; 5],
    least_position: i32,
    pub keys: Joints,
    /// Clips whose first key is after time 0, with the line of that key.
    pub late: Vec<(usize, Spot)>,
    /// The first normal that is not of unit length.
    pub normal: Option<Spot>,
    /// The first set of weights that does not sum to one, and the first with a negative weight.
    pub weight_sum: Option<Spot>,
    pub negative_weight: Option<Spot>,
    /// The first face that disagrees with its normals, and all faces before it that could not be judged when they were
    /// read.
    pub faces: Vec<(usize, Spot)>,
    found_odd_face: bool,
    /// Places that are only noted for files that do not name their dialect.
    pub unmarked: Option<Unmarked>,
}

/// A `vj` line: its index, its joints as in the file, and their places.
pub(super) struct JointSetAt {
    pub index: usize,
    joints: [i32; 4],
    pub fields: [Spot; 4],
}

/// Joints of keys with their places: the first 0, the first negative one, and each that is larger than all before it and
/// beyond the number of joints so far.
pub(super) struct Joints {
    noted: Vec<(i32, Spot)>,
    least: i32,
    largest: i32,
}

#[derive(Default)]
pub(super) struct Unmarked {
    /// The lines of positions, texture coordinates, normals and joints of vertices.
    pub lists: [Vec<Spot>; 4],
    /// The joints and weights of the first corner at each position.
    bound: Vec<Option<[i32; 2]>>,
    /// Whether a corner came before its position, so that `bound` cannot hold it.
    scattered: bool,
    /// Vertices with other joints or weights than the first corner at their position, each with the place of its first
    /// corner.
    pub torn: Vec<(u32, Spot)>,
}

impl Default for Joints {
    fn default() -> Self {
        Self { noted: Vec::new(), least: 1, largest: -1 }
    }
}

impl Joints {
    #[inline(always)]
    pub fn is_plain(&self, joint: i32, joints: usize) -> bool {
        joint.max(-1) >= self.least && (joint <= self.largest || (joint as usize) < joints)
    }

    pub fn note(&mut self, joint: i32, joints: usize, field: Field<'_>) {
        if !self.is_plain(joint, joints) {
            self.least = self.least.min(joint.max(-1));
            self.largest = self.largest.max(joint);
            self.noted.push((joint, field.spot()));
        }
    }

    pub fn first(&self, is_wanted: impl Fn(i32) -> bool) -> Option<Spot> {
        self.noted.iter().find(|(joint, _)| is_wanted(*joint)).map(|(_, spot)| *spot)
    }
}

impl JointSetAt {
    /// The largest joint with its place.
    pub fn largest(&self) -> (Spot, i32) {
        let all = self.fields.into_iter().zip(self.joints);
        all.max_by_key(|(_, joint)| *joint).unwrap_or_default()
    }
}

impl Places {
    pub fn new(model: Spot, is_marked: bool) -> Self {
        let unmarked = (!is_marked).then(Unmarked::default);
        Self { model, largest: [-1; 5], largest_joint: -1, unmarked, ..Self::default() }
    }

    #[inline(always)]
    pub fn is_plain_normal(&self, normal: &[f32; 3]) -> bool {
        self.normal.is_some() || !is_odd_normal(normal)
    }

    pub fn note_normal(&mut self, normal: &[f32; 3], line: Field<'_>) {
        if !self.is_plain_normal(normal) {
            self.normal = Some(line.spot());
        }
    }

    #[inline(always)]
    pub fn are_plain_weights(&self, weights: &[f32; 4]) -> bool {
        (self.weight_sum.is_some() || !is_odd_sum(weights))
            && (self.negative_weight.is_some() || weights.iter().all(|&weight| weight >= 0.0))
    }

    pub fn note_weights(&mut self, weights: &[f32; 4], line: Field<'_>) {
        if is_odd_sum(weights) {
            self.weight_sum.get_or_insert(line.spot());
        }
        if weights.iter().any(|&weight| weight < 0.0) {
            self.negative_weight.get_or_insert(line.spot());
        }
    }

    #[inline(always)]
    pub fn are_plain_joints(&self, joints: &[i32; 4], count: usize) -> bool {
        joints.iter().all(|&joint| joint <= self.largest_joint || (joint as usize) < count)
    }

    pub fn note_joint_set(&mut self, index: usize, set: [i32; 4], count: usize, line: &Parts<'_>) {
        if self.are_plain_joints(&set, count) {
            return;
        }
        self.largest_joint = set.into_iter().fold(self.largest_joint, i32::max);
        let mut fields = line.rest.fields();
        let fields = std::array::from_fn(|_| fields.next().unwrap_or(line.whole).spot());
        self.joint_sets.push(JointSetAt { index, joints: set, fields });
    }

    /// The `vj` line with this index. If it was not noted, the first one with a joint that is at least as large.
    pub fn joint_set(&self, index: usize, joint: i32) -> Option<&JointSetAt> {
        let exact = self.joint_sets.iter().find(|set| set.index == index);
        exact.or_else(|| self.joint_sets.iter().find(|set| set.largest().1 >= joint))
    }

    /// The line of a joint.
    pub fn joint(&self, index: usize) -> Spot {
        self.joints.get(index).copied().unwrap_or(self.model)
    }

    /// `counts` are the lengths of the lists so far.
    #[inline(always)]
    pub fn is_plain_corner(&self, corner: &[i32; 5], counts: &[i32; 5]) -> bool {
        let is_plain = |part: usize| corner[part] < counts[part] || corner[part] <= self.largest[part];
        corner[0] >= self.least_position && (0..5).all(is_plain)
    }

    pub fn note_corner(&mut self, corner: &[i32; 5], counts: &[i32; 5], field: Field<'_>) {
        if !self.is_plain_corner(corner, counts) {
            self.least_position = self.least_position.min(corner[0]);
            self.largest = std::array::from_fn(|part| self.largest[part].max(corner[part]));
            self.corners.push((*corner, field.spot()));
        }
    }

    /// The first corner with this number as the given part, if it was noted.
    pub fn corner(&self, part: usize, number: i32) -> Option<Spot> {
        self.corners.iter().find(|(corner, _)| corner[part] == number).map(|(_, spot)| *spot)
    }

    /// Whether a corner has the same joints and weights as earlier corners at its position. Always true if the file names
    /// its dialect.
    #[inline(always)]
    pub fn is_bound_alike(&mut self, corner: &[i32; 5], positions: usize) -> bool {
        match &mut self.unmarked {
            Some(unmarked) => unmarked.is_bound_alike(corner, positions),
            None => true,
        }
    }

    #[inline(always)]
    pub fn is_plain_face(&self, model: &Model, corners: &[[i32; 5]]) -> bool {
        self.found_odd_face || matches!(self.facing(model, corners), Facing::Right | Facing::Nowhere)
    }

    #[inline(always)]
    fn facing(&self, model: &Model, corners: &[[i32; 5]]) -> Facing {
        match corners {
            [a, b, c, ..] => {
                facing(model, [a, b, c].map(|corner| [corner[0], corner[2]]), self.normal.is_some())
            }
            _ => Facing::Nowhere,
        }
    }

    pub fn note_face(&mut self, number: usize, model: &Model, corners: &[[i32; 5]], line: Field<'_>) {
        if !self.is_plain_face(model, corners) {
            self.found_odd_face = !matches!(self.facing(model, corners), Facing::Unknown);
            self.faces.push((number, line.spot()));
        }
    }
}

impl Unmarked {
    fn is_bound_alike(&mut self, corner: &[i32; 5], positions: usize) -> bool {
        let [position, _, _, joints, weights] = *corner;
        if self.bound.len() < positions {
            self.bound.resize(positions, None);
        }
        let bound = usize::try_from(position).ok().and_then(|position| self.bound.get_mut(position));
        self.scattered |= bound.is_none();
        !self.scattered
            && bound.is_some_and(|bound| *bound.get_or_insert([joints, weights]) == [joints, weights])
    }
}

/// Tracks the places of the lines of a run.
pub(super) struct Trail {
    run: Spot,
    /// Bytes of the run before the current piece of the file, and bytes read of that piece.
    before: usize,
    read: usize,
    lines: u32,
}

impl Trail {
    pub fn new(run: Spot) -> Self {
        Self { run, before: 0, read: 0, lines: 0 }
    }

    /// Notes the place of the line that was read last, if the file does not name its dialect.
    #[inline(always)]
    pub fn follow(&mut self, built: &mut Built, text: &[u8], line: Range<usize>) {
        if built.places.unmarked.is_some() {
            // Each piece begins where the last one ended.
            self.before += if line.start == 0 { self.read } else { 0 };
            self.read = line.end;
            built.note_line(|| self.spot(text, line));
            self.lines = self.lines.saturating_add(1);
        }
    }

    fn spot(&self, text: &[u8], line: Range<usize>) -> Spot {
        let text = text[line.clone()].trim_ascii_end();
        let blanks = text.len() - text.trim_ascii_start().len();
        let start = self.run.start + self.before + line.start;
        Spot::new(start + blanks..start + text.len(), self.run.line.saturating_add(self.lines), blanks)
    }
}
