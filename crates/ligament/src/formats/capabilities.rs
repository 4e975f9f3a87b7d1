use crate::scene::Interpolation;

/// The features that a format (in one dialect) can hold. The pipeline compares them with the scene and picks the passes
/// that reduce the scene to them. Every reduction is reported as a loss.
///
/// The default holds only positions and triangles. Each format lists what it has beyond that.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Capabilities {
    /// A tree of named nodes with transforms. Without it, moving nodes become joints whose rest pose is the bind pose,
    /// and vertices are transformed into model space.
    pub hierarchy: bool,
    /// Whether several nodes can draw one mesh, so that no instance needs a copy.
    pub instances: bool,
    /// Whether objects have a transform of their own even without a tree, so that vertices stay in the space of their
    /// object.
    pub placed_objects: bool,
    /// Meshes and parts. `One` means that all objects are joined into one mesh.
    pub meshes: Count,
    /// Skins. `One` means that all joints are joined into one skeleton, `None` that vertices are written in their rest pose.
    pub skins: Count,
    /// Influences per vertex; `None` means any number.
    pub max_influences: Option<usize>,
    /// Influences per vertex that are written by default; `None` means as many as the format can hold.
    pub default_influences: Option<usize>,
    /// The transforms that joints support, at rest and in tracks.
    pub joints: Joints,
    /// Clips.
    pub clips: Count,
    /// How clips are stored.
    pub keys: Keys,
    /// The rate at which frames are played, for formats that store frames without a rate. Clips are sampled at this rate
    /// unless an option chooses another.
    pub frame_rate: Option<f32>,
    /// Interpolations between keys. Where clips are frames, all clips are played with the first of these unless an
    /// option chooses another.
    pub interpolations: &'static [Interpolation],
    /// Whether each component of a rotation may be interpolated linearly on its own: cubic tracks that [do
    /// so](crate::scene::Track::is_straight) are then kept unchanged.
    pub straight_rotations: bool,
    /// Faces with more than three corners.
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
    /// Whether missing tangents are computed where there are texture coordinates. For formats whose programs read them from the file.
    pub computes_tangents: bool,
    /// Whether every part must have a material. Missing ones are created.
    pub needs_materials: bool,
    /// The Phong block of materials.
    pub phong: bool,
    /// The metallic-roughness block, alpha mode, normal maps and the rest of glTF's material.
    pub pbr: bool,
    /// Normal maps in addition to a Phong block; `pbr` includes its own.
    pub normal_maps: bool,
    /// Alpha cut-outs at any threshold, and blending, in addition to a Phong block; `pbr` includes its own.
    pub alpha_modes: bool,
    /// Textures that refer to image files.
    pub texture_files: bool,
    /// The types of image files. Images of other types are converted to PNG where they are copied.
    pub image_types: ImageTypes,
    /// Images embedded in the file.
    pub embedded_textures: bool,
    /// The slots of [materials' textures](crate::scene::Material::textures) that are written, after
    /// metallic-roughness values became Phong values where needed. Images of other slots are not copied. `None` for all
    /// slots, and for a format that lists images by themselves.
    pub texture_slots: Option<&'static [&'static str]>,
    /// Images inside the file, but only on request: by default they are files.
    pub embeds_on_request: bool,
    /// Cameras.
    pub cameras: bool,
    /// Lights.
    pub lights: bool,
    /// Ambient light.
    pub ambient: bool,
    /// Key-value data. It also carries values that the format cannot express otherwise.
    pub extras: bool,
}

impl Capabilities {
    /// The common capabilities of the formats in which modelling programs exchange whole scenes.
    pub(crate) fn of_whole_scenes() -> Self {
        Self {
            hierarchy: true,
            instances: true,
            meshes: Count::Many,
            skins: Count::Many,
            joints: Joints::Scale,
            clips: Count::Many,
            interpolations: &[Interpolation::Step, Interpolation::Linear, Interpolation::Cubic],
            morphs: true,
            normals: Normals::PerPart,
            tangents: true,
            phong: true,
            normal_maps: true,
            alpha_modes: true,
            texture_files: true,
            embedded_textures: true,
            cameras: true,
            lights: true,
            ambient: true,
            ..Self::default()
        }
    }

    /// Whether the rest pose may differ from the bind pose. It may not where skeletons are flattened for lack of a
    /// tree, nor where joints only rotate about their bind positions.
    pub fn separate_bind_pose(&self) -> bool {
        self.hierarchy && self.joints != Joints::Turn
    }
}

crate::words! {
    /// How many of something a format can hold.
    #[derive(Default)]
    #[non_exhaustive]
    pub enum Count(word) {
        /// Not supported.
        #[default]
        None = "none",
        /// At most one.
        One = "one",
        /// Any number.
        Many = "many",
    }
}

crate::words! {
    /// The types of image files that programs for a format show.
    #[derive(Default)]
    #[non_exhaustive]
    pub enum ImageTypes(word) {
        /// What modelling programs and engines read: PNG, JPEG, TGA, BMP, DDS and others, but neither KTX2 nor AVIF.
        #[default]
        Common = "common",
        /// Any.
        Any = "any",
        /// PNG alone.
        Png = "png",
    }
}

/// The transforms that a format's joints support.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Joints {
    /// Rotation about the bind position; at most the root moves. The exporter reduces matrices to rotations and
    /// measures the loss.
    Turn,
    /// Rotation and translation.
    #[default]
    Move,
    /// Rotation, translation and scale.
    Scale,
}

/// How a format stores clips.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Keys {
    /// Each track has its own keys.
    #[default]
    Tracks,
    /// Frames on a regular grid.
    Frames,
    /// Poses of all joints together, at any times. The exporter fits them to tracks of any interpolation, because only
    /// it knows how the format interpolates between poses.
    Poses,
}

/// Which vertices of a format have normals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Normals {
    /// No vertex.
    #[default]
    None,
    /// The vertices of some parts, but not of others.
    PerPart,
    /// The vertices of all parts, or none.
    AllOrNone,
    /// All vertices, because a vertex is a fixed-size record. Missing normals are computed.
    Always,
}
