//! Materials as the shaders see them.

use crate::textures::{Meaning, Textures};
use crate::{Gpu, NoteKind, Notes};
use bytemuck::{Pod, Zeroable};
use ligament::scene::{AlphaMode, Material, TextureRef};

const PHONG: u32 = 1;
const UNLIT: u32 = 2;
const MASK: u32 = 4;
const BLEND: u32 = 8;
const NORMAL_MAP: u32 = 16;
const HEIGHT_MAP: u32 = 32;

const SLOTS: usize = 6;

#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Slot {
    u: [f32; 4],
    v: [f32; 4],
}

/// `Material` of `mesh.wgsl`.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Values {
    base: [f32; 4],
    emissive: [f32; 4],
    ambient: [f32; 4],
    specular: [f32; 4],
    params: [f32; 4],
    flags: [u32; 4],
    slots: [Slot; SLOTS],
}

/// A material on the device.
pub(crate) struct BoundMaterial {
    pub(crate) group: wgpu::BindGroup,
    pub(crate) double_sided: bool,
    pub(crate) blended: bool,
    /// For points and lines, in sRGB.
    pub(crate) color: [u8; 4],
}

/// The layout of a material's bind group, and the stand-ins for missing textures.
pub(crate) struct MaterialLayout {
    pub(crate) layout: wgpu::BindGroupLayout,
    pub(crate) white: wgpu::TextureView,
    sampler: wgpu::Sampler,
}

impl MaterialLayout {
    pub(crate) fn new(gpu: &Gpu) -> Self {
        let entry = |binding: usize, visibility, ty| wgpu::BindGroupLayoutEntry {
            binding: binding as u32,
            visibility,
            ty,
            count: None,
        };
        let fragment = wgpu::ShaderStages::FRAGMENT;
        let uniform = wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Uniform,
            has_dynamic_offset: false,
            min_binding_size: None,
        };
        let texture = wgpu::BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Float { filterable: true },
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled: false,
        };
        let sampler = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
        let mut entries = vec![entry(0, fragment, uniform)];
        entries.extend((0..SLOTS).map(|i| entry(1 + i, fragment, texture)));
        entries.extend((0..SLOTS).map(|i| entry(1 + SLOTS + i, fragment, sampler)));
        let layout = gpu.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("material"),
            entries: &entries,
        });
        Self { layout, white: white(gpu), sampler: gpu.device.create_sampler(&Default::default()) }
    }

    /// Uploads a material; `None` is a plain light grey.
    pub(crate) fn bind(
        &self,
        gpu: &Gpu,
        material: Option<&Material>,
        textures: &mut Textures,
        notes: &mut Notes,
    ) -> BoundMaterial {
        let plain = Material::default();
        let source = material.unwrap_or(&plain);
        let mut values = values(source, material.is_none());
        let slots = slots(source);
        let mut bound: [Option<(wgpu::TextureView, wgpu::Sampler)>; SLOTS] = Default::default();
        for (index, slot) in slots.iter().enumerate() {
            let Some((used, meaning)) = slot else { continue };
            bound[index] = textures.get(used.texture, *meaning, notes);
            values.slots[index] = slot_values(used, notes);
        }
        if bound[2].is_none() {
            values.flags[0] &= !(NORMAL_MAP | HEIGHT_MAP);
        }
        let buffer = gpu.buffer("material", wgpu::BufferUsages::UNIFORM, bytemuck::bytes_of(&values));
        let mut entries = vec![wgpu::BindGroupEntry { binding: 0, resource: buffer.as_entire_binding() }];
        for (index, slot) in bound.iter().enumerate() {
            let (view, sampler) = slot.as_ref().map_or((&self.white, &self.sampler), |(v, s)| (v, s));
            let binding = 1 + index as u32;
            entries
                .push(wgpu::BindGroupEntry { binding, resource: wgpu::BindingResource::TextureView(view) });
            let binding = binding + SLOTS as u32;
            entries.push(wgpu::BindGroupEntry { binding, resource: wgpu::BindingResource::Sampler(sampler) });
        }
        let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("material"),
            layout: &self.layout,
            entries: &entries,
        });
        let [r, g, b, a] = values.base;
        let [r, g, b] = [r, g, b].map(crate::color::to_srgb);
        BoundMaterial {
            group,
            // Without a material, back faces are not culled.
            double_sided: source.double_sided || material.is_none(),
            blended: source.alpha == AlphaMode::Blend,
            color: [r, g, b, (a.clamp(0.0, 1.0) * 255.0) as u8],
        }
    }
}

/// The textures that are drawn, by slot, in the order of `mesh.wgsl`.
fn slots(material: &Material) -> [Option<(&TextureRef, Meaning)>; SLOTS] {
    let (pbr, phong) = (material.pbr.as_ref(), material.phong.as_ref());
    let base = match pbr {
        Some(pbr) => pbr.base_color_texture.as_ref(),
        None => phong.and_then(|p| p.diffuse_texture.as_ref()),
    };
    let surface = match pbr {
        Some(pbr) => pbr.metallic_roughness_texture.as_ref().map(|t| (t, Meaning::Data)),
        None => phong.and_then(|p| p.specular_texture.as_ref()).map(|t| (t, Meaning::Color)),
    };
    let bump = phong.and_then(|p| p.bump_texture.as_ref());
    [
        base.map(|t| (t, Meaning::Color)),
        surface,
        material.normal_texture.as_ref().or(bump).map(|t| (t, Meaning::Data)),
        material.emissive_texture.as_ref().map(|t| (t, Meaning::Color)),
        material.occlusion_texture.as_ref().map(|t| (t, Meaning::Data)),
        phong.and_then(|p| p.opacity_texture.as_ref()).map(|t| (t, Meaning::Opacity)),
    ]
}

fn slot_values(used: &TextureRef, notes: &mut Notes) -> Slot {
    let set = used.uv_set;
    if set > 1 {
        notes.add(
            NoteKind::Texture,
            format!("a texture uses set {set} of texture coordinates; only two sets are drawn, so the first is used"),
        );
    }
    let set = if set == 1 { 1.0 } else { 0.0 };
    let strength = clean(used.strength, 1.0);
    let Some(transform) = used.transform else {
        return Slot { u: [1.0, 0.0, 0.0, set], v: [0.0, 1.0, 0.0, strength] };
    };
    // As in KHR_texture_transform: scale, then rotation, then offset.
    let (sin, cos) = clean(transform.rotation, 0.0).sin_cos();
    let [sx, sy] = transform.scale.map(|v| clean(v, 1.0));
    let [ox, oy] = transform.offset.map(|v| clean(v, 0.0));
    Slot { u: [cos * sx, sin * sy, ox, set], v: [-sin * sx, cos * sy, oy, strength] }
}

/// Clamps a number to a range that is safe in shader arithmetic.
fn clean(value: f32, or: f32) -> f32 {
    if value.is_finite() { value.clamp(-1e4, 1e4) } else { or }
}

fn color(rgb: [f32; 3]) -> [f32; 3] {
    rgb.map(|v| clean(v, 1.0).max(0.0))
}

fn values(material: &Material, is_default: bool) -> Values {
    let mut flags = 0;
    let with = |[r, g, b]: [f32; 3], w: f32| [r, g, b, w];
    let (mut base, mut specular, mut params, mut ambient) =
        ([0.75, 0.75, 0.75, 1.0], [1.0; 4], [0.0, 0.75, 1.0, 0.0], [1.0; 4]);
    if let Some(pbr) = &material.pbr {
        let [r, g, b, a] = pbr.base_color;
        base = with(color([r, g, b]), clean(a, 1.0).clamp(0.0, 1.0));
        params =
            [clean(pbr.metallic, 0.0).clamp(0.0, 1.0), clean(pbr.roughness, 1.0).clamp(0.0, 1.0), 1.0, 0.0];
        if let Some(extra) = &pbr.specular {
            specular = with(color(extra.color), clean(extra.factor, 1.0).clamp(0.0, 1.0));
        }
    } else if let Some(phong) = &material.phong {
        flags |= PHONG;
        base = with(color(phong.diffuse), clean(phong.opacity, 1.0).clamp(0.0, 1.0));
        specular = with(color(phong.specular), 1.0);
        ambient = with(color(phong.ambient), 1.0);
        params = [0.0, 1.0, clean(phong.shininess.unwrap_or(20.0), 20.0).clamp(1.0, 2000.0), 0.0];
    } else if !is_default {
        base = [1.0; 4];
    }
    if material.unlit {
        flags |= UNLIT;
    }
    let cutoff = match material.alpha {
        AlphaMode::Opaque => 0.0,
        AlphaMode::Mask(cutoff) => {
            flags |= MASK;
            clean(cutoff, 0.5)
        }
        AlphaMode::Blend => {
            flags |= BLEND;
            0.0
        }
    };
    if material.normal_texture.is_some() {
        flags |= NORMAL_MAP;
    } else if material.phong.as_ref().is_some_and(|p| p.bump_texture.is_some()) {
        flags |= HEIGHT_MAP;
    }
    let strength = clean(material.emissive_strength, 1.0).max(0.0);
    Values {
        base,
        emissive: with(color(material.emissive).map(|v| v * strength), cutoff),
        ambient,
        specular,
        params,
        flags: [flags, 0, 0, 0],
        slots: [Slot { u: [1.0, 0.0, 0.0, 0.0], v: [0.0, 1.0, 0.0, 0.0] }; SLOTS],
    }
}

/// One white pixel.
fn white(gpu: &Gpu) -> wgpu::TextureView {
    let size = wgpu::Extent3d { width: 1, height: 1, depth_or_array_layers: 1 };
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("white"),
        size,
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(4), rows_per_image: None };
    gpu.queue.write_texture(texture.as_image_copy(), &[255; 4], layout, size);
    texture.create_view(&Default::default())
}
