use crate::report::{Code, Diagnostic, Place, Report, Severity};
use std::collections::HashMap;

/// The most keys that get their own message. A file of garbage must not produce a message for every word.
const MOST_KEYS: usize = 64;

/// Messages that are reported once for all lines to which they apply, with the number of these lines.
#[derive(Default)]
pub(crate) struct Tallies {
    list: Vec<(Diagnostic, usize)>,
    known: HashMap<(&'static str, String), usize>,
}

impl Tallies {
    /// Adds a message, or counts it if there is one with the same code and key already.
    pub fn add(
        &mut self,
        severity: Severity,
        code: &'static Code,
        key: &str,
        say: impl FnOnce() -> (Place, String),
    ) {
        let full = self.known.len() >= MOST_KEYS;
        let key = if full { "" } else { key };
        if let Some(&index) = self.known.get(&(code.id, key.to_owned())) {
            self.list[index].1 += 1;
            return;
        }
        let (place, message) = say();
        self.known.insert((code.id, key.to_owned()), self.list.len());
        self.list.push((Diagnostic::new(severity, code, place, message), 0));
    }

    /// Moves all messages into the report, in the order of the file.
    pub fn flush(&mut self, report: &mut Report) {
        let mut list = std::mem::take(&mut self.list);
        self.known.clear();
        list.sort_by_key(|(diagnostic, _)| {
            diagnostic.place.span.as_ref().map_or(u64::MAX, |span| span.start)
        });
        for (mut diagnostic, more) in list {
            if more > 0 {
                diagnostic.message = format!("{} ({more} more like this)", diagnostic.message);
            }
            report.push(diagnostic);
        }
    }
}
