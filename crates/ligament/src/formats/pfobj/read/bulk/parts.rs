//! Text cut into parts that several cores read side by side.

use memchr::memmem;
#[cfg(feature = "parallel")]
use rayon::prelude::*;

/// A part of a text that begins with a record.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    /// From the part's start to the end of the text: the number parser looks beyond the part's own end.
    pub text: &'a [u8],
    /// How much of it is the part.
    pub length: usize,
    /// How many records it holds, if they are regular; `None` for the last part, because where its records end, or
    /// what comes after them, shows only when they are read.
    pub records: Option<usize>,
}

/// Cuts text into up to so many parts. Records have so many lines; `start` is the line end before a record and its first
/// bytes.
pub(super) fn cut<'a>(text: &'a [u8], parts: usize, start: &[u8], lines: usize) -> Vec<Part<'a>> {
    let size = text.len() / parts.max(1) + 1;
    let mut cuts = Vec::with_capacity(parts);
    let mut rest = text;
    while rest.len() > size {
        let Some(length) = memmem::find(&rest[size..], start).map(|n| size + n + 1) else { break };
        cuts.push(Part { text: rest, length, records: None });
        rest = &rest[length..];
    }
    let mut parts = each(cuts, |part| {
        let records = memchr::memchr_iter(b'\n', &part.text[..part.length]).count() / lines;
        Part { records: Some(records), ..part }
    });
    parts.push(Part { text: rest, length: rest.len(), records: None });
    parts
}

/// Does something with each part, on several cores if there are several parts. The results are in the parts' order.
pub(super) fn each<P: Send, R: Send>(parts: Vec<P>, work: impl Fn(P) -> R + Sync + Send) -> Vec<R> {
    #[cfg(feature = "parallel")]
    if parts.len() > 1 {
        return parts.into_par_iter().with_max_len(1).map(work).collect();
    }
    parts.into_iter().map(work).collect()
}
