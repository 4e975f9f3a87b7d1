//! The header of binary files.
//!
//! | bytes | content |
//! |---|---|
//! | 0–16 | `BINAPGv27DEC2014` and a NUL |
//! | 17–24 | `LIGAMENT`; files of the original converter have garbage from here on |
//! | 25 | version of the layout: 1 |
//! | 26 | bits for sections that are only placeholders; see the constants here |
//! | 27 | bones per vertex; 0 and 1 both mean one |
//! | 28–31 | zero |
//! | 32–255 | the first line of the text form without its `@`, if it is not the default, padded with zeros |

use super::document::{Document, HEADER};
use crate::text::RawText;

/// The start of every binary file that ligament writes.
const START: &[u8; 26] = b"BINAPGv27DEC2014\0LIGAMENT\x01";

/// Length of the header.
pub(super) const LENGTH: usize = 256;

const MARKER: std::ops::Range<usize> = 17..25;
const VERSION: usize = 25;
const FILLERS: usize = 26;
const BONES: usize = 27;
const TEXT: usize = 32;

/// Normals are placeholder zeros.
pub(super) const NO_NORMALS: u8 = 1;
/// Texture coordinates are placeholders.
pub(super) const NO_UVS: u8 = 2;
/// Bones are placeholders.
pub(super) const NO_BONES: u8 = 4;
/// Weights are placeholder ones, which the text form omits.
pub(super) const NO_WEIGHTS: u8 = 8;
/// The root transform is a placeholder identity.
pub(super) const NO_ROOT: u8 = 16;
/// The offset matrices are placeholders.
pub(super) const NO_OFFSETS: u8 = 32;
/// The bounding radius is a placeholder 0.
pub(super) const NO_RADIUS: u8 = 64;
/// The text form has no first line at all.
pub(super) const NO_HEADER: u8 = 128;

/// The content of a header written by ligament.
pub(super) struct Header {
    pub fillers: u8,
    pub bones_per_vertex: usize,
    pub text: RawText,
}

/// The kind of header found.
pub(super) enum Found {
    /// The file is the original converter's.
    Historical,
    /// An unknown version of ligament's layout.
    Version(u8),
    Ours(Header),
}

pub(super) fn parse(bytes: &[u8; LENGTH]) -> Found {
    if bytes[MARKER] != START[MARKER] {
        return Found::Historical;
    }
    if bytes[VERSION] != START[VERSION] {
        return Found::Version(bytes[VERSION]);
    }
    let text = &bytes[TEXT..];
    let text = &text[..text.iter().rposition(|&b| b != 0).map_or(0, |last| last + 1)];
    let text = match text {
        _ if bytes[FILLERS] & NO_HEADER != 0 => RawText::default(),
        [] => HEADER.into(),
        text => text.into(),
    };
    Found::Ours(Header { fillers: bytes[FILLERS], bones_per_vertex: usize::from(bytes[BONES].max(1)), text })
}

impl Document {
    /// Whether the binary form can hold the whole document.
    pub(super) fn fits_binary(&self) -> bool {
        self.vertices.colors.is_empty()
            && self.unknown.is_empty()
            && self.header.as_bytes().len() <= LENGTH - TEXT
            && !self.header.as_bytes().contains(&0)
    }

    /// The 256-byte header for a document. A header text that does not fit is replaced by the reader's default.
    pub(super) fn binary_header(&self) -> [u8; LENGTH] {
        let mut bytes = [0; LENGTH];
        bytes[..START.len()].copy_from_slice(START);
        let vertices = &self.vertices;
        let fillers = [
            (vertices.normals.is_empty(), NO_NORMALS),
            (vertices.uvs.is_empty(), NO_UVS),
            (vertices.bones.is_empty(), NO_BONES),
            (vertices.weights.is_empty(), NO_WEIGHTS),
            (self.root_transform.is_none(), NO_ROOT),
            (self.offsets.is_empty(), NO_OFFSETS),
            (self.bounding_radius.is_none(), NO_RADIUS),
            (self.header.is_empty(), NO_HEADER),
        ];
        bytes[FILLERS] = fillers.iter().filter(|(absent, _)| *absent).map(|(_, bit)| bit).sum();
        bytes[BONES] = vertices.bones_per_vertex as u8;
        let text = self.header.as_bytes();
        if text != HEADER.as_bytes()
            && let Some(space) = bytes[TEXT..].get_mut(..text.len())
        {
            space.copy_from_slice(text);
        }
        bytes
    }
}
