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
