//! glTF 2.0: JSON that describes a scene, and binary buffers that hold its arrays.
//!
//! | file | what it does |
//! |---|---|
//! | `document.rs` | the file, unchanged |
//! | `read.rs` | bytes to document |
//! | `import.rs` | document to scene, one file per kind of object |
//! | `export.rs` | scene to file, one file per kind of object |
//! | `write.rs`, `rewrite.rs` | an exported scene, and a document, to bytes in either container |
//! | `container.rs`, `uri.rs`, `buffers.rs` | where the bytes are: GLB chunks, data URIs, side files; read by range |
//! | `json.rs`, `locate.rs`, `json_error.rs` | the JSON as types, and places in its text for messages |
//! | `odd_json.rs` | values of the wrong type that other programs read |
//! | `extensions.rs` | what is known about extensions that a scene has no fields for |
//! | `views.rs`, `accessor.rs` | typed arrays from bytes, with every number checked |
//! | `draco.rs`, `meshopt/` | compressed geometry |
//! | `rules/` | what `validate` checks beyond reading: the rules of the Khronos validator |
//! | `v1/` | glTF 1.0 documents, converted to the structure of 2.0 |
//! | `codes.rs` | the diagnostics |
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

mod accessor;
mod buffers;
pub mod codes;
mod container;
mod document;
mod draco;
mod export;
mod extensions;
mod import;
mod json;
mod json_error;
mod locate;
mod meshopt;
mod odd_json;
mod read;
mod rewrite;
mod rules;
pub(super) mod uri;
mod v1;
mod views;
mod write;

pub use document::Document;

use super::{Capabilities, Dialect, Format, ImageTypes, Match};
use crate::scene::Filter;

/// The key in a scene's `extras` for the file's values that have no field in a scene.
const EXTRAS: &str = "gltf";

/// The key in `extras` under which ligament keeps values that glTF has no fields for.
pub const KEY: &str = "ligament";

const LIGHTS: &str = "KHR_lights_punctual";
const UNLIT: &str = "KHR_materials_unlit";
const EMISSIVE_STRENGTH: &str = "KHR_materials_emissive_strength";
const SPECULAR: &str = "KHR_materials_specular";
const TEXTURE_TRANSFORM: &str = "KHR_texture_transform";
/// Shaders of glTF 1.0 in a 2.0 file: the extension as drafted, and as published.
const TECHNIQUE: &str = "KHR_technique_webgl";
const TECHNIQUES: &str = "KHR_techniques_webgl";
/// Geometry that is compressed.
const DRACO: &str = "KHR_draco_mesh_compression";
/// Buffer views that are compressed: the extension by its author, and as ratified.
const MESHOPT: [&str; 2] = ["EXT_meshopt_compression", "KHR_meshopt_compression"];
/// Materials without shaders, and lights, in glTF 1.0.
const COMMON: &str = "KHR_materials_common";

/// An image type that a texture may use only through an extension.
struct ImageType {
    /// The name in messages.
    name: &'static str,
    mime: &'static str,
    /// The file name's suffix.
    suffix: &'static str,
    extension: &'static str,
}

/// AVIF comes last: of a texture's images without a PNG or JPEG, one that can be decoded is preferred.
const IMAGE_TYPES: [ImageType; 3] = [
    ImageType { name: "WebP", mime: "image/webp", suffix: ".webp", extension: "EXT_texture_webp" },
    ImageType { name: "KTX2", mime: "image/ktx2", suffix: ".ktx2", extension: "KHR_texture_basisu" },
    ImageType { name: "AVIF", mime: "image/avif", suffix: ".avif", extension: "EXT_texture_avif" },
];

/// GL's numbers of filters, with the filter between mip levels. The first two also apply to magnification.
const FILTERS: [(u32, Filter, Option<Filter>); 6] = [
    (9728, Filter::Nearest, None),
    (9729, Filter::Linear, None),
    (9984, Filter::Nearest, Some(Filter::Nearest)),
    (9985, Filter::Linear, Some(Filter::Nearest)),
    (9986, Filter::Nearest, Some(Filter::Linear)),
    (9987, Filter::Linear, Some(Filter::Linear)),
];

/// The extensions that a scene has fields for; all are also written, except those for shaders, instances and compression.
const EXTENSIONS: &[&str] = &[
    LIGHTS,
    UNLIT,
    EMISSIVE_STRENGTH,
    SPECULAR,
    TEXTURE_TRANSFORM,
    IMAGE_TYPES[0].extension,
    IMAGE_TYPES[1].extension,
    IMAGE_TYPES[2].extension,
    "KHR_mesh_quantization",
    extensions::INSTANCING,
    DRACO,
    MESHOPT[0],
    MESHOPT[1],
    TECHNIQUE,
    TECHNIQUES,
];

/// The dialect of glTF 1.0 documents, in either container.
const FIRST: &str = "1.0";

/// The glTF row of the format table.
pub static FORMAT: Format = Format {
    id: "gltf",
    name: "glTF 2.0",
    summary: "Khronos' interchange format: JSON with binary buffers, in one file (.glb, avatars .vrm) or several (.gltf)",
    extensions: &["glb", "gltf", "vrm"],
    is_text: false,
    dialects: &[
        Dialect::new("glb", "everything in one binary file"),
        Dialect::new("gltf", "JSON text, with buffers in a .bin file beside it"),
        Dialect::only_read(FIRST, "glTF 1.0, as text or binary: read only"),
    ],
    codes: codes::ALL,
    settings: &[],
    sniff,
    capabilities,
    read: |source, _, report| Ok(Box::new(Document::read(source, report)?)),
    export: Some(export::export),
};

fn sniff(head: &[u8]) -> Match {
    if head.starts_with(container::MAGIC) {
        return Match::Yes;
    }
    let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    if text.iter().find(|b| !b.is_ascii_whitespace()) != Some(&b'{') {
        return Match::No;
    }
    // Any JSON object could be glTF; one that mentions an asset or accessors certainly is.
    let speaks = |word: &[u8]| memchr::memmem::find(head, word).is_some();
    if speaks(b"\"asset\"") && (speaks(b"\"version\"") || speaks(b"\"generator\""))
        || speaks(b"\"accessors\"")
    {
        Match::Yes
    } else {
        Match::Maybe
    }
}

/// The capabilities of a dialect.
fn capabilities(dialect: Option<&str>) -> Capabilities {
    Capabilities {
        points_and_lines: true,
        uv_sets: 8,
        color_sets: 4,
        pbr: true,
        image_types: ImageTypes::Any,
        embedded_textures: dialect != Some("gltf"),
        embeds_on_request: dialect == Some("gltf"),
        extras: true,
        ..Capabilities::of_whole_scenes()
    }
}
