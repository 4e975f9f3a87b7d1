use crate::text::{RawText, from_cp1250};
use bytemuck::{Pod, Zeroable};

/// The layout of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Version {
    /// `TFQMSH10`, the original.
    #[default]
    Original,
    /// `QMSH` with this version, 12 to 22, as the game carpg writes it.
    Carpg(u8),
}

impl Version {
    /// The oldest supported version after `QMSH`.
    pub const OLDEST: u8 = 12;
    /// The newest supported version after `QMSH`, which is the one that is written.
    pub const NEWEST: u8 = 22;
    /// The id of the dialect for files that are read and rewritten, but not made from scenes.
    pub(super) const OLD_ID: &str = "qmsh12-21";

    /// The value of `--dialect`.
    pub fn id(self) -> &'static str {
        match self {
            Version::Original => "tfqmsh10",
            Version::Carpg(Self::NEWEST) => "qmsh22",
            Version::Carpg(_) => Self::OLD_ID,
        }
    }

    /// The version for a dialect.
    pub fn by_id(id: &str) -> Option<Self> {
        match id.to_ascii_lowercase().as_str() {
            "tfqmsh10" => Some(Version::Original),
            "qmsh22" | Self::OLD_ID => Some(Version::Carpg(Self::NEWEST)),
            _ => None,
        }
    }

    /// Whether this is carpg's layout, of version `number` or later.
    pub fn since(self, number: u8) -> bool {
        matches!(self, Version::Carpg(own) if own >= number)
    }

    /// The maximum number of bones in the engine.
    pub fn max_bones(self) -> usize {
        if self == Version::Original { 31 } else { 63 }
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Version::Original => f.write_str("TFQMSH10"),
            Version::Carpg(number) => write!(f, "QMSH {number}"),
        }
    }
}

/// Flags of a file, one bit each. `TFQMSH10` has only the first two.
pub mod flags {
    /// Vertices have tangents and binormals.
    pub const TANGENTS: u8 = 1;
    /// Vertices follow bones.
    pub const SKINNED: u8 = 2;
    /// The bones are in another file.
    pub const SHARED_BONES: u8 = 4;
    /// Vertices are positions only.
    pub const PHYSICS: u8 = 8;
    /// Submeshes have their own bounds.
    pub const SPLIT: u8 = 16;
}

/// The content of a QMSH file, in its own space, order and version.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Document {
    /// The name of the model: the file name without folder and extension. It is not stored in the file.
    pub name: String,
    /// The layout.
    pub version: Version,
    /// See [`flags`].
    pub flags: u8,
    /// Counts in the header of sections that are absent according to the flags.
    pub absent: Absent,
    /// Radius of a sphere around the origin that contains the model at rest.
    pub radius: f32,
    /// Bounding box at rest: minimum and maximum.
    pub bounds: [[f32; 3]; 2],
    /// The points offset of the header, if it is wrong.
    pub points_offset: Option<u32>,
    /// The camera, from version 13 on.
    pub camera: Camera,
    /// Vertices of all submeshes.
    pub vertices: Vec<Vertex>,
    /// Three vertex indices each.
    pub triangles: Vec<[u16; 3]>,
    /// Ranges of triangles, with one material each.
    pub submeshes: Vec<Submesh>,
    /// Bones, parents first.
    pub bones: Vec<Bone>,
    /// Groups of bones that can be animated separately; from version 12 on.
    pub groups: Vec<Group>,
    /// Animations.
    pub animations: Vec<Animation>,
    /// Attachment points; from version 12 on.
    pub points: Vec<Point>,
    /// Bounds of the submeshes, if the flag is set.
    pub splits: Vec<Split>,
    /// Bytes after the end, which engines ignore.
    pub trailing: Vec<u8>,
}

impl Document {
    /// Whether a flag is set.
    pub fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// Whether the file has its own skeleton.
    pub fn has_bones(&self) -> bool {
        self.has(flags::SKINNED) && (self.version == Version::Original || !self.has(flags::SHARED_BONES))
    }
}

/// Header counts of sections that a file does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Absent {
    /// Bones.
    pub bones: u16,
    /// Animations.
    pub animations: u16,
    /// Groups.
    pub groups: u16,
}

/// The camera with which the game draws the model's icon.
#[derive(Debug, Clone, Copy, PartialEq, Default, Pod, Zeroable)]
#[repr(C)]
pub struct Camera {
    /// Position.
    pub position: [f32; 3],
    /// The point it looks at.
    pub target: [f32; 3],
    /// Up direction; from version 15 on.
    pub up: [f32; 3],
}

/// A vertex. The flags determine which fields a file stores.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Vertex {
    /// Position.
    pub position: [f32; 3],
    /// Weight of the first bone; the second has the remainder up to 1.
    pub weight: f32,
    /// The first bone in the lowest byte, the second in the next; see [`Vertex::bones`].
    pub bone_word: u32,
    /// Normal.
    pub normal: [f32; 3],
    /// Texture coordinates, V down.
    pub uv: [f32; 2],
    /// Tangent: the direction of increasing U.
    pub tangent: [f32; 3],
    /// Binormal: the direction of increasing V, which is down in the image.
    pub binormal: [f32; 3],
}

impl Vertex {
    /// The two bones with their weights. Bones count from 1; 0 is static.
    pub fn bones(&self) -> [(u8, f32); 2] {
        let [first, second, ..] = self.bone_word.to_le_bytes();
        [(first, self.weight), (second, 1.0 - self.weight)]
    }
}

/// A range of triangles with one material.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Submesh {
    /// The first triangle.
    pub first_triangle: u16,
    /// Number of triangles.
    pub triangles: u16,
    /// The first vertex of the range that the triangles use.
    pub first_vertex: u16,
    /// Number of vertices in that range.
    pub vertices: u16,
    /// The object's name, or `OBJECT.MATERIAL` if the object has several materials.
    pub name: RawText,
    /// The material's name in `TFQMSH10`, the diffuse texture's file later.
    pub material: RawText,
    /// Colour of the highlight; from version 18 on.
    pub specular_color: [f32; 3],
    /// Factor for the highlight; from version 18 on.
    pub specular_intensity: f32,
    /// Exponent of the highlight; from version 18 on.
    pub specular_hardness: i32,
    /// The normal map's file, if the flag for tangents is set; from version 16 on.
    pub normal_map: RawText,
    /// Strength of the normal map, if there is one.
    pub normal_factor: f32,
    /// The specular map's file; from version 16 on.
    pub specular_map: RawText,
    /// Factors of the specular map for the highlight's strength and colour, if there is one.
    pub specular_factors: [f32; 2],
}

/// A bone.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Bone {
    /// Name.
    pub name: RawText,
    /// The parent's number, counted from 1; 0 for a root. A parent comes before its children.
    pub parent: u16,
    /// Maps the bone's space to its parent's (for a root, the model's) at rest: the first three columns of four rows,
    /// for row vectors.
    pub matrix: [f32; 12],
    /// The bone in the modelling program; from version 21 on.
    pub modelled: Modelled,
}

/// A bone as modelled, in Blender's space: right-handed with Z up. Engines ignore it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Modelled {
    /// Maps the bone's space to the armature's, for row vectors.
    pub matrix: [f32; 16],
    /// The start of the bone, and its radius there.
    pub head: [f32; 4],
    /// The end of the bone, and its radius there.
    pub tail: [f32; 4],
    /// Not 0 if the bone begins where its parent ends.
    pub connected: u8,
}

/// Bones that are animated together.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Group {
    /// Name.
    pub name: RawText,
    /// The parent group; a root is its own parent.
    pub parent: u16,
    /// Bones, counted from 1.
    pub bones: Vec<u8>,
}

/// An animation: all bones at several times.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Animation {
    /// Name.
    pub name: RawText,
    /// Seconds.
    pub length: f32,
    /// The times of the keys.
    pub times: Vec<f32>,
    /// Every bone at the first time, then every bone at the second, and so on.
    pub keys: Vec<Key>,
}

/// A bone at one time, in the axes of its rest pose.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Key {
    /// Translation.
    pub translation: [f32; 3],
    /// Rotation, a quaternion x y z w.
    pub rotation: [f32; 4],
    /// Scale; before version 22 all three are the same.
    pub scale: [f32; 3],
}

impl Key {
    /// The identity.
    pub const AT_REST: Key = Key { translation: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0], scale: [1.0; 3] };
}

/// An attachment point, or a box or sphere around something.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Point {
    /// Name.
    pub name: RawText,
    /// Maps the point's space to the model's at rest, for row vectors.
    pub matrix: [f32; 16],
    /// The bone that the point follows as a vertex would: counted from 1 (in version 12 from 0), 0 means none.
    pub bone: u16,
    /// Its shape in the modelling program: 0 axes, 1 sphere, 2 cube, 3 arrows, 4 single arrow, 5 circle, 6 cone.
    pub kind: u16,
    /// Size; before version 14 all three are the same.
    pub size: [f32; 3],
    /// Euler angles; from version 19 on.
    pub rotation: [f32; 3],
}

/// Bounds of a submesh.
#[derive(Debug, Clone, Copy, PartialEq, Default, Pod, Zeroable)]
#[repr(C)]
pub struct Split {
    /// Centre of the bounding sphere.
    pub center: [f32; 3],
    /// Its radius.
    pub radius: f32,
    /// Bounding box: minimum and maximum.
    pub bounds: [[f32; 3]; 2],
}

/// Decodes a name: tools and games of this format run on Polish Windows and treat bytes as Windows-1250.
pub(super) fn text(name: &RawText) -> String {
    from_cp1250(name.as_bytes())
}
