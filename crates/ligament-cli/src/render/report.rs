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
    let errors = || report.diagnostics().iter().filter(|d| d.severity == Severity::Error);
    let mut out = String::new();
    for diagnostic in errors().take(ERRORS) {
        out += &snippet::render(diagnostic, input);
    }
    let more_errors = report.count(Severity::Error) - errors().take(ERRORS).count();
    let others = report.count(Severity::Warning) + report.count(Severity::Note);
    let mut rest = Vec::new();
    if more_errors > 0 {
        rest.push(style::counted(more_errors, "more error", "more errors"));
    }
    if others > 0 {
        rest.push(style::counted(others, "warning or note", "warnings and notes"));
    }
    if !rest.is_empty() {
        out += &style::dim(&format!("not shown: {} (`ligament validate` shows them)", rest.join(", ")));
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

/// One indented line per diagnostic and loss.
pub fn lines(report: &Report) -> String {
    report.lines(&style::Colours)
}

/// One indented line per warning, approximation and drop: the summary of one file among many.
pub fn worries(report: &Report) -> String {
    report.worries(&style::Colours)
}

/// One indented line per loss.
pub fn losses(report: &Report) -> String {
    report.loss_lines(&style::Colours)
}
