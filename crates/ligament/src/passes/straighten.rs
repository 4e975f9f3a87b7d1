//! Key times with which linear interpolation follows a cubic track.

use crate::motion::{Fit, KeyBudget, Property, Tolerance, Value};
use crate::pose::{Sampled, sample};
use crate::scene::{Track, Values};
use glam::{DQuat, DVec3};
use std::sync::Arc;

/// The track's own key times, plus as many between them as linear interpolation needs to follow it. The vertices that
/// it moves are not known here: lengths count as fractions of the model's size, and rotations, scales and weights as
/// they are.
pub(super) fn straighten(track: &Track, size: f64, budget: &mut KeyBudget) -> Arc<[f32]> {
    let per_unit = if size > 0.0 { 1.0 / size } else { 1.0 };
    match &track.values {
        Values::Translation(_) => times(track, per_unit, vector, budget),
        Values::Scale(_) => times(track, 1.0, vector, budget),
        Values::Rotation(_) => times(track, 1.0, rotation, budget),
        Values::MorphWeights { .. } => times(track, 1.0, weights, budget),
    }
}

fn times<V: Value>(
    track: &Track,
    weight: f64,
    value: fn(Option<Sampled>) -> V,
    budget: &mut KeyBudget,
) -> Arc<[f32]> {
    let curve = Property::new(|time| value(sample(track, time as f32)), weight);
    let mut times = Vec::with_capacity(track.times.len());
    let keys = track.times.iter().copied().map(f64::from);
    Fit::new(Tolerance::COARSE, budget).follow(&curve, keys, &mut |time, _| times.push(time as f32));
    times.into()
}

fn vector(sampled: Option<Sampled>) -> DVec3 {
    match sampled {
        Some(Sampled::Translation(v) | Sampled::Scale(v)) => v.as_dvec3(),
        _ => DVec3::ZERO,
    }
}

fn rotation(sampled: Option<Sampled>) -> DQuat {
    if let Some(Sampled::Rotation(q)) = sampled { q.as_dquat().normalize() } else { DQuat::IDENTITY }
}

fn weights(sampled: Option<Sampled>) -> Vec<f64> {
    let Some(Sampled::MorphWeights(weights)) = sampled else { return Vec::new() };
    weights.into_iter().map(f64::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Interpolation, NodeId};
    use glam::{Quat, Vec3};

    fn cubic(values: Values) -> Track {
        Track { node: NodeId(0), interpolation: Interpolation::Cubic, times: [0.0, 1.0, 2.0].into(), values }
    }

    fn key_count(values: Values) -> usize {
        straighten(&cubic(values), 2.0, &mut KeyBudget::default()).len()
    }

    #[test]
    fn every_property_gets_keys_where_it_bends() {
        // From one value to the other, eased at both ends, then constant.
        let (zero, one, two) = (Vec3::ZERO, Vec3::X, Vec3::X * 2.0);
        let eased = |end: Vec3| vec![zero, zero, zero, zero, end, zero, zero, end, zero];
        let weights: Vec<f32> = eased(one).iter().map(|v| v.x).collect();
        let found = [
            key_count(Values::Translation(eased(two))),
            key_count(Values::Scale(eased(one))),
            key_count(Values::MorphWeights { count: 1, weights }),
        ];
        assert!((30..120).contains(&found[0]), "{found:?}");
        assert_eq!(found, [found[0]; 3], "a half of the model's size is as much as a half of a weight");
    }

    #[test]
    fn rotations_count_by_their_angle_whatever_their_sign() {
        let (none, still) = (Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), Quat::IDENTITY);
        // From the identity to its negative, the curve passes through zero, and every value on it is the same rotation.
        assert_eq!(
            key_count(Values::Rotation(vec![none, still, none, none, -still, none, none, still, none])),
            3
        );
        let turned = Quat::from_rotation_z(1.5);
        let values = vec![none, still, none, none, turned, none, none, turned, none];
        let found = key_count(Values::Rotation(values));
        assert!((30..200).contains(&found), "{found}");
    }

    #[test]
    fn a_track_without_keys_gets_none() {
        let empty = Track { times: Arc::from([]), ..cubic(Values::Scale(Vec::new())) };
        assert!(straighten(&empty, 1.0, &mut KeyBudget::default()).is_empty());
    }
}
