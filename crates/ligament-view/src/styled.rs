//! Reports as coloured lines, in the words and the order of the command line.

use ligament::Report;
use ligament::internal::shown;
use ligament::report::{LossKind, Paint, Remedy, Severity};
use std::cell::RefCell;

/// Lines of a report; more would make a panel slow, and nobody reads them.
const MOST: usize = 200;

/// How a piece of text is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// As any text.
    Plain,
    /// Less important.
    Aside,
    /// Nothing is lost.
    Good,
    /// Something is a little off.
    Warning,
    /// Something is lost.
    Error,
}

/// A line of a report.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Its text, in pieces of one style each.
    pub pieces: Vec<(Style, String)>,
    /// The setting that avoids what it says.
    pub remedy: Option<Remedy>,
}

impl Line {
    /// A line of one style.
    pub fn new(style: Style, text: impl Into<String>) -> Self {
        Self { pieces: vec![(style, text.into())], remedy: None }
    }

    /// Its text without styles.
    pub fn text(&self) -> String {
        self.pieces.iter().map(|(_, text)| text.as_str()).collect()
    }
}

/// The lines of a report, the most important ones first.
pub fn lines(report: &Report) -> Vec<Line> {
    let marks = Marks::default();
    let text = report.lines(&marks);
    let remedies = marks.remedies.into_inner();
    let mut all: Vec<Line> = text.lines().take(MOST).map(|line| parse(line, &remedies)).collect();
    let more = text.lines().count().saturating_sub(MOST);
    if more > 0 {
        all.push(Line::new(Style::Aside, format!("and {more} more")));
    }
    all
}

/// The style of a deviation: a fraction of the model's size.
pub fn of_size(fraction: f64) -> Style {
    match fraction {
        f if f < 1e-4 => Style::Good,
        f if f < 1e-2 => Style::Warning,
        _ => Style::Error,
    }
}

/// Marks the beginning of a style with a control character of its own, and its end with a null. Reports have no others:
/// those of names are escaped.
#[derive(Default)]
struct Marks {
    remedies: RefCell<Vec<Remedy>>,
}

const END: char = '\u{0}';
const REMEDY: char = '\u{6}';
const STYLES: [(char, Style); 4] =
    [('\u{1}', Style::Aside), ('\u{2}', Style::Good), ('\u{3}', Style::Warning), ('\u{4}', Style::Error)];

fn mark(style: Style, text: &str) -> String {
    let begin = STYLES.iter().find(|(_, own)| *own == style);
    begin.map_or_else(|| text.to_owned(), |(begin, _)| format!("{begin}{text}{END}"))
}

impl Paint for Marks {
    fn aside(&self, text: &str) -> String {
        mark(Style::Aside, text)
    }

    fn severity(&self, severity: Severity, text: &str) -> String {
        mark(
            match severity {
                Severity::Error => Style::Error,
                Severity::Warning => Style::Warning,
                Severity::Note => Style::Aside,
            },
            text,
        )
    }

    fn kind(&self, kind: &LossKind, text: &str) -> String {
        mark(
            match kind {
                LossKind::Kept => Style::Good,
                LossKind::Approximated { .. } => Style::Warning,
                LossKind::Dropped => Style::Error,
            },
            text,
        )
    }

    fn size(&self, fraction: f64, text: &str) -> String {
        mark(of_size(fraction), text)
    }

    fn remedy(&self, remedy: &Remedy) -> String {
        let mut all = self.remedies.borrow_mut();
        all.push(remedy.clone());
        format!("{REMEDY}{}{REMEDY}{}", all.len() - 1, setting_text(remedy))
    }
}

/// `influences 4`.
pub fn setting_text(remedy: &Remedy) -> String {
    let name = remedy.setting.replace('_', " ");
    match &remedy.value {
        serde_json::Value::Bool(true) => name,
        serde_json::Value::String(text) => format!("{name} {}", shown::safe(text)),
        value => format!("{name} {}", value.as_f64().map_or_else(|| value.to_string(), |n| n.to_string())),
    }
}

fn parse(line: &str, remedies: &[Remedy]) -> Line {
    let mut own = Line { pieces: Vec::new(), remedy: None };
    let mut open = vec![Style::Plain];
    let mut add = |style: Style, c: char| match own.pieces.last_mut() {
        // Columns are for a terminal.
        Some((_, text)) if c == ' ' && text.ends_with("  ") => {}
        Some((last, text)) if *last == style => text.push(c),
        _ => own.pieces.push((style, c.to_string())),
    };
    let mut chars = line.trim_start().chars();
    while let Some(c) = chars.next() {
        if c == END {
            open.pop();
        } else if c == REMEDY {
            let number: String = chars.by_ref().take_while(|c| *c != REMEDY).collect();
            own.remedy = number.parse().ok().and_then(|number: usize| remedies.get(number)).cloned();
        } else if let Some((_, style)) = STYLES.iter().find(|(begin, _)| *begin == c) {
            open.push(*style);
        } else {
            // The panels' font has no arrows.
            add(open.last().copied().unwrap_or(Style::Plain), if c == '→' { '–' } else { c });
        }
    }
    own
}

#[cfg(test)]
mod tests {
    use super::*;
    use ligament::report::{Loss, Plain, all_codes};

    #[test]
    fn lines_are_those_of_the_report_without_its_columns() {
        let code = all_codes().next().expect("a code");
        let mut report = Report::new("a", 100);
        report.loss(Loss::dropped(code, "clip \"a\u{4}b\"", 2, "it is\u{0} gone"));
        report.loss(Loss::approximated(code, "b", 1, 0.5, "of the model's size", "it is off"));
        let all = lines(&report);
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let plain = report.lines(&Plain);
        let found: Vec<_> = all.iter().map(|line| words(&line.text())).collect();
        assert_eq!(found, plain.lines().map(words).collect::<Vec<_>>());
        assert_eq!(all[0].pieces[0], (Style::Warning, "approximated".to_owned()));
        assert!(all[0].pieces.iter().any(|(style, text)| *style == Style::Error && text.contains("50 %")));
        // Control characters of names are text, not styles.
        assert!(all[1].text().contains(r"a\u{4}b") && all[1].text().contains(r"is\u{0} gone"), "{all:?}");
    }
}
