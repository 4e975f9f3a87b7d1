//! Wavefront OBJ with its material libraries (MTL). Text.
//!
//! | file | what it does |
//! |---|---|
//! | `document.rs` | the file, unchanged |
//! | `read.rs` | bytes to document |
//! | `import.rs` | document to scene |
//! | `export.rs` | scene to file |
//! | `write.rs` | exported scene to bytes; a document is copied |
//! | `mtl.rs` | material libraries, read and written |
//! | `look.rs` | how a library combines a material's two blocks |
//! | `color.rs` | vertex colours, sRGB and linear |
//! | `codes.rs` | the diagnostics |
//!
//! # Grammar
//!
//! Each line is a keyword and its values. `#` begins a comment, and a line that ends with `\` continues on the next.
//! The lists are shared by all objects of the file; faces, lines and points belong to whatever was last named.
//!
//! ```text
//! lists    = "v" x y z [w | r g b [a]]     positions; weights of curves; colours
//!          | "vt" u [v [w]]                texture coordinates, V up
//!          | "vn" x y z                    normals
//! elements = "f" corner corner corner+
//!          | "l" corner corner+
//!          | "p" corner+
//! corner   = position [/ [uv] [/ normal]]  from 1, or negative: backwards from the last
//! naming   = "o" NAME
//!          | "g" NAME*
//!          | "s" (N | "on" | "off")        smoothing group
//!          | "usemtl" NAME
//!          | "mtllib" FILE+
//! others   = curves and surfaces, display attributes: kept by a rewrite, reported, and without effect
//! ```
//!
//! # Meaning
//!
//! The format has no axes and no units: Y is assumed to be up, and a unit to be a metre. A scene has a node and a mesh
//! for each `o` line with elements or, without any `o` line, for each set of groups. Parts are split by material, and
//! by groups within objects. A vertex is a distinct corner.
//!
//! Rewriting gives the file back byte for byte, with its libraries and images beside it.

pub mod codes;
mod color;
mod document;
mod export;
mod import;
mod look;
mod mtl;
mod read;
mod write;

pub use super::obj_text::Faces;
pub use document::{Document, LeftOut, Model, Run};
pub use mtl::{Library, Map, Material};

use super::{Capabilities, Count, Format, Match, Normals, ReadOptions, WriteOptions};
use crate::io::{Output, Source, carry_libraries};
use crate::report::{Failure, Report};
use crate::scene::Scene;
use crate::settings::PRECISION;
use crate::settings::general::LENIENT;
use crate::text::{head_lines, words};

/// The OBJ row of the format table.
pub static FORMAT: Format = Format {
    id: "obj",
    name: "OBJ",
    summary: "Wavefront OBJ with MTL: meshes and materials at rest",
    extensions: &["obj"],
    is_text: true,
    dialects: &[],
    codes: codes::ALL,
    settings: &[&LENIENT, &PRECISION.row],
    sniff,
    capabilities,
    read: |source, options, report| {
        let model = read::read(&source, Some(&*source.folder), options, report)?;
        Ok(Box::new(Document { model, source }))
    },
    export: Some(export::export),
};

/// OBJ has no signature: a file could be OBJ if its first lines all look like it.
fn sniff(head: &[u8]) -> Match {
    if read::is_wide(head) {
        let even = &head[..head.len() & !1];
        return read::narrow(even).map_or(Match::No, |text| sniff(text.as_bytes()));
    }
    let (mut lines, mut seen) = (head_lines(head).peekable(), false);
    while let Some(line) = lines.next() {
        match words(line).next().unwrap_or_default() {
            [b'#', ..] => {}
            b"v" | b"vt" | b"vn" | b"f" | b"o" | b"g" | b"s" | b"mtllib" | b"usemtl" | b"l" | b"p" => {
                seen = true
            }
            // The head may end within a word.
            _ if lines.peek().is_none() => {}
            _ => return Match::No,
        }
    }
    if seen { Match::Maybe } else { Match::No }
}

/// The format's capabilities.
fn capabilities(_: Option<&str>) -> Capabilities {
    Capabilities {
        meshes: Count::Many,
        max_influences: Some(0),
        polygons: true,
        points_and_lines: true,
        uv_sets: 1,
        color_sets: 1,
        normals: Normals::PerPart,
        phong: true,
        pbr: true,
        normal_maps: true,
        texture_files: true,
        texture_slots: Some(&[
            "base colour",
            "metallic-roughness",
            "ambient",
            "emissive",
            "diffuse",
            "phong specular",
            "shininess",
            "normal",
            "bump",
            "opacity",
        ]),
        ..Capabilities::default()
    }
}

impl<'a> Document<'a> {
    /// Parses a file's text. Libraries and textures are not looked up.
    pub fn parse(bytes: &'a [u8], options: &ReadOptions, report: &mut Report) -> Result<Self, Failure> {
        let source = Source::from_bytes("", bytes);
        let model = read::read(&source, None, options, report)?;
        Ok(Self { model, source })
    }
}

impl super::Document for Document<'_> {
    fn dialect(&self) -> &'static str {
        ""
    }

    fn import(self: Box<Self>, _: &ReadOptions, report: &mut Report) -> Result<Scene, Failure> {
        self.model.into_scene(report)
    }

    /// Copies the file, with its libraries beside it.
    fn write(
        &self,
        _: &str,
        _: &WriteOptions,
        output: &mut dyn Output,
        report: &mut Report,
    ) -> Result<(), Failure> {
        let libraries = self.model.libraries.iter().filter_map(|library| library.path.as_deref());
        carry_libraries(libraries, &*self.source.folder, output, report)?;
        self.source.content.copy_to(output.main()).map_err(|error| report.cannot_write(error))
    }
}
