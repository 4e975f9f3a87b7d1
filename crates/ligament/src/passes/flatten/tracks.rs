//! Clips of the flattened skeleton.

use super::plan::Plan;
use super::skeleton::{Bone, Skeleton};
use crate::passes::similarity::Similarity;
use crate::scene::{Interpolation, NodeId, Scene, Track, Values};
use glam::DMat4;
use std::sync::Arc;

impl Skeleton {
    /// Whether any bone has another rest transform than in the source.
    pub(super) fn rests_elsewhere(&self) -> bool {
        self.bones.iter().any(|b| b.rest != b.was)
    }
}

/// Moves all tracks to the bones, which become the nodes from `first` on. Returns the number of tracks without a bone.
pub(super) fn flatten_tracks(scene: &mut Scene, plan: &Plan, skeleton: &Skeleton, first: usize) -> usize {
    let mut bones_of: Vec<Vec<usize>> = vec![Vec::new(); scene.nodes.len()];
    for (index, bone) in skeleton.bones.iter().enumerate() {
        bones_of[bone.node].push(index);
    }
    let mut object_of = vec![None; scene.nodes.len()];
    for (object, placement) in plan.placements.iter().enumerate().take(first) {
        object_of[placement.node] = Some(NodeId::new(object));
    }
    let above: Vec<Option<Similarity>> = plan.fold.iter().map(filter_identity).collect();
    let mut dropped = 0;
    let constant_time: Arc<[f32]> = Arc::from([0.0]);
    for clip in &mut scene.clips {
        let mut tracks = Vec::with_capacity(clip.tracks.len());
        for mut track in std::mem::take(&mut clip.tracks) {
            let node = track.node.index();
            if !track.moves_node() {
                if let Some(object) = object_of[node] {
                    track.node = object;
                    tracks.push(track);
                }
                continue;
            }
            let Some((last, copies)) = bones_of[node].split_last() else {
                dropped += 1;
                continue;
            };
            if let Some(similarity) = &above[node] {
                similarity.before_track(&mut track.values, track.interpolation == Interpolation::Cubic);
            }
            for &bone in copies {
                tracks.push(Track { node: NodeId::new(first + bone), ..track.clone() });
            }
            track.node = NodeId::new(first + *last);
            tracks.push(track);
        }
        hold_old_rest(&skeleton.bones, first, &constant_time, &mut tracks);
        clip.tracks = tracks;
    }
    dropped
}

fn filter_identity(matrix: &DMat4) -> Option<Similarity> {
    if *matrix == DMat4::IDENTITY { None } else { Similarity::of(matrix) }
}

/// A property that a clip does not animate is at rest; if the rest has changed, a constant track holds the old value.
fn hold_old_rest(bones: &[Bone], first: usize, time: &Arc<[f32]>, tracks: &mut Vec<Track>) {
    let mut has: Vec<[bool; 3]> = vec![[false; 3]; bones.len()];
    for track in tracks.iter() {
        let property = match track.values {
            Values::Translation(_) => 0,
            Values::Rotation(_) => 1,
            Values::Scale(_) => 2,
            Values::MorphWeights { .. } => continue,
        };
        has[track.node.index() - first][property] = true;
    }
    for (index, (bone, has)) in bones.iter().zip(has).enumerate() {
        let (was, rest) = (&bone.was, &bone.rest);
        let missing = [
            (was.translation != rest.translation, Values::Translation(vec![was.translation])),
            (was.rotation != rest.rotation, Values::Rotation(vec![was.rotation])),
            (was.scale != rest.scale, Values::Scale(vec![was.scale])),
        ];
        for ((changed, values), has) in missing.into_iter().zip(has) {
            if changed && !has {
                let node = NodeId::new(first + index);
                tracks.push(Track {
                    node,
                    interpolation: Interpolation::Step,
                    times: Arc::clone(time),
                    values,
                });
            }
        }
    }
}
