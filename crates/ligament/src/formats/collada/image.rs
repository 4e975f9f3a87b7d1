//! `<image>`: files beside the model, files on the author's disk, and embedded images.

use super::archive::Archive;
use super::codes;
use super::import::Import;
use super::xml::{Xml, child, label, name, tag, text, word};
use crate::formats::gltf::uri::percent_decode;
use crate::io::{Folder, safe_relative};
use crate::scene::{Extras, Image, ImageData, ImageId};

/// Where images are looked up.
pub(super) struct Pictures<'r> {
    pub folder: &'r dyn Folder,
    /// The archive that contains the model, and the model's folder in it.
    pub archive: Option<(&'r Archive<'r>, &'r str)>,
}

impl<'d> Import<'d, '_> {
    /// The image of an `<image>` element; `None` if it has none.
    pub(super) fn image(&mut self, image: Xml<'d>) -> Option<ImageId> {
        self.once(
            image,
            |import| &mut import.surfaces.images,
            |import, image| {
                let data = if tag(image) == "image" { import.image_data(image)? } else { return None };
                import.scene.images.push(Image { name: name(image).to_owned(), data, extras: Extras::new() });
                Some(ImageId::new(import.scene.images.len() - 1))
            },
        )
    }

    fn image_data(&mut self, image: Xml<'d>) -> Option<ImageData> {
        let from = child(image, "init_from");
        let hex = child(image, "data").or_else(|| from.and_then(|f| child(f, "hex")));
        if let Some(hex) = hex {
            let format = hex.attribute("format").or(image.attribute("format")).unwrap_or("");
            return self.hex_image(hex, format);
        }
        let uri = from.map(|from| child(from, "ref").map_or_else(|| word(from), word));
        let Some((from, uri)) = from.zip(uri).filter(|(_, uri)| !uri.is_empty()) else {
            self.warning(&codes::IMAGE, image, format!("{} names no file", label(image)));
            return None;
        };
        self.file(from, &uri)
    }

    fn hex_image(&mut self, hex: Xml<'d>, format: &str) -> Option<ImageData> {
        let text = text(hex);
        let digits = text.bytes().filter(|b| !b.is_ascii_whitespace());
        let digits: Option<Vec<u8>> = digits.map(|b| char::from(b).to_digit(16).map(|d| d as u8)).collect();
        let bytes: Option<Vec<u8>> = digits
            .map(|d| d.chunks(2).map(|pair| pair[0] << 4 | pair.get(1).copied().unwrap_or(0)).collect());
        match bytes.filter(|b| !b.is_empty()) {
            Some(bytes) => Some(embedded(bytes, format)),
            None => {
                self.warning(&codes::IMAGE, hex, "the image data is not hexadecimal");
                None
            }
        }
    }

    /// Finds an image's file: the one that the URI names, or one of the same name beside the model.
    fn file(&mut self, from: Xml<'d>, uri: &str) -> Option<ImageData> {
        let decoded = percent_decode(uri).unwrap_or_else(|| uri.to_owned()).replace('\\', "/");
        let local = local_path(&decoded);
        let (path, refusal) = match safe_relative(local) {
            Ok(path) => (path, None),
            Err(why) => (safe_relative(local.rsplit('/').next().unwrap_or("")).ok()?, Some(why)),
        };
        if let Some(found) = self.archived(&path) {
            return Some(found);
        }
        match (refusal, self.pictures.folder.contains(&path)) {
            (None, true) => {}
            (None, false) => {
                let message = format!("{path:?} was not found; the reference is kept");
                self.warning(&codes::IMAGE_MISSING, from, message);
            }
            (Some(why), true) => {
                let message = format!("{uri:?}: {why}; the file of that name beside the model is used");
                self.warning(&codes::IMAGE, from, message);
            }
            (Some(why), false) => {
                let then = "there is no file of that name beside the model either";
                self.warning(&codes::IMAGE_MISSING, from, format!("{uri:?}: {why}; {then}"));
            }
        }
        Some(ImageData::File(path))
    }

    fn archived(&mut self, path: &str) -> Option<ImageData> {
        let (archive, folder) = self.pictures.archive?;
        let beside = match folder {
            "" => None,
            folder => archive.read(&format!("{folder}/{path}"), self.report),
        };
        let bytes = beside.or_else(|| archive.read(path, self.report))?;
        Some(embedded(bytes, path))
    }
}

/// Removes the `file` scheme of a URI. `file:///C:/x.png` becomes `C:/x.png` and stays absolute.
fn local_path(uri: &str) -> &str {
    let Some(rest) = uri.strip_prefix("file:") else { return uri };
    let rest = match rest.strip_prefix("//") {
        // The host name is between the second slash and the next.
        Some(rest) => rest.find('/').map_or(rest, |slash| if slash == 0 { rest } else { &rest[slash..] }),
        None => rest,
    };
    let bytes = rest.as_bytes();
    if bytes.len() > 2 && bytes[0] == b'/' && bytes[1].is_ascii_alphabetic() && bytes[2] == b':' {
        &rest[1..]
    } else {
        rest
    }
}

/// An embedded image. Its type is detected from its bytes, otherwise from the file extension or format name.
fn embedded(bytes: Vec<u8>, name: &str) -> ImageData {
    let by_name = match name.rsplit('.').next().map(str::to_ascii_lowercase).as_deref() {
        Some("jpg" | "jpeg") => "image/jpeg",
        Some("tga") => "image/x-tga",
        Some("bmp") => "image/bmp",
        Some("gif") => "image/gif",
        Some("tif" | "tiff") => "image/tiff",
        Some("dds") => "image/vnd-ms.dds",
        _ => "image/png",
    };
    let mime = crate::scene::media_type(&bytes).unwrap_or(by_name).to_owned();
    ImageData::Embedded { mime, bytes: bytes.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_uris_become_paths() {
        for (uri, path) in [
            ("duck.png", "duck.png"),
            ("file:///C:/art/duck.png", "C:/art/duck.png"),
            ("file:///home/art/duck.png", "/home/art/duck.png"),
            ("file://host/art/duck.png", "/art/duck.png"),
            ("file://duck.png", "duck.png"),
            ("file:duck.png", "duck.png"),
        ] {
            assert_eq!(local_path(uri), path, "{uri}");
        }
    }
}
