//! Images, textures and samplers.

use super::super::extensions::OF_OBJECT;
use super::super::uri::{Uri, percent_encode};
use super::super::{FILTERS, IMAGE_TYPES, codes, json};
use super::data::Chunk;
use super::extras::plain;
use super::{Export, extensions};
use crate::scene::{Filter, ImageData, Sampler, Scene, Wrap};
use serde_json::json;

impl Export<'_> {
    /// Writes textures and images. Returns the file's index of each image that can be written.
    pub(super) fn textures(&mut self, scene: &mut Scene) -> Vec<Option<u32>> {
        let images = self.images(scene);
        let mut samplers: Vec<Sampler> = Vec::new();
        for mut texture in std::mem::take(&mut scene.textures) {
            let sampler = (texture.sampler != Sampler::default()).then(|| {
                let known = samplers.iter().position(|s| *s == texture.sampler);
                known.unwrap_or_else(|| {
                    samplers.push(texture.sampler);
                    samplers.len() - 1
                }) as u32
            });
            let kept = extensions::kept(&mut texture.extras, OF_OBJECT);
            let mut written = json::Texture {
                name: texture.name,
                sampler,
                extras: plain(texture.extras),
                ..json::Texture::default()
            };
            match images[texture.image.index()] {
                Place::Plain(image) => written.source = Some(image),
                Place::ByExtension(image, name) => {
                    written.extensions = json::one_extension(name, json!({ "source": image }));
                    // There is no other image to fall back to.
                    if !self.root.extensions_required.iter().any(|e| e == name) {
                        self.root.extensions_required.push(name.to_owned());
                    }
                }
                Place::Nowhere => {}
            }
            extensions::add(&mut written.extensions, kept);
            self.root.textures.push(written);
        }
        self.root.samplers = samplers.iter().map(sampler).collect();
        let number = |place: &Place| match *place {
            Place::Plain(number) | Place::ByExtension(number, _) => Some(number),
            Place::Nowhere => None,
        };
        images.iter().map(number).collect()
    }

    /// Writes the images. Returns how textures refer to each.
    fn images(&mut self, scene: &mut Scene) -> Vec<Place> {
        let mut places = Vec::new();
        for mut image in std::mem::take(&mut scene.images) {
            let extensions = extensions::kept(&mut image.extras, OF_OBJECT);
            let number = self.root.images.len() as u32;
            let by_extension = IMAGE_TYPES.iter().find(|t| match &image.data {
                ImageData::File(path) => path.to_ascii_lowercase().ends_with(t.suffix),
                ImageData::Embedded { mime, .. } => mime == t.mime,
            });
            let extras = plain(image.extras);
            let mut written = json::Image { name: image.name, extensions, extras, ..json::Image::default() };
            match image.data {
                ImageData::File(path) => written.uri = Some(Uri::Text(percent_encode(&path))),
                ImageData::Embedded { mime, .. }
                    if by_extension.is_none() && !matches!(mime.as_str(), "image/png" | "image/jpeg") =>
                {
                    let object = crate::report::label("image", &written.name, places.len());
                    let message = format!("glTF cannot hold {mime}; textures that use the image lose it");
                    self.dropped(&codes::TEXTURES, &object, 1, &message);
                    places.push(Place::Nowhere);
                    continue;
                }
                ImageData::Embedded { mime, bytes } => {
                    written.mime_type = Some(mime);
                    written.buffer_view = Some(self.data.view(Chunk::Bytes(bytes), None));
                }
            }
            self.root.images.push(written);
            places.push(match by_extension {
                Some(kind) => {
                    self.extensions.insert(kind.extension);
                    Place::ByExtension(number, kind.extension)
                }
                None => Place::Plain(number),
            });
        }
        places
    }
}

/// How a texture refers to an image.
#[derive(Clone, Copy)]
enum Place {
    Plain(u32),
    /// Through the extension for its type.
    ByExtension(u32, &'static str),
    /// Not at all: the image cannot be written.
    Nowhere,
}

fn sampler(sampler: &Sampler) -> json::Sampler {
    let wrap = |wrap: Wrap| match wrap {
        Wrap::Repeat => None,
        Wrap::Clamp => Some(33071),
        Wrap::Mirror => Some(33648),
    };
    let number = |filter, mip| FILTERS.iter().find(|f| (f.1, f.2) == (filter, mip)).map(|f| f.0);
    let minify = match (sampler.minify, sampler.mip) {
        (None, None) => None,
        (filter, mip) => number(filter.unwrap_or(Filter::Linear), mip),
    };
    json::Sampler {
        mag_filter: sampler.magnify.and_then(|filter| number(filter, None)),
        min_filter: minify,
        wrap_s: wrap(sampler.wrap_u),
        wrap_t: wrap(sampler.wrap_v),
        ..json::Sampler::default()
    }
}
