use crate::report::{Code, Place, Report, counted};
use crate::text::RawText;

/// Makes names fit on the lines of a file, and remembers what it changed.
pub(crate) struct NameCleaner {
    code: &'static Code,
    made_up: usize,
}

impl NameCleaner {
    /// Creates a cleaner that reports changed names with this code.
    pub(crate) fn new(code: &'static Code) -> Self {
        Self { code, made_up: 0 }
    }

    /// Replaces bad characters in a name by underscores; `bad` also gets the text before the character. An empty name
    /// is replaced by the kind of object and its number.
    pub(crate) fn clean(
        &mut self,
        name: &str,
        what: &str,
        index: usize,
        bad: impl Fn(char, &str) -> bool,
        report: &mut Report,
    ) -> RawText {
        if name.is_empty() {
            self.made_up += 1;
            return format!("{what}{index}").into();
        }
        let mut clean = String::with_capacity(name.len());
        for c in name.chars() {
            let c = if bad(c, &clean) { '_' } else { c };
            clean.push(c);
        }
        if clean != name {
            let message = format!("{what} {} is written as {clean:?}", RawText::from(name));
            report.warning(self.code, Place::WHOLE, message);
        }
        clean.into()
    }

    /// Reports how many objects had no name; `one` and `many` are the words for them.
    pub(crate) fn report(&self, one: &str, many: &str, report: &mut Report) {
        if self.made_up > 0 {
            let message = format!("{} without a name; names were made up", counted(self.made_up, one, many));
            report.note(self.code, Place::WHOLE, message);
        }
    }
}
