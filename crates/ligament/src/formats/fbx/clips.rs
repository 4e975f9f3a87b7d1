//! Takes: each animation stack is a clip, with its layers evaluated into one.

use super::curves::{Curve, Nearness, Value, follow};
use super::import::Import;
use super::morphs::Target;
use super::nodes::Tree;
use super::numbers::{dquat, dvec3};
use super::{KEY, codes, morphs};
use crate::report::{Failure, Loss};
use crate::scene::{Clip, Frames, NodeId, Track, Values};
use glam::DQuat;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Which parts of a transform `ufbx` computes: as its `ufbx_transform_flags` number them.
const ONLY_TRANSLATION: u32 = 0x14;
const ONLY_ROTATION: u32 = 0x24;
const ONLY_SCALE: u32 = 0x44;

/// How far keys may be from a curve that no track has: of the model's size, and in radians.
const TOLERANCE: f64 = 1e-5;
const ANGLE_TOLERANCE: f64 = 1e-4;
/// Keys that may be added however small the file is, and for how many of its bytes one more.
const LEAST_ADDED: usize = 16 << 10;
const BYTES_PER_ADDED: u64 = 32;
/// The most times that a repeated curve is laid out.
const MOST_REPEATED: usize = 1 << 14;

/// Makes a clip of every stack.
pub(super) fn import(
    import: &mut Import<'_, '_, '_>,
    tree: &Tree,
    morphing: &[(NodeId, &ufbx::Mesh)],
) -> Result<(), Failure> {
    let fbx = import.fbx;
    let mut budget = LEAST_ADDED + (import.weight / BYTES_PER_ADDED) as usize;
    let size = crate::pose::bounds(&import.scene, &crate::pose::Pose::rest(&import.scene));
    let size = size.map_or(1.0, |b| b.diagonal()).max(1e-6);
    for stack in fbx.anim_stacks.as_ref() {
        let keys = Keys::of(stack);
        let mut maker = Maker {
            import,
            stack,
            keys: &keys,
            size,
            budget: &mut budget,
            clip: Clip::default(),
            times: Arc::from([]),
            baked: Baked::default(),
        };
        maker.nodes(tree)?;
        maker.morphs(morphing)?;
        let clip = maker.finish();
        import.scene.clips.push(clip);
    }
    Ok(())
}

/// The key times of what a stack moves, within the stack's time.
struct Keys {
    begin: f64,
    end: f64,
    /// By a node's `typed_id`.
    nodes: BTreeMap<u32, NodeKeys>,
    /// By a blend channel's `typed_id`.
    channels: BTreeMap<u32, Vec<f64>>,
    /// Animated properties that the scene has no tracks for.
    others: usize,
}

#[derive(Default, Clone)]
struct NodeKeys {
    translation: Vec<f64>,
    rotation: Vec<f64>,
    scale: Vec<f64>,
}

impl Keys {
    fn of(stack: &ufbx::AnimStack) -> Self {
        let (begin, end) = span(stack);
        let mut keys = Self { begin, end, nodes: BTreeMap::new(), channels: BTreeMap::new(), others: 0 };
        for layer in stack.layers.as_ref() {
            let mut weights = Vec::new();
            let props = layer.anim_props.as_ref();
            let of_layer = |p: &&ufbx::AnimProp| p.element.type_ == ufbx::ElementType::AnimLayer;
            for prop in props.iter().filter(of_layer) {
                keys.add_times(&prop.anim_value, &mut weights);
            }
            for prop in props.iter().filter(|p| !of_layer(p)) {
                let mut times = weights.clone();
                keys.add_times(&prop.anim_value, &mut times);
                keys.add(prop, times);
            }
        }
        keys
    }

    fn add(&mut self, prop: &ufbx::AnimProp, times: Vec<f64>) {
        if let Some(node) = ufbx::as_node(&prop.element) {
            let name: &str = &prop.prop_name;
            let is_pivot = matches!(
                name,
                "RotationPivot"
                    | "ScalingPivot"
                    | "RotationOffset"
                    | "ScalingOffset"
                    | "PreRotation"
                    | "PostRotation"
            );
            let turns = matches!(name, "Lcl Rotation" | "RotationOrder");
            if !(is_pivot || turns || matches!(name, "Lcl Translation" | "Lcl Scaling")) {
                self.others += 1;
                return;
            }
            // About a pivot, turning and scaling move as well.
            let couples = is_pivot || has_pivot(node);
            let keys = self.nodes.entry(node.element.typed_id).or_default();
            if is_pivot || turns {
                keys.rotation.extend(&times);
            }
            if name == "Lcl Scaling" {
                keys.scale.extend(&times);
            }
            if couples || name == "Lcl Translation" {
                keys.translation.extend(&times);
            }
        } else if let Some(channel) = ufbx::as_blend_channel(&prop.element) {
            self.channels.entry(channel.element.typed_id).or_default().extend(times);
        } else {
            self.others += 1;
        }
    }

    /// The times of a value's keys that are within the clip, and the clip's ends where the curve goes past them.
    fn add_times(&self, value: &ufbx::AnimValue, times: &mut Vec<f64>) {
        for curve in value.curves.iter().flatten() {
            let own = curve.keyframes.as_ref().iter().map(|key| key.time);
            let (Some(first), Some(last)) = (own.clone().next(), own.clone().next_back()) else { continue };
            times.extend(own.clone().filter(|t| (self.begin..=self.end).contains(t)));
            let (before, after) = (curve.pre_extrapolation.mode, curve.post_extrapolation.mode);
            let goes_on = |mode| mode != ufbx::ExtrapolationMode::Constant;
            if first < self.begin || goes_on(before) {
                times.push(self.begin);
            }
            if last > self.end || goes_on(after) {
                times.push(self.end);
            }
            if goes_on(before) || goes_on(after) {
                self.repeat(&own.collect::<Vec<_>>(), last - first, times);
            }
        }
    }

    /// The keys of a curve that starts again when it ends, forwards and backwards.
    fn repeat(&self, own: &[f64], period: f64, times: &mut Vec<f64>) {
        let rounds = ((self.end - self.begin) / period).ceil();
        if !(period > 0.0 && rounds.is_finite()) || rounds * own.len() as f64 > MOST_REPEATED as f64 {
            return;
        }
        let first = own.first().copied().unwrap_or(0.0);
        let start = first + ((self.begin - first) / period).floor() * period;
        for round in 0..=rounds as u32 {
            let mirrored = own.iter().map(|t| period - (t - first));
            let offsets = own.iter().map(|t| t - first).chain(mirrored);
            let all = offsets.map(|offset| start + f64::from(round) * period + offset);
            times.extend(all.filter(|t| (self.begin..=self.end).contains(t)));
        }
    }

    /// The keys of a node, with those of other nodes whose scale its transform makes up for.
    fn of_node(&self, node: &ufbx::Node) -> Option<NodeKeys> {
        let mut keys = self.nodes.get(&node.element.typed_id).cloned().unwrap_or_default();
        let scale_of = |helper: &ufbx::Node| self.nodes.get(&helper.element.typed_id).map(|k| &k.scale[..]);
        if let Some(parent) = &node.parent {
            let mut chain = Vec::new();
            let mut next = parent.inherit_scale_node.as_ref();
            for _ in 0..=node.node_depth {
                let Some(helper) = next.and_then(|n| n.scale_helper.as_ref()) else { break };
                chain.extend(scale_of(helper).unwrap_or_default());
                next = next.and_then(|n| n.inherit_scale_node.as_ref());
            }
            if node.is_scale_helper {
                keys.scale.extend(&chain);
            }
            if let Some(helper) = parent.scale_helper.as_ref().filter(|_| !node.is_scale_helper) {
                keys.translation.extend(scale_of(helper).unwrap_or_default());
                keys.translation.extend(&chain);
            }
        }
        for times in [&mut keys.translation, &mut keys.rotation, &mut keys.scale] {
            sort(times);
        }
        let is_empty = keys.translation.is_empty() && keys.rotation.is_empty() && keys.scale.is_empty();
        (!is_empty).then_some(keys)
    }
}

/// From when to when a stack plays: what it says, else from its first key to its last.
fn span(stack: &ufbx::AnimStack) -> (f64, f64) {
    let (begin, end) = (stack.time_begin, stack.time_end);
    if end > begin && begin.is_finite() && end.is_finite() {
        return (begin, end);
    }
    let values = stack.layers.as_ref().iter().flat_map(|layer| layer.anim_values.as_ref());
    let curves = values.flat_map(|value| value.curves.iter().flatten());
    let times =
        curves.flat_map(|curve| curve.keyframes.as_ref()).map(|key| key.time).filter(|t| t.is_finite());
    let (first, last) = times.fold((f64::MAX, f64::MIN), |(a, b), t| (a.min(t), b.max(t)));
    if first <= last { (first, last) } else { (0.0, 0.0) }
}

fn has_pivot(node: &ufbx::Node) -> bool {
    let is_set = |name| {
        let v = node.element.props.find_prop(name).map(|prop| prop.value_vec4);
        v.is_some_and(|v| v.x != 0.0 || v.y != 0.0 || v.z != 0.0)
    };
    is_set("RotationPivot") || is_set("ScalingPivot")
}

fn sort(times: &mut Vec<f64>) {
    times.retain(|t| t.is_finite());
    times.sort_by(f64::total_cmp);
    times.dedup();
}

/// What following curves cost.
#[derive(Default)]
struct Baked {
    /// In radians.
    angle: f64,
    turns: usize,
    /// Of translations, scales and weights.
    other: f64,
    others: usize,
    added: usize,
}

/// One clip in the making.
struct Maker<'m, 'f, 's, 'r> {
    import: &'m mut Import<'f, 's, 'r>,
    stack: &'m ufbx::AnimStack,
    keys: &'m Keys,
    /// The model's size.
    size: f64,
    budget: &'m mut usize,
    clip: Clip,
    /// The times of the last track: the next often has the same.
    times: Arc<[f32]>,
    baked: Baked,
}

impl Maker<'_, '_, '_, '_> {
    fn nodes(&mut self, tree: &Tree) -> Result<(), Failure> {
        let (fbx, stack) = (self.import.fbx, self.stack);
        for node in fbx.nodes.as_ref() {
            let (Some(id), Some(keys)) = (tree.id(node), self.keys.of_node(node)) else { continue };
            let at = |flags: u32| move |time| ufbx::evaluate_transform_flags(&stack.anim, node, time, flags);
            let rest = &node.local_transform;
            let exact = |value: ufbx::Vec3| 1e-6 * dvec3(value).abs().max_element().max(1e-6);

            let nearness = Nearness {
                exact: exact(rest.translation).max(self.size * 2e-7),
                tolerance: TOLERANCE * self.size,
            };
            let place = |time| dvec3(at(ONLY_TRANSLATION)(time).translation);
            if let Some(curve) = self.follow(&keys.translation, nearness, dvec3(rest.translation), place) {
                self.bent(&curve);
                let values = curve.values.iter().map(|&v| self.import.finite.dvec3(v)).collect();
                self.track(id, &curve, Values::Translation(values));
            }
            let nearness = Nearness { exact: 2e-6, tolerance: ANGLE_TOLERANCE };
            let turn = |time| dquat(at(ONLY_ROTATION)(time).rotation);
            if let Some(mut curve) = self.follow(&keys.rotation, nearness, dquat(rest.rotation), turn) {
                if curve.error > nearness.exact {
                    self.baked.angle = self.baked.angle.max(curve.error);
                    self.baked.turns += 1;
                    self.baked.added += curve.added;
                }
                one_side(&mut curve.values);
                let values = curve.values.iter().map(|&q| self.import.finite.dquat(q)).collect();
                self.track(id, &curve, Values::Rotation(values));
            }
            let nearness = Nearness { exact: exact(rest.scale), tolerance: TOLERANCE };
            let scale = |time| dvec3(at(ONLY_SCALE)(time).scale);
            if let Some(curve) = self.follow(&keys.scale, nearness, dvec3(rest.scale), scale) {
                self.bent(&curve);
                let values = curve.values.iter().map(|&v| self.import.finite.dvec3(v)).collect();
                self.track(id, &curve, Values::Scale(values));
            }
        }
        Ok(())
    }

    fn morphs(&mut self, morphing: &[(NodeId, &ufbx::Mesh)]) -> Result<(), Failure> {
        let stack = self.stack;
        for &(id, mesh) in morphing {
            let targets = morphs::targets(mesh);
            let channels: BTreeSet<u32> = targets.iter().map(|t| t.channel.element.typed_id).collect();
            let mut times: Vec<f64> =
                channels.iter().filter_map(|c| self.keys.channels.get(c)).flatten().copied().collect();
            sort(&mut times);
            self.import.spend(8 * (times.len() * targets.len()) as u64, "morph weights over time")?;
            let weights = |time: f64| -> Vec<f64> {
                let weight =
                    |t: &Target<'_>| t.weight(ufbx::evaluate_blend_weight(&stack.anim, t.channel, time));
                targets.iter().map(weight).collect()
            };
            let rest = targets.iter().map(|t| t.weight(t.channel.weight)).collect();
            let nearness = Nearness { exact: 1e-6, tolerance: TOLERANCE };
            let Some(curve) = self.follow(&times, nearness, rest, weights) else { continue };
            self.bent(&curve);
            let added = curve.added * targets.len();
            self.import.spend(4 * added as u64, "morph weights over time")?;
            let weights = curve.values.iter().flatten().map(|&w| self.import.finite.real(w)).collect();
            self.track(id, &curve, Values::MorphWeights { count: targets.len(), weights });
        }
        Ok(())
    }

    /// `None` for a property without keys, or that stays as it is at rest.
    fn follow<V: Value>(
        &mut self,
        times: &[f64],
        nearness: Nearness,
        rest: V,
        value: impl Fn(f64) -> V,
    ) -> Option<Curve<V>> {
        if times.is_empty() {
            return None;
        }
        let curve = follow(times, nearness, self.budget, value);
        let stays = curve.values.len() == 1 && curve.values[0].apart(&rest) <= nearness.exact;
        (!stays).then_some(curve)
    }

    fn bent<V>(&mut self, curve: &Curve<V>) {
        if curve.added > 0 || curve.error > 0.0 {
            self.baked.other = self.baked.other.max(curve.error);
            self.baked.others += 1;
            self.baked.added += curve.added;
        }
    }

    fn track<V>(&mut self, node: NodeId, curve: &Curve<V>, values: Values) {
        let interpolation = curve.interpolation;
        let times: Vec<f32> = curve.times.iter().map(|t| ((t - self.keys.begin) as f32).max(0.0)).collect();
        // Keys that are one moment in 32 bits: the later one counts.
        let is_last = |i: usize| times.get(i + 1).is_none_or(|next| times[i] < *next);
        let kept: Vec<usize> = (0..times.len()).filter(|&i| is_last(i)).collect();
        let values = if kept.len() == times.len() {
            values
        } else {
            pick(&values, &kept, interpolation.values_per_key())
        };
        let times: Vec<f32> = kept.iter().map(|&i| times[i]).collect();
        if self.times[..] != times[..] {
            self.times = times.into();
        }
        self.clip.tracks.push(Track { node, interpolation, times: Arc::clone(&self.times), values });
    }

    fn finish(self) -> Clip {
        let keys = self.keys;
        let fps = self.import.fbx.settings.frames_per_second;
        let mut clip = self.clip;
        clip.name = self.stack.element.name.to_string();
        clip.duration = self.import.finite.real(keys.end - keys.begin).max(clip.last_key());
        clip.frames = grid(&clip, fps);
        if keys.begin != 0.0 && keys.begin.is_finite() {
            clip.extras.insert(KEY.to_owned(), json!({ "start": keys.begin }));
        }
        let object = format!("clip {:?}", clip.name);
        let layers = self.stack.layers.len();
        let report = &mut *self.import.report;
        if layers > 1 {
            let message = format!("{layers} layers are evaluated into one");
            report.loss(Loss::kept(&codes::LAYERS, &*object, layers, message));
        }
        let baked = &self.baked;
        if baked.turns > 0 {
            let message = "angles between keys became turns along the shortest way";
            let size = baked.angle.to_degrees();
            report.loss(Loss::approximated(&codes::BAKED, &*object, baked.turns, size, "degrees", message));
        }
        if baked.others > 0 {
            let message = "curves that no track can have became lines, with more keys where they bend";
            report.loss(Loss::approximated(
                &codes::BAKED,
                &*object,
                baked.others,
                baked.other,
                "units",
                message,
            ));
        }
        let message = "animated properties other than transforms and blend shapes are dropped";
        self.import.dropped(&codes::ANIMATED_PROPERTIES, &object, keys.others, message);
        clip
    }
}

/// The file's frames, where the keys are on them and there are not many more frames than keys.
fn grid(clip: &Clip, fps: f64) -> Option<Frames> {
    let count = (f64::from(clip.duration) * fps).round() + 1.0;
    let longest = clip.tracks.iter().map(|track| track.times.len()).max().unwrap_or(0);
    let is_near = |time: f32| {
        let at = f64::from(time) * fps;
        (at - at.round()).abs() < 1e-3
    };
    let on_grid = |track: &Track| track.times.iter().all(|&t| is_near(t));
    let fits = fps > 0.0 && fps <= 1000.0 && count <= 2.0 * longest as f64 + 16.0;
    (fits && is_near(clip.duration) && clip.tracks.iter().all(on_grid))
        .then_some(Frames { rate: fps as f32, count: count as u32 })
}

/// Makes neighbours lie on one side, so that lines between them are short in programs that do not look.
fn one_side(values: &mut [DQuat]) {
    for i in 1..values.len() {
        if values[i - 1].dot(values[i]) < 0.0 {
            values[i] = -values[i];
        }
    }
}

/// Some of the keys' values.
fn pick(values: &Values, kept: &[usize], each: usize) -> Values {
    fn of<T: Copy>(all: &[T], kept: &[usize], each: usize) -> Vec<T> {
        kept.iter().flat_map(|&i| all[i * each..(i + 1) * each].iter().copied()).collect()
    }
    match values {
        Values::Translation(v) => Values::Translation(of(v, kept, each)),
        Values::Rotation(v) => Values::Rotation(of(v, kept, each)),
        Values::Scale(v) => Values::Scale(of(v, kept, each)),
        Values::MorphWeights { count, weights } => {
            Values::MorphWeights { count: *count, weights: of(weights, kept, each * count) }
        }
    }
}
