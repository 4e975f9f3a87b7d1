//! The vertices of a large file on all cores.
//!
//! The vertex section is cut at lines that begin with `v `, and every piece is read by the fast code alone. The pieces
//! are laid out beforehand: a regular vertex has five line ends, and a slash for each weight, so that counting those tells
//! where each piece's vertices and weights go, and nothing is copied afterwards. If any piece holds anything irregular, all of it is dropped and the
//! sequential reader starts over, so that the result and its diagnostics are the same on any number of cores.

use super::fast;
use super::header::Header;
use super::vertices::{ManyWeights, VertexArrays};
use crate::scene::Influence;
use glam::{Vec2, Vec3};
use memchr::{memchr_iter, memmem};
use rayon::prelude::*;

/// Where one piece's vertices go.
struct Piece<'a> {
    text: &'a [u8],
    offset: usize,
    positions: &'a mut [Vec3],
    uvs: &'a mut [Vec2],
    normals: &'a mut [Vec3],
    ends: &'a mut [u32],
    materials: &'a mut [u32],
    pairs: &'a mut [Influence],
    /// Weights of the pieces before this one.
    pairs_before: u32,
}

/// What a piece must hold to be regular.
struct Size {
    vertices: usize,
    pairs: usize,
}

/// All vertices and the offset after them; `None` if anything is irregular, or if there is one core only.
pub(super) fn vertices(bytes: &[u8], start: usize, header: &Header) -> Option<(VertexArrays, usize)> {
    let threads = rayon::current_num_threads();
    if threads < 2 {
        return None;
    }
    let length = memmem::find(&bytes[start..], b"\nmaterial")? + 1;
    let section = &bytes[start..start + length];
    let texts = cut(section, threads * 4, b"\nv ");
    let sizes: Vec<_> = texts.par_iter().map(|text| size(text, header)).collect::<Option<_>>()?;
    let total: usize = sizes.iter().map(|s| s.vertices).sum();
    let pairs: usize = sizes.iter().map(|s| s.pairs).sum();
    if total != header.vertices as usize || u32::try_from(pairs).is_err() {
        return None;
    }
    // Zeroed by the system page by page when the cores first touch them, not here by one core.
    let mut arrays = VertexArrays {
        positions: bytemuck::zeroed_vec(total),
        uvs: bytemuck::zeroed_vec(total),
        normals: bytemuck::zeroed_vec(total),
        ends: vec![0; if header.joints > 0 { total + 1 } else { 0 }],
        pairs: bytemuck::zeroed_vec(pairs),
        materials: vec![0; if header.materials > 1 { total } else { 0 }],
        many_weights: ManyWeights::default(),
    };
    let pieces = lay_out(&texts, &sizes, start, &mut arrays);
    let read: Vec<_> =
        pieces.into_par_iter().map(|piece| read_piece(piece, header)).collect::<Option<_>>()?;
    read.into_iter().for_each(|many_weights| arrays.many_weights.append(many_weights));
    Some((arrays, start + length))
}

/// How much a piece holds, if it is regular.
fn size(text: &[u8], header: &Header) -> Option<Size> {
    let lines = memchr_iter(b'\n', text).count();
    let pairs = if header.joints == 0 { 0 } else { memchr_iter(b'/', text).count() };
    lines.is_multiple_of(5).then_some(Size { vertices: lines / 5, pairs })
}

/// Cuts the section into about so many pieces, each at a line that begins a record: `start` is the line end before it
/// and its first bytes.
pub(super) fn cut<'a>(section: &'a [u8], pieces: usize, start: &[u8]) -> Vec<&'a [u8]> {
    let size = section.len() / pieces.max(1) + 1;
    let finder = memmem::Finder::new(start);
    let mut texts = Vec::with_capacity(pieces + 1);
    let mut rest = section;
    while rest.len() > size {
        let Some(cut) = finder.find(&rest[size..]).map(|n| size + n + 1) else { break };
        let (text, tail) = rest.split_at(cut);
        texts.push(text);
        rest = tail;
    }
    texts.push(rest);
    texts
}

fn lay_out<'a>(
    texts: &[&'a [u8]],
    sizes: &[Size],
    start: usize,
    arrays: &'a mut VertexArrays,
) -> Vec<Piece<'a>> {
    let mut positions = &mut arrays.positions[..];
    let mut uvs = &mut arrays.uvs[..];
    let mut normals = &mut arrays.normals[..];
    let mut ends = arrays.ends.get_mut(1..).unwrap_or_default();
    let mut materials = &mut arrays.materials[..];
    let mut pairs = &mut arrays.pairs[..];
    let (mut offset, mut pairs_before) = (start, 0);
    let mut pieces = Vec::with_capacity(texts.len());
    for (&text, size) in texts.iter().zip(sizes) {
        let count = size.vertices;
        pieces.push(Piece {
            text,
            offset,
            positions: positions.split_off_mut(..count).unwrap_or_default(),
            uvs: uvs.split_off_mut(..count).unwrap_or_default(),
            normals: normals.split_off_mut(..count).unwrap_or_default(),
            ends: ends.split_off_mut(..count).unwrap_or_default(),
            materials: materials.split_off_mut(..count).unwrap_or_default(),
            pairs: pairs.split_off_mut(..size.pairs).unwrap_or_default(),
            pairs_before,
        });
        offset += text.len();
        pairs_before += size.pairs as u32;
    }
    pieces
}

fn read_piece(piece: Piece<'_>, header: &Header) -> Option<ManyWeights> {
    let mut many_weights = ManyWeights::default();
    let (mut at, mut filled) = (0, 0);
    let mut weights = Vec::new();
    let places = piece.positions.iter_mut().zip(piece.uvs).zip(piece.normals);
    for (i, ((position, uv), normal)) in places.enumerate() {
        weights.clear();
        let vertex = fast::vertex(piece.text, at, header.joints, &mut weights)?;
        if vertex.material >= header.materials {
            return None;
        }
        many_weights.see(weights.len(), piece.offset + at);
        *position = vertex.position;
        *uv = vertex.uv;
        *normal = vertex.normal;
        piece.pairs.get_mut(filled..filled + weights.len())?.copy_from_slice(&weights);
        filled += weights.len();
        if let Some(end) = piece.ends.get_mut(i) {
            *end = piece.pairs_before + filled as u32;
        }
        if let Some(material) = piece.materials.get_mut(i) {
            *material = vertex.material;
        }
        at = vertex.next;
    }
    (at == piece.text.len() && filled == piece.pairs.len()).then_some(many_weights)
}
