//! The regular vertices that a file begins with.

use super::super::fast;
use super::super::header::Header;
use super::super::vertices::{ManyWeights, VertexArrays};
use super::parts::{Part, cut, each};
use crate::scene::Influence;
use crate::text::Window;
use glam::{Vec2, Vec3};
use std::io;

/// The lines of a vertex.
pub(super) const LINES: usize = 5;
/// The shortest regular vertex: one digit before each point, no weights, one digit for the material.
const LEAST_BYTES: usize = 89;
/// More than the longest regular vertex, which has 32 weights.
const MOST_BYTES: usize = 1024;

/// Reads vertices from the window's start as long as they are regular. Returns them and how many bytes they were.
pub(super) fn read(window: &mut Window, header: &Header, parts: usize) -> io::Result<(VertexArrays, usize)> {
    let room = (window.rest() / LEAST_BYTES).min(header.vertices as usize);
    let mut arrays = zeroed(room, header);
    let mut scratch = vec![Vec::new(); parts];
    let (mut count, mut bytes) = (0, 0);
    while count < room {
        window.fill(MOST_BYTES)?;
        let parts = cut(window.text(), parts, b"\nv ", LINES);
        let places = lay_out(&parts, count, &mut arrays, &mut scratch);
        let read = each(places, |places| read_part(places, header));
        let (mut vertices, mut consumed) = (0, 0);
        for ((read, part), weights) in read.iter().zip(&parts).zip(&scratch) {
            arrays.take(read, count + vertices, weights);
            vertices += read.vertices;
            consumed += read.bytes;
            if read.bytes != part.length {
                // The parts after this one hang in the air.
                break;
            }
        }
        if u32::try_from(arrays.pairs.len()).is_err() {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        window.advance(consumed);
        count += vertices;
        bytes += consumed;
        if vertices == 0 {
            break;
        }
    }
    arrays.truncate(count);
    Ok((arrays, bytes))
}

/// Where the vertices of one part go.
struct Places<'a> {
    text: &'a [u8],
    positions: &'a mut [Vec3],
    uvs: &'a mut [Vec2],
    normals: &'a mut [Vec3],
    /// Where each vertex's pairs end, counted from the part's first; empty if there are no joints.
    ends: &'a mut [u32],
    materials: &'a mut [u32],
    pairs: &'a mut Vec<Influence>,
}

/// What was read of a part.
struct Read {
    vertices: usize,
    bytes: usize,
    many_weights: ManyWeights,
}

/// So many zeros: the system clears their memory page by page when the cores first touch it.
fn zeroed(room: usize, header: &Header) -> VertexArrays {
    VertexArrays {
        positions: bytemuck::zeroed_vec(room),
        uvs: bytemuck::zeroed_vec(room),
        normals: bytemuck::zeroed_vec(room),
        ends: vec![0; if header.joints > 0 { room + 1 } else { 0 }],
        materials: vec![0; if header.materials > 1 { room } else { 0 }],
        ..VertexArrays::default()
    }
}

impl VertexArrays {
    /// Takes over the weights of a part whose first vertex is number `first`.
    fn take(&mut self, read: &Read, first: usize, weights: &[Influence]) {
        let before = self.pairs.len();
        // What does not fit is never used: the caller gives up at more pairs than a u32 counts.
        let shift = before as u32;
        if let Some(ends) = self.ends.get_mut(first + 1..first + 1 + read.vertices) {
            ends.iter_mut().for_each(|end| *end = end.wrapping_add(shift));
        }
        self.pairs.extend_from_slice(weights);
        self.many_weights.append(read.many_weights);
    }

    fn truncate(&mut self, count: usize) {
        self.positions.truncate(count);
        self.uvs.truncate(count);
        self.normals.truncate(count);
        self.ends.truncate(count + 1);
        self.materials.truncate(count);
        self.pairs.shrink_to_fit();
        self.left_out = count;
    }
}

/// Gives each part its places; the last one gets all that are left.
fn lay_out<'a>(
    parts: &[Part<'a>],
    first: usize,
    arrays: &'a mut VertexArrays,
    scratch: &'a mut [Vec<Influence>],
) -> Vec<Places<'a>> {
    let mut positions = &mut arrays.positions[first..];
    let mut uvs = &mut arrays.uvs[first..];
    let mut normals = &mut arrays.normals[first..];
    let mut ends = arrays.ends.get_mut(first + 1..).unwrap_or_default();
    let mut materials = arrays.materials.get_mut(first..).unwrap_or_default();
    let mut places = Vec::with_capacity(parts.len());
    for (part, pairs) in parts.iter().zip(scratch) {
        let count = part.records.unwrap_or(usize::MAX).min(positions.len());
        places.push(Places {
            text: part.text,
            positions: positions.split_off_mut(..count).unwrap_or_default(),
            uvs: uvs.split_off_mut(..count).unwrap_or_default(),
            normals: normals.split_off_mut(..count).unwrap_or_default(),
            ends: ends.split_off_mut(..count).unwrap_or_default(),
            materials: materials.split_off_mut(..count).unwrap_or_default(),
            pairs,
        });
    }
    places
}

/// Reads regular vertices until there is no more place, or anything is different, or the text ends.
fn read_part(places: Places<'_>, header: &Header) -> Read {
    let mut read = Read { vertices: 0, bytes: 0, many_weights: ManyWeights::default() };
    places.pairs.clear();
    for ((position, uv), normal) in places.positions.iter_mut().zip(places.uvs).zip(places.normals) {
        let before = places.pairs.len();
        let vertex = fast::vertex(places.text, read.bytes, header.joints, places.pairs);
        let Some(vertex) = vertex.filter(|v| v.material < header.materials) else {
            places.pairs.truncate(before);
            break;
        };
        read.many_weights.see(places.pairs.len() - before, ManyWeights::LEFT_OUT);
        *position = vertex.position;
        *uv = vertex.uv;
        *normal = vertex.normal;
        if let Some(end) = places.ends.get_mut(read.vertices) {
            *end = places.pairs.len() as u32;
        }
        if let Some(material) = places.materials.get_mut(read.vertices) {
            *material = vertex.material;
        }
        read.vertices += 1;
        read.bytes = vertex.next;
    }
    read
}
