//! How the two blocks of a material stand beside each other in a library.

use crate::scene::{AlphaMode, Pbr, Phong, phong_from_pbr};

/// The Phong lines beside metallic-roughness values: `Kd` is then the base colour, as Blender and others write it, and the
/// rest follows from the values.
pub(super) fn phong_beside(pbr: &Pbr, alpha: AlphaMode) -> Phong {
    let [r, g, b, _] = pbr.base_color;
    Phong { diffuse: [r, g, b], ..phong_from_pbr(pbr, alpha) }
}
