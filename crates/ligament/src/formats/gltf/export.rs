//! Scene → document, with one file per kind of object. Arrays are moved out of the scene and written without being copied.

mod clips;
mod data;
mod extensions;
mod extras;
mod influences;
mod materials;
mod meshes;
mod nodes;
mod placed;
mod skins;
mod textures;

pub(super) use data::Chunk;
use data::Data;
pub(super) use extras::join as join_extras;

use super::json::{Asset, Root};
use crate::formats::{Encoded, WriteOptions};
use crate::report::{Code, Failure, Loss, Place, Report};
use crate::scene::Scene;
use std::collections::BTreeSet;

/// An export in progress.
struct Export<'r> {
    root: Root,
    data: Data,
    extensions: BTreeSet<&'static str>,
    report: &'r mut Report,
}

/// Exports a scene that is within the dialect's [capabilities](super::FORMAT).
pub(super) fn export(
    mut scene: Scene,
    dialect: Option<&str>,
    _: &WriteOptions,
    report: &mut Report,
) -> Result<Encoded, Failure> {
    let mut export =
        Export { root: Root::default(), data: Data::default(), extensions: BTreeSet::new(), report };
    let marks = extensions::Marks::take(&mut scene);
    nodes::show(&mut scene, &marks);
    let plan = skins::plan(&scene);
    if let Some(index) = plan.joints.iter().position(|&joints| joints > 1 << 16) {
        let message =
            format!("a skin of {} joints cannot be written; glTF allows at most 65536", plan.joints[index]);
        let place = Place::field(format!("skins[{index}]"));
        return Err(export.report.invalid(&super::codes::SKIN, place, message));
    }
    let written = export.meshes(&mut scene, &plan);
    let images = export.textures(&mut scene);
    export.materials(&mut scene);
    export.cameras(&mut scene);
    export.lights(&mut scene);
    let targets = export.nodes(&mut scene, &plan, &written);
    export.clips(&mut scene, &targets);
    export.scene_data(&mut scene);
    let numbers = extensions::Numbers { meshes: &written, images: &images, drawn_by: &targets.drawn_by };
    export.settle_extensions(&marks, &numbers);
    let Export { mut root, data, .. } = export;
    let generator = concat!("ligament ", env!("CARGO_PKG_VERSION")).to_owned();
    let asset = root.asset.get_or_insert_default();
    asset.version = "2.0".to_owned();
    asset.generator = Some(generator);
    let (built, is_glb) = (data.finish(root), dialect != Some("gltf"));
    let dialect = if is_glb { "glb" } else { "gltf" };
    Ok(Encoded::new(dialect, move |output, report| built.write(is_glb, output, report)))
}

impl Export<'_> {
    fn kept(&mut self, code: &'static Code, object: &str, count: usize, message: &str) {
        self.report.loss(Loss::kept(code, object, count, message));
    }

    fn dropped(&mut self, code: &'static Code, object: &str, count: usize, message: &str) {
        self.report.loss(Loss::dropped(code, object, count, message));
    }

    fn approximated(&mut self, code: &'static Code, object: &str, count: usize, message: &str) {
        self.report.loss(Loss::approximated(code, object, count, None, "", message));
    }

    fn asset(&mut self) -> &mut Asset {
        self.root.asset.get_or_insert_default()
    }
}
