//! Picks the times at which a pair of clips is posed: every key of either, times between neighbouring keys, and, where
//! a track steps, the last moment before. A track that steps beside one that moves is farthest from it there.

use super::CompareOptions;
use crate::motion::key_times;
use crate::scene::{Clip, Interpolation};

/// A time at which both scenes are posed. For keys at the same time but for rounding, each scene keeps its own time, so
/// that a stepped track is sampled on its key in both.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Moment {
    pub(super) first: f32,
    pub(super) second: f32,
    /// Both scenes have a key here.
    pub(super) at_key: bool,
    /// A step is looked at from the side that it ends.
    pub(super) before: bool,
}

impl Moment {
    /// The time that is reported. A player that is set to it shows what was measured.
    pub(super) fn shown(&self) -> f32 {
        if self.before { self.first.next_down() } else { self.first }
    }
}

/// Key times that agree but for rounding. By the last of them every track has reached its key, and before the first of
/// them none has.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Key {
    from: f32,
    to: f32,
}

/// The moments of a pair of clips, and how many were left out to stay within `limit`.
pub(super) fn moments(
    first: &Clip,
    second: &Clip,
    options: &CompareOptions,
    limit: usize,
) -> (Vec<Moment>, usize) {
    let keys = merge(&keys(first), &keys(second));
    let starts = keys.len().saturating_sub(1);
    let before_step = usize::from(steps_beside_motion(first, second));
    let wanted = options.between_keys.saturating_add(1 + before_step);
    let all = starts.saturating_mul(wanted).saturating_add(keys.len().min(1));
    // The last key costs one pose; every other key also costs the poses between it and the next.
    let room = limit.saturating_sub(1).max(1);
    let each = wanted.min(room);
    let kept = starts.min(room / each);
    let mut moments = Vec::new();
    for n in 0..kept {
        let i = if kept == starts { n } else { n * starts / kept };
        let ((_, a), (before, b)) = (keys[i], keys[i + 1]);
        moments.push(a);
        // If there is room for one more pose only, the one before the step says most.
        let parts = each.saturating_sub(before_step).max(1);
        for step in 1..parts {
            let between = |from: f32, to: f32| from + (to - from) * (step as f32 / parts as f32);
            let (first, second) = (between(a.first, b.first), between(a.second, b.second));
            moments.push(Moment { first, second, at_key: false, before: false });
        }
        if parts < each {
            moments.push(before);
        }
    }
    moments.extend(keys.last().map(|(_, at)| at));
    let skipped = all.saturating_sub(moments.len());
    (moments, skipped)
}

/// Whether a track steps while another one moves. Where all tracks step, nothing happens between keys.
fn steps_beside_motion(first: &Clip, second: &Clip) -> bool {
    let mut moving = first.tracks.iter().chain(&second.tracks).filter(|track| track.times.len() > 1);
    let steps = |track: &crate::scene::Track| track.interpolation == Interpolation::Step;
    moving.clone().any(steps) && moving.any(|track| !steps(track))
}

/// Whether two times are the same key, given the rounding of frame times in f32 and in text.
fn same_time(a: f32, b: f32) -> bool {
    (a - b).abs() <= 1e-5_f32.max(a.abs() * 1e-6)
}

/// How many key times a clip has.
pub(super) fn key_count(clip: &Clip) -> usize {
    keys(clip).len()
}

fn keys(clip: &Clip) -> Vec<Key> {
    let mut kept: Vec<Key> = Vec::new();
    for time in key_times(&clip.tracks) {
        match kept.last_mut() {
            Some(last) if same_time(last.to, time) => last.to = time,
            _ => kept.push(Key { from: time, to: time }),
        }
    }
    kept
}

/// The keys of both, each with the last moment before it.
fn merge(first: &[Key], second: &[Key]) -> Vec<(Moment, Moment)> {
    let both = |a: Key, b: Key, at_key: bool| {
        let before = Moment { first: a.from, second: b.from, at_key: false, before: true };
        (before, Moment { first: a.to, second: b.to, at_key, before: false })
    };
    let (mut i, mut j) = (0, 0);
    let mut all = Vec::with_capacity(first.len().max(second.len()));
    loop {
        all.push(match (first.get(i), second.get(j)) {
            (None, None) => return all,
            (Some(&a), Some(&b)) if same_time(a.to, b.to) => {
                (i, j) = (i + 1, j + 1);
                both(a, b, true)
            }
            (Some(&a), b) if b.is_none_or(|b| a.to < b.to) => {
                i += 1;
                both(a, a, false)
            }
            (Some(&key), None) | (_, Some(&key)) => {
                j += 1;
                both(key, key, false)
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{NodeId, Track, Values};
    use glam::Vec3;

    fn clip(interpolation: Interpolation, times: &[f32]) -> Clip {
        let values = Values::Translation(vec![Vec3::ZERO; times.len()]);
        let track = Track { node: NodeId(0), interpolation, times: times.into(), values };
        Clip { duration: 9.0, tracks: vec![track], ..Clip::default() }
    }

    fn linear(times: &[f32]) -> Clip {
        clip(Interpolation::Linear, times)
    }

    fn found(first: &Clip, second: &Clip, limit: usize) -> Vec<(f32, f32, bool)> {
        let (moments, skipped) = moments(first, second, &CompareOptions::default(), limit);
        assert_eq!(skipped, 0);
        moments
            .iter()
            .map(|m| (m.shown(), if m.before { m.second.next_down() } else { m.second }, m.at_key))
            .collect()
    }

    #[test]
    fn keys_of_both_are_met_on_their_own_times() {
        let (first, second) = (linear(&[0.0, 1.0, 3.0]), linear(&[0.0, 1.000004, 2.0, 3.0]));
        let between = 0.5 * 1.000004;
        assert_eq!(
            found(&first, &second, 100),
            [
                (0.0, 0.0, true),
                (0.5, between, false),
                (1.0, 1.000004, true),
                (1.5, 1.500002, false),
                (2.0, 2.0, false),
                (2.5, 2.5, false),
                (3.0, 3.0, true)
            ]
        );
    }

    #[test]
    fn a_step_is_met_just_before_it_ends() {
        let (steps, moves) = (clip(Interpolation::Step, &[0.0, 1.0, 2.0]), linear(&[0.0, 1.000004]));
        let expected = [
            (0.0, 0.0, true),
            (0.5, 0.5 * 1.000004, false),
            (1_f32.next_down(), 1.000004_f32.next_down(), false),
            (1.0, 1.000004, true),
            (1.5, 1.500002, false),
            (2_f32.next_down(), 2_f32.next_down(), false),
            (2.0, 2.0, false),
        ];
        assert_eq!(found(&steps, &moves, 100), expected);
        // Two tracks that step together but for rounding: before both.
        let mut apart = steps.clone();
        apart.tracks.push(clip(Interpolation::Step, &[0.0, 1.000005]).tracks.remove(0));
        assert_eq!(
            found(&apart, &linear(&[0.0, 2.0]), 100)[2..4],
            [(1_f32.next_down(), 1_f32.next_down(), false), (1.000005, 1.000005, false)]
        );
        // Nothing happens between keys where all tracks step.
        assert_eq!(found(&steps, &steps, 100).len(), 5);
        // With room for one pose more per key, it is the one before the step.
        let (few, skipped) = moments(&steps, &linear(&[0.0, 1.0, 2.0]), &CompareOptions::default(), 3);
        let times: Vec<f32> = few.iter().map(Moment::shown).collect();
        assert_eq!((times, skipped), (vec![0.0, 1_f32.next_down(), 2.0], 4));
    }

    #[test]
    fn too_many_keys_are_thinned_evenly_and_counted() {
        let times: Vec<f32> = (0..101).map(|i| i as f32).collect();
        let (a, b) = (linear(&times), linear(&times));
        let options = CompareOptions { between_keys: 1, max_poses_per_clip: 21, ..CompareOptions::default() };
        let (moments, skipped) = moments(&a, &b, &options, 21);
        assert_eq!((moments.len(), skipped), (21, 201 - 21));
        let keys: Vec<f32> = moments.iter().filter(|m| m.at_key).map(|m| m.first).collect();
        assert_eq!(keys, [0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0, 100.0]);
        let step = clip(Interpolation::Step, &times);
        for limit in 0..5 {
            for (second, all) in [(&b, 201), (&step, 301)] {
                let (few, skipped) = super::moments(&a, second, &options, limit);
                assert!(few.len() <= limit.max(2) && few.len() + skipped == all, "{limit}: {}", few.len());
            }
        }
        let many = CompareOptions { between_keys: usize::MAX, ..options };
        assert_eq!(super::moments(&a, &b, &many, 21).0.len(), 21);
        assert_eq!(super::moments(&a, &step, &many, 21).0.len(), 21);
    }
}
