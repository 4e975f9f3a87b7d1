//! How a library combines a material's two blocks.

use crate::scene::{AlphaMode, Pbr, Phong, phong_from_pbr};

/// The Phong lines written with metallic-roughness values: `Kd` is the base colour, as in files of Blender and others,
/// and the rest is derived from the values.
pub(super) fn phong_beside(pbr: &Pbr, alpha: AlphaMode) -> Phong {
    let [r, g, b, _] = pbr.base_color;
    Phong { diffuse: [r, g, b], ..phong_from_pbr(pbr, alpha) }
}
