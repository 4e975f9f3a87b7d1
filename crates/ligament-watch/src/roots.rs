//! The watched folders. The system watches folders, not paths: one that is renamed, replaced or made again must be looked
//! up again.

use notify::event::{EventKind, ModifyKind};
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What tells a folder from another one at its path.
#[derive(Debug, PartialEq, Eq)]
struct Identity {
    number: Option<(u64, u64)>,
    created: Option<SystemTime>,
}

impl Identity {
    fn of(folder: &Path) -> Option<Self> {
        let metadata = folder.metadata().ok()?;
        #[cfg(unix)]
        let number = {
            use std::os::unix::fs::MetadataExt;
            Some((metadata.dev(), metadata.ino()))
        };
        #[cfg(not(unix))]
        let number = None;
        Some(Self { number, created: metadata.created().ok() })
    }
}

struct Root {
    is_recursive: bool,
    /// The folder that is watched; `None` while there is none at the path.
    identity: Option<Identity>,
    /// The path in events.
    absolute: PathBuf,
    /// An event says that the folder was moved or removed. The same one may be back already, but no longer watched.
    is_lost: bool,
}

/// All folders that are watched, by the paths that were asked for.
pub(crate) struct Roots {
    watcher: RecommendedWatcher,
    roots: BTreeMap<PathBuf, Root>,
}

impl Roots {
    pub(crate) fn new(watcher: RecommendedWatcher) -> Self {
        Self { watcher, roots: BTreeMap::new() }
    }

    /// Whether there is no folder to watch.
    pub(crate) fn is_idle(&self) -> bool {
        self.roots.values().all(|root| root.identity.is_none())
    }

    pub(crate) fn add(&mut self, folder: &Path, is_recursive: bool) {
        if self.roots.get(folder).is_some_and(|root| root.is_recursive || !is_recursive) {
            return;
        }
        let root =
            Root { is_recursive, identity: Identity::of(folder), absolute: absolute(folder), is_lost: false };
        self.roots.insert(folder.to_owned(), root);
        self.watch(folder);
    }

    /// Notes which folders an event takes away or brings back. Returns whether there are any.
    pub(crate) fn note(&mut self, event: &Event) -> bool {
        let moves = matches!(
            event.kind,
            EventKind::Remove(_) | EventKind::Create(_) | EventKind::Modify(ModifyKind::Name(_))
        );
        let mut any = event.need_rescan();
        for root in self.roots.values_mut() {
            let is_above = |path: &PathBuf| root.absolute.starts_with(path);
            if event.need_rescan() || moves && event.paths.iter().any(is_above) {
                (root.is_lost, any) = (true, true);
            }
        }
        any
    }

    /// Watches the folders that are now at the paths, and returns the paths where that changed.
    pub(crate) fn renew(&mut self) -> Vec<PathBuf> {
        let mut renewed = Vec::new();
        for (path, root) in &mut self.roots {
            let identity = Identity::of(path);
            if std::mem::take(&mut root.is_lost) || identity != root.identity {
                root.identity = identity;
                root.absolute = absolute(path);
                renewed.push(path.clone());
            }
        }
        for path in &renewed {
            // It fails if the system has noticed by itself.
            let _ = self.watcher.unwatch(path);
        }
        renewed.iter().for_each(|path| self.watch(path));
        renewed
    }

    /// Watches what is at a path. A folder below a recursive one is watched by that.
    fn watch(&mut self, path: &Path) {
        let above =
            path.ancestors().find(|above| self.roots.get(*above).is_some_and(|root| root.is_recursive));
        let mode = if above.is_some() { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
        // A folder that is not there yet is found by the next look.
        let _ = self.watcher.watch(path, mode);
    }
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
