//! Cubic keys for curves that are smooth between two keys: their slopes are those of the curve, and more keys are added
//! where that is not enough. They take far fewer keys than lines do.

use super::curves::{Curve, Sum};
use crate::motion::{Fit, Motion, Property};
use crate::scene::Interpolation;

/// The distance of the values that a slope is computed from, as a part of the stretch between two keys.
const ASIDE: f64 = 1e-5;

/// A key with the slopes that the curve comes and goes with, per second.
struct Bend<V> {
    time: f64,
    value: V,
    into: V,
    out: V,
}

/// A property within a stretch that begins and ends with keys of the source.
struct Smooth<'p, F> {
    property: &'p Property<F>,
    aside: f64,
}

impl<V: Sum, F: Fn(f64) -> V> Smooth<'_, F> {
    /// The curve's slope at the beginning of a stretch, or at its end if `side` is −1.
    fn slope_at_end(&self, time: f64, value: &V, side: f64) -> V {
        let h = self.aside * side;
        let [near, far] = [h, 2.0 * h].map(|h| beside(value, self.property.at(time + h)));
        V::sum([(-1.5 / h, value), (2.0 / h, &near), (-0.5 / h, &far), (0.0, value)])
    }
}

impl<V: Sum, F: Fn(f64) -> V> Motion for Smooth<'_, F> {
    type Key = Bend<V>;

    fn at(&self, time: f64) -> Bend<V> {
        let value = self.property.at(time);
        let [before, after] =
            [-1.0, 1.0].map(|side| beside(&value, self.property.at(time + side * self.aside)));
        let each = 0.5 / self.aside;
        let slope = V::sum([(-each, &before), (each, &after), (0.0, &value), (0.0, &value)]);
        Bend { time, value, into: slope.clone(), out: slope }
    }

    fn between(&self, from: &Bend<V>, to: &Bend<V>, fraction: f64) -> Bend<V> {
        let (t, length) = (fraction, to.time - from.time);
        let (t2, t3) = (t * t, t * t * t);
        let side = side(&to.value, &from.value);
        let value = V::sum([
            (2.0 * t3 - 3.0 * t2 + 1.0, &from.value),
            ((t3 - 2.0 * t2 + t) * length, &from.out),
            ((3.0 * t2 - 2.0 * t3) * side, &to.value),
            ((t3 - t2) * length * side, &to.into),
        ]);
        // Nobody asks for its slopes.
        let (into, out) = (from.out.clone(), from.out.clone());
        Bend { time: from.time + length * t, value: value.played(), into, out }
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
        curve.times.push(time);
        curve.values.extend([key.into, key.value, key.out].map(|value| times_of(side, value)));
    };
    let zero = |v: &V| V::sum([(0.0, v); 4]);
    let mut last: Option<Bend<V>> = None;
    for (&time, value) in times.iter().zip(values) {
        let mut key = Bend { time, value: value.clone(), into: zero(value), out: zero(value) };
        if let Some(mut from) = last.take() {
            let aside = (time - from.time) * ASIDE;
            let stretch = Smooth { property, aside };
            from.out = stretch.slope_at_end(from.time, &from.value, 1.0);
            key.into = stretch.slope_at_end(time, &key.value, -1.0);
            let start = from.time;
            key = fit.stretch(&stretch, (start, from), (time, key), &mut push).1;
        }
        last = Some(key);
    }
    if let Some(key) = last {
        push(key.time, key);
    }
    curve
}
