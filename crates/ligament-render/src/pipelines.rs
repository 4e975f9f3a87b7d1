//! Pipelines, each created on first use: on a software renderer, creating one takes longer than
//! drawing a small model.

use crate::Gpu;
use crate::lines::Segment;
use crate::model::{Fixed, Moving};
use crate::targets::{DEPTH, SAMPLES};
use crate::text::Quad;
use std::collections::HashMap;

/// The kinds of pipelines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// Triangles, of which one side may be culled.
    Mesh {
        cull: Option<wgpu::Face>,
        blended: bool,
        /// With holes where alpha is low.
        cut: bool,
        /// With the longer shader.
        rich: bool,
    },
    Edges,
    Shadow,
    /// The shadow of parts with holes or of glass.
    PieceShadow,
    Lines {
        on_top: bool,
    },
    Ground,
    Quads,
}

pub(crate) struct Pipelines {
    format: wgpu::TextureFormat,
    frame: wgpu::BindGroupLayout,
    material: wgpu::BindGroupLayout,
    glyphs: wgpu::BindGroupLayout,
    modules: HashMap<&'static str, wgpu::ShaderModule>,
    made: HashMap<Kind, wgpu::RenderPipeline>,
}

impl Pipelines {
    pub(crate) fn new(
        format: wgpu::TextureFormat,
        frame: wgpu::BindGroupLayout,
        material: wgpu::BindGroupLayout,
        glyphs: wgpu::BindGroupLayout,
    ) -> Self {
        Self { format, frame, material, glyphs, modules: HashMap::new(), made: HashMap::new() }
    }

    /// Creates a pipeline unless it exists.
    pub(crate) fn prepare(&mut self, gpu: &Gpu, kind: Kind) {
        if !self.made.contains_key(&kind) {
            let pipeline = self.make(gpu, kind);
            self.made.insert(kind, pipeline);
        }
    }

    /// A pipeline that was prepared.
    pub(crate) fn get(&self, kind: Kind) -> Option<&wgpu::RenderPipeline> {
        self.made.get(&kind)
    }

    fn make(&mut self, gpu: &Gpu, kind: Kind) -> wgpu::RenderPipeline {
        let (name, source) = match kind {
            Kind::Mesh { .. } | Kind::Edges | Kind::Shadow | Kind::PieceShadow => {
                ("mesh", include_str!("shaders/mesh.wgsl"))
            }
            Kind::Lines { .. } => ("lines", include_str!("shaders/lines.wgsl")),
            Kind::Ground => ("ground", include_str!("shaders/ground.wgsl")),
            Kind::Quads => ("quads", include_str!("shaders/quads.wgsl")),
        };
        let module = self.modules.entry(name).or_insert_with(|| {
            let text = [include_str!("shaders/frame.wgsl"), source].concat();
            gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some(name),
                source: wgpu::ShaderSource::Wgsl(text.into()),
            })
        });
        let second = match kind {
            Kind::Mesh { .. } | Kind::PieceShadow => Some(&self.material),
            Kind::Quads => Some(&self.glyphs),
            _ => None,
        };
        let groups: Vec<_> = [Some(&self.frame), second].into_iter().filter(Option::is_some).collect();
        let layout = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(name),
            bind_group_layouts: &groups,
            immediate_size: 0,
        });
        let (vertex, fragment) = match kind {
            Kind::Edges => ("edge_vertex", "edge_fragment"),
            Kind::Shadow => ("shadow_vertex", "shadow_fragment"),
            Kind::PieceShadow => ("piece_vertex", "piece_fragment"),
            Kind::Mesh { cut: true, .. } => ("vertex", "cut_fragment"),
            _ => ("vertex", "fragment"),
        };
        let over = wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING;
        let most = wgpu::BlendComponent {
            src_factor: wgpu::BlendFactor::One,
            dst_factor: wgpu::BlendFactor::One,
            operation: wgpu::BlendOperation::Max,
        };
        let blend = match kind {
            Kind::Mesh { blended: false, .. } => None,
            Kind::Shadow | Kind::PieceShadow => Some(wgpu::BlendState { color: most, alpha: most }),
            _ => Some(over),
        };
        let plain = matches!(kind, Kind::Shadow | Kind::PieceShadow);
        let constants: &[(&str, f64)] =
            if matches!(kind, Kind::Mesh { rich: true, .. }) { &[("RICH", 1.0)] } else { &[] };
        gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(name),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module,
                entry_point: Some(vertex),
                compilation_options: Default::default(),
                buffers: buffers(kind),
            },
            primitive: wgpu::PrimitiveState {
                topology: if kind == Kind::Edges {
                    wgpu::PrimitiveTopology::LineList
                } else {
                    wgpu::PrimitiveTopology::TriangleList
                },
                cull_mode: if let Kind::Mesh { cull, .. } = kind { cull } else { None },
                ..Default::default()
            },
            depth_stencil: (!plain).then(|| depth(kind)),
            multisample: wgpu::MultisampleState {
                count: if plain { 1 } else { SAMPLES },
                ..Default::default()
            },
            fragment: Some(wgpu::FragmentState {
                module,
                entry_point: Some(fragment),
                compilation_options: wgpu::PipelineCompilationOptions { constants, ..Default::default() },
                targets: &[Some(wgpu::ColorTargetState {
                    format: if plain { wgpu::TextureFormat::R8Unorm } else { self.format },
                    blend,
                    write_mask: wgpu::ColorWrites::ALL,
                })],
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}

fn depth(kind: Kind) -> wgpu::DepthStencilState {
    let (write, compare) = match kind {
        Kind::Mesh { blended, .. } => (!blended, wgpu::CompareFunction::LessEqual),
        Kind::Lines { on_top: true } | Kind::Quads => (false, wgpu::CompareFunction::Always),
        _ => (false, wgpu::CompareFunction::LessEqual),
    };
    wgpu::DepthStencilState {
        format: DEPTH,
        depth_write_enabled: Some(write),
        depth_compare: Some(compare),
        stencil: Default::default(),
        bias: if kind == Kind::Ground {
            wgpu::DepthBiasState { constant: 16, slope_scale: 2.0, clamp: 0.0 }
        } else {
            Default::default()
        },
    }
}

fn buffers(kind: Kind) -> &'static [Option<wgpu::VertexBufferLayout<'static>>] {
    use wgpu::VertexStepMode::{Instance, Vertex};
    const fn layout(
        size: usize,
        step_mode: wgpu::VertexStepMode,
        attributes: &'static [wgpu::VertexAttribute],
    ) -> Option<wgpu::VertexBufferLayout<'static>> {
        Some(wgpu::VertexBufferLayout { array_stride: size as u64, step_mode, attributes })
    }
    const POSITION: &[wgpu::VertexAttribute] = &wgpu::vertex_attr_array![0 => Float32x3];
    const MOVING: &[wgpu::VertexAttribute] =
        &wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x4];
    const FIXED: &[wgpu::VertexAttribute] = &wgpu::vertex_attr_array![3 => Float32x4, 4 => Float32x4];
    const PAINT: &[wgpu::VertexAttribute] = &wgpu::vertex_attr_array![5 => Unorm8x4];
    const SEGMENT: &[wgpu::VertexAttribute] =
        &wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Unorm8x4, 3 => Float32x2];
    const QUAD: &[wgpu::VertexAttribute] =
        &wgpu::vertex_attr_array![0 => Float32x4, 1 => Float32x4, 2 => Unorm8x4];
    const OF_MESH: &[Option<wgpu::VertexBufferLayout<'static>>] = &[
        layout(size_of::<Moving>(), Vertex, MOVING),
        layout(size_of::<Fixed>(), Vertex, FIXED),
        layout(4, Vertex, PAINT),
    ];
    const OF_PIECES: &[Option<wgpu::VertexBufferLayout<'static>>] =
        &[layout(size_of::<Moving>(), Vertex, POSITION), layout(size_of::<Fixed>(), Vertex, FIXED)];
    const OF_EDGES: &[Option<wgpu::VertexBufferLayout<'static>>] =
        &[layout(size_of::<Moving>(), Vertex, POSITION)];
    const OF_LINES: &[Option<wgpu::VertexBufferLayout<'static>>] =
        &[layout(size_of::<Segment>(), Instance, SEGMENT)];
    const OF_QUADS: &[Option<wgpu::VertexBufferLayout<'static>>] =
        &[layout(size_of::<Quad>(), Instance, QUAD)];
    match kind {
        Kind::Mesh { .. } => OF_MESH,
        Kind::PieceShadow => OF_PIECES,
        Kind::Edges | Kind::Shadow => OF_EDGES,
        Kind::Lines { .. } => OF_LINES,
        Kind::Quads => OF_QUADS,
        Kind::Ground => &[],
    }
}
