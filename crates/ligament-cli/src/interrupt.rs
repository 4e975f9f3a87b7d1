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

/// Whether there was an interruption.
pub fn happened() -> bool {
    HAPPENED.load(Ordering::SeqCst)
}

fn interrupted() {
    if HAPPENED.swap(true, Ordering::SeqCst) {
        // The record of what was done may be half written.
        ligament::internal::discard_temporaries_now();
        std::process::exit(Exit::Interrupted as i32);
    }
    ligament::internal::discard_temporaries();
    match &*HOOK.lock().unwrap_or_else(PoisonError::into_inner) {
        Some(hook) => hook(),
        None => {
            eprintln!("interrupted");
            std::process::exit(Exit::Interrupted as i32);
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
