//! A large file of the dialects with a keyword on every line, while it passes by in pieces, so that its text is never in
//! memory as a whole. Messages point at lines: where there is anything to say about one, the file is read again as a whole.

use super::Reader;
use super::sniff::{self, Sniffed};
use crate::formats::ReadOptions;
use crate::formats::amo::document::{Dialect, Document};
use crate::io::{Content, Folder};
use crate::report::{Place, Report};
use crate::text::Window;
use memchr::memrchr;

/// A longer line is left to whoever reads all of the file.
const MOST_LINE_BYTES: usize = 1 << 16;

/// Reads a file in pieces of so many bytes; `None` if that was not enough. What `report` says is worth nothing then.
pub(super) fn read(
    content: &Content<'_>,
    piece: usize,
    name: String,
    options: &ReadOptions,
    folder: Option<&dyn Folder>,
    report: &mut Report,
) -> Option<Document> {
    let told = report.diagnostics().len();
    let mut window = Window::new(content, piece)?;
    window.fill(piece.max(MOST_LINE_BYTES)).ok()?;
    let found = usual_head(window.text())?;
    let marked = found.marked.is_some();
    let mut document = Document { name, marked, ..Document::default() };
    let mut reader = Reader::new(&[], &found, options, folder, report);
    let mut start = found.start;
    loop {
        window.fill(MOST_LINE_BYTES).ok()?;
        let text = window.text();
        let end = if window.holds_end() { text.len() } else { memrchr(b'\n', text)? + 1 };
        let mut here = reader.on(&text[..end], start);
        here.all_lines().ok()?;
        if here.errors > 0 || !here.tallies.is_empty() {
            return None;
        }
        reader = here.on(&[], 0);
        start = 0;
        let ends = window.holds_end();
        window.advance(end);
        if ends {
            break;
        }
    }
    // Places are looked for in text that is gone; that there is one to look for is enough to know.
    reader.model_at = 0;
    reader.finish_lines(&mut document);
    if !reader.tallies.is_empty() {
        return None;
    }
    if !marked {
        reader.say_dialect(&document, &found.reason);
    }
    let new = report.diagnostics().get(told..)?;
    (report.check().is_ok() && new.iter().all(|d| d.place == Place::WHOLE)).then_some(document)
}

/// What the first piece of a file tells, if it is of these dialects. A line further on that would tell otherwise is one
/// that they do not have.
fn usual_head(head: &[u8]) -> Option<Sniffed> {
    let odd = head.starts_with(sniff::BYTE_ORDER_MARK) || sniff::is_editamo(head);
    let usual = |found: &Sniffed| {
        matches!(found.dialect, Dialect::Document | Dialect::OneBased) && found.unknown_mark.is_none()
    };
    (!odd).then(|| sniff::sniff(head)).filter(usual)
}
