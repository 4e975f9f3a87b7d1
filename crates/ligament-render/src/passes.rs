//! The small steps of drawing: passes, bind groups, growing buffers, and visibility.

use crate::model::{DrawnPart, Kind as PartKind, Model, Moving};
use crate::pipelines::Kind;
use crate::{Gpu, Shot};
use bytemuck::Pod;
use std::ops::Range;

/// Begins a pass. Without a clear colour it keeps the existing content; depth is always cleared.
pub(crate) fn begin<'a>(
    encoder: &'a mut wgpu::CommandEncoder,
    view: &wgpu::TextureView,
    resolve_target: Option<&wgpu::TextureView>,
    depth: Option<&wgpu::TextureView>,
    clear: Option<wgpu::Color>,
) -> wgpu::RenderPass<'a> {
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: None,
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target,
            ops: wgpu::Operations {
                load: clear.map_or(wgpu::LoadOp::Load, wgpu::LoadOp::Clear),
                store: wgpu::StoreOp::Store,
            },
        })],
        depth_stencil_attachment: depth.map(|view| wgpu::RenderPassDepthStencilAttachment {
            view,
            depth_ops: Some(wgpu::Operations {
                load: wgpu::LoadOp::Clear(1.0),
                store: wgpu::StoreOp::Discard,
            }),
            stencil_ops: None,
        }),
        timestamp_writes: None,
        occlusion_query_set: None,
        multiview_mask: None,
    })
}

/// Restricts a pass to a part of the target.
pub(crate) fn place(pass: &mut wgpu::RenderPass, [x, y, width, height]: [u32; 4]) {
    pass.set_viewport(x as f32, y as f32, width as f32, height as f32, 0.0, 1.0);
    pass.set_scissor_rect(x, y, width, height);
}

/// Whether a part is not hidden, by its node or its material.
pub(crate) fn is_shown(part: &DrawnPart, shot: &Shot) -> bool {
    let is = |hidden: &[bool], index: usize| hidden.get(index).copied().unwrap_or(false);
    !is(shot.hidden, part.node.index()) && !is(shot.hidden_materials, part.material)
}

/// The visible parts with triangles.
pub(crate) fn shown<'a>(model: &'a Model, shot: &'a Shot) -> impl Iterator<Item = &'a DrawnPart> {
    let solid = |part: &&DrawnPart| part.kind == PartKind::Triangles && !part.indices.is_empty();
    model.parts.iter().filter(solid).filter(|part| is_shown(part, shot))
}

/// Which pipeline draws a part.
pub(crate) fn mesh_kind(model: &Model, part: &DrawnPart, two_sided: bool) -> Kind {
    let material = &model.materials[part.material];
    let cull = match (material.double_sided || two_sided, part.mirrored) {
        (true, _) => None,
        (false, false) => Some(wgpu::Face::Back),
        (false, true) => Some(wgpu::Face::Front),
    };
    Kind::Mesh { cull, blended: material.blended, cut: material.cut, rich: material.rich }
}

/// Which pipeline draws its shadow.
pub(crate) fn shadow_kind(model: &Model, part: &DrawnPart) -> Kind {
    let material = &model.materials[part.material];
    if material.cut || material.blended { Kind::PieceShadow } else { Kind::Shadow }
}

/// The bytes of a part's moving vertices.
pub(crate) fn moving_range(part: &DrawnPart) -> Range<u64> {
    let size = size_of::<Moving>() as u64;
    part.first as u64 * size..(part.first + part.count) as u64 * size
}

/// A layout of a texture and a sampler, optionally after a uniform buffer.
pub(crate) fn layout(gpu: &Gpu, label: &str, uniform: bool) -> wgpu::BindGroupLayout {
    let first = u32::from(uniform);
    let entry = |binding, visibility, ty| wgpu::BindGroupLayoutEntry { binding, visibility, ty, count: None };
    let mut entries = vec![
        entry(
            first,
            wgpu::ShaderStages::FRAGMENT,
            wgpu::BindingType::Texture {
                sample_type: wgpu::TextureSampleType::Float { filterable: true },
                view_dimension: wgpu::TextureViewDimension::D2,
                multisampled: false,
            },
        ),
        entry(
            first + 1,
            wgpu::ShaderStages::FRAGMENT,
            wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering),
        ),
    ];
    if uniform {
        let ty = wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Uniform,
            has_dynamic_offset: false,
            min_binding_size: None,
        };
        entries.push(entry(0, wgpu::ShaderStages::VERTEX_FRAGMENT, ty));
    }
    gpu.device
        .create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(label), entries: &entries })
}

/// A bind group of [`layout`].
pub(crate) fn group(
    gpu: &Gpu,
    layout: &wgpu::BindGroupLayout,
    uniform: Option<&wgpu::Buffer>,
    view: &wgpu::TextureView,
    sampler: &wgpu::Sampler,
) -> wgpu::BindGroup {
    let first = u32::from(uniform.is_some());
    let mut entries = vec![
        wgpu::BindGroupEntry { binding: first, resource: wgpu::BindingResource::TextureView(view) },
        wgpu::BindGroupEntry { binding: first + 1, resource: wgpu::BindingResource::Sampler(sampler) },
    ];
    entries.extend(uniform.map(|b| wgpu::BindGroupEntry { binding: 0, resource: b.as_entire_binding() }));
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries: &entries })
}

/// A vertex buffer that grows as needed.
pub(crate) struct Growing {
    label: &'static str,
    pub(crate) buffer: Option<wgpu::Buffer>,
}

impl Growing {
    pub(crate) fn new(label: &'static str) -> Self {
        Self { label, buffer: None }
    }

    /// Writes lists one after the other, and returns the range of each. Data beyond the device's limit is skipped.
    pub(crate) fn write<T: Pod>(&mut self, gpu: &Gpu, lists: &[&[T]]) -> Vec<Range<u32>> {
        let limit = (gpu.device.limits().max_buffer_size / size_of::<T>() as u64) as usize;
        let mut all: Vec<T> = lists.concat();
        all.truncate(limit);
        let bytes: &[u8] = bytemuck::cast_slice(&all);
        if self.buffer.as_ref().is_none_or(|buffer| buffer.size() < bytes.len() as u64) {
            self.buffer = Some(gpu.buffer(self.label, wgpu::BufferUsages::VERTEX, bytes));
        } else if let Some(buffer) = &self.buffer {
            gpu.write(buffer, bytes);
        }
        let mut start = 0;
        let ranges = lists.iter().map(|list| {
            let end = (start + list.len()).min(all.len());
            let range = start.min(end) as u32..end as u32;
            start = end;
            range
        });
        ranges.collect()
    }
}
