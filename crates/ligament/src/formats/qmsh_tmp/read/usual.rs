//! Items of long lists in the layout of the exporters, at full speed: vertices and faces on lines of their own, weights
//! and keys on one line with a space after each. What there is anything to say about is read as tokens instead.

use super::super::document::{Corner, FaceHead};
use super::Reader;
use super::tokens::{is_blank, plain_float, plain_uint};
use crate::report::Failure;
use glam::{Vec2, Vec3};

impl Reader<'_, '_> {
    /// Reads usual lines from the next one on, if there is nothing left on this one.
    #[inline(always)]
    pub(super) fn usual_lines(
        &mut self,
        mut usual: impl FnMut(&[u8], usize) -> Option<usize>,
    ) -> Result<(), Failure> {
        if self.line()[self.at..].iter().all(|&b| is_blank(b)) {
            self.pass_line();
            self.text.run(&mut usual)?;
        }
        Ok(())
    }

    /// Reads usual items of this line, and returns whether there was one.
    #[inline(always)]
    pub(super) fn usual_items<T>(
        &mut self,
        items: &mut Vec<T>,
        item: impl Fn(&[u8], usize) -> Option<(T, usize)>,
    ) -> bool {
        let (text, mut at) = (self.line(), self.at);
        while let Some((value, next)) = item(text, at)
            && text.get(next).is_some_and(|&b| is_blank(b))
        {
            items.push(value);
            at = next + 1;
        }
        let found = at > self.at;
        self.at = at;
        found
    }
}

/// The line of a vertex, and of its normal if it has one.
#[inline(always)]
pub(super) fn vertex(text: &[u8], at: usize, has_normal: bool) -> Option<((Vec3, Option<Vec3>), usize)> {
    let (vertex, at) = vector(text, indented(text, at))?;
    if !has_normal {
        return Some(((vertex, None), separated(text, at, b'\n')?));
    }
    let (normal, at) = vector(text, separated(text, at, b',')?)?;
    Some(((vertex, Some(normal)), separated(text, at, b'\n')?))
}

/// The line of a face with nothing to say about it, and of its normal if it has one.
#[inline(always)]
pub(super) fn face(
    text: &[u8],
    at: usize,
    vertices: usize,
    has_normal: bool,
) -> Option<((FaceHead, [Corner; 4], Option<Vec3>), usize)> {
    let (count, at) = uint(text, indented(text, at)).filter(|(count, _)| matches!(count, 3 | 4))?;
    let (material, at) = uint(text, at).filter(|(material, _)| *material <= 15)?;
    let (smooth, mut at) = uint(text, at)?;
    let mut corners = [Corner { vertex: 0, uv: Vec2::ZERO }; 4];
    for (i, corner) in corners.iter_mut().enumerate().take(count as usize) {
        if i > 0 {
            at = separated(text, at, b' ')?;
        }
        let (vertex, next) = uint(text, at).filter(|(vertex, _)| (*vertex as usize) < vertices)?;
        let (uv, next) = floats(text, next)?;
        *corner = Corner { vertex, uv: Vec2::from_array(uv) };
        at = next;
    }
    let head = FaceHead { material, smooth, corners: count as u8 };
    if !has_normal {
        return Some(((head, corners, None), separated(text, at, b'\n')?));
    }
    let (normal, at) = vector(text, separated(text, at, b' ')?)?;
    Some(((head, corners, Some(normal)), separated(text, at, b'\n')?))
}

/// A vertex of a group and its weight.
#[inline(always)]
pub(super) fn weight(text: &[u8], at: usize, vertices: usize) -> Option<((u32, f32), usize)> {
    let (vertex, at) = uint(text, at).filter(|(vertex, _)| (*vertex as usize) < vertices)?;
    let (weight, at) = plain_float(text, at)?;
    Some(((vertex, weight), at))
}

/// Numbers with commas between them.
#[inline(always)]
pub(super) fn floats<const N: usize>(text: &[u8], mut at: usize) -> Option<([f32; N], usize)> {
    let mut values = [0.0; N];
    for (i, value) in values.iter_mut().enumerate() {
        if i > 0 {
            at = separated(text, at, b',')?;
        }
        (*value, at) = plain_float(text, at)?;
    }
    Some((values, at))
}

#[inline(always)]
fn vector(text: &[u8], at: usize) -> Option<(Vec3, usize)> {
    let (values, at) = floats(text, at)?;
    Some((Vec3::from_array(values), at))
}

/// A whole number with a space after it.
#[inline(always)]
fn uint(text: &[u8], at: usize) -> Option<(u32, usize)> {
    let (value, at) = plain_uint(text, at)?;
    Some((value, separated(text, at, b' ')?))
}

/// The offset after the tabs at the beginning of a line.
#[inline(always)]
fn indented(text: &[u8], mut at: usize) -> usize {
    while text.get(at) == Some(&b'\t') {
        at += 1;
    }
    at
}

/// The offset after a byte that must be there.
#[inline(always)]
fn separated(text: &[u8], at: usize, by: u8) -> Option<usize> {
    (*text.get(at)? == by).then_some(at + 1)
}
