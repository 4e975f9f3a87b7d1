//! Threads that work through a list. They are not rayon's: a conversion that waits for rayon would pick up another file
//! meanwhile and finish only after it.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Bytes of inputs that are converted at the same time; a larger one is converted alone.
const BYTES_AT_ONCE: u64 = 512 << 20;
/// How far work may run ahead of the first that is not settled, since each holds a file open.
const AHEAD: usize = 64;

/// What happens while a list is worked through.
pub enum Event<T> {
    /// A worker has begun.
    Begun(usize),
    /// A worker is done.
    Ended(usize, T),
    /// Someone wants us to stop.
    Interrupted,
}

/// A list that is being worked on.
pub struct Work<T> {
    events: Receiver<Event<T>>,
    sender: Sender<Event<T>>,
    gate: Arc<Gate>,
}

/// Lets workers in, in the order of the list.
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
    /// Starts `threads` threads that call `work` with each index once. `sizes` are the bytes of each.
    pub fn start(sizes: Vec<u64>, threads: usize, work: impl Fn(usize) -> T + Send + Sync + 'static) -> Self {
        let (sender, events) = channel();
        let work = Arc::new(work);
        let state = State { next: 0, settled: 0, bytes: 0, closed: false };
        let threads = threads.min(sizes.len());
        let gate = Arc::new(Gate { state: Mutex::new(state), changed: Condvar::new(), sizes });
        for _ in 0..threads {
            let (gate, work, sender) = (Arc::clone(&gate), Arc::clone(&work), sender.clone());
            std::thread::spawn(move || {
                let _guard = AbortOnPanic;
                while let Some(index) = gate.enter() {
                    let _ = sender.send(Event::Begun(index));
                    let result = work(index);
                    gate.leave(index);
                    let _ = sender.send(Event::Ended(index, result));
                }
            });
        }
        Self { events, sender, gate }
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
        self.events.recv().unwrap_or(Event::Interrupted)
    }

    /// Everything before `index` is out of the way.
    pub fn settled(&self, index: usize) {
        self.gate.lock().settled = index;
        self.gate.changed.notify_all();
    }
}

/// A worker that is gone would be waited for for ever. Released builds end at a panic anyway.
struct AbortOnPanic;

impl Drop for AbortOnPanic {
    fn drop(&mut self) {
        if std::thread::panicking() {
            std::process::abort();
        }
    }
}
