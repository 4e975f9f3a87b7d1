//! COLLADA 1.4 and 1.5: XML that modelling programs exchange. Read, not written.
//!
//! `docs/formats/collada.md` lists what is supported and every decision. In short:
//!
//! ```text
//! file.dae   = XML in UTF-8 or UTF-16 with the root <COLLADA version="1.4.x" or "1.5.x">
//! file.zae   = zip archive of a .dae, its pictures, and perhaps manifest.xml with <dae_root>
//!
//! scene → visual_scene → node → transforms, in any order, the first outermost
//!                         ├→ instance_geometry   → geometry → mesh → sources, primitives (<p> indices, one tuple a corner)
//!                         ├→ instance_controller → controller → skin (joints, weights) or morph → geometry
//!                         ├→ instance_camera, instance_light, instance_node
//!                         └→ bind_material: symbol → material → effect → profile → sampler → surface → image
//! animation → channel → sampler → INPUT (seconds), OUTPUT, INTERPOLATION, tangents;  target = "node/sid.member"
//! ```
//!
//! # Quirks
//!
//! The page on COLLADA in the manual lists what real files do and how each is treated.
//!
//! | file | what it does |
//! |---|---|
//! | `document.rs`, `archive.rs`, `read.rs`, `outline.rs` | the file as it is; zip archives; encodings and XML; the text without its long lists |
//! | `import.rs`, `xml.rs`, `numbers.rs`, `source.rs` | what all parts share: references, places, lists of numbers, accessors |
//! | `left_out.rs` | what nothing uses |
//! | `geometry.rs`, `primitives.rs`, `mesh.rs` | meshes |
//! | `controller.rs`, `morph.rs` | skins and morph targets |
//! | `nodes.rs`, `transforms.rs` | the tree |
//! | `animation.rs`, `curves.rs`, `bake.rs`, `clips.rs` | channels, curves, keys, clips |
//! | `material.rs`, `texture.rs`, `image.rs`, `camera_light.rs` | looks |

mod animation;
mod archive;
mod bake;
mod camera_light;
mod clips;
pub mod codes;
mod controller;
mod curves;
mod document;
mod geometry;
mod image;
mod import;
mod left_out;
mod material;
mod mesh;
mod morph;
mod nodes;
mod numbers;
mod outline;
mod primitives;
mod read;
mod source;
mod texture;
mod transforms;
mod xml;

pub use document::Document;

use super::{Capabilities, Format, Info, Match, ReadOptions, WriteOptions};
use crate::convert::codes::NOT_WRITABLE;
use crate::io::Source;
use crate::report::{Failure, Place, Report};
use crate::scene::Scene;

/// The key of COLLADA's own values in extras.
pub const KEY: &str = "collada";

/// The COLLADA row of the format table.
pub struct Collada;

static INFO: Info = Info {
    id: "collada",
    name: "COLLADA",
    summary: "Khronos' XML that modelling programs exchange, versions 1.4 and 1.5 (read only)",
    extensions: &["dae", "zae"],
    is_text: true,
    dialects: &[
        super::Dialect { id: "dae", summary: "XML, with pictures beside it" },
        super::Dialect { id: "zae", summary: "a zip archive with the XML and its pictures" },
    ],
    codes: codes::ALL,
    settings: &[],
};

impl Format for Collada {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn sniff(&self, head: &[u8]) -> Match {
        let speaks = |word: &[u8]| memchr::memmem::find(head, word).is_some();
        let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_start();
        if text.starts_with(b"<") {
            return if speaks(b"<COLLADA") { Match::Yes } else { Match::No };
        }
        // UTF-16 of either order: every other byte is zero.
        if matches!(head, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] | [b'<', 0, ..] | [0, b'<', ..])
            && (speaks(b"<\0C\0O\0L\0L\0A\0D\0A") || speaks(b"\0<\0C\0O\0L\0L\0A\0D\0A"))
        {
            return Match::Yes;
        }
        // Any zip archive could hold a model.
        if archive::is_archive(head) { Match::Maybe } else { Match::No }
    }

    fn capabilities(&self, _: Option<&str>) -> Capabilities {
        Capabilities::NOTHING
    }

    fn read<'a>(
        &self,
        source: Source<'a>,
        _: &ReadOptions,
        report: &mut Report,
    ) -> Result<Box<dyn super::Document + 'a>, Failure> {
        Ok(Box::new(Document::read(source, report)?))
    }

    fn export(
        &self,
        _: Scene,
        _: &WriteOptions,
        report: &mut Report,
    ) -> Result<Box<dyn super::Document>, Failure> {
        report.error(&NOT_WRITABLE, Place::WHOLE, "COLLADA is read but not written");
        Err(Failure::Usage)
    }
}
