//! Meshes: one vertex per distinct corner, one part per object.

use super::{Import, KEY};
use crate::formats::amo::codes;
use crate::formats::amo::document::{Corner, Model, Object};
use crate::formats::obj_text;
use crate::report::{Place, Report, counted};
use crate::scene::{
    Extras, Faces, Influence, Influences, Material, MaterialId, Part, Phong, TextureRef, y_up,
};
use glam::{Vec2, Vec3};
use serde_json::json;
use std::ops::Range;

impl Import<'_> {
    /// Makes the parts of a model; its faces are moved out of it.
    pub(super) fn parts(&mut self, model: &mut Model) -> Vec<Part> {
        let ranges = object_ranges(model);
        if model.faces.is_empty() {
            return Vec::new();
        }
        let vertices = std::mem::take(&mut model.vertices);
        if let [(object, _)] = ranges[..] {
            let faces = std::mem::take(&mut model.faces);
            let mut part = self.part(model, &vertices, faces.into());
            part.material = object.and_then(|o| self.material(&model.objects[o]));
            return vec![part];
        }
        let mut parts = Vec::with_capacity(ranges.len());
        let mut renumbered = vec![u32::MAX; vertices.len()];
        for (object, range) in ranges {
            let (own, faces) = split(model, range, &mut renumbered);
            let own: Vec<Corner> = own.iter().filter_map(|&v| vertices.get(v as usize).copied()).collect();
            let mut part = self.part(model, &own, faces.into());
            if let Some(object) = object.map(|o| &model.objects[o]) {
                part.material = self.material(object);
                let name = json!({ "object": object.name.to_text() });
                part.extras = Extras::from_iter([(KEY.to_owned(), name)]);
            }
            parts.push(part);
        }
        parts
    }

    fn part(&mut self, model: &Model, vertices: &[Corner], faces: Faces) -> Part {
        let z_up = self.dialect.has_rest();
        let turned = |v: [f32; 3]| if z_up { y_up(v) } else { Vec3::from_array(v) };
        let position = |corner: &Corner| at(&model.positions, corner.position).copied().unwrap_or_default();
        let positions: Vec<Vec3> = vertices.iter().map(|corner| turned(position(corner))).collect();
        let mut part = Part { positions, faces, ..Part::default() };
        if vertices.iter().any(|corner| corner.uv >= 0) {
            let v_down = self.v_down;
            let uv = |corner: &Corner| {
                let [u, v] = at(&model.uvs, corner.uv).copied().unwrap_or_default();
                Vec2::new(u, if v_down { v } else { 1.0 - v })
            };
            part.uvs = vec![vertices.iter().map(uv).collect()];
            partly(vertices.iter().filter(|c| c.uv < 0).count(), "texture coordinate", self.report);
        }
        if vertices.iter().any(|corner| corner.normal >= 0) {
            let normal = |corner: &Corner| {
                let normal = at(&model.normals, corner.normal).map(|n| turned(*n).as_dvec3());
                normal.map_or(Vec3::ZERO, |n| n.normalize_or_zero().as_vec3())
            };
            part.normals = vertices.iter().map(normal).collect();
            partly(vertices.iter().filter(|c| c.normal < 0).count(), "normal", self.report);
            fill_normals(&mut part);
        }
        part.influences = influences(model, vertices);
        part
    }

    fn material(&mut self, object: &Object) -> Option<MaterialId> {
        let path = crate::io::safe_relative(&object.texture.as_ref()?.to_text()).ok()?;
        let scene = &mut self.scene;
        let texture = *self.textures.entry(path).or_insert_with_key(|path| {
            let texture = scene.add_image_file(path, String::new());
            let file = path.rsplit('/').next().unwrap_or(path);
            let name = file.split_once('.').map_or(file, |(stem, _)| stem).to_owned();
            let diffuse_texture = Some(TextureRef::new(texture));
            let phong = Some(Phong { diffuse_texture, ..Phong::default() });
            scene.materials.push(Material { name, phong, ..Material::default() });
            texture
        });
        // Each material was made together with its texture.
        Some(MaterialId(texture.0))
    }
}

fn at<T>(list: &[T], index: i32) -> Option<&T> {
    list.get(usize::try_from(index).ok()?)
}

fn partly(missing: usize, what: &str, report: &mut Report) {
    if missing > 0 {
        let message =
            format!("{} without a {what}, which others have", counted(missing, "vertex is", "vertices are"));
        report.warning(&codes::PARTIAL, Place::WHOLE, message);
    }
}

/// The objects that have faces, with the faces of each; faces before the first object belong to none.
fn object_ranges(model: &Model) -> Vec<(Option<usize>, Range<usize>)> {
    let count = model.faces.len();
    let first = model.objects.first().map_or(count, |o| (o.first_face as usize).min(count));
    let mut ranges = vec![(None, 0..first)];
    for (i, object) in model.objects.iter().enumerate() {
        let end = model.objects.get(i + 1).map_or(count, |next| (next.first_face as usize).min(count));
        ranges.push((Some(i), (object.first_face as usize).min(end)..end));
    }
    ranges.retain(|(_, range)| !range.is_empty());
    ranges
}

/// The vertices that a range of faces uses, and the renumbered faces.
fn split(model: &Model, range: Range<usize>, renumbered: &mut [u32]) -> (Vec<u32>, obj_text::Faces) {
    let within = model.faces.range(range.start, range.end);
    let mut own = Vec::new();
    let mut corners = Vec::with_capacity(within.len());
    for &vertex in &model.faces.corners[within.clone()] {
        let number = &mut renumbered[vertex as usize];
        if *number == u32::MAX {
            *number = own.len() as u32;
            own.push(vertex);
        }
        corners.push(*number);
    }
    own.iter().for_each(|&vertex| renumbered[vertex as usize] = u32::MAX);
    let starts = model.faces.starts.get(range.start..=range.end).unwrap_or_default();
    let starts = starts.iter().map(|&start| start - within.start as u32).collect();
    (own, obj_text::Faces { starts, corners })
}

fn influences(model: &Model, vertices: &[Corner]) -> Influences {
    let pairs = |corner: &Corner| {
        let joints = at(&model.joint_sets, corner.joints).copied().unwrap_or([-1; 4]);
        let weights = at(&model.weight_sets, corner.weights).copied().unwrap_or_default();
        let slots = joints.into_iter().zip(weights).filter(|(joint, weight)| *joint >= 0 && *weight != 0.0);
        slots.map(|(joint, weight)| Influence { joint: joint as u32, weight })
    };
    let count: usize = vertices.iter().map(|corner| pairs(corner).count()).sum();
    if count == 0 || model.joints.is_empty() {
        return Influences::new();
    }
    let mut influences = Influences::with_capacity(vertices.len(), count);
    vertices.iter().for_each(|corner| influences.push(pairs(corner)));
    influences
}

/// Replaces missing or zero normals by those of the faces around the vertex.
fn fill_normals(part: &mut Part) {
    let missing: Vec<bool> = part.normals.iter().map(|n| *n == Vec3::ZERO).collect();
    if !missing.contains(&true) {
        return;
    }
    let mut add = |corners: &[u32]| {
        let [a, b, c, ..] = *corners else { return };
        let [a, b, c] = [a, b, c].map(|v| part.positions[v as usize].as_dvec3());
        let facing = (b - a).cross(c - a).normalize_or_zero().as_vec3();
        for &corner in corners.iter().filter(|&&corner| missing[corner as usize]) {
            part.normals[corner as usize] += facing;
        }
    };
    match &part.faces {
        Faces::Polygons { starts, corners } => {
            starts.windows(2).for_each(|pair| add(&corners[pair[0] as usize..pair[1] as usize]));
        }
        faces => faces.corners().chunks_exact(3).for_each(add),
    }
    for (normal, _) in part.normals.iter_mut().zip(missing).filter(|(_, missing)| *missing) {
        *normal = normal.try_normalize().unwrap_or(Vec3::Y);
    }
}
