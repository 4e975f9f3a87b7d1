//! Images: whether they are there, of the type that the file says, and have a sound header.

use super::layout::{Arrays, Use};
use super::local::is_enabled;
use super::view::{List, index};
use super::{Rules, at, codes};
use crate::Limits;
use crate::formats::gltf::buffers::{Buffers, data_uri_bytes, side_path};
use crate::formats::gltf::uri::{Uri, data_uri};
use crate::io::Content;
use crate::scene::media_type;
use serde_json::Value;
use std::borrow::Cow;

pub(super) fn check<'v>(
    rules: &mut Rules<'_, '_, '_, 'v>,
    arrays: &mut Arrays<'v>,
    buffers: &Buffers<'_, '_>,
    limits: &Limits,
) {
    let root = rules.root;
    let images = List::Images.of(root);
    let types: Vec<_> = images
        .iter()
        .enumerate()
        .map(|(i, image)| {
            let found = self::image(rules, arrays, buffers, limits, image, i);
            image["mimeType"].as_str().or(found)
        })
        .collect();
    for (t, texture) in List::Textures.of(root).iter().enumerate() {
        let webp = &texture["extensions"]["EXT_texture_webp"];
        let mime = |value: &Value| types.get(index(value, "source")?).copied().flatten();
        if let Some(mime) = mime(texture).filter(|mime| !matches!(*mime, "image/jpeg" | "image/png")) {
            let message = format!("the image is {mime}; a texture's own image is image/jpeg or image/png");
            rules.error(&codes::PICTURE, at!["textures", t, "source"], message);
        }
        if let Some(mime) = mime(webp).filter(|mime| *mime != "image/webp") {
            let message = format!("the image is {mime}, not image/webp");
            let path = at!["textures", t, "extensions", "EXT_texture_webp", "source"];
            rules.error(&codes::PICTURE, path, message);
        }
    }
}

/// Where an image's bytes are.
enum Bytes<'b> {
    Content(Content<'b>),
    Buffer(usize, u64, u64),
}

struct Reader<'b> {
    bytes: Bytes<'b>,
    buffers: &'b Buffers<'b, 'b>,
}

impl Reader<'_> {
    fn get(&self, at: u64, length: u64) -> Option<Cow<'_, [u8]>> {
        match &self.bytes {
            Bytes::Content(content) => content.range(at, length).ok().filter(|b| b.len() as u64 == length),
            Bytes::Buffer(buffer, start, size) => {
                let is_within = at.checked_add(length)? <= *size;
                is_within.then(|| self.buffers.range(*buffer, start + at, length).ok()).flatten()
            }
        }
    }
}

/// Checks one image, and returns its type.
fn image<'v>(
    rules: &mut Rules<'_, '_, '_, 'v>,
    arrays: &mut Arrays<'v>,
    buffers: &Buffers<'_, '_>,
    limits: &Limits,
    image: &'v Value,
    i: usize,
) -> Option<&'static str> {
    let path = at!["images", i, if image.get("uri").is_some() { "uri" } else { "bufferView" }];
    let bytes = match (image["uri"].as_str(), index(image, "bufferView")) {
        (Some(uri), _) => file(rules, uri, limits, i)?,
        (None, Some(view)) => {
            arrays.use_view(rules, view, Use::Image, path);
            let view = (*arrays.views.get(view)?)?;
            if view.stride.is_some() {
                rules.error(&codes::LAYOUT, path, "the view of an image has no stride");
            }
            let end = view.offset.checked_add(view.length)?;
            (buffers.length(view.buffer)? >= end).then_some(Bytes::Buffer(
                view.buffer,
                view.offset,
                view.length,
            ))?
        }
        _ => return None,
    };
    // An extension may change how the image is stored.
    if image.get("extensions").is_some() {
        return None;
    }
    let reader = Reader { bytes, buffers };
    let Some(mime) = reader.get(0, 14).and_then(|head| media_type(&head)) else {
        rules.warning(&codes::PICTURE, path, "the image is of an unknown type");
        return None;
    };
    let fault = match mime {
        "image/png" => png(&reader).err(),
        "image/jpeg" => jpeg(&reader).err(),
        "image/webp" => webp(&reader).err(),
        _ => return None,
    };
    if let Some(fault) = fault {
        rules.error(&codes::PICTURE, path, format!("the {mime} image is damaged: {fault}"));
        return None;
    }
    if !is_enabled(rules, mime) {
        rules.error(
            &codes::PICTURE,
            path,
            format!("{mime} needs an extension that is not in extensionsUsed"),
        );
    }
    if let Some(stated) = image["mimeType"].as_str().filter(|stated| *stated != mime) {
        rules.error(&codes::PICTURE, path, format!("the image is {mime}, but mimeType says {stated:?}"));
    }
    Some(mime)
}

/// The bytes behind a URI. One that leads out of the folder is not followed.
fn file(rules: &mut Rules<'_, '_, '_, '_>, uri: &str, limits: &Limits, i: usize) -> Option<Bytes<'static>> {
    if data_uri(uri).is_some() {
        let (_, bytes) = data_uri_bytes(&Uri::Text(uri.to_owned()), rules.document).ok()??;
        return Some(Bytes::Content(Content::Memory(Cow::Owned(bytes))));
    }
    let name = side_path(uri).ok()?;
    match rules.document.source.folder.open(&name, limits.max_file_bytes) {
        Ok(content) => Some(Bytes::Content(content)),
        Err(error) => {
            let message = format!("cannot read {name:?}: {error}");
            rules.error(&codes::IMAGE_MISSING, at!["images", i, "uri"], message);
            None
        }
    }
}

const SHORT: &str = "it ends too early";

fn png(reader: &Reader<'_>) -> Result<(), &'static str> {
    let (mut at, mut has_header) = (8, false);
    loop {
        let head = reader.get(at, 8).ok_or(SHORT)?;
        let length = u64::from(head.first_chunk().map_or(0, |b| u32::from_be_bytes(*b)));
        let fixed = match &head[4..] {
            b"IHDR" => Some(13),
            b"cHRM" => Some(32),
            b"sRGB" => Some(1),
            b"pHYs" => Some(9),
            b"gAMA" => Some(4),
            b"IDAT" if has_header => return Ok(()),
            b"IDAT" => return Err("its pixels come before its header"),
            _ => None,
        };
        if fixed.is_some_and(|fixed| fixed != length) {
            return Err("a chunk has the wrong length");
        }
        has_header |= &head[4..] == b"IHDR";
        at += 12 + length;
    }
}

fn jpeg(reader: &Reader<'_>) -> Result<(), &'static str> {
    let mut at = 2;
    loop {
        let marker = reader.get(at, 1).ok_or(SHORT)?[0];
        at += 1;
        // Fill bytes, and markers without a segment.
        if matches!(marker, 0x01 | 0xD0..=0xD9 | 0xFF) {
            continue;
        }
        let length = reader.get(at, 2).ok_or(SHORT)?;
        let length = u64::from(length[0]) << 8 | u64::from(length[1]);
        if length < 2 {
            return Err("a segment has the wrong length");
        }
        let is_frame = (marker & 0xF0 == 0xC0 && !matches!(marker, 0xC4 | 0xC8 | 0xCC)) || marker == 0xDE;
        if is_frame {
            let frame = reader.get(at + 2, length - 2).ok_or(SHORT)?;
            return match frame.get(5) {
                Some(1 | 3) => Ok(()),
                _ => Err("it has neither 1 nor 3 channels"),
            };
        }
        at += length;
    }
}

fn webp(reader: &Reader<'_>) -> Result<(), &'static str> {
    let kind = reader.get(12, 4).ok_or(SHORT)?;
    let header = match kind.as_ref() {
        b"VP8L" => 25,
        b"VP8 " | b"VP8X" => 30,
        _ => return Err("its first chunk is unknown"),
    };
    reader.get(0, header).map(drop).ok_or(SHORT)
}
