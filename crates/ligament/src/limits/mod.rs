//! Limits on what untrusted input may cost: in reading, and in what a conversion makes of it.
//!
//! | file | what it holds |
//! |---|---|
//! | `memory.rs` | [`Memory`]: sizes such as `4GiB` |
//! | `budget.rs` | the budget of a reader: a multiple of the bytes that are really there |
//! | `footprint.rs` | what a scene takes, and what it would take with one mesh per instance or one key per frame |
//! | `room.rs` | whether the system has the memory for a large allocation |
//! | `codes.rs` | the codes |

mod budget;
pub mod codes;
mod footprint;
mod memory;
mod room;

pub(crate) use budget::{Budget, Exceeded};
pub(crate) use footprint::{frames_bytes, placed, scene_bytes};
pub use memory::Memory;
pub(crate) use room::{has_room, no_room, zeros};

use crate::report::{Code, Diagnostic, Failure, Place, Report, Severity};

/// Limits on what untrusted input may cost. Every reader keeps within them, and so does everything that a conversion
/// makes: beyond one, it stops with an error before the memory is allocated.
///
/// Unless [`max_memory`](Self::max_memory) is set, a reader allocates no more than a small multiple of the bytes that are
/// really there, whatever counts the file claims. What is made of the scene (a copy of a mesh for each node that draws
/// it, a key for each frame of a clip, and what the proof needs for them) may take 1 GiB, or sixteen times what the
/// scene takes as it was read if that is more. The sums are estimates of the arrays that will exist at one time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Largest file that is read, in bytes. Each side file (buffer, image) counts separately.
    pub max_file_bytes: u64,
    /// Errors that are kept, and as many warnings and notes; the rest are counted. At least one error is kept.
    pub max_diagnostics: usize,
    /// Deepest nesting of nodes and of structured text.
    pub max_depth: usize,
    /// Memory that reading a model may take, and that whatever a conversion makes of it may take. `None` means a multiple
    /// of the file's size for the first, and at least 1 GiB for the second.
    pub max_memory: Option<Memory>,
}

/// What a conversion may make of a scene, however small the scene is. Real models that share meshes between many nodes need
/// far less: a city of 3 MB becomes 42 MB.
const LEAST_MADE: u64 = 1 << 30;
/// A scene of any size may become this many times as large: with the proof, a conversion holds it up to five times.
const MOST_GROWTH: u64 = 16;

impl Default for Limits {
    fn default() -> Self {
        Self { max_file_bytes: 4 << 30, max_diagnostics: 1000, max_depth: 1024, max_memory: None }
    }
}

impl Limits {
    /// Memory for what is made of a scene that takes `held` bytes.
    pub(crate) fn for_made(&self, held: u64) -> u64 {
        self.max_memory.map_or(held.saturating_mul(MOST_GROWTH).max(LEAST_MADE), Memory::bytes)
    }

    /// Fails if something that is about to be made of a scene takes more than is allowed. `what` is a sentence's start:
    /// "the scene's meshes, with one copy per instance,".
    pub(crate) fn allow_made(
        &self,
        needed: u64,
        held: u64,
        what: &str,
        report: &mut Report,
    ) -> Result<(), Failure> {
        let limit = self.for_made(held);
        if needed > limit {
            report.push(exceeded(&codes::MADE, Place::WHOLE, what, needed, limit));
        } else if !has_room(needed) {
            report.push(no_room(Place::WHOLE, what, needed));
        } else {
            return Ok(());
        }
        Err(report.refusal())
    }
}

/// The error of every limit: it names the sum, the limit and the option that raises it.
pub(crate) fn exceeded(code: &'static Code, place: Place, what: &str, needed: u64, limit: u64) -> Diagnostic {
    let (needed, limit) = (Memory::new(needed), Memory::new(limit));
    let message = format!("{what} would take {needed} of memory, and the limit is {limit}");
    let help = format!("raise the limit with `--max-memory {}`", needed.rounded_up());
    Diagnostic::new(Severity::Error, code, place, message).help(help)
}

/// Largest coordinate, matrix element or key value. Larger ones could overflow when multiplied with each other.
pub(crate) const FARTHEST: f32 = 1e15;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_made_is_bounded_by_the_option_or_by_the_scene() {
        let (plain, mut report) = (Limits::default(), Report::default());
        assert_eq!(plain.allow_made(1 << 30, 1000, "this", &mut report), Ok(()));
        assert_eq!(plain.allow_made(3 << 29, 1 << 27, "this", &mut report), Ok(()));
        assert_eq!(plain.allow_made(2 << 30, 1000, "this", &mut report), Err(Failure::Invalid));
        let error = &report.diagnostics()[0];
        assert_eq!(error.message, "this would take 2 GiB of memory, and the limit is 1 GiB");
        assert_eq!(error.help.as_deref(), Some("raise the limit with `--max-memory 2GiB`"));
        let asked = Limits { max_memory: Memory::parse("2GiB"), ..plain };
        assert_eq!(asked.allow_made(2 << 30, 1000, "this", &mut report), Ok(()));
        let small = Limits { max_memory: Memory::parse("4"), ..plain };
        assert_eq!(small.allow_made(5 << 20, 1 << 30, "this", &mut report), Err(Failure::Invalid));
    }
}
