//! Reads a texture back as a picture.

use crate::{Gpu, Picture, RenderError};
use std::sync::mpsc::channel;
use std::time::Duration;

/// How long to wait for a frame before the device counts as lost.
const PATIENCE: Duration = Duration::from_secs(120);

/// Reads a texture whose colours are multiplied by alpha.
pub(crate) fn read(gpu: &Gpu, texture: &wgpu::Texture) -> Result<Picture, RenderError> {
    let (width, height) = (texture.width(), texture.height());
    // Rows in a buffer begin at multiples of 256 bytes.
    let padded = (width * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("readback"),
        size: u64::from(padded) * u64::from(height),
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    encoder.copy_texture_to_buffer(
        texture.as_image_copy(),
        wgpu::TexelCopyBufferInfo {
            buffer: &buffer,
            layout: wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(padded),
                rows_per_image: None,
            },
        },
        texture.size(),
    );
    gpu.queue.submit([encoder.finish()]);
    let (done, mapped) = channel();
    buffer.map_async(wgpu::MapMode::Read, .., move |result| {
        let _ = done.send(result);
    });
    let waited = gpu.device.poll(wgpu::PollType::Wait { submission_index: None, timeout: Some(PATIENCE) });
    gpu.check()?;
    waited.map_err(|error| RenderError::Lost(error.to_string()))?;
    let lost =
        |why: &dyn std::fmt::Display| RenderError::Lost(format!("the picture cannot be read back: {why}"));
    match mapped.try_recv() {
        Ok(Ok(())) => {}
        Ok(Err(error)) => return Err(lost(&error)),
        Err(error) => return Err(lost(&error)),
    }
    let bytes = buffer.get_mapped_range(..).map_err(|error| lost(&error))?;
    let mut rgba = Vec::with_capacity(width as usize * height as usize * 4);
    for row in bytes.chunks(padded as usize).take(height as usize) {
        rgba.extend_from_slice(row.get(..width as usize * 4).unwrap_or_default());
    }
    divide_by_alpha(&mut rgba);
    Ok(Picture { width, height, rgba })
}

/// Converts colours from premultiplied alpha, in linear light, to straight alpha.
fn divide_by_alpha(rgba: &mut [u8]) {
    for pixel in rgba.as_chunks_mut::<4>().0 {
        let alpha = pixel[3];
        if alpha != 255 && alpha != 0 {
            for value in &mut pixel[..3] {
                let linear = crate::color::to_linear(*value) * 255.0 / f32::from(alpha);
                *value = crate::color::to_srgb(linear);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::divide_by_alpha;

    #[test]
    fn half_covered_white_is_white() {
        // 0.5 of linear light is 188 in sRGB.
        let mut pixels = [188, 188, 188, 128, 10, 20, 30, 255, 0, 0, 0, 0];
        divide_by_alpha(&mut pixels);
        assert!(pixels[..3].iter().all(|&v| v >= 254), "{pixels:?}");
        assert_eq!(pixels[3..], [128, 10, 20, 30, 255, 0, 0, 0, 0]);
    }
}
