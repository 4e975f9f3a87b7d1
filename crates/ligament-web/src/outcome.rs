//! The beginning of every JSON result, as the command line writes it.

use ligament::{Failure, Report};
use serde_json::{Value, json};

/// `{"ok": .., "exit": ..}`, with the command line's words.
pub fn outcome(failure: Option<Failure>) -> Value {
    let exit = match failure {
        None => "done",
        Some(Failure::Check) => "check",
        Some(Failure::Usage) => "usage",
        Some(Failure::Io) => "io",
        Some(Failure::Unsupported) => "unsupported",
        Some(Failure::Internal) => "internal",
        Some(Failure::Cancelled) => "interrupted",
        // `Invalid`, and kinds that a later version of the library may add.
        Some(_) => "invalid",
    };
    json!({ "ok": failure.is_none(), "exit": exit })
}

/// Adds the members of one JSON object to another.
pub fn extend(object: &mut Value, more: Value) {
    if let (Value::Object(object), Value::Object(more)) = (object, more) {
        object.extend(more);
    }
}

/// An empty report with the limits of a call.
pub fn new_report(options: &ligament::ConvertOptions) -> Report {
    Report::new("", options.read.limits.max_diagnostics)
}
