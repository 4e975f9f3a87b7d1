//! The motion of a skeleton by the file's own rules, which tracks follow.

use super::skeletons::Placed;
use crate::formats::bogle::document::{Animation, Collection};
use crate::formats::bogle::posing::Skeleton;
use crate::pose::{Moved, OwnClip};
use crate::scene::Local;
use crate::settings::Posing;
use std::sync::Arc;

/// An animation with its skeleton.
struct Played {
    skeleton: Skeleton<'static>,
    animation: Animation,
    /// The time at which the clip begins, and the last time at which the animation is played.
    start: f64,
    end: f64,
}

/// Adds what an animation moves in all the skeletons that play it, and the times of its keys in the clip to `keys`.
pub(super) fn add<'p>(
    clip: &mut OwnClip,
    collection: &Collection,
    animation: &Animation,
    posing: Posing,
    start: f64,
    placed: impl Iterator<Item = &'p Placed>,
    keys: &mut Vec<f64>,
) {
    let Collection { name, matrix, bones, .. } = collection;
    // Without the animations, which would be copied for each of them.
    let skeleton =
        Collection { name: name.clone(), matrix: *matrix, bones: bones.clone(), animations: Vec::new() };
    let bones = skeleton.bones.len();
    let times: Vec<f64> = animation.keys(bones).map(|key| f64::from(key.time)).collect();
    let Some(&last) = times.last() else { return };
    keys.extend(times.iter().map(|time| time - start));
    // From the last key on, the engine shows the bind pose; the clip holds the last one, which is reported.
    let end = if posing == Posing::Engine { last.next_down() } else { last };
    let skeleton = Skeleton::owned(skeleton, posing);
    let played = Arc::new(Played { skeleton, animation: animation.clone(), start, end });
    for placed in placed {
        for (bone, (&node, outer)) in placed.joints.iter().zip(placed.stretched.iter()).enumerate() {
            let own = Arc::clone(&played);
            // A stretched bone's transform is that of two nodes together.
            clip.add(outer.unwrap_or(node), move |seconds| {
                let time = (seconds + own.start).min(own.end);
                let moment = own.skeleton.moment(&own.animation, bone, time);
                Moved::Local(Local::from_matrix(&own.skeleton.local(bone, moment)))
            });
            if outer.is_some() {
                clip.add(node, |_| Moved::Local(Local::default()));
            }
        }
    }
}
