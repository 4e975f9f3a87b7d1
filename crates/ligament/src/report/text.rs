//! A report as text for people: one line per entry.

use super::shown::{counted, safe, short};
use super::{Diagnostic, Loss, LossKind, Report, Severity};
use std::collections::HashMap;

/// Diagnostics that a listing shows before it only counts the rest.
const SHORT: usize = 20;

/// Objects that a loss names before it only counts the rest.
const OBJECTS: usize = 3;

/// How words are highlighted. By default they are not.
pub trait Paint {
    /// The subject of a text.
    fn heading(&self, text: &str) -> String {
        text.to_owned()
    }

    /// Less important text.
    fn aside(&self, text: &str) -> String {
        text.to_owned()
    }

    /// Text in the style of a severity.
    fn severity(&self, _severity: Severity, text: &str) -> String {
        text.to_owned()
    }

    /// Text in the style of a kind of loss.
    fn kind(&self, _kind: &LossKind, text: &str) -> String {
        text.to_owned()
    }
}

/// Plain text.
pub struct Plain;

impl Paint for Plain {}

impl Report {
    /// `2 errors, 1 warning, 3 dropped`; empty if there is nothing.
    pub fn tally(&self) -> String {
        let mut words = Vec::new();
        for (severity, one, many) in [
            (Severity::Error, "error", "errors"),
            (Severity::Warning, "warning", "warnings"),
            (Severity::Note, "note", "notes"),
        ] {
            let n = self.count(severity);
            if n > 0 {
                words.push(counted(n, one, many));
            }
        }
        if self.omitted() > 0 {
            words.push(format!("{} not shown", self.omitted()));
        }
        for kind in ["kept", "approximated", "dropped"] {
            let n = self.losses().iter().filter(|l| l.kind.name() == kind).count();
            if n > 0 {
                words.push(format!("{n} {kind}"));
            }
        }
        words.join(", ")
    }

    /// One indented line per diagnostic and loss.
    pub fn lines(&self, paint: &dyn Paint) -> String {
        let all = self.diagnostics().iter();
        listing(all, self.omitted(), paint) + &self.loss_lines(paint)
    }

    /// One indented line per warning and per loss that was approximated or dropped: the part of the report that matters
    /// when many files are converted.
    pub fn worries(&self, paint: &dyn Paint) -> String {
        let warnings = self.diagnostics().iter().filter(|d| d.severity > Severity::Note);
        listing(warnings, self.omitted(), paint) + &losses_of(self, &["approximated", "dropped"], paint)
    }

    /// One indented line per loss.
    pub fn loss_lines(&self, paint: &dyn Paint) -> String {
        losses_of(self, &["kept", "approximated", "dropped"], paint)
    }
}

/// The first diagnostics, and how many more there are.
fn listing<'a>(
    diagnostics: impl Iterator<Item = &'a Diagnostic> + Clone,
    omitted: u64,
    paint: &dyn Paint,
) -> String {
    let mut out: String = diagnostics.clone().take(SHORT).map(|d| diagnostic_line(d, paint)).collect();
    let hidden = diagnostics.count().saturating_sub(SHORT) as u64 + omitted;
    if hidden > 0 {
        out += &format!("  ... and {hidden} more; `ligament validate` shows them\n");
    }
    out
}

fn losses_of(report: &Report, kinds: &[&str], paint: &dyn Paint) -> String {
    let mut out = String::new();
    for &kind in kinds {
        let mut groups: Vec<Vec<&Loss>> = Vec::new();
        let mut known: HashMap<(&str, &str), usize> = HashMap::new();
        for loss in report.losses().iter().filter(|l| l.kind.name() == kind) {
            let group = *known.entry((loss.code.id, &loss.message)).or_insert(groups.len());
            if group == groups.len() {
                groups.push(Vec::new());
            }
            groups[group].push(loss);
        }
        for group in groups {
            out += &loss_line(&group, paint);
        }
    }
    out
}

/// An entry with its kind, padded so that the texts line up.
fn entry(painted: String, word: &str, text: &str, code: &str, paint: &dyn Paint) -> String {
    let room = " ".repeat("approximated".len().saturating_sub(word.len()));
    format!("  {painted}{room}  {text} {}\n", paint.aside(&format!("[{code}]")))
}

fn diagnostic_line(diagnostic: &Diagnostic, paint: &dyn Paint) -> String {
    let word = diagnostic.severity.name();
    let mut text = String::new();
    // Without a place, the line above has already named the file.
    if let Some((line, column)) = diagnostic.place.line_column {
        text += &format!("{}:{line}:{column}: ", safe(&diagnostic.file));
    } else if let Some(span) = &diagnostic.place.span {
        text += &format!("{}, byte {}: ", safe(&diagnostic.file), span.start);
    }
    if let Some(field) = &diagnostic.place.field {
        text += &format!("{}: ", safe(field));
    }
    text += &safe(&diagnostic.message);
    entry(paint.severity(diagnostic.severity, word), word, &text, diagnostic.code.id, paint)
}

/// A line for a loss that is the same for one or more objects.
fn loss_line(group: &[&Loss], paint: &dyn Paint) -> String {
    let loss = group[0];
    let word = loss.kind.name();
    let painted = paint.kind(&loss.kind, word);
    let mut objects: Vec<_> = group.iter().map(|l| l.object.as_str()).filter(|o| !o.is_empty()).collect();
    if objects.is_empty() {
        objects.push(loss.code.title);
    }
    let hidden = objects.len().saturating_sub(OBJECTS);
    objects.truncate(OBJECTS);
    let mut subject = safe(&objects.join(", "));
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
        sizes.push(format!("up to {} {unit}", short(size)));
    }
    let sizes = if sizes.is_empty() { String::new() } else { format!(" ({})", sizes.join(", ")) };
    entry(painted, word, &format!("{subject}{sizes}: {}", safe(&loss.message)), loss.code.id, paint)
}
