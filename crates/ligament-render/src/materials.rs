//! Materials as the shaders see them.

use crate::extensions::Extended;
use crate::textures::{Meaning, Textures, checker};
use crate::{Gpu, NoteKind, Notes};
use bytemuck::{Pod, Zeroable};
use ligament::Scene;
use ligament::scene::{AlphaMode, Material, Pbr, TextureRef, pbr_from_phong};
use std::sync::OnceLock;

const UNLIT: u32 = 2;
const MASK: u32 = 4;
const BLEND: u32 = 8;
const NORMAL_MAP: u32 = 16;
const HEIGHT_MAP: u32 = 32;
const SPECULAR_MAP: u32 = 64;

const SLOTS: usize = 11;
/// What a dielectric reflects of light from the front.
const REFLECTANCE: f32 = 0.04;

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
    specular: [f32; 4],
    params: [f32; 4],
    sheen: [f32; 4],
    glass: [f32; 4],
    flags: [u32; 4],
    slots: [Slot; SLOTS],
}

/// A material on the device.
pub(crate) struct BoundMaterial {
    pub(crate) group: wgpu::BindGroup,
    pub(crate) double_sided: bool,
    pub(crate) blended: bool,
    /// Whether it has holes where its alpha is low.
    pub(crate) cut: bool,
    /// Whether it has what only the longer shader draws.
    pub(crate) rich: bool,
    /// For points and lines, in sRGB.
    pub(crate) color: [u8; 4],
}

/// The layout of a material's bind group, and the stand-ins for missing textures.
pub(crate) struct MaterialLayout {
    pub(crate) layout: wgpu::BindGroupLayout,
    pub(crate) white: wgpu::TextureView,
    sampler: wgpu::Sampler,
    /// Stands for colours that cannot be loaded.
    missing: OnceLock<(wgpu::TextureView, wgpu::Sampler)>,
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
        let sampler = gpu.device.create_sampler(&Default::default());
        Self { layout, white: white(gpu), sampler, missing: OnceLock::new() }
    }

    /// Uploads a material; `None` is a plain light grey.
    pub(crate) fn bind(
        &self,
        gpu: &Gpu,
        scene: &Scene,
        material: Option<&Material>,
        textures: &mut Textures,
        notes: &mut Notes,
    ) -> BoundMaterial {
        let plain = Material::default();
        let source = material.unwrap_or(&plain);
        let more = Extended::of(scene, source);
        let mut values = values(source, &more, material.is_none());
        let slots = slots(source, &more);
        let mut bound: [Option<(wgpu::TextureView, wgpu::Sampler)>; SLOTS] = Default::default();
        for (index, slot) in slots.iter().enumerate() {
            let Some((used, meaning)) = slot else { continue };
            bound[index] = textures.get(used.texture, *meaning, notes);
            if index == 0 && bound[index].is_none() {
                bound[index] = Some(self.missing.get_or_init(|| checker(gpu)).clone());
            }
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
            blended: alpha(source) == AlphaMode::Blend || more.transmission > 0.0,
            cut: values.flags[0] & MASK != 0,
            rich: !more.is_plain() || slots[6..].iter().any(Option::is_some),
            color: [r, g, b, (a.clamp(0.0, 1.0) * 255.0) as u8],
        }
    }
}

/// The textures that are drawn, by slot, in the order of `mesh.wgsl`.
fn slots<'a>(material: &'a Material, more: &'a Extended) -> [Option<(&'a TextureRef, Meaning)>; SLOTS] {
    let (pbr, phong) = (material.pbr.as_ref(), material.phong.as_ref());
    let base = match pbr {
        Some(pbr) => pbr.base_color_texture.as_ref(),
        None => phong.and_then(|p| p.diffuse_texture.as_ref()),
    };
    let surface = match pbr {
        Some(pbr) => pbr.metallic_roughness_texture.as_ref().map(|t| (t, Meaning::Data)),
        None => phong.and_then(|p| p.specular_texture.as_ref()).map(|t| (t, Meaning::Color)),
    };
    let highlight = pbr.and_then(|pbr| pbr.specular.as_ref());
    let bump = phong.and_then(|p| p.bump_texture.as_ref());
    [
        base.map(|t| (t, Meaning::Color)),
        surface,
        material.normal_texture.as_ref().or(bump).map(|t| (t, Meaning::Data)),
        material.emissive_texture.as_ref().map(|t| (t, Meaning::Color)),
        material.occlusion_texture.as_ref().map(|t| (t, Meaning::Data)),
        phong.and_then(|p| p.opacity_texture.as_ref()).map(|t| (t, Meaning::Opacity)),
        highlight.and_then(|s| s.texture.as_ref()).map(|t| (t, Meaning::Data)),
        highlight.and_then(|s| s.color_texture.as_ref()).map(|t| (t, Meaning::Color)),
        more.transmission_texture.as_ref().map(|t| (t, Meaning::Data)),
        more.coat_texture.as_ref().map(|t| (t, Meaning::Data)),
        more.sheen_texture.as_ref().map(|t| (t, Meaning::Color)),
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

/// How alpha is used: Phong surfaces that are not opaque are blended.
fn alpha(material: &Material) -> AlphaMode {
    let opacity = material.phong.as_ref().filter(|_| material.pbr.is_none()).map(|phong| phong.opacity);
    match material.alpha {
        AlphaMode::Opaque if opacity.is_some_and(|opacity| opacity < 1.0) => AlphaMode::Blend,
        own => own,
    }
}

/// The metallic-roughness values that a material is drawn with. Those of Phong materials are the ones that a conversion
/// derives, so that a model and its converted copy look alike.
fn drawn(material: &Material, is_default: bool) -> Pbr {
    let matt = Pbr { metallic: 0.0, ..Pbr::default() };
    match (&material.pbr, &material.phong) {
        (Some(pbr), _) => pbr.clone(),
        (None, Some(phong)) => pbr_from_phong(phong),
        (None, None) if is_default => Pbr { base_color: [0.75, 0.75, 0.75, 1.0], roughness: 0.75, ..matt },
        (None, None) => matt,
    }
}

fn values(material: &Material, more: &Extended, is_default: bool) -> Values {
    let mut flags = 0;
    let with = |[r, g, b]: [f32; 3], w: f32| [r, g, b, w];
    let unit = |v: f32, or: f32| clean(v, or).clamp(0.0, 1.0);
    let pbr = drawn(material, is_default);
    let [r, g, b, a] = pbr.base_color;
    let (factor, tint) = pbr.specular.as_ref().map_or((1.0, [1.0; 3]), |s| (unit(s.factor, 1.0), s.color));
    let reflected = REFLECTANCE * clean(more.reflectance, 1.0);
    if material.unlit {
        flags |= UNLIT;
    }
    let cutoff = match alpha(material) {
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
    let phong = material.phong.as_ref();
    if material.normal_texture.is_some() {
        flags |= NORMAL_MAP;
    } else if phong.is_some_and(|p| p.bump_texture.is_some()) {
        flags |= HEIGHT_MAP;
    }
    if material.pbr.is_none() && phong.is_some_and(|p| p.specular_texture.is_some()) {
        flags |= SPECULAR_MAP;
    }
    let strength = clean(material.emissive_strength, 1.0).max(0.0);
    Values {
        base: with(color([r, g, b]), unit(a, 1.0)),
        emissive: with(color(material.emissive).map(|v| v * strength), cutoff),
        specular: with(color(tint).map(|v| (v * reflected).min(1.0) * factor), factor),
        params: [unit(pbr.metallic, 0.0), unit(pbr.roughness, 1.0), more.coat, more.coat_roughness],
        sheen: with(more.sheen, more.sheen_roughness),
        glass: with(more.tint, more.transmission),
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
