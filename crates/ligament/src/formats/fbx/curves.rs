//! Values over time as keys: kept where steps, lines or cubics say the same, else followed by lines within a tolerance.

use crate::scene::Interpolation;
use glam::{DQuat, DVec3};

/// Keys this close in seconds are an animation that was sampled when it was exported; no keys are added between them.
const SAMPLED: f64 = 0.0501;
/// A stretch is never halved below this many seconds.
const SHORTEST: f64 = 1.0 / 240.0;
/// Where a stretch is looked at. Uneven, so that a wheel that turns several times between two keys is noticed.
const PARTS: [f64; 4] = [0.5, 0.211, 0.789, 0.347];

/// How many times coarser than other values cubics are: files round a third of a stretch to four digits.
const CUBIC_ROUNDING: f64 = 5.0;

/// What a curve's values are.
pub(super) trait Value: Clone {
    /// Whether a cubic track of such values is a cubic.
    const CUBIC: bool;
    /// On the line to `other`.
    fn mix(&self, other: &Self, part: f64) -> Self;
    /// How far from `other`; in radians for rotations.
    fn apart(&self, other: &Self) -> f64;
    /// Whether the line to `other` could go another way once both are rounded.
    fn is_far(&self, _other: &Self) -> bool {
        false
    }
    /// A weighted sum.
    fn sum(terms: [(f64, &Self); 4]) -> Self;
}

impl Value for DVec3 {
    const CUBIC: bool = true;

    fn mix(&self, other: &Self, part: f64) -> Self {
        self.lerp(*other, part)
    }

    fn apart(&self, other: &Self) -> f64 {
        or_zero(self.distance(*other))
    }

    fn sum(terms: [(f64, &Self); 4]) -> Self {
        terms.into_iter().map(|(factor, value)| *value * factor).sum()
    }
}

impl Value for DQuat {
    const CUBIC: bool = false;

    fn mix(&self, other: &Self, part: f64) -> Self {
        self.slerp(*other, part)
    }

    fn apart(&self, other: &Self) -> f64 {
        let other = if self.dot(*other) < 0.0 { -*other } else { *other };
        or_zero(2.0 * (*self - other).length())
    }

    /// More than 120°; at 180° it would not be told which way is the shorter.
    fn is_far(&self, other: &Self) -> bool {
        self.dot(*other).abs() < 0.5
    }

    fn sum(terms: [(f64, &Self); 4]) -> Self {
        terms.into_iter().fold(DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), |sum, (f, value)| sum + *value * f)
    }
}

/// Morph weights.
impl Value for Vec<f64> {
    const CUBIC: bool = true;

    fn mix(&self, other: &Self, part: f64) -> Self {
        self.iter().zip(other).map(|(a, b)| a + (b - a) * part).collect()
    }

    fn apart(&self, other: &Self) -> f64 {
        self.iter().zip(other).map(|(a, b)| or_zero((a - b).abs())).fold(0.0, f64::max)
    }

    fn sum(terms: [(f64, &Self); 4]) -> Self {
        let length = terms[0].1.len();
        (0..length).map(|i| terms.iter().map(|(f, v)| f * v.get(i).copied().unwrap_or(0.0)).sum()).collect()
    }
}

/// What is not a number is replaced later; here it must not look like a bend.
fn or_zero(distance: f64) -> f64 {
    if distance.is_finite() { distance } else { 0.0 }
}

/// How near keys must follow.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nearness {
    /// What is the same to 32-bit numbers.
    pub(super) exact: f64,
    /// What may be off where the curve is none that a track can have.
    pub(super) tolerance: f64,
}

/// Keys that follow a curve.
#[derive(Debug)]
pub(super) struct Curve<V> {
    pub(super) interpolation: Interpolation,
    /// Ascending, in the file's seconds.
    pub(super) times: Vec<f64>,
    /// One a key, or three for cubic ones: in-tangent, value, out-tangent, both for one second.
    pub(super) values: Vec<V>,
    /// How far the keys are off at most, where they were looked at.
    pub(super) error: f64,
    /// Keys that the file does not have.
    pub(super) added: usize,
}

/// Follows a curve that has its keys at these times. `budget` is how many keys may be added, and is reduced by those that
/// were.
pub(super) fn follow<V: Value>(
    keys: &[f64],
    nearness: Nearness,
    budget: &mut usize,
    value: impl Fn(f64) -> V,
) -> Curve<V> {
    let values: Vec<V> = keys.iter().map(|&time| value(time)).collect();
    let stretches: Vec<Stretch> =
        (1..keys.len()).map(|i| stretch((keys, &values, i), nearness.exact, &value)).collect();
    let is = |kind: Stretch| stretches.iter().all(|&s| s == kind || s == Stretch::Still);
    let mut curve =
        Curve { interpolation: Interpolation::Linear, times: keys.to_vec(), values, error: 0.0, added: 0 };
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
        && let Some(values) = cubic(&curve.times, &curve.values, nearness.exact, &value)
    {
        curve.interpolation = Interpolation::Cubic;
        curve.values = values;
        return curve;
    }
    lines(&curve, &stretches, nearness, budget, &value)
}

/// What a curve does between two keys.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Stretch {
    /// Nothing.
    Still,
    /// Stays at the first key's value until the second.
    Held,
    /// Has the second key's value right after the first.
    Jumps,
    /// A straight line.
    Straight,
    /// None of these; how far the line is off where it was looked at.
    Bent(f64),
}

fn stretch<V: Value>(
    (keys, values, i): (&[f64], &[V], usize),
    exact: f64,
    value: impl Fn(f64) -> V,
) -> Stretch {
    let (from, to) = (&values[i - 1], &values[i]);
    let length = keys[i] - keys[i - 1];
    let parts = if length <= SAMPLED { &PARTS[..1] } else { &PARTS[..] };
    let inner: Vec<V> = parts.iter().map(|part| value(keys[i - 1] + length * part)).collect();
    let all = |near: &dyn Fn(f64, &V) -> bool| parts.iter().zip(&inner).all(|(&part, v)| near(part, v));
    let is_held = all(&|_, v| v.apart(from) <= exact);
    if is_held && from.apart(to) <= exact {
        Stretch::Still
    } else if is_held {
        Stretch::Held
    } else if all(&|_, v| v.apart(to) <= exact) {
        Stretch::Jumps
    } else {
        let off = parts.iter().zip(&inner).map(|(&part, v)| from.mix(to, part).apart(v)).fold(0.0, f64::max);
        if off <= exact && !from.is_far(to) { Stretch::Straight } else { Stretch::Bent(off) }
    }
}

/// The keys of a cubic track, if every stretch is a cubic: that is found from two values within, and seen at two others.
fn cubic<V: Value>(keys: &[f64], values: &[V], exact: f64, value: impl Fn(f64) -> V) -> Option<Vec<V>> {
    let mut outs = Vec::with_capacity(keys.len());
    let mut ins = Vec::with_capacity(keys.len());
    let zero = V::sum([(0.0, &values[0]); 4]);
    ins.push(zero.clone());
    for i in 1..keys.len() {
        let (from, to, length) = (&values[i - 1], &values[i], keys[i] - keys[i - 1]);
        let at = |part: f64| value(keys[i - 1] + length * part);
        let (third, two_thirds) = (at(1.0 / 3.0), at(2.0 / 3.0));
        // Slopes over the stretch of the only cubic through these four values.
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
            if fitted.apart(&at(part)) > CUBIC_ROUNDING * exact {
                return None;
            }
        }
        // A track's tangents are slopes over a second.
        outs.push(V::sum([(1.0 / length, &out), (0.0, from), (0.0, from), (0.0, from)]));
        ins.push(V::sum([(1.0 / length, &into), (0.0, from), (0.0, from), (0.0, from)]));
    }
    outs.push(zero);
    let keys = ins.into_iter().zip(values).zip(outs);
    Some(keys.flat_map(|((into, value), out)| [into, value.clone(), out]).collect())
}

/// Straight lines: more of them where the curve bends, and two keys next to each other where it jumps.
fn lines<V: Value>(
    curve: &Curve<V>,
    stretches: &[Stretch],
    nearness: Nearness,
    budget: &mut usize,
    value: impl Fn(f64) -> V,
) -> Curve<V> {
    let mut out = Curve {
        interpolation: Interpolation::Linear,
        times: curve.times[..1].to_vec(),
        values: curve.values[..1].to_vec(),
        error: 0.0,
        added: 0,
    };
    for (i, stretch) in (1..).zip(stretches) {
        let (from, to) = ((curve.times[i - 1], &curve.values[i - 1]), (curve.times[i], &curve.values[i]));
        match stretch {
            Stretch::Still | Stretch::Straight => {}
            Stretch::Held => out.push(just_before(to.0, from.0), from.1.clone()),
            Stretch::Jumps => out.push(just_after(from.0, to.0), to.1.clone()),
            Stretch::Bent(off) if to.0 - from.0 <= SAMPLED => {
                let off = off.max(off_line(from, to, &PARTS[1..], &value));
                out.error = out.error.max(off);
            }
            &Stretch::Bent(off) => out.halve(from, to, off, nearness, budget, &value),
        }
        out.times.push(to.0);
        out.values.push(to.1.clone());
    }
    out
}

/// How far the line between two keys is from the curve at some parts of the way.
fn off_line<V: Value>(from: (f64, &V), to: (f64, &V), parts: &[f64], value: impl Fn(f64) -> V) -> f64 {
    let length = to.0 - from.0;
    let off = |&part: &f64| from.1.mix(to.1, part).apart(&value(from.0 + length * part));
    parts.iter().map(off).fold(0.0, f64::max)
}

/// The nearest time that is another one in 32 bits, but not before `least`.
fn just_before(time: f64, least: f64) -> f64 {
    (time - (time.abs() * 1e-6).max(1e-6)).max(least + (time - least) * 0.5)
}

fn just_after(time: f64, most: f64) -> f64 {
    (time + (time.abs() * 1e-6).max(1e-6)).min(time + (most - time) * 0.5)
}

impl<V: Value> Curve<V> {
    fn push(&mut self, time: f64, value: V) {
        self.times.push(time);
        self.values.push(value);
        self.added += 1;
    }

    fn halve(
        &mut self,
        from: (f64, &V),
        to: (f64, &V),
        error: f64,
        nearness: Nearness,
        budget: &mut usize,
        value: &impl Fn(f64) -> V,
    ) {
        let length = to.0 - from.0;
        let is_near = error <= nearness.tolerance && !from.1.is_far(to.1);
        if is_near || length < 2.0 * SHORTEST || *budget == 0 {
            self.error = self.error.max(error);
            return;
        }
        *budget -= 1;
        let middle = from.0 + length * 0.5;
        let between = value(middle);
        let halfway = (middle, &between);
        let error = off_line(from, halfway, &PARTS, value);
        self.halve(from, halfway, error, nearness, budget, value);
        self.push(middle, between.clone());
        let error = off_line(halfway, to, &PARTS, value);
        self.halve(halfway, to, error, nearness, budget, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEAR: Nearness = Nearness { exact: 1e-7, tolerance: 1e-3 };

    fn along_x(keys: &[f64], x: impl Fn(f64) -> f64) -> Curve<DVec3> {
        follow(keys, NEAR, &mut 1000, |time| DVec3::new(x(time), 0.0, 0.0))
    }

    #[test]
    fn what_a_track_can_say_is_kept() {
        let kinds = [
            along_x(&[0.0, 1.0, 2.0], |_| 3.0),
            along_x(&[0.0, 1.0, 2.0], f64::floor),
            along_x(&[0.0, 1.0, 2.0], |t| if t < 1.0 { t } else { 1.0 }),
            along_x(&[0.0, 1.0, 2.0], |t| t * t * t - 2.0 * t * t),
        ];
        let found = kinds.map(|c| (c.interpolation, c.times.len(), c.values.len(), c.added));
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
        let curve = along_x(&[0.0, 2.0, 3.0], |t| t * t * t);
        let slopes: Vec<f64> = curve.values.iter().map(|v| v.x).collect();
        let expected = [0.0, 0.0, 0.0, 12.0, 8.0, 12.0, 27.0, 27.0, 0.0];
        let off = slopes.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(off < 1e-9, "{slopes:?}");
    }

    #[test]
    fn other_curves_are_followed_by_lines_within_the_tolerance() {
        let curve = along_x(&[0.0, 3.0], |t| (2.0 * t).sin());
        assert_eq!(curve.interpolation, Interpolation::Linear);
        assert!(curve.added > 10 && curve.error > 1e-5 && curve.error <= NEAR.tolerance, "{curve:?}");
        assert!(curve.times.is_sorted() && curve.times.len() == curve.added + 2);
    }

    #[test]
    fn a_jump_between_lines_is_two_keys_next_to_each_other() {
        let curve = along_x(&[0.0, 1.0, 2.0], |t| if t < 1.0 { 5.0 * t } else { (t - 1.0).floor() + 5.0 });
        assert_eq!((curve.times.len(), curve.added), (4, 1));
        assert!(curve.times[2] < 2.0 && curve.times[2] > 1.99 && curve.values[2].x == 5.0);
    }

    #[test]
    fn a_wheel_that_turns_twice_between_two_keys_still_turns() {
        let turn = |t: f64| DQuat::from_rotation_z(t * std::f64::consts::TAU * 2.0);
        let curve = follow(&[0.0, 1.0], NEAR, &mut 1000, turn);
        // A line between two keys goes the shorter way: each must be less than half a turn.
        assert!(curve.added >= 4, "{}", curve.added);
        assert!(curve.error <= NEAR.tolerance);
    }

    #[test]
    fn sampled_keys_stay_as_they_are_and_the_error_is_said() {
        let keys: Vec<f64> = (0..25).map(|frame| f64::from(frame) / 24.0).collect();
        let curve = along_x(&keys, |t| (9.0 * t).sin());
        assert_eq!((curve.times.len(), curve.added), (25, 0));
        assert!(curve.error > 1e-3, "{}", curve.error);
    }

    #[test]
    fn the_budget_is_kept_and_what_is_no_number_ends_nothing() {
        let mut budget = 3;
        let curve = follow(&[0.0, 1e9], NEAR, &mut budget, |t| DVec3::splat(t.sin()));
        assert_eq!((curve.added, budget), (3, 0));
        assert_eq!(along_x(&[0.0, 1.0], |_| f64::NAN).times.len(), 1);
    }
}
