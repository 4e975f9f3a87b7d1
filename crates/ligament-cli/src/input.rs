//! Files and standard input as sources, and their bytes once more for the snippets of messages.

use ligament::io::{Content, Source};
use ligament::{Failure, Limits, Report};
use std::borrow::Cow;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// What messages call standard input.
const STDIN: &str = "<stdin>";

/// Whether a path stands for standard input or output.
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
    Stdin(Vec<u8>),
}

impl Input {
    /// Prepares an input. Only standard input is read here; a file is opened by [`source`](Self::source).
    pub fn new(path: &Path, limits: &Limits, report: &mut Report) -> Result<Self, Failure> {
        if !is_stream(path) {
            return Ok(Self { name: path.display().to_string(), place: Place::File(path.to_owned()) });
        }
        let source = Source::from_stream(STDIN, &mut std::io::stdin().lock(), limits, report)?;
        let bytes = match source.content {
            Content::Memory(bytes) => bytes.into_owned(),
            Content::File(..) => Vec::new(),
        };
        Ok(Self { name: STDIN.to_owned(), place: Place::Stdin(bytes) })
    }

    /// What messages call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its path, where it has one.
    pub fn path(&self) -> Option<&Path> {
        match &self.place {
            Place::File(path) => Some(path),
            Place::Stdin(_) => None,
        }
    }

    /// The input, for the library.
    pub fn source(&self, limits: &Limits, report: &mut Report) -> Result<Source<'_>, Failure> {
        match &self.place {
            Place::File(path) => Source::open(path, limits, report),
            Place::Stdin(bytes) => Ok(Source::from_bytes(&self.name, Cow::Borrowed(bytes.as_slice()))),
        }
    }

    /// Up to `length` bytes from `offset`, fewer at the end; `None` if they cannot be read.
    pub fn window(&self, offset: u64, length: usize) -> Option<Vec<u8>> {
        match &self.place {
            Place::File(path) => {
                // Opening a pipe would wait for ever, and its content is gone anyway.
                if !path.metadata().ok()?.is_file() {
                    return None;
                }
                let mut file = File::open(path).ok()?;
                file.seek(SeekFrom::Start(offset)).ok()?;
                let mut bytes = Vec::new();
                file.take(length as u64).read_to_end(&mut bytes).ok()?;
                Some(bytes)
            }
            Place::Stdin(bytes) => {
                let rest = bytes.get(usize::try_from(offset).ok()?..)?;
                Some(rest[..rest.len().min(length)].to_vec())
            }
        }
    }
}
