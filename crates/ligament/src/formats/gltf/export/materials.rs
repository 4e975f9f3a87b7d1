//! Materials, with the Phong block in extras.

use super::super::extensions::OF_OBJECT;
use super::super::json::{self, Num, nums};
use super::super::{EMISSIVE_STRENGTH, SPECULAR, TEXTURE_TRANSFORM, UNLIT, codes};
use super::{Export, extensions, extras};
use crate::scene::{AlphaMode, Material, Pbr, Phong, Scene, Specular, TextureRef};
use serde_json::{Map, Value, json};

/// A texture slot, by the extra factor that glTF stores with it.
#[derive(Clone, Copy, PartialEq)]
enum Slot {
    Plain,
    Normal,
    Occlusion,
}

impl Export<'_> {
    pub(super) fn materials(&mut self, scene: &mut Scene) {
        for (index, material) in std::mem::take(&mut scene.materials).into_iter().enumerate() {
            let object = crate::report::label("material", &material.name, index);
            let written = self.material(material, &object);
            self.root.materials.push(written);
        }
    }

    fn material(&mut self, mut material: Material, object: &str) -> json::Material {
        let stated = material.pbr.take();
        // Without values of its own, a surface is white and matt; glTF's default, a metal, would look dark.
        let pbr = stated.clone().unwrap_or(Pbr { metallic: 0.0, ..Pbr::default() });
        let mut changed = 0;
        let mut unit = |value: f32| {
            let clamped = value.clamp(0.0, 1.0);
            changed += usize::from(clamped != value);
            clamped
        };
        let base_color = pbr.base_color.map(&mut unit);
        let (metallic, roughness) = (unit(pbr.metallic), unit(pbr.roughness));
        // Emission above one goes into the strength.
        let brightest = material.emissive.iter().fold(1.0_f32, |m, &v| m.max(v));
        let emissive = material.emissive.map(|v| unit(v / brightest));
        let strength = material.emissive_strength.max(0.0) * brightest;
        let message = "colours and factors outside 0..1 were clamped";
        self.approximated(&codes::RANGES, object, changed, message);

        let mut extensions = Map::new();
        let mut marks = Map::new();
        let is_lit = emissive.iter().any(|&v| v > 0.0);
        if strength != 1.0 && is_lit {
            extensions.insert(EMISSIVE_STRENGTH.to_owned(), json!({ "emissiveStrength": Num(strength) }));
        } else if strength != 1.0 {
            marks.insert("emissive_strength".to_owned(), json!(strength));
        }
        if material.unlit {
            extensions.insert(UNLIT.to_owned(), json!({}));
        }
        if let Some(specular) = &pbr.specular {
            let specular = self.specular(specular, object);
            extensions.insert(SPECULAR.to_owned(), json!(specular));
        }
        for name in [EMISSIVE_STRENGTH, UNLIT, SPECULAR] {
            if extensions.contains_key(name) {
                self.extensions.insert(name);
            }
        }
        if let Some(phong) = &material.phong {
            marks.insert("phong".to_owned(), noted(phong, &pbr));
            marks.insert("base_color".to_owned(), json!(base_color));
            marks.insert("textured".to_owned(), json!(pbr.base_color_texture.is_some()));
            if stated.is_none() {
                marks.insert("pbr".to_owned(), json!(false));
            }
            self.kept(&codes::IN_EXTRAS, "materials", 1, "the Phong values are kept in extras");
        }
        let not = |value: f32, default: f32| (value != default).then_some(Num(value));
        let block = json::Pbr {
            base_color_factor: (base_color != [1.0; 4]).then(|| nums(base_color)),
            base_color_texture: self.texture(pbr.base_color_texture.as_ref(), Slot::Plain),
            metallic_factor: not(metallic, 1.0),
            roughness_factor: not(roughness, 1.0),
            metallic_roughness_texture: self.texture(pbr.metallic_roughness_texture.as_ref(), Slot::Plain),
            ..json::Pbr::default()
        };
        let (alpha_mode, alpha_cutoff) = match material.alpha {
            AlphaMode::Opaque => (None, None),
            AlphaMode::Mask(cutoff) => (Some("MASK".to_owned()), not(cutoff.max(0.0), 0.5)),
            AlphaMode::Blend => (Some("BLEND".to_owned()), None),
        };
        let kept = extensions::kept(&mut material.extras, OF_OBJECT);
        let mut extensions = (!extensions.is_empty()).then(|| Box::new(extensions));
        extensions::add(&mut extensions, kept);
        let boxed = |t: Option<json::TextureInfo>| t.map(Box::new);
        json::Material {
            name: material.name,
            pbr_metallic_roughness: Some(Box::new(block)),
            normal_texture: boxed(self.texture(material.normal_texture.as_ref(), Slot::Normal)),
            occlusion_texture: boxed(self.texture(material.occlusion_texture.as_ref(), Slot::Occlusion)),
            emissive_texture: boxed(self.texture(material.emissive_texture.as_ref(), Slot::Plain)),
            emissive_factor: is_lit.then(|| nums(emissive)),
            alpha_mode,
            alpha_cutoff,
            double_sided: material.double_sided,
            values: None,
            shading: None,
            extensions,
            extras: extras::join(material.extras, marks),
        }
    }

    fn specular(&mut self, specular: &Specular, object: &str) -> json::Specular {
        let factor = specular.factor.clamp(0.0, 1.0);
        let color = specular.color.map(|c| c.max(0.0));
        let changed = usize::from(factor != specular.factor || color != specular.color);
        self.approximated(&codes::RANGES, object, changed, "the specular factor was clamped to 0..1");
        json::Specular {
            specular_factor: (factor != 1.0).then_some(Num(factor)),
            specular_texture: self.texture(specular.texture.as_ref(), Slot::Plain),
            specular_color_factor: (color != [1.0; 3]).then(|| nums(color)),
            specular_color_texture: self.texture(specular.color_texture.as_ref(), Slot::Plain),
        }
    }

    fn texture(&mut self, texture: Option<&TextureRef>, slot: Slot) -> Option<json::TextureInfo> {
        let texture = texture?;
        let mut info = json::TextureInfo {
            index: Some(texture.texture.0),
            tex_coord: (texture.uv_set > 0).then_some(texture.uv_set),
            ..json::TextureInfo::default()
        };
        let strength = (texture.strength != 1.0).then_some(Num(texture.strength));
        match slot {
            Slot::Plain => {}
            Slot::Normal => info.scale = strength,
            Slot::Occlusion => info.strength = strength.map(|s| Num(s.0.clamp(0.0, 1.0))),
        }
        if let Some(t) = &texture.transform {
            let written = json::TextureTransform {
                offset: (t.offset != [0.0; 2]).then(|| nums(t.offset)),
                rotation: (t.rotation != 0.0).then_some(Num(t.rotation)),
                scale: (t.scale != [1.0; 2]).then(|| nums(t.scale)),
                tex_coord: None,
            };
            info.extensions = json::one_extension(TEXTURE_TRANSFORM, json!(written));
            self.extensions.insert(TEXTURE_TRANSFORM);
        }
        Some(info)
    }
}

/// The Phong block in the form that the reader restores. The base colour texture is referred to by its slot, so that
/// the reference survives programs that renumber textures.
fn noted(phong: &Phong, pbr: &Pbr) -> Value {
    let mut note = json!({
        "ambient": phong.ambient,
        "diffuse": phong.diffuse,
        "specular": phong.specular,
        "opacity": phong.opacity,
    });
    if let Some(shininess) = phong.shininess {
        note["shininess"] = json!(shininess);
    }
    for (key, texture) in [
        ("ambient_texture", &phong.ambient_texture),
        ("diffuse_texture", &phong.diffuse_texture),
        ("specular_texture", &phong.specular_texture),
        ("shininess_texture", &phong.shininess_texture),
        ("bump_texture", &phong.bump_texture),
        ("opacity_texture", &phong.opacity_texture),
    ] {
        if texture.is_some() && *texture == pbr.base_color_texture {
            note[key] = json!("base_color");
        } else if let Some(texture) = texture {
            note[key] = json!({
                "index": texture.texture.0,
                "uv_set": texture.uv_set,
                "strength": texture.strength,
            });
            if let Some(t) = &texture.transform {
                note[key]["transform"] =
                    json!({ "offset": t.offset, "rotation": t.rotation, "scale": t.scale });
            }
        }
    }
    note
}
