//! A conversion of files that records what it read and wrote.

use super::fingerprint::Fingerprint;
use ligament::convert::{Conversion, ConvertOptions, Input, Proven, Reopen, Target, convert_to};
use ligament::internal::TellingFolder;
use ligament::io::{Content, FileOutput, Folder, Output, Source, WriteContent};
use ligament::{Failure, Report};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use xxhash_rust::xxh3::Xxh3;

/// The files beside an output that its side files must not replace.
pub trait Beside: Send + Sync {
    /// Whether a file exists there that belongs to something else.
    fn is_taken(&self, path: &Path) -> bool;
}

/// Treats every existing file as taken.
pub struct Everything;

impl Beside for Everything {
    fn is_taken(&self, path: &Path) -> bool {
        path.symlink_metadata().is_ok()
    }
}

/// How much is recorded about files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remember {
    /// Only their paths; their hashes are 0.
    Names,
    /// Their content as well, so that a later run can detect changes.
    Content,
}

/// Files that were looked up, each as it was before it was read.
struct Seen {
    remember: Remember,
    files: Mutex<BTreeMap<PathBuf, Fingerprint>>,
}

impl Seen {
    fn note(&self, path: PathBuf) {
        let mut seen = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        seen.entry(path).or_insert_with_key(|path| match self.remember {
            Remember::Names => Fingerprint::written(path, 0),
            Remember::Content => Fingerprint::of(path),
        });
    }
}

/// The files in an output's folder that belong to something else. One that is used unchanged is recorded.
struct TakenFolder<'a> {
    directory: &'a Path,
    beside: &'a dyn Beside,
    seen: &'a Seen,
}

impl Folder for TakenFolder<'_> {
    fn read(&self, path: &str, max: u64) -> io::Result<Vec<u8>> {
        self.seen.note(self.directory.join(path));
        ligament::io::DirFolder::new(self.directory).read(path, max)
    }

    fn open(&self, path: &str, max: u64) -> io::Result<Content<'static>> {
        self.seen.note(self.directory.join(path));
        ligament::io::DirFolder::new(self.directory).open(path, max)
    }

    fn contains(&self, path: &str) -> bool {
        self.beside.is_taken(&self.directory.join(path))
    }
}

/// A file output that hashes everything written to it, if that is to be recorded.
pub struct TrackedOutput {
    file: FileOutput,
    main: Hash,
    side_files: BTreeMap<String, u128>,
    beside: Arc<dyn Beside>,
    seen: Arc<Seen>,
}

impl Write for TrackedOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = self.file.main().write(bytes)?;
        self.main.update(&bytes[..length]);
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.main().flush()
    }
}

impl Output for TrackedOutput {
    fn stem(&self) -> &str {
        self.file.stem()
    }

    fn main(&mut self) -> &mut dyn Write {
        self
    }

    fn takes_side_files(&self) -> bool {
        self.file.takes_side_files()
    }

    fn directory(&self) -> Option<&Path> {
        self.file.directory()
    }

    fn beside(&self) -> Option<Box<dyn Folder + '_>> {
        let directory = self.directory()?;
        Some(Box::new(TakenFolder { directory, beside: &*self.beside, seen: &self.seen }))
    }

    fn has_room_for(&self, path: &str) -> bool {
        self.file.has_room_for(path)
    }

    fn side_file(&mut self, path: &str, write: &mut WriteContent<'_>) -> io::Result<()> {
        let mut hash = Hash::new(self.seen.remember);
        self.file.side_file(path, &mut |file| write(&mut Hashing { file, hash: &mut hash }))?;
        self.side_files.insert(path.to_owned(), hash.digest());
        Ok(())
    }
}

struct Hash(Option<Box<Xxh3>>);

impl Hash {
    fn new(remember: Remember) -> Self {
        Self((remember == Remember::Content).then(Box::default))
    }

    fn update(&mut self, bytes: &[u8]) {
        self.0.iter_mut().for_each(|hash| hash.update(bytes));
    }

    fn digest(&self) -> u128 {
        self.0.as_ref().map_or(0, |hash| hash.digest128())
    }
}

struct Hashing<'a> {
    file: &'a mut dyn Write,
    hash: &'a mut Hash,
}

impl Write for Hashing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = self.file.write(bytes)?;
        self.hash.update(&bytes[..length]);
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Reopen for TrackedOutput {
    fn reopen(&mut self) -> io::Result<Source<'_>> {
        self.file.reopen()
    }
}

impl From<TrackedOutput> for FileOutput {
    fn from(output: TrackedOutput) -> Self {
        output.file
    }
}

impl TrackedOutput {
    /// Paths and hashes of the side files.
    pub fn side_files(&self) -> impl Iterator<Item = (PathBuf, u128)> {
        let directory = self.directory().unwrap_or(Path::new(""));
        self.side_files.iter().map(|(path, hash)| (directory.join(path), *hash))
    }
}

/// The files that a conversion read in addition to its input, and those that it wrote.
pub struct Written {
    pub read: Vec<Fingerprint>,
    pub outputs: Vec<Fingerprint>,
}

impl Written {
    /// The names of the files beside the main one, relative to its folder.
    pub fn beside(&self) -> Vec<String> {
        // The folder of a plain file name is empty, and that of a file beside it a dot.
        let plain = |path: &Path| path.strip_prefix(".").unwrap_or(path).to_owned();
        let folder = self.outputs.first().and_then(|main| main.path.parent()).map(plain).unwrap_or_default();
        let others = self.outputs.iter().skip(1).map(|print| plain(&print.path));
        others.map(|path| path.strip_prefix(&folder).unwrap_or(&path).display().to_string()).collect()
    }
}

/// Converts a source into a file that is not yet in place. `input` helps to detect the source's format.
pub fn convert(
    mut source: Source<'_>,
    input: Option<&Path>,
    (target, file): (Target, FileOutput),
    options: &ConvertOptions,
    (beside, remember): (Arc<dyn Beside>, Remember),
    report: &mut Report,
) -> Result<Proven<TrackedOutput>, Failure> {
    let seen = Arc::new(Seen { remember, files: Mutex::default() });
    let note = {
        let seen = Arc::clone(&seen);
        move |path| seen.note(path)
    };
    options.operations.files().into_iter().for_each(|path| seen.note(path));
    source.folder = Arc::new(TellingFolder::new(source.folder, note));
    let (main, side_files) = (Hash::new(remember), BTreeMap::new());
    let output = TrackedOutput { file, main, side_files, beside, seen };
    convert_to(Input::Source(source, input), target, output, options, report)
}

/// Moves everything into place and returns what was written, the main file first.
pub fn commit(proven: Proven<TrackedOutput>, report: &mut Report) -> Result<(Conversion, Written), Failure> {
    let output = &proven.output;
    let mut paths = vec![(output.file.target().to_owned(), output.main.digest())];
    paths.extend(output.side_files());
    let seen = Arc::clone(&output.seen);
    let done = proven.commit(report)?;
    let read = std::mem::take(&mut *seen.files.lock().unwrap_or_else(PoisonError::into_inner));
    let outputs = paths.into_iter().map(|(path, hash)| Fingerprint::written(&path, hash)).collect();
    Ok((done, Written { read: read.into_values().collect(), outputs }))
}
