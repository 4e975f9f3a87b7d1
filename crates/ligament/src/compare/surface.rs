//! All drawn vertices and faces of a scene, and their positions in a pose.

use super::Model;
use crate::pose::{Deformer, Pose, PosedPart};
use crate::scene::{Faces, Mesh, NodeId, Part, Scene};
use glam::Vec3;

/// Every placement of every mesh, with consecutive vertex numbers.
pub(super) struct Surface<'a> {
    pub(super) model: Model<'a>,
    pub(super) scene: &'a Scene,
    /// All parts of all placements, in the order of the nodes.
    pub(super) placed: Vec<Placed<'a>>,
    /// All faces, part by part.
    pub(super) faces: Vec<Face>,
    /// The vertices at the corners of all faces. They run counter-clockwise as seen from the front, so those of mirrored
    /// placements are reversed.
    pub(super) corners: Vec<u32>,
    pub(super) vertex_count: usize,
    /// Placements that are compared; the rest exceed the limit.
    pub(super) placements: usize,
    /// The vertices of placements that are left out.
    pub(super) left_out: usize,
}

/// One part of one placement.
pub(super) struct Placed<'a> {
    pub(super) node: NodeId,
    pub(super) part: &'a Part,
    /// Number of its first vertex.
    pub(super) start: usize,
    /// Number of the first vertex of the whole placement.
    mesh_start: usize,
}

#[derive(Clone, Copy)]
pub(super) struct Face {
    /// The number of its part in [`Surface::placed`].
    pub(super) placed: u32,
    start: u32,
    end: u32,
}

impl Face {
    /// How many triangles it can be cut into.
    pub(super) fn triangles(&self) -> u32 {
        self.end - self.start - 2
    }
}

impl<'a> Surface<'a> {
    /// All placements up to the one that would bring more vertices or corners than `most`, which at most fit into 32
    /// bits: a small file can place one mesh a million times.
    pub(super) fn new(model: Model<'a>, most: usize) -> Self {
        let most = most.min(u32::MAX as usize / 2);
        Self::until(model, |surface, mesh| {
            let corners: usize = mesh.parts.iter().map(|p| p.faces.corners().len()).sum();
            surface.vertex_count + mesh.vertex_count() > most || surface.corners.len() + corners > most
        })
    }

    /// The placements up to the first that has faces.
    pub(super) fn first_faces(model: Model<'a>) -> Self {
        Self::until(model, |surface, _| !surface.corners.is_empty())
    }

    /// The placements before the first for which `ends` says so.
    fn until(model: Model<'a>, ends: impl Fn(&Self, &Mesh) -> bool) -> Self {
        let scene = model.scene;
        let (faces, corners) = (Vec::new(), Vec::new());
        let mut surface = Self {
            model,
            scene,
            placed: vec![],
            faces,
            corners,
            vertex_count: 0,
            placements: 0,
            left_out: 0,
        };
        let rest = Pose::rest(scene);
        for (node, mesh) in placements(scene) {
            if surface.left_out > 0 || ends(&surface, mesh) {
                surface.left_out = surface.left_out.saturating_add(mesh.vertex_count().max(1));
                continue;
            }
            surface.placements += 1;
            let mesh_start = surface.vertex_count;
            let is_mirrored = rest.mirrors(scene, node);
            for part in &mesh.parts {
                surface.add(node, part, mesh_start, is_mirrored);
            }
        }
        surface
    }

    fn add(&mut self, node: NodeId, part: &'a Part, mesh_start: usize, is_mirrored: bool) {
        let (start, placed) = (self.vertex_count, self.placed.len() as u32);
        let vertices = part.positions.len();
        for_each_face(&part.faces, |face| {
            let [first, rest @ ..] = face else { return };
            if rest.len() < 2 || face.iter().any(|&v| v as usize >= vertices) {
                return;
            }
            let from = self.corners.len() as u32;
            let vertex = |v: &u32| start as u32 + v;
            self.corners.push(vertex(first));
            if is_mirrored {
                self.corners.extend(rest.iter().rev().map(vertex));
            } else {
                self.corners.extend(rest.iter().map(vertex));
            }
            self.faces.push(Face { placed, start: from, end: self.corners.len() as u32 });
        });
        self.placed.push(Placed { node, part, start, mesh_start });
        self.vertex_count += vertices;
    }

    /// The vertices at the corners of a face.
    pub(super) fn corners_of(&self, face: &Face) -> &[u32] {
        &self.corners[face.start as usize..face.end as usize]
    }

    /// The part that a vertex belongs to, and the vertex's index in it.
    pub(super) fn locate(&self, vertex: u32) -> (&Placed<'a>, usize) {
        let placed = &self.placed[self.part_of(vertex)];
        (placed, vertex as usize - placed.start)
    }

    /// The number of the part that a vertex belongs to, in [`Surface::placed`].
    pub(super) fn part_of(&self, vertex: u32) -> usize {
        // Parts without vertices share their start with the next part; the last part that starts here has the vertex.
        self.placed.partition_point(|p| p.start <= vertex as usize).saturating_sub(1)
    }

    /// The same, quickly if it is the part `near`.
    pub(super) fn part_near(&self, near: usize, vertex: u32) -> usize {
        let ends = |part: &Placed| part.start + part.part.positions.len();
        let is_in = |part: &Placed| (part.start..ends(part)).contains(&(vertex as usize));
        if self.placed.get(near).is_some_and(is_in) { near } else { self.part_of(vertex) }
    }

    /// Whether two vertices of the scene that are together in one pose are together in every pose.
    pub(super) fn moves_alike(&self, a: u32, b: u32) -> bool {
        let ((own, i), (other, j)) = (self.locate(a), self.locate(b));
        let pulls = |placed: &Placed<'a>, local: usize| {
            (local < placed.part.influences.len()).then(|| placed.part.influences.of(local))
        };
        let is_skinned = self.scene.nodes[own.node.index()].skin.is_some();
        let morphs = || own.part.morphs.iter().zip(&other.part.morphs);
        own.node == other.node
            && (!is_skinned || pulls(own, i) == pulls(other, j))
            && morphs().all(|(a, b)| a.positions.get(i) == b.positions.get(j))
    }

    /// Computes the positions of all vertices in a pose.
    pub(super) fn pose(&self, pose: &Pose, buffers: &mut Buffers, positions: &mut Vec<Vec3>) {
        self.pose_some(pose, |_| true, buffers, positions);
    }

    /// The same for the meshes of some nodes; the positions of other vertices have no meaning.
    pub(super) fn pose_some(
        &self,
        pose: &Pose,
        wanted: impl Fn(NodeId) -> bool,
        buffers: &mut Buffers,
        positions: &mut Vec<Vec3>,
    ) {
        positions.clear();
        positions.reserve(self.vertex_count);
        for (node, mesh) in placements(self.scene).take(self.placements) {
            if !wanted(node) {
                positions.resize(positions.len() + mesh.vertex_count(), Vec3::ZERO);
                continue;
            }
            buffers.deformer.deform(self.scene, pose, node, &mut buffers.parts);
            if let Some(skin) = self.model.own.and_then(|own| own.dual_skin(node)) {
                skin.deform(self.scene, pose, &mut buffers.parts);
            }
            buffers.parts.iter().for_each(|part| positions.extend_from_slice(&part.positions));
        }
    }

    /// The name of the mesh that a vertex belongs to, and the vertex's index in it.
    pub(super) fn mesh_vertex(&self, vertex: u32) -> (String, usize) {
        let (placed, _) = self.locate(vertex);
        let mesh = self.scene.nodes[placed.node.index()].mesh.map_or(0, |m| m.index());
        let name = self.scene.meshes.get(mesh).map_or("", |m| &m.name);
        let name = if name.is_empty() { format!("mesh{mesh}") } else { name.to_owned() };
        (name, vertex as usize - placed.mesh_start)
    }

    /// The joint with the largest weight on a vertex.
    pub(super) fn main_joint(&self, vertex: u32) -> Option<NodeId> {
        let joints = self.joints(vertex);
        let largest = joints.iter().copied().reduce(|a, b| if b.1 > a.1 { b } else { a });
        largest.map(|(joint, _)| joint)
    }

    /// The joints of one vertex, each with its share of the weight.
    pub(super) fn joints(&self, vertex: u32) -> Vec<(NodeId, f32)> {
        let (placed, local) = self.locate(vertex);
        let skin = self.scene.nodes[placed.node.index()].skin;
        let Some(skin) = skin.and_then(|skin| self.scene.skins.get(skin.index())) else { return vec![] };
        if local >= placed.part.influences.len() {
            return vec![];
        }
        let pairs = placed.part.influences.of(local);
        let total: f32 = pairs.iter().map(|p| p.weight).sum();
        let share = |weight: f32| if total == 0.0 { 0.0 } else { weight / total };
        let joint =
            |number: u32| skin.joints.get(number as usize).filter(|j| j.index() < self.scene.nodes.len());
        pairs.iter().filter_map(|p| Some((*joint(p.joint)?, share(p.weight)))).collect()
    }
}

/// Buffers that are reused from pose to pose.
pub(super) struct Buffers {
    deformer: Deformer,
    parts: Vec<PosedPart>,
}

impl Default for Buffers {
    fn default() -> Self {
        Self { deformer: Deformer::positions_only(), parts: Vec::new() }
    }
}

/// The nodes that draw a mesh, and their meshes.
pub(super) fn placements(scene: &Scene) -> impl Iterator<Item = (NodeId, &Mesh)> {
    let mesh = |node: NodeId| scene.meshes.get(scene.nodes[node.index()].mesh?.index());
    scene.node_ids().filter_map(move |node| Some((node, mesh(node)?)))
}

/// Calls `each` with the corners of every triangle or polygon.
fn for_each_face(faces: &Faces, mut each: impl FnMut(&[u32])) {
    match faces {
        Faces::Points(_) | Faces::Lines(_) => {}
        Faces::Triangles(corners) => {
            corners.as_chunks::<3>().0.iter().for_each(|triangle| each(triangle));
        }
        Faces::Polygons { starts, corners } => {
            for ends in starts.windows(2) {
                each(corners.get(ends[0] as usize..ends[1] as usize).unwrap_or_default());
            }
        }
    }
}

/// The vertices of all placements that are corners of faces.
pub(super) fn drawn_vertices(scene: &Scene) -> usize {
    let drawn = |part: &Part| {
        let mut is_drawn = vec![false; part.positions.len()];
        for_each_face(&part.faces, |face| {
            if face.len() > 2 && face.iter().all(|&v| (v as usize) < is_drawn.len()) {
                face.iter().for_each(|&v| is_drawn[v as usize] = true);
            }
        });
        is_drawn.into_iter().filter(|&is| is).count()
    };
    let of_meshes: Vec<usize> = scene.meshes.iter().map(|mesh| mesh.parts.iter().map(drawn).sum()).collect();
    let placed = scene.nodes.iter().filter_map(|node| of_meshes.get(node.mesh?.index()));
    placed.fold(0, |sum: usize, of| sum.saturating_add(*of))
}

/// How many triangles the faces can be cut into.
pub(super) fn triangle_count(faces: &Faces) -> usize {
    let mut triangles = 0;
    for_each_face(faces, |face| triangles += face.len().saturating_sub(2));
    triangles
}
