//! Translates serde_json's errors to JSON's terms, and finds the value that they are about.

use super::locate;
use serde_json::Error;
use std::ops::Range;

/// The value that an error is about, with its path; for a syntax error, the byte, without a path.
pub(super) fn find(text: &[u8], error: &Error) -> (Range<usize>, String) {
    let at = offset(text, error.line(), error.column());
    if !error.is_data() {
        return (at..at, String::new());
    }
    // serde_json points at the last byte of a value, or just before an array or object of the wrong kind. If an array
    // is too short, it points at the array's end.
    let is_about_list = error.to_string().starts_with("invalid length");
    let (range, path) = locate::around(text, at, |value| !is_about_list || value.starts_with(b"["));
    if path.is_empty() { (at..at, path) } else { (range, path) }
}

/// The byte offset of serde_json's line and column, both counted from 1 (0 at the very start).
fn offset(text: &[u8], line: usize, column: usize) -> usize {
    let mut start = 0;
    for _ in 1..line {
        start += memchr::memchr(b'\n', &text[start..]).map_or(0, |at| at + 1);
    }
    (start + column.saturating_sub(1)).min(text.len())
}

/// The message without its position and without Rust type names.
pub(super) fn message(error: &Error) -> String {
    let message = error.to_string();
    let message = message.rsplit_once(" at line ").map_or(message.as_str(), |m| m.0);
    let Some((found, expected)) = message.rsplit_once(", expected ") else { return message.to_owned() };
    let found =
        found.strip_prefix("invalid type: ").or(found.strip_prefix("invalid value: ")).unwrap_or(found);
    let found = match found {
        "map" => "an object",
        "sequence" => "an array",
        other => other,
    };
    let expected = match expected {
        "u32" | "u64" => "a non-negative integer",
        "f64" => "a number",
        "a sequence" => "an array",
        "a map" => "an object",
        other if other.starts_with("struct ") => "an object",
        other => other,
    };
    format!("found {found}, expected {expected}")
}

/// Whether the text is glTF 1.0: it says so, or its collections are objects keyed by id instead of arrays.
pub(super) fn is_version_1(text: &[u8]) -> bool {
    let value = |names: &[&str]| locate::range(text, names).map(|range| &text[range]);
    if let Some(version) = value(&["asset", "version"]) {
        return is_first(&String::from_utf8_lossy(version).replace('"', ""));
    }
    let is_object = |name: &&str| value(&[*name]).is_some_and(|v| v.starts_with(b"{"));
    ["accessors", "bufferViews", "meshes", "nodes"].iter().filter(|n| is_object(n)).count() > 0
}

/// Whether a version is 1.x.
pub(super) fn is_first(version: &str) -> bool {
    version.split('.').next() == Some("1")
}
