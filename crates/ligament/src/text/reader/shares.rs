//! Reads records on other cores, before everything in front of them was read.

use super::{TextReader, Usual, usual_records};
use crate::cores::{beside, threads};
use crate::report::Failure;
use std::ops::Range;

/// A reader of records that several cores can read, each a share of a piece.
pub(crate) trait Shared: Usual {
    /// Collects the records that another core reads.
    type Aside: Usual + Send;

    /// Shares per core. With more than one, other cores can take over shares of a busy core.
    const SHARES_PER_CORE: usize = 1;

    /// Creates an empty collector for another core, which will read `bytes` bytes.
    fn aside(&self, bytes: usize) -> Self::Aside;

    /// Adds the next records, which another core has read. Returns `false` and adds nothing if they do not fit the
    /// records before them.
    fn add(&mut self, aside: Self::Aside) -> bool;

    /// The offset at which the last record of a text begins, which may be its end. The text consists of lines that may
    /// begin in the middle of a record, and is long enough for one record.
    fn last_start(&self, text: &[u8]) -> Option<usize>;
}

/// The result of another core.
pub(super) struct Share<A> {
    /// The offset in the file at which it begins.
    start: usize,
    /// The number of bytes and records that were read: the whole share, or everything before a record that is different.
    bytes: usize,
    records: usize,
    read: A,
}

impl<A> TextReader<'_, '_, A> {
    /// Lets other cores help to read a large file.
    pub fn with_other_cores(mut self) -> Self {
        // `threads()` also starts the threads, so it is only called for large files.
        let cores = if self.window.rest() >= self.sizes.least_shared { threads() } else { 1 };
        if cores > 1 {
            self.sizes.piece = self.sizes.share.saturating_mul(cores);
            self.window.fetch_at_a_time(self.sizes.piece);
        }
        self.cores = cores;
        self
    }

    /// Like [`run`](Self::run), on several cores if the file is large.
    pub fn run_shared<S: Shared<Aside = A>>(&mut self, records: &mut S) -> Result<(), Failure>
    where
        A: Usual + Send,
    {
        if self.cores == 1 {
            return self.run(records).map(drop);
        }
        let longest = records.longest().min(self.sizes.longest);
        loop {
            while self.add_next(records) {}
            let before = self.window.offset();
            // A piece is divided only once, however many of its records are different.
            if before >= self.shared_up_to {
                self.fill(longest.max(self.sizes.piece / 2))?;
                self.read_piece(records);
            } else {
                self.fill(longest)?;
                self.read_up_to_next(records);
            }
            let at = self.window.offset();
            let reaches_next = at > before && at >= self.next_share();
            if !reaches_next && (!self.shares.is_empty() || self.is_different(longest)) {
                return Ok(());
            }
        }
    }

    /// The offset of the next share, or of the next piece.
    fn next_share(&self) -> usize {
        self.shares.front().map_or(self.shared_up_to, |share| share.start)
    }

    /// Adds the share that begins here, if there is one and it fits.
    fn add_next<S: Shared<Aside = A>>(&mut self, records: &mut S) -> bool {
        let at = self.window.offset();
        // A line that is different may reach into a share; its result cannot be used.
        while self.shares.front().is_some_and(|share| share.start < at) {
            self.shares.pop_front();
        }
        if self.shares.front().is_none_or(|share| share.start > at) {
            return false;
        }
        let Some(share) = self.shares.pop_front() else { return false };
        let added = share.records > 0 && records.add(share.read);
        if added {
            self.advance_records(share.bytes, share.records, records.lines());
        }
        added
    }

    /// Reads everything before the next share.
    fn read_up_to_next<S: Shared<Aside = A>>(&mut self, records: &mut S) {
        let text = self.whole_lines();
        let end = self.next_share() - self.window.offset();
        let (bytes, count) = usual_records(records, text, 0, end.min(text.len()));
        self.advance_records(bytes, count, records.lines());
    }

    /// Reads the first share of a piece while other cores read the other shares.
    fn read_piece<S: Shared<Aside = A>>(&mut self, records: &mut S)
    where
        A: Usual + Send,
    {
        let (text, at) = (self.whole_lines(), self.window.offset());
        let is_worth_it = text.len() * 2 > self.sizes.piece;
        let count = if is_worth_it { self.cores * S::SHARES_PER_CORE } else { 1 };
        let mut ranges = cut(text, count, self.window.holds_end(), records).into_iter();
        let own = ranges.next().unwrap_or(0..0);
        let mut shared_up_to = at + own.end;
        let mut shares: Vec<_> = ranges
            .map(|range| {
                shared_up_to = at + range.end;
                let read = records.aside(range.len());
                let share = Share { start: at + range.start, bytes: 0, records: 0, read };
                (range, share)
            })
            .collect();
        let others = shares.iter_mut().map(|(range, share)| {
            move || {
                let (end, count) = usual_records(&mut share.read, text, range.start, range.end);
                (share.bytes, share.records) = (end - range.start, count);
            }
        });
        let (bytes, count) = beside(others, || usual_records(records, text, 0, own.end));
        self.shared_up_to = shared_up_to;
        self.shares.extend(shares.into_iter().map(|(_, share)| share));
        self.advance_records(bytes, count, records.lines());
    }
}

/// Divides text into at most `count` shares of about the same size, each from the start of a record on. Leaves the last
/// record to the next piece, if there is one.
fn cut(text: &[u8], count: usize, is_last: bool, records: &impl Shared) -> Vec<Range<usize>> {
    let end =
        if is_last { text.len() } else { start_before(text, text.len(), records).unwrap_or(text.len()) };
    let mut shares = Vec::with_capacity(count);
    let mut start = 0;
    for left in (2..=count).rev() {
        let next = start_before(text, start + (end - start) / left, records);
        if let Some(next) = next.filter(|&next| next > start) {
            shares.push(start..next);
            start = next;
        }
    }
    shares.push(start..end);
    shares
}

/// The start of a record at or before an offset of a text, at most the length of a record away.
fn start_before(text: &[u8], end: usize, records: &impl Shared) -> Option<usize> {
    let first = end.saturating_sub(records.longest());
    let lines_end = first + memchr::memrchr(b'\n', &text[first..end])? + 1;
    records.last_start(&text[first..lines_end]).map(|at| first + at)
}
