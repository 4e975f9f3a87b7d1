//! A shader's parameter in COLLADA and glTF 1.0.

use crate::scene::TextureRef;

/// A colour or a texture.
#[derive(Default)]
pub(super) struct Stated {
    pub(super) color: Option<[f32; 4]>,
    pub(super) texture: Option<TextureRef>,
}

impl Stated {
    /// The colour factor: white if there is a texture, `missing` if there is neither.
    pub(super) fn rgb(&self, missing: [f32; 3]) -> [f32; 3] {
        match (&self.texture, self.color) {
            (Some(_), _) => [1.0; 3],
            (None, Some([r, g, b, _])) => [r, g, b],
            (None, None) => missing,
        }
    }
}
