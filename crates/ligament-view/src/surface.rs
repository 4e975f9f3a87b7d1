//! The window's side of the device.

use ligament_render::{Gpu, RenderError, wgpu};
use std::sync::Arc;
use winit::event_loop::ActiveEventLoop;
use winit::window::Window;

/// A window's surface, and the device that it is drawn with.
pub struct WindowSurface {
    window: Arc<Window>,
    instance: wgpu::Instance,
    surface: wgpu::Surface<'static>,
    configuration: wgpu::SurfaceConfiguration,
    pub gpu: Gpu,
}

/// The outcome of asking for the next frame.
pub enum Place {
    /// It is available.
    Ready(wgpu::SurfaceTexture),
    /// Not now; the window may be hidden.
    Later,
}

impl WindowSurface {
    pub fn new(window: Arc<Window>, event_loop: &ActiveEventLoop) -> Result<Self, RenderError> {
        let display = Box::new(event_loop.owned_display_handle());
        let mut descriptor = wgpu::InstanceDescriptor::new_with_display_handle_from_env(display);
        // The driver's validation is slow; wgpu's own is on in any case.
        descriptor.flags = wgpu::InstanceFlags::empty().with_env();
        let instance = wgpu::Instance::new(descriptor);
        let surface = create(&instance, &window)?;
        let options = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::from_env().unwrap_or_default(),
            compatible_surface: Some(&surface),
            ..Default::default()
        };
        let adapter = pollster::block_on(instance.request_adapter(&options))
            .map_err(|error| RenderError::NoAdapter(error.to_string()))?;
        let gpu = Gpu::of_adapter(&adapter)?;
        let size = window.inner_size();
        let mut configuration =
            surface
                .get_default_config(&adapter, size.width.max(1), size.height.max(1))
                .ok_or_else(|| RenderError::NoDevice("it cannot draw into this window".to_owned()))?;
        let formats = surface.get_capabilities(&adapter).formats;
        let plain = [wgpu::TextureFormat::Bgra8Unorm, wgpu::TextureFormat::Rgba8Unorm];
        if let Some(format) = plain.into_iter().find(|format| formats.contains(format)) {
            configuration.format = format;
        }
        configuration.present_mode = wgpu::PresentMode::AutoVsync;
        let own = Self { window, instance, surface, configuration, gpu };
        own.configure();
        own.gpu.check()?;
        Ok(own)
    }

    /// The surface's texture format.
    pub fn format(&self) -> wgpu::TextureFormat {
        self.configuration.format
    }

    /// Width and height in pixels.
    pub fn size(&self) -> [u32; 2] {
        [self.configuration.width, self.configuration.height]
    }

    fn configure(&self) {
        self.surface.configure(&self.gpu.device, &self.configuration);
    }

    /// Adapts to a new window size.
    pub fn resize(&mut self, [width, height]: [u32; 2]) {
        let most = self.gpu.device.limits().max_texture_dimension_2d;
        let size = [width.clamp(1, most), height.clamp(1, most)];
        if size != self.size() {
            [self.configuration.width, self.configuration.height] = size;
            self.configure();
        }
    }

    /// The next frame to draw into. A lost surface is recreated.
    pub fn next(&mut self) -> Result<Place, RenderError> {
        for _ in 0..3 {
            match self.surface.get_current_texture() {
                wgpu::CurrentSurfaceTexture::Success(texture) => return Ok(Place::Ready(texture)),
                wgpu::CurrentSurfaceTexture::Suboptimal(texture) => return Ok(Place::Ready(texture)),
                wgpu::CurrentSurfaceTexture::Timeout | wgpu::CurrentSurfaceTexture::Occluded => {
                    return Ok(Place::Later);
                }
                wgpu::CurrentSurfaceTexture::Outdated => self.configure(),
                wgpu::CurrentSurfaceTexture::Lost => {
                    self.surface = create(&self.instance, &self.window)?;
                    self.configure();
                }
                wgpu::CurrentSurfaceTexture::Validation => {
                    self.gpu.check()?;
                    return Ok(Place::Later);
                }
            }
        }
        self.gpu.check()?;
        Ok(Place::Later)
    }
}

fn create(instance: &wgpu::Instance, window: &Arc<Window>) -> Result<wgpu::Surface<'static>, RenderError> {
    instance.create_surface(Arc::clone(window)).map_err(|error| RenderError::NoAdapter(error.to_string()))
}
