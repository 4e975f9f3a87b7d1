//! URIs of buffers and images: relative paths (percent-encoded) and `data:` URIs.

use base64::Engine;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::ops::Range;

/// A URI in the JSON. A long `data:` URI is not copied but refers to the text.
#[derive(Debug, Clone)]
pub(super) enum Uri {
    /// The string itself.
    Text(String),
    /// The location of a data URI's string: an address while the text is being parsed, a range of the text after
    /// [`Uri::settle`].
    InText(Range<usize>),
}

const LONG: usize = 256;

impl<'de> Deserialize<'de> for Uri {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Uri;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a URI string")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Uri, E> {
                if text.len() < LONG || !text.starts_with("data:") {
                    return Ok(Uri::Text(text.to_owned()));
                }
                let address = text.as_ptr() as usize;
                Ok(Uri::InText(address..address + text.len()))
            }

            fn visit_str<E>(self, text: &str) -> Result<Uri, E> {
                Ok(Uri::Text(text.to_owned()))
            }
        }
        deserializer.deserialize_str(Visitor)
    }
}

impl Serialize for Uri {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Uri::Text(text) => serializer.serialize_str(text),
            Uri::InText(_) => Err(serde::ser::Error::custom("only documents that were read hold such URIs")),
        }
    }
}

impl Uri {
    /// Converts the address to a range of the parsed text.
    pub fn settle(&mut self, text: &[u8]) {
        if let Uri::InText(range) = self {
            let base = text.as_ptr() as usize;
            *range = range.start.wrapping_sub(base)..range.end.wrapping_sub(base);
        }
    }
}

/// The parts of a `data:` URI.
pub(super) struct DataUri<'t> {
    pub mime: &'t str,
    /// Offset of the payload in the URI.
    pub payload: usize,
    pub is_base64: bool,
}

/// Splits a `data:` URI; `None` if it is not one or has no comma.
pub(super) fn data_uri(uri: &str) -> Option<DataUri<'_>> {
    let rest = uri.strip_prefix("data:")?;
    let comma = rest.find(',')?;
    let head = &rest[..comma];
    let (mime, is_base64) = match head.strip_suffix(";base64") {
        Some(mime) => (mime, true),
        None => (head, false),
    };
    let mime = mime.split(';').next().unwrap_or("");
    Some(DataUri { mime, payload: "data:".len() + comma + 1, is_base64 })
}

/// Decodes base64 with or without padding; `None` if it is not base64.
pub(super) fn decode_base64(text: &[u8]) -> Option<Vec<u8>> {
    use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
    const LENIENT: GeneralPurpose = GeneralPurpose::new(
        &base64::alphabet::STANDARD,
        GeneralPurposeConfig::new()
            .with_decode_padding_mode(DecodePaddingMode::Indifferent)
            .with_decode_allow_trailing_bits(true),
    );
    LENIENT.decode(text).ok()
}

/// Replaces `%41` by `A`; `None` if the result is not UTF-8. A stray `%` stays.
pub(in crate::formats) fn percent_decode(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let hex = |i: usize| bytes.get(i).and_then(|&b| char::from(b).to_digit(16));
        match (byte, hex(at + 1), hex(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                out.push((high * 16 + low) as u8);
                at += 3;
            }
            _ => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8(out).ok()
}

/// Encodes a relative path as a URI: everything except unreserved characters and `/` becomes `%xx`.
pub(in crate::formats) fn percent_encode(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for &byte in path.as_bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~/".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percent_encoding_comes_back() {
        for path in ["skin.png", "a b/ü%20#?.bin", "c:d"] {
            let uri = percent_encode(path);
            assert!(uri.bytes().all(|b| b.is_ascii_graphic()), "{uri}");
            assert_eq!(percent_decode(&uri).as_deref(), Some(path));
        }
        assert_eq!(percent_decode("100%"), Some("100%".to_owned()));
        assert_eq!(percent_decode("%FF"), None);
    }

    #[test]
    fn base64_with_and_without_padding() {
        for text in ["AAEC", "AAECAw==", "AAECAw"] {
            let bytes = decode_base64(text.as_bytes()).expect("base64");
            assert!((3..=4).contains(&bytes.len()));
            assert!(bytes.iter().enumerate().all(|(i, &b)| usize::from(b) == i));
        }
        assert!(decode_base64(b"A*==").is_none());
    }
}
