//! Work on several cores if the feature `parallel` is on. Without it, everything runs on the calling thread.

/// The number of threads that take part. Calling this starts them, so call it only where there is enough work.
#[cfg(feature = "parallel")]
pub(crate) fn threads() -> usize {
    /// More threads would only take more memory: the disk or the memory is slower than they are.
    const MOST: usize = 16;
    rayon::current_num_threads().min(MOST)
}

/// The number of threads that take part.
#[cfg(not(feature = "parallel"))]
pub(crate) fn threads() -> usize {
    1
}

/// Runs `work` on other cores, if there are any, while the calling thread runs `own`.
#[cfg(feature = "parallel")]
pub(crate) fn beside<R>(work: impl Iterator<Item = impl FnOnce() + Send>, own: impl FnOnce() -> R) -> R {
    let mut work = work.peekable();
    // Even a scope without work would start the threads.
    if work.peek().is_none() {
        return own();
    }
    rayon::in_place_scope(|scope| {
        work.for_each(|work| scope.spawn(|_| work()));
        own()
    })
}

/// Runs `work`, then `own`.
#[cfg(not(feature = "parallel"))]
pub(crate) fn beside<R>(work: impl Iterator<Item = impl FnOnce()>, own: impl FnOnce() -> R) -> R {
    work.for_each(|work| work());
    own()
}
