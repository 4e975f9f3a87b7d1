//! One diagnostic with the place it is about: the line with a caret for text, the bytes around the offset for binary.

use super::style::{is_hostile, safe};
use crate::input::Input;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use ligament::report::{Diagnostic, Severity};
use std::ops::Range;

/// Bytes of a long line that are shown before the place and from it on.
const BEFORE: u64 = 60;
const AFTER: usize = 80;
/// Bytes in a line of a hex dump.
const DUMP: u64 = 16;

/// Renders a diagnostic, with a snippet if it is about the input itself. Ends with a line break.
pub fn render(diagnostic: &Diagnostic, input: &Input) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let place = &diagnostic.place;
    let mut group = Group::with_title(level.primary_title(safe(&diagnostic.message)).id(diagnostic.code.id));
    if let Some(origin) = origin(diagnostic) {
        group = group.element(origin);
    }
    if let Some(Excerpt { text, marked, line }) = excerpt(diagnostic, input) {
        let snippet = Snippet::source(text).annotation(AnnotationKind::Primary.span(marked));
        group = group.element(match line {
            Some(line) => snippet.line_start(line as usize),
            None => snippet.line_numbering(false),
        });
    }
    if let Some(field) = &place.field {
        group = group.element(Level::NOTE.with_name("field").message(safe(field)));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(safe(help)));
    }
    Renderer::styled().render(&[group]) + "\n"
}

/// The `--> file:line:column` line. The renderer's own would count columns within the excerpt.
fn origin(diagnostic: &Diagnostic) -> Option<Origin<'static>> {
    if diagnostic.file.is_empty() {
        return None;
    }
    let file = safe(&diagnostic.file);
    Some(match (diagnostic.place.line_column, &diagnostic.place.span) {
        (Some((line, column)), _) => Origin::path(file).line(line as usize).char_column(column as usize),
        (None, Some(span)) => Origin::path(format!("{file}, byte {} (0x{:x})", span.start, span.start)),
        (None, None) => Origin::path(file),
    })
}

/// A piece of a file as shown, and which part of it is meant.
struct Excerpt {
    text: String,
    marked: Range<usize>,
    line: Option<u32>,
}

fn excerpt(diagnostic: &Diagnostic, input: &Input) -> Option<Excerpt> {
    if input.name() != &*diagnostic.file {
        return None;
    }
    let span = diagnostic.place.span.as_ref()?;
    match diagnostic.place.line_column {
        Some((line, column)) => line_excerpt(input, span, line, column),
        None => dump_excerpt(input, span),
    }
}

/// The line around a span, cut short on both sides where it is long. A span of several lines is marked to the end of
/// its first.
fn line_excerpt(input: &Input, span: &Range<u64>, line: u32, column: u32) -> Option<Excerpt> {
    let line_start = span.start.saturating_sub(u64::from(column.saturating_sub(1)));
    let from = line_start.max(span.start.saturating_sub(BEFORE));
    let before = usize::try_from(span.start - from).ok()?;
    let bytes = input.window(from, before + AFTER)?;
    let (head, rest) = bytes.split_at_checked(before)?;
    let ends = rest.iter().position(|&b| b == b'\n' || b == b'\r');
    let cut = ends.is_none() && rest.len() == AFTER;
    let rest = &rest[..ends.unwrap_or(rest.len())];
    let length = usize::try_from(span.end.saturating_sub(span.start)).unwrap_or(usize::MAX);
    let (marked, tail) = rest.split_at(length.min(rest.len()));

    // A cut through a character leaves bytes that belong to the part not shown.
    let whole = head.iter().take(4).take_while(|&&b| from > line_start && b & 0xc0 == 0x80).count();
    let mut text = String::from(if from > line_start { "…" } else { "" });
    text += &shown(&head[whole..]);
    let start = text.len();
    text += &shown(marked);
    let end = text.len();
    text += &shown(tail);
    if cut {
        text.push('…');
    }
    Some(Excerpt { text, marked: start..end, line: Some(line) })
}

/// The sixteen bytes around an offset, in hexadecimal and as text.
fn dump_excerpt(input: &Input, span: &Range<u64>) -> Option<Excerpt> {
    let from = span.start - span.start % DUMP;
    let bytes = input.window(from, DUMP as usize)?;
    let first = (span.start - from) as usize;
    if first >= bytes.len() {
        return None;
    }
    let last = usize::try_from(span.end.saturating_sub(from)).unwrap_or(usize::MAX).min(bytes.len());
    let mut text = format!("{from:08x}  ");
    let start = text.len() + 3 * first;
    let end = text.len() + 3 * last.max(first + 1) - 1;
    for index in 0..DUMP as usize {
        match bytes.get(index) {
            Some(byte) => text += &format!("{byte:02x} "),
            None => text += "   ",
        }
    }
    text.push(' ');
    text.extend(bytes.iter().map(|&b| if (0x20..0x7f).contains(&b) { b as char } else { '.' }));
    Some(Excerpt { text, marked: start..end, line: None })
}

/// Source bytes as one line of text: what is no text or could drive the terminal is replaced, one character for one.
fn shown(bytes: &[u8]) -> String {
    let replace = |c: char| match c {
        '\t' => ' ',
        c if is_hostile(c) => '\u{fffd}',
        c => c,
    };
    String::from_utf8_lossy(bytes).chars().map(replace).collect()
}
