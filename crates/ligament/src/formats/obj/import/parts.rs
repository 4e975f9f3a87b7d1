//! Parts with their vertices: one per distinct corner.

use super::KEY;
use super::objects::{Kind, PartRuns};
use crate::formats::obj::codes;
use crate::formats::obj::color::to_linear;
use crate::formats::obj::document::Model;
use crate::formats::obj_text;
use crate::report::{Place, Report, counted};
use crate::scene::{Extras, Faces, MaterialId, Part};
use glam::{Vec2, Vec3, Vec4};
use serde_json::json;

/// Builds the parts of a model.
pub(super) struct Builder {
    model: Model,
    /// The index of each vertex in the part being built.
    renumbered: Vec<u32>,
    /// Vertices without a texture coordinate in parts where other vertices have one.
    without_uv: usize,
}

impl Builder {
    pub(super) fn new(model: Model) -> Self {
        Self { model, renumbered: Vec::new(), without_uv: 0 }
    }

    pub(super) fn model(&self) -> &Model {
        &self.model
    }

    /// Builds a part. If it is the only one, the model's arrays are moved into it.
    pub(super) fn part(&mut self, runs: &PartRuns, only: bool) -> Part {
        let mut part = if only && runs.kind == Kind::Faces {
            let faces = std::mem::take(&mut self.model.faces);
            let vertices = std::mem::take(&mut self.model.vertices);
            self.vertices(&vertices, faces.into())
        } else {
            let (own, faces) = self.split(runs);
            self.vertices(&own, faces)
        };
        part.material = runs.material.map(MaterialId);
        if let Some(group) = runs.group.and_then(|group| self.model.groups.get(group as usize)) {
            part.extras = Extras::from_iter([(KEY.to_owned(), json!({ "groups": group.to_text() }))]);
        }
        part
    }

    fn vertices(&mut self, own: &[[i32; 3]], faces: Faces) -> Part {
        let without = own.iter().filter(|corner| corner[1] < 0).count();
        self.without_uv += if without < own.len() { without } else { 0 };
        vertices_of(&self.model, own, faces)
    }

    /// Returns the vertices that a part's elements use, and the elements with renumbered vertices.
    fn split(&mut self, runs: &PartRuns) -> (Vec<[i32; 3]>, Faces) {
        self.renumbered.resize(self.model.vertices.len(), u32::MAX);
        let (mut own, mut corners, mut starts) = (Vec::new(), Vec::new(), vec![0]);
        let model = &self.model;
        for (range, _) in &runs.ranges {
            let list = match runs.kind {
                Kind::Faces => &model.faces.corners[model.faces.range(range.start, range.end)],
                Kind::Lines => &model.lines[range.start * 2..range.end * 2],
                Kind::Points => &model.points[range.clone()],
            };
            let base = corners.len() as u32;
            for &vertex in list {
                let number = &mut self.renumbered[vertex as usize];
                if *number == u32::MAX {
                    *number = own.len() as u32;
                    own.push(vertex);
                }
                corners.push(*number);
            }
            if runs.kind == Kind::Faces && !model.faces.starts.is_empty() {
                let first = model.faces.starts[range.start];
                starts
                    .extend(model.faces.starts[range.start + 1..=range.end].iter().map(|s| s - first + base));
            }
        }
        own.iter().for_each(|&vertex| self.renumbered[vertex as usize] = u32::MAX);
        let vertices = own.iter().map(|&vertex| model.vertices[vertex as usize]).collect();
        let faces = match runs.kind {
            Kind::Points => Faces::Points(corners),
            Kind::Lines => Faces::Lines(corners),
            Kind::Faces => obj_text::Faces { starts, corners }.into(),
        };
        (vertices, faces)
    }

    /// Reports missing values that were filled in.
    pub(super) fn report(&self, report: &mut Report) {
        if self.without_uv > 0 {
            let vertices = counted(self.without_uv, "vertex is", "vertices are");
            let message = format!("{vertices} without a texture coordinate, although others have one");
            report.warning(&codes::PARTIAL, Place::WHOLE, message);
        }
    }
}

fn at<T: Copy>(list: &[T], index: i32) -> Option<T> {
    list.get(usize::try_from(index).ok()?).copied()
}

/// Builds a part from these vertices.
pub(super) fn vertices_of(model: &Model, own: &[[i32; 3]], faces: Faces) -> Part {
    let position = |corner: &[i32; 3]| Vec3::from_array(at(&model.positions, corner[0]).unwrap_or_default());
    let mut part = Part { positions: own.iter().map(position).collect(), faces, ..Part::default() };
    if own.iter().any(|corner| corner[1] >= 0) {
        let uv = |corner: &[i32; 3]| {
            let [u, v] = at(&model.uvs, corner[1]).unwrap_or_default();
            Vec2::new(u, 1.0 - v)
        };
        part.uvs = vec![own.iter().map(uv).collect()];
    }
    if own.iter().any(|corner| corner[2] >= 0) {
        let normal = |corner: &[i32; 3]| unit(at(&model.normals, corner[2]).unwrap_or_default());
        part.normals = own.iter().map(normal).collect();
    }
    if !model.colors.is_empty() {
        let color = |corner: &[i32; 3]| {
            let [r, g, b, a] = at(&model.colors, corner[0]).unwrap_or([1.0; 4]);
            Vec4::new(to_linear(r), to_linear(g), to_linear(b), a)
        };
        part.colors = vec![own.iter().map(color).collect()];
    }
    part
}

/// Normalises a normal. Most are already normalised to the precision of their digits, and stay unchanged.
fn unit(normal: [f32; 3]) -> Vec3 {
    let normal = Vec3::from_array(normal);
    if (normal.length_squared() - 1.0).abs() < 1e-5 {
        return normal;
    }
    normal.as_dvec3().try_normalize().map_or(Vec3::Y, |n| n.as_vec3())
}
