//! Vertices as control points: those at one place that move together are one point, so that a surface is not cut open
//! along its seams of texture coordinates and hard edges.

use crate::mesh::equal::first_equal;
use crate::scene::{Faces, Influence, Mesh, Part};
use glam::{Vec2, Vec3};

/// A mesh's control points.
pub(super) struct Points<'m> {
    pub(super) mesh: &'m Mesh,
    /// The number of the first vertex of each part, among the vertices of all.
    starts: Vec<usize>,
    /// The point of each vertex.
    pub(super) of_vertex: Vec<u32>,
    /// A vertex of each point.
    pub(super) vertices: Vec<u32>,
}

impl<'m> Points<'m> {
    /// Finds the points. Influences count only if there is a skin.
    pub(super) fn of(mesh: &'m Mesh, is_skinned: bool) -> Self {
        let mut starts = vec![0];
        for part in &mesh.parts {
            starts.push(starts.last().copied().unwrap_or(0) + part.positions.len());
        }
        let count = starts.last().copied().unwrap_or(0);
        let mut points = Self { mesh, starts, of_vertex: Vec::new(), vertices: Vec::new() };
        points.of_vertex = first_equal(
            count,
            |vertex, hash| {
                let mut hash = hash;
                let mut add = |v: Vec3| {
                    let [x, y, z] = v.to_array().map(|n| (n + 0.0).to_bits());
                    hash = hash.add(x, y).add(z, 0);
                };
                let (part, index) = points.place(vertex);
                add(part.positions[index]);
                // A target without offsets is one with zeros.
                let moved = part.morphs.iter().filter_map(|m| m.positions.get(index));
                moved.filter(|delta| **delta != Vec3::ZERO).for_each(|&delta| add(delta));
                if is_skinned {
                    for pair in part.influences.of(index) {
                        hash = hash.add(pair.joint, pair.weight.to_bits());
                    }
                }
                hash
            },
            |a, b| points.move_together(a, b, is_skinned),
        );
        for vertex in 0..count {
            let first = points.of_vertex[vertex] as usize;
            if first == vertex {
                points.of_vertex[vertex] = points.vertices.len() as u32;
                points.vertices.push(vertex as u32);
            } else {
                points.of_vertex[vertex] = points.of_vertex[first];
            }
        }
        points
    }

    /// The part of a vertex, and its index there.
    pub(super) fn place(&self, vertex: usize) -> (&'m Part, usize) {
        let number = self.starts.partition_point(|&start| start <= vertex) - 1;
        (&self.mesh.parts[number], vertex - self.starts[number])
    }

    /// The number of a part's first vertex.
    pub(super) fn start(&self, part: usize) -> usize {
        self.starts[part]
    }

    /// The number of vertices of all parts.
    pub(super) fn vertex_count(&self) -> usize {
        self.of_vertex.len()
    }

    /// The influences of a point.
    pub(super) fn influences(&self, point: usize) -> &'m [Influence] {
        let (part, index) = self.place(self.vertices[point] as usize);
        part.influences.of(index)
    }

    fn move_together(&self, a: usize, b: usize, is_skinned: bool) -> bool {
        let ((one, i), (other, j)) = (self.place(a), self.place(b));
        let delta = |part: &Part, target: usize, index: usize| {
            part.morphs.get(target).and_then(|m| m.positions.get(index)).copied().unwrap_or(Vec3::ZERO)
        };
        one.positions[i] == other.positions[j]
            && (!is_skinned || one.influences.of(i) == other.influences.of(j))
            && (0..self.mesh.morphs.len()).all(|target| delta(one, target, i) == delta(other, target, j))
    }

    /// Texture coordinates of one set, those that are equal at a point once: the values, and the index of each vertex.
    pub(super) fn coordinates(&self, set: usize) -> (Vec<Vec2>, Vec<u32>) {
        let value = |vertex: usize| {
            let (part, index) = self.place(vertex);
            part.uvs.get(set).and_then(|uvs| uvs.get(index)).copied().unwrap_or(Vec2::ZERO)
        };
        let mut indices = first_equal(
            self.vertex_count(),
            |vertex, hash| {
                let uv = value(vertex);
                hash.add((uv.x + 0.0).to_bits(), (uv.y + 0.0).to_bits()).add(self.of_vertex[vertex], 0)
            },
            |a, b| self.of_vertex[a] == self.of_vertex[b] && value(a) == value(b),
        );
        let mut values = Vec::new();
        for vertex in 0..indices.len() {
            let first = indices[vertex] as usize;
            if first == vertex {
                indices[vertex] = values.len() as u32;
                values.push(value(vertex));
            } else {
                indices[vertex] = indices[first];
            }
        }
        (values, indices)
    }
}

/// Calls `each` with the corners of each face.
pub(super) fn each_face(faces: &Faces, each: &mut dyn FnMut(&[u32])) {
    match faces {
        Faces::Triangles(corners) => corners.chunks_exact(3).for_each(each),
        Faces::Polygons { starts, corners } => {
            starts.windows(2).for_each(|ends| each(&corners[ends[0] as usize..ends[1] as usize]));
        }
        Faces::Points(_) | Faces::Lines(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Influences, MorphDeltas};

    #[test]
    fn vertices_of_several_parts_are_one_point_if_they_move_together() {
        let part = |weight: f32| {
            let mut influences = Influences::new();
            influences.push([Influence { joint: 0, weight: 1.0 }]);
            influences.push([Influence { joint: 1, weight }]);
            Part {
                positions: vec![Vec3::ZERO, Vec3::X],
                uvs: vec![vec![Vec2::ZERO, Vec2::ONE]],
                influences,
                ..Part::default()
            }
        };
        let mut mesh = Mesh { parts: vec![part(1.0), part(0.5)], ..Mesh::default() };
        // A zero's sign does not count.
        mesh.parts[1].positions[0].y = -0.0;
        let found = |mesh: &Mesh, is_skinned| Points::of(mesh, is_skinned).of_vertex;
        assert_eq!(found(&mesh, false), [0, 1, 0, 1]);
        assert_eq!(found(&mesh, true), [0, 1, 0, 2]);
        let (values, indices) = Points::of(&mesh, true).coordinates(0);
        assert_eq!((values.len(), indices), (3, vec![0, 1, 0, 2]));
        mesh.morphs.push(Default::default());
        let moved = MorphDeltas { positions: vec![Vec3::Y, Vec3::ZERO], ..MorphDeltas::default() };
        mesh.parts[0].morphs.push(moved);
        mesh.parts[1].morphs.push(MorphDeltas::default());
        assert_eq!(found(&mesh, false), [0, 1, 2, 1]);
    }
}
