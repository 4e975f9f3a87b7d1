//! Finds a field in the JSON text again, so that a message can point at it.
//!
//! The parsed structs carry no positions; only a file that has something wrong with it pays for looking them up.

use crate::io::Source;
use crate::report::Place;
use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::ops::Range;

/// The JSON text of a file and where it lies in it.
pub(super) struct Places<'s, 'a> {
    source: &'s Source<'a>,
    json: Range<u64>,
    is_glb: bool,
    text: OnceCell<Cow<'s, [u8]>>,
    /// Where the elements of top-level lists start: without it, a thousand messages would scan the text a thousand times.
    elements: RefCell<HashMap<String, Vec<usize>>>,
}

impl<'s, 'a> Places<'s, 'a> {
    pub fn new(source: &'s Source<'a>, json: Range<u64>, is_glb: bool) -> Self {
        Self { source, json, is_glb, text: OnceCell::new(), elements: RefCell::default() }
    }

    /// The whole text.
    pub fn text(&self) -> &[u8] {
        self.text.get_or_init(|| {
            let length = self.json.end - self.json.start;
            self.source.content.range(self.json.start, length).unwrap_or_default()
        })
    }

    /// The place of a field such as `accessors[3].count`, or of the nearest thing around it that exists.
    pub fn of(&self, path: &str) -> Place {
        let range = self.find(path).map_or(0..0, |found| found.0);
        place(self.text(), range, self.json.start, self.is_glb).with_field(path)
    }

    /// The range of a field's value in the text, if the field is there.
    pub fn exact(&self, path: &str) -> Option<Range<usize>> {
        self.find(path).filter(|found| found.1).map(|found| found.0)
    }

    fn find(&self, path: &str) -> Option<(Range<usize>, bool)> {
        let text = self.text();
        let steps = path.split('.').flat_map(|part| part.split('[')).filter(|s| !s.is_empty());
        let mut found = skip_space(text, 0);
        let mut list = None;
        for step in steps {
            let next = match (step.strip_suffix(']'), list) {
                (Some(index), Some(key)) => {
                    let mut lists = self.elements.borrow_mut();
                    let starts = lists.entry(key).or_insert_with(|| elements(text, found));
                    index.parse().ok().and_then(|i: usize| starts.get(i).copied())
                }
                (Some(index), None) => index.parse().ok().and_then(|i: usize| nth(text, found, i)),
                (None, _) => member(text, found, step),
            };
            let Some(next) = next else { return Some((found..skip_value(text, found)?, false)) };
            list = (found == skip_space(text, 0)).then(|| step.to_owned());
            found = next;
        }
        Some((found..skip_value(text, found)?, true))
    }
}

/// The place of a range of the JSON text, which starts at `base` of the file.
pub(super) fn place(text: &[u8], range: Range<usize>, base: u64, is_glb: bool) -> Place {
    if is_glb {
        let span = base + range.start as u64..base + range.end as u64;
        return Place { span: Some(span), line_column: None, field: None };
    }
    let before = &text[..range.start.min(text.len())];
    let line = 1 + memchr::memchr_iter(b'\n', before).count();
    let column = 1 + before.len() - memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
    let start = base as usize;
    Place::text(start + range.start..start + range.end, line as u32, column as u32)
}

fn skip_space(text: &[u8], mut at: usize) -> usize {
    while matches!(text.get(at), Some(b' ' | b'\t' | b'\r' | b'\n')) {
        at += 1;
    }
    at
}

/// The end of the string that starts at `at`.
fn skip_string(text: &[u8], at: usize) -> Option<usize> {
    let mut at = at + 1;
    loop {
        at += memchr::memchr2(b'"', b'\\', text.get(at..)?)?;
        if text[at] == b'"' {
            return Some(at + 1);
        }
        at += 2;
    }
}

/// The end of the value that starts at `at`.
fn skip_value(text: &[u8], at: usize) -> Option<usize> {
    let mut depth = 0usize;
    let mut now = at;
    loop {
        now = skip_space(text, now);
        match *text.get(now)? {
            b'"' => now = skip_string(text, now)?,
            b'{' | b'[' => {
                depth += 1;
                now += 1;
                continue;
            }
            b'}' | b']' => {
                depth = depth.checked_sub(1)?;
                now += 1;
            }
            b',' | b':' => now += 1,
            _ => {
                let rest = &text[now..];
                let end = rest.iter().position(|b| b",]}: \t\r\n".contains(b)).unwrap_or(rest.len());
                now += end;
            }
        }
        if depth == 0 {
            return Some(now);
        }
    }
}

/// The value of a member of the object at `at`.
fn member(text: &[u8], at: usize, key: &str) -> Option<usize> {
    let mut at = at;
    let mut opening = b'{';
    while text.get(at) == Some(&opening) {
        let name = skip_space(text, at + 1);
        let name_end = skip_string(text, name).filter(|_| text.get(name) == Some(&b'"'))?;
        let value = skip_space(text, skip_space(text, name_end) + 1);
        if text.get(name + 1..name_end - 1) == Some(key.as_bytes()) {
            return Some(value);
        }
        at = skip_space(text, skip_value(text, value)?);
        opening = b',';
    }
    None
}

/// Where the elements of the list at `at` start.
fn elements(text: &[u8], at: usize) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut at = at;
    let mut opening = b'[';
    while text.get(at) == Some(&opening) {
        let value = skip_space(text, at + 1);
        let Some(end) = skip_value(text, value).filter(|_| text.get(value) != Some(&b']')) else { break };
        starts.push(value);
        at = skip_space(text, end);
        opening = b',';
    }
    starts
}

fn nth(text: &[u8], at: usize, index: usize) -> Option<usize> {
    elements(text, at).get(index).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"{
  "asset": {"version": "2.0", "a\"b": [1, [2, {"x": 3}]]},
  "nodes": [ {}, {"name": "a,]}", "children": [4, 5, 66]}, [] ]
}"#;

    fn found(path: &str) -> String {
        let source = Source::from_bytes("t.gltf", TEXT.as_bytes());
        let places = Places::new(&source, 0..TEXT.len() as u64, false);
        let place = places.of(path);
        let span = place.span.expect("a span");
        let (line, column) = place.line_column.expect("a line");
        let text = &TEXT[span.start as usize..span.end as usize];
        let start = TEXT.split('\n').take(line as usize - 1).map(|l| l.len() + 1).sum::<usize>();
        assert_eq!(start + column as usize - 1, span.start as usize);
        text.to_owned()
    }

    #[test]
    fn fields_are_found_in_the_text() {
        assert_eq!(found("asset.version"), "\"2.0\"");
        assert_eq!(found("nodes[0]"), "{}");
        assert_eq!(found("nodes[1].name"), "\"a,]}\"");
        assert_eq!(found("nodes[1].children[2]"), "66");
        assert_eq!(found("nodes[2]"), "[]");
    }

    #[test]
    fn a_missing_field_gives_what_is_around_it() {
        assert_eq!(found("nodes[0].mesh"), "{}");
        assert_eq!(found("asset.extras.x[7]"), &TEXT[13..TEXT.find("},\n").expect("there") + 1]);
    }
}
