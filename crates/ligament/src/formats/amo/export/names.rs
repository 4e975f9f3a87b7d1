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
        let bad = |c: char, before: &str| c.is_whitespace() || is_bad(c, before);
        self.cleaner.clean(name, what, index, bad, report)
    }

    /// Makes a name that may contain spaces, if the dialect allows a name to fill the rest of a line.
    pub(super) fn line(&mut self, name: &str, what: &str, index: usize, report: &mut Report) -> RawText {
        if self.dialect == Dialect::Counted {
            return self.word(name.trim(), what, index, report);
        }
        self.cleaner.clean(name.trim(), what, index, is_bad, report)
    }

    pub(super) fn report(&self, report: &mut Report) {
        self.cleaner.report("joint, clip or object", "joints, clips or objects", report);
    }
}

/// Whether names cannot contain a character. A `#` after a space or at the start begins a comment.
fn is_bad(c: char, before: &str) -> bool {
    c.is_control() || (c == '#' && before.chars().last().is_none_or(char::is_whitespace))
}
