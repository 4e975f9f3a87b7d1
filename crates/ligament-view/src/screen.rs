//! The panels on the device.

use crate::state::State;
use crate::ui;
use egui::{FullOutput, RawInput, TextureId};
use egui_wgpu::{RendererOptions, ScreenDescriptor};
use ligament_render::{Gpu, Picture, RenderError, wgpu};

/// Panels around a picture, drawn into any texture of one format.
pub struct Screen {
    /// egui's state between frames.
    pub ctx: egui::Context,
    gpu: Gpu,
    format: wgpu::TextureFormat,
    renderer: egui_wgpu::Renderer,
    /// The picture, and what is shown over it.
    layers: [TextureId; 2],
}

/// A layout, ready to paint.
pub struct Panes {
    jobs: Vec<egui::ClippedPrimitive>,
    textures: egui::TexturesDelta,
    pixels_per_point: f32,
}

impl Screen {
    /// Creates a screen for textures of a format, which should not be sRGB: egui blends in gamma space, as browsers do.
    pub fn new(gpu: &Gpu, format: wgpu::TextureFormat) -> Self {
        let ctx = egui::Context::default();
        ui::apply_style(&ctx);
        ctx.options_mut(|options| options.max_passes = std::num::NonZeroUsize::MIN);
        let options = RendererOptions { dithering: false, ..RendererOptions::default() };
        let mut renderer = egui_wgpu::Renderer::new(&gpu.device, format, options);
        let nothing = blank(gpu, [1, 1], wgpu::TextureFormat::Rgba8Unorm);
        let view = nothing.create_view(&wgpu::TextureViewDescriptor::default());
        let layers =
            [(); 2].map(|()| renderer.register_native_texture(&gpu.device, &view, wgpu::FilterMode::Nearest));
        Self { ctx, gpu: gpu.clone(), format, renderer, layers }
    }

    /// Sets the textures that show the models.
    pub fn set_layers<'a>(&mut self, views: impl Iterator<Item = &'a wgpu::TextureView>) {
        for (view, id) in views.zip(self.layers) {
            let device = &self.gpu.device;
            self.renderer.update_egui_texture_from_wgpu_texture(device, view, wgpu::FilterMode::Linear, id);
        }
    }

    /// Lays out the panels and applies their events to the state.
    pub fn run(&mut self, input: RawInput, state: &mut State) -> FullOutput {
        let layers = self.layers;
        state.behind = false;
        self.ctx.clone().run_ui(input, |root| ui::show(root, state, layers))
    }

    /// The layout as triangles.
    pub fn panes(&self, output: &mut FullOutput) -> Panes {
        let pixels_per_point = output.pixels_per_point;
        Panes {
            jobs: self.ctx.tessellate(std::mem::take(&mut output.shapes), pixels_per_point),
            textures: std::mem::take(&mut output.textures_delta),
            pixels_per_point,
        }
    }

    /// Uploads new glyphs. Must be called once per layout, painted or not.
    pub fn upload(&mut self, panes: &mut Panes) {
        for (id, deltas) in std::mem::take(&mut panes.textures.set) {
            for delta in &deltas {
                self.renderer.update_texture(&self.gpu.device, &self.gpu.queue, id, delta);
            }
        }
    }

    /// Frees glyphs that are no longer needed, after painting.
    pub fn release(&mut self, panes: &mut Panes) {
        for id in std::mem::take(&mut panes.textures.free) {
            self.renderer.free_texture(&id);
        }
    }

    /// Paints into a texture.
    pub fn paint(&mut self, panes: &Panes, view: &wgpu::TextureView, size: [u32; 2]) {
        let screen = ScreenDescriptor { size_in_pixels: size, pixels_per_point: panes.pixels_per_point };
        let Gpu { device, queue, .. } = &self.gpu;
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let more = self.renderer.update_buffers(device, queue, &mut encoder, &panes.jobs, &screen);
        {
            let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("panels"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations {
                        load: wgpu::LoadOp::Clear(wgpu::Color::WHITE),
                        store: wgpu::StoreOp::Store,
                    },
                })],
                depth_stencil_attachment: None,
                timestamp_writes: None,
                occlusion_query_set: None,
                multiview_mask: None,
            });
            self.renderer.render(&mut pass.forget_lifetime(), &panes.jobs, &screen);
        }
        queue.submit(more.into_iter().chain([encoder.finish()]));
    }

    /// A picture of the whole window.
    pub fn picture(&mut self, panes: &Panes, size: [u32; 2]) -> Result<Picture, RenderError> {
        let texture = blank(&self.gpu, size, self.format);
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        self.paint(panes, &view, size);
        let mut picture = self.gpu.read(&texture)?;
        if self.format.remove_srgb_suffix() == wgpu::TextureFormat::Bgra8Unorm {
            picture.rgba.as_chunks_mut::<4>().0.iter_mut().for_each(|pixel| pixel.swap(0, 2));
        }
        Ok(picture)
    }
}

fn blank(gpu: &Gpu, [width, height]: [u32; 2], format: wgpu::TextureFormat) -> wgpu::Texture {
    gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("window"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT
            | wgpu::TextureUsages::TEXTURE_BINDING
            | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    })
}
