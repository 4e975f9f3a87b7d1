//! Carries a clip from its own skeleton to another one.
//!
//! A joint's rotation in the scene goes through the difference of the two bind poses, `D = G_S⁻¹ · G_T`: wherever the
//! source's joint points, the target's points as far from its bind pose. In the joint's own space that is `D_p⁻¹ · L · D`,
//! with the `D_p` of its parent: constant factors, so keys stay keys, also cubic ones, and nothing happens between them.
//! Translations keep the target's own bone lengths; what a joint moves beyond its bind pose is scaled by the ratio of the
//! lengths.

use super::gauge::Gauge;
use super::joints::{bound, degrees, rotation};
use crate::motion::key_times;
use crate::pose::{OwnMotion, Player};
use crate::scene::{Clip, NodeId, Scene, Track, Values};
use glam::{DMat3, DMat4, DQuat, DVec3, Quat, Vec3};

/// Differences below this are rounding.
const SAME: f64 = 1e-5;

/// How a joint's values become those of its counterpart.
struct Carry {
    target: NodeId,
    /// Factors of a rotation, on its left and right; `None` if it stays as it is.
    turn: Option<(DQuat, DQuat)>,
    /// A translation becomes `to + linear · (translation − from)`; `None` if it stays as it is.
    shift: Option<(DVec3, DMat3, DVec3)>,
    /// A scale is multiplied by this.
    scale: DVec3,
    /// From the rotation of the source's joint to that of the target's, in the scene.
    difference: DQuat,
}

/// A skeleton whose clips are carried over to another.
pub(super) struct Carrier<'a> {
    from: &'a Scene,
    of_node: Vec<Option<Carry>>,
    /// The topmost node that is carried, the last ones of each chain, and the size of the target's chains in relation to the
    /// source's.
    top: Option<usize>,
    ends: Vec<usize>,
    ratio: f64,
}

/// What became of a clip.
pub(super) struct Carried {
    pub(super) clip: Clip,
    /// Nodes that move in the source and have no counterpart.
    pub(super) unmatched: Vec<NodeId>,
    /// How many joints were carried.
    pub(super) joints: usize,
    /// How far a joint points elsewhere at most, in degrees.
    pub(super) degrees: f64,
    /// How far a joint is from its counterpart at most, as a fraction of the model's size.
    pub(super) apart: f64,
    /// The target's last joints of each chain, and how far one of them is, at most, from where the source has it in relation to the
    /// topmost joint and the size of the rig, as a fraction of the model's size.
    pub(super) ends: Vec<NodeId>,
    pub(super) ends_apart: f64,
}

impl<'a> Carrier<'a> {
    pub(super) fn new(from: &'a Scene, to: &Scene, pairs: &[Option<NodeId>]) -> Self {
        let binds = (bound(from), bound(to));
        let parent = |scene: &Scene, node: NodeId, globals: &[DMat4]| {
            scene.nodes[node.index()].parent.map_or(DMat4::IDENTITY, |parent| globals[parent.index()])
        };
        let of_pair = |(index, target): (usize, &Option<NodeId>)| {
            let (source, target) = (NodeId::new(index), (*target)?);
            let above = (parent(from, source, &binds.0), parent(to, target, &binds.1));
            let is_top = from.nodes[index].parent.is_none_or(|parent| pairs[parent.index()].is_none());
            Some(Carry::new(target, above, (binds.0[index], binds.1[target.index()]), is_top))
        };
        let of_node = pairs.iter().enumerate().map(of_pair).collect();
        let top = pairs.iter().position(Option::is_some);
        let mut is_above = vec![false; pairs.len()];
        for index in (0..pairs.len()).rev() {
            if let Some(parent) = from.nodes[index].parent {
                is_above[parent.index()] |= is_above[index] || pairs[index].is_some();
            }
        }
        let ends: Vec<usize> =
            (0..pairs.len()).filter(|&index| pairs[index].is_some() && !is_above[index]).collect();
        let lengths = |node: &dyn Fn(usize) -> Option<usize>, binds: &[DMat4]| -> f64 {
            let at = |index: usize| node(index).map_or(DVec3::ZERO, |node| binds[node].w_axis.truncate());
            let start = top.map_or(DVec3::ZERO, at);
            ends.iter().map(|&end| at(end).distance(start)).sum()
        };
        let target = |index: usize| pairs[index].map(NodeId::index);
        let ratio = lengths(&target, &binds.1) / lengths(&|index| Some(index), &binds.0);
        let ratio = if ratio.is_finite() && ratio > 0.0 { ratio } else { 1.0 };
        Self { from, of_node, top, ends, ratio }
    }

    /// Whether any node that a clip moves has a counterpart.
    pub(super) fn carries(&self, clip: &Clip) -> bool {
        clip.tracks.iter().any(|track| self.of_node[track.node.index()].is_some())
    }

    /// Carries a clip over, given by its index.
    pub(super) fn carry(&self, index: usize, own: Option<&OwnMotion>, to: &Scene, gauge: &Gauge) -> Carried {
        let source = &self.from.clips[index];
        let mut unmatched = Vec::new();
        let mut clip = Clip { tracks: Vec::new(), ..source.clone() };
        for track in &source.tracks {
            match self.of_node[track.node.index()].as_ref().and_then(|carry| carry.track(track, to)) {
                Some(track) => clip.tracks.push(track),
                None => unmatched.push(track.node),
            }
        }
        unmatched.sort_unstable();
        unmatched.dedup();
        let mut moved: Vec<NodeId> = clip.tracks.iter().map(|track| track.node).collect();
        moved.sort_unstable();
        moved.dedup();
        let (angle, apart, ends_apart) = self.measure(index, own, to, &clip, gauge);
        let target = |end: &usize| self.of_node[*end].as_ref().map(|carry| carry.target);
        let ends = self.ends.iter().filter_map(target).collect();
        Carried { joints: moved.len(), clip, unmatched, degrees: angle, apart, ends, ends_apart }
    }

    /// Poses the clip on both skeletons.
    fn measure(
        &self,
        index: usize,
        own: Option<&OwnMotion>,
        to: &Scene,
        clip: &Clip,
        gauge: &Gauge,
    ) -> (f64, f64, f64) {
        let source = &self.from.clips[index];
        let keys = key_times(&source.tracks);
        let most = (gauge.affordable(to).min(gauge.affordable(self.from))).clamp(8, 512);
        let every = keys.len().div_ceil(most).max(1);
        let moving: std::collections::HashSet<NodeId> =
            source.tracks.iter().map(|track| track.node).collect();
        let pairs: Vec<(usize, &Carry)> = moving
            .iter()
            .filter_map(|node| Some((node.index(), self.of_node[node.index()].as_ref()?)))
            .collect();
        let (mut first, mut second) = (Player::new(self.from, own), Player::of_clip(to, clip));
        let (mut angle, mut apart, mut ends) = (0.0_f64, 0.0_f64, 0.0_f64);
        for &time in keys.iter().step_by(every) {
            let (a, b) = (first.pose(index, time), second.at(time));
            for (node, carry) in &pairs {
                let (one, other) = (&a.globals[*node], &b.globals[carry.target.index()]);
                angle = angle.max(degrees(rotation(one) * carry.difference, rotation(other)));
                apart = apart.max((one.w_axis - other.w_axis).truncate().length() / gauge.size());
            }
            let place = |node: usize| {
                let target = self.of_node[node].as_ref().map_or(node, |carry| carry.target.index());
                (a.globals[node].w_axis.truncate(), b.globals[target].w_axis.truncate())
            };
            let top = self.top.map_or((DVec3::ZERO, DVec3::ZERO), place);
            for &end in &self.ends {
                let (one, other) = place(end);
                ends = ends.max(((one - top.0) * self.ratio).distance(other - top.1) / gauge.size());
            }
        }
        (angle, apart, ends)
    }
}

impl Carry {
    fn new(target: NodeId, above: (DMat4, DMat4), at: (DMat4, DMat4), is_top: bool) -> Self {
        let difference = |from: &DMat4, to: &DMat4| rotation(from).inverse() * rotation(to);
        let (left, right) = (difference(&above.0, &above.1).inverse(), difference(&at.0, &at.1));
        let is_none = |q: DQuat| degrees(q, DQuat::IDENTITY) < SAME;
        let turn = (!is_none(left) || !is_none(right)).then_some((left, right));
        let locals = (above.0.inverse() * at.0, above.1.inverse() * at.1);
        let (from, to) = (locals.0.w_axis.truncate(), locals.1.w_axis.truncate());
        let shift = Self::shift(above, at, (from, to), is_top);
        let sizes =
            |m: &DMat4| DVec3::from([m.x_axis, m.y_axis, m.z_axis].map(|axis| axis.truncate().length()));
        let ratio = sizes(&locals.1) / sizes(&locals.0);
        let is_one = !ratio.is_finite() || (ratio - DVec3::ONE).abs().max_element() < SAME;
        Self { target, turn, shift, scale: if is_one { DVec3::ONE } else { ratio }, difference: right }
    }

    fn shift(
        above: (DMat4, DMat4),
        at: (DMat4, DMat4),
        (from, to): (DVec3, DVec3),
        is_top: bool,
    ) -> Option<(DVec3, DMat3, DVec3)> {
        let linear = DMat3::from_mat4(above.1.inverse()) * DMat3::from_mat4(above.0);
        let blocks = (DMat3::from_mat4(above.0), DMat3::from_mat4(above.1));
        // The joint at the top moves as far as its model is high; others as far as their bones are long.
        let lengths = match is_top {
            true => (at.0.w_axis.truncate().length(), at.1.w_axis.truncate().length()),
            false => ((blocks.0 * from).length(), (blocks.1 * to).length()),
        };
        let ratio = lengths.1 / lengths.0;
        let is_equal = !ratio.is_finite() || ratio == 0.0 || (ratio - 1.0).abs() < 1e-4;
        let ratio = if is_equal { 1.0 } else { ratio };
        let linear = if linear.is_finite() { linear * ratio } else { DMat3::IDENTITY };
        let is_identity = (linear - DMat3::IDENTITY).to_cols_array().iter().all(|v| v.abs() < SAME)
            && from.distance(to) <= SAME * to.length().max(1e-3);
        (!is_identity && from.is_finite() && to.is_finite()).then_some((to, linear, from))
    }

    /// The counterpart's track; `None` if it cannot have one.
    fn track(&self, track: &Track, to: &Scene) -> Option<Track> {
        let node = to.nodes.get(self.target.index())?;
        if track.moves_node() && node.local.trs().is_none() {
            return None;
        }
        let each = track.interpolation.values_per_key();
        // The value of a cubic key is between its tangents.
        let is_value = |index: usize| each == 1 || index % 3 == 1;
        let values = match &track.values {
            Values::Rotation(v) => Values::Rotation(v.iter().map(|&q| self.rotated(q)).collect()),
            Values::Translation(v) => {
                let shifted = |(index, &v): (usize, &Vec3)| self.shifted(v, is_value(index));
                Values::Translation(v.iter().enumerate().map(shifted).collect())
            }
            Values::Scale(v) => {
                Values::Scale(v.iter().map(|v| (v.as_dvec3() * self.scale).as_vec3()).collect())
            }
            Values::MorphWeights { count, .. } => {
                let targets = node.mesh.map_or(0, |mesh| to.meshes[mesh.index()].morphs.len());
                if targets != *count {
                    return None;
                }
                track.values.clone()
            }
        };
        Some(Track { node: self.target, times: track.times.clone(), values, ..*track })
    }

    fn rotated(&self, q: Quat) -> Quat {
        // Tangents are not unit length, so nothing is normalised.
        self.turn.map_or(q, |(left, right)| (left * q.as_dquat() * right).as_quat())
    }

    fn shifted(&self, v: Vec3, is_value: bool) -> Vec3 {
        match self.shift {
            None => v,
            Some((to, linear, from)) if is_value => (to + linear * (v.as_dvec3() - from)).as_vec3(),
            Some((_, linear, _)) => (linear * v.as_dvec3()).as_vec3(),
        }
    }
}
