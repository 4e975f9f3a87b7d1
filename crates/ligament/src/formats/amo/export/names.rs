//! Names that the dialect can hold.

use crate::formats::amo::codes;
use crate::formats::amo::document::Dialect;
use crate::formats::obj_text::NameCleaner;
use crate::report::Report;
use crate::text::RawText;

/// Adapts names to the dialect, and remembers the changes.
pub(super) struct Names {
    dialect: Dialect,
    cleaner: NameCleaner,
}

impl Names {
    pub(super) fn new(dialect: Dialect) -> Self {
        Self { dialect, cleaner: NameCleaner::new(&codes::NAME_CHANGED) }
    }

    /// Makes a name without spaces.
    pub(super) fn word(&mut self, name: &str, what: &str, index: usize, report: &mut Report) -> RawText {
        self.clean(name, what, index, true, report)
    }

    /// Makes a name that may contain spaces, if the dialect allows a name to fill the rest of a line.
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
        let bad = |c: char, before: &str| {
            // A `#` after a space or at the start of a line begins a comment.
            let comment = c == '#' && before.chars().last().is_none_or(char::is_whitespace);
            c.is_control() || comment || (no_blanks && c.is_whitespace())
        };
        self.cleaner.clean(name, what, index, bad, report)
    }

    pub(super) fn report(&self, report: &mut Report) {
        self.cleaner.report("joint, clip or object", "joints, clips or objects", report);
    }
}
