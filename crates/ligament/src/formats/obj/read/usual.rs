//! Reads the most common lines in their usual layout. Any other line, or a line in another layout, leaves no trace.

use super::Built;
use crate::formats::obj_text::{end_of_line, numbers, skip_blanks};
use crate::text::{Usual, parse_u32_prefix};

/// Maximum corners of faces that are read at full speed.
pub(super) const MOST_CORNERS: usize = 8;

/// Receives what is read.
pub(super) trait Taker {
    /// The number of positions, texture coordinates and normals that a corner may refer to.
    fn counts(&self) -> [u32; 3];
    fn take_position(&mut self, position: [f32; 3]);
    fn take_colored(&mut self, position: [f32; 3], color: [f32; 4]);
    fn take_uv(&mut self, uv: [f32; 2]);
    fn take_normal(&mut self, normal: [f32; 3]);
    fn take_face(&mut self, corners: &[[i32; 3]]);
}

/// Reads a line, and returns the offset of the next one.
#[inline(always)]
pub(super) fn usual_line(to: &mut impl Taker, bytes: &[u8], at: usize) -> Option<usize> {
    match *bytes.get(at..)?.first_chunk::<3>()? {
        [b'v', b' ', _] => usual_position(to, bytes, at + 2),
        [b'f', b' ', _] => usual_face(to, bytes, at + 2),
        [b'v', b'n', b' '] => {
            let (normal, at) = numbers::<3>(bytes, at + 3)?;
            let next = end_of_line(bytes, at)?;
            to.take_normal(normal);
            Some(next)
        }
        [b'v', b't', b' '] => {
            let (uv, at) = numbers::<2>(bytes, at + 3)?;
            let next = match end_of_line(bytes, at) {
                Some(next) => next,
                // A third coordinate is often present, and then 0.
                None => {
                    let ([depth], at) = numbers::<1>(bytes, at)?;
                    end_of_line(bytes, at).filter(|_| depth == 0.0)?
                }
            };
            to.take_uv(uv);
            Some(next)
        }
        [b'\n', ..] => Some(at + 1),
        [b'\r', b'\n', _] => Some(at + 2),
        _ => None,
    }
}

#[inline(always)]
fn usual_position(to: &mut impl Taker, bytes: &[u8], at: usize) -> Option<usize> {
    let (position, at) = numbers::<3>(bytes, at)?;
    if let Some(next) = end_of_line(bytes, at) {
        to.take_position(position);
        return Some(next);
    }
    let ([r, g, b], at) = numbers::<3>(bytes, at)?;
    let next = end_of_line(bytes, at)?;
    to.take_colored(position, [r, g, b, 1.0]);
    Some(next)
}

/// Reads a face whose corners consist of digits and slashes and refer to existing elements.
#[inline(always)]
fn usual_face(to: &mut impl Taker, bytes: &[u8], mut at: usize) -> Option<usize> {
    let counts = to.counts();
    let mut corners = [[0; 3]; MOST_CORNERS];
    let mut count = 0;
    let next = loop {
        let (corner, end) = usual_corner(bytes, skip_blanks(bytes, at), counts)?;
        *corners.get_mut(count)? = corner;
        count += 1;
        at = end;
        match bytes.get(at) {
            Some(b' ') if bytes.get(at + 1).is_some_and(u8::is_ascii_digit) => at += 1,
            _ => {
                if let Some(next) = end_of_line(bytes, at) {
                    break next;
                }
            }
        }
    };
    if count < 3 {
        return None;
    }
    to.take_face(&corners[..count]);
    Some(next)
}

impl Usual for Built {
    #[inline(always)]
    fn usual(&mut self, text: &[u8], at: usize) -> Option<usize> {
        usual_line(self, text, at)
    }
}

impl Taker for Built {
    #[inline(always)]
    fn counts(&self) -> [u32; 3] {
        [self.model.positions.len() as u32, self.model.uvs.len() as u32, self.model.normals.len() as u32]
    }

    #[inline(always)]
    fn take_position(&mut self, position: [f32; 3]) {
        self.model.positions.push(position);
        if !self.model.colors.is_empty() {
            self.model.colors.push([1.0; 4]);
        }
    }

    /// Earlier positions without a colour become white.
    fn take_colored(&mut self, position: [f32; 3], color: [f32; 4]) {
        self.model.colors.resize(self.model.positions.len(), [1.0; 4]);
        self.model.positions.push(position);
        self.model.colors.push(color);
    }

    #[inline(always)]
    fn take_uv(&mut self, uv: [f32; 2]) {
        self.model.uvs.push(uv);
    }

    #[inline(always)]
    fn take_normal(&mut self, normal: [f32; 3]) {
        self.model.normals.push(normal);
    }

    #[inline(always)]
    fn take_face(&mut self, corners: &[[i32; 3]]) {
        self.begin_element();
        let first = self.model.faces.corners.len();
        for &corner in corners {
            // Numbers that overflow are reported after the whole file is read.
            self.model.faces.corners.push(self.vertices.number(corner).unwrap_or(u32::MAX));
        }
        self.model.faces.end_face(first);
    }
}

/// Reads a corner with indices from 0, −1 for absent ones; returns it and the offset after it.
#[inline(always)]
fn usual_corner(bytes: &[u8], at: usize, counts: [u32; 3]) -> Option<([i32; 3], usize)> {
    let index = |at: usize, count: u32| {
        let (number, next) = parse_u32_prefix(bytes, at)?;
        // A 0 wraps around and becomes too large.
        let index = number.wrapping_sub(1);
        (index < count).then_some((index as i32, next))
    };
    let (position, at) = index(at, counts[0])?;
    let (corner, at) = match bytes.get(at) {
        Some(b'/') => match bytes.get(at + 1) {
            Some(b'/') => {
                let (normal, at) = index(at + 2, counts[2])?;
                ([position, -1, normal], at)
            }
            _ => {
                let (uv, at) = index(at + 1, counts[1])?;
                match bytes.get(at) {
                    Some(b'/') => {
                        let (normal, at) = index(at + 1, counts[2])?;
                        ([position, uv, normal], at)
                    }
                    _ => ([position, uv, -1], at),
                }
            }
        },
        _ => ([position, -1, -1], at),
    };
    matches!(bytes.get(at), None | Some(b' ' | b'\t' | b'\r' | b'\n')).then_some((corner, at))
}
