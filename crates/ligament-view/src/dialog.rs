//! The system's file dialog.

use ligament::formats::FORMATS;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use winit::window::Window;

/// Nobody reads, chooses and closes a dialog in less.
const AT_ONCE: Duration = Duration::from_millis(300);

/// The answer of a dialog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// A file was chosen.
    File(PathBuf),
    /// The dialog was closed without choosing one.
    Nothing,
    /// The system has no dialog to show.
    NoDialog,
}

/// Shows the system's dialog beside a window, and calls `then` with the answer, from another thread.
pub fn choose(title: &str, folder: &Path, window: &Window, then: impl FnOnce(Answer) + Send + 'static) {
    if !is_likely() {
        return then(Answer::NoDialog);
    }
    let mut known: Vec<&str> = FORMATS.iter().flat_map(|format| format.extensions).copied().collect();
    known.sort_unstable();
    known.dedup();
    let mut dialog = rfd::AsyncFileDialog::new()
        .set_title(title)
        .set_parent(window)
        .add_filter("Models", &known)
        .add_filter("All files", &["*"]);
    if let Ok(folder) = folder.canonicalize() {
        dialog = dialog.set_directory(folder);
    }
    // Some systems demand that dialogs are made on the thread of the window.
    let (asked, answer) = (Instant::now(), dialog.pick_file());
    std::thread::spawn(move || {
        let file = pollster::block_on(answer).map(|file| file.path().to_owned());
        then(understood(file, asked.elapsed()));
    });
}

/// Shows the system's dialog for a new file.
pub fn save_as(output: &Path, window: &Window, then: impl FnOnce(Answer) + Send + 'static) {
    if !is_likely() {
        return then(Answer::NoDialog);
    }
    let name = output.file_name().unwrap_or_default().to_string_lossy();
    let mut dialog =
        rfd::AsyncFileDialog::new().set_title("Convert to").set_parent(window).set_file_name(name);
    if let Some(folder) = output.parent().and_then(|folder| folder.canonicalize().ok()) {
        dialog = dialog.set_directory(folder);
    }
    let (asked, answer) = (Instant::now(), dialog.save_file());
    std::thread::spawn(move || {
        let file = pollster::block_on(answer).map(|file| file.path().to_owned());
        then(understood(file, asked.elapsed()));
    });
}

/// A dialog that could not be shown answers like one that was closed, but faster than a person can.
fn understood(file: Option<PathBuf>, after: Duration) -> Answer {
    match file {
        Some(file) => Answer::File(file),
        None if after < AT_ONCE => Answer::NoDialog,
        None => Answer::Nothing,
    }
}

/// Whether a dialog can be expected: on Linux it is shown by a service of the desktop, which needs a message bus, or by a
/// program.
#[cfg(all(unix, not(target_vendor = "apple")))]
fn is_likely() -> bool {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    let bus = set("XDG_RUNTIME_DIR").is_some_and(|folder| Path::new(&folder).join("bus").exists());
    let program = || {
        let folders = set("PATH").unwrap_or_default();
        std::env::split_paths(&folders).any(|folder| folder.join("zenity").is_file())
    };
    set("DBUS_SESSION_BUS_ADDRESS").is_some() || bus || program()
}

#[cfg(not(all(unix, not(target_vendor = "apple"))))]
fn is_likely() -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_no_person_can_give_means_that_there_is_no_dialog() {
        let (fast, slow) = (Duration::from_millis(5), Duration::from_secs(2));
        assert_eq!(understood(None, fast), Answer::NoDialog);
        assert_eq!(understood(None, slow), Answer::Nothing);
        assert_eq!(understood(Some("a".into()), fast), Answer::File("a".into()));
    }
}
