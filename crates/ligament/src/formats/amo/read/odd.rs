//! What is readable but odd.

use super::Reader;
use crate::formats::amo::codes;
use crate::formats::amo::document::{Clip, Dialect, Keys, Section};
use crate::report::{Code, Severity, counted};
use crate::text::RawText;
use glam::Vec3;
use std::collections::HashMap;

/// Frames a second of the add-on that wrote frame numbers.
const FRAME_RATE: f32 = 24.0;

impl Reader<'_, '_> {
    pub(super) fn look_for_oddities(&mut self, editamo: bool) {
        if self.odd_normals() {
            self.odd_faces(|normal| normal.normalize_or_zero());
        } else {
            self.odd_faces(|normal| normal);
        }
        self.odd_weights();
        self.odd_keys();
        self.odd_names();
        if self.marked.is_none() {
            self.torn_vertices();
            self.unused();
        }
        if editamo {
            let message = "made by editamo, whose V points down; texture coordinates are read so";
            self.tally_at(Severity::Note, &codes::EDITAMO, "", self.model_at..self.model_at, message);
        }
    }

    /// Returns whether there are any.
    fn odd_normals(&mut self) -> bool {
        let odd = |n: &[f32; 3]| (Vec3::from_array(*n).length() - 1.0).abs() > 1e-3;
        let normals = &self.model.normals;
        let Some(first) = normals.iter().position(odd) else { return false };
        let count = normals[first..].iter().filter(|n| odd(n)).count();
        let span = self.line_of(Section::Normals, first);
        let which = counted(count, "normal is", "normals are");
        let message = format!("{which} not of length one; they are made so");
        // The add-on divides by the sum of the parts, so that hardly any is.
        let severity = if self.dialect.has_rest() { Severity::Note } else { Severity::Warning };
        self.tally_at(severity, &codes::NORMAL_LENGTH, "", span, message);
        true
    }

    /// Triangles whose normals say that they face another way than they do. `unit` makes normals of length one.
    fn odd_faces(&mut self, unit: impl Fn(Vec3) -> Vec3) {
        let model = &self.model;
        let place = |i: i32| {
            let place = usize::try_from(i).ok().and_then(|i| model.positions.get(i));
            place.map(|p| Vec3::from_array(*p))
        };
        let normal = |i: i32| {
            let normal = usize::try_from(i).ok().and_then(|i| model.normals.get(i));
            normal.map(|n| unit(Vec3::from_array(*n)))
        };
        let (mut seen, mut beside, mut against, mut first) = (0, 0, 0, None);
        for face in 0..model.faces.len() {
            let range = model.faces.range(face, face + 1);
            let corner = |i: usize| {
                let vertex = *model.faces.corners.get(range.start + i)?;
                model.faces.vertices.get(vertex as usize)
            };
            let (Some(a), Some(b), Some(c)) = (corner(0), corner(1), corner(2)) else { continue };
            let (Some(pa), Some(pb), Some(pc)) = (place(a.position), place(b.position), place(c.position))
            else {
                continue;
            };
            let (Some(na), Some(nb), Some(nc)) = (normal(a.normal), normal(b.normal), normal(c.normal))
            else {
                continue;
            };
            let (across, sum) = ((pb - pa).cross(pc - pa), na + nb + nc);
            let (along, square) = (across.dot(sum), across.length_squared());
            // Nearly all faces are clearly right, which takes no root.
            if along > 0.0 && along * along > 0.0901 * square && square >= f32::MIN_POSITIVE {
                seen += 1;
                continue;
            }
            let Some(facing) = across.try_normalize() else { continue };
            seen += 1;
            let along = facing.dot(sum) / 3.0;
            against += usize::from(along < -0.1);
            if along < 0.1 {
                beside += 1;
                first.get_or_insert(face);
            }
        }
        let Some(first) = first else { return };
        let span = self.line_of(Section::Faces, first);
        let message = if against * 2 > seen {
            format!("{against} of {seen} faces look inside out: their normals point the other way")
        } else {
            format!("{beside} of {seen} faces do not face where their normals point")
        };
        self.tally_at(Severity::Warning, &codes::NORMALS_DISAGREE, "", span, message);
    }

    fn odd_weights(&mut self) {
        let sets = &self.model.weight_sets;
        let sum = |w: &[f32; 4]| w.iter().map(|&v| f64::from(v)).sum::<f64>();
        let odd = |w: &[f32; 4]| sum(w) != 0.0 && (sum(w) - 1.0).abs() > 1e-3;
        if let Some(first) = sets.iter().position(odd) {
            let count = sets[first..].iter().filter(|w| odd(w)).count();
            let span = self.line_of(Section::WeightSets, first);
            let which = counted(count, "set of weights does", "sets of weights do");
            let message = format!("{which} not sum to one; each is divided by its sum");
            // The add-on divides by the length instead.
            let severity = if self.dialect.has_rest() { Severity::Note } else { Severity::Warning };
            self.tally_at(severity, &codes::WEIGHT_SUM, "", span, message);
        }
        if let Some(first) = self.model.weight_sets.iter().position(|w| w.iter().any(|&v| v < 0.0)) {
            let span = self.line_of(Section::WeightSets, first);
            self.tally_at(Severity::Warning, &codes::NEGATIVE_WEIGHT, "", span, "a weight is below zero");
        }
    }

    fn odd_keys(&mut self) {
        let at = self.model_at..self.model_at;
        for i in 0..self.model.clips.len() {
            let Clip { name, keys, .. } = &self.model.clips[i];
            let no_first = format!("clip {name} has no key at time 0, which the specification requires");
            match keys {
                Keys::Single(keys) if !keys.is_empty() && keys.iter().all(|key| key.time > 0.0) => {
                    // Only the first is told where it stands, and to find a line takes as long as the file is.
                    let told = self.tallies.contains_key(&(codes::NO_FIRST_KEY.id, ""));
                    let span = if told { at.clone() } else { self.key_line(i, 0) };
                    self.tally_at(Severity::Warning, &codes::NO_FIRST_KEY, "", span, no_first);
                }
                Keys::Single(_) => {}
                Keys::Poses(poses) => {
                    let unsorted = !poses.is_sorted_by_key(|pose| pose.progress);
                    let late = poses.iter().any(|pose| pose.progress > 1.0 + 1e-6);
                    let unsorted = unsorted
                        .then(|| format!("the keys of clip {name} are not in order; they are sorted"));
                    let late = late.then(|| format!("clip {name} has keys after its end"));
                    if !poses.is_empty() && poses.iter().all(|pose| pose.progress > 0.0) {
                        self.tally_at(Severity::Warning, &codes::NO_FIRST_KEY, "", at.clone(), no_first);
                    }
                    if let Some(message) = unsorted {
                        self.tally_at(Severity::Note, &codes::UNSORTED, "", at.clone(), message);
                    }
                    if let Some(message) = late {
                        self.tally_at(Severity::Warning, &codes::KEY_AFTER_END, "", at.clone(), message);
                    }
                }
            }
        }
    }

    fn odd_names(&mut self) {
        fn twice<'n>(names: impl Iterator<Item = &'n RawText>) -> Option<(usize, RawText)> {
            let mut seen = std::collections::HashSet::new();
            let found = names.enumerate().find(|(_, name)| !seen.insert(*name));
            found.map(|(i, name)| (i, name.clone()))
        }
        if let Some((index, name)) = twice(self.model.joints.iter().map(|j| &j.name)) {
            let span = self.line_of(Section::Joints, index);
            let message = format!("two joints are called {name}");
            self.tally_at(Severity::Warning, &codes::DUPLICATE_NAME, "joint", span, message);
        }
        if let Some((_, name)) = twice(self.model.clips.iter().map(|c| &c.name)) {
            let message = format!("two clips are called {name}");
            let span = self.model_at..self.model_at;
            self.tally_at(Severity::Warning, &codes::DUPLICATE_NAME, "clip", span, message);
        }
    }

    /// Positions that follow different joints from corner to corner: the surface opens there when it moves.
    fn torn_vertices(&mut self) {
        let mut bound: HashMap<i32, (i32, i32)> = HashMap::new();
        let (mut count, mut first) = (0, None);
        for (vertex, corner) in self.model.faces.vertices.iter().enumerate() {
            let pair = (corner.joints, corner.weights);
            let known = *bound.entry(corner.position).or_insert(pair);
            if known != pair && self.pull(known) != self.pull(pair) {
                count += 1;
                first.get_or_insert(vertex);
            }
        }
        if let Some(vertex) = first {
            let span = self.corner_of(vertex);
            let which = counted(count, "corner follows", "corners follow");
            let message = format!("{which} other joints than the same position elsewhere; the surface tears");
            self.tally_at(Severity::Warning, &codes::TEARS, "", span, message);
        }
    }

    /// The joints and weights that a pair of indices stands for.
    fn pull(&self, (joints, weights): (i32, i32)) -> Option<([i32; 4], [u32; 4])> {
        let joints = self.model.joint_sets.get(usize::try_from(joints).ok()?)?;
        let weights = self.model.weight_sets.get(usize::try_from(weights).ok()?)?;
        Some((*joints, weights.map(f32::to_bits)))
    }

    fn unused(&mut self) {
        let model = &self.model;
        let lists: [(&'static str, Section, usize); 3] = [
            ("positions", Section::Positions, model.positions.len()),
            ("texture coordinates", Section::Uvs, model.uvs.len()),
            ("normals", Section::Normals, model.normals.len()),
        ];
        if model.faces.is_empty() {
            return;
        }
        for (what, section, length) in lists {
            let mut used = vec![false; length];
            for corner in &self.model.faces.vertices {
                let index = match section {
                    Section::Positions => corner.position,
                    Section::Uvs => corner.uv,
                    _ => corner.normal,
                };
                if let Some(used) = usize::try_from(index).ok().and_then(|i| used.get_mut(i)) {
                    *used = true;
                }
            }
            let count = used.iter().filter(|used| !**used).count();
            if let Some(first) = used.iter().position(|used| !used) {
                let span = self.line_of(section, first);
                let code: &'static Code = &codes::UNUSED;
                let message = format!("{count} of {length} {what} are in no face");
                self.tally_at(Severity::Note, code, what, span, message);
            }
        }
    }

    /// Keys of the keyed dialect become fractions of a duration, as the counted one has them. Before it stated durations,
    /// their times were frames.
    pub(super) fn finish_keyed_clips(&mut self) {
        if self.dialect != Dialect::Keyed {
            return;
        }
        let at = self.model_at..self.model_at;
        for i in 0..self.model.clips.len() {
            let Clip { name, duration, keys: Keys::Poses(poses) } = &mut self.model.clips[i] else {
                continue;
            };
            let last = poses.iter().fold(0.0_f32, |last, pose| last.max(pose.progress));
            if duration.is_some() && last <= 1.0 + 1e-6 {
                continue;
            }
            if poses.is_empty() {
                *duration = Some(duration.unwrap_or(0.0));
                continue;
            }
            *duration = Some((last / FRAME_RATE * 1000.0).min(f32::MAX));
            if last > 0.0 {
                poses.iter_mut().for_each(|pose| pose.progress /= last);
            }
            let message = format!("the keys of clip {name} are at frames, read at {FRAME_RATE} a second");
            self.tally_at(Severity::Note, &codes::FRAME_TIMES, "", at.clone(), message);
        }
    }
}
