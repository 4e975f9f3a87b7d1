//! Options of a call, and the ways to watch and stop it: Ctrl-C, an event, a callback.

use crate::errors::{self, WRONG_OPTION};
use crate::values;
use ligament::ConvertOptions;
use ligament::progress::{Progress, Stage};
use ligament::report::Place;
use ligament::settings;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often Python is asked whether to continue.
const PERIOD: Duration = Duration::from_millis(20);

/// The kinds of calls, which differ in their keywords besides the settings.
#[derive(Clone, Copy, PartialEq)]
pub enum Call {
    /// Reads a file; `format` is its format.
    Read,
    /// Writes a scene; `format` is the output's format, and there is `dialect`.
    Save,
    /// Reads and writes files.
    Convert,
}

/// A call's options and its watcher.
pub struct Asked {
    /// The library's options.
    pub options: ConvertOptions,
    failed: Arc<Mutex<Option<PyErr>>>,
}

impl Asked {
    /// Parses the keywords of a call.
    pub fn new(py: Python<'_>, call: Call, keywords: &Bound<'_, PyDict>) -> PyResult<Self> {
        let mut options = ConvertOptions::default();
        let failed = Arc::default();
        let (mut cancel, mut progress) = (None, None);
        for (key, value) in keywords.iter() {
            let key: String = key.extract()?;
            let text = || -> PyResult<Option<String>> { value.extract() };
            match key.as_str() {
                "cancel" if value.is_none() => {}
                "progress" if value.is_none() => {}
                "cancel" if value.hasattr("is_set")? => cancel = Some(value.unbind()),
                "cancel" => return Err(PyTypeError::new_err("cancel must be a threading.Event")),
                "progress" if value.is_callable() => progress = Some(value.unbind()),
                "progress" => return Err(PyTypeError::new_err("progress must be callable")),
                "format" if call == Call::Read => options.read.format = text()?,
                "format" => options.to = text()?,
                "from_format" if call == Call::Convert => options.read.format = text()?,
                "dialect" if call != Call::Read => options.dialect = text()?,
                _ => {
                    let message = match values::from_python(&value) {
                        Ok(value) => options.set(&key, value).err(),
                        Err(message) => Some(format!("{key}: {message}")),
                    };
                    let message = message.or_else(|| misplaced(call, &key));
                    if let Some(message) = message {
                        return Err(errors::fault(
                            py,
                            "UsageError",
                            &WRONG_OPTION,
                            Place::field(key),
                            message,
                        ));
                    }
                }
            }
        }
        options.progress = watcher(cancel, progress, Arc::clone(&failed));
        Ok(Self { options, failed })
    }

    /// Calls Python during the work. What it raises is raised at the end of the work.
    pub fn call(&self, call: impl FnOnce(Python<'_>) -> PyResult<()>) {
        let failed = || self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        if failed().is_some() {
            return;
        }
        if let Err(error) = Python::attach(call) {
            failed().get_or_insert(error);
        }
    }

    /// Does long work without blocking other Python threads. An exception raised by a watcher ends it.
    pub fn run<T: Send>(&self, py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
        let done = py.detach(work);
        match self.failed.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(error) => Err(error),
            None => Ok(done),
        }
    }
}

/// Rejects a setting that would have no effect: settings are for reading, writing, or both.
fn misplaced(call: Call, name: &str) -> Option<String> {
    let setting = settings::find(name)?;
    match call {
        Call::Read if !setting.is_read() => {
            Some(format!("{name} is for writing; load() and validate() only read"))
        }
        Call::Save if !setting.is_written() => {
            Some(format!("{name} is for reading files; save() has a scene"))
        }
        _ => None,
    }
}

/// Asks Python periodically and at every stage.
fn watcher(
    cancel: Option<Py<PyAny>>,
    progress: Option<Py<PyAny>>,
    failed: Arc<Mutex<Option<PyErr>>>,
) -> Progress {
    let asked = Mutex::new(Instant::now());
    Progress::new(move |stage: Option<Stage>| {
        {
            let mut asked = asked.lock().unwrap_or_else(PoisonError::into_inner);
            if stage.is_none() && asked.elapsed() < PERIOD {
                return ControlFlow::Continue(());
            }
            *asked = Instant::now();
        }
        let goes_on = Python::attach(|py| -> PyResult<bool> {
            py.check_signals()?;
            if let (Some(stage), Some(progress)) = (stage, &progress) {
                progress.call1(py, (stage.name(),))?;
            }
            match &cancel {
                Some(event) => Ok(!event.call_method0(py, "is_set")?.is_truthy(py)?),
                None => Ok(true),
            }
        });
        match goes_on {
            Ok(true) => ControlFlow::Continue(()),
            Ok(false) => ControlFlow::Break(()),
            Err(error) => {
                *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                ControlFlow::Break(())
            }
        }
    })
}
