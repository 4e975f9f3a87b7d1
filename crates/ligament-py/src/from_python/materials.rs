use super::object::Object;
use crate::values::kind;
use ligament::scene::{
    AlphaMode, Filter, Image, ImageData, ImageId, Material, Pbr, Phong, Sampler, Specular, Texture,
    TextureId, TextureRef, UvTransform, Wrap,
};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

pub(super) fn material(material: &Object<'_, '_>) -> PyResult<Material> {
    let alpha = match material.word("alpha", &["opaque", "mask", "blend"])? {
        "opaque" => AlphaMode::Opaque,
        "mask" => AlphaMode::Mask(material.number("alpha_cutoff")?),
        _ => AlphaMode::Blend,
    };
    Ok(Material {
        name: material.text("name")?,
        phong: material.maybe("phong", "Phong", phong)?,
        pbr: material.maybe("pbr", "Pbr", pbr)?,
        normal_texture: slot(material, "normal_texture")?,
        occlusion_texture: slot(material, "occlusion_texture")?,
        emissive: material.numbers("emissive")?,
        emissive_strength: material.number("emissive_strength")?,
        emissive_texture: slot(material, "emissive_texture")?,
        alpha,
        double_sided: material.flag("double_sided")?,
        unlit: material.flag("unlit")?,
        extras: material.extras()?,
    })
}

pub(super) fn phong(phong: &Object<'_, '_>) -> PyResult<Phong> {
    Ok(Phong {
        ambient: phong.numbers("ambient")?,
        diffuse: phong.numbers("diffuse")?,
        specular: phong.numbers("specular")?,
        shininess: phong.optional_number("shininess")?,
        opacity: phong.number("opacity")?,
        ambient_texture: slot(phong, "ambient_texture")?,
        diffuse_texture: slot(phong, "diffuse_texture")?,
        specular_texture: slot(phong, "specular_texture")?,
        shininess_texture: slot(phong, "shininess_texture")?,
        bump_texture: slot(phong, "bump_texture")?,
        opacity_texture: slot(phong, "opacity_texture")?,
    })
}

fn pbr(pbr: &Object<'_, '_>) -> PyResult<Pbr> {
    Ok(Pbr {
        base_color: pbr.numbers("base_color")?,
        metallic: pbr.number("metallic")?,
        roughness: pbr.number("roughness")?,
        base_color_texture: slot(pbr, "base_color_texture")?,
        metallic_roughness_texture: slot(pbr, "metallic_roughness_texture")?,
        specular: pbr.maybe("specular", "Specular", |specular| {
            Ok(Specular {
                factor: specular.number("factor")?,
                color: specular.numbers("color")?,
                texture: slot(specular, "texture")?,
                color_texture: slot(specular, "color_texture")?,
            })
        })?,
    })
}

fn slot(object: &Object<'_, '_>, name: &str) -> PyResult<Option<TextureRef>> {
    object.maybe(name, "TextureRef", |used| {
        Ok(TextureRef {
            texture: TextureId(used.whole("texture")?),
            uv_set: used.whole("uv_set")?,
            transform: used.maybe("transform", "UvTransform", |transform| {
                Ok(UvTransform {
                    offset: transform.numbers("offset")?,
                    rotation: transform.number("rotation")?,
                    scale: transform.numbers("scale")?,
                })
            })?,
            strength: used.number("strength")?,
        })
    })
}

pub(super) fn texture(texture: &Object<'_, '_>) -> PyResult<Texture> {
    Ok(Texture {
        name: texture.text("name")?,
        image: ImageId(texture.whole("image")?),
        sampler: Sampler {
            wrap_u: wrap(texture, "wrap_u")?,
            wrap_v: wrap(texture, "wrap_v")?,
            magnify: filter(texture, "magnify")?,
            minify: filter(texture, "minify")?,
            mip: filter(texture, "mip")?,
        },
        extras: texture.extras()?,
    })
}

fn wrap(texture: &Object<'_, '_>, name: &str) -> PyResult<Wrap> {
    Ok(match texture.word(name, &["repeat", "mirror", "clamp"])? {
        "repeat" => Wrap::Repeat,
        "mirror" => Wrap::Mirror,
        _ => Wrap::Clamp,
    })
}

fn filter(texture: &Object<'_, '_>, name: &str) -> PyResult<Option<Filter>> {
    if texture.some(name)?.is_none() {
        return Ok(None);
    }
    let nearest = texture.word(name, &["nearest", "linear"])? == "nearest";
    Ok(Some(if nearest { Filter::Nearest } else { Filter::Linear }))
}

pub(super) fn image(image: &Object<'_, '_>) -> PyResult<Image> {
    let data = match (image.some("path")?, image.some("data")?) {
        (Some(_), None) => ImageData::File(image.text("path")?),
        (None, Some(data)) => {
            ImageData::Embedded { mime: image.text("mime")?, bytes: bytes(image, &data)?.into() }
        }
        (Some(_), Some(_)) => {
            return Err(image.fault("an image has a path or data, not both".to_owned()));
        }
        (None, None) => return Err(image.fault("an image needs a path or data".to_owned())),
    };
    Ok(Image { name: image.text("name")?, data, extras: image.extras()? })
}

fn bytes(image: &Object<'_, '_>, data: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    if let Ok(bytes) = data.cast::<PyBytes>() {
        return Ok(bytes.as_bytes().to_vec());
    }
    // Accepts any object with the buffer protocol.
    let numpy = data.py().import("numpy")?;
    let wrong = || image.wrong("data", format!("expected the bytes of an image file, not a {}", kind(data)));
    let seen = numpy.call_method1("frombuffer", (data, "uint8")).map_err(|_| wrong())?;
    let bytes = seen.cast::<PyArray1<u8>>().map_err(|_| wrong())?.try_readonly().map_err(|_| wrong())?;
    Ok(bytes.as_slice().map_err(|_| wrong())?.to_vec())
}
