//! Diagnostics as SARIF 2.1.0, the format of code scanning services.

use super::Checked;
use crate::input::Input;
use ligament::report::{Code, Diagnostic, Severity};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Component, Path};

/// One run of the tool over all files.
pub fn log(files: &[Checked]) -> Value {
    let mut codes: BTreeMap<&str, &Code> = BTreeMap::new();
    for diagnostic in files.iter().flat_map(|file| file.report.diagnostics()) {
        codes.insert(diagnostic.code.id, diagnostic.code);
    }
    let rules: Vec<Value> = codes.values().map(|code| rule(code)).collect();
    let index = |id: &str| codes.keys().position(|known| *known == id);
    let results = files.iter().flat_map(|file| {
        let found = file.report.diagnostics().iter();
        found.map(|diagnostic| result(diagnostic, index(diagnostic.code.id), &file.input))
    });
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "ligament",
                "version": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": rules,
            } },
            "columnKind": "unicodeCodePoints",
            "results": results.collect::<Vec<_>>(),
        }],
    })
}

fn rule(code: &Code) -> Value {
    json!({
        "id": code.id,
        "shortDescription": { "text": code.title },
        "fullDescription": { "text": code.explanation },
        "help": { "text": code.fix },
    })
}

fn result(diagnostic: &Diagnostic, rule: Option<usize>, input: &Input) -> Value {
    let help = diagnostic.help.as_ref().map_or(String::new(), |help| format!("; {help}"));
    let mut location =
        json!({ "physicalLocation": { "artifactLocation": { "uri": uri(&diagnostic.file) } } });
    let region = region(diagnostic, input);
    if region.as_object().is_some_and(|region| !region.is_empty()) {
        location["physicalLocation"]["region"] = region;
    }
    if let Some(field) = &diagnostic.place.field {
        location["logicalLocations"] = json!([{ "fullyQualifiedName": field }]);
    }
    let mut result = json!({
        "ruleId": diagnostic.code.id,
        "ruleIndex": rule,
        "level": match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        },
        "message": { "text": format!("{}{help}", diagnostic.message) },
    });
    if !diagnostic.file.is_empty() {
        result["locations"] = json!([location]);
    }
    result
}

/// Line and column of text, counted in characters; bytes wherever they are known.
fn region(diagnostic: &Diagnostic, input: &Input) -> Value {
    let mut region = json!({});
    if let Some((line, column)) = diagnostic.place.line_column {
        region["startLine"] = json!(line);
        region["startColumn"] = json!(column_in_characters(diagnostic, column, input));
    }
    if let Some(span) = &diagnostic.place.span {
        region["byteOffset"] = json!(span.start);
        region["byteLength"] = json!(span.end.saturating_sub(span.start));
    }
    region
}

/// Columns of diagnostics are bytes.
fn column_in_characters(diagnostic: &Diagnostic, column: u32, input: &Input) -> u32 {
    let before = u64::from(column.saturating_sub(1));
    let start = diagnostic.place.span.as_ref().and_then(|span| span.start.checked_sub(before));
    let line = start
        .filter(|_| input.name() == &*diagnostic.file)
        .and_then(|start| input.window(start, before as usize));
    line.map_or(column, |line| String::from_utf8_lossy(&line).chars().count() as u32 + 1)
}

/// A path as a URI reference: relative paths stay relative.
fn uri(path: &str) -> String {
    let mut parts = Vec::new();
    let mut is_absolute = false;
    for part in Path::new(path).components() {
        match part {
            Component::Prefix(prefix) => parts.push(encoded(&prefix.as_os_str().to_string_lossy())),
            Component::RootDir => is_absolute = true,
            Component::CurDir => {}
            Component::ParentDir => parts.push("..".to_owned()),
            Component::Normal(name) => parts.push(encoded(&name.to_string_lossy())),
        }
    }
    let joined = parts.join("/");
    if is_absolute { format!("file:///{joined}") } else { joined }
}

/// Percent-encodes everything but unreserved characters.
fn encoded(part: &str) -> String {
    let mut out = String::new();
    for byte in part.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => out.push(byte as char),
            _ => out += &format!("%{byte:02X}"),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_uris() {
        assert_eq!(uri("art/a b.glb"), "art/a%20b.glb");
        assert_eq!(uri("./é.glb"), "%C3%A9.glb");
        assert_eq!(uri("../x.glb"), "../x.glb");
        #[cfg(unix)]
        assert_eq!(uri("/art/x.glb"), "file:///art/x.glb");
    }
}
