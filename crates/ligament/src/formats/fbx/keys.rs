//! The key times of a take's properties.

use super::connected::{CHANNEL_WEIGHT, Connected};
use super::direct::Moved;
use super::moments::{KeyTime, Moment, moments};
use super::repeats::repeat;
use std::collections::BTreeMap;

/// The properties of a node's transform. Those after the first four change the pivots and axes of rotation and scaling.
pub(super) const TRANSFORM: [&str; 10] = [
    "Lcl Translation",
    "Lcl Rotation",
    "Lcl Scaling",
    "RotationOrder",
    "RotationPivot",
    "ScalingPivot",
    "RotationOffset",
    "ScalingOffset",
    "PreRotation",
    "PostRotation",
];

/// The key times of everything that a stack animates, within the stack's time range.
pub(super) struct Keys<'f> {
    pub(super) begin: f64,
    pub(super) end: f64,
    /// By a node's `typed_id`.
    nodes: BTreeMap<u32, NodeTimes<'f>>,
    /// By a blend channel's `typed_id`.
    channels: BTreeMap<u32, Vec<KeyTime>>,
    /// Animated properties that the scene has no tracks for.
    pub(super) others: usize,
}

/// Key times, in no order.
#[derive(Default, Clone)]
struct NodeTimes<'f> {
    translation: Vec<KeyTime>,
    rotation: Vec<KeyTime>,
    scale: Vec<KeyTime>,
    moved: [Moved<'f>; 3],
}

pub(super) struct NodeKeys<'f> {
    pub(super) translation: Vec<Moment>,
    pub(super) rotation: Vec<Moment>,
    pub(super) scale: Vec<Moment>,
    /// The curves that animate each of these.
    pub(super) moved: [Moved<'f>; 3],
}

impl<'f> Keys<'f> {
    /// `room` is how many times may be added that the file has no keys for.
    pub(super) fn of(stack: &'f ufbx::AnimStack, connected: &Connected<'f>, room: &mut usize) -> Self {
        let (begin, end) = span(stack);
        let mut keys = Self { begin, end, nodes: BTreeMap::new(), channels: BTreeMap::new(), others: 0 };
        for layer in stack.layers.as_ref() {
            let mut weights = Vec::new();
            let props = layer.anim_props.as_ref();
            let of_layer = |p: &&ufbx::AnimProp| p.element.type_ == ufbx::ElementType::AnimLayer;
            for prop in props.iter().filter(of_layer) {
                keys.add_times(&prop.anim_value, room, &mut weights);
            }
            for prop in props.iter().filter(|p| !of_layer(p)) {
                let mut times = weights.clone();
                keys.add_times(&prop.anim_value, room, &mut times);
                let mut is_used = false;
                for (element, name) in connected.fed_by(prop) {
                    let Some(left) = room.checked_sub(times.len()) else { break };
                    *room = left;
                    is_used |= keys.add(element, name, None, times.clone());
                }
                // A property that has another one's value does not have that of its own curves.
                if connected.overrides(prop) {
                    is_used = true;
                } else {
                    is_used |= keys.add(&prop.element, &prop.prop_name, Some(&prop.anim_value), times);
                }
                keys.others += usize::from(!is_used);
            }
        }
        keys
    }

    /// The times of all keys, in no order, some of them several times.
    pub(super) fn all_times(&self) -> impl Iterator<Item = f64> {
        let of_nodes = self.nodes.values().flat_map(|keys| [&keys.translation, &keys.rotation, &keys.scale]);
        of_nodes.chain(self.channels.values()).flatten().map(|key| key.time)
    }

    /// Returns whether a scene has tracks for the property. `own` are its curves, unless it has another one's value.
    fn add(
        &mut self,
        element: &'f ufbx::Element,
        name: &str,
        own: Option<&'f ufbx::AnimValue>,
        mut times: Vec<KeyTime>,
    ) -> bool {
        if let Some(channel) = ufbx::as_blend_channel(element).filter(|_| name == CHANNEL_WEIGHT) {
            self.channels.entry(channel.element.typed_id).or_default().extend(times);
            return true;
        }
        let Some(node) = ufbx::as_node(element) else { return false };
        let Some(which) = TRANSFORM.iter().position(|known| *known == name) else { return false };
        let (is_pivot, turns) = (which > 3, name == "Lcl Rotation" || name == "RotationOrder");
        if name == "RotationOrder" {
            times.iter_mut().for_each(|key| key.jumps = true);
        }
        // With a pivot, rotation and scaling also affect the translation.
        let couples = is_pivot || has_pivot(node);
        let keys = self.nodes.entry(node.element.typed_id).or_default();
        let [translation, rotation, scale] = &mut keys.moved;
        if is_pivot || turns {
            keys.rotation.extend(&times);
            *rotation = rotation.and(own.filter(|_| name == "Lcl Rotation"));
        }
        if name == "Lcl Scaling" {
            keys.scale.extend(&times);
            *scale = scale.and(own);
        }
        if couples || name == "Lcl Translation" {
            keys.translation.extend(&times);
            *translation = translation.and(own.filter(|_| !couples));
        }
        true
    }

    /// Adds the times of a value's keys within the clip, and the clip's ends if the curve extends past them.
    fn add_times(&self, value: &ufbx::AnimValue, room: &mut usize, times: &mut Vec<KeyTime>) {
        if !value.curves.iter().flatten().any(|curve| !curve.keyframes.is_empty()) {
            // Without keys, the value is still another one than the property's.
            times.push(KeyTime { time: self.begin, jumps: false });
        }
        for curve in value.curves.iter().flatten() {
            if is_constant(curve) {
                // One key is enough, and it need not be at the file's time.
                times.push(KeyTime { time: self.begin, jumps: false });
                continue;
            }
            let keys = curve.keyframes.as_ref();
            let (Some(first), Some(last)) = (keys.first(), keys.last()) else { continue };
            use ufbx::Interpolation::{ConstantNext, ConstantPrev};
            let steps = keys.iter().any(|key| matches!(key.interpolation, ConstantNext | ConstantPrev));
            let (before, after) = (curve.pre_extrapolation.mode, curve.post_extrapolation.mode);
            let repeats = [before, after].contains(&ufbx::ExtrapolationMode::Repeat);
            let (begin, end) = (self.begin, self.end);
            let is_end = |time: f64| time == first.time || time == last.time;
            let own = keys.iter().map(|key| key.time).filter(|time| (begin..=end).contains(time));
            times.extend(own.map(|time| KeyTime { time, jumps: steps || (repeats && is_end(time)) }));
            let goes_on = |mode| mode != ufbx::ExtrapolationMode::Constant;
            if first.time < begin || goes_on(before) {
                times.push(KeyTime { time: begin, jumps: false });
            }
            if last.time > end || goes_on(after) {
                times.push(KeyTime { time: end, jumps: false });
            }
            repeat(curve, (begin, end), steps, room, times);
        }
    }

    /// The moments at which any of these channels has keys.
    pub(super) fn of_channels(&self, channels: impl Iterator<Item = u32>) -> Vec<Moment> {
        let times = channels.filter_map(|channel| self.channels.get(&channel)).flatten().copied();
        moments(times.collect(), self.begin)
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
        let NodeTimes { translation, rotation, scale, moved } = keys;
        if translation.is_empty() && rotation.is_empty() && scale.is_empty() {
            return None;
        }
        let of = |times| moments(times, self.begin);
        Some(NodeKeys { translation: of(translation), rotation: of(rotation), scale: of(scale), moved })
    }
}

/// The time range of a stack: as stated, otherwise from its first key to its last.
pub(super) fn span(stack: &ufbx::AnimStack) -> (f64, f64) {
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
