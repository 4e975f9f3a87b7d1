//! Builds a tree from joints that each name their parent, even if the file's parents form cycles.

/// Joints with their parents, with all cycles broken.
pub(super) struct Hierarchy {
    /// The parent of each joint. In a cycle of parents, one joint is made a root.
    pub(super) parents: Vec<Option<usize>>,
    /// Joint indices, every parent before its children, otherwise in file order.
    pub(super) order: Vec<usize>,
    /// The joints that became roots to break a cycle, one per cycle, each with the parent that it names.
    pub(super) cut: Vec<(usize, usize)>,
}

impl Hierarchy {
    /// Builds the tree from the parent of each joint. Parents that do not exist are ignored.
    pub(super) fn of(parents: impl IntoIterator<Item = Option<usize>>) -> Self {
        #[derive(Clone, Copy, PartialEq)]
        enum State {
            New,
            OnTheWay,
            Done,
        }
        let mut parents: Vec<_> = parents.into_iter().collect();
        let count = parents.len();
        parents.iter_mut().for_each(|parent| *parent = parent.filter(|&p| p < count));
        let mut states = vec![State::New; count];
        let (mut order, mut cut, mut way) = (Vec::with_capacity(count), Vec::new(), Vec::new());
        for start in 0..count {
            let mut next = Some(start);
            while let Some(joint) = next.filter(|&joint| states[joint] == State::New) {
                states[joint] = State::OnTheWay;
                way.push(joint);
                next = parents[joint];
                if let Some(parent) = next.filter(|&parent| states[parent] == State::OnTheWay) {
                    cut.push((joint, parent));
                    parents[joint] = None;
                    break;
                }
            }
            for joint in way.drain(..).rev() {
                states[joint] = State::Done;
                order.push(joint);
            }
        }
        Self { parents, order, cut }
    }

    /// The first joint with more ancestors than `limit`.
    pub(super) fn deeper_than(&self, limit: usize) -> Option<usize> {
        let mut depths = vec![0; self.parents.len()];
        for &joint in &self.order {
            depths[joint] = self.parents[joint].map_or(0, |parent| depths[parent] + 1);
        }
        depths.iter().position(|&depth| depth > limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_come_first_and_the_rest_keeps_its_order() {
        let tree = Hierarchy::of([Some(2), None, Some(3), Some(1), Some(9), None]);
        assert_eq!(tree.order, [1, 3, 2, 0, 4, 5]);
        assert_eq!(tree.parents[4], None);
        assert!(tree.cut.is_empty());
        assert_eq!((tree.deeper_than(2), tree.deeper_than(3)), (Some(0), None));
    }

    /// 0 only leads into the cycle of 1, 2 and 3; 4 is its own parent.
    #[test]
    fn every_circle_is_cut_once() {
        let tree = Hierarchy::of([Some(1), Some(2), Some(3), Some(1), Some(4)]);
        assert_eq!(tree.cut, [(3, 1), (4, 4)]);
        assert_eq!(tree.parents, [Some(1), Some(2), Some(3), None, None]);
        assert_eq!(tree.order, [3, 2, 1, 0, 4]);
    }
}
