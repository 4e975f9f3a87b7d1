//! Computes normals for corners without any, if smoothing groups describe them or other corners of the object have
//! normals. A file with neither has no normals, and neither has its scene.

use super::objects::Object;
use crate::formats::obj::codes;
use crate::formats::obj::document::Model;
use crate::mesh::normals::group_normals;
use crate::report::{Loss, Report};
use crate::scene::Faces;
use glam::Vec3;
use std::collections::HashMap;

/// Gives all corners of such objects a normal. Smoothing groups end at an object, but not at a material. Returns
/// whether some vertices may now be unused.
pub(super) fn complete(model: &mut Model, objects: &[Object], report: &mut Report) -> bool {
    let directed: Vec<bool> =
        model.normals.iter().map(|n| n.iter().map(|v| f64::from(*v).powi(2)).sum::<f64>() > 0.0).collect();
    let has = |corner: &[i32; 3]| usize::try_from(corner[2]).is_ok_and(|n| directed.get(n) == Some(&true));
    let lacks: Vec<bool> = model.vertices.iter().map(|corner| !has(corner)).collect();
    if !lacks.contains(&true) {
        return false;
    }
    let mut renumbered = Vec::new();
    let mut made = Made { lacks, of: HashMap::new() };
    for object in objects {
        let corners = object.faces().map(|(range, _)| model.faces.range(range.start, range.end));
        // Corners without a normal, and those that name one, even if it has length zero.
        let (mut missing, mut named) = (0, 0);
        for &vertex in corners.flat_map(|range| &model.faces.corners[range]) {
            missing += usize::from(made.lacks.get(vertex as usize) == Some(&true));
            named += usize::from(model.vertices[vertex as usize][2] >= 0);
        }
        if missing == 0 || (named == 0 && object.faces().all(|(_, group)| *group == 0)) {
            continue;
        }
        let shape = Shape::of(model, object, &mut renumbered);
        let normals = group_normals(&shape.positions, &shape.faces, &shape.groups);
        for (&at, normal) in shape.corners.iter().zip(normals) {
            made.give(model, at, normal);
        }
        let message = "corners without normals were given those of their smoothing groups";
        let label = format!("object {:?}", object.name(model));
        report.loss(Loss::approximated(&codes::NORMALS, label, missing, None, "degrees", message));
    }
    !made.of.is_empty()
}

/// New vertices with computed normals.
struct Made {
    /// Whether each vertex lacks a normal.
    lacks: Vec<bool>,
    of: HashMap<(u32, [u32; 3]), u32>,
}

impl Made {
    fn give(&mut self, model: &mut Model, at: usize, normal: Vec3) {
        let vertex = model.faces.corners[at];
        if self.lacks.get(vertex as usize) != Some(&true) {
            return;
        }
        let bits = normal.to_array().map(f32::to_bits);
        model.faces.corners[at] = *self.of.entry((vertex, bits)).or_insert_with(|| {
            let [position, uv, _] = model.vertices[vertex as usize];
            model.vertices.push([position, uv, model.normals.len() as i32]);
            model.normals.push(normal.to_array());
            model.vertices.len() as u32 - 1
        });
    }
}

/// The faces of an object, with their own positions.
struct Shape {
    positions: Vec<Vec3>,
    faces: Faces,
    /// The smoothing group of each face.
    groups: Vec<u32>,
    /// The index of each corner among the model's corners.
    corners: Vec<usize>,
}

impl Shape {
    fn of(model: &Model, object: &Object, renumbered: &mut Vec<u32>) -> Self {
        renumbered.resize(model.positions.len(), u32::MAX);
        let mut shape =
            Shape { positions: Vec::new(), faces: Faces::default(), groups: Vec::new(), corners: Vec::new() };
        let (mut starts, mut own) = (vec![0], Vec::new());
        let mut used = Vec::new();
        for (range, group) in object.faces() {
            for face in range.clone() {
                for at in model.faces.range(face, face + 1) {
                    let position = model.vertices[model.faces.corners[at] as usize][0] as usize;
                    let number = &mut renumbered[position];
                    if *number == u32::MAX {
                        *number = used.len() as u32;
                        used.push(position);
                        shape.positions.push(Vec3::from_array(model.positions[position]));
                    }
                    own.push(*number);
                    shape.corners.push(at);
                }
                starts.push(own.len() as u32);
                shape.groups.push(*group);
            }
        }
        used.iter().for_each(|&position| renumbered[position] = u32::MAX);
        shape.faces = Faces::Polygons { starts, corners: own };
        shape
    }
}
