//! Work on several cores, where the feature `parallel` is on; without it everything is done here, one thing after the other.

/// How many cores take part. Asking starts their threads, so ask only where there is enough to do.
#[cfg(feature = "parallel")]
pub(crate) fn threads() -> usize {
    /// More would only take more memory: the disk or the memory is slower than they are.
    const MOST: usize = 16;
    rayon::current_num_threads().min(MOST)
}

/// How many cores take part.
#[cfg(not(feature = "parallel"))]
pub(crate) fn threads() -> usize {
    1
}

/// Does `work` on other cores, if there are any, while this one does its own.
#[cfg(feature = "parallel")]
pub(crate) fn beside<R>(work: impl Iterator<Item = impl FnOnce() + Send>, own: impl FnOnce() -> R) -> R {
    let mut work = work.peekable();
    // Even a scope without work starts the threads.
    if work.peek().is_none() {
        return own();
    }
    rayon::in_place_scope(|scope| {
        work.for_each(|work| scope.spawn(|_| work()));
        own()
    })
}

/// Does `work`, and then its own.
#[cfg(not(feature = "parallel"))]
pub(crate) fn beside<R>(work: impl Iterator<Item = impl FnOnce()>, own: impl FnOnce() -> R) -> R {
    work.for_each(|work| work());
    own()
}
