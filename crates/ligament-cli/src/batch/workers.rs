//! Threads that work through a list. They are not rayon's: while a conversion waits for rayon, it would pick up another
//! file and finish only after that one.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Bytes of inputs that are converted at the same time; a larger input is converted alone.
const BYTES_AT_ONCE: u64 = 512 << 20;
/// How far work may run ahead of the first unsettled item, since each item holds a file open.
const AHEAD: usize = 64;

/// An event while a list is worked through.
pub enum Event<T> {
    /// A worker has begun.
    Begun(usize),
    /// A worker is done.
    Ended(usize, T),
    /// Ctrl-C was pressed.
    Interrupted,
}

/// A list that is being worked on.
pub struct Work<T> {
    events: Receiver<Event<T>>,
    sender: Sender<Event<T>>,
    gate: Arc<Gate>,
    /// Does the next item, where no thread could be started.
    own: Option<Arc<Step>>,
}

/// Works on the next item; false if there is none.
type Step = dyn Fn() -> bool + Send + Sync;

/// Admits workers in the order of the list.
struct Gate {
    state: Mutex<State>,
    changed: Condvar,
    sizes: Vec<u64>,
}

struct State {
    next: usize,
    settled: usize,
    bytes: u64,
    closed: bool,
}

impl Gate {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(&self) -> Option<usize> {
        let mut state = self.lock();
        loop {
            let size = *self.sizes.get(state.next).filter(|_| !state.closed)?;
            let has_room = state.bytes == 0 || state.bytes.saturating_add(size) <= BYTES_AT_ONCE;
            if has_room && state.next < state.settled + AHEAD {
                state.bytes = state.bytes.saturating_add(size.max(1));
                state.next += 1;
                return Some(state.next - 1);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn leave(&self, index: usize) {
        self.lock().bytes -= self.sizes[index].max(1);
        self.changed.notify_all();
    }
}

impl<T: Send + 'static> Work<T> {
    /// Starts `threads` threads that call `work` once with each index. `sizes` are the bytes of each item. `work` must not
    /// panic: what it calls is [fenced](crate::fence). If the system refuses threads, those that could be started do the
    /// work, or whoever waits for events.
    pub fn start(sizes: Vec<u64>, threads: usize, work: impl Fn(usize) -> T + Send + Sync + 'static) -> Self {
        let (sender, events) = channel();
        let state = State { next: 0, settled: 0, bytes: 0, closed: false };
        let threads = threads.min(sizes.len());
        let gate = Arc::new(Gate { state: Mutex::new(state), changed: Condvar::new(), sizes });
        let step: Arc<Step> = {
            let (gate, sender) = (Arc::clone(&gate), sender.clone());
            Arc::new(move || {
                let Some(index) = gate.enter() else { return false };
                let _ = sender.send(Event::Begun(index));
                let result = work(index);
                gate.leave(index);
                let _ = sender.send(Event::Ended(index, result));
                true
            })
        };
        let start = |_: &usize| {
            let step = Arc::clone(&step);
            std::thread::Builder::new().spawn(move || while step() {}).is_ok()
        };
        let started = (0..threads).filter(start).count();
        let own = (started == 0).then_some(step);
        Self { events, sender, gate, own }
    }

    /// A function that ends the work early.
    pub fn stopper(&self) -> impl Fn() + Send + 'static {
        let (sender, gate) = (self.sender.clone(), Arc::clone(&self.gate));
        move || {
            gate.lock().closed = true;
            let _ = sender.send(Event::Interrupted);
        }
    }

    /// The next event.
    pub fn next(&self) -> Event<T> {
        self.step_if_needed().or_else(|| self.events.recv().ok()).unwrap_or(Event::Interrupted)
    }

    /// Without threads, works on the next item once nothing is left to tell of the last one.
    fn step_if_needed(&self) -> Option<Event<T>> {
        let step = self.own.as_ref()?;
        self.events.try_recv().ok().or_else(|| {
            step();
            None
        })
    }

    /// The next event, unless nothing happens for some time.
    pub fn next_within(&self, time: Duration) -> Option<Event<T>> {
        if let Some(event) = self.step_if_needed() {
            return Some(event);
        }
        match self.events.recv_timeout(time) {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Event::Interrupted),
        }
    }

    /// Marks everything before `index` as settled.
    pub fn settled(&self, index: usize) {
        self.gate.lock().settled = index;
        self.gate.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn large_files_are_not_in_memory_together() {
        let size = BYTES_AT_ONCE / 2 + 1;
        let (inside, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let work = {
            let (inside, most) = (Arc::clone(&inside), Arc::clone(&most));
            Work::start(vec![size, 1, size, size, u64::MAX, 1, 1], 4, move |index| {
                let is_large = ![1, 5, 6].contains(&index);
                if is_large {
                    most.fetch_max(inside.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                }
                std::thread::sleep(Duration::from_millis(10));
                if is_large {
                    inside.fetch_sub(1, Ordering::SeqCst);
                }
                index
            })
        };
        let mut ended = Vec::new();
        while ended.len() < 7 {
            if let Event::Ended(index, _) = work.next() {
                ended.push(index);
                work.settled(ended.len());
            }
        }
        ended.sort_unstable();
        assert_eq!(ended, (0..7).collect::<Vec<_>>());
        assert_eq!(most.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn work_waits_for_what_is_not_settled() {
        let work = Work::start(vec![1; AHEAD + 10], 2, |index| index);
        let mut ended = 0;
        while ended < AHEAD {
            ended += usize::from(matches!(work.next(), Event::Ended(..)));
        }
        assert!(work.events.recv_timeout(Duration::from_millis(50)).is_err(), "something ran ahead");
        work.settled(10);
        while ended < AHEAD + 10 {
            ended += usize::from(matches!(work.next(), Event::Ended(..)));
        }
    }
}
