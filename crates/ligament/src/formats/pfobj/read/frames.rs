//! Runs of frames.

use super::super::document::{Bounds, Dialect, Transforms};
use super::{Aside, usual};
use crate::text::{Shared, Usual};
use memchr::memmem;

/// The shortest usual line of a joint: one digit for its number and before each point, three angles.
const LEAST_LINE_BYTES: usize = 82;
/// Longer than the longest usual line of a joint.
const MOST_LINE_BYTES: usize = 144;
/// Longer than the longest usual box, including what the number parser looks at after a line.
const MOST_BOX_BYTES: usize = 128;
/// The number of lines of a box.
const BOX_LINES: u32 = 3;

/// The frames of a clip.
pub(super) struct Frames {
    pub joints: usize,
    /// Whether a box follows the joints.
    pub boxes: bool,
    /// The dialect of the rotations.
    pub dialect: Dialect,
    /// The number of frames read, and the most that there may be.
    pub count: usize,
    pub most: usize,
    pub transforms: Transforms,
    pub bounds: Vec<Bounds>,
}

impl Frames {
    #[inline(always)]
    fn frame<const QUATERNIONS: bool>(&mut self, text: &[u8], at: usize) -> Option<usize> {
        if self.count == self.most {
            return None;
        }
        let before = self.transforms.len();
        let next = self.frame_lines::<QUATERNIONS>(text, at);
        match next {
            Some(_) => self.count += 1,
            None => self.transforms.truncate(before),
        }
        next
    }

    #[inline(always)]
    fn frame_lines<const QUATERNIONS: bool>(&mut self, text: &[u8], mut at: usize) -> Option<usize> {
        for joint in 1..=self.joints as u32 {
            let (transform, next) = usual::frame_line::<QUATERNIONS>(text, at, joint)?;
            self.transforms.push(transform);
            at = next;
        }
        if self.boxes {
            let (bounds, next) = usual::frame_bounds(text, at)?;
            self.bounds.push(bounds);
            at = next;
        }
        Some(at)
    }
}

impl Usual for Frames {
    #[inline(always)]
    fn usual(&mut self, text: &[u8], at: usize) -> Option<usize> {
        match self.dialect {
            Dialect::Engine => self.frame::<true>(text, at),
            Dialect::Document => self.frame::<false>(text, at),
        }
    }

    fn lines(&self) -> u32 {
        (self.joints as u32).saturating_add(if self.boxes { BOX_LINES } else { 0 })
    }

    fn longest(&self) -> usize {
        self.joints.saturating_mul(MOST_LINE_BYTES).saturating_add(MOST_BOX_BYTES)
    }
}

impl Shared for Frames {
    type Aside = Aside;
    const SHARES_PER_CORE: usize = 4;

    fn aside(&self, bytes: usize) -> Aside {
        Aside::Frames(Frames {
            count: 0,
            most: usize::MAX,
            transforms: Transforms::with_capacity(self.dialect, bytes / LEAST_LINE_BYTES),
            bounds: Vec::new(),
            ..*self
        })
    }

    fn add(&mut self, aside: Aside) -> bool {
        let Aside::Frames(mut aside) = aside else { return false };
        let fits = aside.count <= self.most - self.count
            && (aside.joints, aside.boxes, aside.dialect) == (self.joints, self.boxes, self.dialect);
        if fits {
            self.count += aside.count;
            self.transforms.append(&aside.transforms);
            self.bounds.append(&mut aside.bounds);
        }
        fits
    }

    /// Finds the line of the last frame's first joint, indented or not.
    fn last_start(&self, text: &[u8]) -> Option<usize> {
        let start = memmem::rfind(text, b"\n        1 ").or_else(|| memmem::rfind(text, b"\n1 "));
        start.map(|at| at + 1)
    }
}
