//! Lines that are not of the usual layout, and those that are not many.

use super::Reader;
use super::field::Line;
use crate::formats::amo::codes;
use crate::formats::amo::document::{
    Clip, Hook, Joint, JointBox, JointPose, Key, KeyPose, KeyValue, Keys, Object, Section,
};
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

const IDENTITY: [f32; 16] = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];

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
            }
        }
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

    fn clip(&mut self, line: &Line) {
        let (name, duration) = self.name_and_number(line.rest.clone());
        let duration = duration.map(|field| self.number(field));
        let name = self.name(name, "clip");
        let keys = if self.is_keyed() { Keys::Poses(Vec::new()) } else { Keys::default() };
        self.model.clips.push(Clip { name, duration, keys });
        self.clip_line();
    }

    fn clip_line(&mut self) {
        self.clip_lines += 1;
        self.last = Section::Clips;
    }

    /// Makes sure that there is a clip to put a key into.
    fn need_clip(&mut self, span: Range<usize>) {
        if self.model.clips.is_empty() {
            let message = "a key before the first `a` line; it belongs to a clip without a name";
            self.tally(Severity::Warning, &codes::NO_CLIP, "", span, message);
            let keys = if self.is_keyed() { Keys::Poses(Vec::new()) } else { Keys::default() };
            self.model.clips.push(Clip { keys, ..Clip::default() });
        }
        self.clip_line();
    }

    fn position_key(&mut self, line: &Line) {
        let mut fields = self.fields(&line.rest);
        let Some((time, joint)) = self.time_and_joint(&mut fields) else { return };
        let value = KeyValue::Position(self.numbers(&mut fields, "the position of an `ap` line"));
        self.push_key(Key { time, joint, value }, line);
    }

    fn rotation_key(&mut self, line: &Line) {
        let mut fields = self.fields(&line.rest);
        let Some((time, joint)) = self.time_and_joint(&mut fields) else { return };
        let rotation = self.numbers(&mut fields, "the quaternion of an `ar` line");
        self.check_rotation(rotation, line.rest.clone());
        self.push_key(Key { time, joint, value: KeyValue::Rotation(rotation) }, line);
    }

    fn push_key(&mut self, key: Key, line: &Line) {
        self.need_clip(line.keyword.clone());
        if let Some(Clip { keys: Keys::Single(keys), .. }) = self.model.clips.last_mut() {
            keys.push(key);
        }
    }

    fn time_and_joint(&mut self, fields: &mut crate::text::Fields<'_>) -> Option<(f32, i32)> {
        let mut own = fields.clone();
        let (time, joint) = (own.next(), own.next());
        let (Some(time_field), Some(joint)) = (time, joint) else {
            let end = fields.end();
            self.error(&codes::MISSING, end..end, "a key needs a time, a joint and its value");
            return None;
        };
        for _ in 0..2 {
            fields.next();
        }
        let time = self.number(time_field.clone());
        if time < 0.0 {
            let message = format!("the key is at {time} s, before the clip begins");
            self.error(&codes::KEY_TIME, time_field, message);
        }
        Some((time, self.whole(joint, "the joint of a key")))
    }

    pub(super) fn check_rotation(&mut self, rotation: [f32; 4], span: Range<usize>) {
        let length = length(&rotation);
        if length < 1e-6 {
            self.error(&codes::ZERO_ROTATION, span, "the quaternion has length zero");
        } else if !is_unit(&rotation) {
            let message = format!("the quaternion's length is {length:.4}, not one");
            self.tally(Severity::Warning, &codes::NOT_UNIT, "", span, message);
        }
    }

    fn key_pose(&mut self, line: &Line) {
        let mut fields = self.fields(&line.rest);
        let time = self.required(&mut fields, "the time of a `k` line");
        let progress = time.map_or(0.0, |field| self.key_time(field));
        if let Some(count) = fields.next() {
            self.whole(count, "the number of joints of a `k` line");
        }
        self.nothing_more(&fields, "a `k` line");
        self.need_clip(line.keyword.clone());
        if let Some(Clip { keys: Keys::Poses(poses), .. }) = self.model.clips.last_mut() {
            poses.push(KeyPose { progress, joints: Vec::new() });
        }
    }

    pub(super) fn key_time(&mut self, field: Range<usize>) -> f32 {
        let time = self.number(field.clone());
        if time < 0.0 {
            self.error(&codes::KEY_TIME, field, format!("the key is at {time}, before the clip begins"));
        }
        time.max(0.0)
    }

    fn keyed_position(&mut self, line: &Line) {
        let mut fields = self.fields(&line.rest);
        let Some(joint) = self.required(&mut fields, "the joint of an `ap` line") else { return };
        let joint = self.whole(joint, "the joint of an `ap` line");
        let position = self.numbers(&mut fields, "the position of an `ap` line");
        if let Some(pose) = self.joint_pose(joint, line) {
            pose.position = position;
        }
    }

    fn keyed_rotation(&mut self, line: &Line) {
        let mut fields = self.fields(&line.rest);
        let Some(joint) = self.required(&mut fields, "the joint of an `ar` line") else { return };
        let joint = self.whole(joint, "the joint of an `ar` line");
        let [w, x, y, z] = self.numbers(&mut fields, "the quaternion of an `ar` line");
        self.check_rotation([x, y, z, w], line.rest.clone());
        if let Some(pose) = self.joint_pose(joint, line) {
            pose.rotation = [x, y, z, w];
        }
    }

    /// The joint's entry in the last `k`, which may begin with a position or with a rotation.
    fn joint_pose(&mut self, joint: i32, line: &Line) -> Option<&mut JointPose> {
        self.need_clip(line.keyword.clone());
        let Some(Clip { keys: Keys::Poses(poses), .. }) = self.model.clips.last_mut() else { return None };
        if poses.is_empty() {
            poses.push(KeyPose::default());
        }
        let joints = &mut poses.last_mut()?.joints;
        // Files list the joints twice in the same order, once with positions and once with rotations: the entry is most
        // often the one after the last that was found, but any order must take linear time.
        let index = self.pose_index.entry(joint).or_insert(usize::MAX);
        if joints.get(*index).is_none_or(|pose| pose.joint != joint) {
            *index = joints.len();
            joints.push(JointPose { joint, position: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0] });
        }
        let index = *index;
        joints.get_mut(index)
    }

    fn shape_numbers<const N: usize>(&mut self, line: &Line, what: &'static str) -> [f32; N] {
        self.shape_line();
        self.numbers(&mut self.fields(&line.rest), what)
    }

    pub(super) fn shape_line(&mut self) {
        self.shape_lines += 1;
        self.last = Section::Shapes;
    }

    fn collision_triangle(&mut self, line: &Line, base: i32) {
        self.shape_line();
        let triangle = self.triangle(line.rest.clone()).map(|index| index.saturating_sub(base));
        self.model.shapes.collision_triangles.push(triangle);
    }

    pub(super) fn triangle(&mut self, rest: Range<usize>) -> [i32; 3] {
        let mut fields = self.fields(&rest);
        let mut triangle = [0; 3];
        for index in &mut triangle {
            let Some(field) = self.required(&mut fields, "a corner of a collision triangle") else { break };
            *index = self.whole(field, "a corner of a collision triangle");
        }
        self.nothing_more(&fields, "a collision triangle");
        triangle
    }

    pub(super) fn joint_box(&mut self, rest: Range<usize>, base: i32) {
        self.shape_line();
        let mut fields = self.fields(&rest);
        let Some(joint) = self.required(&mut fields, "the joint of a box") else { return };
        let joint = self.whole(joint, "the joint of a box").saturating_sub(base).max(-1);
        let values: [f32; 22] = self.numbers(&mut fields, "a box (position, scale and matrix)");
        let (position, scale, matrix) = (pick(&values, 0), pick(&values, 3), pick(&values, 6));
        self.model.shapes.boxes.push(JointBox { joint, position, scale, matrix });
    }

    /// `hh INDEX JOINT X Y Z`.
    fn old_hook(&mut self, line: &Line) {
        self.shape_line();
        let mut fields = self.fields(&line.rest);
        let Some(index) = self.required(&mut fields, "the number of a hook") else { return };
        let index = self.whole(index, "the number of a hook");
        let Some(joint) = self.required(&mut fields, "the joint of a hook") else { return };
        let joint = self.whole(joint, "the joint of a hook").saturating_sub(1).max(-1);
        let position = self.numbers(&mut fields, "the place of a hook");
        let hook = Hook { index, joint, position, direction: [0.0; 3], matrix: IDENTITY };
        self.model.shapes.hooks.push(hook);
    }
}

/// `N` of a line's numbers, from `at` on.
pub(super) fn pick<const N: usize>(values: &[f32], at: usize) -> [f32; N] {
    std::array::from_fn(|i| values.get(at + i).copied().unwrap_or_default())
}

fn length(rotation: &[f32; 4]) -> f64 {
    rotation.iter().map(|&v| f64::from(v).powi(2)).sum::<f64>().sqrt()
}

/// Whether there is nothing to say about a quaternion's length.
#[inline(always)]
pub(super) fn is_unit(rotation: &[f32; 4]) -> bool {
    (length(rotation) - 1.0).abs() <= 1e-4
}
