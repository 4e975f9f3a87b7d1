//! GLB: a 12-byte header, a JSON chunk, and a binary chunk. Version 1 has a 20-byte header, JSON and a body.

use super::codes;
use crate::io::Source;
use crate::report::{Failure, Place, Report};
use std::io::{self, Write};
use std::ops::Range;

pub(super) const MAGIC: &[u8; 4] = b"glTF";
const JSON: u32 = u32::from_le_bytes(*b"JSON");
const BIN: u32 = u32::from_le_bytes(*b"BIN\0");

/// Location of a GLB's chunks in the file.
#[derive(Debug, Clone)]
pub(super) struct Glb {
    pub json: Range<u64>,
    pub bin: Option<Range<u64>>,
    /// Whether the container is that of glTF 1.0.
    pub is_first: bool,
}

fn word(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at + 4).and_then(|b| b.try_into().ok()).map_or(0, u32::from_le_bytes)
}

/// Locates the chunks; every length is checked against the file.
pub(super) fn read(source: &Source<'_>, report: &mut Report) -> Result<Glb, Failure> {
    let length = source.content.len();
    if length < 12 {
        let message = format!("a GLB header has 12 bytes, but the file has {length}");
        return Err(report.invalid(&codes::GLB, Place::binary(length, "header"), message));
    }
    let header = source.range(0, 12, report)?;
    let (version, claimed) = (word(&header, 4), u64::from(word(&header, 8)));
    if &header[..4] != MAGIC {
        return Err(report.invalid(&codes::GLB, Place::binary(0, "header.magic"), "expected `glTF`"));
    }
    if !matches!(version, 1 | 2) {
        let place = Place::binary(4, "header.version");
        return Err(super::read::wrong_version(&format!("{version}.0"), place, report));
    }
    if claimed > length || claimed < 12 {
        let message = format!("the header says {claimed} bytes, but the file has {length}");
        return Err(report.invalid(&codes::GLB, Place::binary(8, "header.length"), message));
    }
    if claimed < length {
        let message = format!("{} bytes past the length stated in the header are ignored", length - claimed);
        report.warning(&codes::EXTRA_DATA, Place::binary(claimed, "header.length"), message);
    }
    if version == 1 { content(source, claimed, report) } else { chunks(source, claimed, report) }
}

/// Reads the rest of a version 1 file: the length and type of the JSON, the JSON, and the body.
fn content(source: &Source<'_>, end: u64, report: &mut Report) -> Result<Glb, Failure> {
    const HEADER: u64 = 20;
    if end < HEADER {
        let message = format!("a header of version 1 has {HEADER} bytes, but the file has {end}");
        return Err(report.invalid(&codes::GLB, Place::binary(12, "header.contentLength"), message));
    }
    let header = source.range(12, 8, report)?;
    let (length, format) = (u64::from(word(&header, 0)), word(&header, 4));
    if format != 0 {
        let message = format!("unknown content format {format}; expected 0 (JSON)");
        return Err(report.invalid(&codes::GLB, Place::binary(16, "header.contentFormat"), message));
    }
    if length > end - HEADER {
        let message =
            format!("the header says that the JSON has {length} bytes, but {} remain", end - HEADER);
        return Err(report.invalid(&codes::GLB, Place::binary(12, "header.contentLength"), message));
    }
    let json = HEADER..HEADER + length;
    Ok(Glb { bin: Some(json.end..end), json, is_first: true })
}

fn chunks(source: &Source<'_>, end: u64, report: &mut Report) -> Result<Glb, Failure> {
    let (mut json, mut bin) = (None, None);
    let mut at = 12;
    let mut index = 0;
    while at < end {
        let field = format!("chunks[{index}]");
        if end - at < 8 {
            let message = format!("a chunk header has 8 bytes, but {} remain", end - at);
            return Err(report.invalid(&codes::GLB, Place::binary(at, field), message));
        }
        let header = source.range(at, 8, report)?;
        let (length, kind) = (u64::from(word(&header, 0)), word(&header, 4));
        let start = at + 8;
        if length > end - start {
            let message = format!("the chunk's header says {length} bytes, but {} remain", end - start);
            return Err(report.invalid(&codes::GLB, Place::binary(at, format!("{field}.length")), message));
        }
        let range = start..start + length;
        match (index, kind) {
            (0, JSON) => json = Some(range),
            (0, _) => {
                let message = "the first chunk must be JSON";
                return Err(report.invalid(&codes::GLB, Place::binary(at + 4, "chunks[0].type"), message));
            }
            (1, BIN) => bin = Some(range),
            _ => {
                let message = format!("a chunk of unknown type 0x{kind:08X} is ignored");
                report.warning(&codes::EXTRA_DATA, Place::binary(at + 4, format!("{field}.type")), message);
            }
        }
        at = start + length;
        index += 1;
    }
    match json {
        Some(json) => Ok(Glb { json, bin, is_first: false }),
        None => Err(report.invalid(&codes::GLB, Place::binary(12, "chunks"), "there is no JSON chunk")),
    }
}

/// The number of bytes that pad a length to a multiple of four.
pub(super) fn padding(length: u64) -> u64 {
    length.wrapping_neg() & 3
}

/// Writes the header and the JSON chunk, then the header of a binary chunk of `bin` bytes, whose content and zero
/// [`padding`] the caller writes next. `None` if the file would exceed GLB's 32-bit length.
pub(super) fn write_head(output: &mut dyn Write, json: &[u8], bin: u64) -> Option<io::Result<()>> {
    let json_length = json.len() as u64 + padding(json.len() as u64);
    let bin_length = bin.checked_add(padding(bin))?;
    let with_header = if bin == 0 { 0 } else { bin_length.checked_add(8)? };
    let total = json_length.checked_add(20)?.checked_add(with_header)?;
    let (total, json_length, bin_length) =
        (u32::try_from(total).ok()?, u32::try_from(json_length).ok()?, u32::try_from(bin_length).ok()?);
    let mut write = || {
        output.write_all(MAGIC)?;
        for value in [2, total, json_length, JSON] {
            output.write_all(&value.to_le_bytes())?;
        }
        output.write_all(json)?;
        output.write_all(&b"   "[..padding(json.len() as u64) as usize])?;
        if bin > 0 {
            output.write_all(&bin_length.to_le_bytes())?;
            output.write_all(&BIN.to_le_bytes())?;
        }
        Ok(())
    };
    Some(write())
}
