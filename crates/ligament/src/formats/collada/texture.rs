//! From a shader's `<texture>` through sampler and surface to the image.

use super::codes;
use super::import::Import;
use super::material::Params;
use super::xml::{Xml, child, child_word, elements, number, tag, techniques, word};
use crate::scene::{Filter, ImageId, Sampler, Texture, TextureId, TextureRef, UvTransform, Wrap};

impl<'d> Import<'d, '_> {
    /// `<texture texture="sampler" texcoord="UVSET0"/>`.
    pub(super) fn texture(&mut self, texture: Xml<'d>, params: &Params<'d>) -> Option<TextureRef> {
        let named = texture.attribute("texture").unwrap_or("");
        let set = params.uv_set(texture.attribute("texcoord").unwrap_or(""));
        let param = params.get(named);
        let sampler = param.and_then(|p| child(p, "sampler2D").or_else(|| child(p, "samplerRECT")));
        let mut found = match (sampler, param) {
            (Some(sampler), _) => self.sampled(sampler, params, set),
            // Refers to the surface, or to the image itself: wrong, but common.
            (None, param) => {
                let direct = self.ids.get(named, &["image"]).filter(|i| tag(*i) == "image");
                let image = match param {
                    Some(param) => self.surface_image(param),
                    None => direct.and_then(|image| self.image(image)),
                };
                image.map(|image| self.texture_of(image, Sampler::default(), set))
            }
        };
        if found.is_none() {
            let message = format!("the texture {named:?} does not lead to an image");
            self.warning(&codes::TEXTURE, texture, message);
        }
        if let Some(found) = &mut found {
            found.transform = self.placement(texture);
        }
        self.count_texture_extras(texture);
        found
    }

    /// Counts extra values of a texture that are neither its placement nor a default.
    fn count_texture_extras(&mut self, texture: Xml<'d>) {
        let says = |value: Xml<'d>| match word(value).as_str() {
            "TRUE" | "true" => Some(1.0),
            "FALSE" | "false" => Some(0.0),
            _ => number(value),
        };
        let is_dropped = |value: &Xml<'d>| match tag(*value) {
            "repeatU" | "repeatV" | "offsetU" | "offsetV" | "rotateUV" => false,
            "mirrorU" | "mirrorV" | "stagger" | "fast" | "noiseU" | "noiseV" | "rotateFrame"
            | "translateFrameU" | "translateFrameV" => says(*value) != Some(0.0),
            "wrapU" | "wrapV" | "coverageU" | "coverageV" | "amount" => says(*value) != Some(1.0),
            "blend_mode" => word(*value) != "NONE",
            _ => true,
        };
        let dropped = techniques(texture).flat_map(elements).filter(is_dropped).count();
        self.lose(&codes::EXTRA, "", dropped, "extra values of textures are dropped");
    }

    /// The texture of a `<sampler2D>`.
    pub(super) fn sampled(&mut self, sampler: Xml<'d>, params: &Params<'d>, set: u32) -> Option<TextureRef> {
        // 1.5 names the image, 1.4 a surface that does.
        let image = match child(sampler, "instance_image") {
            Some(instance) => {
                let image = self.target(instance, "url")?;
                self.image(image)
            }
            None => {
                let source = child_word(sampler, "source")?;
                match params.get(&source) {
                    Some(param) => self.surface_image(param),
                    None => self.ids.get(source.as_str(), &["image"]).and_then(|image| self.image(image)),
                }
            }
        };
        let wrap = |key| match child_word(sampler, key).as_deref() {
            Some("MIRROR" | "MIRROR_ONCE") => Wrap::Mirror,
            Some("CLAMP" | "BORDER" | "NONE") => Wrap::Clamp,
            _ => Wrap::Repeat,
        };
        let filter = |text: &str| match text {
            t if t.starts_with("NEAREST") => Some(Filter::Nearest),
            t if t.starts_with("LINEAR") => Some(Filter::Linear),
            _ => None,
        };
        let minify = child_word(sampler, "minfilter").unwrap_or_default();
        let mip = match minify.rsplit_once("MIPMAP_") {
            Some((_, mip)) => filter(mip),
            None => child_word(sampler, "mipfilter").and_then(|m| filter(&m)),
        };
        let sampler = Sampler {
            wrap_u: wrap("wrap_s"),
            wrap_v: wrap("wrap_t"),
            magnify: child_word(sampler, "magfilter").and_then(|m| filter(&m)),
            minify: filter(&minify),
            mip: mip.filter(|_| filter(&minify).is_some()),
        };
        image.map(|image| self.texture_of(image, sampler, set))
    }

    /// The image of a `<surface>` parameter.
    fn surface_image(&mut self, param: Xml<'d>) -> Option<ImageId> {
        let surface = child(param, "surface")?;
        let reference = child(surface, "init_from")?;
        let id = child(reference, "ref").map_or_else(|| word(reference), word);
        let image = self.follow(reference, &id)?;
        self.image(image)
    }

    fn texture_of(&mut self, image: ImageId, sampler: Sampler, uv_set: u32) -> TextureRef {
        let textures = &mut self.scene.textures;
        let id = *self.surfaces.textures.entry((image, sampler)).or_insert_with(|| {
            textures.push(Texture { sampler, ..Texture::new(image) });
            TextureId::new(textures.len() - 1)
        });
        TextureRef { uv_set, ..TextureRef::new(id) }
    }

    /// Maya's and Max's repeat, offset and rotation of a texture. Their V points up, a scene's V points down.
    fn placement(&self, texture: Xml<'d>) -> Option<UvTransform> {
        let mut placed = None;
        for technique in techniques(texture) {
            let get = |key: &str| child(technique, key).and_then(number).filter(|v| (*v as f32).is_finite());
            let (u, v) = (get("repeatU").unwrap_or(1.0), get("repeatV").unwrap_or(1.0));
            let (x, y) = (get("offsetU").unwrap_or(0.0), get("offsetV").unwrap_or(0.0));
            let turn = get("rotateUV").unwrap_or(0.0).to_radians();
            if (u, v, x, y, turn) == (1.0, 1.0, 0.0, 0.0, 0.0) {
                continue;
            }
            // With V up: uv' = scale · uv + offset, then rotated counter-clockwise about the centre of the image. With
            // v = 1 − w: w' = scale · w + (1 − scale − offset), and the rotation has its sine above the diagonal, as in
            // KHR_texture_transform. That one rotates about the origin, so the offset includes the way to the centre and back.
            let from_middle = (x - 0.5, 1.0 - v - y - 0.5);
            let (sin, cos) = turn.sin_cos();
            let offset = [
                0.5 + cos * from_middle.0 + sin * from_middle.1,
                0.5 - sin * from_middle.0 + cos * from_middle.1,
            ];
            placed = Some(UvTransform {
                offset: offset.map(|v| v as f32),
                rotation: turn as f32,
                scale: [u as f32, v as f32],
            });
        }
        placed
    }
}
