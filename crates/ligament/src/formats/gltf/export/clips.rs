//! Clips: tracks become channels, and tracks with equal times share one accessor.

use super::super::extensions::OF_OBJECT;
use super::super::{codes, json};
use super::data::Chunk;
use super::nodes::Targets;
use super::{Export, extensions, extras};
use crate::scene::{Clip, Interpolation, Scene, Track, Values};
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::sync::Arc;

impl Export<'_> {
    pub(super) fn clips(&mut self, scene: &mut Scene, targets: &Targets) {
        let free = |n: &json::Node| n.matrix.is_none() && n.skin.is_none();
        let mut times = Times { still: self.root.nodes.iter().position(free), ..Times::default() };
        for (index, clip) in std::mem::take(&mut scene.clips).into_iter().enumerate() {
            self.clip(clip, index, targets, &mut times);
        }
    }

    fn clip(&mut self, mut clip: Clip, index: usize, targets: &Targets, times: &mut Times) {
        let object = clip.label(index);
        let marks = self.clip_marks(&clip);
        let extensions = extensions::kept(&mut clip.extras, OF_OBJECT);
        let mut written = json::Animation {
            name: clip.name,
            extensions,
            extras: extras::join(clip.extras, marks),
            ..json::Animation::default()
        };
        for track in clip.tracks {
            self.track(track, targets, times, &object, &mut written);
        }
        if written.channels.is_empty() && !self.placeholder(&mut written, times) {
            self.dropped(&codes::EMPTY, &object, 1, "a clip that moves nothing cannot be written");
            return;
        }
        self.root.animations.push(written);
    }

    fn clip_marks(&mut self, clip: &Clip) -> Map<String, Value> {
        let mut marks = Map::new();
        if clip.duration != clip.last_key() {
            marks.insert("duration".to_owned(), json!(clip.duration));
        }
        if let Some(frames) = clip.frames {
            marks.insert("frames".to_owned(), json!({ "rate": frames.rate, "count": frames.count }));
        }
        if !marks.is_empty() {
            self.kept(&codes::IN_EXTRAS, "clips", 1, "length and frames are kept in extras");
        }
        marks
    }

    fn track(
        &mut self,
        mut track: Track,
        targets: &Targets,
        times: &mut Times,
        object: &str,
        written: &mut json::Animation,
    ) {
        let mut node = track.node.index();
        let is_weights = matches!(track.values, Values::MorphWeights { .. });
        let moves = if is_weights { targets.morphs[node] > 0 } else { !targets.is_inert[node] };
        if !moves || track.times.is_empty() {
            let message = "tracks without effect (of a skinned mesh's own node, or of weights without morph targets) are dropped";
            self.dropped(&codes::CHANNELS, object, 1, message);
            return;
        }
        if is_weights {
            node = targets.drawn_by[node];
        }
        // glTF requires at least two keys for a spline; a single key has nothing to interpolate.
        if track.interpolation == Interpolation::Cubic && track.times.len() == 1 {
            straighten(&mut track);
        }
        let path = track.values.property();
        let output = match track.values {
            Values::Translation(v) | Values::Scale(v) => self.data.add(Chunk::Vec3(v), "VEC3", None),
            Values::Rotation(v) => self.data.add(Chunk::Quat(v), "VEC4", None),
            Values::MorphWeights { weights, .. } => self.data.add(Chunk::F32(weights), "SCALAR", None),
        };
        let input = times.accessor(&track.times, self);
        let interpolation = match track.interpolation {
            Interpolation::Linear => None,
            Interpolation::Step => Some("STEP".to_owned()),
            Interpolation::Cubic => Some("CUBICSPLINE".to_owned()),
        };
        add_channel(written, node, path, input, output, interpolation);
    }

    /// Adds a channel that keeps the first node where it is: glTF has no clips without channels.
    fn placeholder(&mut self, written: &mut json::Animation, times: &mut Times) -> bool {
        let Some(node) = times.still else { return false };
        let rest = self.root.nodes[node].translation.map_or([0.0; 3], json::plain);
        let output = self.data.add(Chunk::Vec3(vec![rest.into()]), "VEC3", None);
        let input = times.accessor(&Arc::from([0.0_f32]), self);
        add_channel(written, node, "translation", input, output, None);
        written.channels[0].extras = extras::mark("placeholder", json!(true));
        true
    }
}

fn add_channel(
    animation: &mut json::Animation,
    node: usize,
    path: &str,
    input: u32,
    output: u32,
    interpolation: Option<String>,
) {
    let sampler = Some(animation.samplers.len() as u32);
    animation.samplers.push(json::AnimationSampler {
        input: Some(input),
        output: Some(output),
        interpolation,
        ..json::AnimationSampler::default()
    });
    let target = json::Target { node: Some(node as u32), path: path.to_owned(), ..json::Target::default() };
    animation.channels.push(json::Channel { sampler, target, ..json::Channel::default() });
}

fn straighten(track: &mut Track) {
    track.interpolation = Interpolation::Linear;
    match &mut track.values {
        Values::Translation(v) | Values::Scale(v) => *v = v[1..2].to_vec(),
        Values::Rotation(v) => *v = v[1..2].to_vec(),
        Values::MorphWeights { count, weights } => *weights = weights[*count..*count * 2].to_vec(),
    }
}

/// What all clips share.
#[derive(Default)]
pub(super) struct Times {
    /// Times that are already written, by content.
    written: HashMap<Vec<u32>, u32>,
    /// The first node that a channel may hold in its place.
    still: Option<usize>,
}

impl Times {
    fn accessor(&mut self, times: &Arc<[f32]>, export: &mut Export<'_>) -> u32 {
        let key: Vec<u32> = times.iter().map(|t| t.to_bits()).collect();
        *self
            .written
            .entry(key)
            .or_insert_with(|| export.data.add_bounded(Chunk::Times(Arc::clone(times)), "SCALAR", None))
    }
}
