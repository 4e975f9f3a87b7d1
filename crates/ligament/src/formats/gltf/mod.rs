//! glTF 2.0: JSON that describes a scene, and binary buffers that hold its arrays.
//!
//! `docs/formats/gltf.md` lists what is supported and every decision. In short:
//!
//! ```text
//! file.glb   = "glTF" version:u32 length:u32  chunk(JSON)  [chunk(BIN)]      all little-endian
//! chunk      = length:u32 type:u32 bytes, padded to four
//! file.gltf  = the JSON alone; buffers are side files or data URIs
//!
//! scenes → nodes → mesh → primitives → attributes ─┐
//!               └→ skin → joints (nodes), matrices ─┤
//! animations → channels (node, path) → samplers ────┴→ accessors → bufferViews → buffers
//! ```
//!
//! | file | what it does |
//! |---|---|
//! | `container.rs`, `uri.rs`, `buffers.rs` | where bytes are: GLB chunks, data URIs, side files, read by range |
//! | `json.rs`, `locate.rs`, `json_error.rs` | the JSON as types, and back to the place in the text for messages |
//! | `accessor.rs` | typed arrays out of bytes, with every number checked |
//! | `document.rs`, `rewrite.rs` | the file as it is, and writing it in either container |
//! | `import/`, `export/` | document ↔ scene, a file for each kind of object |
//! | `v1/` | documents of glTF 1.0 in the structure of 2.0 |

mod accessor;
mod buffers;
pub mod codes;
mod container;
mod document;
mod export;
mod import;
mod json;
mod json_error;
mod locate;
mod rewrite;
pub(super) mod uri;
mod v1;

pub use document::Document;

use crate::formats::{
    self, Capabilities, Count, Dialect, Format, Info, Joints, Match, Normals, ReadOptions, WriteOptions,
};
use crate::io::Source;
use crate::report::{Failure, Report};
use crate::scene::{Interpolation, Scene};

/// The key in `extras` of what a file says that has no other place in a scene.
const EXTRAS: &str = "gltf";

/// The key in `extras` under which ligament keeps what glTF has no place for.
pub const KEY: &str = "ligament";

const LIGHTS: &str = "KHR_lights_punctual";
const UNLIT: &str = "KHR_materials_unlit";
const EMISSIVE_STRENGTH: &str = "KHR_materials_emissive_strength";
const SPECULAR: &str = "KHR_materials_specular";
const TEXTURE_TRANSFORM: &str = "KHR_texture_transform";
/// Shaders of glTF 1.0 in a file of 2.0: as the extension was drafted, and as it was published.
const TECHNIQUE: &str = "KHR_technique_webgl";
const TECHNIQUES: &str = "KHR_techniques_webgl";
/// Materials without shaders, and lights, in glTF 1.0.
const COMMON: &str = "KHR_materials_common";

/// An image type that a texture may use only through an extension.
struct ImageType {
    mime: &'static str,
    /// How a file's name ends.
    suffix: &'static str,
    extension: &'static str,
}

const IMAGE_TYPES: [ImageType; 2] = [
    ImageType { mime: "image/webp", suffix: ".webp", extension: "EXT_texture_webp" },
    ImageType { mime: "image/ktx2", suffix: ".ktx2", extension: "KHR_texture_basisu" },
];

/// The extensions that are read; all but those of shaders are written too.
const EXTENSIONS: &[&str] = &[
    LIGHTS,
    UNLIT,
    EMISSIVE_STRENGTH,
    SPECULAR,
    TEXTURE_TRANSFORM,
    IMAGE_TYPES[0].extension,
    IMAGE_TYPES[1].extension,
    "KHR_mesh_quantization",
    TECHNIQUE,
    TECHNIQUES,
];

/// The dialect of documents of glTF 1.0, in either container.
const FIRST: &str = "1.0";

/// The glTF row of the format table.
pub struct Gltf;

static INFO: Info = Info {
    id: "gltf",
    name: "glTF 2.0",
    summary: "Khronos' interchange format: JSON with binary buffers, in one file (.glb) or several (.gltf)",
    extensions: &["glb", "gltf"],
    is_text: false,
    dialects: &[
        Dialect { id: "glb", summary: "everything in one binary file" },
        Dialect { id: "gltf", summary: "JSON text, with buffers in a .bin file beside it" },
        Dialect { id: FIRST, summary: "glTF 1.0, as text or binary: read only" },
    ],
    codes: codes::ALL,
    settings: &[],
};

impl Format for Gltf {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn sniff(&self, head: &[u8]) -> Match {
        if head.starts_with(container::MAGIC) {
            return Match::Yes;
        }
        let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
        if text.iter().find(|b| !b.is_ascii_whitespace()) != Some(&b'{') {
            return Match::No;
        }
        // Any JSON object could be glTF; one that speaks of an asset or of accessors surely is.
        let speaks = |word: &[u8]| memchr::memmem::find(head, word).is_some();
        if speaks(b"\"asset\"") && (speaks(b"\"version\"") || speaks(b"\"generator\""))
            || speaks(b"\"accessors\"")
        {
            Match::Yes
        } else {
            Match::Maybe
        }
    }

    fn capabilities(&self, dialect: Option<&str>) -> Capabilities {
        Capabilities {
            write: dialect != Some(FIRST),
            hierarchy: true,
            meshes: Count::Many,
            skins: Count::Many,
            max_influences: None,
            joints: Joints::Scale,
            clips: Count::Many,
            interpolations: &[Interpolation::Step, Interpolation::Linear, Interpolation::Cubic],
            points_and_lines: true,
            morphs: true,
            uv_sets: 8,
            color_sets: 4,
            normals: Normals::PerPart,
            tangents: true,
            phong: true,
            pbr: true,
            normal_maps: true,
            alpha_modes: true,
            texture_files: true,
            embedded_textures: dialect != Some("gltf"),
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
        _: &ReadOptions,
        report: &mut Report,
    ) -> Result<Box<dyn formats::Document + 'a>, Failure> {
        Ok(Box::new(Document::read(source, report)?))
    }

    fn export(
        &self,
        scene: Scene,
        options: &WriteOptions,
        report: &mut Report,
    ) -> Result<Box<dyn formats::Document>, Failure> {
        Ok(Box::new(export::export(scene, options, report)?))
    }
}
