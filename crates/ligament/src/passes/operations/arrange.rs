//! Nodes and joints in another order, or without some of them.

use crate::scene::{Influences, Mesh, MeshId, NodeId, Scene, SkinId};
use std::collections::HashMap;

/// Keeps these nodes, in this order, and returns what became of each. A node's parent is the nearest of its ancestors that
/// is kept, and must come before it. Tracks of nodes that are not kept go; joints of skins must have gone before.
pub(super) fn arrange_nodes(scene: &mut Scene, order: &[NodeId]) -> Vec<Option<NodeId>> {
    let mut new: Vec<Option<NodeId>> = vec![None; scene.nodes.len()];
    for (place, id) in order.iter().enumerate() {
        new[id.index()] = Some(NodeId::new(place));
    }
    // Parents come first, so what is above a parent is known.
    let mut nearest: Vec<Option<NodeId>> = Vec::with_capacity(scene.nodes.len());
    for node in &scene.nodes {
        let above = node.parent.and_then(|parent| new[parent.index()].or(nearest[parent.index()]));
        nearest.push(above);
    }
    let mut old: Vec<_> = std::mem::take(&mut scene.nodes).into_iter().map(Some).collect();
    for id in order {
        if let Some(mut node) = old[id.index()].take() {
            node.parent = nearest[id.index()];
            scene.nodes.push(node);
        }
    }
    for joint in scene.skins.iter_mut().flat_map(|skin| &mut skin.joints) {
        *joint = new[joint.index()].unwrap_or(*joint);
    }
    for clip in &mut scene.clips {
        clip.tracks.retain_mut(|track| {
            let kept = new[track.node.index()];
            track.node = kept.unwrap_or(track.node);
            kept.is_some()
        });
    }
    new
}

/// Gives each skin these of its joints, in this order. Influences of other joints go.
pub(super) fn arrange_joints(scene: &mut Scene, picked: &[Vec<usize>]) {
    let maps: Vec<Vec<Option<u32>>> = scene
        .skins
        .iter()
        .zip(picked)
        .map(|(skin, picked)| {
            let mut map = vec![None; skin.joints.len()];
            for (new, &old) in picked.iter().enumerate() {
                map[old] = Some(new as u32);
            }
            map
        })
        .collect();
    for (skin, picked) in scene.skins.iter_mut().zip(picked) {
        skin.joints = picked.iter().map(|&old| skin.joints[old]).collect();
        skin.inverse_binds = picked.iter().map(|&old| skin.inverse_binds[old]).collect();
    }
    renumber(scene, &maps);
}

/// Gives the influences of each skin's meshes other joint numbers. A mesh that is drawn with two skins whose numbers change
/// differently is copied.
pub(super) fn renumber(scene: &mut Scene, maps: &[Vec<Option<u32>>]) {
    let is_same = |map: &[Option<u32>]| map.iter().enumerate().all(|(old, new)| *new == Some(old as u32));
    for (skin, drawn) in separate(scene, |a, b| maps[a.index()] == maps[b.index()]) {
        let map = &maps[skin.index()];
        if !is_same(map) {
            for part in &mut scene.meshes[drawn.index()].parts {
                part.influences = renumbered(std::mem::take(&mut part.influences), map);
            }
        }
    }
}

/// Copies meshes that are drawn with several skins which are not the same for a change. Returns each mesh that is drawn with a
/// skin, once for all skins that are the same.
pub(super) fn separate(scene: &mut Scene, is_same: impl Fn(SkinId, SkinId) -> bool) -> Vec<(SkinId, MeshId)> {
    let mut of_mesh: HashMap<MeshId, Vec<(Option<SkinId>, MeshId)>> = HashMap::new();
    let (mut all, mut copies): (_, Vec<Mesh>) = (Vec::new(), Vec::new());
    let first_copy = scene.meshes.len();
    for node in &mut scene.nodes {
        let Some(mesh) = node.mesh else { continue };
        let known = of_mesh.entry(mesh).or_default();
        let same = known.iter().find(|(other, _)| match (other, node.skin) {
            (Some(a), Some(b)) => is_same(*a, b),
            (a, b) => *a == b,
        });
        let drawn = same.map(|(_, drawn)| *drawn).unwrap_or_else(|| {
            let drawn = match known.is_empty() {
                true => mesh,
                false => {
                    copies.push(scene.meshes[mesh.index()].clone());
                    MeshId::new(first_copy + copies.len() - 1)
                }
            };
            known.push((node.skin, drawn));
            all.extend(node.skin.map(|skin| (skin, drawn)));
            drawn
        });
        node.mesh = Some(drawn);
    }
    scene.meshes.extend(copies);
    all
}

fn renumbered(influences: Influences, map: &[Option<u32>]) -> Influences {
    let new = |joint: u32| map.get(joint as usize).copied().flatten();
    if influences.pairs().iter().all(|pair| new(pair.joint).is_some()) {
        let mut influences = influences;
        influences.pairs_mut().iter_mut().for_each(|pair| pair.joint = new(pair.joint).unwrap_or(pair.joint));
        return influences;
    }
    let mut kept = Influences::with_capacity(influences.len(), influences.pairs().len());
    for pairs in influences.iter() {
        kept.push(
            pairs
                .iter()
                .filter_map(|pair| Some(crate::scene::Influence { joint: new(pair.joint)?, ..*pair })),
        );
    }
    kept
}
