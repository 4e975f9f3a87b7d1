//! The uniform values that all shaders of a picture share.

use crate::camera::View;
use crate::color::to_linear;
use crate::lights::{Lights, MOST, Source};
use crate::{Look, Stage, Surface};
use bytemuck::{Pod, Zeroable};
use ligament::math::{Mat4, Vec3, Vec4};

const GRID: u32 = 1;
const SHADOW: u32 = 2;
const FADED: u32 = 4;

/// How far the shadow's texture reaches beyond the model, and how high above the ground things still cast a shadow, as
/// parts of the model's size.
const REACH: f32 = 0.75;
const HEIGHT: f32 = 0.35;

/// `Frame` of `frame.wgsl`.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Frame {
    view_projection: [f32; 16],
    shadow: [f32; 16],
    eye: [f32; 4],
    forward: [f32; 4],
    viewport: [f32; 4],
    sky: [f32; 4],
    earth: [f32; 4],
    right: [f32; 4],
    up: [f32; 4],
    backdrop: [f32; 4],
    counts: [u32; 4],
    lights: [Source; MOST],
}

impl Frame {
    pub(crate) fn new(
        view: &View,
        stage: &Stage,
        look: &Look,
        lights: &Lights,
        size: [f32; 2],
        encode: bool,
    ) -> Self {
        let center = stage.space.center();
        // Slightly lower, for models that have a floor of their own.
        let ground = stage.space.place(center.with_y(stage.ground)).y - 1e-3;
        let mut sources = [Source::zeroed(); MOST];
        sources.iter_mut().zip(&lights.sources).for_each(|(to, from)| *to = *from);
        let surface = match look.surface {
            Surface::Materials | Surface::Weights(_) => 0,
            Surface::UvChecker => 1,
            Surface::Flat => 2,
            Surface::Colors => 3,
        };
        // From below, the ground would hide the model.
        let from_above = if view.perspective { view.eye.y > ground } else { view.axes.z_axis.y >= 0.0 };
        let below = u32::from(look.grid) * GRID + u32::from(look.shadow) * SHADOW;
        let shown = u32::from(from_above) * below + u32::from(look.wire) * FADED;
        let [r, g, b, alpha] = look.background;
        let backdrop = if alpha == 0 { Vec3::splat(0.8) } else { Vec3::from([r, g, b].map(to_linear)) };
        // Grid lines are at round numbers of the scene.
        let step = step(stage.space.size());
        let own = |v: f64| stage.space.length(-(v - (v / (step * 10.0)).round() * step * 10.0)) as f32;
        let offset = [own(center.x), own(center.z)];
        Self {
            view_projection: view.matrix.to_cols_array(),
            shadow: shadow(ground).to_cols_array(),
            eye: view.eye.extend(f32::from(u8::from(view.perspective))).to_array(),
            forward: (-view.axes.z_axis).extend(ground).to_array(),
            viewport: [size[0], size[1], view.nearness, stage.space.length(step) as f32],
            sky: lights.sky.extend(offset[0]).to_array(),
            earth: lights.earth.extend(offset[1]).to_array(),
            right: view.axes.x_axis.extend(lights.lamps).to_array(),
            up: view.axes.y_axis.extend(0.0).to_array(),
            backdrop: backdrop.extend(1.0).to_array(),
            counts: [lights.sources.len().min(MOST) as u32, surface, u32::from(encode), shown],
            lights: sources,
        }
    }
}

/// From the model's units to the shadow's texture: x and y across the ground, z the height above it.
fn shadow(ground: f32) -> Mat4 {
    let across = 0.5 / REACH;
    Mat4::from_cols(
        Vec4::X * across,
        Vec4::Z / HEIGHT,
        Vec4::Y * across,
        Vec3::new(0.5, 0.5, -ground / HEIGHT).extend(1.0),
    )
}

/// The distance between grid lines in the scene's units: a power of ten, about a tenth of the model's size.
fn step(size: f64) -> f64 {
    10_f64.powf((size * 0.12).log10().round().clamp(-30.0, 30.0))
}
