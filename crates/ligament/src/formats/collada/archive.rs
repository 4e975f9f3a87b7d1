//! `.zae`: a zip archive with a model, its pictures, and a manifest that names the model.

use super::codes;
use super::xml::text;
use crate::report::{Failure, Place, Report};
use std::cell::Cell;

/// What unpacked files may take together: this many times the archive, and this much more.
const EXPANSION: usize = 100;
const EXPANSION_FLOOR: usize = 1 << 20;

/// The files of a zip archive.
pub(super) struct Archive<'a> {
    bytes: &'a [u8],
    entries: Vec<Entry>,
    /// Bytes that may still be unpacked.
    budget: Cell<usize>,
}

struct Entry {
    name: String,
    is_deflated: bool,
    /// Where its local header is.
    header: usize,
    packed: usize,
    unpacked: usize,
}

/// Whether a file begins like a zip archive.
pub(super) fn is_archive(head: &[u8]) -> bool {
    head.starts_with(b"PK\x03\x04")
}

impl<'a> Archive<'a> {
    /// Reads the list of files at the end of the archive.
    pub fn open(bytes: &'a [u8], report: &mut Report) -> Result<Self, Failure> {
        let broken = |what: &str, at: usize, report: &mut Report| {
            report.invalid(&codes::ARCHIVE, Place::binary(at as u64, "zip"), what.to_owned())
        };
        // The end record is 22 bytes and a comment.
        let from = bytes.len().saturating_sub(22 + 0xFFFF);
        let Some(end) = memchr::memmem::rfind(&bytes[from..], b"PK\x05\x06").map(|at| from + at) else {
            return Err(broken(
                "the archive has no list of files at its end; it may be cut off",
                bytes.len(),
                report,
            ));
        };
        let (count, mut at) = match (u16_at(bytes, end + 10), u32_at(bytes, end + 16)) {
            (Some(count), Some(start)) => (count, start),
            _ => return Err(broken("the end record is cut off", end, report)),
        };
        let mut entries = Vec::new();
        for _ in 0..count {
            let field = |offset| u16_at(bytes, at + offset);
            let long = |offset| u32_at(bytes, at + offset);
            let is_entry = bytes.get(at..).is_some_and(|rest| rest.starts_with(b"PK\x01\x02"));
            let (Some(flags), Some(method), Some(packed), Some(unpacked)) =
                (field(8), field(10), long(20), long(24))
            else {
                return Err(broken("the list of files is cut off", at, report));
            };
            let (Some(name), Some(extra), Some(comment), Some(header)) =
                (field(28), field(30), field(32), long(42))
            else {
                return Err(broken("the list of files is cut off", at, report));
            };
            let Some(text) = bytes.get(at + 46..at + 46 + name).filter(|_| is_entry) else {
                return Err(broken("an entry of the list of files is broken", at, report));
            };
            let name_text = String::from_utf8_lossy(text).replace('\\', "/");
            if flags & 1 == 0 && matches!(method, 0 | 8) {
                entries.push(Entry { name: name_text, is_deflated: method == 8, header, packed, unpacked });
            } else {
                let message = format!("{name_text:?} is encrypted or packed by another method than deflate");
                report.warning(&codes::ARCHIVE, Place::binary(at as u64, "zip"), message);
            }
            at += 46 + name + extra + comment;
        }
        let budget = Cell::new(bytes.len().saturating_mul(EXPANSION).saturating_add(EXPANSION_FLOOR));
        Ok(Self { bytes, entries, budget })
    }

    /// A file's content; `None` where it is not there, broken or larger than the archive may unpack.
    pub fn read(&self, path: &str) -> Option<Vec<u8>> {
        let path = path.strip_prefix("./").unwrap_or(path);
        let exact = self.entries.iter().find(|e| e.name == path);
        let entry = exact.or_else(|| self.entries.iter().find(|e| e.name.eq_ignore_ascii_case(path)))?;
        let left = self.budget.get();
        if entry.unpacked > left {
            return None;
        }
        let name = u16_at(self.bytes, entry.header + 26)?;
        let extra = u16_at(self.bytes, entry.header + 28)?;
        let start = entry.header.checked_add(30 + name + extra)?;
        let packed = self.bytes.get(start..start.checked_add(entry.packed)?)?;
        let bytes = if entry.is_deflated {
            miniz_oxide::inflate::decompress_to_vec_with_limit(packed, entry.unpacked).ok()?
        } else {
            packed.get(..entry.unpacked)?.to_vec()
        };
        self.budget.set(left.checked_sub(bytes.len())?);
        (bytes.len() == entry.unpacked).then_some(bytes)
    }

    /// The model: the one that the manifest names, or the first .dae.
    pub fn model(&self, report: &mut Report) -> Result<(String, Vec<u8>), Failure> {
        let named = self.read("manifest.xml").and_then(|manifest| {
            let text_of = String::from_utf8(manifest).ok()?;
            let document = roxmltree::Document::parse(&text_of).ok()?;
            let root = document.descendants().find(|n| n.tag_name().name() == "dae_root")?;
            let path = text(root).trim().trim_start_matches("./").to_owned();
            Some(path.split('#').next().unwrap_or("").to_owned())
        });
        let first = self.entries.iter().filter(|e| e.name.to_ascii_lowercase().ends_with(".dae"));
        let first = first.min_by_key(|e| e.name.matches('/').count()).map(|e| e.name.clone());
        for path in [named, first].into_iter().flatten() {
            if let Some(bytes) = self.read(&path) {
                return Ok((path, bytes));
            }
        }
        let message = "the archive holds no .dae that can be unpacked within its limits";
        Err(report.invalid(&codes::ARCHIVE, Place::binary(0, "zip"), message))
    }
}

fn u16_at(bytes: &[u8], at: usize) -> Option<usize> {
    bytes.get(at..)?.first_chunk::<2>().map(|b| usize::from(u16::from_le_bytes(*b)))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<usize> {
    bytes.get(at..)?.first_chunk::<4>().map(|b| u32::from_le_bytes(*b) as usize)
}
