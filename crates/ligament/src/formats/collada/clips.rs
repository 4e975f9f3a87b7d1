//! Channels to clips: one per `<animation_clip>`, or one of all animations.

use super::animation::Drive;
use super::codes;
use super::import::{Import, attribute_number};
use super::moving::Moving;
use super::transforms::{Kind, Stack};
use super::xml::{Xml, after, children, name};
use crate::motion::{Baked, Fit, KeyBudget, Reach, Side, Task, Tolerance, TrackFits, Value};
use crate::pose::{Moved, OwnClip};
use crate::report::Loss;
use crate::scene::{Clip, NodeId, Values};
use glam::{DQuat, DVec3};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

/// Most transforms of an animated node: each is computed at each key of each. Modelling programs write about twenty.
const MOST_STEPS: usize = 256;

/// The channels and the time range that make up a clip.
struct Part<'d> {
    name: String,
    /// The animations to include; `None` means all.
    animations: Option<HashSet<roxmltree::NodeId>>,
    window: Option<(f64, f64)>,
    element: Xml<'d>,
}

/// What a channel moves, by the index of its element.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Moves {
    Node(u32),
    Weights(u32),
}

/// The channels by the animation around them, in the file's order, each with its index.
struct Within(Vec<(u32, usize)>);

impl Within {
    fn of(drives: &[(Moves, &Drive)]) -> Self {
        let mut all: Vec<_> =
            drives.iter().enumerate().map(|(i, (_, drive))| (drive.animation.get(), i)).collect();
        all.sort_unstable();
        Self(all)
    }

    /// Those within any of these animations, ascending.
    fn drives(&self, root: Xml<'_>, animations: &HashSet<roxmltree::NodeId>) -> BTreeSet<usize> {
        let animations = animations.iter().filter_map(|animation| root.document().get_node(*animation));
        let within = animations.flat_map(|animation| {
            let start = self.0.partition_point(|(id, _)| *id < animation.id().get());
            let end = after(animation).map(|after| self.0.partition_point(|(id, _)| *id < after));
            self.0.get(start..end.unwrap_or(self.0.len())).unwrap_or_default()
        });
        within.map(|(_, index)| *index).collect()
    }
}

impl<'d> Import<'d, '_> {
    /// Creates the clips.
    pub(super) fn clips(&mut self) {
        if self.driven.nodes.is_empty() && self.driven.weights.is_empty() {
            return;
        }
        let nodes = std::mem::take(&mut self.driven.nodes);
        let weights = std::mem::take(&mut self.driven.weights);
        let of_nodes = nodes.iter().flat_map(|(node, drives)| drives.iter().map(|d| (Moves::Node(*node), d)));
        let of_morphs =
            weights.iter().flat_map(|(morph, drives)| drives.iter().map(|d| (Moves::Weights(*morph), d)));
        let drives: Vec<(Moves, &Drive)> = of_nodes.chain(of_morphs).collect();
        let within = Within::of(&drives);
        let (reach, mut budget) = (Reach::of(&self.scene), KeyBudget::default());
        for part in self.parts(drives.iter().map(|(_, drive)| *drive)) {
            let own: Vec<(Moves, &Drive)> = match &part.animations {
                Some(animations) => {
                    within.drives(self.root, animations).into_iter().map(|i| drives[i]).collect()
                }
                None => drives.clone(),
            };
            let all = || own.iter().map(|(_, drive)| *drive);
            let times =
                all().flat_map(|d| d.curves.first().map(|c| (c.times[0], c.times[c.times.len() - 1])));
            let (first, last) = times.fold((f64::MAX, f64::MIN), |(a, b), (x, y)| (a.min(x), b.max(y)));
            if first > last {
                continue;
            }
            let (start, end) = part.window.unwrap_or((first.min(0.0), last));
            if part.window.is_none() && first < 0.0 {
                let message = format!("keys start at {first} s; the clip is moved to start at 0");
                self.report.note(&codes::TIMES, self.place(part.element), message);
            }
            let mut baking = Baking {
                clip: Clip { name: part.name.clone(), ..Clip::default() },
                start,
                end,
                reach: &reach,
                budget: &mut budget,
                fits: TrackFits::default(),
                shear: (0, 0.0),
                own: OwnClip::new(exact_times(all()).map(|time| time - start)),
            };
            for same in own.chunk_by(|a, b| a.0 == b.0) {
                let drives: Vec<&Drive> = same.iter().map(|(_, drive)| *drive).collect();
                match same[0].0 {
                    Moves::Node(node) => self.node_tracks(node, &drives, &mut baking),
                    Moves::Weights(morph) => self.weight_tracks(morph, &drives, &mut baking),
                }
            }
            self.finish(baking, part.element);
        }
    }

    fn finish(&mut self, baking: Baking<'_>, element: Xml<'d>) {
        let Baking { mut clip, start, end, fits, shear, own, .. } = baking;
        let length = ((end - start) as f32).max(0.0);
        clip.duration = if length.is_finite() { length.max(clip.last_key()) } else { clip.last_key() };
        let keys: usize = clip.tracks.iter().map(|t| t.times.len() * 24 + 64).sum();
        if clip.tracks.is_empty() || self.spend(keys, element).is_none() {
            return;
        }
        let object = format!("clip {:?}", clip.name);
        let message = "curves were converted to linear tracks, with more keys where they bend";
        fits.report(&self.scene, &codes::BAKED, &object, message, self.report);
        let message = "animated nodes with shear were given the nearest scale and rotation";
        let unit = "of the model's size";
        self.report.loss(Loss::approximated(&codes::SHEAR, object, shear.0, shear.1, unit, message));
        self.scene.clips.push(clip);
        self.own.push(own);
    }

    /// The clips of the file: those that it names, and one for all other animations.
    fn parts<'a>(&mut self, drives: impl Iterator<Item = &'a Drive>) -> Vec<Part<'d>> {
        let library = children(self.root, "library_animations").next().unwrap_or(self.root);
        let stated: Vec<_> = self.library("library_animation_clips", "animation_clip").collect();
        let mut parts = Vec::new();
        let mut used = HashSet::new();
        for element in stated {
            let mut animations = HashSet::new();
            for instance in children(element, "instance_animation") {
                animations.extend(self.target(instance, "url").map(|a| a.id()));
            }
            used.extend(&animations);
            let number = |name| element.attribute(name).and_then(|v: &str| attribute_number(v));
            let start = number("start").unwrap_or(0.0);
            let end = number("end");
            if end.is_some_and(|end| end < start) {
                self.warning(&codes::TIMES, element, "the clip ends before it starts; its end is ignored");
            }
            let end = end.filter(|end| *end >= start);
            parts.push(Part {
                name: name(element).to_owned(),
                window: Some((start, end.unwrap_or(f64::INFINITY))),
                animations: Some(animations),
                element,
            });
        }
        let name = library.attribute("name").filter(|n| !n.is_empty()).unwrap_or("animation").to_owned();
        if parts.is_empty() {
            return vec![Part { name, animations: None, window: None, element: library }];
        }
        let rest: HashSet<_> =
            drives.map(|d| d.animation).filter(|a| !is_within(self.root, *a, &used)).collect();
        if !rest.is_empty() {
            let message = "animations that no clip names become a clip of their own";
            self.report.note(&codes::CLIPS, self.place(library), message);
            parts.push(Part { name, animations: Some(rest), window: None, element: library });
        }
        parts
    }

    fn node_tracks(&mut self, element: u32, drives: &[&Drive], baking: &mut Baking<'_>) {
        let Some(element) = self.root.document().get_node(roxmltree::NodeId::from(element)) else { return };
        let placements = self.placed.get(&element.id()).cloned().unwrap_or_default();
        for id in placements {
            let is_root = self.scene.nodes[id.index()].parent.is_none();
            let stack = self.stack(element, is_root);
            if stack.steps.len() > MOST_STEPS {
                let message = format!(
                    "an animated node has {} transforms; at most {MOST_STEPS} are read",
                    stack.steps.len()
                );
                return self.error(&codes::TOO_BIG, element, message);
            }
            baking.node(id, stack, drives);
        }
    }

    fn weight_tracks(&mut self, morph: u32, drives: &[&Drive], baking: &mut Baking<'_>) {
        for node in self.driven.morphed.get(&morph).cloned().unwrap_or_default() {
            let Some(mesh) = self.scene.nodes[node.index()].mesh else { continue };
            let rest: Vec<f64> =
                self.scene.meshes[mesh.index()].morphs.iter().map(|m| f64::from(m.weight)).collect();
            if !rest.is_empty() {
                baking.weights(node, &rest, drives);
            }
        }
    }
}

/// A clip being built.
struct Baking<'a> {
    clip: Clip,
    start: f64,
    end: f64,
    reach: &'a Reach,
    budget: &'a mut KeyBudget,
    fits: TrackFits,
    /// The number of nodes with shear, and how far it moves vertices at most, as a fraction of the model's size.
    shear: (usize, f64),
    own: OwnClip,
}

impl Baking<'_> {
    /// The key times within the clip, and its ends where something moves across them.
    fn keys(&self, drives: &[&Drive]) -> Vec<f64> {
        let mut keys: Vec<f64> = Vec::new();
        let (mut first, mut last) = (f64::MAX, f64::MIN);
        for curve in drives.iter().filter_map(|d| d.curves.first()) {
            keys.extend(curve.times.iter().copied().filter(|t| (self.start..=self.end).contains(t)));
            first = first.min(curve.times[0]);
            last = last.max(curve.times[curve.times.len() - 1]);
        }
        keys.extend([self.start, self.end].into_iter().filter(|t| *t > first && *t < last));
        if keys.is_empty() {
            // All keys are before or after the clip: the value is held.
            keys.push(if first > self.end { self.end.min(first) } else { self.start });
        }
        keys.sort_by(f64::total_cmp);
        keys.dedup();
        keys
    }

    fn node(&mut self, node: NodeId, stack: Stack, drives: &[&Drive]) {
        let keys = self.keys(drives);
        let rest = stack.rest();
        let moving = Arc::new(Moving::new(stack, drives));
        let (exact, start) = (Arc::clone(&moving), self.start);
        self.own.add(node, move |seconds| Moved::Local(exact.local(seconds + start)));
        let (shear, values) = (Cell::new(0.0_f64), RefCell::new(moving.values()));
        let pose = |time, side| {
            let pose = moving.pose(time, side, &mut values.borrow_mut());
            shear.set(shear.get().max(pose.error));
            pose
        };
        // Properties that cannot move get no keys and no track.
        let of = |kind| if moving.moves(kind) { &keys[..] } else { &[] };
        let reach = self.reach;
        let (keys, weight) = (of(Kind::Translate), reach.translation(node));
        let translation = self.bake(node, keys, weight, |time, side| pose(time, side).translation);
        let (keys, weight) = (of(Kind::Scale), reach.scale(node));
        let scale = self.bake(node, keys, weight, |time, side| pose(time, side).scale);
        let (keys, weight) = (of(Kind::Rotate), reach.rotation(node));
        let rotation = self.bake(node, keys, weight, |time, side| pose(time, side).rotation);
        if shear.get() > 1e-5 {
            let size = reach.shear(node, shear.get(), rest.scale);
            self.shear = (self.shear.0 + 1, self.shear.1.max(size));
        }
        let single = |v: &DVec3| glam::Vec3::new(finite(v.x), finite(v.y), finite(v.z));
        let vectors = |values: &[DVec3]| values.iter().map(single).collect();
        let turns = |values: &[DQuat]| values.iter().map(|q| q.as_quat().normalize()).collect();
        let tracks = [
            translation
                .leaving(&rest.translation)
                .map(|b| b.track(node, |v| Values::Translation(vectors(v)))),
            rotation.leaving(&rest.rotation).map(|b| b.track(node, |v| Values::Rotation(turns(v)))),
            scale.leaving(&rest.scale).map(|b| b.track(node, |v| Values::Scale(vectors(v)))),
        ];
        self.clip.tracks.extend(tracks.into_iter().flatten());
    }

    fn bake<V: Value>(
        &mut self,
        node: NodeId,
        keys: &[f64],
        weight: f64,
        at: impl Fn(f64, Side) -> V,
    ) -> Baked<V> {
        let mut fit = Fit::new(Tolerance::FINE, self.budget);
        let baked = Task { keys, shift: self.start, weight }.bake(&mut fit, at);
        self.fits.add(node, fit.done);
        baked
    }

    fn weights(&mut self, node: NodeId, rest: &[f64], drives: &[&Drive]) {
        let keys = self.keys(drives);
        let (rest, count) = (rest.to_vec(), rest.len());
        let drives: Vec<Drive> = drives.iter().map(|&drive| drive.clone()).collect();
        let at = Arc::new(move |time: f64, side: Side| {
            let mut weights = rest.clone();
            drives.iter().for_each(|drive| drive.apply(&mut weights, time, side));
            weights
        });
        let (exact, start) = (Arc::clone(&at), self.start);
        let single = |weights: Vec<f64>| weights.into_iter().map(finite).collect();
        self.own.add(node, move |seconds| Moved::MorphWeights(single(exact(seconds + start, Side::After))));
        let baked = self.bake(node, &keys, self.reach.morph_weights(node), &*at);
        let weights = |values: &[Vec<f64>]| values.iter().flatten().map(|w| finite(*w)).collect();
        let values = |values: &[_]| Values::MorphWeights { count, weights: weights(values) };
        self.clip.tracks.push(baked.track(node, values));
    }
}

fn finite(value: f64) -> f32 {
    let value = value as f32;
    if value.is_finite() { value } else { 0.0 }
}

/// The key times of all channels.
fn exact_times<'a>(drives: impl Iterator<Item = &'a Drive>) -> impl Iterator<Item = f64> {
    drives.filter_map(|drive| drive.curves.first()).flat_map(|curve| curve.times.iter().copied())
}

/// Whether the set contains an animation or one of its ancestors.
fn is_within(root: Xml<'_>, animation: roxmltree::NodeId, set: &HashSet<roxmltree::NodeId>) -> bool {
    let element = root.document().get_node(animation);
    element.is_some_and(|element| element.ancestors().any(|a| set.contains(&a.id())))
}
