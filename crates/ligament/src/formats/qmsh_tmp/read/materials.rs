//! Reads materials: a name, and in later versions images, colours and textures.

use super::super::document::{Material, Texture, TextureUse};
use super::super::version::MaterialStyle;
use super::Reader;
use crate::report::Failure;
use crate::text::RawText;

impl Reader<'_, '_> {
    pub(super) fn materials(&mut self) -> Result<Vec<Material>, Failure> {
        let list = self.list("materials", 2)?;
        let mut materials = Vec::new();
        while self.more(&list, materials.len())? {
            materials.push(match self.version.materials() {
                MaterialStyle::Name => Material { name: self.string()?.0, ..Material::default() },
                MaterialStyle::Image => self.image_material()?,
                MaterialStyle::Block => self.block_material()?,
            });
        }
        Ok(materials)
    }

    fn image_material(&mut self) -> Result<Material, Failure> {
        let (name, _) = self.string()?;
        self.symbol(b',')?;
        let has_image = self.one_of(&[true, false], |has_image| if has_image { "image" } else { "none" })?;
        let image = if has_image { Some(self.string()?.0) } else { None };
        Ok(Material { name, image, ..Material::default() })
    }

    /// Reads a material in braces. Colours are optional, because exporters omit them for empty slots.
    fn block_material(&mut self) -> Result<Material, Failure> {
        self.word("material")?;
        let mut material = Material { name: self.string()?.0, ..Material::default() };
        self.symbol(b'{')?;
        if self.optional_label("diffuse")? {
            material.diffuse = Some((self.floats()?, self.float()?));
        }
        if self.optional_label("specular")? {
            material.specular = Some((self.floats()?, self.float()?, self.int()?));
        }
        while self.optional_label("texture")? {
            let (file, _) = self.string()?;
            let uses = self.texture_uses()?;
            material.textures.push(Texture { file, uses });
        }
        self.symbol(b'}')?;
        Ok(material)
    }

    fn texture_uses(&mut self) -> Result<Vec<(TextureUse, f32)>, Failure> {
        let mut uses = Vec::new();
        self.symbol(b'{')?;
        while !self.take(b'}')? {
            let what = self.one_of(&TextureUse::ALL, TextureUse::word)?;
            self.take(b':')?;
            uses.push((what, self.float()?));
        }
        Ok(uses)
    }

    fn optional_label(&mut self, name: &str) -> Result<bool, Failure> {
        let found = self.take_word(name)?;
        if found {
            self.take(b':')?;
        }
        Ok(found)
    }

    /// Reads a string after its label.
    pub(super) fn labelled_string(&mut self, name: &str) -> Result<RawText, Failure> {
        self.word(name)?;
        Ok(self.string()?.0)
    }
}
