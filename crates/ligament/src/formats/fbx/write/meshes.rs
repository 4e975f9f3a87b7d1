//! Which meshes are written, and for which models: a skin belongs to a mesh, not to the model that draws it.

use super::file::File;
use super::geometry::{self, geometry};
use super::models::{Attribute, Models};
use super::points::Points;
use super::shapes::{Channel, shapes};
use super::skins::skin;
use super::tree::Id;
use super::{codes, materials};
use crate::report::{Loss, Report};
use crate::scene::{MeshId, Scene, SkinId};
use std::collections::HashMap;

/// A mesh's object and points, and the first model that draws it.
pub(super) struct Drawn<'p, 'm> {
    pub(super) geometry: Id,
    pub(super) points: &'p Points<'m>,
    pub(super) model: usize,
}

/// What makes two models draw the same object: mesh and skin, and the model if it places its mesh itself.
type Key = (MeshId, Option<SkinId>, Option<usize>);

/// Whether a node has weights of its own, so that it cannot share its mesh with others.
fn has_own_weights(scene: &Scene) -> Vec<bool> {
    let mut has_own: Vec<bool> = scene.nodes.iter().map(|node| !node.morph_weights.is_empty()).collect();
    let tracks = scene.clips.iter().flat_map(|clip| &clip.tracks).filter(|track| !track.moves_node());
    tracks.for_each(|track| has_own[track.node.index()] = true);
    has_own
}

/// Writes the meshes of all models. Returns the channels of those with morph targets and weights of their own.
pub(super) fn meshes(
    scene: &Scene,
    models: &mut Models,
    materials: &[Id],
    length: f64,
    file: &mut File,
    report: &mut Report,
) -> HashMap<usize, Vec<Channel>> {
    let (own_weights, mut channels) = (has_own_weights(scene), HashMap::new());
    let (mut written, mut default) = (HashMap::<Key, Id>::new(), None);
    let mut copies = vec![0_usize; scene.meshes.len()];
    for index in 0..models.list.len() {
        let model = &models.list[index];
        let Attribute::Mesh(mesh_id, skin_id) = model.attribute else { continue };
        let (mesh, id) = (&scene.meshes[mesh_id.index()], model.id);
        let is_placed = skin_id.is_some() && !model.is_inert;
        let own = is_placed || (!mesh.morphs.is_empty() && own_weights.get(index) == Some(&true));
        let key = (mesh_id, skin_id, own.then_some(index));
        let geometry_id = match written.get(&key) {
            Some(&known) => known,
            None => {
                let name = if mesh.name.is_empty() { &model.name } else { &mesh.name };
                let points = Points::of(mesh, skin_id.is_some());
                let geometry_id = file.id();
                file.add(geometry(geometry_id, name, mesh, &points, length, report));
                let drawn = Drawn { geometry: geometry_id, points: &points, model: index };
                channels.insert(index, shapes(&drawn, scene, length, file, report));
                if let Some(skin_id) = skin_id {
                    skin(&drawn, skin_id, scene, models, length, file, report);
                }
                written.insert(key, geometry_id);
                copies[mesh_id.index()] += 1;
                geometry_id
            }
        };
        file.connect(geometry_id, id);
        let slots = geometry::materials(mesh);
        if slots.iter().any(Option::is_some) {
            for slot in slots {
                let material = match slot {
                    Some(material) => materials[material.index()],
                    None => *default.get_or_insert_with(|| materials::default(file)),
                };
                file.connect(material, id);
            }
        }
    }
    let copies: usize = copies.iter().map(|count| count.saturating_sub(1)).sum();
    let message = "meshes that nodes draw with different skins or weights are written once for each";
    report.loss(Loss::kept(&codes::COPIES, "", copies, message));
    let message = "faces without a material, in meshes where others have one, get a white one";
    report.loss(Loss::kept(&codes::PARTIAL, "", usize::from(default.is_some()), message));
    channels
}
