//! Reports things that are readable but odd.

use super::Reader;
use crate::formats::amo::codes;
use crate::formats::amo::document::{Clip, Dialect, Keys, Model};
use crate::report::{Code, Severity, counted};
use crate::text::{RawText, Spot};
use glam::Vec3;
use std::collections::{HashMap, HashSet};

/// Frames per second of the add-on that wrote frame numbers.
const FRAME_RATE: f32 = 24.0;

/// Whether a triangle faces the way its normals point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Facing {
    Right,
    /// The normals point sideways.
    Beside,
    /// The normals point the opposite way.
    Against,
    /// It has no normals, or no area.
    Nowhere,
    /// A position or a normal has not been read yet.
    Unknown,
}

/// Compares the side that a triangle faces with its normals. Normalises the normals if `odd` says that some are not of
/// unit length.
#[inline(always)]
pub(super) fn facing(model: &Model, corners: [[i32; 2]; 3], odd: bool) -> Facing {
    let [mut places, mut normals] = [[Vec3::ZERO; 3]; 2];
    for (i, [place, normal]) in corners.into_iter().enumerate() {
        let (Some(place), Some(normal)) =
            (model.positions.get(place as usize), model.normals.get(normal as usize))
        else {
            let is_missing = corners.iter().flatten().any(|&index| index < 0);
            return if is_missing { Facing::Nowhere } else { Facing::Unknown };
        };
        places[i] = Vec3::from_array(*place);
        normals[i] = Vec3::from_array(*normal);
    }
    let ([a, b, c], [na, nb, nc]) =
        (places, if odd { normals.map(Vec3::normalize_or_zero) } else { normals });
    let (across, sum) = ((b - a).cross(c - a), na + nb + nc);
    let (along, square) = (across.dot(sum), across.length_squared());
    // Nearly all faces are clearly right; this test needs no square root.
    if along > 0.0 && along * along > 0.0901 * square && square >= f32::MIN_POSITIVE {
        return Facing::Right;
    }
    match across.try_normalize().map(|facing| facing.dot(sum) / 3.0) {
        None => Facing::Nowhere,
        Some(along) if along < -0.1 => Facing::Against,
        Some(along) if along < 0.1 => Facing::Beside,
        Some(_) => Facing::Right,
    }
}

#[inline(always)]
pub(super) fn is_odd_normal(normal: &[f32; 3]) -> bool {
    (Vec3::from_array(*normal).length() - 1.0).abs() > 1e-3
}

/// Whether the sum of weights is neither one nor zero.
#[inline(always)]
pub(super) fn is_odd_sum(weights: &[f32; 4]) -> bool {
    let sum = weights.iter().map(|&v| f64::from(v)).sum::<f64>();
    sum != 0.0 && (sum - 1.0).abs() > 1e-3
}

impl Reader<'_, '_> {
    pub(super) fn look_for_oddities(&mut self, editamo: bool) {
        self.odd_normals();
        self.odd_faces();
        self.odd_weights();
        self.odd_keys();
        self.odd_names();
        if self.marked.is_none() {
            self.torn_vertices();
            self.unused();
        }
        if editamo {
            let message =
                "made by editamo, whose V axis points down; texture coordinates are read accordingly";
            self.odd(Severity::Note, &codes::EDITAMO, self.built.places.model, message.to_owned());
        }
    }

    fn odd(&mut self, severity: Severity, code: &'static Code, spot: Spot, message: String) {
        self.text.tally(severity, code, "", spot, || message);
    }

    /// Known quirks of the exporters that write rest matrices are notes. In other files they are warnings.
    fn severity(&self) -> Severity {
        if self.dialect.has_rest() { Severity::Note } else { Severity::Warning }
    }

    fn odd_normals(&mut self) {
        let Some(first) = self.built.places.normal else { return };
        let count = self.built.model.normals.iter().filter(|normal| is_odd_normal(normal)).count();
        let which = counted(count, "normal is", "normals are");
        let message = format!("{which} not of length one and will be normalised");
        // The add-on divides by the sum of the components, so hardly any normal is.
        self.odd(self.severity(), &codes::NORMAL_LENGTH, first, message);
    }

    /// Reports triangles that do not face the way their normals point.
    fn odd_faces(&mut self) {
        let (model, places) = (&self.built.model, &self.built.places);
        if places.faces.is_empty() && places.normal.is_none() {
            return;
        }
        let (mut seen, mut beside, mut against, mut first) = (0, 0, 0, None);
        for face in 0..model.faces.len() {
            let Some([a, b, c, ..]) = model.faces.corners.get(model.faces.range(face, face + 1)) else {
                continue;
            };
            let [Some(a), Some(b), Some(c)] = [a, b, c].map(|&v| model.vertices.get(v as usize)) else {
                continue;
            };
            let corners = [a, b, c].map(|corner| [corner.position, corner.normal]);
            let facing = facing(model, corners, places.normal.is_some());
            seen += usize::from(!matches!(facing, Facing::Nowhere | Facing::Unknown));
            against += usize::from(facing == Facing::Against);
            if matches!(facing, Facing::Beside | Facing::Against) {
                beside += 1;
                first.get_or_insert(face);
            }
        }
        let Some(first) = first else { return };
        let spot =
            places.faces.iter().find(|(face, _)| *face == first).map_or(places.model, |(_, spot)| *spot);
        let message = if against * 2 > seen {
            format!("{against} of {seen} faces look inside out: their normals point the other way")
        } else {
            format!("{beside} of {seen} faces do not face where their normals point")
        };
        self.odd(Severity::Warning, &codes::NORMALS_DISAGREE, spot, message);
    }

    fn odd_weights(&mut self) {
        if let Some(first) = self.built.places.weight_sum {
            let count = self.built.model.weight_sets.iter().filter(|weights| is_odd_sum(weights)).count();
            let which = counted(count, "set of weights does", "sets of weights do");
            let message = format!("{which} not sum to one; each is divided by its sum");
            // The add-on divides by the vector's length instead.
            self.odd(self.severity(), &codes::WEIGHT_SUM, first, message);
        }
        if let Some(first) = self.built.places.negative_weight {
            self.odd(Severity::Warning, &codes::NEGATIVE_WEIGHT, first, "a weight is below zero".to_owned());
        }
    }

    fn odd_keys(&mut self) {
        let Self { text, built, .. } = self;
        let start = built.places.model;
        let mut late = built.places.late.iter().peekable();
        for (i, Clip { name, keys, .. }) in built.model.clips.iter().enumerate() {
            let no_first = || format!("clip {name} has no key at time 0, which the specification requires");
            match keys {
                Keys::Single(keys) => {
                    let spot = late.next_if(|(clip, _)| *clip == i).map_or(start, |(_, spot)| *spot);
                    if !keys.is_empty() && keys.iter().all(|key| key.time > 0.0) {
                        text.tally(Severity::Warning, &codes::NO_FIRST_KEY, "", spot, no_first);
                    }
                }
                Keys::Poses(poses) => {
                    if !poses.is_empty() && poses.iter().all(|pose| pose.progress > 0.0) {
                        text.tally(Severity::Warning, &codes::NO_FIRST_KEY, "", start, no_first);
                    }
                    if !poses.is_sorted_by_key(|pose| pose.progress) {
                        let message = || format!("the keys of clip {name} are not in order; they are sorted");
                        text.tally(Severity::Note, &codes::UNSORTED, "", start, message);
                    }
                    if poses.iter().any(|pose| pose.progress > 1.0 + 1e-6) {
                        let message = || format!("clip {name} has keys after its end");
                        text.tally(Severity::Warning, &codes::KEY_AFTER_END, "", start, message);
                    }
                }
            }
        }
    }

    fn odd_names(&mut self) {
        fn twice<'n>(names: impl Iterator<Item = &'n RawText>) -> Option<(usize, &'n RawText)> {
            let mut seen = HashSet::new();
            names.enumerate().find(|(_, name)| !seen.insert(*name))
        }
        let Self { text, built, .. } = self;
        if let Some((index, name)) = twice(built.model.joints.iter().map(|joint| &joint.name)) {
            let message = || format!("two joints are called {name}");
            let spot = built.places.joint(index);
            text.tally(Severity::Warning, &codes::DUPLICATE_NAME, "joint", spot, message);
        }
        if let Some((_, name)) = twice(built.model.clips.iter().map(|clip| &clip.name)) {
            let message = || format!("two clips are called {name}");
            text.tally(Severity::Warning, &codes::DUPLICATE_NAME, "clip", built.places.model, message);
        }
    }

    /// Reports positions whose corners follow different joints: the surface tears there when it moves.
    fn torn_vertices(&mut self) {
        let (model, places) = (&self.built.model, &self.built.places);
        let Some(torn) = places.unmarked.as_ref().map(|u| &u.torn).filter(|torn| !torn.is_empty()) else {
            return;
        };
        // The joints and weights that a pair of indices refers to.
        let pull = |(joints, weights): (i32, i32)| {
            let joints = model.joint_sets.get(usize::try_from(joints).ok()?)?;
            let weights = model.weight_sets.get(usize::try_from(weights).ok()?)?;
            Some((*joints, weights.map(f32::to_bits)))
        };
        let mut bound: HashMap<i32, (i32, i32)> = HashMap::new();
        let (mut count, mut first) = (0, None);
        for (vertex, corner) in model.vertices.iter().enumerate() {
            let pair = (corner.joints, corner.weights);
            let known = *bound.entry(corner.position).or_insert(pair);
            if known != pair && pull(known) != pull(pair) {
                count += 1;
                first.get_or_insert(vertex);
            }
        }
        let Some(first) = first else { return };
        let spot = torn.iter().find(|(vertex, _)| *vertex as usize == first).map(|(_, spot)| *spot);
        let which = counted(count, "corner follows", "corners follow");
        let message = format!("{which} other joints than the same position elsewhere; the surface tears");
        self.odd(Severity::Warning, &codes::TEARS, spot.unwrap_or(places.model), message);
    }

    fn unused(&mut self) {
        let Self { text, built, .. } = self;
        let (model, Some(unmarked)) = (&built.model, &built.places.unmarked) else { return };
        if model.faces.is_empty() {
            return;
        }
        let lists = [
            ("positions", model.positions.len()),
            ("texture coordinates", model.uvs.len()),
            ("normals", model.normals.len()),
        ];
        for (list, (what, length)) in lists.into_iter().enumerate() {
            let mut used = vec![false; length];
            for corner in &model.vertices {
                let index = [corner.position, corner.uv, corner.normal][list];
                if let Some(used) = usize::try_from(index).ok().and_then(|i| used.get_mut(i)) {
                    *used = true;
                }
            }
            let count = used.iter().filter(|used| !**used).count();
            if let Some(first) = used.iter().position(|used| !used) {
                let spot = unmarked.lists[list].get(first).copied().unwrap_or(built.places.model);
                let message = || format!("{count} of {length} {what} are not used by any face");
                text.tally(Severity::Note, &codes::UNUSED, what, spot, message);
            }
        }
    }

    /// Converts key times of the keyed dialect to fractions of the duration, as in the counted dialect. Older files,
    /// without durations, have frame numbers as times.
    pub(super) fn finish_keyed_clips(&mut self) {
        if self.dialect != Dialect::Keyed {
            return;
        }
        let Self { text, built, .. } = self;
        for Clip { name, duration, keys } in &mut built.model.clips {
            let Keys::Poses(poses) = keys else { continue };
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
            let message = || {
                format!("key times of clip {name} are frame numbers, read at {FRAME_RATE} frames per second")
            };
            text.tally(Severity::Note, &codes::FRAME_TIMES, "", built.places.model, message);
        }
    }
}
