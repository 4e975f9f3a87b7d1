//! A stretch of a track: keys are inserted exactly where it is cut.

use crate::pose::{Sampled, sample};
use crate::scene::{Interpolation, NodeId, Track, Values};
use glam::{DQuat, DVec4};
use std::sync::Arc;

/// A piece of a cut rotation curve may be this far from the curve, in units of a quaternion.
const STRAY: f64 = 1e-7;
/// The most pieces that a cut stretch between two keys becomes.
const MOST_PIECES: usize = 64;

/// The keys of a stretch. All values are numbers in a row, `width` per key.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Section {
    pub(super) interpolation: Interpolation,
    pub(super) times: Vec<f64>,
    pub(super) values: Vec<f32>,
    /// The in-tangents and out-tangents of cubic keys; otherwise empty.
    pub(super) ins: Vec<f32>,
    pub(super) outs: Vec<f32>,
    pub(super) width: usize,
    pub(super) is_rotation: bool,
}

/// A track's values as numbers in a row, and how many there are per value.
fn numbers(values: &Values) -> (&[f32], usize) {
    match values {
        Values::Translation(v) | Values::Scale(v) => (bytemuck::cast_slice(v), 3),
        Values::Rotation(v) => (bytemuck::cast_slice(v), 4),
        Values::MorphWeights { count, weights } => (weights, *count),
    }
}

fn sampled(track: &Track, time: f64) -> Vec<f32> {
    match sample(track, time as f32) {
        Some(Sampled::Translation(v) | Sampled::Scale(v)) => v.to_array().to_vec(),
        Some(Sampled::Rotation(q)) => q.to_array().to_vec(),
        Some(Sampled::MorphWeights(weights)) => weights,
        None => Vec::new(),
    }
}

impl Section {
    /// A value that does not change.
    pub(super) fn constant(time: f64, value: &[f32], is_rotation: bool) -> Self {
        Self {
            interpolation: Interpolation::Step,
            times: vec![time],
            values: value.to_vec(),
            ins: Vec::new(),
            outs: Vec::new(),
            width: value.len(),
            is_rotation,
        }
    }

    /// The part of a track from one time to another; `None` if the track has no values.
    pub(super) fn of(track: &Track, from: f64, to: f64) -> Option<Self> {
        let (raw, width) = numbers(&track.values);
        let (times, each) = (&track.times, track.interpolation.values_per_key());
        if times.is_empty() || width == 0 || raw.len() != times.len() * each * width {
            return None;
        }
        let is_rotation = matches!(track.values, Values::Rotation(_));
        if times.len() == 1 {
            return Some(Self::constant(from, &sampled(track, from), is_rotation));
        }
        let mut cut = Cut { track, raw, width, section: Self::constant(from, &[], is_rotation) };
        cut.section.interpolation = track.interpolation;
        cut.section.width = width;
        cut.section.times.clear();
        cut.fill(from, to);
        Some(cut.section)
    }

    pub(super) fn value(&self, key: usize) -> &[f32] {
        &self.values[key * self.width..(key + 1) * self.width]
    }

    /// Adds a key whose tangents are zero.
    fn push(&mut self, time: f64, value: &[f32]) {
        self.times.push(time);
        self.values.extend_from_slice(value);
        if self.interpolation == Interpolation::Cubic {
            self.ins.resize(self.values.len(), 0.0);
            self.outs.resize(self.values.len(), 0.0);
        }
    }

    /// Adds a key at the end of a cubic curve that leaves the last key and arrives here with these tangents.
    pub(super) fn curve_to(&mut self, time: f64, out: &[f32], arriving: &[f32], value: &[f32]) {
        let start = self.outs.len().saturating_sub(self.width);
        self.outs[start..].copy_from_slice(out);
        self.push(time, value);
        let start = self.ins.len() - self.width;
        self.ins[start..].copy_from_slice(arriving);
    }

    /// Moves the section in time: `time` becomes `start + (time − origin) · factor`. With a negative factor it is
    /// played backwards.
    pub(super) fn retimed(mut self, start: f64, origin: f64, factor: f64) -> Self {
        for time in &mut self.times {
            *time = start + (*time - origin) * factor;
        }
        for tangent in self.ins.iter_mut().chain(&mut self.outs) {
            *tangent = (f64::from(*tangent) / factor) as f32;
        }
        if factor >= 0.0 {
            return self;
        }
        self.times.reverse();
        for list in [&mut self.values, &mut self.ins, &mut self.outs] {
            let backwards: Vec<f32> = list.chunks_exact(self.width.max(1)).rev().flatten().copied().collect();
            *list = backwards;
        }
        std::mem::swap(&mut self.ins, &mut self.outs);
        if self.interpolation == Interpolation::Step && self.times.len() > 1 {
            // Played backwards, a value begins where it ended.
            self.times.pop();
            self.values.drain(..self.width);
        }
        self
    }

    /// Adds keys at these ends, where the section holds its first and its last value.
    pub(super) fn filling(mut self, from: f64, to: f64) -> Self {
        if self.times.first().is_some_and(|&first| first > from) {
            self.times.insert(0, from);
            let first = self.value(0).to_vec();
            self.values.splice(..0, first);
            if self.interpolation == Interpolation::Cubic {
                self.ins.splice(..0, std::iter::repeat_n(0.0, self.width));
                self.outs.splice(..0, std::iter::repeat_n(0.0, self.width));
            }
        }
        if self.times.last().is_some_and(|&last| last < to) {
            let last = self.value(self.times.len() - 1).to_vec();
            self.push(to, &last);
        }
        self
    }

    /// The same section in another interpolation that can express it.
    pub(super) fn into_kind(self, kind: Interpolation) -> Self {
        match (self.interpolation, kind) {
            (Interpolation::Step, Interpolation::Linear | Interpolation::Cubic) => self.held(kind),
            (Interpolation::Linear, Interpolation::Cubic) => self.sloped(),
            _ => self,
        }
    }

    /// Steps as other keys: each value is held until the last moment before the next.
    fn held(self, kind: Interpolation) -> Self {
        let mut section = Self { interpolation: kind, ..Self::constant(0.0, &[], self.is_rotation) };
        section.width = self.width;
        section.times.clear();
        for (key, &time) in self.times.iter().enumerate() {
            if key > 0 && self.value(key) != self.value(key - 1) {
                section.push(f64::from((time as f32).next_down()), self.value(key - 1));
            }
            section.push(time, self.value(key));
        }
        section
    }

    /// Straight stretches as cubic ones.
    fn sloped(self) -> Self {
        let mut section =
            Self { interpolation: Interpolation::Cubic, ..Self::constant(0.0, &[], self.is_rotation) };
        section.width = self.width;
        section.times.clear();
        section.push(self.times[0], self.value(0));
        for key in 1..self.times.len() {
            let (from, to) = (self.times[key - 1], self.times[key]);
            let (a, b) = (self.value(key - 1), self.value(key));
            if self.is_rotation {
                section.arc(quat(a), quat(b), from, to);
                continue;
            }
            let slope = |(a, b): (&f32, &f32)| ((f64::from(*b) - f64::from(*a)) / (to - from)) as f32;
            let slopes: Vec<f32> = a.iter().zip(b).map(slope).collect();
            section.curve_to(to, &slopes, &slopes, b);
        }
        section
    }

    /// Adds a rotation along the arc, in pieces so short that a cubic curve follows it.
    fn arc(&mut self, a: DQuat, b: DQuat, from: f64, to: f64) {
        let b = if a.dot(b) < 0.0 { -b } else { b };
        let angle = 2.0 * (a - b).length().atan2((a + b).length());
        let pieces = (angle / 0.05).ceil().clamp(1.0, MOST_PIECES as f64) as usize;
        let at = |part: f64| if angle < 1e-9 { a.lerp(b, part) } else { arc_at(a, b, angle, part) };
        let slope = |part: f64| {
            let (low, high) = ((part - 1e-4).max(0.0), (part + 1e-4).min(1.0));
            (at(high) - at(low)) * (1.0 / ((high - low) * (to - from)))
        };
        for piece in 0..pieces {
            let (start, end) = (piece as f64 / pieces as f64, (piece + 1) as f64 / pieces as f64);
            let time = from + (to - from) * end;
            self.curve_to(time, &floats(slope(start)), &floats(slope(end)), &floats(at(end)));
        }
    }
}

fn arc_at(a: DQuat, b: DQuat, angle: f64, part: f64) -> DQuat {
    (a * ((1.0 - part) * angle).sin() + b * (part * angle).sin()) * (1.0 / angle.sin())
}

fn quat(value: &[f32]) -> DQuat {
    DQuat::from_vec4(DVec4::from_array(std::array::from_fn(|i| f64::from(value[i]))))
}

fn floats(value: DQuat) -> [f32; 4] {
    value.as_quat().to_array()
}

/// A track that is being cut.
struct Cut<'t> {
    track: &'t Track,
    raw: &'t [f32],
    width: usize,
    section: Section,
}

impl Cut<'_> {
    fn fill(&mut self, from: f64, to: f64) {
        let times = Arc::clone(&self.track.times);
        let kind = self.track.interpolation;
        // The next key after where we are.
        let mut next = times.partition_point(|&time| f64::from(time) <= from);
        if next > 0 || times.first().is_none_or(|&first| f64::from(first) > to) {
            let first = sampled(self.track, from);
            self.section.push(from, &first);
        }
        let mut at = from;
        while let Some(&key) = times.get(next).filter(|_| at < to) {
            let end = f64::from(key).min(to);
            if next == 0 && f64::from(key) > to {
                break;
            }
            let value = sampled(self.track, end);
            if kind == Interpolation::Cubic && next > 0 {
                self.curve(next - 1, at, end, &value);
            } else if kind != Interpolation::Step || end == f64::from(key) {
                self.section.push(end, &value);
            }
            at = end;
            next += 1;
        }
    }

    /// The numbers of a cubic key: in-tangent, value or out-tangent.
    fn part(&self, key: usize, part: usize) -> &[f32] {
        let start = (3 * key + part) * self.width;
        &self.raw[start..start + self.width]
    }

    /// Adds the part of the curve after a key that lies between two times.
    fn curve(&mut self, key: usize, from: f64, to: f64, value: &[f32]) {
        let (start, end) = (f64::from(self.track.times[key]), f64::from(self.track.times[key + 1]));
        if from == start && to == end {
            let (out, arriving) = (self.part(key, 2).to_vec(), self.part(key + 1, 0).to_vec());
            self.section.curve_to(to, &out, &arriving, value);
            return;
        }
        let span = end - start;
        let parts = ((from - start) / span, (to - start) / span);
        if !self.section.is_rotation {
            let slope = |part| self.hermite(key, part, span).1.iter().map(|v| *v as f32).collect::<Vec<_>>();
            self.section.curve_to(to, &slope(parts.0), &slope(parts.1), value);
            return;
        }
        // A rotation is normalised after it was interpolated, so a part of the curve is none of the same kind: short pieces
        // of it are.
        let mut pieces = 1;
        while pieces < MOST_PIECES && self.strays(key, parts, pieces, span) > STRAY {
            pieces *= 2;
        }
        for piece in 0..pieces {
            let at = |piece: usize| parts.0 + (parts.1 - parts.0) * (piece as f64 / pieces as f64);
            let (a, b) = (self.turn(key, at(piece), span), self.turn(key, at(piece + 1), span));
            let last = piece + 1 == pieces;
            let time = if last { to } else { start + at(piece + 1) * span };
            let end: [f32; 4] = if last { std::array::from_fn(|i| value[i]) } else { floats(b.0) };
            self.section.curve_to(time, &floats(a.1), &floats(b.1), &end);
        }
    }

    /// How far the pieces of a rotation curve are from it at most, in their middles.
    fn strays(&self, key: usize, parts: (f64, f64), pieces: usize, span: f64) -> f64 {
        let length = (parts.1 - parts.0) / pieces as f64;
        let seconds = length * span;
        let of_piece = |piece: usize| {
            let start = parts.0 + length * piece as f64;
            let (a, b) = (self.turn(key, start, span), self.turn(key, start + length, span));
            let off = |part: f64| {
                let [p, m, q, n] = basis(part, seconds);
                let made = (a.0 * p + a.1 * m + b.0 * q + b.1 * n).normalize();
                (made - self.turn(key, start + length * part, span).0).length()
            };
            off(0.25).max(off(0.5)).max(off(0.75))
        };
        (0..pieces).map(of_piece).fold(0.0, f64::max)
    }

    /// The value and the slope (per second) of the curve after a key.
    fn hermite(&self, key: usize, part: f64, span: f64) -> (Vec<f64>, Vec<f64>) {
        let (t, t2) = (part, part * part);
        let values = basis(part, span);
        let slopes = [
            (6.0 * t2 - 6.0 * t) / span,
            3.0 * t2 - 4.0 * t + 1.0,
            (6.0 * t - 6.0 * t2) / span,
            3.0 * t2 - 2.0 * t,
        ];
        let ends = [self.part(key, 1), self.part(key, 2), self.part(key + 1, 1), self.part(key + 1, 0)];
        let sum = |factors: &[f64; 4]| -> Vec<f64> {
            let of = |i: usize| ends.iter().zip(factors).map(|(end, f)| f64::from(end[i]) * f).sum();
            (0..self.width).map(of).collect()
        };
        (sum(&values), sum(&slopes))
    }

    /// The rotation and its slope, after normalising.
    fn turn(&self, key: usize, part: f64, span: f64) -> (DQuat, DQuat) {
        let (value, slope) = self.hermite(key, part, span);
        let pack = |v: &[f64]| DQuat::from_xyzw(v[0], v[1], v[2], v[3]);
        let (value, slope) = (pack(&value), pack(&slope));
        let length = value.length();
        if length < 1e-12 {
            return (quat(self.part(key, 1)), DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0));
        }
        let unit = value * (1.0 / length);
        (unit, (slope - unit * unit.dot(slope)) * (1.0 / length))
    }
}

/// The factors of glTF's cubic spline for a value, its out-tangent, the next value, and its in-tangent.
fn basis(t: f64, span: f64) -> [f64; 4] {
    let (t2, t3) = (t * t, t * t * t);
    [2.0 * t3 - 3.0 * t2 + 1.0, span * (t3 - 2.0 * t2 + t), 3.0 * t2 - 2.0 * t3, span * (t3 - t2)]
}

/// Makes a track of sections, in order, which already have one interpolation.
pub(super) fn track(node: NodeId, like: &Values, sections: Vec<Section>) -> Option<Track> {
    let interpolation = sections.first()?.interpolation;
    let width = sections.first()?.width;
    let (mut times, mut numbers): (Vec<f32>, Vec<f32>) = (Vec::new(), Vec::new());
    for section in sections.iter().filter(|section| section.width == width) {
        for (key, &time) in section.times.iter().enumerate() {
            let time = (time as f32).max(0.0);
            let range = key * width..(key + 1) * width;
            let each = interpolation.values_per_key() * width;
            // Rounding may bring two keys together; the later one counts, but it is reached as the earlier one was.
            let is_repeated = times.last().is_some_and(|&last| time <= last);
            let mut arriving = section.ins.get(range.clone()).map(<[f32]>::to_vec);
            if is_repeated {
                let old = numbers.split_off(numbers.len() - each);
                arriving = arriving.map(|_| old[..width].to_vec());
            } else {
                times.push(time);
            }
            numbers.extend(arriving.unwrap_or_default());
            numbers.extend_from_slice(&section.values[range.clone()]);
            numbers.extend_from_slice(section.outs.get(range).unwrap_or_default());
        }
    }
    let values = match like {
        Values::Translation(_) => Values::Translation(bytemuck::cast_slice(&numbers).to_vec()),
        Values::Scale(_) => Values::Scale(bytemuck::cast_slice(&numbers).to_vec()),
        Values::Rotation(_) => {
            Values::Rotation(numbers.chunks_exact(4).map(glam::Quat::from_slice).collect())
        }
        Values::MorphWeights { count, .. } => Values::MorphWeights { count: *count, weights: numbers },
    };
    Some(Track { node, interpolation, times: times.into(), values })
}
