//! Cubic keys for curves that are smooth between two keys: their slopes are those of the curve, and more keys are added
//! where that is not enough. They take far fewer keys than lines do.

use super::curves::{Curve, Sum};
use crate::motion::{Fit, Motion, Property};
use crate::scene::Interpolation;
use std::cell::OnceCell;

/// The distance of the values that a slope is computed from, as a part of the stretch between two keys.
const ASIDE: f64 = 1e-5;

/// A key with the slopes that the curve comes and goes with, per second.
struct Bend<V> {
    time: f64,
    value: V,
    /// Computed when they are needed, which is only for keys that are kept.
    into: OnceCell<V>,
    out: OnceCell<V>,
}

impl<V> Bend<V> {
    fn new(time: f64, value: V) -> Self {
        Self { time, value, into: OnceCell::new(), out: OnceCell::new() }
    }
}

/// A property within a stretch that begins and ends with keys of the source.
struct Smooth<'p, F> {
    property: &'p Property<F>,
    start: f64,
    end: f64,
}

impl<V: Sum, F: Fn(f64) -> V> Smooth<'_, F> {
    /// The curve's slope at a key, within the stretch.
    fn slope(&self, key: &Bend<V>) -> V {
        let aside = (self.end - self.start) * ASIDE;
        let (from, to) = ((key.time - aside).max(self.start), (key.time + aside).min(self.end));
        let [from, to] = [from, to].map(|time| {
            let value = if time == key.time { key.value.clone() } else { self.property.at(time) };
            (time, beside(&key.value, value))
        });
        let each = 1.0 / (to.0 - from.0);
        V::sum([(-each, &from.1), (each, &to.1), (0.0, &key.value), (0.0, &key.value)])
    }
}

impl<V: Sum, F: Fn(f64) -> V> Motion for Smooth<'_, F> {
    type Key = Bend<V>;

    fn at(&self, time: f64) -> Bend<V> {
        Bend::new(time, self.property.at(time))
    }

    fn between(&self, from: &Bend<V>, to: &Bend<V>, fraction: f64) -> Bend<V> {
        let (t, length) = (fraction, to.time - from.time);
        let (t2, t3) = (t * t, t * t * t);
        let side = side(&to.value, &from.value);
        let value = V::sum([
            (2.0 * t3 - 3.0 * t2 + 1.0, &from.value),
            ((t3 - 2.0 * t2 + t) * length, from.out.get_or_init(|| self.slope(from))),
            ((3.0 * t2 - 2.0 * t3) * side, &to.value),
            ((t3 - t2) * length * side, to.into.get_or_init(|| self.slope(to))),
        ]);
        Bend::new(from.time + length * t, value.played())
    }

    fn distance(&self, made: &Bend<V>, wanted: &Bend<V>) -> f64 {
        self.property.distance(&made.value, &wanted.value)
    }

    fn is_ambiguous(&self, from: &Bend<V>, to: &Bend<V>) -> bool {
        self.property.is_ambiguous(&from.value, &to.value)
    }

    fn moment(&self, time: f64) -> f64 {
        Motion::moment(self.property, time)
    }
}

/// −1 if a value's negative is nearer to `other`: a quaternion and its negative are the same rotation.
fn side<V: Sum>(value: &V, other: &V) -> f64 {
    if value.is_opposite(other) { -1.0 } else { 1.0 }
}

/// A value, or its negative if that is nearer to `other`.
fn beside<V: Sum>(other: &V, value: V) -> V {
    times_of(side(&value, other), value)
}

fn times_of<V: Sum>(factor: f64, value: V) -> V {
    if factor == 1.0 {
        value
    } else {
        V::sum([(factor, &value), (0.0, &value), (0.0, &value), (0.0, &value)])
    }
}

/// The keys of a cubic track that follows a curve without jumps, which has these values at these times.
pub(super) fn smooth<V: Sum>(
    times: &[f64],
    values: &[V],
    property: &Property<impl Fn(f64) -> V>,
    fit: &mut Fit<'_>,
) -> Curve<V> {
    let mut curve = Curve { interpolation: Interpolation::Cubic, times: Vec::new(), values: Vec::new() };
    let mut push = |time: f64, key: Bend<V>| {
        let last = curve.values.len().checked_sub(2).map(|last| &curve.values[last]);
        let side = last.map_or(1.0, |last| side(&key.value, last));
        // Before the first key and after the last, nothing asks for a slope.
        let none = V::sum([(0.0, &key.value); 4]);
        let [into, out] = [key.into, key.out].map(|slope| slope.into_inner().unwrap_or(none.clone()));
        curve.times.push(time);
        curve.values.extend([into, key.value, out].map(|value| times_of(side, value)));
    };
    let mut last: Option<Bend<V>> = None;
    for (&time, value) in times.iter().zip(values) {
        let mut key = Bend::new(time, value.clone());
        if let Some(from) = last.take() {
            let stretch = Smooth { property, start: from.time, end: time };
            key = fit.stretch(&stretch, (from.time, from), (time, key), &mut push).1;
        }
        last = Some(key);
    }
    if let Some(key) = last {
        push(key.time, key);
    }
    curve
}
