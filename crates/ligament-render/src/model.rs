//! A scene on the device.

use crate::camera::View;
use crate::materials::{BoundMaterial, MaterialLayout};
use crate::passes::is_shown;
use crate::prepare::{Edges, prepare, triangle_edges};
use crate::textures::Textures;
use crate::{Gpu, NoteKind, Notes, RenderError, Shot, Space, overlays};
use bytemuck::{Pod, Zeroable};
use ligament::Scene;
use ligament::io::Folder;
use ligament::math::Vec3;
use ligament::pose::{Deformer, Pose, PosedPart};
use ligament::scene::{Faces, NodeId, Part};
use std::ops::Range;
use std::sync::Arc;

/// Placements beyond this many vertices are skipped: a small file can place one mesh a million times.
const MOST_VERTICES: usize = 16_000_000;

/// The attributes of a vertex that posing changes.
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Moving {
    pub(crate) position: [f32; 3],
    pub(crate) normal: [f32; 3],
    pub(crate) tangent: [f32; 4],
}

/// The attributes of a vertex that stay: two sets of texture coordinates and a colour.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Fixed {
    uv: [f32; 4],
    color: [f32; 4],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Triangles,
    Lines,
    Points,
}

/// A part of a mesh at one of its placements.
pub(crate) struct DrawnPart {
    pub(crate) node: NodeId,
    pub(crate) mesh: usize,
    pub(crate) part: usize,
    /// The first of its moving vertices, and their number.
    pub(crate) first: usize,
    pub(crate) count: usize,
    /// The first of its fixed values, which all placements of a mesh share.
    pub(crate) fixed: usize,
    pub(crate) indices: Range<u32>,
    pub(crate) edges: Range<u32>,
    pub(crate) kind: Kind,
    pub(crate) material: usize,
    /// Whether its placement mirrors it, in the current pose.
    pub(crate) mirrored: bool,
    /// The distance of its centre from the camera, in the current pose.
    pub(crate) depth: f32,
}

/// A scene with its materials and textures on a device, ready to be drawn in any pose.
pub struct Model {
    scene: Arc<Scene>,
    notes: Notes,
    pub(crate) materials: Vec<BoundMaterial>,
    pub(crate) parts: Vec<DrawnPart>,
    pub(crate) fixed: wgpu::Buffer,
    pub(crate) indices: wgpu::Buffer,
    pub(crate) moving: wgpu::Buffer,
    pub(crate) paint: wgpu::Buffer,
    painted: Painted,
    polygon_edges: Edges,
    pub(crate) edges: Option<wgpu::Buffer>,
    deformer: Deformer,
    posed: Vec<PosedPart>,
    /// The vertices of the current pose, in the model's units.
    pub(crate) vertices: Vec<Moving>,
    /// Blended triangles of the current pose, the farthest first.
    pub(crate) sorted: wgpu::Buffer,
    order: Vec<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Painted {
    Not,
    Weights(NodeId),
    Given,
}

impl Model {
    pub(crate) fn new(
        gpu: &Gpu,
        layout: &MaterialLayout,
        mut scene: Scene,
        folder: &dyn Folder,
    ) -> Result<Self, RenderError> {
        let mut notes = Notes::default();
        let polygon_edges = prepare(&mut scene, &mut notes);
        let mut textures = Textures::new(gpu, &scene, folder);
        let mut materials: Vec<_> = scene
            .materials
            .iter()
            .map(|m| layout.bind(gpu, &scene, Some(m), &mut textures, &mut notes))
            .collect();
        materials.push(layout.bind(gpu, &scene, None, &mut textures, &mut notes));
        drop(textures);
        let limit = usize::try_from(gpu.device.limits().max_buffer_size).unwrap_or(usize::MAX);
        let arrays = Arrays::of(&scene);
        let largest = (arrays.fixed.len() * size_of::<Fixed>()).max(arrays.indices.len() * 4);
        if largest > limit {
            let message =
                format!("the model needs a buffer of {largest} bytes; the graphics device allows {limit}");
            return Err(RenderError::ModelTooLarge(message));
        }
        let most = MOST_VERTICES.min(limit / size_of::<Moving>());
        let parts = place(&scene, &arrays, materials.len() - 1, most, &mut notes);
        let vertices = parts.last().map_or(0, |last| last.first + last.count);
        let blended = |part: &&DrawnPart| materials[part.material].blended && part.kind == Kind::Triangles;
        let sorted: usize = parts.iter().filter(blended).map(|part| part.indices.len()).sum();
        let (vertex, index) = (wgpu::BufferUsages::VERTEX, wgpu::BufferUsages::INDEX);
        let empty = |label, usage, bytes: usize| {
            gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: (bytes as u64).max(64),
                usage: usage | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        };
        let model = Self {
            materials,
            parts,
            fixed: gpu.buffer("fixed", vertex, bytemuck::cast_slice(&arrays.fixed)),
            indices: gpu.buffer("indices", index, bytemuck::cast_slice(&arrays.indices)),
            moving: empty("moving", vertex, vertices * size_of::<Moving>()),
            paint: empty("paint", vertex, vertices * 4),
            painted: Painted::Not,
            polygon_edges,
            edges: None,
            deformer: Deformer::new(),
            posed: Vec::new(),
            vertices: vec![Moving::default(); vertices],
            sorted: empty("sorted", index, sorted * 4),
            order: Vec::new(),
            scene: Arc::new(scene),
            notes,
        };
        gpu.check()?;
        Ok(model)
    }

    /// The scene as drawn: with normals and triangulated polygons, so that it may have more vertices than the original
    /// scene.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The same scene as a shared pointer.
    pub fn shared_scene(&self) -> Arc<Scene> {
        Arc::clone(&self.scene)
    }

    /// Notes from preparing the model.
    pub fn notes(&self) -> &Notes {
        &self.notes
    }

    /// The number of vertices drawn: those of all parts of all nodes' meshes, in the order of the nodes.
    pub fn vertex_count(&self) -> usize {
        self.vertices.len()
    }

    /// Poses the model. Returns the number of vertices without a finite position.
    pub(crate) fn pose(&mut self, gpu: &Gpu, pose: &Pose, space: &Space) -> usize {
        let mut lost = 0;
        let mut at = 0;
        while at < self.parts.len() {
            let node = self.parts[at].node;
            self.deformer.deform(&self.scene, pose, node, &mut self.posed);
            let mirrored = pose.mirrors(&self.scene, node);
            while let Some(part) = self.parts.get_mut(at).filter(|part| part.node == node) {
                part.mirrored = mirrored;
                let into = &mut self.vertices[part.first..part.first + part.count];
                if let Some(posed) = self.posed.get(part.part) {
                    lost += fill(posed, space, into);
                }
                at += 1;
            }
        }
        gpu.write(&self.moving, bytemuck::cast_slice(&self.vertices));
        lost
    }

    /// Sorts blended parts by their centre, and the triangles within them. Returns the range of indices of each blended
    /// part, the farthest first.
    pub(crate) fn sort(&mut self, gpu: &Gpu, view: &View, shot: &Shot) -> Vec<(usize, Range<u32>)> {
        let mut parts: Vec<usize> = Vec::new();
        for (number, part) in self.parts.iter_mut().enumerate() {
            if is_shown(part, shot)
                && self.materials[part.material].blended
                && part.kind == Kind::Triangles
                && part.count > 0
            {
                let own = &self.vertices[part.first..part.first + part.count];
                let sum: Vec3 = own.iter().map(|v| Vec3::from_array(v.position)).sum();
                part.depth = view.depth(sum / part.count as f32);
                parts.push(number);
            }
        }
        parts.sort_by(|&a, &b| self.parts[b].depth.total_cmp(&self.parts[a].depth));
        self.order.clear();
        let mut ranges = Vec::new();
        for number in parts {
            let part = &self.parts[number];
            let Faces::Triangles(corners) = &self.scene.meshes[part.mesh].parts[part.part].faces else {
                continue;
            };
            let place = |corner: u32| Vec3::from_array(self.vertices[part.first + corner as usize].position);
            let mut triangles: Vec<(f32, [u32; 3])> = corners
                .as_chunks::<3>()
                .0
                .iter()
                .map(|t| (view.depth((place(t[0]) + place(t[1]) + place(t[2])) / 3.0), *t))
                .collect();
            triangles.sort_by(|a, b| b.0.total_cmp(&a.0));
            let start = self.order.len() as u32;
            self.order.extend(triangles.iter().flat_map(|(_, corners)| corners));
            ranges.push((number, start..self.order.len() as u32));
        }
        gpu.write(&self.sorted, bytemuck::cast_slice(&self.order));
        ranges
    }

    /// Paints vertices with the given colours, with a joint's weights, or not at all.
    pub(crate) fn paint(&mut self, gpu: &Gpu, given: Option<&[[u8; 4]]>, weights: Option<NodeId>) {
        let wanted = match (given, weights) {
            (Some(_), _) => Painted::Given,
            (None, Some(joint)) => Painted::Weights(joint),
            (None, None) => Painted::Not,
        };
        if wanted == self.painted && wanted != Painted::Given {
            return;
        }
        self.painted = wanted;
        let mut colors = match wanted {
            Painted::Given => given.unwrap_or_default().to_vec(),
            Painted::Weights(joint) => overlays::weights::colors(&self.scene, &self.parts, joint),
            Painted::Not => Vec::new(),
        };
        colors.resize(self.vertices.len(), [0; 4]);
        gpu.write(&self.paint, bytemuck::cast_slice(&colors));
    }

    /// Builds the edge list, which only wireframes need.
    pub(crate) fn make_edges(&mut self, gpu: &Gpu) {
        if self.edges.is_some() {
            return;
        }
        let mut all: Vec<u32> = Vec::new();
        let mut ranges: Vec<Vec<Range<u32>>> = Vec::new();
        for (mesh, polygons) in self.scene.meshes.iter().zip(&self.polygon_edges) {
            let mut own = Vec::new();
            for (part, edges) in mesh.parts.iter().zip(polygons) {
                let start = all.len() as u32;
                match &part.faces {
                    Faces::Triangles(corners) if edges.is_empty() => all.extend(triangle_edges(corners)),
                    _ => all.extend_from_slice(edges),
                }
                own.push(start..all.len() as u32);
            }
            ranges.push(own);
        }
        for part in &mut self.parts {
            part.edges = ranges[part.mesh][part.part].clone();
        }
        self.edges = Some(gpu.buffer("edges", wgpu::BufferUsages::INDEX, bytemuck::cast_slice(&all)));
    }
}

/// Converts posed vertices to the model's units; vertices that are not finite go to the centre and are counted.
fn fill(posed: &PosedPart, space: &Space, into: &mut [Moving]) -> usize {
    let mut lost = 0;
    let finite = |v: Vec3| if v.is_finite() { v } else { Vec3::ZERO };
    for (i, vertex) in into.iter_mut().enumerate() {
        let position = posed.positions.get(i).copied().unwrap_or_default();
        lost += usize::from(!position.is_finite());
        vertex.position = space.place(position.as_dvec3()).to_array();
        vertex.normal = finite(posed.normals.get(i).copied().unwrap_or_default()).to_array();
        let tangent = posed.tangents.get(i).copied().unwrap_or_default();
        let sign = if tangent.w < 0.0 { -1.0 } else { 1.0 };
        vertex.tangent = finite(tangent.truncate()).extend(sign).to_array();
    }
    lost
}

/// The fixed values and indices of all meshes, concatenated, and where each part begins.
struct Arrays {
    fixed: Vec<Fixed>,
    indices: Vec<u32>,
    parts: Vec<Vec<(usize, Range<u32>)>>,
}

impl Arrays {
    fn of(scene: &Scene) -> Self {
        let mut arrays = Self { fixed: Vec::new(), indices: Vec::new(), parts: Vec::new() };
        for mesh in &scene.meshes {
            let parts = mesh.parts.iter().map(|part| arrays.add(part)).collect();
            arrays.parts.push(parts);
        }
        arrays
    }

    fn add(&mut self, part: &Part) -> (usize, Range<u32>) {
        let first = self.fixed.len();
        let clean = |v: f32, or: f32| if v.is_finite() { v.clamp(-1e6, 1e6) } else { or };
        let uv =
            |set: usize, i: usize| part.uvs.get(set).and_then(|set| set.get(i)).copied().unwrap_or_default();
        for i in 0..part.positions.len() {
            let (a, b) = (uv(0, i), uv(1, i));
            let color = part.colors.first().and_then(|set| set.get(i)).map_or([1.0; 4], |c| c.to_array());
            self.fixed.push(Fixed {
                uv: [a.x, a.y, b.x, b.y].map(|v| clean(v, 0.0)),
                color: color.map(|v| clean(v, 1.0).clamp(0.0, 1e3)),
            });
        }
        let start = self.indices.len() as u32;
        if let Faces::Triangles(corners) = &part.faces {
            self.indices.extend_from_slice(corners);
        }
        (first, start..self.indices.len() as u32)
    }
}

/// Every part at every placement of its mesh.
fn place(scene: &Scene, arrays: &Arrays, plain: usize, most: usize, notes: &mut Notes) -> Vec<DrawnPart> {
    let mut parts = Vec::new();
    let (mut first, mut left_out, mut bare) = (0, 0_usize, false);
    for (index, node) in scene.nodes.iter().enumerate() {
        let Some((number, mesh)) =
            node.mesh.and_then(|mesh| Some((mesh.index(), scene.meshes.get(mesh.index())?)))
        else {
            continue;
        };
        if first + mesh.vertex_count() > most {
            left_out += 1;
            continue;
        }
        for (part_number, part) in mesh.parts.iter().enumerate() {
            let (fixed, indices) = arrays.parts[number][part_number].clone();
            let kind = match &part.faces {
                Faces::Lines(_) => Kind::Lines,
                Faces::Points(_) => Kind::Points,
                // Draw vertices without faces as points, so that they are visible.
                faces if faces.corners().is_empty() => {
                    bare |= !part.positions.is_empty();
                    Kind::Points
                }
                _ => Kind::Triangles,
            };
            let material = part.material.map_or(plain, |m| m.index().min(plain));
            parts.push(DrawnPart {
                node: NodeId::new(index),
                mesh: number,
                part: part_number,
                first,
                count: part.positions.len(),
                fixed,
                indices,
                edges: 0..0,
                kind,
                material,
                mirrored: false,
                depth: 0.0,
            });
            first += part.positions.len();
        }
    }
    if left_out > 0 {
        notes.add(
            NoteKind::Model,
            format!("{left_out} placements of meshes are skipped: more than {most} vertices"),
        );
    }
    if bare {
        notes.add(NoteKind::Model, "vertices without faces are drawn as points");
    }
    parts
}
