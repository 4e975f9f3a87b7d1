//! glTF 1.0: the same idea as 2.0, with dictionaries where 2.0 has lists, and shaders where 2.0 has materials.
//!
//! A document is converted to the structure of 2.0, which the importer reads. Values that 2.0 has no fields for go into
//! fields that no 2.0 file can fill: an accessor's stride, a skin's bind shape matrix, a material's values.
//!
//! ```text
//! file.glb = "glTF" version:u32(1) length:u32 contentLength:u32 contentFormat:u32(0)  JSON  body
//!
//! nodes.ID  = meshes: [ID], skin: ID, skeletons: [node ID], jointName        (a joint's name, not its id)
//! skins.ID  = jointNames: [name], inverseBindMatrices: ID, bindShapeMatrix   (found below the node's skeletons)
//! animations.ID = parameters: {name: accessor ID}, samplers: {ID: input, output}, channels: [sampler, target]
//! materials.ID  = technique: ID, values: {parameter: number, list or texture ID}
//! ```
//!
//! | file | what it does |
//! |---|---|
//! | `json.rs` | the JSON as types |
//! | `origins.rs` | maps the 2.0 structure back to the file's own ids, for messages |
//! | `data.rs`, `meshes.rs`, `nodes.rs`, `skins.rs`, `clips.rs`, `materials.rs`, `lights.rs` | one kind of object each |

mod clips;
mod data;
mod json;
mod lights;
mod materials;
mod meshes;
mod nodes;
mod origins;
mod skins;

pub(super) use json::Root as Source;
pub(super) use origins::Origins;

use super::json::{Asset, Root};
use super::locate::{Places, Step};
use super::{COMMON, codes};
use crate::report::{Code, Failure, Loss, Report, Severity};
use json::Ids;
use origins::join;
use std::collections::HashMap;

const BINARY: &str = "KHR_binary_glTF";

/// Ids of the buffer that is the body of a binary file: as published in the extension, and in its drafts.
const BODY: [&str; 2] = ["binary_glTF", BINARY];

/// The supported extensions.
pub(super) const EXTENSIONS: &[&str] = &[BINARY, COMMON];

/// Extensions that change the meaning of an accessor's bytes. 1.0 has no way to say that they are required.
const ENCODINGS: [&str; 3] =
    ["WEB3D_quantized_attributes", "Open3DGC-compression", "mesh_compression_open3dgc"];

/// A 1.0 document in the structure of 2.0.
pub(super) struct Converted {
    pub root: Root,
    pub origins: Origins,
    /// The buffer that is the body of a binary file.
    pub body: Option<usize>,
}

/// A conversion in progress.
struct Convert<'c, 's, 'a> {
    source: &'c Source,
    places: &'c Places<'s, 'a>,
    report: &'c mut Report,
    root: Root,
    origins: Origins,
    /// The indices of lights, by id.
    lights: HashMap<String, usize>,
    /// The length of the JSON in bytes: the limit for objects that may be generated more than once.
    length: usize,
}

/// Converts a document to the structure of 2.0. Every id that does not exist is an error.
pub(super) fn convert(
    source: &Source,
    length: usize,
    has_body: bool,
    places: &Places<'_, '_>,
    report: &mut Report,
) -> Result<Converted, Failure> {
    let place = places.at(&[Step::Name("asset"), Step::Name("version")]);
    report.note(&codes::FIRST, place, "this is glTF 1.0; if written as glTF, it becomes 2.0");
    let mut convert = Convert {
        source,
        places,
        report,
        root: Root::default(),
        origins: Origins::new(source),
        lights: HashMap::new(),
        length,
    };
    convert.encodings();
    convert.whole();
    let body = convert.buffers(has_body);
    convert.accessors();
    convert.textures();
    convert.materials();
    convert.meshes();
    convert.lights();
    convert.nodes();
    convert.skins();
    convert.clips();
    convert.scenes();
    let Convert { root, origins, .. } = convert;
    report.check()?;
    Ok(Converted { root, origins, body })
}

impl Convert<'_, '_, '_> {
    fn whole(&mut self) {
        let source = self.source;
        let stated = source.asset.as_ref();
        self.root.asset = Some(Asset {
            version: "1.0".to_owned(),
            generator: stated.and_then(|a| a.generator.clone()),
            copyright: stated.and_then(|a| a.copyright.clone()),
            extras: stated.and_then(|a| a.extras.clone()),
            ..Asset::default()
        });
        self.root.extensions_used.clone_from(&source.extensions_used);
        self.root.extensions_required.clone_from(&source.extensions_required);
        self.root.extras.clone_from(&source.extras);
        self.root.cameras = source
            .cameras
            .iter()
            .map(|(id, camera)| {
                let mut camera = camera.clone();
                camera.name = named(&camera.name, id);
                camera
            })
            .collect();
        let shaders =
            source.shaders.names.len().max(source.programs.names.len()).max(source.techniques.names.len());
        let message = "shaders and techniques are dropped; materials keep the values that they pass to them";
        self.report.loss(Loss::dropped(&codes::SHADERS, "", shaders, message));
    }

    fn encodings(&mut self) {
        for (at, name) in self.source.extensions_used.iter().enumerate() {
            if ENCODINGS.contains(&name.as_str()) {
                let path = [Step::Name("extensionsUsed"), Step::Index(at)];
                let message = format!("the file cannot be read without {name}, which is not supported");
                self.error(&codes::REQUIRED_EXTENSION, &path, message);
            }
        }
    }

    fn error(&mut self, code: &'static Code, path: &[Step<'_>], message: impl Into<String>) {
        let place = self.places.while_kept(self.report, Severity::Error, path);
        self.report.error(code, place, message);
    }

    fn warning(&mut self, code: &'static Code, path: &[Step<'_>], message: impl Into<String>) {
        let place = self.places.while_kept(self.report, Severity::Warning, path);
        self.report.warning(code, place, message);
    }

    /// The index of the object with an id. An unknown id is an error.
    fn number<T>(&mut self, ids: &Ids<T>, id: &str, what: &str, path: &[Step<'_>]) -> Option<u32> {
        let number = ids.number(id);
        if number.is_none() {
            self.error(&codes::INDEX, path, format!("there is no {what} {id:?}"));
        }
        number
    }

    /// Like [`number`](Self::number), for a field that may be absent.
    fn optional<T>(
        &mut self,
        ids: &Ids<T>,
        id: &Option<String>,
        what: &str,
        path: &[Step<'_>],
    ) -> Option<u32> {
        self.number(ids, id.as_ref()?, what, path)
    }

    /// The indices of the objects in a list of ids. Unknown ids are errors.
    fn numbers<T>(&mut self, ids: &Ids<T>, list: &[String], what: &str, path: &[Step<'_>]) -> Vec<u32> {
        let number = |(at, id): (usize, &String)| {
            ids.number(id).or_else(|| self.number(ids, id, what, &join(path, &[Step::Index(at)])))
        };
        list.iter().enumerate().filter_map(number).collect()
    }
}

/// An object's name, or its id if it has none.
fn named(name: &str, id: &str) -> String {
    if name.is_empty() { id.to_owned() } else { name.to_owned() }
}
