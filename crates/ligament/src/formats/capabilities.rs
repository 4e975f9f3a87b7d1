use crate::scene::Interpolation;

/// What a format (in one dialect) can hold. The pipeline compares it with the scene and picks the passes that bring
/// the scene within it; every reduction is reported as a loss.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Capabilities {
    /// Whether files of this format are written at all.
    pub write: bool,
    /// A tree of named nodes with transforms. Without it, meshes are brought into model space, and moving nodes become
    /// joints.
    pub hierarchy: bool,
    /// Meshes and parts. `One` means that all are joined into one mesh.
    pub meshes: Count,
    /// Skins. `One` means that all joints are joined into one skeleton.
    pub skins: Count,
    /// Whether the exporter joins skins itself; then no pass does it, which would join the objects too.
    pub joins_skins: bool,
    /// Influences a vertex; `None` is any number.
    pub max_influences: Option<usize>,
    /// Influences a vertex that are written unless someone asks for more; `None` is as many as it can hold.
    pub default_influences: Option<usize>,
    /// Whether joints can be scaled, at rest and by tracks. Without it, joints only turn and move.
    pub joint_scale: bool,
    /// Whether the rest pose may differ from the bind pose.
    pub separate_bind_pose: bool,
    /// Whether the exporter brings objects into its file's own shape itself, so that they keep what joining them would
    /// lose; then no pass does it for want of a tree.
    pub arranges_objects: bool,
    /// Whether the exporter makes skeletons and keys itself from whatever the scene has, and measures what they cannot
    /// hold; then no pass brings them into shape before.
    pub arranges_skeletons: bool,
    /// Clips.
    pub clips: Count,
    /// Whether clips are stored as frames of a regular grid rather than keys a track.
    pub sampled_clips: bool,
    /// Interpolations that a track can have. Where clips are sampled, all frames are played in the first of these ways
    /// unless someone asks for another.
    pub interpolations: &'static [Interpolation],
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
    /// Whether vertices have normals.
    pub normals: bool,
    /// Whether every vertex must have its normal and every part its material, because the file has a fixed record for
    /// them. Missing ones are made up.
    pub complete_records: bool,
    /// Whether vertices have tangents.
    pub tangents: bool,
    /// Whether tangents that the scene lacks are computed, where there are texture coordinates: for formats whose
    /// programs take them from the file.
    pub computes_tangents: bool,
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
        write: false,
        hierarchy: false,
        meshes: Count::None,
        skins: Count::None,
        joins_skins: false,
        max_influences: Some(0),
        default_influences: None,
        joint_scale: false,
        separate_bind_pose: false,
        arranges_objects: false,
        arranges_skeletons: false,
        clips: Count::None,
        sampled_clips: false,
        interpolations: &[],
        polygons: false,
        points_and_lines: false,
        morphs: false,
        uv_sets: 0,
        color_sets: 0,
        normals: false,
        complete_records: false,
        tangents: false,
        computes_tangents: false,
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
