//! One diagnostic with its location: the line with a caret for text, the bytes around the offset for binary files.

use super::style::{is_hostile, safe};
use crate::input::Input;
use annotate_snippets::renderer::DEFAULT_LINE_NUM_STYLE;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use ligament::report::{Diagnostic, Severity};
use std::ops::Range;

/// Bytes of a long line that are shown before the location, and from it on.
const BEFORE: u64 = 60;
const AFTER: usize = 80;
/// Bytes per line of a hex dump.
const DUMP: u64 = 16;

/// Renders a diagnostic, with a snippet if it is about the input itself. Ends with a line break.
pub fn render(diagnostic: &Diagnostic, input: &Input) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let mut group = Group::with_title(level.primary_title(safe(&diagnostic.message)).id(diagnostic.code.id));
    let origin = origin(diagnostic);
    let excerpt = excerpt(diagnostic, input);
    let margin = excerpt.as_ref().map(|e| e.line.map_or(0, |line| line.to_string().len()));
    match (excerpt, &origin) {
        (Some(Excerpt { text, marked, line }), _) => {
            let snippet = Snippet::source(text).annotation(AnnotationKind::Primary.span(marked));
            group = group.element(match line {
                Some(line) => snippet.line_start(line as usize),
                None => snippet.line_numbering(false),
            });
        }
        (None, Some(origin)) => group = group.element(Origin::path(origin.as_str())),
        (None, None) => {}
    }
    if let Some(field) = &diagnostic.place.field {
        group = group.element(Level::NOTE.with_name("field").message(safe(field)));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(safe(help)));
    }
    if let Some(remedy) = &diagnostic.remedy {
        let help = format!("`{}` {}", safe(&remedy.option()), safe(&remedy.effect));
        group = group.element(Level::HELP.message(help));
    }
    let text = Renderer::styled().render(&[group]) + "\n";
    match (margin, origin, text.split_once('\n')) {
        // The renderer would count columns within the excerpt, so the line with the location is made here.
        (Some(margin), Some(origin), Some((title, rest))) => {
            let arrow = format!("{DEFAULT_LINE_NUM_STYLE}{:margin$}-->{DEFAULT_LINE_NUM_STYLE:#}", "");
            format!("{title}\n{arrow} {origin}\n{rest}")
        }
        _ => text,
    }
}

/// `file:line:column`, or `file, byte offset`.
fn origin(diagnostic: &Diagnostic) -> Option<String> {
    if diagnostic.file.is_empty() {
        return None;
    }
    let file = safe(&diagnostic.file);
    Some(match (diagnostic.place.line_column, &diagnostic.place.span) {
        (Some((line, column)), _) => format!("{file}:{line}:{column}"),
        (None, Some(span)) => format!("{file}, byte {} (0x{:x})", span.start, span.start),
        (None, None) => file,
    })
}

/// A piece of a file as shown, and the part that is marked.
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
    let window = |from: u64, length: usize| match &diagnostic.quote {
        Some(quote) => {
            let rest = quote.bytes.get(usize::try_from(from.checked_sub(quote.start)?).ok()?..)?;
            Some(rest[..rest.len().min(length)].to_vec())
        }
        None => input.window(from, length),
    };
    match diagnostic.place.line_column {
        Some((line, column)) => line_excerpt(&window, span, line, column),
        None => dump_excerpt(&window, span),
    }
}

/// Reads up to a number of bytes from an offset.
type Window<'w> = dyn Fn(u64, usize) -> Option<Vec<u8>> + 'w;

/// The line around a span, shortened on both sides if it is long. A span of several lines is marked to the end of its
/// first line.
fn line_excerpt(window: &Window<'_>, span: &Range<u64>, line: u32, column: u32) -> Option<Excerpt> {
    let line_start = span.start.saturating_sub(u64::from(column.saturating_sub(1)));
    let from = line_start.max(span.start.saturating_sub(BEFORE));
    let before = usize::try_from(span.start - from).ok()?;
    let bytes = window(from, before + AFTER)?;
    let (head, rest) = bytes.split_at_checked(before)?;
    let ends = rest.iter().position(|&b| b == b'\n' || b == b'\r');
    let cut = ends.is_none() && rest.len() == AFTER;
    let rest = &rest[..ends.unwrap_or(rest.len())];
    let length = usize::try_from(span.end.saturating_sub(span.start)).unwrap_or(usize::MAX);
    let (marked, tail) = rest.split_at(length.min(rest.len()));

    // A cut through a character leaves bytes that belong to the hidden part.
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

/// Sixteen bytes around an offset, in hexadecimal and as text.
fn dump_excerpt(window: &Window<'_>, span: &Range<u64>) -> Option<Excerpt> {
    let aligned = span.start - span.start % DUMP;
    // A span that extends beyond the line is shown better starting slightly before it.
    let from = if span.end > aligned + DUMP { span.start.saturating_sub(4) } else { aligned };
    let bytes = window(from, DUMP as usize)?;
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

/// Source bytes as one line of text. Invalid and control characters are replaced, one for one.
fn shown(bytes: &[u8]) -> String {
    let replace = |c: char| match c {
        '\t' => ' ',
        c if is_hostile(c) => '\u{fffd}',
        c => c,
    };
    String::from_utf8_lossy(bytes).chars().map(replace).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ligament::report::{Place, Report};
    use std::io::Write;

    fn rendered(bytes: &[u8], place: Place) -> String {
        let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
        file.write_all(bytes).expect("written");
        let input = Input::new(file.path());
        let mut report = Report::new(input.name(), 10);
        report.warning(&ligament::io::codes::CANNOT_READ, place, "odd \u{1b}[31m value");
        let text = render(&report.diagnostics()[0], &input);
        anstream::adapter::strip_str(&text).to_string().replace(input.name(), "FILE")
    }

    #[test]
    fn text_shows_the_line_with_carets() {
        let text = rendered(b"v 1 2\nv 1 abc 3\nv 4\n", Place::text(10..13, 2, 5));
        assert_eq!(
            text,
            "warning[IO001]: odd \\u{1b}[31m value
 --> FILE:2:5
  |
2 | v 1 abc 3
  |     ^^^
"
        );
    }

    #[test]
    fn long_lines_are_cut_and_controls_replaced() {
        let mut bytes = vec![b'\xc3'; 1];
        bytes.extend("é".repeat(5000).bytes());
        bytes.extend(b"\x1b[2Jwrong");
        bytes.extend([b'x'; 100_000]);
        let start = 1 + 10_000;
        let text = rendered(&bytes, Place::text(start..start + 9, 1, start as u32 + 1));
        let lines: Vec<_> = text.lines().collect();
        assert!(lines.iter().all(|l| l.chars().count() < 160), "{text}");
        assert!(lines[1].ends_with("FILE:1:10002"), "{text}");
        assert!(lines[3].contains("é\u{fffd}[2Jwrongxx"), "{text}");
        assert!(!text.contains('\u{1b}'));
        let caret = lines[4].chars().position(|c| c == '^');
        let wrong = lines[3].chars().position(|c| c == '[').map(|c| c - 1);
        assert_eq!(caret, wrong, "{text}");
    }

    #[test]
    fn a_place_at_the_end_of_the_file_is_shown() {
        let text = rendered(b"v 1 2", Place::text(5..5, 1, 6));
        assert!(text.contains("1 | v 1 2\n  |      ^"), "{text}");
        assert!(rendered(b"v", Place::text(500..505, 3, 4)).contains("FILE:3:4"));
    }

    #[test]
    fn binary_shows_the_bytes_with_offset_and_field() {
        let bytes: Vec<u8> = (0..40).chain(*b"glTF").collect();
        let mut place = Place::binary(41, "header.magic");
        place.span = Some(41..44);
        let text = rendered(&bytes, place);
        assert_eq!(
            text,
            "warning[IO001]: odd \\u{1b}[31m value
--> FILE, byte 41 (0x29)
 |
 | 00000020  20 21 22 23 24 25 26 27 67 6c 54 46               !\"#$%&'glTF
 |                                      ^^^^^^^^
 |
 = field: header.magic
"
        );
    }
}
