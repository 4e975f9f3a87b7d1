//! Temporary files beside their targets. All are tracked, so that an interrupted process can remove them, and they carry
//! the id of their process, so that a later one can remove what a killed process left.

use super::leftovers;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The temporary files of this process.
pub(super) struct Live {
    paths: BTreeSet<PathBuf>,
    /// Folders that were searched for what killed processes left.
    searched: BTreeSet<PathBuf>,
    /// Counts up, so that no two files have the same name.
    count: u64,
    /// No file may be created or placed any more.
    closed: bool,
}

static LIVE: Mutex<Live> =
    Mutex::new(Live { paths: BTreeSet::new(), searched: BTreeSet::new(), count: 0, closed: false });

/// Locks the list. It is held while files are created, placed and removed, which takes microseconds, so no output is
/// seen half in place.
pub(super) fn live() -> MutexGuard<'static, Live> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes every temporary file of this process, which is about to end because it was interrupted. Waits for outputs
/// that are being moved into place; after that, none is created or placed.
pub fn discard_temporaries() {
    live().discard();
}

/// Ends the process without leaving temporary files, also of threads that are about to create one. `waits` for outputs that
/// are being moved into place; a process that is interrupted a second time does not.
pub fn exit_without_temporaries(code: i32, waits: bool) -> ! {
    let live = if waits { Some(live()) } else { LIVE.try_lock().ok() };
    // Held to the end, so that nothing is created after the last look.
    let _held = live.map(|mut live| {
        live.discard();
        live
    });
    std::process::exit(code)
}

impl Live {
    /// Fails after an interruption.
    pub(super) fn check(&self) -> io::Result<()> {
        if self.closed { Err(io::Error::other("interrupted")) } else { Ok(()) }
    }

    fn discard(&mut self) {
        self.closed = true;
        for path in std::mem::take(&mut self.paths) {
            let _ = fs::remove_file(path);
        }
    }

    /// A path in a folder that no file of this process has. It does not depend on the target's name, which may be as
    /// long as the file system allows.
    pub(super) fn new_path(&mut self, folder: &Path) -> PathBuf {
        let number = self.count;
        self.count += 1;
        folder.join(leftovers::name(number))
    }

    /// Removes what killed processes left in a folder, once.
    fn tidy(&mut self, folder: &Path) {
        let real = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        if self.searched.insert(real) {
            leftovers::remove(folder);
        }
    }
}

/// A temporary file that is removed unless it is placed.
pub(super) struct Temporary {
    path: PathBuf,
    placed: bool,
}

/// Whether a file may be written after an interruption.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    Uninterrupted,
    Always,
}

impl Temporary {
    /// Creates a temporary file in a folder. If it will replace a file, nobody may read it who may not read that one.
    pub(super) fn create(
        folder: &Path,
        replaced: Option<&fs::Metadata>,
        when: When,
    ) -> io::Result<(Self, File)> {
        let mut live = live();
        if when == When::Uninterrupted {
            live.check()?;
        }
        live.tidy(folder);
        loop {
            let path = live.new_path(folder);
            match options(replaced).open(&path) {
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

    /// Moves the file to its target.
    pub(super) fn rename(&mut self, target: &Path, live: &mut Live) -> io::Result<()> {
        fs::rename(&self.path, target)?;
        self.placed = true;
        live.paths.remove(&self.path);
        Ok(())
    }
}

/// How a temporary file is opened.
fn options(replaced: Option<&fs::Metadata>) -> fs::OpenOptions {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if let Some(replaced) = replaced {
        use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
        // The exact mode is set when the file is placed.
        options.mode((replaced.mode() & 0o777) | 0o600);
    }
    #[cfg(not(unix))]
    let _ = replaced;
    options
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // A file missing from the list has already been removed.
        if !self.placed && live().paths.remove(&self.path) {
            let _ = fs::remove_file(&self.path);
        }
    }
}
