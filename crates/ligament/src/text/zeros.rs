//! Zero bytes at the end of a text: the terminator of a string that a program wrote with the text, or padding.

use crate::io::{Content, codes};
use crate::report::{Place, Report, counted};
use std::io;
use std::ops::Range;

/// The length of a text without the zero bytes at its end, which are reported.
pub(crate) fn length_without_zeros(content: &Content<'_>, report: &mut Report) -> io::Result<u64> {
    /// Bytes that are looked at together.
    const BLOCK: u64 = 1 << 12;
    let mut length = content.len();
    while length > 0 {
        let start = length - length.min(BLOCK);
        let block = content.range(start, length - start)?;
        let kept = block.iter().rposition(|&byte| byte != 0).map_or(0, |last| last as u64 + 1);
        length = start + kept;
        if kept > 0 {
            break;
        }
    }
    let zeros = content.len() - length;
    // A file of nothing but zeros is no text with an end.
    if zeros == 0 || length == 0 {
        return Ok(content.len());
    }
    let (line, line_start) = line_at(content, length)?;
    report_zeros(length..length + zeros, (line, length - line_start), report);
    Ok(length)
}

/// A text that is in memory without the zero characters at its end, which are reported.
pub(crate) fn trim_zeros<'t>(text: &'t str, report: &mut Report) -> &'t str {
    let trimmed = text.trim_end_matches('\0');
    if trimmed.len() < text.len() && !trimmed.is_empty() {
        let place = super::Lines::new(text.as_bytes()).place(trimmed.len()..text.len());
        report_at(place, (text.len() - trimmed.len()) as u64, report);
        return trimmed;
    }
    text
}

fn report_zeros(range: Range<u64>, (line, column): (u64, u64), report: &mut Report) {
    let small = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
    let line_column = Some((small(line), small(column + 1)));
    let count = range.end - range.start;
    report_at(Place { span: Some(range), line_column, field: None }, count, report);
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
        let many = [b"v 1\nv 2".to_vec(), vec![0; 10_000]].concat();
        let message = "2:4: warning[IO008]: the text ends with 10000 zero bytes; the rest is read";
        assert_eq!(of(&many), (7, vec![message.to_owned()]));
        let mut report = Report::default();
        assert_eq!(trim_zeros("<a/>\0\0", &mut report), "<a/>");
        assert_eq!(report.diagnostics().len(), 1);
    }
}
