//! Ctrl-C, and being asked to end: the first time temporary files are removed and what was done is told, the second time
//! the process ends at once.

use crate::exit::Exit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, PoisonError};

type Hook = Box<dyn Fn() + Send>;

static HAPPENED: AtomicBool = AtomicBool::new(false);
static HOOK: Mutex<Option<Hook>> = Mutex::new(None);

/// From here on an interruption leaves no temporary file behind. Unless a [`Guard`] says otherwise, it ends the process.
pub fn catch() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Without it an interruption is what it always was: the end, perhaps with a temporary file left over.
        let _ = ctrlc::set_handler(interrupted);
    });
}

/// Whether there was one.
pub fn happened() -> bool {
    HAPPENED.load(Ordering::SeqCst)
}

fn interrupted() {
    if HAPPENED.swap(true, Ordering::SeqCst) {
        std::process::exit(Exit::Interrupted as i32);
    }
    ligament::io::discard_temporaries();
    match &*HOOK.lock().unwrap_or_else(PoisonError::into_inner) {
        Some(hook) => hook(),
        None => {
            eprintln!("interrupted");
            std::process::exit(Exit::Interrupted as i32);
        }
    }
}

/// While it lives, an interruption is told to someone who ends the work in order.
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
        // What comes after an interruption is only the telling; a second one ends that.
        if !happened() {
            *HOOK.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
    }
}
