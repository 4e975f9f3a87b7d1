use crate::text::RawText;
use bytemuck::{Pod, Zeroable};

crate::words! {
    /// The variant of BOGLE that a file follows.
    #[derive(Default)]
    pub enum Dialect(id, by_id) {
        /// As in the published specification: bone indices are integers, cameras have type 1.
        #[default]
        Document = "document",
        /// As the engine's exporter writes it: bone indices are floats, cameras have type 0.
        Engine = "engine",
        /// As the engine loads it since 2022: like `Engine`, with each geometry in its own file.
        External = "external",
    }
}

impl Dialect {
    /// The way the dialect stores the bone indices of vertices.
    pub fn bone_indices(self) -> BoneIndices {
        if self == Dialect::Document { BoneIndices::Whole } else { BoneIndices::Float }
    }

    /// The type byte that the dialect gives cameras.
    pub fn camera_type(self) -> u8 {
        u8::from(self == Dialect::Document)
    }
}

/// Storage of the three bone indices of a vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum BoneIndices {
    /// As `u32`.
    #[default]
    Whole,
    /// As `f32`.
    Float,
}

impl BoneIndices {
    /// Decodes a stored word to an index.
    pub fn decode(self, word: u32) -> u32 {
        match self {
            BoneIndices::Whole => word,
            BoneIndices::Float => f32::from_bits(word) as u32,
        }
    }

    /// Encodes an index as a stored word.
    pub fn encode(self, index: u32) -> u32 {
        match self {
            BoneIndices::Whole => index,
            BoneIndices::Float => (index as f32).to_bits(),
        }
    }
}

/// The content of a BOGLE file, in its own order and dialect. References are as stored: 1 is the first, 0 means none.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Document {
    /// The name of the scene: the file name without folder and extension. It is not stored in the file.
    pub name: String,
    /// The dialect.
    pub dialect: Dialect,
    /// Storage of bone indices in vertices. It may differ from the dialect's own only in `external`.
    pub bone_indices: BoneIndices,
    /// Global ambient light, RGBA.
    pub ambient: [f32; 4],
    /// Cameras.
    pub cameras: Vec<Camera>,
    /// Geometries.
    pub geometries: Vec<Geometry>,
    /// Materials.
    pub materials: Vec<Material>,
    /// Lights.
    pub lights: Vec<Light>,
    /// Animation collections, each a skeleton with its animations.
    pub collections: Vec<Collection>,
    /// Object instances.
    pub objects: Vec<Object>,
    /// The scene tree's characters, without the NUL that ends them.
    pub tree: RawText,
}

/// A camera.
#[derive(Debug, Clone, PartialEq)]
pub struct Camera {
    /// 0 is a basic camera, 1 an FPS camera.
    pub kind: u8,
    /// Name.
    pub name: RawText,
    /// Screen width in pixels.
    pub width: u32,
    /// Screen height in pixels.
    pub height: u32,
    /// Nearest visible distance.
    pub near: f32,
    /// Farthest visible distance.
    pub far: f32,
    /// Field of view in radians.
    pub fov: f32,
    /// Not 0 for the active camera.
    pub main: u8,
}

/// Vertices and triangles.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Geometry {
    /// Name.
    pub name: RawText,
    /// In the `external` dialect, the name of the file in `geometries/` without its extension `.bgg`.
    pub file: RawText,
    /// Vertices.
    pub vertices: Vec<Vertex>,
    /// Three vertex indices per triangle.
    pub indices: Vec<u32>,
}

/// A vertex, laid out as in the file.
#[derive(Debug, Clone, Copy, PartialEq, Default, Pod, Zeroable)]
#[repr(C)]
pub struct Vertex {
    /// Position in the object's space.
    pub position: [f32; 3],
    /// Texture coordinates, V up.
    pub uv: [f32; 2],
    /// Normal.
    pub normal: [f32; 3],
    /// Tangent.
    pub tangent: [f32; 3],
    /// Binormal: the cross product of normal and tangent, or its negative.
    pub binormal: [f32; 3],
    /// Bone indices as stored; see [`BoneIndices::decode`]. An index with a weight of 0 may be any number.
    pub bones: [u32; 3],
    /// Weights of the three bones. They need not sum to 1; if the sum is below 0.001, the vertex follows no bone.
    pub weights: [f32; 3],
}

/// A material.
#[derive(Debug, Clone, PartialEq)]
pub struct Material {
    /// Reserved by the format, 0.
    pub shader: u8,
    /// Name.
    pub name: RawText,
    /// Multiplies the global ambient light, RGBA.
    pub ambient: [f32; 4],
    /// Emitted light, RGBA.
    pub emissive: [f32; 4],
    /// Diffuse colour, RGBA.
    pub diffuse: [f32; 4],
    /// Specular colour, RGBA.
    pub specular: [f32; 4],
    /// Opacity and the seven numbers after it.
    pub numbers: MaterialNumbers,
    /// Not 0 for a semitransparent material.
    pub blend: u8,
    /// Texture names in the order of [`TEXTURES`]; empty where there is none. The engine looks for
    /// `textures/NAME.png`.
    pub textures: [RawText; 8],
}

/// The names of a material's textures, in file order.
pub const TEXTURES: [&str; 8] =
    ["ambient", "emissive", "diffuse", "specular", "specular power", "normal", "bump", "opacity"];

/// A material's plain numbers, laid out as in the file.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct MaterialNumbers {
    /// 1 is solid.
    pub opacity: f32,
    /// Exponent of the highlight.
    pub specular_power: f32,
    /// 1 is a mirror.
    pub reflectance: f32,
    /// 1 is glass.
    pub refraction: f32,
    /// Ratio of the refractive indices outside and inside.
    pub refractive_index: f32,
    /// Scale of the bump map.
    pub bump_intensity: f32,
    /// Scale of the specular power map.
    pub specular_scale: f32,
    /// Fragments with less alpha are discarded.
    pub alpha_threshold: f32,
}

/// A light.
#[derive(Debug, Clone, PartialEq)]
pub struct Light {
    /// Kind.
    pub kind: LightKind,
    /// Name.
    pub name: RawText,
    /// Colour, RGBA.
    pub color: [f32; 4],
    /// Constant, linear and quadratic attenuation.
    pub attenuation: [f32; 3],
    /// Intensity.
    pub intensity: f32,
    /// Angle of a spot light in radians.
    pub angle: f32,
}

/// Kinds of light, by their byte in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum LightKind {
    /// In a cone.
    Spot = 0,
    /// Parallel rays.
    Sun = 1,
    /// In all directions.
    Point = 2,
}

/// An animation collection: a skeleton and the animations that it can play.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Collection {
    /// Name.
    pub name: RawText,
    /// Maps the skeleton's space to that of the object it is applied to, column by column.
    pub matrix: [f32; 16],
    /// Bones.
    pub bones: Vec<Bone>,
    /// Animations.
    pub animations: Vec<Animation>,
}

/// A bone in bind pose, laid out as in the file.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Bone {
    /// Position.
    pub position: [f32; 3],
    /// Rotation, a quaternion x y z w.
    pub rotation: [f32; 4],
    /// 0 for a root, else the parent's index plus 1.
    pub parent: u32,
}

/// An animation: keyframes that hold a rotation for every bone.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Animation {
    /// Name.
    pub name: RawText,
    /// The keyframes one after another: a time, the root's offset, and four numbers per bone.
    pub frames: Vec<f32>,
}

/// One keyframe.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Keyframe<'a> {
    /// Seconds.
    pub time: f32,
    /// Added to the root's position.
    pub offset: [f32; 3],
    /// A quaternion x y z w for each bone, not necessarily of unit length.
    pub rotations: &'a [[f32; 4]],
}

impl Animation {
    /// The number of keyframes, for a skeleton of `bones` bones.
    pub fn key_count(&self, bones: usize) -> usize {
        self.frames.len() / (4 + 4 * bones)
    }

    /// One keyframe, for a skeleton of `bones` bones.
    pub fn key(&self, bones: usize, index: usize) -> Option<Keyframe<'_>> {
        let stride = 4 + 4 * bones;
        let frame = self.frames.get(index.checked_mul(stride)?..)?.get(..stride)?;
        Some(Keyframe {
            time: frame[0],
            offset: [frame[1], frame[2], frame[3]],
            rotations: bytemuck::cast_slice(&frame[4..]),
        })
    }

    /// The keyframes, for a skeleton of `bones` bones.
    pub fn keys(&self, bones: usize) -> impl Iterator<Item = Keyframe<'_>> + Clone {
        (0..self.key_count(bones)).filter_map(move |index| self.key(bones, index))
    }
}

/// An object: components placed in the scene. References count from 1; 0 means none.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Object {
    /// Name.
    pub name: RawText,
    /// Camera.
    pub camera: u32,
    /// Geometry.
    pub geometry: u32,
    /// Material.
    pub material: u32,
    /// Light.
    pub light: u32,
    /// Animation collection.
    pub collection: u32,
    /// Maps the object's space to its parent's, column by column.
    pub matrix: [f32; 16],
}

impl Document {
    /// The approximate size of the document in a file, in bytes. It bounds the size of what is made from the document.
    pub(super) fn size(&self) -> usize {
        let geometry = |g: &Geometry| 80 * g.vertices.len() + 4 * g.indices.len();
        let collection = |c: &Collection| {
            32 * c.bones.len() + c.animations.iter().map(|a| 4 * a.frames.len()).sum::<usize>()
        };
        self.geometries.iter().map(geometry).sum::<usize>()
            + self.collections.iter().map(collection).sum::<usize>()
            + 88 * self.objects.len()
            + 135 * self.materials.len()
    }
}
