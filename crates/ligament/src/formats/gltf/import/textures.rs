//! Images and textures.

use super::super::buffers::{self, data_uri_bytes, side_path};
use super::super::extensions::OF_OBJECT;
use super::super::uri::Uri;
use super::super::views::View;
use super::super::{FILTERS, IMAGE_TYPES, ImageType, codes, json};
use super::Import;
use super::extras::kept;
use crate::scene::{Filter, Image, ImageData, ImageId, Sampler, Scene, Texture, Wrap};

impl Import<'_, '_, '_> {
    pub(super) fn textures(&mut self, scene: &mut Scene) {
        let root = self.root;
        for (index, source) in root.images.iter().enumerate() {
            let path = format!("images[{index}]");
            let data = self.image(source, &path).unwrap_or(ImageData::File(String::new()));
            let mut extras = kept(&source.extras);
            self.keep_extensions(&source.extensions, OF_OBJECT, &mut extras);
            scene.images.push(Image { name: source.name.clone(), data, extras });
        }
        for (index, source) in root.textures.iter().enumerate() {
            let path = format!("textures[{index}]");
            let image = self.texture_image(source, &path);
            let sampler =
                self.index(source.sampler, root.samplers.len(), format_args!("{path}.sampler"), "sampler");
            let mut extras = kept(&source.extras);
            self.keep_extensions(&source.extensions, OF_OBJECT, &mut extras);
            scene.textures.push(Texture {
                name: source.name.clone(),
                // A texture without an image is dropped below, and never referred to; see `texture_id`.
                image: ImageId::new(image.unwrap_or(0)),
                sampler: sampler.map_or_else(Sampler::default, |s| self.sampler(s)),
                extras,
            });
        }
        self.drop_empty_textures(scene);
    }

    /// A texture's own image, otherwise that of an image type's extension. Where there are both, the own one is the one
    /// that every program can show.
    fn texture_image(&mut self, source: &json::Texture, path: &str) -> Option<usize> {
        let images = self.root.images.len();
        let by_extension = image_by_extension(source);
        let kept = by_extension.filter(|_| source.source.is_none()).map(|(kind, _)| kind);
        let is_lost = |t: &&ImageType| {
            let is_kept = kept.is_some_and(|kept| kept.name == t.name);
            !is_kept && json::extension(&source.extensions, t.extension).is_some()
        };
        let is_read = source.source.is_some() || by_extension.is_some();
        for other in IMAGE_TYPES.iter().filter(|t| is_read && is_lost(t)) {
            let kept = kept.map_or("PNG or JPEG", |kept| kept.name);
            let message = format!("textures in several image types keep the {kept}, not the {}", other.name);
            self.lose(&codes::TEXTURES, "", 1, message);
        }
        if source.source.is_some() {
            return self.index(source.source, images, format_args!("{path}.source"), "image");
        }
        let (ImageType { extension, .. }, image) = by_extension?;
        self.index(Some(image), images, format_args!("{path}.extensions.{extension}.source"), "image")
    }

    /// Drops textures whose image comes from an unsupported extension; later indices move down.
    fn drop_empty_textures(&mut self, scene: &mut Scene) {
        let root = self.root;
        let empty = root.textures.iter().filter(|t| !has_image(t)).count();
        if empty > 0 {
            let message = "textures without an image, or with one of an unsupported extension, are dropped";
            self.lose(&codes::TEXTURES, "", empty, message);
            let mut sources = root.textures.iter().map(has_image);
            scene.textures.retain(|_| sources.next().unwrap_or(false));
        }
    }

    /// The scene's index of each texture in the file.
    pub(super) fn texture_ids(root: &json::Root) -> Vec<Option<usize>> {
        let mut ids = 0..;
        root.textures.iter().map(|texture| if has_image(texture) { ids.next() } else { None }).collect()
    }

    /// The scene's index of a texture in the file; `None` for one that was dropped.
    pub(super) fn texture_id(&self, index: usize) -> Option<usize> {
        self.texture_ids.get(index).copied().flatten()
    }

    fn image(&mut self, source: &json::Image, path: &str) -> Option<ImageData> {
        if let Some(view) = source.buffer_view {
            let View { store, start, length, .. } = self.view(view, format_args!("{path}.bufferView"))?;
            self.spend(length, path)?;
            return match store.range(self.buffers, start, length) {
                Ok(bytes) => Some(self.embedded(source.mime_type.as_deref(), &bytes, path)),
                Err(error) => {
                    buffers::failed_read(self.places.of(path), &error, self.report);
                    None
                }
            };
        }
        let Some(uri) = &source.uri else {
            return self.fault(&codes::IMAGE, path, "an image needs a uri or a bufferView");
        };
        let path = format!("{path}.uri");
        match data_uri_bytes(uri, self.document) {
            Ok(Some((mime, bytes))) => {
                self.spend(bytes.len() as u64, &path)?;
                let mime = source.mime_type.as_deref().unwrap_or(&mime);
                return Some(self.embedded(Some(mime), &bytes, &path));
            }
            Ok(None) => {}
            Err(problem) => return self.fault(&codes::IMAGE, &path, problem),
        }
        let Uri::Text(uri) = uri else { return self.fault(&codes::IMAGE, &path, buffers::BAD_DATA) };
        match side_path(uri) {
            Ok(file) => {
                if !self.document.source.folder.contains(&file) {
                    let message = format!("{file:?} was not found; the reference is kept");
                    self.warning(&codes::IMAGE_MISSING, &path, message);
                }
                Some(ImageData::File(file))
            }
            Err(problem) => self.fault(&codes::IMAGE, &path, problem),
        }
    }

    fn embedded(&mut self, stated: Option<&str>, bytes: &[u8], path: &str) -> ImageData {
        let mime = media_type(stated, bytes);
        if let Some(stated) = stated.filter(|s| s.starts_with("image/") && *s != mime) {
            let message = format!("the file says that the image is {stated}, but it is {mime}");
            self.warning(&codes::IMAGE, path, message);
        }
        ImageData::Embedded { mime: mime.to_owned(), bytes: bytes.into() }
    }

    fn sampler(&mut self, index: usize) -> Sampler {
        let source = &self.root.samplers[index];
        let path = |field: &str| format!("samplers[{index}].{field}");
        let mut sampler = Sampler::default();
        for (field, value, wrap) in
            [("wrapS", source.wrap_s, &mut sampler.wrap_u), ("wrapT", source.wrap_t, &mut sampler.wrap_v)]
        {
            *wrap = match value {
                None | Some(10497) => Wrap::Repeat,
                Some(33071) => Wrap::Clamp,
                Some(33648) => Wrap::Mirror,
                Some(other) => {
                    let message = format!("{other} is not a wrap mode; repeat is used");
                    self.warning(&codes::VALUE, path(field), message);
                    Wrap::Repeat
                }
            };
        }
        let mut filter = |field: &str, value: Option<u32>, known: &[(u32, Filter, Option<Filter>)]| {
            let value = value?;
            let found = known.iter().find(|(number, ..)| *number == value);
            if found.is_none() {
                let message = format!("{value} is not a filter; it is ignored");
                self.warning(&codes::VALUE, path(field), message);
            }
            found.map(|&(_, filter, mip)| (filter, mip))
        };
        sampler.magnify = filter("magFilter", source.mag_filter, &FILTERS[..2]).map(|(filter, _)| filter);
        let minify = filter("minFilter", source.min_filter, &FILTERS);
        (sampler.minify, sampler.mip) = minify.map_or((None, None), |(filter, mip)| (Some(filter), mip));
        sampler
    }
}

/// The media type detected from the bytes, otherwise the stated one.
pub(in super::super) fn media_type<'m>(stated: Option<&'m str>, bytes: &[u8]) -> &'m str {
    let seen = crate::scene::media_type(bytes);
    seen.or(stated.filter(|mime| !mime.is_empty())).unwrap_or("image/png")
}

/// The image that an extension gives to a texture, with its type.
fn image_by_extension(texture: &json::Texture) -> Option<(&'static ImageType, u32)> {
    IMAGE_TYPES.iter().find_map(|t| {
        let source = json::extension(&texture.extensions, t.extension)?.get("source")?.as_u64()?;
        Some((t, u32::try_from(source).unwrap_or(u32::MAX)))
    })
}

fn has_image(texture: &json::Texture) -> bool {
    texture.source.is_some() || image_by_extension(texture).is_some()
}
