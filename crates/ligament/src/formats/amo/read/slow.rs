//! Lines that are not of the usual layout, and those that are not many.

use super::Reader;
use super::field::Line;
use crate::formats::amo::codes;
use crate::formats::amo::document::{Joint, Object, Section};
use crate::formats::obj_text::{ABSENT, CornerError, parse_corner, resolve};
use crate::report::{Failure, Severity};
use crate::text::next_line;
use std::ops::Range;

/// Words of Wavefront OBJ that say nothing about skinned meshes.
const OBJ_WORDS: [&[u8]; 26] = [
    b"g",
    b"s",
    b"usemtl",
    b"mtllib",
    b"vp",
    b"l",
    b"p",
    b"mg",
    b"usemap",
    b"maplib",
    b"bevel",
    b"c_interp",
    b"d_interp",
    b"lod",
    b"shadow_obj",
    b"trace_obj",
    b"cstype",
    b"deg",
    b"bmat",
    b"step",
    b"curv",
    b"curv2",
    b"surf",
    b"parm",
    b"trim",
    b"end",
];

impl Reader<'_, '_> {
    pub(super) fn slow_line(&mut self, at: usize) -> Result<(), Failure> {
        let Some(line) = next_line(self.bytes, at) else {
            self.at = self.bytes.len();
            return Ok(());
        };
        self.at = line.next;
        if self.bytes[line.start] == b'#' {
            self.aside(line.start..line.end);
            return Ok(());
        }
        let whole = line.start..line.end;
        let line = self.take_apart(line);
        let keyed = self.is_keyed();
        match &self.bytes[line.keyword.clone()] {
            b"v" => {
                let values = self.numbers(&mut self.fields(&line.rest), "a `v` line");
                self.model.positions.push(values);
                self.last = Section::Positions;
            }
            b"vt" => self.slow_uv(&line),
            b"vn" => {
                let values = self.numbers(&mut self.fields(&line.rest), "a `vn` line");
                self.model.normals.push(values);
                self.last = Section::Normals;
            }
            b"vj" => self.slow_joint_set(&line),
            b"vw" => self.slow_weight_set(&line),
            b"f" => self.slow_face(&line)?,
            b"ao" => self.object(&line, false),
            b"o" => self.object(&line, true),
            b"t" => self.texture(&line, whole),
            b"j" => self.joint(&line),
            b"jp" => self.unnamed_joint(&line),
            b"a" => self.clip(&line),
            b"k" if keyed => self.key_pose(&line),
            b"ap" if keyed => self.keyed_position(&line),
            b"ar" if keyed => self.keyed_rotation(&line),
            b"ap" => self.position_key(&line),
            b"ar" => self.rotation_key(&line),
            b"bb" | b"bp" if keyed => {
                let values = self.shape_numbers(&line, "a `bb` line");
                self.model.shapes.bounds = Some(values);
            }
            b"ne" if keyed => {
                let values = self.shape_numbers(&line, "an `ne` line");
                self.model.shapes.ellipsoid = Some(values);
            }
            b"cv" if keyed => {
                let values = self.shape_numbers(&line, "a `cv` line");
                self.model.shapes.collision_positions.push(values);
            }
            b"ci" if keyed => self.collision_triangle(&line, 1),
            b"rb" if keyed => self.joint_box(line.rest.clone(), 1),
            b"hh" if keyed => self.old_hook(&line),
            word => {
                let is_obj = OBJ_WORDS.contains(&word);
                self.foreign(&line, is_obj);
                self.aside(whole);
                return Ok(());
            }
        }
        self.comment_aside(line.comment);
        Ok(())
    }

    fn foreign(&mut self, line: &Line, is_obj: bool) {
        let word = self.text(line.keyword.clone());
        if is_obj {
            let message =
                format!("lines of Wavefront OBJ such as {word} mean nothing here and are kept aside");
            self.tally(Severity::Note, &codes::OBJ_LINE, "", line.keyword.clone(), message);
        } else {
            let message = format!("no line of the format begins with {word}; it is kept aside");
            self.tally(Severity::Warning, &codes::UNKNOWN_LINE, "", line.keyword.clone(), message);
        }
    }

    fn slow_uv(&mut self, line: &Line) {
        let mut fields = self.fields(&line.rest);
        let mut uv = [0.0; 2];
        if let Some(field) = self.required(&mut fields, "the first number of a `vt` line") {
            uv[0] = self.number(field);
        }
        if let Some(field) = fields.next() {
            uv[1] = self.number(field);
        }
        self.nothing_more(&fields, "a `vt` line");
        self.model.uvs.push(uv);
        self.last = Section::Uvs;
    }

    fn slow_joint_set(&mut self, line: &Line) {
        let mut fields = self.fields(&line.rest);
        let mut joints = [-1; 4];
        self.required(&mut fields.clone(), "the first joint of a `vj` line");
        for joint in &mut joints {
            let Some(field) = fields.next() else { break };
            *joint = self.whole(field, "a joint of a `vj` line");
        }
        self.nothing_more(&fields, "a `vj` line of four joints");
        self.model.joint_sets.push(joints);
        self.last = Section::JointSets;
    }

    fn slow_weight_set(&mut self, line: &Line) {
        let mut fields = self.fields(&line.rest);
        let mut weights = [0.0; 4];
        self.required(&mut fields.clone(), "the first weight of a `vw` line");
        for weight in &mut weights {
            let Some(field) = fields.next() else { break };
            *weight = self.number(field);
        }
        self.nothing_more(&fields, "a `vw` line of four weights");
        self.model.weight_sets.push(weights);
        self.last = Section::WeightSets;
    }

    fn slow_face(&mut self, line: &Line) -> Result<(), Failure> {
        let fields = self.fields(&line.rest);
        if fields.clone().take(3).count() < 3 {
            let message = "a face needs three corners; the line is left out";
            self.tally(Severity::Warning, &codes::FEW_CORNERS, "", line.keyword.clone(), message);
            return Ok(());
        }
        let first = self.indices.len();
        for field in fields {
            let corner = self.slow_corner(field);
            self.push_corner(&corner)?;
        }
        self.end_face(first);
        self.last = Section::Faces;
        Ok(())
    }

    fn slow_corner(&mut self, field: Range<usize>) -> [i32; 5] {
        let [position, uv, normal, joints, weights] = match parse_corner::<5>(&self.bytes[field.clone()]) {
            Ok(corner) => corner,
            Err(error) => {
                let why = match error {
                    CornerError::NotWhole => "a part is no whole number",
                    CornerError::TooMany => "it has more than five parts",
                    CornerError::NoPosition => "its position is missing",
                };
                let message = format!("{} is no corner: {why}", self.text(field.clone()));
                self.error(&codes::CORNER, field, message);
                return [0, -1, -1, ABSENT, ABSENT];
            }
        };
        let model = &self.model;
        let counts = [model.positions.len(), model.uvs.len(), model.normals.len()];
        let [found, uv_found, normal_found] = [(position, counts[0]), (uv, counts[1]), (normal, counts[2])]
            .map(|(index, count)| if index == ABSENT { None } else { Some(resolve(index, count)) });
        let position = found.flatten().unwrap_or_else(|| {
            let message = format!("there is no position {position}; {} are listed so far", counts[0]);
            self.error(&codes::POSITION_INDEX, field.clone(), message);
            0
        });
        for (what, index, found) in [("texture coordinate", uv, uv_found), ("normal", normal, normal_found)] {
            if found == Some(None) {
                let message = format!("there is no {what} {index}; the corner is read without");
                self.tally(Severity::Warning, &codes::ATTRIBUTE_INDEX, what, field.clone(), message);
            }
        }
        let or_none = |found: Option<Option<i32>>| found.flatten().unwrap_or(-1);
        [position, or_none(uv_found), or_none(normal_found), joints, weights]
    }

    /// `ao NAME`, and in the keyed dialect a mask after it.
    fn object(&mut self, line: &Line, still: bool) {
        let (name, mask) = self.name_and_number(line.rest.clone());
        let mask = mask.and_then(|field| self.parse_whole(&field)).and_then(|mask| u32::try_from(mask).ok());
        let name = self.name(name, "object");
        let first_face =
            if self.starts.is_empty() { self.indices.len() / 3 } else { self.starts.len() - 1 } as u32;
        self.model.objects.push(Object { still, name, mask, texture: None, first_face });
        // Only the first stands before the lists.
        self.last =
            if self.model.objects.len() == 1 { Section::Object } else { self.last.max(Section::Object) };
    }

    /// A name with, in the keyed and counted dialects, a whole number after it.
    pub(super) fn name_and_number(&self, rest: Range<usize>) -> (Range<usize>, Option<Range<usize>>) {
        let Some(last) = self.fields(&rest).last() else { return (rest, None) };
        let is_number = self.bytes[last.clone()].iter().all(u8::is_ascii_digit);
        if !self.dialect.has_rest() || !is_number || last.start == rest.start {
            return (rest, None);
        }
        let name = crate::text::Fields::new(self.bytes, rest.start, last.start).rest();
        (name, Some(last))
    }

    fn texture(&mut self, line: &Line, whole: Range<usize>) {
        if line.rest.is_empty() {
            let message = "the texture's path is missing";
            self.error(&codes::MISSING, line.keyword.end..line.keyword.end, message);
            return;
        }
        let path = self.name(line.rest.clone(), "texture");
        self.check_texture(&path, line.rest.clone());
        if self.model.objects.is_empty() {
            self.model.objects.push(Object::default());
        }
        match self.model.objects.last_mut() {
            Some(object) if object.texture.is_none() => {
                object.texture = Some(path);
                if self.model.objects.len() == 1 {
                    self.last = Section::Object;
                }
            }
            _ => {
                let message = "an object has one texture; the first counts";
                self.tally(Severity::Warning, &codes::SECOND_TEXTURE, "", line.keyword.clone(), message);
                self.aside(whole);
            }
        }
    }

    /// `j NAME PARENT`, and in the keyed dialect sixteen numbers after it. Names may hold spaces, so that it is read from
    /// its end.
    fn joint(&mut self, line: &Line) {
        let fields: Vec<_> = self.fields(&line.rest).collect();
        let matrix_at = fields.len().checked_sub(16).filter(|&at| at >= 1 && self.is_keyed());
        let is_matrix = |at: &usize| {
            let numbers = fields[*at..].iter();
            numbers.clone().all(|f| crate::text::parse_f32(&self.bytes[f.clone()]).is_ok())
                && self.parse_whole(&fields[*at - 1]).is_some()
        };
        let matrix_at = matrix_at.filter(is_matrix);
        let parent_at = matrix_at.unwrap_or(fields.len()).checked_sub(1);
        let Some(parent) = parent_at.map(|at| fields[at].clone()) else {
            let message = "a joint needs a name and its parent's number";
            self.error(&codes::MISSING, line.keyword.end..line.keyword.end, message);
            return;
        };
        let rest = matrix_at.map(|at| {
            let mut matrix = [0.0; 16];
            for (value, field) in matrix.iter_mut().zip(&fields[at..]) {
                *value = self.number(field.clone());
            }
            matrix
        });
        let name = crate::text::Fields::new(self.bytes, line.rest.start, parent.start).rest();
        if name.is_empty() {
            let message = "a joint needs a name and its parent's number";
            self.error(&codes::MISSING, line.rest.clone(), message);
        }
        let name = self.name(name, "joint");
        let parent = self.whole(parent, "the parent of a joint");
        self.model.joints.push(Joint { name, parent, rest });
        self.last = Section::Joints;
    }

    /// `jp PARENT`, of the earliest draft.
    fn unnamed_joint(&mut self, line: &Line) {
        let mut fields = self.fields(&line.rest);
        let parent = self.required(&mut fields, "the parent of a joint");
        let parent = parent.map_or(-1, |field| self.whole(field, "the parent of a joint"));
        let name = format!("joint{}", self.model.joints.len()).into();
        self.model.joints.push(Joint { name, parent, rest: None });
        self.last = Section::Joints;
    }
}
