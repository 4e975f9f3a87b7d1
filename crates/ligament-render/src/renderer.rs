//! One renderer: it draws a model into any texture.

use crate::camera::View;
use crate::frame::Frame;
use crate::lights::Lights;
use crate::lines::Lines;
use crate::materials::MaterialLayout;
use crate::model::{DrawnPart, Fixed, Kind as PartKind, Model};
use crate::overlays::{axes, bounds, names, normals, shapes, skeleton};
use crate::passes::{Growing, begin, group, layout, mesh_kind, moving_range, place, shadow_kind, shown};
use crate::pipelines::{Kind, Pipelines};
use crate::targets::{self, Targets, check_size, texture};
use crate::text::{Quad, Text};
use crate::{
    Block, Camera, Gpu, Label, Look, NoteKind, Notes, Picture, RenderError, Selected, Stage, Surface, select,
};
use ligament::Scene;
use ligament::internal::shown;
use ligament::io::Folder;
use ligament::pose::{Bounds, Pose};
use std::ops::Range;
use std::sync::Arc;

/// The description of one picture.
#[derive(Debug, Clone, Copy)]
pub struct Shot<'a> {
    /// The pose.
    pub pose: &'a Pose,
    /// The stage that the model is on.
    pub stage: &'a Stage,
    /// The camera; `stage.camera` fits the whole model.
    pub camera: &'a Camera,
    /// How it is shown.
    pub look: &'a Look,
    /// A colour per vertex, in the order of [`Model::vertex_count`], instead of the materials; vertices with an alpha of 0
    /// keep their materials.
    pub paint: Option<&'a [[u8; 4]]>,
    /// For each node, whether its objects are hidden; nodes beyond the end are shown.
    pub hidden: &'a [bool],
    /// The same for each material.
    pub hidden_materials: &'a [bool],
    /// The highlighted object.
    pub selected: Option<Selected>,
    /// The box stored in the file, drawn with the others.
    pub stated: Option<Bounds>,
    /// Plain rectangles over the picture, below the labels.
    pub blocks: &'a [Block],
    /// Text over the picture.
    pub labels: &'a [Label],
    /// The part of the target to draw into (left, top, width, height in pixels); all of it if `None`.
    pub area: Option<[u32; 4]>,
    /// Keeps the existing content of the target outside the area.
    pub keep: bool,
}

impl<'a> Shot<'a> {
    /// A picture of a whole stage, with nothing over it.
    pub fn new(pose: &'a Pose, stage: &'a Stage, look: &'a Look) -> Self {
        Self {
            pose,
            stage,
            camera: &stage.camera,
            look,
            paint: None,
            hidden: &[],
            hidden_materials: &[],
            selected: None,
            stated: None,
            blocks: &[],
            labels: &[],
            area: None,
            keep: false,
        }
    }
}

/// Draws models into textures of one format.
pub struct Renderer {
    gpu: Gpu,
    format: wgpu::TextureFormat,
    pipelines: Pipelines,
    materials: Arc<MaterialLayout>,
    frame: wgpu::Buffer,
    frame_group: wgpu::BindGroup,
    /// The same without the shadow, which cannot be read while it is being drawn.
    bare_group: wgpu::BindGroup,
    glyph_group: wgpu::BindGroup,
    shadow: wgpu::TextureView,
    targets: Option<Targets>,
    text: Text,
    lines: Lines,
    segments: Growing,
    quads: Growing,
    finished: Option<wgpu::Texture>,
}

/// Uploads scenes to the device of a [`Renderer`]. Cheap to clone, and can be sent to another thread.
#[derive(Clone)]
pub struct Loader {
    gpu: Gpu,
    materials: Arc<MaterialLayout>,
}

impl Loader {
    /// Another renderer on the same device, for pictures drawn on another thread.
    pub fn renderer(&self) -> Result<Renderer, RenderError> {
        Renderer::new(self.gpu.clone(), PICTURE_FORMAT)
    }

    /// Uploads a scene. Textures beside the model are looked up in `folder`.
    pub fn load(&self, scene: Scene, folder: &dyn Folder) -> Result<Model, RenderError> {
        self.gpu.watched(|| Model::new(&self.gpu, &self.materials, scene, folder))?
    }
}

/// Items drawn after the opaque parts: blended parts, lines, text.
struct Over<'a> {
    blended: &'a [(usize, Range<u32>)],
    segments: &'a [Range<u32>],
    quads: Range<u32>,
}

/// The format of pictures that are read back.
pub const PICTURE_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;

impl Renderer {
    /// A renderer for textures of a format: [`PICTURE_FORMAT`] for pictures, or a surface's.
    pub fn new(gpu: Gpu, format: wgpu::TextureFormat) -> Result<Self, RenderError> {
        let materials = Arc::new(MaterialLayout::new(&gpu));
        let text = Text::new(&gpu);
        let shadow = targets::shadow(&gpu);
        let frame = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("frame"),
            size: size_of::<Frame>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let frame_layout = layout(&gpu, "frame", true);
        let glyph_layout = layout(&gpu, "glyphs", false);
        let smooth = gpu.device.create_sampler(&wgpu::SamplerDescriptor {
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..Default::default()
        });
        let group = |layout, buffer: Option<&wgpu::Buffer>, view| group(&gpu, layout, buffer, view, &smooth);
        let frame_group = group(&frame_layout, Some(&frame), &shadow);
        let bare_group = group(&frame_layout, Some(&frame), &materials.white);
        let glyph_group = group(&glyph_layout, None, &text.view());
        let pipelines = Pipelines::new(format, frame_layout, materials.layout.clone(), glyph_layout);
        gpu.check()?;
        Ok(Self {
            format,
            pipelines,
            materials,
            frame,
            frame_group,
            bare_group,
            glyph_group,
            shadow,
            targets: None,
            text,
            lines: Lines::default(),
            segments: Growing::new("segments"),
            quads: Growing::new("quads"),
            finished: None,
            gpu,
        })
    }

    /// The device.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Uploads a scene. Textures beside the model are looked up in `folder`.
    pub fn load(&self, scene: Scene, folder: &dyn Folder) -> Result<Model, RenderError> {
        self.loader().load(scene, folder)
    }

    /// A handle that uploads scenes from another thread.
    pub fn loader(&self) -> Loader {
        Loader { gpu: self.gpu.clone(), materials: Arc::clone(&self.materials) }
    }

    /// Draws into a texture of the renderer's format and of a size in pixels.
    pub fn draw(
        &mut self,
        model: &mut Model,
        shot: &Shot,
        target: &wgpu::TextureView,
        size: [u32; 2],
    ) -> Result<Notes, RenderError> {
        check_size(&self.gpu, size)?;
        if self.targets.as_ref().is_none_or(|targets| targets.size != size) {
            self.targets = None;
            self.targets = Some(Targets::new(&self.gpu, self.format, size)?);
        }
        let mut notes = Notes::default();
        let area = shot.area.unwrap_or([0, 0, size[0], size[1]]);
        let area = [area[0].min(size[0] - 1), area[1].min(size[1] - 1), area[2], area[3]];
        let area =
            [area[0], area[1], area[2].clamp(1, size[0] - area[0]), area[3].clamp(1, size[1] - area[1])];
        let shape = [area[2] as f32, area[3] as f32];
        let view = shot.camera.view(
            &shot.stage.space,
            f64::from(shape[0]) / f64::from(shape[1]),
            shot.stage.depths(shot.camera),
        );
        self.fill(model, shot, &view, shape, &mut notes);
        let blended = model.sort(&self.gpu, &view, shot);
        let quads = self.gather(model, shot, &view, shape, &mut notes);
        self.prepare_pipelines(model, shot, !quads.is_empty());
        let segments = self.segments.write(&self.gpu, &[&self.lines.within, &self.lines.on_top]);
        let quads = self.quads.write(&self.gpu, &[&quads]);
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        if shot.look.shadow {
            self.draw_shadow(&mut encoder, model, shot);
        }
        let over = Over { blended: &blended, segments: &segments, quads: quads[0].clone() };
        self.draw_model(&mut encoder, model, shot, target, area, &over);
        self.gpu.queue.submit([encoder.finish()]);
        self.gpu.check()?;
        Ok(notes)
    }

    /// Draws a picture and waits for it.
    pub fn picture(
        &mut self,
        model: &mut Model,
        shot: &Shot,
        size: [u32; 2],
    ) -> Result<(Picture, Notes), RenderError> {
        let notes = self.draw_inside(model, shot, size)?;
        Ok((self.finish()?, notes))
    }

    /// Draws into the renderer's own texture, which [`finish`](Self::finish) reads back: for pictures of several areas.
    pub fn draw_inside(
        &mut self,
        model: &mut Model,
        shot: &Shot,
        size: [u32; 2],
    ) -> Result<Notes, RenderError> {
        check_size(&self.gpu, size)?;
        if self.finished.as_ref().is_none_or(|own| [own.width(), own.height()] != size) {
            let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC;
            self.finished = Some(texture(&self.gpu, "picture", size, self.format, 1, usage));
            self.gpu.check()?;
        }
        let view = self.finished.as_ref().map(|own| own.create_view(&Default::default()));
        match view {
            Some(view) => self.draw(model, shot, &view, size),
            None => Err(RenderError::Refused("there is no texture to draw into".to_owned())),
        }
    }

    /// Reads back what [`draw_inside`](Self::draw_inside) drew. The renderer must be of [`PICTURE_FORMAT`].
    pub fn finish(&mut self) -> Result<Picture, RenderError> {
        match &self.finished {
            Some(texture) => self.gpu.read(texture),
            None => Err(RenderError::Refused("no picture has been drawn yet".to_owned())),
        }
    }

    /// Poses the model and uploads the uniforms of all shaders.
    fn fill(&mut self, model: &mut Model, shot: &Shot, view: &View, shape: [f32; 2], notes: &mut Notes) {
        let stage = shot.stage;
        let lost = model.pose(&self.gpu, shot.pose, &stage.space);
        if lost > 0 {
            let message = format!(
                "{} without a finite position in this pose",
                shown::counted(lost, "vertex", "vertices")
            );
            notes.add(NoteKind::Model, message);
        }
        if stage.is_empty {
            notes.add(NoteKind::Model, "nothing to draw: the scene has neither vertices nor joints");
        }
        let weights = if let Surface::Weights(joint) = shot.look.surface { Some(joint) } else { None };
        model.paint(&self.gpu, shot.paint, weights);
        let lights = Lights::of(model.scene(), shot.pose, &stage.space, view, shot.look.lighting, notes);
        let frame = Frame::new(view, stage, shot.look, &lights, shape, !self.format.is_srgb());
        self.gpu.queue.write_buffer(&self.frame, 0, bytemuck::bytes_of(&frame));
    }

    /// Collects lines and text.
    fn gather(
        &mut self,
        model: &mut Model,
        shot: &Shot,
        view: &View,
        shape: [f32; 2],
        notes: &mut Notes,
    ) -> Vec<Quad> {
        let (look, space) = (shot.look, &shot.stage.space);
        let thickness = (shape[0].min(shape[1]) / 512.0).clamp(0.75, 3.0);
        let lines = &mut self.lines;
        lines.clear();
        shapes::draw(model, shot, thickness, lines);
        if look.wire {
            model.make_edges(&self.gpu);
        }
        if look.tangents && model.vertices.iter().all(|vertex| vertex.tangent[..3] == [0.0; 3]) {
            notes.add(NoteKind::Overlay, "the model has no tangents to show");
        }
        if look.normals || look.tangents {
            normals::draw(model, shot, thickness, lines);
        }
        if look.bounds {
            bounds::draw(model, shot.stated, space, thickness, lines);
        }
        // A model without vertices shows its joints; otherwise the picture would be empty.
        if look.skeleton || model.vertices.is_empty() {
            skeleton::draw(model.scene(), shot, thickness, lines);
        }
        if look.axes {
            axes::draw(model.scene(), shot, thickness, lines);
        }
        if let Some(Selected::Node(node)) = shot.selected {
            select::draw(model.scene(), shot.pose, space, node, thickness, lines);
        }
        let mut quads = Vec::new();
        shot.blocks.iter().for_each(|block| self.text.add_block(block, &mut quads));
        if look.names {
            let placed =
                names::place(model.scene(), shot, view, shape, &mut self.text, &mut self.lines, notes);
            placed.iter().for_each(|label| self.text.add(label, &mut quads));
        }
        shot.labels.iter().for_each(|label| self.text.add(label, &mut quads));
        if !quads.is_empty() {
            self.text.upload(&self.gpu);
        }
        quads
    }

    fn prepare_pipelines(&mut self, model: &Model, shot: &Shot, text: bool) {
        let gpu = &self.gpu;
        let kinds: Vec<Kind> = model
            .parts
            .iter()
            .filter(|part| part.kind == PartKind::Triangles)
            .flat_map(|part| {
                let shadow = shot.look.shadow.then(|| shadow_kind(model, part));
                [Some(mesh_kind(model, part, shot.look.two_sided)), shadow]
            })
            .flatten()
            .collect();
        kinds.into_iter().for_each(|kind| self.pipelines.prepare(gpu, kind));
        let also = [
            (Kind::Edges, shot.look.wire),
            (Kind::Ground, shot.look.shadow || shot.look.grid),
            (Kind::Lines { on_top: false }, !self.lines.within.is_empty()),
            (Kind::Lines { on_top: true }, !self.lines.on_top.is_empty()),
            (Kind::Quads, text),
        ];
        also.into_iter()
            .filter(|(_, wanted)| *wanted)
            .for_each(|(kind, _)| self.pipelines.prepare(gpu, kind));
    }

    fn draw_shadow(&self, encoder: &mut wgpu::CommandEncoder, model: &Model, shot: &Shot) {
        let mut pass = begin(encoder, &self.shadow, None, None, Some(wgpu::Color::TRANSPARENT));
        pass.set_bind_group(0, &self.bare_group, &[]);
        pass.set_index_buffer(model.indices.slice(..), wgpu::IndexFormat::Uint32);
        for part in shown(model, shot) {
            let kind = shadow_kind(model, part);
            let Some(pipeline) = self.pipelines.get(kind) else { continue };
            pass.set_pipeline(pipeline);
            pass.set_vertex_buffer(0, model.moving.slice(moving_range(part)));
            if kind == Kind::PieceShadow {
                pass.set_bind_group(1, &model.materials[part.material].group, &[]);
                pass.set_vertex_buffer(1, model.fixed.slice(fixed_from(part)..));
            }
            pass.draw_indexed(part.indices.clone(), 0, 0..1);
        }
    }

    fn draw_model(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        model: &Model,
        shot: &Shot,
        target: &wgpu::TextureView,
        area: [u32; 4],
        over: &Over,
    ) {
        let Some(targets) = &self.targets else { return };
        let clear = (!shot.keep).then(|| self.clear_color(shot.look.background));
        let mut pass = begin(encoder, &targets.color, Some(target), Some(&targets.depth), clear);
        place(&mut pass, area);
        pass.set_bind_group(0, &self.frame_group, &[]);
        for part in shown(model, shot).filter(|part| !model.materials[part.material].blended) {
            self.draw_part(&mut pass, (model, shot), part, part.indices.clone(), &model.indices);
        }
        if let Some(pipeline) =
            self.pipelines.get(Kind::Ground).filter(|_| shot.look.shadow || shot.look.grid)
        {
            pass.set_pipeline(pipeline);
            pass.draw(0..6, 0..1);
        }
        for (number, indices) in over.blended {
            self.draw_part(&mut pass, (model, shot), &model.parts[*number], indices.clone(), &model.sorted);
        }
        if let (Some(pipeline), Some(edges)) =
            (self.pipelines.get(Kind::Edges).filter(|_| shot.look.wire), &model.edges)
        {
            pass.set_pipeline(pipeline);
            pass.set_index_buffer(edges.slice(..), wgpu::IndexFormat::Uint32);
            for part in shown(model, shot).filter(|part| !part.edges.is_empty()) {
                pass.set_vertex_buffer(0, model.moving.slice(moving_range(part)));
                pass.draw_indexed(part.edges.clone(), 0, 0..1);
            }
        }
        for (on_top, range) in [false, true].into_iter().zip(over.segments) {
            let pipeline = self.pipelines.get(Kind::Lines { on_top });
            if let (false, Some(pipeline), Some(buffer)) = (range.is_empty(), pipeline, &self.segments.buffer)
            {
                pass.set_pipeline(pipeline);
                pass.set_vertex_buffer(0, buffer.slice(..));
                pass.draw(0..6, range.clone());
            }
        }
        let pipeline = self.pipelines.get(Kind::Quads).filter(|_| !over.quads.is_empty());
        if let (Some(pipeline), Some(buffer)) = (pipeline, &self.quads.buffer) {
            pass.set_pipeline(pipeline);
            pass.set_bind_group(1, &self.glyph_group, &[]);
            pass.set_vertex_buffer(0, buffer.slice(..));
            pass.draw(0..6, over.quads.clone());
        }
    }

    fn draw_part(
        &self,
        pass: &mut wgpu::RenderPass,
        (model, shot): (&Model, &Shot),
        part: &DrawnPart,
        indices: Range<u32>,
        buffer: &wgpu::Buffer,
    ) {
        let Some(pipeline) = self.pipelines.get(mesh_kind(model, part, shot.look.two_sided)) else { return };
        pass.set_pipeline(pipeline);
        pass.set_bind_group(1, &model.materials[part.material].group, &[]);
        pass.set_index_buffer(buffer.slice(..), wgpu::IndexFormat::Uint32);
        pass.set_vertex_buffer(0, model.moving.slice(moving_range(part)));
        pass.set_vertex_buffer(1, model.fixed.slice(fixed_from(part)..));
        pass.set_vertex_buffer(2, model.paint.slice(part.first as u64 * 4..));
        // The instance index tells the shader which side is the front, and whether the part is highlighted.
        let marked = select::is_marked(model.scene(), part, shot.selected);
        let bits = u32::from(part.mirrored) | u32::from(marked) << 1;
        pass.draw_indexed(indices, 0, bits..bits + 1);
    }

    /// The background, multiplied by its alpha, as the target stores it.
    fn clear_color(&self, [r, g, b, a]: [u8; 4]) -> wgpu::Color {
        let alpha = f64::from(a) / 255.0;
        let own = |v: u8| {
            let stored = if self.format.is_srgb() {
                f64::from(crate::color::to_linear(v))
            } else {
                f64::from(v) / 255.0
            };
            stored * alpha
        };
        wgpu::Color { r: own(r), g: own(g), b: own(b), a: alpha }
    }
}

/// Where the fixed values of a part's vertices begin, in bytes.
fn fixed_from(part: &DrawnPart) -> u64 {
    part.fixed as u64 * size_of::<Fixed>() as u64
}
