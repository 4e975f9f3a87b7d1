//! The motion of a take by `ufbx`'s evaluation, which tracks follow.

use super::keys::Keys;
use super::morphs;
use super::nodes::Tree;
use super::numbers::Finite;
use super::played::Played;
use crate::pose::{Moved, OwnClip};
use crate::scene::{Local, NodeId};
use std::sync::Arc;

/// Everything that a take moves.
pub(super) fn clip(
    fbx: &Arc<ufbx::SceneRoot>,
    stack: &ufbx::AnimStack,
    keys: &Keys<'_>,
    tree: &Tree,
    morphing: &[(NodeId, &ufbx::Mesh)],
) -> OwnClip {
    let begin = keys.begin;
    let mut clip = OwnClip::new(keys.all_times().map(|time| time - begin));
    let take = stack.element.typed_id as usize;
    for node in fbx.nodes.as_ref() {
        let (Some(id), Some(_)) = (tree.id(node), keys.of_node(node)) else { continue };
        let (fbx, node) = (Arc::clone(fbx), node.element.typed_id as usize);
        clip.add(id, move |seconds| {
            let (anim, node) = (&fbx.anim_stacks[take].anim, &fbx.nodes[node]);
            let transform = Played::new(anim).transform(node, seconds + begin);
            Moved::Local(Local::Trs(Finite::default().trs(&transform)))
        });
    }
    for &(id, mesh) in morphing {
        let (fbx, mesh) = (Arc::clone(fbx), mesh.element.typed_id as usize);
        clip.add(id, move |seconds| {
            let anim = &fbx.anim_stacks[take].anim;
            let weights = Played::new(anim).weights(&morphs::targets(&fbx.meshes[mesh]), seconds + begin);
            Moved::MorphWeights(weights.into_iter().map(|weight| Finite::default().real(weight)).collect())
        });
    }
    clip
}
