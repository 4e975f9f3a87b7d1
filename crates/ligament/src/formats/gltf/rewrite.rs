//! Writes a document that was read. The JSON text is kept byte for byte, except for the URIs, buffers and views that
//! must change for another container or location.

use super::buffers::{Buffers, data_uri_bytes, side_path};
use super::document::Document;
use super::import::media_type;
use super::json::{BufferView, Meshopt, typed_extension};
use super::locate::Places;
use super::uri::{Uri, data_uri as take_apart, percent_encode};
use super::write::{data_uri, too_long};
use super::{MESHOPT, codes, container};
use crate::Limits;
use crate::io::Output;
use crate::report::{Failure, Loss, Report};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::Range;

pub(super) fn rewrite(
    document: &Document<'_>,
    to_glb: bool,
    output: &mut dyn Output,
    report: &mut Report,
) -> Result<(), Failure> {
    if document.is_glb && to_glb {
        return document.source.content.copy_to(output.main()).map_err(|error| report.cannot_write(error));
    }
    let places = document.places();
    let buffers = Buffers::open(document, &places, &Limits::default(), report);
    report.check()?;
    let mut rewrite =
        Rewrite { document, places, buffers, edits: Vec::new(), bin: Vec::new(), bin_length: 0 };
    if to_glb { rewrite.write_glb(output.main(), report) } else { rewrite.write_gltf(output, report) }
}

/// Copies a glTF 1.0 document, which is never changed: the file, and the buffers beside it.
pub(super) fn copy_first(
    document: &Document<'_>,
    output: &mut dyn Output,
    report: &mut Report,
) -> Result<(), Failure> {
    document.source.content.copy_to(output.main()).map_err(|error| report.cannot_write(error))?;
    if !output.takes_side_files() {
        return Ok(());
    }
    let buffers = Buffers::open(document, &document.places(), &Limits::default(), report);
    report.check()?;
    // Two buffers may be in one file; the longer one has all of it.
    let mut files: BTreeMap<String, usize> = BTreeMap::new();
    for (index, buffer) in document.root.buffers.iter().enumerate() {
        let Some(path) = buffer.uri.as_ref().and_then(side_file) else { continue };
        let longest = files.entry(path).or_insert(index);
        if buffers.length(index) > buffers.length(*longest) {
            *longest = index;
        }
    }
    for (path, index) in files {
        let written = output.side_file(&path, &mut |side| buffers.copy_to(index, side));
        written.map_err(|error| report.cannot_write(error))?;
    }
    Ok(())
}

/// A piece of the binary chunk.
enum Segment {
    Buffer(usize),
    Bytes(Vec<u8>),
}

/// Where the bytes of a buffer are in the rewritten file: in which buffer, and from where on.
struct Moved {
    buffer: usize,
    offset: u64,
}

struct Rewrite<'d, 'a> {
    document: &'d Document<'a>,
    places: Places<'d, 'a>,
    buffers: Buffers<'d, 'a>,
    /// Ranges of the text and their replacements.
    edits: Vec<(Range<usize>, String)>,
    bin: Vec<(u64, Segment)>,
    bin_length: u64,
}

impl Rewrite<'_, '_> {
    /// The value of a field as JSON.
    fn value(&self, path: &str) -> Option<(Range<usize>, Value)> {
        let range = self.places.exact(path)?;
        let value = serde_json::from_slice(&self.places.text()[range.clone()]).ok()?;
        Some((range, value))
    }

    fn text(&mut self) -> Vec<u8> {
        self.edits.sort_by_key(|e| e.0.start);
        let text = self.places.text();
        let mut out = Vec::with_capacity(text.len());
        let mut at = 0;
        for (range, replacement) in &self.edits {
            out.extend_from_slice(&text[at..range.start]);
            out.extend_from_slice(replacement.as_bytes());
            at = range.end;
        }
        out.extend_from_slice(&text[at..]);
        // Chunks are padded with spaces, which are not part of the JSON.
        out.truncate(out.trim_ascii_end().len());
        out
    }

    fn write_gltf(&mut self, output: &mut dyn Output, report: &mut Report) -> Result<(), Failure> {
        let takes_files = output.takes_side_files();
        let mut files = 0;
        for index in 0..self.buffers.len() {
            let uri = self.document.root.buffers[index].uri.as_ref();
            let is_inside = uri.is_some_and(|u| matches!(u, Uri::InText(_)) || is_data(u));
            if is_inside || self.buffers.is_unstated(index) {
                continue;
            }
            let uri = if takes_files {
                let number = if files == 0 { String::new() } else { format!("_{files}") };
                let file = format!("{}{number}.bin", output.stem());
                files += 1;
                let written = output.side_file(&file, &mut |side| self.buffers.copy_to(index, side));
                written.map_err(|error| report.cannot_write(error))?;
                percent_encode(&file)
            } else {
                let length = self.buffers.length(index).unwrap_or(0);
                let bytes = self.buffers.range(index, 0, length);
                data_uri(&bytes.map_err(|error| report.cannot_write(error))?)
            };
            self.set_uri(index, uri);
        }
        let text = if self.edits.is_empty() { self.places.text().to_vec() } else { self.text() };
        output.main().write_all(&text).map_err(|error| report.cannot_write(error))
    }

    /// Replaces a value, if there is one.
    fn replace(&mut self, path: &str, text: String) -> bool {
        let range = self.places.exact(path);
        let found = range.is_some();
        self.edits.extend(range.map(|range| (range, text)));
        found
    }

    /// Adds members at the start of an object, which is the root if the path is empty.
    fn insert(&mut self, path: &str, members: String) {
        let start = self.places.exact(path).map(|range| range.start + 1);
        self.edits.extend(start.map(|start| (start..start, members)));
    }

    fn set_uri(&mut self, buffer: usize, uri: String) {
        let path = format!("buffers[{buffer}]");
        let quoted = Value::from(uri).to_string();
        if let Some(range) = self.places.exact(&format!("{path}.uri")) {
            if self.places.text()[range.clone()] != *quoted.as_bytes() {
                self.edits.push((range, quoted));
            }
        } else {
            let comma = if self.document.root.buffers[buffer].byte_length.is_some() { "," } else { "" };
            self.insert(&path, format!("\"uri\":{quoted}{comma}"));
        }
    }

    fn write_glb(&mut self, output: &mut dyn Write, report: &mut Report) -> Result<(), Failure> {
        let root = &self.document.root;
        // A view's extension may refer to buffers by index; unless it is known how, they must keep theirs.
        let is_known = |v: &BufferView| {
            v.extensions.as_ref().is_none_or(|e| e.keys().all(|name| MESHOPT.contains(&name.as_str())))
        };
        let joins = root.buffer_views.iter().all(is_known);
        let count = self.buffers.len();
        let (mut moved, mut others) = (Vec::new(), 0);
        for index in 0..count {
            if (joins || index == 0) && !self.buffers.is_unstated(index) {
                let length = self.buffers.length(index).unwrap_or(0);
                moved.push(Moved { buffer: 0, offset: self.append(length, Segment::Buffer(index)) });
            } else {
                others += 1;
                moved.push(Moved { buffer: if joins { others } else { index }, offset: 0 });
            }
        }
        self.move_views(&moved);
        let views = self.embed_images();
        self.add_views(views);
        self.set_buffers(&moved, report);
        report.check()?;
        let json = self.text();
        let head = container::write_head(output, &json, self.bin_length).ok_or_else(|| too_long(report))?;
        head.map_err(|error| report.cannot_write(error))?;
        self.write_bin(output).map_err(|(buffer, error)| self.failed(buffer, error, report))
    }

    /// Reports that a buffer could not be copied: because of its own data, or because the output could not be written.
    fn failed(&self, buffer: Option<usize>, error: io::Error, report: &mut Report) -> Failure {
        match buffer.filter(|_| error.kind() == io::ErrorKind::InvalidData) {
            Some(buffer) => {
                let place = self.places.of(&format!("buffers[{buffer}].uri"));
                report.invalid(&codes::BUFFER, place, error.to_string())
            }
            None => report.cannot_write(error),
        }
    }

    /// Appends something to the binary chunk; returns where it starts.
    fn append(&mut self, length: u64, segment: Segment) -> u64 {
        let start = self.bin_length + container::padding(self.bin_length);
        self.bin.push((start, segment));
        self.bin_length = start + length;
        start
    }

    /// Writes the binary chunk. An error has the buffer that it is about.
    fn write_bin(&self, output: &mut dyn Write) -> Result<(), (Option<usize>, io::Error)> {
        let mut at = 0;
        for (start, segment) in &self.bin {
            output.write_all(&[0; 3][..(start - at) as usize]).map_err(|error| (None, error))?;
            at = *start;
            match segment {
                Segment::Buffer(index) => {
                    self.buffers.copy_to(*index, output).map_err(|error| (Some(*index), error))?;
                    at += self.buffers.length(*index).unwrap_or(0);
                }
                Segment::Bytes(bytes) => {
                    output.write_all(bytes).map_err(|error| (None, error))?;
                    at += bytes.len() as u64;
                }
            }
        }
        output.write_all(&[0; 3][..container::padding(at) as usize]).map_err(|error| (None, error))
    }

    /// Makes views refer to where the bytes of their buffers are now.
    fn move_views(&mut self, moved: &[Moved]) {
        for (index, view) in self.document.root.buffer_views.iter().enumerate() {
            let path = format!("bufferViews[{index}]");
            self.move_range(&path, view.buffer, view.byte_offset, moved);
            for name in MESHOPT {
                if let Ok(Some(source)) = typed_extension::<Meshopt>(&view.extensions, name) {
                    let path = format!("{path}.extensions.{name}");
                    self.move_range(&path, source.buffer, source.byte_offset, moved);
                }
            }
        }
    }

    fn move_range(&mut self, path: &str, buffer: Option<u32>, offset: Option<u64>, moved: &[Moved]) {
        let Some((old, to)) = buffer.and_then(|b| Some((b as usize, moved.get(b as usize)?))) else { return };
        if to.buffer != old {
            self.replace(&format!("{path}.buffer"), to.buffer.to_string());
        }
        let place = to.offset.saturating_add(offset.unwrap_or(0));
        if to.offset > 0 && !self.replace(&format!("{path}.byteOffset"), place.to_string()) {
            self.insert(path, format!("\"byteOffset\":{place},"));
        }
    }

    /// Moves image files and data URIs into the binary chunk; returns the views to add.
    fn embed_images(&mut self) -> Vec<Value> {
        let mut views = Vec::new();
        let document = self.document;
        for (index, image) in document.root.images.iter().enumerate() {
            let Some(uri) = &image.uri else { continue };
            let bytes = match data_uri_bytes(uri, document) {
                Ok(Some((mime, bytes))) => Some((Some(mime), bytes)),
                _ => side_file(uri).and_then(|path| {
                    let bytes = document.source.folder.read(&path, Limits::default().max_file_bytes);
                    Some((None, bytes.ok()?))
                }),
            };
            let (Some((mime, bytes)), Some((range, mut value))) =
                (bytes, self.value(&format!("images[{index}]")))
            else {
                continue;
            };
            let Some(object) = value.as_object_mut() else { continue };
            let stated = image.mime_type.as_deref().or(mime.as_deref());
            let mime = media_type(stated, &bytes).to_owned();
            object.shift_remove("uri");
            object.insert("bufferView".to_owned(), json!(document.root.buffer_views.len() + views.len()));
            object.insert("mimeType".to_owned(), json!(mime));
            self.edits.push((range, value.to_string()));
            let length = bytes.len() as u64;
            let start = self.append(length, Segment::Bytes(bytes));
            views.push(json!({ "buffer": 0, "byteOffset": start, "byteLength": length }));
        }
        views
    }

    fn add_views(&mut self, views: Vec<Value>) {
        if views.is_empty() {
            return;
        }
        let list = views.iter().map(Value::to_string).collect::<Vec<_>>().join(",");
        match self.places.exact("bufferViews") {
            Some(range) => {
                let comma = if self.document.root.buffer_views.is_empty() { "" } else { "," };
                self.edits.push((range.end - 1..range.end - 1, format!("{comma}{list}")));
            }
            None => self.insert("", format!("\"bufferViews\":[{list}],")),
        }
    }

    /// Makes the first buffer the binary chunk; buffers that could not be joined with it become data URIs, unless they
    /// have no bytes.
    fn set_buffers(&mut self, moved: &[Moved], report: &mut Report) {
        if self.bin_length == 0 && self.buffers.len() == 0 {
            return;
        }
        let found = self.value("buffers");
        let old = match &found {
            Some((_, Value::Array(list))) => list.clone(),
            _ => Vec::new(),
        };
        let mut list = vec![None; moved.iter().map(|m| m.buffer + 1).max().unwrap_or(1)];
        let mut lost = 0;
        for (index, (buffer, to)) in old.into_iter().zip(moved).enumerate() {
            match &mut list[to.buffer] {
                Some(_) => {
                    lost += usize::from(buffer.get("name").is_some() || buffer.get("extras").is_some())
                }
                free => *free = Some((index, buffer)),
            }
        }
        let message = "buffers were joined; the names and extras of all but the first are lost";
        report.loss(Loss::dropped(&codes::MERGED_BUFFERS, "", lost, message));
        let mut written = Vec::new();
        for (number, buffer) in list.into_iter().enumerate() {
            let (index, mut buffer) = buffer.unwrap_or((0, json!({})));
            let Some(members) = buffer.as_object_mut() else { continue };
            if number == 0 {
                members.shift_remove("uri");
                members.insert("byteLength".to_owned(), json!(self.bin_length));
            } else if !self.buffers.is_unstated(index) {
                let length = self.buffers.length(index).unwrap_or(0);
                let bytes = self.buffers.range(index, 0, length).unwrap_or_else(|error| {
                    self.failed(Some(index), error, report);
                    Cow::default()
                });
                members.insert("uri".to_owned(), json!(data_uri(&bytes)));
            }
            written.push(buffer);
        }
        let text = Value::Array(written).to_string();
        match found {
            Some((range, _)) => self.edits.push((range, text)),
            None => self.insert("", format!("\"buffers\":{text},")),
        }
    }
}

fn is_data(uri: &Uri) -> bool {
    matches!(uri, Uri::Text(text) if take_apart(text).is_some())
}

/// The sanitised path of a file beside the document.
pub(super) fn side_file(uri: &Uri) -> Option<String> {
    match uri {
        Uri::Text(text) if take_apart(text).is_none() => side_path(text).ok(),
        _ => None,
    }
}
