//! Textures of materials.

use crate::{Gpu, NoteKind, Notes, color};
use image::RgbaImage;
use ligament::Scene;
use ligament::io::Folder;
use ligament::scene::{Filter, ImageData, ImageId, Sampler, TextureId, Wrap};
use std::collections::HashMap;

/// Larger images are scaled down, even where the device could hold them.
const MOST_PIXELS: u32 = 8192;
/// The memory limit for decoding one image.
const MOST_BYTES: u64 = 512 << 20;
/// The memory limit for all textures of a scene on the device. Each takes at most an eighth of what is left, so that
/// there is always room for the next, if it is drawn smaller.
const ALL_BYTES: u64 = 2 << 30;
const SHARE: u64 = 8;

/// How a texture's values are interpreted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Meaning {
    /// Colours in sRGB.
    Color,
    /// Linear values: normals, roughness, occlusion, heights.
    Data,
    /// Opacity: alpha if the image has it, otherwise its brightness.
    Opacity,
}

/// The textures of one scene, each uploaded once per interpretation.
pub(crate) struct Textures<'a> {
    gpu: &'a Gpu,
    scene: &'a Scene,
    folder: &'a dyn Folder,
    /// The image that was decoded last: most materials interpret each image in one way only.
    decoded: Option<(Pixels, Option<RgbaImage>)>,
    /// Bytes that textures may still take on the device.
    left: u64,
    views: HashMap<(Pixels, Meaning), Option<wgpu::TextureView>>,
    samplers: HashMap<Sampler, wgpu::Sampler>,
}

impl<'a> Textures<'a> {
    pub(crate) fn new(gpu: &'a Gpu, scene: &'a Scene, folder: &'a dyn Folder) -> Self {
        let (views, samplers) = (HashMap::new(), HashMap::new());
        Self { gpu, scene, folder, decoded: None, left: ALL_BYTES, views, samplers }
    }

    /// The texture on the device; `None`, with a note, if its image cannot be loaded.
    pub(crate) fn get(
        &mut self,
        texture: TextureId,
        meaning: Meaning,
        notes: &mut Notes,
    ) -> Option<(wgpu::TextureView, wgpu::Sampler)> {
        let texture = self.scene.textures.get(texture.index())?;
        let pixels = Pixels::of(&self.scene.images.get(texture.image.index())?.data);
        let key = (pixels.clone(), meaning);
        if !self.views.contains_key(&key) {
            self.decode(texture.image, pixels, notes);
            let picture = self.decoded.as_ref().and_then(|(_, picture)| picture.as_ref());
            let view = picture.map(|picture| {
                // Smaller levels take a third more.
                self.left = self.left.saturating_sub(picture.as_raw().len() as u64 / 3 * 4);
                upload(self.gpu, picture, meaning)
            });
            self.views.insert(key.clone(), view);
        }
        let view = self.views.get(&key).cloned().flatten()?;
        let sampler =
            self.samplers.entry(texture.sampler).or_insert_with(|| sampler(self.gpu, &texture.sampler));
        Some((view, sampler.clone()))
    }

    /// Decodes an image, unless it was the last one.
    fn decode(&mut self, id: ImageId, pixels: Pixels, notes: &mut Notes) {
        if self.decoded.as_ref().is_some_and(|(known, _)| *known == pixels) {
            return;
        }
        // Two large images are never in memory at the same time.
        self.decoded = None;
        let image = &self.scene.images[id.index()];
        let label = if image.name.is_empty() { image.file_name() } else { image.name.clone() };
        let side = MOST_PIXELS.min(self.gpu.device.limits().max_texture_dimension_2d);
        let most = self.left / SHARE / 4;
        let picture = self.bytes(id).and_then(|(bytes, name)| decode(&bytes, &name, side, most));
        let picture = match picture {
            Err(why) => {
                notes.add(NoteKind::Texture, format!("texture {label:?} is left out: {why}"));
                None
            }
            Ok((picture, None)) => Some(picture),
            Ok((picture, Some(text))) => {
                notes.add(NoteKind::Texture, format!("texture {label:?} {text}"));
                Some(picture)
            }
        };
        self.decoded = Some((pixels, picture));
    }

    /// The bytes of an image file, and a name with its extension.
    fn bytes(&self, id: ImageId) -> Result<(Vec<u8>, String), String> {
        let image = &self.scene.images[id.index()];
        match &image.data {
            ImageData::Embedded { bytes, .. } => Ok((bytes.to_vec(), image.file_name())),
            ImageData::File(path) => match self.folder.read(path, MOST_BYTES) {
                Ok(bytes) => Ok((bytes, path.clone())),
                Err(error) => Err(format!("{path:?} cannot be read ({error})")),
            },
        }
    }
}

/// Where pixels come from: images of the same file, or of the same bytes, have the same.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Pixels {
    File(String),
    Embedded(usize, usize),
}

impl Pixels {
    fn of(data: &ImageData) -> Self {
        match data {
            ImageData::File(path) => Pixels::File(path.clone()),
            ImageData::Embedded { bytes, .. } => Pixels::Embedded(bytes.as_ptr() as usize, bytes.len()),
        }
    }
}

/// Decodes an image, and scales it down if it has sides longer than `side` or more pixels than `most`: then the text
/// says so. It becomes RGBA only afterwards, which takes four times the memory of a grey image.
fn decode(bytes: &[u8], name: &str, side: u32, most: u64) -> Result<(RgbaImage, Option<String>), String> {
    let picture = ligament::internal::decode_image(bytes, name)?;
    let (w, h) = (picture.width(), picture.height());
    let part = (f64::from(side) / f64::from(w.max(h)))
        .min((most as f64 / (f64::from(w) * f64::from(h))).sqrt())
        .min(1.0);
    if part >= 1.0 {
        return Ok((picture.into_rgba8(), None));
    }
    let small = |v: u32| ((f64::from(v) * part) as u32).clamp(1, side);
    let text = format!("is drawn at {}×{} instead of {w}×{h} pixels", small(w), small(h));
    Ok((picture.thumbnail_exact(small(w), small(h)).into_rgba8(), Some(text)))
}

fn upload(gpu: &Gpu, picture: &RgbaImage, meaning: Meaning) -> wgpu::TextureView {
    let mut pixels = picture.as_raw().clone();
    if meaning == Meaning::Opacity {
        let has_alpha = pixels.as_chunks::<4>().0.iter().any(|p| p[3] != 255);
        for pixel in pixels.as_chunks_mut::<4>().0 {
            pixel[0] = if has_alpha {
                pixel[3]
            } else {
                ((u32::from(pixel[0]) + u32::from(pixel[1]) + u32::from(pixel[2])) / 3) as u8
            };
        }
    }
    let (mut width, mut height) = picture.dimensions();
    let levels = 32 - width.max(height).leading_zeros();
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("texture"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: levels,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: if meaning == Meaning::Color {
            wgpu::TextureFormat::Rgba8UnormSrgb
        } else {
            wgpu::TextureFormat::Rgba8Unorm
        },
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    for level in 0..levels {
        if level > 0 {
            pixels = halve(&pixels, width, height, meaning == Meaning::Color);
            (width, height) = ((width / 2).max(1), (height / 2).max(1));
        }
        gpu.queue.write_texture(
            wgpu::TexelCopyTextureInfo { mip_level: level, ..texture.as_image_copy() },
            &pixels,
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(width * 4), rows_per_image: None },
            wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        );
    }
    texture.create_view(&Default::default())
}

/// A checkerboard of magenta and grey, eight cells to a texture, for colours that cannot be loaded.
pub(crate) fn checker(gpu: &Gpu) -> (wgpu::TextureView, wgpu::Sampler) {
    let cell = |x: u32, y: u32| {
        if (x / 8 + y / 8).is_multiple_of(2) { [232, 16, 214, 255] } else { [128, 128, 128, 255] }
    };
    let picture = RgbaImage::from_fn(64, 64, |x, y| image::Rgba(cell(x, y)));
    (upload(gpu, &picture, Meaning::Color), sampler(gpu, &Sampler::default()))
}

/// The next mip level: averages of two by two pixels, colours in linear light.
fn halve(pixels: &[u8], width: u32, height: u32, is_color: bool) -> Vec<u8> {
    let (w, h) = ((width / 2).max(1) as usize, (height / 2).max(1) as usize);
    let row = width as usize * 4;
    let (right, below) = (if width > 1 { 4 } else { 0 }, if height > 1 { row } else { 0 });
    let mut out = Vec::with_capacity(w * h * 4);
    for y in 0..h {
        for x in 0..w {
            let at = y * 2 * row + x * 8;
            let four = [at, at + right, at + below, at + right + below];
            for channel in 0..4 {
                let values = four.map(|i| pixels[i + channel]);
                out.push(if is_color && channel < 3 {
                    color::to_srgb(values.iter().map(|&v| color::to_linear(v)).sum::<f32>() * 0.25)
                } else {
                    ((values.iter().map(|&v| u32::from(v)).sum::<u32>() + 2) / 4) as u8
                });
            }
        }
    }
    out
}

fn sampler(gpu: &Gpu, sampler: &Sampler) -> wgpu::Sampler {
    let wrap = |wrap: Wrap| match wrap {
        Wrap::Repeat => wgpu::AddressMode::Repeat,
        Wrap::Mirror => wgpu::AddressMode::MirrorRepeat,
        Wrap::Clamp => wgpu::AddressMode::ClampToEdge,
    };
    let filter = |filter: Option<Filter>| match filter {
        Some(Filter::Nearest) => wgpu::FilterMode::Nearest,
        Some(Filter::Linear) | None => wgpu::FilterMode::Linear,
    };
    // A sampler with a minification filter but no mip mode uses no mip levels; without a sampler, the best filters are used.
    let (mip, deepest) = match (sampler.minify, sampler.mip) {
        (Some(_), None) => (wgpu::MipmapFilterMode::Nearest, 0.0),
        (_, Some(Filter::Nearest)) => (wgpu::MipmapFilterMode::Nearest, 32.0),
        (None, None) | (_, Some(Filter::Linear)) => (wgpu::MipmapFilterMode::Linear, 32.0),
    };
    let smooth = sampler.magnify != Some(Filter::Nearest)
        && sampler.minify != Some(Filter::Nearest)
        && mip == wgpu::MipmapFilterMode::Linear;
    gpu.device.create_sampler(&wgpu::SamplerDescriptor {
        label: Some("texture"),
        address_mode_u: wrap(sampler.wrap_u),
        address_mode_v: wrap(sampler.wrap_v),
        mag_filter: filter(sampler.magnify),
        min_filter: filter(sampler.minify),
        mipmap_filter: mip,
        lod_max_clamp: deepest,
        anisotropy_clamp: if smooth { 4 } else { 1 },
        ..Default::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_smaller_level_is_the_mean_in_linear_light() {
        // Black and white in a checker: half of the light is 188 in sRGB, and 128 as plain numbers.
        let pixels = [[0, 0, 0, 0], [255; 4], [255; 4], [0, 0, 0, 0]].concat();
        assert_eq!(halve(&pixels, 2, 2, true), [188, 188, 188, 128]);
        assert_eq!(halve(&pixels, 2, 2, false), [128; 4]);
        assert_eq!(halve(&pixels, 4, 1, false), [128; 4].repeat(2));
        assert_eq!(halve(&pixels, 1, 4, false), [128; 4].repeat(2));
        assert_eq!(halve(&[7; 12], 3, 1, false), [7; 4]);
    }

    #[test]
    fn what_is_no_picture_is_an_error_that_says_so() {
        for (bytes, name) in [
            (&b""[..], "a.png"),
            (b"hello", "a.xyz"),
            (b"\x89PNG\r\n\x1a\nbroken", "a.png"),
            (b"junk", "a.tga"),
        ] {
            let error = decode(bytes, name, 64, 64).expect_err(name);
            assert!(!error.is_empty());
        }
        let avif = decode(b"\0\0\0\x20ftypavif\0\0\0\0avifmif1miafMA1B", "a.avif", 64, 64);
        let error = avif.expect_err("AVIF");
        assert!(error.contains("AVIF"), "{error}");
    }

    #[test]
    fn large_images_are_scaled_down_to_what_is_left() {
        let mut png = std::io::Cursor::new(Vec::new());
        let grey = image::GrayImage::from_pixel(64, 16, image::Luma([77]));
        grey.write_to(&mut png, image::ImageFormat::Png).expect("can be encoded");
        let size = |side, most| {
            let (picture, text) = decode(png.get_ref(), "", side, most).expect("readable");
            assert!(picture.pixels().all(|p| p.0 == [77, 77, 77, 255]));
            assert_eq!(text.is_some(), picture.dimensions() != (64, 16));
            picture.dimensions()
        };
        assert_eq!(size(64, 1024), (64, 16));
        assert_eq!(size(32, 1024), (32, 8));
        assert_eq!(size(64, 256), (32, 8));
        assert_eq!(size(64, 0), (1, 1));
    }

    #[test]
    fn images_of_the_same_file_or_bytes_have_the_same_pixels() {
        let bytes: std::sync::Arc<[u8]> = [1, 2, 3].into();
        let embedded = |bytes| ImageData::Embedded { mime: "image/png".into(), bytes };
        let other: std::sync::Arc<[u8]> = [1, 2, 3].into();
        assert_eq!(Pixels::of(&embedded(bytes.clone())), Pixels::of(&embedded(bytes.clone())));
        assert_ne!(Pixels::of(&embedded(bytes)), Pixels::of(&embedded(other)));
        assert_eq!(Pixels::of(&ImageData::File("a".into())), Pixels::of(&ImageData::File("a".into())));
    }
}
