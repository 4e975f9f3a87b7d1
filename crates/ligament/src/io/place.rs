//! Moves a set of files to their targets: all of them, or none.

use super::target::folder_of;
use super::temporary::{Live, Temporary, When, live};
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Moves files to their targets in the given order. If one fails, those before it are taken back: what they replaced is
/// there again, and folders that were made for them are gone. An interruption cannot come in between.
pub(super) fn place_all(mut files: Vec<(Temporary, PathBuf)>, when: When, syncs: bool) -> io::Result<()> {
    if syncs {
        sync_replacing(&files)?;
    }
    let _turn = if files.len() > 1 { files.last().and_then(|(_, main)| turn(folder_of(main))) } else { None };
    let mut live = live();
    if when == When::Uninterrupted {
        live.check()?;
    }
    let mut done = Placed::default();
    let placed = done.place(&mut files, &mut live);
    if placed.is_err() {
        done.take_back();
    }
    done.remove_backups();
    // Files that are not placed lock the list again when they are dropped, which is after this.
    drop(live);
    placed
}

/// Waits until no other process places a set of files in this folder, so that two sets are not mixed. Not every file system
/// can tell; then, and after a second, it goes on.
fn turn(folder: &Path) -> Option<fs::File> {
    let folder = fs::File::open(folder).ok()?;
    for _ in 0..100 {
        match folder.try_lock() {
            Err(fs::TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(10)),
            locked => return locked.ok().map(|()| folder),
        }
    }
    None
}

/// Waits until new content is on the disk, if it replaces old content: a computer that loses power between the two must
/// not lose both.
fn sync_replacing(files: &[(Temporary, PathBuf)]) -> io::Result<()> {
    for (temporary, _) in files.iter().filter(|(_, target)| target.exists()) {
        fs::File::options().write(true).open(temporary.path())?.sync_data()?;
    }
    Ok(())
}

/// What was done so far.
#[derive(Default)]
struct Placed {
    /// Folders that were made, in that order.
    folders: Vec<PathBuf>,
    /// Targets, each with a second name of the file that it replaced.
    files: Vec<(PathBuf, Option<PathBuf>)>,
}

impl Placed {
    fn place(&mut self, files: &mut [(Temporary, PathBuf)], live: &mut Live) -> io::Result<()> {
        // Most of what can fail is done before the first file moves.
        let is_set = files.len() > 1;
        for (temporary, target) in &*files {
            self.prepare(temporary, target)
                .map_err(|error| if is_set { named(target, error) } else { error })?;
        }
        let last = files.len().saturating_sub(1);
        for (index, (temporary, target)) in files.iter_mut().enumerate() {
            // Nothing can fail after the last one.
            let backup = if index < last { backup(target, live)? } else { None };
            self.files.push((target.clone(), backup));
            temporary.rename(target, live).map_err(|error| {
                self.not_placed();
                if is_set { named(target, error) } else { error }
            })?;
        }
        Ok(())
    }

    fn prepare(&mut self, temporary: &Temporary, target: &Path) -> io::Result<()> {
        self.make_folders(folder_of(target))?;
        match target.symlink_metadata() {
            Ok(there) if there.is_dir() => Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder")),
            Ok(there) if there.is_file() => keep_owner_and_mode(temporary.path(), &there),
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// The last target was not reached, so there is nothing to take back but its backup.
    fn not_placed(&mut self) {
        if let Some((_, Some(backup))) = self.files.pop() {
            let _ = fs::remove_file(backup);
        }
    }

    fn make_folders(&mut self, folder: &Path) -> io::Result<()> {
        if folder.is_dir() {
            return Ok(());
        }
        if folder_of(folder) != folder {
            self.make_folders(folder_of(folder))?;
        }
        match fs::create_dir(folder) {
            Ok(()) => self.folders.push(folder.to_owned()),
            // Another process was faster.
            Err(_) if folder.is_dir() => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    fn take_back(&mut self) {
        for (target, backup) in self.files.drain(..).rev() {
            let _ = match backup {
                Some(backup) => fs::rename(backup, target),
                None => fs::remove_file(target),
            };
        }
        for folder in self.folders.drain(..).rev() {
            let _ = fs::remove_dir(folder);
        }
    }

    fn remove_backups(&self) {
        for backup in self.files.iter().filter_map(|(_, backup)| backup.as_ref()) {
            let _ = fs::remove_file(backup);
        }
    }
}

/// Gives a file that is about to be replaced a second name.
fn backup(target: &Path, live: &mut Live) -> io::Result<Option<PathBuf>> {
    if target.symlink_metadata().is_err() {
        return Ok(None);
    }
    loop {
        let path = live.new_path(folder_of(target));
        match fs::hard_link(target, &path) {
            Ok(()) => return Ok(Some(path)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            // File systems without hard links.
            Err(_) => {
                let copied = fs::copy(target, &path).inspect_err(|_| {
                    let _ = fs::remove_file(&path);
                });
                return copied.map(|_| Some(path));
            }
        }
    }
}

/// An error that names the file.
fn named(path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// Gives a new file the owner, group and mode of the one that it replaces, as far as the user may do that.
#[cfg(unix)]
fn keep_owner_and_mode(path: &Path, there: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
    let own = path.metadata()?;
    if (own.uid(), own.gid()) != (there.uid(), there.gid())
        && chown(path, Some(there.uid()), Some(there.gid())).is_err()
    {
        let _ = chown(path, None, Some(there.gid()));
    }
    let now = path.metadata()?;
    let mut mode = there.mode() & 0o7777;
    // Another group may do no more than everyone, and no other owner lends their rights.
    if now.gid() != there.gid() {
        mode &= !0o2070 | ((mode & 0o007) << 3);
    }
    if now.uid() != there.uid() {
        mode &= !0o4000;
    }
    if now.mode() & 0o7777 != mode {
        fs::set_permissions(path, fs::Permissions::from_mode(mode))
    } else {
        Ok(())
    }
}

#[cfg(not(unix))]
fn keep_owner_and_mode(path: &Path, there: &Metadata) -> io::Result<()> {
    fs::set_permissions(path, there.permissions())
}
