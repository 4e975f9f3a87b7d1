//! Joints that nothing needs.

use super::arrange::{arrange_joints, arrange_nodes};
use super::beside::{Beside, Change};
use super::fold::{Fold, fold, is_even};
use super::joints::some_names;
use super::rig_codes as codes;
use crate::report::{Failure, Loss, Place, Report};
use crate::scene::{Local, NodeId, Scene, SkinId, Track};
use crate::settings::choices;
use glam::DMat4;
use std::collections::{HashMap, HashSet};

choices! {
    /// Which joints go.
    pub enum Prune {
        Unused = "unused": "Those that move nothing: no vertex, and no node that stays",
        Deforming = "deforming": "All but those that deform meshes, whose motion takes in that of the others",
    }
}

/// How joints are pruned.
#[derive(Debug, Clone, PartialEq)]
pub struct PruneOptions<'a> {
    /// Which joints go.
    pub which: Prune,
    /// Names of joints that stay, such as sockets that a game attaches things to.
    pub keep: &'a [String],
    /// Whether the topmost joints stay, because they have the root motion.
    pub keep_top: bool,
}

/// The number of names in a message.
const MOST_NAMED: usize = 64;
/// Limit of the nodes in a row that go, so that the work stays proportional to the nodes.
const LONGEST: usize = 64;
/// Limit of the keys of nodes that go, times the nodes that take them.
const MOST_KEYS: usize = 1 << 22;

/// Removes joints. Every posed vertex stays where it was: where a joint goes from between others, its motion is folded into
/// those below it.
pub(super) fn prune_joints(
    scene: &mut Scene,
    options: &PruneOptions<'_>,
    report: &mut Report,
) -> Result<(), Failure> {
    let mut named = named(scene, options.keep, report)?;
    if options.keep_top {
        let is_joint = scene.are_joints();
        let mut is_below = vec![false; scene.nodes.len()];
        for (index, node) in scene.nodes.iter().enumerate() {
            is_below[index] =
                node.parent.is_some_and(|parent| is_joint[parent.index()] || is_below[parent.index()]);
            named[index] |= is_joint[index] && !is_below[index];
        }
    }
    if scene.nodes.iter().all(|node| node.mesh.is_none()) {
        let message = "nothing is drawn, so nothing shows which joints are needed; none was removed";
        report.warning(&codes::NOT_PRUNED, Place::WHOLE, message);
        return Ok(());
    }
    let before = Beside::of(scene);
    let used = used_joints(scene);
    let plan = Plan::new(scene, options.which, &used, &named);
    if !plan.blocked.is_empty() {
        let message = format!(
            "{} cannot be folded into what is below: a scale that is not the same on all axes, too many keys, or too many in a row",
            some_names(scene, &plan.blocked, MOST_NAMED)
        );
        report.loss(Loss::kept(&codes::JOINT_STAYS, "", plan.blocked.len(), message));
    }
    let gone: Vec<NodeId> = scene.node_ids().filter(|id| plan.goes[id.index()]).collect();
    if gone.is_empty() {
        report.note(&codes::NOT_PRUNED, Place::WHOLE, "every joint is needed; none was removed");
        return Ok(());
    }
    let names = some_names(scene, &gone, MOST_NAMED);
    let moving = scene.are_animated();
    let folded = plan.folds.iter().flat_map(|fold| &fold.above).filter(|id| moving[id.index()]);
    let folded = folded.collect::<HashSet<_>>().len();
    fold(scene, &plan.folds);
    drop_joints(scene, &plan.goes, &used);
    let order: Vec<NodeId> = scene.node_ids().filter(|id| !plan.goes[id.index()]).collect();
    let nodes = arrange_nodes(scene, &order);
    let change = Change { nodes: &nodes, moved: &|_| DMat4::IDENTITY, with_rest: true };
    let into = match folded {
        0 => String::new(),
        count => format!(", and the motion of {count} is folded into those below"),
    };
    report.loss(before.compare(scene, &change).loss(
        &codes::PRUNED,
        gone.len(),
        format!("{names}: nothing needs them{into}"),
    ));
    Ok(())
}

/// The nodes with these names.
fn named(scene: &Scene, names: &[String], report: &mut Report) -> Result<Vec<bool>, Failure> {
    let mut found = vec![false; scene.nodes.len()];
    for name in names {
        let mut any = false;
        for (node, found) in scene.nodes.iter().zip(&mut found).filter(|(node, _)| node.name == *name) {
            any |= !node.name.is_empty();
            *found = true;
        }
        if !any {
            return Err(super::joints::no_joint(scene, name, Place::WHOLE, report));
        }
    }
    Ok(found)
}

/// For each skin, which of its joints have weight on a vertex.
pub(super) fn used_joints(scene: &Scene) -> Vec<Vec<bool>> {
    let mut used: Vec<Vec<bool>> = scene.skins.iter().map(|skin| vec![false; skin.joints.len()]).collect();
    let drawn: HashSet<_> = scene.nodes.iter().filter_map(|node| node.mesh.zip(node.skin)).collect();
    for (mesh, skin) in drawn {
        let used = &mut used[skin.index()];
        let parts = &scene.meshes[mesh.index()].parts;
        for pair in parts.iter().flat_map(|part| part.influences.pairs()).filter(|pair| pair.weight != 0.0) {
            if let Some(used) = used.get_mut(pair.joint as usize) {
                *used = true;
            }
        }
    }
    used
}

/// What goes, and what takes its motion.
struct Plan {
    goes: Vec<bool>,
    folds: Vec<Fold>,
    /// Nodes that would go if they could be folded.
    blocked: Vec<NodeId>,
}

impl Plan {
    fn new(scene: &Scene, which: Prune, used: &[Vec<bool>], named: &[bool]) -> Self {
        let mut goes = candidates(scene, used, named);
        // Children come after their parents.
        let mut is_needed_below = vec![false; scene.nodes.len()];
        for index in (0..scene.nodes.len()).rev() {
            if which == Prune::Unused {
                goes[index] &= !is_needed_below[index];
            }
            if let Some(parent) = scene.nodes[index].parent {
                is_needed_below[parent.index()] |= !goes[index] || is_needed_below[index];
            }
        }
        let mut plan = Self { goes, folds: Vec::new(), blocked: Vec::new() };
        if which == Prune::Deforming {
            plan.fold(scene, &is_needed_below);
        }
        plan
    }

    /// Finds what takes the motion of those that go, and lets those stay whose motion nothing can take.
    fn fold(&mut self, scene: &Scene, is_needed_below: &[bool]) {
        let mut tracks: Vec<Vec<&Track>> = vec![Vec::new(); scene.nodes.len()];
        for track in scene.clips.iter().flat_map(|clip| &clip.tracks).filter(|track| track.moves_node()) {
            tracks[track.node.index()].push(track);
        }
        let mut children: Vec<Vec<NodeId>> = vec![Vec::new(); scene.nodes.len()];
        for id in scene.node_ids() {
            if let Some(parent) = scene.nodes[id.index()].parent {
                children[parent.index()].push(id);
            }
        }
        let keys: Vec<usize> =
            tracks.iter().map(|tracks| tracks.iter().map(|track| track.times.len()).sum()).collect();
        let (mut in_a_row, mut copied) = (vec![0_usize; scene.nodes.len()], 0_usize);
        let mut moves: Vec<bool> = vec![false; scene.nodes.len()];
        for id in scene.node_ids().filter(|id| is_needed_below[id.index()]) {
            let index = id.index();
            if !self.goes[index] {
                continue;
            }
            let parent = scene.nodes[index].parent.map(NodeId::index).filter(|&parent| self.goes[parent]);
            let above = parent.map_or(0, |parent| in_a_row[parent]);
            moves[index] = !tracks[index].is_empty() || parent.is_some_and(|parent| moves[parent]);
            // A matrix stays one, so nothing that moves can be multiplied in front of it.
            let is_matrix = |child: &NodeId| matches!(scene.nodes[child.index()].local, Local::Matrix(_));
            copied = copied.saturating_add(keys[index].saturating_mul(children[index].len()));
            let fits = above < LONGEST
                && copied <= MOST_KEYS
                && is_even(&scene.nodes[index], &tracks[index])
                && !(moves[index] && children[index].iter().any(is_matrix));
            match fits {
                true => in_a_row[index] = above + 1,
                false => {
                    self.goes[index] = false;
                    self.blocked.push(id);
                }
            }
        }
        // What skins deform does not go with its node.
        let stands = |id: &NodeId| scene.nodes[id.index()].skin.is_some() && children[id.index()].is_empty();
        for id in scene.node_ids().filter(|id| !self.goes[id.index()] && !stands(id)) {
            let mut above: Vec<NodeId> =
                scene.ancestors(id).take_while(|above| self.goes[above.index()]).collect();
            above.reverse();
            if !above.is_empty() {
                self.folds.push(Fold { node: id, above });
            }
        }
    }
}

/// The joints, and the empty nodes below joints, that move no vertex themselves and draw nothing.
fn candidates(scene: &Scene, used: &[Vec<bool>], named: &[bool]) -> Vec<bool> {
    let mut is_bone = scene.are_joints();
    for index in 0..scene.nodes.len() {
        is_bone[index] |= scene.nodes[index].parent.is_some_and(|parent| is_bone[parent.index()]);
    }
    let mut goes: Vec<bool> = scene
        .nodes
        .iter()
        .zip(named)
        .enumerate()
        .map(|(index, (node, named))| {
            is_bone[index] && !named && node.mesh.is_none() && node.camera.is_none() && node.light.is_none()
        })
        .collect();
    for (skin, used) in scene.skins.iter().zip(used) {
        for (joint, used) in skin.joints.iter().zip(used) {
            goes[joint.index()] &= !used;
        }
    }
    // A skin that is drawn has at least one joint.
    let drawn: HashSet<SkinId> = scene.nodes.iter().filter_map(|node| node.skin).collect();
    for skin in drawn {
        let joints = &scene.skins[skin.index()].joints;
        if let Some(first) = joints.first().filter(|_| joints.iter().all(|joint| goes[joint.index()])) {
            goes[first.index()] = false;
        }
    }
    goes
}

/// Removes joints from skins, and skins that are left without any.
fn drop_joints(scene: &mut Scene, goes: &[bool], used: &[Vec<bool>]) {
    let picked: Vec<Vec<usize>> = scene
        .skins
        .iter()
        .zip(used)
        .map(|(skin, used)| {
            (0..skin.joints.len()).filter(|&joint| used[joint] || !goes[skin.joints[joint].index()]).collect()
        })
        .collect();
    arrange_joints(scene, &picked);
    let mut new: HashMap<SkinId, SkinId> = HashMap::new();
    let mut kept = Vec::new();
    for (index, skin) in std::mem::take(&mut scene.skins).into_iter().enumerate() {
        if !skin.joints.is_empty() {
            new.insert(SkinId::new(index), SkinId::new(kept.len()));
            kept.push(skin);
        }
    }
    scene.skins = kept;
    for node in &mut scene.nodes {
        node.skin = node.skin.and_then(|skin| new.get(&skin).copied());
    }
}
