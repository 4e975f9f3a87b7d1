//! Scene to file.
//!
//! | file | what it does |
//! |---|---|
//! | `tree.rs` | the tree of records that a file is made of |
//! | `binary.rs`, `ascii.rs` | records as bytes and as text |
//! | `file.rs` | head, objects, connections and footer |
//! | `models.rs`, `shear.rs` | nodes |
//! | `points.rs`, `geometry.rs`, `meshes.rs` | meshes |
//! | `skins.rs`, `shapes.rs`, `clips.rs`, `placed.rs`, `materials.rs`, `textures.rs` | one file per kind of object |
//! | `properties.rs` | extras |
//!
//! What Autodesk's SDK demands is written at the places that fulfil it, and in `docs/formats/fbx.md`.

mod ascii;
mod binary;
mod clips;
mod file;
mod geometry;
mod materials;
mod meshes;
mod models;
mod placed;
mod points;
mod properties;
mod shapes;
mod shear;
mod skins;
mod textures;
mod tree;

use super::{KEY, codes, shading};
use crate::formats::{Encoded, WriteOptions, owns_extras};
use crate::io::Output;
use crate::report::{Failure, Loss, Place, Report};
use crate::scene::{Extras, Mesh, Scene};
use file::{File, Form, Whole};
use models::Models;
use tree::{Record, choice, color, double, integer, property, time};

/// Units of the file per metre: the file is in centimetres.
const LENGTH: f64 = 100.0;

/// Makes a file from a scene within the format's [capabilities](super::FORMAT).
pub(super) fn export(
    scene: Scene,
    dialect: Option<&str>,
    _: &WriteOptions,
    _: &mut Report,
) -> Result<Encoded, Failure> {
    let is_text = dialect == Some("ascii");
    let form = Form { version: 7400, is_text };
    let dialect = if is_text { "ascii" } else { "binary" };
    Ok(Encoded::new(dialect, move |output, report| write(&scene, form, output, report)))
}

fn write(scene: &Scene, form: Form, output: &mut dyn Output, report: &mut Report) -> Result<(), Failure> {
    check_counts(scene, report)?;
    report_lost(scene, report);
    let mut file = File::new(form);
    let mut models = Models::of(scene, &mut file, report);
    let materials = materials::materials(scene, uv_sets(scene), &mut file, report);
    let channels = meshes::meshes(scene, &mut models, &materials, LENGTH, &mut file, report);
    placed::placed(scene, &models, LENGTH, &mut file, report);
    models.write(scene, LENGTH, &mut file, report);
    clips::clips(scene, &models, &channels, LENGTH, &mut file, report);
    let take = scene.clips.first().map_or(String::new(), |clip| clip.name.clone());
    file.finish(Whole { settings: settings(scene), take }, output, report)
}

/// Refuses meshes whose corners have no number in the format.
fn check_counts(scene: &Scene, report: &mut Report) -> Result<(), Failure> {
    let corners = scene.meshes.iter().map(|mesh| {
        let corners: usize = mesh.parts.iter().map(|part| part.faces.corners().len()).sum();
        corners.max(mesh.vertex_count())
    });
    // Colours have four numbers per vertex, and an array is counted in 32 bits.
    let most = i32::MAX as usize / 8;
    match corners.max().filter(|corners| *corners > most) {
        Some(corners) => {
            let message =
                format!("a mesh of {corners} corners cannot be written; the format can hold {most}");
            Err(report.invalid(&codes::TOO_LARGE, Place::WHOLE, message))
        }
        None => Ok(()),
    }
}

/// The names of the sets of texture coordinates, from the mesh that has most.
fn uv_sets(scene: &Scene) -> Vec<String> {
    let sets = |mesh: &Mesh| mesh.parts.iter().map(|part| part.uvs.len()).max().unwrap_or(0);
    // The first of those that have equally many.
    let mesh = scene.meshes.iter().rev().max_by_key(|mesh| sets(mesh));
    mesh.map_or_else(Vec::new, |mesh| (0..sets(mesh)).map(|set| geometry::uv_set(mesh, set)).collect())
}

/// Reports what has no place in the file, and names that change.
fn report_lost(scene: &Scene, report: &mut Report) {
    let plain = |extras: &Extras| extras.keys().filter(|key| !owns_extras(key)).count();
    let count = plain(&scene.extras)
        + scene.skins.iter().map(|skin| plain(&skin.extras)).sum::<usize>()
        + scene.textures.iter().map(|texture| plain(&texture.extras)).sum::<usize>()
        + scene.images.iter().map(|image| plain(&image.extras)).sum::<usize>()
        + scene.meshes.iter().flat_map(|mesh| &mesh.parts).map(|part| plain(&part.extras)).sum::<usize>();
    let message = "extras of the scene, of skins, parts, textures and images have no place in FBX";
    report.loss(Loss::dropped(&codes::EXTRAS, "", count, message));
    let names = scene.nodes.iter().map(|node| &node.name).chain(scene.meshes.iter().map(|mesh| &mesh.name));
    let names =
        names.chain(scene.materials.iter().map(|m| &m.name)).chain(scene.clips.iter().map(|c| &c.name));
    let message = "zero characters in names, which end a name in FBX, became `_`";
    report.loss(Loss::kept(&codes::NAMES, "", names.filter(|name| name.contains('\0')).count(), message));
}

/// Axes, unit and time.
fn settings(scene: &Scene) -> Vec<Record> {
    let axes = [
        ("UpAxis", 1),
        ("UpAxisSign", 1),
        ("FrontAxis", 2),
        ("FrontAxisSign", 1),
        ("CoordAxis", 0),
        ("CoordAxisSign", 1),
        ("OriginalUpAxis", 1),
        ("OriginalUpAxisSign", 1),
    ];
    let mut rows: Vec<Record> = axes.into_iter().map(|(name, value)| integer(name, value)).collect();
    let [r, g, b, _] = scene.ambient.unwrap_or_default();
    let rate = scene.clips.iter().find_map(|clip| clip.frames).map_or(30.0, |frames| f64::from(frames.rate));
    let longest = scene.clips.iter().map(|clip| f64::from(clip.duration)).fold(0.0, f64::max);
    rows.extend([
        double("UnitScaleFactor", 1.0),
        double("OriginalUnitScaleFactor", 1.0),
        color("AmbientColor", [r, g, b]),
        property("DefaultCamera", ["KString", "", ""], ["Producer Perspective"]),
        choice("TimeMode", time_mode(rate)),
        time("TimeSpanStart", 0),
        time("TimeSpanStop", file::ticks(longest)),
        double("CustomFrameRate", if time_mode(rate) == CUSTOM_RATE { rate } else { -1.0 }),
    ]);
    rows
}

/// The number for a rate without a number of its own.
const CUSTOM_RATE: i32 = 14;

/// The number of a frame rate.
fn time_mode(rate: f64) -> i32 {
    let known = [(120.0, 1), (100.0, 2), (60.0, 3), (50.0, 4), (48.0, 5), (30.0, 6), (25.0, 10), (24.0, 11)];
    known.iter().find(|(known, _)| *known == rate).map_or(CUSTOM_RATE, |(_, number)| *number)
}
