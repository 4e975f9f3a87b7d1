//! Nearly all of a large file is regular lines: rows of numbers. They are read while the file passes by in pieces, and
//! left out of the text that stays; the tolerant reader reads that text, which is little, and takes the numbers where
//! lines were left out.

use super::{Gap, Window};
use crate::io::Content;
use memchr::memchr;
use std::collections::VecDeque;
use std::io;

/// A line that is longer is no row of numbers.
const MOST_LINE_BYTES: usize = 1 << 12;

/// How a file's bytes are fetched. What is read is the same.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Pieces {
    /// Large files in pieces.
    Usual,
    /// In pieces of so many bytes, however small the file is.
    Of(usize),
}

impl Pieces {
    /// The bytes of a piece; `None` if the file is read at once.
    pub fn bytes(self, content: &Content) -> Option<usize> {
        // What the core's own cache can hold.
        const PIECE_BYTES: usize = 1 << 18;
        match self {
            Pieces::Of(bytes) => Some(bytes),
            Pieces::Usual if matches!(content, Content::File(..)) => Some(PIECE_BYTES),
            Pieces::Usual => None,
        }
    }
}

/// A file that passes by. `T` is what a run of lines is read into.
pub(crate) struct Condenser<'a, T> {
    window: Window<'a>,
    /// What stays.
    pub text: Vec<u8>,
    /// What was left out of it.
    pub gaps: Vec<Gap>,
    /// What was read of that, with the offsets in the text where it was left out.
    pub runs: Runs<T>,
}

/// What was read of runs of lines, in their order.
pub(crate) struct Runs<T> {
    /// With the offsets in the text where the lines were left out.
    left: VecDeque<(usize, T)>,
    /// Whether one was not what the reader wanted there.
    refused: bool,
}

impl<T> Default for Runs<T> {
    fn default() -> Self {
        Self { left: VecDeque::new(), refused: false }
    }
}

impl<T> Runs<T> {
    /// What was left out at this offset, if it is what `pick` wants.
    pub fn take<V>(&mut self, at: usize, pick: impl FnOnce(T) -> Option<V>) -> Option<V> {
        self.left.front().filter(|(place, _)| *place == at)?;
        let (_, run) = self.left.pop_front()?;
        let picked = pick(run);
        self.refused |= picked.is_none();
        picked
    }

    /// Whether everything was taken. If not, the text alone does not say what is in the file.
    pub fn all_taken(&self) -> bool {
        self.left.is_empty() && !self.refused
    }
}

impl<'a, T> Condenser<'a, T> {
    /// At the start of a content. `None` if this machine could not number its bytes.
    pub fn new(content: &'a Content<'a>, piece: usize) -> Option<Self> {
        let window = Window::new(content, piece)?;
        Some(Self { window, text: Vec::new(), gaps: Vec::new(), runs: Runs::default() })
    }

    /// Keeps the next line (or the first bytes of a very long one) and returns it; `None` at the end of the file.
    pub fn keep_line(&mut self) -> io::Result<Option<&[u8]>> {
        self.keep(|_| None)
    }

    /// The same, but only as much of the line as `part` wants. It is given the text from the line's beginning on.
    pub fn keep(&mut self, part: impl FnOnce(&[u8]) -> Option<usize>) -> io::Result<Option<&[u8]>> {
        self.window.fill(MOST_LINE_BYTES)?;
        let text = self.window.text();
        let all = || memchr(b'\n', text).map_or(text.len(), |at| at + 1);
        let length = part(text).map_or_else(all, |length| length.min(text.len()));
        let start = self.text.len();
        self.text.extend_from_slice(&text[..length]);
        self.window.advance(length);
        Ok((length > 0).then_some(&self.text[start..]))
    }

    /// How many lines of at least so many bytes there can be, at most `announced`: no allocation trusts a count alone.
    pub fn room(&self, announced: usize, bytes: usize) -> usize {
        announced.min(self.window.rest() / bytes + 1)
    }

    /// Leaves out the lines that `read` reads, up to the first that it does not, and returns how many they are. `read` is
    /// given text and the offset of a line in it, and returns the offset of the next; `None` where the line is not
    /// regular, or not all there.
    pub fn leave_out(&mut self, read: impl FnMut(&[u8], usize) -> Option<usize>) -> io::Result<usize> {
        let (lines, bytes) = self.pass_by(read)?;
        self.left_out(bytes, lines);
        Ok(lines)
    }

    fn left_out(&mut self, bytes: usize, lines: usize) {
        if bytes > 0 {
            let lines = u32::try_from(lines).unwrap_or(u32::MAX);
            self.gaps.push(Gap { at: self.text.len(), bytes, lines });
        }
    }

    /// Goes past everything that `read` reads, and returns how often it did, and the bytes.
    #[inline(always)]
    fn pass_by(&mut self, mut read: impl FnMut(&[u8], usize) -> Option<usize>) -> io::Result<(usize, usize)> {
        let (mut bytes, mut items) = (0, 0);
        loop {
            self.window.fill(MOST_LINE_BYTES)?;
            let text = self.window.text();
            let mut at = 0;
            while let Some(next) = read(text, at) {
                at = next;
                items += 1;
            }
            // With so much of it there, the line is irregular and not cut off.
            let ends = self.window.holds_end() || text.len() - at >= MOST_LINE_BYTES;
            bytes += at;
            self.window.advance(at);
            if ends {
                return Ok((items, bytes));
            }
        }
    }

    /// Puts what was read of the lines that were left out last where the reader finds it.
    pub fn push(&mut self, run: T) {
        self.runs.left.push_back((self.text.len(), run));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_left_out_whatever_the_pieces() {
        let rows: String = (0..5000).map(|i| format!("{i}\n")).collect();
        let bytes = format!("rows\n{rows}odd\nrows\n1\n2\nx{}\nend", "y".repeat(9000));
        for piece in [1, 100, 1 << 20] {
            let content = Content::Memory(bytes.as_bytes().into());
            let mut pass: Condenser<Vec<u32>> = Condenser::new(&content, piece).expect("is small");
            while pass.keep_line().expect("in memory").is_some_and(|line| line != b"end") {
                let mut numbers = Vec::new();
                let read = pass.leave_out(|text, at| {
                    let (number, end) = crate::text::parse_u32_prefix(text, at)?;
                    let next = (*text.get(end)? == b'\n').then_some(end + 1)?;
                    numbers.push(number);
                    Some(next)
                });
                if read.expect("in memory") > 0 {
                    pass.push(numbers);
                }
            }
            assert_eq!(pass.text, format!("rows\nodd\nrows\nx{}\nend", "y".repeat(9000)).as_bytes());
            let gap = |at, bytes, lines| Gap { at, bytes, lines };
            assert_eq!(pass.gaps, [gap(5, rows.len(), 5000), gap(14, 4, 2)]);
            assert_eq!(pass.runs.take(4, Some), None);
            assert_eq!(pass.runs.take(5, Some), Some((0..5000).collect()));
            assert!(!pass.runs.all_taken());
            assert_eq!(pass.runs.take(14, Some), Some(vec![1, 2]));
            assert!(pass.runs.all_taken());
            pass.push(Vec::new());
            assert_eq!(pass.runs.take(pass.text.len(), |_| None::<()>), None);
            assert!(!pass.runs.all_taken(), "what is refused is not taken");
        }
    }
}
