//! Mesh objects.

use super::super::codes;
use super::super::document::{Corner, Document, FaceHead, Mesh};
use super::super::normals::{by_angle, triangles};
use super::super::space;
use super::influences::influences;
use super::materials::Materials;
use super::skeleton::Skeleton;
use super::{extras, out_of_range};
use crate::report::{Loss, Report};
use crate::scene::{self, Faces, Influences, Local, MaterialId, MeshId, Node, NodeId, Part, Scene};
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

pub(super) fn import(
    document: &Document,
    mut mesh: Mesh,
    skeleton: &Skeleton,
    posing: Posing,
    materials: &mut Materials,
    scene: &mut Scene,
    report: &mut Report,
) {
    let hangs = skeleton.name.as_ref().is_some_and(|name| *name == mesh.parent && !mesh.parent.is_empty());
    let carrier = match skeleton.bones.get(&mesh.parent_bone) {
        _ if !hangs || skeleton.skin.is_none() => Carrier::Nothing,
        Some(&bone) if !mesh.parent_bone.is_empty() => Carrier::Bone(bone),
        _ if mesh.parent_bone.is_empty() => Carrier::Skin,
        _ => Carrier::Nothing,
    };
    // Version 10 stores world transforms; its converter multiplies them by the armature's nevertheless.
    let in_armature = hangs && (document.version.named_transform() || posing == Posing::Engine);
    let own = space::matrix(&mesh.placement);
    let matrix = if in_armature { skeleton.matrix * own } else { own };
    let name = document.text(&mesh.name);

    let skinned = matches!(carrier, Carrier::Skin);
    let mut vertex_influences = Influences::new();
    if skinned {
        let place = |vertex: usize| matrix.transform_point3(mesh.vertices[vertex].as_dvec3());
        let (found, cut) = influences(&mesh, skeleton, place);
        vertex_influences = found;
        if cut > 0 {
            let message = "vertices are within the envelopes of too many bones; the largest weights are kept";
            let object = format!("mesh {name:?}");
            report.loss(Loss::approximated(&codes::ENVELOPES, object, cut, None, "of the weight", message));
        }
        bake(&mut mesh, &matrix);
        if !mesh.vertices.iter().all(|v| v.is_finite()) {
            out_of_range("a vertex of a skinned mesh", report);
        }
    }
    let shape = if skinned { DMat4::IDENTITY } else { matrix };
    let mirrored = skinned && matrix.determinant() < 0.0;
    let normals = Normals::of(&mesh, &shape, mirrored);
    let builder = Parts { mesh: &mesh, normals, influences: &vertex_influences, flip: mirrored };
    let of_number: Vec<Option<MaterialId>> =
        mesh.materials.iter().map(|m| materials.of(document, m, scene, report)).collect();
    let parts = builder.build(&of_number);
    let mesh_id = MeshId::new(scene.meshes.len());
    scene.meshes.push(scene::Mesh {
        name: name.clone(),
        parts,
        extras: mesh.smooth_angle.map(|angle| extras(json!({ "smooth_angle": angle }))).unwrap_or_default(),
        ..scene::Mesh::default()
    });
    let (parent, local): (Option<NodeId>, Local) = match carrier {
        Carrier::Skin => (None, Local::default()),
        Carrier::Nothing if in_armature => (None, Local::from_matrix(&turned(&matrix))),
        Carrier::Nothing => (None, space::trs(&mesh.placement).into()),
        Carrier::Bone(bone) => {
            let above = space::invert(&skeleton.globals[bone]).unwrap_or(DMat4::IDENTITY);
            (Some(skeleton.nodes[bone]), Local::from_matrix(&(above * turned(&matrix))))
        }
    };
    let numbers = local.to_matrix();
    if !numbers.is_finite() || numbers.to_cols_array().iter().any(|v| !(*v as f32).is_finite()) {
        out_of_range("the position of a mesh", report);
    }
    let skin = if skinned { skeleton.skin } else { None };
    scene.add_node(Node { name, parent, local, mesh: Some(mesh_id), skin, ..Node::default() });
}

/// Converts a matrix from the file's axes to the scene's.
fn turned(matrix: &DMat4) -> DMat4 {
    space::TURN * *matrix * space::TURN.transpose()
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

    /// The number at a corner of a face, for normals from the file.
    fn stated(&self, face: usize, head: FaceHead, corner: &Corner) -> u32 {
        if head.smooth > 0 { corner.vertex } else { (self.vertices + face) as u32 }
    }
}

/// Builds a part for each material that faces use, in the order of their numbers; those without a name come last.
struct Parts<'m> {
    mesh: &'m Mesh,
    normals: Normals,
    influences: &'m Influences,
    /// Whether faces are flipped, because the mesh is mirrored.
    flip: bool,
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

impl Parts<'_> {
    fn build(self, materials: &[Option<MaterialId>]) -> Vec<Part> {
        let material = |head: &FaceHead| {
            materials.get(head.material as usize).copied().flatten().map_or(NONE, |_| head.material)
        };
        let mut numbers = BTreeMap::new();
        for head in &self.mesh.faces.heads {
            numbers.entry(material(head)).or_insert(0_u32);
        }
        let mut building = Vec::with_capacity(numbers.len());
        for (i, (&number, part)) in numbers.iter_mut().enumerate() {
            *part = i as u32;
            let material = materials.get(number as usize).copied().flatten();
            building.push(Building::new(Part { material, uvs: vec![Vec::new()], ..Part::default() }));
        }
        let mut made: Vec<Made> = Vec::new();
        let mut first = vec![NONE; self.mesh.vertices.len()];
        let mut triangle = 0;
        for (face, (head, corners)) in self.mesh.faces.iter().enumerate() {
            let part = numbers.get(&material(&head)).copied().unwrap_or(0);
            let mut vertex = |corner: usize, normal: u32| {
                self.vertex(&corners[corner], normal, part, &mut building, &mut made, &mut first)
            };
            let angle = |corner: usize| self.normals.of_corner.get(triangle * 3 + corner).copied();
            let stated = |corner: usize| self.normals.stated(face, head, &corners[corner]);
            if corners.len() == 3 {
                let face = [0, 1, 2].map(|i| vertex(i, angle(i).unwrap_or_else(|| stated(i))));
                building[part as usize].add(&face, self.flip);
                triangle += 1;
                continue;
            }
            // The two triangles are (1, 2, 3) and (0, 1, 3); a hard edge between them keeps them separate.
            let bent = angle(0) != angle(4) || angle(2) != angle(5);
            let normal = |corner: usize, at: usize| angle(at).unwrap_or_else(|| stated(corner));
            if bent {
                let a = [(1, 0), (2, 1), (3, 2)].map(|(corner, at)| vertex(corner, normal(corner, at)));
                let b = [(0, 3), (1, 4), (3, 5)].map(|(corner, at)| vertex(corner, normal(corner, at)));
                building[part as usize].add(&a, self.flip);
                building[part as usize].add(&b, self.flip);
            } else {
                // Scenes split a quad at its first corner.
                let quad =
                    [(1, 0), (2, 1), (3, 2), (0, 3)].map(|(corner, at)| vertex(corner, normal(corner, at)));
                building[part as usize].add(&quad, self.flip);
            }
            triangle += 2;
        }
        building.into_iter().map(Building::finish).collect()
    }

    /// Returns the part's vertex for a corner: an existing one, or a new one.
    fn vertex(
        &self,
        corner: &Corner,
        normal: u32,
        part: u32,
        parts: &mut [Building],
        made: &mut Vec<Made>,
        first: &mut [u32],
    ) -> u32 {
        let file_vertex = corner.vertex as usize;
        let bits = |uv: Vec2| uv.to_array().map(f32::to_bits);
        let mut next = first[file_vertex];
        for _ in 0..MOST_SHARED {
            let Some(known) = made.get(next as usize) else { break };
            if known.part == part && known.normal == normal && bits(known.uv) == bits(corner.uv) {
                return known.index;
            }
            next = known.next;
        }
        let part_index = part as usize;
        let target = &mut parts[part_index].part;
        let index = target.positions.len() as u32;
        target.positions.push(space::to_scene(self.mesh.vertices[file_vertex]));
        target.normals.push(space::to_scene(self.normals.normals[normal as usize]));
        target.uvs[0].push(Vec2::new(corner.uv.x, 1.0 - corner.uv.y));
        if !self.influences.is_empty() {
            target.influences.push(self.influences.of(file_vertex).iter().copied());
        }
        made.push(Made { part, index, uv: corner.uv, normal, next: first[file_vertex] });
        first[file_vertex] = made.len() as u32 - 1;
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

    fn add(&mut self, face: &[u32], flip: bool) {
        let start = self.corners.len();
        self.corners.extend_from_slice(face);
        if flip {
            // The first corner stays first, so that the split does not change.
            self.corners[start + 1..].reverse();
        }
        self.starts.push(self.corners.len() as u32);
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
