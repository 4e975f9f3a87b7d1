//! FBX: Autodesk's interchange format, binary and text, read through the `ufbx` library.
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
//! Parsing is `ufbx`'s; this folder bounds what that may cost, and turns its scene into ours. Files are read, not
//! written: a document goes out only as the bytes that it came from.
//!
//! | file | what it does |
//! |---|---|
//! | `scan.rs`, `load.rs` | what a file may cost, the call of `ufbx`, and its errors and warnings as diagnostics |
//! | `document.rs` | the file as it is |
//! | `import.rs` | the order in which a scene is made; what it has no place for |
//! | `numbers.rs` | numbers that are finite |
//! | `nodes.rs`, `meshes.rs`, `skins.rs`, `morphs.rs`, `materials.rs`, `textures.rs`, `placed.rs` | a file for each kind of object |
//! | `clips.rs`, `keys.rs`, `curves.rs`, `direct.rs` | takes, and values over time as tracks |

mod clips;
pub mod codes;
mod curves;
mod direct;
mod document;
mod import;
mod keys;
mod load;
mod materials;
mod meshes;
mod morphs;
mod nodes;
mod numbers;
mod placed;
mod scan;
mod settings;
mod skins;
mod textures;

pub use document::Document;
pub use settings::{AXES, AxesConversion};

use crate::formats::{
    self, Capabilities, Count, Format, Info, Joints, Match, Normals, ReadOptions, WriteOptions,
};
use crate::io::Source;
use crate::report::{Failure, Place, Report};
use crate::scene::{Interpolation, Scene};

/// The key in `extras` under which values are kept that the scene has no place for.
pub const KEY: &str = "fbx";

/// The FBX row of the format table.
pub struct Fbx;

static INFO: Info = Info {
    id: "fbx",
    name: "FBX",
    summary: "Autodesk's interchange format, which modelling programs export; read only",
    extensions: &["fbx"],
    is_text: false,
    dialects: &[
        formats::Dialect { id: "binary", summary: "records with lengths, and compressed arrays" },
        formats::Dialect { id: "ascii", summary: "the same records as text" },
    ],
    codes: codes::ALL,
    settings: &[&AXES.row],
};

impl Format for Fbx {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn sniff(&self, head: &[u8]) -> Match {
        // Also a binary file whose zero bytes were lost on the way, so that the message can say so.
        if head.starts_with(scan::MAGIC_LETTERS) {
            return Match::Yes;
        }
        let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
        let speaks = |word: &[u8]| memchr::memmem::find(text, word).is_some();
        if text.starts_with(b"; FBX") || speaks(b"FBXHeaderExtension:") { Match::Yes } else { Match::No }
    }

    /// What it can hold beside what is read; `write` is false whatever the dialect.
    fn capabilities(&self, _: Option<&str>) -> Capabilities {
        Capabilities {
            write: false,
            hierarchy: true,
            meshes: Count::Many,
            skins: Count::Many,
            max_influences: None,
            joints: Joints::Scale,
            clips: Count::Many,
            interpolations: &[Interpolation::Step, Interpolation::Linear, Interpolation::Cubic],
            polygons: true,
            morphs: true,
            uv_sets: usize::MAX,
            color_sets: usize::MAX,
            normals: Normals::PerPart,
            tangents: true,
            phong: true,
            pbr: true,
            normal_maps: true,
            alpha_modes: true,
            texture_files: true,
            embedded_textures: true,
            cameras: true,
            lights: true,
            ambient: true,
            extras: true,
            ..Capabilities::NOTHING
        }
    }

    fn read<'a>(
        &self,
        source: Source<'a>,
        options: &ReadOptions,
        report: &mut Report,
    ) -> Result<Box<dyn formats::Document + 'a>, Failure> {
        Ok(Box::new(Document::read(source, options, report)?))
    }

    fn export(
        &self,
        _: Scene,
        _: &WriteOptions,
        report: &mut Report,
    ) -> Result<Box<dyn formats::Document>, Failure> {
        report.error(&codes::NOT_WRITTEN, Place::WHOLE, "FBX is read but not written");
        Err(Failure::Usage)
    }
}
