//! Names that the format can hold.

use super::super::codes;
use crate::formats::obj_text::NameCleaner;
use crate::report::Report;
use crate::text::RawText;

/// Makes names fit the format, and remembers what was done to them.
pub(super) struct Names(NameCleaner);

impl Names {
    pub(super) fn new() -> Self {
        Self(NameCleaner::new(&codes::NAME_CHANGED))
    }

    /// A name without blanks.
    pub(super) fn word(&mut self, name: &str, what: &str, index: usize, report: &mut Report) -> RawText {
        self.0.clean(name, what, index, |c, _| c.is_whitespace() || c.is_control(), report)
    }

    /// A name that may hold spaces, but not around it.
    pub(super) fn line(&mut self, name: &str, what: &str, index: usize, report: &mut Report) -> RawText {
        self.0.clean(name.trim(), what, index, |c, _| c.is_control(), report)
    }

    pub(super) fn report(&self, report: &mut Report) {
        self.0.report("joint, clip or material", "joints, clips or materials", report);
    }
}
