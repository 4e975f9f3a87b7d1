//! The creature's clips: idle, walk and wave, each of them a loop.

use super::math::{cos, mix, ramp, rotation, sin};
use super::skeleton::Skeleton;
use super::stance::Stance;
use super::tracks::clip;
use ligament::math::{DQuat, DVec3};
use ligament::scene::Clip;

/// All clips.
pub fn all(skeleton: &Skeleton) -> Vec<Clip> {
    vec![
        clip(skeleton, "idle", 2.0, 12, &|t| idle(skeleton, t)),
        clip(skeleton, "walk", 1.0, 16, &|t| walk(skeleton, t)),
        clip(skeleton, "wave", 1.5, 24, &|t| wave(skeleton, t)),
    ]
}

/// Nods forward and down.
fn pitch(degrees: f64) -> DQuat {
    rotation(DVec3::X, degrees)
}

/// Turns to the left.
fn yaw(degrees: f64) -> DQuat {
    rotation(DVec3::Y, degrees)
}

/// Leans to the right.
fn roll(degrees: f64) -> DQuat {
    rotation(DVec3::Z, degrees)
}

const LEGS: [(&str, &str); 4] = [("hind", "l"), ("front", "l"), ("hind", "r"), ("front", "r")];

/// Each joint of the tail swings a little later than the one before it.
fn swing_tail(stance: &mut Stance, t: f64, sideways: f64, up: f64) {
    for i in 1..=5 {
        let late = t - f64::from(i) * 0.09;
        let more = 0.6 + 0.14 * f64::from(i);
        let turn = yaw(sideways * more * sin(late)) * pitch(up * more * sin(2.0 * late));
        stance.turn(&format!("tail_{i}"), turn);
    }
}

/// Both ears, mirrored: outwards and back.
fn ears(stance: &mut Stance, left: (f64, f64), right: (f64, f64)) {
    stance.turn("ear_l", roll(-left.0) * pitch(-left.1));
    stance.turn("ear_r", roll(right.0) * pitch(-right.1));
}

/// Breathes, sways its tail, looks about, and twitches an ear.
fn idle(skeleton: &Skeleton, t: f64) -> Stance<'_> {
    let mut stance = Stance::rest(skeleton);
    let breath = 0.5 - 0.5 * cos(t);
    stance.breath = 1.0 + 0.10 * breath;
    stance.shift = DVec3::new(0.0, -0.008 * breath, 0.0);
    stance.turn("spine", pitch(-1.2 * breath));
    stance.turn("chest", pitch(-breath));
    stance.turn("neck", pitch(1.6 * breath) * yaw(3.0 * sin(t)));
    stance.turn("head", pitch(0.8 * breath) * yaw(5.0 * sin(t - 0.06)) * roll(2.5 * sin(t)));
    swing_tail(&mut stance, t, 11.0, 1.5);
    let twitch = ramp(0.55, 0.61, t) * ramp(0.70, 0.64, t);
    ears(&mut stance, (3.0 * breath + 16.0 * twitch, -6.0 * twitch), (3.0 * breath, 0.0));
    for (leg, side) in LEGS {
        stance.reach(leg, side, DVec3::ZERO, DQuat::IDENTITY);
    }
    stance
}

/// The fraction of a step during which a paw is on the ground.
const ON_GROUND: f64 = 0.64;

/// A paw's motion through one step, from the moment it touches the ground: its offset, and how far its toes point down.
fn step(t: f64, stride: f64, lift: f64) -> (DVec3, f64) {
    let t = t - t.floor();
    if t < ON_GROUND {
        let back = t / ON_GROUND;
        return (DVec3::new(0.0, 0.0, stride * (0.5 - back)), 0.0);
    }
    let s = (t - ON_GROUND) / (1.0 - ON_GROUND);
    let forward = mix(-0.5, 0.5, ramp(0.0, 1.0, s));
    let height = 16.0 * s * s * (1.0 - s) * (1.0 - s);
    let toes =
        40.0 * ramp(0.0, 0.3, s) * ramp(0.85, 0.35, s) - 14.0 * ramp(0.55, 0.8, s) * ramp(1.0, 0.85, s);
    (DVec3::new(0.0, lift * height, stride * forward), toes)
}

/// A four-beat walk in place: left hind, left front, right hind, right front.
fn walk(skeleton: &Skeleton, t: f64) -> Stance<'_> {
    let mut stance = Stance::rest(skeleton);
    stance.shift = DVec3::new(0.012 * sin(t + 0.10), -0.014 + 0.010 * cos(2.0 * t + 0.1), 0.0);
    stance.turn("hips", yaw(4.0 * sin(t + 0.35)) * roll(3.0 * sin(t + 0.1)));
    stance.turn("spine", yaw(-5.0 * sin(t + 0.30)) * roll(-2.0 * sin(t + 0.1)));
    stance.turn("chest", yaw(-3.0 * sin(t + 0.25)) * pitch(1.5 * cos(2.0 * t + 0.3)) * roll(-3.0 * sin(t)));
    stance.turn("neck", yaw(2.5 * sin(t + 0.25)) * pitch(2.5 * cos(2.0 * t + 0.15)) * roll(1.5 * sin(t)));
    stance.turn("head", yaw(1.5 * sin(t + 0.2)) * pitch(-3.0 * cos(2.0 * t + 0.05)) * roll(2.0 * sin(t)));
    let bounce = 6.0 * cos(2.0 * t - 0.1);
    ears(&mut stance, (bounce, 4.0 + bounce), (bounce, 4.0 + bounce));
    swing_tail(&mut stance, t + 0.1, 9.0, 3.0);
    for (i, (leg, side)) in LEGS.into_iter().enumerate() {
        let (stride, lift) = if leg == "hind" { (0.25, 0.075) } else { (0.24, 0.085) };
        let (offset, toes) = step(t - 0.25 * i as f64, stride, lift);
        stance.reach(leg, side, offset, pitch(toes));
    }
    stance
}

/// Sits up a little, raises the left front paw and waves it three times.
fn wave(skeleton: &Skeleton, t: f64) -> Stance<'_> {
    let mut stance = Stance::rest(skeleton);
    let raised = ramp(0.0, 0.26, t) * ramp(1.0, 0.74, t);
    let waving = ramp(0.18, 0.34, t) * ramp(0.86, 0.70, t);
    let beat = waving * sin((t - 0.22) * 5.5);
    stance.shift = DVec3::new(-0.035, -0.045, -0.055) * raised;
    stance.turn("hips", pitch(-13.0 * raised) * roll(3.0 * raised));
    stance.turn("spine", pitch(-5.0 * raised) * roll(2.0 * raised));
    stance.turn("chest", pitch(-4.0 * raised) * yaw(-4.0 * raised) * roll(2.0 * raised));
    stance.turn("neck", pitch(9.0 * raised) * yaw(3.0 * raised));
    stance.turn("head", pitch(9.0 * raised) * yaw(5.0 * raised) * roll(-11.0 * raised + 3.0 * beat));
    ears(&mut stance, (8.0 * raised + 5.0 * beat, 0.0), (4.0 * raised - 5.0 * beat, 0.0));
    swing_tail(&mut stance, 3.0 * t, 13.0 * raised, 0.0);
    stance.turn("tail_1", pitch(8.0 * raised));
    for (leg, side) in [("hind", "l"), ("hind", "r"), ("front", "r")] {
        stance.reach(leg, side, DVec3::ZERO, DQuat::IDENTITY);
    }
    // Up in an arc in front of the shoulder, palm forward; the paw swings about the elbow.
    let up = DVec3::new(0.14 + 0.08 * beat, 0.50 - 0.02 * beat * beat, 0.15) * raised;
    let bow = DVec3::new(0.03, 0.0, 0.10) * (4.0 * raised * (1.0 - raised));
    let palm = roll(-14.0 * raised - 26.0 * beat) * pitch(-96.0 * raised);
    stance.reach("front", "l", up + bow, palm);
    stance
}
