//! Clips and their tracks.

use super::{Rules, codes, is_unit};
use crate::report::Severity;
use crate::scene::{Clip, Interpolation, Local, Scene, Track, Values};
use std::collections::HashSet;

pub(super) fn check(scene: &Scene, rules: &mut Rules) {
    for (i, clip) in scene.clips.iter().enumerate() {
        length(i, clip, rules);
        let mut seen = HashSet::new();
        for (t, track) in clip.tracks.iter().enumerate() {
            let path = format!("clips[{i}].tracks[{t}]");
            node(scene, track, &path, rules);
            times(track, &path, rules);
            count(track, &path, rules);
            values(track, &path, rules);
            let property = track.values.property();
            if !seen.insert((track.node, property)) {
                let message = format!("node {} already has a {property} track", track.node.index());
                rules.error(&codes::TRACK_TWICE, path, message);
            }
        }
    }
}

fn length(i: usize, clip: &Clip, rules: &mut Rules) {
    rules.finite(clip.duration, || format!("clips[{i}].duration"));
    let last = clip.last_key();
    if clip.duration < last.max(0.0) {
        let message = format!("the clip ends at {} s, before its last key at {last} s", clip.duration);
        rules.error(&codes::DURATION, format!("clips[{i}].duration"), message);
    }
    if let Some(frames) = clip.frames
        && !(frames.rate.is_finite() && frames.rate > 0.0)
    {
        let message = format!("{} frames per second; expected a number above 0", frames.rate);
        rules.error(&codes::FRAME_RATE, format!("clips[{i}].frames.rate"), message);
    }
}

fn node(scene: &Scene, track: &Track, path: &str, rules: &mut Rules) {
    let id = track.node.index();
    rules.index("node", id, scene.nodes.len(), || format!("{path}.node"));
    let Some(node) = scene.nodes.get(id) else { return };
    if let Values::MorphWeights { count, .. } = track.values {
        let mesh = node.mesh.and_then(|mesh| scene.meshes.get(mesh.index()));
        let targets = mesh.map_or(0, |mesh| mesh.morphs.len());
        if count != targets {
            let message = format!("{count} weights per key for a mesh with {targets} morph targets");
            rules.error(&codes::MORPH_COUNT, format!("{path}.values"), message);
        }
    } else if matches!(node.local, Local::Matrix(_)) {
        let message = format!(
            "the track animates the {} of node {id}, which is stored as a matrix",
            track.values.property()
        );
        rules.error(&codes::TRACK_ON_MATRIX, format!("{path}.node"), message);
    }
}

fn times(track: &Track, path: &str, rules: &mut Rules) {
    let field = format!("{path}.times");
    if track.times.is_empty() {
        rules.warning(&codes::NO_KEYS, field, "the track has no keys");
        return;
    }
    rules.finite_array(&field, &track.times, |t| t.is_finite());
    rules.array(
        (Severity::Error, &codes::KEY_NEGATIVE),
        &field,
        &track.times,
        |&t| t < 0.0,
        |t| format!("the key is at {t} s"),
    );
    // Written so that a NaN, for which both comparisons are false, is left to the rule above.
    let mut late = track.times.windows(2).enumerate().filter(|(_, pair)| pair[0] >= pair[1]);
    if let Some((key, pair)) = late.next() {
        let message = format!("{} s does not come after {} s", pair[1], pair[0]);
        let field = format!("{field}[{}]", key + 1);
        rules.offender((Severity::Error, &codes::KEY_ORDER), field, message, late.count());
    }
}

fn count(track: &Track, path: &str, rules: &mut Rules) {
    let each = track.interpolation.values_per_key();
    let expected = track.times.len().saturating_mul(each);
    let (found, expected, unit) = match &track.values {
        Values::MorphWeights { count, weights } => {
            (weights.len(), expected.saturating_mul(*count), "numbers")
        }
        values => (values.len(), expected, "values"),
    };
    if found != expected {
        let keys = track.times.len();
        let kind = track.interpolation.name();
        let message = format!("{found} {unit} for {keys} keys of a {kind} track, which needs {expected}");
        rules.error(&codes::VALUE_COUNT, format!("{path}.values"), message);
    }
}

fn values(track: &Track, path: &str, rules: &mut Rules) {
    let field = format!("{path}.values");
    match &track.values {
        Values::Translation(values) | Values::Scale(values) => {
            rules.finite_array(&field, values, |v| v.is_finite());
        }
        Values::MorphWeights { weights, .. } => rules.finite_array(&field, weights, |w| w.is_finite()),
        Values::Rotation(values) => {
            rules.finite_array(&field, values, |q| q.is_finite());
            // A cubic key's tangents need not be unit length.
            let (first, each) = if track.interpolation == Interpolation::Cubic { (1, 3) } else { (0, 1) };
            let keys = values.iter().enumerate().skip(first).step_by(each);
            let mut odd = keys.filter(|(_, q)| !is_unit(q));
            if let Some((key, q)) = odd.next() {
                let message = format!("{q} has length {}, not 1", q.length());
                let field = format!("{field}[{key}]");
                rules.offender((Severity::Error, &codes::NOT_UNIT), field, message, odd.count());
            }
        }
    }
}
