use super::Extras;

/// A light; a node places it, and it shines along the node's −Z.
#[derive(Debug, Clone, PartialEq)]
pub struct Light {
    /// Name; empty if the format has none.
    pub name: String,
    /// The kind of light source.
    pub kind: LightKind,
    /// Linear RGB.
    pub color: [f32; 3],
    /// Candela for point and spot lights, lux for directional ones.
    pub intensity: f32,
    /// Distance at which the light ends; `None` is infinite.
    pub range: Option<f32>,
    /// Key-value data.
    pub extras: Extras,
}

/// Kinds of light.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LightKind {
    /// Parallel rays, like the sun's.
    Directional,
    /// Shines in all directions.
    Point,
    /// Shines in a cone.
    Spot {
        /// Half-angle in radians up to which the light has full intensity.
        inner_angle: f32,
        /// Half-angle in radians at which the light ends.
        outer_angle: f32,
    },
}
