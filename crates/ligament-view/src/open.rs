//! Reads a file and uploads it to the device, on another thread than the window's.

use crate::facts::{self, Section};
use crate::jobs::SharedFolder;
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
    /// The folder of its images.
    pub(crate) folder: SharedFolder,
    /// Side files that the reader looked up, whether found or not.
    pub beside: BTreeSet<PathBuf>,
}

/// A file that could not be opened.
#[derive(Debug, Clone)]
pub struct Broken {
    /// The reasons.
    pub report: Report,
    /// The text of the lines with the errors, in the order of the diagnostics; carets are in a line of their own.
    pub lines: Vec<Option<String>>,
}

impl Broken {
    /// The first error in one line.
    pub fn headline(&self) -> String {
        let all = self.report.diagnostics();
        let first = all.iter().find(|d| d.severity == Severity::Error).or(all.first());
        first.map_or_else(|| "the file cannot be read".to_owned(), |first| shown::safe(&first.to_string()))
    }

    /// All diagnostics as text, for the clipboard.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let lines = self.lines.iter().map(Option::as_deref).chain(std::iter::repeat(None));
        for (diagnostic, line) in self.report.diagnostics().iter().zip(lines) {
            text += &format!("{}\n", shown::safe(&diagnostic.to_string()));
            line.into_iter().flat_map(str::lines).for_each(|line| text += &format!("    {line}\n"));
            diagnostic.help.iter().for_each(|help| text += &format!("    help: {}\n", shown::safe(help)));
        }
        text
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
    let folder: SharedFolder = folder;
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
    Ok(Opened { model, format, report: report.clone(), facts, folder, beside })
}

/// A line of plain letters without its indentation, with carets below; of a long one, the part around them.
fn marked(text: &str, before: usize, carets: usize) -> String {
    const MOST: usize = 64;
    let indentation = (text.len() - text.trim_start().len()).min(before);
    let (mut start, mut dots) = (indentation, "");
    if before + carets > start + MOST {
        (start, dots) = (before.saturating_sub(MOST / 2).max(start), "…");
    }
    let end = text.len().min(start + MOST.max(before + carets - start));
    let spaces = " ".repeat(before - start + dots.chars().count());
    format!("{dots}{}\n{spaces}{}", &text[start..end], "^".repeat(carets))
}

/// The line of text at a location, shortened to fit, and carets below what the location spans.
fn line_of(path: &Path, place: &Place) -> Option<String> {
    const MOST: u64 = 160;
    let ((_, column), span) = (place.line_column?, place.span.as_ref()?);
    let before = u64::from(column).checked_sub(1)?;
    let start = span.start.checked_sub(before)?;
    // Opening a pipe would block.
    if !path.metadata().ok()?.is_file() {
        return None;
    }
    let mut file = File::open(path).ok()?;
    file.seek(SeekFrom::Start(start)).ok()?;
    let mut bytes = Vec::new();
    file.take(MOST).read_to_end(&mut bytes).ok()?;
    let line = bytes.split(|&byte| byte == b'\n' || byte == b'\r').next()?;
    let text = shown::safe(&String::from_utf8_lossy(line));
    // Only among plain letters is a column as wide as a byte.
    let is_plain = line.iter().all(|byte| (b' '..=b'~').contains(byte)) && text.len() == line.len();
    let (before, length) = (usize::try_from(before).ok()?, span.end.saturating_sub(span.start));
    if !is_plain || before >= text.len() {
        return Some(text);
    }
    let carets = usize::try_from(length).unwrap_or(usize::MAX).clamp(1, text.len() - before);
    Some(marked(&text, before, carets))
}

#[cfg(test)]
mod tests {
    use super::marked;

    #[test]
    fn carets_stay_below_what_they_mark() {
        assert_eq!(marked("    v oops", 6, 4), "v oops\n  ^^^^");
        assert_eq!(marked("  x", 0, 1), "  x\n^");
        let long = format!("{}oops{}", "1 ".repeat(100), " 2".repeat(100));
        let text = marked(&long, 200, 4);
        let (line, carets) = text.split_once('\n').expect("two lines");
        let at = |text: &str, what| text.chars().position(|c| c == what);
        assert_eq!(at(line, 'o'), at(carets, '^'));
        assert!(line.chars().count() < 80 && line.contains("oops"), "{line}");
    }
}
