//! Colours, numbers and words. Every text that may come from a file goes through [`safe`] on its way out.

use anstyle::{AnsiColor, Effects, Style};
pub use ligament::internal::shown::{bytes, counted, is_hostile, percent, safe, short};
use ligament::report::{LossKind, Paint, Remedy, Severity};
use serde_json::Value;
use std::fmt::Write;

const BOLD: Style = Style::new().effects(Effects::BOLD);
const DIM: Style = Style::new().effects(Effects::DIMMED);
const ERROR: Style = AnsiColor::BrightRed.on_default().effects(Effects::BOLD);
const WARNING: Style = AnsiColor::Yellow.on_default().effects(Effects::BOLD);
const NOTE: Style = AnsiColor::BrightGreen.on_default().effects(Effects::BOLD);
const INVISIBLE: Style = AnsiColor::Green.on_default();
const SMALL: Style = AnsiColor::Yellow.on_default();
const LARGE: Style = AnsiColor::BrightRed.on_default();

fn painted(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// Text that stands out.
pub fn bold(text: &str) -> String {
    painted(BOLD, text)
}

/// Text of less importance.
pub fn dim(text: &str) -> String {
    painted(DIM, text)
}

/// Text in the colour of errors and drops.
pub fn error(text: &str) -> String {
    painted(ERROR, text)
}

/// Text in the colour of warnings and approximations.
pub fn warning(text: &str) -> String {
    painted(WARNING, text)
}

/// Text in the colour of notes and of kept features.
pub fn note(text: &str) -> String {
    painted(NOTE, text)
}

/// A deviation: green if nobody sees it, yellow if few do, otherwise red.
pub fn deviation(fraction: f64, text: &str) -> String {
    let style = match fraction {
        f if f < 1e-4 => INVISIBLE,
        f if f < 1e-2 => SMALL,
        _ => LARGE,
    };
    painted(style, text)
}

/// The colours of reports.
pub struct Colours;

impl Paint for Colours {
    fn heading(&self, text: &str) -> String {
        bold(text)
    }

    fn aside(&self, text: &str) -> String {
        dim(text)
    }

    fn severity(&self, severity: Severity, text: &str) -> String {
        match severity {
            Severity::Error => error(text),
            Severity::Warning => warning(text),
            Severity::Note => note(text),
        }
    }

    fn kind(&self, kind: &LossKind, text: &str) -> String {
        match kind {
            LossKind::Kept => note(text),
            LossKind::Approximated { .. } => warning(text),
            LossKind::Dropped => error(text),
        }
    }

    fn size(&self, fraction: f64, text: &str) -> String {
        deviation(fraction, text)
    }

    fn remedy(&self, remedy: &Remedy) -> String {
        bold(&safe(&remedy.option()))
    }
}

/// A name from a file: quoted, and safe to show.
pub fn name(name: &str) -> String {
    format!("\"{}\"", safe(name))
}

/// Indented JSON with a final line break, in which hostile characters are escaped too.
pub fn json(value: &Value) -> String {
    escaped(format!("{value:#}\n"))
}

/// JSON on one line.
pub fn json_line(value: &Value) -> String {
    escaped(format!("{value}\n"))
}

fn escaped(plain: String) -> String {
    if !plain.chars().any(|c| c != '\n' && is_hostile(c)) {
        return plain;
    }
    let mut out = String::with_capacity(plain.len());
    for c in plain.chars() {
        if c != '\n' && is_hostile(c) {
            let _ = write!(out, "\\u{:04x}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_drive_the_terminal() {
        assert_eq!(name("\u{1b}[31mred\u{9b}\n\u{202e}x"), r#""\u{1b}[31mred\u{9b}\n\u{202e}x""#);
        let text = json(&serde_json::json!({ "name": "\u{1b}\u{9b}\u{202e}é" }));
        assert!(text.chars().all(|c| c == '\n' || !is_hostile(c)), "{text}");
        let back: Value = serde_json::from_str(&text).expect("still JSON");
        assert_eq!(back["name"], "\u{1b}\u{9b}\u{202e}é");
    }
}
