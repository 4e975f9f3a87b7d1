use crate::report::{Code, Place, Report, counted};
use crate::text::RawText;

/// Makes names fit the lines of a file, and remembers what was done to them.
pub(crate) struct NameCleaner {
    code: &'static Code,
    made_up: usize,
}

impl NameCleaner {
    /// Changed names are reported with this code.
    pub(crate) fn new(code: &'static Code) -> Self {
        Self { code, made_up: 0 }
    }

    /// The name with underscores for its bad characters; `bad` also gets what stands before the character. An empty name
    /// becomes what the thing is and its number.
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
            let message = format!("{what} {} is called {clean:?} in the file", RawText::from(name));
            report.warning(self.code, Place::WHOLE, message);
        }
        clean.into()
    }

    /// Says how many things had no name; `one` and `many` say what things there are.
    pub(crate) fn report(&self, one: &str, many: &str, report: &mut Report) {
        if self.made_up > 0 {
            let message = format!("{} without a name got a made-up one", counted(self.made_up, one, many));
            report.note(self.code, Place::WHOLE, message);
        }
    }
}
