//! Curves that go on before their first key and after their last: when their keys come again.

use super::moments::KeyTime;
use ufbx::ExtrapolationMode as Mode;

/// The most times that the keys of one curve come again.
const MOST: usize = 1 << 14;

/// Adds the times at which a curve's keys come again between `begin` and `end`, as `ufbx` repeats and mirrors them: in
/// whole ticks. `room` is how many may be added.
pub(super) fn repeat(
    curve: &ufbx::AnimCurve,
    (begin, end): (f64, f64),
    steps: bool,
    room: &mut usize,
    times: &mut Vec<KeyTime>,
) {
    let ticks = curve.element.scene.metadata.ktime_second as f64;
    let whole = |time: f64| (time * ticks).round_ties_even();
    let (min, max) = (whole(curve.min_time), whole(curve.max_time));
    let length = max - min;
    if !(length >= 1.0 && length.is_finite() && ticks > 0.0) {
        return;
    }
    let mut left = MOST.min(*room);
    let before = (&curve.pre_extrapolation, min - end * ticks, min - begin * ticks, true);
    let after = (&curve.post_extrapolation, begin * ticks - max, end * ticks - max, false);
    for (how, nearest, farthest, is_before) in [before, after] {
        if !matches!(how.mode, Mode::Repeat | Mode::Mirror | Mode::RepeatRelative) || farthest < 0.0 {
            continue;
        }
        let first = (nearest / length).floor().max(0.0);
        let last = (farthest / length).floor();
        let last = if how.repeat_count < 0 { last } else { last.min(f64::from(how.repeat_count) - 1.0) };
        for round in (0..MOST).map(|round| first + round as f64) {
            if round > last || left == 0 {
                break;
            }
            let is_mirrored = how.mode == Mode::Mirror && round % 2.0 == 0.0;
            for key in curve.keyframes.as_ref() {
                let offset = whole(key.time) - min;
                // How far from the curve's end: mirrored, the keys come in the other order.
                let away = if is_mirrored != is_before { length - offset } else { offset };
                let away = round * length + away;
                let time = if is_before { min - away } else { max + away } / ticks;
                if (begin..=end).contains(&time) {
                    let is_seam = offset == 0.0 || offset == length;
                    times.push(KeyTime { time, jumps: steps || (is_seam && how.mode == Mode::Repeat) });
                    *room -= 1;
                    left -= 1;
                    if left == 0 {
                        break;
                    }
                }
            }
        }
    }
}
