//! Records in exactly the exporter's layout. `None` means that something differs, which the tolerant code then reads or
//! reports; nothing is decided here.

use super::super::document::{Bounds, Rotation, Transform};
use crate::scene::Influence;
use crate::text::{parse_fixed6, parse_fixed6_f64, parse_u32_prefix};
use glam::{Vec2, Vec3};

/// Vertices with more weights are left to the tolerant code, which has another way to find repeated joints.
const MOST_PAIRS: usize = 32;

/// Returns the offset after `text`, if it is at `at`.
#[inline(always)]
fn skip<const N: usize>(bytes: &[u8], at: usize, text: &[u8; N]) -> Option<usize> {
    (bytes.get(at..)?.first_chunk::<N>()? == text).then_some(at + N)
}

/// Reads `N` numbers separated by `separator`.
#[inline(always)]
fn fixed<const N: usize>(bytes: &[u8], at: usize, separator: u8) -> Option<([f32; N], usize)> {
    let (values, next) = fixed_f64::<N>(bytes, at, separator)?;
    Some((values.map(|v| v as f32), next))
}

/// Like `fixed`, as f64.
#[inline(always)]
fn fixed_f64<const N: usize>(bytes: &[u8], mut at: usize, separator: u8) -> Option<([f64; N], usize)> {
    let mut values = [0.0; N];
    for (i, value) in values.iter_mut().enumerate() {
        if i > 0 {
            if *bytes.get(at)? != separator {
                return None;
            }
            at += 1;
        }
        (*value, at) = parse_fixed6_f64(bytes, at)?;
    }
    Some((values, at))
}

/// A vertex without its influences, which are stored directly.
pub(super) struct UsualVertex {
    pub position: Vec3,
    pub uv: Vec2,
    pub normal: Vec3,
    pub material: u32,
    pub next: usize,
}

/// Reads the five lines of a vertex. Adds its influences to `pairs`; after `None` the caller removes them.
#[inline(always)]
pub(super) fn vertex(
    bytes: &[u8],
    at: usize,
    joints: u32,
    pairs: &mut Vec<Influence>,
) -> Option<UsualVertex> {
    let at = skip(bytes, at, b"v ")?;
    let (position, at) = fixed::<3>(bytes, at, b' ')?;
    let at = skip(bytes, at, b"\nvt ")?;
    let (uv, at) = fixed::<2>(bytes, at, b' ')?;
    let at = skip(bytes, at, b"\nvn ")?;
    let (normal, at) = fixed::<3>(bytes, at, b' ')?;
    let mut at = skip(bytes, at, b"\nvw ")?;
    let first = pairs.len();
    while *bytes.get(at)? == b' ' {
        let (joint, slash) = parse_u32_prefix(bytes, at + 1)?;
        let (weight, after) = parse_fixed6(bytes, skip(bytes, slash, b"/")?)?;
        let before = &pairs[first..];
        let repeated = before.len() >= MOST_PAIRS || before.iter().any(|p| p.joint == joint);
        if joint >= joints || repeated || weight.is_sign_negative() {
            return None;
        }
        pairs.push(Influence { joint, weight });
        at = after;
    }
    let at = skip(bytes, at, b"\nvm ")?;
    let (material, at) = parse_u32_prefix(bytes, at)?;
    let next = skip(bytes, at, b"\n")?;
    Some(UsualVertex {
        position: Vec3::from_array(position),
        uv: Vec2::from_array(uv),
        normal: Vec3::from_array(normal),
        material,
        next,
    })
}

/// Reads a scale, which is nearly always 1.
#[inline(always)]
fn scale(bytes: &[u8], at: usize) -> Option<(Vec3, usize)> {
    if let Some(next) = skip(bytes, at, b"1.000000/1.000000/1.000000") {
        return Some((Vec3::ONE, next));
    }
    let (scale, next) = fixed::<3>(bytes, at, b'/')?;
    Some((Vec3::from_array(scale), next))
}

/// Reads the line of joint number `joint` (counted from 1) in a frame; rotations are quaternions or angles.
#[inline(always)]
pub(super) fn frame_line<const QUATERNIONS: bool>(
    bytes: &[u8],
    at: usize,
    joint: u32,
) -> Option<(Transform, usize)> {
    let at = skip(bytes, at, b"        ").unwrap_or(at);
    let (number, at) = parse_u32_prefix(bytes, at)?;
    if number != joint {
        return None;
    }
    let (scale, at) = scale(bytes, skip(bytes, at, b" ")?)?;
    let at = skip(bytes, at, b" ")?;
    let (rotation, at) = if QUATERNIONS {
        let (quaternion, at) = fixed::<4>(bytes, at, b'/')?;
        if !super::is_unit(quaternion) {
            return None;
        }
        (Rotation::Quaternion(quaternion), at)
    } else {
        let (angles, at) = fixed_f64::<3>(bytes, at, b'/')?;
        (Rotation::Angles(angles), at)
    };
    let (translation, at) = fixed::<3>(bytes, skip(bytes, at, b" ")?, b'/')?;
    let next = skip(bytes, at, b"\n")?;
    Some((Transform { scale, rotation, translation: Vec3::from_array(translation) }, next))
}

/// Reads the three lines of a frame's box.
#[inline(always)]
pub(super) fn frame_bounds(bytes: &[u8], at: usize) -> Option<(Bounds, usize)> {
    let indent = |at| skip(bytes, at, b"\t").unwrap_or(at);
    let (x, at) = fixed::<2>(bytes, skip(bytes, indent(at), b"x_bounds ")?, b' ')?;
    let (y, at) = fixed::<2>(bytes, skip(bytes, indent(skip(bytes, at, b"\n")?), b"y_bounds ")?, b' ')?;
    let (z, at) = fixed::<2>(bytes, skip(bytes, indent(skip(bytes, at, b"\n")?), b"z_bounds ")?, b' ')?;
    let bounds = [x, y, z];
    let ordered = bounds.iter().all(|[least, greatest]| least <= greatest);
    if ordered { Some((bounds, skip(bytes, at, b"\n")?)) } else { None }
}
