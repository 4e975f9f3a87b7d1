//! Converting from the viewer: a trial in memory shows every loss of a target before anything is written.

use crate::styled::{self, Line, Style};
use ligament::convert::{Conversion, Input, codes, convert_to, target};
use ligament::formats::{FORMATS, Format, ReadOptions};
use ligament::internal::{is_same_file, shown};
use ligament::io::{MemoryOutput, Source};
use ligament::progress::{Progress, Stage};
use ligament::{ConvertOptions, Report};
use ligament_render::ROUNDING;
use serde_json::Value;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// What the panel shows.
pub struct Convert {
    /// The target.
    pub format: &'static Format,
    /// Its dialect; `None` is the default one.
    pub dialect: Option<&'static str>,
    /// Settings that are not at their default.
    pub chosen: BTreeMap<&'static str, Value>,
    /// Where the result goes.
    pub output: PathBuf,
    /// Whether a file that is there is replaced.
    pub replace: bool,
    /// What happens, or has happened.
    pub work: Work,
}

/// A trial or a conversion.
pub enum Work {
    /// Nothing yet, or it was stopped.
    Stopped,
    /// The target is tried in memory.
    Trying(Task),
    /// It has been tried.
    Tried(Box<Outcome>),
    /// The file is written.
    Writing(Task),
    /// The file is written, or could not be.
    Written(Box<Outcome>),
}

/// Work on another thread.
#[derive(Clone)]
pub struct Task {
    /// The number of its job.
    pub number: u64,
    /// How far it is, and the way to stop it.
    pub watch: Arc<Watched>,
}

/// The stage of some work, and whether it should stop.
#[derive(Debug, Default)]
pub struct Watched {
    stopped: AtomicBool,
    stage: Mutex<Option<Stage>>,
}

impl Watched {
    /// Stops the work: nothing is written.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Its stage.
    pub fn stage(&self) -> Option<Stage> {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A hook for the work; `wake` is called at each stage.
    pub fn progress(self: &Arc<Self>, wake: impl Fn() + Send + Sync + 'static) -> Progress {
        let own = Arc::clone(self);
        Progress::new(move |stage| {
            if stage.is_some() {
                *own.stage.lock().unwrap_or_else(PoisonError::into_inner) = stage;
                wake();
            }
            if own.stopped.load(Ordering::Relaxed) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })
    }
}

/// The result of a trial or of a conversion.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// Whether there is a result.
    pub is_ok: bool,
    /// How far it is from the source; `None` if there is no result.
    pub deviation: Option<Line>,
    /// The largest deviation as a fraction of the size, if it was measured.
    pub worst: Option<f64>,
    /// Everything that changed on the way, the most important first.
    pub lines: Vec<Line>,
    /// The files and their sizes in bytes; the model first.
    pub files: Vec<(String, u64)>,
}

impl Convert {
    /// A target for a file: the first that is written and is not the file's own.
    pub fn new(path: &Path, own: &str) -> Option<Self> {
        let is_own = |format: &&Format| own == format.name || own.starts_with(&format!("{},", format.name));
        let written = || FORMATS.iter().copied().filter(|format| format.writes(None));
        let format = written().find(|format| !is_own(format)).or_else(|| written().next())?;
        let (dialect, chosen, output) = (None, BTreeMap::new(), PathBuf::new());
        let mut convert = Self { format, dialect, chosen, output, replace: false, work: Work::Stopped };
        convert.output = convert.default_output(path);
        Some(convert)
    }

    /// The usual name for the result: that of the source with the format's extension.
    pub fn default_output(&self, path: &Path) -> PathBuf {
        let named = |extension: &&&str| self.dialect == Some(**extension);
        let extensions = self.format.extensions;
        let extension = extensions.iter().find(named).or(extensions.first()).copied().unwrap_or_default();
        let output = path.with_extension(extension);
        if output != path {
            return output;
        }
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        path.with_file_name(format!("{stem}-converted.{extension}"))
    }

    /// The options of the conversion.
    pub fn options(&self, read: &ReadOptions, progress: Progress) -> ConvertOptions {
        let mut options = ConvertOptions {
            read: read.clone(),
            to: Some(self.format.id.to_owned()),
            dialect: self.dialect.map(str::to_owned),
            keep_existing: !self.replace,
            progress,
            ..ConvertOptions::default()
        };
        for (name, value) in &self.chosen {
            // Values were checked when they were set.
            let _ = options.set(name, value.clone());
        }
        options
    }

    /// Stops what is being done.
    pub fn stop(&mut self) {
        if let Work::Trying(task) | Work::Writing(task) = &self.work {
            task.watch.stop();
            self.work = Work::Stopped;
        }
    }

    /// The number of the job that is being done.
    pub fn number(&self) -> Option<u64> {
        match &self.work {
            Work::Trying(task) | Work::Writing(task) => Some(task.number),
            _ => None,
        }
    }

    /// One word for its state.
    pub fn state(&self) -> &'static str {
        match &self.work {
            Work::Stopped => "stopped",
            Work::Trying(_) => "trying",
            Work::Tried(_) => "tried",
            Work::Writing(_) => "writing",
            Work::Written(_) => "written",
        }
    }
}

/// Converts into memory.
pub fn attempt(path: &Path, output: &Path, options: &ConvertOptions) -> Outcome {
    let done = Report::collect(&options.read.limits, |report| {
        let source = Source::open(path, &options.read.limits, report)?;
        let target = target(output, options, report)?;
        let stem = output.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let memory = MemoryOutput::new(&stem);
        convert_to(Input::Source(source, Some(path)), target, memory, options, report)
    });
    match done {
        Ok((proven, report)) => {
            let beside = proven.output.side_files.iter();
            let beside = beside.map(|(name, bytes)| (shown::safe(name), bytes.len() as u64));
            let own = (name_of(output), proven.output.main.len() as u64);
            let files = std::iter::once(own).chain(beside).collect();
            Outcome::of(&proven.conversion, &report, files)
        }
        Err(error) => Outcome::failed(&error.report),
    }
}

/// Converts into a file.
pub fn convert(path: &Path, output: &Path, options: &ConvertOptions) -> Outcome {
    if is_same_file(path, output) {
        let line =
            Line::new(Style::Error, "the result would overwrite the model itself; choose another name");
        return Outcome { lines: vec![line], ..Outcome::failed(&Report::default()) };
    }
    match ligament::convert(path, output, options) {
        Ok((conversion, report)) => {
            let bytes = output.metadata().map_or(0, |file| file.len());
            Outcome::of(&conversion, &report, vec![(name_of(output), bytes)])
        }
        Err(error) => Outcome::failed(&error.report),
    }
}

impl Outcome {
    fn of(conversion: &Conversion, report: &Report, files: Vec<(String, u64)>) -> Self {
        let worst = conversion.comparison.as_ref().and_then(|comparison| comparison.worst.as_ref());
        let deviation = match worst {
            None => Line::new(Style::Aside, "nothing could be compared"),
            Some(worst) if worst.relative < 1e-9 => Line::new(Style::Good, "identical"),
            Some(worst) if worst.relative <= ROUNDING => {
                let text = format!("identical: no vertex moves more than {}", shown::percent(worst.relative));
                Line::new(Style::Good, text)
            }
            Some(worst) => {
                let mut text = format!("moves up to {} of its size", shown::percent(worst.relative));
                if let Some(clip) = &worst.clip {
                    text += &format!(", in clip {} at {:.2} s", shown::safe(clip), worst.time);
                }
                if let Some(joint) = &worst.joint {
                    text += &format!(", at {}", shown::safe(joint));
                }
                Line::new(styled::of_size(worst.relative), text)
            }
        };
        let worst = worst.map(|worst| worst.relative);
        let mut lines = styled::lines(report);
        // The panel has a list of dialects.
        let note = format!("[{}]", codes::DIALECT.id);
        lines.retain(|line| !line.text().ends_with(&note));
        Self { is_ok: true, deviation: Some(deviation), worst, lines, files }
    }

    fn failed(report: &Report) -> Self {
        Self { is_ok: false, deviation: None, worst: None, lines: styled::lines(report), files: Vec::new() }
    }
}

fn name_of(path: &Path) -> String {
    shown::safe(&path.file_name().unwrap_or_default().to_string_lossy())
}
