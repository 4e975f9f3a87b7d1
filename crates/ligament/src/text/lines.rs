use crate::report::Place;
use std::cell::Cell;
use std::ops::Range;

/// Finds the line and column of byte offsets. Lines are only counted on demand, and from the offset of the last query on.
#[derive(Debug)]
pub struct Lines<'a> {
    bytes: &'a [u8],
    /// An offset and its line, counted from 1.
    known: Cell<(usize, u32)>,
}

impl<'a> Lines<'a> {
    /// For the bytes of a whole file.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, known: Cell::new((0, 1)) }
    }

    /// The line and column of an offset, both counted from 1. Columns are bytes. Offsets past the end are clamped to it.
    pub fn line_column(&self, offset: usize) -> (u32, u32) {
        let offset = offset.min(self.bytes.len());
        let (from, line) = self.known.get();
        let (from, line) = if from <= offset { (from, line) } else { (0, 1) };
        let line = line.saturating_add(memchr::memchr_iter(b'\n', &self.bytes[from..offset]).count() as u32);
        self.known.set((offset, line));
        let line_start = memchr::memrchr(b'\n', &self.bytes[..offset]).map_or(0, |p| p + 1);
        let column = offset - line_start + 1;
        (line, column.min(u32::MAX as usize) as u32)
    }

    /// A span as a place for diagnostics.
    pub fn place(&self, span: Range<usize>) -> Place {
        let (line, column) = self.line_column(span.start);
        Place::text(span, line, column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_become_lines_and_columns_in_any_order() {
        let lines = Lines::new(b"ab\ncd\n\ne");
        for (offset, place) in
            [(7, (4, 1)), (0, (1, 1)), (4, (2, 2)), (2, (1, 3)), (6, (3, 1)), (8, (4, 2)), (99, (4, 2))]
        {
            assert_eq!(lines.line_column(offset), place, "offset {offset}");
        }
    }
}
