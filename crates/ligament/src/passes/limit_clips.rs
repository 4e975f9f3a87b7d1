//! Drops clips that a target cannot hold.

use super::codes;
use crate::formats::Count;
use crate::report::{Loss, Remedy, Report};
use crate::scene::Scene;

/// Keeps no clip, the first, or all.
///
/// ```
/// use ligament::formats::Count;
/// use ligament::passes::limit_clips::limit_clips;
/// use ligament::scene::{Clip, Scene};
///
/// let mut scene = Scene { clips: vec![Clip::default(); 3], ..Scene::default() };
/// limit_clips(&mut scene, Count::One, &mut Default::default());
/// assert_eq!(scene.clips.len(), 1);
/// ```
pub fn limit_clips(scene: &mut Scene, most: Count, report: &mut Report) {
    let (keep, why) = match most {
        Count::None => (0, "the format has no clips"),
        Count::One => (1, "the format holds one clip; only the first is kept"),
        Count::Many => return,
    };
    let keep = keep.min(scene.clips.len());
    for (clip, index) in scene.clips.drain(keep..).zip(keep..) {
        let remedy = Remedy::new("clips", vec![clip.name.clone()], "keeps this one instead");
        let loss = Loss::dropped(&codes::CLIPS, clip.label(index), 1, why);
        report.loss(loss.remedy(Some(remedy).filter(|_| keep > 0 && !clip.name.is_empty())));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Clip;

    #[test]
    fn dropped_clips_are_named() {
        for (most, left) in [(Count::None, 0), (Count::One, 1), (Count::Many, 2)] {
            let clip = |name: &str| Clip { name: name.into(), ..Clip::default() };
            let mut scene = Scene { clips: vec![clip("a"), clip("b")], ..Scene::default() };
            let mut report = Report::default();
            limit_clips(&mut scene, most, &mut report);
            assert_eq!(scene.clips.len(), left);
            let named: Vec<_> = report.losses().iter().map(|l| l.object.as_str()).collect();
            assert_eq!(named, ["clip \"a\"", "clip \"b\""][left..]);
        }
    }
}
