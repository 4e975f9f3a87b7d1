//! Quaternions that change their sign from one key to the next.

use super::{clip_name, codes, joint_name, others, place, rotations};
use crate::report::{Diagnostic, Report, Severity};
use crate::scene::{Interpolation, Scene};

pub(super) fn check(scene: &Scene, report: &mut Report) {
    for (c, clip) in scene.clips.iter().enumerate() {
        for (interpolation, severity) in
            [(Interpolation::Cubic, Severity::Warning), (Interpolation::Linear, Severity::Note)]
        {
            let tracks =
                clip.tracks.iter().enumerate().filter(|(_, track)| track.interpolation == interpolation);
            let mut flipped = tracks.filter_map(|(t, track)| {
                let keys = rotations(track)?;
                let flip = keys.windows(2).position(|pair| pair[0].dot(pair[1]) < 0.0)?;
                Some((t, track.node, *track.times.get(flip + 1)?))
            });
            let Some((t, node, seconds)) = flipped.next() else { continue };
            let more = others(flipped.count());
            let then = if interpolation == Interpolation::Cubic {
                "so that it turns the long way round"
            } else {
                "so that programs which interpolate its numbers turn it the long way round"
            };
            let message = format!(
                "{}: the quaternion of {} changes its sign at {seconds} s, {then}{more}",
                clip_name(scene, c),
                joint_name(scene, node)
            );
            report.push(Diagnostic::new(severity, &codes::FLIP, place(c, t), message));
        }
    }
}
