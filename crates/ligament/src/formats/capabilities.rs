use crate::scene::Interpolation;

/// What a format (in one dialect) can hold. The pipeline compares it with the scene and picks the passes that bring
/// the scene within it; every reduction is reported as a loss.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Capabilities {
    /// A tree of named nodes with transforms. Without it, moving nodes become joints that rest as they are bound, and
    /// vertices are brought into model space.
    pub hierarchy: bool,
    /// Whether objects have a place of their own where there is no tree, so that vertices stay in the space of their
    /// object.
    pub placed_objects: bool,
    /// Meshes and parts. `One` means that all objects are joined into one mesh.
    pub meshes: Count,
    /// Skins. `One` means that all joints are joined into one skeleton, `None` that vertices are posed at rest.
    pub skins: Count,
    /// Influences a vertex; `None` is any number.
    pub max_influences: Option<usize>,
    /// Influences a vertex that are written unless someone asks for more; `None` is as many as it can hold.
    pub default_influences: Option<usize>,
    /// What joints can do, at rest and by tracks.
    pub joints: Joints,
    /// Clips.
    pub clips: Count,
    /// How clips are stored.
    pub keys: Keys,
    /// Interpolations between keys. Where clips are frames, all of them are played in the first of these ways unless
    /// someone asks for another.
    pub interpolations: &'static [Interpolation],
    /// Whether rotations may go straight between keys, each component by itself: cubic tracks that
    /// [say so](crate::scene::Track::is_straight) then stay as they are.
    pub straight_rotations: bool,
    /// Faces of more than three corners.
    pub polygons: bool,
    /// Points and lines.
    pub points_and_lines: bool,
    /// Morph targets and their weight tracks.
    pub morphs: bool,
    /// Texture coordinate sets.
    pub uv_sets: usize,
    /// Vertex colour sets.
    pub color_sets: usize,
    /// Which vertices have normals.
    pub normals: Normals,
    /// Whether vertices have tangents.
    pub tangents: bool,
    /// Whether tangents that the scene lacks are computed, where there are texture coordinates: for formats whose
    /// programs take them from the file.
    pub computes_tangents: bool,
    /// Whether every part must have a material. Missing ones are made up.
    pub needs_materials: bool,
    /// The Phong block of materials.
    pub phong: bool,
    /// The metallic-roughness block, alpha mode, normal maps and the rest of glTF's material.
    pub pbr: bool,
    /// Normal maps beside a Phong block; those of `pbr` come with it.
    pub normal_maps: bool,
    /// Cut-outs at any alpha and blending beside a Phong block; those of `pbr` come with it.
    pub alpha_modes: bool,
    /// Textures by reference to a file.
    pub texture_files: bool,
    /// Textures inside the file.
    pub embedded_textures: bool,
    /// Cameras.
    pub cameras: bool,
    /// Lights.
    pub lights: bool,
    /// Ambient light.
    pub ambient: bool,
    /// Key-value data; it also carries what the format has no other place for.
    pub extras: bool,
}

impl Capabilities {
    /// A format that holds nothing but positions and triangles; a format names what it has beyond that.
    pub const NOTHING: Capabilities = Capabilities {
        hierarchy: false,
        placed_objects: false,
        meshes: Count::None,
        skins: Count::None,
        max_influences: Some(0),
        default_influences: None,
        joints: Joints::Move,
        clips: Count::None,
        keys: Keys::Tracks,
        interpolations: &[],
        straight_rotations: false,
        polygons: false,
        points_and_lines: false,
        morphs: false,
        uv_sets: 0,
        color_sets: 0,
        normals: Normals::None,
        tangents: false,
        computes_tangents: false,
        needs_materials: false,
        phong: false,
        pbr: false,
        normal_maps: false,
        alpha_modes: false,
        texture_files: false,
        embedded_textures: false,
        cameras: false,
        lights: false,
        ambient: false,
        extras: false,
    };

    /// Whether the rest pose may differ from the bind pose: not where skeletons are flattened for want of a tree, nor
    /// where joints turn about the places that they are bound at.
    pub fn separate_bind_pose(&self) -> bool {
        self.hierarchy && self.joints != Joints::Turn
    }
}

/// How many of something a format can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    /// None at all.
    None,
    /// At most one.
    One,
    /// Any number.
    Many,
}

/// What the joints of a format can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Joints {
    /// Turn about the places that they are bound at; at most a root moves. The exporter reduces matrices to rotations and
    /// measures what that loses.
    Turn,
    /// Turn and move.
    Move,
    /// Turn, move and scale.
    Scale,
}

/// How a format stores clips.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keys {
    /// Each track has keys of its own.
    Tracks,
    /// Frames of a regular grid.
    Frames,
    /// Poses of all joints at once, at any times. The exporter fits them to tracks of every interpolation, because only it
    /// knows the way from one pose to the next.
    Poses,
}

/// Which vertices of a format have normals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Normals {
    /// None of them.
    None,
    /// Those of some parts and not of others.
    PerPart,
    /// Those of all parts, or of none.
    AllOrNone,
    /// All of them, because a vertex has a fixed record. Missing normals are computed.
    Always,
}
