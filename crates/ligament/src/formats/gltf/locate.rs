//! Finds a field in the JSON text, so that a message can point at it.
//!
//! The parsed structs carry no positions; only a file with errors pays for looking them up.

use super::v1::Origins;
use crate::io::Source;
use crate::report::{Place, Report, Severity};
use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

/// A member of an object or array: its name (with quotes; empty in an array), and where its value starts.
#[derive(Clone)]
struct Member {
    name: Range<usize>,
    value: usize,
}

impl Member {
    fn is_named(&self, name: &str, text: &[u8]) -> bool {
        text.get(self.name.start + 1..self.name.end.saturating_sub(1)) == Some(name.as_bytes())
    }
}

/// One step of a path: a member of an object, or an element of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step<'p> {
    Name(&'p str),
    Index(usize),
}

/// Parses a path such as `accessors[3].count` into steps.
fn steps(path: &str) -> Vec<Step<'_>> {
    let parts = path.split('.').flat_map(|part| part.split('[')).filter(|s| !s.is_empty());
    parts
        .map(|step| match step.strip_suffix(']').and_then(|index| index.parse().ok()) {
            Some(index) => Step::Index(index),
            None => Step::Name(step),
        })
        .collect()
}

/// Formats steps as a path.
fn written(steps: &[Step<'_>]) -> String {
    let mut path = String::new();
    for step in steps {
        match step {
            Step::Index(index) => path.push_str(&format!("[{index}]")),
            Step::Name(name) if path.is_empty() => path.push_str(name),
            Step::Name(name) => path.push_str(&format!(".{name}")),
        }
    }
    path
}

/// The JSON text of a file, and its position in the file.
pub(super) struct Places<'s, 'a> {
    source: &'s Source<'a>,
    json: Range<u64>,
    is_glb: bool,
    /// The ids of the objects in a glTF 1.0 file.
    origins: Option<&'s Origins>,
    text: OnceCell<Cow<'s, [u8]>>,
    /// The members of objects and arrays that were already scanned, by start offset: without it, a thousand messages
    /// would scan the text a thousand times.
    known: RefCell<HashMap<usize, Rc<[Member]>>>,
}

impl<'s, 'a> Places<'s, 'a> {
    pub fn new(source: &'s Source<'a>, json: Range<u64>, is_glb: bool) -> Self {
        Self { source, json, is_glb, origins: None, text: OnceCell::new(), known: RefCell::default() }
    }

    pub fn with_origins(self, origins: Option<&'s Origins>) -> Self {
        Self { origins, ..self }
    }

    /// The whole text.
    pub fn text(&self) -> &[u8] {
        self.text.get_or_init(|| {
            let length = self.json.end - self.json.start;
            self.source.content.range(self.json.start, length).unwrap_or_default()
        })
    }

    /// The place of a field such as `accessors[3].count`, or of the nearest enclosing value that exists.
    pub fn of(&self, path: &str) -> Place {
        let steps = steps(path);
        match self.origins {
            Some(origins) => self.at(&origins.translate(steps)),
            None => self.at(&steps).with_field(path),
        }
    }

    /// Like [`of`](Self::of), for a path in the file's own structure.
    pub fn at(&self, path: &[Step<'_>]) -> Place {
        let range = self.find(path).map_or(0..0, |found| found.0);
        let text = Text { bytes: self.text(), base: self.json.start, is_glb: self.is_glb };
        text.place(range).with_field(written(path))
    }

    /// Like [`at`](Self::at), but only while diagnostics of this severity are still kept.
    pub fn while_kept(&self, report: &Report, severity: Severity, path: &[Step<'_>]) -> Place {
        if report.keeps(severity) { self.at(path) } else { Place::WHOLE }
    }

    /// Translates a path to the file's own structure.
    pub fn name(&self, path: &str) -> String {
        self.origins.map_or_else(|| path.to_owned(), |origins| written(&origins.translate(steps(path))))
    }

    /// The range of a field's value in the text, if the field exists.
    pub fn exact(&self, path: &str) -> Option<Range<usize>> {
        self.find(&steps(path)).filter(|found| found.1).map(|found| found.0)
    }

    fn find(&self, path: &[Step<'_>]) -> Option<(Range<usize>, bool)> {
        let text = self.text();
        let mut found = skip_space(text, 0);
        for step in path {
            let members = self.members(found);
            let next = match step {
                Step::Index(index) => members.get(*index).filter(|m| m.name.is_empty()),
                Step::Name(name) => members.iter().find(|m| m.is_named(name, text)),
            };
            match next {
                Some(next) => found = next.value,
                None => return Some((found..skip_value(text, found)?, false)),
            }
        }
        Some((found..skip_value(text, found)?, true))
    }

    fn members(&self, at: usize) -> Rc<[Member]> {
        let mut known = self.known.borrow_mut();
        Rc::clone(known.entry(at).or_insert_with(|| members(self.text(), at).into()))
    }
}

/// A JSON text, which starts at offset `base` of its file.
#[derive(Clone, Copy)]
pub(super) struct Text<'t> {
    pub bytes: &'t [u8],
    pub base: u64,
    pub is_glb: bool,
}

impl Text<'_> {
    /// The place of a range of the text.
    pub fn place(self, range: Range<usize>) -> Place {
        let Self { bytes, base, is_glb } = self;
        if is_glb {
            let span = base + range.start as u64..base + range.end as u64;
            return Place { span: Some(span), line_column: None, field: None };
        }
        let before = &bytes[..range.start.min(bytes.len())];
        let line = 1 + memchr::memchr_iter(b'\n', before).count();
        let column = 1 + before.len() - memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
        let start = base as usize;
        Place::text(start + range.start..start + range.end, line as u32, column as u32)
    }
}

/// The range of a nested member's value in a text that need not be glTF.
pub(super) fn range(text: &[u8], names: &[&str]) -> Option<Range<usize>> {
    let names: Vec<Step<'_>> = names.iter().map(|name| Step::Name(name)).collect();
    along(text, &names)
}

/// The range of the value at a path such as `accessors[3].count`.
pub(super) fn of_path(text: &[u8], path: &str) -> Option<Range<usize>> {
    along(text, &steps(path))
}

fn along(text: &[u8], steps: &[Step<'_>]) -> Option<Range<usize>> {
    let mut found = skip_space(text, 0);
    for step in steps {
        let mut inside = members(text, found).into_iter();
        found = match step {
            Step::Name(name) => inside.find(|m| m.is_named(name, text))?.value,
            Step::Index(index) => inside.nth(*index)?.value,
        };
    }
    Some(found..skip_value(text, found)?)
}

/// The innermost value around a byte of the text (or that starts right after it), with its path.
pub(super) fn around(text: &[u8], at: usize, fits: impl Fn(&[u8]) -> bool) -> (Range<usize>, String) {
    let mut found = skip_space(text, 0);
    let (mut best, mut path) = ((0..0, String::new()), String::new());
    loop {
        let members = members(text, found);
        let Some((index, member)) = members.iter().enumerate().rfind(|(_, m)| m.value <= at + 1) else {
            break;
        };
        let Some(end) = skip_value(text, member.value).filter(|&end| end > at) else { break };
        if member.name.is_empty() {
            path.push_str(&format!("[{index}]"));
        } else {
            let dot = if path.is_empty() { "" } else { "." };
            let name = &text[member.name.start + 1..member.name.end - 1];
            path.push_str(&format!("{dot}{}", String::from_utf8_lossy(name)));
        }
        if fits(&text[member.value..end]) {
            best = (member.value..end, path.clone());
        }
        found = member.value;
    }
    best
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

/// The members of the object or array that starts at `at`.
fn members(text: &[u8], at: usize) -> Vec<Member> {
    let mut found = Vec::new();
    let is_object = text.get(at) == Some(&b'{');
    let mut at = at;
    let mut opening = if is_object { b'{' } else { b'[' };
    while text.get(at) == Some(&opening) {
        let start = skip_space(text, at + 1);
        let name_end =
            if is_object && text.get(start) == Some(&b'"') { skip_string(text, start) } else { None };
        let (name, value) = match name_end {
            Some(end) => (start..end, skip_space(text, skip_space(text, end) + 1)),
            None if is_object => break,
            None => (start..start, start),
        };
        let Some(end) = skip_value(text, value).filter(|_| text.get(value) != Some(&b']')) else { break };
        found.push(Member { name, value });
        at = skip_space(text, end);
        opening = b',';
    }
    found
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
