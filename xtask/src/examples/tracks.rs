//! Converts a movement, a function of time, to the tracks of a clip.

use super::skeleton::Skeleton;
use super::stance::Stance;
use ligament::math::{DQuat, DVec3, Quat};
use ligament::scene::{Clip, Interpolation, NodeId, Track, Values};
use std::sync::Arc;

/// A looping clip of linear tracks that all have keys at the same times. `stance` takes the fraction of the clip that has
/// passed, 0..1.
///
/// Movements are eased, but their keys are so close that linear interpolation shows no corners. Formats without curves
/// would sample curves far more densely, and the examples would be large.
pub fn clip<'a>(
    skeleton: &Skeleton,
    name: &str,
    duration: f64,
    spans: usize,
    stance: &dyn Fn(f64) -> Stance<'a>,
) -> Clip {
    let times: Arc<[f32]> = (0..=spans).map(|i| (duration * i as f64 / spans as f64) as f32).collect();
    // The last key is bit-identical to the first.
    let stances: Vec<Stance> = (0..=spans).map(|i| stance((i % spans) as f64 / spans as f64)).collect();
    let vectors = |value: &dyn Fn(&Stance) -> DVec3| stances.iter().map(|s| value(s).as_vec3()).collect();
    let mut tracks = Vec::new();
    for (joint, row) in skeleton.joints.iter().enumerate() {
        let mut add = |values| {
            let (node, times) = (NodeId::new(joint), times.clone());
            tracks.push(Track { node, interpolation: Interpolation::Linear, times, values });
        };
        if row.name == "hips" {
            let parent = row.parent.map_or(DQuat::IDENTITY, |p| skeleton.joints[p].rotation);
            add(Values::Translation(vectors(&|s| parent.inverse() * (row.head + s.shift))));
        }
        if stances.iter().any(|s| s.turns[joint] != DQuat::IDENTITY) {
            add(Values::Rotation(rotations(joint, &stances)));
        }
        if row.name == "belly" && stances.iter().any(|s| s.breath != 1.0) {
            add(Values::Scale(vectors(&|s| DVec3::splat(s.breath))));
        }
    }
    Clip { name: name.into(), duration: duration as f32, tracks, ..Clip::default() }
}

fn rotations(joint: usize, stances: &[Stance]) -> Vec<Quat> {
    let mut last = DQuat::IDENTITY;
    let key = |stance: &Stance| {
        last = near(stance.local_rotation(joint), last);
        last.as_quat()
    };
    stances.iter().map(key).collect()
}

/// The same rotation in the hemisphere of `other`: q and −q are equivalent, but keys must be interpolated the short way.
fn near(q: DQuat, other: DQuat) -> DQuat {
    if q.dot(other) < 0.0 { -q } else { q }
}
