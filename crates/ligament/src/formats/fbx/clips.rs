//! Takes: each animation stack becomes a clip, with its layers evaluated into one.

use super::curves::{Curve, Sum, apart, follow};
use super::direct::{Move, Turn};
use super::import::Import;
use super::keys::{Keys, sort};
use super::morphs::Target;
use super::nodes::Tree;
use super::numbers::{dquat, dvec3};
use super::{KEY, codes, morphs, own};
use crate::motion::{Fit, KeyBudget, Property, Reach, Tolerance, TrackFits, one_side};
use crate::report::{Failure, Loss};
use crate::scene::{Clip, Frames, NodeId, Track, Values};
use serde_json::json;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The parts of a transform for `ufbx` to compute: the values of its `ufbx_transform_flags`.
const ONLY_TRANSLATION: u32 = 0x14;
const ONLY_ROTATION: u32 = 0x24;
const ONLY_SCALE: u32 = 0x44;

/// Creates a clip from every stack.
pub(super) fn import(
    import: &mut Import<'_, '_, '_>,
    tree: &Tree,
    morphing: &[(NodeId, &ufbx::Mesh)],
) -> Result<(), Failure> {
    let fbx = import.fbx;
    if fbx.anim_stacks.is_empty() {
        return Ok(());
    }
    let (reach, mut budget) = (Reach::of(&import.scene), KeyBudget::default());
    for stack in fbx.anim_stacks.as_ref() {
        let keys = Keys::of(stack);
        let mut maker = Maker {
            import,
            stack,
            keys: &keys,
            reach: &reach,
            budget: &mut budget,
            clip: Clip::default(),
            times: Arc::from([]),
            fits: TrackFits::default(),
        };
        maker.nodes(tree);
        maker.morphs(morphing)?;
        let clip = maker.finish();
        import.scene.clips.push(clip);
        import.own.push(own::clip(import.shared, stack, &keys, tree, morphing));
    }
    Ok(())
}

/// A clip being built.
struct Maker<'m, 'f, 's, 'r> {
    import: &'m mut Import<'f, 's, 'r>,
    stack: &'m ufbx::AnimStack,
    keys: &'m Keys<'m>,
    reach: &'m Reach,
    budget: &'m mut KeyBudget,
    clip: Clip,
    /// The times of the last track; the next track often has the same.
    times: Arc<[f32]>,
    fits: TrackFits,
}

impl Maker<'_, '_, '_, '_> {
    fn nodes(&mut self, tree: &Tree) {
        let (fbx, stack) = (self.import.fbx, self.stack);
        for node in fbx.nodes.as_ref() {
            let (Some(id), Some(keys)) = (tree.id(node), self.keys.of_node(node)) else { continue };
            let at = |flags: u32| move |time| ufbx::evaluate_transform_flags(&stack.anim, node, time, flags);
            let rest = &node.local_transform;
            let exact = |value: ufbx::Vec3| 1e-6 * dvec3(value).abs().max_element().max(1e-6);
            let reach = self.reach;

            let [translation, rotation, scale] = keys.moved;
            let place = |time| dvec3(at(ONLY_TRANSLATION)(time).translation);
            let direct = Move::translation(node, translation).filter(|d| d.agrees(&keys.translation, place));
            let place = |time| direct.as_ref().map_or_else(|| place(time), |d| d.at(time));
            let place = Property::new(place, reach.translation(id));
            let near = exact(rest.translation).max(2e-7 * reach.size());
            if let Some(curve) = self.follow(id, &keys.translation, near, dvec3(rest.translation), place) {
                let values = curve.values.iter().map(|&v| self.import.finite.dvec3(v)).collect();
                self.track(id, &curve, Values::Translation(values));
            }
            let turn = |time| dquat(at(ONLY_ROTATION)(time).rotation);
            let direct = Turn::of(node, rotation).filter(|d| d.agrees(&keys.rotation, turn));
            let turn = |time| direct.as_ref().map_or_else(|| turn(time), |d| d.at(time));
            let turn = Property::new(turn, reach.rotation(id));
            if let Some(mut curve) = self.follow(id, &keys.rotation, 2e-6, dquat(rest.rotation), turn) {
                one_side(&mut curve.values);
                let values = curve.values.iter().map(|&q| self.import.finite.dquat(q)).collect();
                self.track(id, &curve, Values::Rotation(values));
            }
            let size = |time| dvec3(at(ONLY_SCALE)(time).scale);
            let direct = Move::scale(node, scale).filter(|d| d.agrees(&keys.scale, size));
            let size = |time| direct.as_ref().map_or_else(|| size(time), |d| d.at(time));
            let size = Property::new(size, reach.scale(id));
            if let Some(curve) = self.follow(id, &keys.scale, exact(rest.scale), dvec3(rest.scale), size) {
                let values = curve.values.iter().map(|&v| self.import.finite.dvec3(v)).collect();
                self.track(id, &curve, Values::Scale(values));
            }
        }
    }

    fn morphs(&mut self, morphing: &[(NodeId, &ufbx::Mesh)]) -> Result<(), Failure> {
        let stack = self.stack;
        for &(id, mesh) in morphing {
            let targets = morphs::targets(mesh);
            let channels: BTreeSet<u32> = targets.iter().map(|t| t.channel.element.typed_id).collect();
            let mut times: Vec<f64> =
                channels.iter().filter_map(|c| self.keys.channels.get(c)).flatten().copied().collect();
            sort(&mut times);
            self.import.spend(8 * (times.len() * targets.len()) as u64, "morph weights over time")?;
            let weights = |time: f64| -> Vec<f64> {
                let weight =
                    |t: &Target<'_>| t.weight(ufbx::evaluate_blend_weight(&stack.anim, t.channel, time));
                targets.iter().map(weight).collect()
            };
            let rest = targets.iter().map(|t| t.weight(t.channel.weight)).collect();
            let weights = Property::new(weights, self.reach.morph_weights(id));
            let Some(curve) = self.follow(id, &times, 1e-6, rest, weights) else { continue };
            let added = curve.times.len().saturating_sub(times.len()) * targets.len();
            self.import.spend(4 * added as u64, "morph weights over time")?;
            let weights = curve.values.iter().flatten().map(|&w| self.import.finite.real(w)).collect();
            self.track(id, &curve, Values::MorphWeights { count: targets.len(), weights });
        }
        Ok(())
    }

    /// Returns `None` for a property without keys, or that stays at its rest value. `exact` is the distance within
    /// which values count as equal in 32 bits.
    fn follow<V: Sum>(
        &mut self,
        node: NodeId,
        times: &[f64],
        exact: f64,
        rest: V,
        property: Property<impl Fn(f64) -> V>,
    ) -> Option<Curve<V>> {
        if times.is_empty() {
            return None;
        }
        let mut fit = Fit::new(Tolerance::FINE, self.budget);
        let curve = follow(times, exact, &property.beginning(self.keys.begin), &mut fit);
        self.fits.add(node, fit.done);
        let stays = curve.values.len() == 1 && apart(&curve.values[0], &rest) <= exact;
        (!stays).then_some(curve)
    }

    fn track<V>(&mut self, node: NodeId, curve: &Curve<V>, values: Values) {
        let times = curve.times.iter().map(|t| ((t - self.keys.begin) as f32).max(0.0)).collect();
        let mut track = Track { node, interpolation: curve.interpolation, times, values };
        // Keys whose times are equal in 32 bits: the later one counts.
        let is_last = |&i: &usize| track.times.get(i + 1).is_none_or(|next| track.times[i] < *next);
        let kept: Vec<usize> = (0..track.times.len()).filter(is_last).collect();
        if kept.len() < track.times.len() {
            track = track.with_keys(&kept);
        }
        if self.times != track.times {
            self.times = Arc::clone(&track.times);
        }
        track.times = Arc::clone(&self.times);
        self.clip.tracks.push(track);
    }

    fn finish(self) -> Clip {
        let keys = self.keys;
        let fps = self.import.fbx.settings.frames_per_second;
        let mut clip = self.clip;
        clip.name = self.stack.element.name.to_string();
        clip.duration = self.import.finite.real(keys.end - keys.begin).max(clip.last_key());
        clip.frames = grid(&clip, fps);
        if keys.begin != 0.0 && keys.begin.is_finite() {
            clip.extras.insert(KEY.to_owned(), json!({ "start": keys.begin }));
        }
        let object = format!("clip {:?}", clip.name);
        let layers = self.stack.layers.len();
        let report = &mut *self.import.report;
        if layers > 1 {
            let message = format!("{layers} layers are merged into one");
            report.loss(Loss::kept(&codes::LAYERS, &*object, layers, message));
        }
        let message = "curves that tracks cannot express became linear keys, with more keys where they bend";
        self.fits.report(&self.import.scene, &codes::BAKED, &object, message, report);
        let message = "animated properties other than transforms and blend shapes are dropped";
        self.import.dropped(&codes::ANIMATED_PROPERTIES, &object, keys.others, message);
        clip
    }
}

/// The file's frame grid, if all keys are on it and there are not many more frames than keys.
fn grid(clip: &Clip, fps: f64) -> Option<Frames> {
    let count = (f64::from(clip.duration) * fps).round() + 1.0;
    let longest = clip.tracks.iter().map(|track| track.times.len()).max().unwrap_or(0);
    let is_near = |time: f32| {
        let at = f64::from(time) * fps;
        (at - at.round()).abs() < 1e-3
    };
    let on_grid = |track: &Track| track.times.iter().all(|&t| is_near(t));
    let fits = fps > 0.0 && fps <= 1000.0 && count <= 2.0 * longest as f64 + 16.0;
    (fits && is_near(clip.duration) && clip.tracks.iter().all(on_grid))
        .then_some(Frames { rate: fps as f32, count: count as u32 })
}
