//! A report as text: in full with snippets, or one line for each entry.

use super::{snippet, style};
use crate::input::Input;
use ligament::Report;
use ligament::report::{Diagnostic, Loss, LossKind, Severity};
use std::collections::BTreeSet;

/// Diagnostics that a short listing shows before it only counts.
const SHORT: usize = 20;
/// Errors that a failure shows in full before it only counts.
const ERRORS: usize = 10;

/// Objects that a loss names before it only counts.
const OBJECTS: usize = 3;

/// Every diagnostic in full, and where to read more about the errors.
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

/// How a failure is told: its errors, how many more there are, and where to read on.
pub fn failure(report: &Report, input: &Input) -> String {
    let errors = || report.diagnostics().iter().filter(|d| d.severity == Severity::Error);
    let mut out = String::new();
    for diagnostic in errors().take(ERRORS) {
        out += &snippet::render(diagnostic, input);
    }
    let more_errors = errors().count().saturating_sub(ERRORS);
    let others = report.diagnostics().len() - errors().count();
    let mut rest = Vec::new();
    if more_errors > 0 {
        rest.push(style::count(more_errors, "more error", "more errors"));
    }
    if others > 0 {
        rest.push(style::count(others, "warning or note", "warnings and notes"));
    }
    if report.omitted() > 0 {
        rest.push(format!("{} more that were not kept", report.omitted()));
    }
    if !rest.is_empty() {
        out += &style::dim(&format!("besides {}; `ligament validate` shows all", rest.join(", ")));
        out.push('\n');
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

/// `2 errors, 1 warning, 3 dropped`; empty if there is nothing.
pub fn tally(report: &Report) -> String {
    let mut words = Vec::new();
    for (severity, one, many) in [
        (Severity::Error, "error", "errors"),
        (Severity::Warning, "warning", "warnings"),
        (Severity::Note, "note", "notes"),
    ] {
        let n = report.count(severity);
        if n > 0 {
            words.push(style::count(n, one, many));
        }
    }
    if report.omitted() > 0 {
        words.push(format!("{} more not kept", report.omitted()));
    }
    for kind in ["kept", "approximated", "dropped"] {
        let n = report.losses().iter().filter(|l| l.kind.name() == kind).count();
        if n > 0 {
            words.push(format!("{n} {kind}"));
        }
    }
    words.join(", ")
}

/// One line for each diagnostic and loss, indented.
pub fn lines(report: &Report) -> String {
    let mut out = String::new();
    for diagnostic in report.diagnostics().iter().take(SHORT) {
        out += &diagnostic_line(diagnostic);
    }
    let hidden = report.diagnostics().len().saturating_sub(SHORT) as u64 + report.omitted();
    if hidden > 0 {
        out += &format!("  ... and {hidden} more; `ligament validate` shows them\n");
    }
    out + &losses(report)
}

/// One line for each warning and for what was approximated or dropped, indented: what someone with many files to look at
/// should see of one.
pub fn worries(report: &Report) -> String {
    let warnings = report.diagnostics().iter().filter(|d| d.severity > Severity::Note);
    let mut out: String = warnings.clone().take(SHORT).map(diagnostic_line).collect();
    let hidden = warnings.count().saturating_sub(SHORT) as u64 + report.omitted();
    if hidden > 0 {
        out += &format!("  ... and {hidden} more; `ligament validate` shows them\n");
    }
    out + &losses_of(report, &["approximated", "dropped"])
}

/// One line for each loss, indented.
pub fn losses(report: &Report) -> String {
    losses_of(report, &["kept", "approximated", "dropped"])
}

fn losses_of(report: &Report, kinds: &[&str]) -> String {
    let mut out = String::new();
    for &kind in kinds {
        let mut groups: Vec<Vec<&Loss>> = Vec::new();
        for loss in report.losses().iter().filter(|l| l.kind.name() == kind) {
            let alike = |g: &&mut Vec<&Loss>| g[0].code == loss.code && g[0].message == loss.message;
            match groups.iter_mut().find(alike) {
                Some(group) => group.push(loss),
                None => groups.push(vec![loss]),
            }
        }
        for group in groups {
            out += &loss_line(&group);
        }
    }
    out
}

/// Kind of entry, padded so that what follows lines up.
fn entry(painted: String, word: &str, text: &str, code: &str) -> String {
    let room = " ".repeat("approximated".len().saturating_sub(word.len()));
    format!("  {painted}{room}  {text} {}\n", style::dim(&format!("[{code}]")))
}

fn diagnostic_line(diagnostic: &Diagnostic) -> String {
    let word = diagnostic.severity.name();
    let mut text = String::new();
    // Without a place, the line above has already said which file.
    if let Some((line, column)) = diagnostic.place.line_column {
        text += &format!("{}:{line}:{column}: ", style::safe(&diagnostic.file));
    } else if let Some(span) = &diagnostic.place.span {
        text += &format!("{}, byte {}: ", style::safe(&diagnostic.file), span.start);
    }
    if let Some(field) = &diagnostic.place.field {
        text += &format!("{}: ", style::safe(field));
    }
    text += &style::safe(&diagnostic.message);
    entry(style::severity(diagnostic.severity, word), word, &text, diagnostic.code.id)
}

/// What happened in the same way to one or more objects.
fn loss_line(group: &[&Loss]) -> String {
    let loss = group[0];
    let word = loss.kind.name();
    let painted = match loss.kind {
        LossKind::Kept => style::note(word),
        LossKind::Approximated { .. } => style::warning(word),
        LossKind::Dropped => style::error(word),
    };
    let mut objects: Vec<_> = group.iter().map(|l| l.object.as_str()).filter(|o| !o.is_empty()).collect();
    if objects.is_empty() {
        objects.push(loss.code.title);
    }
    let hidden = objects.len().saturating_sub(OBJECTS);
    objects.truncate(OBJECTS);
    let mut subject = style::safe(&objects.join(", "));
    if hidden > 0 {
        subject += &format!(" and {hidden} more");
    }
    let mut sizes = Vec::new();
    let count: u64 = group.iter().map(|l| l.count).sum();
    if count != group.len() as u64 {
        sizes.push(count.to_string());
    }
    let size = |l: &&Loss| {
        if let LossKind::Approximated { size, unit } = l.kind { Some((size?, unit)) } else { None }
    };
    if let Some((size, unit)) = group.iter().filter_map(size).max_by(|a, b| a.0.total_cmp(&b.0)) {
        sizes.push(format!("up to {} {unit}", style::short(size)));
    }
    let sizes = if sizes.is_empty() { String::new() } else { format!(" ({})", sizes.join(", ")) };
    entry(painted, word, &format!("{subject}{sizes}: {}", style::safe(&loss.message)), loss.code.id)
}
