//! Meshes: a geometry with a material and, where it is skinned, the bones of a skeleton.

use super::skeletons::Placed;
use super::{Import, reference};
use crate::formats::bogle::codes;
use crate::formats::bogle::document::{BoneIndices, Geometry, Vertex};
use crate::formats::draining::Draining;
use crate::report::{Failure, Loss, Place};
use crate::scene::{Faces, Influence, Influences, MaterialId, Mesh, MeshId, Part};
use glam::{Vec2, Vec3, Vec4};
use std::collections::BTreeMap;

/// A vertex whose weights sum to less than this follows no bone.
pub(in super::super) const LEAST_WEIGHT: f32 = 0.001;

/// Binormals farther than this from the cross product are reported.
const BINORMAL_TOLERANCE: f32 = 1e-3;

/// The source of a mesh: geometry, material, and for a skinned mesh the collection.
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
            if let Some(Placed { skin, .. }) = skins[object] {
                self.scene.nodes[node.index()].skin = Some(skin);
                // A skinned vertex does not follow the node that draws it unless that node is a joint.
                if unweighted {
                    let skin = &mut self.scene.skins[skin.index()];
                    skin.joints.push(node);
                    skin.inverse_binds.push(glam::Mat4::IDENTITY.to_cols_array());
                }
            }
        }
        Ok(())
    }

    /// For each drawn object, the source of its mesh.
    fn recipes(&self, skins: &[Option<Placed>]) -> Vec<Option<Recipe>> {
        let document = &self.document;
        let recipe = |(i, object): (usize, &crate::formats::bogle::Object)| {
            self.nodes[i]?;
            let geometry = reference(object.geometry, document.geometries.len())?;
            let material = reference(object.material, document.materials.len());
            Some((geometry, material, skins[i].as_ref().map(|s| s.collection)))
        };
        document.objects.iter().enumerate().map(recipe).collect()
    }

    fn mesh(&mut self, recipe: Recipe, last: bool, object: usize) -> Result<(MeshId, bool), Failure> {
        let (index, material, collection) = recipe;
        let bones = collection.map(|c| self.document.collections[c].bones.len());
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
        if facts.binormal > BINORMAL_TOLERANCE {
            let message = "a scene keeps only the sign of binormals";
            let size = f64::from(facts.binormal);
            let object = format!("geometry {name:?}");
            self.report.loss(Loss::approximated(
                &codes::BINORMALS,
                object,
                facts.odd_binormals,
                size,
                "",
                message,
            ));
        }
        if facts.against > facts.along {
            let message = format!(
                "{} of {} triangles of {name:?} are wound against their normals",
                facts.against,
                facts.against + facts.along
            );
            self.report.note(&codes::WINDING, place, message);
        }
        let unweighted = facts.unweighted;
        let id = MeshId::new(self.scene.meshes.len());
        self.scene.meshes.push(Mesh { name, parts: vec![part], ..Mesh::default() });
        Ok((id, unweighted))
    }
}

/// Observations made while a mesh is converted.
#[derive(Default)]
struct Facts {
    /// Whether a vertex follows no bone.
    unweighted: bool,
    /// The largest distance of a binormal from the cross product, and the number of those beyond the tolerance.
    binormal: f32,
    odd_binormals: usize,
    /// Triangles wound according to and against their normals.
    along: usize,
    against: usize,
}

fn part(geometry: Geometry, bones: Option<usize>, indices: BoneIndices) -> (Part, Facts) {
    let Geometry { vertices, indices: corners, .. } = geometry;
    let mut facts = Facts::default();
    winding(&vertices, &corners, &mut facts);
    let mut arrays = Arrays::new(&vertices, bones, indices);
    let mut vertices = Draining::new(vertices);
    while let Some(vertex) = vertices.pop() {
        arrays.push(&vertex, &mut facts);
    }
    let part = Part { faces: Faces::Triangles(corners), ..arrays.part() };
    (part, facts)
}

/// The vertex arrays of a part, filled from the last vertex to the first.
struct Arrays {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    /// `None` for meshes without texture coordinates.
    tangents: Option<Vec<Vec4>>,
    uvs: Vec<Vec2>,
    skin: Option<SkinArrays>,
}

struct SkinArrays {
    /// The number of influences of each vertex.
    counts: Vec<u32>,
    pairs: Vec<Influence>,
    bones: u32,
    indices: BoneIndices,
}

impl Arrays {
    fn new(vertices: &[Vertex], bones: Option<usize>, indices: BoneIndices) -> Self {
        let count = vertices.len();
        let has_tangents = vertices.iter().any(|v| v.tangent != [0.0; 3]);
        let used = || vertices.iter().flat_map(|v| v.weights).filter(|&w| w != 0.0).count();
        Self {
            positions: Vec::with_capacity(count),
            normals: Vec::with_capacity(count),
            tangents: has_tangents.then(|| Vec::with_capacity(count)),
            uvs: Vec::with_capacity(count),
            skin: bones.map(|bones| SkinArrays {
                counts: Vec::with_capacity(count + 1),
                pairs: Vec::with_capacity(used()),
                bones: bones as u32,
                indices,
            }),
        }
    }

    fn push(&mut self, vertex: &Vertex, facts: &mut Facts) {
        self.positions.push(Vec3::from_array(vertex.position));
        self.normals.push(Vec3::from_array(vertex.normal));
        // V points up in the file and down in a scene.
        self.uvs.push(Vec2::new(vertex.uv[0], 1.0 - vertex.uv[1]));
        if let Some(tangents) = &mut self.tangents {
            tangents.push(tangent(vertex, facts));
        }
        if let Some(skin) = &mut self.skin {
            skin.push(vertex, facts);
        }
    }

    fn part(mut self) -> Part {
        self.positions.reverse();
        self.normals.reverse();
        self.uvs.reverse();
        let mut tangents = self.tangents.unwrap_or_default();
        tangents.reverse();
        Part {
            positions: self.positions,
            normals: self.normals,
            tangents,
            uvs: vec![self.uvs],
            influences: self.skin.map(SkinArrays::influences).unwrap_or_default(),
            ..Part::default()
        }
    }
}

impl SkinArrays {
    /// Adds the used influences of a vertex; without any, it follows the object's node, the joint after the bones.
    fn push(&mut self, vertex: &Vertex, facts: &mut Facts) {
        let before = self.pairs.len();
        if vertex.weights.iter().sum::<f32>() < LEAST_WEIGHT {
            facts.unweighted = true;
            self.pairs.push(Influence { joint: self.bones, weight: 1.0 });
        } else {
            let slots = vertex.bones.iter().zip(vertex.weights).rev().filter(|(_, weight)| *weight != 0.0);
            let indices = self.indices;
            self.pairs.extend(slots.map(|(&bone, weight)| Influence { joint: indices.decode(bone), weight }));
        }
        self.counts.push((self.pairs.len() - before) as u32);
    }

    fn influences(mut self) -> Influences {
        if self.counts.is_empty() {
            return Influences::new();
        }
        self.pairs.reverse();
        // The counts, which run from the last vertex to the first, become starts after a leading zero.
        self.counts.push(0);
        self.counts.reverse();
        let mut sum = 0;
        for count in &mut self.counts {
            sum += *count;
            *count = sum;
        }
        Influences::from_raw(self.counts, self.pairs).unwrap_or_default()
    }
}

fn tangent(vertex: &Vertex, facts: &mut Facts) -> Vec4 {
    let tangent = Vec3::from_array(vertex.tangent);
    let binormal = Vec3::from_array(vertex.binormal);
    let cross = Vec3::from_array(vertex.normal).cross(tangent);
    let sign = if cross.dot(binormal) < 0.0 { -1.0 } else { 1.0 };
    let off = (binormal - cross * sign).length();
    facts.odd_binormals += usize::from(off > BINORMAL_TOLERANCE);
    facts.binormal = facts.binormal.max(off);
    tangent.extend(sign)
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
