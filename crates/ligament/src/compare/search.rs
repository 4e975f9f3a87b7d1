//! Finds the pairs of vertices that are farthest apart in any pose, without computing the distances of most of them.
//!
//! In each pose, a bound of all distances follows from the differences of the couples: joints times poses, and not
//! vertices times poses. Then poses are taken in order of their bounds, and in each only those clusters of pairs whose
//! bounds reach the largest distance so far. The result is that of measuring every pair in every pose: among equal
//! distances, the one of the first pose, and there of the first pair.

use super::clusters::Clusters;
use super::frame::{Frame, Paired};
use super::measure::{Players, Tally};
use super::surface::Buffers;
use crate::pose::Pose;
use crate::scene::NodeId;
use glam::Vec3;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Distances that the mean is computed from, if there are more; at least one per pose.
const SAMPLE: usize = 10_000;

/// Limit of the memory for the poses of one piece of work.
const PIECE_BYTES: usize = 4 << 20;
/// Limit of the poses of one piece of work.
const PIECE_POSES: usize = 256;

/// The fraction of the golden ratio: its multiples are evenly spread between whole numbers.
const GOLDEN: f64 = 0.618_033_988_749_895;

/// A distance, squared, with the number of its pose and of its pair.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Peak {
    pub(super) squared: f64,
    pub(super) pose: usize,
    pub(super) pair: usize,
}

impl Peak {
    /// Whether it is larger, or as large and earlier.
    fn beats(&self, other: Option<Peak>) -> bool {
        other.is_none_or(|other| {
            let is_earlier = || (self.pose, self.pair) < (other.pose, other.pair);
            self.squared > other.squared || self.squared == other.squared && is_earlier()
        })
    }
}

/// What a pose counts for.
#[derive(Clone, Copy)]
pub(super) struct Counts {
    /// The worst is wanted of each group: the rest pose, and each clip.
    pub(super) group: usize,
    /// Both scenes have a key here.
    pub(super) at_key: bool,
}

/// The largest distances.
pub(super) struct Worst {
    pub(super) by_group: Vec<Option<Peak>>,
    pub(super) at_keys: Option<Peak>,
}

/// What has to be beaten in a pose.
#[derive(Clone, Copy)]
struct Goal {
    group: Option<Peak>,
    at_keys: Option<Option<Peak>>,
}

impl Goal {
    fn is_beaten_by(&self, limit: Peak) -> bool {
        limit.beats(self.group) || self.at_keys.is_some_and(|known| limit.beats(known))
    }
}

/// What pieces of work add up to.
#[derive(Default, Clone, Copy)]
pub(super) struct Sum {
    /// The sum of the poses' mean distances.
    pub(super) means: f64,
    /// Distances that were computed.
    pub(super) computed: usize,
}

/// The search, which several cores may share.
pub(super) struct Search<'s, 'a> {
    paired: Paired<'s, 'a>,
    clusters: Clusters,
    worst: Mutex<Worst>,
    /// Pairs per pose that the mean is computed from.
    sample: usize,
    /// The nodes whose meshes are deformed by dual quaternions in either scene.
    bent: (HashSet<NodeId>, HashSet<NodeId>),
    /// Computes all distances, to test the search.
    is_exhaustive: bool,
}

/// Buffers of one core.
#[derive(Default)]
pub(super) struct Scratch {
    frames: Vec<Frame>,
    posed: Posed,
}

#[derive(Default)]
struct Posed {
    buffers: Buffers,
    first: Vec<Vec3>,
    second: Vec<Vec3>,
}

impl<'s, 'a> Search<'s, 'a> {
    /// A search over this number of groups.
    pub(super) fn new(paired: Paired<'s, 'a>, groups: usize, is_exhaustive: bool) -> Self {
        let clusters = Clusters::of(&paired);
        let bent = || paired.coupling.bent.iter().map(|&pair| paired.located(pair));
        let bent = (bent().map(|(a, _)| a.0.node).collect(), bent().map(|(_, b)| b.0.node).collect());
        Self {
            sample: clusters.order.len(),
            clusters,
            worst: Mutex::new(Worst { by_group: vec![None; groups], at_keys: None }),
            bent,
            paired,
            is_exhaustive,
        }
    }

    /// Takes the mean from a sample if there are many pairs in this number of poses.
    pub(super) fn with_sample(self, poses: usize) -> Self {
        let sample = if self.is_exhaustive { usize::MAX } else { SAMPLE.div_ceil(poses.max(1)) };
        Self { sample: sample.min(self.sample), ..self }
    }

    /// How many pairs per pose the mean is computed from.
    pub(super) fn mean_points(&self) -> usize {
        self.paired.pairs.list.len() - self.clusters.order.len() + self.sample
    }

    /// How many poses a piece of work should have.
    pub(super) fn poses_per_piece(&self) -> usize {
        (PIECE_BYTES / Frame::bytes(self.paired.coupling)).clamp(1, PIECE_POSES)
    }

    /// Vertices that are measured in every pose.
    pub(super) fn always_posed(&self) -> usize {
        let Paired { first, second, coupling, .. } = self.paired;
        let posed = if coupling.bent.is_empty() { 0 } else { first.vertex_count + second.vertex_count };
        coupling.singles.len() + posed
    }

    pub(super) fn finish(self) -> Worst {
        self.worst.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn worst(&self) -> MutexGuard<'_, Worst> {
        self.worst.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn goal(&self, counts: Counts) -> Goal {
        let worst = self.worst();
        Goal { group: worst.by_group[counts.group], at_keys: counts.at_key.then_some(worst.at_keys) }
    }

    /// Takes a distance that was found, and returns what has to be beaten now.
    fn offer(&self, pose: usize, found: Option<(f64, usize)>, counts: Counts) -> Goal {
        if let Some((squared, pair)) = found {
            let (peak, mut worst) = (Peak { squared, pose, pair }, self.worst());
            let group = &mut worst.by_group[counts.group];
            if peak.beats(*group) {
                *group = Some(peak);
            }
            if counts.at_key && peak.beats(worst.at_keys) {
                worst.at_keys = Some(peak);
            }
        }
        self.goal(counts)
    }

    /// Looks at poses that follow each other, given by their numbers.
    pub(super) fn piece(
        &self,
        numbers: Range<usize>,
        counts: impl Fn(usize) -> Counts,
        players: &mut Players,
        scratch: &mut Scratch,
    ) -> Sum {
        let mut sum = Sum::default();
        let mut queue: Vec<(f64, usize)> = Vec::with_capacity(numbers.len());
        let Scratch { frames, posed } = scratch;
        frames.resize_with(frames.len().max(numbers.len()), Frame::default);
        for (pose, frame) in numbers.clone().zip(frames.iter_mut()) {
            let poses = players.pose(pose);
            frame.fill(self.paired.coupling, poses);
            if frame.is_finite {
                let bound = self.clusters.bound(self.paired.coupling, &frame.bounds);
                sum.means += self.mean(pose, bound, frame, &mut sum.computed);
                queue.push((bound * bound, pose));
            }
            let tally = self.unbounded(poses, frame, posed, &mut sum.computed);
            sum.means += tally.sum / self.paired.pairs.list.len().max(1) as f64;
            self.offer(pose, tally.worst, counts(pose));
        }
        queue.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        for (squared, pose) in queue {
            let (counts, frame) = (counts(pose), &frames[pose - numbers.start]);
            if self.is_exhaustive || self.goal(counts).is_beaten_by(Peak { squared, pose, pair: 0 }) {
                sum.computed += self.visit(pose, squared, counts, frame);
            }
        }
        sum
    }

    /// Searches the clusters in one pose; returns how many distances that took.
    fn visit(&self, pose: usize, squared: f64, counts: Counts, frame: &Frame) -> usize {
        let clusters = &self.clusters;
        if squared == 0.0 && !self.is_exhaustive {
            let first = clusters.list.iter().map(|cluster| cluster.first as usize).min();
            self.offer(pose, first.map(|pair| (0.0, pair)), counts);
            return 0;
        }
        let mut goal = self.goal(counts);
        let limit = |squared: f64, cluster: usize| Peak {
            squared,
            pose,
            pair: clusters.list[cluster].first as usize,
        };
        let mut queue: Vec<(f64, usize)> = Vec::new();
        for (n, cluster) in clusters.list.iter().enumerate() {
            let rough = cluster.rough_bound(clusters, frame);
            if self.is_exhaustive || goal.is_beaten_by(limit(rough * rough, n)) {
                let bound = cluster.bound(clusters, self.paired.coupling, frame);
                queue.push((bound * bound, n));
            }
        }
        queue.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut computed = 0;
        for (squared, n) in queue {
            let cluster = &clusters.list[n];
            if !self.is_exhaustive && !goal.is_beaten_by(limit(squared, n)) {
                continue;
            }
            let mut tally = Tally::default();
            if squared == 0.0 && !self.is_exhaustive {
                tally.add(cluster.first as usize, 0.0);
            } else {
                computed += cluster.pairs.len();
                for &pair in &clusters.order[cluster.pairs.clone()] {
                    tally.add(pair as usize, frame.squared(&self.paired, pair));
                }
            }
            goal = self.offer(pose, tally.worst, counts);
        }
        computed
    }

    /// The mean distance of the pairs that have bounds, from a sample: other pairs in each pose, evenly spread.
    fn mean(&self, pose: usize, bound: f64, frame: &Frame, computed: &mut usize) -> f64 {
        let order = &self.clusters.order;
        if bound == 0.0 || self.sample == 0 {
            return 0.0;
        }
        let mut sum = 0.0;
        let offset = (pose as f64 * GOLDEN).fract();
        for step in 0..self.sample {
            let place = (step as f64 + offset) / self.sample as f64 * order.len() as f64;
            sum += frame.squared(&self.paired, order[(place as usize).min(order.len() - 1)]).sqrt();
        }
        *computed += self.sample;
        let share = order.len() as f64 / self.paired.pairs.list.len() as f64;
        if sum.is_nan() { f64::INFINITY } else { sum / self.sample as f64 * share }
    }

    /// Measures the pairs that have no bounds; all pairs, if a matrix is not finite.
    fn unbounded(
        &self,
        poses: (&Pose, &Pose),
        frame: &Frame,
        posed: &mut Posed,
        computed: &mut usize,
    ) -> Tally {
        let (paired, mut tally) = (&self.paired, Tally::default());
        if !frame.is_finite {
            let all = 0..paired.pairs.list.len() as u32;
            *computed += all.len();
            posed.measure(paired, poses, all, |_| true, |_| true, &mut tally);
            return tally;
        }
        for single in &paired.coupling.singles {
            tally.add(single.pair as usize, frame.squared_single(paired, single));
        }
        let bent = &paired.coupling.bent;
        *computed += paired.coupling.singles.len() + bent.len();
        if !bent.is_empty() {
            let (first, second) = &self.bent;
            let (first, second) = (|node| first.contains(&node), |node| second.contains(&node));
            posed.measure(paired, poses, bent.iter().copied(), first, second, &mut tally);
        }
        tally
    }
}

impl Posed {
    /// Measures pairs by posing the meshes that these nodes draw.
    fn measure(
        &mut self,
        paired: &Paired,
        poses: (&Pose, &Pose),
        pairs: impl Iterator<Item = u32>,
        first: impl Fn(NodeId) -> bool,
        second: impl Fn(NodeId) -> bool,
        tally: &mut Tally,
    ) {
        paired.first.pose_some(poses.0, first, &mut self.buffers, &mut self.first);
        paired.second.pose_some(poses.1, second, &mut self.buffers, &mut self.second);
        for pair in pairs {
            let (i, j) = paired.pairs.list[pair as usize];
            let (a, b) = (self.first[i as usize].as_dvec3(), self.second[j as usize].as_dvec3());
            tally.add(pair as usize, a.distance_squared(b));
        }
    }
}
