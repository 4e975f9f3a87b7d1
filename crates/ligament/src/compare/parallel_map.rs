//! Measures poses on several cores. The result does not depend on which core measured what.

use crate::cores;
use crate::progress::Progress;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// With fewer vertices to pose, it is not worth waking another core.
const LEAST_WORK: usize = 4_000_000;

/// Limit of the bytes that the vertices of all cores take together.
const MOST_MEMORY: usize = 64 << 20;

/// Calls `work` with each number below `count`; each core has a `scratch` of its own. The results are in order, and
/// `None` where the work was stopped before.
///
/// `vertices` is how many vertices each call poses. `progress` is asked only on the calling thread, which does its
/// share of the work.
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

/// How many other cores take part.
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
            // Keeps another core from finishing everything before this one has taken a number and asked.
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
