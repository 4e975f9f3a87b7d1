use super::source::read_small;
use super::{Content, git_lfs};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The folder in which a model's side files (buffers, images) are looked up. Paths are clean, as
/// [`safe_relative`](super::safe_relative) returns them.
pub trait Folder {
    /// The whole content of a file. Above `max` bytes it fails with [`io::ErrorKind::FileTooLarge`].
    fn read(&self, path: &str, max: u64) -> io::Result<Vec<u8>>;

    /// The file's content, to be read range by range if the folder is on disk.
    fn open(&self, path: &str, max: u64) -> io::Result<Content<'static>> {
        Ok(Content::Memory(Cow::Owned(self.read(path, max)?)))
    }

    /// Whether the file exists.
    fn contains(&self, path: &str) -> bool;

    /// The folder's path, if it is on disk.
    fn directory(&self) -> Option<&Path> {
        None
    }
}

/// The folder of an input that came from a stream: it is empty.
pub struct NoFolder;

impl Folder for NoFolder {
    fn read(&self, _: &str, _: u64) -> io::Result<Vec<u8>> {
        Err(io::Error::new(io::ErrorKind::NotFound, "there is no folder around this input"))
    }

    fn contains(&self, _: &str) -> bool {
        false
    }
}

/// A folder in memory: files by clean path. Like those of a folder on disk, pointers of Git LFS are not read.
pub struct MemoryFolder<'a> {
    files: &'a BTreeMap<String, Vec<u8>>,
    prefix: String,
}

impl<'a> MemoryFolder<'a> {
    /// All files.
    pub fn new(files: &'a BTreeMap<String, Vec<u8>>) -> Self {
        Self { files, prefix: String::new() }
    }

    /// The files in the folder of one of them.
    pub fn around(files: &'a BTreeMap<String, Vec<u8>>, path: &str) -> Self {
        let prefix = path.rfind('/').map_or("", |end| &path[..=end]);
        Self { files, prefix: prefix.to_owned() }
    }

    fn get(&self, path: &str) -> Option<&'a Vec<u8>> {
        if self.prefix.is_empty() {
            self.files.get(path)
        } else {
            self.files.get(&(self.prefix.clone() + path))
        }
    }
}

impl Folder for MemoryFolder<'_> {
    fn read(&self, path: &str, max: u64) -> io::Result<Vec<u8>> {
        let bytes = self.get(path).ok_or(io::ErrorKind::NotFound)?;
        check_length(bytes.len() as u64, max)?;
        git_lfs::refuse(&Content::Memory(Cow::Borrowed(bytes)))?;
        Ok(bytes.clone())
    }

    fn contains(&self, path: &str) -> bool {
        self.get(path).is_some()
    }
}

/// A folder that reports every file looked up in it, found or not, before it is read. Only folders on disk have
/// something to report.
pub struct TellingFolder<'a, T> {
    inner: Arc<dyn Folder + Send + Sync + 'a>,
    tell: T,
}

impl<'a, T: Fn(PathBuf)> TellingFolder<'a, T> {
    /// Calls `tell` with the full path of each file.
    pub fn new(inner: Arc<dyn Folder + Send + Sync + 'a>, tell: T) -> Self {
        Self { inner, tell }
    }

    fn tell(&self, path: &str) {
        if let Some(directory) = self.inner.directory() {
            (self.tell)(directory.join(path));
        }
    }
}

impl<T: Fn(PathBuf)> Folder for TellingFolder<'_, T> {
    fn read(&self, path: &str, max: u64) -> io::Result<Vec<u8>> {
        self.tell(path);
        self.inner.read(path, max)
    }

    fn open(&self, path: &str, max: u64) -> io::Result<Content<'static>> {
        self.tell(path);
        self.inner.open(path, max)
    }

    fn contains(&self, path: &str) -> bool {
        self.tell(path);
        self.inner.contains(path)
    }

    fn directory(&self) -> Option<&Path> {
        self.inner.directory()
    }
}

/// A folder on disk. Links that lead out of it are not followed, and pointers of Git LFS are not read.
pub struct DirFolder {
    directory: PathBuf,
}

impl DirFolder {
    /// The folder at `directory`; an empty path is the current one.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        let directory = directory.into();
        Self { directory: if directory.as_os_str().is_empty() { PathBuf::from(".") } else { directory } }
    }

    fn resolve(&self, path: &str) -> io::Result<PathBuf> {
        let full = self.directory.join(path).canonicalize()?;
        if full.starts_with(self.directory.canonicalize()?) {
            Ok(full)
        } else {
            Err(io::Error::new(
                io::ErrorKind::PermissionDenied,
                "the file is a link out of the model's folder",
            ))
        }
    }
}

impl Folder for DirFolder {
    fn read(&self, path: &str, max: u64) -> io::Result<Vec<u8>> {
        let bytes = read_file(&self.resolve(path)?, max)?;
        git_lfs::refuse(&Content::Memory(Cow::Borrowed(&bytes)))?;
        Ok(bytes)
    }

    fn open(&self, path: &str, max: u64) -> io::Result<Content<'static>> {
        let content = open_file(&self.resolve(path)?, max)?;
        git_lfs::refuse(&content)?;
        Ok(content)
    }

    fn contains(&self, path: &str) -> bool {
        self.resolve(path).is_ok_and(|p| p.is_file())
    }

    fn directory(&self) -> Option<&Path> {
        Some(&self.directory)
    }
}

/// Opens a regular file to be read range by range, if it is at most `max` bytes.
pub(super) fn open_file(path: &Path, max: u64) -> io::Result<Content<'static>> {
    let (file, length) = checked(path, max)?;
    Ok(Content::File(file, length))
}

/// Opens a regular file if it is at most `max` bytes; returns it and its length. A pipe could block for ever, and a device
/// never end, so they are not even opened.
fn checked(path: &Path, max: u64) -> io::Result<(fs::File, u64)> {
    let is_file = |metadata: &fs::Metadata| match metadata.is_file() {
        true => Ok(()),
        false => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")),
    };
    is_file(&path.metadata()?)?;
    let file = fs::File::open(path)?;
    let metadata = file.metadata()?;
    is_file(&metadata)?;
    let length = metadata.len();
    check_length(length, max)?;
    Ok((file, length))
}

fn check_length(length: u64, max: u64) -> io::Result<()> {
    if length <= max {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("{length} bytes, above the limit of {max}")))
}

/// Reads a regular file, if it is at most `max` bytes.
fn read_file(path: &Path, max: u64) -> io::Result<Vec<u8>> {
    let (mut file, length) = checked(path, max)?;
    read_small(&mut file, length as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_in_memory_answers_like_one_on_disk() {
        const POINTER: &[u8] = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n";
        let files = [("a/skin.png", &b"abc"[..]), ("skin.png", b"other"), ("a/lfs.png", POINTER)];
        let there = tempfile::tempdir().expect("a folder");
        fs::create_dir(there.path().join("a")).expect("written");
        files.iter().for_each(|(path, bytes)| fs::write(there.path().join(path), bytes).expect("written"));
        let files: BTreeMap<_, _> = files.map(|(path, bytes)| (path.to_owned(), bytes.to_vec())).into();
        let folders: [(&dyn Folder, &dyn Folder); 2] = [
            (&MemoryFolder::around(&files, "a/model.obj"), &DirFolder::new(there.path().join("a"))),
            (&MemoryFolder::around(&files, "model.obj"), &DirFolder::new(there.path())),
        ];
        let mut found = 0;
        for (memory, disk) in folders {
            for (path, max) in
                [("skin.png", 9), ("skin.png", 2), ("lfs.png", 999), ("a/skin.png", 3), ("no", 9)]
            {
                let seen = |folder: &dyn Folder| {
                    let read = folder.read(path, max).map_err(|error| error.kind());
                    let opened =
                        folder.open(path, max).and_then(|content| content.head(9).map(Cow::into_owned));
                    assert_eq!(read, opened.map_err(|error| error.kind()), "{path}");
                    (folder.contains(path), read)
                };
                assert_eq!(seen(memory), seen(disk), "{path}");
                found += usize::from(seen(memory).1.is_ok());
            }
        }
        assert_eq!(found, 3);
    }
}
