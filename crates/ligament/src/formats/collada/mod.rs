//! COLLADA 1.4 and 1.5: XML for exchange between modelling programs. Written as 1.4.1.
//!
//! | file | what it does |
//! |---|---|
//! | `document.rs` | the file, unchanged |
//! | `read.rs`, `archive.rs`, `outline.rs`, `excess.rs` | bytes to document: encodings and XML; zip archives; the text without its long lists; what the XML parser would take too long for |
//! | `import.rs`, `xml.rs`, `ids.rs`, `numbers.rs`, `source.rs` | document to scene: what all modules share |
//! | `geometry.rs`, `primitives.rs`, `mesh.rs` | meshes |
//! | `controller.rs`, `morph.rs` | skins and morph targets |
//! | `nodes.rs`, `transforms.rs` | the tree |
//! | `animation.rs`, `curves.rs`, `moving.rs`, `clips.rs` | channels, curves, moving nodes, clips |
//! | `material.rs`, `texture.rs`, `image.rs`, `camera_light.rs` | materials, textures, cameras and lights |
//! | `left_out.rs` | reports of what is unused |
//! | `export.rs` | scene to file: ids, controllers, keys |
//! | `write.rs` | exported scene to bytes, library by library |
//! | `codes.rs` | the diagnostics |
//!
//! `docs/formats/collada.md` lists what is supported and every decision. In short:
//!
//! ```text
//! file.dae   = XML in UTF-8 or UTF-16 with the root <COLLADA version="1.4.x" or "1.5.x">
//! file.zae   = zip archive of a .dae, its images, and perhaps manifest.xml with <dae_root>
//!
//! scene → visual_scene → node → transforms, in any order, the first outermost
//!                         ├→ instance_geometry   → geometry → mesh → sources, primitives (<p> indices, one tuple per corner)
//!                         ├→ instance_controller → controller → skin (joints, weights) or morph → geometry
//!                         ├→ instance_camera, instance_light, instance_node
//!                         └→ bind_material: symbol → material → effect → profile → sampler → surface → image
//! animation → channel → sampler → INPUT (seconds), OUTPUT, INTERPOLATION, tangents;  target = "node/sid.member"
//! ```
//!
//! # Quirks
//!
//! The page on COLLADA in the manual lists the quirks of real files and how each is handled.

mod animation;
mod archive;
mod camera_light;
mod clips;
pub mod codes;
mod controller;
mod curves;
mod document;
mod excess;
mod export;
mod geometry;
mod ids;
mod image;
mod import;
mod left_out;
mod material;
mod mesh;
mod morph;
mod moving;
mod nodes;
mod numbers;
mod outline;
mod primitives;
mod read;
mod source;
mod texture;
mod transforms;
mod write;
mod xml;

pub use document::Document;

use super::{Capabilities, Format, Match};
use crate::scene::Interpolation;

/// The key of COLLADA's own values in extras.
pub const KEY: &str = "collada";

/// The COLLADA row of the format table.
pub static FORMAT: Format = Format {
    id: "collada",
    name: "COLLADA",
    summary: "Khronos' XML that modelling programs exchange: versions 1.4 and 1.5 are read, 1.4.1 is written",
    extensions: &["dae", "zae"],
    is_text: true,
    dialects: &[
        super::Dialect::new("dae", "XML, with images beside it"),
        super::Dialect::only_read("zae", "a zip archive with the XML and its images"),
    ],
    codes: codes::ALL,
    settings: &[],
    sniff,
    capabilities,
    read: |source, _, report| Ok(Box::new(Document::read(source, report)?)),
    export: Some(export::export),
};

fn sniff(head: &[u8]) -> Match {
    let speaks = |word: &[u8]| memchr::memmem::find(head, word).is_some();
    let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_start();
    if text.starts_with(b"<") {
        return if speaks(b"<COLLADA") { Match::Yes } else { Match::No };
    }
    // UTF-16 in either byte order: every other byte is zero.
    if matches!(head, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] | [b'<', 0, ..] | [0, b'<', ..])
        && (speaks(b"<\0C\0O\0L\0L\0A\0D\0A") || speaks(b"\0<\0C\0O\0L\0L\0A\0D\0A"))
    {
        return Match::Yes;
    }
    // Any zip archive could contain a model.
    if archive::is_archive(head) { Match::Maybe } else { Match::No }
}

/// The format's capabilities.
fn capabilities(dialect: Option<&str>) -> Capabilities {
    Capabilities {
        polygons: true,
        points_and_lines: true,
        uv_sets: 8,
        color_sets: 4,
        interpolations: &[Interpolation::Step, Interpolation::Linear],
        embedded_textures: dialect == Some("zae"),
        embeds_on_request: dialect != Some("zae"),
        texture_slots: Some(&[
            "base colour",
            "ambient",
            "emissive",
            "diffuse",
            "phong specular",
            "normal",
            "bump",
            "opacity",
        ]),
        ..Capabilities::of_whole_scenes()
    }
}
