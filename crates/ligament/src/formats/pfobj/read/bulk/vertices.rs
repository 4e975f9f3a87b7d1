//! The regular vertices that a file begins with.

use super::super::fast;
use super::super::header::Header;
use super::super::vertices::{ManyWeights, VertexArrays};
use super::pieces::{cut, each, records};
use super::window::Window;
use crate::scene::Influence;
use glam::{Vec2, Vec3};
use std::io;

/// The lines of a vertex.
pub(super) const LINES: usize = 5;
/// The shortest regular vertex: one digit before each point, no weights, one digit for the material.
const LEAST_BYTES: usize = 89;
/// More than the longest regular vertex, which has 32 weights.
const MOST_BYTES: usize = 1024;

/// Reads vertices from the window's start as long as they are regular. Returns them and how many bytes they were.
pub(super) fn read(
    window: &mut Window,
    header: &Header,
    threads: usize,
) -> io::Result<(VertexArrays, usize)> {
    let room = (window.rest() / LEAST_BYTES).min(header.vertices as usize);
    let mut arrays = zeroed(room, header);
    let mut scratch = vec![Vec::new(); threads];
    let (mut count, mut bytes) = (0, 0);
    while count < room {
        window.fill(MOST_BYTES)?;
        let pieces = lay_out(window.text(), count, &mut arrays, &mut scratch);
        let lengths: Vec<usize> = pieces.iter().map(|piece| piece.text.len()).collect();
        let read = each(pieces, |piece| read_piece(piece, header));
        let (mut vertices, mut consumed) = (0, 0);
        for ((piece, length), weights) in read.into_iter().zip(lengths).zip(&scratch) {
            arrays.take(&piece, count + vertices, weights);
            vertices += piece.vertices;
            consumed += piece.bytes;
            if piece.bytes < length {
                // The pieces after this one hang in the air.
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

/// Where one piece's vertices go.
struct Piece<'a> {
    text: &'a [u8],
    positions: &'a mut [Vec3],
    uvs: &'a mut [Vec2],
    normals: &'a mut [Vec3],
    /// Where each vertex's pairs end, counted from the piece's first; empty if there are no joints.
    ends: &'a mut [u32],
    materials: &'a mut [u32],
    pairs: &'a mut Vec<Influence>,
}

/// What was read of a piece.
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
    /// Takes over the weights of a piece whose first vertex is number `first`.
    fn take(&mut self, piece: &Read, first: usize, weights: &[Influence]) {
        let before = self.pairs.len();
        // Cannot be cut off: the caller gives up at more pairs than a u32 counts.
        let shift = before as u32;
        if let Some(ends) = self.ends.get_mut(first + 1..first + 1 + piece.vertices) {
            ends.iter_mut().for_each(|end| *end = end.wrapping_add(shift));
        }
        self.pairs.extend_from_slice(weights);
        self.many_weights.append(piece.many_weights);
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

/// Cuts the text into a piece for each scratch, and gives each its places. The last piece gets all that are left: where it
/// ends, or what comes after the vertices, shows when it is read.
fn lay_out<'a>(
    text: &'a [u8],
    first: usize,
    arrays: &'a mut VertexArrays,
    scratch: &'a mut [Vec<Influence>],
) -> Vec<Piece<'a>> {
    let texts = cut(text, scratch.len(), b"\nv ");
    let last = texts.len() - 1;
    let counts = each(texts[..last].to_vec(), |text| records(text, LINES));
    let mut positions = &mut arrays.positions[first..];
    let mut uvs = &mut arrays.uvs[first..];
    let mut normals = &mut arrays.normals[first..];
    let mut ends = arrays.ends.get_mut(first + 1..).unwrap_or_default();
    let mut materials = arrays.materials.get_mut(first..).unwrap_or_default();
    let mut pieces = Vec::with_capacity(texts.len());
    for ((i, text), pairs) in texts.into_iter().enumerate().zip(scratch) {
        let count = counts.get(i).map_or(positions.len(), |&count| count.min(positions.len()));
        pieces.push(Piece {
            text,
            positions: positions.split_off_mut(..count).unwrap_or_default(),
            uvs: uvs.split_off_mut(..count).unwrap_or_default(),
            normals: normals.split_off_mut(..count).unwrap_or_default(),
            ends: ends.split_off_mut(..count).unwrap_or_default(),
            materials: materials.split_off_mut(..count).unwrap_or_default(),
            pairs,
        });
    }
    pieces
}

/// Reads regular vertices until there is no more place, or anything is different, or the piece ends.
fn read_piece(piece: Piece<'_>, header: &Header) -> Read {
    let mut read = Read { vertices: 0, bytes: 0, many_weights: ManyWeights::default() };
    piece.pairs.clear();
    for ((position, uv), normal) in piece.positions.iter_mut().zip(piece.uvs).zip(piece.normals) {
        let before = piece.pairs.len();
        let vertex = fast::vertex(piece.text, read.bytes, header.joints, piece.pairs);
        let Some(vertex) = vertex.filter(|v| v.material < header.materials) else {
            piece.pairs.truncate(before);
            break;
        };
        read.many_weights.see(piece.pairs.len() - before, ManyWeights::LEFT_OUT);
        *position = vertex.position;
        *uv = vertex.uv;
        *normal = vertex.normal;
        if let Some(end) = piece.ends.get_mut(read.vertices) {
            *end = piece.pairs.len() as u32;
        }
        if let Some(material) = piece.materials.get_mut(read.vertices) {
            *material = vertex.material;
        }
        read.vertices += 1;
        read.bytes = vertex.next;
    }
    read
}
