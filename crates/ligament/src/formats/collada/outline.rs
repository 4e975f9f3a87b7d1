//! The text without its long lists of numbers.
//!
//! Lists make up most of every file, and the XML parser looks at each of their characters. So it gets a text in which
//! each list is replaced by a space, and only the number parser reads the lists.

use std::borrow::Cow;

/// Elements that contain nothing but lists of numbers.
const LISTS: [&[u8]; 5] = [b"float_array", b"p>", b"p ", b"v>", b"vcount>"];

/// Lists with fewer bytes stay in the text.
const SHORT: usize = 128;

/// A file's text, and the text for the XML parser.
pub(super) struct Outline<'t> {
    /// The whole text.
    pub whole: &'t str,
    /// The text without the long lists.
    pub text: Cow<'t, str>,
    cuts: Vec<Cut>,
}

/// A list that was removed.
struct Cut {
    /// Offset of the space that replaces it.
    at: usize,
    /// Offset of the list in the whole text.
    start: usize,
    end: usize,
}

impl<'t> Outline<'t> {
    /// Removes the long lists.
    pub fn of(whole: &'t str) -> Self {
        let bytes = whole.as_bytes();
        let (mut text, mut cuts) = (String::new(), Vec::new());
        // CDATA may contain text that only looks like an element.
        if memchr::memmem::find(bytes, b"<![CDATA[").is_some() {
            return Self { whole, text: Cow::Borrowed(whole), cuts };
        }
        let (mut kept, mut at) = (0, 0);
        while let Some(found) = memchr::memchr(b'<', &bytes[at..]) {
            at += found + 1;
            if !LISTS.iter().any(|list| bytes[at..].starts_with(list)) {
                continue;
            }
            let Some(open) = memchr::memchr(b'>', &bytes[at..]) else { break };
            let start = at + open + 1;
            let Some(length) = memchr::memchr(b'<', &bytes[start..]) else { break };
            let end = start + length;
            at = end;
            if length >= SHORT && is_plain(&bytes[start..end]) {
                text.push_str(&whole[kept..start]);
                cuts.push(Cut { at: text.len(), start, end });
                text.push(' ');
                kept = end;
            }
        }
        if cuts.is_empty() {
            return Self { whole, text: Cow::Borrowed(whole), cuts };
        }
        text.push_str(&whole[kept..]);
        Self { whole, text: Cow::Owned(text), cuts }
    }

    /// The list that was removed at this offset.
    pub fn list(&self, at: usize) -> Option<&'t str> {
        let cut = self.cuts.binary_search_by_key(&at, |cut| cut.at).ok().map(|i| &self.cuts[i])?;
        self.whole.get(cut.start..cut.end)
    }

    /// Converts an offset to one in the whole text.
    pub fn whole_offset(&self, at: usize) -> usize {
        match self.cuts[..self.cuts.partition_point(|cut| cut.at < at)].last() {
            Some(cut) => at - (cut.at + 1) + cut.end,
            None => at,
        }
    }
}

/// Whether a text is only words and numbers, with nothing that XML gives a meaning to or forbids. Quotes count as such,
/// so that a `>` in an attribute is not taken for the end of a tag.
fn is_plain(bytes: &[u8]) -> bool {
    let is_plain = |&b: &u8| {
        (b | 0x20).wrapping_sub(b'a') < 26
            || b.wrapping_sub(b'+') <= b'9' - b'+'
            || matches!(b, b' ' | b'\n' | b'\r' | b'\t' | b'#' | b'_')
    };
    // Without an early exit, the loop can be vectorised.
    bytes.iter().fold(true, |plain, b| plain & is_plain(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn long(word: &str) -> String {
        word.repeat(SHORT)
    }

    #[test]
    fn long_lists_are_taken_out_and_found_again() {
        let (floats, indices) = (long("1.5 "), long("7\r\n"));
        let whole =
            format!("<a><float_array count=\"2\">{floats}</float_array><p>1 2</p><p>{indices}</p></a>");
        let outline = Outline::of(&whole);
        assert_eq!(outline.text, "<a><float_array count=\"2\"> </float_array><p>1 2</p><p> </p></a>");
        let blank = |n: usize| outline.text.match_indices("> <").nth(n).expect("a blank").0 + 1;
        assert_eq!(outline.list(blank(0)), Some(&floats[..]));
        assert_eq!(outline.list(blank(1)), Some(&indices[..]));
        assert_eq!(outline.list(5), None);
        // Every offset in the remaining text maps to the same text, and that of a space to the start of its list.
        for (at, _) in outline.text.char_indices().filter(|(_, c)| *c != ' ') {
            assert_eq!(outline.text.as_bytes()[at], whole.as_bytes()[outline.whole_offset(at)], "{at}");
        }
        assert!(whole[outline.whole_offset(blank(1))..].starts_with(&indices));
    }

    #[test]
    fn what_could_mean_something_stays() {
        let numbers = long("1 ");
        for whole in [
            format!("<p>{numbers}&amp;</p>"),
            format!("<p>{numbers}\u{1}</p>"),
            format!("<p>{numbers}é</p>"),
            format!("<p a=\">{numbers}\">1</p>"),
            format!("<!-- <p> {numbers} --><p>1</p>"),
            format!("<a><![CDATA[<p>{numbers}</p>]]></a>"),
            format!("<param>{numbers}</param>"),
            format!("<p>{numbers}"),
        ] {
            assert!(matches!(Outline::of(&whole).text, Cow::Borrowed(_)), "{whole}");
        }
    }
}
