//! Poses the vertices of a mesh placement.

use super::hierarchy::Pose;
use super::skin::{Palette, normal_matrix};
use crate::scene::{NodeId, Part, Scene};
use glam::{DMat3, DMat4, Vec3, Vec4};

/// The vertices of one part, posed, in the scene's space.
#[derive(Debug, Clone, Default, PartialEq)]
#[must_use]
#[non_exhaustive]
pub struct PosedPart {
    /// Positions, one for each vertex of the part.
    pub positions: Vec<Vec3>,
    /// Unit normals; empty if the part has none.
    pub normals: Vec<Vec3>,
    /// Unit tangents with the bitangent's sign; empty if the part has none.
    pub tangents: Vec<Vec4>,
}

/// Poses the mesh that a node draws: one entry per part; empty if the node draws nothing.
pub fn deform(scene: &Scene, pose: &Pose, node: NodeId) -> Vec<PosedPart> {
    let mut parts = Vec::new();
    Deformer::new().deform(scene, pose, node, &mut parts);
    parts
}

/// Poses meshes repeatedly in the same buffers.
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
    morphed: PosedPart,
    positions_only: bool,
}

impl Deformer {
    /// Poses positions, normals and tangents.
    pub fn new() -> Self {
        Self::default()
    }

    /// Poses only positions; normals and tangents stay empty.
    pub fn positions_only() -> Self {
        Self { positions_only: true, ..Self::default() }
    }

    /// Poses the mesh that a node draws into `parts`, which gets one entry per part of the mesh, or none if the node
    /// draws nothing. The buffers of `parts` are reused.
    pub fn deform(&mut self, scene: &Scene, pose: &Pose, node: NodeId, parts: &mut Vec<PosedPart>) {
        let drawn = scene.nodes.get(node.index());
        let Some((drawn, mesh)) = drawn.and_then(|n| Some((n, scene.meshes.get(n.mesh?.index())?))) else {
            parts.clear();
            return;
        };
        parts.resize_with(mesh.parts.len(), PosedPart::default);
        let skin = drawn.skin.and_then(|skin| scene.skins.get(skin.index()));
        if let Some(skin) = skin {
            self.palette.fill(skin, pose);
        }
        let global = pose.globals.get(node.index()).copied().unwrap_or_default();
        let weights = pose.morph_weights.get(node.index()).map_or(&[][..], Vec::as_slice);
        for (part, posed) in mesh.parts.iter().zip(parts.iter_mut()) {
            let mut from = Vertices::of(part, self.positions_only);
            if has_morphs(part, weights) {
                from.add_morphs(part, weights, &mut self.morphed);
                from = Vertices::of_posed(&self.morphed);
            }
            from.make_room(posed);
            match skin {
                Some(_) => self.palette.skin(&part.influences, &from, posed),
                None => transform(&from, &global, posed),
            }
        }
    }
}

/// The vertices that a skin or a matrix moves.
#[derive(Clone, Copy)]
pub(super) struct Vertices<'a> {
    pub(super) positions: &'a [Vec3],
    pub(super) normals: &'a [Vec3],
    pub(super) tangents: &'a [Vec4],
}

impl<'a> Vertices<'a> {
    fn of(part: &'a Part, positions_only: bool) -> Self {
        let (normals, tangents) =
            if positions_only { (&[][..], &[][..]) } else { (&part.normals[..], &part.tangents[..]) };
        Self { positions: &part.positions, normals, tangents }
    }

    fn of_posed(part: &'a PosedPart) -> Self {
        Self { positions: &part.positions, normals: &part.normals, tangents: &part.tangents }
    }

    fn make_room(&self, to: &mut PosedPart) {
        to.positions.resize(self.positions.len(), Vec3::ZERO);
        to.normals.resize(self.normals.len(), Vec3::ZERO);
        to.tangents.resize(self.tangents.len(), Vec4::ZERO);
    }

    pub(super) fn copy_to(&self, to: &mut PosedPart) {
        to.positions.copy_from_slice(self.positions);
        to.normals.copy_from_slice(self.normals);
        to.tangents.copy_from_slice(self.tangents);
    }

    /// Adds the weighted deltas of the morph targets. Morphed normals and tangents are normalised again.
    fn add_morphs(&self, part: &Part, weights: &[f32], to: &mut PosedPart) {
        self.make_room(to);
        self.copy_to(to);
        for (deltas, &weight) in part.morphs.iter().zip(weights).filter(|&(_, &weight)| weight != 0.0) {
            to.positions.iter_mut().zip(&deltas.positions).for_each(|(v, &d)| *v += d * weight);
            to.normals.iter_mut().zip(&deltas.normals).for_each(|(v, &d)| *v += d * weight);
            to.tangents.iter_mut().zip(&deltas.tangents).for_each(|(v, &d)| *v += (d * weight).extend(0.0));
        }
        to.normals.iter_mut().for_each(|n| *n = n.normalize_or_zero());
        to.tangents.iter_mut().for_each(|t| *t = t.truncate().normalize_or_zero().extend(t.w));
    }
}

/// The positions of a part's vertices before a skin or matrix moves them.
pub(super) fn morphed_positions(part: &Part, weights: &[f32]) -> Vec<Vec3> {
    let mut morphed = PosedPart::default();
    Vertices::of(part, true).add_morphs(part, weights, &mut morphed);
    morphed.positions
}

/// Whether any morph target changes the part.
fn has_morphs(part: &Part, weights: &[f32]) -> bool {
    part.morphs.iter().zip(weights).any(|(_, &weight)| weight != 0.0)
}

/// Moves the vertices of an unskinned part by its node's matrix.
fn transform(from: &Vertices, global: &DMat4, to: &mut PosedPart) {
    if *global == DMat4::IDENTITY {
        return from.copy_to(to);
    }
    let block = DMat3::from_mat4(*global);
    for (position, posed) in from.positions.iter().zip(&mut to.positions) {
        *posed = global.transform_point3(position.as_dvec3()).as_vec3();
    }
    let turn = normal_matrix(&block);
    for (normal, posed) in from.normals.iter().zip(&mut to.normals) {
        *posed = (turn * normal.as_dvec3()).normalize_or_zero().as_vec3();
    }
    let sign = if block.determinant() < 0.0 { -1.0 } else { 1.0 };
    for (tangent, posed) in from.tangents.iter().zip(&mut to.tangents) {
        let turned = (block * tangent.truncate().as_dvec3()).normalize_or_zero().as_vec3();
        *posed = turned.extend(tangent.w * sign);
    }
}
