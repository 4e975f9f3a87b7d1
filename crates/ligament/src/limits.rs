/// Limits on what untrusted input may cost. Every reader keeps within them; beyond one, it stops with an error.
///
/// Unless [`max_memory`](Self::max_memory) is set, a reader allocates no more than a small multiple of the bytes that are
/// really there, whatever counts the file claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Largest file that is read, in bytes. Each side file (buffer, image) counts separately.
    pub max_file_bytes: u64,
    /// Errors that are kept, and as many warnings and notes; the rest are counted. At least one error is kept.
    pub max_diagnostics: usize,
    /// Deepest nesting of nodes and of structured text.
    pub max_depth: usize,
    /// Memory in MiB that the arrays of a scene may take. `None` means a multiple of the file's size, and at least as
    /// much as a small model of many copies needs.
    pub max_memory: Option<usize>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_file_bytes: 4 << 30, max_diagnostics: 1000, max_depth: 1024, max_memory: None }
    }
}

/// Largest coordinate, matrix element or key value. Larger ones could overflow when multiplied with each other.
pub(crate) const FARTHEST: f32 = 1e15;

/// Memory that an import may take: a multiple of the file's bytes, plus a floor so that small files are not limited.
pub(crate) struct Budget {
    left: u64,
    /// Bytes that may still be refunded: making the same thing over and over must end at some point.
    refunds: u64,
    is_exceeded: bool,
}

/// The budget is too small for a request.
pub(crate) struct Exceeded {
    /// Whether this is the first failed request. Messages after the first would only repeat it.
    pub(crate) is_first: bool,
}

impl Budget {
    pub(crate) fn new(bytes: u64, factor: u64, floor: u64) -> Self {
        let left = bytes.saturating_mul(factor).saturating_add(floor);
        Self { left, refunds: left.saturating_mul(factor), is_exceeded: false }
    }

    /// Like [`new`](Self::new), unless the limits state how much it may be.
    pub(crate) fn within(limits: &Limits, bytes: u64, factor: u64, floor: u64) -> Self {
        match limits.max_memory {
            Some(mebibytes) => Self::new(mebibytes as u64, 1 << 20, 0),
            None => Self::new(bytes, factor, floor),
        }
    }

    /// Takes memory that is about to be allocated.
    pub(crate) fn spend(&mut self, bytes: u64) -> Result<(), Exceeded> {
        match self.left.checked_sub(bytes) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(Exceeded { is_first: !std::mem::replace(&mut self.is_exceeded, true) }),
        }
    }

    /// What may still be spent.
    pub(crate) fn left(&self) -> u64 {
        self.left
    }

    /// Adds to the budget.
    pub(crate) fn extend(&mut self, bytes: u64) {
        self.left = self.left.saturating_add(bytes);
    }

    /// Returns memory that was freed to the budget.
    pub(crate) fn refund(&mut self, bytes: u64) {
        let bytes = bytes.min(self.refunds);
        self.refunds -= bytes;
        self.left = self.left.saturating_add(bytes);
    }
}
