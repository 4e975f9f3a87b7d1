use crate::io::Content;
use std::io;
use std::ops::{Deref, Range};
use std::rc::Rc;

/// Bytes of a file that remain valid while the window moves on.
#[derive(Debug, Clone)]
pub(crate) struct Slice<'a> {
    bytes: Bytes<'a>,
    range: Range<usize>,
}

#[derive(Debug, Clone)]
enum Bytes<'a> {
    InMemory(&'a [u8]),
    Fetched(Rc<Vec<u8>>),
}

impl Deref for Slice<'_> {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match &self.bytes {
            Bytes::InMemory(bytes) => &bytes[self.range.clone()],
            Bytes::Fetched(buffer) => &buffer[self.range.clone()],
        }
    }
}

/// The part of a file that is being read: a buffer that is filled repeatedly, or a range of a file that is in memory.
pub(crate) struct Window<'a> {
    content: &'a Content<'a>,
    /// The number of bytes that are fetched at a time.
    piece: usize,
    /// Empty if the content is in memory. A [`Slice`] that is still in use prevents the buffer from being reused.
    buffer: Rc<Vec<u8>>,
    /// The offset in the file of the buffer's first byte.
    buffer_start: usize,
    /// The offset in the file of the first byte that was not yet consumed.
    at: usize,
    /// The offset in the file of the end of the window.
    end: usize,
    /// The file's length, without what the reader leaves out at its end.
    length: usize,
}

impl<'a> Window<'a> {
    /// A window at the start of the content's first `length` bytes, with nothing fetched yet. `None` if the length does
    /// not fit a `usize`.
    pub fn new(content: &'a Content<'a>, length: u64, piece: usize) -> Option<Self> {
        let length = usize::try_from(length.min(content.len())).ok()?;
        Some(Self { content, piece, buffer: Rc::default(), buffer_start: 0, at: 0, end: 0, length })
    }

    /// Sets the number of bytes that are fetched at a time.
    pub fn fetch_at_a_time(&mut self, piece: usize) {
        self.piece = piece;
    }

    /// The offset in the file of the first byte that was not yet consumed.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// The bytes in the window that were not yet consumed.
    pub fn text(&self) -> &[u8] {
        match self.content {
            Content::Memory(bytes) => &bytes[self.at..self.end],
            Content::File(..) => &self.buffer[self.at - self.buffer_start..self.end - self.buffer_start],
        }
    }

    /// The first `length` bytes of the window, to keep.
    pub fn slice(&self, length: usize) -> Slice<'a> {
        let (bytes, start) = match self.content {
            Content::Memory(bytes) => (Bytes::InMemory(bytes), self.at),
            Content::File(..) => (Bytes::Fetched(Rc::clone(&self.buffer)), self.at - self.buffer_start),
        };
        Slice { bytes, range: start..start + length.min(self.end - self.at) }
    }

    /// Consumes bytes of the window.
    pub fn advance(&mut self, bytes: usize) {
        self.at = (self.at + bytes).min(self.end);
    }

    /// The number of bytes of the file that were not yet consumed.
    pub fn rest(&self) -> usize {
        self.length - self.at
    }

    /// Whether the file ends where the window ends.
    pub fn holds_end(&self) -> bool {
        self.end == self.length
    }

    /// Makes sure that the window holds at least `least` bytes, or the rest of the file. Fetches a whole piece, or more
    /// if `least` is larger.
    pub fn fill(&mut self, least: usize) -> io::Result<()> {
        let kept = self.end - self.at;
        if kept >= least || self.holds_end() {
            return Ok(());
        }
        let wanted = least.saturating_mul(2).max(self.piece).min(self.rest());
        if let Content::File(..) = self.content {
            let start = self.at - self.buffer_start;
            match Rc::get_mut(&mut self.buffer) {
                Some(buffer) => buffer.copy_within(start..start + kept, 0),
                None => self.buffer = Rc::new(self.buffer[start..start + kept].to_vec()),
            }
            self.buffer_start = self.at;
            let buffer = Rc::make_mut(&mut self.buffer);
            if buffer.len() < wanted {
                buffer.resize(wanted, 0);
            }
            self.content.read_into_beside(self.end as u64, &mut buffer[kept..wanted])?;
        }
        self.end = self.at + wanted;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_passes_by_in_pieces_that_grow_where_they_must() {
        let bytes: Vec<u8> = (0..1000_u32).map(|i| (i % 251) as u8).collect();
        let path = std::env::temp_dir().join(format!("ligament-window-{}", std::process::id()));
        std::fs::write(&path, &bytes).expect("writable");
        let file = std::fs::File::open(&path).expect("is there");
        for content in [Content::File(file, 1000), Content::Memory(bytes[..].into())] {
            let mut window = Window::new(&content, 1000, 64).expect("is small");
            let mut at = 0;
            for (least, consumed, there) in
                [(1, 60, 64), (4, 2, 4), (4, 0, 64), (100, 150, 200), (1, 49, 50), (50, 50, 100)]
            {
                window.fill(least).expect("readable");
                assert_eq!(window.text(), &bytes[at..at + there], "{least} from {at}");
                window.advance(consumed);
                at += consumed;
            }
            window.fill(5000).expect("readable");
            assert!(window.holds_end() && window.text() == &bytes[at..] && window.rest() == 1000 - at);
            window.advance(5000);
            assert!(window.text().is_empty() && window.rest() == 0);
        }
        std::fs::remove_file(path).expect("removable");
    }
}
