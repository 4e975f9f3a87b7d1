use crate::Lighting;
use ligament::scene::NodeId;

/// How a model is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    /// sRGB and alpha of what is behind the model; an alpha of 0 leaves it clear.
    pub background: [u8; 4],
    /// How surfaces are coloured.
    pub surface: Surface,
    /// Where light comes from.
    pub lighting: Lighting,
    /// Draws back faces too, whatever the materials say.
    pub two_sided: bool,
    /// Bones and joints.
    pub skeleton: bool,
    /// The joints' names.
    pub names: bool,
    /// The joints' axes: X red, Y green, Z blue.
    pub axes: bool,
    /// The edges of faces.
    pub wire: bool,
    /// A line along each vertex's normal.
    pub normals: bool,
    /// A line along each vertex's tangent, and a shorter one along its bitangent.
    pub tangents: bool,
    /// The box around the model as it is posed, and those that the file states.
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
    /// A pattern that shows how texture coordinates lie: red grows with U, green with V.
    UvChecker,
    /// With the flat colours of their materials.
    Flat,
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
