//! Work on several cores if the feature `parallel` is on. Without it, everything runs on the calling thread.

/// Starts the threads that take part, as many as given or as there are cores, and returns whether there are any: the system
/// may refuse them. The first call decides.
#[cfg(feature = "parallel")]
pub fn start_threads(count: Option<std::num::NonZero<usize>>) -> bool {
    static STARTED: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
    // Within a program's own pool, that one is used.
    rayon::current_thread_index().is_some()
        || *STARTED.get_or_init(|| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(count.map_or(0, std::num::NonZero::get));
            // An error without a cause says that the program has started them itself. Without threads, rayon would panic.
            pool.build_global().err().is_none_or(|error| std::error::Error::source(&error).is_none())
        })
}

/// Without threads, there are none to start.
#[cfg(not(feature = "parallel"))]
pub fn start_threads(_: Option<std::num::NonZero<usize>>) -> bool {
    false
}

/// The number of threads that take part. Calling this starts them, so call it only where there is enough work.
#[cfg(feature = "parallel")]
pub(crate) fn threads() -> usize {
    /// More threads would only take more memory: the disk or the memory is slower than they are.
    const MOST: usize = 16;
    if start_threads(None) { rayon::current_num_threads().min(MOST) } else { 1 }
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
    if !start_threads(None) {
        work.for_each(|work| work());
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
