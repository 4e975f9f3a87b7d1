//! QMSH: the binary models of a Polish engine of 2007 and of the game carpg, made from QMSH TMP.
//!
//! | file | what it does |
//! |---|---|
//! | `document.rs` | the content of a file |
//! | `read.rs` | bytes to document |
//! | `import.rs` | document to scene |
//! | `export.rs` | scene to file |
//! | `write.rs` | document or exported scene to bytes |
//! | `space.rs` | conversion between the engine's space and the scene's |
//! | `upgrade.rs` | conversion of older versions of carpg's layout to version 22 |
//! | `codes.rs` | diagnostics |
//!
//! # Grammar
//!
//! Little-endian, packed. `string` is a `u8` length followed by that many bytes; `box` is the minimum and the maximum
//! corner, three floats each; a quaternion is x y z w. `[n]` marks fields of carpg's versions from `n` on.
//!
//! ```text
//! file       = original | carpg
//! original   = "TFQMSH10" u8 flags  u16 vertices, triangles, submeshes, bones, animations  f32 radius  box
//!              u32 offsets of the five sections                 the last two are 0 if not skinned
//!              0 vertex*  0 triangle*  0 submesh*  (0 bone*  0 animation*)[skinned]
//! carpg      = "QMSH" u8 version, flags  u16 vertices, triangles, submeshes, bones, animations, points, groups
//!              f32 radius  box  u32 points offset [20]  f32{3} camera position, target [13]  f32{3} up [15]
//!              vertex* triangle* submesh*  (bone* group*[21] animation*)[skeleton]
//!              point*  group*[skeleton, before 21]  split{submeshes}[split]
//! vertex     = f32{3} position  (f32 weight  u32 bones)[skinned]  f32{3} normal  f32{2} uv
//!              (f32{3} tangent, binormal)[tangents]             with the flag for physics the position only
//! triangle   = u16{3}
//! submesh    = u16 first triangle, triangles, first vertex, vertices  string name
//!              string material (original) | texture (carpg)
//!              (f32{3} specular colour  f32 intensity  i32 hardness)[18]
//!              (string normal map  f32 if not empty)[16, tangents]  (string specular map  f32{2} if not empty)[16]
//! bone       = u16 parent  f32{12} matrix  string name          before 21 and in the original
//!            | string name  u16 parent  f32{12} matrix  f32{16} matrix  f32{4} head, tail  u8 connected     [21]
//! group      = string name  u16 parent  u8 n  u8{n} bones
//! animation  = string name  f32 length  u16 keys  (f32 time  (f32{3} f32{4} f32 | f32{3}[22]){bones}){keys}
//! point      = string name  f32{16} matrix  u16 bone, type  f32 | f32{3}[14] size  f32{3} angles [19]
//! split      = f32{3} centre  f32 radius  box
//! ```
//!
//! Flags: 1 tangents, 2 skinned; carpg also has 4 (the bones are in another file), 8 (physics), 16 (split). A file has
//! a skeleton if it is skinned and its bones are not in another file.
//!
//! # Meaning
//!
//! Left-handed, Y up; matrices for row vectors; V down; the cross product of a triangle's edges points outwards. Bones
//! count from 1, and bone 0 is static. A vertex follows two bones, with the stored weight and the remainder up to 1. A
//! key is relative to the bone's rest pose: `pose = scale · rotation · translation · rest · pose of the parent`.
//! Between keys, translation and scale are linear, and rotation takes the shorter arc.
//!
//! # Quirks
//!
//! The QMSH page of the manual lists what real files do and how each case is handled.

pub mod codes;
mod document;
mod export;
mod import;
mod read;
mod space;
mod upgrade;
mod write;

pub use document::{
    Absent, Animation, Bone, Camera, Document, Group, Key, Modelled, Point, Split, Submesh, Version, Vertex,
    flags,
};

use super::{Capabilities, Count, Format, Joints, Keys, Match, Normals, ReadOptions, WriteOptions};
use crate::io::{Output, Source};
use crate::report::{Failure, Report};
use crate::scene::{Interpolation, Scene};

/// The camera with which carpg draws a model's icon: the vertical field of view in radians, and the depth range.
const CAMERA_FOV: f32 = std::f32::consts::FRAC_PI_4;
const CAMERA_NEAR: f32 = 0.1;
const CAMERA_FAR: f32 = 25.0;

/// The QMSH row of the format table.
pub static FORMAT: Format = Format {
    id: "qmsh",
    name: "QMSH",
    summary: "binary models made from QMSH TMP: submeshes, one skeleton, keys of all bones",
    extensions: &["qmsh"],
    is_text: false,
    dialects: &[
        super::Dialect::new("tfqmsh10", "the original, made from QMSH TMP 10: up to 31 bones"),
        super::Dialect::new(
            "qmsh22",
            "version 22 of the game carpg: textures, points, a camera, up to 63 bones",
        ),
        super::Dialect::only_read(
            Version::OLD_ID,
            "versions 12 to 21 of the game carpg: read, and rewritten unchanged",
        ),
    ],
    codes: codes::ALL,
    settings: &[],
    sniff,
    capabilities,
    read: |source, options, report| Ok(Box::new(read::read(&source, &options.limits, report)?)),
    export: Some(export::export),
};

fn sniff(head: &[u8]) -> Match {
    let version = head.get(4).copied().unwrap_or(0);
    match head {
        _ if head.starts_with(b"TFQMSH10") => Match::Yes,
        _ if head.starts_with(b"TFQMSH") => Match::Maybe,
        // The text form begins with the same letters and a space.
        _ if head.starts_with(b"QMSH") && (Version::OLDEST..=Version::NEWEST).contains(&version) => {
            if version == b'\r' { Match::Maybe } else { Match::Yes }
        }
        _ => Match::No,
    }
}

/// The capabilities of a dialect.
fn capabilities(dialect: Option<&str>) -> Capabilities {
    let version = dialect.and_then(Version::by_id).unwrap_or_default();
    let carpg = version != Version::Original;
    Capabilities {
        meshes: Count::Many,
        skins: Count::One,
        max_influences: Some(2),
        joints: Joints::Scale,
        clips: Count::Many,
        keys: Keys::Poses,
        interpolations: &[Interpolation::Linear],
        uv_sets: 1,
        normals: Normals::Always,
        tangents: true,
        computes_tangents: true,
        needs_materials: true,
        phong: carpg,
        normal_maps: carpg,
        texture_files: carpg,
        texture_slots: Some(&["base colour", "diffuse", "phong specular", "normal"]),
        cameras: carpg,
        ..Capabilities::default()
    }
}

impl Document {
    /// Reads a file's bytes. Reports every problem, not just the first.
    pub fn parse(bytes: &[u8], options: &ReadOptions, report: &mut Report) -> Result<Self, Failure> {
        read::read(&Source::from_bytes("", bytes), &options.limits, report)
    }
}

impl super::Document for Document {
    fn dialect(&self) -> &'static str {
        self.version.id()
    }

    fn import(self: Box<Self>, options: &ReadOptions, report: &mut Report) -> Result<Scene, Failure> {
        self.into_scene(options, report)
    }

    fn can_write(&self, dialect: &str) -> bool {
        dialect == self.version.id() || self.can_upgrade(dialect)
    }

    fn write(
        &self,
        dialect: &str,
        _: &WriteOptions,
        output: &mut dyn Output,
        report: &mut Report,
    ) -> Result<(), Failure> {
        if self.can_upgrade(dialect) {
            return self.upgraded().write_to(output, report);
        }
        self.write_to(output, report)
    }
}
