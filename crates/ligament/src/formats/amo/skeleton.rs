//! The tree that joints make.

use super::document::Joint;

/// Joints with their parents, every loop cut open.
pub(super) struct Skeleton {
    /// The parent of each joint; where parents lead in a circle, one of them is a root.
    pub(super) parents: Vec<Option<usize>>,
    /// Every parent before its children, otherwise in order.
    pub(super) order: Vec<usize>,
    /// The joints that became roots.
    pub(super) troubles: Vec<Trouble>,
}

/// A joint that stands below itself.
pub(super) struct Trouble {
    pub(super) joint: usize,
    /// Whether it names itself.
    pub(super) own: bool,
}

impl Skeleton {
    pub(super) fn of(joints: &[Joint]) -> Self {
        #[derive(Clone, Copy, PartialEq)]
        enum State {
            New,
            OnTheWay,
            Done,
        }
        let parent = |joint: &Joint| usize::try_from(joint.parent).ok().filter(|&p| p < joints.len());
        let mut parents: Vec<_> = joints.iter().map(parent).collect();
        let mut states = vec![State::New; joints.len()];
        let (mut order, mut troubles, mut way) = (Vec::with_capacity(joints.len()), Vec::new(), Vec::new());
        for start in 0..joints.len() {
            let mut next = Some(start);
            while let Some(joint) = next.filter(|&joint| states[joint] == State::New) {
                states[joint] = State::OnTheWay;
                way.push(joint);
                next = parents[joint];
                if let Some(parent) = next.filter(|&parent| states[parent] == State::OnTheWay) {
                    troubles.push(Trouble { joint, own: parent == joint });
                    parents[joint] = None;
                    break;
                }
            }
            for joint in way.drain(..).rev() {
                states[joint] = State::Done;
                order.push(joint);
            }
        }
        Self { parents, order, troubles }
    }

    /// A joint with more ancestors than `limit`.
    pub(super) fn deeper_than(&self, limit: usize) -> Option<usize> {
        let mut depths = vec![0; self.parents.len()];
        for &joint in &self.order {
            depths[joint] = self.parents[joint].map_or(0, |parent| depths[parent] + 1);
        }
        depths.iter().position(|&depth| depth > limit)
    }
}
