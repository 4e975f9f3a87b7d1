//! APG: a text format for skinned meshes, designed to be read with a few lines of C.
//!
//! | file | what it does |
//! |---|---|
//! | `document.rs` | the content of a file |
//! | `read.rs` | bytes to document, text and binary |
//! | `import.rs` | document to scene |
//! | `export.rs` | scene to file |
//! | `write.rs` | document or exported scene to bytes, text and binary |
//! | `layout.rs` | the header of binary files |
//! | `codes.rs` | diagnostics |
//!
//! # Grammar
//!
//! Lines of fields separated by spaces. A line that begins with `@` is a tag; other lines belong to the tag before
//! them. All blocks are optional; they are written in this order and read in any order in which counts come first.
//!
//! ```text
//! file      = header vertices skeleton animation* radius?
//! header    = "@Anton's custom mesh format v.27DEC2014 http://antongerdelan.net/"
//! vertices  = "@vert_count" N                   every three vertices form a triangle
//!             "@vp comps 3"      (x y z){N}
//!             "@vn comps 3"      (x y z){N}
//!             "@vt comps 2"      (u v){N}       V up
//!             "@vtan comps 4"    (x y z w){N}   or comps 3
//!             "@vb comps" K      (bone{K}){N}   K is 1, or up to 4
//!             "@vw comps" K      (weight{K}){N} if K is not 1
//! skeleton  = "@skeleton bones" B "animations" A
//!             "@root_transform comps 16"  matrix
//!             "@offset_mat comps 16"      matrix{B}
//!             "@hierarchy nodes" M        ("parent" P "bone_id" B){M}     -1 means none
//! matrix    = 16 numbers, column by column
//! animation = "@animation name" NAME "duration" SECONDS  keys*
//! keys      = "@tra_keys node" I "count" C "comps 3"     ("t" SECONDS "TRA" x y z){C}
//!           | "@sca_keys node" I "count" C "comps 3"     ("t" SECONDS "SCA" x y z){C}
//!           | "@rot_keys node" I "count" C "comps 4"     ("t" SECONDS "ROT" w x y z){C}
//! radius    = "@bounding_radius" R
//! ```
//!
//! The spellings of the first Blender scripts are also read: `@vp_comps 3`, `@vc_comps 3` (colours), `@bounding
//! radius R`.
//!
//! # Binary
//!
//! Little-endian, packed. The original converter's `-bin` wrote such files with only half of the bytes of every time;
//! they are read. Ligament writes a marker in the header (see `layout.rs`) and complete times:
//!
//! ```text
//! file      = header{256}
//!             i32 N  f32{3N} points  f32{3N} normals  f32{2N} texture coordinates
//!             i32 comps (0, 3 or 4)  f32{comps·N} tangents
//!             i32{K·N} bones  f32{K·N} weights
//!             i32 B  i32 A  i32 16  f32{16} root transform  i32 16  f32{16·B} offsets
//!             i32 M  (i32 parent, i32 bone){M}
//!             animation{A}  f32 bounding radius
//! animation = f32 duration  i32 channels  u32 length  NAME{length}  channel{channels}
//! channel   = "t" | "s" | "r"  i32 node  i32 C  (f32 seconds  f32{3 or 4}){C}
//! ```
//!
//! # Meaning
//!
//! Right-handed, Y up, metres, seconds. A vertex of bone `b` is mapped to `root_transform · G · offset_mat[b] · v`,
//! where `G` is the product of the transforms from the hierarchy's root down to the node with `bone_id b`. A node's
//! transform is `T · R · S` of its keys, interpolated linearly along shortest arcs; a component without keys is the
//! identity.
//!
//! # Quirks
//!
//! The APG page of the manual lists what real files do and how each case is handled.

pub mod codes;
mod document;
mod export;
mod import;
mod layout;
mod read;
mod write;

pub use document::{Animation, Channel, Dialect, Document, HEADER, Kind, Node, Values, Vertices};

use super::{Capabilities, Count, Format, Joints, Match, Normals, ReadOptions, WriteOptions};
use crate::io::{Output, Source};
use crate::report::{Failure, Report};
use crate::scene::{Interpolation, Scene};
use crate::settings::PRECISION;
use crate::settings::general::FPS;
use crate::text::{head_lines, words};

/// The APG row of the format table.
pub static FORMAT: Format = Format {
    id: "apg",
    name: "APG",
    summary: "text meshes that are easy to parse: one mesh, a skeleton with keyed animations, one bone per vertex",
    extensions: &["apg"],
    is_text: true,
    dialects: &[
        super::Dialect::new("text", "as in the published document: lines of numbers"),
        super::Dialect::new(
            "binary",
            "the sections of the original converter's -bin, with correct key times",
        ),
    ],
    codes: codes::ALL,
    settings: &[&FPS, &PRECISION.row],
    sniff,
    capabilities,
    read: |source, options, report| Ok(Box::new(read::read(&source, options, report)?)),
    export: Some(export::export),
};

fn sniff(head: &[u8]) -> Match {
    if head.starts_with(read::BINARY) {
        return Match::Yes;
    }
    match head_lines(head).next().and_then(|line| words(line).next()) {
        Some(b"@Anton's") => Match::Yes,
        Some(b"@vert_count") => Match::Maybe,
        _ => Match::No,
    }
}

/// The capabilities, which are the same for both dialects.
fn capabilities(_: Option<&str>) -> Capabilities {
    Capabilities {
        meshes: Count::One,
        skins: Count::One,
        max_influences: Some(4),
        default_influences: Some(1),
        joints: Joints::Scale,
        clips: Count::Many,
        interpolations: &[Interpolation::Linear],
        uv_sets: 1,
        normals: Normals::AllOrNone,
        tangents: true,
        computes_tangents: true,
        ..Capabilities::default()
    }
}

impl Document {
    /// Reads a file's bytes. Reports every problem, not just the first.
    pub fn parse(bytes: &[u8], options: &ReadOptions, report: &mut Report) -> Result<Self, Failure> {
        read::read(&Source::from_bytes("", bytes), options, report)
    }
}

impl super::Document for Document {
    fn dialect(&self) -> &'static str {
        self.dialect.id()
    }

    fn can_write(&self, dialect: &str) -> bool {
        match Dialect::by_id(dialect) {
            Some(Dialect::Text) => true,
            Some(Dialect::Binary) => self.fits_binary(),
            None => false,
        }
    }

    fn import(self: Box<Self>, options: &ReadOptions, report: &mut Report) -> Result<Scene, Failure> {
        self.into_scene(options, report)
    }

    fn write(
        &self,
        dialect: &str,
        options: &WriteOptions,
        output: &mut dyn Output,
        report: &mut Report,
    ) -> Result<(), Failure> {
        let dialect = Dialect::by_id(dialect).unwrap_or(self.dialect);
        self.write_to(dialect, options.own.get(&PRECISION), output, report)
    }
}
