//! A track's value at a time.

use crate::scene::{Interpolation, Track, Values};
use glam::{DQuat, DVec3, Quat, Vec3};

/// A track's value at one time.
#[derive(Debug, Clone, PartialEq)]
pub enum Sampled {
    /// The node's translation.
    Translation(Vec3),
    /// The node's rotation, a unit quaternion.
    Rotation(Quat),
    /// The node's scale.
    Scale(Vec3),
    /// The weights of the mesh's morph targets.
    MorphWeights(Vec<f32>),
}

/// The value of a track at a time. Before the first key and after the last, it holds their values. `None` for a track
/// without keys, or with fewer values than its keys need.
///
/// At the time of a key the result is the stored value, bit by bit.
pub fn sample(track: &Track, seconds: f32) -> Option<Sampled> {
    sample_at(track, Spot::find(&track.times, f64::from(seconds), track.interpolation)?)
}

/// The rotation of a track at a time in f64, not normalised. `None` as in [`sample`], and for other properties.
pub(crate) fn rotation_at(track: &Track, seconds: f64) -> Option<DQuat> {
    let Values::Rotation(values) = &track.values else { return None };
    let spot = Spot::find(&track.times, seconds, track.interpolation)?;
    rotation(values, spot, track.interpolation == Interpolation::Cubic)
}

/// The value of a track at a position among its keys.
pub(super) fn sample_at(track: &Track, spot: Spot) -> Option<Sampled> {
    let cubic = track.interpolation == Interpolation::Cubic;
    Some(match &track.values {
        Values::Translation(values) => Sampled::Translation(vector(values, spot, cubic)?),
        Values::Scale(values) => Sampled::Scale(vector(values, spot, cubic)?),
        Values::Rotation(values) => Sampled::Rotation(rotation(values, spot, cubic)?.as_quat()),
        Values::MorphWeights { count, weights } => {
            Sampled::MorphWeights(morph_weights(weights, *count, spot, cubic)?)
        }
    })
}

/// The position of a time among the keys.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Spot {
    /// A key's own value applies.
    Key(usize),
    /// Between a key and the next.
    Between {
        key: usize,
        /// The fraction of the way, above 0 and below 1.
        fraction: f64,
        /// Seconds between the two keys.
        span: f64,
    },
}

impl Spot {
    fn find(times: &[f32], seconds: f64, interpolation: Interpolation) -> Option<Self> {
        let passed = times.partition_point(|&t| f64::from(t) <= seconds);
        Self::after(times, passed, seconds, interpolation)
    }

    /// The position of a time up to which this number of keys have passed.
    pub(super) fn after(
        times: &[f32],
        passed: usize,
        seconds: f64,
        interpolation: Interpolation,
    ) -> Option<Self> {
        let last = times.len().checked_sub(1)?;
        let Some(key) = passed.checked_sub(1) else { return Some(Spot::Key(0)) };
        if key >= last || interpolation == Interpolation::Step || f64::from(times[key]) == seconds {
            return Some(Spot::Key(key.min(last)));
        }
        let start = f64::from(times[key]);
        let span = f64::from(times[key + 1]) - start;
        Some(Spot::Between { key, fraction: (seconds - start) / span, span })
    }
}

/// The factors of glTF's cubic spline for the key's value, its out-tangent, the next key's value, and its in-tangent.
fn hermite(t: f64, span: f64) -> [f64; 4] {
    let (t2, t3) = (t * t, t * t * t);
    [2.0 * t3 - 3.0 * t2 + 1.0, span * (t3 - 2.0 * t2 + t), 3.0 * t2 - 2.0 * t3, span * (t3 - t2)]
}

/// The indices of those four in the values of a cubic track, which has in-tangent, value and out-tangent per key.
fn hermite_slots(key: usize) -> [usize; 4] {
    [3 * key + 1, 3 * key + 2, 3 * key + 4, 3 * key + 3]
}

/// The index of a key's value.
fn slot(key: usize, cubic: bool) -> usize {
    if cubic { 3 * key + 1 } else { key }
}

fn vector(values: &[Vec3], spot: Spot, cubic: bool) -> Option<Vec3> {
    let at = |i: usize| values.get(i).map(|v| v.as_dvec3());
    match spot {
        Spot::Key(key) => values.get(slot(key, cubic)).copied(),
        Spot::Between { key, fraction, span } if cubic => {
            let mut sum = DVec3::ZERO;
            for (i, factor) in hermite_slots(key).into_iter().zip(hermite(fraction, span)) {
                sum += at(i)? * factor;
            }
            Some(sum.as_vec3())
        }
        Spot::Between { key, fraction, .. } => Some(at(key)?.lerp(at(key + 1)?, fraction).as_vec3()),
    }
}

fn rotation(values: &[Quat], spot: Spot, cubic: bool) -> Option<DQuat> {
    let at = |i: usize| values.get(i).map(|q| q.as_dquat());
    match spot {
        Spot::Key(key) => at(slot(key, cubic)),
        Spot::Between { key, fraction, span } if cubic => {
            let mut sum = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);
            for (i, factor) in hermite_slots(key).into_iter().zip(hermite(fraction, span)) {
                sum += at(i)? * factor;
            }
            // Opposite keys can cancel to zero, which has no direction; then the key's own value is used.
            let length = sum.length();
            if length > 1e-12 { Some(sum / length) } else { at(3 * key + 1) }
        }
        Spot::Between { key, fraction, .. } => Some(slerp(at(key)?, at(key + 1)?, fraction)),
    }
}

/// Interpolates along the shorter arc at constant speed. Stored quaternions are unit length only within f32 rounding,
/// so they are normalised first.
fn slerp(a: DQuat, b: DQuat, t: f64) -> DQuat {
    let a = a.normalize();
    let b = b.normalize();
    let b = if a.dot(b) < 0.0 { -b } else { b };
    // The half-angle form keeps its precision for nearly equal rotations, where acos loses it.
    let angle = 2.0 * (a - b).length().atan2((a + b).length());
    if angle < 1e-9 {
        return a;
    }
    let sum = a * ((1.0 - t) * angle).sin() + b * (t * angle).sin();
    sum / angle.sin()
}

fn morph_weights(weights: &[f32], count: usize, spot: Spot, cubic: bool) -> Option<Vec<f32>> {
    let set = |i: usize| {
        let start = i.checked_mul(count)?;
        weights.get(start..start.checked_add(count)?)
    };
    match spot {
        Spot::Key(key) => set(slot(key, cubic)).map(<[f32]>::to_vec),
        Spot::Between { key, fraction, span } if cubic => {
            let mut sums = vec![0.0_f64; set(slot(key, cubic))?.len()];
            for (i, factor) in hermite_slots(key).into_iter().zip(hermite(fraction, span)) {
                for (sum, &weight) in sums.iter_mut().zip(set(i)?) {
                    *sum += f64::from(weight) * factor;
                }
            }
            Some(sums.into_iter().map(|w| w as f32).collect())
        }
        Spot::Between { key, fraction, .. } => {
            let pairs = set(key)?.iter().zip(set(key + 1)?);
            Some(
                pairs
                    .map(|(&a, &b)| (f64::from(a) + (f64::from(b) - f64::from(a)) * fraction) as f32)
                    .collect(),
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::NodeId;
    use std::f32::consts::{FRAC_1_SQRT_2, FRAC_PI_2};

    fn track(interpolation: Interpolation, times: &[f32], values: Values) -> Track {
        Track { node: NodeId(0), interpolation, times: times.into(), values }
    }

    fn xs(values: &[f32]) -> Values {
        Values::Translation(values.iter().map(|&x| Vec3::new(x, 0.0, 0.0)).collect())
    }

    fn x_at(track: &Track, seconds: f32) -> f32 {
        match sample(track, seconds) {
            Some(Sampled::Translation(v)) => v.x,
            other => panic!("{other:?}"),
        }
    }

    fn rotation_at(track: &Track, seconds: f32) -> Quat {
        match sample(track, seconds) {
            Some(Sampled::Rotation(q)) => q,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn ends_are_held() {
        for interpolation in [Interpolation::Step, Interpolation::Linear] {
            let track = track(interpolation, &[1.0, 2.0, 4.0], xs(&[10.0, 20.0, 40.0]));
            assert_eq!(x_at(&track, f32::NEG_INFINITY), 10.0);
            assert_eq!(x_at(&track, 0.0), 10.0);
            assert_eq!(x_at(&track, 4.0), 40.0);
            assert_eq!(x_at(&track, 9.0), 40.0);
            assert_eq!(x_at(&track, f32::NAN), 10.0);
        }
    }

    #[test]
    fn step_holds_and_linear_goes_straight() {
        let step = track(Interpolation::Step, &[1.0, 2.0, 4.0], xs(&[10.0, 20.0, 40.0]));
        let linear = track(Interpolation::Linear, &[1.0, 2.0, 4.0], xs(&[10.0, 20.0, 40.0]));
        assert_eq!(x_at(&step, 1.75), 10.0);
        assert_eq!(x_at(&step, 2.0), 20.0);
        assert_eq!(x_at(&linear, 1.75), 17.5);
        assert_eq!(x_at(&linear, 2.0), 20.0);
        assert_eq!(x_at(&linear, 2.5), 25.0);
    }

    /// Computed by hand from the formula in the glTF specification, appendix C: keys at 1 s and 3 s, so t = 0.25 at 1.5
    /// s and the tangents count twice. (2t³−3t²+1)=0.84375, (t³−2t²+t)=0.140625, (−2t³+3t²)=0.15625, (t³−t²)=−0.046875.
    #[test]
    fn cubic_follows_the_formula_of_the_gltf_specification() {
        let values = xs(&[99.0, 10.0, 4.0, 8.0, 20.0, 99.0]);
        let cubic = track(Interpolation::Cubic, &[1.0, 3.0], values);
        let expected = 0.84375 * 10.0 + 2.0 * 0.140625 * 4.0 + 0.15625 * 20.0 - 2.0 * 0.046875 * 8.0;
        assert!((x_at(&cubic, 1.5) - expected).abs() < 1e-6);
        assert_eq!((x_at(&cubic, 0.0), x_at(&cubic, 1.0), x_at(&cubic, 3.0)), (10.0, 10.0, 20.0));
    }

    #[test]
    fn cubic_rotations_are_normalised() {
        let zero = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
        let quarter = Quat::from_xyzw(0.0, FRAC_1_SQRT_2, 0.0, FRAC_1_SQRT_2);
        let values = Values::Rotation(vec![zero, Quat::IDENTITY, zero, zero, quarter, zero]);
        let cubic = track(Interpolation::Cubic, &[0.0, 1.0], values);
        // Halfway both keys weigh ½, so the sum points along the bisector: 45° about Y.
        let expected = Quat::from_rotation_y(FRAC_PI_2 / 2.0);
        assert!(rotation_at(&cubic, 0.5).abs_diff_eq(expected, 1e-6));
    }

    #[test]
    fn rotations_turn_evenly_along_the_shorter_arc() {
        let end = Quat::from_rotation_z(1.8);
        for end in [end, -end] {
            let values = Values::Rotation(vec![Quat::IDENTITY, end]);
            let linear = track(Interpolation::Linear, &[0.0, 2.0], values);
            for step in 1..10 {
                let t = step as f32 / 5.0;
                let expected = Quat::from_rotation_z(0.9 * t);
                let found = rotation_at(&linear, t);
                assert!(found.dot(expected).abs() > 1.0 - 1e-6, "{t}: {found} instead of {expected}");
                assert!(found.abs_diff_eq(expected, 1e-6), "{t}: {found} instead of {expected}");
            }
        }
    }

    #[test]
    fn nearly_equal_rotations_stay_finite_and_unit() {
        let a = Quat::from_rotation_x(0.5);
        let b = Quat::from_rotation_x(0.5 + 1e-6);
        for end in [a, b, -a] {
            let linear = track(Interpolation::Linear, &[0.0, 1.0], Values::Rotation(vec![a, end]));
            let found = rotation_at(&linear, 0.3);
            assert!((found.length() - 1.0).abs() < 1e-6 && found.dot(a).abs() > 1.0 - 1e-6, "{found}");
        }
    }

    #[test]
    fn morph_weights_in_all_interpolations() {
        let weights = |weights: &[f32]| Values::MorphWeights { count: 2, weights: weights.to_vec() };
        let at = |track: &Track, t| match sample(track, t) {
            Some(Sampled::MorphWeights(w)) => w,
            other => panic!("{other:?}"),
        };
        let linear = track(Interpolation::Linear, &[0.0, 2.0], weights(&[0.0, 1.0, 1.0, 0.5]));
        assert_eq!(at(&linear, 0.5), [0.25, 0.875]);
        let step = track(Interpolation::Step, &[0.0, 2.0], weights(&[0.0, 1.0, 1.0, 0.5]));
        assert_eq!(at(&step, 0.5), [0.0, 1.0]);
        let mut values = vec![0.0; 12];
        (values[2], values[3], values[8], values[9]) = (1.0, 2.0, 3.0, 4.0);
        let cubic = track(Interpolation::Cubic, &[0.0, 2.0], weights(&values));
        assert_eq!(at(&cubic, 1.0), [2.0, 3.0]);
        assert_eq!(at(&cubic, 2.0), [3.0, 4.0]);
    }

    #[test]
    fn broken_tracks_have_no_value() {
        assert_eq!(sample(&track(Interpolation::Linear, &[], xs(&[])), 0.0), None);
        assert_eq!(sample(&track(Interpolation::Linear, &[0.0, 1.0], xs(&[1.0])), 0.5), None);
        assert_eq!(sample(&track(Interpolation::Cubic, &[0.0, 1.0], xs(&[1.0, 2.0])), 0.5), None);
        let huge = Values::MorphWeights { count: usize::MAX, weights: vec![1.0] };
        assert_eq!(sample(&track(Interpolation::Cubic, &[0.0, 1.0], huge), 0.5), None);
    }
}
