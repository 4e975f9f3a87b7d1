//! Bounding boxes: the source's where they still fit, else tight ones.

use super::super::codes;
use super::super::document::Bounds;
use crate::pose::{self, Outline, Player};
use crate::report::{Place, Report, counted};
use crate::scene::{Clip, Frames, Scene};
#[cfg(feature = "parallel")]
use rayon::prelude::*;

/// Clips with fewer frames are not worth distributing over cores.
#[cfg(feature = "parallel")]
const PARALLEL_FRAMES: u32 = 256;

/// Chooses boxes, and counts the source's boxes that no longer fit.
#[derive(Default)]
pub(super) struct Boxes {
    outdated: usize,
}

impl Boxes {
    /// The source's box if it fits, else the tight one; `None` without vertices.
    pub(super) fn choose(&mut self, tight: Option<pose::Bounds>, stated: Option<Bounds>) -> Option<Bounds> {
        let tight = tight?;
        let tight: Bounds = std::array::from_fn(|axis| [tight.min[axis], tight.max[axis]]);
        match stated {
            Some(stated) if fits(&stated, &tight) => Some(stated),
            Some(_) => {
                self.outdated += 1;
                Some(tight)
            }
            None => Some(tight),
        }
    }

    pub(super) fn report(&self, report: &mut Report) {
        if self.outdated > 0 {
            let boxes = counted(self.outdated, "box", "boxes");
            let were = if self.outdated == 1 { "fits and was" } else { "fit and were" };
            let message = format!("{boxes} of the source no longer {were} recomputed");
            report.note(&codes::BOUNDS_COMPUTED, Place::WHOLE, message);
        }
    }
}

/// The tight bounding boxes of a clip's frames.
pub(super) fn tight(
    outline: &Outline,
    scene: &Scene,
    clip: &Clip,
    frames: Frames,
) -> Vec<Option<pose::Bounds>> {
    let player = || Player::of_clip(scene, clip);
    let of_frame = |player: &mut Player<'_>, frame| outline.bounds(player.at(frames.time(frame)));
    #[cfg(feature = "parallel")]
    if frames.count >= PARALLEL_FRAMES && crate::cores::threads() > 1 {
        return (0..frames.count).into_par_iter().map_init(player, of_frame).collect();
    }
    let mut player = player();
    (0..frames.count).map(|frame| of_frame(&mut player, frame)).collect()
}

/// Whether the source's box contains the tight one (to six decimals and the rounding of skinning) and is not much
/// larger. Exporters write boxes with some slack.
fn fits(stated: &Bounds, tight: &Bounds) -> bool {
    stated.iter().zip(tight).all(|(&[least, greatest], &[tight_least, tight_greatest])| {
        let extent = tight_greatest - tight_least;
        least <= tight_least + 1e-4
            && greatest >= tight_greatest - 1e-4
            && greatest - least <= 2.0 * extent + 1e-3 + 4e-3 * extent
    })
}
