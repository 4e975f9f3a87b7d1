//! Checks within and between records.

use super::{Document, Key, Reader, Submesh, Vertex, VertexLayout, codes};
use crate::limits::FARTHEST;

/// A vertex's field in a message; the reader's record is the common prefix.
fn vertex_field(index: usize, field: &str) -> String {
    format!("vertices[{index}].{field}")
}

impl Reader<'_, '_> {
    pub(super) fn check_vertex(&mut self, start: u64, layout: VertexLayout, index: usize, vertex: &Vertex) {
        let fine = |values: &[f32], most: f32| values.iter().all(|v| v.abs() <= most);
        let most = f32::MAX;
        if fine(&vertex.position, FARTHEST)
            && (0.0..=1.0).contains(&vertex.weight)
            && fine(&vertex.normal, most)
            && fine(&vertex.uv, most)
            && fine(&vertex.tangent, most)
            && fine(&vertex.binormal, most)
        {
            return;
        }
        let mut at = start;
        let mut check = |field: &str, values: &[f32], most: f32, bytes: u64| {
            self.fields.check(at, vertex_field(index, field), values, most);
            at += bytes;
        };
        check("position", &vertex.position, FARTHEST, 12);
        if layout.skinned {
            check("weight", &[vertex.weight], most, 8);
        }
        check("normal", &vertex.normal, most, 12);
        check("uv", &vertex.uv, most, 8);
        check("tangent", &vertex.tangent, most, 12);
        check("binormal", &vertex.binormal, most, 12);
        if vertex.weight.is_finite() && !(0.0..=1.0).contains(&vertex.weight) {
            let message = format!("the weight of the first bone is {}; expected 0 to 1", vertex.weight);
            self.fields.warning(start + 12, &codes::WEIGHT, vertex_field(index, "weight"), message);
        }
    }

    /// Checks the bones of vertices, once the number of bones is known.
    pub(super) fn check_bones_of_vertices(&mut self, document: &Document) {
        let layout = VertexLayout::of(document);
        if !layout.skinned || !document.has_bones() {
            return;
        }
        let bones = document.bones.len();
        self.fields.record.clear();
        for (index, vertex) in document.vertices.iter().enumerate() {
            for (slot, (bone, weight)) in vertex.bones().into_iter().enumerate() {
                if weight != 0.0 && usize::from(bone) > bones {
                    let message = format!("there is no bone {bone}; the file has {bones}");
                    let at = self.vertices_at + (index * layout.size() + 16 + slot) as u64;
                    self.fields.error(at, &codes::BONE_INDEX, vertex_field(index, "bones"), message);
                }
            }
        }
    }

    pub(super) fn check_submesh(&mut self, at: u64, document: &Document, submesh: &Submesh, all: usize) {
        let (triangles, vertices) = (document.triangles.len(), document.vertices.len());
        let first = usize::from(submesh.first_triangle);
        let last = first + usize::from(submesh.triangles);
        if last > triangles {
            let message = format!("the range is {first} to {last}, but the file has {triangles} triangles");
            self.fields.error(at, &codes::TRIANGLE_RANGE, "first triangle", message);
            return;
        }
        if all > triangles {
            let message =
                format!("the submeshes up to this one have {all} triangles, but the file has {triangles}");
            self.fields.error(at + 2, &codes::OVERLAP, "triangles", message);
        }
        let low = submesh.first_vertex;
        let high = usize::from(low) + usize::from(submesh.vertices);
        if high > vertices {
            let message = format!("the range is {low} to {high}, but the file has {vertices} vertices");
            self.fields.error(at + 4, &codes::VERTEX_RANGE, "first vertex", message);
            return;
        }
        let outside = |v: &u16| *v < low || usize::from(*v) >= high;
        if let Some(vertex) = document.triangles[first..last].iter().flatten().find(|v| outside(v)) {
            let message = format!("vertex {vertex} is not among vertices {low} to {high}");
            self.fields.warning(at + 4, &codes::OUTSIDE_RANGE, "first vertex", message);
        }
    }

    pub(super) fn check_time(&mut self, at: u64, key: usize, before: Option<f32>, time: f32) {
        let field = format_args!("keys[{key}].time");
        match before {
            _ if time < 0.0 => {
                self.fields.error(at, &codes::KEY_ORDER, field, format!("{time} s is before 0"));
            }
            Some(before) if time < before => {
                self.fields.error(at, &codes::KEY_ORDER, field, format!("{time} s comes after {before} s"));
            }
            Some(before) if time == before => {
                self.fields.warning(at, &codes::EQUAL_KEYS, field, format!("two keys at {time} s"));
            }
            _ => {}
        }
    }

    pub(super) fn check_key(&mut self, start: u64, key: usize, bone: usize, read: &Key) {
        let fine = |values: &[f32]| values.iter().all(|v| v.abs() <= FARTHEST);
        let turns = read.rotation.iter().any(|v| v.abs() > 1e-12);
        if turns && fine(&read.translation) && fine(&read.rotation) && fine(&read.scale) {
            return;
        }
        let field = format!("keys[{key}].bones[{bone}]");
        self.fields.check(start, format_args!("{field}.translation"), &read.translation, FARTHEST);
        self.fields.check(start + 12, format_args!("{field}.rotation"), &read.rotation, FARTHEST);
        self.fields.check(start + 28, format_args!("{field}.scale"), &read.scale, FARTHEST);
        if !turns && read.rotation.iter().all(|v| v.is_finite()) {
            let message = "four zeros do not describe a rotation";
            self.fields.error(start + 12, &codes::ZERO_ROTATION, format_args!("{field}.rotation"), message);
        }
    }
}
