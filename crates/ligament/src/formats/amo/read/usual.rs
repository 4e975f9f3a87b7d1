//! The model as read so far, and fast readers of the lines that make up nearly all of a file. They refuse other lines,
//! other layouts, and lines whose place has to be noted, without keeping anything of them.

use super::keys::is_unit;
use super::places::{Places, Trail, Unmarked};
use crate::formats::amo::document::{Clip, Corner, Key, KeyValue, Keys, Model, Section};
use crate::formats::obj_text::{
    ABSENT, Distinct, end_of_line, number_then_blank, numbers_to_end, parse_corner_prefix, skip_blanks,
    whole_then_blank, wholes_to_end,
};
use crate::text::{Field, Spot, Usual};

/// The most corners of a face that is read at full speed.
const MOST_CORNERS: usize = 4;

/// Reads the lines of the dialects with a keyword on every line.
pub(super) struct UsualLines<'b> {
    pub built: &'b mut Built,
    pub trail: Trail,
}

impl Usual for UsualLines<'_> {
    #[inline(always)]
    fn usual(&mut self, text: &[u8], at: usize) -> Option<usize> {
        let next = self.built.usual_line(text, at)?;
        self.trail.follow(self.built, text, at..next);
        Some(next)
    }
}

pub(super) struct Built {
    pub model: Model,
    corners: Distinct<5>,
    /// The section of the last line, for asides.
    pub last: Section,
    /// Lines of clips and shapes so far, for asides.
    pub clip_lines: usize,
    pub shape_lines: usize,
    pub places: Places,
}

impl Built {
    pub fn new(places: Places) -> Self {
        Self {
            model: Model::default(),
            corners: Distinct::new(),
            last: Section::Start,
            clip_lines: 0,
            shape_lines: 0,
            places,
        }
    }

    /// Reads a line of vertices, faces or keys, and returns the offset of the next one.
    #[inline(always)]
    fn usual_line(&mut self, text: &[u8], at: usize) -> Option<usize> {
        match *text.get(at..)?.first_chunk::<3>()? {
            [b'v', b' ' | b'\t', _] => self.usual_position(text, at + 2),
            [b'f', b' ' | b'\t', _] => self.usual_face(text, at + 2),
            [b'v', b't', b' ' | b'\t'] => self.usual_uv(text, at + 3),
            [b'v', b'n', b' ' | b'\t'] => self.usual_normal(text, at + 3),
            [b'v', b'j', b' ' | b'\t'] => self.usual_joint_set(text, at + 3, i32::MIN),
            [b'v', b'w', b' ' | b'\t'] => self.usual_weight_set(text, at + 3),
            [b'a', kind @ (b'p' | b'r'), b' ' | b'\t'] => self.usual_key(kind, text, at + 3),
            [b'\n', ..] => Some(at + 1),
            _ => None,
        }
    }

    #[inline(always)]
    pub fn usual_position(&mut self, text: &[u8], at: usize) -> Option<usize> {
        let (values, next) = numbers_to_end(text, at)?;
        self.model.positions.push(values);
        self.last = Section::Positions;
        Some(next)
    }

    #[inline(always)]
    pub fn usual_uv(&mut self, text: &[u8], at: usize) -> Option<usize> {
        let (values, next) = numbers_to_end(text, at)?;
        self.model.uvs.push(values);
        self.last = Section::Uvs;
        Some(next)
    }

    #[inline(always)]
    pub fn usual_normal(&mut self, text: &[u8], at: usize) -> Option<usize> {
        let (values, next) = numbers_to_end(text, at)?;
        if !self.places.is_plain_normal(&values) {
            return None;
        }
        self.model.normals.push(values);
        self.last = Section::Normals;
        Some(next)
    }

    /// Reads four joints. Those below `least` are raised to it.
    #[inline(always)]
    pub fn usual_joint_set(&mut self, text: &[u8], at: usize, least: i32) -> Option<usize> {
        let (joints, next) = wholes_to_end::<4>(text, at)?;
        if !self.places.are_plain_joints(&joints, self.model.joints.len()) {
            return None;
        }
        self.model.joint_sets.push(joints.map(|joint| joint.max(least)));
        self.last = Section::JointSets;
        Some(next)
    }

    #[inline(always)]
    pub fn usual_weight_set(&mut self, text: &[u8], at: usize) -> Option<usize> {
        let (values, next) = numbers_to_end(text, at)?;
        if !self.places.are_plain_weights(&values) {
            return None;
        }
        self.model.weight_sets.push(values);
        self.last = Section::WeightSets;
        Some(next)
    }

    /// Reads `seconds joint x y z`, or the same with a quaternion, if it needs no message.
    #[inline(always)]
    fn usual_key(&mut self, kind: u8, text: &[u8], at: usize) -> Option<usize> {
        let Some(Clip { keys: Keys::Single(keys), .. }) = self.model.clips.last_mut() else { return None };
        let (time, at) = number_then_blank(text, at).filter(|&(time, _)| time >= 0.0)?;
        let (joint, blank) = whole_then_blank(text, at)?;
        let is_late = time > 0.0 && keys.is_empty();
        if is_late || !self.places.keys.is_plain(joint, self.model.joints.len()) {
            return None;
        }
        let (value, next) = if kind == b'p' {
            let (position, next) = numbers_to_end(text, blank + 1)?;
            (KeyValue::Position(position), next)
        } else {
            let (rotation, next) =
                numbers_to_end(text, blank + 1).filter(|(rotation, _)| is_unit(rotation))?;
            (KeyValue::Rotation(rotation), next)
        };
        keys.push(Key { time, joint, value });
        self.clip_lines += 1;
        self.last = Section::Clips;
        Some(next)
    }

    /// Reads a face whose indices consist of digits only.
    #[inline(always)]
    fn usual_face(&mut self, text: &[u8], mut at: usize) -> Option<usize> {
        let mut corners = [[ABSENT; 5]; MOST_CORNERS];
        let mut count = 0;
        let next = loop {
            let (mut corner, end) = parse_corner_prefix::<5>(text, skip_blanks(text, at))?;
            let [position, uv, normal, ..] = &mut corner;
            if count == MOST_CORNERS || *position == 0 || *uv == 0 || *normal == 0 {
                return None;
            }
            *position -= 1;
            *uv = if *uv == ABSENT { -1 } else { *uv - 1 };
            *normal = if *normal == ABSENT { -1 } else { *normal - 1 };
            corners[count] = corner;
            count += 1;
            at = end;
            if let Some(next) = end_of_line(text, at) {
                break next;
            }
        };
        (count >= 3 && self.take_plain_face(&corners[..count])).then_some(next)
    }

    /// Reads a face of the counted dialect.
    #[inline(always)]
    pub fn usual_counted_face(&mut self, text: &[u8], at: usize) -> Option<usize> {
        let (values, next) = wholes_to_end::<15>(text, at)?;
        let corners = values.map(|index| index.max(-1));
        self.take_plain_face(corners.as_chunks::<5>().0).then_some(next)
    }

    /// Adds a face, unless a place has to be noted.
    #[inline(always)]
    fn take_plain_face(&mut self, corners: &[[i32; 5]]) -> bool {
        let (first, vertices) = (self.model.faces.corners.len(), self.corners.len());
        let mut is_plain = self.places.is_plain_face(&self.model, corners);
        for corner in corners {
            is_plain = is_plain
                && self.push_corner(corner).is_some_and(|vertex| {
                    // Messages about a vertex refer to its first corner.
                    (vertex as usize) < vertices || self.is_plain_vertex(corner)
                });
        }
        if is_plain {
            self.end_face(first);
        } else {
            self.corners.truncate(vertices);
            self.model.faces.corners.truncate(first);
        }
        is_plain
    }

    fn is_plain_vertex(&mut self, corner: &[i32; 5]) -> bool {
        self.places.is_plain_corner(corner, &self.counts())
            && self.places.is_bound_alike(corner, self.model.positions.len())
    }

    /// The lengths of the lists that corners refer to.
    fn counts(&self) -> [i32; 5] {
        let model = &self.model;
        let lists = [model.positions.len(), model.uvs.len(), model.normals.len()];
        let [positions, uvs, normals] = lists;
        [positions, uvs, normals, model.joint_sets.len(), model.weight_sets.len()].map(|length| length as i32)
    }

    /// Adds a corner to the current face, and returns the index of its vertex; `None` if there are too many.
    #[inline(always)]
    fn push_corner(&mut self, corner: &[i32; 5]) -> Option<u32> {
        if self.model.faces.corners.is_empty() {
            // There are usually about as many different corners as entries in the longest list.
            let lists = [self.model.positions.len(), self.model.uvs.len(), self.model.normals.len()];
            self.corners.expect(lists.into_iter().max().unwrap_or_default());
        }
        let number =
            self.corners.number(corner).filter(|_| self.model.faces.corners.len() < u32::MAX as usize)?;
        self.model.faces.corners.push(number);
        Some(number)
    }

    /// Ends the face that consists of all corners from `first` on.
    #[inline(always)]
    fn end_face(&mut self, first: usize) {
        self.model.faces.end_face(first);
        self.last = Section::Faces;
    }

    /// Adds a face, and notes the places that a message may need. `None` if there are too many corners.
    pub fn take_face(&mut self, corners: &[[i32; 5]], fields: &[Field<'_>], line: Field<'_>) -> Option<()> {
        let (first, counts) = (self.model.faces.corners.len(), self.counts());
        self.places.note_face(self.model.faces.len(), &self.model, corners, line);
        for (corner, field) in corners.iter().zip(fields) {
            self.places.note_corner(corner, &counts, *field);
            let is_alike = self.places.is_bound_alike(corner, self.model.positions.len());
            let vertex = self.push_corner(corner)?;
            if let Some(Unmarked { torn, .. }) = self.places.unmarked.as_mut().filter(|_| !is_alike)
                && torn.last().is_none_or(|(last, _)| *last < vertex)
            {
                torn.push((vertex, field.spot()));
            }
        }
        self.end_face(first);
        Some(())
    }

    /// Notes the place of the line that was read last, if it belongs to a list whose places are noted.
    pub fn note_line(&mut self, line: impl FnOnce() -> Spot) {
        let Some(unmarked) = &mut self.places.unmarked else { return };
        let (list, length) = match self.last {
            Section::Positions => (0, self.model.positions.len()),
            Section::Uvs => (1, self.model.uvs.len()),
            Section::Normals => (2, self.model.normals.len()),
            Section::JointSets => (3, self.model.joint_sets.len()),
            _ => return,
        };
        if unmarked.lists[list].len() < length {
            unmarked.lists[list].push(line());
        }
    }

    /// Moves the collected corners into the model, with the indices of the file.
    pub fn take_corners(&mut self) {
        let vertices = std::mem::replace(&mut self.corners, Distinct::new()).into_records();
        let corner = |[position, uv, normal, joints, weights]: [i32; 5]| Corner {
            position,
            uv,
            normal,
            joints,
            weights,
        };
        self.model.vertices = vertices.into_iter().map(corner).collect();
    }

    /// Keeps a line without meaning, to be written back at its place.
    pub fn aside(&mut self, line: &[u8]) {
        let model = &self.model;
        let after = match self.last {
            Section::Start => 0,
            Section::Object => model.objects.len(),
            Section::Positions => model.positions.len(),
            Section::Uvs => model.uvs.len(),
            Section::Normals => model.normals.len(),
            Section::JointSets => model.joint_sets.len(),
            Section::WeightSets => model.weight_sets.len(),
            Section::Faces => self.model.faces.len(),
            Section::Joints => model.joints.len(),
            Section::Clips => self.clip_lines,
            Section::Shapes => self.shape_lines,
        };
        self.model.asides.push(self.last, after, line);
    }
}
