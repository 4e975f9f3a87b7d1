//! Clips that look like loops but jump where they start again.

use super::{clip_name, codes, degrees, joint_name, others, place, rotations, translations};
use crate::report::Report;
use crate::scene::{Clip, Scene, Track};

/// Moving less is not moving: degrees, or parts of the model's size.
const STILL: f64 = 2.0;
const STILL_LENGTH: f64 = 0.01;
/// Jumps below these cannot be seen.
const VISIBLE: f64 = 0.5;
const VISIBLE_LENGTH: f64 = 0.002;
/// A frame at the lowest usual rate, in seconds.
const FRAME: f64 = 1.0 / 24.0;
/// Fewer moving tracks do not tell whether a clip is a loop.
const FEWEST: usize = 4;

/// How a track moves, in parts of what can be seen.
struct Motion {
    track: usize,
    /// From the last key to the first.
    jump: f64,
    /// In a frame beside the seam.
    step: f64,
    /// At most, from the first key.
    range: f64,
    /// The jump in words.
    shown: String,
}

impl Motion {
    /// Whether the track ends about where it began. A loop without a copy of its first frame ends one step before it.
    fn is_closed(&self) -> bool {
        self.jump <= (0.15 * self.range).max(1.5 * self.step)
    }

    fn has_seam(&self) -> bool {
        self.jump > (2.0 * self.step).max(1.0)
    }
}

pub(super) fn check(scene: &Scene, size: f64, report: &mut Report) {
    for (c, clip) in scene.clips.iter().enumerate() {
        let moving = moving(scene, clip, size);
        let closed = moving.iter().filter(|motion| motion.is_closed()).count();
        if moving.len() < FEWEST || closed * 10 < moving.len() * 9 {
            continue;
        }
        let seams = || moving.iter().filter(|motion| motion.has_seam());
        let Some(worst) = seams().max_by(|a, b| a.jump.total_cmp(&b.jump)) else { continue };
        let track = &clip.tracks[worst.track];
        let message = format!(
            "{} looks like a loop, but {} jumps by {} from its last key at {} s to its first{}",
            clip_name(scene, c),
            joint_name(scene, track.node),
            worst.shown,
            track.times.last().unwrap_or(&0.0),
            others(seams().count() - 1)
        );
        report.note(&codes::SEAM, place(c, worst.track), message);
    }
}

/// The tracks that move, without the one that moves the model as a whole.
fn moving(scene: &Scene, clip: &Clip, size: f64) -> Vec<Motion> {
    let mut is_below_mover = vec![false; scene.nodes.len()];
    for track in clip.tracks.iter().filter(|track| track.moves_node()) {
        if let Some(below) = is_below_mover.get_mut(track.node.index()) {
            *below = true;
        }
    }
    let moves = is_below_mover.clone();
    for (i, node) in scene.nodes.iter().enumerate() {
        let above = node.parent.filter(|parent| parent.index() < i).map(|parent| parent.index());
        is_below_mover[i] = above.is_some_and(|above| moves[above] || is_below_mover[above]);
    }
    let tracks = clip.tracks.iter().enumerate();
    tracks.filter_map(|(t, track)| motion(t, track, size, &is_below_mover)).collect()
}

fn motion(t: usize, track: &Track, size: f64, is_below_mover: &[bool]) -> Option<Motion> {
    if let Some(keys) = rotations(track) {
        let motion = measure(t, track, &keys, |a, b| degrees(*a, *b) / VISIBLE, STILL / VISIBLE)?;
        let shown = format!("{:.1} degrees", motion.jump * VISIBLE);
        return Some(Motion { shown, ..motion });
    }
    let keys = translations(track)?;
    if size <= 0.0 || !*is_below_mover.get(track.node.index())? {
        return None;
    }
    let unit = VISIBLE_LENGTH * size;
    let distance = |a: &glam::Vec3, b: &glam::Vec3| f64::from(a.distance(*b)) / unit;
    let motion = measure(t, track, &keys, distance, STILL_LENGTH / VISIBLE_LENGTH)?;
    let shown = format!("{:.2} % of the model's size", motion.jump * VISIBLE_LENGTH * 100.0);
    Some(Motion { shown, ..motion })
}

fn measure<T>(
    t: usize,
    track: &Track,
    keys: &[T],
    distance: impl Fn(&T, &T) -> f64,
    still: f64,
) -> Option<Motion> {
    let (first, last) = (keys.first()?, keys.last()?);
    let range = keys.iter().map(|key| distance(first, key)).fold(0.0, f64::max);
    if keys.len() < 3 || range < still {
        return None;
    }
    let step = |i: usize| {
        let seconds = f64::from(track.times[i + 1] - track.times[i]).max(1e-6);
        distance(&keys[i], &keys[i + 1]) * (FRAME / seconds).min(1.0)
    };
    let step = step(0).max(step(keys.len() - 2));
    Some(Motion { track: t, jump: distance(last, first), step, range, shown: String::new() })
}
