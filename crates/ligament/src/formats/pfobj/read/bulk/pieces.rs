//! Text cut into pieces that several cores read side by side.

use memchr::memmem;
#[cfg(feature = "parallel")]
use rayon::prelude::*;

/// Cuts text into about so many pieces, each at a line that begins a record: `start` is the line end before it and its
/// first bytes.
pub(super) fn cut<'a>(text: &'a [u8], pieces: usize, start: &[u8]) -> Vec<&'a [u8]> {
    let size = text.len() / pieces.max(1) + 1;
    let mut texts = Vec::with_capacity(pieces);
    let mut rest = text;
    while rest.len() > size {
        let Some(cut) = memmem::find(&rest[size..], start).map(|n| size + n + 1) else { break };
        let (text, tail) = rest.split_at(cut);
        texts.push(text);
        rest = tail;
    }
    texts.push(rest);
    texts
}

/// How many records of so many lines a regular piece holds.
pub(super) fn records(text: &[u8], lines: usize) -> usize {
    memchr::memchr_iter(b'\n', text).count() / lines
}

/// Does something with each piece, on several cores if there are several pieces. The results are in the pieces' order.
pub(super) fn each<P: Send, R: Send>(pieces: Vec<P>, work: impl Fn(P) -> R + Sync + Send) -> Vec<R> {
    #[cfg(feature = "parallel")]
    if pieces.len() > 1 {
        return pieces.into_par_iter().with_max_len(1).map(work).collect();
    }
    pieces.into_iter().map(work).collect()
}
