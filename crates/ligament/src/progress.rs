//! Progress of long work, and cancelling it.

use crate::report::{Failure, Place, Report};
use std::fmt;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::io::{Folder, Output, WriteContent};

crate::words! {
    /// A stage of a conversion.
    #[non_exhaustive]
    pub enum Stage(name) {
        /// Bytes become a document.
        Read = "read",
        /// The document becomes a scene.
        Import = "import",
        /// Passes bring the scene within the target's capabilities.
        Prepare = "prepare",
        /// The scene becomes a file that is not written yet.
        Export = "export",
        /// The file is written.
        Write = "write",
        /// The result is read back and posed beside the source.
        Verify = "verify",
    }
}

type Hook = dyn Fn(Option<Stage>) -> ControlFlow<()> + Send + Sync;

/// A hook that is called at every stage, and often in between, and can stop the work. By default there is none.
///
/// Stopped work ends with [`Failure::Cancelled`] and writes nothing.
///
/// ```
/// use ligament::{ConvertOptions, progress::Progress};
/// use std::ops::ControlFlow;
/// let mut options = ConvertOptions::default();
/// options.progress = Progress::new(|stage| {
///     if let Some(stage) = stage {
///         println!("{}...", stage.name());
///     }
///     ControlFlow::Continue(())
/// });
/// ```
#[derive(Clone, Default)]
pub struct Progress(Option<Arc<Watch>>);

struct Watch {
    hook: Box<Hook>,
    stopped: AtomicBool,
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Progress(watched)" } else { "Progress(unwatched)" })
    }
}

impl Progress {
    /// Calls `hook` with each stage at its beginning, and with `None` now and then within it. That may be every few
    /// microseconds, so it must be quick. [`ControlFlow::Break`] stops the work.
    pub fn new(hook: impl Fn(Option<Stage>) -> ControlFlow<()> + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(Watch { hook: Box::new(hook), stopped: AtomicBool::new(false) })))
    }

    /// Whether the work should go on. Once this is false, it stays false.
    pub fn goes_on(&self) -> bool {
        self.ask(None)
    }

    /// Begins a stage, unless the work was stopped.
    pub fn enter(&self, stage: Stage, report: &mut Report) -> Result<(), Failure> {
        if self.ask(Some(stage)) { Ok(()) } else { Err(cancelled(report)) }
    }

    /// `Err(Failure::Cancelled)` if the work was stopped.
    pub fn check(&self, report: &mut Report) -> Result<(), Failure> {
        if self.goes_on() { Ok(()) } else { Err(cancelled(report)) }
    }

    /// The result of a stage. If the work was stopped, that is why the stage failed, whatever its own error says.
    pub(crate) fn outcome<T>(&self, done: Result<T, Failure>, report: &mut Report) -> Result<T, Failure> {
        let stopped = self.0.as_ref().is_some_and(|watch| watch.stopped.load(Ordering::Relaxed));
        if stopped { Err(cancelled(report)) } else { done }
    }

    fn ask(&self, stage: Option<Stage>) -> bool {
        let Some(watch) = &self.0 else { return true };
        if watch.stopped.load(Ordering::Relaxed) {
            return false;
        }
        let goes_on = (watch.hook)(stage).is_continue();
        if !goes_on {
            watch.stopped.store(true, Ordering::Relaxed);
        }
        goes_on
    }
}

fn cancelled(report: &mut Report) -> Failure {
    report.error(
        &crate::convert::codes::CANCELLED,
        Place::WHOLE,
        "the work was cancelled; nothing was written",
    );
    Failure::Cancelled
}

/// An output that refuses more bytes once the work is stopped.
pub(crate) struct WatchedOutput<'a> {
    pub(crate) output: &'a mut dyn Output,
    pub(crate) progress: &'a Progress,
}

impl WatchedOutput<'_> {
    fn check(&self) -> io::Result<()> {
        if self.progress.goes_on() { Ok(()) } else { Err(io::Error::other("cancelled")) }
    }
}

impl Write for WatchedOutput<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.check()?;
        self.output.main().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.main().flush()
    }
}

impl Output for WatchedOutput<'_> {
    fn stem(&self) -> &str {
        self.output.stem()
    }

    fn main(&mut self) -> &mut dyn Write {
        if self.progress.0.is_some() { self } else { self.output.main() }
    }

    fn takes_side_files(&self) -> bool {
        self.output.takes_side_files()
    }

    fn directory(&self) -> Option<&Path> {
        self.output.directory()
    }

    fn beside(&self) -> Option<Box<dyn Folder + '_>> {
        self.output.beside()
    }

    fn has_room_for(&self, path: &str) -> bool {
        self.output.has_room_for(path)
    }

    fn side_file(&mut self, path: &str, write: &mut WriteContent<'_>) -> io::Result<()> {
        self.check()?;
        self.output.side_file(path, write)
    }
}
