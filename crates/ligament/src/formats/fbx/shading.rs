//! What materials state beyond FBX's own words: custom properties that ligament writes, and understands again.

use super::import::Import;
use super::textures::Textures;
use crate::scene::{AlphaMode, Material, Pbr, Specular, TextureRef, phong_from_pbr};

pub(super) const BASE_COLOR: &str = "pbr_base_color";
pub(super) const METALLIC: &str = "pbr_metallic";
pub(super) const ROUGHNESS: &str = "pbr_roughness";
pub(super) const METALLIC_ROUGHNESS: &str = "pbr_metallic_roughness";
pub(super) const SPECULAR: &str = "pbr_specular";
pub(super) const SPECULAR_COLOR: &str = "pbr_specular_color";
pub(super) const OCCLUSION: &str = "pbr_occlusion";
pub(super) const NORMAL_STRENGTH: &str = "pbr_normal_strength";
pub(super) const EMISSIVE_STRENGTH: &str = "pbr_emissive_strength";
pub(super) const ALPHA: &str = "pbr_alpha_mode";
pub(super) const CUTOFF: &str = "pbr_alpha_cutoff";
pub(super) const DOUBLE_SIDED: &str = "pbr_double_sided";
pub(super) const UNLIT: &str = "pbr_unlit";

const ALL: [&str; 13] = [
    BASE_COLOR,
    METALLIC,
    ROUGHNESS,
    METALLIC_ROUGHNESS,
    SPECULAR,
    SPECULAR_COLOR,
    OCCLUSION,
    NORMAL_STRENGTH,
    EMISSIVE_STRENGTH,
    ALPHA,
    CUTOFF,
    DOUBLE_SIDED,
    UNLIT,
];

/// Reads the custom properties of a material that ligament wrote.
pub(super) fn read(
    source: &ufbx::Material,
    material: &mut Material,
    textures: &mut Textures,
    import: &mut Import<'_, '_, '_>,
) {
    ALL.iter().for_each(|name| drop(material.extras.shift_remove(*name)));
    let props = &source.element.props;
    let vector = |name: &str| props.find_prop(name).map(|p| p.value_vec4);
    let text = props.find_prop(ALPHA).map(|p| p.value_str.to_string());
    let mut real = |name: &str| vector(name).map(|v| import.finite.real(v.x));
    match text.as_deref() {
        Some("mask") => material.alpha = AlphaMode::Mask(real(CUTOFF).unwrap_or(0.5)),
        Some("blend") => material.alpha = AlphaMode::Blend,
        Some("opaque") => material.alpha = AlphaMode::Opaque,
        _ => {}
    }
    let is_set = |name: &str| props.find_prop(name).is_some_and(|p| p.value_int != 0);
    material.double_sided |= is_set(DOUBLE_SIDED);
    material.unlit |= is_set(UNLIT);
    if let Some(strength) = real(EMISSIVE_STRENGTH).filter(|strength| *strength > 0.0) {
        material.emissive = material.emissive.map(|value| value / strength);
        material.emissive_strength = strength;
    }
    if let (Some(strength), Some(normal)) = (real(NORMAL_STRENGTH), &mut material.normal_texture) {
        normal.strength = strength;
    }
    let occlusion = real(OCCLUSION);
    let (metallic, roughness, specular) = (real(METALLIC), real(ROUGHNESS), real(SPECULAR));
    let mut texture = |name: &str, import: &mut Import<'_, '_, '_>| -> Option<TextureRef> {
        let used = source.textures.as_ref().iter().find(|used| &*used.material_prop == name)?;
        textures.of_texture(&used.texture, import)
    };
    if let Some(mut used) = texture(OCCLUSION, import) {
        used.strength = occlusion.unwrap_or(1.0);
        material.occlusion_texture = Some(used);
    }
    let (Some(metallic), Some(roughness), Some(base)) = (metallic, roughness, vector(BASE_COLOR)) else {
        return;
    };
    let [r, g, b, a] = import.finite.vec4(base).to_array();
    let diffuse = material.phong.as_ref().and_then(|phong| phong.diffuse_texture.clone());
    let mut pbr = Pbr {
        base_color: [r, g, b, a],
        metallic,
        roughness,
        base_color_texture: texture(BASE_COLOR, import).or(diffuse),
        metallic_roughness_texture: texture(METALLIC_ROUGHNESS, import),
        specular: None,
    };
    if let (Some(factor), Some(color)) = (specular, vector(SPECULAR_COLOR)) {
        let [r, g, b, _] = import.finite.vec4(color).to_array();
        let (own, tint) = (texture(SPECULAR, import), texture(SPECULAR_COLOR, import));
        pbr.specular = Some(Specular { factor, color: [r, g, b], texture: own, color_texture: tint });
    }
    // A Phong block that says the same is only there for other programs.
    if material.phong.as_ref().is_some_and(|phong| *phong == phong_from_pbr(&pbr, material.alpha)) {
        material.phong = None;
    }
    material.pbr = Some(pbr);
}
