//! Poses a scene at rest, for formats that have neither skins nor a node hierarchy.

use super::bake_pose::bake;
use super::codes;
use super::limit_clips::limit_clips;
use crate::formats::Count;
use crate::pose::Pose;
use crate::report::{Loss, Report};
use crate::scene::{Local, NodeId, Scene};
use std::collections::HashSet;

/// Moves all vertices to their positions at rest. Every object stays a separate one, on a node with an identity
/// transform.
///
/// ```
/// use ligament::passes::bake_rest::bake_rest;
/// use ligament::scene::{Local, Mesh, MeshId, Node, Part, Scene, Trs};
/// use ligament::math::Vec3;
///
/// let part = Part { positions: vec![Vec3::X], ..Part::default() };
/// let local = Local::Trs(Trs { translation: Vec3::Y, ..Trs::IDENTITY });
/// let node = Node { mesh: Some(MeshId(0)), local, ..Node::default() };
/// let mesh = Mesh { parts: vec![part], ..Mesh::default() };
/// let mut scene = Scene { nodes: vec![node.clone(), node], meshes: vec![mesh], ..Scene::default() };
/// bake_rest(&mut scene, &mut Default::default());
/// assert_eq!(scene.meshes[1].parts[0].positions, [Vec3::new(1.0, 1.0, 0.0)]);
/// ```
pub fn bake_rest(scene: &mut Scene, report: &mut Report) {
    limit_clips(scene, Count::None, report);
    if report_losses(scene, report) {
        bake(scene, &Pose::rest(scene));
    }
}

/// Reports what happens to nodes and skins. Returns whether there is anything to bake.
fn report_losses(scene: &Scene, report: &mut Report) -> bool {
    let message = "the format has no skins; vertices are written where they are at rest";
    report.loss(Loss::dropped(&codes::SKINS, "", scene.skins.len(), message));
    let joints: HashSet<NodeId> = scene.skins.iter().flat_map(|skin| &skin.joints).copied().collect();
    let is_empty = |id: &NodeId| scene.nodes[id.index()].mesh.is_none() && !joints.contains(id);
    let empty = scene.node_ids().filter(is_empty).count();
    let message =
        "the format has no node hierarchy; nodes without a mesh are dropped, and objects stay where they are";
    report.loss(Loss::dropped(&codes::NODES, "", empty, message));
    let drawn = scene.nodes.iter().filter(|node| node.mesh.is_some());
    let moved = drawn.filter(|node| node.parent.is_some() || node.local != Local::default()).count();
    let message = "nodes' transforms are applied to their vertices";
    report.loss(Loss::kept(&codes::NODES, "", moved, message));
    let has_morphs = scene.meshes.iter().any(|mesh| !mesh.morphs.is_empty());
    has_morphs || empty > 0 || moved > 0 || !scene.skins.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::{self, same_places};

    #[test]
    fn every_vertex_is_where_it_was_at_rest() {
        for (name, mut before) in testing::scenes() {
            let (mut after, mut report) = (before.clone(), Report::default());
            bake_rest(&mut after, &mut report);
            assert!(after.skins.is_empty() && after.clips.is_empty(), "{name}");
            assert!(after.nodes.iter().all(|n| n.parent.is_none() && n.mesh.is_some()), "{name}");
            before.clips.clear();
            same_places(&name, &before, &after, |v| v, 1e-6);
            let (again, mut second) = (after.clone(), Report::default());
            bake_rest(&mut after, &mut second);
            assert_eq!(after, again, "{name}: nothing to do");
            assert!(second.losses().is_empty(), "{name}");
        }
    }
}
