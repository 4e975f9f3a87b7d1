//! The functions behind those of the package.

use crate::errors;
use crate::from_python;
use crate::to_python;
use crate::unread::Unread;
use crate::watch::{Asked, Call};
use ligament::compare::{CompareOptions, Model};
use ligament::convert::{Imported, Input, Proven, convert_to, create, read_from, target, validate_from};
use ligament::formats::{FORMATS, by_extension, describe};
use ligament::internal::TellingFolder;
use ligament::io::{DirFolder, Folder, NoFolder, Source, StreamOutput};
use ligament::report::{Plain, find_code};
use ligament::{Conversion, Error, Report, Scene};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Reads a file, without making Python objects yet.
#[pyfunction]
pub fn load(py: Python<'_>, path: PathBuf, options: &Bound<'_, PyDict>) -> PyResult<Unread> {
    let (imported, report) = read(py, &path, &Asked::new(py, Call::Read, options)?)?;
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Ok(Unread::new(imported, report, Some(folder.to_owned())))
}

/// Reads a file's bytes. Side files are looked up in the folder, if there is one.
#[pyfunction]
pub fn load_bytes(
    py: Python<'_>,
    data: PyBackedBytes,
    name: &str,
    folder: Option<PathBuf>,
    options: &Bound<'_, PyDict>,
) -> PyResult<Unread> {
    let asked = Asked::new(py, Call::Read, options)?;
    let done = asked.run(py, || {
        Report::collect(&asked.options.read.limits, |report| {
            report.set_file(name);
            let mut source = Source::from_bytes(name, &*data);
            if let Some(folder) = &folder {
                source.folder = Arc::new(DirFolder::new(folder));
            }
            let path = Some(Path::new(name));
            read_from(source, path, &asked.options.read, &asked.options.progress, report)
        })
    })?;
    let (imported, report) = done.map_err(|error| errors::exception(py, &error))?;
    Ok(Unread::new(imported, report, folder))
}

/// Writes a scene.
#[pyfunction]
pub fn save<'py>(
    py: Python<'py>,
    scene: &Bound<'py, PyAny>,
    path: PathBuf,
    options: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    let asked = Asked::new(py, Call::Save, options)?;
    let folder =
        from_python::folder(scene)?.unwrap_or_else(|| path.parent().unwrap_or(Path::new(".")).to_owned());
    let (scene, mut report) = from_python::checked(scene)?;
    let done = asked.run(py, || {
        Report::collect(&asked.options.read.limits, |report| {
            let (target, file) = create(&path, &asked.options, report)?;
            let input = Input::Scene(scene, Arc::new(DirFolder::new(folder)));
            convert_to(input, target, file, &asked.options, report)?.commit(report)
        })
    })?;
    let (done, found) = done.map_err(|error| errors::exception(py, &error))?;
    // The warnings about the scene itself come first.
    report.append(found);
    conversion(py, &done, &report, "the scene", &path)
}

/// Writes a scene into bytes, in the format of the name's extension or of an option.
#[pyfunction]
pub fn save_bytes<'py>(
    py: Python<'py>,
    scene: &Bound<'py, PyAny>,
    name: PathBuf,
    options: &Bound<'py, PyDict>,
) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyAny>)> {
    let asked = Asked::new(py, Call::Save, options)?;
    let folder: Arc<dyn Folder + Send + Sync> = match from_python::folder(scene)? {
        Some(folder) => Arc::new(DirFolder::new(folder)),
        None => Arc::new(NoFolder),
    };
    let (scene, mut report) = from_python::checked(scene)?;
    let done = asked.run(py, || {
        Report::collect(&asked.options.read.limits, |report| {
            let target = target(&name, &asked.options, report)?;
            let stem = name.file_stem().map_or("output".into(), |stem| stem.to_string_lossy());
            let (input, output) = (Input::Scene(scene, folder), StreamOutput::new(&stem));
            let Proven { conversion, output, .. } =
                convert_to(input, target, output, &asked.options, report)?;
            Ok((conversion, output.into_bytes()))
        })
    })?;
    let ((done, bytes), found) = done.map_err(|error| errors::exception(py, &error))?;
    report.append(found);
    Ok((PyBytes::new(py, &bytes), conversion(py, &done, &report, "the scene", &name)?))
}

/// The clips of another model as they play in a scene, and what became of them.
#[pyfunction]
pub fn merge_clips<'py>(
    py: Python<'py>,
    scene: &Bound<'py, PyAny>,
    other: &Bound<'py, PyAny>,
    options: &Bound<'py, PyDict>,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let asked = Asked::new(py, Call::Read, options)?;
    let (mut scene, _) = from_python::checked(scene)?;
    let file: Option<PathBuf> = other.extract().ok();
    let (other, own) = match &file {
        Some(path) => {
            let Imported { scene, own, .. } = read(py, path, &asked)?.0;
            (scene, own)
        }
        None => (from_python::checked(other)?.0, None),
    };
    let before = scene.clips.len();
    let (scene, merged) = (&mut scene, Model { scene: &other, own: own.as_ref() });
    let done = asked.run(py, || {
        Report::collect(&asked.options.read.limits, |report| {
            if let Some(file) = &file {
                report.set_file(&file.display().to_string());
            }
            ligament::passes::operations::merge_clips(scene, merged, file.as_deref(), report)
        })
    })?;
    let ((), report) = done.map_err(|error| errors::exception(py, &error))?;
    let clips = to_python::clips(py, scene.clips.split_off(before))?;
    Ok((clips, errors::report(py, &report, Value::Null, &report.lines(&Plain))?))
}

/// Converts a file. `look` is called with the path of every file that it refers to, before that is looked for: it may put
/// one there.
#[pyfunction]
#[pyo3(signature = (source, target, options, look = None))]
pub fn convert<'py>(
    py: Python<'py>,
    source: PathBuf,
    target: PathBuf,
    options: &Bound<'py, PyDict>,
    look: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let asked = Asked::new(py, Call::Convert, options)?;
    let done = asked.run(py, || match look {
        None => ligament::convert(&source, &target, &asked.options),
        Some(look) => convert_looking(&source, &target, &asked, &look),
    })?;
    let (done, report) = done.map_err(|error| errors::exception(py, &error))?;
    conversion(py, &done, &report, &source.display().to_string(), &target)
}

fn convert_looking(
    path: &Path,
    target: &Path,
    asked: &Asked,
    look: &Py<PyAny>,
) -> Result<(Conversion, Report), Error> {
    Report::collect(&asked.options.read.limits, |report| {
        let mut source = Source::open(path, &asked.options.read.limits, report)?;
        let tell = |file: PathBuf| asked.call(|py| look.call1(py, (file,)).map(drop));
        source.folder = Arc::new(TellingFolder::new(Arc::clone(&source.folder), tell));
        let (target, file) = create(target, &asked.options, report)?;
        convert_to(Input::Source(source, Some(path)), target, file, &asked.options, report)?.commit(report)
    })
}

/// Checks the options of a conversion, before many files are converted with them.
#[pyfunction]
pub fn check_options(py: Python<'_>, options: &Bound<'_, PyDict>) -> PyResult<()> {
    Asked::new(py, Call::Convert, options).map(drop)
}

/// All problems of a file.
#[pyfunction]
pub fn validate<'py>(
    py: Python<'py>,
    path: PathBuf,
    options: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    let asked = Asked::new(py, Call::Read, options)?;
    let (report, about) = asked
        .run(py, || {
            let mut report = new_report(&asked);
            let (read, progress) = (&asked.options.read, &asked.options.progress);
            let checked = Source::open(&path, &read.limits, &mut report)
                .and_then(|source| validate_from(source, Some(&path), read, progress, &mut report));
            match checked {
                Ok(imported) => Ok((report, read_json(&imported))),
                // An invalid file is a result; a file that cannot be read is a failure.
                Err(ligament::Failure::Invalid | ligament::Failure::Unsupported) => Ok((report, Value::Null)),
                Err(failure) => Err(Error::new(failure, report)),
            }
        })?
        .map_err(|error| errors::exception(py, &error))?;
    errors::report(py, &report, about, &report.lines(&Plain))
}

/// Poses two models side by side and returns the comparison as JSON.
#[pyfunction]
pub fn compare(
    py: Python<'_>,
    first: &Bound<'_, PyAny>,
    second: &Bound<'_, PyAny>,
    options: &Bound<'_, PyDict>,
) -> PyResult<String> {
    let asked = Asked::new(py, Call::Read, options)?;
    let side = |side: &Bound<'_, PyAny>| -> PyResult<Scene> {
        match side.extract::<PathBuf>() {
            Ok(path) => Ok(read(py, &path, &asked)?.0.scene),
            Err(_) => Ok(from_python::checked(side)?.0),
        }
    };
    let (first, second) = (side(first)?, side(second)?);
    let progress = asked.options.progress.clone();
    let comparison = asked.run(py, || {
        let options = CompareOptions { progress: progress.clone(), ..CompareOptions::default() };
        let comparison = ligament::compare(&first, &second, &options);
        progress.check(&mut new_report(&asked)).map(|()| comparison)
    })?;
    match comparison {
        Ok(comparison) => Ok(comparison.to_json().to_string()),
        Err(failure) => Err(errors::exception(py, &Error::new(failure, new_report(&asked)))),
    }
}

/// Checks every rule of a scene.
#[pyfunction]
pub fn check<'py>(py: Python<'py>, scene: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let (scene, report) = from_python::checked(scene)?;
    let about = json!({ "counts": scene.counts().to_json() });
    errors::report(py, &report, about, &report.lines(&Plain))
}

/// The table of formats as JSON.
#[pyfunction]
pub fn formats() -> String {
    Value::Array(FORMATS.iter().map(|format| describe(format)).collect()).to_string()
}

/// The format of a path's extension.
#[pyfunction]
pub fn detect(path: PathBuf) -> Option<&'static str> {
    by_extension(&path).map(|format| format.id)
}

/// The help of every setting, by name, as JSON.
#[pyfunction]
pub fn settings() -> String {
    let all = ligament::settings::settings();
    Value::Object(all.map(|setting| (setting.name.to_owned(), json!(setting.help()))).collect()).to_string()
}

/// A code's id, title, explanation, example and fix.
#[pyfunction]
pub fn explain(code: &str) -> Option<[&'static str; 5]> {
    let own = || errors::CODES.iter().copied().find(|own| own.id.eq_ignore_ascii_case(code));
    let code = find_code(code).or_else(own)?;
    Some([code.id, code.title, code.explanation, code.example, code.fix])
}

/// Reads a file with its report.
fn read(py: Python<'_>, path: &Path, asked: &Asked) -> PyResult<(Imported, Report)> {
    let done =
        asked.run(py, || Report::collect(&asked.options.read.limits, |report| open(path, asked, report)))?;
    done.map_err(|error| errors::exception(py, &error))
}

fn open(path: &Path, asked: &Asked, report: &mut Report) -> Result<Imported, ligament::Failure> {
    let source = Source::open(path, &asked.options.read.limits, report)?;
    read_from(source, Some(path), &asked.options.read, &asked.options.progress, report)
}

fn new_report(asked: &Asked) -> Report {
    Report::new("", asked.options.read.limits.max_diagnostics)
}

pub fn read_json(imported: &Imported) -> Value {
    json!({
        "from": imported.format.id,
        "dialect": imported.dialect,
        "counts": imported.scene.counts().to_json(),
    })
}

/// The report of a conversion.
fn conversion<'py>(
    py: Python<'py>,
    done: &Conversion,
    report: &Report,
    source: &str,
    target: &Path,
) -> PyResult<Bound<'py, PyAny>> {
    let mut text = done.summary(source, &target.display().to_string(), report, &Plain);
    text += &report.lines(&Plain);
    errors::report(py, report, done.to_json(), &text)
}

/// The metallic-roughness block that looks most like a Phong block.
#[pyfunction]
pub fn pbr_from_phong<'py>(phong: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let pbr = ligament::scene::pbr_from_phong(&from_python::phong(phong)?);
    to_python::pbr(phong.py(), pbr)
}
