//! Nodes at one time: local transforms, global matrices, morph weights.

use super::sample::{Sampled, sample};
use super::skin::exact_joint_matrices;
use crate::scene::{Clip, Local, Node, NodeId, Scene, Track};
use glam::DMat4;

/// All nodes of a scene at one time.
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub struct Pose {
    /// For each node, the matrix from its space to the scene's.
    pub globals: Vec<DMat4>,
    /// For each node that draws a mesh with morph targets, their weights; empty elsewhere.
    pub morph_weights: Vec<Vec<f32>>,
}

impl Pose {
    /// The scene at rest, without a clip.
    pub fn rest(scene: &Scene) -> Self {
        Self {
            globals: globals(scene, scene.nodes.iter().map(|node| &node.local)),
            morph_weights: scene.nodes.iter().map(|node| rest_weights(scene, node)).collect(),
        }
    }

    /// The scene at a time of a clip. Before the first key and after the last, tracks hold their end values; nodes
    /// without a track are at rest.
    pub fn at(scene: &Scene, clip: &Clip, seconds: f32) -> Self {
        let mut morph_weights: Vec<_> = scene.nodes.iter().map(|node| rest_weights(scene, node)).collect();
        let locals = animate(scene, clip, seconds, &mut morph_weights);
        Self { globals: globals(scene, locals.iter()), morph_weights }
    }

    /// Whether the mesh on a node is seen mirrored, so that its faces turn their backs to where they would face at home.
    pub fn mirrors(&self, scene: &Scene, node: NodeId) -> bool {
        let skin = scene.nodes[node.index()].skin.and_then(|skin| scene.skins.get(skin.index()));
        let Some(skin) = skin else {
            return self.globals.get(node.index()).is_some_and(|m| m.determinant() < 0.0);
        };
        // A skin's joints usually agree; if only some are mirrored, the majority decides.
        let (mut mirrored, mut all) = (0, 0);
        for matrix in exact_joint_matrices(skin, self) {
            (mirrored, all) = (mirrored + usize::from(matrix.determinant() < 0.0), all + 1);
        }
        mirrored * 2 > all
    }
}

/// Every node's local transform at a time of a clip: sampled if it has a track, otherwise at rest.
pub fn locals_at(scene: &Scene, clip: &Clip, seconds: f32) -> Vec<Local> {
    animate(scene, clip, seconds, &mut [])
}

/// Local transforms at a time; sampled morph weights replace those at rest.
fn animate(scene: &Scene, clip: &Clip, seconds: f32, morph_weights: &mut [Vec<f32>]) -> Vec<Local> {
    let mut locals: Vec<Local> = scene.nodes.iter().map(|node| node.local.clone()).collect();
    for track in &clip.tracks {
        let node = track.node.index();
        let Some(value) = sample(track, seconds) else { continue };
        if let Sampled::MorphWeights(sampled) = value {
            if let Some(weights) = morph_weights.get_mut(node).filter(|w| w.len() == sampled.len()) {
                *weights = sampled;
            }
        } else if let Some(local) = locals.get_mut(node) {
            place(local, value);
        }
    }
    locals
}

/// A node's local transform at a time, from its own tracks: for loops over a few nodes of a large scene.
pub(crate) fn local_at<'t>(node: &Node, tracks: impl IntoIterator<Item = &'t Track>, seconds: f32) -> Local {
    let mut local = node.local.clone();
    for track in tracks {
        if let Some(value) = sample(track, seconds) {
            place(&mut local, value);
        }
    }
    local
}

pub(super) fn place(local: &mut Local, value: Sampled) {
    let Local::Trs(trs) = local else { return };
    match value {
        Sampled::Translation(v) => trs.translation = v,
        Sampled::Rotation(q) => trs.rotation = q,
        Sampled::Scale(v) => trs.scale = v,
        Sampled::MorphWeights(_) => {}
    }
}

fn globals<'a>(scene: &Scene, locals: impl Iterator<Item = &'a Local>) -> Vec<DMat4> {
    let mut globals: Vec<DMat4> = Vec::with_capacity(scene.nodes.len());
    for (node, local) in scene.nodes.iter().zip(locals) {
        let local = local.to_matrix();
        let global = match node.parent.and_then(|parent| globals.get(parent.index())) {
            Some(parent) => *parent * local,
            None => local,
        };
        globals.push(global);
    }
    globals
}

fn rest_weights(scene: &Scene, node: &Node) -> Vec<f32> {
    let Some(mesh) = node.mesh.and_then(|mesh| scene.meshes.get(mesh.index())) else { return Vec::new() };
    if node.morph_weights.len() == mesh.morphs.len() {
        node.morph_weights.clone()
    } else {
        mesh.morphs.iter().map(|morph| morph.weight).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Interpolation, Mesh, MeshId, Morph, NodeId, Track, Trs, Values};
    use glam::{DVec3, Quat, Vec3};
    use std::f32::consts::FRAC_PI_2;

    fn node(parent: Option<u32>, trs: Trs) -> Node {
        Node { parent: parent.map(NodeId), local: Local::Trs(trs), ..Node::default() }
    }

    fn moved(x: f32, y: f32, z: f32) -> Trs {
        Trs { translation: Vec3::new(x, y, z), ..Trs::IDENTITY }
    }

    fn track(node: u32, values: Values) -> Track {
        Track { node: NodeId(node), interpolation: Interpolation::Linear, times: [0.0, 1.0].into(), values }
    }

    #[test]
    fn a_child_goes_with_its_parent() {
        let mut scene = Scene::default();
        let turned = Trs {
            rotation: Quat::from_rotation_z(FRAC_PI_2),
            scale: Vec3::splat(2.0),
            ..moved(1.0, 0.0, 0.0)
        };
        scene.add_node(node(None, turned));
        scene.add_node(node(Some(0), moved(1.0, 0.0, 0.0)));
        // (1,0,0) scaled by 2, rotated to +Y, moved by +X; then the child's own origin.
        let rest = Pose::rest(&scene);
        assert!(rest.globals[1].transform_point3(DVec3::ZERO).abs_diff_eq(DVec3::new(1.0, 2.0, 0.0), 1e-6));

        let clip = Clip {
            tracks: vec![track(0, Values::Translation(vec![Vec3::ZERO, Vec3::Z]))],
            ..Clip::default()
        };
        let half = Pose::at(&scene, &clip, 0.5);
        assert!(half.globals[1].transform_point3(DVec3::ZERO).abs_diff_eq(DVec3::new(0.0, 2.0, 0.5), 1e-6));
        let locals = locals_at(&scene, &clip, 0.5);
        assert_eq!(locals[0].trs().unwrap().translation, Vec3::new(0.0, 0.0, 0.5));
        assert_eq!(locals[0].trs().unwrap().rotation, turned.rotation, "no track: as at rest");
        assert_eq!(locals[1], scene.nodes[1].local);
    }

    #[test]
    fn morph_weights_come_from_the_track_the_node_or_the_mesh() {
        let mut scene = Scene::default();
        let morph = |weight| Morph { name: String::new(), weight };
        scene.meshes.push(Mesh { morphs: vec![morph(0.25), morph(0.5)], ..Mesh::default() });
        for weights in [vec![], vec![1.0, 0.0]] {
            scene.add_node(Node { mesh: Some(MeshId(0)), morph_weights: weights, ..Node::default() });
        }
        scene.add_node(Node::default());
        let rest = Pose::rest(&scene);
        assert_eq!(rest.morph_weights, [vec![0.25, 0.5], vec![1.0, 0.0], vec![]]);
        let weights = Values::MorphWeights { count: 2, weights: vec![0.0, 0.0, 1.0, 3.0] };
        let clip = Clip { tracks: vec![track(1, weights)], ..Clip::default() };
        let half = Pose::at(&scene, &clip, 0.5);
        assert_eq!(half.morph_weights, [vec![0.25, 0.5], vec![0.5, 1.5], vec![]]);
    }

    #[test]
    fn broken_scenes_are_posed_without_panic() {
        let mut scene = Scene::default();
        scene.nodes.push(node(Some(7), moved(1.0, 0.0, 0.0)));
        scene.nodes[0].mesh = Some(MeshId(9));
        let clip = Clip { tracks: vec![track(5, Values::Scale(vec![Vec3::ONE; 2]))], ..Clip::default() };
        assert_eq!(Pose::at(&scene, &clip, 0.5), Pose::rest(&scene));
    }
}
