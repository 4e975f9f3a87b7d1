use super::{Extras, Influences, MaterialId};
use glam::{Vec2, Vec3, Vec4};

/// A drawable object made of parts. A node places it in the scene.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mesh {
    /// Name; empty if the format has none.
    pub name: String,
    /// The parts, one material each. Two parts may share a material.
    pub parts: Vec<Part>,
    /// Morph targets; every part holds deltas for each of them.
    pub morphs: Vec<Morph>,
    /// Key-value data.
    pub extras: Extras,
}

impl Mesh {
    /// The number of vertices of all parts.
    pub fn vertex_count(&self) -> usize {
        self.parts.iter().map(|p| p.positions.len()).sum()
    }
}

/// A morph target of a mesh.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Morph {
    /// Name; empty if the format has none.
    pub name: String,
    /// Weight at rest.
    pub weight: f32,
}

/// Vertices and faces of one material. Every non-empty vertex array is as long as `positions`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Part {
    /// The material; `None` means the format's default appearance.
    pub material: Option<MaterialId>,
    /// Vertex positions.
    pub positions: Vec<Vec3>,
    /// Unit normals; may be empty.
    pub normals: Vec<Vec3>,
    /// Unit tangents with the bitangent's sign in `w`; may be empty.
    pub tangents: Vec<Vec4>,
    /// Texture coordinate sets, V down.
    pub uvs: Vec<Vec<Vec2>>,
    /// Linear RGBA colour sets.
    pub colors: Vec<Vec<Vec4>>,
    /// Joints and weights per vertex; empty for an unskinned part. Joint indices refer to the joints of the skin on the
    /// node that draws the mesh.
    pub influences: Influences,
    /// Faces, as indices of vertices.
    pub faces: Faces,
    /// For each of the mesh's morph targets, the change at weight one.
    pub morphs: Vec<MorphDeltas>,
    /// Key-value data.
    pub extras: Extras,
}

/// The changes that a morph target makes to each vertex of a part; an empty array changes nothing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MorphDeltas {
    /// Added to positions.
    pub positions: Vec<Vec3>,
    /// Added to normals.
    pub normals: Vec<Vec3>,
    /// Added to the xyz of tangents.
    pub tangents: Vec<Vec3>,
}

/// How a part's vertices are connected.
#[derive(Debug, Clone, PartialEq)]
pub enum Faces {
    /// Single points.
    Points(Vec<u32>),
    /// Pairs of vertices.
    Lines(Vec<u32>),
    /// Triples of vertices, counter-clockwise from the front.
    Triangles(Vec<u32>),
    /// Faces of three or more corners: face `i` owns `corners[starts[i]..starts[i + 1]]`, so `starts` has one entry
    /// more than there are faces.
    Polygons {
        /// Where each face starts in `corners`, followed by the end.
        starts: Vec<u32>,
        /// Vertices of all faces, face by face.
        corners: Vec<u32>,
    },
}

impl Default for Faces {
    fn default() -> Self {
        Faces::Triangles(Vec::new())
    }
}

impl Faces {
    /// The vertex indices of any topology.
    pub fn corners(&self) -> &[u32] {
        match self {
            Faces::Points(c) | Faces::Lines(c) | Faces::Triangles(c) => c,
            Faces::Polygons { corners, .. } => corners,
        }
    }

    /// The number of points, lines, triangles or polygons.
    pub fn count(&self) -> usize {
        match self {
            Faces::Points(c) => c.len(),
            Faces::Lines(c) => c.len() / 2,
            Faces::Triangles(c) => c.len() / 3,
            Faces::Polygons { starts, .. } => starts.len().saturating_sub(1),
        }
    }
}
