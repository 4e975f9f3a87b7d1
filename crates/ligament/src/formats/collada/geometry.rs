//! `<geometry>`: sources and primitives to parts.

use super::codes;
use super::import::Import;
use super::source::Floats;
use super::xml::{Xml, child, children, elements, label, tag, whole};
use crate::formats::obj_text::Distinct;
use crate::mesh::tangents::with_signs;
use crate::mesh::vertices::corners_mut;
use crate::scene::Part;
use glam::{Vec2, Vec3, Vec4};
use std::collections::BTreeMap;

/// A part, and where in the file it came from.
pub(super) struct BuiltPart<'d> {
    pub part: Part,
    /// The primitive element.
    pub element: Xml<'d>,
    /// The material symbol.
    pub symbol: Option<&'d str>,
    /// The number that the file gives each texture coordinate set.
    pub uv_sets: Vec<u32>,
    /// The position index in the file of each vertex.
    pub position_of: Vec<u32>,
}

/// The source of one vertex attribute.
struct Stream {
    floats: Floats,
    /// Which of a corner's indices it uses.
    offset: usize,
}

/// All attributes of a primitive.
#[derive(Default)]
struct Streams {
    positions: Option<Stream>,
    normals: Option<Stream>,
    tangents: Option<Stream>,
    binormals: Option<Stream>,
    uvs: BTreeMap<u32, Stream>,
    colors: BTreeMap<u32, Stream>,
    stride: usize,
}

/// The inputs that are read.
const SEMANTICS: [&str; 9] =
    ["POSITION", "NORMAL", "TEXCOORD", "UV", "COLOR", "TEXTANGENT", "TANGENT", "TEXBINORMAL", "BINORMAL"];
const MOST_UVS: usize = 8;
const MOST_COLORS: usize = 4;
const MOST_INDICES: usize = 64;

impl<'d> Import<'d, '_> {
    /// Builds the parts of a geometry.
    pub(super) fn geometry(&mut self, geometry: Xml<'d>) -> Option<Vec<BuiltPart<'d>>> {
        let Some(mesh) = child(geometry, "mesh") else {
            let other = elements(geometry).find(|n| matches!(tag(*n), "convex_mesh" | "spline" | "brep"));
            match other {
                Some(other) => {
                    let message = format!("<{}> is not read", tag(other));
                    self.lose(&codes::UNREAD, label(geometry), 1, message);
                }
                None => {
                    self.warning(&codes::REFERENCE, geometry, format!("{} holds no mesh", label(geometry)))
                }
            }
            return None;
        };
        let mut parts = Vec::new();
        let mut empty = 0;
        for primitive in elements(mesh) {
            if !matches!(
                tag(primitive),
                "triangles" | "polylist" | "polygons" | "tristrips" | "trifans" | "lines" | "linestrips"
            ) {
                continue;
            }
            match self.primitive(primitive) {
                Some(built) if built.part.faces.count() > 0 => parts.push(built),
                _ => empty += 1,
            }
        }
        // Vertices without faces are not drawn.
        if parts.is_empty() && empty == 0 && child(mesh, "vertices").is_some() {
            self.lose(&codes::UNREAD, label(geometry), 1, "the geometry has vertices but no faces or lines");
        }
        Some(parts)
    }

    fn primitive(&mut self, primitive: Xml<'d>) -> Option<BuiltPart<'d>> {
        let streams = self.streams(primitive)?;
        let positions = streams.positions.as_ref()?;
        let corners = self.corners(primitive, streams.stride)?;
        let columns = streams.columns();
        // The number of elements that each used index may refer to.
        for &(offset, count) in &columns {
            let row = corners.indices.iter().skip(offset).step_by(streams.stride);
            if let Some(&wrong) = row.clone().find(|&&i| i < 0 || i as usize >= count) {
                let message =
                    format!("there is no element {wrong}; the source at offset {offset} has {count}");
                self.error(&codes::INDEX, primitive, message);
                return None;
            }
        }
        let offsets: Vec<usize> = columns.iter().map(|(offset, _)| *offset).collect();
        let (vertex_of, first) = join(&corners.indices, streams.stride, &offsets)?;
        let bytes = first.len().saturating_mul(streams.bytes_a_vertex());
        self.spend(bytes, primitive)?;
        let index = |stream: &Stream| -> Vec<u32> {
            first
                .iter()
                .map(|&c| corners.indices[c as usize * streams.stride + stream.offset] as u32)
                .collect()
        };
        let position_of = index(positions);
        let normal_of = streams.normals.as_ref().map(&index).unwrap_or_default();
        let unit = self.unit;
        let mut part = Part {
            positions: position_of.iter().map(|&i| scaled(positions.floats.row(i as usize), unit)).collect(),
            normals: streams.normals.as_ref().map_or_else(Vec::new, |s| unit_vectors(&s.floats, &normal_of)),
            ..Part::default()
        };
        if let Some(tangents) = &streams.tangents {
            let directions = unit_vectors(&tangents.floats, &index(tangents));
            let binormals = streams.binormals.as_ref().map(|s| unit_vectors(&s.floats, &index(s)));
            part.tangents = with_signs(&directions, &part.normals, &binormals.unwrap_or_default());
        }
        for stream in streams.uvs.values() {
            // V points up in the file and down in a scene.
            let uv = |i: u32| {
                let [u, v] = stream.floats.row(i as usize);
                Vec2::new(u, 1.0 - v)
            };
            part.uvs.push(index(stream).into_iter().map(uv).collect());
        }
        for stream in streams.colors.values() {
            let color = |i: u32| {
                let [r, g, b, a] = stream.floats.row(i as usize);
                Vec4::new(r, g, b, if stream.floats.width() < 4 { 1.0 } else { a })
            };
            part.colors.push(index(stream).into_iter().map(color).collect());
        }
        part.faces = corners.faces;
        corners_mut(&mut part.faces).iter_mut().for_each(|corner| *corner = vertex_of[*corner as usize]);
        Some(BuiltPart {
            part,
            element: primitive,
            symbol: primitive.attribute("material"),
            uv_sets: streams.uvs.keys().copied().collect(),
            position_of,
        })
    }

    /// The inputs of a primitive, with VERTEX replaced by the inputs of `<vertices>`.
    fn streams(&mut self, primitive: Xml<'d>) -> Option<Streams> {
        let mut streams = Streams::default();
        let mut others = 0;
        for input in children(primitive, "input") {
            let number = |name| whole(input, name).unwrap_or(0_usize);
            let (offset, set) = (number("offset"), number("set"));
            if offset >= MOST_INDICES {
                let message =
                    format!("offset {offset} is too large; corners have at most {MOST_INDICES} indices");
                self.error(&codes::INDEX, input, message);
                return None;
            }
            streams.stride = streams.stride.max(offset + 1);
            let Some(source) = self.target(input, "source") else { continue };
            let semantic = input.attribute("semantic").unwrap_or("");
            if semantic == "VERTEX" {
                for inner in children(source, "input") {
                    if let Some(source) = self.target(inner, "source") {
                        let semantic = inner.attribute("semantic").unwrap_or("");
                        let set = whole(inner, "set").unwrap_or(0);
                        others += usize::from(!self.stream(&mut streams, semantic, source, offset, set));
                    }
                }
            } else {
                others += usize::from(!self.stream(&mut streams, semantic, source, offset, set as u32));
            }
        }
        let message =
            "vertex attributes beyond position, normal, tangent, texture coordinates and colour are dropped";
        self.lose(&codes::ATTRIBUTES, super::xml::name(primitive.parent()?.parent()?), others, message);
        if streams.positions.is_none() {
            let message = format!("<{}> has no positions", tag(primitive));
            self.error(&codes::NO_POSITIONS, primitive, message);
            return None;
        }
        streams.stride = streams.stride.max(1);
        Some(streams)
    }

    /// Adds one input; returns false if it is not supported.
    fn stream(
        &mut self,
        streams: &mut Streams,
        semantic: &str,
        source: Xml<'d>,
        offset: usize,
        set: u32,
    ) -> bool {
        let width = if matches!(semantic, "TEXCOORD" | "UV") { 2 } else { 3 };
        if !SEMANTICS.contains(&semantic) {
            return false;
        }
        let Some(floats) = self.floats_of(source, width) else { return true };
        let stream = Stream { floats, offset };
        // Takes a free set number if the stated one is taken: some exporters omit the set.
        let free = |taken: &BTreeMap<u32, Stream>| (set..).find(|s| !taken.contains_key(s)).unwrap_or(set);
        match semantic {
            "POSITION" => streams.positions = Some(stream),
            "NORMAL" => streams.normals = Some(stream),
            // A scene holds one set of tangents: the first texture's.
            "TEXTANGENT" | "TANGENT" if streams.tangents.is_none() => streams.tangents = Some(stream),
            "TEXBINORMAL" | "BINORMAL" if streams.binormals.is_none() => streams.binormals = Some(stream),
            "TEXCOORD" | "UV" if streams.uvs.len() < MOST_UVS => {
                drop(streams.uvs.insert(free(&streams.uvs), stream))
            }
            "COLOR" if streams.colors.len() < MOST_COLORS => {
                drop(streams.colors.insert(free(&streams.colors), stream));
            }
            _ => return false,
        }
        true
    }
}

impl Streams {
    fn all(&self) -> impl Iterator<Item = &Stream> {
        let single = [&self.positions, &self.normals, &self.tangents, &self.binormals];
        single.into_iter().flatten().chain(self.uvs.values()).chain(self.colors.values())
    }

    /// The offsets that are used, and the number of elements in the smallest source of each.
    fn columns(&self) -> Vec<(usize, usize)> {
        let mut least = BTreeMap::new();
        for stream in self.all() {
            let entry = least.entry(stream.offset).or_insert(usize::MAX);
            *entry = stream.floats.count.min(*entry);
        }
        least.into_iter().collect()
    }

    fn bytes_a_vertex(&self) -> usize {
        16 + self.all().count() * 12
    }
}

fn scaled([x, y, z]: [f32; 3], unit: f64) -> Vec3 {
    if unit == 1.0 {
        return Vec3::new(x, y, z);
    }
    let metres = |v: f32| {
        let value = (f64::from(v) * unit) as f32;
        if value.is_finite() { value } else { 0.0 }
    };
    Vec3::new(metres(x), metres(y), metres(z))
}

/// Normalises directions. Zero vectors stay, since nothing says where they should point.
fn unit_vectors(floats: &Floats, indices: &[u32]) -> Vec<Vec3> {
    let unit = |&i: &u32| {
        let v = Vec3::from_array(floats.row(i as usize));
        let off = (v.length_squared() - 1.0).abs();
        if off > 2e-5 { v.as_dvec3().normalize_or_zero().as_vec3() } else { v }
    };
    indices.iter().map(unit).collect()
}

/// Joins equal corners to vertices. Returns the vertex of each corner, and the first corner of each vertex.
fn join(indices: &[i32], stride: usize, offsets: &[usize]) -> Option<(Vec<u32>, Vec<u32>)> {
    match offsets.len() {
        0 | 1 => join_as::<1>(indices, stride, offsets),
        2 => join_as::<2>(indices, stride, offsets),
        3 | 4 => join_as::<4>(indices, stride, offsets),
        5..=8 => join_as::<8>(indices, stride, offsets),
        _ => join_as::<16>(indices, stride, offsets),
    }
}

fn join_as<const N: usize>(
    indices: &[i32],
    stride: usize,
    offsets: &[usize],
) -> Option<(Vec<u32>, Vec<u32>)> {
    let mut distinct = Distinct::<N>::new();
    let mut vertex_of = Vec::with_capacity(indices.len() / stride);
    let mut first = Vec::new();
    let mut record = [0; N];
    for (corner, tuple) in indices.chunks_exact(stride).enumerate() {
        for (value, &offset) in record.iter_mut().zip(offsets) {
            *value = tuple[offset];
        }
        let number = distinct.number(&record)?;
        if number as usize == first.len() {
            first.push(corner as u32);
        }
        vertex_of.push(number);
    }
    Some((vertex_of, first))
}
