//! Turns the up axis and scales a whole scene.

use crate::scene::Scene;

/// Which axis points up in the result. Scenes have Y up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Up {
    /// +Y, as scenes have it.
    #[default]
    Y,
    /// +Z: (x, y, z) becomes (x, −z, y).
    Z,
}

/// What to do to the whole scene.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AxesOptions {
    /// The axis that will point up.
    pub up: Up,
    /// Multiplies every length.
    pub scale: f32,
}

/// Turns and scales the scene as a whole, so that every posed vertex is exactly transformed.
pub fn axes(_scene: &mut Scene, _options: &AxesOptions) {
    todo!()
}
