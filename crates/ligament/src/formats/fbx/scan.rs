//! Walks the records of a binary file before anything is unpacked: how much memory its arrays will take, and where the
//! file breaks its own rules.

/// The beginning of a binary file.
pub(super) const MAGIC: &[u8] = b"Kaydara FBX Binary  \0\x1a";
/// The part of it that survives being treated as text.
pub(super) const MAGIC_LETTERS: &[u8] = b"Kaydara FBX Binary ";
/// Offset of the first record: after the magic, a byte for the byte order, and the version.
const FIRST_RECORD: usize = 27;
/// The highest compression ratio of DEFLATE.
const MOST_UNPACKED: u64 = 1032;

/// The result of a walk.
#[derive(Debug, Default)]
pub(super) struct Scan {
    /// Total bytes of all arrays once they are unpacked.
    pub(super) unpacked: u64,
    /// The first error. `ufbx` tolerates some of them.
    pub(super) fault: Option<Fault>,
}

/// An error at a byte.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) offset: u64,
    /// The field at that offset.
    pub(super) field: &'static str,
    pub(super) message: String,
    /// Whether the file cannot be valid and trying to read it would be too expensive.
    pub(super) is_fatal: bool,
}

/// Walks a binary file. Text has no lengths to check: its arrays are as long as the numbers in them.
pub(super) fn scan(bytes: &[u8]) -> Scan {
    let mut scan = Scan::default();
    if bytes.starts_with(MAGIC) {
        let mut walk = Walk { bytes, at: FIRST_RECORD, wide: false, big_endian: false, scan: &mut scan };
        if let Err(fault) = walk.all() {
            scan.fault = Some(fault);
        }
    }
    scan
}

/// The version that a binary file states.
pub(super) fn version(bytes: &[u8]) -> Option<u32> {
    let version: [u8; 4] = bytes.get(FIRST_RECORD - 4..FIRST_RECORD)?.try_into().ok()?;
    Some(if bytes[FIRST_RECORD - 5] == 0 { u32::from_le_bytes(version) } else { u32::from_be_bytes(version) })
}

struct Walk<'a, 's> {
    bytes: &'a [u8],
    at: usize,
    /// Whether record lengths are 64-bit.
    wide: bool,
    big_endian: bool,
    scan: &'s mut Scan,
}

impl Walk<'_, '_> {
    fn all(&mut self) -> Result<(), Fault> {
        let Some(version) = version(self.bytes) else { return Err(self.ends("header")) };
        self.wide = version >= 7500;
        self.big_endian = self.bytes[FIRST_RECORD - 5] != 0;
        // The ends of the enclosing records. A record that ends needs no name, so the list is short.
        let mut open: Vec<u64> = Vec::new();
        while self.at < self.bytes.len() {
            while open.last().is_some_and(|&end| end <= self.at as u64) {
                open.pop();
            }
            let start = self.at as u64;
            let (end, count, length) = (self.length()?, self.length()?, self.length()?);
            let name = usize::from(self.take(1, "record.name length")?[0]);
            if end == 0 {
                // The end of a list of records; after that of the outermost list there is a footer.
                if open.pop().is_none() {
                    return Ok(());
                }
                continue;
            }
            let within = open.last().copied().unwrap_or(self.bytes.len() as u64);
            if end <= start || end > within {
                let message = format!(
                    "the record claims to end at byte {end}, but the record around it ends at {within}"
                );
                return Err(fault(start, "record.end", message, false));
            }
            self.take(name, "record.name")?;
            let properties = self.at as u64;
            if properties.checked_add(length).is_none_or(|after| after > end) {
                let message =
                    format!("the record's properties claim {length} bytes, more than the record has");
                return Err(fault(start, "record.property bytes", message, false));
            }
            for _ in 0..count.min(length) {
                self.property()?;
            }
            self.at = (properties + length) as usize;
            open.push(end);
        }
        Ok(())
    }

    fn property(&mut self) -> Result<(), Fault> {
        let at = self.at as u64;
        let size = match self.take(1, "property.type")?[0] {
            b'C' | b'B' => 1,
            b'Y' => 2,
            b'I' | b'F' => 4,
            b'D' | b'L' => 8,
            b'S' | b'R' => self.number(4, "property.length")? as usize,
            kind @ (b'b' | b'c' | b'i' | b'f' | b'd' | b'l') => return self.array(at, kind),
            other => {
                let message = format!("unknown property type {:?}", char::from(other));
                return Err(fault(at, "property.type", message, false));
            }
        };
        self.take(size, "property.value").map(|_| ())
    }

    fn array(&mut self, at: u64, kind: u8) -> Result<(), Fault> {
        let size = match kind {
            b'b' | b'c' => 1,
            b'i' | b'f' => 4,
            _ => 8,
        };
        let (count, encoding) = (self.number(4, "array.count")?, self.number(4, "array.encoding")?);
        let stored = self.number(4, "array.length")?;
        let unpacked = count * size;
        let most = if encoding == 0 { stored } else { stored * MOST_UNPACKED };
        if unpacked > most {
            let message = format!("an array of {count} numbers cannot be stored in {stored} bytes");
            return Err(fault(at, "array.count", message, true));
        }
        self.take(stored as usize, "array.data")?;
        self.scan.unpacked += unpacked;
        Ok(())
    }

    /// Reads a length in a record's header.
    fn length(&mut self) -> Result<u64, Fault> {
        self.number(if self.wide { 8 } else { 4 }, "record.length")
    }

    /// Reads an unsigned integer in the file's byte order.
    fn number(&mut self, size: usize, field: &'static str) -> Result<u64, Fault> {
        let big_endian = self.big_endian;
        let bytes = self.take(size, field)?.iter();
        let append = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
        Ok(if big_endian { bytes.fold(0, append) } else { bytes.rev().fold(0, append) })
    }

    fn take(&mut self, length: usize, field: &'static str) -> Result<&[u8], Fault> {
        let end = self.at.checked_add(length).filter(|&end| end <= self.bytes.len());
        let Some(end) = end else { return Err(self.ends(field)) };
        let taken = &self.bytes[self.at..end];
        self.at = end;
        Ok(taken)
    }

    fn ends(&self, field: &'static str) -> Fault {
        let message = format!("the file ends at byte {}, in the middle of this field", self.bytes.len());
        fault(self.at as u64, field, message, false)
    }
}

fn fault(offset: u64, field: &'static str, message: String, is_fatal: bool) -> Fault {
    Fault { offset, field, message, is_fatal }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of one record with one property.
    fn file(property: &[u8]) -> Vec<u8> {
        let mut bytes = [MAGIC, &[0], &7400_u32.to_le_bytes()].concat();
        let end = bytes.len() + 13 + 1 + property.len();
        for number in [end as u32, 1, property.len() as u32] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend([1, b'A']);
        bytes.extend(property);
        bytes.extend([0; 13]);
        bytes
    }

    #[test]
    fn arrays_are_counted_unpacked() {
        let array =
            [b"d" as &[u8], &100_u32.to_le_bytes(), &1_u32.to_le_bytes(), &5_u32.to_le_bytes(), &[0; 5]];
        let scan = scan(&file(&array.concat()));
        assert!(scan.fault.is_none(), "{:?}", scan.fault);
        assert_eq!(scan.unpacked, 800);
    }

    #[test]
    fn an_array_that_no_stream_could_fill_is_refused_where_it_stands() {
        let array =
            [b"d" as &[u8], &u32::MAX.to_le_bytes(), &1_u32.to_le_bytes(), &5_u32.to_le_bytes(), &[0; 5]];
        let fault = scan(&file(&array.concat())).fault.expect("a bomb");
        assert!(fault.is_fatal);
        assert_eq!((fault.offset, fault.field), (27 + 13 + 1, "array.count"));
    }

    #[test]
    fn ends_are_found_where_they_are() {
        let whole = file(&[b'I', 1, 0, 0, 0]);
        assert!(scan(&whole).fault.is_none());
        let fault = scan(&whole[..43]).fault.expect("cut");
        assert_eq!((fault.offset, fault.field), (27, "record.end"));
        assert!(!fault.is_fatal);
        assert!(scan(b"; FBX 7.4.0 project file").fault.is_none());
    }
}
