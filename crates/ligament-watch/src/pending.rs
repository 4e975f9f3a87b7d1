//! Changed files that have not been reported.

use super::{LONGEST, QUIET};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Instant;

/// Changed files, each with the time of its last change.
#[derive(Default)]
pub(crate) struct Pending {
    files: BTreeMap<PathBuf, Instant>,
    /// When the first of them changed.
    since: Option<Instant>,
}

impl Pending {
    pub(crate) fn add(&mut self, path: PathBuf, now: Instant) {
        self.files.insert(path, now);
        self.since.get_or_insert(now);
    }

    /// When to look at the files again: when nothing has changed for a while, or when one file has waited for others long
    /// enough. `None` if there are no files.
    pub(crate) fn due(&self) -> Option<Instant> {
        let (last, first) = (self.files.values().max()?, self.files.values().min()?);
        let waited = self.since.map_or(*last, |since| since + LONGEST);
        Some((*last + QUIET).min(waited.max(*first + QUIET)))
    }

    /// Takes the files that have not changed for a while. Those that still change stay.
    pub(crate) fn take_quiet(&mut self, now: Instant) -> BTreeSet<PathBuf> {
        let changing = |last: &Instant| *last + QUIET > now;
        let busy: BTreeMap<_, _> = self
            .files
            .iter()
            .filter(|(_, last)| changing(last))
            .map(|(path, last)| (path.clone(), *last))
            .collect();
        self.since = (!busy.is_empty()).then_some(now);
        std::mem::replace(&mut self.files, busy)
            .into_keys()
            .filter(|path| !self.files.contains_key(path))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn after(start: Instant, milliseconds: u64) -> Instant {
        start + Duration::from_millis(milliseconds)
    }

    #[test]
    fn files_that_are_saved_together_are_reported_together() {
        let (mut pending, start) = (Pending::default(), Instant::now());
        assert_eq!(pending.due(), None);
        for (name, at) in [("a.gltf", 0), ("a.bin", 100), ("a.png", 200)] {
            pending.add(name.into(), after(start, at));
        }
        assert_eq!(pending.due(), Some(after(start, 200) + QUIET));
        assert_eq!(pending.take_quiet(after(start, 200) + QUIET).len(), 3);
        assert_eq!(pending.due(), None);
    }

    #[test]
    fn a_file_that_never_rests_delays_others_for_a_limited_time() {
        let (mut pending, start) = (Pending::default(), Instant::now());
        pending.add("model".into(), start);
        let mut at = start;
        while pending.due().is_some_and(|due| due > at) {
            pending.add("log".into(), at);
            at += Duration::from_millis(50);
        }
        assert!(
            (start + LONGEST..=start + LONGEST + Duration::from_millis(50)).contains(&at),
            "{:?}",
            at - start
        );
        assert_eq!(pending.take_quiet(at), BTreeSet::from([PathBuf::from("model")]));
        // It is reported when it rests.
        let last = at - Duration::from_millis(50);
        assert_eq!(pending.due(), Some(last + QUIET));
        assert_eq!(pending.take_quiet(last + QUIET), BTreeSet::from([PathBuf::from("log")]));
    }
}
