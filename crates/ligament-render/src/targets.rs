//! The textures that a picture is drawn into before it is finished.

use crate::{Gpu, RenderError};

/// Samples per pixel.
pub(crate) const SAMPLES: u32 = 4;
pub(crate) const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
/// Pixels along a side of the shadow's texture.
const SHADOW: u32 = 256;

/// Multisampled colour and depth, and the shadow.
pub(crate) struct Targets {
    pub(crate) size: [u32; 2],
    pub(crate) color: wgpu::TextureView,
    pub(crate) depth: wgpu::TextureView,
}

impl Targets {
    pub(crate) fn new(gpu: &Gpu, format: wgpu::TextureFormat, size: [u32; 2]) -> Result<Self, RenderError> {
        check_size(gpu, size)?;
        let view = |label, format| {
            let texture = texture(gpu, label, size, format, SAMPLES, wgpu::TextureUsages::RENDER_ATTACHMENT);
            texture.create_view(&Default::default())
        };
        let targets = Self { size, color: view("samples", format), depth: view("depth", DEPTH) };
        gpu.check()?;
        Ok(targets)
    }
}

/// Refuses sizes that the device cannot hold.
pub(crate) fn check_size(gpu: &Gpu, [width, height]: [u32; 2]) -> Result<(), RenderError> {
    let most = gpu.device.limits().max_texture_dimension_2d;
    if width == 0 || height == 0 || width > most || height > most {
        let message = format!(
            "a picture of {width}×{height} pixels cannot be drawn: each side must be from 1 to {most} pixels"
        );
        return Err(RenderError::TooLarge(message));
    }
    Ok(())
}

pub(crate) fn shadow(gpu: &Gpu) -> wgpu::TextureView {
    let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
    texture(gpu, "shadow", [SHADOW; 2], wgpu::TextureFormat::R8Unorm, 1, usage)
        .create_view(&Default::default())
}

pub(crate) fn texture(
    gpu: &Gpu,
    label: &str,
    [width, height]: [u32; 2],
    format: wgpu::TextureFormat,
    sample_count: u32,
    usage: wgpu::TextureUsages,
) -> wgpu::Texture {
    gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage,
        view_formats: &[],
    })
}
