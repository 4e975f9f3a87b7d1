//! Converts values over time to keys: exactly if they are steps, lines or cubics, otherwise as lines within a tolerance.

use crate::motion::{Fit, Motion, PROBES, Property, Value};
use crate::scene::Interpolation;
use glam::{DQuat, DVec3};

/// Keys at most this many seconds apart were sampled by an exporter; no keys are added between them.
const SAMPLED: f64 = 0.0501;

/// How much coarser the test for cubics is than for other values: files round a third of a segment to four digits.
const CUBIC_ROUNDING: f64 = 5.0;

/// A type of values that curves can have.
pub(super) trait Sum: Value {
    /// Whether the scene interpolates cubic tracks of such values as plain cubics.
    const CUBIC: bool;
    /// Returns a weighted sum.
    fn sum(terms: [(f64, &Self); 4]) -> Self;
}

impl Sum for DVec3 {
    const CUBIC: bool = true;

    fn sum(terms: [(f64, &Self); 4]) -> Self {
        terms.into_iter().map(|(factor, value)| *value * factor).sum()
    }
}

impl Sum for DQuat {
    const CUBIC: bool = false;

    fn sum(terms: [(f64, &Self); 4]) -> Self {
        terms.into_iter().fold(DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), |sum, (f, value)| sum + *value * f)
    }
}

/// Morph weights.
impl Sum for Vec<f64> {
    const CUBIC: bool = true;

    fn sum(terms: [(f64, &Self); 4]) -> Self {
        let length = terms[0].1.len();
        (0..length).map(|i| terms.iter().map(|(f, v)| f * v.get(i).copied().unwrap_or(0.0)).sum()).collect()
    }
}

/// The distance between two values. A NaN is replaced later; here it must not look like a bend.
pub(super) fn apart<V: Value>(a: &V, b: &V) -> f64 {
    let distance = a.distance(b);
    if distance.is_finite() { distance } else { 0.0 }
}

/// Keys that reproduce a curve.
#[derive(Debug)]
pub(super) struct Curve<V> {
    pub(super) interpolation: Interpolation,
    /// Ascending, in the file's seconds.
    pub(super) times: Vec<f64>,
    /// One per key, or three per key if cubic: in-tangent, value, out-tangent. Tangents are per second.
    pub(super) values: Vec<V>,
}

/// Converts a property that has keys at these times. `exact` is the distance within which values count as equal in 32 bits.
pub(super) fn follow<V: Sum>(
    keys: &[f64],
    exact: f64,
    property: &Property<impl Fn(f64) -> V>,
    fit: &mut Fit<'_>,
) -> Curve<V> {
    let value = |time| property.at(time);
    let values: Vec<V> = keys.iter().map(|&time| value(time)).collect();
    let stretches: Vec<Stretch> =
        (1..keys.len()).map(|i| stretch((keys, &values, i), exact, value)).collect();
    let is = |kind: Stretch| stretches.iter().all(|&s| s == kind || s == Stretch::Still);
    let mut curve = Curve { interpolation: Interpolation::Linear, times: keys.to_vec(), values };
    if is(Stretch::Still) {
        curve.times.truncate(1);
        curve.values.truncate(1);
        return curve;
    }
    if is(Stretch::Held) {
        curve.interpolation = Interpolation::Step;
        return curve;
    }
    if is(Stretch::Straight) {
        return curve;
    }
    let jumps = stretches.iter().any(|s| matches!(s, Stretch::Held | Stretch::Jumps));
    if V::CUBIC
        && !jumps
        && let Some(values) = cubic(&curve.times, &curve.values, exact, value)
    {
        curve.interpolation = Interpolation::Cubic;
        curve.values = values;
        return curve;
    }
    lines(curve, &stretches, property, fit)
}

/// The shape of a curve between two keys.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Stretch {
    /// Constant.
    Still,
    /// Holds the first key's value until the second.
    Held,
    /// Has the second key's value right after the first.
    Jumps,
    /// A straight line.
    Straight,
    /// None of these.
    Bent,
}

fn stretch<V: Value>(
    (keys, values, i): (&[f64], &[V], usize),
    exact: f64,
    value: impl Fn(f64) -> V,
) -> Stretch {
    let (from, to) = (&values[i - 1], &values[i]);
    let length = keys[i] - keys[i - 1];
    let parts = if length <= SAMPLED { &PROBES[..1] } else { &PROBES[..] };
    let inner: Vec<V> = parts.iter().map(|part| value(keys[i - 1] + length * part)).collect();
    let all = |near: &dyn Fn(f64, &V) -> bool| parts.iter().zip(&inner).all(|(&part, v)| near(part, v));
    let is_held = all(&|_, v| apart(v, from) <= exact);
    if is_held && apart(from, to) <= exact {
        Stretch::Still
    } else if is_held {
        Stretch::Held
    } else if all(&|_, v| apart(v, to) <= exact) {
        Stretch::Jumps
    } else if all(&|part, v| apart(&from.between(to, part), v) <= exact) && !from.is_ambiguous(to) {
        Stretch::Straight
    } else {
        Stretch::Bent
    }
}

/// The keys of a cubic track, if every segment is a cubic. The cubic is computed from two values within the segment and
/// checked at two others.
fn cubic<V: Sum>(keys: &[f64], values: &[V], exact: f64, value: impl Fn(f64) -> V) -> Option<Vec<V>> {
    let mut outs = Vec::with_capacity(keys.len());
    let mut ins = Vec::with_capacity(keys.len());
    let zero = V::sum([(0.0, &values[0]); 4]);
    ins.push(zero.clone());
    for i in 1..keys.len() {
        let (from, to, length) = (&values[i - 1], &values[i], keys[i] - keys[i - 1]);
        let at = |part: f64| value(keys[i - 1] + length * part);
        let (third, two_thirds) = (at(1.0 / 3.0), at(2.0 / 3.0));
        // The end slopes, per segment, of the only cubic through these four values.
        let out = V::sum([(-5.5, from), (9.0, &third), (-4.5, &two_thirds), (1.0, to)]);
        let into = V::sum([(-1.0, from), (4.5, &third), (-9.0, &two_thirds), (5.5, to)]);
        for part in [0.15, 0.5, 0.85] {
            let (t2, t3) = (part * part, part * part * part);
            let fitted = V::sum([
                (2.0 * t3 - 3.0 * t2 + 1.0, from),
                (t3 - 2.0 * t2 + part, &out),
                (3.0 * t2 - 2.0 * t3, to),
                (t3 - t2, &into),
            ]);
            if apart(&fitted, &at(part)) > CUBIC_ROUNDING * exact {
                return None;
            }
        }
        // A track's tangents are slopes per second.
        outs.push(V::sum([(1.0 / length, &out), (0.0, from), (0.0, from), (0.0, from)]));
        ins.push(V::sum([(1.0 / length, &into), (0.0, from), (0.0, from), (0.0, from)]));
    }
    outs.push(zero);
    let keys = ins.into_iter().zip(values).zip(outs);
    Some(keys.flat_map(|((into, value), out)| [into, value.clone(), out]).collect())
}

/// Linear keys: more of them where the curve bends, and two adjacent keys where it jumps.
fn lines<V: Value>(
    curve: Curve<V>,
    stretches: &[Stretch],
    property: &Property<impl Fn(f64) -> V>,
    fit: &mut Fit<'_>,
) -> Curve<V> {
    let mut out = Curve { times: Vec::new(), values: Vec::new(), ..curve };
    let mut push = |time: f64, value: V| {
        out.times.push(time);
        out.values.push(value);
    };
    let mut keys = curve.times.into_iter().zip(curve.values);
    let Some(mut last) = keys.next() else { return out };
    for (to, stretch) in keys.zip(stretches) {
        let jump = match stretch {
            Stretch::Held => Some((just_before(to.0, last.0), last.1.clone())),
            Stretch::Jumps => Some((just_after(last.0, to.0), to.1.clone())),
            Stretch::Still | Stretch::Straight => None,
            Stretch::Bent if to.0 - last.0 > SAMPLED => {
                last = fit.stretch(property, last, to, &mut push);
                continue;
            }
            Stretch::Bent => {
                fit.measure(property, &last, &to);
                None
            }
        };
        push(last.0, last.1);
        if let Some((time, value)) = jump {
            push(time, value);
            fit.done.added += 1;
        }
        last = to;
    }
    push(last.0, last.1);
    out
}

/// The nearest earlier time that differs in 32 bits, but not before `least`.
fn just_before(time: f64, least: f64) -> f64 {
    (time - (time.abs() * 1e-6).max(1e-6)).max(least + (time - least) * 0.5)
}

fn just_after(time: f64, most: f64) -> f64 {
    (time + (time.abs() * 1e-6).max(1e-6)).min(time + (most - time) * 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::{Fitted, KeyBudget, Tolerance};

    fn followed<V: Sum>(keys: &[f64], value: impl Fn(f64) -> V) -> (Curve<V>, Fitted) {
        let mut budget = KeyBudget::default();
        let mut fit = Fit::new(Tolerance::FINE, &mut budget);
        let curve = follow(keys, 1e-7, &Property::new(value, 1e-2), &mut fit);
        (curve, fit.done)
    }

    fn along_x(keys: &[f64], x: impl Fn(f64) -> f64) -> (Curve<DVec3>, Fitted) {
        followed(keys, |time| DVec3::new(x(time), 0.0, 0.0))
    }

    #[test]
    fn what_a_track_can_say_is_kept() {
        let kinds = [
            along_x(&[0.0, 1.0, 2.0], |_| 3.0),
            along_x(&[0.0, 1.0, 2.0], f64::floor),
            along_x(&[0.0, 1.0, 2.0], |t| if t < 1.0 { t } else { 1.0 }),
            along_x(&[0.0, 1.0, 2.0], |t| t * t * t - 2.0 * t * t),
        ];
        let found = kinds.map(|(c, done)| (c.interpolation, c.times.len(), c.values.len(), done.added));
        let linear = Interpolation::Linear;
        let expected = [
            (linear, 1, 1, 0),
            (Interpolation::Step, 3, 3, 0),
            (linear, 3, 3, 0),
            (Interpolation::Cubic, 3, 9, 0),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn tangents_are_the_slopes_at_the_keys() {
        let curve = along_x(&[0.0, 2.0, 3.0], |t| t * t * t).0;
        let slopes: Vec<f64> = curve.values.iter().map(|v| v.x).collect();
        let expected = [0.0, 0.0, 0.0, 12.0, 8.0, 12.0, 27.0, 27.0, 0.0];
        let off = slopes.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(off < 1e-9, "{slopes:?}");
    }

    #[test]
    fn other_curves_are_followed_by_lines_within_the_tolerance() {
        let (curve, done) = along_x(&[0.0, 3.0], |t| (2.0 * t).sin());
        assert_eq!(curve.interpolation, Interpolation::Linear);
        assert!(done.added > 10 && done.left > 1e-7 && done.left <= 1e-5, "{done:?}");
        assert!(curve.times.is_sorted() && curve.times.len() == done.added + 2);
    }

    #[test]
    fn a_jump_between_lines_is_two_keys_next_to_each_other() {
        let x = |t: f64| if t < 1.0 { 5.0 * t } else { (t - 1.0).floor() + 5.0 };
        let (curve, done) = along_x(&[0.0, 1.0, 2.0], x);
        assert_eq!((curve.times.len(), done.added), (4, 1));
        assert!(curve.times[2] < 2.0 && curve.times[2] > 1.99 && curve.values[2].x == 5.0);
    }

    #[test]
    fn a_wheel_that_turns_twice_between_two_keys_still_turns() {
        let turn = |t: f64| DQuat::from_rotation_z(t * std::f64::consts::TAU * 2.0);
        let (_, done) = followed(&[0.0, 1.0], turn);
        // Interpolation between two keys takes the shorter way, so each must be less than half a turn.
        assert!(done.added >= 4 && done.left <= 1e-5, "{done:?}");
    }

    #[test]
    fn sampled_keys_stay_as_they_are_and_the_error_is_said() {
        let keys: Vec<f64> = (0..25).map(|frame| f64::from(frame) / 24.0).collect();
        let (curve, done) = along_x(&keys, |t| (9.0 * t).sin());
        assert_eq!((curve.times.len(), done.added), (25, 0));
        assert!(done.left > 1e-5, "{done:?}");
    }

    #[test]
    fn what_is_no_number_ends_nothing() {
        assert_eq!(along_x(&[0.0, 1.0], |_| f64::NAN).0.times.len(), 1);
    }
}
