//! Waiting for a file to be saved.

use super::plan::{Plan, key};
use crate::interrupt;
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// Programs save in several steps; the work begins when they have been quiet for so long.
const QUIET: Duration = Duration::from_millis(150);

enum News {
    Changed(Event),
    Interrupted,
}

/// Someone pressed Ctrl-C.
pub struct Interrupted;

/// The folders that are looked at.
pub struct Watch {
    watcher: RecommendedWatcher,
    news: Receiver<News>,
    sender: Sender<News>,
    folders: BTreeSet<(PathBuf, bool)>,
}

impl Watch {
    pub fn new() -> notify::Result<Self> {
        let (sender, news) = channel();
        let to = sender.clone();
        let watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
            if let Ok(event) = event {
                let _ = to.send(News::Changed(event));
            }
        })?;
        Ok(Self { watcher, news, sender, folders: BTreeSet::new() })
    }

    /// Whether nothing is looked at.
    pub fn is_idle(&self) -> bool {
        self.folders.is_empty()
    }

    /// Looks at a plan's folders too.
    pub fn look_at(&mut self, plan: &Plan) {
        for folder in &plan.folders {
            self.add(folder, RecursiveMode::Recursive);
        }
    }

    /// Looks at the folder of a file: many programs save by replacing the file itself.
    pub fn look_at_file(&mut self, path: &Path) {
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        self.add(folder, RecursiveMode::NonRecursive);
    }

    fn add(&mut self, folder: &Path, mode: RecursiveMode) {
        let key = (folder.to_owned(), mode == RecursiveMode::Recursive);
        if !self.folders.contains(&key) && self.watcher.watch(folder, mode).is_ok() {
            self.folders.insert(key);
        }
    }

    /// Waits until something changed and no more changes follow. What we wrote ourselves, and hidden files such as those
    /// that are not yet in place, are no change.
    pub fn wait(&self, outputs: &BTreeSet<String>) -> Result<(), Interrupted> {
        let sender = self.sender.clone();
        let _guard = interrupt::Guard::new(move || {
            let _ = sender.send(News::Interrupted);
        });
        let mut changed = false;
        loop {
            let news = if changed {
                self.news.recv_timeout(QUIET)
            } else {
                self.news.recv().map_err(|_| RecvTimeoutError::Disconnected)
            };
            match news {
                Ok(News::Changed(event)) => changed |= is_change(&event, outputs),
                Err(RecvTimeoutError::Timeout) => return Ok(()),
                Ok(News::Interrupted) | Err(RecvTimeoutError::Disconnected) => return Err(Interrupted),
            }
        }
    }
}

fn is_change(event: &Event, outputs: &BTreeSet<String>) -> bool {
    let is_hidden =
        |path: &Path| path.file_name().is_some_and(|name| name.as_encoded_bytes().first() == Some(&b'.'));
    !event.kind.is_access()
        && event.paths.iter().any(|path| !is_hidden(path) && !outputs.contains(&key(path)))
}
