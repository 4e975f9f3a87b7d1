//! Animations, whose samplers name parameters that in turn name accessors.

use super::super::locate::Step::{Index, Name};
use super::super::{codes, json};
use super::json::{Animation, AnimationSampler};
use super::origins::ClipOrigin;
use super::{Convert, named};
use crate::report::Loss;
use std::collections::HashSet;

impl Convert<'_, '_, '_> {
    pub(super) fn clips(&mut self) {
        let source = self.source;
        let is_one = self.is_one_clip();
        if is_one {
            let count = source.animations.names.len();
            let message = "animations that each move something different are read as one clip";
            self.report.loss(Loss::kept(&codes::JOINED, "", count, message));
        }
        for (number, (id, animation)) in source.animations.iter().enumerate() {
            if number == 0 || !is_one {
                let name = if is_one { String::new() } else { named(&animation.name, id) };
                let extras = animation.extras.clone();
                self.root.animations.push(json::Animation { name, extras, ..json::Animation::default() });
                self.origins.clips.push(ClipOrigin::default());
            }
            self.add(number as u32, id, animation);
        }
    }

    /// Whether all animations belong to one clip: COLLADA2GLTF writes a numbered animation for every curve of its one timeline.
    fn is_one_clip(&self) -> bool {
        let animations = &self.source.animations;
        let is_numbered = |id: &str| {
            let number = id.strip_prefix("animation_");
            number.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
        };
        let is_plain = |a: &Animation| a.name.is_empty() && a.extras.is_none();
        let mut moved = HashSet::new();
        animations.names.len() > 1
            && animations.iter().all(|(id, animation)| is_numbered(id) && is_plain(animation))
            && animations
                .values
                .iter()
                .flat_map(|a| &a.channels)
                .all(|c| moved.insert((&c.target.id, &c.target.path)))
    }

    /// Adds an animation's channels and samplers to the last clip.
    fn add(&mut self, number: u32, id: &str, animation: &Animation) {
        let source = self.source;
        let (mut channels, mut samplers) = (Vec::new(), Vec::new());
        for (sampler_id, sampler) in animation.samplers.iter() {
            samplers.push(json::AnimationSampler {
                input: self.parameter(id, animation, sampler_id, sampler, "input"),
                output: self.parameter(id, animation, sampler_id, sampler, "output"),
                interpolation: sampler.interpolation.clone(),
                ..json::AnimationSampler::default()
            });
        }
        let first = self.root.animations.last().map_or(0, |clip| clip.samplers.len()) as u32;
        for (at, channel) in animation.channels.iter().enumerate() {
            let [a, b, c, d] = [Name("animations"), Name(id), Name("channels"), Index(at)];
            let path = [a, b, c, d, Name("sampler")];
            let sampler = self.optional(&animation.samplers, &channel.sampler, "sampler", &path);
            let path = [a, b, c, d, Name("target"), Name("id")];
            let node = self.optional(&source.nodes, &channel.target.id, "node", &path);
            channels.push(json::Channel {
                sampler: sampler.map(|s| s + first),
                target: json::Target { node, path: channel.target.path.clone(), ..json::Target::default() },
                ..json::Channel::default()
            });
        }
        let (Some(clip), Some(origin)) = (self.root.animations.last_mut(), self.origins.clips.last_mut())
        else {
            return;
        };
        origin.channels.extend((0..channels.len()).map(|at| (number, at)));
        origin.samplers.extend((0..samplers.len()).map(|at| (number, at as u32)));
        clip.channels.append(&mut channels);
        clip.samplers.append(&mut samplers);
    }

    /// The accessor that a sampler's input or output refers to.
    fn parameter(
        &mut self,
        id: &str,
        animation: &Animation,
        sampler_id: &str,
        sampler: &AnimationSampler,
        field: &'static str,
    ) -> Option<u32> {
        let name = if field == "input" { &sampler.input } else { &sampler.output }.as_ref()?;
        let Some(accessor) = animation.parameters.get(name) else {
            let path = [Name("animations"), Name(id), Name("samplers"), Name(sampler_id), Name(field)];
            self.error(&codes::INDEX, &path, format!("there is no parameter {name:?}"));
            return None;
        };
        let path = [Name("animations"), Name(id), Name("parameters"), Name(name)];
        self.number(&self.source.accessors, accessor, "accessor", &path)
    }
}
