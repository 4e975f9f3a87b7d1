//! The vertices of a mesh placement in a pose.

use super::hierarchy::Pose;
use super::skin::{Palette, normal_matrix};
use crate::scene::{Mesh, Node, NodeId, Part, Scene};
use glam::{DMat3, DMat4, Vec3, Vec4};

/// The vertices of one part, posed, in the scene's space.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PosedPart {
    /// Positions, one for each vertex of the part.
    pub positions: Vec<Vec3>,
    /// Unit normals, or empty where the part has none.
    pub normals: Vec<Vec3>,
    /// Unit tangents with the bitangent's sign, or empty.
    pub tangents: Vec<Vec4>,
}

/// Poses the mesh that a node draws: one entry for each part; none if the node draws nothing.
pub fn deform(scene: &Scene, pose: &Pose, node: NodeId) -> Vec<PosedPart> {
    let mut parts = Vec::new();
    Deformer::new().deform(scene, pose, node, &mut parts);
    parts
}

/// Poses meshes again and again in the same memory.
///
/// ```
/// use ligament::pose::{Deformer, Pose};
/// # let scene = ligament::Scene::default();
/// let (mut deformer, mut parts) = (Deformer::new(), Vec::new());
/// for clip in &scene.clips {
///     for frame in 0..60 {
///         let pose = Pose::at(&scene, clip, frame as f32 / 60.0);
///         for node in scene.node_ids() {
///             deformer.deform(&scene, &pose, node, &mut parts);
///         }
///     }
/// }
/// ```
#[derive(Debug, Default)]
pub struct Deformer {
    palette: Palette,
    positions_only: bool,
}

impl Deformer {
    /// Poses positions, normals and tangents.
    pub fn new() -> Self {
        Self::default()
    }

    /// Poses positions alone; normals and tangents stay empty.
    pub fn positions_only() -> Self {
        Self { positions_only: true, ..Self::default() }
    }

    /// Poses the mesh that a node draws into `parts`, which gets one entry for each part of the mesh, and none if the
    /// node draws nothing. The memory of what `parts` held before is used again.
    pub fn deform(&mut self, scene: &Scene, pose: &Pose, node: NodeId, parts: &mut Vec<PosedPart>) {
        let drawn = scene.nodes.get(node.index());
        let Some((drawn, mesh)) = drawn.and_then(|n| Some((n, scene.meshes.get(n.mesh?.index())?))) else {
            parts.clear();
            return;
        };
        parts.resize_with(mesh.parts.len(), PosedPart::default);
        let weights = pose.morph_weights.get(node.index()).map_or(&[][..], Vec::as_slice);
        for (part, posed) in mesh.parts.iter().zip(parts.iter_mut()) {
            self.start(part, posed);
            add_morphs(part, weights, posed);
        }
        self.place(scene, pose, node, drawn, mesh, parts);
    }

    fn start(&self, part: &Part, posed: &mut PosedPart) {
        posed.positions.clone_from(&part.positions);
        if self.positions_only {
            posed.normals.clear();
            posed.tangents.clear();
        } else {
            posed.normals.clone_from(&part.normals);
            posed.tangents.clone_from(&part.tangents);
        }
    }

    fn place(
        &mut self,
        scene: &Scene,
        pose: &Pose,
        id: NodeId,
        node: &Node,
        mesh: &Mesh,
        parts: &mut [PosedPart],
    ) {
        if let Some(skin) = node.skin.and_then(|skin| scene.skins.get(skin.index())) {
            self.palette.fill(skin, pose);
            for (part, posed) in mesh.parts.iter().zip(parts) {
                self.palette.skin(&part.influences, posed);
            }
        } else if let Some(global) = pose.globals.get(id.index()).filter(|&g| *g != DMat4::IDENTITY) {
            parts.iter_mut().for_each(|posed| transform(posed, global));
        }
    }
}

/// Adds the weighted deltas of the morph targets. Morphed normals and tangents are made unit again.
fn add_morphs(part: &Part, weights: &[f32], posed: &mut PosedPart) {
    let active = || part.morphs.iter().zip(weights).filter(|&(_, &weight)| weight != 0.0);
    for (deltas, &weight) in active() {
        posed.positions.iter_mut().zip(&deltas.positions).for_each(|(v, &d)| *v += d * weight);
        posed.normals.iter_mut().zip(&deltas.normals).for_each(|(v, &d)| *v += d * weight);
        posed.tangents.iter_mut().zip(&deltas.tangents).for_each(|(v, &d)| *v += (d * weight).extend(0.0));
    }
    if active().any(|(deltas, _)| !deltas.normals.is_empty()) {
        posed.normals.iter_mut().for_each(|n| *n = n.normalize_or_zero());
    }
    if active().any(|(deltas, _)| !deltas.tangents.is_empty()) {
        posed.tangents.iter_mut().for_each(|t| *t = t.truncate().normalize_or_zero().extend(t.w));
    }
}

/// Moves the vertices of an unskinned part by its node's matrix.
fn transform(part: &mut PosedPart, global: &DMat4) {
    let block = DMat3::from_mat4(*global);
    for position in &mut part.positions {
        *position = global.transform_point3(position.as_dvec3()).as_vec3();
    }
    let turn = normal_matrix(&block);
    for normal in &mut part.normals {
        *normal = (turn * normal.as_dvec3()).normalize_or_zero().as_vec3();
    }
    let sign = if block.determinant() < 0.0 { -1.0 } else { 1.0 };
    for tangent in &mut part.tangents {
        let turned = (block * tangent.truncate().as_dvec3()).normalize_or_zero().as_vec3();
        *tangent = turned.extend(tangent.w * sign);
    }
}
