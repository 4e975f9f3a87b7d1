//! A file that was read, whose Python objects are made on first access. Pipelines that only check, pose or pass on a model
//! never access them, and with many small arrays making them takes as long as reading.

use crate::errors;
use crate::functions::read_json;
use crate::to_python;
use ligament::Report;
use ligament::convert::Imported;
use ligament::report::Plain;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// The value that `load` passes to the package's `Scene`.
#[pyclass(frozen)]
pub struct Unread {
    read: Mutex<Option<Read>>,
}

struct Read {
    imported: Imported,
    report: Report,
    /// The folder that the paths of images are relative to; a stream has none.
    folder: Option<PathBuf>,
}

impl Unread {
    pub fn new(imported: Imported, report: Report, folder: Option<PathBuf>) -> Self {
        Self { read: Mutex::new(Some(Read { imported, report, folder })) }
    }
}

#[pymethods]
impl Unread {
    /// The fields of a `Scene`, in order. They can be taken only once, because the arrays move.
    fn take<'py>(&self, py: Python<'py>) -> PyResult<[Bound<'py, PyAny>; to_python::SCENE_FIELDS]> {
        let read = self.read.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(Read { imported, report, folder }) = read else {
            return Err(PyRuntimeError::new_err("the scene has already been taken"));
        };
        let about = read_json(&imported);
        let report = errors::report(py, &report, about, &report.lines(&Plain))?;
        to_python::scene(py, imported.scene, folder.as_deref(), report)
    }
}
