//! A skin as bones, in the order in which formats with their own skeletons list them.

use super::hierarchy::Pose;
use crate::scene::{NodeId, Scene};
use glam::DMat4;

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
    of_node: Vec<Option<u32>>,
}

impl Rig {
    /// The joints of the scene's first skin; no bones if there is no skin.
    pub(crate) fn of_skin(scene: &Scene) -> Self {
        Self::of(scene, scene.skins.first().map_or(&[], |skin| &skin.joints))
    }

    /// The given nodes, each once. They keep their order, unless a child comes before its parent: then they are in the
    /// scene's order.
    pub(crate) fn of(scene: &Scene, nodes: &[NodeId]) -> Self {
        let mut is_bone = vec![false; scene.nodes.len()];
        let is_new = |joint: &usize| !std::mem::replace(&mut is_bone[nodes[*joint].index()], true);
        let mut order: Vec<usize> = (0..nodes.len()).filter(is_new).collect();
        let parents = nearest_above(scene, &is_bone);
        let mut seen = vec![false; scene.nodes.len()];
        let parents_first = order.iter().all(|&joint| {
            let node = nodes[joint].index();
            seen[node] = true;
            parents[node].is_none_or(|parent| seen[parent.index()])
        });
        if !parents_first {
            order.sort_by_key(|&joint| nodes[joint]);
        }
        let mut rig = Self { of_node: vec![None; scene.nodes.len()], ..Self::default() };
        let rest = Pose::rest(scene).globals;
        for joint in order {
            let (node, number) = (nodes[joint], rig.bones.len());
            let parent = parents[node.index()].and_then(|parent| rig.bone_of(parent));
            if let Some(parent) = parent {
                rig.bones[parent].first_child.get_or_insert(number);
            }
            rig.of_node[node.index()] = Some(number as u32);
            rig.bones.push(Bone { node, joint, parent, first_child: None, rest: rest[node.index()] });
        }
        rig.of_joint = nodes.iter().filter_map(|node| rig.of_node[node.index()]).collect();
        rig
    }

    /// The index of a node's bone.
    pub(crate) fn bone_of(&self, node: NodeId) -> Option<usize> {
        self.of_node.get(node.index()).copied().flatten().map(|bone| bone as usize)
    }
}

/// For each node, the nearest bone above it. A scene lists parents first, so one loop finds them all.
fn nearest_above(scene: &Scene, is_bone: &[bool]) -> Vec<Option<NodeId>> {
    let mut above: Vec<Option<NodeId>> = Vec::with_capacity(scene.nodes.len());
    for node in &scene.nodes {
        let of_parent =
            |parent: NodeId| if is_bone[parent.index()] { Some(parent) } else { above[parent.index()] };
        above.push(node.parent.and_then(of_parent));
    }
    above
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
