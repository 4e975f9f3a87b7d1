//! {TITLE}: one sentence about where this format comes from.
//!
//! | file | contents |
//! |---|---|
//! | `document.rs` | the file's content as a typed tree, unchanged |
//! | `read.rs` | bytes to document |
//! | `import.rs` | document to scene |
{RW}//! | `export.rs` | scene to an encoded file |
{RW}//! | `write.rs` | document to bytes |
//! | `codes.rs` | the diagnostics it can report |
//!
//! # Grammar
//!
//! ```text
//! file = ...
//! ```
//!
//! # Meaning
//!
//! Axes, units, which side of a face is its front, the order of matrices and quaternions, and what keys are relative to.

pub mod codes;
mod document;
{RW}mod export;
mod import;
mod read;
{RW}mod write;

pub use document::Document;

use super::{Capabilities, Format, Match};

/// The {TITLE} row of the format table.
pub static FORMAT: Format = Format {
    id: "{ID}",
    name: "{TITLE}",
{RW}    summary: "one line on what it holds",
{RO}    summary: "one line on what it holds (read only)",
    extensions: &["{ID}"],
    is_text: false,
    dialects: &[],
    codes: codes::ALL,
    settings: &[],
    sniff,
    capabilities,
{RW}    read: |source, options, report| Ok(Box::new(read::read(&source, options, report)?)),
{RW}    export: Some(export::export),
{RO}    read: |source, options, report| Ok(Box::new(read::read(source, options, report)?)),
{RO}    export: None,
};

/// `Yes` needs a signature that no other format has; the extension decides among those that say `Maybe`.
fn sniff(_head: &[u8]) -> Match {
    Match::No
}

{RW}/// State here what the format can hold; the pipeline then chooses the passes that reduce a scene to it.
{RO}/// State here what the format can hold: `ligament formats` shows it.
fn capabilities(_dialect: Option<&str>) -> Capabilities {
    Capabilities::default()
}
