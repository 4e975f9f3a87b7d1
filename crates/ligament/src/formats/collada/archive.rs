//! `.zae`: a zip archive with a model, its images, and a manifest that names the model.

use super::codes;
use super::xml::text;
use crate::Limits;
use crate::limits::{Budget, Exceeded};
use crate::report::{Failure, Place, Report};
use std::cell::RefCell;
use std::collections::HashMap;

/// Limit for all unpacked files together: this many times the archive's size, plus a constant. XML that programs write
/// is packed to a tenth.
const EXPANSION: u64 = 32;
const EXPANSION_FLOOR: u64 = 1 << 20;

/// The files of a zip archive.
pub(super) struct Archive<'a> {
    bytes: &'a [u8],
    entries: Vec<Entry>,
    /// The first entry of each name, and of each name in lower case.
    by_name: HashMap<String, usize>,
    by_lower_name: HashMap<String, usize>,
    /// Bytes that may still be unpacked.
    budget: RefCell<Budget>,
    /// The first file that was too large.
    too_large: RefCell<Option<Exceeded>>,
}

struct Entry {
    name: String,
    is_deflated: bool,
    /// Offset of its local header.
    header: usize,
    packed: usize,
    unpacked: usize,
    /// CRC-32 of the unpacked content.
    check: u32,
}

/// Whether a file begins like a zip archive.
pub(super) fn is_archive(head: &[u8]) -> bool {
    head.starts_with(b"PK\x03\x04")
}

impl<'a> Archive<'a> {
    /// Reads the central directory at the end of the archive.
    pub fn open(bytes: &'a [u8], limits: &Limits, report: &mut Report) -> Result<Self, Failure> {
        let broken = |at: usize, what: &str, report: &mut Report| {
            report.invalid(&codes::ARCHIVE, Place::binary(at as u64, "zip"), what)
        };
        // The end record is 22 bytes and a comment.
        let from = bytes.len().saturating_sub(22 + 0xFFFF);
        let Some(end) = memchr::memmem::rfind(&bytes[from..], b"PK\x05\x06").map(|at| from + at) else {
            let what = "the archive has no list of files at its end; it may be cut off";
            return Err(broken(bytes.len(), what, report));
        };
        let (count, mut at) = match (u16_at(bytes, end + 10), u32_at(bytes, end + 16)) {
            (Some(count), Some(start)) => (count, start),
            _ => return Err(broken(end, "the end record is cut off", report)),
        };
        let mut entries = Vec::new();
        for _ in 0..count {
            let field = |offset| u16_at(bytes, at + offset);
            let long = |offset| u32_at(bytes, at + offset);
            let is_entry = bytes.get(at..).is_some_and(|rest| rest.starts_with(b"PK\x01\x02"));
            let fields = || Some(([field(8)?, field(10)?], [long(16)?, long(20)?, long(24)?, long(42)?]));
            let lengths = || Some([field(28)?, field(30)?, field(32)?]);
            let found = fields().zip(lengths());
            let found = found.ok_or_else(|| broken(at, "the list of files is cut off", report))?;
            let (([flags, method], [check, packed, unpacked, header]), [name, extra, comment]) = found;
            let text = bytes.get(at + 46..at + 46 + name).filter(|_| is_entry);
            let text = text.ok_or_else(|| broken(at, "an entry of the list of files is broken", report))?;
            let name_text = String::from_utf8_lossy(text).replace('\\', "/");
            if flags & 1 == 0 && matches!(method, 0 | 8) {
                let (is_deflated, check) = (method == 8, check as u32);
                entries.push(Entry { name: name_text, is_deflated, header, packed, unpacked, check });
            } else {
                let message =
                    format!("{name_text:?} is encrypted, or compressed with a method other than deflate");
                report.warning(&codes::ARCHIVE, Place::binary(at as u64, "zip"), message);
            }
            at += 46 + name + extra + comment;
        }
        let budget = Budget::within(limits, bytes.len() as u64, EXPANSION, EXPANSION_FLOOR);
        let (budget, too_large) = (RefCell::new(budget), RefCell::new(None));
        let by = |name: fn(&Entry) -> String| {
            entries.iter().enumerate().rev().map(|(index, entry)| (name(entry), index)).collect()
        };
        let (by_name, by_lower_name) = (by(|e| e.name.clone()), by(|e| e.name.to_ascii_lowercase()));
        Ok(Self { bytes, entries, by_name, by_lower_name, budget, too_large })
    }

    /// Unpacks a file. `None` if it does not exist, and with a warning if it is damaged or exceeds the archive's limit.
    pub fn read(&self, path: &str, report: &mut Report) -> Option<Vec<u8>> {
        let path = path.strip_prefix("./").unwrap_or(path);
        let found = self.by_name.get(path).or_else(|| self.by_lower_name.get(&path.to_ascii_lowercase()));
        let entry = self.entries.get(*found?)?;
        match self.unpack(entry) {
            Ok(bytes) => Some(bytes),
            Err(why) => {
                let message = format!("{:?} cannot be unpacked: {why}", entry.name);
                report.warning(&codes::ARCHIVE, Place::binary(entry.header as u64, "zip"), message);
                None
            }
        }
    }

    fn unpack(&self, entry: &Entry) -> Result<Vec<u8>, &'static str> {
        let packed = self.packed(entry).ok_or("its content is cut off")?;
        // Never unpacks more than the entry claims, whatever its content would expand to.
        if let Err(exceeded) = self.budget.borrow_mut().spend(entry.unpacked as u64) {
            self.too_large.borrow_mut().get_or_insert(exceeded);
            return Err("it is out of proportion to the archive");
        }
        let bytes = if entry.is_deflated {
            let unpacked = miniz_oxide::inflate::decompress_to_vec_with_limit(packed, entry.unpacked);
            unpacked.map_err(|_| "its content is damaged, or larger than it claims")?
        } else {
            packed.get(..entry.unpacked).ok_or("its content is shorter than it claims")?.to_vec()
        };
        if bytes.len() != entry.unpacked {
            return Err("its content is shorter than it claims");
        }
        if crc32(&bytes) != entry.check {
            return Err("its content is damaged: the checksum does not match");
        }
        Ok(bytes)
    }

    /// An entry's content as stored.
    fn packed(&self, entry: &Entry) -> Option<&'a [u8]> {
        let name = u16_at(self.bytes, entry.header.checked_add(26)?)?;
        let extra = u16_at(self.bytes, entry.header.checked_add(28)?)?;
        let start = entry.header.checked_add(30 + name + extra)?;
        self.bytes.get(start..start.checked_add(entry.packed)?)
    }

    /// The model: the one that the manifest names, otherwise the first .dae.
    pub fn model(&self, report: &mut Report) -> Result<(String, Vec<u8>), Failure> {
        let named = self.read("manifest.xml", report).and_then(|manifest| {
            let text_of = String::from_utf8(manifest).ok()?;
            let document =
                super::excess::find(&text_of).is_none().then(|| roxmltree::Document::parse(&text_of));
            let document = document?.ok()?;
            let root = document.descendants().find(|n| n.tag_name().name() == "dae_root")?;
            let path = text(root).trim().trim_start_matches("./").to_owned();
            Some(path.split('#').next().unwrap_or("").to_owned())
        });
        let first = self.entries.iter().filter(|e| e.name.to_ascii_lowercase().ends_with(".dae"));
        let first = first.min_by_key(|e| e.name.matches('/').count()).map(|e| e.name.clone());
        for path in [named, first].into_iter().flatten() {
            if let Some(bytes) = self.read(&path, report) {
                return Ok((path, bytes));
            }
        }
        let place = Place::binary(0, "zip");
        if let Some(exceeded) = self.too_large.take() {
            report.push(exceeded.error(&codes::ARCHIVE, place, "unpacking the archive's model"));
            return Err(report.refusal());
        }
        Err(report.invalid(&codes::ARCHIVE, place, "the archive holds no .dae that can be unpacked"))
    }
}

/// The checksum of zip archives: CRC-32 with the reversed polynomial 0xEDB88320, four bytes per step.
fn crc32(bytes: &[u8]) -> u32 {
    const TABLES: [[u32; 256]; 4] = crc_tables();
    let mut crc = !0_u32;
    let mut words = bytes.chunks_exact(4);
    for word in words.by_ref() {
        let mixed = crc ^ u32::from_le_bytes([word[0], word[1], word[2], word[3]]);
        let [a, b, c, d] = mixed.to_le_bytes().map(usize::from);
        crc = TABLES[3][a] ^ TABLES[2][b] ^ TABLES[1][c] ^ TABLES[0][d];
    }
    for &byte in words.remainder() {
        crc = crc >> 8 ^ TABLES[0][usize::from(crc as u8 ^ byte)];
    }
    !crc
}

/// The effect of each byte on the sum, followed by zero to three zero bytes.
const fn crc_tables() -> [[u32; 256]; 4] {
    let mut tables = [[0; 256]; 4];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
            bit += 1;
        }
        tables[0][byte] = crc;
        byte += 1;
    }
    let mut table = 1;
    while table < 4 {
        let mut byte = 0;
        while byte < 256 {
            let before: u32 = tables[table - 1][byte];
            tables[table][byte] = before >> 8 ^ tables[0][(before & 0xFF) as usize];
            byte += 1;
        }
        table += 1;
    }
    tables
}

fn u16_at(bytes: &[u8], at: usize) -> Option<usize> {
    bytes.get(at..)?.first_chunk::<2>().map(|b| usize::from(u16::from_le_bytes(*b)))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<usize> {
    bytes.get(at..)?.first_chunk::<4>().map(|b| u32::from_le_bytes(*b) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_sums_are_those_of_the_catalogue() {
        // The check value that CRC catalogues list for this polynomial.
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
        assert_eq!(crc32(b""), 0);
        assert_eq!(crc32(b"The quick brown fox jumps over the lazy dog"), 0x414F_A339);
    }
}
