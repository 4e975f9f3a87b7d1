use crate::passes::operations::bound;
use crate::scene::{Node, NodeId, Scene};
use glam::DMat4;

/// A joint of a skeleton.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Joint {
    /// The node.
    pub node: NodeId,
    /// Its name.
    pub name: String,
    /// The nearest joint above it, as an index into the list.
    pub parent: Option<usize>,
    /// The distance to that joint when the mesh was bound, in the scene's units.
    pub length: f64,
    /// The vertices that it has weight on.
    pub vertices: usize,
    /// The clips that move it.
    pub clips: usize,
    /// The matrix from its space to the scene's when the mesh was bound.
    pub(super) bound: DMat4,
}

/// The joints of all skins, parents first; without skins, the nodes that draw nothing and carry no camera or light.
pub fn joints(scene: &Scene) -> Vec<Joint> {
    let is_joint = scene.are_joints();
    let any = is_joint.contains(&true);
    let draws = |node: &Node| node.mesh.is_some() || node.camera.is_some() || node.light.is_some();
    let bound = bound(scene);
    let (vertices, clips) = (vertices(scene), clips(scene));
    let mut places: Vec<Option<usize>> = Vec::with_capacity(scene.nodes.len());
    let mut all: Vec<Joint> = Vec::new();
    for id in scene.node_ids() {
        let node = &scene.nodes[id.index()];
        // Parents come first, so the nearest joint above a parent is known.
        let above = node.parent.and_then(|parent| places[parent.index()]);
        let takes = if any { is_joint[id.index()] } else { !draws(node) };
        if !takes {
            places.push(above);
            continue;
        }
        places.push(Some(all.len()));
        let at = bound[id.index()];
        let length = above.map_or(0.0, |above: usize| (all[above].bound.w_axis - at.w_axis).length());
        let (vertices, clips) = (vertices[id.index()], clips[id.index()]);
        all.push(Joint {
            node: id,
            name: scene.node_label(id),
            parent: above,
            length,
            vertices,
            clips,
            bound: at,
        });
    }
    all
}

fn vertices(scene: &Scene) -> Vec<usize> {
    let mut counts = vec![0; scene.nodes.len()];
    for node in &scene.nodes {
        let Some((mesh, skin)) = node.mesh.zip(node.skin) else { continue };
        let joints = &scene.skins[skin.index()].joints;
        let parts = &scene.meshes[mesh.index()].parts;
        for pair in parts.iter().flat_map(|part| part.influences.pairs()).filter(|pair| pair.weight != 0.0) {
            if let Some(joint) = joints.get(pair.joint as usize) {
                counts[joint.index()] += 1;
            }
        }
    }
    counts
}

fn clips(scene: &Scene) -> Vec<usize> {
    let mut counts = vec![0; scene.nodes.len()];
    for clip in &scene.clips {
        let mut moved: Vec<NodeId> =
            clip.tracks.iter().filter(|track| track.moves_node()).map(|track| track.node).collect();
        moved.sort_unstable();
        moved.dedup();
        moved.into_iter().for_each(|node| counts[node.index()] += 1);
    }
    counts
}
