use crate::text::RawText;
use glam::{Quat, Vec2, Vec3, Vec4};
use std::sync::Arc;

/// The default header, for documents without one.
pub const HEADER: &str = "Anton's custom mesh format v.27DEC2014 http://antongerdelan.net/";

/// The identity matrix.
pub(super) const IDENTITY: [f32; 16] =
    [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];

crate::words! {
    /// Text or binary.
    #[derive(Default)]
    pub enum Dialect(id, by_id) {
        /// Lines, as the published document describes them.
        #[default]
        Text = "text",
        /// The sections of the original converter's `-bin`, with correct key times.
        Binary = "binary",
    }
}

/// The content of an APG file. Numbers are as stored: vertex values may be NaN, matrices may be transposed,
/// quaternions need not be of unit length.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// The model's name, taken from the file name.
    pub name: String,
    /// Text or binary.
    pub dialect: Dialect,
    /// The first line without its `@`; empty if there is none.
    pub header: RawText,
    /// Per-vertex values.
    pub vertices: Vertices,
    /// The number of bones that vertices can refer to.
    pub bones: u32,
    /// Applied last, after the whole hierarchy. Column by column.
    pub root_transform: Option<[f32; 16]>,
    /// For each bone, maps the mesh's space to the bone's; empty if the file has none. Column by column.
    pub offsets: Vec<[f32; 16]>,
    /// The hierarchy; a node's number is its index.
    pub nodes: Vec<Node>,
    /// Clips.
    pub animations: Vec<Animation>,
    /// Distance of the farthest vertex from the origin, as given in the file.
    pub bounding_radius: Option<f32>,
    /// Lines of unknown tags, and the lines below them.
    pub unknown: Vec<RawText>,
}

impl Default for Document {
    fn default() -> Self {
        Self {
            name: String::new(),
            dialect: Dialect::default(),
            header: HEADER.into(),
            vertices: Vertices::default(),
            bones: 0,
            root_transform: None,
            offsets: Vec::new(),
            nodes: Vec::new(),
            animations: Vec::new(),
            bounding_radius: None,
            unknown: Vec::new(),
        }
    }
}

impl Document {
    /// Whether the file comes from the Blender script, which writes Blender's axes with Z up.
    pub fn is_z_up(&self) -> bool {
        let header = self.header.as_bytes();
        memchr::memmem::find(header, b"Blender").is_some()
    }
}

/// Vertex values. Every three vertices (or corners) form a triangle. An array that the file does not have is empty; the
/// others are as long as `positions`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Vertices {
    /// Points.
    pub positions: Vec<Vec3>,
    /// Normals.
    pub normals: Vec<Vec3>,
    /// Texture coordinates, V up.
    pub uvs: Vec<Vec2>,
    /// Tangents.
    pub tangents: Vec<Vec4>,
    /// Whether the file has only three numbers per tangent; the fourth is then 1.
    pub short_tangents: bool,
    /// Colours, from the first Blender scripts.
    pub colors: Vec<Vec3>,
    /// The number of bones per vertex.
    pub bones_per_vertex: usize,
    /// `bones_per_vertex` bones for each vertex; -1 means none.
    pub bones: Vec<i32>,
    /// A weight for each entry of `bones`, or empty.
    pub weights: Vec<f32>,
    /// The vertex of each corner, if corners share vertices; empty if each vertex is its own corner, as in every
    /// file that was read. The file repeats shared vertices.
    pub corners: Vec<u32>,
}

impl Vertices {
    /// The number of vertices in the file.
    pub fn count(&self) -> usize {
        if self.corners.is_empty() { self.positions.len() } else { self.corners.len() }
    }

    /// The index of each vertex in the file.
    pub(super) fn listed(&self) -> impl Iterator<Item = usize> + '_ {
        let own = if self.corners.is_empty() { self.positions.len() } else { 0 };
        self.corners.iter().map(|&c| c as usize).chain(0..own)
    }
}

/// A node of the hierarchy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node {
    /// The parent's number, or -1.
    pub parent: i32,
    /// The bone that the node moves, or -1.
    pub bone: i32,
}

/// A clip.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Animation {
    /// Name; the original converter always writes `TODO`.
    pub name: RawText,
    /// Seconds.
    pub duration: f32,
    /// The keys of nodes.
    pub channels: Vec<Channel>,
}

/// The keys of one property of a node.
#[derive(Debug, Clone, PartialEq)]
pub struct Channel {
    /// The node's number.
    pub node: u32,
    /// The time of each key in seconds. Shared, because all channels of a sampled clip have the same times.
    pub times: Arc<[f32]>,
    /// The value at each key.
    pub values: Values,
}

/// The values of a channel.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// `@tra_keys`.
    Translation(Vec<Vec3>),
    /// `@sca_keys`.
    Scale(Vec<Vec3>),
    /// `@rot_keys`.
    Rotation(Vec<Quat>),
}

crate::words! {
    /// The property that a channel animates.
    pub enum Kind(name) {
        /// Translation.
        Translation = "translation",
        /// Scale.
        Scale = "scale",
        /// Rotation.
        Rotation = "rotation",
    }
}

impl Kind {
    /// The tag of the block.
    pub(super) fn tag(self) -> &'static str {
        match self {
            Kind::Translation => "@tra_keys",
            Kind::Scale => "@sca_keys",
            Kind::Rotation => "@rot_keys",
        }
    }

    /// The keyword in a key's line.
    pub(super) fn word(self) -> &'static str {
        match self {
            Kind::Translation => "TRA",
            Kind::Scale => "SCA",
            Kind::Rotation => "ROT",
        }
    }

    /// The number of values per key, without its time.
    pub(super) fn comps(self) -> usize {
        if self == Kind::Rotation { 4 } else { 3 }
    }
}

impl Values {
    /// An empty list with room for `count` values.
    pub(super) fn with_capacity(kind: Kind, count: usize) -> Self {
        match kind {
            Kind::Translation => Values::Translation(Vec::with_capacity(count)),
            Kind::Scale => Values::Scale(Vec::with_capacity(count)),
            Kind::Rotation => Values::Rotation(Vec::with_capacity(count)),
        }
    }

    /// The property.
    pub fn kind(&self) -> Kind {
        match self {
            Values::Translation(_) => Kind::Translation,
            Values::Scale(_) => Kind::Scale,
            Values::Rotation(_) => Kind::Rotation,
        }
    }
}
