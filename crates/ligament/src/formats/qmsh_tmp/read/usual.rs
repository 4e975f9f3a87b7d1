//! Reads items of long lists at full speed if they have the layout of the exporters: vertices and faces on lines of their
//! own, weights and keys on one line with a space after each. Everything else, and everything that needs a message, is
//! read as tokens.

use super::super::document::{Corner, FaceHead};
use super::Reader;
use super::tokens::{is_blank, plain_float, plain_uint};
use crate::report::Failure;
use glam::{Vec2, Vec3};

impl Reader<'_, '_> {
    /// Reads lines of the usual layout from the next one on, if the rest of this one is blank.
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

    /// Reads items of the usual layout from this line. Returns whether there was one.
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

/// Reads a line with a vertex, and its normal in versions that have one.
#[inline(always)]
pub(super) fn vertex(text: &[u8], at: usize, has_normal: bool) -> Option<((Vec3, Option<Vec3>), usize)> {
    let (vertex, at) = vector(text, indented(text, at))?;
    let (normal, at) = if has_normal { normal(text, at, b',')? } else { (None, at) };
    Some(((vertex, normal), line_end(text, at)?))
}

/// A face's numbers, its corners (of which a triangle uses three), and its normal in versions that have one.
type Face = (FaceHead, [Corner; 4], Option<Vec3>);

/// Reads a line with a face, if it needs no message.
#[inline(always)]
pub(super) fn face(text: &[u8], at: usize, vertices: usize, has_normal: bool) -> Option<(Face, usize)> {
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
    let (normal, at) = if has_normal { normal(text, at, b' ')? } else { (None, at) };
    Some(((head, corners, normal), line_end(text, at)?))
}

/// Reads a vertex of a group and its weight.
#[inline(always)]
pub(super) fn weight(text: &[u8], at: usize, vertices: usize) -> Option<((u32, f32), usize)> {
    let (vertex, at) = uint(text, at).filter(|(vertex, _)| (*vertex as usize) < vertices)?;
    let (weight, at) = plain_float(text, at)?;
    Some(((vertex, weight), at))
}

/// Reads numbers with commas between them.
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

/// Reads a normal after a required byte.
#[inline(always)]
fn normal(text: &[u8], at: usize, after: u8) -> Option<(Option<Vec3>, usize)> {
    let (normal, at) = vector(text, separated(text, at, after)?)?;
    Some((Some(normal), at))
}

#[inline(always)]
fn vector(text: &[u8], at: usize) -> Option<(Vec3, usize)> {
    let (values, at) = floats(text, at)?;
    Some((Vec3::from_array(values), at))
}

/// Reads an integer with a space after it.
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

/// The offset after a line end.
#[inline(always)]
fn line_end(text: &[u8], at: usize) -> Option<usize> {
    separated(text, if text.get(at) == Some(&b'\r') { at + 1 } else { at }, b'\n')
}

/// The offset after a required byte.
#[inline(always)]
fn separated(text: &[u8], at: usize, by: u8) -> Option<usize> {
    (*text.get(at)? == by).then_some(at + 1)
}
