//! AMO, the Animated OBJ: Wavefront OBJ with joints, weights and clips. Text.
//!
//! | file | what it does |
//! |---|---|
//! | `document.rs` | the content of a file |
//! | `read.rs` | bytes to document; detects the dialect and the index bases |
//! | `import.rs` | document to scene |
//! | `export.rs` | scene to file |
//! | `write.rs` | document or exported scene to bytes |
//! | `container.rs` | `.hnd` files, which contain a model and are refused |
//! | `settings.rs` | settings for what a file leaves open |
//! | `codes.rs` | diagnostics |
//!
//! # Grammar
//!
//! A keyword and its values on each line; `#` begins a comment. The lists belong to the file, not to objects, and lines
//! may come in any order.
//!
//! ```text
//! object   = ("ao" | "o") NAME          the faces up to the next one
//! texture  = "t" PATH                   of the object; the rest of the line
//! lists    = "v" x y z                  positions
//!          | "vt" u v                   texture coordinates, V up
//!          | "vn" x y z                 normals
//!          | "vj" joint{4}              -1 for none
//!          | "vw" weight{4}
//! face     = "f" corner corner corner+
//! corner   = position [/ [uv] [/ [normal] [/ [vj] [/ [vw]]]]]
//! joint    = "j" NAME parent            -1 for none
//! clip     = "a" NAME key*
//! key      = "ap" seconds joint x y z
//!          | "ar" seconds joint x y z w
//! ```
//!
//! # Dialects
//!
//! | | `document` | `one-based` | `keyed` | `counted` |
//! |---|---|---|---|---|
//! | follows | the published specification | its later version, editamo, groovyengine | the Blender add-on of 2020 | the add-on since 2021 |
//! | position, uv, normal in `f` | from 1 | from 1 | from 1 | from 0 |
//! | `vj` and `vw` in `f` | from 0 | from 1 | from 1 | from 0 |
//! | joints in `vj` | from 0 | from 1 | from 0 | from 0 |
//! | parents, joints of keys | from 0 | from 1 | from 1 | from 0 |
//! | joint | `j NAME parent` | the same | `j NAME parent [matrix]` | `NAME parent matrix` |
//! | key | as above | as above | `k time`, then `ap joint x y z`, `ar joint w x y z` | `k progress n`, then `joint x y z w x y z` |
//! | up | Y | Y | Z | Z |
//! | written | yes | yes | as `counted` | yes |
//!
//! In the counted dialect every list is a keyword with a number, followed by that many lines without a keyword. Faces
//! have no slashes, and a model ends with `end`:
//!
//! ```text
//! model    = "ao" NAME mask
//!            "v" N (x y z){N}  "vt" N (u v){N}  "vn" N (x y z){N}  "vj" N (joint{4}){N}  "vw" N (weight{4}){N}
//!            "f" N (corner{3}){N}                     corner of 5 numbers, or of 3 if there are no joints
//!            "j" N (NAME parent matrix){N}
//!            "a" N ("an" NAME milliseconds K ("k" progress M (joint x y z qw qx qy qz){M}){K}){N}
//!            "hk" N (index joint position direction matrix){N}  "bb" center half  "ne" center half
//!            "cv" N (x y z){N}  "ci" N (a b c){N}  "rb" N (joint position scale matrix){N}
//!            "end"
//! ```
//!
//! The first line of a file that ligament writes is `# amo dialect: ` and the dialect. Other files do not name it:
//! [`read`](self) detects it from the lines, and the index bases from the indices.
//!
//! # Meaning
//!
//! In `document` and `one-based`, all joints are bound at the origin ([`BindPose`]), and `joint = parent · T(ap) ·
//! R(ar)`. In `keyed` and `counted`, `bind = parent's bind · rest` and `joint = parent · rest · T · R`: keys are
//! relative to the rest matrix, and a joint that a key omits is at rest. A vertex is mapped to `Σ w/W · joint · bind⁻¹
//! · v`, where `W` is the sum of its weights.

pub mod codes;
mod container;
mod document;
mod export;
mod import;
mod read;
mod settings;
mod write;

pub use super::obj_text::Faces;
pub use document::{
    Asides, Bases, Clip, Corner, Dialect, Document, Hook, Joint, JointBox, JointPose, Key, KeyPose, KeyValue,
    Keys, Model, Object, Section, Shapes,
};
pub use settings::{BIND, BindPose, INDEX_BASE, IndexBase};

use super::{Capabilities, Count, Format, Match, Normals, ReadOptions, WriteOptions};
use crate::io::{Output, Source};
use crate::report::{Failure, Report};
use crate::scene::{Interpolation, Scene};

/// The AMO row of the format table.
pub static FORMAT: Format = Format {
    id: "amo",
    name: "AMO",
    summary: "Wavefront OBJ with joints, weights and clips (Extended or Animated OBJ)",
    extensions: &["amo"],
    is_text: true,
    dialects: &[
        super::Dialect::new(
            "document",
            "as the published specification says: joints and weights count from 0",
        ),
        super::Dialect::new("one-based", "as in its later version and editamo: everything counts from 1"),
        super::Dialect::only_read("keyed", "the Blender add-on of 2020, read only: written as counted"),
        super::Dialect::new(
            "counted",
            "the Blender add-on since 2021: lists with counts, rest matrices, Z up",
        ),
    ],
    codes: codes::ALL,
    settings: &[&INDEX_BASE.row, &BIND.row],
    sniff,
    capabilities,
    read: |source, options, report| {
        Ok(Box::new(read::read(&source, Some(&*source.folder), options, report)?))
    },
    export: Some(export::export),
};

fn sniff(head: &[u8]) -> Match {
    // A container is not a model, but the reader reports that best.
    if container::is_container(head) { Match::Yes } else { read::is_amo(head) }
}

/// The capabilities of a dialect.
fn capabilities(dialect: Option<&str>) -> Capabilities {
    let dialect = dialect.and_then(Dialect::by_id).unwrap_or_default();
    Capabilities {
        meshes: Count::One,
        skins: Count::One,
        max_influences: Some(4),
        clips: Count::Many,
        interpolations: &[Interpolation::Linear],
        uv_sets: 1,
        normals: Normals::Always,
        texture_files: dialect == Dialect::Document,
        texture_slots: Some(&["base colour", "diffuse"]),
        ..Capabilities::default()
    }
}

impl Document {
    /// Reads a file's text. Textures are not looked up.
    pub fn parse(bytes: &[u8], options: &ReadOptions, report: &mut Report) -> Result<Self, Failure> {
        read::read(&Source::from_bytes("", bytes), None, options, report)
    }
}

impl super::Document for Document {
    fn dialect(&self) -> &'static str {
        self.dialect.id()
    }

    fn rewrite_dialect(&self) -> &'static str {
        self.dialect.written().id()
    }

    fn can_write(&self, dialect: &str) -> bool {
        Dialect::by_id(dialect).is_some_and(|d| d.has_rest() == self.dialect.has_rest())
    }

    fn import(self: Box<Self>, options: &ReadOptions, report: &mut Report) -> Result<Scene, Failure> {
        self.into_scene(options, report)
    }

    fn write(
        &self,
        dialect: &str,
        _: &WriteOptions,
        output: &mut dyn Output,
        report: &mut Report,
    ) -> Result<(), Failure> {
        if self.dialect == Dialect::Keyed {
            export::note_keyed(report);
        }
        let dialect = Dialect::by_id(dialect).unwrap_or(self.dialect);
        self.write_text(dialect, output.main()).map_err(|error| report.cannot_write(error))
    }
}
