//! Names that the format can hold.

use super::super::codes;
use crate::report::{Place, Report, counted};
use crate::text::RawText;

/// Makes names fit the format, and remembers what was done to them.
#[derive(Default)]
pub(super) struct Names {
    made_up: usize,
}

impl Names {
    /// A name without blanks.
    pub(super) fn word(&mut self, name: &str, what: &str, index: usize, report: &mut Report) -> RawText {
        self.clean(name, what, index, |c| c.is_whitespace() || c.is_control(), report)
    }

    /// A name that may hold spaces, but not around it.
    pub(super) fn line(&mut self, name: &str, what: &str, index: usize, report: &mut Report) -> RawText {
        self.clean(name.trim(), what, index, char::is_control, report)
    }

    fn clean(
        &mut self,
        name: &str,
        what: &str,
        index: usize,
        bad: impl Fn(char) -> bool,
        report: &mut Report,
    ) -> RawText {
        if name.is_empty() {
            self.made_up += 1;
            return format!("{what}{index}").into();
        }
        let clean: String = name.chars().map(|c| if bad(c) { '_' } else { c }).collect();
        if clean != name {
            let message = format!("{what} {} is called {clean:?} in the file", RawText::from(name));
            report.warning(&codes::NAME_CHANGED, Place::WHOLE, message);
        }
        clean.into()
    }

    pub(super) fn report(&self, report: &mut Report) {
        if self.made_up > 0 {
            let things = counted(self.made_up, "joint, clip or material", "joints, clips or materials");
            let message = format!("{things} without a name got a made-up one");
            report.note(&codes::NAME_CHANGED, Place::WHOLE, message);
        }
    }
}
