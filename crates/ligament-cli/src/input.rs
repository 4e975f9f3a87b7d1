//! Files and standard input as sources, and access to their bytes for the snippets in messages.

use ligament::io::{Content, Source};
use ligament::{Failure, Limits, Report};
use std::borrow::Cow;
use std::cell::OnceCell;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The name of standard input in messages.
const STDIN: &str = "<stdin>";

/// Whether a path is `-`, for standard input or output.
pub fn is_stream(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// One input of a command. Standard input is read once and kept, because it cannot be read again.
pub struct Input {
    name: String,
    place: Place,
}

enum Place {
    File(PathBuf),
    Stdin(OnceCell<Vec<u8>>),
}

impl Input {
    /// Creates an input without opening it.
    pub fn new(path: &Path) -> Self {
        if is_stream(path) {
            Self { name: STDIN.to_owned(), place: Place::Stdin(OnceCell::new()) }
        } else {
            Self { name: path.display().to_string(), place: Place::File(path.to_owned()) }
        }
    }

    /// Its name in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its path, if it has one.
    pub fn path(&self) -> Option<&Path> {
        match &self.place {
            Place::File(path) => Some(path),
            Place::Stdin(_) => None,
        }
    }

    /// The input as a source for the library.
    pub fn source(&self, limits: &Limits, report: &mut Report) -> Result<Source<'_>, Failure> {
        match &self.place {
            Place::File(path) => Source::open(path, limits, report),
            Place::Stdin(cell) => {
                let bytes = match cell.get() {
                    Some(bytes) => bytes,
                    None => {
                        let bytes = read_stdin(limits, report)?;
                        cell.get_or_init(|| bytes)
                    }
                };
                Ok(Source::from_bytes(&self.name, Cow::Borrowed(bytes.as_slice())))
            }
        }
    }

    /// Up to `length` bytes from `offset`, fewer at the end; `None` if they cannot be read.
    pub fn window(&self, offset: u64, length: usize) -> Option<Vec<u8>> {
        match &self.place {
            Place::File(path) => {
                // Opening a pipe would block forever, and its content is gone anyway.
                if !path.metadata().ok()?.is_file() {
                    return None;
                }
                let mut file = File::open(path).ok()?;
                file.seek(SeekFrom::Start(offset)).ok()?;
                let mut bytes = Vec::new();
                file.take(length as u64).read_to_end(&mut bytes).ok()?;
                Some(bytes)
            }
            Place::Stdin(cell) => {
                let rest = cell.get()?.get(usize::try_from(offset).ok()?..)?;
                Some(rest[..rest.len().min(length)].to_vec())
            }
        }
    }
}

fn read_stdin(limits: &Limits, report: &mut Report) -> Result<Vec<u8>, Failure> {
    let source = Source::from_stream(STDIN, &mut std::io::stdin().lock(), limits, report)?;
    match source.content {
        Content::Memory(bytes) => Ok(bytes.into_owned()),
        Content::File(..) => source.bytes(report).map(Cow::into_owned),
    }
}
