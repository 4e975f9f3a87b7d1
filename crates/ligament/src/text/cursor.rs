use memchr::memchr;
use std::ops::Range;

/// A line that is not blank, without the blanks around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    /// Offset of its first byte that is not blank.
    pub start: usize,
    /// Offset after its last byte that is not blank.
    pub end: usize,
    /// Offset of the next line.
    pub next: usize,
}

/// The first line at or after `at` that is not blank. Space, tab and carriage return are blank, so that files with
/// Windows line ends read the same.
pub fn next_line(bytes: &[u8], mut at: usize) -> Option<Line> {
    while at < bytes.len() {
        let rest = &bytes[at..];
        let length = memchr(b'\n', rest).unwrap_or(rest.len());
        let line = &rest[..length];
        let next = (at + length + 1).min(bytes.len());
        if let Some(first) = line.iter().position(|&b| !is_blank(b)) {
            let last = line.iter().rposition(|&b| !is_blank(b)).unwrap_or(first);
            return Some(Line { start: at + first, end: at + last + 1, next });
        }
        at = next;
    }
    None
}

/// The fields of a line: byte ranges between blanks.
#[derive(Debug, Clone)]
pub struct Fields<'a> {
    bytes: &'a [u8],
    at: usize,
    end: usize,
}

impl<'a> Fields<'a> {
    /// The fields from `start` to `end`, both within `bytes`.
    pub fn new(bytes: &'a [u8], start: usize, end: usize) -> Self {
        Self { bytes, at: start, end }
    }

    /// Everything that is left, without the blanks around it.
    pub fn rest(&self) -> Range<usize> {
        let text = &self.bytes[self.at..self.end];
        let first = text.iter().position(|&b| !is_blank(b)).unwrap_or(text.len());
        let last = text.iter().rposition(|&b| !is_blank(b)).map_or(first, |p| p + 1);
        self.at + first..self.at + last
    }

    /// Where the line ends.
    pub fn end(&self) -> usize {
        self.end
    }
}

impl Iterator for Fields<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let text = &self.bytes[self.at..self.end];
        let first = text.iter().position(|&b| !is_blank(b))?;
        let length = text[first..].iter().position(|&b| is_blank(b)).unwrap_or(text.len() - first);
        let start = self.at + first;
        self.at = start + length;
        Some(start..self.at)
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_and_line_ends_do_not_matter() {
        let bytes = b"\n \t\r\n  one two\t three \r\nlast";
        let first = next_line(bytes, 0).expect("there is a line");
        assert_eq!(&bytes[first.start..first.end], b"one two\t three");
        let fields: Vec<_> = Fields::new(bytes, first.start, first.end).map(|f| &bytes[f]).collect();
        assert_eq!(fields, [&b"one"[..], b"two", b"three"]);
        let second = next_line(bytes, first.next).expect("a line without an end is a line");
        assert_eq!((&bytes[second.start..second.end], second.next), (&b"last"[..], bytes.len()));
        assert_eq!(next_line(bytes, second.next), None);
    }

    #[test]
    fn the_rest_of_a_line_keeps_its_inner_blanks() {
        let bytes = b"texture  my  image.png ";
        let mut fields = Fields::new(bytes, 0, bytes.len());
        fields.next();
        assert_eq!(&bytes[fields.rest()], b"my  image.png");
        for _ in fields.by_ref() {}
        assert!(fields.rest().is_empty());
    }
}
