//! Submeshes: their grouping into objects, and the vertices of each.

use super::{Import, VertexLayout};
use crate::formats::binormals::Binormals;
use crate::formats::qmsh::codes;
use crate::formats::qmsh::document::{Document, Submesh, Version, Vertex, text};
use crate::formats::qmsh::space::mirrored;
use crate::report::Loss;
use crate::scene::{Faces, Influence, Influences, Mesh, MeshId, Node, NodeId, Part};
use glam::{Vec2, Vec4};

/// The facts about meshes that the skeleton needs.
#[derive(Default)]
pub(super) struct Objects {
    /// Nodes whose meshes follow bones.
    pub(super) skinned: Vec<NodeId>,
    /// Whether a vertex is partly bound to the static bone 0.
    pub(super) needs_zero: bool,
}

impl Import<'_> {
    pub(super) fn meshes(&mut self, document: &Document) -> Objects {
        let mut objects = Objects::default();
        let mut used = vec![false; document.vertices.len()];
        let mut facts = Facts::default();
        let empty = document.submeshes.iter().filter(|s| s.triangles == 0).count();
        let groups = document.submeshes.chunk_by(|a, b| belong_together(document, a, b));
        for submeshes in groups.filter(|group| group.iter().any(|s| s.triangles > 0)) {
            let name = object_name(submeshes);
            let mut mesh = Mesh { name: name.clone(), ..Mesh::default() };
            for submesh in submeshes.iter().filter(|s| s.triangles > 0) {
                let mut part = part(document, submesh, &mut used, &mut facts);
                part.material = self.material(document, submesh, &name);
                mesh.parts.push(part);
            }
            let skinned = mesh.parts.iter().any(|p| !p.influences.is_empty());
            let mesh = Some(MeshId::push(&mut self.scene.meshes, mesh));
            let node = self.scene.add_node(Node { name, mesh, ..Node::default() });
            if skinned {
                objects.skinned.push(node);
            }
        }
        objects.needs_zero = facts.held_in_part;
        self.report_vertices(&facts, used.iter().filter(|used| !**used).count());
        let message = "submeshes without triangles were left out";
        self.report.loss(Loss::dropped(&codes::UNUSED, "", empty, message));
        objects
    }

    fn report_vertices(&mut self, facts: &Facts, unused: usize) {
        facts.binormals.report(&codes::BINORMALS, "", self.report);
        let message = "vertices that no triangle uses were left out";
        self.report.loss(Loss::dropped(&codes::UNUSED, "", unused, message));
    }
}

/// Whether two submeshes form one object: they share their vertices, and are named after the object and material.
fn belong_together(document: &Document, a: &Submesh, b: &Submesh) -> bool {
    let range = |s: &Submesh| (s.first_vertex, s.vertices);
    let object = |s: &Submesh| match document.version {
        Version::Original => s.name.as_bytes().strip_suffix(s.material.as_bytes()).map(<[u8]>::to_vec),
        _ => Some(common_prefix(&text(&a.name), &text(&b.name)).into_bytes()),
    };
    let named = |object: &[u8]| object.len() > 1 && object.ends_with(b".");
    range(a) == range(b) && object(a).is_some_and(|o| named(&o)) && object(a) == object(b)
}

/// The common prefix of two names, up to and including a dot.
fn common_prefix(a: &str, b: &str) -> String {
    let same = a.char_indices().zip(b.chars()).take_while(|((_, a), b)| a == b);
    let end = same.last().map_or(0, |((at, c), _)| at + c.len_utf8());
    let dot = a[..end].rfind('.').map_or(0, |dot| dot + 1);
    a[..dot].to_owned()
}

fn object_name(submeshes: &[Submesh]) -> String {
    let names: Vec<String> = submeshes.iter().map(|s| text(&s.name)).collect();
    let common = names.iter().skip(1).fold(names[0].clone(), |common, name| common_prefix(&common, name));
    match common.strip_suffix('.') {
        Some(object) if submeshes.len() > 1 && !object.is_empty() => object.to_owned(),
        _ => names[0].clone(),
    }
}

/// Observations made while meshes are converted.
#[derive(Default)]
struct Facts {
    /// Whether a vertex is partly bound to the static bone 0.
    held_in_part: bool,
    binormals: Binormals,
}

fn part(document: &Document, submesh: &Submesh, used: &mut [bool], facts: &mut Facts) -> Part {
    let first = usize::from(submesh.first_triangle);
    let triangles = &document.triangles[first..first + usize::from(submesh.triangles)];
    let mut own: Vec<u16> = triangles.iter().flatten().copied().collect();
    own.sort_unstable();
    own.dedup();
    let index = |vertex: u16| own.binary_search(&vertex).unwrap_or(0) as u32;
    // The mirroring flips faces.
    let corners = triangles.iter().flat_map(|&[a, b, c]| [c, b, a].map(index)).collect();
    own.iter().for_each(|&v| used[usize::from(v)] = true);
    let vertices = || own.iter().map(|&v| &document.vertices[usize::from(v)]);
    let layout = VertexLayout::of(document);
    let mut part = Part {
        positions: vertices().map(|v| mirrored(v.position)).collect(),
        faces: Faces::Triangles(corners),
        ..Part::default()
    };
    if layout.shaded {
        part.normals = vertices().map(|v| mirrored(v.normal)).collect();
        part.uvs = vec![vertices().map(|v| Vec2::from_array(v.uv)).collect()];
    }
    if layout.tangents && vertices().any(|v| v.tangent != [0.0; 3]) {
        part.tangents = vertices().map(|v| tangent(v, facts)).collect();
    }
    if layout.skinned && document.has_bones() {
        part.influences = influences(vertices(), document.bones.len(), facts);
    }
    part
}

/// Converts a tangent. A scene's bitangent is the direction of V *up* the image, the file's binormal of V down.
fn tangent(vertex: &Vertex, facts: &mut Facts) -> Vec4 {
    let [normal, tangent, binormal] = [vertex.normal, vertex.tangent, vertex.binormal].map(mirrored);
    facts.binormals.tangent(normal, tangent, -binormal)
}

/// Converts influences. The joint of bone 0 comes last; a vertex that follows nothing else has no influence.
fn influences<'a>(
    vertices: impl Iterator<Item = &'a Vertex> + Clone,
    bones: usize,
    facts: &mut Facts,
) -> Influences {
    let mut influences = Influences::new();
    if vertices.clone().all(|v| !moves(v)) {
        return influences;
    }
    for vertex in vertices {
        let moves = moves(vertex);
        let slots = slots(vertex).into_iter().filter(|&(_, weight)| moves && weight != 0.0);
        influences.push(slots.map(|(bone, weight)| {
            facts.held_in_part |= bone == 0;
            let joint = usize::from(bone).checked_sub(1).unwrap_or(bones) as u32;
            Influence { joint, weight }
        }));
    }
    influences
}

/// The bones of a vertex; if both are the same, it has the full weight.
fn slots(vertex: &Vertex) -> [(u8, f32); 2] {
    match vertex.bones() {
        [(a, _), (b, _)] if a == b => [(a, 1.0), (b, 0.0)],
        both => both,
    }
}

/// Whether a bone moves the vertex.
fn moves(vertex: &Vertex) -> bool {
    slots(vertex).iter().any(|&(bone, weight)| bone != 0 && weight != 0.0)
}
