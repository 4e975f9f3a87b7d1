//! Removes redundant keys.

use super::codes;
use super::deviation::{Probes, UNIT, moments};
use crate::report::{Loss, Remedy, Report};
use crate::scene::{Clip, Interpolation, Scene, Track, Values};
use glam::{DQuat, DVec3, Quat};

/// How far vertices may move.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ReduceKeysOptions {
    /// A fraction of the model's size. At 0, only keys are removed that lie exactly on the interpolation of others.
    pub tolerance: f64,
}

/// Longest run of removed keys: enough to thin out any sampled clip, and it bounds the work per key.
const LONGEST_RUN: usize = 256;
/// How many times a tolerance that moved vertices too far is halved before the clip is left as it is.
const MOST_TRIES: usize = 12;
/// Deviation that counts as exact: the rounding of stored values.
const ROUNDING: f64 = 1e-6;

/// Removes keys of step and linear tracks as long as no vertex moves farther than the tolerance, measured over the
/// clip. The loss says how many keys are left and how far vertices are off at most. Cubic tracks stay. Of morph
/// weights, only keys are removed that lie exactly on the interpolation of others.
///
/// ```
/// use ligament::passes::reduce_keys::{ReduceKeysOptions, reduce_keys};
/// use ligament::scene::{Clip, Interpolation, Node, NodeId, Scene, Track, Values};
/// use ligament::math::Vec3;
///
/// let values = Values::Translation(vec![Vec3::ZERO, Vec3::X, 2.0 * Vec3::X]);
/// let times = [0.0, 1.0, 2.0].into();
/// let track = Track { node: NodeId(0), interpolation: Interpolation::Linear, times, values };
/// let clip = Clip { duration: 2.0, tracks: vec![track], ..Clip::default() };
/// let mut scene = Scene { nodes: vec![Node::default()], clips: vec![clip], ..Scene::default() };
/// reduce_keys(&mut scene, &ReduceKeysOptions::default(), &mut Default::default());
/// assert_eq!(scene.clips[0].tracks[0].times[..], [0.0, 2.0]);
/// ```
pub fn reduce_keys(scene: &mut Scene, options: &ReduceKeysOptions, report: &mut Report) {
    let probes = Probes::new(scene);
    for index in 0..scene.clips.len() {
        let source = &scene.clips[index];
        let Some((reduced, size)) = reduce(scene, &probes, source, options.tolerance) else { continue };
        let keys = |clip: &Clip| clip.tracks.iter().map(|t| t.times.len()).sum::<usize>();
        let (before, after) = (keys(source), keys(&reduced));
        let object = source.label(index);
        let message = format!("{after} of {before} keys are left");
        let removed = before - after;
        report.loss(if size <= 1e-7 {
            Loss::kept(&codes::KEYS, object, removed, message)
        } else {
            let exact = Remedy::new("reduce_keys", 0, "removes only keys that change nothing");
            Loss::approximated(&codes::KEYS, object, removed, size, UNIT, message).remedy(exact)
        });
        scene.clips[index] = reduced;
    }
}

/// The clip with fewer keys and how far that moves vertices, or `None` if no key can be removed.
fn reduce(scene: &Scene, probes: &Probes, source: &Clip, tolerance: f64) -> Option<(Clip, f64)> {
    let mut allowed = tolerance;
    for attempt in 0..=MOST_TRIES {
        if attempt == MOST_TRIES {
            allowed = 0.0;
        }
        let tracks: Vec<Track> = source.tracks.iter().map(|t| thinned(t, allowed, probes.size())).collect();
        if tracks.iter().zip(&source.tracks).all(|(a, b)| a.times.len() == b.times.len()) {
            return None;
        }
        let extras = source.extras.clone();
        let reduced = Clip { name: source.name.clone(), tracks, extras, ..*source };
        let times = moments(source.tracks.iter());
        let size = probes.between(scene, source, &reduced, &times).unwrap_or(0.0);
        if size <= tolerance.max(ROUNDING) {
            return Some((reduced, size));
        }
        allowed /= 2.0;
    }
    None
}

/// The track without the keys that are within `allowed` of the interpolation of those that stay. Angles and scales
/// count by how far they move a vertex that is the model's size away, as a fraction of it.
fn thinned(track: &Track, allowed: f64, size: f64) -> Track {
    let each = track.times.len();
    if track.interpolation == Interpolation::Cubic || each < 3 || track.values.len() != each {
        return track.clone();
    }
    let kept = match &track.values {
        Values::Translation(values) => {
            keep(track, values, allowed * size, |v| v.as_dvec3(), mix, DVec3::distance)
        }
        Values::Scale(values) => keep(track, values, allowed, |v| v.as_dvec3(), mix, DVec3::distance),
        Values::Rotation(values) => {
            keep(track, values, allowed, |q: &Quat| q.as_dquat(), DQuat::slerp, angle)
        }
        Values::MorphWeights { count, weights } => {
            let sets: Vec<&[f32]> = weights.chunks_exact((*count).max(1)).collect();
            let apart =
                |a: Vec<f64>, b: Vec<f64>| a.iter().zip(&b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            let between =
                |a: Vec<f64>, b: Vec<f64>, t: f64| a.iter().zip(&b).map(|(a, b)| a + (b - a) * t).collect();
            keep(track, &sets, 0.0, |s| s.iter().map(|&w| f64::from(w)).collect::<Vec<_>>(), between, apart)
        }
    };
    track.with_keys(&kept)
}

fn mix(a: DVec3, b: DVec3, t: f64) -> DVec3 {
    a.lerp(b, t)
}

/// The angle between two rotations, in radians.
fn angle(a: DQuat, b: DQuat) -> f64 {
    let b = if a.dot(b) < 0.0 { -b } else { b };
    4.0 * ((a - b).length() / 2.0).clamp(0.0, 1.0).asin()
}

/// The keys that stay: after each key, the farthest one such that the interpolation between them meets all skipped
/// keys.
fn keep<T, V: Clone>(
    track: &Track,
    values: &[T],
    allowed: f64,
    value: impl Fn(&T) -> V,
    between: impl Fn(V, V, f64) -> V,
    apart: impl Fn(V, V) -> f64,
) -> Vec<usize> {
    let at: Vec<V> = values.iter().map(value).collect();
    let allowed = allowed.max(ROUNDING);
    let is_step = track.interpolation == Interpolation::Step;
    let time = |key: usize| f64::from(track.times[key]);
    let skips = |from: usize, to: usize| {
        (from + 1..to).all(|key| {
            let part = if is_step { 0.0 } else { (time(key) - time(from)) / (time(to) - time(from)) };
            apart(between(at[from].clone(), at[to].clone(), part), at[key].clone()) <= allowed
        })
    };
    let mut kept = vec![0];
    let mut from = 0;
    while from + 1 < at.len() {
        let farthest = (from + LONGEST_RUN).min(at.len() - 1);
        let to = (from + 2..=farthest).take_while(|&to| skips(from, to)).last().unwrap_or(from + 1);
        kept.push(to);
        from = to;
    }
    // A track with a constant value needs one key.
    if let [first, last] = kept[..]
        && apart(at[first].clone(), at[last].clone()) <= ROUNDING
    {
        kept.pop();
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::resample::{ResampleOptions, resample};
    use crate::passes::testing::{self, apart, assert_valid, loss_of, size_of};

    #[test]
    fn sampled_clips_lose_keys_but_no_vertex_its_place() {
        let mut reduced = 0;
        for (name, mut before) in testing::scenes().into_iter().filter(|(_, s)| !s.clips.is_empty()) {
            let interpolations = &[Interpolation::Linear, Interpolation::Step];
            let options =
                ResampleOptions { fps: Some(60.0), grid: true, interpolations, straight_rotations: false };
            resample(&mut before, &options, &mut Report::default()).unwrap();
            for tolerance in [0.0, 1e-3, 1e-2] {
                let (mut after, mut report) = (before.clone(), Report::default());
                reduce_keys(&mut after, &ReduceKeysOptions { tolerance }, &mut report);
                assert_valid(&name, &after);
                for (index, clip) in before.clips.iter().enumerate() {
                    let times: Vec<f32> = (0..=200).map(|i| clip.duration * i as f32 / 200.0).collect();
                    let off = apart(&before, &after, Some(index), &times);
                    let loss = loss_of(&report, clip);
                    let size = loss.and_then(size_of).unwrap_or(0.0);
                    assert!(size <= tolerance.max(1e-6), "{name}");
                    assert!(off <= size + 2e-6, "{name}: {off:e}, announced {size:e}");
                    reduced += usize::from(loss.is_some());
                }
            }
        }
        assert!(reduced > 20, "{reduced}");
    }

    #[test]
    fn a_larger_tolerance_leaves_fewer_keys() {
        let mut before = testing::cubic();
        let options = ResampleOptions {
            fps: Some(60.0),
            grid: true,
            interpolations: &[Interpolation::Linear],
            straight_rotations: false,
        };
        resample(&mut before, &options, &mut Report::default()).unwrap();
        let keys = |tolerance: f64| {
            let mut scene = before.clone();
            reduce_keys(&mut scene, &ReduceKeysOptions { tolerance }, &mut Report::default());
            scene.clips.iter().flat_map(|c| &c.tracks).map(|t| t.times.len()).sum::<usize>()
        };
        let all = before.clips.iter().flat_map(|c| &c.tracks).map(|t| t.times.len()).sum::<usize>();
        let (exact, rough) = (keys(0.0), keys(0.02));
        assert!(rough < exact / 2 && exact <= all, "{all}, {exact}, {rough}");
    }
}
