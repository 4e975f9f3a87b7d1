//! Objects and their parts: vertices, triangles and submeshes.

use super::materials::unique;
use super::skeleton::Skeleton;
use super::{Export, codes, written};
use crate::formats::qmsh::document::{Document, Submesh, Version, Vertex, flags};
use crate::pose::{Bounds, joint_bounds, radius};
use crate::report::{Loss, Report};
use crate::scene::{Influence, MaterialId, Part, Scene};
use crate::text::UniqueNames;
use glam::{DVec3, Vec3};
use std::collections::HashMap;

/// The objects that the scene draws.
pub(super) struct Objects(Vec<Object>);

struct Object {
    name: String,
    /// Parts with the same material are adjacent, because they form one submesh.
    parts: Vec<Part>,
}

/// Takes the objects out of the scene.
pub(super) fn take_objects(scene: &mut Scene) -> Objects {
    let mut objects = Vec::new();
    for node in &scene.nodes {
        let Some(mesh) = node.mesh.and_then(|id| scene.meshes.get_mut(id.index())) else { continue };
        let mut parts = std::mem::take(&mut mesh.parts);
        parts.retain(|part| part.faces.count() > 0);
        let mut order: HashMap<Option<MaterialId>, usize> = HashMap::new();
        for part in &parts {
            let next = order.len();
            order.entry(part.material).or_insert(next);
        }
        parts.sort_by_key(|part| order.get(&part.material).copied());
        let name = [&node.name, &mesh.name, &scene.name].into_iter().find(|name| !name.is_empty());
        let name = name.map_or("mesh", String::as_str).to_owned();
        objects.extend((!parts.is_empty()).then_some(Object { name, parts }));
    }
    Objects(objects)
}

fn same_submesh(a: &Part, b: &Part) -> bool {
    a.material == b.material
}

impl Objects {
    fn parts(&self) -> impl Iterator<Item = &Part> {
        self.0.iter().flat_map(|object| &object.parts)
    }

    pub(super) fn vertex_count(&self) -> usize {
        self.parts().map(|p| p.positions.len()).sum()
    }

    pub(super) fn triangle_count(&self) -> usize {
        self.parts().map(|p| p.faces.count()).sum()
    }

    pub(super) fn submesh_count(&self) -> usize {
        self.0.iter().map(|object| object.parts.chunk_by(same_submesh).count()).sum()
    }

    /// For each bone, the corners of the bounding box of the vertices that it moves.
    pub(super) fn boxes(&self, skeleton: &Skeleton) -> Vec<Vec<DVec3>> {
        let mut boxes: Vec<Option<Bounds>> = vec![None; skeleton.bones.len()];
        let of_joints = joint_bounds(self.parts(), skeleton.of_skin.len());
        for (own, bone) in of_joints.into_iter().zip(&skeleton.of_skin) {
            if let (Some(own), Some(bone)) = (own, *bone) {
                boxes[bone] = Some(boxes[bone].map_or(own, |b| b.union(own)));
            }
        }
        boxes.into_iter().map(|found| found.map_or(Vec::new(), |b| b.corners().into())).collect()
    }

    /// Whether the file has tangents: either all vertices have them or none.
    fn has_tangents(&self, report: &mut Report) -> bool {
        let with = |p: &&Part| !p.tangents.is_empty();
        let count: usize = self.parts().filter(with).map(|p| p.tangents.len()).sum();
        let all = !self.0.is_empty() && self.parts().all(|p| with(&p));
        if count > 0 && !all {
            let message = "tangents were dropped because some parts have none";
            report.loss(Loss::dropped(&codes::TANGENTS, "", count, message));
        }
        all
    }
}

impl Export<'_> {
    /// Adds vertices, triangles, submeshes and bounds to the document.
    pub(super) fn objects(&mut self, objects: &Objects) {
        if objects.has_tangents(self.report) {
            self.document.flags |= flags::TANGENTS;
        }
        let mut taken = UniqueNames::default();
        for object in &objects.0 {
            let name = unique(&mut taken, &object.name, &mut self.names);
            self.object(&object.parts, &name);
        }
        if self.document.version == Version::Original {
            super::materials::announce_names(&self.scene, self.report);
        }
        set_bounds(&mut self.document);
    }

    /// Adds an object, whose submeshes share its range of vertices.
    fn object(&mut self, parts: &[Part], object: &str) {
        let tangents = self.document.has(flags::TANGENTS);
        let first_vertex = self.document.vertices.len() as u16;
        let vertices = parts.iter().map(|p| p.positions.len()).sum::<usize>() as u16;
        let several = parts.chunk_by(same_submesh).count() > 1;
        let mut taken = UniqueNames::default();
        for group in parts.chunk_by(same_submesh) {
            let Self { document, scene, skeleton, names, .. } = self;
            let first_triangle = document.triangles.len() as u16;
            for part in group {
                let first = document.vertices.len() as u16;
                let corners = part.faces.corners().chunks_exact(3);
                // Reversed, because the conversion mirrors the mesh.
                document.triangles.extend(corners.map(|t| [t[2], t[1], t[0]].map(|v| first + v as u16)));
                let all = 0..part.positions.len();
                document.vertices.extend(all.map(|v| vertex(part, v, skeleton, tangents)));
            }
            let triangles = document.triangles.len() as u16 - first_triangle;
            let mut submesh =
                Submesh { first_triangle, triangles, first_vertex, vertices, ..Submesh::default() };
            let material = group[0].material;
            let name = material.map_or("", |m| &scene.materials[m.index()].name);
            let name = unique(&mut taken, name, names);
            submesh.name = names.cut(&if several { format!("{object}.{name}") } else { object.to_owned() });
            match (document.version, material) {
                (Version::Original, _) => submesh.material = names.cut(&name),
                (_, Some(material)) => self.textures(material, &mut submesh),
                (_, None) => {}
            }
            self.document.submeshes.push(submesh);
        }
    }
}

fn vertex(part: &Part, index: usize, skeleton: &Skeleton, tangents: bool) -> Vertex {
    let normal = part.normals.get(index).copied().unwrap_or(Vec3::Y);
    let uv = part.uvs.first().and_then(|set| set.get(index)).map_or([0.0; 2], |uv| uv.to_array());
    let mut vertex =
        Vertex { position: written(part.positions[index]), normal: written(normal), uv, ..Vertex::default() };
    if !skeleton.bones.is_empty() {
        (vertex.weight, vertex.bone_word) = weights(part.influences.of(index), skeleton);
    }
    if let Some(tangent) = part.tangents.get(index).filter(|_| tangents) {
        // A scene's bitangent is the direction of V up the image, the file's binormal the direction of V down.
        let bitangent = normal.cross(tangent.truncate()) * tangent.w;
        vertex.tangent = written(tangent.truncate());
        vertex.binormal = written(-bitangent);
    }
    vertex
}

/// Returns the first of two weights that sum to 1, and the word with both bones.
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

fn set_bounds(document: &mut Document) {
    let places = || document.vertices.iter().map(|v| Vec3::from_array(v.position));
    if let Some(bounds) = Bounds::of(places()) {
        document.bounds = [bounds.min.to_array(), bounds.max.to_array()];
    }
    document.radius = radius(places());
}
