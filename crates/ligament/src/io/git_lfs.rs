//! Pointers of Git LFS: small text files that stand for large ones until these are fetched.

use super::{Content, codes};
use crate::report::Code;
use std::fmt;
use std::io;

/// The first line of every pointer, up to the version's number.
const START: &[u8] = b"version https://git-lfs.github.com/spec/";
/// The specification's limit of a pointer's length.
const LONGEST: u64 = 1024;

/// Whether a file is a pointer, from its length and its beginning.
pub(crate) fn is_pointer(length: u64, head: &[u8]) -> bool {
    length < LONGEST && head.starts_with(START)
}

/// The reason why a side file is not read.
#[derive(Debug)]
struct Pointer;

/// What is said about a pointer, without a subject.
pub(crate) const MESSAGE: &str =
    "is a Git LFS pointer, not the file that it stands for; run `git lfs pull` to fetch that";

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "it {MESSAGE}")
    }
}

impl std::error::Error for Pointer {}

/// Fails if a side file is a pointer.
pub(super) fn refuse(content: &Content<'_>) -> io::Result<()> {
    let is_short = content.len() < LONGEST;
    if is_short && is_pointer(content.len(), &content.head(START.len())?) {
        return Err(io::Error::new(io::ErrorKind::InvalidData, Pointer));
    }
    Ok(())
}

/// The code of an error about a side file: that of pointers if it is one, otherwise `usual`.
pub(crate) fn code_of(error: &io::Error, usual: &'static Code) -> &'static Code {
    let is_pointer = error.get_ref().is_some_and(|inner| inner.is::<Pointer>());
    if is_pointer { &codes::GIT_LFS_POINTER } else { usual }
}
