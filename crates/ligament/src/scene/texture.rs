use super::{Extras, ImageId, Scene, TextureId, TextureRef};
use std::sync::Arc;

/// An image and how it is sampled.
#[derive(Debug, Clone, PartialEq)]
pub struct Texture {
    /// Name; empty if the format has none.
    pub name: String,
    /// The image.
    pub image: ImageId,
    /// Wrapping and filtering.
    pub sampler: Sampler,
    /// Key-value data.
    pub extras: Extras,
}

impl Texture {
    /// The image with default sampling.
    pub fn new(image: ImageId) -> Self {
        Self { name: String::new(), image, sampler: Sampler::default(), extras: Extras::new() }
    }
}

impl Scene {
    /// Adds an image file beside the model, by its path, and a texture for it.
    pub(crate) fn add_image_file(&mut self, path: &str, name: String) -> TextureId {
        let image = Image { name, data: ImageData::File(path.to_owned()), extras: Extras::new() };
        let image = ImageId::push(&mut self.images, image);
        TextureId::push(&mut self.textures, Texture::new(image))
    }

    /// The path of a texture's image, if that is a file beside the model.
    pub(crate) fn image_file(&self, reference: &TextureRef) -> Option<&str> {
        let texture = self.textures.get(reference.texture.index())?;
        match &self.images.get(texture.image.index())?.data {
            ImageData::File(path) => Some(path),
            ImageData::Embedded { .. } => None,
        }
    }
}

/// An image.
#[derive(Debug, Clone, PartialEq)]
pub struct Image {
    /// Name; empty if the format has none.
    pub name: String,
    /// The image's location.
    pub data: ImageData,
    /// Key-value data.
    pub extras: Extras,
}

/// Where an image is stored.
#[derive(Debug, Clone, PartialEq)]
pub enum ImageData {
    /// In a file beside the model: a path relative to the model's folder, with `/`, never leaving it. The file need not
    /// exist.
    File(String),
    /// In the model itself, as the bytes of an image file.
    Embedded {
        /// Media type: `image/png`, `image/jpeg`...
        mime: String,
        /// The image file's bytes.
        bytes: Arc<[u8]>,
    },
}

impl Image {
    /// The image's file name: that of the reference, or one made from the name and type.
    pub fn file_name(&self) -> String {
        match &self.data {
            ImageData::File(path) => path.rsplit('/').next().unwrap_or(path).to_owned(),
            ImageData::Embedded { mime, .. } => {
                let extension = match mime.as_str() {
                    "image/jpeg" => "jpg",
                    "image/ktx2" => "ktx2",
                    "image/webp" => "webp",
                    "image/avif" => "avif",
                    "image/x-tga" => "tga",
                    "image/bmp" => "bmp",
                    "image/gif" => "gif",
                    "image/tiff" => "tif",
                    "image/vnd-ms.dds" => "dds",
                    _ => "png",
                };
                let stem = if self.name.is_empty() { "image" } else { &self.name };
                let stem = stem.strip_suffix(&format!(".{extension}")).unwrap_or(stem);
                format!("{stem}.{extension}")
            }
        }
    }
}

/// The media type of an image file that can be embedded, found by its first bytes.
pub fn media_type(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        [0xab, b'K', b'T', b'X', b' ', b'2', b'0', 0xbb, ..] => Some("image/ktx2"),
        [_, _, _, _, b'f', b't', b'y', b'p', b'a', b'v', b'i', b'f' | b's', ..] => Some("image/avif"),
        _ => None,
    }
}

/// How a texture is sampled outside 0..1 and between its pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Sampler {
    /// Along U.
    pub wrap_u: Wrap,
    /// Along V.
    pub wrap_v: Wrap,
    /// Filter when drawn larger than it is.
    pub magnify: Option<Filter>,
    /// Filter when drawn smaller than it is.
    pub minify: Option<Filter>,
    /// Filter between mip levels, together with `minify`; `None` uses no mip levels.
    pub mip: Option<Filter>,
}

crate::words! {
    /// What is shown outside 0..1.
    #[derive(Default)]
    pub enum Wrap(word) {
        /// The image is repeated.
        #[default]
        Repeat = "repeat",
        /// The image is repeated, mirrored each time.
        Mirror = "mirror",
        /// The border pixels are repeated.
        Clamp = "clamp",
    }

    /// How a value between pixels is computed.
    pub enum Filter(word) {
        /// The nearest pixel.
        Nearest = "nearest",
        /// A weighted mean.
        Linear = "linear",
    }
}
