use super::version::Version;
use crate::text::{RawText, from_cp1250};
use glam::{Vec2, Vec3};

/// The content of a QMSH TMP file: values are the file's, in its axes and units; names are its bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// The model's name, taken from the file name.
    pub name: String,
    /// The version after `QMSH TMP`.
    pub version: Version,
    /// Whether the file begins with a UTF-8 byte order mark. Names are then UTF-8, otherwise Windows-1250.
    pub byte_order_mark: bool,
    /// Meshes, the armature and other objects, in file order.
    pub objects: Vec<Object>,
    /// Animations.
    pub actions: Vec<Action>,
    /// Parameters in file order; if several have one name, the last is used.
    pub params: Vec<Param>,
}

impl Document {
    /// Decodes a name.
    pub fn text(&self, name: &RawText) -> String {
        if self.byte_order_mark { name.to_text() } else { from_cp1250(name.as_bytes()) }
    }

    /// The armature, if there is one.
    pub fn armature(&self) -> Option<&Armature> {
        self.objects.iter().find_map(|o| match o {
            Object::Armature(armature) => Some(armature),
            _ => None,
        })
    }

    /// The value of a parameter.
    pub fn param(&self, kind: ParamKind) -> Option<i32> {
        self.params.iter().rev().find(|p| p.kind == kind).map(|p| p.value)
    }
}

/// An object of the scene.
#[derive(Debug, Clone, PartialEq)]
pub enum Object {
    /// A mesh.
    Mesh(Mesh),
    /// The armature; there is at most one.
    Armature(Armature),
    /// An attachment point (from version 12).
    Empty(Empty),
    /// A camera (from version 13).
    Camera(Camera),
}

/// An object's transform: `Scale · Rx · Ry · Rz · T` on row vectors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placement {
    /// Translation.
    pub position: Vec3,
    /// Euler angles in radians.
    pub rotation: Vec3,
    /// Scale.
    pub scale: Vec3,
}

impl Placement {
    /// At the origin.
    pub const IDENTITY: Self = Self { position: Vec3::ZERO, rotation: Vec3::ZERO, scale: Vec3::ONE };
}

/// A mesh object.
#[derive(Debug, Clone, PartialEq)]
pub struct Mesh {
    /// The object's name.
    pub name: RawText,
    /// Transform.
    pub placement: Placement,
    /// The armature it is attached to, or empty.
    pub parent: RawText,
    /// The bone that carries the whole mesh, or empty.
    pub parent_bone: RawText,
    /// Faces that meet at more than this many degrees have a hard edge between them. Not in every version. It is an
    /// f64, because its six decimals are more than an f32 can hold.
    pub smooth_angle: Option<f64>,
    /// Materials; faces refer to them from 0.
    pub materials: Vec<Material>,
    /// Positions.
    pub vertices: Vec<Vec3>,
    /// A normal for each vertex, from version 17; otherwise empty.
    pub normals: Vec<Vec3>,
    /// Faces.
    pub faces: Faces,
    /// Vertex groups.
    pub groups: Vec<Group>,
}

/// A material.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Material {
    /// Its name.
    pub name: RawText,
    /// The image file (versions 12 to 15).
    pub image: Option<RawText>,
    /// Colour and intensity (from version 18).
    pub diffuse: Option<([f32; 3], f32)>,
    /// Colour, intensity and hardness (from version 18).
    pub specular: Option<([f32; 3], f32, i32)>,
    /// Textures (from version 16).
    pub textures: Vec<Texture>,
}

/// A texture of a material, and its uses.
#[derive(Debug, Clone, PartialEq)]
pub struct Texture {
    /// The image file.
    pub file: RawText,
    /// The affected properties, and the strengths.
    pub uses: Vec<(TextureUse, f32)>,
}

crate::words! {
    /// The property that a texture affects.
    pub enum TextureUse(word) {
        /// The surface's colour.
        Diffuse = "diffuse",
        /// The strength of highlights.
        Specular = "specular",
        /// The colour of highlights.
        SpecularColor = "specular_color",
        /// The normal.
        Normal = "normal",
    }
}

/// Faces of three or four corners.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Faces {
    /// One entry per face.
    pub heads: Vec<FaceHead>,
    /// The corners of all faces, one after another.
    pub corners: Vec<Corner>,
    /// A normal for each face, from version 12; otherwise empty.
    pub normals: Vec<Vec3>,
}

/// The properties of a face besides its corners.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FaceHead {
    /// The material's number, which may be past the end of the list.
    pub material: u32,
    /// More than 0 is smooth.
    pub smooth: u32,
    /// 3 or 4.
    pub corners: u8,
}

/// A corner of a face.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Corner {
    /// The vertex.
    pub vertex: u32,
    /// Texture coordinates, V up.
    pub uv: Vec2,
}

impl Faces {
    /// Iterates over all faces with their corners.
    pub fn iter(&self) -> impl Iterator<Item = (FaceHead, &[Corner])> {
        let mut rest = &self.corners[..];
        self.heads.iter().map(move |&head| {
            let (corners, after) = rest.split_at(usize::from(head.corners).min(rest.len()));
            rest = after;
            (head, corners)
        })
    }
}

/// A named set of weighted vertices.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// The name of the bone that it belongs to, or any other.
    pub name: RawText,
    /// Vertices and their weights.
    pub weights: Vec<(u32, f32)>,
}

/// The armature object.
#[derive(Debug, Clone, PartialEq)]
pub struct Armature {
    /// The object's name.
    pub name: RawText,
    /// Transform.
    pub placement: Placement,
    /// Whether vertex groups are used (more than 0). Always from version 17 on.
    pub use_groups: u32,
    /// Whether envelopes are used (more than 0). Never from version 17 on.
    pub use_envelopes: u32,
    /// Groups of bones (version 21): name and parent.
    pub groups: Vec<(RawText, RawText)>,
    /// Bones in file order; a parent may come after its child.
    pub bones: Vec<Bone>,
}

/// A bone at rest.
#[derive(Debug, Clone, PartialEq)]
pub struct Bone {
    /// Its name.
    pub name: RawText,
    /// Its parent's name; empty for a root.
    pub parent: RawText,
    /// Its group's name (version 21).
    pub group: RawText,
    /// The near end.
    pub head: BoneEnd,
    /// The far end.
    pub tail: BoneEnd,
    /// Roll in degrees: to the parent, and in the armature's space.
    pub rolls: [f64; 2],
    /// Length.
    pub length: f32,
    /// Weight of its envelope.
    pub weight: f32,
    /// Whether it starts at its parent's tail (version 21).
    pub connected: u32,
    /// Rotation to the parent, row by row, for row vectors.
    pub to_parent: [[f32; 3]; 3],
    /// Transform to the armature's space, row by row, for row vectors.
    pub to_armature: [[f32; 4]; 4],
}

/// An end of a bone.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct BoneEnd {
    /// In the parent's axes, from the parent's tail.
    pub in_parent: Vec3,
    /// In the armature's space.
    pub in_armature: Vec3,
    /// Radius of the envelope here.
    pub radius: f32,
}

/// An attachment point.
#[derive(Debug, Clone, PartialEq)]
pub struct Empty {
    /// The object's name.
    pub name: RawText,
    /// The bone that carries it; empty or `NULL` for none.
    pub bone: RawText,
    /// Its display type: `CUBE`, `SPHERE`, `PLAIN_AXES`...
    pub kind: RawText,
    /// Size.
    pub size: Vec3,
    /// Scale (from version 14).
    pub scale: f32,
    /// Transform, row by row, for row vectors.
    pub matrix: [[f32; 4]; 4],
    /// Euler angles (from version 19).
    pub rotation: Vec3,
}

/// A camera.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// Position.
    pub position: Vec3,
    /// The point it looks at.
    pub target: Vec3,
    /// Up direction (from version 15).
    pub up: Vec3,
}

/// An animation.
#[derive(Debug, Clone, PartialEq)]
pub struct Action {
    /// Its name.
    pub name: RawText,
    /// The animated bones.
    pub channels: Vec<Channel>,
}

/// The curves of one bone.
#[derive(Debug, Clone, PartialEq)]
pub struct Channel {
    /// The name of a bone, or of something that is not in the file.
    pub name: RawText,
    /// Curves.
    pub curves: Vec<Curve>,
}

/// One number over time.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// `LocX`, `QuatW`, `ScaleZ`, `SizeZ`...
    pub name: RawText,
    /// Interpolation between keys.
    pub interpolation: Interpolation,
    /// Extension before the first key and after the last.
    pub extend: Extend,
    /// Frame and value of each key, in the file's order.
    pub keys: Vec<[f32; 2]>,
}

crate::words! {
    /// The interpolation of a curve between keys.
    pub enum Interpolation(word) {
        /// Holds each key until the next.
        Const = "CONST",
        /// Like `Const`, as later exporters spell it.
        Constant = "CONSTANT",
        /// Linear.
        Linear = "LINEAR",
        /// Curved by handles, which the file does not contain.
        Bezier = "BEZIER",
    }
}

impl Interpolation {
    /// Whether keys are held.
    pub fn holds(self) -> bool {
        matches!(self, Interpolation::Const | Interpolation::Constant)
    }
}

crate::words! {
    /// The extension of a curve before its first key and after its last.
    pub enum Extend(word) {
        /// Holds the first or last value.
        Const = "CONST",
        /// Continues in a straight line.
        Extrap = "EXTRAP",
        /// Repeats.
        Cyclic = "CYCLIC",
        /// Repeats, each time raised by the difference between last and first key.
        CyclicExtrap = "CYCLIC_EXTRAP",
    }
}

/// A parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Param {
    /// Which parameter it is.
    pub kind: ParamKind,
    /// Its value.
    pub value: i32,
}

crate::words! {
    /// The kinds of parameters.
    pub enum ParamKind(word) {
        /// Frames per second.
        Fps = "fps",
        /// The skeleton is in another file (from version 12).
        Static = "static",
        /// Tangents are requested (from version 17).
        Tangents = "tangents",
        /// The mesh is split into pieces (from version 18).
        Split = "split",
    }
}
