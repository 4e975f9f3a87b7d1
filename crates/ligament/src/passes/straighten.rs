//! Key times with which straight lines follow a curve.

use crate::pose::{Sampled, sample};
use crate::scene::Track;
use std::sync::Arc;

/// Each stretch between two keys is halved at most so often.
const DEEPEST: u32 = 8;

/// How far a straight line may be from the curve.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tolerance {
    /// Of translations, in scene units.
    pub length: f64,
    /// Of rotations in radians, of scales and morph weights as they are.
    pub other: f64,
}

/// The track's own key times, and between them as many more as lines need to stay within the tolerance. `budget` is how
/// many may be added; it is reduced by those that were.
pub(super) fn straighten(track: &Track, tolerance: Tolerance, budget: &mut usize) -> Arc<[f32]> {
    let mut times = Vec::with_capacity(track.times.len());
    times.extend(track.times.first());
    for pair in track.times.windows(2) {
        halve(track, (pair[0], pair[1]), tolerance, DEEPEST, budget, &mut times);
        times.push(pair[1]);
    }
    times.into()
}

fn halve(
    track: &Track,
    (start, end): (f32, f32),
    tolerance: Tolerance,
    depth: u32,
    budget: &mut usize,
    times: &mut Vec<f32>,
) {
    let middle = start + (end - start) * 0.5;
    let can_be_halved = depth > 0 && *budget > 0 && start < middle && middle < end;
    if !can_be_halved || is_straight(track, (start, end), tolerance) {
        return;
    }
    *budget -= 1;
    halve(track, (start, middle), tolerance, depth - 1, budget, times);
    times.push(middle);
    halve(track, (middle, end), tolerance, depth - 1, budget, times);
}

/// Whether a line from the one time to the other stays near the track.
fn is_straight(track: &Track, (start, end): (f32, f32), tolerance: Tolerance) -> bool {
    let (Some(first), Some(last)) = (sample(track, start), sample(track, end)) else { return true };
    [0.25, 0.5, 0.75].into_iter().all(|part| {
        let time = start + (end - start) * part;
        sample(track, time).is_none_or(|wanted| is_near(&first, &last, f64::from(part), &wanted, tolerance))
    })
}

/// Whether the line is near a value when it has come so far.
fn is_near(first: &Sampled, last: &Sampled, part: f64, wanted: &Sampled, tolerance: Tolerance) -> bool {
    match (first, last, wanted) {
        (Sampled::Translation(a), Sampled::Translation(b), Sampled::Translation(w)) => {
            a.as_dvec3().lerp(b.as_dvec3(), part).distance(w.as_dvec3()) <= tolerance.length
        }
        (Sampled::Scale(a), Sampled::Scale(b), Sampled::Scale(w)) => {
            a.as_dvec3().lerp(b.as_dvec3(), part).distance(w.as_dvec3()) <= tolerance.other
        }
        (Sampled::Rotation(a), Sampled::Rotation(b), Sampled::Rotation(w)) => {
            // Twice the distance of unit quaternions is the angle between them, where it is small.
            let line = a.as_dquat().slerp(b.as_dquat(), part);
            let wanted = w.as_dquat();
            let wanted = if line.dot(wanted) < 0.0 { -wanted } else { wanted };
            2.0 * (line - wanted).length() <= tolerance.other
        }
        (Sampled::MorphWeights(a), Sampled::MorphWeights(b), Sampled::MorphWeights(w)) => {
            let line = a.iter().zip(b).map(|(&a, &b)| f64::from(a) + f64::from(b - a) * part);
            line.zip(w).all(|(line, &w)| (line - f64::from(w)).abs() <= tolerance.other)
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Interpolation, NodeId, Values};
    use glam::{Quat, Vec3};

    const TOLERANCE: Tolerance = Tolerance { length: 1e-3, other: 1e-3 };

    fn cubic(values: Values) -> Track {
        Track { node: NodeId(0), interpolation: Interpolation::Cubic, times: [0.0, 1.0, 2.0].into(), values }
    }

    /// From 0 to 1 with an ease at both ends, then nothing.
    fn eased() -> Track {
        let (zero, one) = (Vec3::ZERO, Vec3::X);
        cubic(Values::Translation(vec![zero, zero, zero, zero, one, zero, zero, one, zero]))
    }

    #[test]
    fn lines_stay_near_and_keys_come_where_it_bends() {
        let track = eased();
        let times = straighten(&track, TOLERANCE, &mut 1000);
        let bent = times.iter().filter(|&&t| t > 0.0 && t < 1.0).count();
        assert!((8..40).contains(&bent), "{bent}");
        assert!(!times.iter().any(|&t| t > 1.0 && t < 2.0), "a straight stretch needs no keys: {times:?}");
        let x = |t: f32| match sample(&track, t) {
            Some(Sampled::Translation(v)) => f64::from(v.x),
            other => panic!("{other:?}"),
        };
        for pair in times.windows(2) {
            for part in 1..16 {
                let part = part as f32 / 16.0;
                let line = x(pair[0]) + (x(pair[1]) - x(pair[0])) * f64::from(part);
                let off = (line - x(pair[0] + (pair[1] - pair[0]) * part)).abs();
                assert!(off <= 1.1e-3, "{off} in {pair:?}");
            }
        }
    }

    #[test]
    fn rotations_count_by_their_angle_whatever_their_sign() {
        let (none, still) = (Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), Quat::IDENTITY);
        let values = vec![none, still, none, none, -still, none, none, still, none];
        // From one name of the identity to the other the curve passes through zero; every value on it is the same turn.
        assert_eq!(straighten(&cubic(Values::Rotation(values)), TOLERANCE, &mut 1000).len(), 3);
        let turned = Quat::from_rotation_z(1.5);
        let values = vec![none, still, none, none, turned, none, none, turned, none];
        let found = straighten(&cubic(Values::Rotation(values)), TOLERANCE, &mut 1000).len();
        assert!((10..60).contains(&found), "{found}");
    }

    #[test]
    fn the_budget_is_kept() {
        let mut budget = 5;
        assert_eq!(straighten(&eased(), TOLERANCE, &mut budget).len(), 8);
        assert_eq!(budget, 0);
        let none = Track { times: Arc::from([]), ..eased() };
        assert!(straighten(&none, TOLERANCE, &mut budget).is_empty());
    }
}
