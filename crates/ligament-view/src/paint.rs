//! Draws the viewer's state into a texture, for a window or a picture file.

use crate::state::State;
use ligament_render::{Gpu, PICTURE_FORMAT, Picture, RenderError, Renderer, wgpu};

/// A renderer and the texture it draws into.
pub struct Painter {
    renderer: Renderer,
    target: Option<Target>,
    /// The second model's picture, if it is drawn over the first.
    over: Option<Target>,
    /// How much of it is seen.
    opacity: f64,
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
        Ok(Self { renderer: Renderer::new(gpu, PICTURE_FORMAT)?, target: None, over: None, opacity: 0.0 })
    }

    /// The renderer.
    pub fn renderer(&self) -> &Renderer {
        &self.renderer
    }

    /// Redraws if anything changed. Returns whether textures were replaced; [`layers`](Self::layers) are their views.
    pub fn draw(&mut self, state: &mut State) -> Result<bool, RenderError> {
        let size = state.resolution.size(state.size);
        let fits = |target: &Option<Target>| {
            target.as_ref().is_some_and(|own| [own.texture.width(), own.texture.height()] == size)
        };
        let opacity = state.opacity();
        self.opacity = opacity.unwrap_or(0.0);
        let is_new = !fits(&self.target)
            || (opacity.is_some() && !fits(&self.over))
            || (opacity.is_none() && self.over.is_some());
        if is_new {
            (self.target, self.over) = (None, None);
            self.target = Some(self.make_target(size)?);
            if opacity.is_some() {
                self.over = Some(self.make_target(size)?);
            }
        }
        if is_new || state.changed {
            state.changed = false;
            self.draw_all(state, size)?;
        }
        Ok(is_new)
    }

    /// The picture as textures: one, or two of which the second is shown over the first.
    pub fn layers(&self) -> impl Iterator<Item = &wgpu::TextureView> {
        self.target.iter().chain(&self.over).map(|target| &target.shown)
    }

    /// The picture as it was drawn last.
    pub fn picture(&self) -> Result<Picture, RenderError> {
        let Some(target) = &self.target else {
            return Err(RenderError::Refused("no picture has been drawn yet".to_owned()));
        };
        let mut picture = self.renderer.gpu().read(&target.texture)?;
        if let Some(over) = &self.over {
            let second = self.renderer.gpu().read(&over.texture)?;
            for (own, other) in picture.rgba.iter_mut().zip(&second.rgba) {
                let mixed = f64::from(*own) * (1.0 - self.opacity) + f64::from(*other) * self.opacity;
                *own = mixed.round() as u8;
            }
        }
        Ok(picture)
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
        for (number, (slot, frame)) in state.slots.iter_mut().zip(&frames).enumerate() {
            let target = if number > 0 { self.over.as_ref().unwrap_or(target) } else { target };
            keep &= number == 0 || self.over.is_none();
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
