//! Both scenes in one pose: the differences of all couples, their bounds, and the distance of any pair.

use super::coupling::{Coupling, Single};
use super::movers::Share;
use super::pairing::Pairs;
use super::region::{Weights, residual};
use super::surface::{Placed, Surface};
use crate::pose::Pose;
use glam::{DAffine3, DVec3};

/// The matrices of one pose, and what follows from them.
#[derive(Default)]
pub(super) struct Frame {
    first: Vec<DAffine3>,
    pub(super) second: Vec<DAffine3>,
    /// `A − B·R` of each couple.
    pub(super) differences: Vec<DAffine3>,
    /// The bound of each couple over its whole region.
    pub(super) bounds: Vec<f64>,
    /// The weights of all morph targets.
    pub(super) weights: Vec<Weights>,
    /// Whether all of this is finite.
    pub(super) is_finite: bool,
}

/// Pairs of vertices and what moves them.
#[derive(Clone, Copy)]
pub(super) struct Paired<'s, 'a> {
    pub(super) first: &'s Surface<'a>,
    pub(super) second: &'s Surface<'a>,
    pub(super) pairs: &'s Pairs,
    pub(super) coupling: &'s Coupling<'a>,
}

impl Frame {
    /// About how much memory a pose takes.
    pub(super) fn bytes(coupling: &Coupling) -> usize {
        let movers = coupling.first.len() + coupling.second.len();
        let couple = size_of::<DAffine3>() + size_of::<f64>();
        let weights = coupling.morphings.last().map_or(0, |last| last.end() * size_of::<Weights>());
        movers * size_of::<DAffine3>() + coupling.couples.len() * couple + weights + size_of::<Self>()
    }

    /// Takes a pose of both scenes.
    pub(super) fn fill(&mut self, coupling: &Coupling, poses: (&Pose, &Pose)) {
        self.is_finite = coupling.first.matrices(poses.0, &mut self.first)
            & coupling.second.matrices(poses.1, &mut self.second);
        self.weights.clear();
        for morphing in &coupling.morphings {
            let (first, second) = (&poses.0.morph_weights, &poses.1.morph_weights);
            self.is_finite &= morphing.weights(first, second, &mut self.weights);
        }
        self.differences.clear();
        self.bounds.clear();
        for couple in &coupling.couples {
            let second = &self.second[couple.second as usize];
            let taken = couple.rest.map_or(*second, |rest| *second * rest);
            let first = &self.first[couple.first as usize];
            let difference = DAffine3 {
                matrix3: first.matrix3 - taken.matrix3,
                translation: first.translation - taken.translation,
            };
            let morphs = couple.morphing.map_or((0.0, 0.0), |morphing| {
                let morphing = &coupling.morphings[morphing as usize];
                morphing.all.at(morphing.of_all(&self.weights))
            });
            self.bounds.push(couple.region.bound(&difference, &second.matrix3, morphs));
            self.differences.push(difference);
        }
    }

    /// The squared distance of a pair that has bounds.
    pub(super) fn squared(&self, paired: &Paired, pair: u32) -> f64 {
        let ((a, i), (b, j)) = paired.located(pair);
        let (p, q) = (a.part.positions[i].as_dvec3(), b.part.positions[j].as_dvec3());
        let mut apart = DVec3::ZERO;
        for pull in paired.coupling.pulls(pair) {
            let couple = &paired.coupling.couples[pull.couple as usize];
            let difference = &self.differences[pull.couple as usize];
            let morphs = couple.morphing.map(|morphing| {
                let morphing = &paired.coupling.morphings[morphing as usize];
                morphing.moved((i, j), couple.rest.as_ref(), &self.weights)
            });
            let (moved, offset) = morphs.unwrap_or_default();
            let mut one = difference.transform_point3(p + moved);
            if couple.rest.is_some() || morphs.is_some() || p != q {
                let offset = residual(p, q, couple.rest.as_ref()) + offset;
                one += self.second[couple.second as usize].transform_vector3(offset);
            }
            apart += one * pull.share;
        }
        apart.length_squared()
    }

    /// The squared distance of a pair that has no bounds.
    pub(super) fn squared_single(&self, paired: &Paired, single: &Single) -> f64 {
        let ((a, i), (b, j)) = paired.located(single.pair);
        let (p, q) = (a.part.positions[i].as_dvec3(), b.part.positions[j].as_dvec3());
        let morphs = single
            .morphing
            .map(|morphing| paired.coupling.morphings[morphing as usize].moved_both((i, j), &self.weights));
        let (own, other) = morphs.unwrap_or_default();
        let place = |matrices: &[DAffine3], shares: &[Share], point: DVec3| -> DVec3 {
            shares
                .iter()
                .map(|(mover, share)| matrices[*mover as usize].transform_point3(point) * *share)
                .sum()
        };
        place(&self.first, &single.first, p + own).distance_squared(place(
            &self.second,
            &single.second,
            q + other,
        ))
    }
}

impl<'s, 'a> Paired<'s, 'a> {
    /// The parts of a pair's vertices, and the vertices' indices in them.
    pub(super) fn located(&self, pair: u32) -> Located<'s, 'a> {
        let (i, j) = self.pairs.list[pair as usize];
        (self.first.locate(i), self.second.locate(j))
    }
}

type Located<'s, 'a> = ((&'s Placed<'a>, usize), (&'s Placed<'a>, usize));
