//! KHR_node_visibility. A scene draws every mesh of its nodes, so the meshes and lights of hidden nodes are taken off
//! them. What was there is noted in the nodes' extras, and a glTF target puts it back.

use super::super::codes;
use super::super::extensions::{HIDDEN, OF_OBJECT, To, VISIBILITY, store, stored};
use super::Import;
use super::extensions::mark;
use crate::report::Loss;
use crate::scene::{Scene, Values};
use serde_json::{Value, json};

impl Import<'_, '_, '_> {
    /// Takes the meshes and lights off hidden nodes and off those below them.
    pub(super) fn hide(&mut self, scene: &mut Scene) {
        let mut is_hidden: Vec<bool> = Vec::with_capacity(scene.nodes.len());
        let mut count = 0;
        for index in 0..scene.nodes.len() {
            let node = &mut scene.nodes[index];
            let own = stored(&mut node.extras, OF_OBJECT).and_then(|e| e.get(VISIBILITY)?.get("visible"));
            let hidden =
                own == Some(&Value::Bool(false)) || node.parent.is_some_and(|p| is_hidden[p.index()]);
            is_hidden.push(hidden);
            if !hidden || (node.mesh.is_none() && node.light.is_none()) {
                continue;
            }
            let (mesh, skin, light) = (node.mesh.take(), node.skin.take(), node.light.take());
            let weights = std::mem::take(&mut node.morph_weights);
            let [mesh, skin, light] = [mesh.map(|m| m.0), skin.map(|s| s.0), light.map(|l| l.0)];
            let note = json!({ "mesh": mesh, "skin": skin, "weights": weights, "light": light });
            store(&mut node.extras, HIDDEN, note);
            for (to, number) in [(To::Mesh, mesh), (To::Skin, skin), (To::Light, light)] {
                if let Some(number) = number {
                    mark(to, number as usize, scene);
                }
            }
            count += 1;
        }
        let message =
            "meshes and lights of hidden nodes are not shown; only a glTF target keeps them, hidden";
        self.report.loss(Loss::kept(&codes::HIDDEN, "", count, message));
        let mut tracks = 0;
        for clip in scene.clips.iter_mut().filter(|_| count > 0) {
            clip.tracks.retain(|track| {
                let is_lost =
                    matches!(track.values, Values::MorphWeights { .. }) && is_hidden[track.node.index()];
                tracks += usize::from(is_lost);
                !is_lost
            });
        }
        self.lose(&codes::HIDDEN, "", tracks, "morph weights of hidden meshes are not animated");
    }
}
