//! Meshes: corners become vertices, and faces are grouped into one part per material.

use super::import::{Import, user_properties};
use super::nodes::Tree;
use super::{codes, morphs, skins};
use crate::mesh::tangents::with_signs;
use crate::pose::DualSkin;
use crate::report::Failure;
use crate::scene::{Faces, Influences, MaterialId, Mesh, MeshId, Node, NodeId, Part};
use glam::Vec2;
use std::collections::HashMap;

/// Marks the absence of a vertex.
const NONE: u32 = u32::MAX;
/// The number of vertices at one point that a corner is compared with before a new one is added. Only files made to
/// waste time have more.
const MOST_COMPARED: usize = 64;

/// Creates every mesh that a node draws, and attaches it to the node. Returns the nodes whose meshes have morph targets.
pub(super) fn import<'f>(
    import: &mut Import<'f, '_, '_>,
    tree: &Tree,
) -> Result<Vec<(NodeId, &'f ufbx::Mesh)>, Failure> {
    let fbx = import.fbx;
    // A mesh that another node draws with other materials becomes another mesh in the scene.
    let mut made: HashMap<(u32, Vec<u32>), (MeshId, Shares)> = HashMap::new();
    let (mut lost, mut morphing) = (Lost::default(), Vec::new());
    for node in fbx.nodes.as_ref() {
        let Some(id) = tree.id(node) else { continue };
        let attributes = node.all_attribs.as_ref().iter().filter_map(|a| ufbx::as_mesh(a));
        for (number, source) in attributes.enumerate() {
            let is_first = number == 0;
            let list = if is_first { &node.materials } else { &source.materials };
            let materials: Vec<u32> = list.as_ref().iter().map(|m| m.element.typed_id).collect();
            // Further meshes of a node get nodes of their own.
            let id = if is_first { id } else { child(import, id, source) };
            let binding = skins::Binding::of(source, tree);
            let key = (source.element.typed_id, materials);
            let (mesh, shares) = match made.get(&key) {
                Some(known) => known.clone(),
                None => {
                    let own = &source.element.name;
                    let name = if own.is_empty() { &node.element.name } else { own };
                    let (mesh, shares) = build(import, source, name, &key.1, binding.as_ref(), &mut lost)?;
                    let id = MeshId::push(&mut import.scene.meshes, mesh);
                    made.insert(key, (id, shares.clone()));
                    (id, shares)
                }
            };
            import.scene.nodes[id.index()].mesh = Some(mesh);
            if !import.scene.meshes[mesh.index()].morphs.is_empty() {
                morphing.push((id, source));
            }
            if let Some(binding) = &binding {
                let skin = skins::skin(import, binding, id);
                import.scene.nodes[id.index()].skin = Some(skin);
                if shares.iter().any(|part| !part.is_empty()) {
                    import.own.add_dual_skin(DualSkin { node: id, shares });
                }
            }
        }
    }
    skins::losses(import);
    morphs::losses(import);
    lost.report(import);
    Ok(morphing)
}

/// For each part of a mesh and each of its vertices, how much dual quaternions count.
type Shares = Vec<Vec<f32>>;

fn child(import: &mut Import<'_, '_, '_>, parent: NodeId, source: &ufbx::Mesh) -> NodeId {
    let name = source.element.name.to_string();
    import.scene.add_node(Node { name, parent: Some(parent), ..Node::default() })
}

/// Counts of what the scene cannot hold.
#[derive(Default)]
struct Lost {
    /// Faces with one or two corners.
    thin_faces: usize,
    /// Faces that are marked as holes.
    holes: usize,
    /// Vertices that no face uses.
    loose: usize,
    subdivided: usize,
}

impl Lost {
    fn report(&self, import: &mut Import<'_, '_, '_>) {
        import.dropped(&codes::FACES, "", self.thin_faces, "faces with fewer than three corners are dropped");
        import.dropped(&codes::FACES, "", self.holes, "faces that are marked as holes are dropped");
        import.dropped(&codes::LOOSE_VERTICES, "", self.loose, "vertices that no face uses are dropped");
        let message = "subdivision meshes keep their coarse faces";
        import.dropped(&codes::UNSUPPORTED, "", self.subdivided, message);
    }
}

fn build(
    import: &mut Import<'_, '_, '_>,
    source: &ufbx::Mesh,
    name: &str,
    materials: &[u32],
    binding: Option<&skins::Binding<'_>>,
    lost: &mut Lost,
) -> Result<(Mesh, Shares), Failure> {
    let mut shares = Shares::new();
    let mut extras = user_properties(&source.element.props);
    names_of_sets(source, &mut extras);
    if let Some(channels) = morphs::noted_channels(source) {
        let own = extras.entry(super::KEY).or_insert_with(|| serde_json::json!({}));
        own["channels"] = channels;
    }
    let mut mesh = Mesh { name: name.to_owned(), extras, ..Mesh::default() };
    let targets = morphs::targets(source);
    mesh.morphs = targets.iter().map(|target| target.morph(&mut import.finite)).collect();
    let mut shapes = morphs::Shapes::new(source, &targets);
    let mut joiner = Joiner::new(source);
    let mut used = 0;
    for (index, part) in source.material_parts.as_ref().iter().enumerate() {
        let faces = joiner.faces(part, lost);
        if joiner.corners.is_empty() {
            continue;
        }
        let mut made = fill(import, source, &joiner.corners);
        made.faces = faces;
        made.material = materials.get(index).map(|&id| MaterialId(id));
        let points: Vec<u32> = joiner.points().collect();
        if let Some(binding) = binding {
            made.influences = influences(import, binding, &points);
            shares.push(binding.dual_shares(&points));
        }
        made.morphs = shapes.deltas(import, &points)?;
        mesh.parts.push(made);
        used += joiner.finish();
    }
    lost.loose += source.num_vertices.saturating_sub(used);
    if source.subdivision_display_mode != ufbx::SubdivisionDisplayMode::Disabled {
        lost.subdivided += 1;
    }
    Ok((mesh, shares))
}

/// Keeps the names of coordinate and colour sets, which textures refer to.
fn names_of_sets(source: &ufbx::Mesh, extras: &mut crate::scene::Extras) {
    let uvs: Vec<&str> = source.uv_sets.as_ref().iter().map(|set| &*set.name).collect();
    let colors: Vec<&str> = source.color_sets.as_ref().iter().map(|set| &*set.name).collect();
    if uvs.len() > 1 || colors.len() > 1 {
        extras.insert(super::KEY.to_owned(), serde_json::json!({ "uv_sets": uvs, "color_sets": colors }));
    }
}

fn influences(import: &mut Import<'_, '_, '_>, binding: &skins::Binding<'_>, points: &[u32]) -> Influences {
    let mut all = Influences::with_capacity(points.len(), points.len() * 2);
    for &point in points {
        all.push(binding.influences(point, &mut import.finite));
    }
    all
}

/// Finds the corners that form one vertex: those at one point with equal normals, coordinates and colours.
struct Joiner<'f> {
    source: &'f ufbx::Mesh,
    /// The point of each corner.
    points: &'f [u32],
    normals: Attribute<'f, ufbx::Vec3>,
    tangents: Attribute<'f, ufbx::Vec3>,
    bitangents: Attribute<'f, ufbx::Vec3>,
    uvs: Vec<Attribute<'f, ufbx::Vec2>>,
    colors: Vec<Attribute<'f, ufbx::Vec4>>,
    /// The last vertex created at each point.
    last: Vec<u32>,
    /// For each vertex, the one created before it at the same point.
    before: Vec<u32>,
    /// For each vertex, a corner that has its values.
    corners: Vec<u32>,
    /// Whether a part has used each point.
    used: Vec<bool>,
}

/// A list of values, and the index into it for each corner.
struct Attribute<'f, T> {
    values: &'f [T],
    indices: &'f [u32],
}

impl<T> Attribute<'_, T> {
    /// Whether two corners have the same value.
    fn same<const N: usize>(&self, a: u32, b: u32, numbers: impl Fn(&T) -> [f64; N]) -> bool {
        let index = |corner: u32| self.indices.get(corner as usize).copied();
        let (a, b) = (index(a), index(b));
        let value = |i: Option<u32>| i.and_then(|i| self.values.get(i as usize)).map(&numbers);
        a == b || value(a).zip(value(b)).is_some_and(|(a, b)| a == b)
    }
}

impl<'f> Joiner<'f> {
    fn new(source: &'f ufbx::Mesh) -> Self {
        let vec3 = |a: &'f ufbx::VertexVec3| Attribute { values: &a.values, indices: &a.indices };
        let uvs = source.uv_sets.as_ref().iter().map(|set| &set.vertex_uv);
        let colors = source.color_sets.as_ref().iter().map(|set| &set.vertex_color);
        Self {
            source,
            points: &source.vertex_indices,
            normals: vec3(&source.vertex_normal),
            tangents: vec3(&source.vertex_tangent),
            bitangents: vec3(&source.vertex_bitangent),
            uvs: uvs.map(|a| Attribute { values: &a.values, indices: &a.indices }).collect(),
            colors: colors.map(|a| Attribute { values: &a.values, indices: &a.indices }).collect(),
            last: vec![NONE; source.num_vertices],
            before: Vec::new(),
            corners: Vec::new(),
            used: vec![false; source.num_vertices],
        }
    }

    /// Builds the faces of a part, creating vertices on the way.
    fn faces(&mut self, part: &ufbx::MeshPart, lost: &mut Lost) -> Faces {
        let source = self.source;
        let mut corners = Vec::with_capacity(part.num_triangles * 3);
        let mut starts = Vec::new();
        let sides = |index: &u32| source.faces.get(*index as usize).map_or(3, |face| face.num_indices);
        let is_plain = part.face_indices.as_ref().iter().all(|index| sides(index) == 3);
        for &index in part.face_indices.as_ref() {
            let Some(face) = source.faces.get(index as usize) else { continue };
            if face.num_indices < 3 {
                lost.thin_faces += 1;
                continue;
            }
            if source.face_hole.get(index as usize) == Some(&true) {
                lost.holes += 1;
                continue;
            }
            if !is_plain {
                starts.push(corners.len() as u32);
            }
            let range = face.index_begin..face.index_begin.saturating_add(face.num_indices);
            corners.extend(range.map(|corner| self.vertex(corner)));
        }
        if is_plain {
            return Faces::Triangles(corners);
        }
        starts.push(corners.len() as u32);
        Faces::Polygons { starts, corners }
    }

    fn vertex(&mut self, corner: u32) -> u32 {
        let point = self.points.get(corner as usize).copied().unwrap_or(0);
        let Some(&last) = self.last.get(point as usize) else { return 0 };
        let mut vertex = last;
        for _ in 0..MOST_COMPARED {
            let Some(&known) = self.corners.get(vertex as usize) else { break };
            if self.same(known, corner) {
                return vertex;
            }
            vertex = self.before[vertex as usize];
        }
        let new = self.corners.len() as u32;
        self.before.push(last);
        self.corners.push(corner);
        self.last[point as usize] = new;
        new
    }

    fn same(&self, a: u32, b: u32) -> bool {
        let xyz = |v: &ufbx::Vec3| [v.x, v.y, v.z];
        self.normals.same(a, b, xyz)
            && self.uvs.iter().all(|set| set.same(a, b, |v| [v.x, v.y]))
            && self.colors.iter().all(|set| set.same(a, b, |v| [v.x, v.y, v.z, v.w]))
            && self.tangents.same(a, b, xyz)
            && self.bitangents.same(a, b, xyz)
    }

    /// The point of each vertex.
    fn points(&self) -> impl Iterator<Item = u32> + '_ {
        self.corners.iter().map(|&corner| self.points.get(corner as usize).copied().unwrap_or(0))
    }

    /// Resets for the next part. Returns how many points this part was the first to use.
    fn finish(&mut self) -> usize {
        let mut count = 0;
        for corner in self.corners.drain(..) {
            let point = self.points.get(corner as usize).copied().unwrap_or(0) as usize;
            if let (Some(last), Some(used)) = (self.last.get_mut(point), self.used.get_mut(point)) {
                *last = NONE;
                count += usize::from(!std::mem::replace(used, true));
            }
        }
        self.before.clear();
        count
    }
}

/// Reads the values at the corners.
fn fill(import: &mut Import<'_, '_, '_>, source: &ufbx::Mesh, corners: &[u32]) -> Part {
    let finite = &mut import.finite;
    let position = &source.vertex_position;
    let normal = &source.vertex_normal;
    let mut part = Part {
        positions: at(corners, &position.values, &position.indices, |v| finite.vec3(v)),
        ..Part::default()
    };
    if normal.exists {
        part.normals = at(corners, &normal.values, &normal.indices, |v| finite.direction(v));
    }
    let (tangent, bitangent) = (&source.vertex_tangent, &source.vertex_bitangent);
    if normal.exists && tangent.exists {
        let tangents = at(corners, &tangent.values, &tangent.indices, |v| finite.direction(v));
        let bitangents = at(corners, &bitangent.values, &bitangent.indices, |v| finite.vec3(v));
        part.tangents = with_signs(&tangents, &part.normals, &bitangents);
    }
    for set in source.uv_sets.as_ref() {
        let uv = &set.vertex_uv;
        part.uvs.push(at(corners, &uv.values, &uv.indices, |v| {
            let v = finite.vec2(v);
            Vec2::new(v.x, 1.0 - v.y)
        }));
    }
    for set in source.color_sets.as_ref() {
        let color = &set.vertex_color;
        part.colors.push(at(corners, &color.values, &color.indices, |v| finite.vec4(v)));
    }
    part
}

/// One attribute at each of the corners; empty if the file does not have it.
fn at<T: Copy, U>(corners: &[u32], values: &[T], indices: &[u32], mut each: impl FnMut(T) -> U) -> Vec<U> {
    let Some(&first) = values.first() else { return Vec::new() };
    let value = |&corner: &u32| {
        let index = indices.get(corner as usize).copied().unwrap_or(0);
        each(values.get(index as usize).copied().unwrap_or(first))
    };
    corners.iter().map(value).collect()
}
