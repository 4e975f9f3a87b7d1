//! Reports and exceptions: the package's own classes, made from the library's reports and errors.

use ligament::internal::most_similar;
use ligament::passes::codes::UNKNOWN_CLIP;
use ligament::report::{Code, Place, Severity};
use ligament::{Error, Failure, Report};
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::error::Error as _;
use std::io;

/// Number of errors that an exception's text shows; the rest is counted.
const SHOWN: usize = 10;

/// A value in a scene that has the wrong type or shape.
pub static WRONG_VALUE: Code = Code {
    id: "PY001",
    title: "wrong value in a scene",
    explanation: "An object of a scene that was built in Python holds a value of the wrong type or shape.",
    example: "ligament.Part(positions=numpy.zeros((8, 2)), faces=faces)",
    fix: "Correct the value; the message says where it is and what was expected, and the class documents its fields.",
    is_unsupported: false,
    is_minor: false,
    counts: None,
};

/// An unknown option, or one that does not accept the value.
pub static WRONG_OPTION: Code = Code {
    id: "PY002",
    title: "wrong option",
    explanation: "A keyword is unknown, does not apply to the function, or does not accept the value.",
    example: "ligament.load(\"fox.glb\", axis=\"none\")",
    fix: "Correct the keyword; ligament.formats() lists all keywords with the values that they accept.",
    is_unsupported: false,
    is_minor: false,
    counts: None,
};

/// A name that nothing in a scene has.
pub static UNKNOWN_NAME: Code = Code {
    id: "PY003",
    title: "unknown name",
    explanation: "A clip, node, mesh or material was looked up by a name that none has, or that several have.",
    example: "scene.clip(\"wlak\")",
    fix: "Correct the name; the message lists those that there are. Of several things of one name, choose by index.",
    is_unsupported: false,
    is_minor: false,
    counts: None,
};

/// All codes of the module.
pub static CODES: &[&Code] = &[&WRONG_VALUE, &WRONG_OPTION, &UNKNOWN_NAME];

/// Number of names that a message lists.
const NAMED: usize = 20;

/// The package's `Report`.
pub fn report<'py>(
    py: Python<'py>,
    report: &Report,
    members: Value,
    text: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let mut json = report.to_json();
    if let Some(list) = json["diagnostics"].as_array_mut() {
        for (object, diagnostic) in list.iter_mut().zip(report.diagnostics()) {
            object["text"] = json!(diagnostic.to_string());
        }
    }
    if let (Value::Object(json), Value::Object(members)) = (&mut json, members) {
        json.extend(members);
    }
    let class = py.import("ligament.report")?.getattr("Report")?;
    class.call_method1("_from", (json.to_string(), text.trim_end()))
}

/// The exception for a failed operation.
pub fn exception(py: Python<'_>, error: &Error) -> PyErr {
    let class = match error.failure {
        Failure::Io => "FileError",
        Failure::Usage if is_about_a_name(&error.report) => "UnknownNameError",
        Failure::Usage => "UsageError",
        Failure::Check => "CheckError",
        Failure::Cancelled => "Cancelled",
        Failure::Unsupported => "UnsupportedError",
        // `Invalid`, and kinds that a later version of the library may add.
        _ => "InvalidError",
    };
    let cause = error.source().and_then(|cause| cause.downcast_ref::<io::Error>());
    match cause {
        Some(cause) if class == "FileError" => file_error(py, &error.report, cause),
        _ => raised(py, class, &error.report),
    }
}

/// Whether the first error is a clip's name.
fn is_about_a_name(report: &Report) -> bool {
    let first = report.diagnostics().iter().find(|d| d.severity == Severity::Error);
    first.is_some_and(|first| first.code.id == UNKNOWN_CLIP.id)
}

/// A `FileError` with the system's number and the file's name, as Python's own exceptions have them.
fn file_error(py: Python<'_>, found: &Report, cause: &io::Error) -> PyErr {
    // What the system refused came last.
    let refused = found.diagnostics().iter().rfind(|d| d.severity == Severity::Error);
    let file = refused.map(|refused| refused.file.to_string()).filter(|file| !file.is_empty());
    let text = told(found);
    let made = errno(py, cause).and_then(|errno| {
        let report = report(py, found, Value::Null, &text)?;
        let class = py.import("ligament.errors")?.getattr("FileError")?;
        class.call_method1("_of", (text, report, errno, file))
    });
    match made {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}

/// The number in Python's `errno`, if there is one.
fn errno(py: Python<'_>, cause: &io::Error) -> PyResult<Option<i32>> {
    let name = match cause.kind() {
        io::ErrorKind::NotFound => "ENOENT",
        io::ErrorKind::PermissionDenied => "EACCES",
        io::ErrorKind::AlreadyExists => "EEXIST",
        io::ErrorKind::IsADirectory => "EISDIR",
        io::ErrorKind::NotADirectory => "ENOTDIR",
        io::ErrorKind::FileTooLarge => "EFBIG",
        io::ErrorKind::StorageFull => "ENOSPC",
        io::ErrorKind::OutOfMemory => "ENOMEM",
        // Elsewhere the numbers are not those of `errno`.
        _ if cfg!(unix) => return Ok(cause.raw_os_error()),
        _ => return Ok(None),
    };
    py.import("errno")?.getattr(name)?.extract()
}

/// The exception for a name that not exactly one of some things has.
#[pyfunction]
pub fn unknown_name(py: Python<'_>, kind: &str, kinds: &str, name: &str, names: Vec<String>) -> PyErr {
    let same: Vec<usize> = (0..names.len()).filter(|&index| names[index] == name).collect();
    let mut known: Vec<_> = names.iter().take(NAMED).map(|name| format!("{name:?}")).collect();
    if names.len() > NAMED {
        known.push(format!("... and {} more", names.len() - NAMED));
    }
    let message = if same.len() > 1 {
        let places: Vec<_> = same.iter().take(NAMED).map(|index| format!("{kinds}[{index}]")).collect();
        format!("{} {kinds} are called {name:?}: {}", same.len(), places.join(", "))
    } else if names.is_empty() {
        format!("there is no {kind} {name:?}; the scene has none")
    } else {
        match most_similar(name, names.iter().map(String::as_str)) {
            Some(meant) => {
                format!(
                    "there is no {kind} {name:?}; did you mean {meant:?}? The scene has {}",
                    known.join(", ")
                )
            }
            None => format!("there is no {kind} {name:?}; the scene has {}", known.join(", ")),
        }
    };
    fault(py, "UnknownNameError", &UNKNOWN_NAME, Place::field(kinds.to_owned()), message)
}

/// An exception of the package's class with a report.
pub fn raised(py: Python<'_>, class: &str, found: &Report) -> PyErr {
    let text = told(found);
    let made = report(py, found, Value::Null, &text)
        .and_then(|report| py.import("ligament.errors")?.getattr(class)?.call1((text, report)));
    match made {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}

/// An exception with one error in its report.
pub fn fault(py: Python<'_>, class: &str, code: &'static Code, place: Place, message: String) -> PyErr {
    let mut report = Report::default();
    report.error(code, place, message);
    raised(py, class, &report)
}

/// The errors with their locations, one per line; without errors, all diagnostics.
fn told(report: &Report) -> String {
    let all = report.diagnostics();
    let mut errors: Vec<_> = all.iter().filter(|d| d.severity == Severity::Error).collect();
    if errors.is_empty() {
        errors = all.iter().collect();
    }
    let mut lines: Vec<_> = errors.iter().take(SHOWN).map(ToString::to_string).collect();
    let more = errors.len().saturating_sub(SHOWN) as u64 + report.omitted();
    if more > 0 {
        lines.push(format!("... and {more} more"));
    }
    lines.join("\n")
}
