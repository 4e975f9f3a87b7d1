use super::{Limits, Memory, has_room, no_room};
use crate::report::{Code, Diagnostic, Place, Severity};

/// Memory that an import may take: a multiple of the file's bytes, plus a floor so that small files are not limited.
#[derive(Debug)]
pub(crate) struct Budget {
    total: u64,
    left: u64,
    /// Bytes that may still be refunded: making the same thing over and over must end at some point.
    refunds: u64,
    is_exceeded: bool,
}

/// The budget is too small for a request.
#[derive(Debug)]
pub(crate) struct Exceeded {
    /// Whether this is the first failed request. Messages after the first would only repeat it.
    pub(crate) is_first: bool,
    /// What may be spent in all.
    limit: u64,
    /// The request, if it is within the budget but the system has no memory for it.
    refused: Option<u64>,
}

impl Exceeded {
    /// The error: it names the limit, and the option that raises it. How much is needed is not known, because the reader
    /// stops here.
    pub(crate) fn error(&self, code: &'static Code, place: Place, what: &str) -> Diagnostic {
        if let Some(bytes) = self.refused {
            return no_room(place, what, bytes);
        }
        let (limit, twice) = (Memory::new(self.limit), Memory::new(self.limit.saturating_mul(2)));
        let message = format!("{what} would take more memory than the limit for this file, {limit}");
        let help = format!("raise the limit, for example with `--max-memory {}`", twice.rounded_up());
        Diagnostic::new(Severity::Error, code, place, message).help(help)
    }
}

impl Budget {
    pub(crate) fn new(bytes: u64, factor: u64, floor: u64) -> Self {
        let left = bytes.saturating_mul(factor).saturating_add(floor);
        Self { total: left, left, refunds: left.saturating_mul(factor), is_exceeded: false }
    }

    /// Like [`new`](Self::new), unless the limits state how much it may be.
    pub(crate) fn within(limits: &Limits, bytes: u64, factor: u64, floor: u64) -> Self {
        match limits.max_memory {
            Some(memory) => Self::new(memory.bytes(), 1, 0),
            None => Self::new(bytes, factor, floor),
        }
    }

    /// Takes memory that is about to be allocated.
    pub(crate) fn spend(&mut self, bytes: u64) -> Result<(), Exceeded> {
        let left = self.left.checked_sub(bytes);
        if let Some(left) = left.filter(|_| has_room(bytes)) {
            self.left = left;
            return Ok(());
        }
        let is_first = !std::mem::replace(&mut self.is_exceeded, true);
        Err(Exceeded { is_first, limit: self.total, refused: left.map(|_| bytes) })
    }

    /// What may still be spent.
    pub(crate) fn left(&self) -> u64 {
        self.left
    }

    /// Adds to the budget.
    pub(crate) fn extend(&mut self, bytes: u64) {
        self.left = self.left.saturating_add(bytes);
        self.total = self.total.saturating_add(bytes);
    }

    /// Returns memory that was freed to the budget.
    pub(crate) fn refund(&mut self, bytes: u64) {
        let bytes = bytes.min(self.refunds);
        self.refunds -= bytes;
        self.left = self.left.saturating_add(bytes);
    }
}
