//! Textures and images: embedded ones, and files in the model's folder.

use super::codes;
use super::import::Import;
use crate::io::safe_relative;
use crate::report::{Loss, Place};
use crate::scene::{
    Extras, Image, ImageData, ImageId, Sampler, Texture, TextureId, TextureRef, UvTransform, Wrap, media_type,
};
use std::collections::HashMap;

/// The textures and images that materials have used so far.
#[derive(Default)]
pub(super) struct Textures {
    textures: HashMap<u32, TextureId>,
    images: HashMap<u32, ImageId>,
    uv_sets: HashMap<String, u32>,
}

impl Textures {
    pub(super) fn new(fbx: &ufbx::Scene) -> Self {
        let mut uv_sets = HashMap::new();
        for mesh in fbx.meshes.as_ref() {
            for (number, set) in mesh.uv_sets.as_ref().iter().enumerate() {
                uv_sets.entry(set.name.to_string()).or_insert(number as u32);
            }
        }
        Self { uv_sets, ..Self::default() }
    }

    /// The texture of a material map, if it has one that is enabled.
    pub(super) fn of(
        &mut self,
        map: &ufbx::MaterialMap,
        import: &mut Import<'_, '_, '_>,
    ) -> Option<TextureRef> {
        self.of_texture(map.texture.as_ref().filter(|_| map.texture_enabled)?, import)
    }

    /// A texture as a material uses it.
    pub(super) fn of_texture(
        &mut self,
        used: &ufbx::Texture,
        import: &mut Import<'_, '_, '_>,
    ) -> Option<TextureRef> {
        let source: &ufbx::Texture = self.file(used, import)?;
        let texture = match self.textures.get(&source.element.typed_id) {
            Some(&known) => known,
            None => {
                let image = self.image(source, import)?;
                import.scene.textures.push(Texture {
                    name: source.element.name.to_string(),
                    image,
                    sampler: sampler(source),
                    extras: Extras::new(),
                });
                let id = TextureId::new(import.scene.textures.len() - 1);
                self.textures.insert(source.element.typed_id, id);
                id
            }
        };
        Some(TextureRef {
            texture,
            uv_set: self.uv_sets.get(&*source.uv_set).copied().unwrap_or(0),
            transform: transform(source, import),
            strength: 1.0,
        })
    }

    /// The file texture that represents a texture of any kind.
    fn file<'f>(
        &self,
        used: &'f ufbx::Texture,
        import: &mut Import<'_, '_, '_>,
    ) -> Option<&'f ufbx::Texture> {
        if used.type_ == ufbx::TextureType::File {
            return Some(used);
        }
        let object = format!("texture {:?}", &*used.element.name);
        let first = used.file_textures.as_ref().first().map(AsRef::as_ref);
        let message = if first.is_some() {
            "layered and computed textures keep only their first image"
        } else {
            "computed textures are dropped"
        };
        import.report.loss(Loss::dropped(&codes::TEXTURES, object, 1, message));
        first
    }

    fn image(&mut self, source: &ufbx::Texture, import: &mut Import<'_, '_, '_>) -> Option<ImageId> {
        if source.has_file
            && let Some(&known) = self.images.get(&source.file_index)
        {
            return Some(known);
        }
        let data = image_data(source, import)?;
        let name = file_name(stated_path(source)).to_owned();
        let name = if name.is_empty() { source.element.name.to_string() } else { name };
        let is_file = matches!(data, ImageData::File(_));
        let name = if is_file { String::new() } else { stem(&name).to_owned() };
        import.scene.images.push(Image { name, data, extras: Extras::new() });
        let id = ImageId::new(import.scene.images.len() - 1);
        if source.has_file {
            self.images.insert(source.file_index, id);
        }
        Some(id)
    }
}

fn image_data(source: &ufbx::Texture, import: &mut Import<'_, '_, '_>) -> Option<ImageData> {
    let in_video = source.video.as_ref().map(|video| &video.content);
    let content = [Some(&source.content), in_video].into_iter().flatten().find(|content| content.size > 0);
    if let Some(content) = content {
        let bytes: &[u8] = content;
        let mime = media_type(bytes).unwrap_or("image/png").to_owned();
        return Some(ImageData::Embedded { mime, bytes: bytes.into() });
    }
    let object = format!("texture {:?}", &*source.element.name);
    let Some(path) = find(source, import) else {
        import.dropped(&codes::TEXTURES, &object, 1, "a texture without an image is dropped");
        return None;
    };
    if !import.source.folder.contains(&path) {
        let message = format!("{path:?} was not found; the reference is kept");
        import.report.warning(&codes::IMAGE_MISSING, Place::field(object), message);
    }
    Some(ImageData::File(path))
}

/// Finds a file in the model's folder: at the stated path, otherwise by its name alone, because the path is often one
/// on the author's disk.
fn find(source: &ufbx::Texture, import: &Import<'_, '_, '_>) -> Option<String> {
    let stated = [&source.relative_filename, &source.filename, &source.absolute_filename];
    let whole = stated.iter().filter_map(|path| safe_relative(path).ok());
    let alone = stated.iter().filter_map(|path| safe_relative(file_name(path)).ok());
    let mut candidates: Vec<String> = whole.chain(alone).collect();
    let there = candidates.iter().position(|path| import.source.folder.contains(path));
    (!candidates.is_empty()).then(|| candidates.swap_remove(there.unwrap_or(0)))
}

fn stated_path(source: &ufbx::Texture) -> &str {
    let paths = [&source.relative_filename, &source.filename, &source.absolute_filename];
    paths.into_iter().map(|path| &**path).find(|path| !path.is_empty()).unwrap_or("")
}

fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

fn sampler(source: &ufbx::Texture) -> Sampler {
    let wrap = |mode| match mode {
        ufbx::WrapMode::Repeat => Wrap::Repeat,
        ufbx::WrapMode::Clamp => Wrap::Clamp,
    };
    Sampler { wrap_u: wrap(source.wrap_u), wrap_v: wrap(source.wrap_v), ..Sampler::default() }
}

/// Converts the file's texture transform, with V up, to one with V down: `F · M · F`, where `F` flips V.
fn transform(source: &ufbx::Texture, import: &mut Import<'_, '_, '_>) -> Option<UvTransform> {
    if !source.has_uv_transform {
        return None;
    }
    let m = &source.uv_to_texture;
    let (xx, xy, yx, yy) = (m.m00, -m.m01, -m.m10, m.m11);
    let (x, y) = (m.m03 + m.m01, 1.0 - m.m13 - m.m11);
    // `KHR_texture_transform` is offset · rotation · scale; its rotation has the sine above the diagonal.
    let (scale_x, scale_y) = (xx.hypot(yx), xy.hypot(yy));
    let rotation = (-yx).atan2(xx);
    let skewed = (xx * xy + yx * yy).abs() > 1e-6 * scale_x * scale_y;
    let flipped = xx * yy - xy * yx < 0.0;
    if skewed {
        let object = format!("texture {:?}", &*source.element.name);
        let message = "the skew of texture coordinates is dropped";
        import.report.loss(Loss::approximated(&codes::TEXTURES, object, 1, None, "units", message));
    }
    let numbers = [x, y, rotation, scale_x, if flipped { -scale_y } else { scale_y }];
    let [x, y, rotation, scale_x, scale_y] = numbers.map(|v| import.finite.real(v));
    Some(UvTransform { offset: [x, y], rotation, scale: [scale_x, scale_y] })
}
