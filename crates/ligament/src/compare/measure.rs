//! Measures how far apart the paired vertices are in every pose.

use super::clips::Matched;
use super::coupling::Coupling;
use super::frame::Paired;
use super::moments::{Moment, moments};
use super::pairing::{Pairs, with_itself};
use super::parallel_map;
use super::search::{self, Counts, Scratch, Search};
use super::surface::{Surface, drawn_vertices};
use super::{CompareOptions, Deviation, Model, Pairing};
use crate::pose::{Bounds, Player, Pose, bounds};
use crate::scene::{NodeId, Scene};
use glam::DVec3;
use std::collections::{HashMap, HashSet};

/// Limit of the work per comparison, in vertices that could be posed instead: about a minute. Beyond it, poses are
/// thinned out.
const MAX_WORK: usize = 4_000_000_000;

/// As many vertices could be posed in the time that it takes to sample a node and bound its motion.
const POSED_PER_NODE: usize = 8;

#[derive(Default)]
pub(super) struct Measured {
    pub(super) worst: Option<Deviation>,
    pub(super) worst_at_keys: Option<Deviation>,
    pub(super) by_clip: Vec<Deviation>,
    pub(super) mean: f64,
    pub(super) mean_points: usize,
    /// Distances of vertices that were computed to find all this.
    #[cfg_attr(not(test), expect(dead_code, reason = "tests count the work"))]
    pub(super) computed: usize,
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
    search(first, second, pairs, matched, size, options, false)
}

/// The same; an exhaustive search computes all distances in all poses.
pub(super) fn search(
    first: &Surface,
    second: &Surface,
    pairs: &Pairs,
    matched: &Matched,
    size: f64,
    options: &CompareOptions,
    is_exhaustive: bool,
) -> Measured {
    let coupling = Coupling::of(first, second, pairs);
    let paired = Paired { first, second, pairs, coupling: &coupling };
    let models = (first.model, second.model);
    let nodes = (first.scene.nodes.len() + second.scene.nodes.len()) * POSED_PER_NODE;
    let search = Search::new(paired, matched.len() + 1, is_exhaustive);
    let work = nodes + coupling.couples.len() + search.always_posed();
    let plan = Plan::new(models, matched, options, work);
    let search = search.with_sample(plan.count());
    let each = search.poses_per_piece();
    let sums = parallel_map::each(
        plan.count().div_ceil(each),
        each.saturating_mul(work),
        &options.progress,
        || (Players::new(&plan, &models), Scratch::default()),
        |piece, (players, scratch)| {
            let numbers = piece * each..plan.count().min((piece + 1) * each);
            search.piece(numbers, |number| plan.counts(number), players, scratch)
        },
    );
    let mut found = Found::new(first.scene, plan.skipped);
    for (piece, sum) in sums.iter().enumerate() {
        let poses = plan.count().min((piece + 1) * each) - piece * each;
        match sum {
            None => found.skipped += poses,
            Some(sum) => {
                found.poses += poses;
                found.sum += sum.means * pairs.list.len() as f64;
                found.computed += sum.computed;
            }
        }
    }
    let mean_points = search.mean_points();
    let worst = search.finish();
    let peak = |peak: search::Peak| {
        let moment = plan.playing(peak.pose).map(|((clip, _), moment)| (clip, moment.shown()));
        Peak { squared: peak.squared, index: peak.pair, moment }
    };
    found.at_keys = worst.at_keys.map(peak);
    found.by_clip = worst.by_group.into_iter().flatten().map(peak).collect();
    found.worst = found.by_clip.iter().copied().reduce(|a, b| if b.squared > a.squared { b } else { a });
    if found.worst.is_some_and(|worst| worst.squared == f64::INFINITY) {
        found.sum = f64::INFINITY;
    }
    let computed = found.computed;
    let measured =
        found.finish(size, pairs.list.len(), pairs.pairing, |index| vertex_place(first, pairs, index));
    // Rounded sums of equal distances.
    let mean = measured.worst.as_ref().map_or(0.0, |worst| measured.mean.min(worst.distance));
    Measured { doubtful: pairs.doubtful, mean, mean_points, computed, ..measured }
}

/// The result of measuring a scene against an equal one, without posing a vertex, so that there may be any number of
/// them. `some` has at least one face.
pub(super) fn equal(some: &Surface, matched: &Matched, size: f64, options: &CompareOptions) -> Measured {
    let (surface, pairs) = (some, with_itself(some));
    let points = drawn_vertices(surface.scene);
    let work = surface.scene.nodes.len() * 2 * POSED_PER_NODE;
    let found = walk((surface.model, surface.model), matched, options, work, |_, _, tally| {
        if !pairs.list.is_empty() {
            tally.add(0, 0.0);
        }
    });
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
    let work = (first.nodes.len() + second.nodes.len()) * POSED_PER_NODE;
    let found = walk(models, matched, options, work, |players, number, tally| {
        let poses = players.pose(number);
        for (index, &(a, b)) in pairs.iter().enumerate() {
            tally.add(index, origin(poses.0, a).distance_squared(origin(poses.1, b)));
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

/// Distances in one pose.
#[derive(Default)]
pub(super) struct Tally {
    /// The largest, squared, and its index: the least one among equals.
    pub(super) worst: Option<(f64, usize)>,
    pub(super) sum: f64,
}

impl Tally {
    #[inline(always)]
    pub(super) fn add(&mut self, index: usize, squared: f64) {
        self.sum += squared.sqrt();
        // A distance that is not a number is the worst of all.
        if squared >= self.worst.map_or(-1.0, |(most, _)| most) || squared.is_nan() {
            self.raise(index, squared);
        }
    }

    #[cold]
    fn raise(&mut self, index: usize, squared: f64) {
        let squared = if squared.is_nan() { f64::INFINITY } else { squared };
        if squared == f64::INFINITY {
            self.sum = f64::INFINITY;
        }
        if self.worst.is_none_or(|(most, least)| squared > most || squared == most && index < least) {
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
    computed: usize,
    poses: usize,
    skipped: usize,
    clips: Vec<String>,
}

impl Found {
    fn new(first: &Scene, skipped: usize) -> Self {
        let clips = first.clips.iter().enumerate().map(|(i, clip)| clip.shown_name(i).into_owned()).collect();
        Self { clips, skipped, ..Self::default() }
    }

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
            mean_points: points,
            computed: measured,
            poses: self.poses,
            skipped: self.skipped,
            points,
            pairing: (points > 0).then_some(pairing),
            doubtful: 0,
        }
    }
}

/// Both models, posed by the numbers of a plan.
pub(super) struct Players<'a> {
    plan: &'a Plan,
    first: Player<'a>,
    second: Player<'a>,
}

impl<'a> Players<'a> {
    fn new(plan: &'a Plan, models: &'a (Model<'_>, Model<'_>)) -> Self {
        Self { plan, first: models.0.player(), second: models.1.player() }
    }

    pub(super) fn pose(&mut self, number: usize) -> (&Pose, &Pose) {
        let Some(((i, j), at)) = self.plan.playing(number) else {
            return (self.first.rest(), self.second.rest());
        };
        let time = |time: f32| if at.before { time.next_down() } else { time };
        (self.first.pose(i, time(at.first)), self.second.pose(j, time(at.second)))
    }
}

/// All poses to look at, by number: the rest pose, and the moments of all matched clips.
pub(super) struct Plan {
    matched: Matched,
    /// The moments, each with the number of its pair of clips.
    moments: Vec<(u32, Moment)>,
    skipped: usize,
}

impl Plan {
    fn new(
        models: (Model<'_>, Model<'_>),
        matched: &Matched,
        options: &CompareOptions,
        work_per_pose: usize,
    ) -> Self {
        let (first, second) = (models.0.scene, models.1.scene);
        let affordable = MAX_WORK / work_per_pose.max(1) / matched.len().max(1);
        let limit = options.max_poses_per_clip.min(affordable.max(2));
        let mut plan = Self { matched: matched.clone(), moments: Vec::new(), skipped: 0 };
        for (group, &(i, j)) in (0..).zip(matched) {
            let (moments, skipped) = moments(&first.clips[i], &second.clips[j], options, limit);
            plan.skipped += skipped;
            plan.moments.extend(moments.into_iter().map(|moment| (group, moment)));
        }
        plan
    }

    fn count(&self) -> usize {
        self.moments.len() + 1
    }

    /// The clips of both scenes, and the moment in them; `None` for the rest pose.
    fn playing(&self, number: usize) -> Option<((usize, usize), Moment)> {
        let (group, moment) = self.moments[number.checked_sub(1)?];
        Some((self.matched[group as usize], moment))
    }

    fn counts(&self, number: usize) -> Counts {
        let of = |number: usize| (self.moments[number].0 as usize + 1, self.moments[number].1.at_key);
        let (group, at_key) = number.checked_sub(1).map_or((0, true), of);
        Counts { group, at_key }
    }
}

/// Visits the rest pose and the moments of all matched clips.
fn walk(
    models: (Model<'_>, Model<'_>),
    matched: &Matched,
    options: &CompareOptions,
    work_per_pose: usize,
    measure: impl Fn(&mut Players, usize, &mut Tally) + Sync,
) -> Found {
    let plan = Plan::new(models, matched, options, work_per_pose);
    let mut found = Found::new(models.0.scene, plan.skipped);
    let tallies = parallel_map::each(
        plan.count(),
        work_per_pose,
        &options.progress,
        || Players::new(&plan, &models),
        |number, players| {
            let mut tally = Tally::default();
            measure(players, number, &mut tally);
            tally
        },
    );
    for (number, tally) in tallies.iter().enumerate() {
        let Some(tally) = tally else {
            found.skipped += 1;
            continue;
        };
        found.poses += 1;
        match plan.playing(number) {
            None => found.add(None, true, tally),
            Some(((clip, _), moment)) => found.add(Some((clip, moment.shown())), moment.at_key, tally),
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
