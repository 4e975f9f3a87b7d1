//! Text for HTML. Everything that may come from a file goes through [`text`].

use crate::render::style::safe;

/// The longest text that is shown. Names in files may have megabytes.
const LONGEST: usize = 400;

/// Text without markup, without characters that disguise what is around it, and of bounded length.
pub fn text(raw: &str) -> String {
    let end = raw.char_indices().nth(LONGEST).map_or(raw.len(), |(end, _)| end);
    let mut out = String::with_capacity(end);
    for c in safe(&raw[..end]).chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            c => out.push(c),
        }
    }
    if end < raw.len() {
        out.push('…');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_text() {
        assert_eq!(
            text("<script>\"a\" & 'b'\u{202e}"),
            "&lt;script&gt;&quot;a&quot; &amp; &#39;b&#39;\\u{202e}"
        );
        let long = text(&"é".repeat(1_000_000));
        assert_eq!(long.chars().count(), LONGEST + 1);
    }
}
