//! Geometries: the parts of meshes, with vertices made one by one while they are written.

use super::skeletons::Rig;
use super::{Export, bounded, finite};
use crate::formats::bogle::document::{BoneIndices, Geometry, Object, Vertex};
use crate::formats::bogle::import::LEAST_WEIGHT;
use crate::scene::{Faces, Influence, Mesh, MeshId, NodeId, Part};
use glam::{DMat3, DMat4, Vec3};
use std::collections::BTreeMap;

/// The mesh, the part, and for a skinned part the rig (by the node it was made for).
type Recipe = (MeshId, usize, Option<NodeId>);

/// The geometries made so far.
#[derive(Default)]
pub(super) struct Geometries {
    made: BTreeMap<Recipe, u32>,
    /// The source of each geometry.
    pub(super) sources: Vec<Source>,
}

/// The source of a geometry.
pub(super) struct Source {
    mesh: MeshId,
    part: usize,
    binding: Option<Binding>,
}

/// The binding of vertices to bones.
struct Binding {
    /// All vertices follow the only joint.
    rigid: bool,
    /// The bone of each joint.
    joint_bones: Vec<Option<u32>>,
    /// For vertices that follow no joint.
    loose: Loose,
}

/// The components that an object draws; numbers count from 1.
pub(super) struct Drawn {
    pub(super) geometry: u32,
    pub(super) material: u32,
    pub(super) collection: u32,
}

impl Drawn {
    pub(super) fn place(&self, object: &mut Object) {
        object.geometry = self.geometry;
        object.material = self.material;
        object.collection = self.collection;
    }
}

impl Export<'_> {
    /// Makes geometries for the parts of the mesh on a node.
    pub(super) fn drawn(
        &mut self,
        node: NodeId,
        rig: Option<&Rig>,
        geometries: &mut Geometries,
    ) -> Vec<Drawn> {
        let Some(mesh) = self.scene.nodes[node.index()].mesh else { return Vec::new() };
        let parts = self.scene.meshes[mesh.index()].parts.len();
        let filled = |part: &usize| !self.scene.meshes[mesh.index()].parts[*part].positions.is_empty();
        let parts: Vec<usize> = (0..parts).filter(|part| parts == 1 || filled(part)).collect();
        let several = parts.len() > 1;
        let mut drawn = Vec::with_capacity(parts.len());
        for part in parts {
            let recipe = (mesh, part, rig.map(|rig| rig.shape_of));
            let geometry = *geometries.made.entry(recipe).or_insert_with(|| {
                let name = self.geometry_name(mesh, part, several);
                self.document.geometries.push(Geometry { name: name.into(), ..Geometry::default() });
                geometries.sources.push(Source { mesh, part, binding: rig.map(Binding::new) });
                self.document.geometries.len() as u32
            });
            let material = self.scene.meshes[mesh.index()].parts[part].material;
            let collection = rig.map_or(0, |rig| rig.collection);
            // The engine crashes without a material, so parts that have none get the last one.
            let material = material.map_or(self.document.materials.len() as u32, |m| m.0 + 1);
            drawn.push(Drawn { geometry, material, collection });
        }
        drawn
    }

    fn geometry_name(&self, mesh: MeshId, part: usize, several: bool) -> String {
        let mut name = self.scene.meshes[mesh.index()].name.clone();
        if name.is_empty() {
            name = format!("mesh{}", mesh.index());
        }
        if several { format!("{name}.{part}") } else { name }
    }
}

impl Source {
    pub(super) fn part<'a>(&self, meshes: &'a [Mesh]) -> &'a Part {
        &meshes[self.mesh.index()].parts[self.part]
    }

    pub(super) fn indices<'a>(&self, meshes: &'a [Mesh]) -> &'a [u32] {
        match &self.part(meshes).faces {
            Faces::Triangles(corners) => corners,
            _ => &[],
        }
    }

    /// Makes one of the part's vertices.
    pub(super) fn vertex(&self, part: &Part, i: usize, bones: BoneIndices) -> Vertex {
        let mut vertex = vertex(part, i);
        if let Some(binding) = &self.binding {
            binding.bind(part, i, bones, &mut vertex);
        }
        vertex
    }
}

fn vertex(part: &Part, i: usize) -> Vertex {
    let normal = part.normals.get(i).copied().unwrap_or(Vec3::Z);
    let tangent = part.tangents.get(i).copied();
    let binormal = tangent.map_or(Vec3::ZERO, |t| normal.cross(t.truncate()) * t.w);
    let uv = part.uvs.first().and_then(|set| set.get(i)).copied().unwrap_or_default();
    Vertex {
        position: part.positions[i].to_array(),
        // V points down in a scene and up in the file.
        uv: if part.uvs.first().is_some_and(|s| !s.is_empty()) { [uv.x, 1.0 - uv.y] } else { [0.0; 2] },
        normal: normal.to_array(),
        tangent: tangent.map_or([0.0; 3], |t| t.truncate().to_array()),
        binormal: binormal.to_array().map(finite),
        ..Vertex::default()
    }
}

impl Binding {
    fn new(rig: &Rig) -> Self {
        Self { rigid: rig.rigid, joint_bones: rig.joint_bones.clone(), loose: Loose::new(&rig.world) }
    }

    /// Gives a vertex its bones.
    fn bind(&self, part: &Part, i: usize, encoding: BoneIndices, vertex: &mut Vertex) {
        let rigid = [Influence { joint: 0, weight: 1.0 }];
        let slots = if self.rigid { &rigid } else { part.influences.of(i) };
        let slots = slots.iter().filter(|s| s.weight != 0.0);
        let sum: f64 = slots.clone().map(|s| f64::from(s.weight)).sum();
        // Weights so small that the engine would ignore them, or whose sum is too large.
        let odd = sum != 0.0 && !(f64::from(LEAST_WEIGHT)..1e6).contains(&sum);
        let factor = if odd { sum.recip() } else { 1.0 };
        if sum == 0.0 {
            // Such a vertex stays where it is in the scene; in the file it follows the object.
            self.loose.place(vertex);
            return;
        }
        for (slot, influence) in slots.take(3).enumerate() {
            // The joint that represents the object itself has no bone.
            if let Some(bone) = self.joint_bones[influence.joint as usize] {
                vertex.bones[slot] = encoding.encode(bone);
                vertex.weights[slot] = finite((f64::from(influence.weight) * factor) as f32);
            }
        }
    }
}

/// Maps the scene's space to the object's.
struct Loose {
    position: DMat4,
    direction: DMat3,
    normal: DMat3,
}

impl Loose {
    fn new(world: &DMat4) -> Self {
        let position = world.inverse();
        let position = if position.is_finite() { position } else { DMat4::IDENTITY };
        Self { position, direction: DMat3::from_mat4(position), normal: DMat3::from_mat4(*world).transpose() }
    }

    fn place(&self, vertex: &mut Vertex) {
        if self.position == DMat4::IDENTITY {
            return;
        }
        let turn = |matrix: &DMat3, v: [f32; 3]| {
            (*matrix * Vec3::from_array(v).as_dvec3()).normalize_or_zero().as_vec3().to_array()
        };
        let position = Vec3::from_array(vertex.position).as_dvec3();
        vertex.position = self.position.transform_point3(position).to_array().map(bounded);
        vertex.normal = turn(&self.normal, vertex.normal);
        vertex.tangent = turn(&self.direction, vertex.tangent);
        vertex.binormal = turn(&self.direction, vertex.binormal);
    }
}
