//! Bytes to text to XML: encodings, and what is refused.

use super::outline::Outline;
use super::{codes, excess};
use crate::report::{Failure, Report};
use crate::text::{Lines, trim_zeros};
use roxmltree::{Document, Error, ParsingOptions};
use std::borrow::Cow;

/// Approximate memory that roxmltree allocates for each `<` and each `=`.
const NODE: usize = 88;
const ATTRIBUTE: usize = 64;

/// Decodes a file: UTF-8 with or without a byte order mark, or UTF-16 in either byte order. Places then refer to the
/// decoded text, which has the same lines as the file.
fn decode<'b>(bytes: &'b [u8], report: &mut Report) -> Result<Cow<'b, str>, Failure> {
    let utf16 = match bytes {
        [0xFF, 0xFE, rest @ ..] => Some((encoding_rs::UTF_16LE, rest)),
        [0xFE, 0xFF, rest @ ..] => Some((encoding_rs::UTF_16BE, rest)),
        [b'<', 0, ..] => Some((encoding_rs::UTF_16LE, bytes)),
        [0, b'<', ..] => Some((encoding_rs::UTF_16BE, bytes)),
        _ => None,
    };
    if let Some((encoding, rest)) = utf16 {
        let (text, odd) = encoding.decode_without_bom_handling(rest);
        if odd {
            let place = crate::report::Place::binary(0, "encoding");
            return Err(report.invalid(&codes::ENCODING, place, "the text is not valid UTF-16"));
        }
        return Ok(text);
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let error = match std::str::from_utf8(bytes) {
        Ok(text) => return Ok(Cow::Borrowed(text)),
        Err(error) => error,
    };
    // Old exporters on Windows write names in the code page of their country.
    let stated = stated_encoding(bytes).filter(|e| *e != encoding_rs::UTF_8);
    if let Some(encoding) = stated {
        let (text, odd) = encoding.decode_without_bom_handling(bytes);
        if !odd {
            return Ok(text);
        }
    }
    let at = error.valid_up_to();
    let place = Lines::new(bytes).place(at..at + 1);
    let message = format!("byte 0x{:02X} is not UTF-8", bytes.get(at).copied().unwrap_or(0));
    Err(report.invalid(&codes::ENCODING, place, message))
}

/// The encoding in the XML declaration.
fn stated_encoding(bytes: &[u8]) -> Option<&'static encoding_rs::Encoding> {
    let head = bytes.get(..bytes.len().min(200))?;
    let declaration = &head[..memchr::memmem::find(head, b"?>")?];
    let after = &declaration[memchr::memmem::find(declaration, b"encoding")? + 8..];
    let quote = after.iter().position(|b| matches!(b, b'"' | b'\''))?;
    let rest = &after[quote + 1..];
    let label = &rest[..rest.iter().position(|&b| b == after[quote])?];
    encoding_rs::Encoding::for_label(label)
}

/// The text to parse. DTD entities are never expanded, and nothing is ever fetched: a document type without a body is
/// skipped, one with declarations is refused.
pub(super) fn text<'b>(bytes: &'b [u8], report: &mut Report) -> Result<Cow<'b, str>, Failure> {
    let mut text = decode(bytes, report)?;
    let length = trim_zeros(&text, report).len();
    match &mut text {
        Cow::Borrowed(text) => *text = &text[..length],
        Cow::Owned(text) => text.truncate(length),
    }
    skip_doctype(&mut text, report)?;
    Ok(text)
}

/// Parses the text without its long lists.
pub(super) fn parse<'t>(outline: &'t Outline<'_>, report: &mut Report) -> Result<Document<'t>, Failure> {
    let bytes = outline.whole.as_bytes();
    let nodes = memchr::memchr_iter(b'<', bytes).count();
    let attributes = memchr::memchr_iter(b'=', bytes).count();
    if nodes * NODE + attributes * ATTRIBUTE > 24 * bytes.len() + (1 << 19) {
        let message = format!("{nodes} elements in {} bytes are out of proportion", bytes.len());
        return Err(report.invalid(&codes::TOO_BIG, Lines::new(bytes).place(0..0), message));
    }
    if let Some((at, message)) = excess::find(&outline.text) {
        let at = outline.whole_offset(at);
        return Err(report.invalid(&codes::TOO_BIG, Lines::new(bytes).place(at..at), message));
    }
    let options = ParsingOptions {
        nodes_limit: u32::try_from(nodes).unwrap_or(u32::MAX).saturating_mul(2).saturating_add(16),
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(&outline.text, options).map_err(|error| {
        let at = outline.whole_offset(offset_of(&outline.text, &error));
        report.invalid(&codes::XML, Lines::new(bytes).place(at..at), message(&error))
    })?;
    let root = document.root_element();
    let root_place = || {
        let start = outline.whole_offset(root.range().start);
        Lines::new(bytes).place(start..start)
    };
    if root.tag_name().name() != "COLLADA" {
        let message = format!("the root element is <{}>, not <COLLADA>", root.tag_name().name());
        return Err(report.invalid(&codes::NOT_COLLADA, root_place(), message));
    }
    let version = root.attribute("version").unwrap_or("");
    if !version.starts_with("1.4") && !version.starts_with("1.5") {
        if version.starts_with("1.") {
            let message = format!("this is COLLADA {version}; only 1.4 and 1.5 can be read");
            return Err(report.invalid(&codes::VERSION, root_place(), message));
        }
        let message = format!("unknown version {version:?}; it is read as 1.4");
        report.warning(&codes::VERSION, root_place(), message);
    }
    Ok(document)
}

/// Replaces a document type that declares nothing by spaces.
fn skip_doctype(text: &mut Cow<'_, str>, report: &mut Report) -> Result<(), Failure> {
    let bytes = text.as_bytes();
    // It may only occur before the root element.
    let Some(start) = memchr::memmem::find(&bytes[..bytes.len().min(1 << 16)], b"<!DOCTYPE") else {
        return Ok(());
    };
    let rest = &bytes[start..];
    let Some(end) = rest.iter().position(|&b| b == b'>') else { return Ok(()) };
    if memchr::memchr(b'[', &rest[..end]).is_some() {
        let place = Lines::new(bytes).place(start..start + 9);
        let message = "the document type declares entities or elements, which are never expanded";
        return Err(report.invalid(&codes::DTD, place, message));
    }
    let blank: String =
        text[start..=start + end].chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect();
    text.to_mut().replace_range(start..=start + end, &blank);
    Ok(())
}

/// The byte offset of a parse error.
fn offset_of(text: &str, error: &Error) -> usize {
    let at = error.pos();
    let mut line_start = 0;
    for _ in 1..at.row {
        match memchr::memchr(b'\n', &text.as_bytes()[line_start..]) {
            Some(end) => line_start += end + 1,
            None => break,
        }
    }
    let line = &text[line_start..];
    // Columns count characters.
    let column = line.char_indices().nth((at.col as usize).saturating_sub(1)).map_or(line.len(), |(i, _)| i);
    line_start + column
}

/// The error message without its position, which the place has.
fn message(error: &Error) -> String {
    let text = match error {
        Error::UnexpectedCloseTag(expected, found, _) => {
            return format!("</{found}> closes <{expected}>");
        }
        Error::UnclosedRootNode => return "the file ends before its root element is closed".to_owned(),
        Error::NoRootNode => return "there is no element in the file".to_owned(),
        Error::DtdDetected => return "a document type is not accepted here".to_owned(),
        other => other.to_string(),
    };
    text.rsplit_once(" at ").map_or(text.clone(), |(head, _)| head.to_owned())
}
