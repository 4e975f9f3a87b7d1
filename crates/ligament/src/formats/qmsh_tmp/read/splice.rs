//! Joined lines. A backslash at the end of a line is deleted together with the line end, wherever it stands: within
//! words, numbers and strings too. Files without one, which is nearly all of them, are not copied.

use memchr::memchr_iter;
use std::borrow::Cow;
use std::ops::Range;

/// A file's text with its lines joined, and where the joints are.
pub(super) struct Spliced<'a> {
    pub text: Cow<'a, [u8]>,
    /// Offsets in `text` before which something was deleted, and how much was deleted up to there.
    cuts: Vec<(usize, usize)>,
}

impl<'a> Spliced<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let (mut joined, mut cuts) = (Vec::new(), Vec::new());
        let (mut from, mut deleted) = (0, 0);
        for at in memchr_iter(b'\\', bytes) {
            let length = match bytes[at + 1..] {
                [b'\n', ..] => 2,
                [b'\r', b'\n', ..] => 3,
                _ => continue,
            };
            joined.extend_from_slice(&bytes[from..at]);
            from = at + length;
            deleted += length;
            cuts.push((joined.len(), deleted));
        }
        if cuts.is_empty() {
            return Self { text: Cow::Borrowed(bytes), cuts };
        }
        joined.extend_from_slice(&bytes[from..]);
        Self { text: Cow::Owned(joined), cuts }
    }

    /// The bytes of the file that a span of the text stands for.
    pub(super) fn span(&self, span: Range<usize>) -> Range<usize> {
        let start = self.offset(span.start);
        // The end belongs to the byte before it: what was deleted after that is not part of the span.
        let end = if span.end > span.start { self.offset(span.end - 1) + 1 } else { start };
        start..end
    }

    fn offset(&self, at: usize) -> usize {
        let before = self.cuts.partition_point(|&(cut, _)| cut <= at);
        at + before.checked_sub(1).map_or(0, |i| self.cuts[i].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_joined_and_places_found_again() {
        let bytes = b"ab\\\ncd \\\r\nef \\\\\n g\\x";
        let spliced = Spliced::new(bytes);
        assert_eq!(&*spliced.text, b"abcd ef \\ g\\x");
        for (text, byte) in [(0, 0), (1, 1), (2, 4), (3, 5), (5, 10), (8, 13), (9, 16), (11, 18)] {
            assert_eq!(spliced.span(text..text), byte..byte);
        }
        assert_eq!(spliced.span(0..4), 0..6, "across a joint");
        assert_eq!(spliced.span(0..2), 0..2, "up to a joint");
    }

    #[test]
    fn text_without_joints_is_not_copied() {
        let spliced = Spliced::new(b"\"a\\n\" \\");
        assert!(matches!(spliced.text, Cow::Borrowed(_)));
        assert_eq!(spliced.span(3..5), 3..5);
    }
}
