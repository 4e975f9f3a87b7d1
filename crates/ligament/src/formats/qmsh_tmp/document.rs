use super::version::Version;
use crate::text::{RawText, from_cp1250};
use glam::{Vec2, Vec3};

/// A QMSH TMP file, exactly as it says it: values are the file's, in its axes and units, names are its bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// The model's name: the file's.
    pub name: String,
    /// The version after `QMSH TMP`.
    pub version: Version,
    /// Whether the file begins with a UTF-8 byte order mark. Names are UTF-8 then, else Windows-1250.
    pub byte_order_mark: bool,
    /// Meshes, the armature and what else there is, in the file's order.
    pub objects: Vec<Object>,
    /// Animations.
    pub actions: Vec<Action>,
    /// Parameters, in the file's order; of several with one name the last counts.
    pub params: Vec<Param>,
}

impl Document {
    /// A name as text.
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

/// Something in the scene.
#[derive(Debug, Clone, PartialEq)]
pub enum Object {
    /// A mesh.
    Mesh(Mesh),
    /// The armature; there is at most one.
    Armature(Armature),
    /// A point of interest (from version 12).
    Empty(Empty),
    /// A camera (from version 13).
    Camera(Camera),
}

/// Where an object is: `Scale · Rx · Ry · Rz · T` on row vectors.
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
    /// Where it is.
    pub placement: Placement,
    /// The armature it hangs on, or empty.
    pub parent: RawText,
    /// The one bone that carries all of it, or empty.
    pub parent_bone: RawText,
    /// Faces that meet at more than so many degrees have a hard edge between them. Not in every version. Degrees are
    /// f64, because six decimals of them are more than a f32 holds.
    pub smooth_angle: Option<f64>,
    /// Materials, which faces count from 0.
    pub materials: Vec<Material>,
    /// Positions.
    pub vertices: Vec<Vec3>,
    /// A normal for each vertex, from version 17; else empty.
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

/// A texture of a material and what it changes.
#[derive(Debug, Clone, PartialEq)]
pub struct Texture {
    /// The image file.
    pub file: RawText,
    /// What it changes, and by how much.
    pub uses: Vec<(TextureUse, f32)>,
}

/// What a texture changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextureUse {
    /// The surface's colour.
    Diffuse,
    /// The strength of highlights.
    Specular,
    /// The colour of highlights.
    SpecularColor,
    /// The normal.
    Normal,
}

impl TextureUse {
    /// All of them, with their words.
    pub const ALL: [(TextureUse, &'static str); 4] = [
        (TextureUse::Diffuse, "diffuse"),
        (TextureUse::Specular, "specular"),
        (TextureUse::SpecularColor, "specular_color"),
        (TextureUse::Normal, "normal"),
    ];
}

/// Faces of three or four corners.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Faces {
    /// One for each face.
    pub heads: Vec<FaceHead>,
    /// The corners of all faces, one after the other.
    pub corners: Vec<Corner>,
    /// A normal for each face, from version 12; else empty.
    pub normals: Vec<Vec3>,
}

/// What a face says besides its corners.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FaceHead {
    /// The material's number, which may be past the list.
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
    /// Every face with its corners.
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
    /// Where it is.
    pub placement: Placement,
    /// Whether vertex groups count (more than 0). Always from version 17 on.
    pub use_groups: u32,
    /// Whether envelopes count (more than 0). Never from version 17 on.
    pub use_envelopes: u32,
    /// Groups of bones (version 21): name and parent.
    pub groups: Vec<(RawText, RawText)>,
    /// Bones in the file's order; a parent may come after its child.
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
    /// To the armature's space, row by row, for row vectors.
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

/// A point of interest.
#[derive(Debug, Clone, PartialEq)]
pub struct Empty {
    /// The object's name.
    pub name: RawText,
    /// The bone that carries it; empty or `NULL` for none.
    pub bone: RawText,
    /// How it is drawn: `CUBE`, `SPHERE`, `PLAIN_AXES`...
    pub kind: RawText,
    /// Size.
    pub size: Vec3,
    /// Scale (from version 14).
    pub scale: f32,
    /// Where it is, row by row, for row vectors.
    pub matrix: [[f32; 4]; 4],
    /// Euler angles (from version 19).
    pub rotation: Vec3,
}

/// A camera.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// Where it is.
    pub position: Vec3,
    /// What it looks at.
    pub target: Vec3,
    /// Which way is up (from version 15).
    pub up: Vec3,
}

/// An animation.
#[derive(Debug, Clone, PartialEq)]
pub struct Action {
    /// Its name.
    pub name: RawText,
    /// What it moves.
    pub channels: Vec<Channel>,
}

/// The curves of one bone.
#[derive(Debug, Clone, PartialEq)]
pub struct Channel {
    /// The bone's name, or that of nothing.
    pub name: RawText,
    /// Curves.
    pub curves: Vec<Curve>,
}

/// One number over time.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// `LocX`, `QuatW`, `ScaleZ`, `SizeZ`...
    pub name: RawText,
    /// How it goes from key to key.
    pub interpolation: Interpolation,
    /// How it goes on before the first key and after the last.
    pub extend: Extend,
    /// Frame and value of each key, in the file's order.
    pub keys: Vec<[f32; 2]>,
}

/// How a curve goes from key to key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interpolation {
    /// Holds each key until the next.
    Const,
    /// The same, as later exporters spell it.
    Constant,
    /// Straight.
    Linear,
    /// Curved by handles that the file does not have.
    Bezier,
}

impl Interpolation {
    /// All of them, with their words.
    pub const ALL: [(Interpolation, &'static str); 4] = [
        (Interpolation::Const, "CONST"),
        (Interpolation::Constant, "CONSTANT"),
        (Interpolation::Linear, "LINEAR"),
        (Interpolation::Bezier, "BEZIER"),
    ];

    /// Whether keys are held.
    pub fn holds(self) -> bool {
        matches!(self, Interpolation::Const | Interpolation::Constant)
    }
}

/// How a curve goes on before its first key and after its last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extend {
    /// Holds the end.
    Const,
    /// Goes on straight.
    Extrap,
    /// Repeats.
    Cyclic,
    /// Repeats, each time higher by the difference between last and first key.
    CyclicExtrap,
}

impl Extend {
    /// All of them, with their words.
    pub const ALL: [(Extend, &'static str); 4] = [
        (Extend::Const, "CONST"),
        (Extend::Extrap, "EXTRAP"),
        (Extend::Cyclic, "CYCLIC"),
        (Extend::CyclicExtrap, "CYCLIC_EXTRAP"),
    ];
}

/// A parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Param {
    /// Which.
    pub kind: ParamKind,
    /// Its value.
    pub value: i32,
}

/// The parameters there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParamKind {
    /// Frames a second.
    Fps,
    /// The skeleton is another file's (from version 12).
    Static,
    /// Tangents are wanted (from version 17).
    Tangents,
    /// The mesh is cut into pieces (from version 18).
    Split,
}

impl ParamKind {
    /// All of them, with their words.
    pub const ALL: [(ParamKind, &'static str); 4] = [
        (ParamKind::Fps, "fps"),
        (ParamKind::Static, "static"),
        (ParamKind::Tangents, "tangents"),
        (ParamKind::Split, "split"),
    ];
}

/// The word of a value in a list of values and words.
pub(super) fn word_of<T: PartialEq>(all: &[(T, &'static str)], value: &T) -> &'static str {
    all.iter().find(|(v, _)| v == value).map_or("", |(_, word)| word)
}
