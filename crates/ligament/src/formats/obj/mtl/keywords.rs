//! The keywords of material libraries.

crate::words! {
    /// A colour.
    pub(in crate::formats::obj) enum Color(word, by_word) {
        Ambient = "Ka",
        Diffuse = "Kd",
        Specular = "Ks",
        Emissive = "Ke",
        Transmission = "Tf",
    }

    /// A single value. `Tr` is read as `d`, its complement.
    pub(in crate::formats::obj) enum Value(word, by_word) {
        Shininess = "Ns",
        Refraction = "Ni",
        Opacity = "d",
        Illumination = "illum",
        Sharpness = "sharpness",
        Roughness = "Pr",
        Metallic = "Pm",
        Sheen = "Ps",
        Clearcoat = "Pc",
        ClearcoatRoughness = "Pcr",
        Anisotropy = "aniso",
        AnisotropyRotation = "anisor",
    }

    /// The purpose of a texture.
    pub(in crate::formats::obj) enum Slot(word, by_word) {
        Ambient = "map_Ka",
        Diffuse = "map_Kd",
        Specular = "map_Ks",
        Emissive = "map_Ke",
        Shininess = "map_Ns",
        Opacity = "map_d",
        Bump = "map_Bump" | "bump",
        Normal = "norm" | "map_Kn" | "map_norm",
        Displacement = "disp" | "map_disp",
        Decal = "decal" | "map_decal",
        Reflection = "refl" | "map_refl",
        Roughness = "map_Pr",
        Metallic = "map_Pm",
        Sheen = "map_Ps",
        /// Roughness, metalness and occlusion in one image.
        RoughMetal = "map_RMA",
        /// Occlusion, roughness and metalness in red, green and blue.
        OcclusionRoughMetal = "map_ORM",
    }
}

impl Value {
    /// Whether a scene's material has no field for it, so that it is kept in extras.
    pub(in crate::formats::obj) fn is_extra(self) -> bool {
        use Value::*;
        !matches!(self, Shininess | Opacity | Roughness | Metallic)
    }
}
