//! Waits for a file to be saved.

use super::plan::{Plan, key};
use crate::interrupt;
use std::collections::BTreeSet;
use std::path::Path;

/// Ctrl-C was pressed.
pub struct Interrupted;

/// The folders that are watched.
pub struct Watch(ligament_watch::Watch);

impl Watch {
    pub fn new() -> ligament_watch::Result<Self> {
        ligament_watch::Watch::new().map(Self)
    }

    /// Whether nothing is watched.
    pub fn is_idle(&self) -> bool {
        self.0.is_idle()
    }

    /// Watches a plan's folders too.
    pub fn look_at(&self, plan: &Plan) {
        plan.folders.iter().for_each(|folder| self.0.look_at_folder(folder));
    }

    pub fn look_at_file(&self, path: &Path) {
        self.0.look_at_file(path);
    }

    /// Waits until something changed and no more changes follow. Our own outputs do not count.
    pub fn wait(&self, outputs: &BTreeSet<String>) -> Result<(), Interrupted> {
        let stopper = self.0.stopper();
        let _guard = interrupt::Guard::new(move || stopper.stop());
        let changed = self.0.wait(|path| !outputs.contains(&key(path)));
        changed.map(drop).map_err(|_| Interrupted)
    }
}
