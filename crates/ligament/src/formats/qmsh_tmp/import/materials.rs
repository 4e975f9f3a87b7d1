//! Materials. Version 10 has only their names.

use super::super::codes;
use super::super::document::{Document, Material, TextureUse};
use crate::io::safe_relative;
use crate::report::{Place, Report};
use crate::scene::{self, MaterialId, Phong, Scene, TextureId, TextureRef};
use crate::text::RawText;
use std::collections::HashMap;

/// The scene's materials by their names in the file, which are unique in the modelling program.
#[derive(Default)]
pub(super) struct Materials {
    by_name: HashMap<RawText, MaterialId>,
    textures: HashMap<String, TextureId>,
}

impl Materials {
    /// Returns the scene's material; `None` for one without a name.
    pub(super) fn of(
        &mut self,
        document: &Document,
        material: &Material,
        scene: &mut Scene,
        report: &mut Report,
    ) -> Option<MaterialId> {
        if material.name.is_empty() {
            return None;
        }
        if let Some(&known) = self.by_name.get(&material.name) {
            return Some(known);
        }
        let mut imported =
            scene::Material { name: document.text(&material.name), ..scene::Material::default() };
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
            phong.diffuse_texture = self.texture(document, image, scene, report);
            stated |= phong.diffuse_texture.is_some();
        }
        for texture in &material.textures {
            for &(what, factor) in &texture.uses {
                let Some(mut found) = self.texture(document, &texture.file, scene, report) else { continue };
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
        let colors = phong.diffuse.iter().chain(&phong.specular);
        imported.phong = (stated && colors.into_iter().all(|v| v.is_finite())).then_some(phong);
        let id = MaterialId::new(scene.materials.len());
        scene.materials.push(imported);
        self.by_name.insert(material.name.clone(), id);
        Some(id)
    }

    /// Makes a reference to an image file, unless its path leaves the model's folder.
    fn texture(
        &mut self,
        document: &Document,
        file: &RawText,
        scene: &mut Scene,
        report: &mut Report,
    ) -> Option<TextureRef> {
        let named = document.text(file);
        let refused = |refusal| {
            let message = format!("texture {}: {refusal}", RawText::from(named.as_str()));
            report.warning(&codes::TEXTURE_PATH, Place::field("materials"), message);
        };
        let path = safe_relative(&named).map_err(refused).ok()?;
        let new = |path: &String| scene.add_image_file(path, String::new());
        Some(TextureRef::new(*self.textures.entry(path).or_insert_with_key(new)))
    }
}
