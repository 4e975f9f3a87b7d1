//! The key times of several tracks together.

use crate::scene::{Interpolation, Track};
use std::collections::HashSet;

/// The times at which any of the tracks has a key: ascending, finite, each once.
pub(crate) fn key_times<'a>(tracks: impl IntoIterator<Item = &'a Track>) -> Vec<f32> {
    sorted(collect(tracks, false))
}

/// The key times for a format whose keys hold all joints and are interpolated: the times at which any track has a key,
/// the last moment before each step, and `ends`.
pub(crate) fn frame_times<'a>(tracks: impl IntoIterator<Item = &'a Track>, ends: &[f32]) -> Vec<f32> {
    let mut times = collect(tracks, true);
    times.extend_from_slice(ends);
    sorted(times)
}

fn collect<'a>(tracks: impl IntoIterator<Item = &'a Track>, before_steps: bool) -> Vec<f32> {
    // The tracks of a sampled clip share their times, and other tracks often have those of the track before.
    let mut seen = HashSet::new();
    let mut before: (&[f32], bool) = (&[], false);
    let mut times = Vec::new();
    for track in tracks {
        let steps = before_steps && track.interpolation == Interpolation::Step;
        let is_new = seen.insert((track.times.as_ptr(), track.times.len(), steps));
        if is_new && (&*track.times, steps) != before {
            times.extend_from_slice(&track.times);
            if steps {
                times.extend(track.times.iter().skip(1).map(|t| t.next_down()).filter(|&t| t > 0.0));
            }
        }
        before = (&track.times, steps);
    }
    times
}

fn sorted(mut times: Vec<f32>) -> Vec<f32> {
    times.retain(|time| time.is_finite());
    times.sort_unstable_by(f32::total_cmp);
    times.dedup();
    times.shrink_to_fit();
    times
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{NodeId, Values};
    use std::sync::Arc;

    fn track(interpolation: Interpolation, times: &Arc<[f32]>) -> Track {
        let values = Values::Scale(Vec::new());
        Track { node: NodeId(0), interpolation, times: Arc::clone(times), values }
    }

    #[test]
    fn times_are_sorted_finite_and_each_there_once() {
        let shared: Arc<[f32]> = [0.5, 1.0].into();
        let other: Arc<[f32]> = [0.25, 1.0, f32::NAN, f32::INFINITY].into();
        let tracks = [&shared, &shared, &other].map(|times| track(Interpolation::Linear, times));
        assert_eq!(key_times(&tracks), [0.25, 0.5, 1.0]);
        assert_eq!(frame_times(&tracks, &[0.0, 2.0]), [0.0, 0.25, 0.5, 1.0, 2.0]);
        assert!(key_times(&[]).is_empty());
    }

    #[test]
    fn steps_have_the_moment_before_them_where_it_is_asked_for() {
        let shared: Arc<[f32]> = [0.0, 1.0].into();
        // The second track's times are those of the first, but its steps are its own.
        let tracks = [Interpolation::Linear, Interpolation::Step].map(|kind| track(kind, &shared));
        assert_eq!(key_times(&tracks), [0.0, 1.0]);
        assert_eq!(frame_times(&tracks, &[]), [0.0, 1.0_f32.next_down(), 1.0]);
    }
}
