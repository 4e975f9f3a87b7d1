//! Mesh objects.

use super::super::codes;
use super::super::document::{Corner, FaceHead, Mesh};
use super::super::normals::{by_angle, triangles};
use super::super::space;
use super::influences::influences;
use super::{Import, extras, out_of_range};
use crate::report::Loss;
use crate::scene::{self, Faces, Influences, Local, MaterialId, MeshId, Node, NodeId, Part, y_up};
use crate::settings::Posing;
use glam::{DMat4, Vec2, Vec3};
use serde_json::json;
use std::collections::BTreeMap;

/// Default smoothing angle.
const USUAL_ANGLE: f64 = 30.0;
/// A vertex with more variants of texture coordinates and normals than this gets no more shared ones, so that the
/// search stays fast.
const MOST_SHARED: usize = 32;

/// The carrier of a mesh.
enum Carrier {
    Nothing,
    Bone(usize),
    Skin,
}

impl Import<'_> {
    pub(super) fn mesh(&mut self, mut mesh: Mesh) {
        let (document, skeleton) = (self.document, &self.skeleton);
        let hangs =
            skeleton.name.as_ref().is_some_and(|name| *name == mesh.parent && !mesh.parent.is_empty());
        let carrier = match skeleton.bones.get(&mesh.parent_bone) {
            _ if !hangs || skeleton.skin.is_none() => Carrier::Nothing,
            Some(&bone) if !mesh.parent_bone.is_empty() => Carrier::Bone(bone),
            _ if mesh.parent_bone.is_empty() => Carrier::Skin,
            _ => Carrier::Nothing,
        };
        // Version 10 stores world transforms; its converter multiplies them by the armature's nevertheless.
        let in_armature = hangs && (document.version.named_transform() || self.posing == Posing::Engine);
        let own = space::matrix(&mesh.placement);
        let matrix = if in_armature { skeleton.matrix * own } else { own };
        let name = document.text(&mesh.name);
        let (parent, local): (Option<NodeId>, Local) = match carrier {
            Carrier::Skin => (None, Local::default()),
            Carrier::Nothing if in_armature => (None, Local::from_matrix(&space::turned(&matrix))),
            Carrier::Nothing => (None, space::trs(&mesh.placement).into()),
            Carrier::Bone(bone) => {
                let above = space::invert(&skeleton.globals[bone]).unwrap_or(DMat4::IDENTITY);
                (Some(skeleton.nodes[bone]), Local::from_matrix(&(above * space::turned(&matrix))))
            }
        };
        let skinned = matches!(carrier, Carrier::Skin);
        let skin = skeleton.skin.filter(|_| skinned);
        let mut vertex_influences = Influences::new();
        if skinned {
            vertex_influences = self.influences(&mesh, &matrix, &name);
            bake(&mut mesh, &matrix);
            if !mesh.vertices.iter().all(|v| v.is_finite()) {
                out_of_range("a vertex of a skinned mesh", self.report);
            }
        }
        let shape = if skinned { DMat4::IDENTITY } else { matrix };
        let mirrored = skinned && matrix.determinant() < 0.0;
        let of_number: Vec<Option<MaterialId>> = mesh.materials.iter().map(|m| self.material(m)).collect();
        let normals = Normals::of(&mesh, &shape, mirrored);
        let parts = Parts::new(&mesh, normals, &vertex_influences, mirrored).build(&of_number);
        let extras = mesh.smooth_angle.map(|angle| extras(json!({ "smooth_angle": angle })));
        let mesh = scene::Mesh {
            name: name.clone(),
            parts,
            extras: extras.unwrap_or_default(),
            ..scene::Mesh::default()
        };
        let mesh = Some(MeshId::push(&mut self.scene.meshes, mesh));
        if local.to_matrix().to_cols_array().iter().any(|v| !(*v as f32).is_finite()) {
            out_of_range("the position of a mesh", self.report);
        }
        self.scene.add_node(Node { name, parent, local, mesh, skin, ..Node::default() });
    }

    /// The influences of the vertices of a deformed mesh. `matrix` maps them to the file's world space.
    fn influences(&mut self, mesh: &Mesh, matrix: &DMat4, name: &str) -> Influences {
        let place = |vertex: usize| matrix.transform_point3(mesh.vertices[vertex].as_dvec3());
        let (found, cut) = influences(mesh, &self.skeleton, place);
        let message = "vertices are within the envelopes of too many bones; the largest weights are kept";
        let (object, unit) = (format!("mesh {name:?}"), "of the weight");
        self.report.loss(Loss::approximated(&codes::ENVELOPES, object, cut, None, unit, message));
        found
    }
}

/// Transforms vertices and normals to world space.
fn bake(mesh: &mut Mesh, matrix: &DMat4) {
    if *matrix == DMat4::IDENTITY {
        return;
    }
    for vertex in &mut mesh.vertices {
        *vertex = matrix.transform_point3(vertex.as_dvec3()).as_vec3();
    }
    let to_world = matrix.inverse().transpose();
    if to_world.is_finite() {
        for normal in mesh.normals.iter_mut().chain(&mut mesh.faces.normals) {
            *normal = to_world.transform_vector3(normal.as_dvec3()).normalize_or_zero().as_vec3();
        }
    }
}

/// The normals of a mesh's corners, by number.
struct Normals {
    /// The number at each corner of each triangle, if they are computed from the angle; otherwise empty.
    of_corner: Vec<u32>,
    /// The normals from the file: those of vertices, then those of faces.
    normals: Vec<Vec3>,
    vertices: usize,
}

impl Normals {
    /// Takes the normals of vertices from the file, or computes them from the angle. `shape` is the mesh's transform:
    /// angles and areas are those in the world.
    fn of(mesh: &Mesh, shape: &DMat4, mirrored: bool) -> Self {
        let sign = if mirrored { -1.0 } else { 1.0 };
        if !mesh.normals.is_empty() {
            return Self::from_file(mesh, sign);
        }
        let triangles = triangles(&mesh.faces);
        let angle = mesh.smooth_angle.unwrap_or(USUAL_ANGLE);
        let mut smooth = by_angle(&mesh.vertices, &triangles, shape, angle);
        smooth.normals.iter_mut().for_each(|n| *n *= sign);
        Self { of_corner: smooth.of_corner, normals: smooth.normals, vertices: 0 }
    }

    /// Normals of vertices on smooth faces, of the face elsewhere.
    fn from_file(mesh: &Mesh, sign: f32) -> Self {
        let mut normals: Vec<Vec3> =
            mesh.normals.iter().map(|n| n.try_normalize().unwrap_or(Vec3::Z)).collect();
        let vertices = normals.len();
        for (i, (_, corners)) in mesh.faces.iter().enumerate() {
            let stated = mesh.faces.normals.get(i).and_then(|n| n.try_normalize());
            let computed = || {
                let [a, b, c] = [0, 1, 2].map(|k| mesh.vertices[corners[k].vertex as usize].as_dvec3());
                (b - a).cross(c - a).try_normalize().map_or(Vec3::Z, |n| n.as_vec3() * sign)
            };
            normals.push(stated.unwrap_or_else(computed));
        }
        Self { of_corner: Vec::new(), normals, vertices }
    }

    /// The number of the normal at a corner of a face. `at` is the corner's index among those of all triangles.
    fn number(&self, face: usize, head: FaceHead, corner: &Corner, at: usize) -> u32 {
        let stated = if head.smooth > 0 { corner.vertex } else { (self.vertices + face) as u32 };
        self.of_corner.get(at).copied().unwrap_or(stated)
    }
}

/// Builds a part for each material that faces use, in the order of their numbers; those without a name come last.
struct Parts<'m> {
    mesh: &'m Mesh,
    normals: Normals,
    influences: &'m Influences,
    /// Whether faces are flipped, because the mesh is mirrored.
    flip: bool,
    parts: Vec<Building>,
    made: Vec<Made>,
    /// The last vertex made from each vertex of the file.
    last: Vec<u32>,
}

/// A vertex of a part, in the list of those made from one vertex of the file.
struct Made {
    part: u32,
    index: u32,
    uv: Vec2,
    normal: u32,
    next: u32,
}

const NONE: u32 = u32::MAX;

impl<'m> Parts<'m> {
    fn new(mesh: &'m Mesh, normals: Normals, influences: &'m Influences, flip: bool) -> Self {
        let last = vec![NONE; mesh.vertices.len()];
        Self { mesh, normals, influences, flip, parts: Vec::new(), made: Vec::new(), last }
    }

    fn build(mut self, materials: &[Option<MaterialId>]) -> Vec<Part> {
        let material = |head: &FaceHead| {
            materials.get(head.material as usize).copied().flatten().map_or(NONE, |_| head.material)
        };
        let mut numbers = BTreeMap::new();
        for head in &self.mesh.faces.heads {
            numbers.entry(material(head)).or_insert(0_u32);
        }
        for (i, (&number, part)) in numbers.iter_mut().enumerate() {
            *part = i as u32;
            let material = materials.get(number as usize).copied().flatten();
            self.parts.push(Building::new(Part { material, uvs: vec![Vec::new()], ..Part::default() }));
        }
        let mut triangle = 0;
        for (face, (head, corners)) in self.mesh.faces.iter().enumerate() {
            let part = numbers.get(&material(&head)).copied().unwrap_or(0);
            let normals = &self.normals;
            // A corner of the face with the number of its normal. `at` is its index among the corners of the face's triangles.
            let numbered = |(corner, at): (usize, usize)| {
                let corner = &corners[corner];
                (corner, normals.number(face, head, corner, 3 * triangle + at))
            };
            if corners.len() == 3 {
                let face = [(0, 0), (1, 1), (2, 2)].map(numbered);
                self.add(part, &face);
                triangle += 1;
                continue;
            }
            // The two triangles are (1, 2, 3) and (0, 1, 3); a hard edge between them keeps them separate.
            let [b, c, d, a, b_again, d_again] =
                [(1, 0), (2, 1), (3, 2), (0, 3), (1, 4), (3, 5)].map(numbered);
            if b.1 != b_again.1 || d.1 != d_again.1 {
                self.add(part, &[b, c, d]);
                self.add(part, &[a, b_again, d_again]);
            } else {
                // Scenes split a quad at its first corner.
                self.add(part, &[b, c, d, a]);
            }
            triangle += 2;
        }
        self.parts.into_iter().map(Building::finish).collect()
    }

    /// Adds a face, given its corners with the numbers of their normals.
    fn add(&mut self, part: u32, corners: &[(&Corner, u32)]) {
        let start = self.parts[part as usize].corners.len();
        for &(corner, normal) in corners {
            let vertex = self.vertex(corner, normal, part);
            self.parts[part as usize].corners.push(vertex);
        }
        let Building { starts, corners, .. } = &mut self.parts[part as usize];
        if self.flip {
            // The first corner stays first, so that the split does not change.
            corners[start + 1..].reverse();
        }
        starts.push(corners.len() as u32);
    }

    /// Returns the part's vertex for a corner: an existing one, or a new one.
    fn vertex(&mut self, corner: &Corner, normal: u32, part: u32) -> u32 {
        let file_vertex = corner.vertex as usize;
        let bits = |uv: Vec2| uv.to_array().map(f32::to_bits);
        let last = &mut self.last[file_vertex];
        let mut next = *last;
        for _ in 0..MOST_SHARED {
            let Some(known) = self.made.get(next as usize) else { break };
            if known.part == part && known.normal == normal && bits(known.uv) == bits(corner.uv) {
                return known.index;
            }
            next = known.next;
        }
        let target = &mut self.parts[part as usize].part;
        let index = target.positions.len() as u32;
        target.positions.push(y_up(self.mesh.vertices[file_vertex]));
        target.normals.push(y_up(self.normals.normals[normal as usize]));
        target.uvs[0].push(Vec2::new(corner.uv.x, 1.0 - corner.uv.y));
        if !self.influences.is_empty() {
            target.influences.push(self.influences.of(file_vertex).iter().copied());
        }
        self.made.push(Made { part, index, uv: corner.uv, normal, next: *last });
        *last = self.made.len() as u32 - 1;
        index
    }
}

/// A part under construction.
struct Building {
    part: Part,
    starts: Vec<u32>,
    corners: Vec<u32>,
}

impl Building {
    fn new(part: Part) -> Self {
        Self { part, starts: vec![0], corners: Vec::new() }
    }

    fn finish(self) -> Part {
        let Building { mut part, starts, corners } = self;
        part.faces = if corners.len() == 3 * (starts.len() - 1) {
            Faces::Triangles(corners)
        } else {
            Faces::Polygons { starts, corners }
        };
        part
    }
}
