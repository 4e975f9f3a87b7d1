//! Channels to clips: one per `<animation_clip>`, or one of all animations.

use super::animation::Drive;
use super::bake::{Baked, Task};
use super::codes;
use super::curves::{Curve, Side, Way, segment};
use super::import::{Import, attribute_number};
use super::transforms::{Kind, Pose, Stack, matrix};
use super::xml::{Xml, children, name};
use crate::motion::{Fit, KeyBudget, Reach, Tolerance, TrackFits, Value};
use crate::report::Loss;
use crate::scene::{Clip, Interpolation, NodeId, Track, Values};
use glam::{DMat4, DQuat, DVec3};
use std::cell::{Cell, RefCell};
use std::collections::HashSet;

/// The channels and the time range that make up a clip.
struct Part<'d> {
    name: String,
    /// The animations to include; `None` means all.
    animations: Option<HashSet<roxmltree::NodeId>>,
    window: Option<(f64, f64)>,
    element: Xml<'d>,
}

impl<'d> Import<'d, '_> {
    /// Creates the clips.
    pub(super) fn clips(&mut self) {
        if self.driven.nodes.is_empty() && self.driven.weights.is_empty() {
            return;
        }
        let nodes = std::mem::take(&mut self.driven.nodes);
        let weights = std::mem::take(&mut self.driven.weights);
        let all = || nodes.values().chain(weights.values()).flatten();
        let (reach, mut budget) = (Reach::of(&self.scene), KeyBudget::default());
        for part in self.parts(all()) {
            let counts =
                |d: &&Drive<'d>| part.animations.as_ref().is_none_or(|set| is_within(d.animation, set));
            let times = all()
                .filter(counts)
                .flat_map(|d| d.curves.first().map(|c| (c.times[0], c.times[c.times.len() - 1])));
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
            };
            for (node, drives) in &nodes {
                let drives: Vec<_> = drives.iter().filter(counts).collect();
                if !drives.is_empty() {
                    self.node_tracks(*node, &drives, &mut baking);
                }
            }
            for (morph, drives) in &weights {
                let drives: Vec<_> = drives.iter().filter(counts).collect();
                if !drives.is_empty() {
                    self.weight_tracks(*morph, &drives, &mut baking);
                }
            }
            self.finish(baking, part.element);
        }
    }

    fn finish(&mut self, baking: Baking<'_>, element: Xml<'d>) {
        let Baking { mut clip, start, end, fits, shear, .. } = baking;
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
        let unit = "of the transform's largest element";
        self.report.loss(Loss::approximated(&codes::SHEAR, object, shear.0, shear.1, unit, message));
        self.scene.clips.push(clip);
    }

    /// The clips of the file: those that it names, and one for all other animations.
    fn parts<'a>(&mut self, drives: impl Iterator<Item = &'a Drive<'d>>) -> Vec<Part<'d>>
    where
        'd: 'a,
    {
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
            drives.map(|d| d.animation).filter(|a| !is_within(*a, &used)).map(|a| a.id()).collect();
        if !rest.is_empty() {
            let message = "animations that no clip names become a clip of their own";
            self.report.note(&codes::CLIPS, self.place(library), message);
            parts.push(Part { name, animations: Some(rest), window: None, element: library });
        }
        parts
    }

    fn node_tracks(&mut self, element: u32, drives: &[&Drive<'d>], baking: &mut Baking<'_>) {
        let Some(element) = self.root.document().get_node(roxmltree::NodeId::from(element)) else { return };
        let placements = self.placed.get(&element.id()).cloned().unwrap_or_default();
        for id in placements {
            let is_root = self.scene.nodes[id.index()].parent.is_none();
            let stack = self.stack(element, is_root);
            baking.node(id, &stack, drives);
        }
    }

    fn weight_tracks(&mut self, morph: u32, drives: &[&Drive<'d>], baking: &mut Baking<'_>) {
        let shown: Vec<NodeId> =
            self.driven.morphed.iter().filter(|(id, _)| id.get() == morph).map(|(_, node)| *node).collect();
        for node in shown {
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
    /// The number of nodes with shear, and the largest error.
    shear: (usize, f64),
}

impl Baking<'_> {
    /// The key times within the clip, and its ends where something moves across them.
    fn keys(&self, drives: &[&Drive<'_>]) -> Vec<f64> {
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

    fn node(&mut self, node: NodeId, stack: &Stack<'_>, drives: &[&Drive<'_>]) {
        let keys = self.keys(drives);
        let moving = Moving::new(stack, drives);
        let (shear, values) = (Cell::new(0.0_f64), RefCell::new(moving.values()));
        let pose = |time, side| {
            let pose = moving.pose(time, side, &mut values.borrow_mut());
            shear.set(shear.get().max(pose.error));
            pose
        };
        let rest = stack.rest();
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
            self.shear = (self.shear.0 + 1, self.shear.1.max(shear.get()));
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

    fn weights(&mut self, node: NodeId, rest: &[f64], drives: &[&Drive<'_>]) {
        let keys = self.keys(drives);
        let at = |time: f64, side: Side| {
            let mut weights = rest.to_vec();
            drives.iter().for_each(|drive| drive.apply(&mut weights, time, side));
            weights
        };
        let baked = self.bake(node, &keys, self.reach.morph_weights(node), at);
        let weights = |values: &[Vec<f64>]| values.iter().flatten().map(|w| finite(*w)).collect();
        let values = |values: &[_]| Values::MorphWeights { count: rest.len(), weights: weights(values) };
        self.clip.tracks.push(baked.track(node, values));
    }
}

fn finite(value: f64) -> f32 {
    let value = value as f32;
    if value.is_finite() { value } else { 0.0 }
}

impl<V: Value> Baked<V> {
    /// Reduces a constant value to one key; `None` if it never leaves the rest value.
    fn leaving(mut self, rest: &V) -> Option<Self> {
        let first = self.values.first()?;
        if self.values.iter().all(|v| v.distance(first) <= 1e-9) {
            if first.distance(rest) <= 1e-9 {
                return None;
            }
            self.values.truncate(1);
            self.times.truncate(1);
        }
        Some(self)
    }

    fn track(self, node: NodeId, values: impl Fn(&[V]) -> Values) -> Track {
        let interpolation = if self.is_step { Interpolation::Step } else { Interpolation::Linear };
        Track { node, interpolation, times: self.times.into(), values: values(&self.values) }
    }
}

/// A node's transform elements with the curves that move them.
struct Moving<'s, 'd> {
    stack: &'s Stack<'d>,
    /// Each drive with the index of the element that it moves.
    drives: Vec<(usize, &'s Drive<'d>)>,
}

impl<'s, 'd> Moving<'s, 'd> {
    fn new(stack: &'s Stack<'d>, drives: &[&'s Drive<'d>]) -> Self {
        let step = |d: &Drive<'d>| stack.steps.iter().position(|s| s.element == d.element);
        Self { stack, drives: drives.iter().filter_map(|d| Some((step(d)?, *d))).collect() }
    }

    /// Whether any moving element affects a property. In a plain stack, each element affects only its own.
    fn moves(&self, kind: Kind) -> bool {
        !self.stack.is_plain() || self.drives.iter().any(|(step, _)| self.stack.steps[*step].kind == kind)
    }

    /// The numbers of all elements; [`pose`](Self::pose) overwrites those that move.
    fn values(&self) -> Vec<Vec<f64>> {
        self.stack.steps.iter().map(|s| s.values.clone()).collect()
    }

    fn pose(&self, time: f64, side: Side, values: &mut [Vec<f64>]) -> Pose {
        for (step, drive) in &self.drives {
            if drive.count == 16 && self.stack.steps[*step].kind == Kind::Matrix {
                values[*step] = whole_matrix(&drive.curves, time, side);
                continue;
            }
            drive.apply(&mut values[*step], time, side);
        }
        self.stack.pose(|i| &values[i])
    }
}

/// Interpolates a matrix between two keys by translation, rotation and scale, as modelling programs do. Interpolating
/// its elements would shrink rotating objects.
fn whole_matrix(curves: &[Curve], time: f64, side: Side) -> Vec<f64> {
    let Some(first) = curves.first() else { return Vec::new() };
    let key = |i: usize| curves.iter().map(|c| c.values.get(i).copied().unwrap_or(0.0)).collect::<Vec<f64>>();
    let (from, u) = segment(&first.times, time, side);
    if u == 0.0 || first.ways.get(from) == Some(&Way::Step) {
        return key(from);
    }
    if u == 1.0 {
        return key(from + 1);
    }
    let (a, b) =
        (Pose::of(&matrix(Kind::Matrix, &key(from))), Pose::of(&matrix(Kind::Matrix, &key(from + 1))));
    let between = DMat4::from_scale_rotation_translation(
        a.scale.lerp(b.scale, u),
        a.rotation.slerp(b.rotation, u),
        a.translation.lerp(b.translation, u),
    );
    between.transpose().to_cols_array().to_vec()
}

/// Whether the set contains an animation or one of its ancestors.
fn is_within(animation: Xml<'_>, set: &HashSet<roxmltree::NodeId>) -> bool {
    animation.ancestors().any(|a| set.contains(&a.id()))
}
