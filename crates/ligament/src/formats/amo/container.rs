//! `.hnd` files: `hnd NAME`, handles (`phk`, `hok`), positions, `end`, and then a model of the counted dialect. They
//! are detected and refused, not read.

use super::codes;
use crate::report::{Diagnostic, Failure, Place, Severity};
use crate::text::{Field, TextReader, head_lines, words};

/// Whether a file with this head is a container: its first line, after any comments and blank lines, is `hnd NAME`.
pub(super) fn is_container(head: &[u8]) -> bool {
    let first = head_lines(head).find(|line| !line.starts_with(b"#"));
    let mut words = words(first.unwrap_or_default());
    words.next() == Some(b"hnd") && words.next().is_some()
}

/// Refuses a container, given the first line of a file, and reports where its model begins.
pub(super) fn refuse(text: &mut TextReader<'_, '_>, first: Field<'_>) -> Result<(), Failure> {
    let mut fields = first.fields();
    if fields.next().is_none_or(|keyword| keyword.text() != b"hnd") || fields.next().is_none() {
        return Ok(());
    }
    let message = "this is a .hnd container (an object with handles around an AMO model), not a model";
    let mut help = "there is no `ao` line in it, so it contains no model".to_owned();
    while let Some(line) = text.line()? {
        if line.fields().next().is_some_and(|keyword| keyword.text() == b"ao") {
            let (number, _) = Place::from(line.trimmed().spot()).line_column.unwrap_or_default();
            help = format!(
                "the model begins with `ao` in line {number}; copy everything from there on to a .amo file"
            );
            break;
        }
    }
    let diagnostic = Diagnostic::new(Severity::Error, &codes::CONTAINER, first.spot().into(), message);
    text.report.push(diagnostic.help(help));
    Err(Failure::Invalid)
}
