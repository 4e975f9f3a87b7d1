//! Blocks of numbers, read while the file passes by in pieces. Only tags that are written in the usual way are looked at;
//! bones stay in the text, because messages point at their lines.

use super::super::document::Kind;
use super::rows::plain_row;
use super::skeleton::{Keys, plain_key};
use crate::io::Content;
use crate::text::{Condenser, parse_u32};
use glam::{Vec2, Vec3, Vec4};
use std::io;

/// What was read of a block.
pub(super) enum Run {
    Two(Vec<Vec2>),
    Three(Vec<Vec3>),
    Four(Vec<Vec4>),
    Weights(Vec<f32>),
    Keys(Keys),
}

impl Run {
    pub fn two(self) -> Option<Vec<Vec2>> {
        if let Run::Two(rows) = self { Some(rows) } else { None }
    }

    pub fn three(self) -> Option<Vec<Vec3>> {
        if let Run::Three(rows) = self { Some(rows) } else { None }
    }

    pub fn four(self) -> Option<Vec<Vec4>> {
        if let Run::Four(rows) = self { Some(rows) } else { None }
    }

    pub fn weights(self) -> Option<Vec<f32>> {
        if let Run::Weights(weights) = self { Some(weights) } else { None }
    }

    pub fn keys(self, kind: Kind) -> Option<Keys> {
        if let Run::Keys(keys) = self { Some(keys).filter(|k| k.values.kind() == kind) } else { None }
    }
}

/// Reads a file in pieces of so many bytes; `None` if it cannot be read, which whoever reads all of it finds out too.
pub(super) fn condense<'a>(content: &'a Content<'a>, piece: usize) -> Option<Condenser<'a, Run>> {
    let mut pass = Condenser::new(content, piece)?;
    let mut vertices = 0;
    while let Some(block) = pass.keep_line().ok()?.map(|line| block(line, &mut vertices)) {
        if let Some(block) = block {
            read(&mut pass, block, vertices).ok()?;
        }
    }
    Some(pass)
}

/// What stands below a tag.
enum Block {
    Rows(usize),
    Weights(usize),
    Keys(Kind, usize),
}

fn block(line: &[u8], vertices: &mut usize) -> Option<Block> {
    let line = line.strip_suffix(b"\n")?;
    let mut words = line.split(|&b| b == b' ');
    let tag = words.next().filter(|tag| tag.starts_with(b"@"))?;
    let number = |word: Option<&[u8]>| word.and_then(parse_u32).map(|n| n as usize);
    if tag == b"@vert_count" {
        *vertices = number(words.next())?;
        return None;
    }
    if let Some(kind) = Kind::ALL.into_iter().find(|kind| kind.tag().as_bytes() == tag) {
        let count = number(words.nth(3))?;
        return Some(Block::Keys(kind, count));
    }
    let comps = words.next().filter(|&word| word == b"comps").and(number(words.next()))?;
    match (tag, comps) {
        (b"@vp" | b"@vn", 3) | (b"@vt", 2) | (b"@vtan", 4) => Some(Block::Rows(comps)),
        (b"@vw", 1..=4) => Some(Block::Weights(comps)),
        _ => None,
    }
}

fn read(pass: &mut Condenser<'_, Run>, block: Block, vertices: usize) -> io::Result<()> {
    let run = match block {
        Block::Rows(2) => Run::Two(rows(pass, vertices, Vec2::from_array)?),
        Block::Rows(3) => Run::Three(rows(pass, vertices, Vec3::from_array)?),
        Block::Rows(_) => Run::Four(rows(pass, vertices, Vec4::from_array)?),
        Block::Weights(1) => Run::Weights(rows(pass, vertices, |row: [f32; 1]| row)?.into_flattened()),
        Block::Weights(2) => Run::Weights(rows(pass, vertices, |row: [f32; 2]| row)?.into_flattened()),
        Block::Weights(3) => Run::Weights(rows(pass, vertices, |row: [f32; 3]| row)?.into_flattened()),
        Block::Weights(_) => Run::Weights(rows(pass, vertices, |row: [f32; 4]| row)?.into_flattened()),
        Block::Keys(kind, count) => Run::Keys(keys(pass, kind, count)?),
    };
    pass.push(run);
    Ok(())
}

fn rows<const N: usize, T>(
    pass: &mut Condenser<'_, Run>,
    count: usize,
    of: impl Fn([f32; N]) -> T,
) -> io::Result<Vec<T>> {
    let mut rows = Vec::with_capacity(pass.room(count, 2 * N));
    pass.leave_out(|bytes, at| {
        if rows.len() == count {
            return None;
        }
        let (row, next) = plain_row(bytes, at)?;
        rows.push(of(row));
        Some(next)
    })?;
    Ok(rows)
}

fn keys(pass: &mut Condenser<'_, Run>, kind: Kind, count: usize) -> io::Result<Keys> {
    let room = pass.room(count, "t 0 TRA 0 0 0 ".len());
    let mut keys = Keys::with_capacity(kind, room);
    pass.leave_out(
        |bytes, at| {
            if keys.times.len() == count { None } else { plain_key(bytes, at, kind, &mut keys) }
        },
    )?;
    Ok(keys)
}
