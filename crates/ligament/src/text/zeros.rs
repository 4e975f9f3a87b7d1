//! Zero bytes at the end of a text: the terminator of a string that a program wrote with the text, or padding.

use crate::io::{Content, codes};
use crate::report::{Place, Report, counted};
use std::io;
use std::ops::Range;

/// The length of a text without the zero bytes at its end, which are reported. Line ends may follow them.
pub(crate) fn length_without_zeros(content: &Content<'_>, report: &mut Report) -> io::Result<u64> {
    /// Bytes that are looked at together.
    const BLOCK: u64 = 1 << 12;
    let (mut length, mut first, mut zeros) = (content.len(), None, 0);
    'text: while length > 0 {
        let start = length - length.min(BLOCK);
        for (i, byte) in content.range(start, length - start)?.iter().enumerate().rev() {
            match byte {
                0 => (first, zeros) = (Some(start + i as u64), zeros + 1),
                byte if byte.is_ascii_whitespace() => {}
                _ => break 'text,
            }
        }
        length = start;
    }
    // A file of nothing but zeros is no text with an end.
    let Some(end) = first.filter(|_| length > 0) else { return Ok(content.len()) };
    let (line, line_start) = line_at(content, end)?;
    report_zeros(end..content.len(), (line, end - line_start), zeros, report);
    Ok(end)
}

/// A text that is in memory without the zero characters at its end, which are reported.
pub(crate) fn trim_zeros<'t>(text: &'t str, report: &mut Report) -> &'t str {
    let kept = text.trim_end_matches(|c: char| c == '\0' || c.is_ascii_whitespace());
    let Some(at) = text[kept.len()..].find('\0').filter(|_| !kept.is_empty()) else { return text };
    let (trimmed, rest) = text.split_at(kept.len() + at);
    let place = super::Lines::new(text.as_bytes()).place(trimmed.len()..text.len());
    report_at(place, rest.matches('\0').count() as u64, report);
    trimmed
}

fn report_zeros(range: Range<u64>, (line, column): (u64, u64), zeros: u64, report: &mut Report) {
    let small = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
    let line_column = Some((small(line), small(column + 1)));
    report_at(Place { span: Some(range), line_column, field: None }, zeros, report);
}

fn report_at(place: Place, count: u64, report: &mut Report) {
    let bytes = counted(count, "zero byte", "zero bytes");
    report.warning(&codes::TRAILING_ZEROS, place, format!("the text ends with {bytes}; the rest is read"));
}

/// The number of the line that an offset is in, from 1, and the offset at which that line starts.
fn line_at(content: &Content<'_>, offset: u64) -> io::Result<(u64, u64)> {
    let (mut line, mut line_start) = (1, 0);
    content.pieces(|at, piece| {
        let rest = usize::try_from(offset.saturating_sub(at)).unwrap_or(usize::MAX);
        let text = &piece[..piece.len().min(rest)];
        line += memchr::memchr_iter(b'\n', text).count() as u64;
        line_start = memchr::memrchr(b'\n', text).map_or(line_start, |end| at + end as u64 + 1);
        Ok(rest > piece.len())
    })?;
    Ok((line, line_start))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(bytes: &[u8]) -> (u64, Vec<String>) {
        let (content, mut report) = (Content::Memory(bytes.into()), Report::default());
        let length = length_without_zeros(&content, &mut report).expect("readable");
        (length, report.diagnostics().iter().map(ToString::to_string).collect())
    }

    #[test]
    fn zeros_at_the_end_are_left_out_and_reported() {
        assert_eq!(of(b"v 1\nv 2\n"), (8, vec![]));
        assert_eq!(of(b""), (0, vec![]));
        assert_eq!(of(b"\0\0\0"), (3, vec![]));
        assert_eq!(of(b"a\0b"), (3, vec![]));
        let one = "3:1: warning[IO008]: the text ends with 1 zero byte; the rest is read";
        assert_eq!(of(b"v 1\nv 2\n\0"), (8, vec![one.to_owned()]));
        // ZBrush ends its files so.
        assert_eq!(of(b"v 1\nv 2\n\0\n"), (8, vec![one.to_owned()]));
        let many = [b"v 1\nv 2".to_vec(), vec![0; 10_000]].concat();
        let message = "2:4: warning[IO008]: the text ends with 10000 zero bytes; the rest is read";
        assert_eq!(of(&many), (7, vec![message.to_owned()]));
        let mut report = Report::default();
        assert_eq!(trim_zeros("<a/>\0\0", &mut report), "<a/>");
        assert_eq!(trim_zeros("<a/>\n\0\n", &mut report), "<a/>\n");
        assert_eq!(report.diagnostics().len(), 2);
    }
}
