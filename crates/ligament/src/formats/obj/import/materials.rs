//! Materials and textures. See the [table](crate::formats::obj) of what each line is converted to.

use super::KEY;
use crate::formats::obj::codes;
use crate::formats::obj::color::finite;
use crate::formats::obj::document::Model;
use crate::formats::obj::look::phong_beside;
use crate::formats::obj::mtl::{self, Color, Map, Slot, Value};
use crate::report::{Loss, Report};
use crate::scene::{
    AlphaMode, Extras, Image, ImageData, ImageId, Material, Pbr, Phong, Sampler, Scene, Texture, TextureId,
    TextureRef, UvTransform, Wrap,
};
use serde_json::{Value as Json, json};
use std::collections::HashMap;

/// Adds the materials that the model uses, in order of first use.
pub(super) fn materials(model: &Model, scene: &mut Scene, report: &mut Report) {
    let mut defined: HashMap<_, &mtl::Material> = HashMap::new();
    for material in model.libraries.iter().flat_map(|library| &library.materials) {
        defined.entry(&material.name).or_insert(material);
    }
    let mut textures = Textures::default();
    for name in &model.materials {
        let material = match defined.get(name) {
            Some(material) => look(material, scene, &mut textures, report),
            None => Material { phong: Some(Phong::default()), ..Material::default() },
        };
        scene.materials.push(Material { name: name.to_text(), ..material });
    }
}

/// Textures that are already in the scene.
#[derive(Default)]
struct Textures {
    images: HashMap<String, ImageId>,
    textures: HashMap<(ImageId, bool), TextureId>,
}

impl Textures {
    fn of(&mut self, map: &Map, scene: &mut Scene) -> Option<TextureRef> {
        let path = map.path.clone()?;
        let image = *self.images.entry(path).or_insert_with_key(|path| {
            let data = ImageData::File(path.clone());
            scene.images.push(Image { name: String::new(), data, extras: Extras::new() });
            ImageId::new(scene.images.len() - 1)
        });
        let texture = *self.textures.entry((image, map.clamp)).or_insert_with(|| {
            let wrap = if map.clamp { Wrap::Clamp } else { Wrap::Repeat };
            let sampler = Sampler { wrap_u: wrap, wrap_v: wrap, ..Sampler::default() };
            scene.textures.push(Texture { sampler, ..Texture::new(image) });
            TextureId::new(scene.textures.len() - 1)
        });
        Some(TextureRef { transform: transform(map), ..TextureRef::new(texture) })
    }
}

/// Converts offset and scale from V up to V down: `1 − (s · (1 − v) + o) = s · v + (1 − s − o)`.
fn transform(map: &Map) -> Option<UvTransform> {
    let (scale, offset) = ([map.scale[0], map.scale[1]], [map.offset[0], map.offset[1]]);
    let moves = scale != [1.0; 2] || offset != [0.0; 2];
    let down = finite(1.0 - f64::from(scale[1]) - f64::from(offset[1]));
    moves.then_some(UvTransform { offset: [offset[0], down], rotation: 0.0, scale })
}

fn look(from: &mtl::Material, scene: &mut Scene, textures: &mut Textures, report: &mut Report) -> Material {
    let mut texture = |slot: Slot| from.map(slot).and_then(|map| textures.of(map, scene));
    let default = Phong::default();
    let is_pbr = from.is_pbr();
    let bump = texture(Slot::Bump).zip(from.map(Slot::Bump));
    let mut bump_texture = bump.map(|(bump, map)| TextureRef { strength: map.bump, ..bump });
    let normal = texture(Slot::Normal).zip(from.map(Slot::Normal));
    let mut normal_texture = normal.map(|(normal, map)| TextureRef { strength: map.bump, ..normal });
    if is_pbr && normal_texture.is_none() {
        // The bump map that Blender writes with these values is a normal map.
        normal_texture = bump_texture.take();
    }
    // The matte of the colour's own image is its alpha.
    let is_matte = from.map(Slot::Opacity).is_some_and(|map| {
        map.channel == Some(b'm') && from.map(Slot::Diffuse).is_some_and(|color| color.path == map.path)
    });
    let opacity = from.value(Value::Opacity).unwrap_or(1.0).clamp(0.0, 1.0);
    let phong = Phong {
        ambient: from.color(Color::Ambient).unwrap_or(default.ambient),
        diffuse: from.color(Color::Diffuse).unwrap_or(default.diffuse),
        specular: from.color(Color::Specular).unwrap_or(default.specular),
        shininess: from.value(Value::Shininess),
        opacity,
        ambient_texture: texture(Slot::Ambient),
        diffuse_texture: texture(Slot::Diffuse),
        specular_texture: texture(Slot::Specular),
        shininess_texture: texture(Slot::Shininess),
        bump_texture,
        opacity_texture: texture(Slot::Opacity).filter(|_| !is_matte),
    };
    let alpha = match opacity < 1.0 || is_matte || phong.opacity_texture.is_some() {
        true => AlphaMode::Blend,
        false => AlphaMode::Opaque,
    };
    let packed = texture(Slot::OcclusionRoughMetal);
    let apart = is_packed(from).then(|| texture(Slot::Roughness)).flatten();
    let pbr = is_pbr.then(|| pbr(from, &phong, apart.or_else(|| packed.clone())));
    let emissive_texture = texture(Slot::Emissive);
    let emissive = if emissive_texture.is_some() { [1.0; 3] } else { [0.0; 3] };
    report_features(from, report);
    Material {
        // Leaves out a Phong block that is only derived from the metallic-roughness block.
        phong: Some(phong)
            .filter(|phong| !pbr.as_ref().is_some_and(|pbr| *phong == phong_beside(pbr, alpha))),
        pbr,
        normal_texture,
        occlusion_texture: packed,
        emissive: from.color(Color::Emissive).unwrap_or(emissive),
        emissive_texture,
        alpha,
        unlit: from.value(Value::Illumination) == Some(0.0),
        extras: extras(from),
        ..Material::default()
    }
}

/// Whether roughness and metalness are in one image, in green and blue as in glTF.
fn is_packed(from: &mtl::Material) -> bool {
    let (roughness, metallic) = (from.map(Slot::Roughness), from.map(Slot::Metallic));
    let channels = [roughness, metallic].map(|map| map.and_then(|m| m.channel));
    roughness.zip(metallic).is_some_and(|(r, m)| r.path == m.path) && channels == [Some(b'g'), Some(b'b')]
}

fn pbr(from: &mtl::Material, phong: &Phong, texture: Option<TextureRef>) -> Pbr {
    let [r, g, b] = phong.diffuse;
    let value = |value: Value| from.value(value).map(|v| v.clamp(0.0, 1.0));
    let shiny = || phong.shininess.map(|n| (2.0 / (f64::from(n.max(0.0)) + 2.0)).sqrt() as f32);
    let factor = if texture.is_some() { 1.0 } else { 0.0 };
    Pbr {
        base_color: [r, g, b, phong.opacity],
        metallic: value(Value::Metallic).unwrap_or(factor),
        roughness: value(Value::Roughness).or_else(shiny).unwrap_or(1.0),
        base_color_texture: phong.diffuse_texture.clone(),
        metallic_roughness_texture: texture,
        specular: None,
    }
}

/// Values that a scene's material has no fields for, under the file's keywords.
fn extras(from: &mtl::Material) -> Extras {
    let mut values = serde_json::Map::new();
    for value in Value::ALL.into_iter().filter(|value| value.is_extra()) {
        // These follow from the other values.
        let follows = |v: &f32| value == Value::Illumination && [0.0, 1.0, 2.0].contains(v);
        if let Some(v) = from.value(value).filter(|v| !follows(v)) {
            values.insert(value.word().to_owned(), json!(v));
        }
    }
    if let Some(filter) = from.color(Color::Transmission) {
        values.insert("Tf".to_owned(), json!(filter));
    }
    if values.is_empty() {
        Extras::new()
    } else {
        Extras::from_iter([(KEY.to_owned(), Json::Object(values))])
    }
}

fn report_features(from: &mtl::Material, report: &mut Report) {
    let mut lost: Vec<String> = Vec::new();
    let never = [Slot::Displacement, Slot::Decal, Slot::Reflection, Slot::Sheen, Slot::RoughMetal];
    let apart = [Slot::Roughness, Slot::Metallic];
    let unpacked = if is_packed(from) { &[][..] } else { &apart };
    let gone = never.iter().chain(unpacked).filter(|slot| from.map(**slot).is_some());
    lost.extend(gone.map(|slot| slot.word().to_owned()));
    lost.extend(from.maps.iter().filter(|(_, map)| map.path.is_none()).map(|(_, map)| map.file.to_string()));
    if from.maps.iter().any(|(_, map)| map.others > 0) {
        lost.push("texture options".to_owned());
    }
    let message = format!("a scene's materials cannot hold: {}", lost.join(", "));
    report.loss(Loss::dropped(&codes::MATERIAL, format!("material {}", from.name), lost.len(), message));
}
