//! From a movement, a function of time, to the tracks of a clip.

use super::skeleton::Skeleton;
use super::stance::Stance;
use ligament::math::{DQuat, DVec3, Quat};
use ligament::scene::{Clip, Interpolation, NodeId, Track, Values};
use std::sync::Arc;

/// A looping clip. `stance` takes the share of the clip that has passed, 0..1. The body, head and tail get cubic tracks
/// of `cubic` spans; legs and ears, which have sharper turns, get linear ones of `linear` spans.
pub fn clip<'a>(
    skeleton: &Skeleton,
    name: &str,
    duration: f64,
    cubic: usize,
    linear: usize,
    stance: &dyn Fn(f64) -> Stance<'a>,
) -> Clip {
    let sampler = Sampler { duration, stance };
    let mut tracks = Vec::new();
    for (joint, row) in skeleton.joints.iter().enumerate() {
        let node = NodeId::new(joint);
        let is_limb = ["front", "hind", "ear"].iter().any(|word| row.name.starts_with(word));
        let (interpolation, spans) =
            if is_limb { (Interpolation::Linear, linear) } else { (Interpolation::Cubic, cubic) };
        let times = sampler.times(spans);
        let track = |values| Track { node, interpolation, times: times.clone(), values };
        if row.name == "hips" {
            let parent = row.parent.map_or(DQuat::IDENTITY, |p| skeleton.joints[p].rotation);
            let rest = row.head;
            let values = sampler.vectors(spans, &|s| parent.inverse() * (rest + s.shift));
            tracks.push(track(Values::Translation(values)));
        }
        let still = (0..linear).all(|i| sampler.at(i, linear).turns[joint] == DQuat::IDENTITY);
        if !still {
            tracks.push(track(Values::Rotation(sampler.rotations(joint, spans, interpolation))));
        }
        if row.name == "belly" && (0..linear).any(|i| sampler.at(i, linear).breath != 1.0) {
            tracks.push(track(Values::Scale(sampler.vectors(spans, &|s| DVec3::splat(s.breath)))));
        }
    }
    Clip { name: name.into(), duration: duration as f32, tracks, ..Clip::default() }
}

struct Sampler<'f, 'a> {
    duration: f64,
    stance: &'f dyn Fn(f64) -> Stance<'a>,
}

impl<'a> Sampler<'_, 'a> {
    fn times(&self, spans: usize) -> Arc<[f32]> {
        (0..=spans).map(|i| (self.duration * i as f64 / spans as f64) as f32).collect()
    }

    /// The last key is the first again, to the bit.
    fn at(&self, key: usize, spans: usize) -> Stance<'a> {
        (self.stance)((key % spans) as f64 / spans as f64)
    }

    /// A little before and after a key, around the loop, and the seconds between the two.
    fn around(&self, key: usize, spans: usize) -> (Stance<'a>, Stance<'a>, f64) {
        let (t, little) = ((key % spans) as f64 / spans as f64, 1e-4);
        let before = if t < little { t + 1.0 - little } else { t - little };
        ((self.stance)(before), (self.stance)(t + little), 2.0 * little * self.duration)
    }

    /// In-tangent, value and out-tangent of every key of a cubic track.
    fn vectors(&self, spans: usize, value: &dyn Fn(&Stance) -> DVec3) -> Vec<ligament::math::Vec3> {
        let key = |i: usize| {
            let (before, after, seconds) = self.around(i, spans);
            let tangent = (value(&after) - value(&before)) / seconds;
            [tangent, value(&self.at(i, spans)), tangent].map(|v| v.as_vec3())
        };
        (0..=spans).flat_map(key).collect()
    }

    fn rotations(&self, joint: usize, spans: usize, interpolation: Interpolation) -> Vec<Quat> {
        let mut last = DQuat::IDENTITY;
        let mut values = Vec::new();
        for i in 0..=spans {
            let value = near(self.at(i, spans).local_rotation(joint), last);
            last = value;
            if interpolation != Interpolation::Cubic {
                values.push(value.as_quat());
                continue;
            }
            let (before, after, seconds) = self.around(i, spans);
            let [before, after] = [before, after].map(|s| near(s.local_rotation(joint), value));
            let tangent = ((after - before) * (1.0 / seconds)).as_quat();
            values.extend([tangent, value.as_quat(), tangent]);
        }
        values
    }
}

/// The same rotation on the side of `other`: q and −q mean the same, but the way between keys must be the short one.
fn near(q: DQuat, other: DQuat) -> DQuat {
    if q.dot(other) < 0.0 { -q } else { q }
}
