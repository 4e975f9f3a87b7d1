//! Meshes: a geometry with a material and, where it is skinned, the bones of a skeleton.

use super::skeletons::{JOINT_BYTES, Placed};
use super::{Import, reference};
use crate::formats::binormals::Binormals;
use crate::formats::bogle::codes;
use crate::formats::bogle::document::{BoneIndices, Geometry, Vertex};
use crate::formats::draining::Draining;
use crate::report::{Failure, Place};
use crate::scene::{Faces, Influence, Influences, MaterialId, Mesh, MeshId, NodeId, Part, SkinId};
use glam::{Vec2, Vec3};
use std::collections::BTreeMap;

/// A vertex whose weights sum to less than this follows no bone.
pub(in super::super) const LEAST_WEIGHT: f32 = 0.001;

/// The source of a mesh: geometry, material, and for a skinned mesh the number of bones, which is all that it has of its
/// skeleton.
type Recipe = (usize, Option<usize>, Option<usize>);

impl Import<'_> {
    /// Makes the meshes and puts them on the objects' nodes.
    pub(super) fn meshes(&mut self, skins: &[Option<Placed>]) -> Result<(), Failure> {
        let recipes = self.recipes(skins);
        let mut uses = vec![0_usize; self.document.geometries.len()];
        let mut made: BTreeMap<Recipe, Option<(MeshId, bool)>> = BTreeMap::new();
        for recipe in recipes.iter().flatten() {
            if made.insert(*recipe, None).is_none() {
                uses[recipe.0] += 1;
            }
        }
        for (object, recipe) in recipes.into_iter().enumerate() {
            let (Some(recipe), Some(node)) = (recipe, self.nodes[object]) else { continue };
            let (mesh, unweighted) = match made.get(&recipe).copied().flatten() {
                Some(mesh) => mesh,
                None => {
                    uses[recipe.0] -= 1;
                    let mesh = self.mesh(recipe, uses[recipe.0] == 0, object)?;
                    made.insert(recipe, Some(mesh));
                    mesh
                }
            };
            self.scene.nodes[node.index()].mesh = Some(mesh);
            if let Some(placed) = &skins[object] {
                let skin = if unweighted { self.skin_with(node, placed, object)? } else { placed.skin };
                self.scene.nodes[node.index()].skin = Some(skin);
            }
        }
        Ok(())
    }

    /// The skin of a skeleton with one more joint: a skinned vertex does not follow the node that draws it unless that
    /// node is a joint.
    fn skin_with(&mut self, node: NodeId, placed: &Placed, object: usize) -> Result<SkinId, Failure> {
        let bones = placed.joints.len();
        let of_another = self.scene.skins[placed.skin.index()].joints.len() > bones;
        let id = if placed.is_shared || of_another {
            self.spend(bones * JOINT_BYTES, object)?;
            let mut copy = self.scene.skins[placed.skin.index()].clone();
            copy.joints.truncate(bones);
            copy.inverse_binds.truncate(bones);
            SkinId::push(&mut self.scene.skins, copy)
        } else {
            placed.skin
        };
        let skin = &mut self.scene.skins[id.index()];
        skin.joints.push(node);
        skin.inverse_binds.push(glam::Mat4::IDENTITY.to_cols_array());
        Ok(id)
    }

    /// For each drawn object, the source of its mesh.
    fn recipes(&self, skins: &[Option<Placed>]) -> Vec<Option<Recipe>> {
        let document = &self.document;
        let recipe = |(i, object): (usize, &crate::formats::bogle::Object)| {
            self.nodes[i]?;
            let geometry = reference(object.geometry, document.geometries.len())?;
            let material = reference(object.material, document.materials.len());
            let bones = skins[i].as_ref().map(|s| document.collections[s.collection].bones.len());
            Some((geometry, material, bones))
        };
        document.objects.iter().enumerate().map(recipe).collect()
    }

    fn mesh(&mut self, recipe: Recipe, last: bool, object: usize) -> Result<(MeshId, bool), Failure> {
        let (index, material, bones) = recipe;
        let geometry = if last {
            std::mem::take(&mut self.document.geometries[index])
        } else {
            let geometry = &self.document.geometries[index];
            let bytes = 80 * geometry.vertices.len() + 4 * geometry.indices.len();
            self.spend(bytes, object)?;
            self.document.geometries[index].clone()
        };
        let name = geometry.name.to_text();
        let place = Place::field(format!("geometries[{index}]"));
        if bones.is_none() && geometry.vertices.iter().any(|v| v.weights != [0.0; 3]) {
            let message = format!("geometry {} has weights, but its object has no skeleton", geometry.name);
            self.report.warning(&codes::NO_SKELETON, place.clone(), message);
        }
        let (mut part, facts) = part(geometry, bones, self.document.bone_indices);
        part.material = material.map(MaterialId::new);
        facts.binormals.report(&codes::BINORMALS, &format!("geometry {name:?}"), self.report);
        let Facts { unweighted, along, against, .. } = facts;
        if against > along {
            let all = against + along;
            let message = format!("{against} of {all} triangles of {name:?} are wound against their normals");
            self.report.note(&codes::WINDING, place, message);
        }
        let mesh = Mesh { name, parts: vec![part], ..Mesh::default() };
        Ok((MeshId::push(&mut self.scene.meshes, mesh), unweighted))
    }
}

/// Observations made while a mesh is converted.
#[derive(Default)]
struct Facts {
    /// Whether a vertex follows no bone.
    unweighted: bool,
    binormals: Binormals,
    /// Triangles wound according to and against their normals.
    along: usize,
    against: usize,
}

/// Makes a part from a geometry, whose vertices are consumed from the last to the first.
fn part(geometry: Geometry, bones: Option<usize>, indices: BoneIndices) -> (Part, Facts) {
    let Geometry { vertices, indices: corners, .. } = geometry;
    let mut facts = Facts::default();
    winding(&vertices, &corners, &mut facts);
    let count = vertices.len();
    let has_tangents = vertices.iter().any(|v| v.tangent != [0.0; 3]);
    let used = || vertices.iter().flat_map(|v| v.weights).filter(|&w| w != 0.0).count();
    let (mut positions, mut normals) = (Vec::with_capacity(count), Vec::with_capacity(count));
    let mut tangents = Vec::with_capacity(if has_tangents { count } else { 0 });
    let mut uvs = Vec::with_capacity(count);
    let mut influences = bones.map(|_| Influences::with_capacity(count, used())).unwrap_or_default();
    let mut vertices = Draining::new(vertices);
    while let Some(vertex) = vertices.pop() {
        let [normal, tangent, binormal] =
            [vertex.normal, vertex.tangent, vertex.binormal].map(Vec3::from_array);
        positions.push(Vec3::from_array(vertex.position));
        normals.push(normal);
        // V points up in the file and down in a scene.
        uvs.push(Vec2::new(vertex.uv[0], 1.0 - vertex.uv[1]));
        if has_tangents {
            tangents.push(facts.binormals.tangent(normal, tangent, binormal));
        }
        match bones {
            // Without used influences it follows the object's node, the joint after the bones.
            Some(bones) if vertex.weights.iter().sum::<f32>() < LEAST_WEIGHT => {
                facts.unweighted = true;
                influences.push([Influence { joint: bones as u32, weight: 1.0 }]);
            }
            Some(_) => {
                let slots = vertex.bones.into_iter().zip(vertex.weights).rev();
                let used = slots.filter(|(_, weight)| *weight != 0.0);
                influences.push(used.map(|(bone, weight)| Influence { joint: indices.decode(bone), weight }));
            }
            None => {}
        }
    }
    positions.reverse();
    normals.reverse();
    tangents.reverse();
    uvs.reverse();
    influences.reverse();
    let (uvs, faces) = (vec![uvs], Faces::Triangles(corners));
    (Part { positions, normals, tangents, uvs, influences, faces, ..Part::default() }, facts)
}

fn winding(vertices: &[Vertex], corners: &[u32], facts: &mut Facts) {
    for triangle in corners.chunks_exact(3) {
        let [a, b, c] = [triangle[0], triangle[1], triangle[2]].map(|i| vertices.get(i as usize));
        let (Some(a), Some(b), Some(c)) = (a, b, c) else { continue };
        let [pa, pb, pc] = [a, b, c].map(|v| Vec3::from_array(v.position));
        let normals = [a, b, c].iter().fold(Vec3::ZERO, |sum, v| sum + Vec3::from_array(v.normal));
        let side = (pb - pa).cross(pc - pa).dot(normals);
        facts.along += usize::from(side > 0.0);
        facts.against += usize::from(side < 0.0);
    }
}
