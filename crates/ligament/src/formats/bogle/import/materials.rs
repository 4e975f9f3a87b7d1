//! Materials with their textures.

use super::{Import, extras};
use crate::formats::bogle::codes;
use crate::formats::bogle::document::{Material, TEXTURES};
use crate::report::{Loss, Place};
use crate::scene::{self, AlphaMode, Extras, Phong, TextureRef};
use crate::text::RawText;
use serde_json::json;

impl Import<'_> {
    pub(super) fn materials(&mut self) {
        let materials = std::mem::take(&mut self.document.materials);
        for (i, material) in materials.iter().enumerate() {
            let slots = material.textures.iter().zip(TEXTURES);
            let textures = slots.map(|(name, slot)| self.texture(name, i, slot)).collect();
            self.scene.materials.push(surface(material, textures));
        }
        self.document.materials = materials;
    }

    fn texture(&mut self, name: &RawText, material: usize, slot: &str) -> Option<TextureRef> {
        if name.is_empty() {
            return None;
        }
        let path = match crate::io::safe_relative(&format!("textures/{}.png", name.to_text())) {
            Ok(path) => path,
            Err(why) => {
                let place = Place::field(format!("materials[{material}].{slot} texture"));
                self.report.warning(&codes::TEXTURE_NAME, place, format!("{name}: {why}"));
                let object = format!("material {}", self.scene.materials.len());
                let message = format!("the {slot} texture is outside the model's folder");
                self.report.loss(Loss::dropped(&codes::TEXTURE_NAME, object, 1, message));
                return None;
            }
        };
        let new = |path: &String| self.scene.add_image_file(path, name.to_text());
        Some(TextureRef::new(*self.textures.entry(path).or_insert_with_key(new)))
    }
}

fn surface(material: &Material, textures: Vec<Option<TextureRef>>) -> scene::Material {
    let numbers = &material.numbers;
    let rgb = |[r, g, b, _]: [f32; 4]| [r, g, b];
    let alpha = match (material.blend, numbers.alpha_threshold) {
        (0, threshold) if threshold > 0.0 => AlphaMode::Mask(threshold),
        (0, _) => AlphaMode::Opaque,
        _ => AlphaMode::Blend,
    };
    let mut textures = textures.into_iter();
    let mut next = || textures.next().flatten();
    let (ambient_texture, emissive_texture, diffuse_texture, specular_texture) =
        (next(), next(), next(), next());
    let (shininess_texture, normal_texture, bump_texture, opacity_texture) = (next(), next(), next(), next());
    scene::Material {
        name: material.name.to_text(),
        phong: Some(Phong {
            ambient: rgb(material.ambient),
            diffuse: rgb(material.diffuse),
            specular: rgb(material.specular),
            shininess: Some(numbers.specular_power),
            opacity: opacity(numbers.opacity, material.diffuse[3]),
            ambient_texture,
            diffuse_texture,
            specular_texture,
            shininess_texture,
            bump_texture,
            opacity_texture,
        }),
        normal_texture,
        emissive: rgb(material.emissive),
        emissive_texture,
        alpha,
        extras: own_values(material),
        ..scene::Material::default()
    }
}

/// Combines opacities: the engine multiplies the material's opacity by the diffuse colour's alpha.
pub(in super::super) fn opacity(opacity: f32, diffuse_alpha: f32) -> f32 {
    let product = opacity * diffuse_alpha;
    if product.is_finite() { product } else { opacity }
}

/// Values that a scene's material cannot hold, where they differ from what the exporter always writes.
fn own_values(material: &Material) -> Extras {
    let numbers = &material.numbers;
    let mut own = Vec::new();
    for (key, value, usual) in [
        ("ambient_alpha", material.ambient[3], 1.0),
        ("emissive_alpha", material.emissive[3], 1.0),
        ("diffuse_alpha", material.diffuse[3], 1.0),
        ("specular_alpha", material.specular[3], 1.0),
        ("reflectance", numbers.reflectance, 0.0),
        ("refraction", numbers.refraction, 0.0),
        ("refractive_index", numbers.refractive_index, 1.0),
        ("bump_intensity", numbers.bump_intensity, 1.0),
        ("specular_scale", numbers.specular_scale, 1.0),
        ("alpha_threshold", numbers.alpha_threshold, 0.0),
    ] {
        if value != usual {
            own.push((key, json!(value)));
        }
    }
    if material.diffuse[3] != 1.0 {
        own.push(("opacity", json!(numbers.opacity)));
    }
    if material.shader != 0 {
        own.push(("shader", json!(material.shader)));
    }
    if material.blend > 1 {
        own.push(("blend", json!(material.blend)));
    }
    extras(own)
}
