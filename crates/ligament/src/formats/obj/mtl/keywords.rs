//! The keywords of material libraries.

/// A colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::formats::obj) enum Color {
    Ambient,
    Diffuse,
    Specular,
    Emissive,
    Transmission,
}

impl Color {
    pub(in crate::formats::obj) const COUNT: usize = 5;
    pub(in crate::formats::obj) const WORDS: [(&'static str, Color); Color::COUNT] = [
        ("Ka", Color::Ambient),
        ("Kd", Color::Diffuse),
        ("Ks", Color::Specular),
        ("Ke", Color::Emissive),
        ("Tf", Color::Transmission),
    ];
}

/// A single value. `Tr` is read as `d`, its complement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::formats::obj) enum Value {
    Shininess,
    Refraction,
    Opacity,
    Illumination,
    Sharpness,
    Roughness,
    Metallic,
    Sheen,
    Clearcoat,
    ClearcoatRoughness,
    Anisotropy,
    AnisotropyRotation,
}

impl Value {
    pub(in crate::formats::obj) const COUNT: usize = 12;
    pub(in crate::formats::obj) const WORDS: [(&'static str, Value); Value::COUNT] = [
        ("Ns", Value::Shininess),
        ("Ni", Value::Refraction),
        ("d", Value::Opacity),
        ("illum", Value::Illumination),
        ("sharpness", Value::Sharpness),
        ("Pr", Value::Roughness),
        ("Pm", Value::Metallic),
        ("Ps", Value::Sheen),
        ("Pc", Value::Clearcoat),
        ("Pcr", Value::ClearcoatRoughness),
        ("aniso", Value::Anisotropy),
        ("anisor", Value::AnisotropyRotation),
    ];

    /// Whether a scene's material has no field for it, so that it is kept in extras.
    pub(in crate::formats::obj) fn is_extra(self) -> bool {
        use Value::*;
        !matches!(self, Shininess | Opacity | Roughness | Metallic)
    }
}

/// The purpose of a texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::formats::obj) enum Slot {
    Ambient,
    Diffuse,
    Specular,
    Emissive,
    Shininess,
    Opacity,
    Bump,
    Normal,
    Displacement,
    Decal,
    Reflection,
    Roughness,
    Metallic,
    Sheen,
    /// Roughness, metalness and occlusion in one image.
    RoughMetal,
    /// Occlusion, roughness and metalness in red, green and blue.
    OcclusionRoughMetal,
}

impl Slot {
    /// All keywords; the one that is written comes first.
    pub(in crate::formats::obj) const WORDS: [(&'static str, Slot); 22] = [
        ("map_Ka", Slot::Ambient),
        ("map_Kd", Slot::Diffuse),
        ("map_Ks", Slot::Specular),
        ("map_Ke", Slot::Emissive),
        ("map_Ns", Slot::Shininess),
        ("map_d", Slot::Opacity),
        ("map_Bump", Slot::Bump),
        ("bump", Slot::Bump),
        ("norm", Slot::Normal),
        ("map_Kn", Slot::Normal),
        ("map_norm", Slot::Normal),
        ("disp", Slot::Displacement),
        ("map_disp", Slot::Displacement),
        ("decal", Slot::Decal),
        ("map_decal", Slot::Decal),
        ("refl", Slot::Reflection),
        ("map_refl", Slot::Reflection),
        ("map_Pr", Slot::Roughness),
        ("map_Pm", Slot::Metallic),
        ("map_Ps", Slot::Sheen),
        ("map_RMA", Slot::RoughMetal),
        ("map_ORM", Slot::OcclusionRoughMetal),
    ];

    /// The keyword that is written.
    pub(in crate::formats::obj) fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(_, slot)| *slot == self).map_or("", |(word, _)| word)
    }
}

/// Looks up a keyword in a table, ignoring case.
pub(super) fn find<T: Copy>(words: &[(&'static str, T)], word: &[u8]) -> Option<T> {
    words.iter().find(|(text, _)| text.as_bytes().eq_ignore_ascii_case(word)).map(|(_, meaning)| *meaning)
}
