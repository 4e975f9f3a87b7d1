//! Reads any line of the dialects with a keyword on every line, and reports its errors.

use super::Reader;
use super::field::{Parts, before, parse_integer};
use super::usual::Built;
use crate::formats::amo::codes;
use crate::formats::amo::document::{Joint, Object, Section};
use crate::formats::obj_text::{ABSENT, CornerError, parse_corner, resolve};
use crate::report::Severity;
use crate::text::{Field, TextLine, parse_f32};

/// Keywords of Wavefront OBJ that have no meaning in AMO.
const OBJ_WORDS: &str = "g s usemtl mtllib vp l p mg usemap maplib bevel c_interp d_interp lod shadow_obj \
                         trace_obj cstype deg bmat step curv curv2 surf parm trim end";

impl Reader<'_, '_> {
    pub(super) fn line(&mut self, line: &TextLine<'_>) {
        let line = &Parts::of(line);
        if line.is_comment() {
            return self.built.aside(line.whole.text());
        }
        let keyed = self.is_keyed();
        match line.keyword.text() {
            b"v" => {
                let values = self.numbers(line.rest.fields(), "a `v` line");
                self.built.add_position(values, line);
            }
            b"vt" => {
                let what = ["the first number of a `vt` line", "a `vt` line"];
                let values = self.values(line, what, 0.0, Self::number);
                self.built.add_uv(values, line);
            }
            b"vn" => {
                let values = self.numbers(line.rest.fields(), "a `vn` line");
                self.built.add_normal(values, line);
            }
            b"vj" => {
                let what = ["the first joint of a `vj` line", "a `vj` line of four joints"];
                let joint = |r: &mut Self, field: Field<'_>| r.integer(field, "a joint of a `vj` line");
                let joints = self.values(line, what, -1, joint);
                self.built.add_joint_set(joints, line);
            }
            b"vw" => {
                let what = ["the first weight of a `vw` line", "a `vw` line of four weights"];
                let weights = self.values(line, what, 0.0, Self::number);
                self.built.add_weight_set(weights, line);
            }
            b"f" => self.face(line),
            b"ao" => self.object(line, false),
            b"o" => self.object(line, true),
            b"t" => self.texture(line),
            b"j" => self.joint(line),
            b"jp" => self.unnamed_joint(line),
            b"a" => self.clip(line),
            b"k" if keyed => self.key_pose(line),
            b"ap" if keyed => self.keyed_position(line),
            b"ar" if keyed => self.keyed_rotation(line),
            b"ap" => self.position_key(line),
            b"ar" => self.rotation_key(line),
            b"bb" | b"bp" if keyed => {
                self.built.model.shapes.bounds = Some(self.shape_numbers(line, "a `bb` line"));
            }
            b"ne" if keyed => {
                self.built.model.shapes.ellipsoid = Some(self.shape_numbers(line, "an `ne` line"));
            }
            b"cv" if keyed => {
                let values = self.shape_numbers(line, "a `cv` line");
                self.built.model.shapes.collision_positions.push(values);
            }
            b"ci" if keyed => self.collision_triangle(line, 1),
            b"rb" if keyed => self.joint_box(line, 1),
            b"hh" if keyed => self.old_hook(line),
            _ => {
                self.foreign(line.keyword);
                return self.built.aside(line.whole.text());
            }
        }
        self.comment_aside(line);
    }

    fn foreign(&mut self, word: Field<'_>) {
        if OBJ_WORDS.split(' ').any(|known| known.as_bytes() == word.text()) {
            let message = || {
                let word = word.raw();
                format!("lines of Wavefront OBJ such as {word} have no meaning here and are kept aside")
            };
            self.text.tally(Severity::Note, &codes::OBJ_LINE, "", word.spot(), message);
        } else {
            let message = || format!("no line of the format begins with {}; it is kept aside", word.raw());
            self.text.tally(Severity::Warning, &codes::UNKNOWN_LINE, "", word.spot(), message);
        }
    }

    /// Reads the values of a line: at least the first of `N`, while those at the end may be left out.
    fn values<T: Copy, const N: usize>(
        &mut self,
        line: &Parts<'_>,
        [first, what]: [&'static str; 2],
        left_out: T,
        read: impl Fn(&mut Self, Field<'_>) -> T,
    ) -> [T; N] {
        let mut fields = line.rest.fields();
        self.required(&mut fields.clone(), first);
        let mut values = [left_out; N];
        for value in &mut values {
            let Some(field) = fields.next() else { break };
            *value = read(self, field);
        }
        self.nothing_more(fields, what);
        values
    }

    fn face(&mut self, line: &Parts<'_>) {
        let fields: Vec<_> = line.rest.fields().collect();
        if fields.len() < 3 {
            let message = || "a face needs three corners; the line is left out".to_owned();
            self.text.tally(Severity::Warning, &codes::FEW_CORNERS, "", line.keyword.spot(), message);
            return;
        }
        let corners: Vec<_> = fields.iter().map(|field| self.corner(*field)).collect();
        self.take_face(&corners, &fields, line);
    }

    pub(super) fn take_face(&mut self, corners: &[[i32; 5]], fields: &[Field<'_>], line: &Parts<'_>) {
        if self.built.take_face(corners, fields, line.whole).is_none() {
            let message = "the faces have more corners than 32-bit indices can count";
            self.text.error(&codes::TOO_MANY, self.text.here(), message);
        }
    }

    fn corner(&mut self, field: Field<'_>) -> [i32; 5] {
        let [position, uv, normal, joints, weights] = match parse_corner::<5>(field.text()) {
            Ok(corner) => corner,
            Err(error) => {
                let why = match error {
                    CornerError::NotWhole => "a part is not a whole number",
                    CornerError::TooMany => "it has more than five parts",
                    CornerError::NoPosition => "its position is missing",
                };
                let message = format!("{} is not a corner: {why}", field.raw());
                self.text.error(&codes::CORNER, field.spot(), message);
                return [0, -1, -1, ABSENT, ABSENT];
            }
        };
        let model = &self.built.model;
        let counts = [model.positions.len(), model.uvs.len(), model.normals.len()];
        let [found, uv_found, normal_found] = [(position, counts[0]), (uv, counts[1]), (normal, counts[2])]
            .map(|(index, count)| if index == ABSENT { None } else { Some(resolve(index, count)) });
        let position = found.flatten().unwrap_or_else(|| {
            let message = format!("there is no position {position}; {} are listed so far", counts[0]);
            self.text.error(&codes::POSITION_INDEX, field.spot(), message);
            0
        });
        for (what, index, found) in [("texture coordinate", uv, uv_found), ("normal", normal, normal_found)] {
            if found == Some(None) {
                let message = || format!("there is no {what} {index}; the corner is read without it");
                self.text.tally(Severity::Warning, &codes::ATTRIBUTE_INDEX, what, field.spot(), message);
            }
        }
        let or_none = |found: Option<Option<i32>>| found.flatten().unwrap_or(-1);
        [position, or_none(uv_found), or_none(normal_found), joints, weights]
    }

    /// Reads `ao NAME`, in the keyed and counted dialects followed by a mask.
    pub(super) fn object(&mut self, line: &Parts<'_>, still: bool) {
        let (name, mask) = self.name_and_number(line.rest);
        let mask = mask.and_then(parse_integer).and_then(|mask| u32::try_from(mask).ok());
        let name = self.name(name, "object");
        let first_face = self.built.model.faces.len() as u32;
        let objects = &mut self.built.model.objects;
        objects.push(Object { still, name, mask, texture: None, first_face });
        // Only the first one is written before the lists.
        if objects.len() == 1 {
            self.built.last = Section::Object;
        }
    }

    fn texture(&mut self, line: &Parts<'_>) {
        if line.rest.is_empty() {
            let message = "the texture's path is missing";
            return self.text.error(&codes::MISSING, line.keyword.end().spot(), message);
        }
        let path = self.name(line.rest, "texture");
        self.check_texture(&path, line.rest);
        let objects = &mut self.built.model.objects;
        if objects.is_empty() {
            objects.push(Object::default());
        }
        let is_first = objects.len() == 1;
        match objects.last_mut() {
            Some(object) if object.texture.is_none() => {
                object.texture = Some(path);
                if is_first {
                    self.built.last = Section::Object;
                }
            }
            _ => {
                let message = || "the object already has a texture; the first one is used".to_owned();
                self.text.tally(Severity::Warning, &codes::SECOND_TEXTURE, "", line.keyword.spot(), message);
                self.built.aside(line.whole.text());
            }
        }
    }

    /// Reads `j NAME PARENT`, in the keyed dialect followed by sixteen numbers. Names may contain spaces, so the line is
    /// read from its end.
    fn joint(&mut self, line: &Parts<'_>) {
        let fields: Vec<_> = line.rest.fields().collect();
        let matrix_at = fields.len().checked_sub(16).filter(|&at| at >= 1 && self.is_keyed());
        let is_matrix = |at: &usize| {
            fields[*at..].iter().all(|field| parse_f32(field.text()).is_ok())
                && parse_integer(fields[*at - 1]).is_some()
        };
        let matrix_at = matrix_at.filter(is_matrix);
        let Some(parent) = matrix_at.unwrap_or(fields.len()).checked_sub(1).map(|at| fields[at]) else {
            let message = "a joint needs a name and its parent's number";
            return self.text.error(&codes::MISSING, line.keyword.end().spot(), message);
        };
        let rest = matrix_at.map(|at| self.numbers(fields[at].up_to(line.rest).fields(), "a matrix"));
        let name = before(line.rest, parent);
        if name.is_empty() {
            let message = "a joint needs a name and its parent's number";
            self.text.error(&codes::MISSING, line.rest.spot(), message);
        }
        let name = self.name(name, "joint");
        let parent = self.integer(parent, "the parent of a joint");
        self.built.add_joint(Joint { name, parent, rest }, line);
    }

    /// Reads `jp PARENT` of the earliest draft.
    fn unnamed_joint(&mut self, line: &Parts<'_>) {
        let parent = self.required_integer(&mut line.rest.fields(), "the parent of a joint").unwrap_or(-1);
        let name = format!("joint{}", self.built.model.joints.len()).into();
        self.built.add_joint(Joint { name, parent, rest: None }, line);
    }
}

/// Adds what was read tolerantly, and notes its place if a message may need it.
impl Built {
    pub(super) fn add_position(&mut self, position: [f32; 3], line: &Parts<'_>) {
        self.model.positions.push(position);
        self.last = Section::Positions;
        self.note_line(|| line.whole.spot());
    }

    pub(super) fn add_uv(&mut self, uv: [f32; 2], line: &Parts<'_>) {
        self.model.uvs.push(uv);
        self.last = Section::Uvs;
        self.note_line(|| line.whole.spot());
    }

    pub(super) fn add_normal(&mut self, normal: [f32; 3], line: &Parts<'_>) {
        self.places.note_normal(&normal, line.whole);
        self.model.normals.push(normal);
        self.last = Section::Normals;
        self.note_line(|| line.whole.spot());
    }

    pub(super) fn add_joint_set(&mut self, set: [i32; 4], line: &Parts<'_>) {
        let Self { model, places, .. } = self;
        places.note_joint_set(model.joint_sets.len(), set, model.joints.len(), line);
        model.joint_sets.push(set);
        self.last = Section::JointSets;
        self.note_line(|| line.whole.spot());
    }

    pub(super) fn add_weight_set(&mut self, weights: [f32; 4], line: &Parts<'_>) {
        self.places.note_weights(&weights, line.whole);
        self.model.weight_sets.push(weights);
        self.last = Section::WeightSets;
    }

    pub(super) fn add_joint(&mut self, joint: Joint, line: &Parts<'_>) {
        self.places.joints.push(line.whole.spot());
        self.model.joints.push(joint);
        self.last = Section::Joints;
    }
}
