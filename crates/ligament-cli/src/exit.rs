//! The exit codes of the process.

use ligament::Failure;

/// Exit codes; a greater one is worse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// Everything went well.
    Done = 0,
    /// A requested check failed.
    Check = 1,
    /// Wrong usage.
    Usage = 2,
    /// The input breaks its format's rules.
    Invalid = 3,
    /// A file cannot be read or written.
    Io = 4,
    /// The input needs something that ligament does not support.
    Unsupported = 5,
    /// A fault of ligament itself.
    Internal = 101,
    /// Ctrl-C was pressed.
    Interrupted = 130,
}

impl From<Failure> for Exit {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Check => Exit::Check,
            Failure::Usage => Exit::Usage,
            Failure::Io => Exit::Io,
            Failure::Unsupported => Exit::Unsupported,
            Failure::Internal => Exit::Internal,
            Failure::Cancelled => Exit::Interrupted,
            // `Invalid`, and kinds that a later version of the library may add.
            _ => Exit::Invalid,
        }
    }
}

impl Exit {
    /// The word in JSON: `done`, `check`, `usage`, `invalid`, `io`, `unsupported`, `internal` or `interrupted`.
    pub fn name(self) -> &'static str {
        match self {
            Exit::Done => "done",
            Exit::Check => "check",
            Exit::Usage => "usage",
            Exit::Invalid => "invalid",
            Exit::Io => "io",
            Exit::Unsupported => "unsupported",
            Exit::Internal => "internal",
            Exit::Interrupted => "interrupted",
        }
    }
}
