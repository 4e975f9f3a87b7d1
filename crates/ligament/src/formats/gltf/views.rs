//! Buffer views: ranges of buffers, plain or compressed.

use super::MESHOPT;
use super::buffers::Buffers;
use super::import::Import;
use super::meshopt::{Filter, Mode, Stream};
use super::{codes, json};
use std::borrow::Cow;
use std::fmt::Display;
use std::io;
use std::sync::Arc;

/// Where bytes are.
#[derive(Debug, Clone)]
pub(super) enum Store {
    Buffer(usize),
    /// Decoded from a compressed stream.
    Decoded(Arc<[u8]>),
}

impl Store {
    /// A range within the length that was checked, borrowed if it is in memory.
    pub fn range<'b>(
        &'b self,
        buffers: &'b Buffers<'_, '_>,
        offset: u64,
        length: u64,
    ) -> io::Result<Cow<'b, [u8]>> {
        match self {
            Store::Buffer(buffer) => buffers.range(*buffer, offset, length),
            Store::Decoded(bytes) => within(bytes, offset, length).map(Cow::Borrowed),
        }
    }

    pub fn read_into(&self, buffers: &Buffers<'_, '_>, offset: u64, out: &mut [u8]) -> io::Result<()> {
        match self {
            Store::Buffer(buffer) => buffers.read_into(*buffer, offset, out),
            Store::Decoded(bytes) => {
                out.copy_from_slice(within(bytes, offset, out.len() as u64)?);
                Ok(())
            }
        }
    }

    pub fn in_memory<'b>(
        &'b self,
        buffers: &'b Buffers<'_, '_>,
        offset: u64,
        length: u64,
    ) -> Option<&'b [u8]> {
        match self {
            Store::Buffer(buffer) => buffers.in_memory(*buffer, offset, length),
            Store::Decoded(bytes) => within(bytes, offset, length).ok(),
        }
    }
}

fn within(bytes: &[u8], offset: u64, length: u64) -> io::Result<&[u8]> {
    let range =
        usize::try_from(offset).ok().zip(offset.checked_add(length).and_then(|e| usize::try_from(e).ok()));
    range.and_then(|(start, end)| bytes.get(start..end)).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
}

/// A buffer view, checked to lie within its buffer.
#[derive(Debug, Clone)]
pub(super) struct View {
    pub store: Store,
    pub start: u64,
    pub length: u64,
    pub stride: Option<u64>,
}

impl Import<'_, '_, '_> {
    /// The bytes of a buffer view that `user` refers to.
    pub fn view(&mut self, index: u32, user: impl Display) -> Option<View> {
        let root = self.root;
        let Some(view) = root.buffer_views.get(index as usize) else {
            let message = format!("there is no buffer view {index}");
            return self.fault(&codes::INDEX, user, message);
        };
        let path = format!("bufferViews[{index}]");
        if let Some(stride) = view.byte_stride.filter(|s| !(1..=255).contains(s)) {
            let message = format!("a stride of {stride} is outside 4 to 252");
            return self.fault(&codes::ACCESSOR, format_args!("{path}.byteStride"), message);
        }
        let stride = view.byte_stride;
        let compressed = MESHOPT.iter().find(|name| json::extension(&view.extensions, name).is_some());
        // Where the extension is optional, a buffer for programs without it may have the same bytes uncompressed.
        let has_plain_data = |name: &str| {
            !self.required.contains(name)
                && view.buffer.is_some_and(|buffer| self.buffers.is_there(buffer as usize))
        };
        if let Some(name) = compressed.filter(|name| !has_plain_data(name)) {
            let decoded = match self.decoded_views.get(&index) {
                Some(known) => known.clone(),
                None => {
                    let decoded = self.decompress(view, &format!("{path}.extensions.{name}"), name);
                    self.decoded_views.insert(index, decoded.clone());
                    decoded
                }
            }?;
            return Some(View {
                length: decoded.len() as u64,
                store: Store::Decoded(decoded),
                start: 0,
                stride,
            });
        }
        let (buffer, start, length) = self.extent(view.buffer, view.byte_offset, view.byte_length, &path)?;
        Some(View { store: Store::Buffer(buffer), start, length, stride })
    }

    /// A range of a buffer, if it lies within it.
    fn extent(
        &mut self,
        buffer: Option<u32>,
        offset: Option<u64>,
        length: Option<u64>,
        path: &str,
    ) -> Option<(usize, u64, u64)> {
        let buffer = buffer.map_or(usize::MAX, |b| b as usize);
        let Some(available) = self.buffers.length(buffer) else {
            return self.fault(&codes::INDEX, format_args!("{path}.buffer"), "there is no such buffer");
        };
        if self.buffers.is_unstated(buffer) && self.unstated.insert(buffer) {
            let message = "the buffer has no uri, and the file has no binary chunk for it";
            return self.fault(&codes::BUFFER, format_args!("buffers[{buffer}]"), message);
        }
        if !self.buffers.is_there(buffer) {
            return None;
        }
        let start = offset.unwrap_or(0);
        // In glTF 1.0, a view's length is optional.
        let rest = if self.document.first.is_some() { available.saturating_sub(start) } else { 0 };
        let length = length.unwrap_or(rest);
        if start.checked_add(length).is_none_or(|end| end > available) {
            let buffer = self.places.name(&format!("buffers[{buffer}]"));
            let message =
                format!("{length} bytes from byte {start} reach past the {available} bytes of {buffer}");
            return self.fault(&codes::ACCESSOR, path, message);
        }
        Some((buffer, start, length))
    }

    /// Decodes a view that meshopt compressed.
    fn decompress(&mut self, view: &json::BufferView, path: &str, name: &str) -> Option<Arc<[u8]>> {
        let source = match json::typed_extension::<json::Meshopt>(&view.extensions, name) {
            Ok(source) => source.unwrap_or_default(),
            Err(error) => return self.fault(&codes::JSON, path, error.to_string()),
        };
        let Some(mode) = Mode::from_name(&source.mode) else {
            let message = "mode must be ATTRIBUTES, TRIANGLES or INDICES";
            return self.fault(&codes::COMPRESSED, format_args!("{path}.mode"), message);
        };
        let Some(filter) = Filter::from_name(source.filter.as_deref().unwrap_or("NONE")) else {
            let message = "filter must be NONE, OCTAHEDRAL, QUATERNION, EXPONENTIAL or COLOR";
            return self.fault(&codes::COMPRESSED, format_args!("{path}.filter"), message);
        };
        let number = |value: Option<u64>| value.and_then(|v| u32::try_from(v).ok()).map_or(0, |v| v as usize);
        let (count, stride) = (number(source.count), number(source.byte_stride));
        if count == 0 || stride == 0 {
            let message = "count and byteStride must be at least 1 and below 2^32";
            return self.fault(&codes::COMPRESSED, path, message);
        }
        let decoded = (count as u64).saturating_mul(stride as u64);
        if view.byte_length.is_some_and(|length| length != decoded) {
            let stated = view.byte_length.unwrap_or(0);
            let message = format!(
                "{count} elements of {stride} bytes are decoded, but the view's byteLength is {stated}"
            );
            self.warning(&codes::DECODED, path, message);
        }
        let (buffer, start, length) =
            self.extent(source.buffer, source.byte_offset, source.byte_length, path)?;
        self.spend_decoded(decoded, path)?;
        let buffers = self.buffers;
        let bytes = match buffers.range(buffer, start, length) {
            Ok(bytes) => bytes,
            Err(error) => {
                super::buffers::failed_read(self.places.of(path), &error, self.report);
                return None;
            }
        };
        match (Stream { mode, filter, count, stride, bytes: &bytes }).decode() {
            Ok(decoded) => Some(decoded.into()),
            Err(why) => self.fault(&codes::COMPRESSED, path, why),
        }
    }
}
