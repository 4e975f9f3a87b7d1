use super::place::place_all;
use super::target::{self, Target, existing_folder, folder_of};
use super::temporary::{Temporary, When, live};
use super::{Content, DirFolder, Folder, MemoryFolder, Source};
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

    /// Whether a side file can be written at a path. It cannot if a folder, a device or a link out of the main file's
    /// folder is in the way.
    fn has_room_for(&self, _path: &str) -> bool {
        true
    }

    /// Writes a side file at a path relative to the main file's folder, as [`safe_relative`](super::safe_relative)
    /// returns it.
    fn side_file(&mut self, path: &str, write: &mut WriteContent<'_>) -> io::Result<()>;
}

/// Keeps everything in memory.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MemoryOutput {
    name: String,
    stem: String,
    /// The main file.
    pub main: Vec<u8>,
    /// Side files by path.
    pub side_files: BTreeMap<String, Vec<u8>>,
}

impl MemoryOutput {
    /// An output with nothing written yet.
    pub fn new(stem: &str) -> Self {
        Self { name: stem.to_owned(), stem: stem.to_owned(), ..Self::default() }
    }

    /// An output that stands for a file at a path.
    pub fn at(path: &Path) -> Self {
        let stem = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        Self { name: path.display().to_string(), stem, ..Self::default() }
    }

    /// Its name as an input: the path or the stem that it was made with.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The files written so far, as an input: the main file, with the side files as its folder.
    pub fn source(&self, name: &str) -> Source<'_> {
        Source {
            name: name.to_owned(),
            content: Content::Memory(Cow::Borrowed(&self.main)),
            folder: Arc::new(MemoryFolder::new(&self.side_files)),
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

/// A stream as an output: without a folder, and kept in memory until it is complete and proven.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StreamOutput {
    inner: MemoryOutput,
}

impl StreamOutput {
    /// An output with nothing written yet.
    pub fn new(stem: &str) -> Self {
        Self { inner: MemoryOutput::new(stem) }
    }

    /// The bytes written so far, as an input.
    pub fn source(&self) -> Source<'_> {
        self.inner.source("output")
    }

    /// What was written.
    pub fn into_bytes(self) -> Vec<u8> {
        self.inner.main
    }
}

impl Output for StreamOutput {
    fn stem(&self) -> &str {
        self.inner.stem()
    }

    fn main(&mut self) -> &mut dyn Write {
        self.inner.main()
    }

    fn takes_side_files(&self) -> bool {
        false
    }

    fn side_file(&mut self, _path: &str, _write: &mut WriteContent<'_>) -> io::Result<()> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "a stream has no folder"))
    }
}

/// Writes a whole file, like a [`FileOutput`] without side files.
pub fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    FileOutput::start(path, folder_of(path), When::Uninterrupted)?.finish(bytes)
}

/// Like [`write_file`], also after an interruption: for the record of what was done until then.
pub fn write_file_always(path: &Path, bytes: &[u8]) -> io::Result<()> {
    FileOutput::start(path, folder_of(path), When::Always)?.finish(bytes)
}

/// Writes to temporary files beside the targets and moves them into place on [`commit`](Self::commit), all or none.
/// Dropped without a commit, it removes them and leaves no trace.
///
/// - Links are followed: the link stays, and the file behind it is replaced.
/// - A file that is replaced keeps its mode and, as far as the user may set them, its owner and group. Other hard links to
///   it keep the old content.
/// - A device, a pipe or `/dev/stdout` stays what it is. The whole content is written into it when it is complete, and
///   there are no side files.
#[must_use = "the file appears only when it is committed"]
pub struct FileOutput {
    /// The path as it was given.
    path: PathBuf,
    target: Target,
    stem: String,
    /// The folder of temporary files. They are moved, so it should be on the same file system as the target.
    temporaries: PathBuf,
    main: BufWriter<File>,
    main_temporary: Temporary,
    side_files: BTreeMap<String, SideFile>,
    when: When,
    /// Whether content that replaces other content must be on the disk first.
    syncs: bool,
}

/// A side file, and where it goes.
struct SideFile {
    temporary: Temporary,
    target: PathBuf,
}

impl FileOutput {
    /// Starts a file at `path`, whose folder must exist. Before it replaces another file, its content is on the disk: a
    /// computer that loses power has one of the two.
    pub fn create(path: &Path) -> io::Result<Self> {
        Ok(Self { syncs: true, ..Self::start(path, folder_of(path), When::Uninterrupted)? })
    }

    /// Starts a file at `path`. Folders that are missing are made on [`commit`](Self::commit). For one of many files that
    /// can be made again, so it does not wait for the disk.
    pub fn create_with_folders(path: &Path) -> io::Result<Self> {
        Self::start(path, existing_folder(path), When::Uninterrupted)
    }

    fn start(path: &Path, folder: &Path, when: When) -> io::Result<Self> {
        let target = Target::of(path)?;
        let there = path.metadata().ok().filter(fs::Metadata::is_file);
        let beside = match &target {
            // A link's target may be on another file system.
            Target::File(real) if real != path => folder_of(real).to_owned(),
            Target::File(_) => folder.to_owned(),
            Target::Stream(_) => std::env::temp_dir(),
        };
        let (main_temporary, file) = Temporary::create(&beside, there.as_ref(), when)?;
        Ok(Self {
            path: path.to_owned(),
            target,
            stem: path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default(),
            temporaries: folder.to_owned(),
            main: BufWriter::with_capacity(1 << 18, file),
            main_temporary,
            side_files: BTreeMap::new(),
            when,
            syncs: false,
        })
    }

    /// The files written so far, as an input: the proof reads them before they are moved into place.
    pub fn source(&mut self) -> io::Result<Source<'_>> {
        self.main.flush()?;
        let file = File::open(self.main_temporary.path())?;
        let length = file.metadata()?.len();
        let folder = PendingFolder { pending: &self.side_files, placed: DirFolder::new(self.folder()) };
        let name = self.path.display().to_string();
        Ok(Source { name, content: Content::File(file, length), folder: Arc::new(folder) })
    }

    /// The final path of the main file.
    pub fn target(&self) -> &Path {
        &self.path
    }

    /// Moves all files into place, the main file last. If that fails, everything is as it was before.
    pub fn commit(mut self) -> io::Result<()> {
        self.main.flush()?;
        let Self { main, main_temporary, target, side_files, when, syncs, .. } = self;
        drop(main);
        let real = match target {
            Target::File(real) => real,
            Target::Stream(path) => return write_into(&path, &main_temporary),
        };
        let side_files = side_files.into_values().map(|file| (file.temporary, file.target));
        place_all(side_files.chain([(main_temporary, real)]).collect(), when, syncs)
    }

    /// Like [`commit`](Self::commit), but replaces nothing: fails with [`io::ErrorKind::AlreadyExists`] if the main
    /// file exists, or a side file with different content.
    pub fn commit_new(self) -> io::Result<()> {
        let taken = |path: &Path| {
            let message = format!("{} already exists", path.display());
            Err(io::Error::new(io::ErrorKind::AlreadyExists, message))
        };
        if self.path.symlink_metadata().is_ok() {
            return taken(&self.path);
        }
        for SideFile { temporary, target } in self.side_files.values() {
            if target.symlink_metadata().is_ok() && !same_content(temporary.path(), target)? {
                return taken(target);
            }
        }
        self.commit()
    }

    /// Writes the whole content and moves it into place.
    fn finish(mut self, bytes: &[u8]) -> io::Result<()> {
        self.main.write_all(bytes)?;
        self.commit()
    }

    fn folder(&self) -> &Path {
        folder_of(&self.path)
    }

    /// Where a side file goes.
    fn side_target(&self, path: &str) -> io::Result<PathBuf> {
        let target = target::side_file(self.folder(), path)?;
        match &self.target {
            Target::Stream(_) => Err(io::Error::new(io::ErrorKind::Unsupported, "the output has no folder")),
            Target::File(main) if target == *main || target == self.path => {
                Err(io::Error::new(io::ErrorKind::AlreadyExists, "the model itself has this name"))
            }
            Target::File(_) => Ok(target),
        }
    }
}

/// Writes a complete file into a device or pipe, which may take long: other outputs do not wait for it.
fn write_into(path: &Path, temporary: &Temporary) -> io::Result<()> {
    live().check()?;
    // At the end of a file that standard output was redirected to.
    let mut stream = File::options().append(true).open(path)?;
    io::copy(&mut File::open(temporary.path())?, &mut stream)?;
    stream.flush()
}

impl Output for FileOutput {
    fn stem(&self) -> &str {
        &self.stem
    }

    fn main(&mut self) -> &mut dyn Write {
        &mut self.main
    }

    fn takes_side_files(&self) -> bool {
        matches!(self.target, Target::File(_))
    }

    fn directory(&self) -> Option<&Path> {
        Some(self.folder())
    }

    fn has_room_for(&self, path: &str) -> bool {
        !self.side_files.contains_key(path) && self.side_target(path).is_ok()
    }

    fn side_file(&mut self, path: &str, write: &mut WriteContent<'_>) -> io::Result<()> {
        let target = self.side_target(path);
        let target = target.map_err(|error| io::Error::new(error.kind(), format!("{path}: {error}")))?;
        let there = target.metadata().ok();
        // Beside the main file, not in the side file's own folder, which is created only when the file is moved there.
        let (temporary, file) = Temporary::create(&self.temporaries, there.as_ref(), self.when)?;
        let mut file = BufWriter::with_capacity(1 << 18, file);
        write(&mut file)?;
        file.flush()?;
        if let Some(other) = self.side_files.get(path)
            && !same_content(other.temporary.path(), temporary.path())?
        {
            let message = format!("the model has two different files that are called {path:?}");
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, message));
        }
        self.side_files.insert(path.to_owned(), SideFile { temporary, target });
        Ok(())
    }
}

/// Side files that are written but not yet in place, in front of those already in the folder.
struct PendingFolder<'a> {
    pending: &'a BTreeMap<String, SideFile>,
    placed: DirFolder,
}

impl Folder for PendingFolder<'_> {
    fn read(&self, path: &str, max: u64) -> io::Result<Vec<u8>> {
        match self.pending.get(path) {
            Some(file) => fs::read(file.temporary.path()),
            None => self.placed.read(path, max),
        }
    }

    fn open(&self, path: &str, max: u64) -> io::Result<Content<'static>> {
        match self.pending.get(path) {
            Some(file) => super::folder::open_file(file.temporary.path(), u64::MAX),
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
    let open = |path| super::folder::open_file(path, u64::MAX);
    open(first)?.equals(&open(second)?)
}
