//! FBX: Autodesk's interchange format, binary and text, read through the `ufbx` library.
//!
//! | file | what it does |
//! |---|---|
//! | `document.rs` | the file, unchanged |
//! | `read.rs`, `scan.rs` | bytes to document: the call to `ufbx`, memory limits, and its errors and warnings as diagnostics |
//! | `import.rs` | document to scene: the order of the steps, and reports of what a scene cannot hold |
//! | `nodes.rs`, `meshes.rs`, `skins.rs`, `morphs.rs`, `materials.rs`, `textures.rs`, `placed.rs` | one file per kind of object |
//! | `take.rs`, `played.rs`, `direct.rs` | transforms and weights at any time, by the rules of `ufbx` |
//! | `own.rs` | the same for the proof |
//! | `keys.rs`, `connected.rs`, `repeats.rs`, `moments.rs` | when a take's properties have keys |
//! | `clips.rs`, `curves.rs`, `smooth.rs` | takes as clips, and values over time as tracks |
//! | `shading.rs` | custom properties of materials |
//! | `numbers.rs` | conversion to finite numbers |
//! | `dual.rs` | how far linear skinning is from dual quaternions |
//! | `settings.rs` | how a file's axes and unit are converted |
//! | `write/` | scene to file |
//! | `codes.rs` | the diagnostics |
//!
//! `docs/formats/fbx.md` lists what is supported and every decision. In short:
//!
//! ```text
//! binary = "Kaydara FBX Binary  \0" 1A endian:u8 version:u32  record*  footer
//! record = end property-count property-bytes name  property*  record*     32-bit numbers below version 7500, else 64
//! text   = lines of   Name: value, value {  nested lines  }   and   *count { a: numbers }
//!
//! Objects:      Model, Geometry, NodeAttribute, Material, Texture, Deformer, AnimationStack... each with an id
//! Connections:  which object belongs to which, and to which of its properties
//! ```
//!
//! `ufbx` does the parsing. This folder limits its memory use and converts its scene to ours. A document is copied
//! unchanged; scenes are written by `write/`, which needs no other library.

mod clips;
pub mod codes;
mod connected;
mod curves;
mod direct;
mod document;
mod dual;
mod import;
mod keys;
mod materials;
mod meshes;
mod moments;
mod morphs;
mod nodes;
mod numbers;
mod own;
mod placed;
mod played;
mod read;
mod repeats;
mod scan;
mod settings;
mod shading;
mod skins;
mod smooth;
mod take;
mod textures;
mod write;

pub use document::Document;
pub use settings::{AXES, AxesConversion};

use super::{Capabilities, Format, Match, Normals};

/// The key in `extras` for values that a scene has no fields for.
pub const KEY: &str = "fbx";

/// The FBX row of the format table.
pub static FORMAT: Format = Format {
    id: "fbx",
    name: "FBX",
    summary: "Autodesk's interchange format, which modelling programs and engines exchange",
    extensions: &["fbx"],
    is_text: false,
    dialects: &[
        super::Dialect::new("binary", "records with lengths, and compressed arrays"),
        super::Dialect::new("ascii", "the same records as text"),
    ],
    codes: codes::ALL,
    settings: &[&AXES.row],
    sniff,
    capabilities,
    read: |source, options, report| Ok(Box::new(Document::read(source, options, report)?)),
    export: Some(write::export),
};

fn sniff(head: &[u8]) -> Match {
    // Also a binary file whose zero bytes were lost, so that the message can say so.
    if head.starts_with(scan::MAGIC_LETTERS) {
        return Match::Yes;
    }
    let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    let speaks = |word: &[u8]| memchr::memmem::find(text, word).is_some();
    if text.starts_with(b"; FBX") || speaks(b"FBXHeaderExtension:") { Match::Yes } else { Match::No }
}

/// The format's capabilities.
fn capabilities(_: Option<&str>) -> Capabilities {
    Capabilities {
        polygons: true,
        uv_sets: usize::MAX,
        color_sets: usize::MAX,
        normals: Normals::AllOrNone,
        pbr: true,
        extras: true,
        ..Capabilities::of_whole_scenes()
    }
}
