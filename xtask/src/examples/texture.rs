//! The creature's texture: its hide seen from the side in the upper part, patches for the small pieces below.

use super::math::{mix, noise, ramp};
use super::shape::Patch;
use ligament::math::{DVec2, DVec3};

/// Width and height in pixels.
pub const SIZE: u32 = 512;

// The hide is coloured as if carved from a striped block: the texture is a side view, +Z to the right.
const BACK: f64 = -1.14;
const LENGTH: f64 = 2.10;
const TOP: f64 = 1.36;
const HIDE_BOTTOM: f64 = TOP / LENGTH;

/// Texture coordinates of a point of the hide.
pub fn hide_uv(p: DVec3) -> DVec2 {
    DVec2::new((p.z - BACK) / LENGTH, (TOP - p.y) / LENGTH)
}

fn patch_box(patch: Patch) -> (DVec2, f64) {
    let (x, half) = match patch {
        Patch::Eye => (0.19, 0.15),
        Patch::Spike => (0.50, 0.12),
        Patch::Claw => (0.72, 0.07),
        Patch::Nose => (0.89, 0.07),
    };
    (DVec2::new(x, 0.815), half)
}

/// Texture coordinates of a point (−1..1 in both directions, Y up) of a patch.
pub fn patch_uv(patch: Patch, at: DVec2) -> DVec2 {
    let (center, half) = patch_box(patch);
    center + DVec2::new(at.x, -at.y) * half * 0.94
}

type Color = DVec3;

const fn rgb(hex: u32) -> Color {
    let (r, g, b) = (hex >> 16, hex >> 8 & 255, hex & 255);
    DVec3::new(r as f64 / 255.0, g as f64 / 255.0, b as f64 / 255.0)
}

const TEAL: Color = rgb(0x35A69B);
const DEEP: Color = rgb(0x1F6F78);
const DARK: Color = rgb(0x17505C);
const CREAM: Color = rgb(0xF6E7C4);
const ORANGE: Color = rgb(0xF28C3A);
const RED: Color = rgb(0xD9562B);
const PINK: Color = rgb(0xF2A7A0);
const INK: Color = rgb(0x1B2430);

/// The texture as a PNG file.
pub fn png() -> Vec<u8> {
    let mut pixels = Vec::with_capacity((SIZE * SIZE * 3) as usize);
    for row in 0..SIZE {
        for column in 0..SIZE {
            let uv = DVec2::new(f64::from(column) + 0.5, f64::from(row) + 0.5) / f64::from(SIZE);
            let color = color_at(uv).clamp(DVec3::ZERO, DVec3::ONE);
            pixels.extend([color.x, color.y, color.z].map(|c| (c * 255.0).round() as u8));
        }
    }
    encode(SIZE, &pixels)
}

/// A PNG file of RGB pixels.
pub fn encode(size: u32, pixels: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, size, size);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::High);
    let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(pixels));
    written.expect("a picture in memory can be encoded");
    bytes
}

fn color_at(uv: DVec2) -> Color {
    if uv.y < HIDE_BOTTOM + 0.02 {
        return hide(BACK + uv.x * LENGTH, TOP - uv.y * LENGTH);
    }
    let patches = [Patch::Eye, Patch::Spike, Patch::Claw, Patch::Nose];
    let found = patches.into_iter().find_map(|patch| {
        let (center, half) = patch_box(patch);
        let at = (uv - center) / half;
        (at.abs().max_element() <= 1.0).then(|| patch_color(patch, DVec2::new(at.x, -at.y)))
    });
    found.unwrap_or(DEEP)
}

/// The colour of the hide at a point, seen from the side.
fn hide(z: f64, y: f64) -> Color {
    let grain = noise(z * 38.0, y * 38.0) - 0.5;
    let wobble = (noise(z * 9.0, y * 9.0) - 0.5) * 0.03;
    let back = back_line(z);
    let mut color = TEAL.lerp(DEEP, ramp(-0.22, 0.02, y - back));
    color = color.lerp(DARK, stripes(z + wobble, y, back) * 0.75);
    color = color.lerp(CREAM, ramp(0.015, -0.015, y - belly_line(z) + wobble));
    color = color.lerp(ORANGE, ramp(0.125, 0.105, y + wobble));
    color = color.lerp(RED, ramp(0.05, 0.0, y) * 0.5);
    color = tail_colors(color, z, y, wobble);
    if z > 0.30 && y > 0.68 {
        color = head_colors(color, z, y);
    }
    color * (1.0 + grain * 0.10)
}

/// Height of the back's ridge.
fn back_line(z: f64) -> f64 {
    mix(0.60, 0.66, ramp(-0.30, 0.25, z)) + ramp(0.22, 0.40, z) * 0.40 - ramp(-0.30, -0.60, z) * 0.09
}

/// The height below which the hide is pale: under the body and up the throat.
fn belly_line(z: f64) -> f64 {
    let under = mix(0.375, 0.40, ramp(-0.2, 0.2, z));
    let ends = ramp(-0.03, -0.115, z) * 0.6 + ramp(0.02, 0.10, z) * 0.6;
    under - ends + ramp(0.25, 0.36, z) * 0.97
}

/// The strength of the stripes: wedges that hang from the back.
fn stripes(z: f64, y: f64, back: f64) -> f64 {
    let period = 0.115;
    let phase = (z / period) - (z / period).floor();
    let center = (phase - 0.5).abs() * 2.0;
    let depth = (back - y) / 0.26;
    let width = 0.52 * (1.0 - depth).max(0.0);
    let body = ramp(0.34, 0.26, z) * ramp(-0.80, -0.70, z);
    ramp(width + 0.10, width - 0.06, center) * ramp(1.0, 0.9, depth) * body
}

fn tail_colors(color: Color, z: f64, y: f64, wobble: f64) -> Color {
    // Along the upright end the colour depends on height; the tuft is orange with a pale root.
    let end = ramp(-0.76, -0.80, z);
    let up = y + wobble * 0.6;
    let tuft = ORANGE.lerp(RED, ramp(0.84, 0.99, up));
    let color = color.lerp(CREAM, end * ramp(0.735, 0.75, up));
    color.lerp(tuft, end * ramp(0.765, 0.78, up))
}

fn head_colors(color: Color, z: f64, y: f64) -> Color {
    let spot = |z0: f64, y0: f64, r: f64| {
        let d = ((z - z0) * (z - z0) + (y - y0) * (y - y0)).max(0.0).sqrt();
        ramp(r, r * 0.45, d)
    };
    // The ears: their fronts are pale pink, their tips dark.
    let ear = ramp(1.075, 1.105, y);
    let mut color = color.lerp(TEAL, ramp(0.92, 1.0, y) * 0.6);
    color = color.lerp(PINK, ear * ramp(0.392, 0.400, z) * ramp(1.27, 1.24, y));
    color = color.lerp(DARK, ramp(1.235, 1.265, y));
    color = color.lerp(PINK, spot(0.600, 0.775, 0.055) * 0.8);
    // Freckles on the brow.
    for (z0, y0, r) in [(0.50, 0.985, 0.022), (0.44, 0.955, 0.026), (0.37, 0.90, 0.030), (0.42, 0.86, 0.018)]
    {
        color = color.lerp(DARK, spot(z0, y0, r) * 0.7);
    }
    // The mouth: a curve that rises to its corner in the cheek.
    let bend = (0.70 - z).max(0.0);
    let mouth = 0.742 - 0.25 * bend + 2.6 * bend * bend;
    let line = ramp(0.0085, 0.0045, (y - mouth).abs()) * ramp(0.575, 0.59, z);
    color.lerp(INK, line * 0.85)
}

fn patch_color(patch: Patch, at: DVec2) -> Color {
    match patch {
        Patch::Eye => eye(at),
        Patch::Spike => {
            let up = -at.y * 0.5 + 0.5;
            RED.lerp(ORANGE, ramp(0.15, 0.75, up)).lerp(CREAM, ramp(0.75, 1.0, up) * 0.6)
        }
        Patch::Claw => CREAM.lerp(DARK, ramp(0.2, 1.0, -at.y) * 0.25),
        Patch::Nose => INK.lerp(PINK, ramp(0.45, 0.0, (at - DVec2::new(0.0, 0.45)).length()) * 0.35),
    }
}

/// A dark eye with an amber ring and two lights in it.
fn eye(at: DVec2) -> Color {
    let r = at.length();
    let amber = ORANGE.lerp(rgb(0xFFD35A), ramp(0.3, -0.7, at.y));
    let mut color = amber.lerp(INK, ramp(0.60, 0.55, r));
    color = color.lerp(INK, ramp(0.80, 0.86, r));
    let light = |x: f64, y: f64, size: f64| ramp(size, size * 0.8, (at - DVec2::new(x, y)).length());
    color = color.lerp(Color::ONE, light(0.22, 0.34, 0.21));
    color.lerp(Color::ONE, light(-0.26, -0.26, 0.10) * 0.9)
}
