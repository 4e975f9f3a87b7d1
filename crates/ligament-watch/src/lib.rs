//! Waits for files to be saved, for `--watch` and for the viewer.
//!
//! Folders are watched rather than files, because many programs save by replacing the old file with a new one. They also
//! save in several steps, so changes are reported after a short period without further changes.

pub use notify::Result;

use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long nothing may change before a change is reported.
const QUIET: Duration = Duration::from_millis(150);

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
    looked_at: Mutex<LookedAt>,
    news: Mutex<Receiver<News>>,
    sender: Sender<News>,
}

struct LookedAt {
    watcher: RecommendedWatcher,
    folders: BTreeSet<(PathBuf, bool)>,
}

impl Watch {
    /// Creates a watch without any folders.
    pub fn new() -> Result<Self> {
        let (sender, news) = channel();
        let to = sender.clone();
        let watcher = notify::recommended_watcher(move |event: Result<Event>| {
            if let Ok(event) = event {
                let _ = to.send(News::Changed(event));
            }
        })?;
        let looked_at = Mutex::new(LookedAt { watcher, folders: BTreeSet::new() });
        Ok(Self { looked_at, news: Mutex::new(news), sender })
    }

    fn looked_at(&self) -> MutexGuard<'_, LookedAt> {
        self.looked_at.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether nothing is watched.
    pub fn is_idle(&self) -> bool {
        self.looked_at().folders.is_empty()
    }

    /// Watches a folder and everything below it.
    pub fn look_at_folder(&self, folder: &Path) {
        self.looked_at().add(folder, RecursiveMode::Recursive);
    }

    /// Watches the folder of a file.
    pub fn look_at_file(&self, path: &Path) {
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        self.looked_at().add(folder, RecursiveMode::NonRecursive);
    }

    /// Returns a handle that ends a wait.
    pub fn stopper(&self) -> Stopper {
        Stopper(self.sender.clone())
    }

    /// Waits until something changed and no more changes follow, and returns the changed files. Only files for which
    /// `counts` is true matter; hidden files, such as temporary ones, never do.
    pub fn wait(&self, counts: impl Fn(&Path) -> bool) -> std::result::Result<BTreeSet<PathBuf>, Stopped> {
        let news = self.news.lock().unwrap_or_else(PoisonError::into_inner);
        let mut changed = BTreeSet::new();
        // Events that do not count, such as reads, do not extend the wait either.
        let mut quiet_at: Option<Instant> = None;
        loop {
            let next = match quiet_at {
                None => news.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(at) => news.recv_timeout(at.saturating_duration_since(Instant::now())),
            };
            match next {
                Ok(News::Changed(event)) if !event.kind.is_access() => {
                    let paths = event.paths.into_iter().filter(|path| !is_hidden(path) && counts(path));
                    let paths: Vec<PathBuf> = paths.collect();
                    if !paths.is_empty() {
                        quiet_at = Some(Instant::now() + QUIET);
                    }
                    changed.extend(paths);
                }
                Ok(News::Changed(_)) => {}
                Err(RecvTimeoutError::Timeout) => return Ok(changed),
                Ok(News::Stop) | Err(RecvTimeoutError::Disconnected) => return Err(Stopped),
            }
        }
    }
}

impl LookedAt {
    fn add(&mut self, folder: &Path, mode: RecursiveMode) {
        let key = (folder.to_owned(), mode == RecursiveMode::Recursive);
        if !self.folders.contains(&key) && self.watcher.watch(folder, mode).is_ok() {
            self.folders.insert(key);
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
}
