//! Scene to document: what is written as which element, and under which id.
//!
//! | file | what it makes |
//! |---|---|
//! | `ids.rs` | ids that are names in XML, and unique |
//! | `controllers.rs` | skins and morph targets, and the joints that they use |
//! | `keys.rs` | tracks of a node as keys of its matrix |
//!
//! The scene's arrays stay where they are: the text is made from them while it is written.

mod controllers;
mod ids;
mod keys;

pub(super) use controllers::{Draws, Morphed, Skinned};
pub(super) use ids::Ids;
pub(super) use keys::{Keys, matrix_keys, weight_keys};

use super::codes;
use crate::formats::{Encoded, WriteOptions};
use crate::report::{Failure, Loss, Report, counted, label};
use crate::scene::{Faces, Local, Scene};

/// Exports a scene that is within the format's [capabilities](super::FORMAT).
pub(super) fn export(
    scene: Scene,
    _: Option<&str>,
    _: &WriteOptions,
    report: &mut Report,
) -> Result<Encoded, Failure> {
    let made = Exported::of(scene, report);
    Ok(Encoded::new("dae", move |output, report| {
        made.write(output.main(), report).map_err(|error| report.cannot_write(error))
    }))
}

/// A scene in the structure of a COLLADA file.
pub(super) struct Exported {
    pub scene: Scene,
    pub ids: Ids,
    /// The children of each node.
    pub children: Vec<Vec<usize>>,
    /// Whether each node is written as a joint.
    pub is_joint: Vec<bool>,
    pub morphed: Vec<Morphed>,
    pub skinned: Vec<Skinned>,
    /// What each node draws.
    pub draws: Vec<Option<Draws>>,
}

impl Exported {
    fn of(mut scene: Scene, report: &mut Report) -> Self {
        drop_points(&mut scene, report);
        unstored(&scene, report);
        let ids = Ids::of(&scene, report);
        let mut children = vec![Vec::new(); scene.nodes.len()];
        for (index, node) in scene.nodes.iter().enumerate() {
            if let Some(parent) = node.parent {
                children[parent.index()].push(index);
            }
        }
        let is_joint = controllers::joints(&scene);
        let mut made = Self {
            children,
            is_joint,
            morphed: Vec::new(),
            skinned: Vec::new(),
            draws: Vec::new(),
            ids,
            scene,
        };
        made.controllers();
        made.report_moved(report);
        made
    }
}

impl Exported {
    /// Reports the nodes of skinned meshes that do not stay where they are.
    fn report_moved(&self, report: &mut Report) {
        let nodes = self.scene.nodes.iter().enumerate();
        let moved = nodes.filter(|(index, node)| {
            let draws = matches!(self.draws[*index], Some(Draws::Skinned(_)));
            draws && (node.parent.is_some() || node.local != Local::default() || !self.is_alone(*index))
        });
        let message =
            "skinned meshes are drawn by nodes at the root; the place of their own node means nothing";
        report.loss(Loss::dropped(&codes::MOVED, "", moved.count(), message));
    }
}

/// Removes parts that COLLADA has no primitives for, and parts without any.
fn drop_points(scene: &mut Scene, report: &mut Report) {
    for (index, mesh) in scene.meshes.iter_mut().enumerate() {
        let mut points = 0;
        mesh.parts.retain(|part| match &part.faces {
            Faces::Points(corners) => {
                points += corners.len();
                false
            }
            faces => faces.count() > 0,
        });
        let object = label("mesh", &mesh.name, index);
        report.loss(Loss::dropped(&codes::POINTS, object, points, "COLLADA has no points"));
    }
}

/// Reports values that the file has no place for.
fn unstored(scene: &Scene, report: &mut Report) {
    let tips = scene.nodes.iter().filter(|node| node.tip.is_some()).count();
    report.loss(Loss::dropped(&codes::UNSTORED, "", tips, "the drawn ends of bones are dropped"));
    let grids = scene.clips.iter().filter(|clip| clip.frames.is_some()).count();
    let message = "the frame rate that a clip was sampled at is dropped; its keys are kept";
    report.loss(Loss::dropped(&codes::UNSTORED, "", grids, message));
    for (index, mesh) in scene.meshes.iter().enumerate() {
        let object = || label("mesh", &mesh.name, index);
        if mesh.parts.is_empty() {
            report.loss(Loss::dropped(&codes::EMPTY, object(), 1, "a mesh without faces is dropped"));
        }
        let unsided = mesh.parts.iter().filter(|p| p.normals.is_empty()).map(|p| p.tangents.len()).sum();
        let message = "tangents without normals are dropped";
        report.loss(Loss::dropped(&codes::UNSIDED, object(), unsided, message));
        let morphs = mesh.parts.iter().flat_map(|part| &part.morphs);
        let bent = morphs.filter(|morph| !morph.tangents.is_empty()).count();
        let message = "the changes of tangents by morph targets are dropped";
        report.loss(Loss::dropped(&codes::UNSIDED, object(), bent, message));
    }
    if scene.clips.len() > 1 {
        let message = format!(
            "{} share the same time; programs that do not know <animation_clip>, such as Blender, mix them up",
            counted(scene.clips.len(), "clip", "clips")
        );
        report.note(&codes::ONE_TIME, crate::report::Place::WHOLE, message);
    }
}
