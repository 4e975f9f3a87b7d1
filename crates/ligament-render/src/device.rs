//! The graphics device, and how its errors are reported.

use crate::{Picture, RenderError, readback};
use std::sync::{Arc, Mutex, PoisonError};

/// A graphics device. Cheap to clone; all clones are the same device.
#[derive(Clone)]
pub struct Gpu {
    /// Creates buffers, textures and pipelines.
    pub device: wgpu::Device,
    /// Executes command buffers.
    pub queue: wgpu::Queue,
    name: String,
    fault: Arc<Mutex<Option<RenderError>>>,
}

impl Gpu {
    /// Finds a device that can draw without a window: a graphics card, or else a software renderer.
    pub fn new() -> Result<Self, RenderError> {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle().with_env();
        // The driver's validation is slow; wgpu's own is on in any case.
        descriptor.flags = wgpu::InstanceFlags::empty().with_env();
        let instance = wgpu::Instance::new(descriptor);
        let options = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::from_env().unwrap_or_default(),
            ..Default::default()
        };
        let adapter = pollster::block_on(instance.request_adapter(&options))
            .map_err(|error| RenderError::NoAdapter(error.to_string()))?;
        Self::of_adapter(&adapter)
    }

    /// The device of an adapter, which a window chose.
    pub fn of_adapter(adapter: &wgpu::Adapter) -> Result<Self, RenderError> {
        let limits = adapter.limits();
        let wanted = wgpu::Limits::default();
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("ligament"),
            // Features that every device has, with the largest sizes that this one offers.
            required_limits: wgpu::Limits {
                max_texture_dimension_2d: limits.max_texture_dimension_2d,
                max_buffer_size: limits.max_buffer_size,
                ..wanted.or_worse_values_from(&limits)
            },
            memory_hints: wgpu::MemoryHints::MemoryUsage,
            ..Default::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))
            .map_err(|error| RenderError::NoDevice(error.to_string()))?;
        let info = adapter.get_info();
        Ok(Self::of_device(device, queue, info.name))
    }

    /// A device that the caller opened. [`check`](Self::check) reports its errors from now on.
    pub fn of_device(device: wgpu::Device, queue: wgpu::Queue, name: String) -> Self {
        let fault = Arc::new(Mutex::new(None));
        let note = |fault: &Arc<Mutex<Option<RenderError>>>| {
            let fault = Arc::clone(fault);
            move |error: RenderError| {
                // Keep the first error: the later ones are its consequences.
                fault.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            }
        };
        let refused = note(&fault);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            refused(fault_of(error));
        }));
        let lost = note(&fault);
        device.set_device_lost_callback(move |reason, message| {
            lost(RenderError::Lost(if message.is_empty() { format!("{reason:?}") } else { message }));
        });
        Self { device, queue, name, fault }
    }

    /// The device's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The error since the last call, if any. A lost device stays lost.
    pub fn check(&self) -> Result<(), RenderError> {
        let mut fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
        match &*fault {
            None => Ok(()),
            Some(RenderError::Lost(why)) => Err(RenderError::Lost(why.clone())),
            Some(_) => Err(fault.take().unwrap_or_else(|| RenderError::Refused(String::new()))),
        }
    }

    /// Reads a texture of [`PICTURE_FORMAT`](crate::PICTURE_FORMAT), or of its likes without sRGB, that may be copied from.
    pub fn read(&self, texture: &wgpu::Texture) -> Result<Picture, RenderError> {
        readback::read(self, texture)
    }

    /// Runs `work` and returns the error that the device raised on this thread; errors of other threads are
    /// reported there.
    pub(crate) fn watched<T>(&self, work: impl FnOnce() -> T) -> Result<T, RenderError> {
        let invalid = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let memory = self.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let done = work();
        let memory = pollster::block_on(memory.pop());
        let invalid = pollster::block_on(invalid.pop());
        match memory.or(invalid) {
            None => Ok(done),
            Some(error) => Err(fault_of(error)),
        }
    }

    /// A buffer with this content, which may be empty.
    pub(crate) fn buffer(&self, label: &str, usage: wgpu::BufferUsages, bytes: &[u8]) -> wgpu::Buffer {
        let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size: (bytes.len().next_multiple_of(4) as u64).max(16),
            usage: usage | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        self.write(&buffer, bytes);
        buffer
    }

    /// Writes whole words of a buffer from its start; bytes beyond the last word are followed by zeros.
    pub(crate) fn write(&self, buffer: &wgpu::Buffer, bytes: &[u8]) {
        let (words, rest) = bytes.split_at(bytes.len() / 4 * 4);
        if !words.is_empty() {
            self.queue.write_buffer(buffer, 0, words);
        }
        if !rest.is_empty() {
            let mut last = [0; 4];
            last[..rest.len()].copy_from_slice(rest);
            self.queue.write_buffer(buffer, words.len() as u64, &last);
        }
    }
}

fn fault_of(error: wgpu::Error) -> RenderError {
    match error {
        wgpu::Error::OutOfMemory { source } => RenderError::OutOfMemory(source.to_string()),
        other => RenderError::Refused(other.to_string()),
    }
}
