//! What moves the vertices of a scene: the joints of skins, and nodes that draw without a skin.

use super::surface::Placed;
use crate::pose::Pose;
use crate::scene::{NodeId, Scene, SkinId};
use glam::{DAffine3, DMat3, DMat4, DVec4};
use std::collections::HashMap;
use std::sync::Arc;

/// Vertices with more influences, or with negative ones, have no bounds.
const MOST_INFLUENCES: usize = 32;

/// The number of the mover that leaves a vertex where its mesh has it.
const NOTHING: u32 = 0;

/// A mover and its part of a vertex. The parts of a vertex sum to one.
pub(super) type Share = (u32, f64);

/// The movers of a scene, each once: skins often share their joints.
pub(super) struct Movers<'a> {
    scene: &'a Scene,
    list: Vec<Mover>,
    numbers: HashMap<(NodeId, Option<[u32; 16]>), u32>,
    skins: HashMap<SkinId, Arc<[u32]>>,
}

struct Mover {
    /// The joint, or the node that draws; `None` for what does not move.
    node: Option<NodeId>,
    inverse_bind: Option<DMat4>,
}

/// What moves a mesh placement.
#[derive(Clone)]
pub(super) enum Body {
    /// The node that draws it.
    Node(u32),
    /// The joints of its skin, in their order.
    Skin(SkinId, Arc<[u32]>),
}

impl<'a> Movers<'a> {
    pub(super) fn new(scene: &'a Scene) -> Self {
        let list = vec![Mover { node: None, inverse_bind: None }];
        Self { scene, list, numbers: HashMap::new(), skins: HashMap::new() }
    }

    fn number(&mut self, node: NodeId, inverse_bind: Option<[f32; 16]>) -> u32 {
        let key = (node, inverse_bind.map(|bind| bind.map(f32::to_bits)));
        *self.numbers.entry(key).or_insert_with(|| {
            let inverse_bind = inverse_bind.map(|bind| DMat4::from_cols_array(&bind.map(f64::from)));
            self.list.push(Mover { node: Some(node), inverse_bind });
            self.list.len() as u32 - 1
        })
    }

    /// What moves the mesh that a node draws.
    pub(super) fn body(&mut self, node: NodeId) -> Body {
        let scene = self.scene;
        let skin = scene.nodes[node.index()].skin.and_then(|id| Some((id, scene.skins.get(id.index())?)));
        let Some((id, skin)) = skin else { return Body::Node(self.number(node, None)) };
        if let Some(known) = self.skins.get(&id) {
            return Body::Skin(id, Arc::clone(known));
        }
        let binds = skin.joints.iter().zip(&skin.inverse_binds);
        let movers: Arc<[u32]> = binds.map(|(&joint, bind)| self.number(joint, Some(*bind))).collect();
        self.skins.insert(id, Arc::clone(&movers));
        Body::Skin(id, movers)
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// The name of a mover's node.
    pub(super) fn name(&self, mover: u32) -> &'a str {
        let node = self.list[mover as usize].node.and_then(|node| self.scene.nodes.get(node.index()));
        node.map_or("", |node| &node.name)
    }

    /// The matrix of a mover in a pose, rounded as posing rounds it.
    pub(super) fn matrix(&self, mover: u32, pose: &Pose) -> DAffine3 {
        self.list[mover as usize].matrix(pose)
    }

    /// The matrices of all movers. Returns whether all are finite.
    pub(super) fn matrices(&self, pose: &Pose, matrices: &mut Vec<DAffine3>) -> bool {
        matrices.clear();
        matrices.extend(self.list.iter().map(|mover| mover.matrix(pose)));
        matrices.iter().all(|matrix| matrix.is_finite())
    }
}

impl Mover {
    fn matrix(&self, pose: &Pose) -> DAffine3 {
        let Some(node) = self.node else { return DAffine3::IDENTITY };
        let global = pose.globals.get(node.index()).copied().unwrap_or_default();
        rounded(&self.inverse_bind.map_or(global, |bind| global * bind))
    }
}

/// The matrix, with elements that fit into 32 bits.
fn rounded(matrix: &DMat4) -> DAffine3 {
    let column = |column: DVec4| column.truncate().as_vec3().as_dvec3();
    let [x, y, z, w] = [matrix.x_axis, matrix.y_axis, matrix.z_axis, matrix.w_axis].map(column);
    DAffine3 { matrix3: DMat3::from_cols(x, y, z), translation: w }
}

impl Body {
    /// The movers of a vertex, heaviest first and each once, as posing uses them. Returns whether they are as usual:
    /// few, with positive shares.
    pub(super) fn shares(&self, placed: &Placed<'_>, vertex: usize, shares: &mut Vec<Share>) -> bool {
        shares.clear();
        let movers = match self {
            Body::Node(mover) => {
                shares.push((*mover, 1.0));
                return true;
            }
            Body::Skin(_, movers) => movers,
        };
        let influences = &placed.part.influences;
        let pulls = if vertex < influences.len() { influences.of(vertex) } else { &[] };
        for pull in pulls {
            let Some(&mover) = movers.get(pull.joint as usize) else { continue };
            // A single weight of any size counts in full.
            let weight = if pulls.len() == 1 && pull.weight != 0.0 { 1.0 } else { f64::from(pull.weight) };
            match shares.iter_mut().take(MOST_INFLUENCES).find(|known| known.0 == mover) {
                Some(known) => known.1 += weight,
                None => shares.push((mover, weight)),
            }
        }
        shares.retain(|(_, weight)| *weight != 0.0);
        // Equal weights have equal sums, in whatever order a file has them.
        shares.sort_by(|a, b| b.1.total_cmp(&a.1));
        let total: f64 = shares.iter().map(|(_, weight)| weight).sum();
        if total == 0.0 {
            shares.clear();
            shares.push((NOTHING, 1.0));
            return true;
        }
        shares.iter_mut().for_each(|(_, weight)| *weight /= total);
        shares.len() <= MOST_INFLUENCES && shares.iter().all(|(_, share)| (0.0..=1.0).contains(share))
    }
}
