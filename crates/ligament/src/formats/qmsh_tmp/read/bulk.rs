//! Lists of numbers in the exporter's layout, read while the file passes by in pieces: one item a line, after a line that
//! ends with `{`, or weights and keys with a space after each, on the line of the `{`. What has anything to say about it
//! stays in the text.

use super::super::document::{Corner, FaceHead};
use crate::io::Content;
use crate::text::{Condenser, parse_decimal, parse_u32, parse_u32_prefix};
use glam::{Vec2, Vec3};
use std::io;

/// What was read of a list.
pub(super) enum Run {
    Vertices(Vec<Vec3>),
    Faces(Vec<FaceHead>, Vec<Corner>),
    Weights(Vec<(u32, f32)>),
    Keys(Vec<[f32; 2]>),
}

impl Run {
    pub fn vertices(self) -> Option<Vec<Vec3>> {
        if let Run::Vertices(vertices) = self { Some(vertices) } else { None }
    }

    pub fn faces(self) -> Option<(Vec<FaceHead>, Vec<Corner>)> {
        if let Run::Faces(heads, corners) = self { Some((heads, corners)) } else { None }
    }

    pub fn weights(self) -> Option<Vec<(u32, f32)>> {
        if let Run::Weights(weights) = self { Some(weights) } else { None }
    }

    pub fn keys(self) -> Option<Vec<[f32; 2]>> {
        if let Run::Keys(keys) = self { Some(keys) } else { None }
    }
}

/// Reads a file in pieces of so many bytes; `None` if it is of a version with other lists, or has what makes lines more
/// than lines, or cannot be read. Whoever reads all of it finds that out too.
pub(super) fn condense<'a>(content: &'a Content<'a>, piece: usize) -> Option<Condenser<'a, Run>> {
    let mut pass = Condenser::new(content, piece)?;
    if pass.keep_line().ok()??.trim_ascii_end() != b"QMSH TMP 10" {
        return None;
    }
    let mut vertices = 0;
    // Of weights and keys, until it is known how many there are.
    let mut scratch = Scratch::default();
    while let Some(list) = pass.keep(up_to_items).ok()?.map(list) {
        let run = match list.ok()? {
            List::Vertices(count) => {
                vertices = count;
                Run::Vertices(self::vertices(&mut pass, count).ok()?)
            }
            List::Faces(count) => faces(&mut pass, count, vertices).ok()?,
            List::Pairs(end) => match pairs(&mut pass, vertices, end, &mut scratch).ok()? {
                Some(run) => run,
                None => continue,
            },
            List::None => continue,
        };
        pass.push(run);
    }
    Some(pass)
}

/// The length of a line's beginning up to the first of the items that follow a name and `{` on the same line.
fn up_to_items(text: &[u8]) -> Option<usize> {
    let name = tabs(text, 0) + 1;
    if text.get(name - 1) != Some(&b'"') {
        return None;
    }
    let after = name + memchr::memchr2(b'"', b'\n', &text[name..])?;
    let brace = after + memchr::memchr2(b'{', b'\n', &text[after..])?;
    text[brace..].starts_with(b"{ ").then_some(brace + 2)
}

enum List {
    Vertices(usize),
    Faces(usize),
    /// A group's weights or a curve's keys, with what ends each.
    Pairs(u8),
    None,
}

/// The text is not one where a line is a line.
struct Odd;

/// Which list begins after a line.
fn list(line: &[u8]) -> Result<List, Odd> {
    // Comments and joined lines may be anywhere, and hide anything.
    if memchr::memchr2(b'\\', b'/', line).is_some() {
        return Err(Odd);
    }
    if line.ends_with(b" { ") {
        return Ok(List::Pairs(b' '));
    }
    let Some(line) = line.strip_suffix(b" {\n") else { return Ok(List::None) };
    let line = line.trim_ascii_start();
    let count = |word: &str| {
        let rest = line.strip_prefix(word.as_bytes())?;
        parse_u32(rest).map(|n| n as usize)
    };
    Ok(if let Some(count) = count("vertices ") {
        List::Vertices(count)
    } else if let Some(count) = count("faces ") {
        List::Faces(count)
    } else if line.starts_with(b"\"") {
        List::Pairs(b'\n')
    } else {
        List::None
    })
}

fn vertices(pass: &mut Condenser<'_, Run>, count: usize) -> io::Result<Vec<Vec3>> {
    let mut vertices = Vec::with_capacity(pass.room(count, "0,0,0\n".len()));
    pass.leave_out(|bytes, at| {
        if vertices.len() == count {
            return None;
        }
        let (vertex, next) = floats(bytes, tabs(bytes, at))?;
        let next = line_end(bytes, next)?;
        vertices.push(Vec3::from_array(vertex));
        Some(next)
    })?;
    Ok(vertices)
}

fn faces(pass: &mut Condenser<'_, Run>, count: usize, vertices: usize) -> io::Result<Run> {
    let room = pass.room(count, "3 0 0 0 0,0 0 0,0 0 0,0\n".len());
    let mut heads = Vec::with_capacity(room);
    let mut corners = Vec::with_capacity(room.saturating_mul(3));
    pass.leave_out(|bytes, at| {
        if heads.len() == count {
            return None;
        }
        let (count, at) = whole(bytes, tabs(bytes, at)).filter(|(count, _)| matches!(count, 3 | 4))?;
        let (material, at) = whole(bytes, at).filter(|(material, _)| *material <= 15)?;
        let (smooth, mut at) = whole(bytes, at)?;
        let mut found = [Corner { vertex: 0, uv: Vec2::ZERO }; 4];
        let found = found.get_mut(..count as usize)?;
        for (i, corner) in found.iter_mut().enumerate() {
            let (vertex, next) = whole(bytes, at).filter(|(vertex, _)| (*vertex as usize) < vertices)?;
            let (uv, next) = floats(bytes, next)?;
            *corner = Corner { vertex, uv: Vec2::from_array(uv) };
            at = if i + 1 < count as usize { separated(bytes, next, b' ')? } else { next };
        }
        let next = line_end(bytes, at)?;
        heads.push(FaceHead { material, smooth, corners: count as u8 });
        corners.extend_from_slice(found);
        Some(next)
    })?;
    Ok(Run::Faces(heads, corners))
}

#[derive(Default)]
struct Scratch {
    keys: Vec<[f32; 2]>,
    weights: Vec<(u32, f32)>,
}

/// Weights or keys, as the first has it.
fn pairs(
    pass: &mut Condenser<'_, Run>,
    vertices: usize,
    end: u8,
    scratch: &mut Scratch,
) -> io::Result<Option<Run>> {
    let Scratch { keys, weights } = scratch;
    keys.clear();
    items(pass, end, |bytes, at| {
        let (key, next) = floats(bytes, at)?;
        let next = separated(bytes, next, end)?;
        keys.push(key);
        Some(next)
    })?;
    if !keys.is_empty() {
        return Ok(Some(Run::Keys(keys.to_vec())));
    }
    weights.clear();
    items(pass, end, |bytes, at| {
        let (vertex, at) = whole(bytes, at).filter(|(vertex, _)| (*vertex as usize) < vertices)?;
        let ([weight], next) = floats(bytes, at)?;
        let next = separated(bytes, next, end)?;
        weights.push((vertex, weight));
        Some(next)
    })?;
    Ok((!weights.is_empty()).then(|| Run::Weights(weights.to_vec())))
}

/// Leaves out what `read` reads, each on a line of its own, or all on one.
#[inline(always)]
fn items(
    pass: &mut Condenser<'_, Run>,
    end: u8,
    mut read: impl FnMut(&[u8], usize) -> Option<usize>,
) -> io::Result<usize> {
    match end {
        b'\n' => pass.leave_out(|bytes, at| read(bytes, tabs(bytes, at))),
        _ => pass.leave_out_of_line(read),
    }
}

#[inline(always)]
fn tabs(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at) == Some(&b'\t') {
        at += 1;
    }
    at
}

/// The offset after a byte that must be there.
#[inline(always)]
fn separated(bytes: &[u8], at: usize, by: u8) -> Option<usize> {
    (*bytes.get(at)? == by).then_some(at + 1)
}

#[inline(always)]
fn line_end(bytes: &[u8], at: usize) -> Option<usize> {
    separated(bytes, at, b'\n')
}

/// A whole number with a space after it. A leading zero would be octal.
#[inline(always)]
fn whole(bytes: &[u8], at: usize) -> Option<(u32, usize)> {
    let (value, next) = parse_u32_prefix(bytes, at)?;
    if *bytes.get(at)? == b'0' && next > at + 1 {
        return None;
    }
    Some((value, separated(bytes, next, b' ')?))
}

/// Numbers with commas between them.
#[inline(always)]
fn floats<const N: usize>(bytes: &[u8], mut at: usize) -> Option<([f32; N], usize)> {
    let mut values = [0.0; N];
    for (i, value) in values.iter_mut().enumerate() {
        if i > 0 {
            at = separated(bytes, at, b',')?;
        }
        let start = at;
        (*value, at) = parse_decimal(bytes, at)?;
        // Digits alone may be octal, and a leading point is no number.
        let odd = |digits: &[u8]| matches!(digits, [b'.', ..] | [b'0', b'0'..=b'9', ..]);
        let digits = &bytes[start + usize::from(bytes[start] == b'-')..at];
        if odd(digits) {
            return None;
        }
    }
    Some((values, at))
}
