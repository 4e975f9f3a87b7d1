//! Bytes to document: the container, and the JSON of either version.

use super::document::{Document, extensions};
use super::extensions::is_readable;
use super::json::Root;
use super::locate::{Places, Text};
use super::uri::Uri;
use super::v1::{self, Converted};
use super::{codes, container, json_error, locate, odd_json};
use crate::io::{Content, Source};
use crate::report::{Diagnostic, Failure, Place, Report, Severity};
use serde::Deserialize;
use std::borrow::Cow;

/// Files up to this size are read at once: for them, many small reads cost more than the memory.
const SMALL: u64 = 1 << 20;

impl<'a> Document<'a> {
    /// Reads a file's structure. Its buffers are opened when the document is imported or written.
    pub fn read(mut source: Source<'a>, report: &mut Report) -> Result<Self, Failure> {
        if matches!(source.content, Content::File(..)) && source.content.len() <= SMALL {
            let bytes = source.bytes(report)?.into_owned();
            source.content = Content::Memory(Cow::Owned(bytes));
        }
        let head = source.range(0, source.content.len().min(4), report)?;
        let is_glb = head.starts_with(&container::MAGIC[..head.len().min(4)]) && !head.is_empty();
        let (json, glb_bin, is_first) = if is_glb {
            let glb = container::read(&source, report)?;
            (glb.json, glb.bin, glb.is_first)
        } else {
            (0..source.content.len(), None, false)
        };
        let (parsed, start, unknown_extensions) = {
            let bytes = source.range(json.start, json.end - json.start, report)?;
            let text = Text { bytes: &bytes, base: json.start, is_glb };
            let text = after_byte_order_mark(text, report);
            let text = before_zeros(text, report);
            let mut parsed = match parse(text, is_first, report)? {
                Parsed::Second(root) => (*root, None, Some(0)),
                Parsed::First(first) => {
                    let places = Places::new(&source, text.base..json.end, is_glb);
                    let has_body = is_first && glb_bin.is_some();
                    let Converted { root, origins, body } =
                        v1::convert(&first, text.bytes.len(), has_body, &places, report)?;
                    (root, Some(origins), body)
                }
            };
            let root = &mut parsed.0;
            let uris = root.buffers.iter_mut().map(|b| &mut b.uri);
            let uris = uris.chain(root.images.iter_mut().map(|i| &mut i.uri));
            uris.flatten().for_each(|uri: &mut Uri| uri.settle(text.bytes));
            let known = extensions(parsed.1.is_some());
            let unknown = unknown_extensions(&parsed.0, text.bytes, known);
            (parsed, text.base, unknown)
        };
        let (root, first, bin_buffer) = parsed;
        let json = start..json.end;
        Ok(Self { is_glb, root, first, bin_buffer, json, glb_bin, source, unknown_extensions })
    }
}

/// Skips a byte order mark. The specification forbids it, but Windows editors add one.
fn after_byte_order_mark<'t>(text: Text<'t>, report: &mut Report) -> Text<'t> {
    let Some(bytes) = text.bytes.strip_prefix(b"\xEF\xBB\xBF") else { return text };
    let message = "the JSON starts with a byte order mark; it is ignored";
    report.warning(&codes::EXTRA_DATA, text.place(0..3), message);
    Text { bytes, base: text.base + 3, ..text }
}

/// Leaves out zero bytes at the end, which some programs use as padding or write after the text.
fn before_zeros<'t>(text: Text<'t>, report: &mut Report) -> Text<'t> {
    let zeros = text.bytes.iter().rev().take_while(|&&byte| byte == 0).count();
    if zeros == 0 {
        return text;
    }
    let length = text.bytes.len() - zeros;
    let message = "the JSON ends with zero bytes; they are ignored";
    report.warning(&codes::EXTRA_DATA, text.place(length..length + 1), message);
    Text { bytes: &text.bytes[..length], ..text }
}

/// The JSON of either version.
enum Parsed {
    First(Box<v1::Source>),
    Second(Box<Root>),
}

fn parse(text: Text<'_>, is_first: bool, report: &mut Report) -> Result<Parsed, Failure> {
    check_proportion(text, report)?;
    // Checking the whole text is faster than checking each string.
    let checked = std::str::from_utf8(text.bytes).map_err(|error| {
        let at = error.valid_up_to();
        report.invalid(&codes::JSON, text.place(at..at + 1), "the JSON is not UTF-8")
    })?;
    if !is_first {
        // Nearly all files are 2.0, so try that first instead of checking the version.
        match deserialize::<Root>(checked, text) {
            Ok((root, odd)) if !states_first(&root) => {
                check_version(&root, text, report)?;
                odd.into_iter().for_each(|(place, message)| report.warning(&codes::ODD_JSON, place, message));
                return Ok(Parsed::Second(Box::new(root)));
            }
            Err((place, message)) if !json_error::is_version_1(text.bytes) => {
                return Err(report.invalid(&codes::JSON, place, message));
            }
            _ => {}
        }
    }
    match deserialize(checked, text) {
        Ok((first, odd)) => {
            odd.into_iter().for_each(|(place, message)| report.warning(&codes::ODD_JSON, place, message));
            Ok(Parsed::First(Box::new(first)))
        }
        Err((place, message)) => Err(report.invalid(&codes::JSON, place, message)),
    }
}

/// A place in the text, and what is odd or wrong there.
type Found = (Place, String);

/// Converts the text to types. Values of the wrong type are mended if that is all that is wrong.
fn deserialize<T: for<'de> Deserialize<'de>>(
    checked: &str,
    text: Text<'_>,
) -> Result<(T, Vec<Found>), Found> {
    let result = serde_json::from_str(checked);
    let has_null = || memchr::memmem::find(text.bytes, b"null").is_some();
    let is_odd = result.as_ref().map_or_else(serde_json::Error::is_data, |_| has_null());
    let mended = if is_odd { odd_json::mend(checked) } else { None };
    if let Some(odd_json::Mended { value, nulls }) = mended
        && (result.is_err() || !nulls.is_empty())
        && let Ok(read) = T::deserialize(value)
    {
        let mut odd: Vec<Found> = nulls.into_iter().map(|null| null_at(null, text)).collect();
        if let (Err(error), true) = (&result, odd.is_empty()) {
            let (place, message) = wrong_at(error, text);
            odd.push((place, format!("{message}; it is read as one")));
        }
        return Ok((read, odd));
    }
    result.map(|read| (read, Vec::new())).map_err(|error| wrong_at(&error, text))
}

fn null_at((path, meaning): (String, &str), text: Text<'_>) -> Found {
    let range = locate::of_path(text.bytes, &path).unwrap_or(0..0);
    (text.place(range).with_field(path), format!("found null, which glTF does not allow; {meaning}"))
}

fn wrong_at(error: &serde_json::Error, text: Text<'_>) -> Found {
    let (range, field) = json_error::find(text.bytes, error);
    let place = text.place(range);
    let place = if field.is_empty() { place } else { place.with_field(field) };
    (place, json_error::message(error))
}

fn states_first(root: &Root) -> bool {
    root.asset.as_ref().is_some_and(|asset| json_error::is_first(&asset.version))
}

/// Refuses JSON that would take much more memory than its length: three bytes can request a whole object.
fn check_proportion(text: Text<'_>, report: &mut Report) -> Result<(), Failure> {
    const OBJECT: u64 = 256;
    const VALUE: u64 = 48;
    let objects = memchr::memchr_iter(b'{', text.bytes).count() as u64;
    let values = memchr::memchr_iter(b',', text.bytes).count() as u64;
    let length = text.bytes.len() as u64;
    if objects * OBJECT + values * VALUE > 24 * length + (12 << 20) {
        let message = format!("{objects} objects in {length} bytes are out of proportion");
        return Err(report.invalid(&codes::TOO_BIG, text.place(0..0), message));
    }
    Ok(())
}

fn check_version(root: &Root, text: Text<'_>, report: &mut Report) -> Result<(), Failure> {
    let place = || {
        let range = locate::range(text.bytes, &["asset", "version"]).unwrap_or(0..0);
        text.place(range).with_field("asset.version")
    };
    let Some(asset) = root.asset.as_ref().filter(|asset| !asset.version.is_empty()) else {
        return Err(report.invalid(
            &codes::NO_VERSION,
            place(),
            "there is no `asset` that names the version",
        ));
    };
    let needed = asset.min_version.as_ref().unwrap_or(&asset.version);
    if needed.split('.').next() != Some("2") || (asset.min_version.is_some() && needed != "2.0") {
        return Err(wrong_version(needed, place(), report));
    }
    Ok(())
}

/// Refuses a version and says what to do with the file.
pub(super) fn wrong_version(version: &str, place: Place, report: &mut Report) -> Failure {
    let message = format!("this is glTF {version}; only glTF 1.0 and 2.0 are read");
    let mut diagnostic = Diagnostic::new(Severity::Error, &codes::VERSION, place, message);
    if version.starts_with('0') {
        let help = "convert it to glTF 2.0 first, for example with `gltf-pipeline -i old.gltf -o new.gltf`";
        diagnostic = diagnostic.help(help);
    }
    report.push(diagnostic);
    report.refusal()
}

fn unknown_extensions(root: &Root, text: &[u8], known: &[&str]) -> Vec<(String, usize)> {
    let is_unknown = |name: &&String| !known.contains(&name.as_str());
    let mut names: Vec<&String> = root.extensions_used.iter().filter(is_unknown).collect();
    names.sort();
    names.dedup();
    // An extension that nothing uses is no loss, unless it might change how everything is read.
    let least = |name: &str| usize::from(!is_readable(name));
    names.into_iter().map(|name| (name.clone(), uses(text, name).max(least(name)))).collect()
}

/// Counts how often an extension occurs as a key.
fn uses(text: &[u8], name: &str) -> usize {
    let quoted = format!("\"{name}\"");
    let is_key = |at: &usize| {
        let rest = &text[at + quoted.len()..];
        rest.iter().find(|b| !b.is_ascii_whitespace()) == Some(&b':')
    };
    memchr::memmem::find_iter(text, quoted.as_bytes()).filter(is_key).count()
}
