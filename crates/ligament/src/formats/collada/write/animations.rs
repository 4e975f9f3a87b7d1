//! `<library_animations>` and `<library_animation_clips>`: one animation per node and clip.
//!
//! All clips begin at 0: that is how the programs that know clips play them.

use super::super::codes;
use super::super::export::{Draws, Exported, Keys, matrix_keys, weight_keys};
use super::xml::{Attr, Writer, rows};
use crate::motion::{KeyBudget, Reach, TrackFits};
use crate::report::{Loss, Report};
use crate::scene::{NodeId, Track};
use std::collections::BTreeMap;

impl Exported {
    pub(super) fn animations(&self, w: &mut Writer<'_>, report: &mut Report) {
        // The schema wants an animation in the library, and one in each clip.
        if !self.scene.clips.iter().any(|clip| clip.tracks.iter().any(|track| self.plays(track))) {
            (0..self.scene.clips.len()).for_each(|index| self.moves_nothing(index, report));
            return;
        }
        let (reach, mut budget) = (Reach::of(&self.scene), KeyBudget::default());
        let mut made: Vec<Vec<String>> = Vec::new();
        w.open("<library_animations>");
        for (index, clip) in self.scene.clips.iter().enumerate() {
            let id = &self.ids.clips[index].id;
            let object = clip.label(index);
            let mut of_nodes: BTreeMap<NodeId, Vec<&Track>> = BTreeMap::new();
            let (mut ids, mut idle, mut fits) = (Vec::new(), 0, TrackFits::default());
            for track in &clip.tracks {
                if !self.plays(track) {
                    idle += 1;
                } else if track.moves_node() {
                    of_nodes.entry(track.node).or_default().push(track);
                } else {
                    ids.push(format!("{id}-clip-{}-weights", self.ids.node(track.node)));
                    self.weights(w, &ids[ids.len() - 1], track);
                }
            }
            for (node, tracks) in of_nodes {
                let of_node = &self.scene.nodes[node.index()];
                let (keys, done) = matrix_keys(of_node, node, &tracks, &reach, &mut budget);
                fits.add(node, done);
                ids.push(format!("{id}-clip-{}", self.ids.node(node)));
                self.matrices(w, &ids[ids.len() - 1], self.ids.node(node), &keys);
            }
            let message = "tracks without keys, of weights without morph targets, or of a skinned mesh's own node are dropped";
            report.loss(Loss::dropped(&codes::IDLE, &object, idle, message));
            let message = "keys were added where a matrix does not tell how it came about";
            fits.report(&self.scene, &codes::SAMPLED, &object, message, report);
            made.push(ids);
        }
        w.close("library_animations");
        w.open("<library_animation_clips>");
        for (index, (clip, ids)) in self.scene.clips.iter().zip(&made).enumerate() {
            if ids.is_empty() {
                self.moves_nothing(index, report);
                continue;
            }
            let named = &self.ids.clips[index];
            let window = (" start=\"0\" end=\"", clip.duration, "\">");
            w.open(("<animation_clip", Attr("id", &named.id), Attr("name", &named.name), window));
            for id in ids {
                w.leaf(("<instance_animation", Attr("url", &format!("#{id}")), "/>"));
            }
            w.close("animation_clip");
        }
        w.close("library_animation_clips");
    }

    fn moves_nothing(&self, clip: usize, report: &mut Report) {
        let object = self.scene.clips[clip].label(clip);
        report.loss(Loss::dropped(&codes::EMPTY, object, 1, "a clip that moves nothing is dropped"));
    }

    /// Whether a track has an effect.
    fn plays(&self, track: &Track) -> bool {
        let moves = match track.moves_node() {
            true => !self.is_alone(track.node.index()),
            false => self.morph_of(track.node).is_some(),
        };
        moves && !track.times.is_empty() && !track.values.is_empty()
    }

    /// The id of the controller of a node's morph targets.
    fn morph_of(&self, node: NodeId) -> Option<&str> {
        let morph = match self.draws[node.index()]? {
            Draws::Mesh(_) => None,
            Draws::Morphed(morph) => Some(morph),
            Draws::Skinned(skin) => self.skinned[skin].morph,
        };
        morph.map(|morph| &*self.morphed[morph].id)
    }

    fn matrices(&self, w: &mut Writer<'_>, id: &str, node: &str, keys: &Keys<glam::DMat4>) {
        w.open(("<animation", Attr("id", id), ">"));
        times(w, id, keys);
        let output = format!("{id}-output");
        w.matrices(&output, keys.values.len(), keys.values.iter().map(rows));
        sampler(w, id, &format!("{id}-sampler"), &output);
        channel(w, &format!("{id}-sampler"), &format!("{node}/transform"));
        w.close("animation");
    }

    fn weights(&self, w: &mut Writer<'_>, id: &str, track: &Track) {
        let keys = weight_keys(track);
        let Some(morph) = self.morph_of(track.node) else { return };
        let count = keys.values.first().map_or(0, Vec::len);
        w.open(("<animation", Attr("id", id), ">"));
        times(w, id, &keys);
        let part = |what: &str, target: usize| format!("{id}-{what}{target}");
        for target in 0..count {
            let weights = keys.values.iter().map(|weights| [weights.get(target).copied().unwrap_or(0.0)]);
            w.floats(&part("output", target), ["MORPH_WEIGHT"], keys.times.len(), weights);
        }
        for target in 0..count {
            sampler(w, id, &part("sampler", target), &part("output", target));
        }
        for target in 0..count {
            channel(w, &part("sampler", target), &format!("{morph}-weights({target})"));
        }
        w.close("animation");
    }
}

/// Writes when keys are, and how values go from one to the next.
fn times<T>(w: &mut Writer<'_>, id: &str, keys: &Keys<T>) {
    let count = keys.times.len();
    w.floats(&format!("{id}-input"), ["TIME"], count, keys.times.iter().map(|time| [*time]));
    let word = if keys.is_step { "STEP" } else { "LINEAR" };
    let words = std::iter::repeat_n(word, count);
    w.words(&format!("{id}-interpolation"), "Name_array", "INTERPOLATION", count, words);
}

fn sampler(w: &mut Writer<'_>, id: &str, sampler: &str, output: &str) {
    w.open(("<sampler", Attr("id", sampler), ">"));
    w.input("INPUT", &format!("{id}-input"), None, None);
    w.input("OUTPUT", output, None, None);
    w.input("INTERPOLATION", &format!("{id}-interpolation"), None, None);
    w.close("sampler");
}

fn channel(w: &mut Writer<'_>, sampler: &str, target: &str) {
    w.leaf(("<channel", Attr("source", &format!("#{sampler}")), Attr("target", target), "/>"));
}
