use super::temporary::{Temporary, place_all};
use super::{Content, DirFolder, Folder, Source};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Writes the content of a file.
pub type WriteContent<'a> = dyn FnMut(&mut dyn Write) -> io::Result<()> + 'a;

/// The target that a document is written to: one main file, and side files in its folder.
pub trait Output {
    /// The main file's name without folder and extension; side files are named after it.
    fn stem(&self) -> &str;

    /// The main file.
    fn main(&mut self) -> &mut dyn Write;

    /// Whether side files can be written. Streams have no folder for them.
    fn takes_side_files(&self) -> bool {
        true
    }

    /// The path of the main file's folder, if it is on disk.
    fn directory(&self) -> Option<&Path> {
        None
    }

    /// The existing files in the main file's folder, which side files must not replace.
    fn beside(&self) -> Option<Box<dyn Folder + '_>> {
        self.directory().map(|directory| Box::new(DirFolder::new(directory)) as Box<dyn Folder>)
    }

    /// Writes a side file at a path relative to the main file's folder, as [`safe_relative`](super::safe_relative)
    /// returns it.
    fn side_file(&mut self, path: &str, write: &mut WriteContent<'_>) -> io::Result<()>;
}

/// Keeps everything in memory.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MemoryOutput {
    stem: String,
    /// The main file.
    pub main: Vec<u8>,
    /// Side files by path.
    pub side_files: BTreeMap<String, Vec<u8>>,
}

impl MemoryOutput {
    /// An output with nothing written yet.
    pub fn new(stem: &str) -> Self {
        Self { stem: stem.to_owned(), ..Self::default() }
    }

    /// The files written so far, as an input: the main file, with the side files as its folder.
    pub fn source(&self, name: &str) -> Source<'_> {
        Source {
            name: name.to_owned(),
            content: Content::Memory(Cow::Borrowed(&self.main)),
            folder: Arc::new(MemoryFolder(&self.side_files)),
        }
    }
}

impl Output for MemoryOutput {
    fn stem(&self) -> &str {
        &self.stem
    }

    fn main(&mut self) -> &mut dyn Write {
        &mut self.main
    }

    fn side_file(&mut self, path: &str, write: &mut WriteContent<'_>) -> io::Result<()> {
        let mut bytes = Vec::new();
        write(&mut bytes)?;
        self.side_files.insert(path.to_owned(), bytes);
        Ok(())
    }
}

struct MemoryFolder<'a>(&'a BTreeMap<String, Vec<u8>>);

impl Folder for MemoryFolder<'_> {
    fn read(&self, path: &str, _max: u64) -> io::Result<Vec<u8>> {
        self.0.get(path).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn contains(&self, path: &str) -> bool {
        self.0.contains_key(path)
    }
}

/// Writes to temporary files beside the targets and moves them into place on [`commit`](Self::commit). Dropped without
/// a commit, it removes them and leaves no trace.
#[must_use = "the file appears only when it is committed"]
pub struct FileOutput {
    target: PathBuf,
    stem: String,
    main: BufWriter<File>,
    main_temporary: Temporary,
    side_files: BTreeMap<String, Temporary>,
}

impl FileOutput {
    /// Starts a file at `target`, whose folder must exist.
    pub fn create(target: &Path) -> io::Result<Self> {
        if target.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
        }
        let stem = target.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        let (main_temporary, file) = Temporary::beside(target)?;
        let main = BufWriter::with_capacity(1 << 18, file);
        Ok(Self { target: target.to_owned(), stem, main, main_temporary, side_files: BTreeMap::new() })
    }

    /// The files written so far, as an input: the proof reads them before they are moved into place.
    pub fn source(&mut self) -> io::Result<Source<'_>> {
        self.main.flush()?;
        let file = File::open(self.main_temporary.path())?;
        let length = file.metadata()?.len();
        let folder = PendingFolder { pending: &self.side_files, placed: DirFolder::new(self.folder()) };
        let name = self.target.display().to_string();
        Ok(Source { name, content: Content::File(file, length), folder: Arc::new(folder) })
    }

    /// The final path of the main file.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Moves all files into place, the main file last.
    pub fn commit(mut self) -> io::Result<()> {
        self.main.flush()?;
        let directory = self.folder().to_owned();
        let Self { main, main_temporary, target, side_files, .. } = self;
        drop(main);
        let side_files = side_files.into_iter().map(|(path, temporary)| (temporary, directory.join(path)));
        place_all(side_files.chain([(main_temporary, target)]))
    }

    /// Like [`commit`](Self::commit), but replaces nothing: fails with [`io::ErrorKind::AlreadyExists`] if the main
    /// file exists, or a side file with different content.
    pub fn commit_new(self) -> io::Result<()> {
        let taken = |path: &Path| {
            let message = format!("{} already exists", path.display());
            Err(io::Error::new(io::ErrorKind::AlreadyExists, message))
        };
        if self.target.symlink_metadata().is_ok() {
            return taken(&self.target);
        }
        for (path, temporary) in &self.side_files {
            let target = self.folder().join(path);
            if target.symlink_metadata().is_ok() && !same_content(temporary.path(), &target)? {
                return taken(&target);
            }
        }
        self.commit()
    }

    fn folder(&self) -> &Path {
        self.target.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
    }
}

impl Output for FileOutput {
    fn stem(&self) -> &str {
        &self.stem
    }

    fn main(&mut self) -> &mut dyn Write {
        &mut self.main
    }

    fn directory(&self) -> Option<&Path> {
        Some(self.folder())
    }

    fn side_file(&mut self, path: &str, write: &mut WriteContent<'_>) -> io::Result<()> {
        // Beside the main file, not in the side file's own folder, which is created only when the file is moved there.
        let (temporary, file) = Temporary::beside(&self.target)?;
        let mut file = BufWriter::with_capacity(1 << 18, file);
        write(&mut file)?;
        file.flush()?;
        self.side_files.insert(path.to_owned(), temporary);
        Ok(())
    }
}

/// Side files that are written but not yet in place, in front of those already in the folder.
struct PendingFolder<'a> {
    pending: &'a BTreeMap<String, Temporary>,
    placed: DirFolder,
}

impl Folder for PendingFolder<'_> {
    fn read(&self, path: &str, max: u64) -> io::Result<Vec<u8>> {
        match self.pending.get(path) {
            Some(temporary) => fs::read(temporary.path()),
            None => self.placed.read(path, max),
        }
    }

    fn open(&self, path: &str, max: u64) -> io::Result<Content<'static>> {
        match self.pending.get(path) {
            Some(temporary) => super::folder::open_file(temporary.path(), u64::MAX),
            None => self.placed.open(path, max),
        }
    }

    fn contains(&self, path: &str) -> bool {
        self.pending.contains_key(path) || self.placed.contains(path)
    }

    fn directory(&self) -> Option<&Path> {
        self.placed.directory()
    }
}

fn same_content(first: &Path, second: &Path) -> io::Result<bool> {
    Ok(first.metadata()?.len() == second.metadata()?.len() && fs::read(first)? == fs::read(second)?)
}
