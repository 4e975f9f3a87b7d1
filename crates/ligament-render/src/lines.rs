//! Segments and dots of a width in pixels: bones, axes, normals, boxes, and the points and lines of models.

use bytemuck::{Pod, Zeroable};
use ligament::math::Vec3;

/// A segment in the model's units. If both ends coincide, it is a dot.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Segment {
    from: [f32; 3],
    to: [f32; 3],
    color: [u8; 4],
    /// Width in pixels, and the depth offset towards the camera.
    style: [f32; 2],
}

impl Segment {
    pub(crate) fn new(from: Vec3, to: Vec3, color: [u8; 4], width: f32) -> Self {
        Self { from: from.to_array(), to: to.to_array(), color, style: [width, 4e-4] }
    }

    pub(crate) fn dot(at: Vec3, color: [u8; 4], width: f32) -> Self {
        Self::new(at, at, color, width)
    }
}

/// The segments of one picture.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    /// With depth test.
    pub(crate) within: Vec<Segment>,
    /// Drawn over everything.
    pub(crate) on_top: Vec<Segment>,
}

impl Lines {
    pub(crate) fn clear(&mut self) {
        self.within.clear();
        self.on_top.clear();
    }
}
