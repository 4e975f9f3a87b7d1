//! A spinner on the terminal during long work.

use indicatif::ProgressBar;
use std::io::IsTerminal;
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// Work that takes no longer than this shows nothing.
const PATIENCE: Duration = Duration::from_millis(500);

/// Shows a spinner on standard error, if that is a terminal, from half a second on until this is dropped.
pub struct Progress(Option<(Sender<()>, JoinHandle<()>)>);

impl Progress {
    pub fn start(message: String, quiet: bool) -> Self {
        if quiet || !std::io::stderr().is_terminal() {
            return Self(None);
        }
        let (stop, stopped) = channel::<()>();
        let thread = std::thread::Builder::new().spawn(move || {
            if stopped.recv_timeout(PATIENCE).is_ok() {
                return;
            }
            let spinner = ProgressBar::new_spinner().with_message(message);
            spinner.enable_steady_tick(Duration::from_millis(100));
            let _ = stopped.recv();
            spinner.finish_and_clear();
        });
        // Without a thread, there is no spinner.
        Self(thread.ok().map(|thread| (stop, thread)))
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((stop, thread)) = self.0.take() {
            let _ = stop.send(());
            let _ = thread.join();
        }
    }
}
