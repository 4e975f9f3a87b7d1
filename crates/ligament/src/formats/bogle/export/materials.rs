//! Materials, and the names of their textures.

use super::{Export, finite, own, own_number};
use crate::formats::bogle::codes;
use crate::formats::bogle::document::{Material, MaterialNumbers, TEXTURES};
use crate::formats::bogle::import::opacity;
use crate::report::Loss;
use crate::scene::{self, AlphaMode, ImageData, Phong, TextureRef, Wrap};
use crate::text::RawText;

impl Export<'_> {
    pub(super) fn materials(&mut self) {
        let mut materials = std::mem::take(&mut self.scene.materials);
        if self.scene.meshes.iter().flat_map(|m| &m.parts).any(|part| part.material.is_none()) {
            let phong = Some(Phong::default());
            materials.push(scene::Material { name: "default".into(), phong, ..scene::Material::default() });
        }
        self.document.materials = materials.iter().map(|material| self.material(material)).collect();
    }

    fn material(&mut self, material: &scene::Material) -> Material {
        let phong = material.phong.clone().unwrap_or_default();
        let number = |key: &str, usual: f32| own_number(&material.extras, key).unwrap_or(usual);
        let color = |[r, g, b]: [f32; 3], alpha: &str| [r, g, b, number(alpha, 1.0)];
        let mut emissive = material.emissive;
        if material.emissive_strength != 1.0 {
            emissive = emissive.map(|v| finite(v * material.emissive_strength));
        }
        let mut diffuse = color(phong.diffuse, "diffuse_alpha");
        // The file's own two factors, if their product is still what the scene has.
        let own_opacity =
            own_number(&material.extras, "opacity").filter(|&o| opacity(o, diffuse[3]) == phong.opacity);
        if own_opacity.is_none() {
            diffuse[3] = 1.0;
        }
        let (blend, alpha_threshold) = match material.alpha {
            AlphaMode::Opaque => (0, 0.0),
            AlphaMode::Mask(threshold) => (0, threshold),
            AlphaMode::Blend => (1, number("alpha_threshold", 0.0)),
        };
        let own_byte =
            |key: &str| own(&material.extras, key).and_then(|v| v.as_u64()).map(|v| v.min(255) as u8);
        let textures = self.textures(material, &phong);
        Material {
            shader: own_byte("shader").unwrap_or(0),
            name: material.name.as_str().into(),
            ambient: color(phong.ambient, "ambient_alpha"),
            emissive: color(emissive, "emissive_alpha"),
            diffuse,
            specular: color(phong.specular, "specular_alpha"),
            numbers: MaterialNumbers {
                opacity: own_opacity.unwrap_or(phong.opacity),
                specular_power: phong.shininess.unwrap_or(0.0),
                reflectance: number("reflectance", 0.0),
                refraction: number("refraction", 0.0),
                refractive_index: number("refractive_index", 1.0),
                bump_intensity: number("bump_intensity", 1.0),
                specular_scale: number("specular_scale", 1.0),
                alpha_threshold,
            },
            blend: if blend == 1 { own_byte("blend").filter(|&b| b > 0).unwrap_or(1) } else { 0 },
            textures,
        }
    }

    fn textures(&mut self, material: &scene::Material, phong: &Phong) -> [RawText; 8] {
        let slots: [&Option<TextureRef>; 8] = [
            &phong.ambient_texture,
            &material.emissive_texture,
            &phong.diffuse_texture,
            &phong.specular_texture,
            &phong.shininess_texture,
            &material.normal_texture,
            &phong.bump_texture,
            &phong.opacity_texture,
        ];
        let mut names: [RawText; 8] = Default::default();
        for ((name, slot), word) in names.iter_mut().zip(slots).zip(TEXTURES) {
            if let Some(texture) = slot {
                *name = self.texture(material, texture, word);
            }
        }
        // The two are mutually exclusive, and the engine prefers the normal texture.
        if !names[5].is_empty() && !names[6].is_empty() {
            let object = format!("material {:?}", material.name);
            let message =
                "a material has a normal or a bump texture, not both; the engine uses the normal texture";
            self.report.loss(Loss::kept(&codes::NORMAL_AND_BUMP, object, 1, message));
        }
        names
    }

    /// The texture's NAME, which the engine looks up as `textures/NAME.png`.
    fn texture(&mut self, material: &scene::Material, reference: &TextureRef, slot: &str) -> RawText {
        let texture = &self.scene.textures[reference.texture.index()];
        let image = &self.scene.images[texture.image.index()];
        let object = format!("material {:?}", material.name);
        let path = match &image.data {
            ImageData::File(path) => path.clone(),
            ImageData::Embedded { .. } => image.file_name(),
        };
        let stem = path.strip_suffix(".png");
        let repeats = texture.sampler.wrap_u == Wrap::Repeat && texture.sampler.wrap_v == Wrap::Repeat;
        let features = [
            (reference.transform.is_some(), "its transform"),
            (reference.uv_set != 0, "its own coordinates"),
            (reference.strength != 1.0, "its strength"),
            (!repeats, "its wrapping"),
            (stem.is_none(), "its file type (BOGLE loads only .png)"),
        ];
        let changed: Vec<_> = features.into_iter().filter(|(is, _)| *is).map(|(_, what)| what).collect();
        let message = format!("the {slot} texture {path:?} loses {}", changed.join(", "));
        self.report.loss(Loss::dropped(&codes::TEXTURE, object, changed.len(), message));
        let stem = stem.unwrap_or_else(|| path.rsplit_once('.').map_or(&*path, |(stem, _)| stem));
        match stem.strip_prefix("textures/") {
            Some(name) => name.into(),
            // An image outside the folder `textures` is still in the model's folder.
            None => format!("../{stem}").into(),
        }
    }
}
