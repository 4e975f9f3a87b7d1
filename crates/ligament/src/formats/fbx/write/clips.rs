//! Clips: each a stack with one layer, and curves of single numbers.

use super::KEY;
use super::codes;
use super::file::{File, span, ticks};
use super::models::Models;
use super::properties::with_extras;
use super::shapes::Channel;
use super::tree::{Array, Id, Record, Value, property};
use crate::motion::{EulerCurves, Fit, KeyBudget, Reach, Tolerance, TrackFits, euler_curves};
use crate::report::{Loss, Report};
use crate::scene::{Clip, Interpolation, Scene, Track, Values};
use glam::{DQuat, Quat, Vec3};
use std::borrow::Cow;
use std::collections::HashMap;

/// The weights of tangents without weights: a third of the way each, as two integers of 1/9999.
const THIRDS: u32 = 0x0D05_0D05;

const STEP: i32 = 0x2;
const LINEAR: i32 = 0x4;
/// With slopes for both sides.
const CUBIC: i32 = 0xC08;

/// A curve of one number.
#[derive(Default)]
struct Curve {
    values: Vec<f32>,
    /// For cubic curves: the slopes per second before and after each key.
    slopes: Vec<[f32; 2]>,
}

/// The keys of a property: some curves with the same times.
struct Keys {
    interpolation: Interpolation,
    times: Vec<i64>,
    curves: Vec<Curve>,
}

/// Writes all clips.
pub(super) fn clips(
    scene: &Scene,
    models: &Models,
    channels: &HashMap<usize, Vec<Channel>>,
    length: f64,
    file: &mut File,
    report: &mut Report,
) {
    let (reach, mut budget) = (Reach::of(scene), KeyBudget::default());
    let mut inert = 0;
    for (index, clip) in scene.clips.iter().enumerate() {
        let start = clip.extras.get(KEY).and_then(|own| own.get("start")?.as_f64()).unwrap_or(0.0);
        let mut maker = Maker { models, channels, length, start: ticks(start), file, layer: Id::ROOT };
        maker.stack(clip, report);
        let mut fits = TrackFits::default();
        for track in &clip.tracks {
            let Some(model) = models.list.get(track.node.index()) else { continue };
            if track.times.is_empty() || (model.is_inert && track.moves_node()) {
                inert += 1;
                continue;
            }
            let mut fit = Fit::new(Tolerance::FINE, &mut budget);
            maker.track(track, reach.rotation(track.node), &mut fit);
            fits.add(track.node, fit.done);
        }
        let object = clip.label(index);
        let message = "rotations became curves of three angles, with added keys where those bend differently";
        fits.report(scene, &codes::EULER, &object, message, report);
    }
    let message = "tracks without effect, of a skinned mesh's own node, are dropped";
    report.loss(Loss::dropped(&codes::INERT, "", inert, message));
}

struct Maker<'m> {
    models: &'m Models,
    channels: &'m HashMap<usize, Vec<Channel>>,
    length: f64,
    start: i64,
    file: &'m mut File,
    layer: Id,
}

impl Maker<'_> {
    fn stack(&mut self, clip: &Clip, report: &mut Report) {
        let (stack, layer) = (self.file.id(), self.file.id());
        let span = span(self.start, self.start + ticks(f64::from(clip.duration))).into();
        let span = with_extras(span, &clip.extras, report);
        self.file.add(Record::object("AnimationStack", stack, &*clip.name, "AnimStack", "").properties(span));
        let weight = property("Weight", ["Number", "", "A"], [100.0]);
        self.file
            .add(Record::object("AnimationLayer", layer, &*clip.name, "AnimLayer", "").properties([weight]));
        self.file.connect(layer, stack);
        self.layer = layer;
    }

    fn track(&mut self, track: &Track, weight: f64, fit: &mut Fit<'_>) {
        let model = &self.models.list[track.node.index()];
        let (id, turn) = (model.id, model.turn);
        match &track.values {
            Values::Translation(values) => {
                let keys = self.vectors(track, values, self.length);
                self.animate(id, "Lcl Translation", "T", ["d|X", "d|Y", "d|Z"], keys);
            }
            Values::Scale(values) => {
                let keys = self.vectors(track, values, 1.0);
                self.animate(id, "Lcl Scaling", "S", ["d|X", "d|Y", "d|Z"], keys);
            }
            Values::Rotation(values) => {
                let track = turned(track, values, turn);
                let Some(curves) = euler_curves(&track, Interpolation::Cubic, weight, fit) else { return };
                let keys = self.angles(curves);
                self.animate(id, "Lcl Rotation", "R", ["d|X", "d|Y", "d|Z"], keys);
            }
            Values::MorphWeights { count, weights } => self.weights(track, *count, weights),
        }
    }

    fn times(&self, times: impl IntoIterator<Item = f64>) -> Vec<i64> {
        times.into_iter().map(|time| self.start + ticks(time)).collect()
    }

    fn vectors(&self, track: &Track, values: &[Vec3], length: f64) -> Keys {
        let real = |v: Vec3, axis: usize| (f64::from(v[axis]) * length) as f32;
        let curve = |axis: usize| match track.interpolation {
            Interpolation::Cubic => {
                let keys = values.chunks_exact(3);
                let slopes = keys.clone().map(|key| [real(key[0], axis), real(key[2], axis)]);
                Curve { slopes: slopes.collect(), values: keys.map(|key| real(key[1], axis)).collect() }
            }
            _ => Curve { values: values.iter().map(|&v| real(v, axis)).collect(), slopes: Vec::new() },
        };
        let times = self.times(track.times.iter().map(|&time| f64::from(time)));
        Keys { interpolation: track.interpolation, times, curves: (0..3).map(curve).collect() }
    }

    /// Weights: a curve per channel, in percent.
    fn weights(&mut self, track: &Track, count: usize, weights: &[f32]) {
        let channels = self.channels;
        let list = channels.get(&track.node.index()).map_or(&[][..], Vec::as_slice);
        let sets: Vec<&[f32]> = weights.chunks_exact(count.max(1)).collect();
        for channel in list {
            let percent = |set: &&[f32]| channel.weight(set) * 100.0;
            let curve = match track.interpolation {
                Interpolation::Cubic => {
                    let keys = sets.chunks_exact(3);
                    let slopes = keys.clone().map(|key| [percent(&key[0]), percent(&key[2])]);
                    Curve { slopes: slopes.collect(), values: keys.map(|key| percent(&key[1])).collect() }
                }
                _ => Curve { values: sets.iter().map(percent).collect(), slopes: Vec::new() },
            };
            let times = self.times(track.times.iter().map(|&time| f64::from(time)));
            let keys = Keys { interpolation: track.interpolation, times, curves: vec![curve] };
            self.animate(channel.id, "DeformPercent", "DeformPercent", ["d|DeformPercent"], keys);
        }
    }

    fn angles(&self, curves: EulerCurves) -> Keys {
        let curve = |axis: usize| Curve {
            values: curves.angles.iter().map(|v| v[axis].to_degrees() as f32).collect(),
            slopes: curves.slopes.iter().map(|pair| pair.map(|v| v[axis].to_degrees() as f32)).collect(),
        };
        let list = (0..3).map(curve).collect();
        Keys { interpolation: curves.interpolation, curves: list, times: self.times(curves.times) }
    }

    /// Animates a property of an object. The SDK reads no keys of a curve node without its own values.
    fn animate<const N: usize>(
        &mut self,
        object: Id,
        name: &str,
        short: &str,
        parts: [&'static str; N],
        keys: Keys,
    ) {
        let node = self.file.id();
        let first = |curve: &Curve| f64::from(curve.values.first().copied().unwrap_or(0.0));
        let rows = parts.iter().zip(&keys.curves);
        let rows = rows.map(|(part, curve)| property(*part, ["Number", "", "A"], [first(curve)]));
        let record = Record::object("AnimationCurveNode", node, short, "AnimCurveNode", "");
        self.file.add(record.properties(rows.collect::<Vec<_>>()));
        self.file.connect(node, self.layer);
        self.file.connect_property(node, object, name);
        for ((part, curve), only) in parts.iter().zip(&keys.curves).zip(still_keys(&keys)) {
            let id = self.file.id();
            self.file.add(record_of(id, &keys, curve, only.as_deref()));
            self.file.connect_property(id, node, part);
        }
    }
}

/// A track of rotations, each with a constant one below it.
fn turned<'t>(track: &'t Track, values: &[Quat], turn: DQuat) -> Cow<'t, Track> {
    if turn == DQuat::IDENTITY {
        return Cow::Borrowed(track);
    }
    // Products are linear, so slopes of cubic tracks turn like values.
    let values = values.iter().map(|q| (q.as_dquat() * turn).as_quat()).collect();
    let times = track.times.clone();
    Cow::Owned(Track { values: Values::Rotation(values), times, ..*track })
}

/// Leaves out the keys of curves that stay the same. Some programs take a property's times from its first curve alone, so
/// the first and the last stay if others of the property move.
fn still_keys(keys: &Keys) -> Vec<Option<Vec<usize>>> {
    let is_still = |curve: &Curve| {
        curve.values.windows(2).all(|pair| pair[0] == pair[1])
            && curve.slopes.iter().all(|slopes| *slopes == [0.0; 2])
    };
    let still: Vec<bool> = keys.curves.iter().map(is_still).collect();
    let last = keys.times.len().saturating_sub(1);
    let ends = if still.iter().all(|still| *still) || last == 0 { vec![0] } else { vec![0, last] };
    still.into_iter().map(|still| still.then(|| ends.clone())).collect()
}

/// A curve as an object, with only some of the keys if so said.
fn record_of(id: Id, keys: &Keys, curve: &Curve, only: Option<&[usize]>) -> Record {
    let interpolation = keys.interpolation;
    let (times, values): (Vec<i64>, Vec<f32>) = match only {
        Some(only) => only.iter().map(|&key| (keys.times[key], curve.values[key])).unzip(),
        None => (keys.times.clone(), curve.values.clone()),
    };
    let count = times.len();
    let (mut flags, mut data, mut repeats): (Vec<i32>, Vec<u32>, Vec<i32>) = Default::default();
    for key in 0..count {
        let (flag, slopes) = match interpolation {
            Interpolation::Step => (STEP, [0.0; 2]),
            Interpolation::Linear => (LINEAR, [0.0; 2]),
            // A key has the slope after it, and the one before the next key.
            Interpolation::Cubic if only.is_some() => (CUBIC, [0.0; 2]),
            Interpolation::Cubic => {
                let next = curve.slopes.get(key + 1).map_or(0.0, |next| next[0]);
                (CUBIC, [curve.slopes.get(key).map_or(0.0, |own| own[1]), next])
            }
        };
        let numbers = [slopes[0].to_bits(), slopes[1].to_bits(), THIRDS, 0];
        match repeats.last_mut() {
            Some(last) if data.ends_with(&numbers) => *last += 1,
            _ => {
                flags.push(flag);
                data.extend(numbers);
                repeats.push(1);
            }
        }
    }
    Record::object("AnimationCurve", id, "", "AnimCurve", "")
        .with("Default", f64::from(values.first().copied().unwrap_or(0.0)))
        .with("KeyVer", 4008)
        .with("KeyTime", times)
        .with("KeyValueFloat", values)
        .with("KeyAttrFlags", flags)
        .with("KeyAttrDataFloat", Value::Array(Array::Bits(data)))
        .with("KeyAttrRefCount", repeats)
}
