//! Reads a file and uploads it to the device, on another thread than the window's.

use crate::facts::{self, Section};
use ligament::convert::{Imported, read_from};
use ligament::formats::ReadOptions;
use ligament::internal::TellingFolder;
use ligament::internal::shown;
use ligament::io::Source;
use ligament::report::{Place, Severity};
use ligament::{Failure, Report};
use ligament_render::{Loader, Model};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// A model on the device, and the facts and report of its file.
pub struct Opened {
    /// The model on the device.
    pub model: Model,
    /// The format's name, and its dialect if it has several.
    pub format: String,
    /// Diagnostics and losses of reading the file and preparing it for drawing.
    pub report: Report,
    /// A summary of the file's contents.
    pub facts: Vec<Section>,
    /// Side files that the reader looked up, whether found or not.
    pub beside: BTreeSet<PathBuf>,
}

/// A file that could not be opened.
#[derive(Debug, Clone)]
pub struct Broken {
    /// The reasons.
    pub report: Report,
    /// The text of the lines with the errors, in the order of the diagnostics.
    pub lines: Vec<Option<String>>,
}

impl Broken {
    /// The first error in one line.
    pub fn headline(&self) -> String {
        let all = self.report.diagnostics();
        let first = all.iter().find(|d| d.severity == Severity::Error).or(all.first());
        first.map_or_else(|| "the file cannot be read".to_owned(), |first| shown::safe(&first.to_string()))
    }
}

/// Reads a file and uploads it to the device.
pub fn open(path: &Path, options: &ReadOptions, loader: &Loader) -> Result<Opened, Box<Broken>> {
    let mut report = Report::new("", options.limits.max_diagnostics);
    read(path, options, loader, &mut report).map_err(|_| {
        let lines = report.diagnostics().iter().map(|d| line_of(path, &d.place)).collect();
        Box::new(Broken { report: report.clone(), lines })
    })
}

fn read(path: &Path, options: &ReadOptions, loader: &Loader, report: &mut Report) -> Result<Opened, Failure> {
    let mut source = Source::open(path, &options.limits, report)?;
    let bytes = source.content.len();
    let looked_up: Arc<Mutex<BTreeSet<PathBuf>>> = Arc::default();
    let note = {
        let looked_up = Arc::clone(&looked_up);
        move |path| {
            looked_up.lock().unwrap_or_else(PoisonError::into_inner).insert(path);
        }
    };
    let folder = Arc::new(TellingFolder::new(Arc::clone(&source.folder), note));
    source.folder = folder.clone();
    let unwatched = ligament::progress::Progress::default();
    let Imported { format, dialect, scene, .. } = read_from(source, Some(path), options, &unwatched, report)?;
    let facts = facts::of(&scene, bytes, &*folder);
    let model = loader.load(scene, &*folder).map_err(|error| {
        report.push(error.diagnostic());
        Failure::Io
    })?;
    model.notes().tell(report);
    let beside = looked_up.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let name = format.name;
    let format = if dialect.is_empty() { name.to_owned() } else { format!("{name}, {dialect}") };
    Ok(Opened { model, format, report: report.clone(), facts, beside })
}

/// The line of text at a location, shortened to fit.
fn line_of(path: &Path, place: &Place) -> Option<String> {
    const MOST: u64 = 160;
    let ((_, column), span) = (place.line_column?, place.span.as_ref()?);
    let start = span.start.checked_sub(u64::from(column).checked_sub(1)?)?;
    // Opening a pipe would block.
    if !path.metadata().ok()?.is_file() {
        return None;
    }
    let mut file = File::open(path).ok()?;
    file.seek(SeekFrom::Start(start)).ok()?;
    let mut bytes = Vec::new();
    file.take(MOST).read_to_end(&mut bytes).ok()?;
    let line = bytes.split(|&byte| byte == b'\n' || byte == b'\r').next()?;
    Some(shown::safe(&String::from_utf8_lossy(line)))
}
