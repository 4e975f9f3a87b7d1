//! Names that the dialect can hold.

use crate::formats::amo::codes;
use crate::formats::amo::document::Dialect;
use crate::report::{Place, Report, counted};
use crate::text::RawText;

/// Makes names fit the dialect, and remembers what was done to them.
pub(super) struct Names {
    dialect: Dialect,
    made_up: usize,
}

impl Names {
    pub(super) fn new(dialect: Dialect) -> Self {
        Self { dialect, made_up: 0 }
    }

    /// A name without blanks.
    pub(super) fn word(&mut self, name: &str, what: &str, index: usize, report: &mut Report) -> RawText {
        self.clean(name, what, index, true, report)
    }

    /// A name that may hold spaces, where the dialect takes the rest of a line for it.
    pub(super) fn line(&mut self, name: &str, what: &str, index: usize, report: &mut Report) -> RawText {
        self.clean(name.trim(), what, index, self.dialect == Dialect::Counted, report)
    }

    fn clean(
        &mut self,
        name: &str,
        what: &str,
        index: usize,
        no_blanks: bool,
        report: &mut Report,
    ) -> RawText {
        if name.is_empty() {
            self.made_up += 1;
            return format!("{what}{index}").into();
        }
        let mut clean = String::with_capacity(name.len());
        for c in name.chars() {
            // A `#` after a blank or at the start of a line begins a comment.
            let comment = c == '#' && clean.chars().last().is_none_or(char::is_whitespace);
            let bad = c.is_control() || comment || (no_blanks && c.is_whitespace());
            clean.push(if bad { '_' } else { c });
        }
        if clean != name {
            let message = format!("{what} {} is called {clean:?} in the file", RawText::from(name));
            report.warning(&codes::NAME_CHANGED, Place::WHOLE, message);
        }
        clean.into()
    }

    pub(super) fn report(&self, report: &mut Report) {
        if self.made_up > 0 {
            let things = counted(self.made_up, "joint, clip or object", "joints, clips or objects");
            let message = format!("{things} without a name got a made-up one");
            report.note(&codes::NAME_CHANGED, Place::WHOLE, message);
        }
    }
}
