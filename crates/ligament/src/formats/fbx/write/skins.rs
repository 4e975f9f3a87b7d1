//! Skins: a cluster for each joint, also for those that hold no vertex.

use super::file::File;
use super::meshes::Drawn;
use super::models::{Models, matrix_values};
use super::points::Points;
use super::tree::Record;
use crate::report::Report;
use crate::scene::{Scene, SkinId};
use glam::DMat4;

/// Points and their weights.
#[derive(Default)]
struct Held {
    points: Vec<i32>,
    weights: Vec<f64>,
}

/// Writes the skin of a mesh.
pub(super) fn skin(
    drawn: &Drawn<'_, '_>,
    skin: SkinId,
    scene: &Scene,
    models: &mut Models,
    length: f64,
    file: &mut File,
    report: &mut Report,
) {
    let skin = &scene.skins[skin.index()];
    let (mut held, loose) = clusters(drawn.points, skin.joints.len());
    let place = models.bound.get(&drawn.model).copied().unwrap_or(DMat4::IDENTITY);
    let mut joints: Vec<(usize, DMat4)> = skin.binds().map(|(joint, bind)| (joint.index(), bind)).collect();
    if !loose.points.is_empty() {
        joints.push((models.still(file, report), DMat4::IDENTITY));
        held.push(loose);
    }
    let id = file.id();
    let object = Record::object("Deformer", id, &*skin.name, "Deformer", "Skin");
    file.add(object.with("Version", 101).with("Link_DeformAcuracy", 50.0));
    file.connect(id, drawn.geometry);
    for ((joint, bind), held) in joints.into_iter().zip(held) {
        // Where the joint was when the mesh was bound.
        let link = place * bind.inverse();
        let link = if link.is_finite() { link } else { models.globals.get(joint).copied().unwrap_or(place) };
        models.binds.entry(joint).or_insert(link);
        let cluster = file.id();
        let model = &models.list[joint];
        let mut object =
            Record::object("Deformer", cluster, &*model.name, "SubDeformer", "Cluster").with("Version", 100);
        if !held.points.is_empty() {
            object = object.with("Indexes", held.points).with("Weights", held.weights);
        }
        object = object.with("Transform", matrix_values(&bind, length));
        object = object.with("TransformLink", matrix_values(&link, length));
        // Without it, Blender takes the armature's place below its parent for that in the scene.
        file.add(object.with("TransformAssociateModel", matrix_values(&models.above_bones(joint), length)));
        file.connect(cluster, id);
        file.connect(model.id, cluster);
    }
}

/// The points of each joint, and those that none holds.
fn clusters(points: &Points<'_>, joints: usize) -> (Vec<Held>, Held) {
    let mut held: Vec<Held> = (0..joints).map(|_| Held::default()).collect();
    let mut loose = Held::default();
    for point in 0..points.vertices.len() {
        let influences = points.influences(point);
        if influences.iter().map(|pair| pair.weight).sum::<f32>() <= 0.0 {
            loose.points.push(point as i32);
            loose.weights.push(1.0);
            continue;
        }
        for pair in influences {
            let Some(held) = held.get_mut(pair.joint as usize) else { continue };
            held.points.push(point as i32);
            held.weights.push(f64::from(pair.weight));
        }
    }
    (held, loose)
}
