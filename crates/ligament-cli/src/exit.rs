//! What the process's exit code says.

use ligament::Failure;

/// Exit codes, the worse the greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// Everything went well.
    Done = 0,
    /// A check that was asked for was not met.
    Check = 1,
    /// The request makes no sense.
    Usage = 2,
    /// The input breaks its format's rules.
    Invalid = 3,
    /// A file cannot be read or written.
    Io = 4,
    /// Someone pressed Ctrl-C.
    Interrupted = 130,
}

impl From<Failure> for Exit {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Check => Exit::Check,
            Failure::Usage => Exit::Usage,
            Failure::Invalid => Exit::Invalid,
            Failure::Io => Exit::Io,
            Failure::Cancelled => Exit::Interrupted,
        }
    }
}

impl Exit {
    /// The word in JSON: `done`, `check`, `usage`, `invalid`, `io` or `interrupted`.
    pub fn name(self) -> &'static str {
        match self {
            Exit::Done => "done",
            Exit::Check => "check",
            Exit::Usage => "usage",
            Exit::Invalid => "invalid",
            Exit::Io => "io",
            Exit::Interrupted => "interrupted",
        }
    }
}
