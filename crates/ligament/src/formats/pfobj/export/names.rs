//! Names that the format can hold.

use super::super::codes;
use crate::formats::obj_text::NameCleaner;
use crate::report::Report;
use crate::text::RawText;

/// Adapts names to the format, and remembers the changes.
pub(super) struct Names(NameCleaner);

impl Names {
    pub(super) fn new() -> Self {
        Self(NameCleaner::new(&codes::NAME_CHANGED))
    }

    /// Makes a name without white space.
    pub(super) fn word(&mut self, name: &str, what: &str, index: usize, report: &mut Report) -> RawText {
        self.0.clean(name, what, index, |c, _| c.is_whitespace() || c.is_control(), report)
    }

    /// Makes a name that may contain spaces, but not at its ends.
    pub(super) fn line(&mut self, name: &str, what: &str, index: usize, report: &mut Report) -> RawText {
        self.0.clean(name.trim(), what, index, |c, _| c.is_control(), report)
    }

    pub(super) fn report(&self, report: &mut Report) {
        self.0.report("joint, clip or material", "joints, clips or materials", report);
    }
}
