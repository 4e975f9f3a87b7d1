//! Skins: which nodes move which points.

use super::codes;
use super::import::Import;
use super::nodes::Tree;
use super::numbers::Finite;
use crate::known::bits;
use crate::scene::{Influence, NodeId, Skin, SkinId};
use glam::Mat4;

/// A mesh bound to joints.
pub(super) struct Binding<'f> {
    source: &'f ufbx::SkinDeformer,
    /// The node of each cluster's joint, and its index among the skin's joints.
    joints: Vec<Option<(NodeId, u32)>>,
    count: u32,
    /// Whether points without weights follow the mesh's node, which takes one more joint.
    has_loose_vertices: bool,
}

impl<'f> Binding<'f> {
    /// Returns `None` for a mesh without joints.
    pub(super) fn of(mesh: &'f ufbx::Mesh, tree: &Tree) -> Option<Self> {
        let source: &ufbx::SkinDeformer = mesh.skin_deformers.as_ref().first()?;
        let mut count = 0;
        let number = |cluster: &ufbx::Ref<ufbx::SkinCluster>| {
            let node = cluster.bone_node.as_ref().and_then(|node| tree.id(node))?;
            count += 1;
            Some((node, count - 1))
        };
        let joints: Vec<_> = source.clusters.as_ref().iter().map(number).collect();
        if count == 0 {
            return None;
        }
        let mut binding = Self { source, joints, count, has_loose_vertices: false };
        binding.has_loose_vertices = (0..mesh.num_vertices as u32).any(|point| !binding.is_held(point));
        Some(binding)
    }

    fn weights(&self, point: u32) -> &'f [ufbx::SkinWeight] {
        let Some(vertex) = self.source.vertices.get(point as usize) else { return &[] };
        let start = vertex.weight_begin as usize;
        let all: &'f [ufbx::SkinWeight] = self.source.weights.as_ref();
        all.get(start..start.saturating_add(vertex.num_weights as usize)).unwrap_or(&[])
    }

    fn joint(&self, weight: &ufbx::SkinWeight) -> Option<u32> {
        self.joints.get(weight.cluster_index as usize)?.map(|(_, number)| number)
    }

    /// How much dual quaternions count at a point, and linear skinning the less.
    fn dual_share(&self, point: u32) -> f32 {
        match self.source.skinning_method {
            ufbx::SkinningMethod::DualQuaternion => 1.0,
            ufbx::SkinningMethod::BlendedDqLinear => {
                let weight = self.source.vertices.get(point as usize).map_or(0.0, |v| v.dq_weight as f32);
                if weight.is_finite() { weight.clamp(0.0, 1.0) } else { 0.0 }
            }
            _ => 0.0,
        }
    }

    /// How much dual quaternions count at these points; empty if they count nowhere.
    pub(super) fn dual_shares(&self, points: &[u32]) -> Vec<f32> {
        let shares: Vec<f32> = points.iter().map(|&point| self.dual_share(point)).collect();
        if shares.iter().any(|share| *share > 0.0) { shares } else { Vec::new() }
    }

    /// Whether joints determine a point's position.
    fn is_held(&self, point: u32) -> bool {
        let weights = self.weights(point).iter().filter(|w| self.joint(w).is_some() && w.weight.is_finite());
        weights.map(|w| w.weight as f32).sum::<f32>() > 0.0
    }

    /// The influences of a point, strongest first.
    pub(super) fn influences(&self, point: u32, finite: &mut Finite) -> impl Iterator<Item = Influence> {
        // A point without joints follows the mesh's own node.
        let loose = (!self.is_held(point)).then_some(Influence { joint: self.count, weight: 1.0 });
        let weights = if loose.is_some() { &[] } else { self.weights(point) };
        let held = weights
            .iter()
            .filter_map(move |w| Some(Influence { joint: self.joint(w)?, weight: finite.real(w.weight) }));
        held.chain(loose)
    }
}

/// The skin of a mesh that a node draws. It is the same for all nodes that draw the mesh, unless one of them is a joint.
pub(super) fn skin(import: &mut Import<'_, '_, '_>, binding: &Binding<'_>, node: NodeId) -> SkinId {
    let clusters = binding.source.clusters.as_ref().iter().zip(&binding.joints);
    let mut skin = Skin { name: binding.source.element.name.to_string(), ..Skin::default() };
    for (cluster, joint) in clusters {
        let Some((joint, _)) = joint else { continue };
        skin.joints.push(*joint);
        skin.inverse_binds.push(import.finite.matrix(&cluster.geometry_to_bone));
    }
    if binding.has_loose_vertices {
        skin.joints.push(node);
        skin.inverse_binds.push(Mat4::IDENTITY.to_cols_array());
    }
    let skins = &mut import.scene.skins;
    let key = (&skin.joints, bits(skin.inverse_binds.as_flattened()));
    let same = import.known_skins.find(key, skins.len(), |known| skins[known] == skin);
    same.map_or_else(|| SkinId::push(skins, skin), SkinId::new)
}

/// Reports what skins have that scenes cannot hold.
pub(super) fn losses(import: &mut Import<'_, '_, '_>) {
    let fbx = import.fbx;
    let more: usize = fbx.meshes.as_ref().iter().map(|m| m.skin_deformers.len().saturating_sub(1)).sum();
    let message = "meshes with several skins keep only the first";
    import.dropped(&codes::SKINS, "", more, message);
}
