//! The bytes behind a document's buffers, read range by range, so that a large file is never in memory together with
//! the scene made from it.

use super::document::Document;
use super::locate::Places;
use super::uri::{self, Uri};
use super::{codes, json};
use crate::Limits;
use crate::io::{self as files, Content, Source, safe_relative};
use crate::report::{Place, Report};
use std::borrow::Cow;
use std::collections::HashSet;
use std::io::{self, Write};
use std::ops::Range;

/// Location of a buffer's bytes.
enum Data {
    /// At this offset of the main file (a GLB's binary chunk).
    Main(u64),
    /// As base64 in the main file: offset and number of characters.
    Base64(u64, u64),
    /// In a side file or in memory.
    Apart(Content<'static>),
    /// Nowhere; this was reported when the buffer was opened.
    Missing,
    /// Nowhere, as the file itself says: it states no URI, or one on the network. That is a fault only if something
    /// reads it.
    Unstated,
}

/// A buffer and its length, or the name of the wrong field and a message.
type Found = Result<(Data, u64), Problem>;

/// The field below the buffer, and what is wrong with it.
type Problem = (&'static str, String);

/// All buffers of a document.
pub(super) struct Buffers<'s, 'a> {
    source: &'s Source<'a>,
    data: Vec<(Data, u64)>,
    /// Total bytes of the main file and all side files: the measure for memory limits.
    pub present: u64,
}

impl<'s, 'a> Buffers<'s, 'a> {
    /// Opens every buffer. A missing, unsafe or too short buffer is an error.
    pub fn open(
        document: &'s Document<'a>,
        places: &Places<'_, '_>,
        limits: &Limits,
        report: &mut Report,
    ) -> Self {
        let source = &document.source;
        let mut buffers = Self { source, data: Vec::new(), present: source.content.len() };
        let used: HashSet<_> = document.root.buffer_views.iter().filter_map(|view| view.buffer).collect();
        for (index, buffer) in document.root.buffers.iter().enumerate() {
            let path = format_args!("buffers[{index}]");
            let is_used = u32::try_from(index).is_ok_and(|index| used.contains(&index));
            let found = match &buffer.uri {
                Some(uri) if is_remote(uri) && !is_used => Ok((Data::Unstated, 0)),
                _ => buffers.find(document, index, buffer, limits),
            };
            let data = found.unwrap_or_else(|(field, problem)| {
                let is_pointer = problem.ends_with(files::git_lfs::MESSAGE);
                let code = if is_pointer { &files::codes::GIT_LFS_POINTER } else { &codes::BUFFER };
                report.error(code, places.of(&format!("{path}{field}")), problem);
                (Data::Missing, 0)
            });
            // In glTF 1.0, a buffer's length is optional.
            let unstated = if document.first.is_some() { data.1 } else { 0 };
            let claimed = buffer.byte_length.unwrap_or(unstated);
            if !matches!(data.0, Data::Missing | Data::Unstated) && data.1 < claimed {
                let message = format!("the buffer has {} bytes, but byteLength says {claimed}", data.1);
                report.error(&codes::BUFFER, places.of(&format!("{path}.byteLength")), message);
            }
            buffers.data.push((data.0, data.1.min(claimed)));
        }
        buffers
    }

    fn find(
        &mut self,
        document: &Document<'a>,
        index: usize,
        buffer: &json::Buffer,
        limits: &Limits,
    ) -> Found {
        let Some(uri) = &buffer.uri else {
            return match &document.glb_bin {
                Some(range) if document.bin_buffer == Some(index) => {
                    Ok((Data::Main(range.start), range.end - range.start))
                }
                _ => Ok((Data::Unstated, 0)),
            };
        };
        let content = match uri {
            Uri::InText(range) => return self.in_text(document.json.start, range),
            Uri::Text(text) => match uri::data_uri(text) {
                Some(data) => {
                    let bytes = decode(&data, text).ok_or((".uri", BAD_DATA.to_owned()))?;
                    Content::Memory(Cow::Owned(bytes))
                }
                None => self.side_file(text, limits).map_err(|problem| (".uri", problem))?,
            },
        };
        let length = content.len();
        self.present = self.present.saturating_add(length);
        Ok((Data::Apart(content), length))
    }

    fn in_text(&self, base: u64, range: &Range<usize>) -> Found {
        let bad = || (".uri", BAD_DATA.to_owned());
        let (start, length) = (base + range.start as u64, range.len() as u64);
        let head = self.source.content.range(start, length.min(200)).map_err(|_| bad())?;
        let head = String::from_utf8_lossy(&head);
        let data = uri::data_uri(&head).ok_or_else(bad)?;
        let (start, length) = (start + data.payload as u64, length - data.payload as u64);
        if !data.is_base64 {
            return Err(bad());
        }
        let tail = self.source.content.range(start + length - length.min(2), length.min(2));
        let tail = tail.map_err(|_| bad())?;
        let padding = tail.iter().filter(|&&b| b == b'=').count() as u64;
        Ok((Data::Base64(start, length), (length - padding) * 3 / 4))
    }

    fn side_file(&self, uri: &str, limits: &Limits) -> Result<Content<'static>, String> {
        let path = side_path(uri)?;
        self.source
            .folder
            .open(&path, limits.max_file_bytes)
            .map_err(|e| format!("cannot read {path:?}: {e}"))
    }

    /// The number of buffers.
    pub fn len(&self) -> usize {
        self.data.len()
    }

    /// The usable length of a buffer; `None` if there is no such buffer.
    pub fn length(&self, buffer: usize) -> Option<u64> {
        self.data.get(buffer).map(|d| d.1)
    }

    /// Whether the buffer's bytes were found.
    pub fn is_there(&self, buffer: usize) -> bool {
        self.data.get(buffer).is_some_and(|d| !matches!(d.0, Data::Missing | Data::Unstated))
    }

    /// Whether the file does not say where the buffer's bytes are.
    pub fn is_unstated(&self, buffer: usize) -> bool {
        self.data.get(buffer).is_some_and(|d| matches!(d.0, Data::Unstated))
    }

    /// The content that holds a buffer, and the offset in it; `None` if the buffer is encoded or missing.
    fn located(&self, buffer: usize, offset: u64) -> Option<(&Content<'_>, u64)> {
        match &self.data.get(buffer)?.0 {
            Data::Main(start) => Some((&self.source.content, start + offset)),
            Data::Apart(content) => Some((content, offset)),
            Data::Base64(..) | Data::Missing | Data::Unstated => None,
        }
    }

    /// Fills `out` from a range within the buffer's [`length`](Self::length).
    pub fn read_into(&self, buffer: usize, offset: u64, out: &mut [u8]) -> io::Result<()> {
        if let Some((content, at)) = self.located(buffer, offset) {
            return content.read_into(at, out);
        }
        let Some((Data::Base64(start, length), _)) = self.data.get(buffer) else {
            return Err(io::ErrorKind::NotFound.into());
        };
        // Three bytes are encoded as four characters, so any range can be decoded on its own, block by block.
        const BLOCK: usize = 3 << 16;
        let mut at = offset;
        for block in out.chunks_mut(BLOCK) {
            let first = at / 3 * 4;
            let last = ((at + block.len() as u64).div_ceil(3) * 4).min(*length);
            let text = self.source.content.range(start + first, last.saturating_sub(first))?;
            let bytes = uri::decode_base64(&text)
                .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, BAD_DATA))?;
            let skip = (at % 3) as usize;
            let part = bytes.get(skip..skip + block.len());
            block.copy_from_slice(part.ok_or(io::ErrorKind::UnexpectedEof)?);
            at += block.len() as u64;
        }
        Ok(())
    }

    /// Writes the usable part of a buffer, block by block.
    pub fn copy_to(&self, buffer: usize, output: &mut dyn Write) -> io::Result<()> {
        const BLOCK: u64 = 1 << 20;
        let length = self.length(buffer).unwrap_or(0);
        for at in (0..length).step_by(BLOCK as usize) {
            output.write_all(&self.range(buffer, at, BLOCK.min(length - at))?)?;
        }
        Ok(())
    }

    /// A range within the buffer's length, if it is in memory.
    pub fn in_memory(&self, buffer: usize, offset: u64, length: u64) -> Option<&[u8]> {
        let (Content::Memory(bytes), start) = self.located(buffer, offset)? else { return None };
        bytes.get(start as usize..(start + length) as usize)
    }

    /// A range within the buffer's length, borrowed if it is in memory.
    pub fn range(&self, buffer: usize, offset: u64, length: u64) -> io::Result<Cow<'_, [u8]>> {
        if let Some((content, at)) = self.located(buffer, offset) {
            return content.range(at, length);
        }
        let mut bytes = vec![0; length as usize];
        self.read_into(buffer, offset, &mut bytes)?;
        Ok(Cow::Owned(bytes))
    }
}

/// Whether a URI leads to the network.
fn is_remote(uri: &Uri) -> bool {
    matches!(uri, Uri::Text(text) if text.starts_with("http://") || text.starts_with("https://"))
}

pub(super) const BAD_DATA: &str = "the data URI is not base64";

fn decode(data: &uri::DataUri<'_>, text: &str) -> Option<Vec<u8>> {
    if data.is_base64 {
        uri::decode_base64(&text.as_bytes()[data.payload..])
    } else {
        uri::percent_decode(&text[data.payload..]).map(String::into_bytes)
    }
}

/// The sanitised path of a URI to a side file; `Err` says why it is refused.
pub(super) fn side_path(uri: &str) -> Result<String, String> {
    let decoded = uri::percent_decode(uri).ok_or_else(|| format!("the URI {uri:?} is not UTF-8"))?;
    // Also checked before decoding: percent-encoding must neither hide `..%2f` or a scheme, nor create one.
    safe_relative(uri)
        .and_then(|_| safe_relative(&decoded))
        .map_err(|why| format!("{uri:?} is refused: {why}"))
}

/// The bytes and media type of a data URI; `Err` says what is wrong with it.
pub(super) fn data_uri_bytes(
    uri: &Uri,
    document: &Document<'_>,
) -> Result<Option<(String, Vec<u8>)>, String> {
    let text = match uri {
        Uri::Text(text) => Cow::Borrowed(text.as_str()),
        Uri::InText(range) => {
            let start = document.json.start + range.start as u64;
            let bytes = document.source.content.range(start, range.len() as u64);
            Cow::Owned(String::from_utf8_lossy(&bytes.map_err(|e| e.to_string())?).into_owned())
        }
    };
    let Some(data) = uri::data_uri(&text) else { return Ok(None) };
    let bytes = decode(&data, &text).ok_or_else(|| BAD_DATA.to_owned())?;
    Ok(Some((data.mime.to_owned(), bytes)))
}

/// Reports a read error in the middle of a file.
pub(super) fn failed_read(place: Place, error: &io::Error, report: &mut Report) {
    report.error(&codes::BUFFER, place, format!("cannot read: {error}"));
}
