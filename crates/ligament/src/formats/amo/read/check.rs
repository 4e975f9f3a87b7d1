//! Reports invalid references. Each kind is reported once, at its first occurrence, with the number of further ones.

use super::Reader;
use super::usual::Built;
use crate::formats::amo::codes;
use crate::formats::amo::document::{Bases, Dialect, Joint, Keys};
use crate::formats::amo::import::hierarchy;
use crate::report::{Code, Severity};
use crate::text::{Field, RawText, Spot};

impl Reader<'_, '_> {
    /// Checks every index of the model, and drops invalid ones of texture coordinates and normals.
    pub(super) fn check_model(&mut self) {
        self.check_corners();
        if !self.contradicting {
            self.check_joint_sets();
            self.check_parents();
            self.check_keys();
        }
        self.check_shapes();
    }

    /// Reports something that is wrong `count` times, at the place of the first.
    fn told(&mut self, severity: Severity, code: &'static Code, count: usize, spot: Spot, message: String) {
        let message = match count {
            1 => message,
            more => format!("{message} ({} more like this)", more - 1),
        };
        match severity {
            Severity::Error => self.text.error(code, spot, message),
            _ => self.text.warning(code, spot, message),
        }
    }

    fn check_corners(&mut self) {
        let Built { model, places, .. } = &mut self.built;
        if places.corners.is_empty() {
            return;
        }
        let listed = [
            ("position", model.positions.len()),
            ("texture coordinate", model.uvs.len()),
            ("normal", model.normals.len()),
            ("`vj` line", model.joint_sets.len()),
            ("`vw` line", model.weight_sets.len()),
        ];
        // The number of invalid indices, and the first of them.
        let mut wrong = [(0, 0); 5];
        for corner in &mut model.vertices {
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
                    let (count, first) = wrong[part];
                    wrong[part] = (count + 1, if count == 0 { *index } else { first });
                    *index = -1;
                }
            }
        }
        for (part, (count, index)) in wrong.into_iter().enumerate().filter(|(_, (count, _))| *count > 0) {
            let (what, length) = listed[part];
            let base = [0, 0, 0, self.bases.joint_sets, self.bases.weight_sets][part];
            let places = &self.built.places;
            let spot = places.corner(part, index.saturating_add(base)).unwrap_or(places.model);
            let number = i64::from(index) + i64::from(self.first_number(part));
            let message = format!("there is no {what} {number}; {length} are listed");
            match part {
                0 => self.told(Severity::Error, &codes::POSITION_INDEX, count, spot, message),
                1 | 2 => {
                    let message = format!("{message}, and the corner is read without it");
                    self.told(Severity::Warning, &codes::ATTRIBUTE_INDEX, count, spot, message);
                }
                _ if self.contradicting => {}
                _ => self.told(Severity::Error, &codes::SKIN_INDEX, count, spot, message),
            }
        }
    }

    /// The number that the file uses for the first entry of the list that a part of a corner refers to.
    fn first_number(&self, part: usize) -> i32 {
        let bases = Bases::of(self.dialect);
        match part {
            0..3 => i32::from(self.dialect != Dialect::Counted),
            3 => bases.joint_sets,
            _ => bases.weight_sets,
        }
    }

    /// Joints of `vj` lines must exist if they have a weight. Invalid ones without a weight are treated as absent.
    fn check_joint_sets(&mut self) {
        let Built { model, places, .. } = &mut self.built;
        let joints = model.joints.len();
        let outside = |joint: i32| joint >= 0 && joint as usize >= joints;
        let (mut count, mut first) = (0, None);
        for corner in &model.vertices {
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
            let number = joint.saturating_add(self.bases.joints);
            let (spot, number) = match places.joint_set(index, number) {
                Some(set) if set.index == index => (set.fields[slot], number),
                Some(set) => set.largest(),
                None => (places.model, number),
            };
            let message = format!("there is no joint \"{number}\"; {joints} are listed");
            self.told(Severity::Error, &codes::JOINT_INDEX, count, spot, message);
        }
    }

    fn check_parents(&mut self) {
        let Built { model, places, .. } = &self.built;
        let (joints, count) = (&model.joints, model.joints.len());
        let is_wrong = |joint: &Joint| joint.parent >= 0 && joint.parent as usize >= count;
        if let Some(first) = joints.iter().position(is_wrong) {
            let wrongs = joints.iter().filter(|joint| is_wrong(joint)).count();
            let name = &joints[first].name;
            let message = format!("the parent of joint {name} does not exist; {count} joints are listed");
            return self.told(Severity::Error, &codes::PARENT_INDEX, wrongs, places.joint(first), message);
        }
        let tree = hierarchy(joints);
        for &(joint, parent) in tree.cut.iter().take(20) {
            let name = &joints[joint].name;
            let message = match joint == parent {
                true => format!("joint {name} is its own parent; it is read as a root"),
                false => format!("the parents of joint {name} lead back to it; it is read as a root"),
            };
            self.text.warning(&codes::PARENT_LOOP, places.joint(joint), message);
        }
        let limit = self.options.limits.max_depth;
        if let Some(joint) = tree.deeper_than(limit) {
            let message = format!("joint {} has more than {limit} ancestors", joints[joint].name);
            self.text.error(&codes::TOO_DEEP, places.joint(joint), message);
        }
    }

    fn check_keys(&mut self) {
        let Built { model, places, .. } = &self.built;
        let joints = model.joints.len();
        let wrong = |joint: i32| joint < 0 || joint as usize >= joints;
        let (mut count, mut first) = (0, None);
        for clip in &model.clips {
            let wrongs = match &clip.keys {
                Keys::Single(keys) => keys.iter().filter(|key| wrong(key.joint)).count(),
                Keys::Poses(poses) => {
                    poses.iter().flat_map(|pose| &pose.joints).filter(|pose| wrong(pose.joint)).count()
                }
            };
            count += wrongs;
            first = first.or((wrongs > 0).then_some(&clip.name));
        }
        if let Some(name) = first {
            let base = self.bases.keys;
            let spot = places.keys.first(|joint| wrong(joint.saturating_sub(base)));
            let message =
                format!("a key of clip {name} refers to a joint that does not exist; {joints} are listed");
            self.told(Severity::Error, &codes::KEY_JOINT, count, spot.unwrap_or(places.model), message);
        }
    }

    /// Shapes are only kept for rewriting, so errors in them are just warnings.
    fn check_shapes(&mut self) {
        let (joints, shapes) = (self.built.model.joints.len(), &self.built.model.shapes);
        let positions = shapes.collision_positions.len();
        let corners = shapes.collision_triangles.iter().flatten();
        let loose = corners.filter(|&&i| i < 0 || i as usize >= positions).count();
        let of_joints = shapes.hooks.iter().map(|h| h.joint).chain(shapes.boxes.iter().map(|b| b.joint));
        let lost = of_joints.filter(|&j| j >= 0 && j as usize >= joints).count();
        if loose + lost > 0 {
            let message = format!(
                "{loose} corners of the collision mesh and {lost} joints of hooks and boxes do not exist"
            );
            self.text.warning(&codes::SHAPE_INDEX, self.built.places.model, message);
        }
    }

    /// Looks up a texture, only in the model's folder.
    pub(super) fn check_texture(&mut self, path: &RawText, field: Field<'_>) {
        match crate::io::safe_relative(&path.to_text()) {
            Err(refusal) => {
                let message = format!("texture {path}: {refusal}");
                self.text.error(&codes::TEXTURE_PATH, field.spot(), message);
            }
            Ok(clean) => {
                if self.folder.is_some_and(|folder| !folder.contains(&clean)) {
                    let message = || format!("texture {path} is not in the model's folder");
                    self.text.tally(Severity::Warning, &codes::TEXTURE_MISSING, "", field.spot(), message);
                }
            }
        }
    }
}
