//! Transforms of nodes that go, folded into what is below them.
//!
//! A node above that only rotates, moves and scales evenly can be multiplied in front of any transform. If it stands still
//! in a clip, that is done with the keys, which stay keys; if it moves, the product is sampled, with as many keys as it
//! needs.

use crate::motion::{Baked, Fit, KeyBudget, Reach, Side, Task, Tolerance, Value, key_times};
use crate::passes::similarity::Similarity;
use crate::pose::{Sampled, sample};
use crate::scene::{Interpolation, Local, Node, NodeId, Scene, Track, Trs, Values};
use glam::{DMat4, DQuat, DVec3, Quat, Vec3};
use std::collections::{HashMap, HashSet};

/// How many errors of this size add up to what the proof calls exact: those of three properties, of a joint and one above.
const SHARES: f64 = 6.0;

/// A node that takes the transforms of those above it that go.
pub(super) struct Fold {
    pub(super) node: NodeId,
    /// The nodes that go, the topmost first.
    pub(super) above: Vec<NodeId>,
}

/// Whether a node only rotates, moves and scales evenly, at rest and in every clip.
pub(super) fn is_even(node: &Node, tracks: &[&Track]) -> bool {
    let even = |v: &Vec3| (*v - Vec3::splat(v.x)).abs().max_element() <= 1e-6 * v.x.abs();
    let rests_even = node.local.trs().is_some() && Similarity::of(&node.local.to_matrix()).is_some();
    rests_even
        && tracks.iter().all(|track| match &track.values {
            Values::Scale(values) => values.iter().all(even) && values.iter().all(|v| v.x != 0.0),
            _ => true,
        })
}

/// Folds them. The nodes above stay in the scene, with their tracks.
pub(super) fn fold(scene: &mut Scene, folds: &[Fold]) {
    if folds.is_empty() {
        return;
    }
    let reach = Reach::of(scene);
    let mut budget = KeyBudget::default();
    let mut clips = std::mem::take(&mut scene.clips);
    let taken: HashSet<NodeId> =
        folds.iter().flat_map(|fold| fold.above.iter().chain([&fold.node])).copied().collect();
    let rest: Vec<Local> = folds.iter().map(|fold| folded_rest(scene, fold)).collect();
    for clip in &mut clips {
        let mut of_node: HashMap<NodeId, Vec<Track>> = HashMap::new();
        let mut tracks = Vec::with_capacity(clip.tracks.len());
        for track in std::mem::take(&mut clip.tracks) {
            match track.moves_node() && taken.contains(&track.node) {
                true => of_node.entry(track.node).or_default().push(track),
                false => tracks.push(track),
            }
        }
        for (fold, rest) in folds.iter().zip(&rest) {
            let chain = Chain::new(scene, fold, &of_node);
            match chain.is_still {
                true => tracks.extend(chain.before_tracks()),
                false => tracks.extend(chain.sampled(rest, &reach, &mut budget)),
            }
        }
        clip.tracks = tracks;
    }
    scene.clips = clips;
    for (fold, rest) in folds.iter().zip(rest) {
        scene.nodes[fold.node.index()].local = rest;
    }
}

/// The nodes of a fold with their tracks in one clip.
struct Chain<'a> {
    /// Those that go, and the one that stays.
    nodes: Vec<(&'a Node, &'a [Track])>,
    node: NodeId,
    top: NodeId,
    /// Whether none of those that go has a track.
    is_still: bool,
}

fn folded_rest(scene: &Scene, fold: &Fold) -> Local {
    let above = above_at_rest(scene, fold);
    match (&scene.nodes[fold.node.index()].local, Similarity::of(&above)) {
        (Local::Trs(trs), Some(similarity)) => similarity.before(trs).into(),
        (local, _) => Local::from_matrix(&(above * local.to_matrix())),
    }
}

fn above_at_rest(scene: &Scene, fold: &Fold) -> DMat4 {
    fold.above.iter().map(|id| scene.nodes[id.index()].local.to_matrix()).product()
}

impl<'a> Chain<'a> {
    fn new(scene: &'a Scene, fold: &Fold, tracks: &'a HashMap<NodeId, Vec<Track>>) -> Self {
        let of = |id: &NodeId| (&scene.nodes[id.index()], tracks.get(id).map_or(&[][..], Vec::as_slice));
        let nodes: Vec<_> = fold.above.iter().chain([&fold.node]).map(of).collect();
        let is_still = nodes.iter().rev().skip(1).all(|(_, tracks)| tracks.is_empty());
        Self { nodes, node: fold.node, top: fold.above.first().copied().unwrap_or(fold.node), is_still }
    }

    /// The node's own tracks, with what stands still multiplied in front of every value.
    fn before_tracks(&self) -> Vec<Track> {
        let Some(((_, tracks), above)) = self.nodes.split_last() else { return Vec::new() };
        let above: DMat4 = above.iter().map(|(node, _)| node.local.to_matrix()).product();
        let Some(similarity) = Similarity::of(&above) else { return tracks.to_vec() };
        let mut tracks = tracks.to_vec();
        for track in &mut tracks {
            similarity.before_track(&mut track.values, track.interpolation == Interpolation::Cubic);
        }
        tracks
    }

    /// The product over time, as keys.
    fn sampled(&self, rest: &Local, reach: &Reach, budget: &mut KeyBudget) -> Vec<Track> {
        let times = key_times(self.nodes.iter().flat_map(|(_, tracks)| *tracks));
        let keys: Vec<f64> = times.iter().map(|&time| f64::from(time)).collect();
        let Trs { translation, rotation, scale } = rest.nearest_trs().0;
        let mut fit = Fit::new(Tolerance::FINE, budget);
        let mut tracks = Vec::new();
        let task = |weight: f64| Task { keys: &keys, shift: 0.0, weight: weight * SHARES };
        let moved = task(reach.translation(self.top)).bake(&mut fit, |time, side| self.at(time, side).0);
        tracks.extend(self.track(moved, &translation.as_dvec3(), |v: &[DVec3]| {
            Values::Translation(v.iter().map(|v| v.as_vec3()).collect())
        }));
        let turned = task(reach.rotation(self.node)).bake(&mut fit, |time, side| self.at(time, side).1);
        tracks.extend(self.track(turned, &rotation.as_dquat(), |v: &[DQuat]| {
            Values::Rotation(v.iter().map(|v| v.as_quat()).collect())
        }));
        let scaled = task(reach.scale(self.node)).bake(&mut fit, |time, side| self.at(time, side).2);
        tracks.extend(self.track(scaled, &scale.as_dvec3(), |v: &[DVec3]| {
            Values::Scale(v.iter().map(|v| v.as_vec3()).collect())
        }));
        tracks
    }

    fn track<V: Value>(&self, baked: Baked<V>, rest: &V, values: impl Fn(&[V]) -> Values) -> Option<Track> {
        baked.leaving(rest).map(|baked| baked.track(self.node, values))
    }

    /// Translation, rotation and scale of the product.
    fn at(&self, time: f64, side: Side) -> (DVec3, DQuat, DVec3) {
        // Those above scale evenly, so a scale may be multiplied on either side of a rotation.
        let (mut place, mut turn, mut size) = (DVec3::ZERO, DQuat::IDENTITY, DVec3::ONE);
        for (node, tracks) in &self.nodes {
            let (translation, rotation, scale) = local_at(node, tracks, time, side);
            place += turn * (size * translation);
            turn *= rotation;
            size *= scale;
        }
        (place, turn, size)
    }
}

fn local_at(node: &Node, tracks: &[Track], time: f64, side: Side) -> (DVec3, DQuat, DVec3) {
    let Trs { mut translation, mut rotation, mut scale } = node.local.nearest_trs().0;
    for track in tracks {
        let seconds = time as f32;
        // Only steps have two sides.
        let is_before = track.interpolation == Interpolation::Step && side == Side::Before;
        match sample(track, if is_before { seconds.next_down() } else { seconds }) {
            Some(Sampled::Translation(v)) => translation = v,
            Some(Sampled::Rotation(q)) => rotation = q,
            Some(Sampled::Scale(v)) => scale = v,
            _ => {}
        }
    }
    (translation.as_dvec3(), unit(rotation), scale.as_dvec3())
}

fn unit(rotation: Quat) -> DQuat {
    let rotation = rotation.as_dquat().normalize();
    if rotation.is_finite() { rotation } else { DQuat::IDENTITY }
}
