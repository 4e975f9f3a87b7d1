//! Clips: the animations of all placed skeletons, by name.
//!
//! Between keys, rotations have an uneven speed in a file and a constant speed in a scene. Keys are added to each bone
//! separately until the two agree; the remaining error is measured and reported.

use super::skeletons::{Placed, Sample, stretch_axes};
use super::{Import, extras, own};
use crate::formats::bogle::codes;
use crate::formats::bogle::document::{Animation, Collection};
use crate::formats::bogle::posing::{self, Moment, Skeleton};
use crate::motion::{Fit, Fitted, KeyBudget, Motion, Tolerance};
use crate::pose::OwnClip;
use crate::report::{Failure, Loss, Place, Remedy};
use crate::scene::{Clip, Interpolation, NodeId, Track, Values};
use crate::settings::Posing;
use glam::{DVec3, Quat, Vec3};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Clips of up to this many keys remember which of them are the file's.
const MAX_LISTED_TIMES: usize = 1024;

impl Import<'_> {
    pub(super) fn clips(&mut self, placed: &[Option<Placed>]) -> Result<(), Failure> {
        let mut collections = std::mem::take(&mut self.document.collections);
        let axes: Vec<_> = collections.iter().map(|c| stretch_axes(c, self.posing)).collect();
        let mut budget = KeyBudget::default();
        let mut players: Vec<Vec<usize>> = vec![Vec::new(); collections.len()];
        for (object, placed) in placed.iter().enumerate() {
            if let Some(placed) = placed.as_ref().filter(|placed| !placed.is_shared) {
                players[placed.collection].push(object);
            }
        }
        let players = &|collection: usize| -> Vec<(usize, &Placed)> {
            let objects = players.get(collection).map_or(&[][..], Vec::as_slice);
            objects.iter().filter_map(|&object| Some((object, placed[object].as_ref()?))).collect()
        };
        for (name, members) in group(&collections, placed) {
            let (clip, own) = self.clip(&name, &members, &collections, &axes, players, &mut budget)?;
            self.scene.clips.push(clip);
            if let Some(all) = &mut self.own {
                all.push(own);
            }
            // Each animation is in only one clip, so its keys are no longer needed.
            for (collection, animation) in members {
                collections[collection].animations[animation].frames = Vec::new();
            }
        }
        self.document.collections = collections;
        Ok(())
    }

    fn clip<'p>(
        &mut self,
        name: &str,
        members: &[(usize, usize)],
        collections: &[Collection],
        axes: &[Vec<Option<DVec3>>],
        players: &dyn Fn(usize) -> Vec<(usize, &'p Placed)>,
        budget: &mut KeyBudget,
    ) -> Result<(Clip, OwnClip), Failure> {
        let (mut exact, mut exact_keys) = (OwnClip::default(), Vec::new());
        let animation = |&(collection, animation): &(usize, usize)| {
            let collection = &collections[collection];
            (collection, &collection.animations[animation])
        };
        let first_key = |m: &(usize, usize)| {
            let (collection, animation) = animation(m);
            animation.key(collection.bones.len(), 0).map(|k| f64::from(k.time))
        };
        let start = members.iter().filter_map(first_key).fold(0.0, f64::min);
        let mut clip = Clip { name: name.to_owned(), ..Clip::default() };
        let mut own = Vec::new();
        if start < 0.0 {
            let message = format!("clip {name:?} begins at {start} s; its keys were moved to begin at 0");
            self.report.warning(&codes::EARLY_KEYS, Place::field("collections.animations"), message);
            own.push(("start", json!(start)));
        }
        let mut sampling = Sampling::default();
        // Times are not negative, so their bits sort in the same order.
        let mut times: BTreeSet<u32> = BTreeSet::new();
        for member in members {
            let (collection, animation) = animation(member);
            let key_times =
                animation.keys(collection.bones.len()).map(|k| (f64::from(k.time) - start) as f32 + 0.0);
            times.extend(key_times.map(f32::to_bits).take(MAX_LISTED_TIMES + 1));
            let skeleton = Skeleton::new(collection, self.posing);
            let (axes, posing) = (&axes[member.0], self.posing);
            let source = Source { collection, animation, skeleton: &skeleton, axes, posing, start };
            let mut all = players(member.0).into_iter();
            if self.own.is_some() {
                let players = all.clone().map(|(_, placed)| placed);
                own::add(&mut exact, collection, animation, posing, start, players, &mut exact_keys);
            }
            let Some((_, first)) = all.next() else { continue };
            let begin = clip.tracks.len();
            source.tracks(first, budget, &mut sampling, &mut clip.tracks);
            let end = clip.tracks.len();
            let bytes = clip.tracks[begin..].iter().map(bytes).sum();
            for (object, placed) in all {
                self.spend(bytes, object)?;
                let nodes = first.nodes_of(placed);
                clip.tracks.extend_from_within(begin..end);
                let copies = clip.tracks.iter_mut().rev().take(end - begin);
                copies.for_each(|track| track.node = nodes.get(&track.node).copied().unwrap_or(track.node));
            }
            let last = animation.key_count(collection.bones.len()).checked_sub(1);
            let last = last.and_then(|key| animation.key(collection.bones.len(), key));
            let end = last.map_or(0.0, |key| (f64::from(key.time) - start) as f32);
            clip.duration = clip.duration.max(end).max(clip.last_key());
        }
        exact.add_keys(exact_keys);
        self.report_sampling(name, &sampling);
        if sampling.fitted.added > 0 && times.len() <= MAX_LISTED_TIMES {
            own.push(("times", json!(times.into_iter().map(f32::from_bits).collect::<Vec<_>>())));
        }
        clip.extras = extras(own);
        Ok((clip, exact))
    }

    fn report_sampling(&mut self, name: &str, sampling: &Sampling) {
        let object = format!("clip {name:?}");
        if !sampling.fitted.is_exact() {
            let fitted = Fitted { left: sampling.left, ..sampling.fitted };
            let message = "keys were added because the file rotates at an uneven speed between its keys";
            fitted.report(&codes::BETWEEN_KEYS, &object, fitted.added, message, self.report);
        }
        let message = "bones that the engine stretches get a second node";
        self.report.loss(Loss::kept(&codes::STRETCH, object.clone(), sampling.stretched, message));
        if self.posing == Posing::Engine {
            let message = "the engine shows the bind pose before the first key and from the last one on; the clip holds those poses";
            let loss = Loss::approximated(&codes::ENGINE_END, object, 1, None, "", message);
            self.report.loss(loss.remedy(Remedy::new("posing", "author", "plays the clip as it was made")));
        }
    }
}

/// The bytes that a copy of a track takes. Its times are shared.
fn bytes(track: &Track) -> usize {
    let each = match &track.values {
        Values::Translation(_) | Values::Scale(_) => size_of::<Vec3>(),
        Values::Rotation(_) => size_of::<Quat>(),
        Values::MorphWeights { count, .. } => count * size_of::<f32>(),
    };
    size_of::<Track>() + track.values.len() * each
}

/// Groups the animations of used collections by name, in order of first use, as (collection, animation). Two of the
/// same name in one collection are two clips.
fn group(collections: &[Collection], placed: &[Option<Placed>]) -> Vec<(String, Vec<(usize, usize)>)> {
    let used: BTreeSet<usize> = placed.iter().flatten().map(|p| p.collection).collect();
    let mut groups: Vec<(String, Vec<(usize, usize)>)> = Vec::new();
    let mut by_name: BTreeMap<(&[u8], usize), usize> = BTreeMap::new();
    for &collection in &used {
        let mut seen: BTreeMap<&[u8], usize> = BTreeMap::new();
        for (i, animation) in collections[collection].animations.iter().enumerate() {
            let name = animation.name.as_bytes();
            let nth = *seen.entry(name).and_modify(|n| *n += 1).or_insert(0);
            let group = *by_name.entry((name, nth)).or_insert_with(|| {
                groups.push((animation.name.to_text(), Vec::new()));
                groups.len() - 1
            });
            groups[group].1.push((collection, i));
        }
    }
    groups
}

/// The number of added keys and the remaining error.
#[derive(Default)]
struct Sampling {
    /// The worst bone alone.
    fitted: Fitted,
    /// Bound for the error of any vertex: a bone also carries the errors of its ancestors.
    left: f64,
    /// Bones that the engine stretches.
    stretched: usize,
}

/// An animation with the clip's time origin.
struct Source<'a> {
    collection: &'a Collection,
    animation: &'a Animation,
    skeleton: &'a Skeleton<'a>,
    /// Axes of stretched bones.
    axes: &'a [Option<DVec3>],
    posing: Posing,
    start: f64,
}

impl Source<'_> {
    /// Adds the tracks of all bones, one bone at a time, because samples take much more memory than tracks.
    fn tracks(
        &self,
        placed: &Placed,
        budget: &mut KeyBudget,
        sampling: &mut Sampling,
        tracks: &mut Vec<Track>,
    ) {
        let keys = self.key_times();
        let shared: Arc<[f32]> = keys.iter().map(|&(time, _)| time).collect();
        let mut left = vec![0.0; self.collection.bones.len()];
        for (bone, own) in left.iter_mut().enumerate() {
            let mut fit = Fit::new(Tolerance::FINE, budget);
            let (times, samples) = self.refine(bone, &keys, &mut fit);
            let times = if times.len() == shared.len() { Arc::clone(&shared) } else { times.into() };
            *own = fit.done.left;
            sampling.fitted = sampling.fitted.and(fit.done);
            sampling.stretched += usize::from(self.axes[bone].is_some());
            if samples.is_empty() {
                continue;
            }
            let (node, samples) = (placed.joints[bone], samples.iter());
            let outer = placed.stretched[bone].unwrap_or(node);
            let mut add = |node: NodeId, times: &Arc<[f32]>, values: Values| {
                let times = Arc::clone(times);
                tracks.push(Track { node, interpolation: Interpolation::Linear, times, values });
            };
            add(outer, &times, Values::Rotation(samples.clone().map(|s| s.outer.rotation).collect()));
            if self.posing == Posing::Engine {
                // With the engine's posing, a bone's position rotates with it.
                let places = samples.clone().map(|s| s.outer.translation);
                add(outer, &times, Values::Translation(places.collect()));
            } else if self.skeleton.moving_root() == Some(bone) {
                // The root's offset is linear between keys, as in a scene.
                let places = keys.iter().map(|&(_, key)| self.at_key(bone, key).outer.translation);
                add(outer, &shared, Values::Translation(places.collect()));
            }
            if outer != node {
                add(outer, &times, Values::Scale(samples.clone().map(|s| s.outer.scale).collect()));
                add(node, &times, Values::Rotation(samples.map(|s| s.inner).collect()));
            }
        }
        for &bone in self.skeleton.order() {
            left[bone] += posing::parent(&self.collection.bones, bone).map_or(0.0, |parent| left[parent]);
            sampling.left = sampling.left.max(left[bone]);
        }
    }

    /// The times and indices of the clip's keys. If several share a time, the last one.
    fn key_times(&self) -> Vec<(f32, usize)> {
        let mut times: Vec<(f32, usize)> = Vec::new();
        for (i, key) in self.animation.keys(self.collection.bones.len()).enumerate() {
            let time = (f64::from(key.time) - self.start) as f32;
            match times.last_mut() {
                Some(last) if last.0 >= time => last.1 = i,
                // Removes the sign of zero.
                _ => times.push((time + 0.0, i)),
            }
        }
        times
    }

    fn at_key(&self, bone: usize, key: usize) -> Sample {
        let key = self.animation.key(self.collection.bones.len(), key);
        Sample::new(self.skeleton, bone, key.map(|key| Moment::of_key(&key, bone)), self.axes[bone])
    }

    /// The keys of a bone, and the keys to be added so that it rotates between them as in the file.
    fn refine(&self, bone: usize, keys: &[(f32, usize)], fit: &mut Fit<'_>) -> (Vec<f32>, Vec<Sample>) {
        let motion = BoneMotion { source: self, bone };
        let mut times = Vec::with_capacity(keys.len());
        let mut samples = Vec::with_capacity(keys.len());
        let mut each = |time: f64, sample: Sample| {
            times.push(time as f32);
            samples.push(sample);
        };
        let mut last: Option<(f64, Sample)> = None;
        for &(time, key) in keys {
            let next = (f64::from(time), self.at_key(bone, key));
            last = Some(match last {
                // There is nothing to add between equal keys.
                Some((time, sample)) if sample.exact == next.1.exact => {
                    each(time, sample);
                    next
                }
                Some(last) => fit.stretch(&motion, last, next, &mut each),
                None => next,
            });
        }
        if let Some((time, sample)) = last {
            each(time, sample);
        }
        (times, samples)
    }
}

/// The motion of a bone, and how a scene plays it.
struct BoneMotion<'a> {
    source: &'a Source<'a>,
    bone: usize,
}

impl Motion for BoneMotion<'_> {
    type Key = Sample;

    fn at(&self, time: f64) -> Sample {
        let Source { skeleton, animation, axes, start, .. } = self.source;
        Sample::new(skeleton, self.bone, skeleton.moment(animation, self.bone, time + start), axes[self.bone])
    }

    fn between(&self, from: &Sample, to: &Sample, fraction: f64) -> Sample {
        Sample::between(from, to, fraction)
    }

    /// Measures as if a vertex were as far from the bone as the model is large.
    fn distance(&self, made: &Sample, wanted: &Sample) -> f64 {
        let off = made.exact - wanted.exact;
        let turned = [off.x_axis, off.y_axis, off.z_axis].map(|column| column.length());
        let turned = turned.into_iter().fold(0.0, f64::max);
        let reach = wanted.exact.w_axis.truncate().length().max(1.0);
        let moved = off.w_axis.truncate().length() / reach;
        // The root's offset has its own keys.
        if self.source.posing == Posing::Engine { turned.max(moved) } else { turned }
    }
}
