//! The motion of a take by `ufbx`'s evaluation, which tracks follow.

use super::keys::Keys;
use super::morphs;
use super::nodes::Tree;
use super::numbers::Finite;
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
            let transform = ufbx::evaluate_transform(anim, node, seconds + begin);
            Moved::Local(Local::Trs(Finite::default().trs(&transform)))
        });
    }
    for &(id, mesh) in morphing {
        let (fbx, mesh) = (Arc::clone(fbx), mesh.element.typed_id as usize);
        clip.add(id, move |seconds| {
            let anim = &fbx.anim_stacks[take].anim;
            let weight = |target: &morphs::Target<'_>| {
                let channel = ufbx::evaluate_blend_weight(anim, target.channel, seconds + begin);
                Finite::default().real(target.weight(channel))
            };
            Moved::MorphWeights(morphs::targets(&fbx.meshes[mesh]).iter().map(weight).collect())
        });
    }
    clip
}
