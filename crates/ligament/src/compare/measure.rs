//! Measures how far apart the paired vertices are in every pose.

use super::clips::{Matched, clip_name};
use super::moments::{Moment, moments};
use super::pairing::{Pairs, with_itself};
use super::parallel_map;
use super::surface::{Buffers, Surface, vertex_counts};
use super::twins::Twins;
use super::{CompareOptions, Deviation, Model, Pairing};
use crate::pose::{Bounds, Motion, Pose, bounds};
use crate::scene::{NodeId, Scene};
use glam::{DVec3, Vec3};
use std::collections::{HashMap, HashSet};

/// Limit of vertices times poses per comparison, about a minute of work. Beyond it, poses are thinned out.
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
    pub(super) doubtful: usize,
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
    let is_linear = |surface: &Surface| surface.model.own.is_none_or(|own| own.is_linear());
    let twins = if is_linear(first) && is_linear(second) { Twins::of(first, second, pairs) } else { None };
    let work = (first.vertex_count + second.vertex_count).max(first.scene.nodes.len());
    let models = (first.model, second.model);
    let found = walk(models, matched, options, work, Scratch::default, |moment, scratch, tally| {
        let poses = moment.poses(models);
        let Scratch { buffers, a, b, motions } = scratch;
        if !pairs.list.is_empty()
            && let Some(found) = twins.as_ref().and_then(|t| t.meet(first, second, &poses, motions, size))
        {
            *tally = Tally { worst: Some((found.distance * found.distance, found.pair)), sum: found.sum };
            return;
        }
        first.pose(&poses.0, buffers, a);
        second.pose(&poses.1, buffers, b);
        for (index, &(i, j)) in pairs.list.iter().enumerate() {
            tally.add(index, a[i as usize].as_dvec3().distance_squared(b[j as usize].as_dvec3()));
        }
    });
    let measured =
        found.finish(size, pairs.list.len(), pairs.pairing, |index| vertex_place(first, pairs, index));
    Measured { doubtful: pairs.doubtful, ..measured }
}

/// Buffers of one core.
#[derive(Default)]
struct Scratch {
    buffers: Buffers,
    a: Vec<Vec3>,
    b: Vec<Vec3>,
    motions: (Motion, Motion),
}

/// The result of measuring a scene against an equal one, without posing a vertex, so that there may be any number of
/// them. `some` has at least one face.
pub(super) fn equal(some: &Surface, matched: &Matched, size: f64, options: &CompareOptions) -> Measured {
    let (surface, pairs) = (some, with_itself(some));
    let (all, points) = vertex_counts(surface.scene);
    let work = all.saturating_mul(2).max(surface.scene.nodes.len());
    let found = walk(
        (surface.model, surface.model),
        matched,
        options,
        work,
        || (),
        |_, (), tally| {
            if !pairs.list.is_empty() {
                tally.add(0, 0.0);
            }
        },
    );
    found.finish(size, points, pairs.pairing, |index| vertex_place(surface, &pairs, index))
}

/// Mesh, vertex and joint of a pair.
fn vertex_place(first: &Surface, pairs: &Pairs, index: usize) -> (String, usize, Option<String>) {
    let vertex = pairs.list[index].0;
    let (mesh, number) = first.mesh_vertex(vertex);
    (mesh, number, first.main_joint(vertex).map(|joint| first.scene.node_label(joint)))
}

/// Measures the origins of joints of the same name.
pub(super) fn joints(
    models: (Model<'_>, Model<'_>),
    matched: &Matched,
    size: f64,
    options: &CompareOptions,
) -> Measured {
    let (first, second) = (models.0.scene, models.1.scene);
    let pairs = joint_pairs(first, second);
    if pairs.is_empty() {
        return Measured::default();
    }
    let origin = |pose: &Pose, id: NodeId| -> DVec3 { pose.globals[id.index()].w_axis.truncate() };
    let work = first.nodes.len() + second.nodes.len();
    let found = walk(
        models,
        matched,
        options,
        work,
        || (),
        |moment, (), tally| {
            let poses = moment.poses(models);
            for (index, &(a, b)) in pairs.iter().enumerate() {
                tally.add(index, origin(&poses.0, a).distance_squared(origin(&poses.1, b)));
            }
        },
    );
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

/// The distances of one pose.
#[derive(Default)]
struct Tally {
    worst: Option<(f64, usize)>,
    sum: f64,
}

impl Tally {
    #[inline(always)]
    fn add(&mut self, index: usize, squared: f64) {
        self.sum += squared.sqrt();
        // A distance that is not a number is the worst of all.
        if squared > self.worst.map_or(-1.0, |(most, _)| most) || squared.is_nan() {
            self.raise(index, squared);
        }
    }

    #[cold]
    fn raise(&mut self, index: usize, squared: f64) {
        let squared = if squared.is_nan() { f64::INFINITY } else { squared };
        if squared == f64::INFINITY {
            self.sum = f64::INFINITY;
        }
        if self.worst.is_none_or(|(most, _)| squared > most) {
            self.worst = Some((squared, index));
        }
    }
}

/// The distances of all poses.
#[derive(Default)]
struct Found {
    worst: Option<Peak>,
    at_keys: Option<Peak>,
    /// The worst at rest, then the worst of each clip.
    by_clip: Vec<Peak>,
    sum: f64,
    poses: usize,
    skipped: usize,
    clips: Vec<String>,
}

impl Found {
    fn add(&mut self, moment: Option<(usize, f32)>, at_key: bool, tally: &Tally) {
        self.sum += tally.sum;
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
            doubtful: 0,
        }
    }
}

/// When both models are posed: at rest, or at a time of a clip of each, given by its index.
struct When(Option<(usize, usize, Moment)>);

impl When {
    fn poses(&self, (first, second): (Model<'_>, Model<'_>)) -> (Pose, Pose) {
        match self.0 {
            None => (Pose::rest(first.scene), Pose::rest(second.scene)),
            Some((i, j, at)) => (first.pose(i, at.first, at.before), second.pose(j, at.second, at.before)),
        }
    }
}

/// Visits the rest pose and the moments of all matched clips.
fn walk<S>(
    models: (Model<'_>, Model<'_>),
    matched: &Matched,
    options: &CompareOptions,
    work_per_pose: usize,
    scratch: impl Fn() -> S + Sync,
    measure: impl Fn(When, &mut S, &mut Tally) + Sync,
) -> Found {
    let (first, second) = (models.0.scene, models.1.scene);
    let clips = first.clips.iter().enumerate().map(|(i, clip)| clip_name(clip, i)).collect();
    let mut found = Found { clips, ..Found::default() };
    let affordable = MAX_WORK / work_per_pose.max(1) / matched.len().max(1);
    let limit = options.max_poses_per_clip.min(affordable.max(2));
    let mut playing = Vec::new();
    for &(i, j) in matched {
        let (moments, skipped) = moments(&first.clips[i], &second.clips[j], options, limit);
        found.skipped += skipped;
        playing.extend(moments.into_iter().map(|moment| (i, j, moment)));
    }
    // The first is the rest pose.
    let when = |number: usize| number.checked_sub(1).map(|number| &playing[number]);
    let tallies = parallel_map::each(
        playing.len() + 1,
        work_per_pose,
        &options.progress,
        scratch,
        |number, scratch| {
            let mut tally = Tally::default();
            measure(When(when(number).copied()), scratch, &mut tally);
            tally
        },
    );
    for (number, tally) in tallies.iter().enumerate() {
        let Some(tally) = tally else {
            found.skipped += 1;
            continue;
        };
        found.poses += 1;
        match when(number) {
            None => found.add(None, true, tally),
            Some((clip, _, moment)) => found.add(Some((*clip, moment.shown())), moment.at_key, tally),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::Tally;

    #[test]
    fn what_cannot_be_measured_is_as_wrong_as_can_be() {
        for unmeasured in [f64::NAN, f64::INFINITY] {
            let mut tally = Tally::default();
            for (index, squared) in [4.0, 1.0, unmeasured, 9.0, f64::NAN].into_iter().enumerate() {
                tally.add(index, squared);
            }
            assert_eq!((tally.worst, tally.sum), (Some((f64::INFINITY, 2)), f64::INFINITY));
        }
        let mut tally = Tally::default();
        [4.0, 9.0, 0.0, 9.0].into_iter().enumerate().for_each(|(index, squared)| tally.add(index, squared));
        assert_eq!((tally.worst, tally.sum), (Some((9.0, 1)), 8.0));
    }
}
