/// What untrusted input may cost. Every reader keeps within them; past one, it stops with an error.
///
/// Memory needs no number of its own: a reader allocates no more than a small multiple of the bytes that are really
/// there, whatever counts the file claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Largest file that is read, in bytes; side files (buffers, images) each count by themselves.
    pub max_file_bytes: u64,
    /// Diagnostics that are kept; the rest are counted.
    pub max_diagnostics: usize,
    /// Deepest nesting of nodes and of structured text.
    pub max_depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_file_bytes: 4 << 30, max_diagnostics: 1000, max_depth: 1024 }
    }
}

/// Coordinates, matrices and keys beyond this would be infinite once they are multiplied with each other.
pub(crate) const FARTHEST: f32 = 1e15;

/// Memory that an import may take: a multiple of the bytes that are there, and a floor so that small files need not be
/// counted.
pub(crate) struct Budget {
    left: u64,
    /// Bytes that may still be given back: making the same thing over and over must end some time.
    refunds: u64,
    is_exceeded: bool,
}

/// A budget is too small for what is asked for.
pub(crate) struct Exceeded {
    /// Whether it was large enough so far: everything after the first message would only repeat it.
    pub(crate) is_first: bool,
}

impl Budget {
    pub(crate) fn new(bytes: u64, factor: u64, floor: u64) -> Self {
        let left = bytes.saturating_mul(factor).saturating_add(floor);
        Self { left, refunds: left.saturating_mul(factor), is_exceeded: false }
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

    /// Takes back memory that was given up.
    pub(crate) fn refund(&mut self, bytes: u64) {
        let bytes = bytes.min(self.refunds);
        self.refunds -= bytes;
        self.left = self.left.saturating_add(bytes);
    }
}
