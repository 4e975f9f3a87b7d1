use crate::scene::Influences;
use crate::text::RawText;
use glam::{Vec2, Vec3};

crate::words! {
    /// The variant of PFOBJ that a file follows.
    #[derive(Default)]
    pub enum Dialect(id, by_id) {
        /// As in the published specification: Euler angles, `num_material`.
        #[default]
        Document = "document",
        /// As the engine loads it and its exporter writes it: conjugated quaternions, `num_materials`.
        Engine = "engine",
    }
}

impl Dialect {
    /// Maximum number of weights per vertex.
    pub fn max_weights(self) -> usize {
        match self {
            Dialect::Document => 4,
            Dialect::Engine => 6,
        }
    }

    /// The number of values in a rotation: three angles in degrees, or the four parts of a quaternion.
    pub fn rotation_parts(self) -> usize {
        match self {
            Dialect::Document => 3,
            Dialect::Engine => 4,
        }
    }
}

/// The content of a PFOBJ file, in its own order and dialect.
///
/// ```
/// use ligament::formats::pfobj::Document;
/// let text = "version        1.0\nnum_verts      3\nnum_joints     0\nnum_materials  1\nnum_as         0\n\
///     frame_counts   \nhas_collision  0\n\
///     v 0.000000 0.000000 0.000000\nvt 0.000000 0.000000\nvn 0.000000 0.000000 1.000000\nvw \nvm 0\n\
///     v 1.000000 0.000000 0.000000\nvt 1.000000 0.000000\nvn 0.000000 0.000000 1.000000\nvw \nvm 0\n\
///     v 0.000000 1.000000 0.000000\nvt 0.000000 1.000000\nvn 0.000000 0.000000 1.000000\nvw \nvm 0\n\
///     material Paint\n    ambient 1.000000\n    diffuse 0.800000 0.800000 0.800000\n    \
///     specular 0.000000 0.000000 0.000000\n    texture paint.png\n";
/// let mut report = ligament::Report::default();
/// let document = Document::parse(text.as_bytes(), &Default::default(), &mut report).expect("a valid file");
/// assert_eq!(document.vertex_count(), 3);
///
/// let mut again = Vec::new();
/// document.write_text(&mut again).expect("memory takes everything");
/// assert_eq!(again, text.as_bytes());
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Document {
    /// The name of the model: the file name without folder and extension. It is not stored in the file.
    pub name: String,
    /// The dialect.
    pub dialect: Dialect,
    /// The layout of the file.
    pub layout: Layout,
    /// The value of `version`.
    pub version: RawText,
    /// The `has_collision` line: whether clips and the model have boxes. `None` for the older header of six lines,
    /// whose files have none.
    pub has_collision: Option<bool>,
    /// The vertices; every three form a triangle.
    pub vertices: Vertices,
    /// The materials, at least one.
    pub materials: Vec<Material>,
    /// The joints.
    pub joints: Vec<Joint>,
    /// The animation sets.
    pub clips: Vec<Clip>,
    /// The bounding box of the bind pose. Some exporters write it even after `has_collision 0`.
    pub bounds: Option<Bounds>,
    /// Whether a material refers to [`WHITE_TEXTURE`](super::WHITE_TEXTURE), which is then written beside the model.
    pub needs_white_texture: bool,
}

/// Choices in which files differ and which a rewrite keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// `num_material`, as in the specification's header, rather than `num_materials`.
    pub singular_materials: bool,
    /// Frame lines are indented by eight spaces and their boxes by a tab.
    pub indented_frames: bool,
}

impl Default for Layout {
    fn default() -> Self {
        Self { singular_materials: false, indented_frames: true }
    }
}

/// All vertices, one array per property.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Vertices {
    /// `v`.
    pub positions: Vec<Vec3>,
    /// `vt`; V points up from the bottom-left corner of the image.
    pub uvs: Vec<Vec2>,
    /// `vn`.
    pub normals: Vec<Vec3>,
    /// `vw`: joints (counted from 0) and weights in the file's order. Empty if no vertex has any.
    pub influences: Influences,
    /// `vm`: materials, counted from 0. Empty if all vertices have material 0.
    pub materials: Vec<u32>,
    /// Indices into the arrays above, one per vertex of the file; empty if each is written once, in order. A
    /// scene's shared vertices are only repeated while they are written.
    pub corners: Vec<u32>,
}

impl Vertices {
    /// The number of vertices in the file.
    pub fn len(&self) -> usize {
        if self.corners.is_empty() { self.positions.len() } else { self.corners.len() }
    }

    /// Whether there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Document {
    /// `num_verts`.
    pub fn vertex_count(&self) -> usize {
        self.vertices.len()
    }
}

/// A `material` block.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Material {
    /// Name; may contain spaces.
    pub name: RawText,
    /// Multiplies the ambient light.
    pub ambient: f32,
    /// Diffuse colour.
    pub diffuse: [f32; 3],
    /// Specular colour.
    pub specular: [f32; 3],
    /// Image file, relative to the model's folder.
    pub texture: RawText,
}

/// A `j` line.
#[derive(Debug, Clone, PartialEq)]
pub struct Joint {
    /// The parent, counted from 1; 0 for a root.
    pub parent: u32,
    /// Name; empty if the line has none.
    pub name: RawText,
    /// Maps the joint's space to its parent's, when the mesh was bound.
    pub bind: Transform,
    /// The drawn end of the bone in the joint's space.
    pub tip: Vec3,
}

/// Scale, rotation and translation as stored in the file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Transform {
    /// Factors along the axes.
    pub scale: Vec3,
    /// Rotation.
    pub rotation: Rotation,
    /// Translation.
    pub translation: Vec3,
}

/// A rotation as stored in the file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rotation {
    /// `document`: degrees about X, Y and Z, in the requested [order](super::EulerOrder). f64, because an f32 cannot
    /// hold six decimals of an angle above 16°.
    Angles([f64; 3]),
    /// `engine`: the quaternion `x y z w` of the inverse rotation.
    Quaternion([f32; 4]),
}

/// Transforms in one array per component, which takes less memory than an array of [`Transform`].
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Transforms {
    scales: Vec<Vec3>,
    rotations: Rotations,
    translations: Vec<Vec3>,
}

#[derive(Debug, Clone, PartialEq)]
enum Rotations {
    Angles(Vec<[f64; 3]>),
    Quaternions(Vec<[f32; 4]>),
}

impl Default for Rotations {
    fn default() -> Self {
        Rotations::Angles(Vec::new())
    }
}

impl Transforms {
    /// An empty list with room for `count` transforms. All of them have rotations of one dialect.
    pub fn with_capacity(dialect: Dialect, count: usize) -> Self {
        let rotations = match dialect {
            Dialect::Document => Rotations::Angles(Vec::with_capacity(count)),
            Dialect::Engine => Rotations::Quaternions(Vec::with_capacity(count)),
        };
        Self { scales: Vec::with_capacity(count), rotations, translations: Vec::with_capacity(count) }
    }

    /// The number of transforms.
    pub fn len(&self) -> usize {
        self.scales.len()
    }

    /// Whether there are no transforms.
    pub fn is_empty(&self) -> bool {
        self.scales.is_empty()
    }

    /// The transform at an index below [`len`](Self::len).
    pub fn get(&self, index: usize) -> Transform {
        let rotation = match &self.rotations {
            Rotations::Angles(angles) => Rotation::Angles(angles[index]),
            Rotations::Quaternions(quaternions) => Rotation::Quaternion(quaternions[index]),
        };
        Transform { scale: self.scales[index], rotation, translation: self.translations[index] }
    }

    /// Appends a transform. A rotation of the other dialect is replaced by the identity.
    #[inline(always)]
    pub fn push(&mut self, transform: Transform) {
        self.scales.push(transform.scale);
        match (&mut self.rotations, transform.rotation) {
            (Rotations::Angles(angles), Rotation::Angles(value)) => angles.push(value),
            (Rotations::Quaternions(quaternions), Rotation::Quaternion(value)) => quaternions.push(value),
            (Rotations::Angles(angles), _) => angles.push([0.0; 3]),
            (Rotations::Quaternions(quaternions), _) => quaternions.push([0.0, 0.0, 0.0, 1.0]),
        }
        self.translations.push(transform.translation);
    }

    /// Appends all transforms of `others`. Rotations of the other dialect are replaced by the identity.
    pub(super) fn append(&mut self, others: &Self) {
        self.scales.extend_from_slice(&others.scales);
        match (&mut self.rotations, &others.rotations) {
            (Rotations::Angles(angles), Rotations::Angles(more)) => angles.extend_from_slice(more),
            (Rotations::Quaternions(all), Rotations::Quaternions(more)) => all.extend_from_slice(more),
            (Rotations::Angles(angles), _) => angles.resize(self.scales.len(), [0.0; 3]),
            (Rotations::Quaternions(all), _) => all.resize(self.scales.len(), [0.0, 0.0, 0.0, 1.0]),
        }
        self.translations.extend_from_slice(&others.translations);
    }

    /// Removes all transforms from index `length` on.
    pub fn truncate(&mut self, length: usize) {
        self.scales.truncate(length);
        match &mut self.rotations {
            Rotations::Angles(angles) => angles.truncate(length),
            Rotations::Quaternions(quaternions) => quaternions.truncate(length),
        }
        self.translations.truncate(length);
    }
}

/// An `as` block.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Clip {
    /// Name.
    pub name: RawText,
    /// Number of frames.
    pub frames: u32,
    /// The joints of the first frame, then those of the second, and so on.
    pub transforms: Transforms,
    /// The bounding box of each frame; empty without `has_collision`.
    pub bounds: Vec<Bounds>,
}

/// `x_bounds`, `y_bounds`, `z_bounds`: minimum and maximum along each axis.
pub type Bounds = [[f32; 2]; 3];
