//! Two scenes whose vertices are to be paired, posed together a few times.

use super::attributes::uv;
use super::clips::Matched;
use super::surface::{Buffers, Placed, Surface};
use crate::motion::key_times;
use crate::pose::Pose;
use crate::scene::{NodeId, Scene};
use glam::Vec3;
use std::collections::{BTreeSet, HashMap};

/// Up to this fraction of the model's size, two positions are the same.
pub(super) const SAME: f64 = 1e-5;

/// Pairs that are farther apart than this fraction of the model's size make their pairing doubtful.
pub(super) const DOUBT: f64 = 1e-3;

/// Vertices that are posed to find pairs, beyond the rest pose and the start of a clip.
const WORK: usize = 300_000;

/// The number of what has no material.
const NO_MATERIAL: u32 = u32::MAX;

/// At most this many poses within clips.
const MOST_PROBES: usize = 6;

pub(super) struct Both<'a> {
    pub(super) first: &'a Surface<'a>,
    pub(super) second: &'a Surface<'a>,
    pub(super) size: f64,
    /// At rest, and then at times of clips.
    pub(super) probes: Vec<Probe>,
    /// For each joint of the second scene, the node of the same name in the first.
    joints: HashMap<NodeId, NodeId>,
    /// A number for the material of each part of both; materials that belong together share it.
    materials: (Vec<u32>, Vec<u32>),
}

/// Both scenes in one pose.
pub(super) struct Probe {
    pub(super) first: Vec<Vec3>,
    pub(super) second: Vec<Vec3>,
}

impl<'a> Both<'a> {
    pub(super) fn new(first: &'a Surface<'a>, second: &'a Surface<'a>, matched: &Matched, size: f64) -> Self {
        Self {
            first,
            second,
            size,
            probes: probes(first, second, matched),
            joints: joints_by_name(first.scene, second.scene),
            materials: materials_of_parts(first, second),
        }
    }

    /// The numbers of the materials of all parts.
    pub(super) fn materials(&self) -> (&[u32], &[u32]) {
        (&self.materials.0, &self.materials.1)
    }

    /// How far apart two vertices are in each probe, squared.
    pub(super) fn squared(&self, a: u32, b: u32) -> impl Iterator<Item = f64> {
        self.probes.iter().map(move |probe| {
            let squared =
                probe.first[a as usize].as_dvec3().distance_squared(probe.second[b as usize].as_dvec3());
            if squared.is_nan() { f64::INFINITY } else { squared }
        })
    }

    /// The distance in the probe where two vertices are nearest to each other. Not every format stores the rest pose,
    /// and a clip may be lost, but rarely both.
    pub(super) fn least(&self, a: u32, b: u32) -> f64 {
        self.squared(a, b).fold(f64::INFINITY, f64::min).sqrt()
    }

    /// The distance in the probe where two vertices are farthest apart.
    pub(super) fn most(&self, a: u32, b: u32) -> f64 {
        self.squared(a, b).fold(0.0, f64::max).sqrt()
    }

    /// Whether all pairs are within this fraction of the model's size in all probes.
    pub(super) fn agree(&self, pairs: &[(u32, u32)], within: f64) -> bool {
        pairs.iter().all(|&(a, b)| self.most(a, b) <= within * self.size)
    }

    /// How badly pairs fit, from 0 to 1. A pair that is far off counts little more than one that is somewhat off: a wrong
    /// pairing has many such pairs. Yet the better of two counts, also where all pairs are far off.
    pub(super) fn misfit(&self, pairs: &[(u32, u32)]) -> f64 {
        let misfit = |&(a, b): &(u32, u32)| {
            let off = self.least(a, b) / (10.0 * DOUBT * self.size);
            if off.is_finite() { off / (1.0 + off) } else { 1.0 }
        };
        pairs.iter().map(misfit).sum::<f64>() / pairs.len().max(1) as f64
    }

    /// How much two vertices differ in texture coordinates and joints, as far as both scenes have them.
    pub(super) fn unlike(&self, a: u32, b: u32) -> f64 {
        let uvs = uv(self.first, a, 0).zip(uv(self.second, b, 0));
        uvs.map_or(0.0, |(a, b)| f64::from(a.distance(b))) + self.unlike_joints(a, b)
    }

    fn unlike_joints(&self, a: u32, b: u32) -> f64 {
        let ours = self.first.joints(a);
        if ours.is_empty() || self.joints.is_empty() {
            return 0.0;
        }
        let theirs = self.second.joints(b);
        let renamed: Vec<_> = theirs.iter().filter_map(|&(j, w)| Some((*self.joints.get(&j)?, w))).collect();
        // Joints without a counterpart of their name say nothing.
        if renamed.len() < theirs.len() {
            return 0.0;
        }
        let of = |joint| -> f32 { renamed.iter().filter(|j| j.0 == joint).map(|j| j.1).sum() };
        ours.iter().map(|&(joint, share)| f64::from((share - of(joint)).abs())).sum()
    }

    pub(super) fn same_material(&self, a: u32, b: u32) -> bool {
        self.materials.0[self.first.part_of(a)] == self.materials.1[self.second.part_of(b)]
    }
}

/// At rest, at the start of the first clip that both have, and at keys of the second scene's clips, because formats that
/// play frames are right there.
fn probes(first: &Surface, second: &Surface, matched: &Matched) -> Vec<Probe> {
    let mut buffers = Buffers::default();
    let mut probe = |a: &Pose, b: &Pose| {
        let mut probe = Probe { first: Vec::new(), second: Vec::new() };
        first.pose(a, &mut buffers, &mut probe.first);
        second.pose(b, &mut buffers, &mut probe.second);
        probe
    };
    let mut probes = vec![probe(&Pose::rest(first.scene), &Pose::rest(second.scene))];
    let vertices = (first.vertex_count + second.vertex_count).max(1);
    let count = if matched.is_empty() { 0 } else { (WORK / vertices).clamp(1, MOST_PROBES) };
    for number in 0..count {
        let (i, j) = matched[number * matched.len() / count];
        let times = if number == 0 { vec![] } else { key_times(&second.scene.clips[j].tracks) };
        let time = times.get(times.len() * number / count).copied().unwrap_or(0.0);
        probes.push(probe(&first.model.pose(i, time, false), &second.model.pose(j, time, false)));
    }
    probes
}

/// Numbers the materials of both scenes. The n-th of a name is the n-th of that name in the other scene; the others are
/// numbered by their place.
/// See [`Both::materials`]. Of the materials that are drawn, those of the same name belong together. Formats rename some:
/// the rest are matched in order. What is left then was made up for parts without one.
fn materials_of_parts(first: &Surface, second: &Surface) -> (Vec<u32>, Vec<u32>) {
    let drawn = |surface: &Surface| -> BTreeSet<u32> {
        let parts = surface.faces.iter().map(|face| &surface.placed[face.placed as usize]);
        parts.filter_map(|p| p.part.material).map(|id| id.index() as u32).collect()
    };
    let (mut own, other) = (drawn(first), drawn(second));
    let named: HashMap<(&str, usize), u32> =
        (0..).zip(occurrences(first.scene)).map(|(i, key)| (key, i)).collect();
    let by_name = |(i, key): (u32, (&str, usize))| {
        let known = *named.get(&key).filter(|_| !key.0.is_empty() && other.contains(&i))?;
        own.remove(&known).then_some((i, known))
    };
    let mut keys: HashMap<u32, u32> = (0..).zip(occurrences(second.scene)).filter_map(by_name).collect();
    let rest: Vec<u32> = other.iter().copied().filter(|i| !keys.contains_key(i)).collect();
    keys.extend(rest.into_iter().zip(own));
    let number = |p: &Placed| p.part.material.map(|id| id.index() as u32);
    (
        first.placed.iter().map(|p| number(p).unwrap_or(NO_MATERIAL)).collect(),
        second
            .placed
            .iter()
            .map(|p| number(p).and_then(|i| keys.get(&i).copied()).unwrap_or(NO_MATERIAL))
            .collect(),
    )
}

/// Each material's name, and how many materials before it have the same.
fn occurrences(scene: &Scene) -> impl Iterator<Item = (&str, usize)> {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    scene.materials.iter().map(move |material| {
        let count = seen.entry(&material.name).or_default();
        *count += 1;
        (material.name.as_str(), *count - 1)
    })
}

fn joints_by_name(first: &Scene, second: &Scene) -> HashMap<NodeId, NodeId> {
    let mut names: HashMap<&str, NodeId> = HashMap::new();
    for id in first.node_ids().filter(|id| !first.nodes[id.index()].name.is_empty()) {
        names.entry(&first.nodes[id.index()].name).or_insert(id);
    }
    let node = |id: NodeId| names.get(second.nodes[id.index()].name.as_str()).map(|&other| (id, other));
    second.node_ids().filter_map(node).collect()
}
