//! The frames of a long clip on all cores, by the same rule as the vertices: whatever is irregular is left to the
//! sequential reader, all of it.

use super::super::document::{Bounds, Dialect, Transforms, TransformsMut};
use super::fast;
use super::parallel::cut;
use memchr::{memchr_iter, memmem};
use rayon::prelude::*;

/// How a frame begins in the exporter's layout.
const FRAME_START: &[u8] = b"\n        1 ";

/// What the frames of a clip are made of.
#[derive(Clone, Copy)]
pub(super) struct FrameLayout {
    pub joints: usize,
    pub dialect: Dialect,
    /// Whether a box follows the joints.
    pub boxes: bool,
}

/// Where one piece's frames go.
struct Piece<'a> {
    start: usize,
    end: usize,
    transforms: TransformsMut<'a>,
    bounds: &'a mut [Bounds],
}

/// All frames from `start` on but the last, and the offset after them; `None` if anything is irregular, if there are
/// more frames than `most`, less text than `least_bytes`, or one core only.
///
/// The last frame is left to the caller because the fast code cannot read the last bytes of a file.
pub(super) fn frames(
    bytes: &[u8],
    start: usize,
    layout: FrameLayout,
    most: usize,
    least_bytes: usize,
) -> Option<(Transforms, Vec<Bounds>, usize)> {
    let threads = rayon::current_num_threads();
    if threads < 2 || layout.joints == 0 || !bytes[..start].ends_with(b"\n") {
        return None;
    }
    let rest = &bytes[start..];
    let clip_end = memmem::find(rest, b"\nas ").or_else(|| memmem::find(rest, b"\nx_bounds"));
    let section = &rest[..clip_end.unwrap_or(rest.len())];
    let section = &section[..memmem::rfind(section, FRAME_START)? + 1];
    if section.len() < least_bytes {
        return None;
    }
    let lines = layout.joints.checked_add(if layout.boxes { 3 } else { 0 })?;
    let texts = cut(section, threads * 4, FRAME_START);
    let counts: Vec<usize> = texts.par_iter().map(|text| memchr_iter(b'\n', text).count()).collect();
    let total = counts.iter().sum::<usize>() / lines;
    if counts.iter().any(|n| n % lines != 0) || total >= most {
        return None;
    }
    // With room for the last frame, so that adding it moves nothing.
    let mut transforms = Transforms::zeroed(layout.dialect, (total + 1) * layout.joints);
    let mut bounds: Vec<Bounds> = bytemuck::zeroed_vec(if layout.boxes { total + 1 } else { 0 });
    let (mut all, mut boxes) = (transforms.as_mut(), &mut bounds[..]);
    let mut at = start;
    let mut pieces = Vec::with_capacity(texts.len());
    for (text, count) in texts.iter().zip(&counts) {
        let frames = count / lines;
        pieces.push(Piece {
            start: at,
            end: at + text.len(),
            transforms: all.split_off(frames * layout.joints)?,
            bounds: boxes.split_off_mut(..if layout.boxes { frames } else { 0 })?,
        });
        at += text.len();
    }
    pieces.into_par_iter().map(|piece| read_piece(bytes, piece, layout)).collect::<Option<()>>()?;
    transforms.truncate(total * layout.joints);
    bounds.truncate(total);
    Some((transforms, bounds, at))
}

fn read_piece(bytes: &[u8], mut piece: Piece<'_>, layout: FrameLayout) -> Option<()> {
    let mut at = piece.start;
    let mut index = 0;
    let mut bounds = piece.bounds.iter_mut();
    while index < piece.transforms.len() {
        for joint in 1..=layout.joints as u32 {
            let (transform, next) = match layout.dialect {
                Dialect::Engine => fast::frame_line::<true>(bytes, at, joint)?,
                Dialect::Document => fast::frame_line::<false>(bytes, at, joint)?,
            };
            piece.transforms.set(index, transform);
            index += 1;
            at = next;
        }
        if layout.boxes {
            (*bounds.next()?, at) = fast::frame_bounds(bytes, at)?;
        }
    }
    (at == piece.end).then_some(())
}
