//! {TITLE}: one sentence about where this format comes from.
//!
//! | file | contents |
//! |---|---|
//! | `document.rs` | the file's content as a typed tree, unchanged |
//! | `read.rs` | bytes to document |
//! | `import.rs` | document to scene |
//! | `export.rs` | scene to an encoded file |
//! | `write.rs` | document to bytes |
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
//! Axes, units, the order of matrices and quaternions, and what keys are relative to.

pub mod codes;
mod document;
mod export;
mod import;
mod read;
mod write;

pub use document::Document;

use super::{Capabilities, Format, Match};

/// The {TITLE} row of the format table.
pub static FORMAT: Format = Format {
    id: "{ID}",
    name: "{TITLE}",
    summary: "one line on what it holds",
    extensions: &["{ID}"],
    is_text: false,
    dialects: &[],
    codes: codes::ALL,
    settings: &[],
    sniff,
    capabilities,
    read: |source, options, report| Ok(Box::new(read::read(&source, options, report)?)),
    // A read-only format has `None` here, no `export.rs`, and no capabilities to prepare for.
    export: Some(export::export),
};

/// `Yes` needs a signature that no other format has; the extension decides among those that say `Maybe`.
fn sniff(_head: &[u8]) -> Match {
    Match::No
}

/// State here what the format can hold; the pipeline then chooses the passes that reduce a scene to it.
fn capabilities(_dialect: Option<&str>) -> Capabilities {
    Capabilities::default()
}
