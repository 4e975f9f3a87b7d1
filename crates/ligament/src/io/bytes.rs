use super::Content;
use std::borrow::Cow;
use std::io;

/// How much of a file is read at once.
pub(crate) const WINDOW: u64 = 1 << 16;

/// A position in a file that moves on. Files in memory are borrowed; those on disk are read a window at a time.
pub(crate) struct Bytes<'a> {
    content: &'a Content<'a>,
    at: u64,
    window: Cow<'a, [u8]>,
    window_at: u64,
}

impl<'a> Bytes<'a> {
    /// At the start.
    pub(crate) fn new(content: &'a Content<'a>) -> Self {
        Self { content, at: 0, window: Cow::Borrowed(&[]), window_at: 0 }
    }

    /// Bytes before the position.
    pub(crate) fn at(&self) -> u64 {
        self.at
    }

    /// Bytes after it.
    pub(crate) fn left(&self) -> u64 {
        self.content.len() - self.at
    }

    /// The next bytes, of which the caller knows that they are there.
    pub(crate) fn take(&mut self, length: u64) -> io::Result<Cow<'_, [u8]>> {
        if let Content::Memory(_) = self.content {
            let bytes = self.content.range(self.at, length)?;
            self.at += length;
            return Ok(bytes);
        }
        let inside =
            self.at >= self.window_at && self.at + length <= self.window_at + self.window.len() as u64;
        if !inside {
            if length > WINDOW / 4 {
                let bytes = self.content.range(self.at, length)?;
                self.at += length;
                return Ok(bytes);
            }
            self.window = self.content.range(self.at, WINDOW.min(self.left()))?;
            self.window_at = self.at;
        }
        let start = (self.at - self.window_at) as usize;
        self.at += length;
        Ok(Cow::Borrowed(&self.window[start..start + length as usize]))
    }

    /// Up to `length` of the next bytes, without moving on.
    pub(crate) fn peek_up_to(&mut self, length: u64) -> Option<Vec<u8>> {
        let bytes = self.content.range(self.at, length.min(self.left())).ok()?;
        Some(bytes.into_owned())
    }
}
