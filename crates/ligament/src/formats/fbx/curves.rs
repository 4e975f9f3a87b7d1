//! Converts values over time to keys: exactly if they are steps, lines or cubics, otherwise within a tolerance.

use super::moments::Moment;
use super::smooth::smooth;
use crate::motion::{Fit, Motion, PROBES, Property, Value};
use crate::scene::Interpolation;
use glam::{DQuat, DVec3};

/// If at most one stretch in this many is bent, linear keys take less memory than cubic ones.
const FEW_BENT: usize = 4;

/// How much coarser the test for cubics is than for other values: files round a third of a segment to four digits.
const CUBIC_ROUNDING: f64 = 5.0;

/// A type of values that curves can have.
pub(super) trait Sum: Value {
    /// Whether the scene interpolates cubic tracks of such values as plain cubics.
    const CUBIC: bool;
    /// Whether curves of such values are smooth between two keys, also if they are no cubics.
    const SMOOTH: bool;
    /// Returns a weighted sum.
    fn sum(terms: [(f64, &Self); 4]) -> Self;

    /// Whether the value is nearer to `other` with its signs turned round, which mean the same.
    fn is_opposite(&self, _other: &Self) -> bool {
        false
    }

    /// A sum as the scene plays it.
    fn played(self) -> Self {
        self
    }

    /// How far it is turned from here to `other`, if such values turn.
    fn turned(&self, _other: &Self) -> Option<Self> {
        None
    }
}

impl Sum for DVec3 {
    const CUBIC: bool = true;
    const SMOOTH: bool = true;

    fn sum(terms: [(f64, &Self); 4]) -> Self {
        terms.into_iter().map(|(factor, value)| *value * factor).sum()
    }
}

impl Sum for DQuat {
    const CUBIC: bool = false;
    const SMOOTH: bool = true;

    fn sum(terms: [(f64, &Self); 4]) -> Self {
        terms.into_iter().fold(DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), |sum, (f, value)| sum + *value * f)
    }

    fn is_opposite(&self, other: &Self) -> bool {
        self.dot(*other) < 0.0
    }

    fn played(self) -> Self {
        self.normalize()
    }

    fn turned(&self, other: &Self) -> Option<Self> {
        Some(self.conjugate() * *other)
    }
}

/// Morph weights. With in-between shapes, they have corners.
impl Sum for Vec<f64> {
    const CUBIC: bool = true;
    const SMOOTH: bool = false;

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

/// Converts a property that has keys at these moments of a clip that begins at `begin`. `exact` is the distance within
/// which values count as equal in 32 bits.
pub(super) fn follow<V: Sum>(
    moments: &[Moment],
    begin: f64,
    exact: f64,
    property: &Property<impl Fn(f64) -> V>,
    fit: &mut Fit<'_>,
) -> Curve<V> {
    let value = |time| property.at(time);
    let keys: Vec<Key<V>> = (0..moments.len()).map(|i| Key::at(moments, i, exact, value)).collect();
    let jumps = keys.iter().any(|key| key.before.is_some() || key.after.is_some());
    let shapes = shapes(&keys, V::SMOOTH && !jumps, exact, value);
    let is = |kind| shapes.iter().flatten().all(|&shape| shape == kind || shape == Shape::Still);
    if shapes.is_some() && is(Shape::Still) {
        return steps(keys, begin);
    }
    let times = || keys.iter().map(|key| key.time).collect::<Vec<f64>>();
    let values = || keys.iter().map(|key| key.value.clone()).collect::<Vec<V>>();
    if shapes.is_some() && is(Shape::Straight) && !jumps {
        return Curve { interpolation: Interpolation::Linear, times: times(), values: values() };
    }
    if V::CUBIC
        && !jumps
        && let Some(values) = cubic(&times(), &values(), exact, value)
    {
        return Curve { interpolation: Interpolation::Cubic, times: times(), values };
    }
    match shapes {
        Some(shapes) => lines(keys, &shapes, begin, property, fit),
        None => smooth(&times(), &values(), property, fit),
    }
}

/// A key, and the values that the curve comes from and goes on with, where they differ from the key's own.
struct Key<V> {
    time: f64,
    value: V,
    before: Option<V>,
    after: Option<V>,
}

impl<V: Value> Key<V> {
    fn at(moments: &[Moment], i: usize, exact: f64, curve: impl Fn(f64) -> V) -> Self {
        let moment = &moments[i];
        let value = curve(moment.time());
        let other = |time: Option<f64>, is_inside: bool| {
            let limit = curve(time.filter(|_| is_inside)?);
            (apart(&limit, &value) > exact).then_some(limit)
        };
        let before = other(moment.before(), i > 0);
        let after = other(moment.after(), i + 1 < moments.len());
        Self { time: moment.time(), before, after, value }
    }
}

/// The shape of a curve between two keys.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Shape {
    /// Constant.
    Still,
    /// A straight line.
    Straight,
    /// Neither.
    Bent,
}

fn shape<V: Value>(from: &Key<V>, to: &Key<V>, exact: f64, curve: impl Fn(f64) -> V) -> Shape {
    let (start, length) = (from.time, to.time - from.time);
    let (from, to) = (from.after.as_ref().unwrap_or(&from.value), to.before.as_ref().unwrap_or(&to.value));
    let inner = PROBES.map(|part| (part, curve(start + length * part)));
    let all = |near: &dyn Fn(f64, &V) -> bool| inner.iter().all(|(part, value)| near(*part, value));
    if apart(from, to) <= exact && all(&|_, value| apart(value, from) <= exact) {
        Shape::Still
    } else if all(&|part, value| apart(&from.between(to, part), value) <= exact) && !from.is_ambiguous(to) {
        Shape::Straight
    } else {
        Shape::Bent
    }
}

/// The shapes of all stretches; `None` as soon as enough of them are bent for [`smooth`].
fn shapes<V: Sum>(
    keys: &[Key<V>],
    may_be_smooth: bool,
    exact: f64,
    curve: impl Fn(f64) -> V,
) -> Option<Vec<Shape>> {
    let (mut shapes, mut bent, mut may_be_smooth) = (Vec::with_capacity(keys.len()), 0, may_be_smooth);
    for ends in keys.windows(2) {
        let (from, to) = (&ends[0], &ends[1]);
        let shape = shape(from, to, exact, &curve);
        shapes.push(shape);
        if shape == Shape::Bent {
            bent += 1;
            may_be_smooth &= bent > 1 || !is_steady(from.time, to.time - from.time, &curve);
            if may_be_smooth && bent * FEW_BENT > keys.len() - 1 {
                return None;
            }
        }
    }
    Some(shapes)
}

/// Whether a stretch turns about one axis at one speed, as a wheel does: then lines follow it exactly.
fn is_steady<V: Sum>(start: f64, length: f64, curve: impl Fn(f64) -> V) -> bool {
    let turned = |part: f64| curve(start + length * part).turned(&curve(start + length * (part + 0.01)));
    let Some(first) = turned(0.0) else { return false };
    let still = curve(start).turned(&curve(start));
    let enough = 1e-4 * still.map_or(0.0, |still| apart(&still, &first)) + 1e-11;
    [0.21, 0.5, 0.83].into_iter().filter_map(turned).all(|other| apart(&first, &other) <= enough)
}

/// Keys of a curve that is constant between jumps: one for each value.
fn steps<V: Value>(keys: Vec<Key<V>>, begin: f64) -> Curve<V> {
    let mut curve = Curve { interpolation: Interpolation::Step, times: Vec::new(), values: Vec::new() };
    for (i, key) in keys.into_iter().enumerate() {
        let is_new = i == 0 || key.before.is_some();
        if is_new {
            curve.times.push(key.time);
            curve.values.push(key.value);
        }
        if let Some(value) = key.after {
            curve.times.push(just_after(key.time, begin));
            curve.values.push(value);
        }
    }
    if curve.times.len() == 1 {
        curve.interpolation = Interpolation::Linear;
    }
    curve
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
    keys: Vec<Key<V>>,
    shapes: &[Shape],
    begin: f64,
    property: &Property<impl Fn(f64) -> V>,
    fit: &mut Fit<'_>,
) -> Curve<V> {
    let mut out = Curve { interpolation: Interpolation::Linear, times: Vec::new(), values: Vec::new() };
    let mut push = |time: f64, value: V| {
        out.times.push(time);
        out.values.push(value);
    };
    let mut last: Option<(f64, V)> = None;
    let mut jumps = 0;
    for (i, key) in keys.into_iter().enumerate() {
        let Key { time, value, before, after } = key;
        if let Some(last) = last.take() {
            let least = last.0;
            let end = match &before {
                // The value at that very time: fast motion goes far in a microsecond.
                Some(_) => {
                    let time = just_before(time, begin).max(least + (time - least) * 0.5);
                    (time, property.at(time))
                }
                None => (time, value.clone()),
            };
            let end = if shapes.get(i - 1) == Some(&Shape::Bent) {
                fit.stretch(property, last, end, &mut push)
            } else {
                push(last.0, last.1);
                end
            };
            if before.is_some() {
                push(end.0, end.1);
                jumps += 1;
            }
        }
        last = Some(match after {
            Some(_) => {
                push(time, value);
                jumps += 1;
                let time = just_after(time, begin);
                (time, property.at(time))
            }
            None => (time, value),
        });
    }
    if let Some((time, value)) = last {
        push(time, value);
    }
    fit.done.added += jumps;
    out
}

/// An earlier time, as near as it can be told apart in 32 bits of the clip's clock.
fn just_before(time: f64, begin: f64) -> f64 {
    time - moment(time - begin)
}

fn just_after(time: f64, begin: f64) -> f64 {
    time + moment(time - begin)
}

fn moment(time: f64) -> f64 {
    (time.abs() * 1e-6).max(1e-6)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::fbx::moments::{KeyTime, moments};
    use crate::motion::{Fitted, KeyBudget, Tolerance};

    fn followed<V: Sum>(keys: &[f64], value: impl Fn(f64) -> V) -> (Curve<V>, Fitted) {
        let mut budget = KeyBudget::default();
        let mut fit = Fit::new(Tolerance::FINE, &mut budget);
        let keys = moments(keys.iter().map(|&time| KeyTime { time, jumps: true }).collect(), 0.0);
        let curve = follow(&keys, 0.0, 1e-7, &Property::new(value, 1e-2), &mut fit);
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
    fn smooth_curves_are_followed_by_cubics_within_the_tolerance() {
        let (curve, done) = along_x(&[0.0, 3.0], |t| (2.0 * t).sin());
        assert_eq!(curve.interpolation, Interpolation::Cubic);
        assert!(done.added > 2 && done.added < 20 && done.left <= 1e-5, "{done:?}");
        assert!(curve.times.is_sorted() && curve.times.len() == done.added + 2);
        for (key, time) in curve.values.chunks(3).zip(&curve.times).skip(1).take(done.added) {
            let slope = 2.0 * (2.0 * time).cos();
            assert!((key[0].x - slope).abs() < 1e-6 && (key[2].x - slope).abs() < 1e-6, "{time}: {key:?}");
        }
    }

    #[test]
    fn a_few_bends_are_followed_by_lines() {
        let keys: Vec<f64> = (0..9).map(f64::from).collect();
        let (curve, done) = along_x(&keys, |t| if t < 8.0 { t } else { t + (t - 8.0).sin() });
        assert_eq!((curve.interpolation, done.added), (Interpolation::Linear, 0));
        let (curve, done) = along_x(&keys, |t| if t < 7.0 { t } else { t + (2.0 * (t - 7.0)).sin() });
        assert_eq!(curve.interpolation, Interpolation::Linear);
        assert!(done.added > 3 && done.left <= 1e-5, "{done:?}");
    }

    #[test]
    fn wheels_at_one_speed_are_followed_by_lines_exactly() {
        let (curve, done) = followed(&[0.0, 1.0], |t| DQuat::from_rotation_z(9.0 * t));
        assert_eq!(curve.interpolation, Interpolation::Linear);
        assert!(done.added >= 4 && done.added < 16 && done.left < 1e-9, "{done:?}");
    }

    #[test]
    fn rotations_stay_on_one_side() {
        // The angles of FBX turn a quaternion into its negative after a whole turn.
        let turn = |t: f64| DQuat::from_rotation_z(t * t) * if t.fract() < 0.5 { 1.0 } else { -1.0 };
        let (curve, done) = followed(&[0.0, 1.0, 2.0, 3.0], turn);
        assert_eq!(curve.interpolation, Interpolation::Cubic);
        let keys: Vec<DQuat> = curve.values.iter().skip(1).step_by(3).copied().collect();
        assert!(keys.windows(2).all(|pair| pair[0].dot(pair[1]) > 0.0) && done.left <= 1e-5, "{done:?}");
    }

    #[test]
    fn a_jump_between_lines_is_two_keys_next_to_each_other() {
        let x = |t: f64| if t < 1.0 { 5.0 * t } else { (t - 1.0).floor() + 5.0 };
        let (curve, done) = along_x(&[0.0, 1.0, 2.0], x);
        assert_eq!((curve.times.len(), done.added), (4, 1));
        assert!(curve.times[2] < 2.0 && curve.times[2] > 1.99 && curve.values[2].x == 5.0);
    }

    #[test]
    fn what_bends_and_then_jumps_is_followed_up_to_the_jump() {
        // A saw with bent teeth: at each whole second it has the next tooth's value.
        let (curve, done) = along_x(&[0.0, 1.0, 2.0, 3.0], |t| (t - t.floor()).powi(5) + 1.0);
        assert!(done.left <= 1e-5 && !done.cut_short && done.added < 100, "{done:?}");
        let at = curve.times.iter().position(|&t| t == 1.0).expect("a key at the jump");
        let (before, after) = (curve.values[at - 1].x, curve.values[at].x);
        assert!((before - 2.0).abs() < 1e-5 && after == 1.0 && curve.times[at - 1] > 0.999_99);
    }

    #[test]
    fn a_value_that_is_there_for_no_time_is_kept() {
        // Has the next key's value right after each key.
        let (curve, _) = along_x(&[0.0, 1.0, 2.0], f64::ceil);
        assert_eq!(curve.interpolation, Interpolation::Step);
        assert_eq!(curve.values.iter().map(|v| v.x).collect::<Vec<_>>(), [0.0, 1.0, 2.0]);
        assert!(
            curve.times[1] > 0.0 && curve.times[1] < 1e-5 && curve.times[2] > 1.0 && curve.times[2] < 1.00001
        );
    }

    #[test]
    fn a_wheel_that_turns_twice_between_two_keys_still_turns() {
        let turn = |t: f64| DQuat::from_rotation_z(t * std::f64::consts::TAU * 2.0);
        let (_, done) = followed(&[0.0, 1.0], turn);
        // Interpolation between two keys takes the shorter way, so each must be less than half a turn.
        assert!(done.added >= 4 && done.left <= 1e-5, "{done:?}");
    }

    #[test]
    fn keys_sampled_at_every_frame_suffice_with_slopes() {
        let keys: Vec<f64> = (0..25).map(|frame| f64::from(frame) / 24.0).collect();
        let (curve, done) = along_x(&keys, |t| (9.0 * t).sin());
        assert_eq!((curve.times.len(), curve.interpolation), (25, Interpolation::Cubic));
        assert!(done.left <= 1e-5, "{done:?}");
    }

    #[test]
    fn what_is_no_number_ends_nothing() {
        assert_eq!(along_x(&[0.0, 1.0], |_| f64::NAN).0.times.len(), 1);
    }
}
