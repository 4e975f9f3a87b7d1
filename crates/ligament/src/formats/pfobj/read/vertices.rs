use super::super::codes;
use super::super::document::{Dialect, Vertices};
use super::header::Header;
use super::line::{Context, Keyword};
use super::{Reader, fast};
use crate::report::{Failure, counted};
use crate::scene::{Influence, Influences};
use crate::text::next_line;
use glam::{Vec2, Vec3};
use std::collections::HashSet;
use std::ops::Range;

/// The shortest vertex: `v 0 0 0`, `vt 0 0`, `vn 0 0 0`, `vw`, `vm 0` and their line ends.
const LEAST_VERTEX_BYTES: usize = 8 + 7 + 9 + 3 + 5;

/// The vertices that were read, and what has to be said about them later.
#[derive(Default)]
pub(super) struct VertexArrays {
    pub positions: Vec<Vec3>,
    pub uvs: Vec<Vec2>,
    pub normals: Vec<Vec3>,
    /// Zero, and where each vertex's pairs end; empty if there are no joints.
    pub ends: Vec<u32>,
    pub pairs: Vec<Influence>,
    /// Empty if there is one material only.
    pub materials: Vec<u32>,
    pub many_weights: ManyWeights,
    /// How many of them, from the first on, are not in the text that is being read.
    pub left_out: usize,
}

/// Vertices with more weights than each dialect allows: how many, and where the first one is. Which dialect it is
/// shows only at the joints.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct ManyWeights([(u64, usize); 2]);

impl ManyWeights {
    const DIALECTS: [Dialect; 2] = [Dialect::Document, Dialect::Engine];
    /// The place of vertices that are not in the text that is being read.
    pub const LEFT_OUT: usize = usize::MAX;

    #[inline(always)]
    pub fn see(&mut self, weights: usize, at: usize) {
        if weights > 4 {
            self.add(weights, at);
        }
    }

    #[cold]
    fn add(&mut self, weights: usize, at: usize) {
        for ((count, first), dialect) in self.0.iter_mut().zip(Self::DIALECTS) {
            if weights > dialect.max_weights() {
                if *count == 0 {
                    *first = at;
                }
                *count += 1;
            }
        }
    }

    pub fn append(&mut self, later: Self) {
        for ((count, first), (more, at)) in self.0.iter_mut().zip(later.0) {
            if *count == 0 {
                *first = at;
            }
            *count += more;
        }
    }

    fn of(&self, dialect: Dialect) -> (u64, usize) {
        Self::DIALECTS.iter().position(|&d| d == dialect).map_or((0, 0), |i| self.0[i])
    }
}

impl VertexArrays {
    /// Drops what says nothing: weights where there are none, materials where all are the first.
    pub fn into_document(self) -> Vertices {
        let influences = if self.pairs.is_empty() {
            Influences::new()
        } else {
            Influences::from_raw(self.ends, self.pairs).unwrap_or_default()
        };
        let materials = if self.materials.iter().all(|&m| m == 0) { Vec::new() } else { self.materials };
        Vertices {
            positions: self.positions,
            uvs: self.uvs,
            normals: self.normals,
            influences,
            materials,
            corners: Vec::new(),
        }
    }

    fn with_capacity(vertices: usize, pairs: usize, header: &Header) -> Self {
        let mut ends = Vec::new();
        if header.joints > 0 {
            ends.reserve_exact(vertices + 1);
            ends.push(0);
        }
        Self {
            positions: Vec::with_capacity(vertices),
            uvs: Vec::with_capacity(vertices),
            normals: Vec::with_capacity(vertices),
            ends,
            pairs: Vec::with_capacity(pairs),
            materials: Vec::with_capacity(if header.materials > 1 { vertices } else { 0 }),
            ..Self::default()
        }
    }

    /// Adds what is only kept where it says something.
    #[inline(always)]
    fn push_references(&mut self, material: u32, header: &Header) {
        if header.joints > 0 {
            self.ends.push(self.pairs.len() as u32);
        }
        if header.materials > 1 {
            self.materials.push(material);
        }
    }
}

impl<'a> Reader<'a, '_> {
    pub(super) fn vertices(&mut self, header: &Header) -> Result<VertexArrays, Failure> {
        let mut arrays = match self.arrays.take_vertices(self.at) {
            Some(arrays) => arrays,
            None => self.room_for_vertices(header),
        };
        while arrays.positions.len() < header.vertices as usize {
            self.regular_vertices(header, &mut arrays);
            if arrays.positions.len() < header.vertices as usize && !self.vertex(header, &mut arrays)? {
                break;
            }
        }
        Ok(arrays)
    }

    fn room_for_vertices(&self, header: &Header) -> VertexArrays {
        // Every weight has a slash, and no other line before the materials has one.
        let section = &self.bytes[self.at..];
        let section = &section[..memchr::memmem::find(section, b"\nmaterial").unwrap_or(section.len())];
        let slashes = if header.joints == 0 { 0 } else { memchr::memchr_iter(b'/', section).count() };
        let room = self.room_for(header.vertices.into(), LEAST_VERTEX_BYTES);
        VertexArrays::with_capacity(room, slashes, header)
    }

    /// As many vertices of the exporter's layout as there are.
    fn regular_vertices(&mut self, header: &Header, arrays: &mut VertexArrays) {
        let mut at = self.at;
        while arrays.positions.len() < header.vertices as usize {
            let pairs = arrays.pairs.len();
            let vertex = fast::vertex(self.bytes, at, header.joints, &mut arrays.pairs);
            let Some(vertex) = vertex.filter(|v| v.material < header.materials) else {
                arrays.pairs.truncate(pairs);
                break;
            };
            arrays.many_weights.see(arrays.pairs.len() - pairs, at);
            arrays.positions.push(vertex.position);
            arrays.uvs.push(vertex.uv);
            arrays.normals.push(vertex.normal);
            arrays.push_references(vertex.material, header);
            at = vertex.next;
        }
        self.at = at;
    }

    /// One vertex of any layout; false if the vertices end before it.
    fn vertex(&mut self, header: &Header, arrays: &mut VertexArrays) -> Result<bool, Failure> {
        let of = Context::Vertex(arrays.positions.len(), header.vertices);
        let Some(mut fields) = self.expect(Keyword::V, of)? else { return Ok(false) };
        let place = memchr::memrchr(b'\n', &self.bytes[..fields.end()]).map_or(0, |n| n + 1);
        let position = self.numbers::<3>(&mut fields, "a position");
        let mut uv = [0.0; 2];
        if let Some(mut fields) = self.expect(Keyword::Vt, of)? {
            uv = self.numbers(&mut fields, "a texture coordinate");
        }
        let mut normal = [0.0; 3];
        if let Some(mut fields) = self.expect(Keyword::Vn, of)? {
            normal = self.numbers(&mut fields, "a normal");
        }
        if let Some(fields) = self.expect(Keyword::Vw, of)? {
            let before = arrays.pairs.len();
            self.weights(fields, header, &mut arrays.pairs);
            arrays.many_weights.see(arrays.pairs.len() - before, place);
        }
        let mut material = 0;
        if let Some(mut fields) = self.expect(Keyword::Vm, of)? {
            material = self.material_index(&mut fields, header);
        }
        if arrays.pairs.len() > u32::MAX as usize {
            return Err(self.fatal(&codes::TOO_MANY_VERTICES, place..place, "too many weights"));
        }
        arrays.positions.push(position.into());
        arrays.uvs.push(uv.into());
        arrays.normals.push(normal.into());
        arrays.push_references(material, header);
        Ok(true)
    }

    fn weights(&mut self, fields: crate::text::Fields<'a>, header: &Header, pairs: &mut Vec<Influence>) {
        let mut seen = HashSet::new();
        for field in fields {
            let Some(slash) = memchr::memchr(b'/', &self.bytes[field.clone()]) else {
                let text = crate::text::RawText::from(&self.bytes[field.clone()]);
                let message = format!("expected a joint and a weight as joint/weight, found {text}");
                self.error(&codes::MISSING_FIELD, field, message);
                continue;
            };
            let joint_span = field.start..field.start + slash;
            let weight_span = joint_span.end + 1..field.end;
            let joint = self.whole(joint_span.clone(), "a joint's index");
            let weight = self.number(weight_span.clone());
            let Some(joint) = joint else { continue };
            if joint >= header.joints {
                let message = format!("joint {joint} does not exist; there are {}", header.joints);
                self.error(&codes::JOINT_INDEX, joint_span.clone(), message);
            }
            if !seen.insert(joint) {
                self.warning(&codes::DUPLICATE_WEIGHT, joint_span, format!("joint {joint} is named twice"));
            }
            if weight < 0.0 {
                self.warning(
                    &codes::NEGATIVE_WEIGHT,
                    weight_span,
                    format!("the weight {weight} is negative"),
                );
            }
            pairs.push(Influence { joint, weight });
        }
    }

    fn material_index(&mut self, fields: &mut crate::text::Fields<'a>, header: &Header) -> u32 {
        let Some(field) = fields.next() else {
            self.error(&codes::MISSING_FIELD, fields.end()..fields.end(), "vm needs a material's index");
            return 0;
        };
        let index = self.whole(field.clone(), "a material's index");
        if let Some(index) = index.filter(|&i| i >= header.materials) {
            let message = format!("material {index} does not exist; there are {}", header.materials);
            self.error(&codes::MATERIAL_INDEX, field, message);
        }
        self.nothing_more(fields, "vm");
        index.unwrap_or(0)
    }

    /// Warns of vertices with more weights than the dialect allows, once the dialect is known.
    pub(super) fn check_weights(&mut self, vertices: &VertexArrays, dialect: Dialect) {
        let (count, first) = vertices.many_weights.of(dialect);
        if first == ManyWeights::LEFT_OUT {
            self.needs_all_text = true;
        } else if count > 0 {
            let (most, dialect) = (dialect.max_weights(), dialect.id());
            let message = if count == 1 {
                format!("this vertex has more than the {most} weights of the {dialect:?} dialect")
            } else {
                format!(
                    "{count} vertices from this one on have more than the {most} weights of the {dialect:?} dialect"
                )
            };
            self.warning(&codes::MANY_WEIGHTS, first..first, message);
        }
    }

    /// Warns of vertices that make no whole triangle or one of several materials.
    pub(super) fn check_triangles(&mut self, header: &Header, vertices: &VertexArrays) {
        let remainder = header.vertices % 3;
        if remainder > 0 {
            let all = counted(header.vertices, "vertex is", "vertices are");
            let last = if remainder == 1 { "one is" } else { "two are" };
            let message = format!("{all} not a multiple of 3; the last {last} no triangle");
            self.warning(&codes::REMAINDER, header.vertices_span.clone(), message);
        }
        let mixed = |t: &&[u32]| t.iter().any(|&m| m != t[0]);
        let mut triangles = vertices.materials.chunks_exact(3);
        if let Some(first) = triangles.position(|t| mixed(&t)) {
            if vertices.left_out > 0 {
                self.needs_all_text = true;
                return;
            }
            let count = 1 + triangles.filter(mixed).count();
            let triangle = &vertices.materials[first * 3..];
            let other = triangle.iter().position(|&m| m != triangle[0]).unwrap_or(0);
            let message = if count == 1 {
                "a triangle has several materials and gets that of its first vertex".to_owned()
            } else {
                format!(
                    "{count} triangles from this one on have several materials and get that of their first vertex"
                )
            };
            let span = self.material_line(header, first * 3 + other);
            self.warning(&codes::MIXED_TRIANGLE, span, message);
        }
    }

    /// The `vm` line of a vertex, found by counting: nobody keeps the places of all vertices for this one message.
    fn material_line(&self, header: &Header, vertex: usize) -> Range<usize> {
        let mut at = header.end;
        let mut before = 0;
        while let Some(line) = next_line(self.bytes, at) {
            let text = &self.bytes[line.start..line.end];
            if text.starts_with(b"vm") {
                if before == vertex {
                    return line.start..line.end;
                }
                before += 1;
            }
            at = line.next;
        }
        header.end..header.end
    }
}
