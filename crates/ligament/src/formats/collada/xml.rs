//! Small queries of the XML tree: children by name, references, places.

use std::borrow::Cow;

/// An element of the file.
pub(super) type Xml<'d> = roxmltree::Node<'d, 'd>;

/// The first child element with this name.
pub(super) fn child<'d>(node: Xml<'d>, name: &str) -> Option<Xml<'d>> {
    children(node, name).next()
}

/// The child elements with this name.
pub(super) fn children<'d, 'n>(node: Xml<'d>, name: &'n str) -> impl Iterator<Item = Xml<'d>> + use<'d, 'n> {
    node.children().filter(move |n| n.is_element() && n.tag_name().name() == name)
}

/// All child elements.
pub(super) fn elements<'d>(node: Xml<'d>) -> impl Iterator<Item = Xml<'d>> {
    node.children().filter(|n| n.is_element())
}

/// The index of the first node that comes after an element and everything in it. Indices ascend in the file's order.
pub(super) fn after(element: Xml<'_>) -> Option<u32> {
    element.ancestors().find_map(|around| around.next_sibling()).map(|next| next.id().get())
}

/// An element's name.
pub(super) fn tag<'d>(node: Xml<'d>) -> &'d str {
    node.tag_name().name()
}

/// Follows child elements by name.
pub(super) fn path<'d>(node: Xml<'d>, names: &[&str]) -> Option<Xml<'d>> {
    names.iter().try_fold(node, |node, name| child(node, name))
}

/// An element's text, even if a comment interrupts it.
pub(super) fn text<'d>(node: Xml<'d>) -> Cow<'d, str> {
    text_by(node, |part| part.text())
}

/// Like [`text`], with a function that returns the text of each part.
pub(super) fn text_by<'d>(node: Xml<'d>, told: impl Fn(Xml<'d>) -> Option<&'d str>) -> Cow<'d, str> {
    let mut parts = node.children().filter(|n| n.is_text()).filter_map(told);
    let first = parts.next().unwrap_or("");
    match parts.next() {
        None => Cow::Borrowed(first),
        Some(second) => Cow::Owned([first, second].into_iter().chain(parts).collect()),
    }
}

/// An element's text without surrounding whitespace.
pub(super) fn word(node: Xml<'_>) -> String {
    text(node).trim().to_owned()
}

/// The text of the first child with this name.
pub(super) fn child_word(node: Xml<'_>, name: &str) -> Option<String> {
    child(node, name).map(word)
}

/// An element's display name: its name, otherwise its id, otherwise its sid.
pub(super) fn name<'d>(node: Xml<'d>) -> &'d str {
    let stated = |key| node.attribute(key).filter(|v: &&str| !v.is_empty());
    stated("name").or_else(|| stated("id")).or_else(|| stated("sid")).unwrap_or("")
}

/// `<tag> "name"`, for messages and losses.
pub(super) fn label(node: Xml<'_>) -> String {
    match name(node) {
        "" => tag(node).to_owned(),
        name => format!("{} {name:?}", tag(node)),
    }
}

/// The numbers of a short list; anything else is skipped. For values that nothing depends on; see [`super::numbers`] for all others.
pub(super) fn short_numbers(node: Xml<'_>) -> Vec<f64> {
    let text = text(node);
    let words = text.split_ascii_whitespace();
    let number = |word: &str| {
        let read = crate::text::parse_f64(word.as_bytes());
        read.or_else(|e| {
            super::numbers::with_point(word.as_bytes()).map_or(Err(e), |w| crate::text::parse_f64(&w))
        })
        .ok()
    };
    words.filter_map(number).collect()
}

/// An attribute that is an integer.
pub(super) fn whole<T: std::str::FromStr>(node: Xml<'_>, attribute: &str) -> Option<T> {
    node.attribute(attribute)?.trim().parse().ok()
}

/// The techniques of all `<extra>` elements of an element.
pub(super) fn techniques<'d>(node: Xml<'d>) -> impl Iterator<Item = Xml<'d>> {
    children(node, "extra").flat_map(|extra| children(extra, "technique"))
}

/// One number.
pub(super) fn number(node: Xml<'_>) -> Option<f64> {
    short_numbers(node).first().copied()
}
