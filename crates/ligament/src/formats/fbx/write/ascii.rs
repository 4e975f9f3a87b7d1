//! Records as text.

use super::tree::{Array, Record, Value};
use base64::Engine;

/// A line of numbers is broken once it is longer than this, as Autodesk's programs do.
const LONGEST_LINE: usize = 2048;

/// Adds records to a text, indented by tabs.
pub(super) fn records(records: &[Record], depth: usize, text: &mut Vec<u8>) {
    records.iter().for_each(|each| record(each, depth, text));
}

/// Opens a block whose records follow.
pub(super) fn open(name: &str, text: &mut Vec<u8>) {
    text.extend_from_slice(name.as_bytes());
    text.extend_from_slice(b":  {\n");
}

fn record(record: &Record, depth: usize, text: &mut Vec<u8>) {
    indent(depth, text);
    text.extend_from_slice(record.name.as_bytes());
    text.extend_from_slice(b": ");
    for (number, value) in record.values.iter().enumerate() {
        if number > 0 {
            text.extend_from_slice(b", ");
        }
        add_value(value, depth, text);
    }
    if record.has_block() {
        text.extend_from_slice(b" {\n");
        records(&record.children, depth + 1, text);
        indent(depth, text);
        text.push(b'}');
    }
    text.push(b'\n');
}

fn indent(depth: usize, text: &mut Vec<u8>) {
    text.resize(text.len() + depth, b'\t');
}

fn add_value(value: &Value, depth: usize, text: &mut Vec<u8>) {
    match value {
        Value::I32(number) => text.extend_from_slice(number.to_string().as_bytes()),
        Value::I64(number) => text.extend_from_slice(number.to_string().as_bytes()),
        Value::F64(number) => text.extend_from_slice(zmij::Buffer::new().format_finite(*number).as_bytes()),
        Value::Text(words) => quoted(&[words], text),
        Value::Name(name, class) => quoted(&[class, "::", name], text),
        // The comma says that the text continues on further lines; here it is on one.
        Value::Bytes(bytes) => {
            let words = base64::engine::general_purpose::STANDARD.encode(bytes);
            text.extend_from_slice(b", ");
            quoted(&[&words], text);
        }
        Value::Array(array) => {
            text.extend_from_slice(format!("*{} {{\n", array.len()).as_bytes());
            indent(depth + 1, text);
            text.extend_from_slice(b"a: ");
            numbers(array, text);
            text.push(b'\n');
            indent(depth, text);
            text.push(b'}');
        }
    }
}

/// Quotes and line ends are the only characters that have a replacement.
fn quoted(pieces: &[&str], text: &mut Vec<u8>) {
    text.push(b'"');
    for byte in pieces.iter().flat_map(|piece| piece.bytes()) {
        match byte {
            b'"' => text.extend_from_slice(b"&quot;"),
            b'\n' => text.extend_from_slice(b"&lf;"),
            b'\r' => text.extend_from_slice(b"&cr;"),
            other => text.push(other),
        }
    }
    text.push(b'"');
}

fn numbers(array: &Array, text: &mut Vec<u8>) {
    let mut list = List { text, line: 0, is_first: true };
    let mut float = zmij::Buffer::new();
    match array {
        Array::I32(v) => v.iter().for_each(|n| list.add(&n.to_string())),
        Array::I64(v) => v.iter().for_each(|n| list.add(&n.to_string())),
        Array::Bits(v) => v.iter().for_each(|n| list.add(&(*n as i32).to_string())),
        Array::F32(v) => v.iter().for_each(|n| list.add(float.format_finite(*n))),
        Array::F64(v) => v.iter().for_each(|n| list.add(float.format_finite(*n))),
    }
}

struct List<'t> {
    text: &'t mut Vec<u8>,
    /// Bytes of the current line.
    line: usize,
    is_first: bool,
}

impl List<'_> {
    fn add(&mut self, number: &str) {
        if !std::mem::take(&mut self.is_first) {
            self.text.push(b',');
        }
        if self.line > LONGEST_LINE {
            self.text.push(b'\n');
            self.line = 0;
        }
        self.text.extend_from_slice(number.as_bytes());
        self.line += number.len() + 1;
    }
}
