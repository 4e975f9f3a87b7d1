//! Bones and joints.

use crate::lines::{Lines, Segment};
use crate::{Shot, Space};
use ligament::Scene;
use ligament::math::{DVec3, Vec3};
use ligament::pose::Pose;
use ligament::scene::NodeId;

const RIM: [u8; 4] = [20, 24, 36, 255];
const BONE: [u8; 4] = [255, 214, 102, 255];
const JOINT: [u8; 4] = [255, 244, 214, 255];
const TIP: [u8; 4] = [255, 214, 102, 150];

/// The nodes that are joints, in order; in a scene without skins, all nodes without a mesh, camera or light.
pub(crate) fn joints(scene: &Scene) -> Vec<NodeId> {
    let mut is_joint = vec![false; scene.nodes.len()];
    for joint in scene.skins.iter().flat_map(|skin| &skin.joints) {
        if let Some(is_joint) = is_joint.get_mut(joint.index()) {
            *is_joint = true;
        }
    }
    if !is_joint.contains(&true) {
        is_joint = scene
            .nodes
            .iter()
            .map(|node| node.mesh.is_none() && node.camera.is_none() && node.light.is_none())
            .collect();
    }
    scene.node_ids().filter(|id| is_joint[id.index()]).collect()
}

/// The joints that are not hidden.
pub(crate) fn shown(scene: &Scene, shot: &Shot) -> Vec<NodeId> {
    let hidden = |joint: &NodeId| shot.hidden.get(joint.index()).copied().unwrap_or(false);
    joints(scene).into_iter().filter(|joint| !hidden(joint)).collect()
}

/// The position of a node in a pose, in the model's units.
pub(crate) fn origin(pose: &Pose, space: &Space, node: NodeId) -> Vec3 {
    pose.globals.get(node.index()).map_or(Vec3::ZERO, |global| space.place(global.w_axis.truncate()))
}

/// Draws a bone from each joint to its nearest ancestor joint, and the tips stored in the file.
pub(crate) fn draw(scene: &Scene, shot: &Shot, thickness: f32, lines: &mut Lines) {
    let (pose, space) = (shot.pose, &shot.stage.space);
    let joints = shown(scene, shot);
    let mut is_joint = vec![false; scene.nodes.len()];
    joints.iter().for_each(|joint| is_joint[joint.index()] = true);
    let has_child: Vec<bool> = {
        let mut has = vec![false; scene.nodes.len()];
        for joint in &joints {
            if let Some(parent) = parent_joint(scene, &is_joint, *joint) {
                has[parent.index()] = true;
            }
        }
        has
    };
    let mut bones = Vec::new();
    for &joint in &joints {
        let at = origin(pose, space, joint);
        if let Some(parent) = parent_joint(scene, &is_joint, joint) {
            bones.push((origin(pose, space, parent), at, BONE));
        }
        let tip = scene.nodes[joint.index()].tip.filter(|_| !has_child[joint.index()]);
        if let (Some(tip), Some(global)) = (tip, pose.globals.get(joint.index())) {
            let end = global.transform_point3(DVec3::from_array(tip.map(f64::from)));
            bones.push((at, space.place(end), TIP));
        }
    }
    let rims = bones.iter().map(|&(from, to, _)| Segment::new(from, to, RIM, 4.5 * thickness));
    lines.on_top.extend(rims);
    lines
        .on_top
        .extend(bones.iter().map(|&(from, to, color)| Segment::new(from, to, color, 2.5 * thickness)));
    for &joint in &joints {
        let at = origin(pose, space, joint);
        lines.on_top.push(Segment::dot(at, RIM, 7.5 * thickness));
        lines.on_top.push(Segment::dot(at, JOINT, 5.0 * thickness));
    }
}

fn parent_joint(scene: &Scene, is_joint: &[bool], joint: NodeId) -> Option<NodeId> {
    let mut above = scene.nodes[joint.index()].parent;
    while let Some(id) = above {
        if is_joint[id.index()] {
            return Some(id);
        }
        above = scene.nodes[id.index()].parent;
    }
    None
}
