//! Decides which nodes become joints, what is attached to them, and which static transforms are baked.

use crate::passes::similarity::Similarity;
use crate::scene::{Local, MeshId, Scene, SkinId, decompose};
use glam::DMat4;

/// A mesh on a node.
pub(super) struct Placement {
    pub(super) node: usize,
    pub(super) mesh: MeshId,
    pub(super) follows: Follows,
}

/// How the vertices of a placement are moved.
pub(super) enum Follows {
    /// By the joints of a skin.
    Skin(SkinId),
    /// By one moving node, which becomes a joint; the matrix goes from the mesh to that node.
    Joint(usize, DMat4),
    /// Not at all; the matrix goes from the mesh to the scene.
    Nothing(DMat4),
}

/// The nodes that become joints, and their parents.
pub(super) struct Plan {
    pub(super) placements: Vec<Placement>,
    /// For each node, whether it becomes a joint.
    pub(super) is_joint: Vec<bool>,
    /// For each joint, its parent joint.
    pub(super) parent: Vec<Option<usize>>,
    /// For each joint, the static transform between its parent joint and its own local.
    pub(super) fold: Vec<DMat4>,
}

impl Plan {
    pub(super) fn new(scene: &Scene) -> Self {
        let (is_animated, mut is_joint) = (scene.are_animated(), scene.are_joints());
        let placements = placements(scene, &is_animated);
        for placement in &placements {
            if let Follows::Joint(node, _) = placement.follows {
                is_joint[node] = true;
            }
        }
        // Children first: a node that must become a joint is listed before the one that needs it.
        for node in (0..scene.nodes.len()).rev().filter(|&n| scene.nodes[n].parent.is_some()) {
            if is_joint[node] {
                let needed = joint_needed_above(scene, node, &is_joint, &is_animated);
                is_joint[needed.unwrap_or(node)] = true;
            }
        }
        let above =
            |node: usize| if is_joint[node] { chain(scene, node, |n| is_joint[n]) } else { Chain::default() };
        let chains: Vec<Chain> = (0..scene.nodes.len()).map(above).collect();
        let parent = chains.iter().map(|c| c.end).collect();
        Self { placements, is_joint, parent, fold: chains.into_iter().map(|c| c.matrix).collect() }
    }
}

fn placements(scene: &Scene, is_animated: &[bool]) -> Vec<Placement> {
    let place = |(node, mesh): (usize, MeshId)| {
        let follows = match scene.nodes[node].skin {
            Some(skin) => Follows::Skin(skin),
            None if is_animated[node] => Follows::Joint(node, DMat4::IDENTITY),
            None => {
                let Chain { end, matrix } = chain(scene, node, |n| is_animated[n]);
                let matrix = matrix * scene.nodes[node].local.to_matrix();
                end.map_or(Follows::Nothing(matrix), |joint| Follows::Joint(joint, matrix))
            }
        };
        Placement { node, mesh, follows }
    };
    let drawn = scene.nodes.iter().enumerate().filter_map(|(node, n)| Some((node, n.mesh?)));
    drawn.map(place).collect()
}

/// The ancestors of a node up to one where the chain ends: their product, and that one.
struct Chain {
    end: Option<usize>,
    matrix: DMat4,
}

impl Default for Chain {
    fn default() -> Self {
        Self { end: None, matrix: DMat4::IDENTITY }
    }
}

fn chain(scene: &Scene, node: usize, stops: impl Fn(usize) -> bool) -> Chain {
    let mut chain = Chain::default();
    let mut above = scene.nodes[node].parent;
    while let Some(ancestor) = above.map(|a| a.index()) {
        if stops(ancestor) {
            chain.end = Some(ancestor);
            break;
        }
        chain.matrix = scene.nodes[ancestor].local.to_matrix() * chain.matrix;
        above = scene.nodes[ancestor].parent;
    }
    chain
}

/// The ancestor that must become a joint too: the nearest that moves, else the parent if the static transforms above
/// cannot be baked into the joint.
fn joint_needed_above(scene: &Scene, node: usize, is_joint: &[bool], is_animated: &[bool]) -> Option<usize> {
    let moving = chain(scene, node, |n| is_joint[n] || is_animated[n]);
    if moving.end.is_some_and(|end| !is_joint[end]) {
        return moving.end;
    }
    let local = &scene.nodes[node].local;
    let folds = match local {
        _ if moving.matrix == DMat4::IDENTITY => true,
        _ if is_animated[node] => Similarity::of(&moving.matrix).is_some(),
        // The result is not exact anyway; another joint would not help.
        Local::Matrix(_) => true,
        Local::Trs(_) => {
            decompose(&(moving.matrix * local.to_matrix())).is_some_and(|(_, error)| error <= 1e-6)
        }
    };
    if folds { None } else { scene.nodes[node].parent.map(|p| p.index()) }
}
