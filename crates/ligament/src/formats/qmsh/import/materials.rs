//! Materials: a name in the original format, textures and a highlight in later ones.

use super::{Import, own_extras};
use crate::formats::qmsh::codes;
use crate::formats::qmsh::document::{Document, Submesh, Version, text};
use crate::report::{Loss, Place};
use crate::scene::{Extras, Material, MaterialId, Phong, TextureRef};
use crate::text::RawText;
use serde_json::json;

/// Everything that defines a material: its name, texture, highlight and maps, with numbers as their bits.
pub(super) type Look = (String, [RawText; 3], [u32; 8]);

fn look(submesh: &Submesh, name: String) -> Look {
    let [r, g, b] = submesh.specular_color.map(f32::to_bits);
    let [strength, color] = submesh.specular_factors.map(f32::to_bits);
    let (intensity, normal) = (submesh.specular_intensity.to_bits(), submesh.normal_factor.to_bits());
    let textures = [&submesh.material, &submesh.normal_map, &submesh.specular_map].map(RawText::clone);
    (name, textures, [r, g, b, intensity, submesh.specular_hardness.cast_unsigned(), normal, strength, color])
}

impl Import<'_> {
    /// Returns the material of a submesh; submeshes with equal materials share it.
    pub(super) fn material(
        &mut self,
        document: &Document,
        submesh: &Submesh,
        object: &str,
    ) -> Option<MaterialId> {
        let original = document.version == Version::Original;
        if original && submesh.material.is_empty() {
            return None;
        }
        let name = if original { text(&submesh.material) } else { material_name(submesh, object) };
        let look = look(submesh, name.clone());
        if let Some(&known) = self.materials.get(&look) {
            return Some(known);
        }
        let material = if original {
            Material { name, phong: Some(Phong::default()), ..Material::default() }
        } else {
            self.textured(document, submesh, name)
        };
        let id = MaterialId::push(&mut self.scene.materials, material);
        self.materials.insert(look, id);
        Some(id)
    }

    fn textured(&mut self, document: &Document, submesh: &Submesh, name: String) -> Material {
        let diffuse_texture = self.texture(&submesh.material, "diffuse");
        let mut normal_texture = self.texture(&submesh.normal_map, "normal");
        if let Some(map) = &mut normal_texture {
            map.strength = submesh.normal_factor;
        }
        let specular_texture = self.texture(&submesh.specular_map, "specular");
        let mut phong = Phong { diffuse_texture, specular_texture, ..Phong::default() };
        if document.version.since(18) {
            phong.specular = submesh.specular_color.map(|c| finite(c * submesh.specular_intensity));
            phong.shininess = Some(submesh.specular_hardness.max(0) as f32);
        }
        let mut extras = Extras::new();
        if phong.specular_texture.is_some() && submesh.specular_factors != [1.0; 2] {
            extras = own_extras(json!({ "specular_factors": submesh.specular_factors }));
        }
        Material { name, phong: Some(phong), normal_texture, extras, ..Material::default() }
    }

    fn texture(&mut self, name: &RawText, slot: &str) -> Option<TextureRef> {
        if name.is_empty() {
            return None;
        }
        let path = match crate::io::safe_relative(&text(name)) {
            Ok(path) => path,
            Err(why) => {
                let place = Place::field(format!("{slot} texture"));
                self.report.warning(&codes::TEXTURE_NAME, place, format!("{name}: {why}"));
                let message = format!("a {slot} texture is outside the model's folder");
                self.report.loss(Loss::dropped(&codes::TEXTURE_NAME, "", 1, message));
                return None;
            }
        };
        let new = |path: &String| self.scene.add_image_file(path, String::new());
        Some(TextureRef::new(*self.textures.entry(path).or_insert_with_key(new)))
    }
}

/// The part of the submesh's name after the object's, or else the texture's file name without folder and extension.
fn material_name(submesh: &Submesh, object: &str) -> String {
    let name = text(&submesh.name);
    match name.strip_prefix(object).and_then(|rest| rest.strip_prefix('.')) {
        Some(material) => material.to_owned(),
        None => crate::formats::stem(&text(&submesh.material).replace('\\', "/")),
    }
}

fn finite(value: f32) -> f32 {
    if value.is_finite() { value } else { f32::MAX.copysign(value) }
}
