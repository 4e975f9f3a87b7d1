//! Materials. Version 10 has only their names.

use super::super::codes;
use super::super::document::{Material, TextureUse};
use super::Import;
use crate::io::safe_relative;
use crate::report::Place;
use crate::scene::{self, MaterialId, Phong, TextureRef};
use crate::text::RawText;

impl Import<'_> {
    /// Returns the scene's material; `None` for one without a name.
    pub(super) fn material(&mut self, material: &Material) -> Option<MaterialId> {
        if material.name.is_empty() {
            return None;
        }
        if let Some(&known) = self.materials.get(&material.name) {
            return Some(known);
        }
        let name = self.document.text(&material.name);
        let mut imported = scene::Material { name, ..scene::Material::default() };
        let mut phong = Phong::default();
        let mut stated = false;
        if let Some((color, intensity)) = material.diffuse {
            (phong.diffuse, stated) = (color.map(|v| v * intensity), true);
        }
        if let Some((color, intensity, hardness)) = material.specular {
            (phong.specular, stated) = (color.map(|v| v * intensity), true);
            phong.shininess = Some(hardness.max(0) as f32);
        }
        if let Some(image) = &material.image {
            phong.diffuse_texture = self.texture(image);
            stated |= phong.diffuse_texture.is_some();
        }
        for texture in &material.textures {
            for &(what, factor) in &texture.uses {
                let Some(mut found) = self.texture(&texture.file) else { continue };
                stated |= what != TextureUse::Normal;
                match what {
                    TextureUse::Diffuse => phong.diffuse_texture = Some(found),
                    TextureUse::Specular | TextureUse::SpecularColor => phong.specular_texture = Some(found),
                    TextureUse::Normal => {
                        found.strength = factor;
                        imported.normal_texture = Some(found);
                    }
                }
            }
        }
        let mut colors = phong.diffuse.iter().chain(&phong.specular);
        imported.phong = (stated && colors.all(|v| v.is_finite())).then_some(phong);
        let id = MaterialId::push(&mut self.scene.materials, imported);
        self.materials.insert(material.name.clone(), id);
        Some(id)
    }

    /// Makes a reference to an image file, unless its path leaves the model's folder.
    fn texture(&mut self, file: &RawText) -> Option<TextureRef> {
        let named = self.document.text(file);
        let refused = |refusal| {
            let message = format!("texture {}: {refusal}", RawText::from(named.as_str()));
            self.report.warning(&codes::TEXTURE_PATH, Place::field("materials"), message);
        };
        let path = safe_relative(&named).map_err(refused).ok()?;
        let new = |path: &String| self.scene.add_image_file(path, String::new());
        Some(TextureRef::new(*self.textures.entry(path).or_insert_with_key(new)))
    }
}
