use super::super::codes;
use super::super::document::{Dialect, Vertices};
use super::header::Header;
use super::line::{Context, Keyword, values};
use super::{Aside, Reader, usual};
use crate::report::{Failure, counted};
use crate::scene::{Influence, Influences};
use crate::text::{FieldsOf, Shared, Spot, Usual};
use glam::{Vec2, Vec3};
use memchr::memmem;
use std::collections::HashSet;

/// The shortest vertex: `v 0 0 0`, `vt 0 0`, `vn 0 0 0`, `vw`, `vm 0` and their line ends.
const LEAST_VERTEX_BYTES: usize = 8 + 7 + 9 + 3 + 5;
/// The shortest usual vertex: one digit before each point, no weights, one digit for the material.
const LEAST_USUAL_BYTES: usize = 89;
/// Longer than the longest usual vertex, which has 32 weights.
const MOST_VERTEX_BYTES: usize = 1024;
/// The number of lines of a vertex.
const LINES: u32 = 5;

/// The vertices read so far, with facts to be reported later.
#[derive(Default)]
pub(super) struct VertexArrays {
    pub positions: Vec<Vec3>,
    uvs: Vec<Vec2>,
    normals: Vec<Vec3>,
    /// Zero, followed by the end of each vertex's pairs; empty if there are no joints.
    ends: Vec<u32>,
    pub pairs: Vec<Influence>,
    /// Empty if there is only one material.
    materials: Vec<u32>,
    many_weights: ManyWeights,
    /// The `vm` line of the first vertex whose material differs from that of its triangle's first vertex.
    mixed: Option<Spot>,
    announced: Announced,
}

/// The counts in the header.
#[derive(Debug, Clone, Copy, Default)]
struct Announced {
    vertices: usize,
    joints: u32,
    materials: u32,
}

/// For each dialect, the number of vertices with too many weights and the position of the first. The dialect is
/// only known at the joints.
#[derive(Debug, Clone, Copy, Default)]
struct ManyWeights([(u64, Option<Spot>); 2]);

impl ManyWeights {
    const DIALECTS: [Dialect; 2] = [Dialect::Document, Dialect::Engine];

    /// Whether a vertex with this many weights is the first with too many.
    #[inline(always)]
    fn is_first(&self, weights: usize) -> bool {
        let mut all = self.0.iter().zip(Self::DIALECTS);
        weights > 4 && all.any(|((_, first), dialect)| first.is_none() && weights > dialect.max_weights())
    }

    #[inline(always)]
    fn see(&mut self, weights: usize) {
        if weights > 4 {
            for ((count, _), dialect) in self.0.iter_mut().zip(Self::DIALECTS) {
                *count += u64::from(weights > dialect.max_weights());
            }
        }
    }

    /// Like `see`, for a vertex that may be the first.
    fn see_at(&mut self, weights: usize, spot: Spot) {
        self.see(weights);
        for ((count, first), _) in self.0.iter_mut().zip(Self::DIALECTS) {
            if *count > 0 {
                first.get_or_insert(spot);
            }
        }
    }

    fn of(&self, dialect: Dialect) -> (u64, Option<Spot>) {
        Self::DIALECTS.iter().position(|&d| d == dialect).map_or((0, None), |i| self.0[i])
    }
}

impl VertexArrays {
    fn with_capacity(announced: Announced, room: usize) -> Self {
        Self {
            positions: Vec::with_capacity(room),
            uvs: Vec::with_capacity(room),
            normals: Vec::with_capacity(room),
            ends: Vec::with_capacity(if announced.joints > 0 { room + 1 } else { 0 }),
            materials: Vec::with_capacity(if announced.materials > 1 { room } else { 0 }),
            announced,
            ..Self::default()
        }
    }

    /// Drops arrays that carry no information: weights if there are none, materials if all are the first.
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

    /// Adds a vertex whose pairs were already added.
    #[inline(always)]
    fn push(&mut self, position: Vec3, uv: Vec2, normal: Vec3, material: u32) {
        self.positions.push(position);
        self.uvs.push(uv);
        self.normals.push(normal);
        // Some arrays are only kept if they carry information.
        if self.announced.joints > 0 {
            self.ends.push(self.pairs.len() as u32);
        }
        if self.announced.materials > 1 {
            self.materials.push(material);
        }
    }

    /// Whether the next vertex has a different material than its triangle's first vertex.
    #[inline(always)]
    fn mixes(&self, material: u32) -> bool {
        let first = self.materials.len() - self.materials.len() % 3;
        self.materials.get(first).is_some_and(|&first| first != material)
    }
}

impl Usual for VertexArrays {
    #[inline(always)]
    fn usual(&mut self, text: &[u8], at: usize) -> Option<usize> {
        let before = self.pairs.len();
        if self.positions.len() == self.announced.vertices || u32::try_from(before).is_err() {
            return None;
        }
        let vertex = usual::vertex(text, at, self.announced.joints, &mut self.pairs);
        let weights = self.pairs.len() - before;
        let is_usual = |vertex: &usual::UsualVertex| {
            vertex.material < self.announced.materials
                && !self.many_weights.is_first(weights)
                && (self.mixed.is_some() || !self.mixes(vertex.material))
        };
        let Some(vertex) = vertex.filter(is_usual) else {
            self.pairs.truncate(before);
            return None;
        };
        self.many_weights.see(weights);
        self.push(vertex.position, vertex.uv, vertex.normal, vertex.material);
        Some(vertex.next)
    }

    fn lines(&self) -> u32 {
        LINES
    }

    fn longest(&self) -> usize {
        MOST_VERTEX_BYTES
    }
}

impl Shared for VertexArrays {
    type Aside = Aside;
    const SHARES_PER_CORE: usize = 4;

    /// Another core does not know which vertices form a triangle, so [`add`](Self::add) checks their materials.
    fn aside(&self, bytes: usize) -> Aside {
        let many_weights = ManyWeights(self.many_weights.0.map(|(_, first)| (0, first)));
        let announced = Announced { vertices: usize::MAX, ..self.announced };
        let empty = Self::with_capacity(announced, bytes / LEAST_USUAL_BYTES);
        Aside::Vertices(Self { many_weights, mixed: Some(Spot::default()), ..empty })
    }

    fn add(&mut self, aside: Aside) -> bool {
        let Aside::Vertices(aside) = aside else { return false };
        let pairs = self.pairs.len();
        if aside.positions.len() > self.announced.vertices - self.positions.len()
            || u32::try_from(pairs + aside.pairs.len()).is_err()
        {
            return false;
        }
        let materials = self.materials.len();
        self.materials.extend_from_slice(&aside.materials);
        let mut triangles = self.materials[materials - materials % 3..].chunks(3);
        if self.mixed.is_none() && triangles.any(|t| t.iter().any(|&m| m != t[0])) {
            self.materials.truncate(materials);
            return false;
        }
        self.positions.extend_from_slice(&aside.positions);
        self.uvs.extend_from_slice(&aside.uvs);
        self.normals.extend_from_slice(&aside.normals);
        self.ends.extend(aside.ends.iter().map(|end| end + pairs as u32));
        self.pairs.extend_from_slice(&aside.pairs);
        for ((count, _), (more, _)) in self.many_weights.0.iter_mut().zip(aside.many_weights.0) {
            *count += more;
        }
        true
    }

    fn last_start(&self, text: &[u8]) -> Option<usize> {
        memmem::rfind(text, b"\nv ").map(|at| at + 1)
    }
}

impl Reader<'_, '_> {
    pub(super) fn vertices(&mut self, header: &Header) -> Result<VertexArrays, Failure> {
        let room = self.text.room_for(header.vertices.into(), LEAST_VERTEX_BYTES);
        let announced = Announced {
            vertices: header.vertices as usize,
            joints: header.joints,
            materials: header.materials,
        };
        let mut arrays = VertexArrays::with_capacity(announced, room);
        if header.joints > 0 {
            arrays.ends.push(0);
        }
        while arrays.positions.len() < header.vertices as usize {
            self.text.run_shared(&mut arrays)?;
            if arrays.positions.len() < header.vertices as usize && !self.vertex(header, &mut arrays)? {
                break;
            }
        }
        arrays.pairs.shrink_to_fit();
        Ok(arrays)
    }

    /// Reads one vertex of any layout; false if the vertices end before it.
    fn vertex(&mut self, header: &Header, arrays: &mut VertexArrays) -> Result<bool, Failure> {
        let of = Context::Record("vertex", arrays.positions.len(), header.vertices as usize);
        let Some(line) = self.expect(Keyword::V, of)? else { return Ok(false) };
        let spot = line.whole().spot().first();
        let position = self.numbers::<3>(values(&line), "a position");
        let mut uv = [0.0; 2];
        if let Some(line) = self.expect(Keyword::Vt, of)? {
            uv = self.numbers(values(&line), "a texture coordinate");
        }
        let mut normal = [0.0; 3];
        if let Some(line) = self.expect(Keyword::Vn, of)? {
            normal = self.numbers(values(&line), "a normal");
        }
        if let Some(line) = self.expect(Keyword::Vw, of)? {
            let before = arrays.pairs.len();
            self.weights(values(&line), header, &mut arrays.pairs);
            arrays.many_weights.see_at(arrays.pairs.len() - before, spot);
        }
        let mut material = 0;
        if let Some(line) = self.expect(Keyword::Vm, of)? {
            material = self.material_index(values(&line), header);
            if arrays.mixes(material) {
                arrays.mixed.get_or_insert(line.trimmed().spot());
            }
        }
        if arrays.pairs.len() > u32::MAX as usize {
            return Err(self.text.fatal(&codes::TOO_MANY_VERTICES, spot, "too many weights"));
        }
        arrays.push(position.into(), uv.into(), normal.into(), material);
        Ok(true)
    }

    fn weights(&mut self, fields: FieldsOf<'_>, header: &Header, pairs: &mut Vec<Influence>) {
        let mut seen = HashSet::new();
        for field in fields {
            let Some(slash) = memchr::memchr(b'/', field.text()) else {
                let message = format!("expected a joint and a weight as joint/weight, found {}", field.raw());
                self.text.error(&codes::MISSING_FIELD, field.spot(), message);
                continue;
            };
            let (joint_field, weight_field) =
                (field.part(0..slash), field.part(slash + 1..field.text().len()));
            let joint = self.integer(joint_field, "a joint's index");
            let weight = self.number(weight_field);
            let Some(joint) = joint else { continue };
            if joint >= header.joints {
                let message = format!("joint {joint} does not exist; there are {}", header.joints);
                self.text.error(&codes::JOINT_INDEX, joint_field.spot(), message);
            }
            if !seen.insert(joint) {
                let message = format!("joint {joint} is named twice");
                self.text.warning(&codes::DUPLICATE_WEIGHT, joint_field.spot(), message);
            }
            if weight < 0.0 {
                let message = format!("the weight {weight} is negative");
                self.text.warning(&codes::NEGATIVE_WEIGHT, weight_field.spot(), message);
            }
            pairs.push(Influence { joint, weight });
        }
    }

    fn material_index(&mut self, mut fields: FieldsOf<'_>, header: &Header) -> u32 {
        let Some(field) = fields.next() else {
            let message = "vm needs a material's index";
            self.text.error(&codes::MISSING_FIELD, fields.end().spot(), message);
            return 0;
        };
        let index = self.integer(field, "a material's index");
        if let Some(index) = index.filter(|&i| i >= header.materials) {
            let message = format!("material {index} does not exist; there are {}", header.materials);
            self.text.error(&codes::MATERIAL_INDEX, field.spot(), message);
        }
        self.nothing_more(fields, "vm");
        index.unwrap_or(0)
    }

    /// Warns about vertices with more weights than the dialect allows, once the dialect is known.
    pub(super) fn check_weights(&mut self, vertices: &VertexArrays, dialect: Dialect) {
        if let (count, Some(first)) = vertices.many_weights.of(dialect) {
            let (most, dialect) = (dialect.max_weights(), dialect.id());
            let message = if count == 1 {
                format!("this vertex has more than the {most} weights of the {dialect:?} dialect")
            } else {
                format!(
                    "{count} vertices from this one on have more than the {most} weights of the {dialect:?} dialect"
                )
            };
            self.text.warning(&codes::MANY_WEIGHTS, first, message);
        }
    }

    /// Warns about vertices that form no complete triangle, and triangles with several materials.
    pub(super) fn check_triangles(&mut self, header: &Header, vertices: &VertexArrays) {
        let remainder = header.vertices % 3;
        if remainder > 0 {
            let all = counted(header.vertices, "vertex is", "vertices are");
            let last = if remainder == 1 { "one is" } else { "two are" };
            let message = format!("{all} not a multiple of 3; the last {last} in no triangle");
            self.text.warning(&codes::REMAINDER, header.vertices_spot, message);
        }
        let Some(first) = vertices.mixed else { return };
        let mixed = |t: &&[u32]| t.iter().any(|&m| m != t[0]);
        let message = match vertices.materials.chunks_exact(3).filter(mixed).count() {
            0 => return,
            1 => "a triangle has several materials; it gets that of its first vertex".to_owned(),
            count => format!(
                "{count} triangles from this one on have several materials; they get that of their first vertex"
            ),
        };
        self.text.warning(&codes::MIXED_TRIANGLE, first, message);
    }
}
