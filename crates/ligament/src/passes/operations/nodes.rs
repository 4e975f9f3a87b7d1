//! Adds nodes to a scene whose nodes are in use.

use crate::pose::OwnMotion;
use crate::scene::{Local, Node, NodeId, Scene};
use glam::DMat4;

/// Puts a node between another one and its parent, at the parent's place. It becomes a joint of the skins of which the other is
/// one, so that formats whose skeletons are joints alone have it too. Returns the ids of the new node and of the other.
pub(super) fn insert_above(
    scene: &mut Scene,
    own: &mut Option<OwnMotion>,
    node: NodeId,
    name: String,
) -> (NodeId, NodeId) {
    let moved = |id: &mut NodeId| id.0 += u32::from(id.0 >= node.0);
    let parent = scene.nodes[node.index()].parent;
    scene.nodes.iter_mut().filter_map(|node| node.parent.as_mut()).for_each(moved);
    scene.skins.iter_mut().flat_map(|skin| &mut skin.joints).for_each(moved);
    scene.clips.iter_mut().flat_map(|clip| &mut clip.tracks).for_each(|track| moved(&mut track.node));
    if let Some(own) = own {
        own.map_nodes(moved);
    }
    scene.nodes.insert(node.index(), Node { name, parent, local: Local::default(), ..Node::default() });
    let other = NodeId(node.0 + 1);
    scene.nodes[other.index()].parent = Some(node);
    let local = scene.nodes[other.index()].local.to_matrix();
    for skin in &mut scene.skins {
        let bind: Option<DMat4> = skin.binds().find(|(joint, _)| *joint == other).map(|(_, bind)| bind);
        if let Some(bind) = bind {
            let matrix = local * bind;
            skin.joints.push(node);
            skin.inverse_binds.push(matrix.to_cols_array().map(|v| v as f32));
        }
    }
    (node, other)
}
