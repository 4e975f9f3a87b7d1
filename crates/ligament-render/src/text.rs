//! Text in pictures: glyphs in one texture, and rectangles that show them.

use crate::Gpu;
use ab_glyph::{Font, FontRef, ScaleFont};
use bytemuck::{Pod, Zeroable};
use std::collections::HashMap;

/// Pixels along a side of the texture.
const SIDE: u32 = 1024;

/// A piece of text over a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Label {
    /// The text.
    pub text: String,
    /// Position of the anchor, in pixels from the left and the top.
    pub at: [f32; 2],
    /// The height of a line in pixels.
    pub size: f32,
    /// Its colour: sRGB and alpha.
    pub color: [u8; 4],
    /// The colour of a thin outline that makes it legible on any background.
    pub rim: Option<[u8; 4]>,
    /// The point of the label that is placed at `at`.
    pub anchor: Anchor,
}

/// The point of a label that is placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Anchor {
    /// The top left corner.
    #[default]
    Left,
    /// The middle of the top edge.
    Center,
    /// The top right corner.
    Right,
}

/// A rectangle of one colour over a picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Block {
    /// Left, top, right and bottom in pixels.
    pub rectangle: [f32; 4],
    /// Its colour: sRGB and alpha.
    pub color: [u8; 4],
}

/// An instance for the shader: a rectangle and its part of the texture.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Quad {
    rectangle: [f32; 4],
    uv: [f32; 4],
    color: [u8; 4],
}

#[derive(Clone, Copy)]
struct Glyph {
    /// From the pen to the rectangle's corner, and its size; zero for a space.
    offset: [f32; 2],
    size: [f32; 2],
    uv: [f32; 4],
    advance: f32,
}

/// The glyphs that were used so far.
pub(crate) struct Text {
    font: Option<FontRef<'static>>,
    glyphs: HashMap<(char, u32), Glyph>,
    pixels: Vec<u8>,
    /// The position of the next glyph, and the height of the row.
    pen: [u32; 3],
    changed: bool,
    texture: wgpu::Texture,
}

impl Text {
    pub(crate) fn new(gpu: &Gpu) -> Self {
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("glyphs"),
            size: wgpu::Extent3d { width: SIDE, height: SIDE, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::R8Unorm,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        let mut pixels = vec![0; (SIDE * SIDE) as usize];
        // A white corner, for rectangles of one colour.
        for y in 0..4 {
            pixels[(y * SIDE) as usize..(y * SIDE) as usize + 4].fill(255);
        }
        Self {
            font: FontRef::try_from_slice(epaint_default_fonts::HACK_REGULAR).ok(),
            glyphs: HashMap::new(),
            pixels,
            pen: [6, 0, 5],
            changed: true,
            texture,
        }
    }

    pub(crate) fn view(&self) -> wgpu::TextureView {
        self.texture.create_view(&Default::default())
    }

    /// A text's width in pixels.
    pub(crate) fn width(&mut self, text: &str, size: f32) -> f32 {
        text.chars().map(|c| self.glyph(c, size).map_or(0.0, |glyph| glyph.advance)).sum()
    }

    pub(crate) fn add_block(&self, block: &Block, quads: &mut Vec<Quad>) {
        let corner = 2.0 / SIDE as f32;
        quads.push(Quad { rectangle: block.rectangle, uv: [corner; 4], color: block.color });
    }

    pub(crate) fn add(&mut self, label: &Label, quads: &mut Vec<Quad>) {
        let size = label.size.clamp(4.0, 200.0);
        let width = self.width(&label.text, size);
        let shift = match label.anchor {
            Anchor::Left => 0.0,
            Anchor::Center => width * 0.5,
            Anchor::Right => width,
        };
        let left = (label.at[0] - shift).round();
        let ascent = self.font.as_ref().map_or(size, |font| font.as_scaled(size).ascent());
        let base = (label.at[1] + ascent).round();
        if let Some(rim) = label.rim {
            for [x, y] in [
                [-1.0, 0.0],
                [1.0, 0.0],
                [0.0, -1.0],
                [0.0, 1.0],
                [-1.0, -1.0],
                [1.0, 1.0],
                [-1.0, 1.0],
                [1.0, -1.0],
            ] {
                self.line(&label.text, size, [left + x, base + y], rim, quads);
            }
        }
        self.line(&label.text, size, [left, base], label.color, quads);
    }

    fn line(&mut self, text: &str, size: f32, [mut x, y]: [f32; 2], color: [u8; 4], quads: &mut Vec<Quad>) {
        for c in text.chars() {
            let Some(glyph) = self.glyph(c, size) else { continue };
            if glyph.size[0] > 0.0 {
                let (left, top) = ((x + glyph.offset[0]).round(), y + glyph.offset[1]);
                let rectangle = [left, top, left + glyph.size[0], top + glyph.size[1]];
                quads.push(Quad { rectangle, uv: glyph.uv, color });
            }
            x += glyph.advance;
        }
    }

    /// The glyph of a character, drawn on first use. Characters that the font lacks get its replacement box; `None` once
    /// the texture is full.
    fn glyph(&mut self, c: char, size: f32) -> Option<Glyph> {
        let key = (c, (size * 4.0) as u32);
        if let Some(glyph) = self.glyphs.get(&key) {
            return Some(*glyph);
        }
        let font = self.font.as_ref()?;
        let id = font.glyph_id(if c.is_control() { ' ' } else { c });
        let advance = font.as_scaled(size).h_advance(id);
        let mut glyph = Glyph { offset: [0.0; 2], size: [0.0; 2], uv: [0.0; 4], advance };
        if let Some(outline) = font.outline_glyph(id.with_scale(size)) {
            let bounds = outline.px_bounds();
            let (w, h) = (bounds.width().ceil() as u32, bounds.height().ceil() as u32);
            let [x, y] = self.place(w, h)?;
            outline.draw(|dx, dy, cover| {
                let at = ((y + dy) * SIDE + x + dx) as usize;
                if let Some(pixel) = self.pixels.get_mut(at) {
                    *pixel = (cover.clamp(0.0, 1.0) * 255.0 + 0.5) as u8;
                }
            });
            self.changed = true;
            glyph.offset = [bounds.min.x, bounds.min.y];
            glyph.size = [w as f32, h as f32];
            glyph.uv = [x, y, x + w, y + h].map(|v| v as f32 / SIDE as f32);
        }
        self.glyphs.insert(key, glyph);
        Some(glyph)
    }

    /// A free place in the texture, in rows.
    fn place(&mut self, width: u32, height: u32) -> Option<[u32; 2]> {
        let [mut x, mut y, mut row] = self.pen;
        if x + width + 1 > SIDE {
            (x, y, row) = (0, y + row + 1, 0);
        }
        if width >= SIDE || y + height + 1 > SIDE {
            return None;
        }
        self.pen = [x + width + 1, y, row.max(height)];
        Some([x, y])
    }

    /// Uploads new glyphs.
    pub(crate) fn upload(&mut self, gpu: &Gpu) {
        if !std::mem::take(&mut self.changed) {
            return;
        }
        let layout =
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(SIDE), rows_per_image: None };
        gpu.queue.write_texture(self.texture.as_image_copy(), &self.pixels, layout, self.texture.size());
    }
}
