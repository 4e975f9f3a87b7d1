//! Brings all meshes into model space, and remembers which parts were one object.

use super::{codes, own};
use crate::passes::codes::OBJECTS;
use crate::passes::flatten::{FlattenOptions, flatten};
use crate::report::{Loss, Report};
use crate::scene::{Extras, MeshId, Part, Scene};
use serde_json::json;

/// The names of the objects, in the order of their nodes.
pub(super) fn flatten_objects(scene: &mut Scene, report: &mut Report) -> Vec<String> {
    let mut names = Vec::new();
    let mut used = vec![false; scene.meshes.len()];
    for node in 0..scene.nodes.len() {
        let Some(id) = scene.nodes[node].mesh else { continue };
        let mut mesh = id.index();
        if std::mem::replace(&mut used[mesh], true) {
            // A mesh that is placed twice is two objects.
            scene.meshes.push(scene.meshes[mesh].clone());
            mesh = scene.meshes.len() - 1;
            scene.nodes[node].mesh = Some(MeshId::new(mesh));
        }
        for part in &mut scene.meshes[mesh].parts {
            let values = json!({ "object": names.len() });
            part.extras = Extras::from_iter([("qmsh".to_owned(), values)]);
        }
        let candidates = [&scene.nodes[node].name, &scene.meshes[mesh].name, &scene.name];
        let name = candidates.into_iter().find(|name| !name.is_empty());
        names.push(name.cloned().unwrap_or_else(|| "mesh".to_owned()));
    }
    let skins = scene.skins.len();
    if skins > 1 {
        let message = "the joints of all skins are the bones of one skeleton";
        report.loss(Loss::kept(&codes::SKINS, "", skins, message));
    }
    let mut found = Report::default();
    flatten(scene, &FlattenOptions::default(), &mut found);
    // Objects are joined, but stay submeshes by themselves.
    for loss in found.losses().iter().filter(|loss| loss.code.id != OBJECTS.id) {
        report.loss(loss.clone());
    }
    report.append_diagnostics(found);
    names
}

/// The number of the object that a part belongs to.
pub(super) fn object_of(part: &Part) -> usize {
    let number = own(&part.extras, "object").and_then(|number| number.as_u64());
    number.unwrap_or(0) as usize
}
