//! The hierarchy of a model's joints.

use super::document::Joint;
use crate::formats::hierarchy::Hierarchy;

/// Joints with their parents, with every loop cut.
pub(super) struct Skeleton {
    pub(super) tree: Hierarchy,
    /// The joints that became roots.
    pub(super) troubles: Vec<Trouble>,
}

/// A joint that is its own ancestor.
pub(super) struct Trouble {
    pub(super) joint: usize,
    /// Whether it is its own parent.
    pub(super) own: bool,
}

impl Skeleton {
    pub(super) fn of(joints: &[Joint]) -> Self {
        let tree = Hierarchy::of(joints.iter().map(|joint| usize::try_from(joint.parent).ok()));
        let trouble = |&(joint, parent): &(usize, usize)| Trouble { joint, own: joint == parent };
        let troubles = tree.cut.iter().map(trouble).collect();
        Self { tree, troubles }
    }

    /// Returns a joint with more ancestors than `limit`, if any.
    pub(super) fn deeper_than(&self, limit: usize) -> Option<usize> {
        self.tree.deeper_than(limit)
    }
}
