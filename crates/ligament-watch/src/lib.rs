//! Waits for files to be saved, for `--watch` and for the viewer.
//!
//! Folders are watched rather than files, because many programs save by replacing the old file with a new one. They also
//! save in several steps, so changes are reported after a short period without further changes. A watched folder may be
//! renamed, replaced, removed and made again.

mod pending;
mod roots;

pub use notify::Result;

use notify::Event;
use pending::Pending;
use roots::Roots;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long nothing may change before a change is reported.
const QUIET: Duration = Duration::from_millis(150);

/// How long a changed file waits for others that keep changing.
const LONGEST: Duration = Duration::from_secs(1);

/// How often to look whether the watched folders are still the ones at their paths. The system does not tell when a folder
/// above them is renamed, or when one that is missing is made.
const LOOK: Duration = Duration::from_millis(500);

enum News {
    Changed(Event),
    Stop,
}

/// The wait was ended by a [`Stopper`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopped;

/// Ends a wait from any thread.
#[derive(Clone)]
pub struct Stopper(Sender<News>);

impl Stopper {
    /// Ends the current wait, or the next one.
    pub fn stop(&self) {
        let _ = self.0.send(News::Stop);
    }
}

/// The watched folders. One thread may wait while others add folders.
pub struct Watch {
    roots: Mutex<Roots>,
    news: Mutex<(Receiver<News>, Pending)>,
    sender: Sender<News>,
}

impl Watch {
    /// Creates a watch without any folders.
    pub fn new() -> Result<Self> {
        // The system's watcher needs a thread, and fails badly without one.
        std::thread::Builder::new().spawn(|| {}).map_err(notify::Error::io)?;
        let (sender, news) = channel();
        let to = sender.clone();
        let watcher = notify::recommended_watcher(move |event: Result<Event>| {
            if let Ok(event) = event {
                let _ = to.send(News::Changed(event));
            }
        })?;
        let news = Mutex::new((news, Pending::default()));
        Ok(Self { roots: Mutex::new(Roots::new(watcher)), news, sender })
    }

    fn roots(&self) -> MutexGuard<'_, Roots> {
        self.roots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether nothing is watched.
    pub fn is_idle(&self) -> bool {
        self.roots().is_idle()
    }

    /// Watches a folder and everything below it. If it does not exist, it is watched as soon as it does.
    pub fn look_at_folder(&self, folder: &Path) {
        self.roots().add(folder, true);
    }

    /// Watches the folder of a file.
    pub fn look_at_file(&self, path: &Path) {
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        self.roots().add(folder, false);
    }

    /// Returns a handle that ends a wait.
    pub fn stopper(&self) -> Stopper {
        Stopper(self.sender.clone())
    }

    /// Waits until something changed and no more changes follow, and returns the changed files, and the watched folders
    /// that are others than before. A file that keeps changing is returned when it rests, and delays others only for a
    /// limited time. Only files for which `counts` is true matter; hidden files, such as temporary ones, never do.
    pub fn wait(&self, counts: impl Fn(&Path) -> bool) -> std::result::Result<BTreeSet<PathBuf>, Stopped> {
        let mut guard = self.news.lock().unwrap_or_else(PoisonError::into_inner);
        let (news, pending) = &mut *guard;
        let mut look_at = Instant::now() + LOOK;
        loop {
            let next_at = pending.due().map_or(look_at, |due| due.min(look_at));
            match news.recv_timeout(next_at.saturating_duration_since(Instant::now())) {
                // Events that do not count, such as reads, do not extend the wait either.
                Ok(News::Changed(event)) if !event.kind.is_access() => {
                    if self.roots().note(&event) {
                        look_at = Instant::now();
                    }
                    let paths = event.paths.into_iter().filter(|path| !is_hidden(path) && counts(path));
                    paths.for_each(|path| pending.add(path, Instant::now()));
                }
                Ok(News::Changed(_)) | Err(RecvTimeoutError::Timeout) => {}
                Ok(News::Stop) | Err(RecvTimeoutError::Disconnected) => return Err(Stopped),
            }
            let now = Instant::now();
            if now >= look_at {
                self.roots().renew().into_iter().for_each(|path| pending.add(path, now));
                look_at = now + LOOK;
            }
            if pending.due().is_some_and(|due| now >= due) {
                let quiet = pending.take_quiet(now);
                if !quiet.is_empty() {
                    return Ok(quiet);
                }
            }
        }
    }
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().first() == Some(&b'.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_saved_file_is_told_and_hidden_ones_are_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let watch = Watch::new().expect("a watcher");
        assert!(watch.is_idle());
        watch.look_at_file(&folder.path().join("model.txt"));
        assert!(!watch.is_idle());
        fs::write(folder.path().join(".model.txt.tmp"), "half").expect("written");
        fs::rename(folder.path().join(".model.txt.tmp"), folder.path().join("model.txt")).expect("renamed");
        let changed = watch.wait(|_| true).expect("a change");
        let names: Vec<_> = changed.iter().filter_map(|path| path.file_name()).collect();
        assert_eq!(names, ["model.txt"]);
        // Constant reading does not keep the change from being reported.
        let reader = std::thread::spawn({
            let path = folder.path().join("model.txt");
            move || {
                (0..200).for_each(|_| {
                    let _ = fs::read(&path);
                    std::thread::sleep(Duration::from_millis(20));
                })
            }
        });
        fs::write(folder.path().join("model.txt"), "whole").expect("written");
        let start = Instant::now();
        watch.wait(|_| true).expect("a change");
        assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
        drop(reader);
        watch.stopper().stop();
        assert_eq!(watch.wait(|_| true), Err(Stopped));
    }

    /// Waits for a change of a file with this name.
    #[track_caller]
    fn expect(watch: &Watch, name: &str) {
        let stopper = watch.stopper();
        let (done, ended) = channel::<()>();
        let patience = std::thread::spawn(move || {
            if ended.recv_timeout(Duration::from_secs(60)) == Err(RecvTimeoutError::Timeout) {
                stopper.stop();
            }
        });
        let is_there = |path: &PathBuf| path.file_name().is_some_and(|found| found == name);
        while !watch.wait(|_| true).unwrap_or_else(|_| panic!("no change of {name}")).iter().any(is_there) {}
        drop(done);
        patience.join().expect("ended");
    }

    /// The folder is away for longer than the system needs to report it, and then comes back while nobody waits.
    fn settle(watch: &Watch) {
        std::thread::sleep(QUIET);
        let stopper = watch.stopper();
        let later = std::thread::spawn(move || {
            std::thread::sleep(2 * LOOK);
            stopper.stop();
        });
        while watch.wait(|_| true).is_ok() {}
        later.join().expect("ended");
    }

    #[test]
    fn folders_that_go_and_come_back_are_still_watched() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        let swap = |a: &str, b: &str| fs::rename(at(a), at(b)).expect("renamed");
        for watches_parent in [false, true] {
            for pauses in [false, true] {
                let watch = Watch::new().expect("a watcher");
                fs::create_dir_all(at("up/art/deep")).expect("created");
                if watches_parent {
                    watch.look_at_file(&at("up/rules.txt"));
                }
                watch.look_at_folder(&at("up/art"));
                let pause = || {
                    if pauses {
                        settle(&watch);
                    }
                };
                let save = |name: &str, why: &str| {
                    // Seen with the change before, or after it.
                    settle(&watch);
                    fs::write(at("up/art").join(name), why).expect("written");
                    expect(
                        &watch,
                        Path::new(name).file_name().and_then(|name| name.to_str()).expect("a name"),
                    );
                };
                save("first", "before anything happens");
                swap("up/art", "up/away");
                pause();
                swap("up/away", "up/art");
                save("deep/second", "renamed away and back");
                swap("up/art", "up/away");
                pause();
                fs::create_dir_all(at("up/art/deep")).expect("created");
                save("deep/third", "another one at its place");
                fs::remove_dir_all(at("up/art")).expect("removed");
                pause();
                fs::create_dir_all(at("up/art/deep")).expect("created");
                save("deep/fourth", "removed and made again");
                swap("up", "gone");
                pause();
                swap("gone", "up");
                save("deep/fifth", "the folder above renamed away and back");
                fs::create_dir_all(at("up/art/new")).expect("created");
                save("new/sixth", "a new folder in it");
                swap("up/art/new", "up/elsewhere");
                pause();
                swap("up/elsewhere", "up/art/new");
                save("new/seventh", "a folder in it, renamed away and back");
                if watches_parent {
                    fs::write(at("up/rules.txt"), "all").expect("written");
                    expect(&watch, "rules.txt");
                }
                fs::remove_dir_all(at("up")).expect("removed");
            }
        }
    }

    #[test]
    fn a_folder_that_does_not_exist_is_watched_once_it_does() {
        let folder = tempfile::tempdir().expect("a folder");
        let watch = Watch::new().expect("a watcher");
        watch.look_at_folder(&folder.path().join("a/b"));
        assert!(watch.is_idle());
        fs::create_dir_all(folder.path().join("a/b")).expect("created");
        expect(&watch, "b");
        fs::write(folder.path().join("a/b/model"), "").expect("written");
        expect(&watch, "model");
    }

    #[test]
    fn a_file_that_is_always_written_does_not_delay_another_for_ever() {
        let folder = tempfile::tempdir().expect("a folder");
        let watch = Watch::new().expect("a watcher");
        watch.look_at_folder(folder.path());
        let (end, ended) = channel::<()>();
        let log = folder.path().join("log");
        let writer = std::thread::spawn(move || {
            let mut lines = 0;
            while ended.recv_timeout(Duration::from_millis(50)) == Err(RecvTimeoutError::Timeout) {
                fs::write(&log, lines.to_string()).expect("written");
                lines += 1;
            }
        });
        for _ in 0..2 {
            fs::write(folder.path().join("model"), "").expect("written");
            expect(&watch, "model");
        }
        drop(end);
        writer.join().expect("ended");
    }
}
