//! The tracks of a clip whose root motion goes elsewhere.
//!
//! Where nothing above the joint moves and it is not turned, every key keeps its time and its kind: a distance is a linear function of
//! the translation, so cubic curves and steps stay what they are. Otherwise the motion is followed with added keys: first that of the
//! node, then that of the joint, which makes up for whatever the node's keys do between them.

use super::super::joints::rotation;
use super::chain::{Chain, without};
use super::moved::Moved;
use crate::motion::{Fit, Fitted, KeyBudget, Side, Task, Tolerance};
use crate::scene::{Clip, NodeId, Scene, Track, Trs, Values};
use glam::{DMat3, DMat4, DQuat, DVec3, Vec3};

/// A clip being changed, and what its nodes' motions weigh.
pub(super) struct Shift<'a> {
    pub(super) scene: &'a Scene,
    pub(super) clip: &'a Clip,
    pub(super) moved: &'a Moved<'a>,
    pub(super) turns: bool,
    /// How much a distance of one in the scene weighs, as a fraction of the model's size.
    pub(super) weight: f64,
}

/// The values of a translation track, changed by a linear function: `at` of values, `slope` of tangents.
fn mapped(
    track: &Track,
    node: NodeId,
    at: impl Fn(DVec3) -> DVec3,
    slope: impl Fn(DVec3) -> DVec3,
) -> Option<Track> {
    let Values::Translation(values) = &track.values else { return None };
    let each = track.interpolation.values_per_key();
    let change = |(index, v): (usize, &Vec3)| match each == 1 || index % 3 == 1 {
        true => at(v.as_dvec3()).as_vec3(),
        false => slope(v.as_dvec3()).as_vec3(),
    };
    let values = Values::Translation(values.iter().enumerate().map(change).collect());
    Some(Track { node, interpolation: track.interpolation, times: track.times.clone(), values })
}

fn is_translation_of(node: NodeId) -> impl Fn(&&Track) -> bool {
    move |track| track.node == node && matches!(track.values, Values::Translation(_))
}

impl Shift<'_> {
    fn chain(&self, node: NodeId) -> Chain<'_> {
        Chain::of(self.scene, &self.clip.tracks, node)
    }

    /// The axes' part of a translation in a space that does not move.
    fn linear(&self, above: &DMat4, of: &impl Fn(DVec3) -> DVec3) -> DMat3 {
        let block = DMat3::from_mat4(*above);
        DMat3::from_cols(of(block.x_axis), of(block.y_axis), of(block.z_axis))
    }

    /// The joint's motion without its root motion, key by key, and the root motion as a track of the holder; `None` if it
    /// takes more than that.
    pub(super) fn exact(
        &self,
        joint: NodeId,
        holder: Option<NodeId>,
        masked: &impl Fn(DVec3) -> DVec3,
    ) -> Option<Vec<Track>> {
        let chain = self.chain(joint);
        if self.turns || !chain.is_still_above() {
            return None;
        }
        let trs = self.scene.nodes[joint.index()].local.trs()?;
        let from = trs.translation.as_dvec3();
        let Some(track) = self.clip.tracks.iter().find(is_translation_of(joint)) else {
            return Some(self.clip.tracks.clone());
        };
        let above = chain.above(0.0, Side::After);
        let far = self.linear(&above, masked);
        let back = DMat3::from_mat4(above).inverse() * far;
        if !back.is_finite() {
            return None;
        }
        let mut tracks = without(self.clip, joint, &["translation"]);
        tracks.push(mapped(track, joint, |v| v - back * (v - from), |v| v - back * v)?);
        if let Some(holder) = holder {
            let to = DMat3::from_mat4(self.chain(holder).above(0.0, Side::After)).inverse() * far;
            let at_rest = self.scene.nodes[holder.index()].local.trs()?.translation.as_dvec3();
            if !to.is_finite() {
                return None;
            }
            tracks.push(mapped(track, holder, |v| at_rest + to * (v - from), |v| to * v)?);
        }
        Some(tracks)
    }

    /// The holder's track with the motion of the joint, followed by added keys, and the other tracks.
    pub(super) fn lifted(&self, joint: NodeId, holder: NodeId) -> (Vec<Track>, Fitted) {
        let (source, top) = (self.chain(joint), self.chain(holder));
        let rest = self.scene.nodes[holder.index()].local.nearest_trs().0;
        let at = |time: f64, side: Side| {
            let (above, moved) = (top.above(time, side), self.moved.matrix(&source.global(time, side)));
            (above.inverse() * moved * above, rest)
        };
        self.followed(holder, &source.keys(), at, self.clip.tracks.clone())
    }

    /// The tracks of a node from which its own root motion is taken.
    pub(super) fn stilled(&self, node: NodeId) -> (Vec<Track>, Fitted) {
        let source = self.chain(node);
        let at = |time: f64, side: Side| {
            let (above, global) = (source.above(time, side), source.global(time, side));
            (above.inverse() * self.moved.matrix(&global).inverse() * above, source.local(time, side))
        };
        let properties: &[&str] = if self.turns { &["translation", "rotation"] } else { &["translation"] };
        self.followed(node, &source.keys(), at, without(self.clip, node, properties))
    }

    /// The joint's tracks once `above` leads to it instead of what is above it in the source: it stays where it is.
    pub(super) fn settled(
        &self,
        joint: NodeId,
        keys: &[f64],
        above: impl Fn(f64, Side) -> DMat4,
        tracks: Vec<Track>,
    ) -> (Vec<Track>, Fitted) {
        let source = self.chain(joint);
        let at = |time: f64, side: Side| {
            (above(time, side).inverse() * source.above(time, side), source.local(time, side))
        };
        let properties: &[&str] = if self.turns { &["translation", "rotation"] } else { &["translation"] };
        let is_kept = |track: &Track| track.node != joint || !properties.contains(&track.values.property());
        self.followed(joint, keys, at, tracks.into_iter().filter(is_kept).collect())
    }

    /// Adds tracks that follow `change · local`.
    fn followed(
        &self,
        node: NodeId,
        keys: &[f64],
        at: impl Fn(f64, Side) -> (DMat4, Trs),
        mut tracks: Vec<Track>,
    ) -> (Vec<Track>, Fitted) {
        let Some(&rest) = self.scene.nodes[node.index()].local.trs() else {
            return (tracks, Fitted::default());
        };
        let mut budget = KeyBudget::default();
        let mut fit = Fit::new(Tolerance::FINE, &mut budget);
        let unit = {
            let above = self.chain(node).above(keys.first().copied().unwrap_or(0.0), Side::After);
            [above.x_axis, above.y_axis, above.z_axis]
                .map(|axis| axis.length())
                .into_iter()
                .fold(0.0, f64::max)
        };
        let place = |time: f64, side: Side| {
            let (change, local) = at(time, side);
            finite(change.transform_point3(local.translation.as_dvec3()), rest.translation.as_dvec3())
        };
        let weight = self.weight * unit;
        let places = Task { keys, shift: 0.0, weight }.bake(&mut fit, place);
        let to_vectors = |v: &[DVec3]| Values::Translation(v.iter().map(|v| v.as_vec3()).collect());
        tracks.extend(places.leaving(&rest.translation.as_dvec3()).map(|b| b.track(node, to_vectors)));
        if self.turns {
            let turn = |time: f64, side: Side| {
                let (change, local) = at(time, side);
                (rotation(&change) * local.rotation.as_dquat()).normalize()
            };
            // A turn moves the farthest vertex by no more than the model is large.
            let turns = Task { keys, shift: 0.0, weight: 1.0 }.bake(&mut fit, turn);
            let to_turns = |v: &[DQuat]| Values::Rotation(v.iter().map(|q| q.as_quat()).collect());
            tracks.extend(turns.leaving(&rest.rotation.as_dquat()).map(|b| b.track(node, to_turns)));
        }
        (tracks, fit.done)
    }
}

fn finite(v: DVec3, otherwise: DVec3) -> DVec3 {
    if v.is_finite() { v } else { otherwise }
}
