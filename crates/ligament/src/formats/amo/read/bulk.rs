//! A large file while it passes by in pieces, so that its text is never in memory as a whole. Where there is something to
//! say about it, its lines are counted in the end; a file that breaks a rule is read again as a whole.

use super::Reader;
use super::condense::condense;
use super::sniff::{self, Sniffed};
use crate::formats::ReadOptions;
use crate::formats::amo::codes;
use crate::formats::amo::document::{Dialect, Document};
use crate::io::{Content, Folder};
use crate::report::{Place, Report};
use crate::text::{Condenser, Lines, Window, lines_and_columns};
use memchr::memrchr;

/// A longer line of the dialects with keywords is left to whoever reads all of the file.
const MOST_LINE_BYTES: usize = 1 << 16;

/// Reads a file in pieces of so many bytes; `None` if that was not enough, and nothing is said then.
pub(super) fn read(
    content: &Content<'_>,
    piece: usize,
    name: String,
    options: &ReadOptions,
    folder: Option<&dyn Folder>,
    report: &mut Report,
) -> Option<Document> {
    let mut window = Window::new(content, piece)?;
    window.fill(piece.max(MOST_LINE_BYTES)).ok()?;
    let text = window.text();
    let end = if window.holds_end() { text.len() } else { memrchr(b'\n', text)? + 1 };
    let found = usual_head(&text[..end])?;
    let mut document = Document { name, marked: found.marked.is_some(), ..Document::default() };
    let mut said = Report::new("", usize::MAX);
    let mut reader = Reader::new(&[], &found, options, folder, &mut said);
    reader.content = Some(content);
    match found.dialect {
        Dialect::Counted => counted(reader, content, piece, &found, &mut document)?,
        _ => lines(reader, window, &found, &mut document)?,
    }
    say(said, content, report)?;
    Some(document)
}

/// What the first lines of a file tell, if there is nothing odd about them.
fn usual_head(head: &[u8]) -> Option<Sniffed> {
    let odd = head.starts_with(sniff::BYTE_ORDER_MARK) || sniff::is_editamo(head);
    let usual = |found: &Sniffed| found.dialect != Dialect::Keyed && found.unknown_mark.is_none();
    (!odd).then(|| sniff::sniff(head)).filter(usual)
}

/// The dialects with a keyword on every line.
fn lines(
    mut reader: Reader<'_, '_>,
    mut window: Window<'_>,
    found: &Sniffed,
    document: &mut Document,
) -> Option<()> {
    let mut start = found.start;
    loop {
        window.fill(MOST_LINE_BYTES).ok()?;
        let text = window.text();
        let end = if window.holds_end() { text.len() } else { memrchr(b'\n', text)? + 1 };
        let mut here = reader.on(&text[..end], start, window.offset());
        here.all_lines().ok()?;
        if here.errors > 0 {
            return None;
        }
        reader = here.on(&[], 0, 0);
        start = 0;
        let ends = window.holds_end();
        window.advance(end);
        if ends {
            break;
        }
    }
    // Lines further on may tell that it is another dialect: those that this one does not have.
    let not_had = [codes::UNKNOWN_LINE.id, codes::FEW_CORNERS.id];
    if found.marked.is_none() && not_had.iter().any(|&code| reader.tallies.contains_key(&(code, ""))) {
        return None;
    }
    reader.finish_lines(document);
    finish(reader, found, document)
}

/// The dialect with counts.
fn counted(
    reader: Reader<'_, '_>,
    content: &Content<'_>,
    piece: usize,
    found: &Sniffed,
    document: &mut Document,
) -> Option<()> {
    let Condenser { text, gaps, runs, .. } = condense(content, piece)?;
    let mut reader = reader.on(&text, found.start, 0);
    reader.lines = Lines::with_gaps(&text, &gaps);
    reader.runs = runs;
    reader.counted(document).ok()?;
    // Lines that were left out and not asked for: whoever reads all of the text knows why.
    if !reader.runs.all_taken() {
        return None;
    }
    finish(reader, found, document)
}

fn finish(mut reader: Reader<'_, '_>, found: &Sniffed, document: &Document) -> Option<()> {
    reader.flush_tallies();
    if found.marked.is_none() {
        reader.say_dialect(document, &found.reason);
    }
    reader.report.check().ok()
}

/// Passes on what was said, with the lines that it is about.
fn say(said: Report, content: &Content<'_>, report: &mut Report) -> Option<()> {
    let mut said = said.diagnostics().to_vec();
    let start = |place: &Place| place.span.as_ref().map(|span| span.start as usize);
    let mut offsets: Vec<usize> = said.iter().filter_map(|d| start(&d.place)).collect();
    offsets.sort_unstable();
    offsets.dedup();
    let places = if offsets.is_empty() {
        Vec::new()
    } else {
        lines_and_columns(content, offsets.iter().copied()).ok()?
    };
    for mut diagnostic in said.drain(..) {
        let number = start(&diagnostic.place).and_then(|start| offsets.binary_search(&start).ok());
        if let Some(place) = number.and_then(|number| places.get(number)) {
            diagnostic.place.line_column = Some(*place);
        }
        report.push(diagnostic);
    }
    Some(())
}
