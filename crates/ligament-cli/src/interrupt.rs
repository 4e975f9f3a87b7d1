//! Handles Ctrl-C and termination signals: the first one removes temporary files and reports what was done, the second one
//! ends the process at once.

use crate::exit::Exit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, PoisonError};

type Hook = Box<dyn Fn() + Send>;

static HAPPENED: AtomicBool = AtomicBool::new(false);
static HOOK: Mutex<Option<Hook>> = Mutex::new(None);

/// Installs the handler: from now on an interruption removes temporary files and, unless there is a [`Guard`], ends the
/// process.
pub fn catch() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // If this fails, an interruption ends the process as usual, and may leave a temporary file.
        let _ = ctrlc::set_handler(interrupted);
    });
}

/// Whether there was an interruption. If so, the temporary files are gone.
pub fn happened() -> bool {
    let happened = HAPPENED.load(Ordering::SeqCst);
    if happened {
        discard();
    }
    happened
}

/// Removes temporary files, once: those that are created afterwards hold what is reported of an interrupted run. Whoever comes
/// first does it, the thread that handles the signal or one that notices it and may end the process; the other waits.
fn discard() {
    static ONCE: Once = Once::new();
    ONCE.call_once(ligament::internal::discard_temporaries);
}

fn interrupted() {
    if HAPPENED.swap(true, Ordering::SeqCst) {
        // The record of what was done may be half written.
        ligament::internal::exit_without_temporaries(Exit::Interrupted as i32, false);
    }
    discard();
    match &*HOOK.lock().unwrap_or_else(PoisonError::into_inner) {
        Some(hook) => hook(),
        None => {
            eprintln!("interrupted");
            // The main thread may have begun to write down what was done.
            ligament::internal::exit_without_temporaries(Exit::Interrupted as i32, true);
        }
    }
}

/// While it exists, an interruption calls a function that ends the work in an orderly way.
pub struct Guard;

impl Guard {
    /// Calls `tell` on an interruption, at once if it has already happened.
    pub fn new(tell: impl Fn() + Send + 'static) -> Self {
        let mut hook = HOOK.lock().unwrap_or_else(PoisonError::into_inner);
        if happened() {
            tell();
        }
        *hook = Some(Box::new(tell));
        Self
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        // After an interruption only the report remains; a second interruption may end that.
        if !happened() {
            *HOOK.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
    }
}
