//! Keys to tracks.

use super::super::codes;
use super::super::document::{Animation, Channel, Kind, Values};
use crate::report::{Place, Report, counted};
use crate::scene::{self, Clip, Interpolation, NodeId, Scene, Track, Trs};
use glam::{Quat, Vec3};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

pub(super) fn import(
    animation: Animation,
    index: usize,
    scene: &Scene,
    nodes: &[NodeId],
    report: &mut Report,
) -> Clip {
    let mut clip = Clip { name: animation.name.to_text(), ..Clip::default() };
    let mut keyed: HashSet<(NodeId, Kind)> = HashSet::new();
    let mut times = Times::default();
    let mut odd = Odd::default();
    for channel in animation.channels {
        let kind = channel.values.kind();
        let node = nodes.get(channel.node as usize).copied();
        let Some(node) = node.filter(|_| !channel.times.is_empty()) else { continue };
        keyed.insert((node, kind));
        let (own, values) = odd.ordered(channel);
        if !says_nothing(&own, &values, rest_of(scene, node)) {
            let times = times.shared(own);
            clip.tracks.push(Track { node, interpolation: Interpolation::Linear, times, values });
        }
    }
    odd.report(index, report);
    for &node in nodes {
        let rest = rest_of(scene, node);
        for kind in Kind::ALL.into_iter().filter(|&kind| !keyed.contains(&(node, kind))) {
            if let Some(values) = unkeyed(rest, kind) {
                let times = times.shared([0.0].into());
                clip.tracks.push(Track { node, interpolation: Interpolation::Linear, times, values });
            }
        }
    }
    clip.duration = animation.duration.max(clip.last_key());
    clip
}

/// In a file, a component without keys is the identity; a track must express that if the node rests elsewhere.
fn unkeyed(rest: &Trs, kind: Kind) -> Option<scene::Values> {
    let identity = match kind {
        Kind::Translation => scene::Values::Translation(vec![Vec3::ZERO]),
        Kind::Scale => scene::Values::Scale(vec![Vec3::ONE]),
        Kind::Rotation => scene::Values::Rotation(vec![Quat::IDENTITY]),
    };
    (!says_nothing(&[0.0], &identity, rest)).then_some(identity)
}

/// Whether a track with a single key only repeats the rest pose.
fn says_nothing(times: &[f32], values: &scene::Values, rest: &Trs) -> bool {
    times.len() == 1
        && match values {
            scene::Values::Translation(v) => v[..] == [rest.translation],
            scene::Values::Scale(v) => v[..] == [rest.scale],
            scene::Values::Rotation(v) => v[..] == [rest.rotation],
            scene::Values::MorphWeights { .. } => false,
        }
}

fn rest_of(scene: &Scene, node: NodeId) -> &Trs {
    // Every node of the hierarchy was made from translation, rotation and scale.
    scene.nodes[node.index()].local.trs().unwrap_or(&Trs::IDENTITY)
}

/// Normalises a rotation; length zero gives the identity.
pub(super) fn unit(rotation: Quat) -> Quat {
    let exact = rotation.as_dquat();
    let length = exact.length();
    if length == 0.0 || length.is_nan() {
        return Quat::IDENTITY;
    }
    // Values that are as precise as an f32 can be are kept.
    if (length - 1.0).abs() < 1e-7 { rotation } else { (exact / length).as_quat() }
}

/// Key times, each distinct list stored once.
#[derive(Default)]
struct Times(HashMap<Vec<u32>, Arc<[f32]>>);

impl Times {
    fn shared(&mut self, times: Arc<[f32]>) -> Arc<[f32]> {
        let key = times.iter().map(|t| t.to_bits()).collect();
        Arc::clone(self.0.entry(key).or_insert(times))
    }
}

/// Problems in the keys of an animation.
#[derive(Default)]
struct Odd {
    unordered: usize,
    zero_rotations: usize,
}

impl Odd {
    /// Returns increasing times from 0 on, and the values at them.
    fn ordered(&mut self, channel: Channel) -> (Arc<[f32]>, scene::Values) {
        let Channel { mut times, mut values, .. } = channel;
        if let Values::Rotation(rotations) = &values {
            self.zero_rotations += rotations.iter().filter(|q| q.length_squared() == 0.0).count();
        }
        if !times.is_sorted_by(|a, b| a < b) || times.first().is_some_and(|&t| t < 0.0) {
            self.unordered += 1;
            let kept;
            (times, kept) = order(&times);
            values = match values {
                Values::Translation(v) => Values::Translation(kept.iter().map(|&i| v[i]).collect()),
                Values::Scale(v) => Values::Scale(kept.iter().map(|&i| v[i]).collect()),
                Values::Rotation(v) => Values::Rotation(kept.iter().map(|&i| v[i]).collect()),
            };
        }
        let values = match values {
            Values::Translation(v) => scene::Values::Translation(v),
            Values::Scale(v) => scene::Values::Scale(v),
            Values::Rotation(v) => scene::Values::Rotation(v.into_iter().map(unit).collect()),
        };
        (times, values)
    }

    fn report(&self, index: usize, report: &mut Report) {
        let place = Place::field(format!("animations[{index}]"));
        if self.unordered > 0 {
            let message = counted(self.unordered, "block of keys is", "blocks of keys are") + " not in order";
            report.warning(&codes::KEY_ORDER, place.clone(), message);
        }
        if self.zero_rotations > 0 {
            let message = counted(self.zero_rotations, "rotation has", "rotations have") + " length zero";
            report.warning(&codes::ZERO_ROTATION, place, message);
        }
    }
}

/// Sorts times, moves the last of those before 0 to 0 and drops the others; if several are equal, the last one is
/// kept. Returns the times and the indices of the remaining keys.
fn order(times: &[f32]) -> (Arc<[f32]>, Vec<usize>) {
    let mut keys: Vec<(f32, usize)> = times.iter().copied().zip(0..).collect();
    keys.sort_by(|a, b| a.0.total_cmp(&b.0));
    keys.iter_mut().for_each(|(time, _)| *time = if *time > 0.0 { *time } else { 0.0 });
    // `dedup_by` keeps the first of equal ones, so the list is traversed from its end.
    keys.reverse();
    keys.dedup_by(|a, b| a.0 == b.0);
    keys.reverse();
    (keys.iter().map(|(time, _)| *time).collect(), keys.into_iter().map(|(_, i)| i).collect())
}
