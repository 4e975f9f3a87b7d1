//! QMSH TMP: the text between Blender and the converter of the TFQ engine.
//!
//! | file | what it does |
//! |---|---|
//! | `document.rs` | the content of a file |
//! | `read.rs` | bytes to document |
//! | `import.rs` | document to scene |
//! | `export.rs` | scene to file, in version 10 |
//! | `write.rs` | document or exported scene to bytes |
//! | `version.rs` | layout differences between versions |
//! | `space.rs` | conversion between the file's space and the scene's |
//! | `curves.rs` | the targets of curves, and their values at any frame |
//! | `normals.rs` | normals from the smoothing angle |
//! | `codes.rs` | diagnostics |
//!
//! # Grammar
//!
//! Tokens, not lines: white space, line ends and comments (`//` to the end of the line, `/* */`) may separate any two.
//! A backslash at the end of a line joins it with the next, anywhere. Strings are in Windows-1250, with C's escapes and
//! `\xHH` for a byte. Integers may be hexadecimal (`0x19`) or octal (`031`). The order is fixed. Version 10:
//!
//! ```text
//! file      = "QMSH" "TMP" version objects actions params
//! objects   = "objects" "{" (mesh | armature)* "}"                    at most one armature
//! mesh      = "mesh" NAME "{" position euler scale ARMATURE BONE smooth-angle
//!               "materials" N "{" NAME* "}"
//!               "vertices" N "{" (x,y,z)* "}"
//!               "faces" N "{" (corners material smooth (vertex u,v)*)* "}"      3 or 4 corners, V up
//!               "vertex_groups" "{" (NAME "{" (vertex weight)* "}")* "}" "}"
//! armature  = "armature" NAME "{" position euler scale use-groups use-envelopes bone* "}"
//! bone      = "bone" NAME "{" PARENT
//!               "head" to-parent in-armature radius
//!               "tail" to-parent in-armature radius
//!               roll-to-parent roll length weight
//!               3×3 to parent  4×4 to armature "}"                    rows end with ";"
//! actions   = "actions" "{" (NAME "{" (BONE "{" curve* "}")* "}")* "}"
//! curve     = NAME ("CONST" | "LINEAR" | "BEZIER") ("CONST" | "EXTRAP" | "CYCLIC" | "CYCLIC_EXTRAP") "{" (frame,value)* "}"
//! params    = "params" "{" ("fps" "=" N)* "}"
//! ```
//!
//! # Dialects
//!
//! A dialect is a version: `v10` is the published one, `v12` to `v21` are those of a later game's exporters, with names
//! before fields, normals, textures, empties and a camera. All are read and rewritten unchanged; a scene is written as
//! `v10`.
//!
//! # Meaning
//!
//! Z is up, vectors are rows, Euler angles are in radians and rotate about X, then Y, then Z; the smoothing angle is in
//! degrees. An object's transform is relative to the world (before version 12) or to its parent (since). A mesh that
//! names an armature is deformed by it: by the vertex groups named after bones, or for vertices without groups by the
//! envelopes of bones. A mesh that also names a bone is carried by it as a whole.
//!
//! Curves are relative to the bone's own rest pose: `rest · T(LocX..) · R(QuatW..) · S(ScaleX..)`. They are linear
//! between keys (BEZIER has no handles in the file), each component separately; quaternions are normalised afterwards.
//! A clip starts at its first key.

pub mod codes;
mod curves;
mod document;
mod export;
mod import;
mod normals;
mod read;
mod space;
mod version;
mod write;

pub use document::{
    Action, Armature, Bone, BoneEnd, Camera, Channel, Corner, Curve, Document, Empty, Extend, FaceHead,
    Faces, Group, Interpolation, Material, Mesh, Object, Param, ParamKind, Placement, Texture, TextureUse,
};
pub use version::{MaterialStyle, Version};

use super::{Capabilities, Count, Format, Joints, Normals, ReadOptions, WriteOptions};
use crate::io::{Output, Source};
use crate::pose::OwnMotion;
use crate::report::{Failure, Report};
use crate::scene::{self, Scene};
use crate::settings::{POSING, PRECISION};

macro_rules! later {
    ($($id:literal),*) => {
        &[
            super::Dialect::new("v10", "the published version"),
            $(super::Dialect::only_read($id, "from a later exporter; read and rewritten, not made from scenes")),*
        ]
    };
}

/// The QMSH TMP row of the format table.
pub static FORMAT: Format = Format {
    id: "qmsh-tmp",
    name: "QMSH TMP",
    summary: "text that Blender exports for the TFQ engine: objects, one armature, curves",
    extensions: &["qmsh.tmp"],
    is_text: true,
    dialects: later!("v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21"),
    codes: codes::ALL,
    settings: &[&POSING.row, &PRECISION.row],
    sniff: read::sniff,
    capabilities,
    read: |source, options, report| {
        // The extension has two parts; the model's name excludes both.
        let name = super::stem(&super::stem(&source.name));
        Ok(Box::new(read::read(&source, name, &options.limits, report)?))
    },
    export: Some(export::export),
};

/// The capabilities, which are the same for all dialects.
fn capabilities(_: Option<&str>) -> Capabilities {
    Capabilities {
        placed_objects: true,
        meshes: Count::Many,
        skins: Count::One,
        joints: Joints::Scale,
        clips: Count::Many,
        interpolations: &[scene::Interpolation::Linear, scene::Interpolation::Step],
        straight_rotations: true,
        polygons: true,
        uv_sets: 1,
        normals: Normals::PerPart,
        ..Capabilities::default()
    }
}

impl Document {
    /// Reads a file's text. Reports every problem, not just the first.
    pub fn parse(bytes: &[u8], options: &ReadOptions, report: &mut Report) -> Result<Self, Failure> {
        read::read(&Source::from_bytes("", bytes), String::new(), &options.limits, report)
    }
}

impl super::Document for Document {
    fn dialect(&self) -> &'static str {
        self.version.id()
    }

    fn import(self: Box<Self>, options: &ReadOptions, report: &mut Report) -> Result<Scene, Failure> {
        self.into_scene(options, false, report).map(|(scene, _)| scene)
    }

    fn import_with_motion(
        self: Box<Self>,
        options: &ReadOptions,
        report: &mut Report,
    ) -> Result<(Scene, Option<OwnMotion>), Failure> {
        self.into_scene(options, true, report)
    }

    fn write(
        &self,
        _: &str,
        options: &WriteOptions,
        output: &mut dyn Output,
        report: &mut Report,
    ) -> Result<(), Failure> {
        self.write_with(self, options.own.get(&PRECISION), output, report)
    }
}
