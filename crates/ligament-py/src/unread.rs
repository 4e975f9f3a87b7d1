//! A file that was read, of which the Python objects are made when somebody looks at them: in pipelines that only check,
//! pose or pass on a model nobody does, and with many small arrays making them takes as long as reading.

use crate::errors;
use crate::functions::read_json;
use crate::to_python;
use ligament::Report;
use ligament::convert::Imported;
use ligament::report::Plain;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// What `load` gives to the package's `Scene`.
#[pyclass(frozen)]
pub struct Unread {
    read: Mutex<Option<Read>>,
}

struct Read {
    imported: Imported,
    report: Report,
    /// Where the paths of images start.
    folder: PathBuf,
}

impl Unread {
    pub fn new(imported: Imported, report: Report, path: &Path) -> Self {
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Self { read: Mutex::new(Some(Read { imported, report, folder: folder.to_owned() })) }
    }
}

#[pymethods]
impl Unread {
    /// The fields of a `Scene` in their order. They can be taken once: the arrays move.
    fn take<'py>(&self, py: Python<'py>) -> PyResult<[Bound<'py, PyAny>; to_python::SCENE_FIELDS]> {
        let read = self.read.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(Read { imported, report, folder }) = read else {
            return Err(PyRuntimeError::new_err("the scene was taken already"));
        };
        let about = read_json(&imported);
        let report = errors::report(py, &report, about, &report.lines(&Plain))?;
        to_python::scene(py, imported.scene, &folder, report)
    }
}
