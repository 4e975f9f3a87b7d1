use super::nearby::file_nearby;
use super::{DirFolder, Folder, NoFolder, codes};
use crate::limits::zeros;
use crate::report::{Diagnostic, Failure, Place, Report, Severity};
use crate::{Limits, cores};
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes read from a file at a time.
pub(super) const WINDOW: u64 = 1 << 16;

/// Files up to this length are read in one piece.
const SMALL_FILE: u64 = 1 << 20;

/// An input: its name, its content, and the folder around it.
pub struct Source<'a> {
    /// The name shown in messages: usually the path as the user gave it.
    pub name: String,
    /// The content.
    pub content: Content<'a>,
    /// Where side files are looked up. Shared, because textures are copied long after the file was read.
    pub folder: Arc<dyn Folder + Send + Sync + 'a>,
}

/// An input's bytes: in memory, or still in a file.
///
/// Binary formats read only the ranges they need, so that a large file is never in memory together with the scene made
/// from it.
pub enum Content<'a> {
    /// The whole content.
    Memory(Cow<'a, [u8]>),
    /// An open file and its length.
    File(File, u64),
}

impl<'a> Source<'a> {
    /// Opens a file; side files are looked up in its folder.
    pub fn open(path: &Path, limits: &Limits, report: &mut Report) -> Result<Source<'static>, Failure> {
        let name = path.display().to_string();
        report.set_file(&name);
        let opened = File::open(path).and_then(|file| {
            let metadata = file.metadata()?;
            if metadata.is_dir() {
                return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
            }
            Ok((file, metadata))
        });
        let (mut file, metadata) = match opened {
            Ok(opened) => opened,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let message = "cannot read: there is no such file";
                let missing =
                    Diagnostic::new(Severity::Error, &super::codes::CANNOT_READ, Place::WHOLE, message);
                let missing = match file_nearby(path) {
                    Some(meant) => missing.help(format!("did you mean {meant}?")),
                    None => missing,
                };
                return Err(report.fail(missing, error));
            }
            Err(error) => return Err(report.cannot_read(error)),
        };
        let content = if metadata.is_file() {
            if metadata.len() > limits.max_file_bytes {
                return Err(too_large(metadata.len(), limits, report));
            }
            // For small files, one read costs less than the calls that would fetch their parts.
            if metadata.len() <= SMALL_FILE {
                match read_small(&mut file, metadata.len() as usize) {
                    Ok(bytes) => Content::Memory(Cow::Owned(bytes)),
                    Err(error) => return Err(report.cannot_read(error)),
                }
            } else {
                Content::File(file, metadata.len())
            }
        } else {
            // A pipe or device has no length and cannot be read twice.
            Content::Memory(Cow::Owned(read_stream(&mut file, limits, report)?))
        };
        let folder = Arc::new(DirFolder::new(path.parent().unwrap_or(Path::new("."))));
        Ok(Source { name, content, folder })
    }

    /// Reads a stream to its end. It has no folder around it.
    pub fn from_stream(
        name: &str,
        stream: &mut dyn Read,
        limits: &Limits,
        report: &mut Report,
    ) -> Result<Source<'static>, Failure> {
        report.set_file(name);
        let bytes = read_stream(stream, limits, report)?;
        Ok(Source {
            name: name.to_owned(),
            content: Content::Memory(Cow::Owned(bytes)),
            folder: Arc::new(NoFolder),
        })
    }

    /// Bytes in memory without a folder.
    pub fn from_bytes(name: &str, bytes: impl Into<Cow<'a, [u8]>>) -> Self {
        Self { name: name.to_owned(), content: Content::Memory(bytes.into()), folder: Arc::new(NoFolder) }
    }

    /// All bytes; reports an error of the disk.
    pub fn bytes(&self, report: &mut Report) -> Result<Cow<'_, [u8]>, Failure> {
        self.range(0, self.content.len(), report)
    }

    /// `length` bytes from `offset`, which the caller has checked to lie within [`Content::len`].
    pub fn range(&self, offset: u64, length: u64, report: &mut Report) -> Result<Cow<'_, [u8]>, Failure> {
        self.content.range(offset, length).map_err(|error| report.cannot_read(error))
    }
}

impl Content<'_> {
    /// Length in bytes.
    pub fn len(&self) -> u64 {
        match self {
            Content::Memory(bytes) => bytes.len() as u64,
            Content::File(_, length) => *length,
        }
    }

    /// Whether there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Up to `length` bytes from the start, for sniffing.
    pub fn head(&self, length: usize) -> io::Result<Cow<'_, [u8]>> {
        self.range(0, self.len().min(length as u64))
    }

    /// Fills `out` with the bytes from `offset`, without a copy in between.
    pub fn read_into(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let end = self.end(offset, out.len() as u64)?;
        match self {
            Content::Memory(bytes) => out.copy_from_slice(&bytes[offset as usize..end as usize]),
            Content::File(file, _) => read_file(file, offset, out)?,
        }
        Ok(())
    }

    /// Like [`read_into`](Self::read_into), but copies on all cores. For readers whose threads are running anyway, and
    /// whose buffer has been used before.
    pub(crate) fn read_into_beside(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        /// Fewer bytes are not worth waking another core.
        const LEAST: usize = 256 << 10;
        /// With larger pieces, all would wait for the last one.
        const MOST: usize = 4 << 20;
        // Asking for the number of threads starts them. Outside Unix a file has a single cursor, which cannot be
        // shared.
        if out.len() <= LEAST || !cfg!(unix) {
            return self.read_into(offset, out);
        }
        let share = out.len().div_ceil(cores::threads()).clamp(LEAST, MOST);
        let read = |(i, piece): (usize, &mut [u8])| self.read_into(offset + (i * share) as u64, piece);
        let mut pieces = out.chunks_mut(share).enumerate();
        let own = pieces.next();
        let failed = Mutex::new(Ok(()));
        let others = pieces.map(|piece| {
            let (read, failed) = (&read, &failed);
            move || {
                if let Err(error) = read(piece) {
                    *failed.lock().unwrap_or_else(PoisonError::into_inner) = Err(error);
                }
            }
        });
        cores::beside(others, || own.map_or(Ok(()), read))?;
        failed.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// The end of a range of `length` bytes from `offset`, if it is within the content.
    fn end(&self, offset: u64, length: u64) -> io::Result<u64> {
        let end = offset.checked_add(length).filter(|&end| end <= self.len());
        end.ok_or_else(|| io::Error::new(io::ErrorKind::UnexpectedEof, "range past the end"))
    }

    /// Calls `each` with all bytes; those of a file come in pieces.
    pub(crate) fn pieces(&self, mut each: impl FnMut(u64, &[u8]) -> io::Result<bool>) -> io::Result<bool> {
        if let Content::Memory(bytes) = self {
            return each(0, bytes);
        }
        let mut piece = vec![0; WINDOW.min(self.len()) as usize];
        let mut at = 0;
        while at < self.len() {
            let length = (self.len() - at).min(WINDOW) as usize;
            self.read_into(at, &mut piece[..length])?;
            if !each(at, &piece[..length])? {
                return Ok(false);
            }
            at += length as u64;
        }
        Ok(true)
    }

    /// Writes all bytes, holding at most one window of a file in memory.
    pub(crate) fn copy_to(&self, out: &mut dyn io::Write) -> io::Result<()> {
        self.pieces(|_, piece| out.write_all(piece).map(|()| true)).map(drop)
    }

    /// Whether the bytes are equal.
    pub(crate) fn equals(&self, other: &Content<'_>) -> io::Result<bool> {
        if self.len() != other.len() {
            return Ok(false);
        }
        let mut theirs = Vec::new();
        self.pieces(|at, ours| {
            if let Content::Memory(bytes) = other {
                return Ok(&bytes[at as usize..at as usize + ours.len()] == ours);
            }
            theirs.resize(ours.len(), 0);
            other.read_into(at, &mut theirs)?;
            Ok(theirs == ours)
        })
    }

    /// `length` bytes from `offset`.
    pub fn range(&self, offset: u64, length: u64) -> io::Result<Cow<'_, [u8]>> {
        let end = self.end(offset, length)?;
        match self {
            Content::Memory(bytes) => Ok(Cow::Borrowed(&bytes[offset as usize..end as usize])),
            Content::File(..) => {
                let mut bytes = zeros(length as usize)?;
                self.read_into(offset, &mut bytes)?;
                Ok(Cow::Owned(bytes))
            }
        }
    }
}

#[cfg(unix)]
fn read_file(file: &File, offset: u64, out: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, out, offset)
}

#[cfg(not(unix))]
fn read_file(mut file: &File, offset: u64, out: &mut [u8]) -> io::Result<()> {
    use std::io::{Seek, SeekFrom};
    file.seek(SeekFrom::Start(offset))?;
    file.read_exact(out)
}

/// Reads a file of known length, usually in one call. If the file has become shorter, returns what is left of it.
pub(super) fn read_small(file: &mut File, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = zeros(length)?;
    let mut at = 0;
    while at < length {
        match file.read(&mut bytes[at..]) {
            Ok(0) => break,
            Ok(count) => at += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    bytes.truncate(at);
    Ok(bytes)
}

/// Reads a whole stream, whose length is not known.
fn read_stream(stream: &mut dyn Read, limits: &Limits, report: &mut Report) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let most = limits.max_file_bytes.saturating_add(1);
    stream.take(most).read_to_end(&mut bytes).map_err(|error| report.cannot_read(error))?;
    if bytes.len() as u64 > limits.max_file_bytes {
        return Err(too_large(bytes.len() as u64, limits, report));
    }
    Ok(bytes)
}

fn too_large(length: u64, limits: &Limits, report: &mut Report) -> Failure {
    let message = format!("{length} bytes or more, above the limit of {}", limits.max_file_bytes);
    let error = Diagnostic::new(Severity::Error, &codes::TOO_LARGE, Place::WHOLE, message);
    report.fail(error, io::ErrorKind::FileTooLarge.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_compared_and_copied_in_pieces() {
        let bytes: Vec<u8> = (0..3 * WINDOW as u32 / 2).map(|i| (i * 7) as u8).collect();
        let on_disk = |bytes: &[u8]| {
            let mut file = tempfile::tempfile().expect("a file");
            io::Write::write_all(&mut file, bytes).expect("writable");
            Content::File(file, bytes.len() as u64)
        };
        let mut other = bytes.clone();
        *other.last_mut().expect("not empty") ^= 1;
        for a in [on_disk(&bytes), Content::Memory(Cow::Borrowed(&bytes))] {
            let mut copy = Vec::new();
            a.copy_to(&mut copy).expect("readable");
            assert!(copy == bytes);
            assert!(a.equals(&on_disk(&bytes)).expect("readable") && a.equals(&a).expect("readable"));
            assert!(!a.equals(&on_disk(&other)).expect("readable"));
            assert!(!a.equals(&Content::Memory(Cow::Borrowed(&other))).expect("readable"));
            assert!(!a.equals(&on_disk(&bytes[1..])).expect("readable"));
        }
    }
}
