//! The key times of a take's properties.

use super::direct::Moved;
use std::collections::BTreeMap;

/// The maximum number of times that a repeated curve is expanded to.
const MOST_REPEATED: usize = 1 << 14;

/// Properties that change the pivots and axes of rotation and scaling.
const PIVOTS: [&str; 6] =
    ["RotationPivot", "ScalingPivot", "RotationOffset", "ScalingOffset", "PreRotation", "PostRotation"];

/// The key times of everything that a stack animates, within the stack's time range.
pub(super) struct Keys<'f> {
    pub(super) begin: f64,
    pub(super) end: f64,
    /// By a node's `typed_id`.
    pub(super) nodes: BTreeMap<u32, NodeKeys<'f>>,
    /// By a blend channel's `typed_id`.
    pub(super) channels: BTreeMap<u32, Vec<f64>>,
    /// Animated properties that the scene has no tracks for.
    pub(super) others: usize,
}

#[derive(Default, Clone)]
pub(super) struct NodeKeys<'f> {
    pub(super) translation: Vec<f64>,
    pub(super) rotation: Vec<f64>,
    pub(super) scale: Vec<f64>,
    /// The curves that animate each of these.
    pub(super) moved: [Moved<'f>; 3],
}

impl<'f> Keys<'f> {
    pub(super) fn of(stack: &'f ufbx::AnimStack) -> Self {
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

    /// The times of all keys, in no order, some of them several times.
    pub(super) fn all_times(&self) -> impl Iterator<Item = f64> {
        let of_nodes = self.nodes.values().flat_map(|keys| [&keys.translation, &keys.rotation, &keys.scale]);
        of_nodes.chain(self.channels.values()).flatten().copied()
    }

    fn add(&mut self, prop: &'f ufbx::AnimProp, times: Vec<f64>) {
        if let Some(node) = ufbx::as_node(&prop.element) {
            let name: &str = &prop.prop_name;
            let is_pivot = PIVOTS.contains(&name);
            let turns = matches!(name, "Lcl Rotation" | "RotationOrder");
            if !(is_pivot || turns || matches!(name, "Lcl Translation" | "Lcl Scaling")) {
                self.others += 1;
                return;
            }
            // With a pivot, rotation and scaling also affect the translation.
            let couples = is_pivot || has_pivot(node);
            let keys = self.nodes.entry(node.element.typed_id).or_default();
            let [translation, rotation, scale] = &mut keys.moved;
            if is_pivot || turns {
                keys.rotation.extend(&times);
                *rotation = rotation.and(&prop.anim_value, name == "Lcl Rotation");
            }
            if name == "Lcl Scaling" {
                keys.scale.extend(&times);
                *scale = scale.and(&prop.anim_value, true);
            }
            if couples || name == "Lcl Translation" {
                keys.translation.extend(&times);
                *translation = translation.and(&prop.anim_value, !couples);
            }
        } else if let Some(channel) = ufbx::as_blend_channel(&prop.element) {
            self.channels.entry(channel.element.typed_id).or_default().extend(times);
        } else {
            self.others += 1;
        }
    }

    /// Adds the times of a value's keys within the clip, and the clip's ends if the curve extends past them.
    fn add_times(&self, value: &ufbx::AnimValue, times: &mut Vec<f64>) {
        for curve in value.curves.iter().flatten() {
            if is_constant(curve) {
                // One key is enough, and it need not be at the file's time.
                times.push(self.begin);
                continue;
            }
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

    /// Adds the keys of a repeating curve, both forwards and mirrored.
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

    /// The keys of a node, including those of other nodes whose scale its transform compensates for.
    pub(super) fn of_node(&self, node: &ufbx::Node) -> Option<NodeKeys<'f>> {
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
                keys.moved[2] = Moved::Entangled;
            }
            if let Some(helper) = parent.scale_helper.as_ref().filter(|_| !node.is_scale_helper) {
                keys.moved[0] = Moved::Entangled;
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

/// The time range of a stack: as stated, otherwise from its first key to its last.
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

/// Whether a curve has the same value at all times.
fn is_constant(curve: &ufbx::AnimCurve) -> bool {
    let keys = curve.keyframes.as_ref();
    let stays = |mode| mode == ufbx::ExtrapolationMode::Constant;
    let flat = |key: &ufbx::Keyframe| key.left.dy == 0.0 && key.right.dy == 0.0;
    let is_cubic = |key: &ufbx::Keyframe| key.interpolation == ufbx::Interpolation::Cubic;
    keys.first().is_some_and(|first| keys.iter().all(|key| key.value == first.value))
        && (keys.iter().all(flat) || !keys.iter().any(is_cubic))
        && stays(curve.pre_extrapolation.mode)
        && stays(curve.post_extrapolation.mode)
}

fn has_pivot(node: &ufbx::Node) -> bool {
    let is_set = |name| {
        let v = node.element.props.find_prop(name).map(|prop| prop.value_vec4);
        v.is_some_and(|v| v.x != 0.0 || v.y != 0.0 || v.z != 0.0)
    };
    is_set("RotationPivot") || is_set("ScalingPivot")
}

pub(super) fn sort(times: &mut Vec<f64>) {
    times.retain(|t| t.is_finite());
    times.sort_by(f64::total_cmp);
    times.dedup();
}
