//! Takes: each animation stack becomes a clip, with its layers evaluated into one.

use super::connected::Connected;
use super::curves::{Curve, Sum, apart, follow};
use super::import::Import;
use super::keys::{Keys, TRANSFORM};
use super::moments::Moment;
use super::nodes::Tree;
use super::numbers::{dquat, dvec3};
use super::played::Played;
use super::take::Take;
use super::{KEY, codes, morphs, own};
use crate::motion::{Fit, KeyBudget, Property, Reach, Tolerance, TrackFits, one_side};
use crate::report::{Failure, Loss};
use crate::scene::{Clip, Frames, NodeId, Track, Values};
use serde_json::json;
use std::collections::BTreeSet;
use std::sync::Arc;

/// How many key times may be added that the file does not have: of repeated curves, and of connected properties.
const MOST_TIMES: usize = 1 << 20;

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
    let (connected, mut room) = (Connected::of(fbx, &TRANSFORM), MOST_TIMES);
    for stack in fbx.anim_stacks.as_ref() {
        let keys = Keys::of(stack, &connected, &mut room);
        let take = Take::new(import.shared, stack);
        let mut maker = Maker {
            import,
            stack,
            take: &take,
            keys: &keys,
            reach: &reach,
            budget: &mut budget,
            clip: Clip::default(),
            times: Arc::from([]),
            source_keys: SourceKeys::default(),
            fits: TrackFits::default(),
        };
        maker.nodes(tree);
        maker.morphs(morphing)?;
        let clip = maker.finish();
        import.scene.clips.push(clip);
        import.own.push(own::clip(&take, &keys, tree, morphing));
    }
    Ok(())
}

/// A clip being built.
struct Maker<'m, 'f, 's, 'r> {
    import: &'m mut Import<'f, 's, 'r>,
    stack: &'m ufbx::AnimStack,
    take: &'m Take,
    keys: &'m Keys<'m>,
    reach: &'m Reach,
    budget: &'m mut KeyBudget,
    clip: Clip,
    /// The times of the last track; the next track often has the same.
    times: Arc<[f32]>,
    source_keys: SourceKeys,
    fits: TrackFits,
}

/// The keys that the file has for a clip.
#[derive(Default)]
struct SourceKeys {
    /// Of the property that has the most.
    most: usize,
    /// How far any of them is from a frame, in frames.
    off_grid: f64,
}

impl Maker<'_, '_, '_, '_> {
    fn nodes(&mut self, tree: &Tree) {
        let (fbx, reach, played) = (self.import.fbx, self.reach, Played::new(self.take.anim()));
        for node in fbx.nodes.as_ref() {
            let (Some(id), Some(keys)) = (tree.id(node), self.keys.of_node(node)) else { continue };
            let rest = &node.local_transform;
            let exact = |value: ufbx::Vec3| 1e-6 * dvec3(value).abs().max_element().max(1e-6);

            let [translation, rotation, scale] = keys.moved;
            let place = played.translations(node, translation, &keys.translation);
            let place = Property::new(place, reach.translation(id));
            let near = exact(rest.translation).max(2e-7 * reach.size());
            if let Some(curve) = self.follow(id, &keys.translation, near, dvec3(rest.translation), place) {
                let values = curve.values.iter().map(|&v| self.import.finite.dvec3(v)).collect();
                self.track(id, &curve, Values::Translation(values));
            }
            let turn = Property::new(played.rotations(node, rotation, &keys.rotation), reach.rotation(id));
            if let Some(mut curve) = self.follow(id, &keys.rotation, 2e-6, dquat(rest.rotation), turn) {
                let each = curve.interpolation.values_per_key();
                if each == 1 {
                    one_side(&mut curve.values);
                }
                let finite = &mut self.import.finite;
                let value = |(i, &q)| if i % each == each / 2 { finite.dquat(q) } else { finite.slope(q) };
                let values = curve.values.iter().enumerate().map(value).collect();
                self.track(id, &curve, Values::Rotation(values));
            }
            let size = Property::new(played.scales(node, scale, &keys.scale), reach.scale(id));
            if let Some(curve) = self.follow(id, &keys.scale, exact(rest.scale), dvec3(rest.scale), size) {
                let values = curve.values.iter().map(|&v| self.import.finite.dvec3(v)).collect();
                self.track(id, &curve, Values::Scale(values));
            }
        }
    }

    fn morphs(&mut self, morphing: &[(NodeId, &ufbx::Mesh)]) -> Result<(), Failure> {
        let played = Played::new(self.take.anim());
        for &(id, mesh) in morphing {
            let targets = morphs::targets(mesh);
            let channels: BTreeSet<u32> = targets.iter().map(|t| t.channel.element.typed_id).collect();
            let times = self.keys.of_channels(channels.into_iter());
            self.import.spend(8 * (times.len() * targets.len()) as u64, "morph weights over time")?;
            let rest = targets.iter().map(|t| t.weight(t.channel.weight)).collect();
            let weights = Property::new(|time| played.weights(&targets, time), self.reach.morph_weights(id));
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
        moments: &[Moment],
        exact: f64,
        rest: V,
        property: Property<impl Fn(f64) -> V>,
    ) -> Option<Curve<V>> {
        if moments.is_empty() {
            return None;
        }
        let (mut fit, begin) = (Fit::new(Tolerance::FINE, self.budget), self.keys.begin);
        let curve = follow(moments, begin, exact, &property.beginning(begin), &mut fit);
        self.fits.add(node, fit.done);
        if let [value] = &curve.values[..] {
            return (apart(value, &rest) > exact).then_some(curve);
        }
        let fps = self.import.fbx.settings.frames_per_second;
        let at = moments.iter().map(|moment| (moment.time() - begin) * fps);
        let off_grid = at.map(|frame| (frame - frame.round()).abs());
        self.source_keys.off_grid = off_grid.fold(self.source_keys.off_grid, f64::max);
        self.source_keys.most = self.source_keys.most.max(moments.len());
        Some(curve)
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
        clip.frames = grid(&self.source_keys, clip.duration, fps);
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
        let message =
            "curves that tracks cannot express became linear or cubic keys, with more keys where they bend";
        self.fits.report(&self.import.scene, &codes::BAKED, &object, message, report);
        let message = "animated properties other than transforms and blend shapes are dropped";
        self.import.dropped(&codes::ANIMATED_PROPERTIES, &object, keys.others, message);
        clip
    }
}

/// The file's frame grid, if all keys of the file are on it and there are not many more frames than keys.
fn grid(keys: &SourceKeys, duration: f32, fps: f64) -> Option<Frames> {
    let end = f64::from(duration) * fps;
    let is_near = |off: f64| off < 1e-3;
    let count = end.round() + 1.0;
    let fits = fps > 0.0 && fps <= 1000.0 && count <= 2.0 * keys.most as f64 + 16.0;
    (fits && is_near((end - end.round()).abs()) && is_near(keys.off_grid))
        .then_some(Frames { rate: fps as f32, count: count as u32 })
}
