//! The joint list of another file.
//!
//! Engines that play one clip on many models often go by the numbers of joints. Then all models need the same list: also joints
//! that one of them does not use.

use super::arrange::{arrange_nodes, renumber};
use super::beside::{Beside, Change};
use super::clips_from::Around;
use super::joints::{matched, some_names};
use super::other::read_other;
use super::{codes, rig_codes};
use crate::pose::Pose;
use crate::report::{Failure, Loss, Place, Report, counted};
use crate::scene::{Local, Node, NodeId, Scene};
use glam::DMat4;
use std::collections::HashMap;
use std::path::Path;

/// Limit of the nodes times the skins, all of which get the list.
const MOST_WORK: usize = 1 << 26;
/// How many names a message lists.
const MOST_NAMED: usize = 16;

/// Gives every skin the joints of another file, in its order. Joints that only the other file has are added; those that it does
/// not have come last.
pub(super) fn reorder_joints(
    scene: &mut Scene,
    path: &str,
    around: &Around<'_>,
    report: &mut Report,
) -> Result<(), Failure> {
    let other = read_other(Path::new(path), around, report)?.scene;
    let list = joint_list(&other);
    if scene.skins.is_empty() || list.is_empty() {
        let who = if list.is_empty() { path } else { "the model" };
        report.error(&codes::BAD_OPERATION, Place::WHOLE, format!("{who} has no joints to order by"));
        return Err(Failure::Usage);
    }
    let of_other = matched(&other, scene);
    let is_joint = scene.are_joints();
    if !list.iter().any(|id| of_other[id.index()].is_some_and(|id| is_joint[id.index()])) {
        let message =
            format!("no joint of {path} ({}) is one of the model's", some_names(&other, &list, MOST_NAMED));
        report.error(&codes::NO_COUNTERPART, Place::WHOLE, message);
        return Err(Failure::Usage);
    }
    if scene.skins.len().saturating_mul(scene.nodes.len() + list.len()) > MOST_WORK {
        let message = format!(
            "the model has {}, each of which would get {}; --merge-skins makes one of them",
            counted(scene.skins.len(), "skin", "skins"),
            counted(list.len(), "joint", "joints")
        );
        report.error(&codes::BAD_OPERATION, Place::WHOLE, message);
        return Err(Failure::Usage);
    }
    let before = Beside::of(scene);
    let (list, added) = counterparts(scene, &other, &list, of_other);
    let wanted: HashMap<NodeId, usize> = list.iter().enumerate().map(|(place, id)| (*id, place)).collect();
    let is_extra = |id: &NodeId| is_joint.get(id.index()) == Some(&true) && !wanted.contains_key(id);
    let extra: Vec<NodeId> = scene.node_ids().filter(is_extra).collect();
    let extra_names = some_names(scene, &extra, MOST_NAMED);
    let added_names = some_names(scene, &added, MOST_NAMED);
    give_joints(scene, &list);
    let nodes = arrange_nodes(scene, &parents_first(scene, &list));
    if !added.is_empty() {
        let message = format!("{added_names}: the model had no such joints; they move nothing");
        report.loss(Loss::kept(&rig_codes::JOINTS_ADDED, "", added.len(), message));
    }
    if !extra.is_empty() {
        let message = format!("{path} has no joints called {extra_names}; they come after those that it has");
        report.warning(&rig_codes::NOT_IN_LIST, Place::WHOLE, message);
    }
    let change = Change { nodes: &nodes, moved: &|_| DMat4::IDENTITY, with_rest: true };
    let message = format!("{} in the order of {path}", counted(list.len(), "joint", "joints"));
    report.loss(before.compare(scene, &change).loss(&rig_codes::REORDERED, list.len(), message));
    Ok(())
}

/// The joints of all skins in their order; without skins, the nodes that draw nothing.
fn joint_list(other: &Scene) -> Vec<NodeId> {
    let mut known = vec![false; other.nodes.len()];
    let is_new = |id: &NodeId| !std::mem::replace(&mut known[id.index()], true);
    if other.skins.is_empty() {
        let draws = |node: &Node| node.mesh.is_some() || node.camera.is_some() || node.light.is_some();
        return other.node_ids().filter(|id| !draws(&other.nodes[id.index()])).collect();
    }
    other.skins.iter().flat_map(|skin| &skin.joints).copied().filter(is_new).collect()
}

/// The model's nodes for a list of another file's. Those that it does not have are added: below the counterpart of what they are
/// below there, at rest as there.
fn counterparts(
    scene: &mut Scene,
    other: &Scene,
    list: &[NodeId],
    mut of_other: Vec<Option<NodeId>>,
) -> (Vec<NodeId>, Vec<NodeId>) {
    let mut is_missing = vec![false; other.nodes.len()];
    list.iter().for_each(|id| is_missing[id.index()] = of_other[id.index()].is_none());
    let globals = Pose::rest(other).globals;
    // For each node, the nearest at or above it that has a counterpart. Parents come first.
    let mut nearest: Vec<Option<NodeId>> = Vec::with_capacity(other.nodes.len());
    let mut added = Vec::new();
    for id in other.node_ids() {
        let node = &other.nodes[id.index()];
        let above = node.parent.and_then(|parent| nearest[parent.index()]);
        if is_missing[id.index()] {
            let local = match above {
                Some(above) if node.parent == Some(above) => node.local.clone(),
                Some(above) => Local::from_matrix(&(globals[above.index()].inverse() * globals[id.index()])),
                None => Local::from_matrix(&globals[id.index()]),
            };
            let local = if local.to_matrix().is_finite() { local } else { Local::default() };
            let parent = above.and_then(|above| of_other[above.index()]);
            let new = scene.add_node(Node { name: node.name.clone(), parent, local, ..Node::default() });
            of_other[id.index()] = Some(new);
            added.push(new);
        }
        nearest.push(if of_other[id.index()].is_some() { Some(id) } else { above });
    }
    (list.iter().filter_map(|id| of_other[id.index()]).collect(), added)
}

/// Gives every skin these joints, and after them those of its own that are not among them.
fn give_joints(scene: &mut Scene, list: &[NodeId]) {
    let rest = Pose::rest(scene).globals;
    let mut maps = Vec::with_capacity(scene.skins.len());
    for index in 0..scene.skins.len() {
        let skin = &scene.skins[index];
        let binds: HashMap<NodeId, DMat4> = skin.binds().collect();
        let above = moved_above(scene, &rest, &binds);
        let mut places: HashMap<NodeId, Vec<usize>> = HashMap::new();
        for (place, joint) in skin.joints.iter().enumerate() {
            places.entry(*joint).or_default().push(place);
        }
        let (mut joints, mut inverse_binds) = (Vec::new(), Vec::new());
        let mut map: Vec<Option<u32>> = vec![None; skin.joints.len()];
        for &joint in list {
            let own = places.remove(&joint).unwrap_or_default();
            for &place in &own {
                map[place] = Some(joints.len() as u32);
                joints.push(joint);
                inverse_binds.push(skin.inverse_binds[place]);
            }
            if own.is_empty() {
                joints.push(joint);
                inverse_binds.push(bind(&rest, &above, joint).to_cols_array().map(|v| v as f32));
            }
        }
        for (place, new) in map.iter_mut().enumerate().filter(|(_, new)| new.is_none()) {
            *new = Some(joints.len() as u32);
            joints.push(skin.joints[place]);
            inverse_binds.push(skin.inverse_binds[place]);
        }
        maps.push(map);
        (scene.skins[index].joints, scene.skins[index].inverse_binds) = (joints, inverse_binds);
    }
    renumber(scene, &maps);
}

/// For each node, by what the nearest joint at or above it moves a skin's vertices at rest.
fn moved_above(scene: &Scene, rest: &[DMat4], binds: &HashMap<NodeId, DMat4>) -> Vec<Option<DMat4>> {
    let mut moved: Vec<Option<DMat4>> = Vec::with_capacity(scene.nodes.len());
    for id in scene.node_ids() {
        let above = scene.nodes[id.index()].parent.and_then(|parent| moved[parent.index()]);
        moved.push(binds.get(&id).map(|bind| rest[id.index()] * *bind).or(above));
    }
    moved
}

/// The bind matrix of a joint that a skin does not have: at rest, it moves vertices as the nearest joint above it does.
fn bind(rest: &[DMat4], above: &[Option<DMat4>], joint: NodeId) -> DMat4 {
    let matrix = rest[joint.index()].inverse() * above[joint.index()].unwrap_or(DMat4::IDENTITY);
    if matrix.is_finite() { matrix } else { DMat4::IDENTITY }
}

/// All nodes, with these in this order as far as parents come before their children.
fn parents_first(scene: &Scene, list: &[NodeId]) -> Vec<NodeId> {
    let mut order = Vec::with_capacity(scene.nodes.len());
    let mut is_placed = vec![false; scene.nodes.len()];
    let mut chain = Vec::new();
    for id in list.iter().copied().chain(scene.node_ids()) {
        let mut at = Some(id);
        while let Some(node) = at.filter(|node| !is_placed[node.index()]) {
            is_placed[node.index()] = true;
            chain.push(node);
            at = scene.nodes[node.index()].parent;
        }
        order.extend(chain.drain(..).rev());
    }
    order
}
