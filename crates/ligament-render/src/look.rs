use crate::Lighting;
use ligament::scene::NodeId;

/// How a model is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    /// sRGB and alpha of the background; an alpha of 0 leaves it transparent.
    pub background: [u8; 4],
    /// How surfaces are coloured.
    pub surface: Surface,
    /// The source of light.
    pub lighting: Lighting,
    /// Draws back faces regardless of the materials.
    pub two_sided: bool,
    /// Bones and joints.
    pub skeleton: bool,
    /// Joint names.
    pub names: bool,
    /// Joint axes: X red, Y green, Z blue.
    pub axes: bool,
    /// Wireframe.
    pub wire: bool,
    /// A line along each vertex's normal.
    pub normals: bool,
    /// A line along each vertex's tangent, and a shorter one along its bitangent.
    pub tangents: bool,
    /// The box around the posed model, and those stored in the file.
    pub bounds: bool,
    /// A grid on the ground.
    pub grid: bool,
    /// A soft shadow on the ground.
    pub shadow: bool,
}

/// How surfaces are coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Surface {
    /// By their materials.
    #[default]
    Materials,
    /// A pattern that shows texture coordinates: red grows with U, green with V.
    UvChecker,
    /// With the flat colours of their materials.
    Flat,
    /// With the colours of their vertices alone; white without any.
    Colors,
    /// By the weight of one joint per vertex, from dark blue (none) to red (full).
    Weights(NodeId),
}

impl Default for Look {
    fn default() -> Self {
        Self {
            background: [236, 238, 241, 255],
            surface: Surface::Materials,
            lighting: Lighting::Auto,
            two_sided: false,
            skeleton: false,
            names: false,
            axes: false,
            wire: false,
            normals: false,
            tangents: false,
            bounds: false,
            grid: false,
            shadow: true,
        }
    }
}
