//! Pairs of vertices that are near each other and are moved by about the same joints.

use super::coupling::Coupling;
use super::frame::{Frame, Paired};
use super::region::{Region, Spans};
use glam::DVec3;
use std::ops::Range;

/// Pairs per cluster.
const PAIRS: usize = 32;

/// Bits of a position along one axis, in what clusters are sorted by.
const PLACE_BITS: u32 = 10;

/// From this share on, a couple counts in full, because few couples have so much at once.
const STRONG: f64 = 0.02;

/// All pairs that have bounds, cluster by cluster.
pub(super) struct Clusters {
    pub(super) list: Vec<Cluster>,
    pub(super) order: Vec<u32>,
    uses: Vec<Use>,
    /// The most couples with small shares of one pair.
    weak: f64,
}

pub(super) struct Cluster {
    /// Where its pairs are in the order.
    pub(super) pairs: Range<usize>,
    /// The first of its pairs.
    pub(super) first: u32,
    uses: Range<usize>,
    region: Region,
    morphing: Option<u32>,
    spans: Spans,
}

/// A couple, and its largest share of a pair of the cluster.
struct Use {
    couple: u32,
    most: f64,
}

impl Clusters {
    pub(super) fn of(paired: &Paired) -> Self {
        let Paired { first, pairs, coupling, .. } = *paired;
        let mut keys: Vec<(u64, u32)> = Vec::with_capacity(pairs.list.len());
        let mut part = 0;
        for (pair, &(i, _)) in (0..).zip(&pairs.list) {
            let Some(main) = coupling.pulls(pair).first() else { continue };
            part = first.part_near(part, i);
            let placed = &first.placed[part];
            let region = &coupling.couples[main.couple as usize].region;
            let place = region.place(placed.part.positions[i as usize - placed.start].as_dvec3());
            keys.push((u64::from(main.couple) << 32 | along_a_curve(place), pair));
        }
        keys.sort_unstable();
        let mut all = Self { list: Vec::new(), order: Vec::new(), uses: Vec::new(), weak: 0.0 };
        for run in keys.chunk_by(|a, b| a.0 >> 32 == b.0 >> 32) {
            for part in run.chunks(PAIRS) {
                all.add(paired, part);
            }
        }
        all
    }

    fn add(&mut self, paired: &Paired, members: &[(u64, u32)]) {
        let Paired { first, second, pairs, coupling } = *paired;
        let (start, first_use) = (self.order.len(), self.uses.len());
        self.order.extend(members.iter().map(|(_, pair)| *pair));
        let (mut region, mut spans, mut morphing) = (Region::default(), Spans::default(), None);
        let mut parts = (0, 0);
        for &(_, pair) in members {
            let (i, j) = pairs.list[pair as usize];
            parts = (first.part_near(parts.0, i), second.part_near(parts.1, j));
            let (a, b) = (&first.placed[parts.0], &second.placed[parts.1]);
            let (i, j) = (i as usize - a.start, j as usize - b.start);
            let (p, q) = (a.part.positions[i].as_dvec3(), b.part.positions[j].as_dvec3());
            let mut weak = 0.0;
            for pull in coupling.pulls(pair) {
                let couple = &coupling.couples[pull.couple as usize];
                region.add(p, q, couple.rest.as_ref());
                morphing = couple.morphing;
                if let Some(morphing) = couple.morphing {
                    coupling.morphings[morphing as usize].add_to(&mut spans, i, j, couple.rest.as_ref());
                }
                weak += if pull.share < STRONG { 1.0 } else { 0.0 };
                match self.uses[first_use..].iter_mut().find(|known| known.couple == pull.couple) {
                    Some(known) => known.most = known.most.max(pull.share),
                    None => self.uses.push(Use { couple: pull.couple, most: pull.share }),
                }
            }
            self.weak = self.weak.max(weak);
        }
        let smallest = members.iter().map(|(_, pair)| *pair).min().unwrap_or(0);
        let (pairs, uses) = (start..self.order.len(), first_use..self.uses.len());
        self.list.push(Cluster { pairs, first: smallest, uses, region, morphing, spans });
    }

    /// At least the largest distance of any pair, from the bounds of the couples.
    pub(super) fn bound(&self, coupling: &Coupling, bounds: &[f64]) -> f64 {
        let (mut strong, mut weak) = (0.0_f64, 0.0_f64);
        for (couple, bound) in coupling.couples.iter().zip(bounds) {
            if couple.most < STRONG {
                weak = weak.max(couple.most * bound);
            } else {
                strong = strong.max(*bound);
            }
        }
        // A couple that is strong for one vertex may be weak for another, and is then no more than a part of `strong`.
        strong + self.weak * weak
    }
}

impl Cluster {
    /// At least the largest distance of any pair of the cluster, from what is known of its couples.
    pub(super) fn rough_bound(&self, clusters: &Clusters, frame: &Frame) -> f64 {
        self.sum(clusters, |couple| frame.bounds[couple])
    }

    /// The same, more closely: over its own region.
    pub(super) fn bound(&self, clusters: &Clusters, coupling: &Coupling, frame: &Frame) -> f64 {
        let morphs = self.morphing.map_or((0.0, 0.0), |morphing| {
            self.spans.at(coupling.morphings[morphing as usize].of_all(&frame.weights))
        });
        self.sum(clusters, |couple| {
            let second = &frame.second[coupling.couples[couple].second as usize].matrix3;
            self.region.bound(&frame.differences[couple], second, morphs)
        })
    }

    /// The shares of a pair sum to one. So those of its strong couples count at most as the largest of them in full, and
    /// at most as the sum of all with their largest shares.
    fn sum(&self, clusters: &Clusters, bound: impl Fn(usize) -> f64) -> f64 {
        let (mut largest, mut strong, mut weak) = (0.0_f64, 0.0, 0.0);
        for each in &clusters.uses[self.uses.clone()] {
            let bound = bound(each.couple as usize);
            if each.most < STRONG {
                weak += each.most * bound;
            } else {
                largest = largest.max(bound);
                strong += each.most * bound;
            }
        }
        largest.min(strong) + weak
    }
}

/// The number of a place along a space-filling curve.
fn along_a_curve(place: DVec3) -> u64 {
    let steps = place.to_array().map(|part| (part * f64::from((1 << PLACE_BITS) - 1)) as u64);
    (0..PLACE_BITS).fold(0, |all, bit| {
        let [x, y, z] = steps.map(|step| step >> bit & 1);
        all | (x | y << 1 | z << 2) << (3 * bit)
    })
}
