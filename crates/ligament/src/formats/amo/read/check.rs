//! References that lead nowhere. Each kind is told once, where it first occurs, with how many there are.

use super::Reader;
use crate::formats::amo::codes;
use crate::formats::amo::document::{Keys, Section};
use crate::formats::amo::skeleton::{Skeleton, Trouble};
use crate::report::{Code, Severity};
use crate::text::RawText;
use std::ops::Range;

/// Which key of a clip.
enum KeyAt {
    /// Its number.
    Single(usize),
    /// The pose that it is in, and its number there.
    Pose(usize, usize),
}

impl Reader<'_, '_> {
    /// Checks every index of the model, and drops texture coordinates and normals that are not there.
    pub(super) fn check_model(&mut self) {
        self.check_corners();
        if !self.contradicting {
            self.check_joint_sets();
            self.check_parents();
            self.check_keys();
        }
        self.check_shapes();
    }

    /// Tells how often something is wrong, at the place of the first, which is a span of the file.
    fn told(
        &mut self,
        severity: Severity,
        code: &'static Code,
        count: usize,
        span: Range<usize>,
        message: String,
    ) {
        let message = match count {
            1 => message,
            more => format!("{message} ({} more like this)", more - 1),
        };
        if severity == Severity::Error {
            self.errors += 1;
        }
        let place = self.place_at(span);
        self.report.push(crate::report::Diagnostic::new(severity, code, place, message));
    }

    fn check_corners(&mut self) {
        let model = &self.model;
        let listed = [
            ("position", model.positions.len()),
            ("texture coordinate", model.uvs.len()),
            ("normal", model.normals.len()),
            ("`vj` line", model.joint_sets.len()),
            ("`vw` line", model.weight_sets.len()),
        ];
        let mut wrong: [(usize, usize, i32); 5] = [(0, 0, 0); 5];
        for (vertex, corner) in self.model.faces.vertices.iter_mut().enumerate() {
            let parts = [
                &mut corner.position,
                &mut corner.uv,
                &mut corner.normal,
                &mut corner.joints,
                &mut corner.weights,
            ];
            for (part, index) in parts.into_iter().enumerate() {
                let missing = *index < 0 && part == 0;
                if missing || *index >= 0 && *index as usize >= listed[part].1 {
                    if wrong[part].0 == 0 {
                        wrong[part] = (0, vertex, *index);
                    }
                    wrong[part].0 += 1;
                    *index = -1;
                }
            }
        }
        for (part, (count, vertex, index)) in wrong.into_iter().enumerate().filter(|(_, w)| w.0 > 0) {
            let (what, length) = listed[part];
            let span = self.corner_of(vertex);
            let number = i64::from(index) + i64::from(self.first_number(part));
            let message = format!("there is no {what} {number}; {length} are listed");
            match part {
                0 => self.told(Severity::Error, &codes::POSITION_INDEX, count, span, message),
                1 | 2 => {
                    let message = format!("{message}, and the corner is read without");
                    self.told(Severity::Warning, &codes::ATTRIBUTE_INDEX, count, span, message);
                }
                _ if self.contradicting => {}
                _ => self.told(Severity::Error, &codes::SKIN_INDEX, count, span, message),
            }
        }
    }

    /// What the file calls the first of the things that a part of a corner counts.
    fn first_number(&self, part: usize) -> i32 {
        use crate::formats::amo::document::{Bases, Dialect};
        let bases = Bases::of(self.dialect);
        match part {
            0..3 => i32::from(self.dialect != Dialect::Counted),
            3 => bases.joint_sets,
            _ => bases.weight_sets,
        }
    }

    /// Joints of `vj` lines that a weight makes count must exist; others that do not are as good as none.
    fn check_joint_sets(&mut self) {
        let model = &mut self.model;
        let joints = model.joints.len();
        let outside = |joint: i32| joint >= 0 && joint as usize >= joints;
        let (mut count, mut first) = (0, None);
        for corner in &model.faces.vertices {
            let set = usize::try_from(corner.joints).ok().and_then(|i| Some((i, model.joint_sets.get(i)?)));
            let weights = usize::try_from(corner.weights).ok().and_then(|i| model.weight_sets.get(i));
            let (Some((index, set)), Some(weights)) = (set, weights) else { continue };
            let wrong = |(joint, weight): (&i32, &f32)| *weight != 0.0 && outside(*joint);
            if let Some(slot) = set.iter().zip(weights).position(wrong) {
                count += 1;
                first.get_or_insert((index, slot, set[slot]));
            }
        }
        for joint in model.joint_sets.iter_mut().flatten().filter(|joint| outside(**joint)) {
            *joint = -1;
        }
        if let Some((index, slot, joint)) = first {
            let span = self.field_of(Section::JointSets, index, slot);
            let number = self.text(span.clone());
            let message = format!("there is no joint {number}; {joints} are listed");
            let message = if number.is_empty() { format!("there is no joint {joint}") } else { message };
            self.told(Severity::Error, &codes::JOINT_INDEX, count, span, message);
        }
    }

    fn check_parents(&mut self) {
        let count = self.model.joints.len();
        let wrong = |j: &crate::formats::amo::Joint| j.parent >= 0 && j.parent as usize >= count;
        if let Some(first) = self.model.joints.iter().position(wrong) {
            let wrongs = self.model.joints.iter().filter(|j| wrong(j)).count();
            let joint = &self.model.joints[first];
            let message =
                format!("the parent of joint {} does not exist; {count} joints are listed", joint.name);
            let span = self.line_of(Section::Joints, first);
            self.told(Severity::Error, &codes::PARENT_INDEX, wrongs, span, message);
            return;
        }
        let skeleton = Skeleton::of(&self.model.joints);
        for Trouble { joint, own } in skeleton.troubles.iter().take(20) {
            let name = &self.model.joints[*joint].name;
            let message = match own {
                true => format!("joint {name} is its own parent; it is read as a root"),
                false => format!("the parents of joint {name} lead back to it; it is read as a root"),
            };
            let span = self.line_of(Section::Joints, *joint);
            self.told(Severity::Warning, &codes::PARENT_LOOP, 1, span, message);
        }
        let limit = self.options.limits.max_depth;
        if let Some(joint) = skeleton.deeper_than(limit) {
            let message = format!("joint {} has more than {limit} ancestors", self.model.joints[joint].name);
            let span = self.line_of(Section::Joints, joint);
            self.told(Severity::Error, &codes::TOO_DEEP, 1, span, message);
        }
    }

    fn check_keys(&mut self) {
        let joints = self.model.joints.len();
        let wrong = |joint: i32| joint < 0 || joint as usize >= joints;
        let (mut count, mut first) = (0, None);
        for (c, clip) in self.model.clips.iter().enumerate() {
            match &clip.keys {
                Keys::Single(keys) => {
                    for (k, _) in keys.iter().enumerate().filter(|(_, key)| wrong(key.joint)) {
                        count += 1;
                        first.get_or_insert_with(|| (c, KeyAt::Single(k), clip.name.clone()));
                    }
                }
                Keys::Poses(poses) => {
                    for (p, pose) in poses.iter().enumerate() {
                        let joints = pose.joints.iter().enumerate();
                        for (j, _) in joints.filter(|(_, joint)| wrong(joint.joint)) {
                            count += 1;
                            first.get_or_insert_with(|| (c, KeyAt::Pose(p, j), clip.name.clone()));
                        }
                    }
                }
            }
        }
        if let Some((clip, key, name)) = first {
            let span = match key {
                KeyAt::Single(key) => self.key_joint(clip, key),
                KeyAt::Pose(pose, joint) => self.pose_joint(clip, pose, joint),
            };
            let message =
                format!("a key of clip {name} is of a joint that does not exist; {joints} are listed");
            self.told(Severity::Error, &codes::KEY_JOINT, count, span, message);
        }
    }

    /// Shapes are kept for rewriting only, so that what is wrong with them is told and nothing more.
    fn check_shapes(&mut self) {
        let (joints, shapes) = (self.model.joints.len(), &self.model.shapes);
        let positions = shapes.collision_positions.len();
        let corners = shapes.collision_triangles.iter().flatten();
        let loose = corners.filter(|&&i| i < 0 || i as usize >= positions).count();
        let of_joints = shapes.hooks.iter().map(|h| h.joint).chain(shapes.boxes.iter().map(|b| b.joint));
        let lost = of_joints.filter(|&j| j >= 0 && j as usize >= joints).count();
        if loose + lost > 0 {
            let message = format!(
                "{loose} corners of the collision mesh and {lost} joints of hooks and boxes do not exist"
            );
            let span = self.model_at..self.model_at;
            self.told(Severity::Warning, &codes::SHAPE_INDEX, 1, span, message);
        }
    }

    /// Textures are looked for in the model's folder only.
    pub(super) fn check_texture(&mut self, path: &RawText, span: Range<usize>) {
        match crate::io::safe_relative(&path.to_text()) {
            Err(refusal) => self.error(&codes::TEXTURE_PATH, span, format!("texture {path}: {refusal}")),
            Ok(clean) => {
                if self.folder.is_some_and(|folder| !folder.contains(&clean)) {
                    let message = format!("texture {path} is not in the model's folder");
                    self.tally(Severity::Warning, &codes::TEXTURE_MISSING, "", span, message);
                }
            }
        }
    }
}
