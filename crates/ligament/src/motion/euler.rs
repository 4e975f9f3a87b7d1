//! Tracks of rotations as three curves of angles, for formats that interpolate each angle by itself.
//!
//! Angles about x, y and z are applied in that order, about axes that stay: `R = Rz · Ry · Rx`. Between two keys, they do
//! not follow the arc of a quaternion, so keys are added until they do. Cubic curves need few of them or none, lines many.
//!
//! Every rotation has two triples of angles, each with any number of whole turns: `(x, y, z)` and `(x + π, π − y, z + π)`.
//! Where y is a right angle (gimbal lock), only the sum or the difference of x and z counts. A key is given the triple
//! that is nearest to the key before it, so that no angle jumps.

use super::fit::{Fit, Motion};
use super::property::Value;
use crate::angles::about;
use crate::pose::rotation_at;
use crate::scene::{Interpolation, Track, Values};
use glam::{DQuat, DVec3};
use libm::{atan2, hypot};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Closer to a right angle than this, y hides how x and z share their turn.
const LOCKED: f64 = 1e-6;

/// Angles at keys, which curves go through.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct EulerCurves {
    /// How the angles are interpolated.
    pub(crate) interpolation: Interpolation,
    /// Seconds, strictly ascending, each of them a 32-bit number.
    pub(crate) times: Vec<f64>,
    /// Radians. From key to key, no angle changes by more than the rotation demands.
    pub(crate) angles: Vec<DVec3>,
    /// For cubic curves: the slopes per second with which a curve arrives at each key, and those with which it leaves it.
    pub(crate) slopes: Vec<[DVec3; 2]>,
}

/// The rotation by these angles. Here and below with the same bits on every platform.
pub(crate) fn from_angles(angles: DVec3) -> DQuat {
    about(DVec3::Z, angles.z) * about(DVec3::Y, angles.y) * about(DVec3::X, angles.x)
}

/// The angles of a rotation; y is between −π/2 and π/2.
pub(crate) fn to_angles(rotation: DQuat) -> DVec3 {
    let q = rotation.normalize();
    let (x_axis, z_axis) = (q * DVec3::X, q * DVec3::Z);
    // The x axis is turned by y and z alone.
    let flat = hypot(x_axis.x, x_axis.y);
    let y = atan2(-x_axis.z, flat);
    if flat < LOCKED {
        // All of the turn is given to z, so that x is 0.
        let y_axis = q * DVec3::Y;
        return DVec3::new(0.0, FRAC_PI_2.copysign(y), atan2(-y_axis.x, y_axis.y));
    }
    let y_axis = q * DVec3::Y;
    DVec3::new(atan2(y_axis.z, z_axis.z), y, atan2(x_axis.y, x_axis.x))
}

/// Whether y is a right angle.
fn is_locked(angles: DVec3) -> bool {
    libm::cos(angles.y).abs() < LOCKED
}

/// An angle with as many whole turns as bring it nearest to another.
fn unrolled(angle: f64, near: f64) -> f64 {
    angle + TAU * ((near - angle) / TAU).round()
}

/// The triple for the same rotation that is nearest to another triple.
fn nearest(angles: DVec3, near: DVec3) -> DVec3 {
    if is_locked(angles) {
        // What counts is z − x at 90°, and z + x at −90°. The rest of the way is shared evenly.
        let sign = libm::sin(angles.y).signum();
        let left = unrolled(angles.z - sign * angles.x, near.z - sign * near.x) - (near.z - sign * near.x);
        let y = unrolled(angles.y, near.y);
        return DVec3::new(near.x - sign * left / 2.0, y, near.z + left / 2.0);
    }
    let unroll = |a: DVec3| DVec3::new(unrolled(a.x, near.x), unrolled(a.y, near.y), unrolled(a.z, near.z));
    let (same, flipped) = (unroll(angles), unroll(DVec3::new(angles.x + PI, PI - angles.y, angles.z + PI)));
    if flipped.distance_squared(near) < same.distance_squared(near) { flipped } else { same }
}

/// Both ends of a stretch, as near to each other as they can be. The first changes only where its y is a right angle.
fn aligned(from: DVec3, to: DVec3) -> (DVec3, DVec3) {
    let to = nearest(to, from);
    if is_locked(from) && !is_locked(to) { (nearest(from, to), to) } else { (from, to) }
}

/// Converts a track of rotations to curves of angles, with keys added until the rotations between keys are as near as
/// the fit wants. Steps stay steps. Others become [lines](Interpolation::Linear) or [cubics](Interpolation::Cubic), as
/// asked for. `weight` is how much a radian counts, relative to the model's size.
///
/// `None` for a track of another property, or without keys.
pub(crate) fn euler_curves(
    track: &Track,
    between: Interpolation,
    weight: f64,
    fit: &mut Fit<'_>,
) -> Option<EulerCurves> {
    let Values::Rotation(_) = &track.values else { return None };
    rotation_at(track, 0.0)?;
    let times = track.times.iter().copied().map(f64::from);
    if track.interpolation == Interpolation::Step {
        let keys = times.filter_map(|time| Some((time, to_angles(rotation_at(track, time)?))));
        return Some(unroll(keys, Interpolation::Step, track));
    }
    let motion = Turning { track, between, weight };
    let mut keys = Vec::with_capacity(track.times.len());
    fit.follow(&motion, times, &mut |_, key: Key| keys.push((key.time, key.angles)));
    Some(unroll(keys.into_iter(), between, track))
}

/// Gives each key the angles nearest to those before it. Where y is a right angle, x and z may have to arrive with other
/// values than those they leave with: then two keys for the same rotation follow each other at once.
fn unroll(
    keys: impl Iterator<Item = (f64, DVec3)>,
    interpolation: Interpolation,
    track: &Track,
) -> EulerCurves {
    let mut curves = EulerCurves { interpolation, times: Vec::new(), angles: Vec::new(), slopes: Vec::new() };
    for (time, angles) in keys {
        let Some((&last_time, &last)) = curves.times.last().zip(curves.angles.last()) else {
            curves.push(time, angles);
            continue;
        };
        let (leaving, angles) = aligned(last, angles);
        let next = f64::from((last_time as f32).next_up());
        if leaving.distance(last) > LOCKED && next < time {
            curves.push(next, leaving);
        } else if let Some(last) = curves.angles.last_mut() {
            *last = leaving;
        }
        curves.push(time, angles);
    }
    if interpolation == Interpolation::Cubic {
        curves.find_slopes(track);
    }
    curves
}

impl EulerCurves {
    fn push(&mut self, time: f64, angles: DVec3) {
        self.times.push(time);
        self.angles.push(angles);
    }

    fn find_slopes(&mut self, track: &Track) {
        self.slopes = vec![[DVec3::ZERO; 2]; self.times.len()];
        for i in 1..self.times.len() {
            let ends = [(self.times[i - 1], self.angles[i - 1]), (self.times[i], self.angles[i])];
            let [leaving, arriving] = slopes(track, ends[0], ends[1]);
            let length = ends[1].0 - ends[0].0;
            self.slopes[i - 1][1] = leaving / length;
            self.slopes[i][0] = arriving / length;
        }
    }
}

/// The slopes, per stretch, at the ends of the cubics through the angles at the ends, at a third and at two thirds.
fn slopes(track: &Track, from: (f64, DVec3), to: (f64, DVec3)) -> [DVec3; 2] {
    let at = |part: f64| {
        let near = from.1.lerp(to.1, part);
        let time = from.0 + (to.0 - from.0) * part;
        rotation_at(track, time).map_or(near, |rotation| nearest(to_angles(rotation), near))
    };
    let (third, two_thirds) = (at(1.0 / 3.0), at(2.0 / 3.0));
    [
        from.1 * -5.5 + third * 9.0 - two_thirds * 4.5 + to.1,
        -from.1 + third * 4.5 - two_thirds * 9.0 + to.1 * 5.5,
    ]
}

/// A track of rotations, and how curves of angles play it.
struct Turning<'t> {
    track: &'t Track,
    between: Interpolation,
    weight: f64,
}

/// Angles at a time. Distances need the exact rotation, which angles have, too.
struct Key {
    time: f64,
    angles: DVec3,
}

impl Motion for Turning<'_> {
    type Key = Key;

    fn at(&self, time: f64) -> Key {
        let angles = rotation_at(self.track, time).map_or(DVec3::ZERO, to_angles);
        Key { time, angles }
    }

    fn between(&self, from: &Key, to: &Key, fraction: f64) -> Key {
        let (start, end) = aligned(from.angles, to.angles);
        let time = from.time + (to.time - from.time) * fraction;
        if self.between != Interpolation::Cubic {
            return Key { time, angles: start.lerp(end, fraction) };
        }
        let [leaving, arriving] = slopes(self.track, (from.time, start), (to.time, end));
        let (t, t2, t3) = (fraction, fraction * fraction, fraction.powi(3));
        let angles = start * (2.0 * t3 - 3.0 * t2 + 1.0)
            + leaving * (t3 - 2.0 * t2 + t)
            + end * (3.0 * t2 - 2.0 * t3)
            + arriving * (t3 - t2);
        Key { time, angles }
    }

    fn distance(&self, made: &Key, wanted: &Key) -> f64 {
        from_angles(made.angles).distance(&from_angles(wanted.angles)) * self.weight
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::{Fitted, KeyBudget, Tolerance};
    use crate::scene::NodeId;
    use glam::Quat;

    fn track(interpolation: Interpolation, times: &[f32], turns: &[DQuat]) -> Track {
        let values = Values::Rotation(turns.iter().map(|turn| turn.as_quat()).collect());
        Track { node: NodeId(0), interpolation, times: times.into(), values }
    }

    fn curves(track: &Track, between: Interpolation) -> (EulerCurves, Fitted) {
        let mut budget = KeyBudget::default();
        let mut fit = Fit::new(Tolerance::FINE, &mut budget);
        let curves = euler_curves(track, between, 1.0, &mut fit).expect("a track of rotations with keys");
        (curves, fit.done)
    }

    /// Plays the curves as a program that knows nothing of quaternions does.
    fn played(curves: &EulerCurves, time: f64) -> DQuat {
        let i = curves.times.partition_point(|&t| t <= time).clamp(1, curves.times.len().max(2) - 1);
        let (from, to) = (curves.times[i - 1], curves.times[i]);
        let (t, length) = ((time - from) / (to - from), to - from);
        let (a, b) = (curves.angles[i - 1], curves.angles[i]);
        from_angles(match curves.interpolation {
            Interpolation::Step => a,
            Interpolation::Linear => a + (b - a) * t,
            Interpolation::Cubic => {
                // De Casteljau on the control points, which is another way to say the same.
                let (p, q) =
                    (a + curves.slopes[i - 1][1] * (length / 3.0), b - curves.slopes[i][0] * (length / 3.0));
                let [d, e, f] = [a.lerp(p, t), p.lerp(q, t), q.lerp(b, t)];
                d.lerp(e, t).lerp(e.lerp(f, t), t)
            }
        })
    }

    /// The largest angle, in radians, between the curves and the track at 2,000 times.
    fn worst(curves: &EulerCurves, track: &Track) -> f64 {
        let (from, to) = (f64::from(track.times[0]), f64::from(*track.times.last().unwrap()));
        let times = (0..2000).map(|i| from + (to - from) * (f64::from(i) + 0.5) / 2000.0);
        times.map(|t| played(curves, t).distance(&rotation_at(track, t).unwrap())).fold(0.0, f64::max)
    }

    fn no_jumps(curves: &EulerCurves) -> bool {
        curves.angles.windows(2).all(|pair| (pair[1] - pair[0]).abs().max_element() < PI + 1e-9)
    }

    const BOTH: [Interpolation; 2] = [Interpolation::Linear, Interpolation::Cubic];

    #[test]
    fn angles_make_their_rotation_whatever_it_is() {
        let mut state = 7_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 11) as f64 / (1_u64 << 53) as f64 * 2.0 - 1.0
        };
        for _ in 0..10_000 {
            let q = DQuat::from_xyzw(random(), random(), random(), random()).normalize();
            let angles = to_angles(q);
            assert!(from_angles(angles).distance(&q) < 1e-9, "{q}");
            let near = DVec3::new(random(), random(), random()) * 20.0;
            assert!(from_angles(nearest(angles, near)).distance(&q) < 1e-9, "{q} near {near}");
        }
        for (x, y, z) in [(0.3, 90.0, 0.7), (-1.0, -90.0, 2.0), (0.0, 90.0, 0.0), (3.0, 270.0, 1.0)] {
            let q = from_angles(DVec3::new(x, f64::to_radians(y), z));
            let angles = to_angles(q.as_quat().as_dquat());
            assert!(from_angles(angles).distance(&q) < 3e-6, "{x} {y} {z}: {angles}");
            let near = DVec3::new(5.0, 1.6, -9.0);
            let moved = nearest(to_angles(q), near);
            assert!(from_angles(moved).distance(&q) < 3e-6, "{x} {y} {z}: {moved}");
            assert!((moved - near).abs().max_element() < PI, "{moved}");
        }
        // A hand-worked one: x by 90°, then z by 90°, takes x to y, y to z, and z to x.
        let q = from_angles(DVec3::new(FRAC_PI_2, 0.0, FRAC_PI_2));
        let axes = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| q * axis);
        let found = axes.iter().zip([DVec3::Y, DVec3::Z, DVec3::X]).map(|(a, b)| DVec3::distance(*a, b));
        assert!(found.fold(0.0, f64::max) < 1e-12);
    }

    #[test]
    fn curves_follow_arcs_within_the_tolerance() {
        let turns: Vec<DQuat> = (0..20)
            .map(|i| from_angles(DVec3::new(0.31, 0.17, -0.23) * f64::from(i) + DVec3::new(0.1, 0.0, 0.4)))
            .collect();
        let times: Vec<f32> = (0..20).map(|i| i as f32 / 30.0).collect();
        let track = track(Interpolation::Linear, &times, &turns);
        let [lines, cubics] = BOTH.map(|between| {
            let (curves, done) = curves(&track, between);
            assert!(no_jumps(&curves) && !done.cut_short, "{between:?}: {done:?}");
            let worst = worst(&curves, &track);
            assert!(worst < 1.5e-5 && done.left <= 1e-5, "{between:?}: {worst:e}");
            done.added
        });
        assert!(lines > 100 && cubics * 10 < lines, "{lines} lines, {cubics} cubics");
    }

    #[test]
    fn a_wheel_turns_on_without_a_jump() {
        for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
            let turns: Vec<DQuat> =
                (0..40).map(|i| DQuat::from_axis_angle(axis, f64::from(i) * 0.5)).collect();
            let times: Vec<f32> = (0..40).map(|i| i as f32 / 8.0).collect();
            let track = track(Interpolation::Linear, &times, &turns);
            for between in BOTH {
                let (curves, done) = curves(&track, between);
                assert!(no_jumps(&curves) && worst(&curves, &track) < 2e-5, "{axis}: {done:?}");
                let turned = curves.angles.last().unwrap().dot(axis);
                assert!((turned - 19.5).abs() < 1e-4, "{axis}: {turned}");
                assert_eq!(done.added, 0, "{axis}");
            }
        }
    }

    #[test]
    fn gimbal_lock_is_gone_through() {
        let tilt = |y: f64| from_angles(DVec3::new(0.2, y.to_radians(), 0.5));
        let across = DQuat::from_rotation_x(0.3);
        let cases = [
            // Exactly at a right angle, straight on, and then off to the side.
            vec![tilt(60.0), tilt(90.0), tilt(120.0), across * tilt(120.0)],
            vec![tilt(60.0), tilt(90.0), across * tilt(90.0), across * tilt(60.0)],
            vec![tilt(-80.0), tilt(-90.0), across * tilt(-75.0), tilt(-90.0), tilt(-90.0)],
            // Past it at a small distance.
            vec![tilt(60.0), DQuat::from_rotation_z(0.01) * tilt(89.9), across * tilt(100.0), tilt(170.0)],
        ];
        for (number, turns) in cases.iter().enumerate() {
            let times: Vec<f32> = (0..turns.len()).map(|i| i as f32 / 4.0).collect();
            let track = track(Interpolation::Linear, &times, turns);
            for between in BOTH {
                let (curves, done) = curves(&track, between);
                let worst = worst(&curves, &track);
                assert!(worst < 2e-4 && no_jumps(&curves), "{number}, {between:?}: {worst:e}, {done:?}");
                assert!(curves.times.is_sorted_by(|a, b| a < b) && done.left <= 1e-4, "{done:?}");
                assert!(curves.times.len() < 600, "{number}: {} keys", curves.times.len());
            }
        }
    }

    #[test]
    fn steps_stay_steps_and_cubics_are_followed() {
        let turns = [0.0, 1.0, 4.0].map(DQuat::from_rotation_y);
        let (steps, done) =
            curves(&track(Interpolation::Step, &[0.0, 1.0, 2.5], &turns), Interpolation::Cubic);
        assert_eq!(
            (steps.interpolation, steps.times.as_slice()),
            (Interpolation::Step, &[0.0, 1.0, 2.5][..])
        );
        assert_eq!((done, steps.slopes.len()), (Fitted::default(), 0));
        assert!((steps.angles[2].y - 4.0).abs() < 1e-6, "{:?}", steps.angles);

        let zero = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
        let (a, b) = (Quat::from_rotation_x(0.2), Quat::from_euler(glam::EulerRot::XYZ, 0.9, 0.8, -1.1));
        let values = Values::Rotation(vec![zero, a, zero, zero, b, zero]);
        let times = [0.0, 1.0].into();
        let track = Track { node: NodeId(0), interpolation: Interpolation::Cubic, times, values };
        for between in BOTH {
            let (curves, done) = curves(&track, between);
            assert!(done.left <= 1e-5 && worst(&curves, &track) < 1.5e-5, "{between:?} {done:?}");
        }
    }

    #[test]
    fn what_has_no_rotation_has_no_angles() {
        let mut budget = KeyBudget::default();
        let mut fit = Fit::new(Tolerance::FINE, &mut budget);
        let none = track(Interpolation::Linear, &[], &[]);
        assert_eq!(euler_curves(&none, Interpolation::Linear, 1.0, &mut fit), None);
        let scale = Track { values: Values::Scale(vec![glam::Vec3::ONE]), ..none };
        assert_eq!(euler_curves(&scale, Interpolation::Linear, 1.0, &mut fit), None);
        let one = track(Interpolation::Linear, &[2.0], &[DQuat::from_rotation_z(1.0)]);
        let (curves, _) = curves(&one, Interpolation::Cubic);
        assert_eq!((curves.times.len(), curves.slopes.len()), (1, 1));
    }
}
