//! Vertices that are the same in both scenes: where both also move them the same, they are at the same place, and need not
//! be moved to know it. What loses nothing is proven without skinning a vertex, and what is not exactly the same is measured.

use super::pairing::Pairs;
use super::surface::Surface;
use crate::pose::{Motion, Pose};
use crate::scene::{Influence, NodeId, Part};
use std::collections::HashSet;

/// Two scenes in which every pair of vertices has the same place, influences and morph targets.
pub(super) struct Twins {
    /// The nodes that draw them.
    placements: Vec<(NodeId, NodeId)>,
}

impl Twins {
    /// `None` if any pair differs.
    pub(super) fn of(first: &Surface, second: &Surface, pairs: &Pairs) -> Option<Self> {
        let (mut known, mut placements) = (HashSet::new(), Vec::new());
        for &(i, j) in &pairs.list {
            let ((a, i), (b, j)) = (first.locate(i), second.locate(j));
            if !is_same(a.part, i, b.part, j) {
                return None;
            }
            let nodes = (a.node, b.node);
            if placements.last() != Some(&nodes) && known.insert(nodes) {
                placements.push(nodes);
            }
        }
        Some(Self { placements })
    }

    /// Whether every pair is at exactly the same place in these poses.
    pub(super) fn meet(
        &self,
        first: &Surface,
        second: &Surface,
        poses: &(Pose, Pose),
        motions: &mut (Motion, Motion),
    ) -> bool {
        self.placements.iter().all(|&(a, b)| {
            motions.0.fill(first.scene, &poses.0, a);
            motions.1.fill(second.scene, &poses.1, b);
            motions.0 == motions.1
        })
    }
}

/// Whether everything that posing looks at is the same for a vertex of one part and one of another.
fn is_same(a: &Part, i: usize, b: &Part, j: usize) -> bool {
    a.positions.get(i) == b.positions.get(j)
        && pulls(a, i) == pulls(b, j)
        && a.morphs.len() == b.morphs.len()
        && a.morphs.iter().zip(&b.morphs).all(|(a, b)| a.positions.get(i) == b.positions.get(j))
}

fn pulls(part: &Part, vertex: usize) -> Option<&[Influence]> {
    (vertex < part.influences.len()).then(|| part.influences.of(vertex))
}
