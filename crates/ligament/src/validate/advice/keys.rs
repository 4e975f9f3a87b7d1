//! Joints without keys that other clips animate.

use super::{clip_name, codes, joint_name, others};
use crate::report::{Place, Report};
use crate::scene::{Clip, NodeId, Scene};
use std::collections::HashSet;

/// With fewer joints, a missing one is more likely meant.
const FEWEST: usize = 10;

pub(super) fn check(scene: &Scene, report: &mut Report) {
    let joints: HashSet<NodeId> = scene.skins.iter().flat_map(|skin| skin.joints.iter().copied()).collect();
    let keyed = |clip: &Clip| -> HashSet<NodeId> {
        let tracks = clip.tracks.iter().filter(|track| track.moves_node() && joints.contains(&track.node));
        tracks.map(|track| track.node).collect()
    };
    let mut all: Vec<NodeId> = scene.clips.iter().flat_map(&keyed).collect();
    all.sort_unstable();
    all.dedup();
    if all.len() < FEWEST {
        return;
    }
    for (c, clip) in scene.clips.iter().enumerate() {
        let keyed = keyed(clip);
        if keyed.len() == all.len() || keyed.len() * 10 < all.len() * 9 {
            continue;
        }
        let mut missing = all.iter().filter(|joint| !keyed.contains(joint));
        let Some(first) = missing.next() else { continue };
        let message = format!(
            "{} animates {} of {} joints, but not {}{}",
            clip_name(scene, c),
            keyed.len(),
            all.len(),
            joint_name(scene, *first),
            others(missing.count())
        );
        report.note(&codes::NO_KEYS, Place::field(format!("clips[{c}].tracks")), message);
    }
}
