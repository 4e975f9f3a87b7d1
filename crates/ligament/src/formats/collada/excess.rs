//! Texts on which the XML parser would take more than linear time.
//!
//! It compares each attribute of an element with all others, and copies the namespaces of a parent to each child that
//! declares one.

use std::collections::HashSet;

/// Most attributes of an element. COLLADA's own have at most ten.
const MAX_ATTRIBUTES: usize = 128;

/// Most prefixes of namespaces in a file.
const MAX_PREFIXES: usize = 32;

/// Fewest bytes of an attribute: a space, a letter, `=` and two quotes.
const ATTRIBUTE_BYTES: usize = 5;

/// Finds an element with too many attributes, or a prefix that is one too many. Returns its offset and what is wrong.
pub(super) fn find(text: &str) -> Option<(usize, String)> {
    long_tag(text.as_bytes()).or_else(|| prefixes(text.as_bytes()))
}

fn long_tag(text: &[u8]) -> Option<(usize, String)> {
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'<', &text[at..]) {
        let start = at + found;
        let rest = &text[start..];
        // These may contain anything.
        let opaque = [(&b"<!--"[..], &b"-->"[..]), (b"<![CDATA[", b"]]>")];
        if let Some((_, end)) = opaque.iter().find(|(begin, _)| rest.starts_with(begin)) {
            at = start + memchr::memmem::find(rest, end)? + end.len();
            continue;
        }
        at = start + 1;
        // A tag cannot contain another `<`, and most are too short to look at.
        let next = memchr::memchr(b'<', &rest[1..]).map_or(rest.len(), |next| next + 1);
        if next <= MAX_ATTRIBUTES * ATTRIBUTE_BYTES {
            continue;
        }
        let count = attributes(&rest[..next]);
        if count > MAX_ATTRIBUTES {
            let message = format!("the element has {count} attributes; at most {MAX_ATTRIBUTES} are read");
            return Some((start, message));
        }
    }
    None
}

/// The number of attributes of a tag, which may be followed by text.
fn attributes(tag: &[u8]) -> usize {
    let (mut count, mut quote) = (0, None);
    for &byte in tag {
        match (byte, quote) {
            (b'"' | b'\'', None) => quote = Some(byte),
            (_, Some(open)) if open == byte => quote = None,
            (b'=', None) => count += 1,
            (b'>', None) => break,
            _ => {}
        }
    }
    count
}

fn prefixes(text: &[u8]) -> Option<(usize, String)> {
    const DECLARATION: &[u8] = b"xmlns:";
    let mut seen = HashSet::new();
    for at in memchr::memmem::find_iter(text, DECLARATION) {
        let prefix = &text[at + DECLARATION.len()..];
        let length = prefix.iter().take(64).position(|b| b.is_ascii_whitespace() || matches!(b, b'=' | b'>'));
        seen.insert(&prefix[..length.unwrap_or(prefix.len().min(64))]);
        if seen.len() > MAX_PREFIXES {
            return Some((at, format!("the file declares more than {MAX_PREFIXES} prefixes of namespaces")));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element(attributes: usize, value: &str) -> String {
        let attributes: String = (0..attributes).map(|i| format!(" a{i}=\"{value}\"")).collect();
        format!("<a><b{attributes}/></a>")
    }

    #[test]
    fn attributes_are_counted() {
        assert_eq!(find(&element(128, "x > y = z = '")), None);
        let (at, message) = find(&element(129, "")).expect("too many");
        assert_eq!((at, &*message), (3, "the element has 129 attributes; at most 128 are read"));
    }

    #[test]
    fn text_is_not_an_attribute() {
        let code = "a = b; ".repeat(1000);
        for text in [
            format!("<code>{code}</code>"),
            format!("<!-- <x {code} --><a/>"),
            format!("<a><![CDATA[ if (a <b) {code} ]]></a>"),
            format!("<a b=\"{code}\" c='{code}'>{code}</a>"),
            format!("<!-- {code}"),
        ] {
            assert_eq!(find(&text), None, "{}", &text[..20]);
        }
        assert!(find(&format!("<!-- --><x {code}/>")).is_some());
    }

    #[test]
    fn prefixes_are_counted_once() {
        let declare = |i: usize| format!("<a xmlns:p{i}=\"u\"/>");
        let few: String = (0..1000).map(|i| declare(i % 32)).collect();
        assert_eq!(find(&few), None);
        let many: String = (0..33).map(declare).collect();
        assert!(find(&many).is_some_and(|(_, message)| message.contains("32 prefixes")));
    }
}
