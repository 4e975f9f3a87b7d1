//! The binary side: arrays in the order in which they are written, each with an accessor and a view.

use super::super::container;
use super::super::json::{Accessor, BufferView, Num, Root};
use super::super::write::Built;
use crate::io::little_endian;
use glam::{Quat, Vec2, Vec3, Vec4};
use std::io::{self, Write};
use std::sync::Arc;

/// An array to be written to the file.
pub(in super::super) enum Chunk {
    Vec2(Vec<Vec2>),
    Vec3(Vec<Vec3>),
    Vec4(Vec<Vec4>),
    Quat(Vec<Quat>),
    F32(Vec<f32>),
    Times(Arc<[f32]>),
    Mat4(Vec<[f32; 16]>),
    U8(Vec<u8>),
    U16(Vec<u16>),
    U32(Vec<u32>),
    Bytes(Arc<[u8]>),
}

pub(super) const VERTICES: Option<u32> = Some(34962);
pub(super) const INDICES: Option<u32> = Some(34963);

impl Chunk {
    /// The bytes in native byte order.
    pub(in super::super) fn bytes(&self) -> &[u8] {
        match self {
            Chunk::Vec2(v) => bytemuck::cast_slice(v),
            Chunk::Vec3(v) => bytemuck::cast_slice(v),
            Chunk::Vec4(v) => bytemuck::cast_slice(v),
            Chunk::Quat(v) => bytemuck::cast_slice(v),
            Chunk::F32(v) => bytemuck::cast_slice(v),
            Chunk::Times(v) => bytemuck::cast_slice(v),
            Chunk::Mat4(v) => bytemuck::cast_slice(v),
            Chunk::U8(v) => v,
            Chunk::U16(v) => bytemuck::cast_slice(v),
            Chunk::U32(v) => bytemuck::cast_slice(v),
            Chunk::Bytes(v) => v,
        }
    }

    /// The component's GL number and size.
    fn component(&self) -> (u32, usize) {
        match self {
            Chunk::U8(_) | Chunk::Bytes(_) => (5121, 1),
            Chunk::U16(_) => (5123, 2),
            Chunk::U32(_) => (5125, 4),
            _ => (5126, 4),
        }
    }

    pub(in super::super) fn write(&self, output: &mut dyn Write) -> io::Result<()> {
        match self.component().1 {
            1 => output.write_all(self.bytes()),
            2 => little_endian::write::<u16>(bytemuck::cast_slice(self.bytes()), output),
            _ => little_endian::write::<u32>(bytemuck::cast_slice(self.bytes()), output),
        }
    }
}

/// The arrays collected so far, with the JSON that describes them.
#[derive(Default)]
pub(super) struct Data {
    chunks: Vec<Chunk>,
    length: u64,
    accessors: Vec<Accessor>,
    views: Vec<BufferView>,
}

impl Data {
    /// Adds a view of a whole array. Arrays start at multiples of four bytes.
    pub fn view(&mut self, chunk: Chunk, target: Option<u32>) -> u32 {
        let offset = self.length + container::padding(self.length);
        let length = chunk.bytes().len() as u64;
        self.views.push(BufferView {
            buffer: Some(0),
            byte_offset: (offset > 0).then_some(offset),
            byte_length: Some(length),
            target,
            ..BufferView::default()
        });
        self.length = offset + length;
        self.chunks.push(chunk);
        (self.views.len() - 1) as u32
    }

    /// Adds an accessor of a whole array.
    pub fn add(&mut self, chunk: Chunk, kind: &str, target: Option<u32>) -> u32 {
        let (component, size) = chunk.component();
        let width = super::super::accessor::components(kind).unwrap_or(1);
        let count = chunk.bytes().len() / (size * width);
        let view = self.view(chunk, target);
        self.accessors.push(Accessor {
            buffer_view: Some(view),
            component_type: Some(component),
            count: Some(count as u64),
            kind: kind.to_owned(),
            ..Accessor::default()
        });
        (self.accessors.len() - 1) as u32
    }

    /// Like [`add`](Self::add), with the minimum and maximum that glTF requires for positions and times.
    pub fn add_bounded(&mut self, chunk: Chunk, kind: &str, target: Option<u32>) -> u32 {
        let width = super::super::accessor::components(kind).unwrap_or(1);
        let (mut min, mut max) = (vec![f32::INFINITY; width], vec![f32::NEG_INFINITY; width]);
        let values: &[f32] = bytemuck::cast_slice(chunk.bytes());
        for element in values.chunks_exact(width) {
            for ((min, max), &value) in min.iter_mut().zip(&mut max).zip(element) {
                *min = min.min(value);
                *max = max.max(value);
            }
        }
        let index = self.add(chunk, kind, target);
        let accessor = &mut self.accessors[index as usize];
        accessor.min = min.into_iter().map(Num).collect();
        accessor.max = max.into_iter().map(Num).collect();
        index
    }

    /// Adds an accessor of zeros, which takes no bytes.
    pub fn blank(&mut self, count: usize, kind: &str, bounded: bool) -> u32 {
        let width = super::super::accessor::components(kind).unwrap_or(1);
        let bounds = if bounded { vec![Num(0.0); width] } else { Vec::new() };
        self.accessors.push(Accessor {
            component_type: Some(5126),
            count: Some(count as u64),
            kind: kind.to_owned(),
            min: bounds.clone(),
            max: bounds,
            ..Accessor::default()
        });
        (self.accessors.len() - 1) as u32
    }

    /// Moves the descriptions into the JSON; the arrays are written after it.
    pub fn finish(self, mut root: Root) -> Built {
        root.accessors = self.accessors;
        root.buffer_views = self.views;
        Built { root, chunks: self.chunks, length: self.length }
    }
}
