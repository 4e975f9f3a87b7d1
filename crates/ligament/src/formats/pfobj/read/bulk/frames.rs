//! The regular frames that a clip begins with.

use super::super::super::document::{Bounds, Dialect, Transforms, TransformsMut};
use super::super::fast;
use super::parts::{Part, cut, each};
use crate::text::Window;
use std::io;

/// The shortest regular line of a joint: one digit for its number and before each point, three angles.
const LEAST_LINE_BYTES: usize = 82;
/// More than the longest one.
const MOST_LINE_BYTES: usize = 144;
/// More than the longest regular box, and enough for what the number parser wants to see after a line.
const MOST_BOX_BYTES: usize = 128;

/// What frames are made of.
#[derive(Clone, Copy)]
pub(super) struct FrameLayout {
    pub joints: usize,
    /// Whether a box follows the joints.
    pub boxes: bool,
}

impl FrameLayout {
    fn lines(self) -> usize {
        self.joints + if self.boxes { 3 } else { 0 }
    }
}

/// The frames that were read.
pub(in super::super) struct Frames {
    pub count: u32,
    pub dialect: Dialect,
    pub indented: bool,
    pub transforms: Transforms,
    pub bounds: Vec<Bounds>,
    /// How many bytes they were.
    pub bytes: usize,
    /// How many lines they were.
    pub lines: usize,
}

/// Reads up to `most` frames from the window's start as long as they are regular; `None` if not one is.
pub(super) fn read(
    window: &mut Window,
    layout: FrameLayout,
    most: u32,
    parts: usize,
) -> io::Result<Option<Frames>> {
    let room = window.rest() / layout.joints.saturating_mul(LEAST_LINE_BYTES).max(1);
    let room = room.min(most as usize);
    if room == 0 {
        return Ok(None);
    }
    // Cannot overflow: the file has room for a whole frame.
    let longest = layout.joints * MOST_LINE_BYTES + MOST_BOX_BYTES;
    window.fill(longest)?;
    let Some(dialect) = dialect(window.text()) else { return Ok(None) };
    let indented = window.text().starts_with(b" ");
    let start = if indented { &b"\n        1 "[..] } else { b"\n1 " };
    let mut transforms = Transforms::zeroed(dialect, room * layout.joints);
    let mut bounds: Vec<Bounds> = bytemuck::zeroed_vec(if layout.boxes { room } else { 0 });
    let (mut count, mut bytes) = (0, 0);
    while count < room {
        window.fill(longest)?;
        let parts = cut(window.text(), parts, start, layout.lines());
        let places = lay_out(&parts, layout, count, &mut transforms, &mut bounds);
        let read = each(places, |places| match dialect {
            Dialect::Engine => read_part::<true>(places, layout),
            Dialect::Document => read_part::<false>(places, layout),
        });
        let (mut frames, mut consumed) = (0, 0);
        for (&(read, bytes), part) in read.iter().zip(&parts) {
            frames += read;
            consumed += bytes;
            if bytes != part.length {
                // The parts after this one hang in the air.
                break;
            }
        }
        window.advance(consumed);
        count += frames;
        bytes += consumed;
        if frames == 0 {
            break;
        }
    }
    transforms.truncate(count * layout.joints);
    transforms.shrink_to_fit();
    bounds.truncate(count);
    bounds.shrink_to_fit();
    let lines = count * layout.lines();
    let frames = Frames { count: count as u32, dialect, indented, transforms, bounds, bytes, lines };
    Ok((count > 0).then_some(frames))
}

/// The dialect of a frame's first line, if that is regular.
fn dialect(text: &[u8]) -> Option<Dialect> {
    if fast::frame_line::<true>(text, 0, 1).is_some() {
        Some(Dialect::Engine)
    } else {
        fast::frame_line::<false>(text, 0, 1).map(|_| Dialect::Document)
    }
}

/// Where the frames of one part go.
struct Places<'a> {
    text: &'a [u8],
    frames: usize,
    transforms: TransformsMut<'a>,
    bounds: &'a mut [Bounds],
}

/// Gives each part its places; the last one gets all that are left.
fn lay_out<'a>(
    parts: &[Part<'a>],
    layout: FrameLayout,
    first: usize,
    transforms: &'a mut Transforms,
    bounds: &'a mut [Bounds],
) -> Vec<Places<'a>> {
    let mut transforms = transforms.places_from(first * layout.joints);
    let mut bounds = bounds.get_mut(first..).unwrap_or_default();
    let mut places = Vec::with_capacity(parts.len());
    for part in parts {
        let frames = part.records.unwrap_or(usize::MAX).min(transforms.len() / layout.joints);
        let Some(transforms) = transforms.split_off(frames * layout.joints) else { break };
        let Some(bounds) = bounds.split_off_mut(..if layout.boxes { frames } else { 0 }) else { break };
        places.push(Places { text: part.text, frames, transforms, bounds });
    }
    places
}

/// Reads regular frames until there is no more place, or anything is different, or the text ends. Returns how many
/// there were, and their bytes.
fn read_part<const QUATERNIONS: bool>(mut places: Places<'_>, layout: FrameLayout) -> (usize, usize) {
    let mut bytes = 0;
    for frame in 0..places.frames {
        let Some(next) = read_frame::<QUATERNIONS>(&mut places, layout, frame, bytes) else {
            return (frame, bytes);
        };
        bytes = next;
    }
    (places.frames, bytes)
}

#[inline(always)]
fn read_frame<const QUATERNIONS: bool>(
    places: &mut Places<'_>,
    layout: FrameLayout,
    frame: usize,
    mut at: usize,
) -> Option<usize> {
    for joint in 0..layout.joints {
        let (transform, next) = fast::frame_line::<QUATERNIONS>(places.text, at, joint as u32 + 1)?;
        places.transforms.set(frame * layout.joints + joint, transform);
        at = next;
    }
    if let Some(bounds) = places.bounds.get_mut(frame) {
        (*bounds, at) = fast::frame_bounds(places.text, at)?;
    }
    Some(at)
}
