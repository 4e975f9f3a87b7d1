//! Matches clips of two scenes, and picks the times to pose them at.

use super::CompareOptions;
use super::features::{Differences, Grouped, numbers, quoted};
use crate::motion::key_times;
use crate::scene::{Clip, Scene};
use std::collections::BTreeSet;

/// Indices of clips in the first and the second scene that belong together.
pub(super) type Matched = Vec<(usize, usize)>;

/// Matches clips of the same name (the n-th of a name with the n-th). The rest are matched in order if both scenes have
/// equally many left.
pub(super) fn matched(first: &Scene, second: &Scene) -> Matched {
    let mut taken = vec![false; second.clips.len()];
    let mut pairs = Matched::new();
    let mut left = Vec::new();
    for (i, clip) in first.clips.iter().enumerate() {
        let same = |&j: &usize| !taken[j] && second.clips[j].name == clip.name && !clip.name.is_empty();
        match (0..taken.len()).find(same) {
            Some(j) => {
                taken[j] = true;
                pairs.push((i, j));
            }
            None => left.push(i),
        }
    }
    let others: Vec<usize> = (0..taken.len()).filter(|&j| !taken[j]).collect();
    if left.len() == others.len() {
        pairs.extend(left.into_iter().zip(others));
    }
    pairs.sort_unstable();
    pairs
}

/// A time at which both scenes are posed. For keys at the same time but for rounding, each scene keeps its own time, so
/// that a stepped track is sampled on its key in both.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Moment {
    pub(super) first: f32,
    pub(super) second: f32,
    /// Both scenes have a key here.
    pub(super) at_key: bool,
}

/// The moments of a pair of clips, and how many were left out to stay within `limit`.
pub(super) fn moments(
    first: &Clip,
    second: &Clip,
    options: &CompareOptions,
    limit: usize,
) -> (Vec<Moment>, usize) {
    let keys = merge(&distinct_times(first), &distinct_times(second));
    let starts = keys.len().saturating_sub(1);
    let wanted = options.between_keys.saturating_add(1);
    let all = starts.saturating_mul(wanted).saturating_add(keys.len().min(1));
    // The last key costs one pose; every other key also costs the poses between it and the next.
    let room = limit.saturating_sub(1).max(1);
    let each = wanted.min(room);
    let kept = starts.min(room / each);
    let mut moments = Vec::new();
    for n in 0..kept {
        let i = if kept == starts { n } else { n * starts / kept };
        let (a, b) = (keys[i], keys[i + 1]);
        moments.push(a);
        for step in 1..each {
            let between = |from: f32, to: f32| from + (to - from) * (step as f32 / each as f32);
            let (first, second) = (between(a.first, b.first), between(a.second, b.second));
            moments.push(Moment { first, second, at_key: false });
        }
    }
    moments.extend(keys.last());
    let skipped = all.saturating_sub(moments.len());
    (moments, skipped)
}

/// Whether two times are the same key, given the rounding of frame times in f32 and in text.
fn same_time(a: f32, b: f32) -> bool {
    (a - b).abs() <= 1e-5_f32.max(a.abs() * 1e-6)
}

/// The key times of a clip. Of times that agree but for rounding only the last remains: by then every track has reached
/// its key.
fn distinct_times(clip: &Clip) -> Vec<f32> {
    let mut kept: Vec<f32> = Vec::new();
    for time in key_times(&clip.tracks) {
        match kept.last_mut() {
            Some(last) if same_time(*last, time) => *last = time,
            _ => kept.push(time),
        }
    }
    kept
}

fn merge(first: &[f32], second: &[f32]) -> Vec<Moment> {
    let (mut i, mut j) = (0, 0);
    let mut all = Vec::with_capacity(first.len().max(second.len()));
    loop {
        let moment = match (first.get(i), second.get(j)) {
            (None, None) => return all,
            (Some(&a), Some(&b)) if same_time(a, b) => Moment { first: a, second: b, at_key: true },
            (Some(&a), b) if b.is_none_or(|&b| a.total_cmp(&b).is_lt()) => {
                Moment { first: a, second: a, at_key: false }
            }
            (_, Some(&b)) => Moment { first: b, second: b, at_key: false },
            (Some(&a), None) => Moment { first: a, second: a, at_key: false },
        };
        if moment.at_key {
            (i, j) = (i + 1, j + 1);
        } else if first.get(i).is_some_and(|a| a.to_bits() == moment.first.to_bits()) {
            i += 1;
        } else {
            j += 1;
        }
        all.push(moment);
    }
}

/// Compares the clips' own properties.
pub(super) fn compare(first: &Scene, second: &Scene, matched: &Matched, differences: &mut Differences) {
    let label = |clip: &Clip, index: usize| format!("clip {:?}", clip_name(clip, index));
    for (i, clip) in first.clips.iter().enumerate() {
        if !matched.iter().any(|m| m.0 == i) {
            differences.add(label(clip, i), summary(clip), "absent");
        }
    }
    for (j, clip) in second.clips.iter().enumerate() {
        if !matched.iter().any(|m| m.1 == j) {
            differences.add(label(clip, j), "absent", summary(clip));
        }
    }
    let mut found = Grouped::default();
    for &(i, j) in matched {
        let (a, b) = (&first.clips[i], &second.clips[j]);
        found.start(&clip_name(a, i));
        found.check("name", quoted(&a.name), quoted(&b.name));
        found.check("seconds", numbers(&[a.duration]), numbers(&[b.duration]));
        let rate = |clip: &Clip| clip.frames.map_or("none".into(), |f| numbers(&[f.rate]));
        found.check("frames per second", rate(a), rate(b));
        let count = |clip: &Clip| clip.frames.map_or("none".into(), |f| f.count.to_string());
        found.check("frames", count(a), count(b));
        found.check("interpolation", interpolations(a), interpolations(b));
    }
    found.finish("clip", differences);
}

/// The clip's name, or a made-up one.
pub(super) fn clip_name(clip: &Clip, index: usize) -> String {
    if clip.name.is_empty() { format!("clip{index}") } else { clip.name.clone() }
}

fn summary(clip: &Clip) -> String {
    format!("{} s, {} tracks, {} key times", clip.duration, clip.tracks.len(), distinct_times(clip).len())
}

/// `step`, `linear`, `cubic + linear`...; tracks of one key do not count, since interpolation makes no difference
/// there.
fn interpolations(clip: &Clip) -> String {
    let moving = clip.tracks.iter().filter(|t| t.times.len() > 1);
    let kinds: BTreeSet<_> = moving.map(|t| t.interpolation.name()).collect();
    if kinds.is_empty() { "none".into() } else { kinds.into_iter().collect::<Vec<_>>().join(" + ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Interpolation, NodeId, Track, Values};
    use glam::Vec3;

    fn clip(name: &str, times: &[f32]) -> Clip {
        let values = Values::Translation(vec![Vec3::ZERO; times.len()]);
        let interpolation = Interpolation::Linear;
        let track = Track { node: NodeId(0), interpolation, times: times.into(), values };
        Clip { name: name.into(), duration: 9.0, tracks: vec![track], ..Clip::default() }
    }

    fn scene(names: &[&str]) -> Scene {
        Scene { clips: names.iter().map(|name| clip(name, &[0.0])).collect(), ..Scene::default() }
    }

    #[test]
    fn clips_match_by_name_then_by_order() {
        assert_eq!(matched(&scene(&["a", "b"]), &scene(&["b", "a"])), [(0, 1), (1, 0)]);
        assert_eq!(matched(&scene(&["a", "a"]), &scene(&["a", "a"])), [(0, 0), (1, 1)]);
        assert_eq!(matched(&scene(&["", "b"]), &scene(&["b", "x"])), [(0, 1), (1, 0)]);
        assert_eq!(matched(&scene(&["a", "b", "c"]), &scene(&["b", "x"])), [(1, 0)]);
    }

    #[test]
    fn keys_of_both_are_met_on_their_own_times() {
        let options =
            CompareOptions { between_keys: 1, max_poses_per_clip: 100, ..CompareOptions::default() };
        let (first, second) = (clip("", &[0.0, 1.0, 3.0]), clip("", &[0.0, 1.000004, 2.0, 3.0]));
        let (moments, skipped) = moments(&first, &second, &options, 100);
        let found: Vec<_> = moments.iter().map(|m| (m.first, m.second, m.at_key)).collect();
        let between = 0.5 * 1.000004;
        assert_eq!(
            found,
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
        assert_eq!(skipped, 0);
    }

    #[test]
    fn too_many_keys_are_thinned_evenly_and_counted() {
        let times: Vec<f32> = (0..101).map(|i| i as f32).collect();
        let (a, b) = (clip("", &times), clip("", &times));
        let options = CompareOptions { between_keys: 1, max_poses_per_clip: 21, ..CompareOptions::default() };
        let (moments, skipped) = moments(&a, &b, &options, 21);
        assert_eq!((moments.len(), skipped), (21, 201 - 21));
        let keys: Vec<f32> = moments.iter().filter(|m| m.at_key).map(|m| m.first).collect();
        assert_eq!(keys, [0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0, 100.0]);
        for limit in 0..5 {
            let (few, skipped) = super::moments(&a, &b, &options, limit);
            assert!(few.len() <= limit.max(2) && few.len() + skipped == 201, "{limit}: {}", few.len());
        }
        let many = CompareOptions { between_keys: usize::MAX, ..options };
        assert_eq!(super::moments(&a, &b, &many, 21).0.len(), 21);
    }
}
