use super::{Giver, Object, tuple2, tuple3, tuple4};
use crate::arrays;
use ligament::scene::{
    AlphaMode, Filter, Image, ImageData, Material, Pbr, Phong, Specular, Texture, TextureRef,
};
use pyo3::prelude::*;

impl<'py> Giver<'py> {
    pub(super) fn material(&self, material: Material) -> PyResult<Object<'py>> {
        let (alpha, cutoff) = match material.alpha {
            AlphaMode::Opaque => ("opaque", 0.5),
            AlphaMode::Mask(cutoff) => ("mask", cutoff),
            AlphaMode::Blend => ("blend", 0.5),
        };
        let fields = [
            self.text(&material.name)?,
            self.maybe(material.phong, Self::phong)?,
            self.maybe(material.pbr, Self::pbr)?,
            self.maybe(material.normal_texture, Self::texture_ref)?,
            self.maybe(material.occlusion_texture, Self::texture_ref)?,
            self.any(tuple3(material.emissive))?,
            self.any(material.emissive_strength)?,
            self.maybe(material.emissive_texture, Self::texture_ref)?,
            self.any(alpha)?,
            self.any(cutoff)?,
            self.any(material.double_sided)?,
            self.any(material.unlit)?,
            self.extras(&material.extras)?,
        ];
        self.make(&self.classes.material, fields)
    }

    fn maybe<T>(
        &self,
        value: Option<T>,
        give: impl Fn(&Self, T) -> PyResult<Object<'py>>,
    ) -> PyResult<Object<'py>> {
        value.map_or_else(|| self.any(None::<()>), |value| give(self, value))
    }

    fn phong(&self, phong: Phong) -> PyResult<Object<'py>> {
        let fields = [
            self.any(tuple3(phong.ambient))?,
            self.any(tuple3(phong.diffuse))?,
            self.any(tuple3(phong.specular))?,
            self.any(phong.shininess)?,
            self.any(phong.opacity)?,
            self.maybe(phong.ambient_texture, Self::texture_ref)?,
            self.maybe(phong.diffuse_texture, Self::texture_ref)?,
            self.maybe(phong.specular_texture, Self::texture_ref)?,
            self.maybe(phong.shininess_texture, Self::texture_ref)?,
            self.maybe(phong.bump_texture, Self::texture_ref)?,
            self.maybe(phong.opacity_texture, Self::texture_ref)?,
        ];
        self.make(&self.classes.phong, fields)
    }

    pub(super) fn pbr(&self, pbr: Pbr) -> PyResult<Object<'py>> {
        let fields = [
            self.any(tuple4(pbr.base_color))?,
            self.any(pbr.metallic)?,
            self.any(pbr.roughness)?,
            self.maybe(pbr.base_color_texture, Self::texture_ref)?,
            self.maybe(pbr.metallic_roughness_texture, Self::texture_ref)?,
            self.maybe(pbr.specular, Self::specular)?,
        ];
        self.make(&self.classes.pbr, fields)
    }

    fn specular(&self, specular: Specular) -> PyResult<Object<'py>> {
        let fields = [
            self.any(specular.factor)?,
            self.any(tuple3(specular.color))?,
            self.maybe(specular.texture, Self::texture_ref)?,
            self.maybe(specular.color_texture, Self::texture_ref)?,
        ];
        self.make(&self.classes.specular, fields)
    }

    fn texture_ref(&self, used: TextureRef) -> PyResult<Object<'py>> {
        let transform = match used.transform {
            Some(t) => {
                let fields = [self.any(tuple2(t.offset))?, self.any(t.rotation)?, self.any(tuple2(t.scale))?];
                self.make(&self.classes.uv_transform, fields)?
            }
            None => self.any(None::<()>)?,
        };
        let fields = [self.any(used.texture.0)?, self.any(used.uv_set)?, transform, self.any(used.strength)?];
        self.make(&self.classes.texture_ref, fields)
    }

    pub(super) fn texture(&self, texture: Texture) -> PyResult<Object<'py>> {
        let sampler = texture.sampler;
        let fields = [
            self.any(texture.image.0)?,
            self.text(&texture.name)?,
            self.any(sampler.wrap_u.word())?,
            self.any(sampler.wrap_v.word())?,
            self.any(sampler.magnify.map(Filter::word))?,
            self.any(sampler.minify.map(Filter::word))?,
            self.any(sampler.mip.map(Filter::word))?,
            self.extras(&texture.extras)?,
        ];
        self.make(&self.classes.texture, fields)
    }

    pub(super) fn image(&self, image: Image) -> PyResult<Object<'py>> {
        let none = self.any(None::<()>)?;
        let (path, data, mime) = match image.data {
            ImageData::File(path) => (self.any(path)?, none, self.any("image/png")?),
            ImageData::Embedded { mime, bytes } => {
                (none, arrays::share_bytes(self.py, bytes)?, self.any(mime)?)
            }
        };
        let fields = [self.text(&image.name)?, path, data, mime, self.extras(&image.extras)?];
        self.make(&self.classes.image, fields)
    }
}
