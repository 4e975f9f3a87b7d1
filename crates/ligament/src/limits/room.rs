//! Whether the system has the memory for a large allocation. An allocation that it refuses would end the process, so large
//! ones are asked for before they are made. Small ones are not: a process that has no megabyte left is at its end anyway.

use super::{Memory, codes};
use crate::report::{Diagnostic, Place, Severity};
use std::io;

/// Smaller allocations are not asked for.
const LARGE: u64 = 16 << 20;

/// Whether this many bytes can be allocated now.
pub(crate) fn has_room(bytes: u64) -> bool {
    bytes < LARGE
        || usize::try_from(bytes).is_ok_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok())
}

/// The error where there is no room.
pub(crate) fn no_room(place: Place, what: &str, bytes: u64) -> Diagnostic {
    let message = format!("{what} would take {} of memory, which the system refuses", Memory::new(bytes));
    Diagnostic::new(Severity::Error, &codes::NO_ROOM, place, message)
        .help("close other programs, raise the limits of the process, or use a machine with more memory")
}

/// That many zero bytes, for data that is about to be read.
pub(crate) fn zeros(length: usize) -> io::Result<Vec<u8>> {
    if has_room(length as u64) { Ok(vec![0; length]) } else { Err(io::ErrorKind::OutOfMemory.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_system_has_is_refused_before_it_is_allocated() {
        assert!(has_room(0) && has_room(LARGE - 1) && has_room(LARGE));
        assert!(!has_room(1 << 60) && !has_room(u64::MAX));
        assert_eq!(zeros(usize::MAX / 2).map_err(|error| error.kind()), Err(io::ErrorKind::OutOfMemory));
        assert_eq!(zeros(3).ok(), Some(vec![0; 3]));
    }
}
