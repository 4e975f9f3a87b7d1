//! Temporary files beside their targets. All are tracked, so that an interrupted process can remove them.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The temporary files of this process.
struct Live {
    paths: BTreeSet<PathBuf>,
    /// Counts up, so that no two files have the same name.
    count: u64,
    /// No file may be created or placed any more.
    closed: bool,
}

static LIVE: Mutex<Live> = Mutex::new(Live { paths: BTreeSet::new(), count: 0, closed: false });

/// Locks the list. It is held while files are created, placed and removed, which takes microseconds, so no output is
/// seen half in place.
fn live() -> MutexGuard<'static, Live> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes every temporary file of this process, which is about to end because it was interrupted. Waits for outputs
/// that are being moved into place; after that, none is created or placed.
pub fn discard_temporaries() {
    let mut live = live();
    live.closed = true;
    for path in std::mem::take(&mut live.paths) {
        let _ = fs::remove_file(path);
    }
}

impl Live {
    fn check(&self) -> io::Result<()> {
        if self.closed { Err(io::Error::other("interrupted")) } else { Ok(()) }
    }
}

/// A temporary file that is removed unless it is placed.
pub(super) struct Temporary {
    path: PathBuf,
    placed: bool,
}

impl Temporary {
    /// Creates a temporary file beside `target`.
    pub(super) fn beside(target: &Path) -> io::Result<(Self, File)> {
        let name = target.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let mut live = live();
        live.check()?;
        loop {
            let number = live.count;
            live.count += 1;
            let path = target.with_file_name(format!(".{name}.{}-{number}.tmp", std::process::id()));
            match File::options().write(true).create_new(true).open(&path) {
                Ok(file) => {
                    live.paths.insert(path.clone());
                    return Ok((Self { path, placed: false }, file));
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

/// Moves files to their targets in the given order. An interruption cannot come in between.
pub(super) fn place_all(files: impl Iterator<Item = (Temporary, PathBuf)>) -> io::Result<()> {
    // Collected first, because files that are not placed lock the list again when they are dropped.
    let mut files: Vec<_> = files.collect();
    let mut live = live();
    let placed = live.check().and_then(|()| {
        for (temporary, target) in &mut files {
            if let Some(folder) = target.parent().filter(|p| !p.as_os_str().is_empty()) {
                fs::create_dir_all(folder)?;
            }
            fs::rename(&temporary.path, &*target)?;
            temporary.placed = true;
            live.paths.remove(&temporary.path);
        }
        Ok(())
    });
    drop(live);
    placed
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // A file missing from the list has already been removed.
        if !self.placed && live().paths.remove(&self.path) {
            let _ = fs::remove_file(&self.path);
        }
    }
}
