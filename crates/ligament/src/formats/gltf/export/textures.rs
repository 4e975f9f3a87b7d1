//! Images, textures and samplers.

use super::super::json;
use super::super::uri::{Uri, percent_encode};
use super::Export;
use super::data::Chunk;
use super::extras::plain;
use crate::scene::{Filter, ImageData, Sampler, Scene, Wrap};

impl Export<'_> {
    pub(super) fn textures(&mut self, scene: &mut Scene) {
        for image in std::mem::take(&mut scene.images) {
            let mut written =
                json::Image { name: image.name, extras: plain(image.extras), ..json::Image::default() };
            match image.data {
                ImageData::File(path) => written.uri = Some(Uri::Text(percent_encode(&path))),
                ImageData::Embedded { mime, bytes } => {
                    written.mime_type = Some(mime);
                    written.buffer_view = Some(self.data.view(Chunk::Bytes(bytes), None));
                }
            }
            self.root.images.push(written);
        }
        let mut samplers: Vec<Sampler> = Vec::new();
        for texture in std::mem::take(&mut scene.textures) {
            let sampler = (texture.sampler != Sampler::default()).then(|| {
                let known = samplers.iter().position(|s| *s == texture.sampler);
                known.unwrap_or_else(|| {
                    samplers.push(texture.sampler);
                    samplers.len() - 1
                }) as u32
            });
            self.root.textures.push(json::Texture {
                name: texture.name,
                sampler,
                source: Some(texture.image.0),
                extensions: None,
                extras: plain(texture.extras),
            });
        }
        self.root.samplers = samplers.iter().map(sampler).collect();
    }
}

fn sampler(sampler: &Sampler) -> json::Sampler {
    let wrap = |wrap: Wrap| match wrap {
        Wrap::Repeat => None,
        Wrap::Clamp => Some(33071),
        Wrap::Mirror => Some(33648),
    };
    let magnify = |filter: Filter| if filter == Filter::Nearest { 9728 } else { 9729 };
    let minify = match (sampler.minify, sampler.mip) {
        (None, None) => None,
        (Some(filter), None) => Some(magnify(filter)),
        (Some(Filter::Nearest), Some(Filter::Nearest)) => Some(9984),
        (_, Some(Filter::Nearest)) => Some(9985),
        (Some(Filter::Nearest), Some(Filter::Linear)) => Some(9986),
        (_, Some(Filter::Linear)) => Some(9987),
    };
    json::Sampler {
        mag_filter: sampler.magnify.map(magnify),
        min_filter: minify,
        wrap_s: wrap(sampler.wrap_u),
        wrap_t: wrap(sampler.wrap_v),
        ..json::Sampler::default()
    }
}
