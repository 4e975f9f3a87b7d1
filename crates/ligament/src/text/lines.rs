use crate::report::Place;
use std::cell::Cell;
use std::ops::Range;

/// Finds the line and column of byte offsets. Nothing is counted until somebody asks, and then only from the last
/// place that was asked for.
#[derive(Debug)]
pub struct Lines<'a> {
    bytes: &'a [u8],
    gaps: &'a [Gap],
    /// An offset and its line, counted from 1, as if nothing had been left out.
    known: Cell<(usize, u32)>,
}

/// Whole lines of a file that were left out of its text, or a part of one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gap {
    /// The offset in the text of what came after them.
    pub at: usize,
    /// How many bytes they were.
    pub bytes: usize,
    /// How many lines they were; 0 for a part of one.
    pub lines: u32,
}

impl<'a> Lines<'a> {
    /// For the whole of a file.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self::with_gaps(bytes, &[])
    }

    /// For a file of which `bytes` is what `gaps`, in their order, have left. Offsets are those in `bytes`; lines and
    /// places are those in the file.
    pub fn with_gaps(bytes: &'a [u8], gaps: &'a [Gap]) -> Self {
        Self { bytes, gaps, known: Cell::new((0, 1)) }
    }

    /// Line and column of an offset, both counted from 1; columns are bytes. An offset past the end is at the end.
    pub fn line_column(&self, offset: usize) -> (u32, u32) {
        let offset = offset.min(self.bytes.len());
        let (from, line) = self.known.get();
        let (from, line) = if from <= offset { (from, line) } else { (0, 1) };
        let line = line.saturating_add(memchr::memchr_iter(b'\n', &self.bytes[from..offset]).count() as u32);
        self.known.set((offset, line));
        let line_start = memchr::memrchr(b'\n', &self.bytes[..offset]).map_or(0, |p| p + 1);
        let left_out = self.before(offset).fold(0_u32, |lines, gap| lines.saturating_add(gap.lines));
        let of_line = self.before(offset).filter(|gap| gap.lines == 0 && gap.at > line_start);
        let column = offset - line_start + 1 + of_line.map(|gap| gap.bytes).sum::<usize>();
        (line.saturating_add(left_out), column.min(u32::MAX as usize) as u32)
    }

    /// A span as a place for diagnostics.
    pub fn place(&self, span: Range<usize>) -> Place {
        let (line, column) = self.line_column(span.start);
        Place::text(self.in_file(span), line, column)
    }

    /// The bytes of the file that a span stands for.
    pub fn in_file(&self, span: Range<usize>) -> Range<usize> {
        let left_out: usize = self.before(span.start).map(|gap| gap.bytes).sum();
        span.start + left_out..span.end + left_out
    }

    fn before(&self, offset: usize) -> impl Iterator<Item = &'a Gap> {
        self.gaps.iter().take_while(move |gap| gap.at <= offset)
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

    #[test]
    fn what_was_left_out_counts() {
        let file = b"ab\nout\nout\ncd\nef\nout\ng";
        let (text, gaps) = (
            b"ab\ncd\nef\ng\nhi\nj",
            [
                Gap { at: 3, bytes: 8, lines: 2 },
                Gap { at: 9, bytes: 4, lines: 1 },
                Gap { at: 12, bytes: 3, lines: 0 },
            ],
        );
        let file = [&file[..], b"\nhouti\nj"].concat();
        let (of_text, of_file) = (Lines::with_gaps(text, &gaps), Lines::new(&file));
        for (offset, in_file) in
            [(9, 21), (1, 1), (3, 11), (7, 15), (2, 2), (10, 22), (11, 23), (12, 27), (13, 28), (14, 29)]
        {
            assert_eq!(of_text.place(offset..offset), of_file.place(in_file..in_file), "offset {offset}");
        }
    }
}
