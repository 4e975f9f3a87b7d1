//! What stands at the path of an output: nothing, a file, a link to one, or something that bytes are written into.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

/// More links than this are a circle.
const MOST_LINKS: usize = 40;

/// Where the bytes of an output go.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// A file that appears or is replaced, behind all links.
    File(PathBuf),
    /// A device, a pipe or a stream of a process, which takes bytes and stays what it is.
    Stream(PathBuf),
}

impl Target {
    /// Looks at a path. Fails if a folder is there.
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        let stream = || Ok(Target::Stream(path.to_owned()));
        match path.metadata() {
            Ok(found) if found.is_dir() => return Err(is_a_folder()),
            Ok(found) if !found.is_file() => return stream(),
            _ => {}
        }
        // For example, the name is too long.
        if let Some(error) =
            path.symlink_metadata().err().filter(|error| error.kind() != io::ErrorKind::NotFound)
        {
            return Err(error);
        }
        let mut real = path.to_owned();
        for _ in 0..MOST_LINKS {
            match fs::read_link(&real) {
                // `/dev/stdout` leads to `/proc/self/fd/1`, which is no usual link: the file behind it is already open.
                Ok(_) if real.starts_with("/proc") => return stream(),
                Ok(next) => real = folder_of(&real).join(next),
                Err(_) => return Ok(Target::File(real)),
            }
        }
        Err(io::Error::other("the links at this path form a circle"))
    }
}

fn is_a_folder() -> io::Error {
    io::Error::new(io::ErrorKind::IsADirectory, "it is a folder")
}

/// The folder of a file; `.` if the path does not say.
pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The closest folder above a path that exists.
pub(super) fn existing_folder(path: &Path) -> &Path {
    let mut folder = folder_of(path);
    while !folder.exists() {
        let above = folder_of(folder);
        if above == folder {
            break;
        }
        folder = above;
    }
    folder
}

/// Checks that a side file can be written at a path relative to a folder: no link leads out of the folder, and nothing
/// but a plain file stands there. Returns where it goes.
pub(super) fn side_file(folder: &Path, path: &str) -> io::Result<PathBuf> {
    let refused = |what: &str| Err(io::Error::new(io::ErrorKind::PermissionDenied, what));
    let target = folder.join(path);
    let closest = existing_folder(&target);
    let within = || Ok::<_, io::Error>(closest.canonicalize()?.starts_with(folder.canonicalize()?));
    if closest.starts_with(folder) && folder.exists() && !within()? {
        return refused("the path goes through a link out of the output's folder");
    }
    if !closest.is_dir() {
        return Err(io::Error::new(io::ErrorKind::NotADirectory, "a file is in the place of its folder"));
    }
    match target.symlink_metadata() {
        Ok(found) if found.is_dir() => Err(is_a_folder()),
        Ok(found) if found.is_symlink() => match target.canonicalize() {
            Ok(real) if real.is_file() && real.starts_with(folder.canonicalize()?) => Ok(real),
            _ => refused("a link that leads out of the output's folder, or nowhere, is in its place"),
        },
        Ok(found) if !found.is_file() => refused("a device or pipe is in its place"),
        Ok(_) => Ok(target),
        // Names may be too long for the file system.
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Err(_) => Ok(target),
    }
}

/// Whether two paths lead to the same file. Files that do not exist are the same if their paths are.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    match (one.metadata(), other.metadata()) {
        (Ok(first), Ok(second)) => first.is_file() && same_inode(one, &first, other, &second),
        (Err(_), Err(_)) => {
            let real = |path: &Path| match Target::of(path) {
                Ok(Target::File(real)) => Some(folder_of(&real).canonicalize().ok()?.join(real.file_name()?)),
                _ => None,
            };
            real(one).is_some_and(|path| Some(path) == real(other))
        }
        _ => false,
    }
}

#[cfg(unix)]
fn same_inode(_: &Path, first: &Metadata, _: &Path, second: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (first.dev(), first.ino()) == (second.dev(), second.ino())
}

#[cfg(not(unix))]
fn same_inode(one: &Path, _: &Metadata, other: &Path, _: &Metadata) -> bool {
    one.canonicalize().is_ok_and(|path| other.canonicalize().is_ok_and(|other| path == other))
}
