//! Animations: keys relative to the rest pose become tracks.

use super::Import;
use super::skeleton::Rig;
use crate::formats::qmsh::codes;
use crate::formats::qmsh::document::{Animation, Document, Key, text};
use crate::formats::qmsh::space::{mirrored, rotation};
use crate::scene::{Clip, Interpolation, NodeId, Track, Trs, Values};
use glam::{Quat, Vec3};
use std::sync::Arc;

impl Import<'_> {
    pub(super) fn clips(&mut self, document: &Document, rig: &Rig) {
        for (i, animation) in document.animations.iter().enumerate() {
            let clip = clip(animation, rig);
            let finite = clip.tracks.iter().all(|track| match &track.values {
                Values::Translation(v) | Values::Scale(v) => v.iter().all(|v| v.is_finite()),
                Values::Rotation(v) => v.iter().all(|v| v.is_finite()),
                Values::MorphWeights { .. } => true,
            });
            if !finite {
                let message = "keys and rest pose together are too large to be posed".into();
                self.error(&codes::NOT_FINITE, format!("animations[{i}]"), message);
            }
            self.scene.clips.push(clip);
        }
    }
}

fn clip(animation: &Animation, rig: &Rig) -> Clip {
    let times = &animation.times;
    // Of keys at the same time the last counts.
    let counts = |i: &usize| times.get(i + 1).is_none_or(|next| *next > times[*i]);
    let kept: Vec<usize> = (0..times.len()).filter(counts).collect();
    let key_times: Arc<[f32]> = kept.iter().map(|&i| times[i]).collect();
    let mut clip = Clip { name: text(&animation.name), ..Clip::default() };
    let bones = rig.joints.len();
    for (bone, (&joint, rest)) in rig.joints.iter().zip(&rig.rests).enumerate() {
        let keys: Vec<&Key> = kept.iter().filter_map(|i| animation.keys.get(i * bones + bone)).collect();
        add_tracks(&mut clip, joint, &rest.unwrap_or(Trs::IDENTITY), &keys, &key_times);
    }
    let last = key_times.last().copied().unwrap_or(0.0);
    clip.duration = animation.length.max(last).max(0.0);
    clip
}

/// The tracks of one bone; what stays at rest throughout has none.
fn add_tracks(clip: &mut Clip, node: NodeId, rest: &Trs, keys: &[&Key], times: &Arc<[f32]>) {
    let Some(&first) = keys.first() else { return };
    let mut add = |is_constant: bool, values: Values| {
        let times = if is_constant { Arc::from(&times[..1]) } else { Arc::clone(times) };
        clip.tracks.push(Track { node, interpolation: Interpolation::Linear, times, values });
    };
    // Constant tracks have one key.
    let needed = |is_constant: bool| &keys[..if is_constant { 1 } else { keys.len() }];
    let turn = rest.rotation.as_dquat().normalize();

    let constant = keys.iter().all(|k| k.translation == first.translation);
    if !constant || first.translation != [0.0; 3] {
        let place = |k: &&Key| {
            let moved = turn * (rest.scale * mirrored(k.translation)).as_dvec3();
            (rest.translation.as_dvec3() + moved).as_vec3()
        };
        add(constant, Values::Translation(needed(constant).iter().map(place).collect()));
    }
    let constant = keys.iter().all(|k| k.rotation == first.rotation);
    if !constant || first.rotation[..3] != [0.0; 3] {
        let turned = |k: &&Key| -> Quat { (turn * rotation(k.rotation)).normalize().as_quat() };
        add(constant, Values::Rotation(needed(constant).iter().map(turned).collect()));
    }
    let constant = keys.iter().all(|k| k.scale == first.scale);
    if !constant || first.scale != [1.0; 3] {
        // The axes of a scale are not turned by the mirror.
        let scaled = |k: &&Key| rest.scale * Vec3::from_array(k.scale);
        add(constant, Values::Scale(needed(constant).iter().map(scaled).collect()));
    }
}
