//! Reports and exceptions: the package's own classes, made from the library's reports and errors.

use ligament::report::{Code, Place, Severity};
use ligament::{Error, Failure, Report};
use pyo3::prelude::*;
use serde_json::{Value, json};

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

/// All codes of the module.
pub static CODES: &[&Code] = &[&WRONG_VALUE, &WRONG_OPTION];

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
        Failure::Usage => "UsageError",
        Failure::Check => "CheckError",
        Failure::Cancelled => "Cancelled",
        Failure::Unsupported => "UnsupportedError",
        // `Invalid`, and kinds that a later version of the library may add.
        _ => "InvalidError",
    };
    raised(py, class, &error.report)
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
