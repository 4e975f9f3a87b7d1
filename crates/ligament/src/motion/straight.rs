//! Rotations that go along the straight line between two quaternions, normalised, instead of along the arc.

use crate::scene::Interpolation;
use glam::{DQuat, Quat};

/// Quaternions closer than this (in radians between them) rotate at a nearly constant speed on a straight line.
const EVEN: f64 = 0.03;

/// The interpolation and values of a track whose rotations go straight from key to key: of a cubic track whose tangents
/// are the slopes, which is that line exactly, or of a linear one where nobody could tell the difference.
pub(crate) fn straight_turns(times: &[f32], turns: &[DQuat]) -> (Interpolation, Vec<Quat>) {
    let keys: Vec<Quat> = turns.iter().map(|turn| turn.as_quat()).collect();
    if turns.windows(2).all(|pair| pair[0].dot(pair[1]) >= EVEN.cos()) {
        return (Interpolation::Linear, keys);
    }
    let zero = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    // Based on the stored values, so that slopes and ends agree.
    let slope = |from: usize| {
        let (Some(&end), Some(&until)) = (keys.get(from + 1), times.get(from + 1)) else { return zero };
        let rise = end.as_dquat() - keys[from].as_dquat();
        let slope = (rise / (f64::from(until) - f64::from(times[from]))).as_quat();
        if slope.is_finite() { slope } else { zero }
    };
    let key = |i: usize| [i.checked_sub(1).map_or(zero, slope), keys[i], slope(i)];
    (Interpolation::Cubic, (0..keys.len().min(times.len())).flat_map(key).collect())
}

/// Makes neighbouring quaternions lie in one hemisphere, so that the straight line between them is the shorter way, also
/// for programs that interpolate without checking.
pub(crate) fn one_side(turns: &mut [DQuat]) {
    for i in 1..turns.len() {
        if turns[i - 1].dot(turns[i]) < 0.0 {
            turns[i] = -turns[i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pose::{Sampled, sample};
    use crate::scene::{NodeId, Track, Values};

    #[test]
    fn rotations_go_along_the_chord() {
        let times = [0.5, 1.5, 3.5];
        let turns = [0.0, 1.8, 1.9].map(DQuat::from_rotation_y);
        let (interpolation, values) = straight_turns(&times, &turns);
        let values = Values::Rotation(values);
        let track = Track { node: NodeId(0), interpolation, times: times.into(), values };
        for (from, part) in [(0, 0.2), (0, 0.5), (0, 0.9), (1, 0.25)] {
            let time = times[from] + (times[from + 1] - times[from]) * part;
            let wanted = turns[from] * f64::from(1.0 - part) + turns[from + 1] * f64::from(part);
            let Some(Sampled::Rotation(found)) = sample(&track, time) else { panic!("no rotation") };
            assert!(found.abs_diff_eq(wanted.normalize().as_quat(), 1e-6), "{time}: {found}");
        }
    }

    #[test]
    fn small_turns_and_single_keys_are_linear() {
        let near = [0.0, 0.05, 0.1].map(DQuat::from_rotation_x);
        assert_eq!(straight_turns(&[0.0, 1.0, 2.0], &near).0, Interpolation::Linear);
        assert_eq!(straight_turns(&[0.0], &near[..1]), (Interpolation::Linear, vec![Quat::IDENTITY]));
        assert_eq!(straight_turns(&[], &[]).1, []);
    }
}
