//! A report as text: in full with snippets, or one line per entry.

use super::{snippet, style};
use crate::input::Input;
use ligament::Report;
use ligament::report::{Diagnostic, Severity};
use std::collections::BTreeSet;

/// Number of errors that a failure shows in full; the rest is counted.
const ERRORS: usize = 10;

/// Every diagnostic in full, and how to read more about the errors.
pub fn full(report: &Report, input: &Input) -> String {
    let mut out = String::new();
    for diagnostic in report.diagnostics() {
        out += &snippet::render(diagnostic, input);
        out.push('\n');
    }
    if report.omitted() > 0 {
        out += &format!("... and {} more\n\n", report.omitted());
    }
    out
}

/// A failure's errors, the number of further problems, and how to read more.
pub fn failure(report: &Report, input: &Input) -> String {
    let others = report.count(Severity::Warning) + report.count(Severity::Note);
    errors(report, input, others, "`ligament validate` shows them")
}

/// A failed conversion: the errors, and what else it found as far as that matters or `verbose` asks for it.
pub fn failed_conversion(report: &Report, input: &Input, verbose: bool) -> String {
    errors(report, input, 0, "--json shows them") + &details(report, verbose)
}

/// The first errors, the number of those that are not shown, and how to read more.
fn errors(report: &Report, input: &Input, others: usize, how: &str) -> String {
    let errors = || report.diagnostics().iter().filter(|d| d.severity == Severity::Error);
    let mut out = String::new();
    for diagnostic in errors().take(ERRORS) {
        out += &snippet::render(diagnostic, input);
    }
    let more_errors = report.count(Severity::Error) - errors().take(ERRORS).count();
    let mut rest = Vec::new();
    if more_errors > 0 {
        rest.push(style::counted(more_errors, "more error", "more errors"));
    }
    if others > 0 {
        rest.push(style::counted(others, "warning or note", "warnings and notes"));
    }
    if !rest.is_empty() {
        out += &style::dim(&format!("not shown: {} ({how})", rest.join(", ")));
        out.push('\n');
    }
    if errors().next().is_some() && errors().all(|d| d.code.is_unsupported) {
        out += "unsupported: the file may well be valid, but ligament cannot read it\n";
    }
    out + &more(errors())
}

/// `ligament explain CODE` for the codes of these diagnostics.
pub fn more<'a>(diagnostics: impl Iterator<Item = &'a Diagnostic>) -> String {
    let codes: BTreeSet<_> = diagnostics.map(|d| d.code.id).collect();
    let words: Vec<_> = codes.into_iter().take(3).collect();
    if words.is_empty() {
        return String::new();
    }
    style::dim(&format!("more: ligament explain {}", words.join(" "))) + "\n"
}

/// One indented line per loss and diagnostic.
#[cfg(feature = "render")]
pub fn lines(report: &Report) -> String {
    report.lines(&style::Colours)
}

/// What was lost and found, one indented line each, the most important first; without `verbose`, what hardly ever matters
/// shares a line.
pub fn details(report: &Report, verbose: bool) -> String {
    match verbose {
        true => report.lines(&style::Colours),
        false => report.digest(" (--verbose lists them)", &style::Colours),
    }
}

/// One indented line per warning, approximation and drop: the summary of one file among many. With `verbose`, everything.
pub fn worries(report: &Report, verbose: bool) -> String {
    if verbose { report.lines(&style::Colours) } else { report.worries(&style::Colours) }
}

/// One indented line per loss.
pub fn losses(report: &Report) -> String {
    report.loss_lines(&style::Colours)
}
