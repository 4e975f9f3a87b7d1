//! Animations: channels become tracks.

use super::super::accessor::Checked;
use super::super::extensions::OF_OBJECT;
use super::super::{codes, json};
use super::Import;
use super::extras::{Marks, number, split, take_apart};
use super::nodes::Tree;
use crate::report::label;
use crate::scene::{Clip, Frames, Interpolation, Local, NodeId, Scene, Track, Values};
use glam::Quat;
use std::collections::BTreeSet;
use std::fmt;

impl Import<'_, '_, '_> {
    pub(super) fn clips(&mut self, tree: &Tree, scene: &mut Scene) {
        for index in 0..self.root.animations.len() {
            let clip = self.clip(index, tree, scene);
            scene.clips.push(clip);
        }
    }

    fn clip(&mut self, index: usize, tree: &Tree, scene: &Scene) -> Clip {
        let root = self.root;
        let source = &root.animations[index];
        let (mut extras, marks) = take_apart(self.clip_extras.get_mut(index).and_then(Option::take));
        self.keep_extensions(&source.extensions, OF_OBJECT, &mut extras);
        let mut clip = Clip { name: source.name.clone(), extras, ..Clip::default() };
        let mut taken = BTreeSet::new();
        for (at, channel) in source.channels.iter().enumerate() {
            let path = format_args!("animations[{index}].channels[{at}]");
            let placeholder = split(&channel.extras).1.get("placeholder").is_some_and(|v| v == true);
            if placeholder {
                continue;
            }
            let node =
                self.index(channel.target.node, root.nodes.len(), format_args!("{path}.target.node"), "node");
            let target = node.and_then(|n| tree.ids[n]);
            let known =
                matches!(channel.target.path.as_str(), "translation" | "rotation" | "scale" | "weights");
            let Some(node) = target.filter(|_| known) else {
                if channel.target.node.is_none() || node.is_some() {
                    let object = label("clip", &source.name, index);
                    let message =
                        "channels without a node in the scene, or with an unknown property, are dropped";
                    self.lose(&codes::CHANNELS, &object, 1, message);
                }
                continue;
            };
            if !taken.insert((node, channel.target.path.as_str())) {
                let message = "another channel of this animation already animates this property";
                self.error(&codes::ANIMATION, path, message);
                continue;
            }
            clip.tracks.extend(self.track(index, channel, node, path, scene));
        }
        let stored = marks.get("duration").and_then(number).unwrap_or(0.0);
        clip.duration = clip.last_key().max(stored);
        clip.frames = frames(&marks).filter(|f| u64::from(f.count) <= self.buffers.present);
        clip
    }

    fn track(
        &mut self,
        animation: usize,
        channel: &json::Channel,
        node: NodeId,
        path: fmt::Arguments<'_>,
        scene: &Scene,
    ) -> Option<Track> {
        let samplers = &self.root.animations[animation].samplers;
        let Some(index) = channel.sampler.filter(|&s| (s as usize) < samplers.len()) else {
            return self.fault(&codes::INDEX, format_args!("{path}.sampler"), "there is no such sampler");
        };
        let sampler = &samplers[index as usize];
        let path_of = |field: &'static str| SamplerPath { animation, index, field };
        let interpolation = match sampler.interpolation.as_deref() {
            None | Some("LINEAR") => Interpolation::Linear,
            Some("STEP") => Interpolation::Step,
            Some("CUBICSPLINE") => Interpolation::Cubic,
            Some(other) => {
                let message = format!("{other:?} is not STEP, LINEAR or CUBICSPLINE");
                return self.fault(&codes::ANIMATION, path_of(".interpolation"), message);
            }
        };
        let (Some(input), Some(output)) = (sampler.input, sampler.output) else {
            let message = "a sampler needs an input and an output";
            return self.fault(&codes::ANIMATION, path_of(""), message);
        };
        let input = self.accessor(input, path_of(".input"))?;
        if input.components != 1 {
            return self.fault(&codes::ACCESSOR_TYPE, path_of(".input"), "times must be SCALAR");
        }
        let times = self.shared_floats(&input)?;
        let output = self.accessor(output, path_of(".output"))?;
        let property = channel.target.path.as_str();
        let keys = times.len() * interpolation.values_per_key();
        let values = self.values(&output, property, keys, path_of(".output"), node, scene)?;
        if property != "weights" && matches!(scene.nodes[node.index()].local, Local::Matrix(_)) {
            let message = "the channel animates a node whose transform is a matrix with shear";
            return self.fault(&codes::ANIMATION, format_args!("{path}.target.node"), message);
        }
        let given = channel.target.node.and_then(|n| self.root.nodes.get(n as usize));
        if property != "weights" && given.is_some_and(|n| n.matrix.is_some()) {
            let message = "the channel animates a node whose transform is a matrix; it is split into translation, rotation and scale";
            self.warning(&codes::ANIMATION, format_args!("{path}.target.node"), message);
        }
        let mut track = Track { node, interpolation, times, values };
        self.check_times(&mut track, path_of(".input"))?;
        Some(track)
    }

    fn values(
        &mut self,
        output: &Checked,
        property: &str,
        keys: usize,
        path: SamplerPath,
        node: NodeId,
        scene: &Scene,
    ) -> Option<Values> {
        let width = match property {
            "weights" => 1,
            "rotation" => 4,
            _ => 3,
        };
        if output.components != width {
            let message =
                format!("the accessor has {} components; {property} needs {width}", output.components);
            return self.fault(&codes::ACCESSOR_TYPE, path, message);
        }
        let per_key = match property {
            "weights" => match scene.nodes[node.index()].mesh.map(|m| scene.meshes[m.index()].morphs.len()) {
                None | Some(0) => {
                    let message = "the node's mesh has no morph targets to animate";
                    return self.fault(&codes::ANIMATION, path, message);
                }
                Some(count) => count,
            },
            _ => 1,
        };
        let (found, needed) = (output.count, keys.saturating_mul(per_key));
        if found != needed {
            let message = format!("found {found} values; the input's times need {needed}");
            return self.fault(&codes::ANIMATION, path, message);
        }
        Some(match property {
            "translation" => Values::Translation(self.floats(output)?),
            "scale" => Values::Scale(self.floats(output)?),
            "rotation" => Values::Rotation(self.floats(output)?),
            _ => Values::MorphWeights { count: per_key, weights: self.floats(output)? },
        })
    }

    /// Checks that times increase and are not negative. Two keys at one time occur in real files; the first is kept.
    fn check_times(&mut self, track: &mut Track, path: SamplerPath) -> Option<()> {
        let times = &track.times;
        if times[0] < 0.0 {
            let message = format!("the first key is at {}, before 0", times[0]);
            return self.fault(&codes::ANIMATION, path, message);
        }
        if let Some(at) = times.windows(2).position(|w| w[1] < w[0]) {
            let message = format!("key {} at {} is before key {at} at {}", at + 1, times[at + 1], times[at]);
            return self.fault(&codes::ANIMATION, path, message);
        }
        let kept: Vec<usize> = (0..times.len()).filter(|&i| i == 0 || times[i] != times[i - 1]).collect();
        if kept.len() < times.len() {
            let count = times.len() - kept.len();
            let message = format!("{count} keys have the same time as the key before; they are dropped");
            self.warning(&codes::REPEATED_KEY, path, message);
            *track = track.with_keys(&kept);
        }
        if let Values::Rotation(rotations) = &mut track.values {
            if track.interpolation == Interpolation::Cubic {
                let mut keys: Vec<Quat> = rotations.iter().skip(1).step_by(3).copied().collect();
                self.unit_rotations(&mut keys, path);
                rotations.iter_mut().skip(1).step_by(3).zip(keys).for_each(|(r, key)| *r = key);
            } else {
                self.unit_rotations(rotations, path);
            }
        }
        Some(())
    }
}

/// Displays as the path of an animation sampler's field; formatted only when needed.
#[derive(Clone, Copy)]
struct SamplerPath {
    animation: usize,
    index: u32,
    field: &'static str,
}

impl fmt::Display for SamplerPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "animations[{}].samplers[{}]{}", self.animation, self.index, self.field)
    }
}

/// The stored frame grid. The caller bounds its count, because sampling the clip allocates that many frames.
fn frames(marks: &Marks) -> Option<Frames> {
    let frames = marks.get("frames")?;
    let rate = frames.get("rate").and_then(number).filter(|&r| r > 0.0)?;
    let count = u32::try_from(frames.get("count")?.as_u64()?).ok()?;
    Some(Frames { rate, count })
}
