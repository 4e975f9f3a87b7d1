//! Encodes pictures as files.

use image::ExtendedColorType;
use image::codecs::{jpeg::JpegEncoder, webp::WebPEncoder};
use ligament_render::Picture;
use std::io;
use std::path::Path;

/// Hardly distinguishable from the picture.
const JPEG_QUALITY: u8 = 92;

/// The types of pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Png,
    Jpeg,
    WebP,
    Gif,
    Apng,
}

impl Kind {
    /// The type that a file's extension names.
    pub fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Some(match extension.as_str() {
            "png" => Kind::Png,
            "jpg" | "jpeg" => Kind::Jpeg,
            "webp" => Kind::WebP,
            "gif" => Kind::Gif,
            "apng" => Kind::Apng,
            _ => return None,
        })
    }

    /// Whether it is an animation.
    pub fn moves(self) -> bool {
        matches!(self, Kind::Gif | Kind::Apng)
    }
}

/// One picture: JPEG, WebP without loss, or else PNG.
pub fn still(picture: &Picture, kind: Kind) -> io::Result<Vec<u8>> {
    let solid = is_solid(picture);
    let (width, height) = (picture.width, picture.height);
    let mut bytes = Vec::new();
    let encoded = match kind {
        Kind::Jpeg => JpegEncoder::new_with_quality(&mut bytes, JPEG_QUALITY).encode(
            &channels(picture, true),
            width,
            height,
            ExtendedColorType::Rgb8,
        ),
        Kind::WebP => {
            let color = if solid { ExtendedColorType::Rgb8 } else { ExtendedColorType::Rgba8 };
            WebPEncoder::new_lossless(&mut bytes).encode(&channels(picture, solid), width, height, color)
        }
        _ => return png(picture),
    };
    encoded.map(|()| bytes).map_err(io::Error::other)
}

/// A picture as PNG. An opaque picture has no alpha channel.
fn png(picture: &Picture) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let solid = is_solid(picture);
    let mut encoder = encoder(&mut bytes, picture.width, picture.height, solid);
    encoder.set_compression(png::Compression::Balanced);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&channels(picture, solid))?;
    writer.finish()?;
    Ok(bytes)
}

/// A looping animation.
pub struct Animation<'a, E> {
    pub size: [u32; 2],
    pub count: u32,
    /// Pictures per second.
    pub rate: f32,
    /// Draws one picture.
    pub draw: &'a mut dyn FnMut(u32) -> Result<Picture, E>,
}

impl<E: From<io::Error>> Animation<'_, E> {
    /// As an animated PNG.
    pub fn apng(self, solid: bool) -> Result<Vec<u8>, E> {
        let mut bytes = Vec::new();
        let mut encoder = encoder(&mut bytes, self.size[0], self.size[1], solid);
        // In milliseconds, or in hundredths of a second where milliseconds do not fit.
        let (time, unit) = match (1000.0 / self.rate).round() {
            time if time < 65_000.0 => (time.max(1.0), 1000),
            _ => ((100.0 / self.rate).round().min(65_000.0), 100),
        };
        encoder.set_animated(self.count, 0).map_err(io::Error::from)?;
        encoder.set_frame_delay(time as u16, unit).map_err(io::Error::from)?;
        let mut writer = encoder.write_header().map_err(io::Error::from)?;
        for number in 0..self.count {
            let picture = (self.draw)(number)?;
            writer.write_image_data(&channels(&picture, solid)).map_err(io::Error::from)?;
        }
        writer.finish().map_err(io::Error::from)?;
        Ok(bytes)
    }

    /// As a GIF with one palette for all pictures, so that colours do not flicker. Some of the pictures are drawn twice:
    /// the first time to compute the palette.
    pub fn gif(self) -> Result<Vec<u8>, E> {
        const SAMPLES: u32 = 8;
        let mut pixels = Vec::new();
        let step = self.count.div_ceil(SAMPLES).max(1);
        for number in (0..self.count).step_by(step as usize) {
            let picture = (self.draw)(number)?;
            pixels.extend(picture.rgba.as_chunks::<4>().0.iter().filter(|p| p[3] >= 128).flatten());
        }
        let palette = Palette::of(&pixels);
        drop(pixels);
        let [width, height] = self.size.map(|v| v as u16);
        let mut bytes = Vec::new();
        let mut encoder =
            gif::Encoder::new(&mut bytes, width, height, &palette.colors).map_err(io::Error::other)?;
        encoder.set_repeat(gif::Repeat::Infinite).map_err(io::Error::other)?;
        let mut waited = 0;
        for number in 0..self.count {
            let picture = (self.draw)(number)?;
            // Hundredths of a second, rounded so that the animation keeps its total length.
            let until = (f64::from(number + 1) * 100.0 / f64::from(self.rate)).round().max(1.0) as u64;
            let frame = gif::Frame {
                delay: (until - waited).clamp(1, 65_000) as u16,
                dispose: gif::DisposalMethod::Background,
                transparent: Some(CLEAR),
                width,
                height,
                buffer: palette.indices(&picture).into(),
                ..Default::default()
            };
            waited = until;
            encoder.write_frame(&frame).map_err(io::Error::other)?;
        }
        drop(encoder);
        Ok(bytes)
    }
}

/// The transparent entry of a palette.
const CLEAR: u8 = 255;

struct Palette {
    network: color_quant::NeuQuant,
    colors: Vec<u8>,
}

impl Palette {
    fn of(pixels: &[u8]) -> Self {
        // The neural quantiser needs a minimum number of pixels to learn from.
        let padded = if pixels.len() < 4096 {
            pixels.iter().copied().chain([128; 4096]).collect()
        } else {
            pixels.to_vec()
        };
        let network = color_quant::NeuQuant::new(10, usize::from(CLEAR), &padded);
        let mut colors = network.color_map_rgb();
        colors.resize(256 * 3, 0);
        Self { network, colors }
    }

    fn indices(&self, picture: &Picture) -> Vec<u8> {
        // Neighbouring pixels are usually equal, and looking up a colour is slow.
        let mut last = ([0; 4], CLEAR);
        let index = |pixel: &[u8; 4]| {
            if pixel[3] < 128 {
                return CLEAR;
            }
            if last.0 != *pixel {
                last = (*pixel, self.network.index_of(pixel).min(usize::from(CLEAR) - 1) as u8);
            }
            last.1
        };
        picture.rgba.as_chunks::<4>().0.iter().map(index).collect()
    }
}

fn encoder<W: io::Write>(to: W, width: u32, height: u32, solid: bool) -> png::Encoder<'static, W> {
    let mut encoder = png::Encoder::new(to, width, height);
    encoder.set_color(if solid { png::ColorType::Rgb } else { png::ColorType::Rgba });
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    encoder
}

/// Whether every pixel is opaque.
pub fn is_solid(picture: &Picture) -> bool {
    picture.rgba.as_chunks::<4>().0.iter().all(|pixel| pixel[3] == 255)
}

fn channels(picture: &Picture, solid: bool) -> Vec<u8> {
    match solid {
        true => picture.rgba.as_chunks::<4>().0.iter().flat_map(|&[r, g, b, _]| [r, g, b]).collect(),
        false => picture.rgba.clone(),
    }
}
