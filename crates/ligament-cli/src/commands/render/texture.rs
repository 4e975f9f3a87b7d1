//! `--texture`: an image as the base colour of all materials without one.

use crate::args::RenderArgs;
use ligament::report::{Place, drawing};
use ligament::scene::{
    Image, ImageData, ImageId, Material, MaterialId, Pbr, Texture, TextureId, TextureRef, media_type,
};
use ligament::{Failure, Report, Scene};
use std::fs;

/// Gives the image to all materials without a texture for their base colour, and a material to parts without any.
pub fn apply(args: &RenderArgs, scene: &mut Scene, report: &mut Report) -> Result<(), Failure> {
    let Some(path) = &args.texture else { return Ok(()) };
    let bytes = fs::read(path).map_err(|error| {
        report.set_file(&path.display().to_string());
        report.cannot_read(error)
    })?;
    let mime = media_type(&bytes).unwrap_or_default().to_owned();
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let data = ImageData::Embedded { mime, bytes: bytes.into() };
    scene.images.push(Image { name, data, extras: Default::default() });
    scene.textures.push(Texture::new(ImageId::new(scene.images.len() - 1)));
    let texture = TextureRef::new(TextureId::new(scene.textures.len() - 1));
    let mut used = false;
    for material in &mut scene.materials {
        used |= fill(material, &texture);
    }
    let bare = MaterialId::new(scene.materials.len());
    let mut parts = scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.parts);
    let without: Vec<_> = parts.by_ref().filter(|part| part.material.is_none()).collect();
    if !without.is_empty() {
        used = true;
        without.into_iter().for_each(|part| part.material = Some(bare));
        let mut material = Material { double_sided: true, ..Material::default() };
        fill(&mut material, &texture);
        scene.materials.push(material);
    }
    let mapped = scene.meshes.iter().flat_map(|mesh| &mesh.parts).any(|part| !part.uvs.is_empty());
    if !used {
        let message = "--texture is not used: all materials have a texture for their base colour";
        report.warning(&drawing::TEXTURE, Place::WHOLE, message);
    } else if !mapped {
        let message = "the model has no texture coordinates, so that --texture gives it one colour only";
        report.warning(&drawing::TEXTURE, Place::WHOLE, message);
    }
    Ok(())
}

/// Sets a material's base colour texture unless it has one.
fn fill(material: &mut Material, texture: &TextureRef) -> bool {
    if material.pbr.is_none() && material.phong.is_none() {
        material.pbr = Some(Pbr { metallic: 0.0, ..Pbr::default() });
    }
    let slot = match (&mut material.pbr, &mut material.phong) {
        (Some(pbr), _) => &mut pbr.base_color_texture,
        (None, Some(phong)) => &mut phong.diffuse_texture,
        (None, None) => return false,
    };
    let is_free = slot.is_none();
    slot.get_or_insert_with(|| texture.clone());
    is_free
}
