//! Records as bytes.
//!
//! A record begins with the offset at which it ends in the file, so the records of a section can only be finished once
//! the length of the sections before it is known.

use super::tree::{Array, Record, Value};
use crate::cores;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// Arrays of fewer bytes are not packed: the header of the packed bytes would be longer than what is saved.
const LEAST_PACKED: usize = 128;
/// Fewer bytes than this are packed on one core.
const LEAST_SHARED: usize = 1 << 18;
/// How hard arrays are packed. More takes several times as long, and saves a few percent.
const LEVEL: u8 = 2;

/// The width of offsets and counts in records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Width {
    /// Below version 7500.
    Bits32,
    /// Since version 7500.
    Bits64,
}

/// Some records, encoded.
#[derive(Debug)]
pub(super) struct Section {
    pub(super) bytes: Vec<u8>,
    /// Where the offsets of ends are, which count from the section's start until it has its place.
    ends: Vec<usize>,
    width: Width,
}

/// An array's bytes, and whether they are packed.
struct Packed {
    is_packed: bool,
    bytes: Vec<u8>,
}

impl Section {
    pub(super) fn new(width: Width) -> Self {
        Self { bytes: Vec::new(), ends: Vec::new(), width }
    }

    /// Adds records. Their arrays are packed on all cores.
    pub(super) fn records(&mut self, records: &[Record]) {
        let mut arrays = Vec::new();
        records.iter().for_each(|record| find_arrays(record, &mut arrays));
        let mut packed = pack_all(&arrays).into_iter();
        records.iter().for_each(|record| self.record(record, &mut packed));
    }

    /// Opens a record without values, whose records are in later sections. Returns where it begins.
    pub(super) fn open(&mut self, name: &str) -> usize {
        let start = self.head(name);
        self.close_values(start, 0, self.bytes.len());
        start
    }

    /// Sets where an [opened](Self::open) record ends, which is counted from the section's start.
    pub(super) fn set_end(&mut self, start: usize, end: u64) {
        self.put(start, end);
    }

    /// The end of a list of records.
    pub(super) fn end_list(&mut self) {
        let zeros = [0; 25];
        self.bytes.extend_from_slice(&zeros[..self.width.null_record()]);
    }

    /// Gives the section its place in the file. Fails if an offset is too large for its width.
    pub(super) fn place(&mut self, start: u64) -> Result<(), u64> {
        for at in std::mem::take(&mut self.ends) {
            let end = self.get(at).saturating_add(start);
            if self.width == Width::Bits32 && end > u64::from(u32::MAX) {
                return Err(end);
            }
            self.put(at, end);
        }
        Ok(())
    }

    fn record(&mut self, record: &Record, packed: &mut impl Iterator<Item = Packed>) {
        let start = self.head(record.name);
        let values = self.bytes.len();
        for value in &record.values {
            self.value(value, packed);
        }
        self.close_values(start, record.values.len() as u64, values);
        for child in &record.children {
            self.record(child, packed);
        }
        if record.has_block() {
            self.end_list();
        }
        self.put(start, self.bytes.len() as u64);
    }

    /// Adds the head of a record, without its numbers; returns where it begins.
    fn head(&mut self, name: &str) -> usize {
        let start = self.bytes.len();
        self.ends.push(start);
        self.bytes.resize(start + 3 * self.width.bytes(), 0);
        self.bytes.push(name.len() as u8);
        self.bytes.extend_from_slice(name.as_bytes());
        start
    }

    fn close_values(&mut self, start: usize, count: u64, from: usize) {
        let bytes = self.width.bytes();
        self.put(start + bytes, count);
        self.put(start + 2 * bytes, (self.bytes.len() - from) as u64);
    }

    fn put(&mut self, at: usize, number: u64) {
        let bytes = self.width.bytes();
        self.bytes[at..at + bytes].copy_from_slice(&number.to_le_bytes()[..bytes]);
    }

    fn get(&self, at: usize) -> u64 {
        let mut number = [0; 8];
        let bytes = self.width.bytes();
        number[..bytes].copy_from_slice(&self.bytes[at..at + bytes]);
        u64::from_le_bytes(number)
    }

    fn value(&mut self, value: &Value, packed: &mut impl Iterator<Item = Packed>) {
        match value {
            Value::I32(number) => self.typed(b'I', &number.to_le_bytes()),
            Value::I64(number) => self.typed(b'L', &number.to_le_bytes()),
            Value::F64(number) => self.typed(b'D', &number.to_le_bytes()),
            Value::Text(text) => self.counted(b'S', &[text.as_bytes()]),
            Value::Name(name, class) => {
                self.counted(b'S', &[name.as_bytes(), b"\x00\x01", class.as_bytes()]);
            }
            Value::Bytes(bytes) => self.counted(b'R', &[bytes]),
            Value::Array(array) => {
                let letter = match array {
                    Array::I32(_) => b'i',
                    Array::I64(_) => b'l',
                    Array::F32(_) | Array::Bits(_) => b'f',
                    Array::F64(_) => b'd',
                };
                let Some(packed) = packed.next() else { return };
                self.bytes.push(letter);
                for number in [array.len(), usize::from(packed.is_packed), packed.bytes.len()] {
                    self.bytes.extend_from_slice(&(number as u32).to_le_bytes());
                }
                self.bytes.extend_from_slice(&packed.bytes);
            }
        }
    }

    fn typed(&mut self, letter: u8, bytes: &[u8]) {
        self.bytes.push(letter);
        self.bytes.extend_from_slice(bytes);
    }

    fn counted(&mut self, letter: u8, pieces: &[&[u8]]) {
        let length: usize = pieces.iter().map(|piece| piece.len()).sum();
        self.typed(letter, &(length as u32).to_le_bytes());
        pieces.iter().for_each(|piece| self.bytes.extend_from_slice(piece));
    }
}

impl Width {
    fn bytes(self) -> usize {
        if self == Width::Bits32 { 4 } else { 8 }
    }

    fn null_record(self) -> usize {
        3 * self.bytes() + 1
    }
}

fn find_arrays<'r>(record: &'r Record, arrays: &mut Vec<&'r Array>) {
    arrays.extend(record.values.iter().filter_map(|value| match value {
        Value::Array(array) => Some(array),
        _ => None,
    }));
    record.children.iter().for_each(|child| find_arrays(child, arrays));
}

fn pack(array: &Array) -> Packed {
    // The numbers' own bytes are those of the file, on every machine that the format's crates build for.
    let bytes: Vec<u8> = match array {
        Array::I32(v) => v.iter().flat_map(|n| n.to_le_bytes()).collect(),
        Array::I64(v) => v.iter().flat_map(|n| n.to_le_bytes()).collect(),
        Array::F32(v) => v.iter().flat_map(|n| n.to_le_bytes()).collect(),
        Array::F64(v) => v.iter().flat_map(|n| n.to_le_bytes()).collect(),
        Array::Bits(v) => v.iter().flat_map(|n| n.to_le_bytes()).collect(),
    };
    if bytes.len() < LEAST_PACKED {
        return Packed { is_packed: false, bytes };
    }
    let packed = miniz_oxide::deflate::compress_to_vec_zlib(&bytes, LEVEL);
    if packed.len() < bytes.len() {
        return Packed { is_packed: true, bytes: packed };
    }
    Packed { is_packed: false, bytes }
}

/// Packs each array; each core takes the next one that is left.
fn pack_all(arrays: &[&Array]) -> Vec<Packed> {
    let total: usize = arrays.iter().map(|array| array.len() * 4).sum();
    if total < LEAST_SHARED {
        return arrays.iter().map(|array| pack(array)).collect();
    }
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<Option<Packed>>> = Mutex::new(arrays.iter().map(|_| None).collect());
    let share = || {
        while let Some((number, array)) =
            Some(next.fetch_add(1, Relaxed)).and_then(|n| Some((n, arrays.get(n)?)))
        {
            let packed = pack(array);
            results.lock().unwrap_or_else(PoisonError::into_inner)[number] = Some(packed);
        }
    };
    cores::beside((1..cores::threads()).map(|_| &share), share);
    results.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().flatten().collect()
}
