//! The vertices of a large file on all cores.
//!
//! The vertex section is cut at lines that begin with `v `, and every piece is read by the fast code alone. The pieces
//! are laid out beforehand: a regular vertex has five line ends, so that counting those tells where each piece's
//! vertices go, and nothing is copied afterwards. If any piece holds anything irregular, all of it is dropped and the
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
}

/// All vertices and the offset after them; `None` if anything is irregular, or if there is one core only.
pub(super) fn vertices(bytes: &[u8], start: usize, header: &Header) -> Option<(VertexArrays, usize)> {
    let threads = rayon::current_num_threads();
    if threads < 2 {
        return None;
    }
    let length = memmem::find(&bytes[start..], b"\nmaterial")? + 1;
    let section = &bytes[start..start + length];
    let texts = cut(section, threads * 4);
    let counts: Vec<usize> = texts.par_iter().map(|text| memchr_iter(b'\n', text).count()).collect();
    let total: usize = counts.iter().sum();
    if total != (header.vertices as usize).checked_mul(5)? || counts.iter().any(|n| n % 5 != 0) {
        return None;
    }
    let total = total / 5;
    // Zeroed by the system page by page when the cores first touch them, not here by one core.
    let mut arrays = VertexArrays {
        positions: bytemuck::zeroed_vec(total),
        uvs: bytemuck::zeroed_vec(total),
        normals: bytemuck::zeroed_vec(total),
        ends: vec![0; if header.joints > 0 { total + 1 } else { 0 }],
        materials: vec![0; if header.materials > 1 { total } else { 0 }],
        ..VertexArrays::default()
    };
    let pieces = lay_out(&texts, &counts, start, &mut arrays);
    let read: Vec<_> =
        pieces.into_par_iter().map(|piece| read_piece(piece, header)).collect::<Option<_>>()?;
    join(&counts, read, &mut arrays)?;
    Some((arrays, start + length))
}

/// Cuts the section into about so many pieces that all begin with a vertex.
fn cut(section: &[u8], pieces: usize) -> Vec<&[u8]> {
    let size = section.len() / pieces.max(1) + 1;
    let finder = memmem::Finder::new(b"\nv ");
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
    counts: &[usize],
    start: usize,
    arrays: &'a mut VertexArrays,
) -> Vec<Piece<'a>> {
    let mut positions = &mut arrays.positions[..];
    let mut uvs = &mut arrays.uvs[..];
    let mut normals = &mut arrays.normals[..];
    let mut ends = arrays.ends.get_mut(1..).unwrap_or_default();
    let mut materials = &mut arrays.materials[..];
    let mut offset = start;
    let mut pieces = Vec::with_capacity(texts.len());
    for (&text, lines) in texts.iter().zip(counts) {
        let count = lines / 5;
        pieces.push(Piece {
            text,
            offset,
            positions: positions.split_off_mut(..count).unwrap_or_default(),
            uvs: uvs.split_off_mut(..count).unwrap_or_default(),
            normals: normals.split_off_mut(..count).unwrap_or_default(),
            ends: ends.split_off_mut(..count).unwrap_or_default(),
            materials: materials.split_off_mut(..count).unwrap_or_default(),
        });
        offset += text.len();
    }
    pieces
}

fn read_piece(piece: Piece<'_>, header: &Header) -> Option<(Vec<Influence>, ManyWeights)> {
    let slashes = if header.joints == 0 { 0 } else { memchr_iter(b'/', piece.text).count() };
    let mut pairs = Vec::with_capacity(slashes);
    let mut many_weights = ManyWeights::default();
    let mut at = 0;
    let places = piece.positions.iter_mut().zip(piece.uvs).zip(piece.normals);
    for (i, ((position, uv), normal)) in places.enumerate() {
        let before = pairs.len();
        let vertex = fast::vertex(piece.text, at, header.joints, &mut pairs)?;
        if vertex.material >= header.materials {
            return None;
        }
        many_weights.see(pairs.len() - before, piece.offset + at);
        *position = vertex.position;
        *uv = vertex.uv;
        *normal = vertex.normal;
        if let Some(end) = piece.ends.get_mut(i) {
            *end = u32::try_from(pairs.len()).ok()?;
        }
        if let Some(material) = piece.materials.get_mut(i) {
            *material = vertex.material;
        }
        at = vertex.next;
    }
    (at == piece.text.len()).then_some((pairs, many_weights))
}

/// Puts the pieces' weights one after the other.
fn join(counts: &[usize], read: Vec<(Vec<Influence>, ManyWeights)>, arrays: &mut VertexArrays) -> Option<()> {
    let total: usize = read.iter().map(|(pairs, _)| pairs.len()).sum();
    u32::try_from(total).ok()?;
    arrays.pairs.reserve_exact(total);
    let mut first = 1;
    for (lines, (pairs, many_weights)) in counts.iter().zip(read) {
        let before = arrays.pairs.len() as u32;
        let end = first + lines / 5;
        for end in arrays.ends.get_mut(first..end).unwrap_or_default() {
            *end += before;
        }
        first = end;
        arrays.pairs.extend_from_slice(&pairs);
        arrays.many_weights.append(many_weights);
    }
    Some(())
}
