//! `.hnd` files: `hnd NAME`, handles (`phk`, `hok`), positions, `end`, and then a model of the counted dialect. They
//! are detected and refused, not read.

use super::codes;
use crate::report::{Diagnostic, Failure, Report, Severity};
use crate::text::{Fields, Lines, next_line};
use std::ops::Range;

/// Finds the `hnd` line at the start of a container, after any comments and blank lines.
pub(super) fn first_line(bytes: &[u8]) -> Option<Range<usize>> {
    let mut at = 0;
    while let Some(line) = next_line(bytes, at) {
        at = line.next;
        let mut fields = Fields::new(bytes, line.start, line.end);
        let Some(keyword) = fields.next().filter(|f| bytes[f.start] != b'#') else { continue };
        return (&bytes[keyword] == b"hnd" && fields.next().is_some()).then_some(line.start..line.end);
    }
    None
}

/// Refuses a container, and reports where its model begins.
pub(super) fn refuse(bytes: &[u8], report: &mut Report) -> Result<(), Failure> {
    let Some(span) = first_line(bytes) else { return Ok(()) };
    let lines = Lines::new(bytes);
    let message = "this is a .hnd container (an object with handles around an AMO model), not a model";
    let diagnostic = Diagnostic::new(Severity::Error, &codes::CONTAINER, lines.place(span), message);
    let mut at = 0;
    let model = std::iter::from_fn(|| {
        let line = next_line(bytes, at)?;
        at = line.next;
        Some(line)
    })
    .find(|line| Fields::new(bytes, line.start, line.end).next().is_some_and(|f| &bytes[f] == b"ao"));
    let help = match model {
        Some(model) => {
            let (line, _) = lines.line_column(model.start);
            format!("the model begins with `ao` in line {line}; copy everything from there on to a .amo file")
        }
        None => "there is no `ao` line in it, so it contains no model".to_owned(),
    };
    report.push(diagnostic.help(help));
    Err(Failure::Invalid)
}
