//! PFOBJ against files that this library did not write: rewriting, posing, bad input.

mod bad_input;
mod odd_records;
mod posing;
mod rewriting;
#[path = "../support/mod.rs"]
mod shared;
mod support;
mod writing;
