//! A skin as bones, in the order in which formats with their own skeletons list them.

use super::hierarchy::Pose;
use crate::scene::{NodeId, Scene};
use glam::DMat4;
use std::collections::{HashMap, HashSet};

/// A joint as a bone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Bone {
    pub(crate) node: NodeId,
    /// The index of the joint in influences.
    pub(crate) joint: usize,
    /// The nearest bone above, which comes before this one.
    pub(crate) parent: Option<usize>,
    /// The first bone whose parent this is.
    pub(crate) first_child: Option<usize>,
    /// From the bone's space to the scene's, at rest.
    pub(crate) rest: DMat4,
}

/// Bones, parents first.
#[derive(Debug, Default)]
pub(crate) struct Rig {
    pub(crate) bones: Vec<Bone>,
    /// The bone of each joint, in the order of the skin's joints.
    pub(crate) of_joint: Vec<u32>,
    /// The bone of each node of the scene.
    of_node: HashMap<NodeId, u32>,
}

impl Rig {
    /// The joints of the scene's first skin; no bones if there is no skin.
    pub(crate) fn of_skin(scene: &Scene) -> Self {
        Self::of(scene, scene.skins.first().map_or(&[], |skin| &skin.joints))
    }

    /// The given nodes, each once. They keep their order, unless a child comes before its parent: then they are in the
    /// scene's order.
    pub(crate) fn of(scene: &Scene, nodes: &[NodeId]) -> Self {
        Self::at_rest(scene, nodes, &Pose::rest(scene).globals)
    }

    /// Like [`of`](Self::of), with the rest pose of all nodes. The work depends on the given nodes alone, since a scene may
    /// have many rigs.
    pub(crate) fn at_rest(scene: &Scene, nodes: &[NodeId], rest: &[DMat4]) -> Self {
        let mut is_bone = HashSet::new();
        let mut order: Vec<usize> = (0..nodes.len()).filter(|&joint| is_bone.insert(nodes[joint])).collect();
        let parents = nearest_above(scene, nodes, &is_bone);
        let mut seen = HashSet::new();
        let parents_first = order.iter().all(|&joint| {
            seen.insert(nodes[joint]);
            parents[joint].is_none_or(|parent| seen.contains(&parent))
        });
        if !parents_first {
            order.sort_by_key(|&joint| nodes[joint]);
        }
        let mut rig = Self::default();
        for joint in order {
            let (node, number) = (nodes[joint], rig.bones.len());
            let parent = parents[joint].and_then(|parent| rig.bone_of(parent));
            if let Some(parent) = parent {
                rig.bones[parent].first_child.get_or_insert(number);
            }
            rig.of_node.insert(node, number as u32);
            rig.bones.push(Bone { node, joint, parent, first_child: None, rest: rest[node.index()] });
        }
        rig.of_joint = nodes.iter().filter_map(|node| rig.of_node.get(node).copied()).collect();
        rig
    }

    /// The index of a node's bone.
    pub(crate) fn bone_of(&self, node: NodeId) -> Option<usize> {
        self.of_node.get(&node).map(|&bone| bone as usize)
    }
}

/// For each of these nodes, the nearest bone above it. What is above a node that was passed is not walked again.
fn nearest_above(scene: &Scene, nodes: &[NodeId], is_bone: &HashSet<NodeId>) -> Vec<Option<NodeId>> {
    let mut known: HashMap<NodeId, Option<NodeId>> = HashMap::new();
    let mut passed = Vec::new();
    let mut nearest = |node: NodeId| {
        let mut above = scene.nodes[node.index()].parent;
        let found = loop {
            let Some(parent) = above.filter(|parent| !is_bone.contains(parent)) else { break above };
            if let Some(&found) = known.get(&parent) {
                break found;
            }
            passed.push(parent);
            above = scene.nodes[parent.index()].parent;
        };
        known.extend(passed.drain(..).map(|parent| (parent, found)));
        found
    };
    nodes.iter().map(|&node| nearest(node)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Local, Node, Trs};
    use glam::{DVec3, Vec3};

    /// A chain of four nodes, and another root.
    fn scene() -> Scene {
        let local = Local::Trs(Trs { translation: Vec3::Y, ..Trs::IDENTITY });
        let node = |parent: Option<u32>| Node {
            parent: parent.map(NodeId),
            local: local.clone(),
            ..Node::default()
        };
        Scene { nodes: [None, Some(0), Some(1), Some(2), None].map(node).into(), ..Scene::default() }
    }

    fn bones(nodes: &[u32]) -> Vec<(u32, Option<usize>, Option<usize>)> {
        let nodes: Vec<NodeId> = nodes.iter().map(|&node| NodeId(node)).collect();
        let rig = Rig::of(&scene(), &nodes);
        rig.bones.iter().map(|bone| (bone.node.0, bone.parent, bone.first_child)).collect()
    }

    #[test]
    fn bones_keep_their_order_where_parents_come_first() {
        assert_eq!(bones(&[4, 0, 1]), [(4, None, None), (0, None, Some(2)), (1, Some(1), None)]);
        assert_eq!(bones(&[1, 4, 0]), [(0, None, Some(1)), (1, Some(0), None), (4, None, None)]);
        assert_eq!(bones(&[0, 1, 0]), [(0, None, Some(1)), (1, Some(0), None)], "each node once");
        assert_eq!(Rig::of(&scene(), &[1, 4, 0, 1].map(NodeId)).of_joint, [1, 2, 0, 1]);
    }

    #[test]
    fn nodes_between_bones_are_passed_over() {
        let chain = [(0, None, Some(1)), (3, Some(0), None)];
        assert_eq!(bones(&[0, 3]), chain);
        assert_eq!(bones(&[3, 0]), chain);
        let rig = Rig::of(&scene(), &[NodeId(0), NodeId(3)]);
        assert_eq!([1, 3, 9].map(|node| rig.bone_of(NodeId(node))), [None, Some(1), None]);
        assert_eq!(rig.bones[1].rest.transform_point3(DVec3::ZERO), DVec3::Y * 4.0);
    }
}
