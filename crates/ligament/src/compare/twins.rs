//! Vertices that are the same in both scenes. If both scenes also move them the same way, they are at the same
//! position, and need not be posed to know it. A lossless conversion is thus proven without skinning a vertex.
//!
//! Weights may differ by rounding, for example if a format wants them normalised. The joints' matrices tell how far
//! that can move a vertex: while that is negligible, it is stated as an upper bound. Any other difference is measured.

use super::pairing::Pairs;
use super::surface::Surface;
use crate::pose::{Motion, Pose};
use crate::scene::{Influence, NodeId, Part};
use glam::{DVec3, Mat4};
use std::collections::HashMap;

/// The fraction of the model's size below which distances need not be exact.
const NEXT_TO_NOTHING: f64 = 1e-6;

/// Two scenes in which every pair of vertices has the same position and morph targets and, but for rounding, the same
/// influences.
pub(super) struct Twins {
    /// The nodes that draw the vertices, and the rounding of their weights.
    placements: Vec<((NodeId, NodeId), Rounding)>,
}

/// Upper bounds of the distances in one pose.
pub(super) struct AtMost {
    /// The largest distance, and the number of its pair.
    pub(super) distance: f64,
    pub(super) pair: usize,
    /// The sum of all distances.
    pub(super) sum: f64,
}

impl Twins {
    /// Compares all pairs; `None` if any pair differs by more than rounding.
    pub(super) fn of(first: &Surface, second: &Surface, pairs: &Pairs) -> Option<Self> {
        let mut known: HashMap<(NodeId, NodeId), usize> = HashMap::new();
        let mut placements: Vec<((NodeId, NodeId), Rounding)> = Vec::new();
        let mut current = 0;
        for (pair, &(i, j)) in pairs.list.iter().enumerate() {
            let ((a, i), (b, j)) = (first.locate(i), second.locate(j));
            if !is_same_but_for_weights(a.part, i, b.part, j) {
                return None;
            }
            let nodes = (a.node, b.node);
            if placements.get(current).is_none_or(|known| known.0 != nodes) {
                current = *known.entry(nodes).or_insert(placements.len());
                if current == placements.len() {
                    placements.push((nodes, Rounding::default()));
                }
            }
            if pulls(a.part, i) != pulls(b.part, j) {
                placements[current].1.add(pair, (a.part, i), (b.part, j))?;
            }
        }
        Some(Self { placements })
    }

    /// Bounds how far apart the pairs can be in these poses; `None` unless that is negligible beside the model's
    /// `size`.
    pub(super) fn meet(
        &self,
        first: &Surface,
        second: &Surface,
        poses: &(Pose, Pose),
        motions: &mut (Motion, Motion),
        size: f64,
    ) -> Option<AtMost> {
        let mut all = AtMost { distance: 0.0, pair: 0, sum: 0.0 };
        for ((a, b), rounding) in &self.placements {
            motions.0.fill(first.scene, &poses.0, *a);
            motions.1.fill(second.scene, &poses.1, *b);
            if motions.0 != motions.1 {
                return None;
            }
            // Without a skin, weights move nothing.
            let Some(joints) = motions.0.joints().filter(|_| rounding.most > 0.0) else { continue };
            let reach = rounding.reach(joints)?;
            all.sum += rounding.sum * reach;
            if rounding.most * reach > all.distance {
                (all.distance, all.pair) = (rounding.most * reach, rounding.pair);
            }
        }
        (all.distance <= NEXT_TO_NOTHING * size).then_some(all)
    }
}

/// How much normalised weights differ, and where the vertices are that they influence.
#[derive(Default)]
struct Rounding {
    /// The largest sum of differences at a vertex, and the number of its pair.
    most: f64,
    pair: usize,
    /// The sum over all vertices.
    sum: f64,
    /// The largest joint index.
    joint: u32,
    /// The corners of a box around these vertices.
    corners: Option<(DVec3, DVec3)>,
}

impl Rounding {
    /// Adds two vertices whose weights are not equal; `None` if they differ in more than their weights.
    fn add(&mut self, pair: usize, (a, i): (&Part, usize), (b, j): (&Part, usize)) -> Option<()> {
        let (own, other) = (pulls(a, i)?, pulls(b, j)?);
        // Morph targets may move the vertex out of the box.
        if own.len() != other.len() || !a.morphs.is_empty() {
            return None;
        }
        let total = |pulls: &[Influence]| pulls.iter().map(|pull| f64::from(pull.weight)).sum::<f64>();
        let (all, all_other) = (total(own), total(other));
        let mut apart = 0.0;
        for (own, other) in own.iter().zip(other) {
            if own.joint != other.joint {
                return None;
            }
            self.joint = self.joint.max(own.joint);
            apart += (f64::from(own.weight) / all - f64::from(other.weight) / all_other).abs();
        }
        // Weights that sum to zero give no finite quotient.
        if !apart.is_finite() {
            return None;
        }
        self.sum += apart;
        if apart > self.most {
            (self.most, self.pair) = (apart, pair);
        }
        let position = a.positions.get(i)?.as_dvec3();
        let (low, high) = self.corners.unwrap_or((position, position));
        self.corners = Some((low.min(position), high.max(position)));
        Some(())
    }

    /// How far apart the joints can move any of the vertices. The differences of a vertex's weights sum to zero, so it
    /// moves by no more than their sum times this. `None` if the skin lacks a joint, which then has no influence.
    fn reach(&self, joints: &[Mat4]) -> Option<f64> {
        let joints = joints.get(..=self.joint as usize)?;
        let (low, high) = self.corners?;
        let (middle, radius) = ((low + high) / 2.0, (high - low).length() / 2.0);
        let place = |joint: &Mat4| joint.as_dmat4().transform_point3(middle);
        let around = joints.iter().map(place).sum::<DVec3>() / joints.len() as f64;
        let far = |joint: &Mat4| {
            let [x, y, z] =
                [joint.x_axis, joint.y_axis, joint.z_axis].map(|axis| axis.as_dvec4().length_squared());
            place(joint).distance(around) + (x + y + z).sqrt() * radius
        };
        let reach = joints.iter().map(far).fold(0.0, f64::max);
        reach.is_finite().then_some(reach)
    }
}

/// Whether two vertices are equal in everything that posing uses except weights.
fn is_same_but_for_weights(a: &Part, i: usize, b: &Part, j: usize) -> bool {
    a.positions.get(i) == b.positions.get(j)
        && a.morphs.len() == b.morphs.len()
        && a.morphs.iter().zip(&b.morphs).all(|(a, b)| a.positions.get(i) == b.positions.get(j))
}

fn pulls(part: &Part, vertex: usize) -> Option<&[Influence]> {
    (vertex < part.influences.len()).then(|| part.influences.of(vertex))
}
