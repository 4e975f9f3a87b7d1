use super::FORMAT;

/// The number after `QMSH TMP`, and the layout that it implies, for both the reader and the writer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(u8);

impl Version {
    /// The version of the published document, and the only one in which scenes are written.
    pub const DOCUMENT: Version = Version(10);

    /// The version with this number, if it is supported: each is a dialect.
    pub fn from_number(number: u32) -> Option<Version> {
        let is_known = FORMAT.dialects.iter().any(|dialect| dialect.id == format!("v{number}"));
        u8::try_from(number).ok().filter(|_| is_known).map(Version)
    }

    /// The number.
    pub fn number(self) -> u32 {
        u32::from(self.0)
    }

    /// The dialect id, such as `v10`.
    pub fn id(self) -> &'static str {
        let own = format!("v{}", self.0);
        FORMAT.dialects.iter().map(|dialect| dialect.id).find(|id| *id == own).unwrap_or("v10")
    }

    /// The transform of a mesh is named (`pos`, `rot`, `scale`, `parent`) and relative to its parent; before, it is
    /// three bare vectors in world space.
    pub fn named_transform(self) -> bool {
        self.0 >= 12
    }

    /// Names in a mesh or an empty end with a colon.
    pub fn colons(self) -> bool {
        (12..=17).contains(&self.0)
    }

    /// `materials`, `vertices`, `faces` and `vertex_groups` end with a colon.
    pub fn list_colons(self) -> bool {
        (16..=17).contains(&self.0)
    }

    /// A mesh may specify its smoothing angle as `smooth: degrees`.
    pub fn named_smoothing(self) -> bool {
        (12..=15).contains(&self.0)
    }

    /// The syntax of materials.
    pub fn materials(self) -> MaterialStyle {
        match self.0 {
            ..12 => MaterialStyle::Name,
            12..16 => MaterialStyle::Image,
            _ => MaterialStyle::Block,
        }
    }

    /// Vertices have normals.
    pub fn vertex_normals(self) -> bool {
        self.0 >= 17
    }

    /// Faces have normals.
    pub fn face_normals(self) -> bool {
        self.0 >= 12
    }

    /// The armature has flags for vertex groups and envelopes, and bones have rolls and a weight.
    pub fn flags_and_rolls(self) -> bool {
        self.0 <= 16
    }

    /// Bones have named fields and groups, and no data in their parent's space.
    pub fn short_bones(self) -> bool {
        self.0 >= 21
    }

    /// Rows of matrices end with a semicolon.
    pub fn semicolons(self) -> bool {
        self.0 <= 18
    }

    /// Curves specify their extension outside the keys.
    pub fn extends(self) -> bool {
        self.0 <= 17
    }

    /// Parameters have `=` before their value.
    pub fn equals(self) -> bool {
        self.0 <= 17
    }

    /// There can be empties.
    pub fn empties(self) -> bool {
        self.0 >= 12
    }

    /// The size of an empty is a vector and a scale; before, a number.
    pub fn vector_sizes(self) -> bool {
        self.0 >= 14
    }

    /// Empties have a rotation.
    pub fn empty_rotations(self) -> bool {
        self.0 >= 19
    }

    /// There can be cameras.
    pub fn cameras(self) -> bool {
        self.0 >= 13
    }

    /// Cameras have an up direction.
    pub fn camera_up(self) -> bool {
        self.0 >= 15
    }
}

/// The syntax of a material.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MaterialStyle {
    /// `"name"`.
    Name,
    /// `"name", image "file"` or `"name", none`.
    Image,
    /// `material "name" { ... }`.
    Block,
}
