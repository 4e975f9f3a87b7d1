//! A list that is consumed while something else is built from it.

/// Spare capacity below this many bytes is not worth releasing.
const LEAST: usize = 1 << 17;

/// A list that is emptied from its end and releases memory as it shrinks, so that the list and whatever is built from
/// it are never both fully in memory.
pub(super) struct Draining<T>(Vec<T>);

impl<T> Draining<T> {
    pub(super) fn new(list: Vec<T>) -> Self {
        Self(list)
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Removes and returns the last element.
    pub(super) fn pop(&mut self) -> Option<T> {
        let last = self.0.pop()?;
        // The step grows with the list, so even if shrinking copies the rest, the total work stays linear.
        let spare = self.0.capacity() - self.0.len();
        if spare >= self.0.capacity() / 8 && spare * size_of::<T>() >= LEAST {
            self.0.shrink_to_fit();
        }
        Some(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_come_from_the_end_and_memory_goes_with_them() {
        let mut list = Draining::new((0..1_000_000_u32).collect());
        for expected in (0..1_000_000).rev() {
            assert_eq!(list.pop(), Some(expected));
            let spare = list.0.capacity() - list.len();
            assert!(spare <= list.0.capacity() / 8 || spare < LEAST / 4, "{spare} at {expected}");
        }
        assert_eq!((list.pop(), list.len()), (None, 0));
    }
}
