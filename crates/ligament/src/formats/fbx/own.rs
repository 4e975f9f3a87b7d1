//! The motion of a take by `ufbx`'s evaluation, which tracks follow.

use super::keys::Keys;
use super::morphs;
use super::nodes::Tree;
use super::numbers::Finite;
use super::played::Played;
use super::take::Take;
use crate::pose::{Moved, OwnClip};
use crate::scene::{Local, NodeId};

/// Everything that a take moves.
pub(super) fn clip(take: &Take, keys: &Keys<'_>, tree: &Tree, morphing: &[(NodeId, &ufbx::Mesh)]) -> OwnClip {
    let begin = keys.begin;
    let mut clip = OwnClip::new(keys.all_times().map(|time| time - begin));
    for node in take.file().nodes.as_ref() {
        let (Some(id), Some(_)) = (tree.id(node), keys.of_node(node)) else { continue };
        let (take, node) = (take.clone(), node.element.typed_id as usize);
        clip.add(id, move |seconds| {
            let transform = Played::new(take.anim()).transform(&take.file().nodes[node], seconds + begin);
            Moved::Local(Local::Trs(Finite::default().trs(&transform)))
        });
    }
    for &(id, mesh) in morphing {
        let (take, mesh) = (take.clone(), mesh.element.typed_id as usize);
        clip.add(id, move |seconds| {
            let targets = morphs::targets(&take.file().meshes[mesh]);
            let weights = Played::new(take.anim()).weights(&targets, seconds + begin);
            Moved::MorphWeights(weights.into_iter().map(|weight| Finite::default().real(weight)).collect())
        });
    }
    clip
}
