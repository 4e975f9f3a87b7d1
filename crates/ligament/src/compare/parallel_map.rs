//! Poses are measured on several cores. Which core measured which does not show in the result.

use crate::cores;
use crate::progress::Progress;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// Vertices to move below which it is not worth waking another core.
const LEAST_WORK: usize = 4_000_000;

/// Bytes that the vertices of all cores may take.
const MOST_MEMORY: usize = 64 << 20;

/// Does `work` with the numbers up to `count`, each core with a `scratch` of its own. The results are in order; `None`
/// stands for those that were no longer wanted.
///
/// `vertices` are moved for each. Whoever watches is asked on the thread that calls this, which does its share.
pub(super) fn each<S, T: Send>(
    count: usize,
    vertices: usize,
    progress: &Progress,
    scratch: impl Fn() -> S + Sync,
    work: impl Fn(usize, &mut S) -> T + Sync,
) -> Vec<Option<T>> {
    let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    let results: Mutex<Vec<Option<T>>> = Mutex::new((0..count).map(|_| None).collect());
    let share = |goes_on: &dyn Fn() -> bool| {
        let mut scratch = scratch();
        loop {
            let number = next.fetch_add(1, Relaxed);
            if number >= count || !goes_on() {
                return;
            }
            let result = work(number, &mut scratch);
            results.lock().unwrap_or_else(PoisonError::into_inner)[number] = Some(result);
        }
    };
    let own = || {
        share(&|| {
            let goes_on = progress.goes_on();
            stopped.fetch_or(!goes_on, Relaxed);
            goes_on
        });
    };
    let others = (0..helpers(count, vertices)).map(|_| || share(&|| !stopped.load(Relaxed)));
    cores::beside(others, own);
    results.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// How many other cores help.
fn helpers(count: usize, vertices: usize) -> usize {
    if count.saturating_mul(vertices) < LEAST_WORK {
        return 0;
    }
    let memory = vertices.saturating_mul(2 * size_of::<glam::Vec3>());
    cores::threads().min(MOST_MEMORY / memory.max(1)).min(count).saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::ControlFlow;
    use std::sync::Arc;

    #[test]
    fn results_are_in_order_whoever_computed_them() {
        let found = each(
            1000,
            100_000,
            &Progress::default(),
            || 0,
            |number, seen| {
                *seen += 1;
                (number * number, *seen)
            },
        );
        assert!(found.iter().enumerate().all(|(i, found)| found.is_some_and(|found| found.0 == i * i)));
    }

    #[test]
    fn what_was_stopped_stays_undone() {
        for vertices in [1, 1_000_000] {
            let asked = Arc::new(AtomicBool::new(false));
            let noted = Arc::clone(&asked);
            let progress = Progress::new(move |_| {
                noted.store(true, Relaxed);
                ControlFlow::Break(())
            });
            // Another core must not finish everything before this one has taken a number and asked.
            let wait = |number, (): &mut ()| {
                while !asked.load(Relaxed) {
                    std::thread::yield_now();
                }
                number
            };
            let found = each(100_000, vertices, &progress, || (), wait);
            assert!(found.iter().any(Option::is_none));
        }
    }
}
