use super::Extras;

/// A camera; a node places it, and it looks along the node's −Z with +Y up.
#[derive(Debug, Clone, PartialEq)]
pub struct Camera {
    /// Name; empty if the format has none.
    pub name: String,
    /// Lens.
    pub projection: Projection,
    /// Nearest visible distance.
    pub near: f32,
    /// Farthest visible distance; `None` is infinite.
    pub far: Option<f32>,
    /// Key-value data.
    pub extras: Extras,
}

/// A camera's lens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Projection {
    /// Things get smaller with distance.
    Perspective {
        /// Vertical field of view in radians.
        fov_y: f32,
        /// Width divided by height; `None` takes the window's.
        aspect: Option<f32>,
    },
    /// Things keep their size.
    Orthographic {
        /// Half the width of the view.
        half_width: f32,
        /// Half the height of the view.
        half_height: f32,
    },
}
