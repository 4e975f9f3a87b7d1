//! Draws the viewer's state into a texture, for a window or a picture file.

use crate::state::State;
use ligament_render::{Gpu, PICTURE_FORMAT, Picture, RenderError, Renderer, wgpu};

/// A renderer and the texture it draws into.
pub struct Painter {
    renderer: Renderer,
    target: Option<Target>,
}

struct Target {
    texture: wgpu::Texture,
    /// The view for drawing, in linear light.
    drawn: wgpu::TextureView,
    /// The view for display, which uses the stored values.
    shown: wgpu::TextureView,
}

/// [`PICTURE_FORMAT`] without the sRGB conversion.
const SHOWN_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

impl Painter {
    /// A painter on a device.
    pub fn new(gpu: Gpu) -> Result<Self, RenderError> {
        Ok(Self { renderer: Renderer::new(gpu, PICTURE_FORMAT)?, target: None })
    }

    /// The renderer.
    pub fn renderer(&self) -> &Renderer {
        &self.renderer
    }

    /// Redraws if anything changed. Returns whether the texture was replaced;
    /// [`shown`](Self::shown) is a view of it.
    pub fn draw(&mut self, state: &mut State) -> Result<bool, RenderError> {
        let size = state.resolution.size(state.size);
        let is_new =
            self.target.as_ref().is_none_or(|own| [own.texture.width(), own.texture.height()] != size);
        if is_new {
            self.target = None;
            self.target = Some(self.make_target(size)?);
        }
        if is_new || state.changed {
            state.changed = false;
            self.draw_all(state, size)?;
        }
        Ok(is_new)
    }

    /// The picture as a texture.
    pub fn shown(&self) -> Option<&wgpu::TextureView> {
        self.target.as_ref().map(|target| &target.shown)
    }

    /// The picture as it was drawn last.
    pub fn picture(&self) -> Result<Picture, RenderError> {
        match &self.target {
            Some(target) => self.renderer.gpu().read(&target.texture),
            None => Err(RenderError::Refused("no picture has been drawn yet".to_owned())),
        }
    }

    fn make_target(&self, [width, height]: [u32; 2]) -> Result<Target, RenderError> {
        let most = self.renderer.gpu().device.limits().max_texture_dimension_2d;
        if width == 0 || height == 0 || width > most || height > most {
            let message = format!("a picture of {width}×{height} pixels cannot be drawn");
            return Err(RenderError::TooLarge(message));
        }
        let texture = self.renderer.gpu().device.create_texture(&wgpu::TextureDescriptor {
            label: Some("view"),
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: PICTURE_FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT
                | wgpu::TextureUsages::TEXTURE_BINDING
                | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[SHOWN_FORMAT],
        });
        let drawn = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let shown = texture.create_view(&wgpu::TextureViewDescriptor {
            format: Some(SHOWN_FORMAT),
            usage: Some(wgpu::TextureUsages::TEXTURE_BINDING),
            ..Default::default()
        });
        self.renderer.gpu().check()?;
        Ok(Target { texture, drawn, shown })
    }

    fn draw_all(&mut self, state: &mut State, size: [u32; 2]) -> Result<(), RenderError> {
        let Some(target) = &self.target else { return Ok(()) };
        let frames = state.compose(size);
        let mut keep = false;
        let mut outcome = Ok(());
        for (slot, frame) in state.slots.iter_mut().zip(&frames) {
            let Some(frame) = frame else { continue };
            // Split the borrow: the model is drawn as the rest of the slot describes.
            let Some(mut opened) = slot.opened.take() else { continue };
            let drawn = self.renderer.draw(&mut opened.model, &frame.shot(slot, keep), &target.drawn, size);
            match drawn {
                Ok(notes) => slot.notes = notes,
                Err(error) => outcome = Err(error),
            }
            slot.opened = Some(opened);
            keep = true;
        }
        state.frames = frames;
        // A lost device is noticed only when polled.
        let gpu = self.renderer.gpu();
        let asked = gpu.device.poll(wgpu::PollType::Poll);
        asked.map_err(|error| RenderError::Lost(error.to_string()))?;
        gpu.check()?;
        outcome
    }
}
