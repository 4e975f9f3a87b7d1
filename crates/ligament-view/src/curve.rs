//! How far the second model is from the first over each clip: the curve above the timeline.

use crate::difference::Difference;
use ligament::Scene;
use ligament::pose::Pose;
use ligament::scene::Clip;
use std::sync::Arc;

/// Vertices posed for all curves together, few enough for a second or two, and poses of one clip.
const MOST_VERTICES: usize = 40_000_000;
const POSES: [usize; 2] = [12, 96];

/// The deviation over one clip.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// The first model's clip.
    pub clip: usize,
    /// Seconds and the largest deviation then, in ascending order of time.
    pub points: Vec<(f64, f64)>,
}

impl Curve {
    /// The point of the largest deviation.
    pub fn worst(&self) -> Option<(f64, f64)> {
        self.points.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1))
    }
}

/// The curves of all clips that both models have.
pub struct Curves {
    scenes: [Arc<Scene>; 2],
    /// One per clip.
    pub all: Vec<Curve>,
}

impl Curves {
    /// Measures all clips. This may take a while.
    pub fn of(mut difference: Difference) -> Self {
        let scenes = difference.scenes().clone();
        let vertices: usize = scenes.iter().map(|scene| scene.vertex_count().max(1)).sum();
        let pairs = difference.clips().to_vec();
        let count = (MOST_VERTICES / vertices / pairs.len().max(1)).clamp(POSES[0], POSES[1]);
        let all = pairs.into_iter().map(|(first, second)| {
            let clips = [&scenes[0].clips[first], &scenes[1].clips[second]];
            let points = times(clips, count).into_iter().map(|time| {
                let poses = [0, 1].map(|i| Pose::at(&scenes[i], clips[i], time));
                (f64::from(time), difference.worst_of([&poses[0], &poses[1]]))
            });
            Curve { clip: first, points: points.collect() }
        });
        let all = all.collect();
        Self { scenes, all }
    }

    /// Whether they belong to these scenes.
    pub fn are_of(&self, difference: &Difference) -> bool {
        difference.is_of(&self.scenes[0], &self.scenes[1])
    }
}

/// The key times of both clips and those half-way between, thinned to a number; the ends are always among them.
fn times(clips: [&Clip; 2], most: usize) -> Vec<f32> {
    let mut keys: Vec<f32> = clips
        .iter()
        .flat_map(|clip| &clip.tracks)
        .flat_map(|track| track.times.iter().copied())
        .filter(|time| time.is_finite() && *time >= 0.0)
        .collect();
    keys.push(0.0);
    keys.extend(clips.map(|clip| clip.duration).into_iter().filter(|time| time.is_finite() && *time >= 0.0));
    keys.sort_by(f32::total_cmp);
    keys.dedup();
    let mut all: Vec<f32> = keys.windows(2).flat_map(|pair| [pair[0], (pair[0] + pair[1]) * 0.5]).collect();
    all.extend(keys.last());
    if all.len() <= most {
        return all;
    }
    (0..most).map(|i| all[i * (all.len() - 1) / (most - 1)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ligament::math::Vec3;
    use ligament::scene::{Interpolation, NodeId, Track, Values};

    fn clip(times: &[f32]) -> Clip {
        let values = Values::Translation(vec![Vec3::ZERO; times.len()]);
        let track =
            Track { node: NodeId(0), interpolation: Interpolation::Linear, times: times.into(), values };
        Clip { duration: times.last().copied().unwrap_or_default(), tracks: vec![track], ..Clip::default() }
    }

    #[test]
    fn keys_of_both_clips_are_measured_and_what_is_between() {
        let (first, second) = (clip(&[0.0, 1.0]), clip(&[0.5, 1.0]));
        assert_eq!(times([&first, &second], 96), [0.0, 0.25, 0.5, 0.75, 1.0]);
        assert_eq!(times([&first, &second], 3), [0.0, 0.5, 1.0]);
        assert_eq!(times([&Clip::default(), &Clip::default()], 12), [0.0]);
    }
}
