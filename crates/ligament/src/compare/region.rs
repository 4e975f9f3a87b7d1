//! Bounds of distances over a region: a box around vertices, and how far their counterparts and morph targets differ.

use super::surface::Placed;
use crate::scene::{NodeId, Part};
use glam::{DAffine3, DMat3, DVec3};

/// Far above what rounding adds to a distance relative to its terms: a sum of a few hundred terms in f64.
const SLACK: f64 = 1.0 + 1e-10;
/// The same for the terms of one matrix, which may cancel each other.
const ROUNDING: f64 = 1e-14;

/// The rest positions of vertices in the first scene, and those of their counterparts in the second.
#[derive(Clone, Copy)]
pub(super) struct Region {
    low: DVec3,
    high: DVec3,
    /// The largest distance of a counterpart from where the rest matrix of its couple takes the vertex.
    pub(super) off: f64,
}

impl Default for Region {
    fn default() -> Self {
        Self { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY, off: 0.0 }
    }
}

/// How far a counterpart at `q` is from where its couple's rest matrix takes the vertex at `p`.
pub(super) fn residual(p: DVec3, q: DVec3, rest: Option<&DAffine3>) -> DVec3 {
    rest.map_or(p, |rest| rest.transform_point3(p)) - q
}

impl Region {
    pub(super) fn add(&mut self, p: DVec3, q: DVec3, rest: Option<&DAffine3>) {
        // What is not finite stays in the box, whose bounds then are not finite either.
        let p = if p.is_finite() { p } else { DVec3::INFINITY };
        (self.low, self.high) = (self.low.min(p), self.high.max(p));
        if p != q || rest.is_some() {
            let off = residual(p, q, rest).length();
            self.off = if off > self.off || off.is_nan() { off } else { self.off };
        }
    }

    /// Where along each axis a point is, from 0 to 1.
    pub(super) fn place(&self, point: DVec3) -> DVec3 {
        (point - self.low) / (self.high - self.low).max(DVec3::splat(f64::MIN_POSITIVE))
    }

    /// At least as large as `|D·p + B·e|` for all vertices `p` of the region with their counterparts' offsets `e`,
    /// however it is rounded. `reach` and `gap` are what morph targets add to the box and to the offsets.
    #[inline]
    pub(super) fn bound(&self, difference: &DAffine3, second: &DMat3, (reach, gap): (f64, f64)) -> f64 {
        let (center, extent) = ((self.low + self.high) * 0.5, (self.high - self.low) * 0.5);
        let DMat3 { x_axis: x, y_axis: y, z_axis: z } = difference.matrix3;
        let middle = x * center.x + y * center.y + z * center.z + difference.translation;
        let (x, y, z) = (x.abs(), y.abs(), z.abs());
        let around = x * extent.x + y * extent.y + z * extent.z;
        let far = center.abs();
        let terms = around + x * far.x + y * far.y + z * far.z + difference.translation.abs();
        let mut bound = (middle.abs() + around + terms * ROUNDING).length();
        // Also if one is not a number.
        if reach != 0.0 {
            bound += size(&difference.matrix3) * reach;
        }
        let off = self.off + gap;
        if off != 0.0 {
            bound += size(second) * off;
        }
        let bound = bound * SLACK;
        if bound.is_nan() { f64::INFINITY } else { bound }
    }
}

/// A matrix makes no direction longer than by this factor.
fn size(matrix: &DMat3) -> f64 {
    let [x, y, z] = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(DVec3::length_squared);
    (x + y + z).sqrt()
}

/// The morph targets of a part of the first scene and of its counterpart.
pub(super) struct Morphing<'a> {
    parts: (&'a Part, &'a Part),
    pub(super) nodes: (NodeId, NodeId),
    /// The number of the first target's weights among those of all morphings.
    start: usize,
    /// The targets that move anything, by their indices in the meshes.
    targets: Vec<u32>,
    /// Bounds over all vertices.
    pub(super) all: Spans,
}

/// For each morph target: how far it moves a vertex of the first scene, how much farther or less one of the second, and
/// how far one of the second.
#[derive(Default, Clone)]
pub(super) struct Spans(Vec<[f32; 3]>);

/// The weights of a target in both scenes.
pub(super) type Weights = [f64; 2];

impl<'a> Morphing<'a> {
    /// `None` without targets.
    pub(super) fn of(a: &Placed<'a>, b: &Placed<'a>, start: usize) -> Option<Self> {
        let moves =
            |part: &Part, target: usize| part.morphs.get(target).is_some_and(|m| !m.positions.is_empty());
        let count = a.part.morphs.len().max(b.part.morphs.len());
        let targets: Vec<u32> =
            (0..count).filter(|&t| moves(a.part, t) || moves(b.part, t)).map(|t| t as u32).collect();
        let all = Spans(vec![[0.0; 3]; targets.len()]);
        let (parts, nodes) = ((a.part, b.part), (a.node, b.node));
        (!targets.is_empty()).then_some(Self { parts, nodes, start, targets, all })
    }

    /// The number of the weights after its own.
    pub(super) fn end(&self) -> usize {
        self.start + self.targets.len()
    }

    /// Its weights among those of all morphings.
    pub(super) fn of_all<'w>(&self, weights: &'w [Weights]) -> &'w [Weights] {
        &weights[self.start..self.end()]
    }

    /// Adds the weights of both poses to those of all morphings. Returns whether all are finite.
    pub(super) fn weights(
        &self,
        first: &[Vec<f32>],
        second: &[Vec<f32>],
        weights: &mut Vec<Weights>,
    ) -> bool {
        let of = |all: &[Vec<f32>], node: NodeId, part: &Part, target: usize| {
            let weight = all.get(node.index()).and_then(|weights| weights.get(target));
            weight.filter(|_| target < part.morphs.len()).map_or(0.0, |weight| f64::from(*weight))
        };
        weights.extend(self.targets.iter().map(|&target| {
            let target = target as usize;
            let first = of(first, self.nodes.0, self.parts.0, target);
            [first, of(second, self.nodes.1, self.parts.1, target)]
        }));
        weights[self.start..].iter().flatten().all(|weight| weight.is_finite())
    }

    fn deltas(&self, i: usize, j: usize) -> impl Iterator<Item = (DVec3, DVec3)> {
        let of = |part: &Part, target: usize, vertex: usize| {
            let delta = part.morphs.get(target).and_then(|morph| morph.positions.get(vertex));
            delta.copied().unwrap_or_default().as_dvec3()
        };
        self.targets
            .iter()
            .map(move |&target| (of(self.parts.0, target as usize, i), of(self.parts.1, target as usize, j)))
    }

    /// Adds a vertex to bounds over some.
    pub(super) fn add_to(&self, spans: &mut Spans, i: usize, j: usize, rest: Option<&DAffine3>) {
        spans.0.resize(self.targets.len(), [0.0; 3]);
        for ((own, other), span) in self.deltas(i, j).zip(&mut spans.0) {
            let lengths = [own, turned(rest, own) - other, other].map(DVec3::length);
            for (most, length) in span.iter_mut().zip(lengths) {
                // Rounded up; infinite if it is not a number.
                let length = if length == 0.0 { 0.0 } else { (length as f32).next_up() };
                *most = if length.is_nan() { f32::INFINITY } else { most.max(length) };
            }
        }
    }

    /// Adds a vertex to the bounds over all.
    pub(super) fn add(&mut self, i: usize, j: usize, rest: Option<&DAffine3>) {
        let mut all = std::mem::take(&mut self.all);
        self.add_to(&mut all, i, j, rest);
        self.all = all;
    }

    /// How far the targets move a vertex of the first scene, and how they change its counterpart's offset.
    pub(super) fn moved(
        &self,
        (i, j): (usize, usize),
        rest: Option<&DAffine3>,
        weights: &[Weights],
    ) -> (DVec3, DVec3) {
        let (mut moved, mut apart) = (DVec3::ZERO, DVec3::ZERO);
        for ((own, other), [first, second]) in self.deltas(i, j).zip(self.of_all(weights)) {
            if (*first, *second) == (0.0, 0.0) {
                continue;
            }
            moved += own * *first;
            apart += (turned(rest, own) - other) * *first + other * (first - second);
        }
        (moved, apart)
    }

    /// How far the targets move a vertex of the first scene and its counterpart.
    pub(super) fn moved_both(&self, (i, j): (usize, usize), weights: &[Weights]) -> (DVec3, DVec3) {
        let (mut one, mut two) = (DVec3::ZERO, DVec3::ZERO);
        for ((own, other), [first, second]) in self.deltas(i, j).zip(self.of_all(weights)) {
            (one, two) = (one + own * *first, two + other * *second);
        }
        (one, two)
    }
}

impl Spans {
    /// The `reach` and the `gap` of [`Region::bound`].
    pub(super) fn at(&self, weights: &[Weights]) -> (f64, f64) {
        let (mut reach, mut gap) = (0.0, 0.0);
        for (span, [first, second]) in self.0.iter().zip(weights) {
            if (*first, *second) == (0.0, 0.0) {
                continue;
            }
            let [own, apart, other] = span.map(f64::from);
            reach += own * first.abs();
            gap += apart * first.abs() + other * (first - second).abs();
        }
        (reach, gap)
    }
}

/// A direction in the space of the second scene's rest positions.
fn turned(rest: Option<&DAffine3>, direction: DVec3) -> DVec3 {
    rest.map_or(direction, |rest| rest.transform_vector3(direction))
}
