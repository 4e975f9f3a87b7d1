//! Materials, with the Phong block that ligament may have stored beside glTF's own values.

use super::super::extensions::OF_OBJECT;
use super::super::json::{self, plain};
use super::super::{EMISSIVE_STRENGTH, SPECULAR, TEXTURE_TRANSFORM, UNLIT, codes, json_error};
use super::Import;
use super::extras::{Marks, number, numbers, split};
use crate::scene::{AlphaMode, Material, Pbr, Phong, Scene, Specular, TextureId, TextureRef, UvTransform};
use serde_json::Value;
use std::fmt::{Arguments, Display};

impl Import<'_, '_, '_> {
    pub(super) fn materials(&mut self, scene: &mut Scene) {
        let root = self.root;
        for (index, source) in root.materials.iter().enumerate() {
            let path = format_args!("materials[{index}]");
            let mut material = self.material(source, path, scene);
            if let Some(shading) = self.shading(source) {
                material.pbr = material.pbr.filter(|_| source.pbr_metallic_roughness.is_some());
                self.shade(&shading, &mut material, path, index);
            }
            scene.materials.push(material);
        }
    }

    fn material(&mut self, source: &json::Material, path: Arguments<'_>, scene: &Scene) -> Material {
        let (mut extras, marks) = split(&source.extras);
        self.keep_extensions(&source.extensions, OF_OBJECT, &mut extras);
        let pbr = self.pbr(source, path);
        let pbr = self.glossy(source, path).unwrap_or(pbr);
        let strength = json::extension(&source.extensions, EMISSIVE_STRENGTH);
        let strength = strength.and_then(|v| v.get("emissiveStrength")).and_then(number);
        let alpha = match source.alpha_mode.as_deref() {
            None | Some("OPAQUE") => AlphaMode::Opaque,
            Some("MASK") => AlphaMode::Mask(source.alpha_cutoff.map_or(0.5, |c| c.0)),
            Some("BLEND") => AlphaMode::Blend,
            Some(other) => {
                let message = format!("{other:?} is not OPAQUE, MASK or BLEND; OPAQUE is used");
                self.warning(&codes::VALUE, format_args!("{path}.alphaMode"), message);
                AlphaMode::Opaque
            }
        };
        let phong = self.phong(&marks, &pbr, path, scene);
        let had_no_pbr = phong.is_some() && marks.get("pbr").is_some_and(|v| v == false);
        Material {
            name: source.name.clone(),
            phong,
            normal_texture: self.texture(source.normal_texture.as_deref(), path, "normalTexture"),
            occlusion_texture: self.texture(source.occlusion_texture.as_deref(), path, "occlusionTexture"),
            emissive: source.emissive_factor.map_or([0.0; 3], plain),
            emissive_strength: strength.or(marks.get("emissive_strength").and_then(number)).unwrap_or(1.0),
            emissive_texture: self.texture(source.emissive_texture.as_deref(), path, "emissiveTexture"),
            alpha,
            double_sided: source.double_sided,
            unlit: json::extension(&source.extensions, UNLIT).is_some(),
            extras,
            pbr: (!had_no_pbr).then_some(pbr),
        }
    }

    fn pbr(&mut self, source: &json::Material, path: Arguments<'_>) -> Pbr {
        let mut pbr = Pbr::default();
        if let Some(block) = source.pbr_metallic_roughness.as_deref() {
            let path = format_args!("{path}.pbrMetallicRoughness");
            pbr.base_color = block.base_color_factor.map_or([1.0; 4], plain);
            pbr.metallic = block.metallic_factor.map_or(1.0, |v| v.0);
            pbr.roughness = block.roughness_factor.map_or(1.0, |v| v.0);
            pbr.base_color_texture =
                self.texture(block.base_color_texture.as_ref(), path, "baseColorTexture");
            let texture = block.metallic_roughness_texture.as_ref();
            pbr.metallic_roughness_texture = self.texture(texture, path, "metallicRoughnessTexture");
        }
        let path = format_args!("{path}.extensions.{SPECULAR}");
        match json::typed_extension::<json::Specular>(&source.extensions, SPECULAR) {
            Ok(specular) => pbr.specular = specular.map(|s| self.specular(&s, path)),
            Err(error) => self.error(&codes::JSON, path, json_error::message(&error)),
        }
        pbr
    }

    fn specular(&mut self, source: &json::Specular, path: Arguments<'_>) -> Specular {
        Specular {
            factor: source.specular_factor.map_or(1.0, |v| v.0),
            color: source.specular_color_factor.map_or([1.0; 3], plain),
            texture: self.texture(source.specular_texture.as_ref(), path, "specularTexture"),
            color_texture: self.texture(source.specular_color_texture.as_ref(), path, "specularColorTexture"),
        }
    }

    /// Takes a displayable path of the object that has the texture, so that it is formatted only for an actual message.
    pub(super) fn texture(
        &mut self,
        info: Option<&json::TextureInfo>,
        path: impl Display,
        field: &str,
    ) -> Option<TextureRef> {
        let info = info?;
        let path = format_args!("{path}.{field}");
        let textures = self.root.textures.len();
        let Some(index) = self.index(info.index, textures, format_args!("{path}.index"), "texture") else {
            if info.index.is_none() {
                self.error(&codes::VALUE, path, "index is missing");
            }
            return None;
        };
        let transform = json::typed_extension::<json::TextureTransform>(&info.extensions, TEXTURE_TRANSFORM);
        let transform = match transform {
            Ok(transform) => transform,
            Err(error) => {
                let path = format_args!("{path}.extensions.{TEXTURE_TRANSFORM}");
                return self.fault(&codes::JSON, path, json_error::message(&error));
            }
        };
        let moved_set = transform.as_ref().and_then(|t| t.tex_coord);
        Some(TextureRef {
            texture: TextureId::new(self.texture_id(index)?),
            uv_set: moved_set.or(info.tex_coord).unwrap_or(0),
            transform: transform.map(|t| UvTransform {
                offset: t.offset.map_or([0.0; 2], plain),
                rotation: t.rotation.map_or(0.0, |v| v.0),
                scale: t.scale.map_or([1.0; 2], plain),
            }),
            strength: info.scale.or(info.strength).map_or(1.0, |v| v.0),
        })
    }

    /// The stored Phong block, unless the material's base colour was changed after it was stored.
    fn phong(&mut self, marks: &Marks, pbr: &Pbr, path: Arguments<'_>, scene: &Scene) -> Option<Phong> {
        let stored = marks.get("phong")?;
        let written: Option<[f32; 4]> = numbers(marks.get("base_color"));
        let textured = marks.get("textured").and_then(Value::as_bool);
        let is_near =
            |written: [f32; 4]| written.iter().zip(pbr.base_color).all(|(a, b)| (a - b).abs() <= 1e-4);
        if !written.is_some_and(is_near) || textured != Some(pbr.base_color_texture.is_some()) {
            let message =
                "the base colour was edited after the Phong values were stored; they are not restored";
            self.warning(&codes::EDITED_MATERIAL, path, message);
            return None;
        }
        let default = Phong::default();
        let texture = |key: &str| stored_texture(stored.get(key)?, pbr, scene);
        Some(Phong {
            ambient: numbers(stored.get("ambient")).unwrap_or(default.ambient),
            diffuse: numbers(stored.get("diffuse")).unwrap_or(default.diffuse),
            specular: numbers(stored.get("specular")).unwrap_or(default.specular),
            shininess: stored.get("shininess").and_then(number),
            opacity: stored.get("opacity").and_then(number).unwrap_or(default.opacity),
            ambient_texture: texture("ambient_texture"),
            diffuse_texture: texture("diffuse_texture"),
            specular_texture: texture("specular_texture"),
            shininess_texture: texture("shininess_texture"),
            bump_texture: texture("bump_texture"),
            opacity_texture: texture("opacity_texture"),
        })
    }
}

/// A texture in the form that the writer stored: `"base_color"`, or its index and how it is used.
fn stored_texture(value: &Value, pbr: &Pbr, scene: &Scene) -> Option<TextureRef> {
    if value == "base_color" {
        return pbr.base_color_texture.clone();
    }
    let index = value.get("index")?.as_u64().filter(|&i| (i as usize) < scene.textures.len())?;
    let mut texture = TextureRef::new(TextureId::new(index as usize));
    texture.uv_set =
        value.get("uv_set").and_then(Value::as_u64).and_then(|v| u32::try_from(v).ok()).unwrap_or(0);
    texture.strength = value.get("strength").and_then(number).unwrap_or(1.0);
    texture.transform = value.get("transform").and_then(|t| {
        Some(UvTransform {
            offset: numbers(t.get("offset"))?,
            rotation: number(t.get("rotation")?)?,
            scale: numbers(t.get("scale"))?,
        })
    });
    Some(texture)
}
