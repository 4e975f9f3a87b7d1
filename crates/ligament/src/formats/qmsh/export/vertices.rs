//! The parts of the mesh: vertices, triangles and submeshes.

use super::materials::{MaterialNames, texture_names};
use super::skeleton::Skeleton;
use super::{Names, codes, written};
use crate::formats::qmsh::document::{Document, Submesh, Version, Vertex, flags};
use crate::pose::Bounds;
use crate::report::{Loss, Report};
use crate::scene::{Influence, MaterialId, Part, Scene};
use glam::{DVec3, Vec3};
use std::collections::HashMap;

/// The parts of the mesh that the scene shows, those with the same material one after the other.
pub(super) struct Parts {
    object: String,
    parts: Vec<Part>,
}

/// The scene's parts, taken out of it.
pub(super) fn take_parts(scene: &mut Scene) -> Parts {
    let Some((node, id)) = scene.nodes.iter().find_map(|n| Some((n, n.mesh?))) else {
        return Parts { object: String::new(), parts: Vec::new() };
    };
    let names = [&node.name, &scene.meshes[id.index()].name, &scene.name];
    let object = names.into_iter().find(|name| !name.is_empty()).cloned().unwrap_or("mesh".into());
    let mut parts = std::mem::take(&mut scene.meshes[id.index()].parts);
    parts.retain(|part| part.faces.count() > 0);
    let mut order: HashMap<Option<MaterialId>, usize> = HashMap::new();
    for part in &parts {
        let next = order.len();
        order.entry(part.material).or_insert(next);
    }
    parts.sort_by_key(|part| order.get(&part.material).copied());
    Parts { object, parts }
}

impl Parts {
    pub(super) fn vertex_count(&self) -> usize {
        self.parts.iter().map(|p| p.positions.len()).sum()
    }

    pub(super) fn triangle_count(&self) -> usize {
        self.parts.iter().map(|p| p.faces.count()).sum()
    }

    pub(super) fn submesh_count(&self) -> usize {
        self.parts.chunk_by(|a, b| a.material == b.material).count()
    }

    /// For each bone, the corners of the box around the vertices that it moves.
    pub(super) fn boxes(&self, skeleton: &Skeleton) -> Vec<Vec<DVec3>> {
        let mut boxes: Vec<Option<Bounds>> = vec![None; skeleton.bones.len()];
        for part in &self.parts {
            for (influences, &position) in part.influences.iter().zip(&part.positions) {
                for pair in influences.iter().filter(|p| p.weight != 0.0) {
                    let Some(bone) = skeleton.of_skin.get(pair.joint as usize).copied().flatten() else {
                        continue;
                    };
                    let own = Bounds { min: position, max: position };
                    boxes[bone] = Some(boxes[bone].map_or(own, |b| b.union(own)));
                }
            }
        }
        boxes.into_iter().map(|found| found.map_or(Vec::new(), |b| corners(&b))).collect()
    }

    /// Puts vertices, triangles, submeshes and bounds into the document.
    pub(super) fn write(
        self,
        document: &mut Document,
        skeleton: &Skeleton,
        scene: &Scene,
        names: &mut Names,
        report: &mut Report,
    ) {
        let all_vertices = self.vertex_count() as u16;
        if self.has_tangents(report) {
            document.flags |= flags::TANGENTS;
        }
        let mut materials = MaterialNames::default();
        let several = self.submesh_count() > 1;
        for group in self.parts.chunk_by(|a, b| a.material == b.material) {
            let first_triangle = document.triangles.len() as u16;
            for part in group {
                let first = document.vertices.len() as u16;
                let corners = part.faces.corners().chunks_exact(3);
                // The mirror turns faces around.
                let triangles = corners.map(|t| [t[2], t[1], t[0]].map(|v| first + v as u16));
                document.triangles.extend(triangles);
                let tangents = document.has(flags::TANGENTS);
                document
                    .vertices
                    .extend((0..part.positions.len()).map(|v| vertex(part, v, skeleton, tangents)));
            }
            let material = group[0].material.map(|m| &scene.materials[m.index()]);
            let triangles = document.triangles.len() as u16 - first_triangle;
            let mut submesh = Submesh {
                first_triangle,
                triangles,
                first_vertex: 0,
                vertices: all_vertices,
                ..Submesh::default()
            };
            let name = materials.unique(material.map_or("", |m| &m.name), names);
            submesh.name =
                if several { names.cut(&format!("{}.{name}", self.object)) } else { names.cut(&self.object) };
            match document.version {
                Version::Original => submesh.material = names.cut(&name),
                Version::Carpg(_) => {
                    if let Some(material) = material {
                        texture_names(scene, material, document.has(flags::TANGENTS), &mut submesh, report);
                    }
                }
            }
            document.submeshes.push(submesh);
        }
        if document.version == Version::Original {
            super::materials::announce_names(scene, report);
        }
        set_bounds(document);
    }

    /// Either all vertices have tangents or none.
    fn has_tangents(&self, report: &mut Report) -> bool {
        let with = |p: &&Part| !p.tangents.is_empty();
        let count: usize = self.parts.iter().filter(with).map(|p| p.tangents.len()).sum();
        let all = !self.parts.is_empty() && self.parts.iter().all(|p| with(&p));
        if count > 0 && !all {
            let message = "tangents are dropped because some parts have none";
            report.loss(Loss::dropped(&codes::TANGENTS, "", count, message));
        }
        all
    }
}

fn vertex(part: &Part, index: usize, skeleton: &Skeleton, tangents: bool) -> Vertex {
    let normal = part.normals.get(index).copied().unwrap_or(Vec3::Y);
    let uv = part.uvs.first().and_then(|set| set.get(index)).map_or([0.0; 2], |uv| uv.to_array());
    let mut vertex =
        Vertex { position: written(part.positions[index]), normal: written(normal), uv, ..Vertex::default() };
    if !skeleton.bones.is_empty() {
        let influences: &[Influence] =
            if part.influences.is_empty() { &[] } else { part.influences.of(index) };
        (vertex.weight, vertex.bone_word) = weights(influences, skeleton);
    }
    if let Some(tangent) = part.tangents.get(index).filter(|_| tangents) {
        // A scene's bitangent is where V grows up the image, the file's binormal where it grows down.
        let bitangent = normal.cross(tangent.truncate()) * tangent.w;
        vertex.tangent = written(tangent.truncate());
        vertex.binormal = written(-bitangent);
    }
    vertex
}

/// The first weight of two that sum to 1, and the word with both bones.
fn weights(influences: &[Influence], skeleton: &Skeleton) -> (f32, u32) {
    let number = |pair: &Influence| {
        let bone = skeleton.of_skin.get(pair.joint as usize).copied().flatten();
        bone.map_or(0, |b| b as u32 + 1)
    };
    let sum: f64 = influences.iter().map(|p| f64::from(p.weight)).sum();
    match influences {
        [first, rest @ ..] if sum != 0.0 && sum.is_finite() => {
            let second = rest.first().map_or(0, number);
            ((f64::from(first.weight) / sum) as f32, number(first) | second << 8)
        }
        _ => (1.0, 0),
    }
}

fn corners(bounds: &Bounds) -> Vec<DVec3> {
    let pick = |i: usize, axis: usize| if i >> axis & 1 == 0 { bounds.min[axis] } else { bounds.max[axis] };
    (0..8).map(|i| Vec3::new(pick(i, 0), pick(i, 1), pick(i, 2)).as_dvec3()).collect()
}

fn set_bounds(document: &mut Document) {
    let places = || document.vertices.iter().map(|v| Vec3::from_array(v.position));
    if let Some(bounds) = Bounds::of(places()) {
        document.bounds = [bounds.min.to_array(), bounds.max.to_array()];
    }
    document.radius = places().map(|p| p.as_dvec3().length()).fold(0.0, f64::max) as f32;
}
