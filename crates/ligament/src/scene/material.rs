use super::{Extras, TextureId};

/// The appearance of a surface.
///
/// Formats describe surfaces in one of two ways, and a material can hold both: the `phong` block of classic engines and
/// the `pbr` block of glTF. An importer fills in the block that its file has. If a target needs the other one,
/// [`passes::materials`](crate::passes::materials) derives it and reports the approximation.
#[derive(Debug, Clone, PartialEq)]
pub struct Material {
    /// Name; empty if the format has none.
    pub name: String,
    /// Ambient, diffuse and specular colours, if the file has them.
    pub phong: Option<Phong>,
    /// Metallic-roughness values, if the file has them.
    pub pbr: Option<Pbr>,
    /// Tangent-space normal map; `strength` is its scale.
    pub normal_texture: Option<TextureRef>,
    /// Ambient occlusion in the red channel; `strength` is how strongly it applies.
    pub occlusion_texture: Option<TextureRef>,
    /// Emitted light, linear RGB, before `emissive_strength`.
    pub emissive: [f32; 3],
    /// Multiplies `emissive` (KHR_materials_emissive_strength); 1 if the file has none.
    pub emissive_strength: f32,
    /// Texture that multiplies `emissive`.
    pub emissive_texture: Option<TextureRef>,
    /// How alpha is used.
    pub alpha: AlphaMode,
    /// Whether back faces are drawn.
    pub double_sided: bool,
    /// Whether lights have no effect on it (KHR_materials_unlit).
    pub unlit: bool,
    /// Key-value data.
    pub extras: Extras,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            name: String::new(),
            phong: None,
            pbr: None,
            normal_texture: None,
            occlusion_texture: None,
            emissive: [0.0; 3],
            emissive_strength: 1.0,
            emissive_texture: None,
            alpha: AlphaMode::Opaque,
            double_sided: false,
            unlit: false,
            extras: Extras::new(),
        }
    }
}

impl Material {
    /// Every texture slot in use, with the slot's name in reports.
    pub fn textures(&self) -> Vec<(&'static str, &TextureRef)> {
        let mut slots: Vec<(&'static str, Option<&TextureRef>)> = vec![
            ("normal", self.normal_texture.as_ref()),
            ("occlusion", self.occlusion_texture.as_ref()),
            ("emissive", self.emissive_texture.as_ref()),
        ];
        if let Some(pbr) = &self.pbr {
            slots.push(("base colour", pbr.base_color_texture.as_ref()));
            slots.push(("metallic-roughness", pbr.metallic_roughness_texture.as_ref()));
            if let Some(specular) = &pbr.specular {
                slots.push(("specular", specular.texture.as_ref()));
                slots.push(("specular colour", specular.color_texture.as_ref()));
            }
        }
        if let Some(phong) = &self.phong {
            slots.push(("ambient", phong.ambient_texture.as_ref()));
            slots.push(("diffuse", phong.diffuse_texture.as_ref()));
            slots.push(("phong specular", phong.specular_texture.as_ref()));
            slots.push(("shininess", phong.shininess_texture.as_ref()));
            slots.push(("bump", phong.bump_texture.as_ref()));
            slots.push(("opacity", phong.opacity_texture.as_ref()));
        }
        slots.into_iter().filter_map(|(slot, texture)| Some((slot, texture?))).collect()
    }

    /// The same slots as [`textures`](Self::textures), mutable.
    pub fn textures_mut(&mut self) -> Vec<&mut Option<TextureRef>> {
        let mut slots =
            vec![&mut self.normal_texture, &mut self.occlusion_texture, &mut self.emissive_texture];
        if let Some(pbr) = &mut self.pbr {
            slots.push(&mut pbr.base_color_texture);
            slots.push(&mut pbr.metallic_roughness_texture);
            if let Some(specular) = &mut pbr.specular {
                slots.push(&mut specular.texture);
                slots.push(&mut specular.color_texture);
            }
        }
        if let Some(phong) = &mut self.phong {
            slots.push(&mut phong.ambient_texture);
            slots.push(&mut phong.diffuse_texture);
            slots.push(&mut phong.specular_texture);
            slots.push(&mut phong.shininess_texture);
            slots.push(&mut phong.bump_texture);
            slots.push(&mut phong.opacity_texture);
        }
        slots
    }
}

/// The classic block: how much of each kind of light a surface reflects. Colours are linear RGB multipliers.
#[derive(Debug, Clone, PartialEq)]
pub struct Phong {
    /// Multiplies ambient light.
    pub ambient: [f32; 3],
    /// Multiplies diffuse light.
    pub diffuse: [f32; 3],
    /// Colour of the highlight.
    pub specular: [f32; 3],
    /// Exponent of the highlight; `None` if the format has none.
    pub shininess: Option<f32>,
    /// 1 is opaque, 0 is transparent.
    pub opacity: f32,
    /// Multiplies `ambient`.
    pub ambient_texture: Option<TextureRef>,
    /// Multiplies `diffuse`.
    pub diffuse_texture: Option<TextureRef>,
    /// Multiplies `specular`.
    pub specular_texture: Option<TextureRef>,
    /// Multiplies `shininess`.
    pub shininess_texture: Option<TextureRef>,
    /// Height map.
    pub bump_texture: Option<TextureRef>,
    /// Multiplies `opacity`.
    pub opacity_texture: Option<TextureRef>,
}

impl Default for Phong {
    fn default() -> Self {
        Self {
            ambient: [1.0; 3],
            diffuse: [1.0; 3],
            specular: [0.0; 3],
            shininess: None,
            opacity: 1.0,
            ambient_texture: None,
            diffuse_texture: None,
            specular_texture: None,
            shininess_texture: None,
            bump_texture: None,
            opacity_texture: None,
        }
    }
}

/// The metallic-roughness block of glTF.
#[derive(Debug, Clone, PartialEq)]
pub struct Pbr {
    /// Linear RGBA.
    pub base_color: [f32; 4],
    /// 0 is a dielectric, 1 a metal.
    pub metallic: f32,
    /// 0 is a mirror, 1 is matte.
    pub roughness: f32,
    /// Multiplies `base_color`.
    pub base_color_texture: Option<TextureRef>,
    /// Metalness in blue, roughness in green.
    pub metallic_roughness_texture: Option<TextureRef>,
    /// KHR_materials_specular, if present.
    pub specular: Option<Specular>,
}

impl Default for Pbr {
    fn default() -> Self {
        Self {
            base_color: [1.0; 4],
            metallic: 1.0,
            roughness: 1.0,
            base_color_texture: None,
            metallic_roughness_texture: None,
            specular: None,
        }
    }
}

/// Strength and tint of a dielectric's highlight (KHR_materials_specular).
#[derive(Debug, Clone, PartialEq)]
pub struct Specular {
    /// Strength.
    pub factor: f32,
    /// Tint, linear RGB.
    pub color: [f32; 3],
    /// Multiplies `factor`, in the alpha channel.
    pub texture: Option<TextureRef>,
    /// Multiplies `color`.
    pub color_texture: Option<TextureRef>,
}

/// How a surface's alpha is used.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum AlphaMode {
    /// Alpha is ignored.
    #[default]
    Opaque,
    /// Drawn where alpha is at least the cut-off.
    Mask(f32),
    /// Blended with the background.
    Blend,
}

/// A texture as a material uses it.
#[derive(Debug, Clone, PartialEq)]
pub struct TextureRef {
    /// The texture.
    pub texture: TextureId,
    /// Index of the part's texture coordinate set that it uses.
    pub uv_set: u32,
    /// Moves, rotates and scales the coordinates (KHR_texture_transform).
    pub transform: Option<UvTransform>,
    /// Scale of a normal map or strength of occlusion; 1 elsewhere.
    pub strength: f32,
}

impl TextureRef {
    /// The texture on the first coordinate set, without a transform.
    pub fn new(texture: TextureId) -> Self {
        Self { texture, uv_set: 0, transform: None, strength: 1.0 }
    }
}

/// Offset, then rotation (counter-clockwise, radians), then scale, as KHR_texture_transform defines them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UvTransform {
    /// Added to the coordinates.
    pub offset: [f32; 2],
    /// Radians.
    pub rotation: f32,
    /// Multiplies the coordinates.
    pub scale: [f32; 2],
}
