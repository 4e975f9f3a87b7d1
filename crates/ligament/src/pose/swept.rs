//! The box around everything that a clip shows, at its keys and between them.
//!
//! Between two times, a vertex leaves the straight line by about four times as much as it still does after another time in the
//! middle. So stretches are halved until the middle is near enough, and what may be left is added to the box. Vertices are
//! posed in clusters, and only if the cluster could reach out of the box so far: a blend is never outside of what its joints
//! do with the cluster's own box.

use super::bounds::Bounds;
use super::hierarchy::Pose;
use super::player::Player;
use super::skin::exact_joint_matrices;
use crate::motion::key_times;
use crate::scene::{Influence, Interpolation, Node, Part, Scene};
use glam::{DMat4, DVec3, DVec4, Vec3};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

/// How far a vertex may leave the straight line between two poses, as a fraction of the model's size. Half of it is added.
const TOLERANCE: f64 = 8e-6;
/// What rounding does to posed vertices, as a fraction of the model's size.
const ROUNDING: f64 = 5e-7;
/// How many times a stretch between two keys is halved at most.
const DEEPEST: u32 = 12;
/// Limit of clusters times poses; beyond it, stretches are not halved any more and the box is less tight.
const MOST_WORK: usize = 1 << 28;
/// Vertices per cluster.
const CLUSTER: usize = 64;

/// A box that holds everything that a clip shows.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Swept {
    /// The box.
    pub bounds: Bounds,
    /// How much larger than needed it may be on any side, in the scene's units.
    pub slack: f64,
}

/// The box around all posed vertices at all times of a clip, given by its index; `None` if nothing is drawn.
pub fn clip_bounds(scene: &Scene, clip: usize) -> Option<Swept> {
    let clip = scene.clips.get(clip)?;
    let body = Body::of(scene)?;
    let mut times = key_times(&clip.tracks);
    times.extend([0.0, clip.duration]);
    let has_steps = clip.tracks.iter().any(|track| track.interpolation == Interpolation::Step);
    if has_steps {
        let before: Vec<f32> =
            times.iter().map(|time| time.next_down()).filter(|time| *time >= 0.0).collect();
        times.extend(before);
    }
    times.sort_unstable_by(f32::total_cmp);
    times.dedup();
    let mut sweep = Sweep { scene, body: &body, found: None, slack: 0.0, work: MOST_WORK };
    let mut player = Player::of_clip(scene, clip);
    let mut last: Option<(f32, Shown)> = None;
    for time in times {
        let shown = body.shown(scene, player.at(time));
        sweep.add(&shown);
        if let Some((before, from)) = last {
            // A pose does not change within one step of f32, except by a jump.
            if before.next_up() < time {
                sweep.between(&mut player, (before, &from), (time, &shown), 0);
            }
        }
        last = Some((time, shown));
    }
    let slack = sweep.slack + ROUNDING * body.size;
    sweep.found.map(|found| {
        // Rounding to f32 goes outwards.
        let min = (found.0 - slack).as_vec3().map(f32::next_down);
        let max = (found.1 + slack).as_vec3().map(f32::next_up);
        Swept { bounds: Bounds { min, max }, slack: 2.0 * slack }
    })
}

/// For each joint of each skin, the box in the joint's own space around the vertices that it has weight on, over all meshes that
/// are drawn with the skin. Morph targets count with every weight that the scene or a clip gives them.
pub fn joint_boxes(scene: &Scene) -> Vec<Vec<Option<Bounds>>> {
    let binds: Vec<Vec<DMat4>> =
        scene.skins.iter().map(|skin| skin.binds().map(|(_, bind)| bind).collect()).collect();
    let mut boxes: Vec<Vec<Option<Bounds>>> = binds.iter().map(|binds| vec![None; binds.len()]).collect();
    let ranges = weight_ranges(scene);
    for (node, ranges) in scene.nodes.iter().zip(&ranges) {
        let Some((mesh, skin)) = node.mesh.zip(node.skin) else { continue };
        let (binds, boxes) = (&binds[skin.index()], &mut boxes[skin.index()]);
        for part in &scene.meshes[mesh.index()].parts {
            for (vertex, pairs) in part.influences.iter().enumerate() {
                let (low, high) = reached(part, vertex, ranges);
                for pair in pairs.iter().filter(|pair| pair.weight != 0.0) {
                    let joint = pair.joint as usize;
                    let (Some(bind), Some(own)) = (binds.get(joint), boxes.get_mut(joint)) else { continue };
                    let (min, max) = match low == high {
                        true => (bind.transform_point3(low), bind.transform_point3(low)),
                        false => moved((low, high), bind),
                    };
                    let found = Bounds { min: min.as_vec3(), max: max.as_vec3() };
                    *own = Some(own.map_or(found, |known| known.union(found)));
                }
            }
        }
    }
    boxes
}

/// For each node, the least and largest weight of each morph target, at rest and in all clips.
fn weight_ranges(scene: &Scene) -> Vec<Vec<(f32, f32)>> {
    let rest = Pose::rest(scene).morph_weights;
    let pair = |weights: &Vec<f32>| weights.iter().map(|&weight| (weight, weight)).collect();
    let mut all: Vec<Vec<(f32, f32)>> = rest.iter().map(pair).collect();
    for track in scene.clips.iter().flat_map(|clip| &clip.tracks).filter(|track| !track.moves_node()) {
        let Some(ranges) = all.get_mut(track.node.index()).filter(|ranges| !ranges.is_empty()) else {
            continue;
        };
        let mut times = track.times.to_vec();
        // Curves may leave the range of their keys.
        let within = |w: &[f32]| (1..16).map(|i| w[0] + (w[1] - w[0]) * i as f32 / 16.0).collect::<Vec<_>>();
        times.extend(track.times.windows(2).flat_map(within));
        for time in times {
            if let Some(super::Sampled::MorphWeights(weights)) = super::sample(track, time) {
                for (range, weight) in ranges.iter_mut().zip(weights) {
                    *range = (range.0.min(weight), range.1.max(weight));
                }
            }
        }
    }
    all
}

/// Where morph targets can put a vertex.
fn reached(part: &Part, vertex: usize, ranges: &[(f32, f32)]) -> (DVec3, DVec3) {
    let at = part.positions[vertex].as_dvec3();
    let (mut low, mut high) = (at, at);
    for (deltas, range) in part.morphs.iter().zip(ranges) {
        let Some(delta) = deltas.positions.get(vertex).map(|delta| delta.as_dvec3()) else { continue };
        let (a, b) = (delta * f64::from(range.0), delta * f64::from(range.1));
        low += a.min(b);
        high += a.max(b);
    }
    (low, high)
}

/// A box, moved by a matrix.
fn moved((min, max): (DVec3, DVec3), matrix: &DMat4) -> (DVec3, DVec3) {
    let center = matrix.transform_point3((min + max) * 0.5);
    let half = (max - min) * 0.5;
    let [x, y, z] = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|axis| axis.truncate().abs());
    let reach = x * half.x + y * half.y + z * half.z;
    (center - reach, center + reach)
}

/// The vertices of a scene, in clusters.
struct Body<'a> {
    clusters: Vec<Cluster<'a>>,
    movers: Vec<Mover>,
    size: f64,
}

/// Neighbouring vertices of a part.
struct Cluster<'a> {
    node: usize,
    part: &'a Part,
    vertices: Range<usize>,
    /// The matrices that move them, as indices into those of the node.
    slots: Vec<usize>,
    /// The same as indices of movers.
    movers: Vec<usize>,
    is_skinned: bool,
    own: Reach,
}

/// Where vertices are in their mesh.
#[derive(Clone)]
struct Reach {
    /// The box around them without morph targets.
    bounds: (DVec3, DVec3),
    /// How far each morph target of weight one moves one of them at most.
    morphs: Vec<f64>,
}

/// A matrix, and what it moves.
struct Mover {
    node: usize,
    slot: usize,
    own: Reach,
}

/// One pose.
struct Shown {
    /// For each node that draws something, the matrices of its joints and one that moves nothing; of a mesh without a skin, that
    /// of the node.
    matrices: Vec<Vec<DMat4>>,
    weights: Vec<Vec<f32>>,
    /// For each cluster, a box that no vertex leaves.
    boxes: Vec<(DVec3, DVec3)>,
}

impl<'a> Body<'a> {
    fn of(scene: &'a Scene) -> Option<Self> {
        let mut clusters = Vec::new();
        for (index, node) in scene.nodes.iter().enumerate() {
            let Some(mesh) = node.mesh else { continue };
            let joints = node.skin.map(|skin| scene.skins[skin.index()].joints.len());
            for part in &scene.meshes[mesh.index()].parts {
                for start in (0..part.positions.len()).step_by(CLUSTER) {
                    let vertices = start..(start + CLUSTER).min(part.positions.len());
                    clusters.push(Cluster::new(index, joints, part, vertices));
                }
            }
        }
        let mut movers: Vec<Mover> = Vec::new();
        let mut known: HashMap<(usize, usize), usize> = HashMap::new();
        for cluster in &mut clusters {
            for &slot in &cluster.slots {
                let index = *known.entry((cluster.node, slot)).or_insert_with(|| {
                    movers.push(Mover { node: cluster.node, slot, own: cluster.own.clone() });
                    movers.len() - 1
                });
                movers[index].own.add(&cluster.own);
                cluster.movers.push(index);
            }
        }
        let size = super::bounds(scene, &Pose::rest(scene))?.diagonal();
        Some(Self { clusters, movers, size: if size > 0.0 { size } else { 1.0 } })
    }

    fn shown(&self, scene: &Scene, pose: &Pose) -> Shown {
        let of_node = |(index, node): (usize, &Node)| match (node.mesh, node.skin) {
            (Some(_), Some(skin)) => {
                let joints = exact_joint_matrices(&scene.skins[skin.index()], pose);
                joints.chain([DMat4::IDENTITY]).collect()
            }
            (Some(_), None) => vec![pose.globals[index]],
            _ => Vec::new(),
        };
        let matrices = scene.nodes.iter().enumerate().map(of_node).collect();
        let mut shown = Shown { matrices, weights: pose.morph_weights.clone(), boxes: Vec::new() };
        shown.boxes = self.clusters.iter().map(|cluster| cluster.at_most(&shown)).collect();
        shown
    }
}

impl Reach {
    fn add(&mut self, other: &Reach) {
        self.bounds = (self.bounds.0.min(other.bounds.0), self.bounds.1.max(other.bounds.1));
        self.morphs.resize(self.morphs.len().max(other.morphs.len()), 0.0);
        self.morphs.iter_mut().zip(&other.morphs).for_each(|(own, other)| *own = own.max(*other));
    }

    /// The box with what morph targets do.
    fn boxed(&self, weights: &[f32]) -> (DVec3, DVec3) {
        let far = self.morphs.iter().zip(weights).map(|(far, weight)| far * f64::from(weight.abs()));
        let far: f64 = far.sum();
        (self.bounds.0 - far, self.bounds.1 + far)
    }
}

impl Mover {
    fn matrix(&self, shown: &Shown) -> DMat4 {
        shown.matrices[self.node].get(self.slot).copied().unwrap_or(DMat4::IDENTITY)
    }

    /// How far a vertex in the middle can be from the line between the ends.
    fn bend(&self, from: &Shown, middle: &Shown, to: &Shown) -> f64 {
        let weights = [from, middle, to].map(|shown| shown.weights[self.node].as_slice());
        let (low, high) = weights
            .map(|weights| self.own.boxed(weights))
            .into_iter()
            .fold(NOTHING, |all, (min, max)| (all.0.min(min), all.1.max(max)));
        let [a, m, b] = [from, middle, to].map(|shown| self.matrix(shown));
        let off = m - (a + b) * 0.5;
        let corner = |i: usize| {
            let pick = |axis: usize| if i >> axis & 1 == 0 { low[axis] } else { high[axis] };
            (off * DVec4::new(pick(0), pick(1), pick(2), 1.0)).truncate().length()
        };
        let bend = (0..8).map(corner).fold(0.0, f64::max);
        // Weights have their own curve, and a mesh turns while they change.
        let length = |m: &DMat4| [m.x_axis, m.y_axis, m.z_axis].iter().map(|v| v.length()).sum::<f64>();
        let (turned, scale) = (length(&(b - a)), length(&m));
        let of_morph = |(index, far): (usize, &f64)| {
            let [a, m, b] = weights.map(|weights| weights.get(index).copied().map_or(0.0, f64::from));
            far * ((m - (a + b) * 0.5).abs() * scale + (b - a).abs() * turned * 0.25)
        };
        bend + self.own.morphs.iter().enumerate().map(of_morph).sum::<f64>()
    }
}

/// A box before anything is in it.
const NOTHING: (DVec3, DVec3) = (DVec3::INFINITY, DVec3::NEG_INFINITY);

impl<'a> Cluster<'a> {
    fn new(node: usize, joints: Option<usize>, part: &'a Part, vertices: Range<usize>) -> Self {
        let mut slots = BTreeSet::new();
        for vertex in vertices.clone() {
            let Some(count) = joints else {
                slots.insert(0);
                break;
            };
            let pairs = part.influences.of(vertex);
            let moving = pairs.iter().filter(|pair| pair.weight != 0.0);
            slots.extend(moving.map(|pair| (pair.joint as usize).min(count)));
            if pairs.iter().map(|pair| f64::from(pair.weight)).sum::<f64>() == 0.0 {
                slots.insert(count);
            }
        }
        let positions = part.positions[vertices.clone()].iter().map(|position| position.as_dvec3());
        let bounds = positions.fold(NOTHING, |all, at| (all.0.min(at), all.1.max(at)));
        let farthest = |deltas: &[Vec3]| {
            let own = deltas.get(vertices.clone()).unwrap_or_default();
            own.iter().map(|delta| f64::from(delta.length())).fold(0.0, f64::max)
        };
        let morphs = part.morphs.iter().map(|morph| farthest(&morph.positions)).collect();
        let (slots, own) = (slots.into_iter().collect(), Reach { bounds, morphs });
        Self { node, part, vertices, slots, movers: Vec::new(), is_skinned: joints.is_some(), own }
    }

    /// A box that no vertex leaves.
    fn at_most(&self, shown: &Shown) -> (DVec3, DVec3) {
        let (own, all) = (self.own.boxed(&shown.weights[self.node]), &shown.matrices[self.node]);
        let matrices = self.slots.iter().filter_map(|slot| all.get(*slot));
        let boxes = matrices.map(|matrix| moved(own, matrix));
        boxes.fold(NOTHING, |all, (min, max)| (all.0.min(min), all.1.max(max)))
    }

    /// The places of all vertices.
    fn places(&self, shown: &Shown) -> impl Iterator<Item = DVec3> {
        let (all, weights) = (&shown.matrices[self.node], &shown.weights[self.node]);
        self.vertices.clone().map(move |vertex| {
            let mut at = self.part.positions[vertex].as_dvec3();
            for (morph, weight) in self.part.morphs.iter().zip(weights) {
                if let Some(delta) = morph.positions.get(vertex) {
                    at += delta.as_dvec3() * f64::from(*weight);
                }
            }
            if !self.is_skinned {
                return all.first().map_or(at, |matrix| matrix.transform_point3(at));
            }
            let pairs = self.part.influences.of(vertex);
            let sum: f64 = pairs.iter().map(|pair| f64::from(pair.weight)).sum();
            if sum == 0.0 {
                return at;
            }
            let of_pair = |pair: &Influence| {
                let matrix = all.get(pair.joint as usize).copied().unwrap_or(DMat4::IDENTITY);
                matrix.transform_point3(at) * (f64::from(pair.weight) / sum)
            };
            pairs.iter().map(of_pair).sum()
        })
    }
}

struct Sweep<'a> {
    scene: &'a Scene,
    body: &'a Body<'a>,
    found: Option<(DVec3, DVec3)>,
    slack: f64,
    /// Clusters that may still be looked at.
    work: usize,
}

impl Sweep<'_> {
    fn holds(&self, (min, max): (DVec3, DVec3), by: f64) -> bool {
        self.found.is_some_and(|found| (min - by).cmpge(found.0).all() && (max + by).cmple(found.1).all())
    }

    /// Extends the box to hold a pose.
    fn add(&mut self, shown: &Shown) {
        self.work = self.work.saturating_sub(self.body.clusters.len());
        for (cluster, own) in self.body.clusters.iter().zip(&shown.boxes) {
            if self.holds(*own, 0.0) {
                continue;
            }
            for place in cluster.places(shown).filter(|place| place.is_finite()) {
                self.found = Some(self.found.map_or((place, place), |(a, b)| (a.min(place), b.max(place))));
            }
        }
    }

    /// Extends it to hold what is between two poses that it holds.
    fn between(&mut self, player: &mut Player<'_>, from: (f32, &Shown), to: (f32, &Shown), depth: u32) {
        let time = from.0 + (to.0 - from.0) * 0.5;
        if time <= from.0 || time >= to.0 {
            return;
        }
        let middle = self.body.shown(self.scene, player.at(time));
        self.add(&middle);
        let bends: Vec<f64> =
            self.body.movers.iter().map(|mover| mover.bend(from.1, &middle, to.1)).collect();
        // What cannot leave the box need not be followed.
        let mut bend = 0.0_f64;
        for (index, cluster) in self.body.clusters.iter().enumerate() {
            let own = cluster.movers.iter().map(|mover| bends[*mover]).fold(0.0, f64::max);
            if own > bend && ![from.1, &middle, to.1].iter().all(|shown| self.holds(shown.boxes[index], own))
            {
                bend = own;
            }
        }
        let is_near = bend <= TOLERANCE * self.body.size;
        // The first look may hit a place where the way crosses the line.
        if (is_near && depth > 0) || depth == DEEPEST || self.work == 0 {
            self.slack = self.slack.max(if is_near { bend * 0.5 } else { bend });
            return;
        }
        self.between(player, from, (time, &middle), depth + 1);
        self.between(player, (time, &middle), to, depth + 1);
    }
}
