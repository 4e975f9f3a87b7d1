//! What was lost and found, as lists, and what the codes in them mean.

use super::escape::text;
use crate::render::style::counted;
use ligament::Report;
use ligament::report::{Code, Diagnostic, LossEntry, LossKind, Severity};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The entries of each list; the rest is counted.
const MOST: usize = 200;

/// Lists, and the codes that they mention.
#[derive(Default)]
pub struct Findings {
    codes: BTreeMap<&'static str, &'static Code>,
}

impl Findings {
    /// Errors, losses, warnings and notes, the most important ones first; those that hardly ever matter are folded. Empty
    /// if there are none.
    pub fn all(&mut self, report: &Report) -> String {
        let (minor_losses, losses): (Vec<_>, Vec<_>) =
            report.loss_entries().into_iter().partition(|entry| entry.is_minor);
        let mut found: Vec<_> = report.diagnostics().iter().collect();
        found.sort_by_key(|diagnostic| Reverse(diagnostic.severity));
        let (minor, found): (Vec<_>, Vec<_>) = found.into_iter().partition(|found| found.code.is_minor);
        let errors = found.partition_point(|found| found.severity == Severity::Error);
        let mut out = self.list(&found[..errors], |findings, found| findings.diagnostic(found));
        out += &self.list(&losses, Self::loss);
        out += &self.list(&found[errors..], |findings, found| findings.diagnostic(found));
        if report.omitted() > 0 {
            out += &format!("<p class=\"more\">and {} more that were not kept</p>\n", report.omitted());
        }
        let hidden = minor_losses.len() + minor.len();
        if hidden > 0 {
            let count = counted(hidden, "thing that hardly matters", "things that hardly matter");
            let losses = self.list(&minor_losses, Self::loss);
            let found = self.list(&minor, |findings, found| findings.diagnostic(found));
            out += &format!("<details><summary>{count}</summary>\n{losses}{found}</details>\n");
        }
        out
    }

    /// What the codes mean that were mentioned so far.
    pub fn glossary(&self) -> String {
        let mut out = String::new();
        for (id, code) in &self.codes {
            out += &format!(
                "<dt id=\"{id}\"><code>{id}</code> {}</dt><dd>{} <em>{}</em></dd>\n",
                text(code.title),
                text_of(code.explanation),
                text_of(code.fix)
            );
        }
        out
    }

    fn list<T>(&mut self, items: &[T], item: impl Fn(&mut Self, &T) -> String) -> String {
        if items.is_empty() {
            return String::new();
        }
        let shown: String = items.iter().take(MOST).map(|each| item(self, each)).collect();
        let more = match items.len().saturating_sub(MOST) {
            0 => String::new(),
            more => format!("<p class=\"more\">and {more} more; <code>--json</code> lists them all</p>\n"),
        };
        format!("<ul class=\"found\">\n{shown}</ul>\n{more}")
    }

    fn loss(&mut self, entry: &LossEntry<'_>) -> String {
        let class = match entry.kind {
            LossKind::Kept => "good",
            LossKind::Approximated { .. } => "fair",
            LossKind::Dropped => "poor",
        };
        let size = entry.size.as_ref().map(|(fraction, size)| {
            format!("<span class=\"{}\">{}</span>", fraction.map_or("", super::grade), text(size))
        });
        let affected = entry.counted.as_deref().map(text);
        let sizes: Vec<_> = affected.into_iter().chain(size).collect();
        let sizes = if sizes.is_empty() { String::new() } else { format!(" ({})", sizes.join(", ")) };
        let remedy = entry.remedy.map_or(String::new(), |remedy| {
            format!(
                "<p class=\"help\">→ <code>{}</code> {}</p>",
                text(&remedy.option()),
                text(&remedy.effect)
            )
        });
        self.item(
            class,
            entry.kind.name(),
            &format!("<b>{}</b>{sizes}: {}", text(&entry.subject), text(&entry.message)),
            entry.code,
            &remedy,
        )
    }

    fn diagnostic(&mut self, found: &Diagnostic) -> String {
        let mut place = text(super::file_name(&found.file));
        if let Some((line, column)) = found.place.line_column {
            place += &format!(":{line}:{column}");
        } else if let Some(span) = &found.place.span {
            place += &format!(", byte {}", span.start);
        }
        if let Some(field) = &found.place.field {
            place += &format!(", {}", text(field));
        }
        let mut more = String::new();
        if !place.is_empty() {
            more += &format!("<p class=\"where\">{place}</p>");
        }
        if let Some(help) = &found.help {
            more += &format!("<p class=\"help\">{}</p>", text_of(help));
        }
        if let Some(remedy) = &found.remedy {
            let (option, effect) = (text(&remedy.option()), text(&remedy.effect));
            more += &format!("<p class=\"help\">→ <code>{option}</code> {effect}</p>");
        }
        let class = match found.severity {
            Severity::Error => "poor",
            Severity::Warning => "fair",
            Severity::Note => "good",
        };
        self.item(class, found.severity.name(), &text(&found.message), found.code, &more)
    }

    fn item(&mut self, class: &str, word: &str, said: &str, code: &'static Code, more: &str) -> String {
        self.codes.insert(code.id, code);
        let id = code.id;
        format!(
            "<li class=\"{class}\"><span class=\"word\">{word}</span><div><p>{said} <a href=\"#{id}\">{id}</a></p>{more}</div></li>\n"
        )
    }
}

/// Text of our own, in which backquotes stand for code.
fn text_of(own: &str) -> String {
    let parts = own.split('`').enumerate();
    parts
        .map(|(number, part)| match number % 2 {
            0 => parts_of(part),
            _ => format!("<code>{}</code>", text(part)),
        })
        .collect()
}

/// The same without the limit of length, which is for texts from files.
fn parts_of(own: &str) -> String {
    own.split_inclusive(' ').map(text).collect()
}
