//! BOGLE: the binary scenes of a small OpenGL engine, exported from Blender.
//!
//! | file | what it does |
//! |---|---|
//! | `document.rs` | the content of a file |
//! | `read.rs` | bytes to document |
//! | `import.rs` | document to scene |
//! | `export.rs` | scene to file |
//! | `write.rs` | document or exported scene to bytes |
//! | `early.rs` | the layouts of April 2020: a document of their own |
//! | `posing.rs` | how a skeleton is posed, as the author or as the engine does |
//! | `tree.rs` | the scene tree's text |
//! | `codes.rs` | diagnostics |
//!
//! # Grammar
//!
//! Little-endian, packed. `string` is a `u32` length followed by that many bytes; `color` is four floats; `matrix`
//! is sixteen, column by column.
//!
//! ```text
//! file       = "BOGLE" u8(0) counts color(ambient)
//!              camera* geometry* material* light* collection* object* tree
//! counts     = u32 cameras, geometries, materials, lights, collections, objects
//! camera     = u8(0|1) string(name) u32 width, height  f32 near, far, fov  u8 main
//! geometry   = u8(0) string(name) data            document, engine
//!            | u8(0) string(name) string(file)    external: data is in geometries/FILE.bgg
//! data       = u32 nvert, nidx  vertex{nvert}  u32{nidx}
//! vertex     = f32{3} position  f32{2} uv  f32{3} normal, tangent, binormal
//!              bone{3}  f32{3} weights            80 bytes
//! bone       = u32                                document
//!            | f32                                engine, external
//! material   = u8(0) u8(shader) string(name) color ambient, emissive, diffuse, specular
//!              f32 opacity, specular power, reflectance, refraction, refractive index,
//!                  bump intensity, specular scale, alpha threshold
//!              u8 blend  string{8} textures
//! light      = u8(0 spot | 1 sun | 2 point) string(name) color f32{3} attenuation  f32 intensity, angle
//! collection = u8(0) string(name) u32 nanimations  matrix  u32 nbones  bone-record{nbones} animation{nanimations}
//! bone-record= f32{3} position  f32{4} rotation  u32 parent        0 is a root, else the bone's index + 1
//! animation  = string(name) u32 nkeys  (f32 time  f32{3} root offset  f32{4}{nbones} rotations){nkeys}
//! object     = string(name) u32 camera, geometry, material, light, collection  matrix     1 is the first, 0 means none
//! tree       = characters up to and including NUL; nothing after it
//! ```
//!
//! The tree's characters are object numbers (from 0) and braces; [`tree`] explains them.
//!
//! # Dialects
//!
//! | | `document` | `engine` | `external` |
//! |---|---|---|---|
//! | follows | the published specification | what the exporter writes | what the engine loads since 2022 |
//! | bone indices of vertices | `u32` | `f32` | `f32` |
//! | camera type | 1 | 0 | 0 |
//! | geometry | in the file | in the file | in `geometries/FILE.bgg` |
//!
//! A file does not name its dialect. Nonzero bone indices distinguish the first two; where all are zero, the camera
//! type does. A file that cannot be read with geometries inside is tried without. A file that cannot be read at all may
//! be in an older layout, since all of them say version 0: `early.rs` reads those of April 2020 as the dialect `early`,
//! and names the others.
//!
//! # Meaning
//!
//! Right-handed, Z up, metres, seconds; matrices on column vectors; V up; triangles counter-clockwise. An object's
//! matrix maps to its parent. Vertices are in the object's space, to which the skeleton's matrix `M` maps.
//!
//! There are two ways to pose a skeleton ([`Posing`](crate::settings::Posing)). With a bone's rotation `q` and position
//! `p`, its key `k` and the root's offset `o`:
//!
//! | | author (default): as Blender showed it | engine: as the engine draws it |
//! |---|---|---|
//! | root | `M · T(p) · R(q) · T(o) · R(k)` | `M · R(q·k) · T(p + o)` |
//! | child | `parent · T(R(q)·p) · R(q) · R(k)` | `parent · R(q·k) · T(p)` |
//! | between keys | linear between the raw quaternions, then normalised | the engine's own slerp |
//! | quaternion to matrix | of the normalised quaternion | scaled by 2/\|q\| instead of 2/\|q\|² |
//! | before the first and after the last key | held | bind pose |
//!
//! A vertex whose weights sum to less than 0.001 follows the object alone.
//!
//! # Quirks
//!
//! The BOGLE page of the manual lists what real files do and how each case is handled.

pub mod codes;
mod document;
mod early;
mod export;
mod import;
pub mod posing;
mod read;
pub mod tree;
mod write;

pub use document::{
    Animation, Bone, BoneIndices, Camera, Collection, Dialect, Document, Geometry, Keyframe, Light,
    LightKind, Material, MaterialNumbers, Object, TEXTURES, Vertex,
};

use super::{
    Capabilities, Count, Format, ImageTypes, Joints, Keys, Match, Normals, ReadOptions, WriteOptions,
};
use crate::io::{Output, Source};
use crate::pose::OwnMotion;
use crate::report::{Failure, Report};
use crate::scene::{Interpolation, Scene};
use crate::settings::POSING;

/// The BOGLE row of the format table.
pub static FORMAT: Format = Format {
    id: "bogle",
    name: "BOGLE",
    summary: "binary scenes exported from Blender for an OpenGL engine: objects, cameras, lights, skeletons",
    extensions: &["bgl"],
    is_text: false,
    dialects: &[
        super::Dialect::new("document", "as the published specification says: bone indices are integers"),
        super::Dialect::new("engine", "as the original exporter writes it: bone indices are floats"),
        super::Dialect::new("external", "as the engine loads it since 2022: geometries in geometries/*.bgg"),
        super::Dialect::only_read(
            early::ID,
            "lists of objects from April 2020; read and rewritten, not made from scenes",
        ),
    ],
    codes: codes::ALL,
    settings: &[&POSING.row],
    sniff,
    capabilities,
    read,
    export: Some(export::export),
};

/// Reads a file in today's layout or, if it is not in that, in an early one: all of them say version 0.
fn read<'a>(
    source: Source<'a>,
    options: &ReadOptions,
    report: &mut Report,
) -> Result<Box<dyn super::Document + 'a>, Failure> {
    let mut found = Report::new(&source.name, options.limits.max_diagnostics);
    let today = Document::parse_source(&source, options, &mut found);
    if let Err(Failure::Invalid) = today {
        match early::read(&source, super::stem(&source.name), report) {
            early::Found::Read(early) => return Ok(Box::new(early)),
            early::Found::Refused => return Err(Failure::Invalid),
            early::Found::Other => {}
        }
    }
    report.append(found);
    Ok(Box::new(today?))
}

fn sniff(head: &[u8]) -> Match {
    if head.starts_with(b"BOGLE\0") {
        Match::Yes
    } else if head.starts_with(b"BOGLE") {
        Match::Maybe
    } else {
        Match::No
    }
}

/// The capabilities, which are the same for all dialects.
fn capabilities(_: Option<&str>) -> Capabilities {
    Capabilities {
        hierarchy: true,
        instances: true,
        meshes: Count::Many,
        skins: Count::Many,
        max_influences: Some(3),
        joints: Joints::Turn,
        clips: Count::Many,
        keys: Keys::Poses,
        interpolations: &[Interpolation::Linear],
        uv_sets: 1,
        normals: Normals::Always,
        tangents: true,
        computes_tangents: true,
        needs_materials: true,
        phong: true,
        normal_maps: true,
        alpha_modes: true,
        texture_files: true,
        texture_slots: Some(&[
            "base colour",
            "ambient",
            "emissive",
            "diffuse",
            "phong specular",
            "shininess",
            "normal",
            "bump",
            "opacity",
        ]),
        image_types: ImageTypes::Png,
        cameras: true,
        lights: true,
        ambient: true,
        ..Capabilities::default()
    }
}

impl Document {
    /// Reads a file's bytes. For the `external` dialect, use [`parse_source`](Self::parse_source), which has a folder.
    pub fn parse(bytes: &[u8], options: &ReadOptions, report: &mut Report) -> Result<Self, Failure> {
        Self::parse_source(&Source::from_bytes("", bytes), options, report)
    }

    /// Reads a source.
    pub fn parse_source(
        source: &Source<'_>,
        options: &ReadOptions,
        report: &mut Report,
    ) -> Result<Self, Failure> {
        read::read(source, super::stem(&source.name), &options.limits, report)
    }
}

impl super::Document for Document {
    fn dialect(&self) -> &'static str {
        self.dialect.id()
    }

    fn can_write(&self, dialect: &str) -> bool {
        Dialect::by_id(dialect).is_some()
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
        dialect: &str,
        _: &WriteOptions,
        output: &mut dyn Output,
        report: &mut Report,
    ) -> Result<(), Failure> {
        let dialect = Dialect::by_id(dialect).unwrap_or(self.dialect);
        self.write_to(dialect, output, report)
    }
}
