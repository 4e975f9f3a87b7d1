//! Files that appear complete and proven, or not at all.

use super::target::target;
use super::{Conversion, ConvertOptions, Target};
use crate::io::{FileOutput, MemoryOutput, Output, Source, StreamOutput, codes};
use crate::report::{Diagnostic, Failure, Place, Report, Severity};
use std::io;
use std::path::Path;

/// An output that can be read back before it is put in place.
pub trait Reopen: Output {
    /// The bytes written so far, as an input.
    fn reopen(&mut self) -> io::Result<Source<'_>>;
}

impl Reopen for FileOutput {
    fn reopen(&mut self) -> io::Result<Source<'_>> {
        self.source()
    }
}

impl Reopen for MemoryOutput {
    fn reopen(&mut self) -> io::Result<Source<'_>> {
        Ok(self.source(self.name()))
    }
}

impl Reopen for StreamOutput {
    fn reopen(&mut self) -> io::Result<Source<'_>> {
        Ok(self.source())
    }
}

/// A conversion that is written and proven, but not yet in place. Dropping it removes all it has written.
#[must_use = "a conversion is not in place until `commit` is called"]
pub struct Proven<O> {
    /// The conversion, with its formats and the deviation of the result.
    pub conversion: Conversion,
    /// The output that it was written to.
    pub output: O,
    pub(super) keep_existing: bool,
}

impl<O: Into<FileOutput>> Proven<O> {
    /// Puts the files in place.
    pub fn commit(self, report: &mut Report) -> Result<Conversion, Failure> {
        let file: FileOutput = self.output.into();
        let path = file.target().to_owned();
        let placed = if self.keep_existing { file.commit_new() } else { file.commit() };
        placed.map_err(|error| cannot_write(&path, error, report))?;
        Ok(self.conversion)
    }
}

/// Starts the file at `path` in the format given by the options or by its extension. No file appears there before it is
/// [committed](Proven::commit).
pub fn create(
    path: &Path,
    options: &ConvertOptions,
    report: &mut Report,
) -> Result<(Target, FileOutput), Failure> {
    start(path, FileOutput::create, options, report)
}

/// Like [`create`], but the folder need not exist: it is made when the file is put in place.
pub fn create_with_folders(
    path: &Path,
    options: &ConvertOptions,
    report: &mut Report,
) -> Result<(Target, FileOutput), Failure> {
    start(path, FileOutput::create_with_folders, options, report)
}

fn start(
    path: &Path,
    create: fn(&Path) -> io::Result<FileOutput>,
    options: &ConvertOptions,
    report: &mut Report,
) -> Result<(Target, FileOutput), Failure> {
    let target = target(path, options, report)?;
    if options.keep_existing && path.symlink_metadata().is_ok() {
        let exists = "the output file already exists";
        let error = Diagnostic::new(Severity::Error, &codes::EXISTS, Place::WHOLE, exists);
        return Err(report.fail(error, io::ErrorKind::AlreadyExists.into()));
    }
    let file = create(path).map_err(|error| cannot_write(path, error, report))?;
    Ok((target, file))
}

/// Reports that a file cannot be written.
pub fn cannot_write(path: &Path, error: io::Error, report: &mut Report) -> Failure {
    report.set_file(&path.display().to_string());
    let code = match error.kind() {
        io::ErrorKind::AlreadyExists => &codes::EXISTS,
        _ => &codes::CANNOT_WRITE,
    };
    let diagnostic = Diagnostic::new(Severity::Error, code, Place::WHOLE, format!("cannot write: {error}"));
    report.fail(diagnostic.help("check that the folder exists and can be written to"), error)
}
