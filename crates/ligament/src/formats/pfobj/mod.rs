//! PFOBJ: the text format of the Permafrost engine for skinned, animated meshes.
//!
//! | file | what it does |
//! |---|---|
//! | `document.rs` | the content of a file |
//! | `read.rs` | bytes to document |
//! | `import.rs` | document to scene |
//! | `export.rs` | scene to file |
//! | `write.rs` | document or exported scene to bytes |
//! | `rotation.rs` | rotations of the two dialects |
//! | `stated.rs` | a file's bounding boxes, as they travel through a scene |
//! | `white.rs` | the texture for materials that have none |
//! | `settings.rs` | settings for what the specification leaves open |
//! | `codes.rs` | diagnostics |
//!
//! # Grammar
//!
//! Lines come in a fixed order; every three vertices form a triangle.
//!
//! ```text
//! file      = header vertex* material+ joint* clip* bounds?
//! header    = "version" 1.0                 key, then spaces up to column 15
//!             "num_verts" N
//!             "num_joints" N
//!             ("num_materials" | "num_material") N
//!             "num_as" N
//!             "frame_counts" N*             one per clip; present even if there are no clips
//!             ("has_collision" 0|1)?        missing in files from before May 2018
//! vertex    = "v" x y z
//!             "vt" u v                      V up
//!             "vn" x y z
//!             "vw" (joint/weight)*          joints from 0; any number of pairs, weights need not sum to 1
//!             "vm" material                 from 0
//! material  = "material" NAME               the rest of the line, as with texture
//!             "ambient" a
//!             "diffuse" r g b
//!             "specular" r g b
//!             "texture" FILE
//! joint     = "j" parent NAME scale rotation translation tip      parents from 1, 0 is a root
//! clip      = "as" NAME frames
//!             (frame-line{num_joints} bounds[if has_collision])*
//! frame-line= joint scale rotation translation                    joints from 1
//! bounds    = "x_bounds" min max "y_bounds" min max "z_bounds" min max
//! scale, translation, tip = x/y/z
//! rotation  = x/y/z  (document)  |  x/y/z/w  (engine)
//! ```
//!
//! # Dialects
//!
//! | | `document` | `engine` |
//! |---|---|---|
//! | follows | the published specification | what the engine loads since May 2018, and its exporter writes |
//! | rotation | Euler degrees, `Rz · Ry · Rx` on column vectors (or as [`EulerOrder`] says) | quaternion of the *inverse* rotation |
//! | header | `num_material` | `num_materials` |
//! | weights per vertex | 4 | 6 |
//!
//! The rotations determine a file's dialect; without joints, the header does.
//!
//! # Meaning
//!
//! X points left, Y up and Z forward, which is right-handed: the axes of a [`Scene`]. Transforms are `T · R · S`; a
//! frame's transform replaces the joint's bind transform. Weights are divided by their sum when posing. There is no
//! frame rate: the engine plays 24 frames per second without interpolation. It discards fragments with an alpha of at
//! most one half.
//!
//! # Quirks
//!
//! The PFOBJ page of the manual lists what real files do and how each case is handled. The reader accepts any spacing,
//! Windows line ends, blank lines, a byte order mark, exponents, and a missing last line end; it rejects NaN, infinity
//! and anything that is out of order.

pub mod codes;
mod document;
mod export;
mod import;
mod read;
mod rotation;
mod settings;
mod stated;
mod white;
mod write;

pub use document::{
    Bounds, Clip, Dialect, Document, Joint, Layout, Material, Rotation, Transform, Transforms, Vertices,
};
pub use settings::{EULER_ORDER, EulerOrder};
pub use white::WHITE_TEXTURE;

use super::{Capabilities, Count, Format, Joints, Keys, Match, Normals, ReadOptions, WriteOptions};
use crate::io::{Output, Source};
use crate::report::{Failure, Report};
use crate::scene::{Interpolation, Scene};
use crate::settings::general::{FPS, INTERPOLATION, LENIENT};
use crate::text::{head_lines, words};

/// The engine's frame rate, whatever the file.
const FRAME_RATE: f32 = 24.0;

/// The PFOBJ row of the format table.
pub static FORMAT: Format = Format {
    id: "pfobj",
    name: "PFOBJ",
    summary: "text models of the Permafrost engine: one skinned mesh with sampled clips",
    extensions: &["pfobj"],
    is_text: true,
    dialects: &[
        super::Dialect::new(
            "document",
            "as the published specification says: Euler degrees, up to 4 weights per vertex",
        ),
        super::Dialect::new(
            "engine",
            "as the engine loads it since 2018: quaternions, up to 6 weights per vertex",
        ),
    ],
    codes: codes::ALL,
    settings: &[&FPS, &INTERPOLATION, &EULER_ORDER.row, &LENIENT],
    sniff,
    capabilities,
    read: |source, options, report| {
        Ok(Box::new(read::read(&source, Some(&*source.folder), options, report)?))
    },
    export: Some(export::export),
};

fn sniff(head: &[u8]) -> Match {
    let keys = head_lines(head).take(2).filter_map(|line| words(line).next());
    if keys.eq([&b"version"[..], b"num_verts"]) { Match::Yes } else { Match::No }
}

/// The capabilities of a dialect.
fn capabilities(dialect: Option<&str>) -> Capabilities {
    let dialect = dialect.and_then(Dialect::by_id).unwrap_or_default();
    Capabilities {
        meshes: Count::One,
        skins: Count::One,
        max_influences: Some(dialect.max_weights()),
        joints: Joints::Scale,
        clips: Count::Many,
        keys: Keys::Frames,
        frame_rate: Some(FRAME_RATE),
        interpolations: &[Interpolation::Step, Interpolation::Linear],
        uv_sets: 1,
        normals: Normals::Always,
        needs_materials: true,
        phong: true,
        texture_files: true,
        texture_slots: Some(&["base colour", "diffuse"]),
        ..Capabilities::default()
    }
}

impl Document {
    /// Reads a file's text. Reports every problem, not just the first.
    pub fn parse(bytes: &[u8], options: &ReadOptions, report: &mut Report) -> Result<Self, Failure> {
        read::read(&Source::from_bytes("", bytes), None, options, report)
    }
}

impl super::Document for Document {
    fn dialect(&self) -> &'static str {
        self.dialect.id()
    }

    fn import(self: Box<Self>, options: &ReadOptions, report: &mut Report) -> Result<Scene, Failure> {
        self.into_scene(options, report)
    }

    fn write(
        &self,
        _: &str,
        _: &WriteOptions,
        output: &mut dyn Output,
        report: &mut Report,
    ) -> Result<(), Failure> {
        self.write_to(self, output, report)
    }
}
