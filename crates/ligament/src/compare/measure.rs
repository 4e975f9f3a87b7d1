//! The poses, and how far apart the pairs are.

use super::clips::{Matched, Moment, clip_name, moments};
use super::pairing::Pairs;
use super::surface::{Buffers, Surface};
use super::twins::Twins;
use super::{CompareOptions, Deviation, Pairing};
use crate::pose::{Bounds, Pose, bounds};
use crate::scene::{Clip, NodeId, Scene};
use glam::{DVec3, Vec3};
use std::collections::{HashMap, HashSet};

/// Vertices times poses that one comparison may cost: about a minute. Beyond it, poses are thinned.
const MAX_WORK: usize = 4_000_000_000;

#[derive(Default)]
pub(super) struct Measured {
    pub(super) worst: Option<Deviation>,
    pub(super) worst_at_keys: Option<Deviation>,
    pub(super) by_clip: Vec<Deviation>,
    pub(super) mean: f64,
    pub(super) poses: usize,
    pub(super) skipped: usize,
    pub(super) points: usize,
    pub(super) pairing: Option<Pairing>,
}

/// The model's size: see [`Comparison::size`](super::Comparison::size).
pub(super) fn size(scene: &Scene) -> f64 {
    let diagonal = |b: Option<Bounds>| b.map(|b| b.diagonal()).filter(|d| *d > 0.0 && d.is_finite());
    let rest = Pose::rest(scene);
    let over_clips = || {
        let poses = scene.clips.iter().take(64).flat_map(|clip| {
            [0.0, 0.5, 1.0].map(|part| bounds(scene, &Pose::at(scene, clip, clip.duration * part)))
        });
        diagonal(poses.flatten().reduce(Bounds::union))
    };
    let of_joints = || diagonal(Bounds::of(rest.globals.iter().map(|g| g.w_axis.truncate().as_vec3())));
    diagonal(bounds(scene, &rest)).or_else(over_clips).or_else(of_joints).unwrap_or(1.0)
}

/// Measures pairs of vertices.
pub(super) fn surfaces(
    first: &Surface,
    second: &Surface,
    pairs: &Pairs,
    matched: &Matched,
    size: f64,
    options: &CompareOptions,
) -> Measured {
    let mut buffers = Buffers::new();
    let (mut a, mut b) = (Vec::<Vec3>::new(), Vec::<Vec3>::new());
    let mut twins = Twins::of(first, second, pairs);
    let work = (first.vertex_count + second.vertex_count).max(first.scene.nodes.len());
    let found = walk(first.scene, second.scene, matched, options, work, |moment, tally| {
        let poses = moment.poses(first.scene, second.scene);
        if !pairs.list.is_empty() && twins.as_mut().is_some_and(|twins| twins.meet(first, second, &poses)) {
            return tally.add(0, 0.0);
        }
        first.pose(&poses.0, &mut buffers, &mut a);
        second.pose(&poses.1, &mut buffers, &mut b);
        for (index, &(i, j)) in pairs.list.iter().enumerate() {
            tally.add(index, a[i as usize].as_dvec3().distance_squared(b[j as usize].as_dvec3()));
        }
    });
    found.finish(size, pairs.list.len(), pairs.pairing, |index| vertex_place(first, pairs, index))
}

/// What measuring a scene against its equal would find, without moving a vertex.
pub(super) fn equal(
    surface: &Surface,
    pairs: &Pairs,
    matched: &Matched,
    size: f64,
    options: &CompareOptions,
) -> Measured {
    let scene = surface.scene;
    let work = (2 * surface.vertex_count).max(scene.nodes.len());
    let found = walk(scene, scene, matched, options, work, |_, tally| {
        if !pairs.list.is_empty() {
            tally.add(0, 0.0);
        }
    });
    found.finish(size, pairs.list.len(), pairs.pairing, |index| vertex_place(surface, pairs, index))
}

/// Mesh, vertex and joint of a pair.
fn vertex_place(first: &Surface, pairs: &Pairs, index: usize) -> (String, usize, Option<String>) {
    let vertex = pairs.list[index].0;
    let (mesh, number) = first.mesh_vertex(vertex);
    (mesh, number, first.main_joint(vertex).map(|joint| first.scene.node_label(joint)))
}

/// Measures the origins of joints of the same name.
pub(super) fn joints(
    first: &Scene,
    second: &Scene,
    matched: &Matched,
    size: f64,
    options: &CompareOptions,
) -> Measured {
    let pairs = joint_pairs(first, second);
    if pairs.is_empty() {
        return Measured::default();
    }
    let origin = |pose: &Pose, id: NodeId| -> DVec3 { pose.globals[id.index()].w_axis.truncate() };
    let work = first.nodes.len() + second.nodes.len();
    let found = walk(first, second, matched, options, work, |moment, tally| {
        let poses = moment.poses(first, second);
        for (index, &(a, b)) in pairs.iter().enumerate() {
            tally.add(index, origin(&poses.0, a).distance_squared(origin(&poses.1, b)));
        }
    });
    found.finish(size, pairs.len(), Pairing::Joints, |index| {
        (String::new(), index, Some(first.node_label(pairs[index].0)))
    })
}

/// Joints (without skins: nodes) of the same name; without names, in order.
fn joint_pairs(first: &Scene, second: &Scene) -> Vec<(NodeId, NodeId)> {
    let (own, other) = (joints_of(first), joints_of(second));
    let name = |scene: &Scene, id: NodeId| scene.nodes[id.index()].name.clone();
    let mut names: HashMap<String, NodeId> = HashMap::new();
    for &id in other.iter().rev() {
        names.insert(name(second, id), id);
    }
    names.remove("");
    let named: Vec<_> = own.iter().filter_map(|&id| Some((id, *names.get(&name(first, id))?))).collect();
    if named.is_empty() && own.len() == other.len() { own.into_iter().zip(other).collect() } else { named }
}

/// The nodes that skins use as joints, in the order of the nodes; all nodes in a scene without skins.
pub(super) fn joints_of(scene: &Scene) -> Vec<NodeId> {
    let joints: HashSet<NodeId> = scene.skins.iter().flat_map(|s| s.joints.iter().copied()).collect();
    scene.node_ids().filter(|id| joints.is_empty() || joints.contains(id)).collect()
}

/// The largest squared distance so far, and where.
#[derive(Clone, Copy)]
struct Peak {
    squared: f64,
    index: usize,
    moment: Option<(usize, f32)>,
}

/// One pose's distances.
struct Tally {
    worst: Option<(f64, usize)>,
    sum: f64,
}

impl Tally {
    fn add(&mut self, index: usize, squared: f64) {
        // What cannot be measured is as wrong as can be.
        let squared = if squared.is_nan() { f64::INFINITY } else { squared };
        self.sum += squared.sqrt();
        if self.worst.is_none_or(|(most, _)| squared > most) {
            self.worst = Some((squared, index));
        }
    }
}

/// All poses' distances.
#[derive(Default)]
struct Found {
    worst: Option<Peak>,
    at_keys: Option<Peak>,
    /// The worst at rest, and of each clip.
    by_clip: Vec<Peak>,
    sum: f64,
    poses: usize,
    skipped: usize,
    clips: Vec<String>,
}

impl Found {
    fn pose(&mut self, moment: Option<(usize, f32)>, at_key: bool, measure: impl FnOnce(&mut Tally)) {
        let mut tally = Tally { worst: None, sum: 0.0 };
        measure(&mut tally);
        self.sum += tally.sum;
        self.poses += 1;
        let Some((squared, index)) = tally.worst else { return };
        let peak = Peak { squared, index, moment };
        let raise = |old: &mut Option<Peak>| {
            if old.is_none_or(|old| squared > old.squared) {
                *old = Some(peak);
            }
        };
        raise(&mut self.worst);
        if at_key {
            raise(&mut self.at_keys);
        }
        let clip = |peak: &Peak| peak.moment.map(|(clip, _)| clip);
        match self.by_clip.last_mut() {
            Some(last) if clip(last) == clip(&peak) => {
                if squared > last.squared {
                    *last = peak;
                }
            }
            _ => self.by_clip.push(peak),
        }
    }

    fn finish(
        self,
        size: f64,
        points: usize,
        pairing: Pairing,
        describe: impl Fn(usize) -> (String, usize, Option<String>),
    ) -> Measured {
        let deviation = |peak: Peak| {
            let (mesh, vertex, joint) = describe(peak.index);
            let distance = peak.squared.sqrt();
            Deviation {
                distance,
                relative: distance / size,
                clip: peak.moment.map(|(clip, _)| self.clips[clip].clone()),
                time: peak.moment.map_or(0.0, |(_, time)| f64::from(time)),
                mesh,
                vertex,
                joint,
            }
        };
        let measured = self.poses.saturating_mul(points);
        Measured {
            worst: self.worst.map(deviation),
            worst_at_keys: self.at_keys.map(deviation),
            by_clip: self.by_clip.iter().copied().map(deviation).collect(),
            mean: if measured == 0 { 0.0 } else { self.sum / measured as f64 },
            poses: self.poses,
            skipped: self.skipped,
            points,
            pairing: (points > 0).then_some(pairing),
        }
    }
}

/// When both scenes are posed.
enum When<'a> {
    Rest,
    /// The clip of each scene, and the time in it.
    Playing((&'a Clip, f32), (&'a Clip, f32)),
}

impl When<'_> {
    fn poses(&self, first: &Scene, second: &Scene) -> (Pose, Pose) {
        match self {
            When::Rest => (Pose::rest(first), Pose::rest(second)),
            When::Playing((a, t), (b, u)) => (Pose::at(first, a, *t), Pose::at(second, b, *u)),
        }
    }
}

/// Goes through the rest pose and the moments of all matched clips.
fn walk(
    first: &Scene,
    second: &Scene,
    matched: &Matched,
    options: &CompareOptions,
    work_per_pose: usize,
    mut measure: impl FnMut(When<'_>, &mut Tally),
) -> Found {
    let clips = first.clips.iter().enumerate().map(|(i, clip)| clip_name(clip, i)).collect();
    let mut found = Found { clips, ..Found::default() };
    found.pose(None, true, |tally| measure(When::Rest, tally));
    let affordable = MAX_WORK / work_per_pose.max(1) / matched.len().max(1);
    let limit = options.max_poses_per_clip.min(affordable.max(2));
    for &(i, j) in matched {
        let (a, b) = (&first.clips[i], &second.clips[j]);
        let (moments, skipped) = moments(a, b, options, limit);
        found.skipped += skipped;
        for Moment { first: t, second: u, at_key } in moments {
            if !options.progress.goes_on() {
                found.skipped += 1;
                continue;
            }
            let when = When::Playing((a, t), (b, u));
            found.pose(Some((i, t)), at_key, |tally| measure(when, tally));
        }
    }
    found
}
