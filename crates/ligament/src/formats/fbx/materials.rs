//! Materials: the Phong block of classic FBX, and the physical block of newer shaders.

use super::import::{Import, user_properties};
use super::numbers::rgb;
use super::textures::Textures;
use super::{codes, shading};
use crate::report::Loss;
use crate::scene::{AlphaMode, Material, Pbr, Phong, Specular, TextureRef};
use ufbx::{MaterialMap, ShaderType};

/// Creates all materials; their indices are the file's.
pub(super) fn import(import: &mut Import<'_, '_, '_>) {
    let fbx = import.fbx;
    let mut textures = Textures::new(fbx);
    for source in fbx.materials.as_ref() {
        let material = Maker { import, textures: &mut textures, source }.material();
        import.scene.materials.push(material);
    }
    let used = import.scene.textures.len();
    let all = fbx.textures.as_ref().iter().filter(|t| t.type_ == ufbx::TextureType::File).count();
    let message = "textures that no material uses are dropped";
    import.dropped(&codes::TEXTURES, "", all.saturating_sub(used), message);
}

struct Maker<'m, 'f, 's, 'r> {
    import: &'m mut Import<'f, 's, 'r>,
    textures: &'m mut Textures,
    source: &'m ufbx::Material,
}

impl Maker<'_, '_, '_, '_> {
    fn material(&mut self) -> Material {
        let source = self.source;
        let is_classic = matches!(
            source.shader_type,
            ShaderType::Unknown | ShaderType::FbxLambert | ShaderType::FbxPhong | ShaderType::BlenderPhong
        );
        let is_physical = source.features.pbr.enabled || source.shader_type == ShaderType::BlenderPhong;
        let mut material = Material {
            name: source.element.name.to_string(),
            unlit: source.features.unlit.enabled,
            double_sided: source.features.double_sided.enabled && source.features.double_sided.is_explicit,
            extras: user_properties(&source.element.props),
            ..Material::default()
        };
        if is_classic {
            self.classic(&mut material);
        }
        if is_physical {
            self.physical(&mut material, !is_classic);
        }
        shading::read(source, &mut material, self.textures, self.import);
        material
    }

    fn color(&mut self, color: &MaterialMap, factor: &MaterialMap) -> [f32; 3] {
        let factor = if factor.has_value { self.import.finite.real(factor.value_vec4.x) } else { 1.0 };
        rgb(self.import.finite.vec4(color.value_vec4)).map(|v| finite_product(v, factor))
    }

    fn real(&mut self, map: &MaterialMap, otherwise: f32) -> f32 {
        if map.has_value { self.import.finite.real(map.value_vec4.x) } else { otherwise }
    }

    fn texture(&mut self, map: &MaterialMap) -> Option<TextureRef> {
        self.textures.of(map, self.import)
    }

    fn classic(&mut self, material: &mut Material) {
        let maps = &self.source.fbx;
        let opacity = self.opacity();
        let has_highlight = self.source.shader_type != ShaderType::FbxLambert;
        let mut phong = Phong {
            ambient: self.color(&maps.ambient_color, &maps.ambient_factor),
            diffuse: self.color(&maps.diffuse_color, &maps.diffuse_factor),
            opacity,
            ambient_texture: self.texture(&maps.ambient_color),
            diffuse_texture: self.texture(&maps.diffuse_color),
            bump_texture: self.texture(&maps.bump),
            opacity_texture: self
                .texture(&maps.transparency_color)
                .or_else(|| self.texture(&maps.transparency_factor)),
            ..Phong::default()
        };
        if has_highlight {
            phong.specular = self.color(&maps.specular_color, &maps.specular_factor);
            phong.specular_texture = self.texture(&maps.specular_color);
            phong.shininess =
                maps.specular_exponent.has_value.then(|| self.real(&maps.specular_exponent, 0.0));
            phong.shininess_texture = self.texture(&maps.specular_exponent);
        }
        if phong.opacity < 1.0 || phong.opacity_texture.is_some() {
            material.alpha = AlphaMode::Blend;
        }
        material.emissive = self.color(&maps.emission_color, &maps.emission_factor);
        material.emissive_texture = self.texture(&maps.emission_color);
        material.normal_texture = self.texture(&maps.normal_map);
        material.phong = Some(phong);
        let others = [&maps.reflection_color, &maps.displacement, &maps.vector_displacement];
        self.lost_textures(&others, "reflection and displacement textures are dropped");
    }

    /// Programs state it in two ways: as `Opacity`, or as a transparent colour and a factor.
    fn opacity(&mut self) -> f32 {
        if let Some(stated) = self.source.element.props.find_prop("Opacity") {
            return self.import.finite.real(stated.value_vec4.x).clamp(0.0, 1.0);
        }
        let maps = &self.source.fbx;
        if !maps.transparency_color.has_value && !maps.transparency_factor.has_value {
            return 1.0;
        }
        let factor = self.real(&maps.transparency_factor, 1.0);
        let color = if maps.transparency_color.has_value {
            rgb(self.import.finite.vec4(maps.transparency_color.value_vec4))
        } else {
            [1.0; 3]
        };
        (1.0 - factor * color.iter().sum::<f32>() / 3.0).clamp(0.0, 1.0)
    }

    fn physical(&mut self, material: &mut Material, alone: bool) {
        let maps = &self.source.pbr;
        let features = &self.source.features;
        let [r, g, b] = self.color(&maps.base_color, &maps.base_factor);
        let alpha = self.real(&maps.opacity, 1.0).clamp(0.0, 1.0);
        let roughness = self.real(&maps.roughness, 1.0);
        let is_gloss = features.roughness_as_glossiness.enabled;
        let mut pbr = Pbr {
            base_color: [r, g, b, alpha],
            metallic: self.real(&maps.metalness, 0.0),
            roughness: if is_gloss { 1.0 - roughness } else { roughness },
            base_color_texture: self.texture(&maps.base_color),
            ..Pbr::default()
        };
        self.metallic_roughness(&mut pbr, is_gloss);
        if self.source.shader_type == ShaderType::E3DsMaxPbrSpecGloss {
            self.specular(&mut pbr);
        }
        if alone {
            material.emissive = self.color(&maps.emission_color, &maps.emission_factor);
            material.emissive_texture = self.texture(&maps.emission_color);
            material.normal_texture = self.texture(&maps.normal_map);
            material.occlusion_texture = self.texture(&maps.ambient_occlusion);
            let others = [&maps.opacity, &maps.displacement_map, &maps.coat_normal, &maps.transmission_color];
            self.lost_textures(&others, "opacity, displacement, coat and transmission textures are dropped");
        }
        if alpha < 1.0 {
            material.alpha = AlphaMode::Blend;
        }
        material.pbr = Some(pbr);
    }

    /// The scene has metalness and roughness in one image; two cannot be joined without looking at their pixels.
    fn metallic_roughness(&mut self, pbr: &mut Pbr, is_gloss: bool) {
        let maps = &self.source.pbr;
        let (metal, rough) = (self.texture(&maps.metalness), self.texture(&maps.roughness));
        match (metal, rough) {
            (Some(metal), Some(rough)) if metal == rough && !is_gloss => {
                pbr.metallic_roughness_texture = Some(metal);
            }
            (None, None) => {}
            (metal, rough) => {
                let count = usize::from(metal.is_some()) + usize::from(rough.is_some());
                let object = format!("material {:?}", &*self.source.element.name);
                let message =
                    "separate metalness and roughness images are dropped; a scene has both in one image";
                self.import.dropped(&codes::TEXTURES, &object, count, message);
            }
        }
    }

    fn specular(&mut self, pbr: &mut Pbr) {
        let maps = &self.source.pbr;
        pbr.metallic = 0.0;
        pbr.specular = Some(Specular {
            factor: 1.0,
            color: self.color(&maps.specular_color, &maps.specular_factor),
            texture: None,
            color_texture: self.texture(&maps.specular_color),
        });
        let object = format!("material {:?}", &*self.source.element.name);
        let message = "specular and glossiness became metallic-roughness values with a tinted highlight";
        let loss = Loss::approximated(&codes::SPECULAR_GLOSSINESS, object, 1, None, "units", message);
        self.import.report.loss(loss);
    }

    fn lost_textures(&mut self, maps: &[&MaterialMap], message: &str) {
        let count = maps.iter().filter(|m| m.texture.is_some() && m.texture_enabled).count();
        let object = format!("material {:?}", &*self.source.element.name);
        self.import.dropped(&codes::TEXTURES, &object, count, message);
    }
}

/// A product, limited to the 32-bit range.
fn finite_product(a: f32, b: f32) -> f32 {
    (a * b).clamp(f32::MIN, f32::MAX)
}
